//! Compares the text of a certificate's pages with its seal manifest. The text is read in a separate process, like
//! every untrusted file; `seal` does the comparison.

#[cfg(test)]
mod tests;

use sealwright_child_process::this_program;
use sealwright_facts::{
    Reading, UnreadableReason,
    pages::{PageText, PageTexts},
};
use sealwright_seal::verify::{Page, Pages, Piece, Report, compare_pages, has_pages_to_compare};

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

fn compare_texts(pdf: &[u8], texts: PageTexts, report: &mut Report) {
    let pages: Vec<Page> = texts.pages.into_iter().map(page).collect();
    let pages = match texts.reading {
        Reading::Unreadable { .. } => Pages::Unreadable,
        Reading::Complete => Pages::Read { pages: &pages, is_complete: true },
        Reading::Partial { .. } => Pages::Read { pages: &pages, is_complete: false },
    };
    compare_pages(pdf, pages, report);
}

fn page(text: PageText) -> Page {
    let pieces = text.pieces.into_iter();
    Page { pieces: pieces.map(|piece| Piece { text: piece.text, seen: piece.seen, joined: piece.joined }).collect() }
}
