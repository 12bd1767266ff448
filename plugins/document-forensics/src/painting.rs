//! The order in which a page is painted. A program that writes a page paints a label and its value one after the other;
//! one that changes a finished page paints the new value last.

use sealwright_plugin_sdk::facts::{Rectangle, TextRun};

/// At least this many texts lie between a label and a value that was painted later.
const BETWEEN: usize = 6;
/// At most this many texts of a page are a change of it rather than its content.
const CHANGED: usize = 4;

/// Smaller text is a mark of the program, in hundredths of a point.
const READABLE: u32 = 300;

/// Whether a text was painted after the page was finished, although texts to its left or around it were painted with
/// the rest. `runs` are those of the page.
pub(crate) fn is_late(run: &TextRun, runs: &[TextRun]) -> bool {
    let after = runs.iter().filter(|other| other.order > run.order).count();
    if after >= CHANGED || runs.len() < 2 * BETWEEN {
        return false;
    }
    let has_below = runs
        .iter()
        .any(|other| other.order < run.order && other.size >= READABLE && other.area.top > run.area.bottom());
    let mut neighbours = runs.iter().filter(|other| {
        other.order != run.order && in_line(&other.area, &run.area) && !same_place(&other.area, &run.area)
    });
    let is_apart = |other: &TextRun| {
        let (first, last) = (other.order.min(run.order), other.order.max(run.order));
        runs.iter().filter(|between| between.order > first && between.order < last).count() >= BETWEEN
    };
    let alone = neighbours.clone().next().is_none();
    has_below && (alone || neighbours.all(is_apart))
}

pub(crate) fn in_line(left: &Rectangle, right: &Rectangle) -> bool {
    let middle = |area: &Rectangle| area.top.saturating_add_unsigned(area.height / 2);
    middle(left).abs_diff(middle(right)) * 2 < left.height.min(right.height).max(200)
}

fn same_place(left: &Rectangle, right: &Rectangle) -> bool {
    left.left.abs_diff(right.left) < 50 && left.top.abs_diff(right.top) < 50
}

/// Whether a place is where people and programs put page numbers, references and stamps: at the edges of a page.
pub(crate) fn is_margin(area: &Rectangle, width: u32, height: u32) -> bool {
    let side = |length: u32, percent: u32| i32::try_from(length / 100 * percent).unwrap_or(i32::MAX);
    area.bottom() < side(height, 5)
        || area.top > side(height, 93)
        || area.right() < side(width, 6)
        || area.left > side(width, 95)
}
