//! QR codes (ISO/IEC 18004) in pictures and scanned pages.

use serde::{Deserialize, Serialize};

use crate::{image::plane::Plane, model::Area, text};

const MAX_CODES: usize = 16;
/// A larger picture is halved until it fits.
const MAX_SIDE: usize = 2_000;

/// One code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Barcode {
    /// From 1.
    pub page: u32,
    pub area: Area,
    /// `qr`.
    pub kind: String,
    /// At most 2,000 characters.
    pub text: String,
}

/// Looks for codes. `scale` is in dots of the picture per point of the page.
pub(crate) fn find(plane: &Plane, page: u32, scale: f64) -> Vec<Barcode> {
    let step = plane.width.max(plane.height).div_ceil(MAX_SIDE).max(1);
    let (width, height) = (plane.width / step, plane.height / step);
    if width < 21 || height < 21 {
        return Vec::new();
    }
    let pixel = |x: usize, y: usize| {
        let rows = (0..step).map(|row| &plane.row(y * step + row)[x * step..(x + 1) * step]);
        let sum: usize = rows.flatten().map(|&value| usize::from(value)).sum();
        u8::try_from(sum / (step * step)).unwrap_or(255)
    };
    let mut prepared = rqrr::PreparedImage::prepare_from_greyscale(width, height, pixel);
    let mut found = Vec::new();
    for grid in prepared.detect_grids().into_iter().take(MAX_CODES) {
        let Ok((_, content)) = grid.decode() else { continue };
        let place = |value: i32| f64::from(value) * crate::image::plane::to_f64(step as u64) / scale;
        let (xs, ys) = (grid.bounds.map(|point| point.x), grid.bounds.map(|point| point.y));
        let least = |values: [i32; 4]| values.into_iter().min().map_or(0.0, place);
        let most = |values: [i32; 4]| values.into_iter().max().map_or(0.0, place);
        found.push(Barcode {
            page,
            area: Area::from_points(least(xs), least(ys), most(xs), most(ys)),
            kind: "qr".to_owned(),
            text: text::one_line(&content, 2_000).unwrap_or_default(),
        });
    }
    found
}
