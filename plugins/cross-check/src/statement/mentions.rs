//! What is somewhere on the pages: amounts, dates, words. It shows that a value of another document is here too, whatever
//! its label.

use std::collections::BTreeSet;

use sealwright_plugin_sdk::{
    facts::Origin,
    reading::{Cell, find_accounts, find_amounts},
};

use super::values::{MOST_VALUE_BYTES, Statement};
use crate::{date, labelled::is_recognised};

/// Long statements have thousands of amounts; the words come first.
const MOST_AMOUNTS: usize = 160;
const MOST_DATES: usize = 80;
/// In bytes, of all words together.
const MOST_WORDS: usize = 24 * 1024;

/// The different words of the pages in alphabetical order.
pub(super) fn folded(cells: &[Cell]) -> BTreeSet<&str> {
    let words = cells.iter().flat_map(|cell| cell.folded.split(' '));
    words.filter(|word| word.len() > 1 && word.len() <= 40 && word.chars().any(char::is_alphanumeric)).collect()
}

pub(super) fn state(statement: &mut Statement<'_>, month_first: bool, words: &BTreeSet<&str>) {
    let cells = statement.cells;
    let recognised = cells.iter().any(is_recognised);
    let origin = if recognised { Origin::Recognised } else { Origin::OwnText };
    let mut room = MOST_WORDS;
    let mut part = String::new();
    for word in words {
        let Some(left) = room.checked_sub(word.len() + 1) else { break };
        room = left;
        if part.len() + word.len() + 1 > MOST_VALUE_BYTES {
            statement.add_words("words", std::mem::take(&mut part), origin);
        }
        if !part.is_empty() {
            part.push(' ');
        }
        part.push_str(word);
    }
    statement.add_words("words", part, origin);
    for cell in cells {
        for (account, _) in
            find_accounts(&cell.text.to_uppercase()).into_iter().filter(|(account, _)| account.is_right())
        {
            statement.add("mentionedAccount", account.iban, cell, 100, None);
        }
    }
    let mut seen = BTreeSet::new();
    for cell in cells {
        for (amount, _) in find_amounts(&cell.text) {
            if seen.len() < MOST_AMOUNTS && seen.insert(amount.0.abs()) {
                statement.add(
                    "mentionedAmount",
                    sealwright_plugin_sdk::reading::Amount(amount.0.abs()).plain(),
                    cell,
                    100,
                    None,
                );
            }
        }
    }
    let mut days = BTreeSet::new();
    for cell in cells {
        for (day, _) in date::find(&cell.text, month_first) {
            if days.len() < MOST_DATES && days.insert(day) {
                statement.add("mentionedDate", day.iso(), cell, 100, None);
            }
        }
    }
}
