//! The address block: name, street, post code and town, one under the other.

use sealwright_plugin_sdk::{
    findings::Place,
    reading::{Cell, fold},
};

use crate::{
    labelled::{Reading, is_recognised},
    value,
};

/// The content of a block.
pub(crate) struct Block {
    pub(crate) name: Reading,
    pub(crate) street: Reading,
    pub(crate) post_code: Reading,
    pub(crate) town: Reading,
}

/// The block of the addressee: three or more left-aligned lines, the last with a post code. The issuer's own address is
/// usually on one line, or higher up: of several blocks the last is used.
pub(crate) fn find(cells: &[Cell]) -> Option<Block> {
    all(cells).pop()
}

/// All blocks, from the top.
pub(crate) fn all(cells: &[Cell]) -> Vec<Block> {
    let blocks = cells.iter().filter_map(|last| {
        let post_code = value::post_code(&last.text)?;
        let town = value::town(&last.text)?;
        if last.folded.len() > 45 {
            return None;
        }
        let street = above(last, cells)?;
        // A street has a number, or at least is not a label.
        let name = above(street, cells)?;
        let is_street = street.folded.chars().any(|letter| letter.is_ascii_digit());
        let is_name = !name.folded.chars().any(|letter| letter.is_ascii_digit())
            && (2..=5).contains(&fold(&name.text).split(' ').count());
        (is_street && is_name).then(|| Block {
            name: reading(&name.text, name),
            street: reading(&street.text, street),
            post_code: reading(&post_code, last),
            town: reading(&town, last),
        })
    });
    blocks.collect()
}

/// The post code and town of a line that holds a whole address, and its street.
pub(crate) fn of_line(address: &Reading) -> Option<(Reading, Reading)> {
    let part = |value: String| Reading { value, ..address.clone() };
    let post_code = value::post_code(&address.value)?;
    let tail = address.value.rsplit(',').next().unwrap_or(&address.value);
    Some((part(post_code), part(value::town(tail)?)))
}

/// The line just above, with the same left edge.
fn above<'c>(cell: &Cell, cells: &'c [Cell]) -> Option<&'c Cell> {
    // The box of recognised text ends with its ink, and in a photograph the size of a point is unknown.
    let heights = if is_recognised(cell) { 3 } else { 2 };
    cells
        .iter()
        .filter(|other| {
            let up = cell.middle() - other.middle();
            other.page == cell.page
                && up > i32::try_from(cell.area.height / 2).unwrap_or(0)
                && up < i32::try_from(cell.area.height).unwrap_or(1_000).saturating_mul(heights).max(2_200)
                && other.area.left.abs_diff(cell.area.left) < cell.area.height.max(600)
        })
        .max_by_key(|other| other.middle())
}

fn reading(text: &str, cell: &Cell) -> Reading {
    let place = Place { page: cell.page, area: Some(cell.place) };
    Reading { value: text.trim().to_owned(), place, score: 75.min(cell.confidence) }
}
