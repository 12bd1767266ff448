//! Letters as shapes: a short text in the outlines of an embedded font, to be painted on any surface.

use skrifa::{
    FontRef, MetadataProvider as _,
    instance::{LocationRef, Size},
    outline::{DrawSettings, OutlinePen, pen::PathStyle},
};
use typst::text::Font;
use typst_kit::fonts;

/// A text one unit high (its capitals), centred on x = 0, with y from 0 (below the letters) to 1 (above them).
#[derive(Debug)]
pub(crate) struct Lettering {
    contours: Vec<Vec<(f32, f32)>>,
}

impl Lettering {
    pub(crate) fn new(text: &str) -> Self {
        let font = bold_font();
        let face = FontRef::from_index(font.data(), font.index()).expect("the font was parsed when it was found");
        let (size, location) = (Size::unscaled(), LocationRef::default());
        let capital = face.metrics(size, location).cap_height.unwrap_or(1456.0);
        let (letters, outlines, widths) = (face.charmap(), face.outline_glyphs(), face.glyph_metrics(size, location));
        let mut outline = Outline { contours: Vec::new(), pen: (0.0, 0.0), advance: 0.0 };
        for glyph in text.chars().filter_map(|letter| letters.map(letter)) {
            if let Some(shape) = outlines.get(glyph) {
                let _ = shape.draw(in_font_units(), &mut outline);
            }
            outline.advance += widths.advance_width(glyph).unwrap_or_default();
        }
        let half = outline.advance / 2.0;
        // Letters take 60 % of the height, so that a frame has room around them.
        let place = |(x, y): (f32, f32)| ((x - half) / capital * 0.6, y / capital * 0.6 + 0.2);
        Self {
            contours: outline.contours.into_iter().map(|contour| contour.into_iter().map(place).collect()).collect(),
        }
    }

    /// Whether a letter covers the point (the nonzero winding rule).
    pub(crate) fn covers(&self, x: f32, y: f32) -> bool {
        let mut winding = 0;
        for contour in &self.contours {
            for (&(from_x, from_y), &(to_x, to_y)) in contour.iter().zip(contour.iter().cycle().skip(1)) {
                let crossing = from_x + (y - from_y) / (to_y - from_y) * (to_x - from_x);
                if from_y <= y && y < to_y && crossing > x {
                    winding += 1;
                } else if to_y <= y && y < from_y && crossing > x {
                    winding -= 1;
                }
            }
        }
        winding != 0
    }
}

/// Outlines in font units, whose contours start at the first point of the font's data.
pub(crate) fn in_font_units() -> DrawSettings<'static> {
    DrawSettings::unhinted(Size::unscaled(), LocationRef::default()).with_path_style(PathStyle::HarfBuzz)
}

/// The first embedded bold sans face, else the first face.
fn bold_font() -> Font {
    let mut faces = fonts::embedded().map(|(font, _)| font);
    let is_sans_bold = |font: &Font| {
        let info = font.info();
        info.family.contains("Sans") && info.variant.weight.to_number() >= 700
    };
    let first = faces.next();
    faces.find(is_sans_bold).or(first).expect("the embedded fonts are compiled in, and there are several")
}

/// Collects a glyph's outline as polygons, in font units, shifted by the letters before it.
struct Outline {
    contours: Vec<Vec<(f32, f32)>>,
    pen: (f32, f32),
    advance: f32,
}

impl Outline {
    fn push(&mut self, x: f32, y: f32) {
        self.pen = (x, y);
        let shifted = (x + self.advance, y);
        if let Some(contour) = self.contours.last_mut() {
            contour.push(shifted);
        }
    }
}

impl OutlinePen for Outline {
    fn move_to(&mut self, x: f32, y: f32) {
        self.contours.push(Vec::new());
        self.push(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.push(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let (x0, y0) = self.pen;
        // A cubic with the same shape (the control points two thirds of the way to the quadratic's).
        let third = 2.0 / 3.0;
        self.curve_to(x0 + (x1 - x0) * third, y0 + (y1 - y0) * third, x + (x1 - x) * third, y + (y1 - y) * third, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let (x0, y0) = self.pen;
        for step in 1..=8_u8 {
            let t = f32::from(step) / 8.0;
            let u = 1.0 - t;
            let bend = |p0: f32, p1: f32, p2: f32, p3: f32| {
                u * u * u * p0 + 3.0 * u * u * t * p1 + 3.0 * u * t * t * p2 + t * t * t * p3
            };
            self.push(bend(x0, x1, x2, x), bend(y0, y1, y2, y));
        }
    }

    fn close(&mut self) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hole_of_an_o_is_not_covered_but_its_ring_is() {
        let letter = Lettering::new("O");
        assert!(!letter.covers(0.0, 0.5), "the middle is open");
        let across = (0..400)
            .map(|step| f32::from(i16::try_from(step).unwrap()) / 400.0)
            .filter(|&x| letter.covers(x, 0.5))
            .count();
        assert!(across > 10, "the ring is {across} of 400 steps wide");
        assert!(!letter.covers(0.0, 1.5));
    }
}
