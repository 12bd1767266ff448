//! Checks of photos: made by a model, taken of a screen, saved by an editor, composed of parts, or not as the camera
//! wrote them.

use sealwright_plugin_sdk::{
    facts::{Image, Item},
    findings::{Finding, found},
    reading::origin::is_camera_original,
    signal::of_item,
};

use crate::{doubt::Doubts, history, measures::Measures, metadata, parts, provenance};

pub(crate) fn judge(items: &[Item]) -> Option<Doubts> {
    let photos: Vec<(u64, Image)> = items.iter().filter_map(|item| Some((item.id(), item.image()?))).collect();
    if photos.is_empty() {
        return None;
    }
    let doubts = photos
        .iter()
        .flat_map(|(item, image)| doubts(image).into_iter().map(|(cost, finding)| (cost, of_item(*item, finding))));
    Some(doubts.collect())
}

/// The doubts about one photo, each with its cost out of 100.
pub fn doubts(image: &Image) -> Vec<(u8, Finding)> {
    let measures = Measures(image.all_measures());
    let origin = image.provenance();
    if origin.as_ref().is_some_and(is_camera_original) {
        // Nothing was changed since a trusted camera signed it. But a camera can be pointed at a screen.
        return recapture(&measures).into_iter().collect();
    }
    let mut doubts = origin.as_ref().map(provenance::doubts).unwrap_or_default();
    for trace in image.editor_traces() {
        let text = format!("The photo was saved by {} (its {} says so).", trace.program, trace.origin);
        doubts.push((55, found("EDITOR", text)));
    }
    doubts.extend(recapture(&measures));
    if measures.one("thumbnail-distance").is_some_and(|distance| distance >= 14) {
        doubts.push((50, found("STALE_THUMBNAIL", "The thumbnail in the metadata shows something else.")));
    }
    doubts.extend(metadata::doubts(image));
    doubts.extend(history::doubts(image, &measures));
    doubts.extend(parts::doubts(image, &measures));
    doubts
}

/// In tenths: how far a regular pattern exceeds the rest of a window's spectrum.
const PATTERN: i64 = 48;
/// The minimum number of windows for a statement about the whole picture, and how many of them may lack the pattern: a
/// curtain can fill a room's picture except the part above it.
const WINDOWS: usize = 7;
const WITHOUT: usize = 1;
/// In hundredths of a step: a picture of cloth or a wall, which shows only a pattern, has less contrast.
const CONTENT: i64 = 2_800;

/// The dots of a screen or a print cover the whole picture, whatever it shows. A pattern without other content belongs
/// to the motif: cloth, bricks, blinds.
fn recapture(measures: &Measures) -> Option<(u8, Finding)> {
    let mut windows: Vec<i64> = measures.all("pattern").map(|pattern| pattern.value).collect();
    windows.sort_unstable();
    if windows.len() < WINDOWS || windows[WITHOUT] < PATTERN {
        return None;
    }
    if measures.one("contrast").unwrap_or(0) < CONTENT {
        let text =
            "A fine regular pattern fills the photo. It may be cloth, a wall, or a screen that shows almost nothing.";
        return Some((20, found("PATTERN", text)));
    }
    let text = "A fine regular pattern runs through the photo, as through a picture of a screen or print.";
    Some((50, found("SCREEN", text)))
}
