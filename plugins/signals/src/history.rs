//! Whether a photo was compressed before, like one that was opened, changed and saved again; and whether a part of it
//! was not, because it came from elsewhere or was drawn.

use sealwright_plugin_sdk::{
    facts::{Image, Property, PropertySource, Rectangle},
    findings::{Finding, found},
};

use crate::measures::Measures;

/// In thousandths: how much better an earlier compression explains the photo's values than none. For tuning photographs
/// that were compressed once on their grid it is at most 5 with a camera's metadata, 21 without; for most that were
/// saved again it is above 100.
const GAIN: i64 = 10;
/// In ten-thousandths: the same for one table of annex K for all frequencies at once. For photographs that were
/// compressed once it is 0.
const GAIN_BY_TABLE: i64 = 30;
/// From this gain on it is also reported for a photo without camera metadata.
const GAIN_ALONE: i64 = 30;
/// A thumbnail of the same picture differs in fewer bits.
const ALIKE: i64 = 10;
/// In tenths: how strongly a part speaks against that earlier compression, and how many times as strongly as the next one.
/// Of 480 tuning photographs that were saved again as a whole, the strongest with such a lead has 630: a sky is so
/// smooth that its few values follow a different law. Most inserted parts have thousands.
const STRENGTH: i64 = 800;
const TIMES: i64 = 5;
/// Those photographs have a million pixels. More blocks also mean more by chance; those beyond four million pixels are
/// ignored.
const MILLION: u64 = 1_000_000;
const MILLIONS: u64 = 4;
/// A part that is larger than this fraction of the photo does not count.
const FEWEST_OF_THE_WHOLE: u64 = 4;

pub(crate) fn doubts(image: &Image, measures: &Measures) -> Vec<(u8, Finding)> {
    let gain = measures.one("earlier-compression").unwrap_or(0);
    let by_table = measures.one("earlier-table").unwrap_or(0) >= GAIN_BY_TABLE;
    if gain < GAIN && !by_table {
        return Vec::new();
    }
    let mut doubts = Vec::new();
    if let Some(area) = part(image, measures) {
        let text = "A part of the photo has a different history: it lacks the earlier compression of the rest.";
        doubts.push((45, found("OTHER_HISTORY", text).at(1, area)));
    }
    // A messenger also compresses again, but it removes the camera's metadata.
    if image.capture().is_some_and(|capture| capture.make.is_some() || capture.model.is_some()) {
        doubts.push(if is_turned(image, measures) {
            (10, found("TURNED", "The photo was turned upright and saved again, as programs that show photos do."))
        } else {
            let text = "The photo was opened and saved again, although its metadata is that of the camera.";
            (40, found("RESAVED", text))
        });
    } else if (gain >= GAIN_ALONE || by_table) && has_full_colours(image, measures) {
        let text = "The photo was saved again at full colour resolution, as editors do and messengers do not.";
        doubts.push((35, found("RESAVED_BARE", text)));
    } else {
        doubts.push((10, found("COMPRESSED_AGAIN", "The photo was compressed twice, as messengers do.")));
    }
    doubts
}

/// Whether a program turned the photo upright. Sensors are wider than high, and cameras that are held upright say so in
/// the metadata instead of turning the picture; a program that turns it removes that, and often forgets the thumbnail.
fn is_turned(image: &Image, measures: &Measures) -> bool {
    let encoding = image.encoding();
    let is_named = |property: &Property| property.source == PropertySource::Exif && property.name == "Orientation";
    let orientation = image.all_properties().into_iter().find(is_named).map(|property| property.value);
    let is_upright = orientation.is_none_or(|orientation| orientation == "1" || orientation == "0");
    let is_thumbnail_turned = measures.one("thumbnail-turn").is_some_and(|quarters| quarters != 0)
        && measures.one("thumbnail-distance").is_some_and(|distance| distance < ALIKE);
    is_upright && (encoding.height > encoding.width || is_thumbnail_turned)
}

/// Whether each pixel has its own colour. A program that compresses a photo to pass it on wants it small, so two or
/// four pixels share a colour; editors that save at high quality do not do this.
fn has_full_colours(image: &Image, measures: &Measures) -> bool {
    let is_one = |name: &str| measures.one(name) == Some(1);
    image.encoding().channels == 3 && is_one("jpeg-sampling-horizontal") && is_one("jpeg-sampling-vertical")
}

/// The part that lacks the earlier compression, if one is prominent enough.
fn part(image: &Image, measures: &Measures) -> Option<Rectangle> {
    let strength = |at: u32| measures.all("combless-part").find(|part| part.at == at).map_or(0, |part| part.value);
    let encoding = image.encoding();
    let whole = u64::from(encoding.width) * u64::from(encoding.height);
    let least = STRENGTH * i64::try_from((whole / MILLION).clamp(1, MILLIONS)).unwrap_or(1);
    if strength(0) < least || strength(0) < strength(1).saturating_mul(TIMES) {
        return None;
    }
    let area = measures.all("combless-part").find(|part| part.at == 0)?.area?;
    // Its sides are in hundredths of pixels.
    let pixels = u64::from(area.width / 100) * u64::from(area.height / 100);
    (pixels * FEWEST_OF_THE_WHOLE <= whole).then_some(area)
}
