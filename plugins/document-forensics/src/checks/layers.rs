//! The hidden text of scans. Recognition finds words by their ink, so no two lines begin at exactly the same place, to a
//! hundredth of a point: an F has a margin that an O has not. A program that sets text begins all lines of a column there. A
//! forger turns the pages of a finished document into pictures, changes these, and adds the document's own text. Another
//! one changes the picture of a scan and keeps its hidden text: then the picture says something else.

use std::collections::BTreeMap;

use sealwright_plugin_sdk::{
    facts::{Hiding, TextRun, TextSource},
    findings::found,
};

use crate::{
    checks::overlay::mostly_meets,
    report::{Sign, sign},
};

const CODE: &str = "LAYER_IS_SET";
/// So many texts that begin at one place are a column: scanners with whole pixels put up to four there.
const COLUMN: usize = 5;
/// Fewer texts show nothing.
const FEW: usize = 8;
/// Recognised text that is less sure than this has misread digits.
const SURE: u8 = 90;

/// `runs` are those of a page that a picture covers.
pub(crate) fn set_layer(page: u32, runs: &[TextRun]) -> Option<Sign> {
    let layer: Vec<&TextRun> = runs
        .iter()
        .filter(|run| {
            run.source == TextSource::Layer
                && run.hidden == Some(Hiding::Invisible)
                && run.direction == 0
                && run.text.chars().any(char::is_alphanumeric)
        })
        .collect();
    let mut columns: BTreeMap<i32, Vec<&TextRun>> = BTreeMap::new();
    for run in &layer {
        columns.entry(run.area.left).or_default().push(run);
    }
    // Text that begins with the same letter begins at the same place.
    let is_column = |column: &&Vec<&TextRun>| {
        let mut first: Vec<Option<char>> = column.iter().map(|run| run.text.trim().chars().next()).collect();
        first.sort_unstable();
        first.dedup();
        column.len() >= COLUMN && first.len() >= 3
    };
    let aligned: usize = columns.values().filter(is_column).map(Vec::len).sum();
    let text =
        "The hidden text of a scanned page is placed as programs set text, and not as it is found by recognition.";
    let first = layer.first()?;
    (layer.len() >= FEW && aligned * 100 >= layer.len() * 13)
        .then(|| sign(14.0, found(CODE, text).at(page, first.area)))
}

/// A hidden text whose figures are not those that the picture shows at its place, on a page where all others are.
pub(crate) fn other_figures(page: u32, runs: &[TextRun]) -> Option<Sign> {
    const CODE: &str = "LAYER_DIFFERS";
    /// A figure of fewer digits is one that recognition often misses.
    const DIGITS: usize = 4;
    let recognised: Vec<&TextRun> = runs.iter().filter(|run| run.source == TextSource::Recognised).collect();
    let (mut same, mut other): (usize, Vec<&TextRun>) = (0, Vec::new());
    for run in runs.iter().filter(|run| run.source == TextSource::Layer && run.hidden == Some(Hiding::Invisible)) {
        let hidden = digits(&run.text);
        let mut seen: Vec<&TextRun> =
            recognised.iter().copied().filter(|seen| mostly_meets(&seen.area, &run.area)).collect();
        seen.sort_by_key(|seen| seen.area.left);
        let shown: String = seen.iter().map(|seen| digits(&seen.text)).collect();
        if hidden.len() < DIGITS || shown.is_empty() {
            continue;
        }
        // One of the two may be a longer piece of the line.
        if hidden.contains(&shown) || shown.contains(&hidden) {
            same += 1;
        } else {
            let is_sure = seen.iter().all(|seen| seen.confidence >= SURE);
            let differing = hidden.chars().zip(shown.chars()).filter(|(hidden, shown)| hidden != shown);
            let is_changed =
                hidden.len() == shown.len() && differing.clone().any(|(hidden, shown)| !are_alike(hidden, shown));
            if is_sure && is_changed {
                other.push(run);
            } else {
                // A page that is read badly shows nothing.
                same = same.saturating_sub(1);
            }
        }
    }
    let first = other.first()?;
    let text = "The hidden text of a scanned page has other figures than its picture, at one place among many.";
    (other.len() <= 2 && same >= 5).then(|| sign(13.0, found(CODE, text).at(page, first.area)))
}

fn digits(text: &str) -> String {
    text.chars().filter(char::is_ascii_digit).collect()
}

/// Whether recognition confuses two digits.
fn are_alike(one: char, other: char) -> bool {
    ["38", "08", "68", "06", "56", "17", "27", "49", "35", "41"]
        .iter()
        .any(|pair| pair.contains(one) && pair.contains(other))
}
