//! Whether a photo was compressed before, as one is that was opened, changed and saved again; and whether a part of it was
//! not, because it came from elsewhere or was drawn.

use sealwright_plugin_sdk::{
    facts::{Image, Measure, Rectangle},
    findings::{Finding, found},
};

use crate::image::Measures;

/// In thousandths, summed over the frequencies: how much better an earlier compression explains their values. Of photographs
/// for tuning that were compressed once the sum is at most 3.
const GAIN: i64 = 12;
/// In thousandths: a region that lacks the earlier compression is below this.
const LACKING: i64 = -12;
/// The fewest regions that are a part, of a hundred at most so many, and at most so many that lack it elsewhere.
const PART: usize = 4;
const MOST: usize = 45;
const ELSEWHERE: usize = 6;

pub(crate) fn doubts(image: &Image, measures: &Measures) -> Vec<(u8, Finding)> {
    let gain: i64 = measures.all("earlier-compression").map(|earlier| earlier.value).sum();
    if gain < GAIN {
        return Vec::new();
    }
    let mut doubts = Vec::new();
    if let Some(area) = part(measures) {
        let text = "A part of it has another history than the rest: it was not compressed when the rest was before.";
        doubts.push((45, Finding { place: None, ..found("OTHER_HISTORY", text) }.at(1, area)));
    }
    // A messenger compresses again, too, but it takes the camera's word away.
    if image.capture().is_some_and(|capture| capture.make.is_some() || capture.model.is_some()) {
        let text = "It was opened and saved again, though its metadata is that of the camera.";
        doubts.push((40, found("RESAVED", text)));
    } else {
        doubts.push((10, found("COMPRESSED_AGAIN", "It was compressed twice, as by a messenger.")));
    }
    doubts
}

/// The one connected part of the picture that lacks the earlier compression.
fn part(measures: &Measures) -> Option<Rectangle> {
    let columns = u32::try_from(measures.one("earlier-region-columns")?).ok()?.max(1);
    let regions: Vec<&Measure> = measures.all("earlier-region").collect();
    let mut lacking: Vec<&Measure> = regions.iter().copied().filter(|region| region.value < LACKING).collect();
    let all_lacking = lacking.len();
    let mut largest: Vec<&Measure> = Vec::new();
    while let Some(first) = lacking.pop() {
        let mut part = vec![first];
        let mut next = 0;
        while next < part.len() {
            let at = part[next].at;
            next += 1;
            let is_beside = |other: &&Measure| {
                let across = (other.at % columns).abs_diff(at % columns);
                let down = (other.at / columns).abs_diff(at / columns);
                across + down == 1
            };
            let (beside, rest) = lacking.into_iter().partition(is_beside);
            part.extend::<Vec<&Measure>>(beside);
            lacking = rest;
        }
        if part.len() > largest.len() {
            largest = part;
        }
    }
    let is_part = largest.len() >= PART
        && largest.len() * 100 <= regions.len() * MOST
        && (all_lacking - largest.len()) * 100 <= regions.len() * ELSEWHERE;
    let areas = || largest.iter().filter_map(|region| region.area);
    let (left, top) = (areas().map(|area| area.left).min()?, areas().map(|area| area.top).min()?);
    let (right, bottom) = (areas().map(|area| area.right()).max()?, areas().map(|area| area.bottom()).max()?);
    is_part.then_some(Rectangle { left, top, width: right.abs_diff(left), height: bottom.abs_diff(top) })
}
