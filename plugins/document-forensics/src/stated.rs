//! What the pages state, for comparison with what a code or an attached invoice says: a value is the same, the page
//! states another one in its place, or it is not there.

use std::collections::BTreeSet;

use sealwright_plugin_sdk::{
    facts::Reading,
    reading::{
        Account, Amount, Cell, Date, find_accounts, find_amounts, find_dates, fold,
        labels::{ValuePosition, labelled},
        text::squeeze,
    },
};

use crate::subject::Subject;

/// Recognised text that is less sure than this has misread letters.
const SURE: u8 = 90;
/// A page with fewer letters and digits was hardly read.
const LEAST_LETTERS: usize = 150;

/// How a value compares with the pages.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Comparison {
    Same,
    /// The pages state another value in its place.
    Other,
    /// It is not there, and nothing is in its place.
    Absent,
    /// The pages could not be read well enough.
    Unsure,
}

/// The text of all pages.
pub(crate) struct Stated<'s> {
    cells: &'s [Cell],
    /// Letters and digits only.
    squeezed: String,
    words: Vec<String>,
    amounts: Vec<Amount>,
    /// Whole numbers, without their grouping: tax notices state amounts without decimals.
    numbers: BTreeSet<String>,
    dates: Vec<Date>,
    accounts: Vec<Account>,
    recognised: bool,
    /// Whether the text is whole, so that a value that is not found is not there.
    whole: bool,
}

impl<'s> Stated<'s> {
    pub(crate) fn of(subject: &'s Subject<'_>) -> Self {
        let document = subject.document;
        let text = document.full_text();
        let squeezed = squeeze(&text);
        let was_read =
            document.page_numbers().filter_map(|page| document.page(page)).all(|page| page.text != Reading::Unread);
        let is_explained = !text.contains(char::REPLACEMENT_CHARACTER);
        let upper = text.to_uppercase();
        // Accounts are also looked for in cells: a table's next column ends one.
        let in_cells = subject.cells.iter().flat_map(|cell| find_accounts(&cell.text.to_uppercase()));
        let accounts = upper.lines().flat_map(find_accounts).chain(in_cells).map(|(account, _)| account).collect();
        Self {
            cells: &subject.cells,
            words: fold(&text).split(' ').map(str::to_owned).collect(),
            amounts: values(&text, &subject.cells, find_amounts),
            numbers: subject.cells.iter().flat_map(|cell| whole_numbers(&cell.text)).collect(),
            dates: values(&text, &subject.cells, find_dates),
            accounts,
            recognised: subject.recognised,
            whole: was_read && is_explained && squeezed.len() >= LEAST_LETTERS,
            squeezed,
        }
    }

    /// Whether the text was recognised in pictures, and so may be misread.
    pub(crate) fn is_recognised(&self) -> bool {
        self.recognised
    }

    /// An amount that pages state next to one of these labels.
    pub(crate) fn amount(&self, wanted: Amount, labels: &[&[&str]]) -> Comparison {
        let whole = (wanted.0 % 100 == 0).then(|| (wanted.0 / 100).to_string());
        let is_there = self.amounts.iter().any(|amount| amount.0.abs() == wanted.0.abs())
            || whole.is_some_and(|digits| self.numbers.contains(&digits));
        if is_there {
            return Comparison::Same;
        }
        let stated = labelled(self.cells, labels, ValuePosition::Last, Amount::read);
        self.other(stated.iter().map(|(amount, cell)| (amount.plain(), *cell)), &wanted.plain())
    }

    /// A day that pages state next to one of these labels.
    pub(crate) fn date(&self, wanted: Date, labels: &[&[&str]]) -> Comparison {
        if self.dates.contains(&wanted) {
            return Comparison::Same;
        }
        let stated = labelled(self.cells, labels, ValuePosition::Next, Date::read);
        self.other(stated.iter().map(|(date, cell)| (date.iso(), *cell)), &wanted.iso())
    }

