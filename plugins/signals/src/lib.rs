//! Judges a case by seven signals (spec 2.6): where its items were made (`gps`), how the person moved (`motion`), the
//! devices (`device`), its photos (`image`), whether they were seen before (`duplicate`), the results of its
//! documents (`document`), and what its documents say together (`consistency`). Each has its own file; a signal with
//! nothing to judge is left out.

mod consistency;
mod device;
mod document;
mod doubt;
mod duplicate;
mod gps;
mod history;
pub mod image;
mod measures;
mod metadata;
mod motion;
mod parts;
mod place;
mod provenance;
#[cfg(test)]
mod tests;
mod thresholds;

use sealwright_plugin_sdk::{
    facts::{Evidence, Item},
    signal::{Assessor, Error, Signal},
};

use doubt::{Doubts, OBSERVATIONS};
use thresholds::Thresholds;

pub struct Signals;
sealwright_plugin_sdk::export_signal!(Signals);
sealwright_plugin_sdk::export_settings!(thresholds::SCHEMA);

/// Returns none if there is nothing to judge.
type Judge = fn(&[Item], &Thresholds) -> Option<Doubts>;

/// The signals that weigh doubts.
const KINDS: [(&str, Judge); 5] = [
    ("gps", gps::judge),
    ("motion", motion::judge),
    ("device", device::judge),
    ("image", |items, _| image::judge(items)),
    ("duplicate", duplicate::judge),
];

impl Assessor for Signals {
    fn assess(evidence: &Evidence, settings: &str) -> Result<Vec<Signal>, Error> {
        let thresholds = Thresholds::read(settings)?;
        let items: Vec<Item> = evidence.items().collect();
        let mut signals: Vec<Signal> =
            KINDS.iter().filter_map(|(kind, judge)| Some(signal(kind, judge(&items, &thresholds)?))).collect();
        signals.extend(document::signal(&items, &thresholds));
        signals.extend(consistency::signal(evidence, &items));
        Ok(signals)
    }
}

/// The worst doubt counts in full, each further one a third: many small doubts are not one large one.
fn signal(kind: &str, mut doubts: Doubts) -> Signal {
    doubts.sort_by_key(|(cost, _)| std::cmp::Reverse(*cost));
    let cost: u32 =
        doubts.iter().enumerate().map(|(index, (cost, _))| u32::from(*cost) / if index == 0 { 1 } else { 3 }).sum();
    let score = 100 - u8::try_from(cost.min(100)).unwrap_or(100);
    let observations = doubts.into_iter().map(|(_, observation)| observation).take(OBSERVATIONS).collect();
    // 0 to 9 is certain fraud (decisions 13): a sum of doubts is not that, only a doubt that is certain by itself.
    Signal { kind: kind.to_owned(), score: score.max(10), observations }
}
