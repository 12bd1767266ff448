//! Twelve checks for signs that a document was made up or changed (decisions 13). Each is a file in [`checks`]: it
//! reports what it found and where, and what that is worth as evidence. [`combined`] weighs them together.
//!
//! "Not detected" never means "genuine". A check with nothing to examine says so and has no weight.

mod checks;
mod combined;
mod drawing;
mod inflate;
mod painting;
mod report;
mod values;

use checks::{
    accounts, dates, editors, fonts, hidden, metadata, overlay, pictures, revisions, signatures, totals, zones,
};
use combined::combined;
use report::Report;
use sealwright_plugin_sdk::{
    facts::{Document, TextSource},
    falsification::{Check, Error, Inspector},
    reading::{Cell, Date, cells},
};

pub struct DocumentForensics;
sealwright_plugin_sdk::export_falsification!(DocumentForensics);

/// Runs one check.
type Examine = fn(&Subject<'_>) -> Report;

/// The checks in order: code, label and function.
const CHECKS: [(&str, &str, Examine); 12] = [
    ("FONT_CONSISTENCY", "Fonts are used consistently", fonts::check),
    ("METADATA_CONSISTENCY", "Metadata are plausible", metadata::check),
    ("INCREMENTAL_EDITS", "Nothing was changed after it was made", revisions::check),
    ("TEXT_OVERLAY", "No text is covered by another", overlay::check),
    ("HIDDEN_CONTENT", "No content is hidden", hidden::check),
    ("SIGNATURE_INTEGRITY", "Electronic signatures are intact", signatures::check),
    ("IMAGE_RECOMPRESSION", "Pictures were compressed evenly", pictures::check),
    ("IMAGE_EDITOR_TRACE", "Pictures bear no trace of an editor", editors::check),
    ("MRZ_CHECKSUM", "The machine-readable zone's check digits are right", zones::check),
    ("IBAN_CHECKSUM", "Account numbers' check digits are right", accounts::check),
    ("DATE_COHERENCE", "Dates follow each other", dates::check),
    ("TOTALS_COHERENCE", "Amounts add up", totals::check),
];

/// A document, read once for all checks.
pub(crate) struct Subject<'d> {
    pub(crate) document: &'d Document,
    pub(crate) document_type: &'d str,
    /// The visible text.
    pub(crate) cells: Vec<Cell>,
    /// The day on which it was received.
    pub(crate) today: Date,
    /// Whether its text was recognised in pictures, and so may be misread.
    pub(crate) recognised: bool,
}

impl<'d> Subject<'d> {
    fn new(document: &'d Document, document_type: &'d str) -> Self {
        let received = i64::try_from(document.received_at()).unwrap_or(i64::MAX);
        let recognised = document
            .page_numbers()
            .any(|page| document.text_runs(page, 0).iter().any(|run| run.source == TextSource::Recognised));
        Self { document, document_type, cells: cells(document), today: Date::of_moment(received), recognised }
    }

    /// The cells line by line, from left to right.
    pub(crate) fn lines(&self) -> Vec<Vec<&Cell>> {
        let mut lines: Vec<Vec<&Cell>> = Vec::new();
        for cell in &self.cells {
            let line = lines.iter_mut().rev().take(4).find(|line| line.iter().any(|other| other.is_next_to(cell)));
            match line {
                Some(line) => line.push(cell),
                None => lines.push(vec![cell]),
            }
        }
        for line in &mut lines {
            line.sort_by_key(|cell| cell.area.left);
        }
        lines
    }
}

impl Inspector for DocumentForensics {
    fn inspect(document: &Document, document_type: &str, _settings: &str) -> Result<Vec<Check>, Error> {
        let subject = Subject::new(document, document_type);
        Ok(combined(CHECKS.iter().map(|(code, label, check)| (*code, *label, check(&subject))).collect()))
    }
}

#[cfg(test)]
mod tests;
