//! Whether a photo's metadata is consistent. A forger who changes a date with a tool usually leaves the other dates
//! unchanged.

use sealwright_plugin_sdk::{
    facts::{Image, Property, PropertySource},
    findings::{Finding, found},
};

const SECOND: u64 = 1_000;
const HOUR: u64 = 3_600 * SECOND;
/// A camera writes these two together.
const TOGETHER: u64 = 5 * SECOND;
/// A clock set by hand can be a day wrong, and gives no offset from UTC.
const BY_HAND: u64 = 40 * HOUR;
/// A telephone's clock is right; the last GPS time can be some hours old.
const WITH_OFFSET: u64 = 12 * HOUR;

pub(crate) fn doubts(image: &Image) -> Vec<(u8, Finding)> {
    let properties = image.all_properties();
    let time = |name: &str| {
        let is_named = |property: &&Property| property.source == PropertySource::Exif && property.name == name;
        properties.iter().find(is_named).and_then(|property| property.time)
    };
    let Some(captured) = time("DateTimeOriginal") else { return Vec::new() };
    let has_offset = image.capture().is_some_and(|capture| capture.time_has_offset);
    let mut doubts = Vec::new();
    if time("DateTimeDigitized").is_some_and(|digitised| digitised.abs_diff(captured) > TOGETHER) {
        let text = "The metadata has two different times of capture; a camera writes the same time twice.";
        doubts.push((40, found("TIMES_DIFFER", text)));
    }
    let slack = if has_offset { WITH_OFFSET } else { BY_HAND };
    if time("GPSTimeStamp").is_some_and(|satellites| satellites.abs_diff(captured) > slack) {
        let text = "The time of capture in the metadata is far from the GPS time.";
        doubts.push((40, found("SATELLITE_TIME", text)));
    }
    if time("DateTime").is_some_and(|written| written < captured && written.abs_diff(captured) > BY_HAND) {
        doubts.push((35, found("WRITTEN_BEFORE", "The metadata says that the photo was written before it was taken.")));
    }
    doubts
}
