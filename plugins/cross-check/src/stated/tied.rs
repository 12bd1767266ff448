//! The town of the address that the other entries tie to the person. A document also names its issuer's town, so that
//! the entered town is on it somewhere does not mean that the person lives there.

use sealwright_plugin_sdk::{cross_check::Entry, reading::Cell};

use super::address::postal;
use crate::{
    fields::field_of,
    labelled::Reading,
    search::{Occurrence, Pages},
};

/// Entries of the person, and how many lines below them the address may end.
const TIES: [(&str, usize); 5] =
    [("postCode", 0), ("address", 2), ("lastName", 4), ("firstName", 4), ("accountHolder", 4)];
/// Longer cells are sentences, which name any town.
const LINE: usize = 60;
/// Nearly found values are found at other places too.
const SURE: u8 = 88;

/// The person's town if it is another one than that which was found. `found` is where the entered town is.
pub(crate) fn town(found: &[Occurrence], entries: &[Entry], pages: &Pages<'_>) -> Option<Reading> {
    let mut tied: Vec<Reading> = Vec::new();
    for (code, below) in TIES {
        let Some(entry) = entries.iter().find(|entry| entry.code == code && !entry.value.trim().is_empty()) else {
            continue;
        };
        let Some(field) = field_of(code) else { continue };
        for occurrence in pages.find(field.kind, &entry.value).iter().filter(|occurrence| occurrence.score >= SURE) {
            let block = column(occurrence.cell, below, pages.cells);
            let last = block.iter().find_map(|index| {
                let cell = &pages.cells[*index];
                let (_, town) = cell.text.split(',').rev().find_map(postal)?;
                // "NI NO DE110250C" in a table of figures is not a town.
                let is_town =
                    town.split_whitespace().count() <= 4 && !town.contains(|letter: char| letter.is_ascii_digit());
                is_town.then_some((*index, town))
            });
            let Some((last, town)) = last else { continue };
            // The town may be on a line of its own, over the post code.
            let over = (0..last).rev().take(12).filter(|above| is_over(&pages.cells[*above], &pages.cells[last], 3));
            let lines: Vec<usize> = block.into_iter().chain(over).collect();
            let is_there = |found: &Occurrence| lines.contains(&found.cell);
            if found.iter().any(is_there) {
                return None;
            }
            tied.push(Reading::unlabelled(town, &pages.cells[last]));
        }
    }
    tied.into_iter().next()
}

/// A cell and so many below it with the same left edge, none of them a sentence.
fn column(first: usize, below: usize, cells: &[Cell]) -> Vec<usize> {
    let mut column = vec![first];
    while column.len() <= below {
        let last = column[column.len() - 1];
        let next = (0..cells.len()).filter(|index| is_over(&cells[last], &cells[*index], 2));
        let Some(next) = next.min_by_key(|index| cells[*index].middle()) else { break };
        column.push(next);
    }
    column.retain(|index| cells[*index].folded.len() <= LINE);
    column
}

/// Whether the second cell is at most so many lines below the first, with the same left edge.
fn is_over(upper: &Cell, lower: &Cell, lines: i32) -> bool {
    let height = i32::try_from(upper.area.height.max(lower.area.height)).unwrap_or(1_000);
    let down = lower.middle() - upper.middle();
    upper.page == lower.page
        && down > height / 2
        && down < height.saturating_mul(lines)
        && upper.area.left.abs_diff(lower.area.left) < lower.area.height.max(600)
}
