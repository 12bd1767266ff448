//! The visible text of a laid-out document: without what is too small, transparent, in the colour of its background,
//! covered, clipped away or off the paper.
//!
//! This is a check against mistakes and simple ways of hiding text, not a proof: gradients, pictures with transparency
//! and letters drawn as shapes are not evaluated.

use typst::{
    layout::{Abs, Frame, FrameItem, Point, Size, Transform},
    text::TextItem,
    visualize::{Color, Curve, CurveItem, Geometry, Paint, Shape},
};
use typst_layout::PagedDocument;

/// Smaller text cannot be read on paper.
const SMALLEST: f64 = 4.0;
/// Less opaque text is not visible.
const LEAST_ALPHA: f32 = 0.3;
/// As in WCAG 2: from 1, the same colour, to 21, black on white. Pale grey on white (1.3) is decoration.
const LEAST_CONTRAST: f32 = 1.4;
/// Into how many lines a curve is split.
const CURVE_STEPS: u32 = 8;

/// The text that can be seen, page by page, in the order in which it is drawn.
pub(super) fn visible_text(document: &PagedDocument) -> Vec<String> {
    document
        .pages()
        .iter()
        .map(|page| {
            let ground = match page.fill_or_white() {
                Some(Paint::Solid(colour)) => Ground::Luminance(luminance(&colour)),
                Some(_) => Ground::Unknown,
                None => Ground::Luminance(luminance(&Color::WHITE)),
            };
            let mut drawn = DrawnPage::default();
            drawn.frame(&page.frame, Transform::identity(), &mut Vec::new());
            drawn.text(page.frame.size(), &ground)
        })
        .collect()
}

/// What is drawn on one page, in drawing order.
#[derive(Default)]
struct DrawnPage {
    texts: Vec<DrawnText>,
    grounds: Vec<DrawnGround>,
    count: usize,
}

struct DrawnText {
    order: usize,
    text: String,
    /// In points, as drawn.
    size: f64,
    ink: Ink,
    /// The points that are checked: near its start, in its middle, near its end.
    places: [Point; 3],
    clipped: bool,
}

struct DrawnGround {
    order: usize,
    outline: Outline,
    ground: Ground,
}

/// What a text is drawn with. Luminances are computed once, because each is compared with several others.
enum Ink {
    Luminance(f32),
    /// It can hardly be seen.
    Transparent,
    /// A gradient or a pattern: assumed to be readable.
    Unknown,
}

enum Ground {
    Luminance(f32),
    /// A picture or a gradient: text on it is assumed to be readable.
    Unknown,
}

impl DrawnPage {
    fn frame(&mut self, frame: &Frame, transform: Transform, clips: &mut Vec<Outline>) {
        for (position, item) in frame.items() {
            let here = transform.pre_concat(Transform::translate(position.x, position.y));
            self.count += 1;
            match item {
                FrameItem::Group(group) => {
                    let inside = here.pre_concat(group.transform);
                    if let Some(clip) = &group.clip {
                        clips.push(Outline::of_curve(clip, inside));
                    }
                    self.frame(&group.frame, inside, clips);
                    if group.clip.is_some() {
                        clips.pop();
                    }
                }
                FrameItem::Text(text) => self.add_text(text, here, clips),
                FrameItem::Shape(shape, _) => self.add_shape(shape, here),
                FrameItem::Image(_, size, _) => {
                    let outline = Outline::of_size(*size, here);
                    self.grounds.push(DrawnGround { order: self.count, outline, ground: Ground::Unknown });
                }
                FrameItem::Link(..) | FrameItem::Tag(_) => {}
            }
        }
    }

    fn add_text(&mut self, text: &TextItem, here: Transform, clips: &[Outline]) {
        let width = text.width();
        let height = text.size * 0.3;
        let places = [0.1, 0.5, 0.9].map(|part| Point::new(width * part, -height).transform(here));
        let scale = (here.sx.get() * here.sy.get() - here.kx.get() * here.ky.get()).abs().sqrt();
        self.texts.push(DrawnText {
            order: self.count,
            text: text.text.to_string(),
            size: text.size.to_pt() * scale,
            ink: Ink::of(&text.fill),
            places,
            clipped: clips.iter().any(|clip| !places.iter().all(|place| clip.contains(*place))),
        });
    }

    fn add_shape(&mut self, shape: &Shape, here: Transform) {
        let ground = match &shape.fill {
            None => return,
            Some(Paint::Solid(colour)) if colour.alpha().is_some_and(|alpha| alpha < 0.9) => return,
            Some(Paint::Solid(colour)) => Ground::Luminance(luminance(colour)),
            Some(Paint::Gradient(_) | Paint::Tiling(_)) => Ground::Unknown,
        };
        let outline = match &shape.geometry {
            Geometry::Line(_) => return,
            Geometry::Rect(size) => Outline::of_size(*size, here),
            Geometry::Curve(curve) => Outline::of_curve(curve, here),
        };
        self.grounds.push(DrawnGround { order: self.count, outline, ground });
    }

