//! The hidden text of scans. Recognition finds words by their ink, so no two lines begin at exactly the same place, to a
//! hundredth of a point: an F has a margin that an O has not. A program that sets text begins all lines of a column there. A
//! forger turns the pages of a finished document into pictures, changes these, and adds the document's own text.

use std::collections::BTreeMap;

use sealwright_plugin_sdk::{
    facts::{Hiding, TextRun, TextSource},
    findings::found,
};

use crate::report::{Sign, sign};

const CODE: &str = "LAYER_IS_SET";
/// So many texts that begin at one place are a column: scanners with whole pixels put up to four there.
const COLUMN: usize = 5;
/// Fewer texts show nothing.
const FEW: usize = 8;

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
