//! Compares the text of a certificate's pages with its seal manifest. The text is read in a separate process, like
//! every untrusted file; `seal` does the comparison.

#[cfg(test)]
mod tests;

use sealwright_child_process::this_program;
use sealwright_facts::{UnreadableReason, pages::PageTexts};
use sealwright_seal::verify::{Report, has_pages_to_compare};
use sealwright_verification::compare_texts;

use crate::facts::page_texts;

/// Adds to the report of an unchanged certificate whether its pages say the same as its manifest.
pub(super) fn compare(pdf: &[u8], report: &mut Report) {
    if !has_pages_to_compare(report) {
        return;
    }
    let texts = page_texts(&this_program(), pdf).unwrap_or_else(|error| {
        tracing::warn!(%error, "the pages of a certificate cannot be read");
        PageTexts::unreadable(UnreadableReason::ReaderFailed)
    });
    compare_texts(pdf, texts, report);
}