    /// Values in the place of the wanted one, each with its cell.
    fn other<'c>(&self, stated: impl Iterator<Item = (String, &'c Cell)>, wanted: &str) -> Comparison {
        let mut comparison = if self.whole { Comparison::Absent } else { Comparison::Unsure };
        for (value, cell) in stated {
            if !self.recognised || cell.confidence >= SURE && !is_misread(&value, wanted) {
                return Comparison::Other;
            }
            comparison = Comparison::Unsure;
        }
        if self.recognised { Comparison::Unsure } else { comparison }
    }

    /// An account number. The check digits of one that is printed show that it was read right.
    pub(crate) fn account(&self, wanted: &str) -> Comparison {
        let plain = squeeze(wanted);
        if self.squeezed.contains(&plain) {
            return Comparison::Same;
        }
        let country = wanted.get(..2).unwrap_or_default();
        match self.accounts.iter().any(|account| account.is_right() && account.iban.starts_with(country)) {
            true => Comparison::Other,
            false if self.recognised || !self.whole => Comparison::Unsure,
            false => Comparison::Absent,
        }
    }

    /// A number or reference, without regard to its grouping.
    pub(crate) fn number(&self, wanted: &str) -> Comparison {
        let plain = squeeze(wanted);
        match self.squeezed.contains(plain.as_str()) {
            // A short one may be a part of any other number.
            _ if plain.len() < 5 => Comparison::Unsure,
            true => Comparison::Same,
            false if self.recognised || !self.whole => Comparison::Unsure,
            false => Comparison::Absent,
        }
    }

    /// A name: the same if most of its words are there, another if none or few are.
    pub(crate) fn name(&self, wanted: &str) -> Comparison {
        let folded = fold(wanted);
        let words: Vec<&str> = folded.split(' ').filter(|word| word.len() >= 3).collect();
        if words.is_empty() {
            return Comparison::Unsure;
        }
        let there = words.iter().filter(|word| self.has_word(word)).count();
        if there * 3 >= words.len() * 2 {
            Comparison::Same
        } else if !self.whole || self.recognised && there > 0 {
            Comparison::Unsure
        } else {
            Comparison::Other
        }
    }

    fn has_word(&self, word: &str) -> bool {
        let misread = if word.len() >= 7 { 2 } else { usize::from(word.len() >= 4) };
        self.squeezed.contains(word)
            || self.recognised && self.words.iter().any(|other| distance(word, other) <= misread)
    }
}

/// Values in the lines of a text and in the cells, which hold what columns split.
fn values<T: PartialEq>(text: &str, cells: &[Cell], find: impl Fn(&str) -> Vec<(T, std::ops::Range<usize>)>) -> Vec<T> {
    let mut found = Vec::new();
    for part in text.lines().chain(cells.iter().map(|cell| cell.text.as_str())) {
        for (value, _) in find(part) {
            if !found.contains(&value) {
                found.push(value);
            }
        }
    }
    found
}

/// The numbers of a text without decimals; groups of three digits belong together.
fn whole_numbers(text: &str) -> Vec<String> {
    let mut numbers: Vec<String> = Vec::new();
    let mut is_open = false;
    for word in text.split([' ', '\u{a0}', '\u{202f}', '\'', '.']) {
        let is_number = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
        match numbers.last_mut() {
            Some(last) if is_open && is_number && word.len() == 3 => last.push_str(word),
            _ if is_number => numbers.push(word.to_owned()),
            _ => {}
        }
        is_open = is_number && word.len() <= 3;
    }
    numbers
}

/// Whether one character that text recognition confuses with another explains the difference.
fn is_misread(one: &str, other: &str) -> bool {
    const ALIKE: [&str; 9] = ["06", "17", "38", "56", "27", "69", "49", "08", "35"];
    let pairs: Vec<(char, char)> = one.chars().zip(other.chars()).filter(|(one, other)| one != other).collect();
    let is_alike =
        |(one, other): &(char, char)| ALIKE.iter().any(|group| group.contains(*one) && group.contains(*other));
    one.len() != other.len() && one.len().abs_diff(other.len()) == 1
        || one.len() == other.len() && pairs.len() == 1 && pairs.iter().all(is_alike)
}

/// How many letters differ (Levenshtein). Words whose lengths differ by more than two are far apart.
fn distance(one: &str, other: &str) -> usize {
    if one.len().abs_diff(other.len()) > 2 {
        return usize::MAX;
    }
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (at, letter) in one.chars().enumerate() {
        let mut corner = at;
        row[0] = at + 1;
        for (index, second) in other.iter().enumerate() {
            let changed = corner + usize::from(letter != *second);
            corner = row[index + 1];
            row[index + 1] = changed.min(row[index] + 1).min(corner + 1);
        }
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_are_taken_with_their_groups() {
        assert_eq!(whole_numbers("Revenu fiscal 23 450 € en 2025"), ["23450", "2025"]);
        assert_eq!(whole_numbers("12 345 678"), ["12345678"]);
        assert_eq!(whole_numbers("1.200 F2026"), ["1200"]);
    }

    #[test]
    fn one_character_that_looks_like_another_is_misread() {
        assert!(is_misread("84.27", "34.27") || is_misread("84.27", "04.27"));
        assert!(is_misread("138.00", "188.00"));
        assert!(!is_misread("184.27", "584.99"));
        assert_eq!((distance("martin", "martln"), distance("a", "abcd")), (1, usize::MAX));
    }
}
