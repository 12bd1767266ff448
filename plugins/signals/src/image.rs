//! What photos look like: taken of a screen, saved by an editor, put together, or not as the camera wrote them.

use sealwright_plugin_sdk::{
    facts::{Image, Item, Measure},
    findings::{Finding, found},
    signal::of_item,
};

use crate::{Doubts, history, metadata};

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

/// What speaks against one photo, each with what it costs of 100.
pub fn doubts(image: &Image) -> Vec<(u8, Finding)> {
    let measures = Measures(image.all_measures());
    let mut doubts = Vec::new();
    for trace in image.editor_traces() {
        let text = format!("It was saved by {} (its {} says so).", trace.program, trace.origin);
        doubts.push((55, found("EDITOR", text)));
    }
    doubts.extend(recapture(&measures));
    if measures.one("thumbnail-distance").is_some_and(|distance| distance >= 14) {
        doubts.push((50, found("STALE_THUMBNAIL", "The small picture in its metadata shows something else.")));
    }
    doubts.extend(metadata::doubts(image));
    doubts.extend(history::doubts(image, &measures));
    doubts
}

pub(crate) struct Measures(pub(crate) Vec<Measure>);

impl Measures {
    pub(crate) fn one(&self, name: &str) -> Option<i64> {
        self.0.iter().find(|measure| measure.name == name).map(|measure| measure.value)
    }

    pub(crate) fn all<'m>(&'m self, name: &'m str) -> impl Iterator<Item = &'m Measure> {
        self.0.iter().filter(move |measure| measure.name == name)
    }
}

/// In tenths: how far a regular pattern stands out of the rest of a window's spectrum.
const PATTERN: i64 = 48;
/// The fewest windows that tell something of the whole picture, and how many of them may lack the pattern: a curtain can fill
/// all of a room's picture but what stands above it.
const WINDOWS: usize = 7;
const WITHOUT: usize = 1;
/// In hundredths of a step: less contrast has a picture of cloth or of a wall, which shows a pattern and nothing else.
const CONTENT: i64 = 2_800;

/// The dots of a screen or of a print run through all of a picture, whatever it shows. A pattern that is all it shows is
/// its motif's: cloth, bricks, blinds.
fn recapture(measures: &Measures) -> Option<(u8, Finding)> {
    let mut windows: Vec<i64> = measures.all("pattern").map(|pattern| pattern.value).collect();
    windows.sort_unstable();
    if windows.len() < WINDOWS || windows[WITHOUT] < PATTERN {
        return None;
    }
    if measures.one("contrast").unwrap_or(0) < CONTENT {
        let text = "A fine regular pattern fills it: cloth, a wall, or a screen that shows little.";
        return Some((20, found("PATTERN", text)));
    }
    Some((50, found("SCREEN", "A fine regular pattern runs through it, as through a picture of a screen or print.")))
}
