//! Twelve checks for signs that a document was made up or changed (decisions 13). Each is a file in [`checks`]: it
//! reports what it found and where, and what that is worth as evidence. [`combined`] weighs them together.
//!
//! "Not detected" never means "genuine". A check with nothing to examine says so and has no weight.

mod checks;
mod combined;
mod drawing;
mod inflate;
mod invoice;
mod painting;
mod report;
mod stated;
mod subject;
mod typeface;
mod values;

use checks::{
    accounts, codes, dates, editors, fonts, hidden, invoices, metadata, overlay, pictures, revisions, signatures,
    totals, zones,
};
use combined::combined;
use report::Report;
use sealwright_plugin_sdk::{
    facts::Document,
    falsification::{Check, Error, Inspector},
};
use subject::Subject;

pub struct DocumentForensics;
sealwright_plugin_sdk::export_falsification!(DocumentForensics);

/// Runs one check.
type Examine = fn(&Subject<'_>) -> Report;

/// The checks in order: code, label and function.
const CHECKS: [(&str, &str, Examine); 12] = [
    ("FONT_CONSISTENCY", "Fonts are used consistently", fonts::check),
    ("METADATA_CONSISTENCY", "Metadata are plausible", |subject| {
        metadata::check(subject).with(invoices::check(subject))
    }),
    ("INCREMENTAL_EDITS", "Nothing was changed after it was made", revisions::check),
    ("TEXT_OVERLAY", "No text is covered", overlay::check),
    ("HIDDEN_CONTENT", "No content is hidden", hidden::check),
    ("SIGNATURE_INTEGRITY", "Electronic signatures are intact", |subject| {
        signatures::check(subject).with(codes::check(subject))
    }),
    ("IMAGE_RECOMPRESSION", "Pictures were compressed evenly", pictures::check),
    ("IMAGE_EDITOR_TRACE", "Pictures bear no trace of an editor", editors::check),
    ("MRZ_CHECKSUM", "The machine-readable zone's check digits are right", zones::check),
    ("IBAN_CHECKSUM", "Account numbers' check digits are right", accounts::check),
    ("DATE_COHERENCE", "Dates are in a possible order", dates::check),
    ("TOTALS_COHERENCE", "Amounts add up", totals::check),
];

impl Inspector for DocumentForensics {
    fn inspect(document: &Document, document_type: &str, _settings: &str) -> Result<Vec<Check>, Error> {
        let subject = Subject::new(document, document_type);
        let mut reports: Vec<(&str, &str, Report)> =
            CHECKS.iter().map(|(code, label, check)| (*code, *label, check(&subject))).collect();
        report::lift(&mut reports);
        Ok(combined(reports))
    }
}

/// The evidence of one check, before all checks are weighed together.
pub struct Evidence {
    pub check: &'static str,
    /// What its signs are worth together.
    pub decibans: f64,
    /// Each sign: the code of its finding, and its strength in decibans.
    pub signs: Vec<(String, f64)>,
}

/// The evidence of the checks that found a sign, for fitting strengths (`tests/judge/fit/strengths.py`).
pub fn evidence(document: &Document, document_type: &str) -> Vec<Evidence> {
    let subject = Subject::new(document, document_type);
    let examined = CHECKS.iter().map(|(code, _, check)| (*code, check(&subject)));
    examined
        .filter(|(_, report)| !report.strengths.is_empty())
        .map(|(check, report)| Evidence { check, decibans: report.decibans, signs: report.strengths })
        .collect()
}

#[cfg(test)]
mod tests;
