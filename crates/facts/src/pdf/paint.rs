//! What is painted on a page, in which order, and what covers what.

mod runs;

use std::collections::{BTreeSet, HashMap};

use hayro::{
    hayro_interpret::{
        BlendMode, ClipPath, Context, Device, FillRule, GlyphDrawMode, Image, InterpreterCache, InterpreterSettings,
        Paint, PathDrawMode, TransformExt, font::Glyph, hayro_cmap::BfString, interpret_page,
    },
    hayro_syntax::{object::Stream, page::Page as PdfPage},
    vello_cpu::kurbo::{Affine, BezPath, PathEl, Point, Rect, Shape as _, Vec2},
};

use self::runs::{Character, Runs};
use super::{code_shape, fonts::ONLY_TYPE3, geometry::area, glyphs::DrawnGlyphs, images};
use crate::{
    Limits,
    image::plane::scaled,
    model::{Area, CoverKind, Limited, PlacedImage, Shape, TextRendering, TextRun},
};

/// A more transparent surface is not a cover.
const LEAST_OPACITY: u8 = 90;
/// The least part of its box that a shape must fill to count as the box.
const LEAST_FILL: f64 = 0.85;

/// What was painted on a page.
#[derive(Debug, Default)]
pub(super) struct PaintedContent {
    pub(super) text: Vec<TextRun>,
    pub(super) images: Vec<PlacedImage>,
    pub(super) shapes: Vec<Shape>,
    /// Everything painted, including what is not listed.
    pub(super) count: u32,
    pub(super) limited: BTreeSet<Limited>,
    /// Indices of the fonts drawn with.
    pub(super) fonts: BTreeSet<u32>,
    /// Which of their glyphs.
    pub(super) glyphs: DrawnGlyphs,
    /// Whether one path has so many parts in a square that it may be a machine-readable code.
    pub(super) has_pattern: bool,
}

/// Follows the page's content. `fonts` are the document's, by the library's key of their dictionary. `cache` has what other
/// pages needed, such as fonts.
pub(super) fn page<'a>(
    page: &PdfPage<'a>,
    fonts: &HashMap<u128, u32>,
    cache: &InterpreterCache<'a>,
    limits: &Limits,
) -> PaintedContent {
    let (width, height) = page.render_dimensions();
    let bounds = Rect::new(0.0, 0.0, width.into(), height.into());
    let mut painter = Painter {
        fonts,
        limits: *limits,
        bounds,
        clips: vec![bounds],
        opacities: vec![100],
        blend_modes: vec![BlendMode::Normal],
        blend: BlendMode::Normal,
        soft_mask: false,
        order: 0,
        runs: Runs::default(),
        streams: HashMap::new(),
        covers: Vec::new(),
        painted: PaintedContent::default(),
    };
    // The library has no way to stop; a silent panic is the way out of endless content.
    let stopped = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        // Content outside of the page is interpreted too: hidden things are facts.
        let everywhere = Rect::new(-1e6, -1e6, 1e6, 1e6);
        let transform = page.initial_transform(true).to_kurbo();
        let mut context = Context::new(transform, everywhere, cache, page.xref(), InterpreterSettings::default());
        interpret_page(page, &mut context, &mut painter);
    }));
    if let Err(reason) = stopped {
        painter.painted.limited.insert(reason.downcast_ref::<Stop>().map_or(Limited::Drawing, |stop| stop.0));
    }
    painter.finish()
}

/// Why drawing was stopped.
struct Stop(Limited);

struct Painter<'f> {
    fonts: &'f HashMap<u128, u32>,
    limits: Limits,
    bounds: Rect,
    /// The clip areas, the innermost last; the first is the page's.
    clips: Vec<Rect>,
    /// In percent, for each open group.
    opacities: Vec<u8>,
    blend_modes: Vec<BlendMode>,
    blend: BlendMode,
    soft_mask: bool,
    order: u32,
    runs: Runs,
    /// The facts of image objects that were drawn before.
    streams: HashMap<u32, PlacedImage>,
    covers: Vec<Cover>,
    painted: PaintedContent,
}

/// A surface that hides what is below it.
#[derive(Clone, Copy)]
struct Cover {
    area: Area,
    order: u32,
    kind: CoverKind,
    /// `None` for a picture.
    colour: Option<u32>,
}

