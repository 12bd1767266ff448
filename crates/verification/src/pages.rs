//! Compares the text of a certificate's pages with its seal manifest. The caller has read the text where a
//! hostile file does no harm; `seal` does the comparison.

use sealwright_facts::{
    Reading,
    pages::{PageText, PageTexts},
};
use sealwright_seal::verify::{Page, Pages, Piece, Report, compare_pages};

/// Adds to the report of an unchanged certificate whether its pages say the same as its manifest.
pub fn compare_texts(pdf: &[u8], texts: PageTexts, report: &mut Report) {
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
