//! QR codes (ISO/IEC 18004) and Data Matrix codes (ISO/IEC 16022) in pictures and scanned pages.

mod content;
mod matrix;
mod texture;

use serde::{Deserialize, Serialize};

use self::content::CodeContent;
use crate::{
    image::plane::{Plane, to_f64},
    model::Area,
    signed_code::{self, SignedCode},
    text,
};

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
    /// `qr` or `data-matrix`.
    pub kind: String,
    /// At most 2,000 characters.
    pub text: String,
}

/// What was found on a page.
#[derive(Default)]
pub(crate) struct Codes {
    pub(crate) barcodes: Vec<Barcode>,
    /// Those of them that an issuer signed.
    pub(crate) signed: Vec<SignedCode>,
}

/// Looks for codes. `scale` is in dots of the picture per point of the page.
pub(crate) fn find(plane: &Plane, page: u32, scale: f64) -> Codes {
    let mut codes = Codes::default();
    let found = matrix::find(plane).into_iter().map(|code| ("data-matrix", code));
    for (kind, code) in found.chain(quick_response(plane).into_iter().map(|code| ("qr", code))).take(MAX_CODES) {
        let place = |dots: usize| to_f64(dots as u64) / scale;
        let area = Area::from_points(place(code.left), place(code.top), place(code.right), place(code.bottom));
        codes.signed.extend(signed_code::read(&code.text, page, area));
        codes.barcodes.push(Barcode {
            page,
            area,
            kind: kind.to_owned(),
            text: text::one_line(&code.text, 2_000).unwrap_or_default(),
        });
    }
    codes
}

/// QR codes.
fn quick_response(plane: &Plane) -> Vec<CodeContent> {
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
        let Ok((_, text)) = grid.decode() else { continue };
        let place = |value: Option<i32>| usize::try_from(value.unwrap_or(0)).unwrap_or(0) * step;
        let (xs, ys) = (grid.bounds.map(|point| point.x), grid.bounds.map(|point| point.y));
        found.push(CodeContent {
            text,
            left: place(xs.into_iter().min()),
            top: place(ys.into_iter().min()),
            right: place(xs.into_iter().max()),
            bottom: place(ys.into_iter().max()),
        });
    }
    found
}
