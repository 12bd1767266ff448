//! Whether a part of a photo comes from elsewhere: from another file, whose compression left another grid of blocks, or
//! from another place in the photo.

use sealwright_plugin_sdk::{
    facts::{Image, Measure, Rectangle},
    findings::{Finding, found},
};

use crate::measures::Measures;

/// In tenths of a decimal logarithm: fewer than one in a million photos has such a part by chance, if its blocks are
/// independent of each other. They are not quite: none of the untouched photos for tuning comes near.
const GRID: i64 = 200;
const COPY: i64 = 150;
/// A part that is larger than this fraction of the photo is not a part of it: the rest may be.
const FEWEST_OF_THE_WHOLE: u64 = 2;

pub(crate) fn doubts(image: &Image, measures: &Measures) -> Vec<(u8, Finding)> {
    let encoding = image.encoding();
    let whole = u64::from(encoding.width) * u64::from(encoding.height);
    let is_part = |area: &Rectangle| {
        // Its sides are in hundredths of pixels.
        u64::from(area.width / 100) * u64::from(area.height / 100) * FEWEST_OF_THE_WHOLE <= whole
    };
    let strongest = |name: &str, least: i64| -> Option<Rectangle> {
        let sure = measures.all(name).filter(|part| part.value >= least);
        sure.filter_map(|part: &Measure| part.area).find(is_part)
    };
    let mut doubts = Vec::new();
    if let Some(area) = strongest("odd-grid-part", GRID) {
        let text =
            "A part of the photo was compressed on another grid of blocks than the rest: it was moved or inserted.";
        doubts.push((50, found("OTHER_GRID", text).at(1, area)));
    }
    if let Some(area) = strongest("copied-part", COPY) {
        let text = "A part of the photo is a copy of another part, with the same noise.";
        doubts.push((55, found("COPIED_PART", text).at(1, area)));
    }
    doubts
}
