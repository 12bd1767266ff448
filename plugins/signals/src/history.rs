//! Whether a photo was compressed before, as one is that was opened, changed and saved again; and whether a part of it was
//! not, because it came from elsewhere or was drawn.

use sealwright_plugin_sdk::{
    facts::{Image, Rectangle},
    findings::{Finding, found},
};

use crate::image::Measures;

/// In thousandths: how much better an earlier compression explains the photo's values than none. Of photographs for tuning
/// that were compressed once it is at most 23.
const GAIN: i64 = 60;
/// From this on a part without it can be told: where the trace is weak, textures look like such parts.
const GAIN_OF_PART: i64 = 500;
/// In tenths: how strongly a part speaks against that earlier compression, and how many times as strongly as the next one.
/// Of a photo that was saved again as a whole the two are alike.
const STRENGTH: i64 = 150;
const TIMES: i64 = 4;
/// A part of which so many would fill the photo is not a part of it.
const FEWEST_OF_THE_WHOLE: u64 = 4;

pub(crate) fn doubts(image: &Image, measures: &Measures) -> Vec<(u8, Finding)> {
    let gain = measures.one("earlier-compression").unwrap_or(0);
    if gain < GAIN {
        return Vec::new();
    }
    let mut doubts = Vec::new();
    if gain >= GAIN_OF_PART
        && let Some(area) = part(image, measures)
    {
        let text = "A part of it has another history than the rest: it was not compressed when the rest was before.";
        doubts.push((45, found("OTHER_HISTORY", text).at(1, area)));
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

/// The part that lacks the earlier compression, where one stands far out.
fn part(image: &Image, measures: &Measures) -> Option<Rectangle> {
    let strength = |at: u32| measures.all("odd-part").find(|part| part.at == at).map_or(0, |part| part.value);
    if strength(0) < STRENGTH || strength(0) < strength(1).saturating_mul(TIMES) {
        return None;
    }
    let area = measures.all("odd-part").find(|part| part.at == 0)?.area?;
    let encoding = image.encoding();
    // Its sides are in hundredths of pixels.
    let pixels = u64::from(area.width / 100) * u64::from(area.height / 100);
    let is_part = pixels * FEWEST_OF_THE_WHOLE <= u64::from(encoding.width) * u64::from(encoding.height);
    is_part.then_some(area)
}