    fn text(&self, paper: Size, page: &Ground) -> String {
        let mut seen = String::new();
        for text in self.texts.iter().filter(|text| self.is_seen(text, paper, page)) {
            seen.push_str(&text.text);
        }
        seen
    }

    fn is_seen(&self, text: &DrawnText, paper: Size, page: &Ground) -> bool {
        let on_paper =
            |place: &Point| (Abs::zero()..=paper.x).contains(&place.x) && (Abs::zero()..=paper.y).contains(&place.y);
        text.size >= SMALLEST
            && !text.clipped
            && text.places.iter().all(on_paper)
            && text.places.iter().all(|&place| self.stands_out(text, place, page))
    }

    /// Whether the text differs from its background, and nothing covers it.
    fn stands_out(&self, text: &DrawnText, place: Point, page: &Ground) -> bool {
        let mut under = page;
        for ground in self.grounds.iter().filter(|ground| ground.outline.contains(place)) {
            if ground.order > text.order {
                return false;
            }
            under = &ground.ground;
        }
        match (&text.ink, under) {
            (Ink::Transparent, _) => false,
            (Ink::Unknown, _) | (_, Ground::Unknown) => true,
            (Ink::Luminance(ink), Ground::Luminance(ground)) => contrast(*ink, *ground) >= LEAST_CONTRAST,
        }
    }
}

impl Ink {
    fn of(paint: &Paint) -> Self {
        match paint {
            Paint::Solid(colour) if colour.alpha().is_some_and(|alpha| alpha < LEAST_ALPHA) => Self::Transparent,
            Paint::Solid(colour) => Self::Luminance(luminance(colour)),
            Paint::Gradient(_) | Paint::Tiling(_) => Self::Unknown,
        }
    }
}

/// The relative luminance of WCAG 2, 0 to 1.
fn luminance(colour: &Color) -> f32 {
    let rgb = colour.to_rgb();
    let linear = |part: f32| if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) };
    0.2126 * linear(rgb.red) + 0.7152 * linear(rgb.green) + 0.0722 * linear(rgb.blue)
}

/// The contrast ratio of WCAG 2, 1 to 21, of two luminances.
fn contrast(one: f32, other: f32) -> f32 {
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

/// A closed shape on the page.
struct Outline {
    /// The lines around it.
    lines: Vec<(Point, Point)>,
    /// The corners of a rectangle around it.
    low: Point,
    high: Point,
}

impl Outline {
    fn of_size(size: Size, transform: Transform) -> Self {
        let corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]
            .map(|(x, y)| Point::new(size.x * x, size.y * y).transform(transform));
        Self::around((0..4).map(|corner| (corners[corner], corners[(corner + 1) % 4])).collect())
    }

    fn of_curve(curve: &Curve, transform: Transform) -> Self {
        let mut lines = Vec::new();
        let (mut start, mut at) = (Point::zero(), Point::zero());
        for item in &curve.0 {
            match *item {
                CurveItem::Move(to) => {
                    lines.push((at, start));
                    (start, at) = (to, to);
                }
                CurveItem::Line(to) => {
                    lines.push((at, to));
                    at = to;
                }
                CurveItem::Cubic(first, second, to) => {
                    let start_point = at;
                    for step in 1..=CURVE_STEPS {
                        let t = f64::from(step) / f64::from(CURVE_STEPS);
                        let u = 1.0 - t;
                        let next = start_point * (u * u * u)
                            + first * (3.0 * u * u * t)
                            + second * (3.0 * u * t * t)
                            + to * (t * t * t);
                        lines.push((at, next));
                        at = next;
                    }
                }
                CurveItem::Close => {
                    lines.push((at, start));
                    at = start;
                }
            }
        }
        lines.push((at, start));
        Self::around(lines.into_iter().map(|(from, to)| (from.transform(transform), to.transform(transform))).collect())
    }

    /// The lines must be closed.
    fn around(lines: Vec<(Point, Point)>) -> Self {
        let first = lines.first().map_or_else(Point::zero, |(from, _)| *from);
        let (mut low, mut high) = (first, first);
        // Every line ends where another one starts.
        for (point, _) in &lines {
            low = Point::new(low.x.min(point.x), low.y.min(point.y));
            high = Point::new(high.x.max(point.x), high.y.max(point.y));
        }
        Self { lines, low, high }
    }

    /// Whether the point is inside (even-odd rule).
    fn contains(&self, point: Point) -> bool {
        // Most texts are far from most shapes.
        if point.x < self.low.x || point.x > self.high.x || point.y < self.low.y || point.y > self.high.y {
            return false;
        }
        let mut inside = false;
        for (from, to) in &self.lines {
            if (from.y > point.y) != (to.y > point.y) {
                let part = (point.y - from.y) / (to.y - from.y);
                if point.x < from.x + (to.x - from.x) * part {
                    inside = !inside;
                }
            }
        }
        inside
    }
}