impl Painter<'_> {
    fn count(&mut self, weight: u32) {
        self.painted.count = self.painted.count.saturating_add(weight);
        if self.painted.count > self.limits.max_painted {
            std::panic::resume_unwind(Box::new(Stop(Limited::Shapes)));
        }
    }

    fn clip(&self) -> Rect {
        self.clips.last().copied().unwrap_or(self.bounds)
    }

    fn next_order(&mut self) -> u32 {
        let order = self.order;
        self.order += 1;
        order
    }

    /// Whether what is painted now hides what is below, given its own opacity.
    fn hides(&self, opacity: u8) -> bool {
        let is_normal = |mode: &BlendMode| *mode == BlendMode::Normal;
        opacity >= LEAST_OPACITY && !self.soft_mask && is_normal(&self.blend) && self.blend_modes.iter().all(is_normal)
    }

    fn opacity(&self, alpha: u8) -> u8 {
        let own = u32::from(alpha) * 100 / 255;
        let all = self.opacities.iter().fold(own, |product, opacity| product * u32::from(*opacity) / 100);
        u8::try_from(all).unwrap_or(100)
    }

    fn surface(&mut self, path: &BezPath, paint: &Paint, mode: &PathDrawMode) {
        self.count(1);
        let (PathDrawMode::Fill(rule), Paint::Color(colour)) = (mode, paint) else { return };
        let [red, green, blue, alpha] = colour.to_rgba().to_rgba8();
        let opacity = self.opacity(alpha);
        let whole = path.bounding_box();
        let visible = whole.intersect(self.clip());
        self.painted.has_pattern |= is_pattern(path, whole);
        let is_box = filled_area(path, *rule) >= LEAST_FILL * whole.area();
        if !self.hides(opacity) || !is_box || visible.width() <= 0.0 || visible.height() <= 0.0 {
            return;
        }
        let (area, order) = (area(visible), self.next_order());
        let colour = u32::from_be_bytes([0, red, green, blue]);
        if self.painted.shapes.len() < self.limits.max_shapes as usize {
            self.painted.shapes.push(Shape { area, colour, opacity, order });
            self.covers.push(Cover { area, order, kind: CoverKind::Shape, colour: Some(colour) });
        } else {
            self.painted.limited.insert(Limited::Shapes);
        }
    }

    fn finish(mut self) -> PaintedContent {
        let mut text = self.runs.finish();
        for run in &mut text {
            look_below_and_above(run, &self.covers);
        }
        self.painted.text = text;
        self.painted
    }
}

/// Whether a path may be all the dark modules of a code.
fn is_pattern(path: &BezPath, area: Rect) -> bool {
    code_shape::may_be_side(area.width(), area.height())
        && path
            .elements()
            .iter()
            .filter(|element| matches!(element, PathEl::MoveTo(_)))
            .take(code_shape::LEAST_PARTS)
            .count()
            == code_shape::LEAST_PARTS
}

/// The area that a path fills, at least roughly. Two boxes in one path are a frame by the even-odd rule, as in the borders
/// of a web page.
fn filled_area(path: &BezPath, rule: FillRule) -> f64 {
    if rule == FillRule::NonZero {
        return path.area().abs();
    }
    let mut areas: Vec<f64> = Vec::new();
    let mut part = BezPath::new();
    for element in path.elements().iter().copied().chain([PathEl::MoveTo(Point::ZERO)]) {
        if matches!(element, PathEl::MoveTo(_)) && !part.is_empty() {
            areas.push(part.area().abs());
            part = BezPath::new();
        }
        part.push(element);
    }
    let largest = areas.iter().copied().fold(0.0, f64::max);
    2.0 * largest - areas.iter().sum::<f64>()
}

/// Notes what is above a run and what is below it. Covers are in painting order.
fn look_below_and_above(run: &mut TextRun, covers: &[Cover]) {
    let middle = Area {
        left: i32::midpoint(run.area.left, run.area.right),
        top: i32::midpoint(run.area.top, run.area.bottom),
        ..Area::default()
    };
    let holds =
        |area: Area| (area.left..=area.right).contains(&middle.left) && (area.top..=area.bottom).contains(&middle.top);
    let below = covers.partition_point(|cover| cover.order < run.order);
    run.background =
        covers[..below].iter().rev().find(|cover| holds(cover.area)).map_or(Some(0x00FF_FFFF), |cover| cover.colour);
    for cover in &covers[below..] {
        let percent = run.area.covered_by(cover.area);
        if percent >= 50 && run.cover.is_none_or(|before| percent >= before.percent) {
            run.cover = Some(crate::model::Cover { order: cover.order, kind: cover.kind, percent });
        }
    }
}

