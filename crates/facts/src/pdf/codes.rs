//! Which pages with text of their own may show a machine-readable code. Drawing a page takes longer than reading it, so
//! only these are drawn and searched.

use hayro::hayro_syntax::object::{Name, ObjectIdentifier, Stream};

use super::{
    PdfData,
    code_shape::{LEAST_PARTS, may_be_side},
    images,
};
use crate::{
    Limits,
    image::{self, plane::to_f64},
    model::{Area, Page, PlacedImage, Shape},
};

/// The most pages that are drawn for codes.
const MOST_PAGES: usize = 3;
/// A module on paper is at most this large, in hundredths of a point.
const MOST_MODULE: i32 = 1_000;
/// The most bytes of a picture's samples that are looked at.
const MOST_SAMPLES: usize = 4 << 20;
/// The least part of a picture's samples that are nearly black or nearly white, and the share of black among them, in
/// percent.
const LEAST_PURE: usize = 90;
const BLACK: std::ops::RangeInclusive<usize> = 15..=85;

impl PdfData {
    /// The indices of pages that were not given to text recognition, and may show a code: at most three.
    pub(crate) fn pages_with_codes(&self, pages: &[Page], limits: &Limits) -> Vec<usize> {
        let candidates = pages.iter().enumerate().filter(|(index, page)| {
            !self.to_recognise.contains(index)
                && Self::may_be_drawn(page, limits)
                && (self.patterns.contains(index)
                    || has_modules(&page.shapes)
                    || page.images.iter().any(|image| self.may_be_code(image)))
        });
        candidates.map(|(index, _)| index).take(MOST_PAGES).collect()
    }

    fn may_be_code(&self, placed: &PlacedImage) -> bool {
        let Area { left, top, right, bottom } = placed.area;
        let side = |from: i32, to: i32| f64::from(to.saturating_sub(from)) / 100.0;
        may_be_side(side(left, right), side(top, bottom)) && (placed.stencil || self.is_black_and_white(placed))
    }

    /// Whether the samples of a picture are black and white. One that cannot be read is taken for a code.
    fn is_black_and_white(&self, placed: &PlacedImage) -> bool {
        let id = i32::try_from(placed.object).ok().filter(|number| *number > 0);
        let Some(id) = id.map(|number| ObjectIdentifier::new(number, 0)) else { return true };
        let Some(stream) = self.pdf.xref().get::<Stream>(id) else { return true };
        if let Some(file) = images::jpeg_file(&stream) {
            return image::plane_of_jpeg(&file).is_none_or(|plane| is_pure(&plane.values));
        }
        // An indexed picture has numbers of colours in place of brightness.
        let is_direct = stream.dict().get::<Name>("ColorSpace").is_some();
        let bits = stream.dict().get::<i32>("BitsPerComponent").unwrap_or(1);
        match (stream.decoded(), is_direct, bits) {
            (Ok(samples), true, 8) => is_pure(&samples[..samples.len().min(MOST_SAMPLES)]),
            (Ok(samples), true, 1) => {
                let samples = &samples[..samples.len().min(MOST_SAMPLES)];
                let ones: usize = samples.iter().map(|byte| byte.count_ones() as usize).sum();
                !samples.is_empty() && BLACK.contains(&(ones * 100 / (samples.len() * 8)))
            }
            _ => true,
        }
    }
}

fn is_pure(samples: &[u8]) -> bool {
    let black = samples.iter().filter(|sample| **sample < 48).count();
    let white = samples.iter().filter(|sample| **sample > 207).count();
    let pure = black + white;
    pure > 0 && pure * 100 >= samples.len() * LEAST_PURE && BLACK.contains(&(black * 100 / pure))
}

/// Whether many small dark shapes fill a square.
fn has_modules(shapes: &[Shape]) -> bool {
    let is_dark = |colour: u32| colour.to_be_bytes()[1..].iter().all(|part| *part < 96);
    let is_small = |area: Area| area.right - area.left <= MOST_MODULE || area.bottom - area.top <= MOST_MODULE;
    // They are painted one after the other.
    shapes.chunk_by(|one, next| is_dark(one.colour) == is_dark(next.colour)).any(|group| {
        let small = group.iter().filter(|shape| is_dark(shape.colour) && is_small(shape.area));
        let (mut count, mut whole, mut filled) = (0, Area::default(), 0_u64);
        for shape in small {
            whole = if count == 0 { shape.area } else { whole.union(shape.area) };
            filled += shape.area.size();
            count += 1;
        }
        let share = 100.0 * to_f64(filled) / to_f64(whole.size().max(1));
        count >= LEAST_PARTS
            && may_be_side(f64::from(whole.right - whole.left) / 100.0, f64::from(whole.bottom - whole.top) / 100.0)
            && share >= 15.0
    })
}
