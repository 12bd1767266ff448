//! The cells of a table: what the head of a cell's column and the start of its line say.

use sealwright_plugin_sdk::reading::Cell;

/// The nearest cell with letters above a cell, of those that share a part of its width.
pub(super) fn head<'c>(cells: &'c [Cell], cell: &Cell, is_head: impl Fn(&Cell) -> bool) -> Option<&'c Cell> {
    let above = cells.iter().filter(|other| {
        other.page == cell.page
            && other.middle() < cell.middle() - i32::try_from(cell.area.height / 2).unwrap_or(0)
            && other.area.left < cell.area.right()
            && cell.area.left < other.area.right()
            && is_head(other)
    });
    above.max_by_key(|other| other.middle())
}

/// The first cell of a line with letters: its label.
pub(super) fn label<'c>(cells: &'c [Cell], cell: &Cell) -> Option<&'c Cell> {
    let line = cells.iter().filter(|other| cell.is_next_to(other) && other.area.left < cell.area.left);
    line.filter(|other| other.folded.chars().any(char::is_alphabetic)).min_by_key(|other| other.area.left)
}

/// The other cells of a line, from left to right.
pub(super) fn line<'c>(cells: &'c [Cell], cell: &Cell) -> Vec<&'c Cell> {
    let mut line: Vec<&Cell> =
        cells.iter().filter(|other| !std::ptr::eq(*other, cell) && cell.is_next_to(other)).collect();
    line.sort_by_key(|other| other.area.left);
    line
}
