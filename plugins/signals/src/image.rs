//! What photos look like: taken of a screen, saved by an editor, put together, or not as the camera wrote them.

use sealwright_plugin_sdk::{
    facts::{Image, Item, Measure},
    findings::{Finding, found},
    signal::of_item,
};

use crate::Doubts;

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
    if let Some(strength) = screen(&measures) {
        doubts.push((
            if strength > 1 { 50 } else { 35 },
            found("SCREEN", "A fine regular pattern runs through it, as through a picture of a screen or print."),
        ));
    }
    if measures.one("thumbnail-distance").is_some_and(|distance| distance >= 14) {
        doubts.push((50, found("STALE_THUMBNAIL", "The small picture in its metadata shows something else.")));
    }
    doubts.extend(uneven(&measures));
    if shifted_grid(&measures) {
        doubts.push((30, found("SHIFTED_GRID", "It was cut out of a picture that had been compressed before.")));
    }
    doubts
}

pub(crate) struct Measures(pub(crate) Vec<Measure>);

impl Measures {
    fn one(&self, name: &str) -> Option<i64> {
        self.0.iter().find(|measure| measure.name == name).map(|measure| measure.value)
    }

    fn all<'m>(&'m self, name: &'m str) -> impl Iterator<Item = &'m Measure> {
        self.0.iter().filter(move |measure| measure.name == name)
    }
}

/// How many peaks of the spectrum stand out as those of a grid of pixels or dots do.
fn screen(measures: &Measures) -> Option<usize> {
    let strong = measures.all("spectrum-peak").filter(|peak| peak.value >= PEAK).count();
    (strong > 0).then_some(strong)
}

/// In tenths: how many times stronger than other frequencies.
const PEAK: i64 = 120;

/// Regions that lose much more or much less in another compression than the rest.
fn uneven(measures: &Measures) -> Option<(u8, Finding)> {
    let median = measures.one("error-level-median")?;
    let regions: Vec<&Measure> = measures.all("error-level").collect();
    let out = regions.iter().filter(|region| region.value > median * 4 && region.value > 300).count();
    (out > 0 && out * 5 < regions.len())
        .then(|| (40, found("UNEVEN", "A part of it was compressed otherwise than the rest.")))
}

/// A second peak of the block grid beside the file's own.
fn shifted_grid(measures: &Measures) -> bool {
    ["grid-horizontal", "grid-vertical"].iter().all(|name| {
        let others: Vec<i64> =
            measures.all(name).filter(|measure| measure.at > 0).map(|measure| measure.value).collect();
        let most = others.iter().copied().max().unwrap_or(0);
        let rest = others.iter().sum::<i64>().saturating_sub(most) / 6;
        !others.is_empty() && most > rest * 11 / 10 && most > rest + 60
    })
}
