//! Names on cards whose labels are missing or unreadable.

use sealwright_plugin_sdk::reading::{Cell, text::squeeze};

use super::address::is_sure;
use crate::{
    fields::{Field, Kind, field_of, is_label},
    labelled::Reading,
    search::Pages,
    value,
};

/// The name next to the entered other name: "Martin" is not on the document, but "Léa" is, in "Léa Noël".
pub(crate) fn beyond(field: &Field, other: &str, pages: &Pages<'_>) -> Option<Reading> {
    let own = squeeze(other);
    occurrences(field, other, pages).into_iter().find_map(|cell| {
        let rest: Vec<&str> = cell.folded.split(' ').filter(|word| !own.contains(*word) && word.len() > 1).collect();
        let is_name = cell.folded.len() <= 60 && (1..=4).contains(&rest.len()) && !is_label(&rest.join(" "));
        is_name.then(|| Reading::unlabelled(rest.join(" "), cell))
    })
}

/// The name above or below the entered other name, in letters of the same size: a card has one name under the other.
pub(crate) fn next_to(field: &Field, other: &str, pages: &Pages<'_>) -> Option<Reading> {
    occurrences(field, other, pages).into_iter().find_map(|cell| {
        let is_next_to = |name: &&Cell| {
            let height = cell.area.height.max(600);
            name.page == cell.page
                && name.area.left.abs_diff(cell.area.left) < height / 2
                && (height / 2..height * 2).contains(&name.middle().abs_diff(cell.middle()))
                && name.area.height.abs_diff(cell.area.height) * 3 <= cell.area.height
        };
        let is_alone = cell.folded == sealwright_plugin_sdk::reading::fold(other);
        let name = pages.cells.iter().filter(|name| is_alone && is_word(name) && is_sure(name)).find(is_next_to)?;
        Some(Reading::unlabelled(name.text.clone(), name))
    })
}

/// A name whose words are also alone on the card: it is printed again under the photograph, as the signature.
pub(crate) fn repeated(pages: &Pages<'_>) -> Option<Reading> {
    pages.cells.iter().find_map(|cell| {
        let words: Vec<&str> = cell.folded.split(' ').collect();
        let is_name = (2..=4).contains(&words.len())
            && words.iter().all(|word| word.len() > 1 && word.chars().all(char::is_alphabetic))
            && !is_label(&cell.folded);
        // With its label or without: "LN WHITFIELD".
        let is_alone = |word: &&str| {
            pages.cells.iter().any(|other| {
                !std::ptr::eq(other, cell)
                    && other.folded.split(' ').count() <= 2
                    && other.folded.split(' ').next_back() == Some(word)
            })
        };
        (is_name && words.iter().all(is_alone)).then(|| Reading::unlabelled(cell.text.clone(), cell))
    })
}

fn is_word(cell: &Cell) -> bool {
    cell.folded.len() >= 3
        && cell.folded.split(' ').count() <= 2
        && cell.text.starts_with(char::is_uppercase)
        && !is_label(&cell.folded)
        && value::accepted(Kind::Name, &cell.text).is_some()
}

/// The cells with the entered other name.
fn occurrences<'c>(field: &Field, other: &str, pages: &Pages<'c>) -> Vec<&'c Cell> {
    let code = if field.code == "lastName" { "firstName" } else { "lastName" };
    let Some(other_field) = field_of(code) else { return Vec::new() };
    pages.find(other_field.kind, other).into_iter().map(|found| &pages.cells[found.cell]).collect()
}