impl<'a> Device<'a> for Painter<'_> {
    fn set_soft_mask(&mut self, mask: Option<hayro::hayro_interpret::SoftMask<'a>>) {
        self.soft_mask = mask.is_some();
    }

    fn set_blend_mode(&mut self, blend_mode: BlendMode) {
        self.blend = blend_mode;
    }

    fn draw_path(&mut self, path: &BezPath, transform: Affine, paint: &Paint<'a>, mode: &PathDrawMode) {
        self.surface(&(transform * path), paint, mode);
    }

    fn push_clip_path(&mut self, clip_path: &ClipPath) {
        self.count(10);
        let clip = self.clip().intersect(clip_path.path.bounding_box());
        self.clips.push(clip);
    }

    fn push_transparency_group(
        &mut self,
        opacity: f32,
        mask: Option<hayro::hayro_interpret::SoftMask<'a>>,
        blend_mode: BlendMode,
    ) {
        self.count(10);
        self.opacities.push(u8::try_from(scaled(opacity.clamp(0.0, 1.0).into(), 100.0)).unwrap_or(100));
        // A masked group is marked by a mode that hides nothing.
        self.blend_modes.push(if mask.is_some() { BlendMode::Luminosity } else { blend_mode });
    }

    fn pop_clip_path(&mut self) {
        if self.clips.len() > 1 {
            self.clips.pop();
        }
    }

    fn pop_transparency_group(&mut self) {
        if self.opacities.len() > 1 {
            self.opacities.pop();
            self.blend_modes.pop();
        }
    }

    fn draw_glyph(
        &mut self,
        glyph: &Glyph<'a>,
        transform: Affine,
        glyph_transform: Affine,
        paint: &Paint<'a>,
        mode: &GlyphDrawMode,
    ) {
        self.count(1);
        let place = transform * glyph_transform;
        let (font, advance) = match glyph {
            Glyph::Outline(outline) => (
                self.fonts.get(&outline.font_cache_key()).copied(),
                f64::from(outline.advance_width().unwrap_or(500.0)),
            ),
            Glyph::Type3(_) => (self.only_type3(), 500.0),
        };
        let origin = place * Point::ORIGIN;
        let along = (place * Point::new(advance, 0.0)) - origin;
        let em = (place * Point::new(1000.0, 0.0)) - origin;
        let up = (place * Point::new(0.0, 1000.0)) - origin;
        let (colour, alpha) = match paint {
            Paint::Color(colour) => {
                let [red, green, blue, alpha] = colour.to_rgba().to_rgba8();
                (Some(u32::from_be_bytes([0, red, green, blue])), alpha)
            }
            Paint::Pattern(_) => (None, 255),
        };
        let text = match glyph.as_unicode() {
            Some(BfString::Char(character)) => Some(character.to_string()),
            Some(BfString::String(text)) => Some(text),
            None => None,
        };
        let extent = bounds(origin, along, up);
        let visible = extent.intersect(self.clip());
        let is_outside = visible.width().max(0.0) * visible.height().max(0.0) < extent.area() / 2.0;
        if let (Some(font), Glyph::Outline(outline)) = (font, glyph) {
            self.painted.glyphs.note(font, outline.glyph_id().to_u32(), text.as_deref(), area(extent));
        }
        let character = Character {
            text,
            font,
            colour,
            opacity: self.opacity(alpha),
            rendering: match mode {
                GlyphDrawMode::Fill => TextRendering::Filled,
                GlyphDrawMode::Stroke(_) => TextRendering::Stroked,
                GlyphDrawMode::Invisible => TextRendering::Invisible,
            },
            origin,
            end: origin + along,
            em,
            size: up.hypot(),
            area: extent,
            is_outside,
        };
        self.painted.fonts.extend(font);
        let most = self.limits.max_text_runs as usize;
        match self.runs.add(character, self.order, most) {
            runs::AddOutcome::Continued => {}
            runs::AddOutcome::Started => self.order += 1,
            runs::AddOutcome::TooMany => {
                self.painted.limited.insert(Limited::TextRuns);
            }
        }
    }

    fn draw_image(&mut self, image: Image<'a, '_>, transform: Affine) {
        self.count(1);
        let (width, height) = (image.width(), image.height());
        let placed = transform.transform_rect_bbox(Rect::new(0.0, 0.0, width.into(), height.into()));
        let visible = placed.intersect(self.clip());
        if visible.width() <= 0.0 || visible.height() <= 0.0 {
            return;
        }
        let (area, order) = (area(visible), self.next_order());
        if self.painted.images.len() >= self.limits.max_images as usize {
            self.painted.limited.insert(Limited::Images);
            return;
        }
        let (described, hides) = match &image {
            Image::Raster(raster) => (self.described(raster.stream()), !images::has_mask(raster.stream())),
            Image::Stencil(_) => (images::stencil(), false),
        };
        if hides && self.hides(self.opacity(255)) {
            self.covers.push(Cover { area, order, kind: CoverKind::Image, colour: None });
        }
        self.painted.images.push(PlacedImage { area, width, height, order, ..described });
    }
}

impl Painter<'_> {
    /// An image object is hashed once, however often it is drawn.
    fn described(&mut self, stream: &Stream) -> PlacedImage {
        let number = u32::try_from(stream.obj_id().obj_number).unwrap_or(0);
        if number == 0 {
            return images::describe(stream);
        }
        self.streams.entry(number).or_insert_with(|| images::describe(stream)).clone()
    }

    /// The library does not report the Type 3 font of a glyph; with only one, it is certain.
    fn only_type3(&self) -> Option<u32> {
        self.fonts.get(&ONLY_TYPE3).copied()
    }
}

/// From a fifth of the size below the baseline to four fifths above it.
fn bounds(origin: Point, along: Vec2, up: Vec2) -> Rect {
    let corners = [origin + up * 0.8, origin - up * 0.2];
    corners.iter().fold(Rect::from_points(corners[0], corners[0] + along), |area, corner| {
        area.union_pt(*corner).union_pt(*corner + along)
    })
}
