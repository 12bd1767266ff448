//! What all checks examine.

use sealwright_plugin_sdk::{
    facts::{Document, TextSource},
    reading::{Cell, Date, cells},
};

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
    pub(crate) fn new(document: &'d Document, document_type: &'d str) -> Self {
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
