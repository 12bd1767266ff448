//! Data Matrix codes (ISO/IEC 16022).

use super::{
    content::CodeContent,
    texture::{self, Candidate},
};
use crate::image::plane::Plane;

/// A larger candidate is halved until it fits. A symbol has at most 144 modules on a side.
const MOST_SIDE: usize = 1_000;

/// The codes in a picture, one for each candidate.
pub(super) fn find(plane: &Plane) -> Vec<CodeContent> {
    let mut codes: Vec<(Candidate, CodeContent)> = Vec::new();
    for candidate in texture::candidates(plane) {
        if !codes.iter().any(|(other, _)| other.meets(candidate)) {
            codes.extend(read(plane, candidate).map(|code| (candidate, code)));
        }
    }
    codes.into_iter().map(|(_, code)| code).collect()
}

/// Reads a candidate, at the full size and at half of it: noise that splits modules disappears in the smaller one.
fn read(plane: &Plane, candidate: Candidate) -> Option<CodeContent> {
    let part = part(plane, candidate);
    let mut step = part.width.max(part.height).div_ceil(MOST_SIDE).max(1);
    let smallest = step * 2;
    while step <= smallest {
        let sized = if step == 1 { part.clone() } else { part.reduced(step) };
        if let Some(text) = decode(&sized) {
            return Some(CodeContent {
                text,
                left: candidate.left,
                top: candidate.top,
                right: candidate.right,
                bottom: candidate.bottom,
            });
        }
        step *= 2;
    }
    None
}

fn part(plane: &Plane, candidate: Candidate) -> Plane {
    let Candidate { left, top, right, bottom } = candidate;
    let values = (top..bottom).flat_map(|y| &plane.row(y)[left..right]).copied().collect();
    Plane { width: right - left, height: bottom - top, values }
}

/// The text of the code in a picture. The library computes with what it reads in the picture, so a panic means that there
/// is no code.
#[cfg(not(target_family = "wasm"))]
fn decode(part: &Plane) -> Option<String> {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use rxing::{
        BinaryBitmap, DecodeHints, Luma8LuminanceSource, Reader as _,
        common::{GlobalHistogramBinarizer, HybridBinarizer},
        datamatrix::DataMatrixReader,
    };

    let (width, height) = (u32::try_from(part.width).ok()?, u32::try_from(part.height).ok()?);
    let hints = DecodeHints { TryHarder: Some(true), ..DecodeHints::default() };
    let source = || Luma8LuminanceSource::new(part.values.clone(), width, height).ok();
    let local = || {
        let mut picture = BinaryBitmap::new(HybridBinarizer::new(source()?));
        DataMatrixReader.decode_with_hints(&mut picture, &hints).ok()
    };
    let global = || {
        let mut picture = BinaryBitmap::new(GlobalHistogramBinarizer::new(source()?));
        DataMatrixReader.decode_with_hints(&mut picture, &hints).ok()
    };
    let decoded = catch_unwind(AssertUnwindSafe(|| local().or_else(global))).ok()??;
    Some(decoded.getText().to_owned())
}

/// WebAssembly reads no codes.
#[cfg(target_family = "wasm")]
fn decode(_part: &Plane) -> Option<String> {
    None
}
