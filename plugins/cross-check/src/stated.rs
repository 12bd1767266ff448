//! What a document states in a field's place, if neither its label nor its usual position shows it. Only asked if the
//! entered value is not on the document: then a value of the same kind, which is not another field's, is what the
//! document states instead.

use sealwright_plugin_sdk::{
    findings::Place,
    reading::{
        Cell, find_amounts,
        text::{has_words, squeeze},
    },
};

use crate::{
    date,
    fields::{Field, Kind, field_of, is_label},
    labelled::{Reading, is_recognised},
    reader::Reader,
    role::{Role, role},
    search::{Occurrence, Pages},
    value,
};

/// A value that the document states instead of the entered one.
pub(crate) fn instead(field: &Field, entered: &str, reader: &Reader<'_>, pages: &Pages<'_>) -> Option<Reading> {
    if field.not_on.contains(&reader.document_type) {
        return None;
    }
    match field.kind {
        Kind::Date => dates(field, reader, pages),
        Kind::Amount => amounts(field, pages),
        Kind::Number => numbers(entered, pages),
        Kind::Bank => banks(pages),
        Kind::PostCode => address_line(pages).map(|(code, _, cell)| reading(code, cell)),
        Kind::Town => address_line(pages).map(|(_, town, cell)| reading(town, cell)),
        Kind::Street => streets(pages),
        Kind::Name => names(field, pages),
        Kind::Account | Kind::Nationality | Kind::Text => None,
    }
}

/// Nearly the entered value: a letter or a digit is another one. Dates and amounts have their own roles.
pub(crate) fn near(field: &Field, entered: &str, pages: &Pages<'_>) -> Option<Reading> {
    if matches!(field.kind, Kind::Date | Kind::Amount | Kind::Nationality) {
        return None;
    }
    let (value, cell) = pages.near(entered)?;
    Some(reading(value, &pages.cells[cell]))
}

fn reading(value: String, cell: &Cell) -> Reading {
    Reading { value, place: Place { page: cell.page, area: Some(cell.place) }, score: 45.min(cell.confidence) }
}

/// Recognised text with less confidence does not state anything by itself.
const SURE: u8 = 88;

/// Types that have a date of issue, wherever it is.
const DATED: [&str; 7] = [
    "INVOICE",
    "PROOF_OF_ADDRESS",
    "VEHICLE_REGISTRATION",
    "IDENTITY_CARD",
    "PASSPORT",
    "RESIDENCE_PERMIT",
    "DRIVING_LICENCE",
];
/// Types that have the dates of birth and of expiry.
const CARDS: [&str; 4] = ["IDENTITY_CARD", "PASSPORT", "RESIDENCE_PERMIT", "DRIVING_LICENCE"];

/// A date without a label of its own, on a type of document that has one.
fn dates(field: &Field, reader: &Reader<'_>, pages: &Pages<'_>) -> Option<Reading> {
    let types = if field.code == "issueDate" { DATED.as_slice() } else { CARDS.as_slice() };
    if !types.contains(&reader.document_type) {
        return None;
    }
    let mut found = pages.cells.iter().enumerate().flat_map(|(index, cell)| {
        let dates = date::find(&cell.text, false).into_iter();
        dates.map(move |(day, range)| (day, index, cell.text[..range.start].to_owned()))
    });
    let (day, index, _) = found.find(|(_, index, before)| is_free(field, pages, *index, before))?;
    Some(reading(day.iso(), &pages.cells[index]))
}

/// Whether no label gives the value in a cell to another field.
fn is_free(field: &Field, pages: &Pages<'_>, cell: usize, before: &str) -> bool {
    let occurrence = Occurrence { cell, before: sealwright_plugin_sdk::reading::fold(before), score: 0 };
    match role(field.kind, pages, &occurrence) {
        Role::Unknown => true,
        Role::Of(code) => code == field.code,
        Role::Other => false,
    }
}

/// The largest amount that has no label of another field.
fn amounts(field: &Field, pages: &Pages<'_>) -> Option<Reading> {
    let free = pages.cells.iter().enumerate().flat_map(|(index, cell)| {
        let amounts = find_amounts(&cell.text).into_iter();
        amounts.map(move |(amount, range)| (amount, index, cell.text[..range.start].to_owned()))
    });
    // What was handed over is the total only if there was no change.
    let is_cash = |cell: usize| {
        let line = pages.cells.iter().filter(|other| other.is_next_to(&pages.cells[cell]));
        line.chain([&pages.cells[cell]]).any(|label| has_words(&label.folded, "cash"))
    };
    let free = free.filter(|(_, index, before)| is_free(field, pages, *index, before) && !is_cash(*index));
    let (amount, index, _) = free.max_by_key(|(amount, ..)| *amount)?;
    // Recognition loses amounts, and then the largest one that it read is not the total.
    let cell = &pages.cells[index];
    let is_sure = !is_recognised(cell) || cell.confidence >= SURE;
    is_sure.then(|| reading(amount.plain(), cell))
}

/// A number of the same form as the entered one: so many letters and digits, in the same order.
fn numbers(entered: &str, pages: &Pages<'_>) -> Option<Reading> {
    let wanted = form(&squeeze(entered));
    if wanted.len() < 5 || !wanted.contains('9') {
        return None;
    }
    for run in pages.runs() {
        for start in 0..run.len() {
            let mut joined = String::new();
            for word in &run[start..] {
                joined.push_str(&word.folded);
                if joined.len() >= wanted.len() {
                    break;
                }
            }
            // Words that only happen to be as long are not a number.
            let is_number = joined.bytes().filter(u8::is_ascii_digit).count() >= 3;
            if is_number && form(&joined) == wanted {
                return Some(reading(joined, &pages.cells[run[start].cell]));
            }
        }
    }
    None
}

/// `AB-123` has the form `aa999`.
fn form(code: &str) -> String {
    code.chars().map(|letter| if letter.is_ascii_digit() { '9' } else { 'a' }).collect()
}

/// Eight or eleven capitals and digits that begin with a bank and a country.
fn banks(pages: &Pages<'_>) -> Option<Reading> {
    const COUNTRIES: [&str; 20] = [
        "FR", "BE", "CH", "LU", "DE", "AT", "NL", "IT", "ES", "PT", "GB", "IE", "MC", "PL", "DK", "SE", "NO", "FI",
        "US", "CA",
    ];
    let is_bank = |word: &&str| {
        matches!(word.len(), 8 | 11)
            && word.bytes().all(|letter| letter.is_ascii_uppercase() || letter.is_ascii_digit())
            && word.bytes().take(6).all(|letter| letter.is_ascii_uppercase())
            && word.get(4..6).is_some_and(|country| COUNTRIES.contains(&country))
    };
    pages.cells.iter().find_map(|cell| {
        let word = cell.text.split(|letter: char| !letter.is_alphanumeric()).find(is_bank)?;
        Some(reading(word.to_owned(), cell))
    })
}

/// The last line of an address: its post code, its town, and its cell.
fn address_line<'c>(pages: &Pages<'c>) -> Option<(String, String, &'c Cell)> {
    let is_line = |cell: &&Cell| cell.folded.len() <= 60 && !cell.folded.starts_with("iban");
    pages.cells.iter().filter(is_line).find_map(|cell| {
        let (code, town) = cell.text.split(',').rev().find_map(postal)?;
        Some((code, town, cell))
    })
}

/// The post code and the town of a part of an address. Five digits, four behind a country's letter or before a name,
/// and the codes of letters and digits of the United Kingdom, Ireland, Canada and the Netherlands.
fn postal(part: &str) -> Option<(String, String)> {
    let words: Vec<&str> = part.split_whitespace().collect();
    let is_name = |word: &&str| word.chars().next().is_some_and(char::is_uppercase) && word.len() > 2;
    let (at, length) = (0..words.len()).find_map(|at| {
        let word = words[at];
        let bare = word.split_once('-').filter(|(country, _)| country.len() <= 3).map_or(word, |(_, code)| code);
        let next = words.get(at + 1).copied().unwrap_or_default();
        match (letters_and_digits(bare).as_str(), letters_and_digits(next).as_str()) {
            ("9999", "AA") | ("A9A", "9A9") | ("A9" | "A99" | "AA9" | "AA99" | "A9A" | "AA9A", "9AA") => Some((at, 2)),
            // An Eircode's second half mixes letters and digits.
            ("A99" | "A9A", behind) if behind.len() == 4 && !behind.contains('x') && behind.contains('A') => {
                Some((at, 2))
            }
            ("99999", _) => Some((at, 1)),
            ("9999", _) if at == 0 && words.get(1).is_some_and(is_name) => Some((at, 1)),
            _ => None,
        }
    })?;
    let town = words[..at].iter().chain(&words[at + length..]).copied().collect::<Vec<_>>().join(" ");
    let letters = town.chars().filter(|letter| letter.is_alphabetic()).count();
    (letters >= 2 && !town.contains(':')).then(|| (words[at..at + length].join(" "), town))
}

/// `SW1A` is `AA9A`; other characters than capitals and digits are `x`.
fn letters_and_digits(word: &str) -> String {
    let kind = |letter: char| match letter {
        '0'..='9' => '9',
        'A'..='Z' => 'A',
        _ => 'x',
    };
    word.chars().map(kind).collect()
}

/// Words of streets, folded and in their short form.
const STREETS: [&str; 24] = [
    "r", "av", "bd", "pl", "ch", "rte", "imp", "all", "quai", "sq", "cours", "st", "rd", "ln", "dr", "cl", "ct", "way",
    "crescent", "terrace", "gardens", "grove", "via", "c",
];

/// A number and a word of streets.
fn streets(pages: &Pages<'_>) -> Option<Reading> {
    let cell = pages.cells.iter().find(|cell| {
        let spelled = crate::compare::spelled(&cell.text);
        let words: Vec<&str> = spelled.split(' ').collect();
        let has_number = words.iter().any(|word| word.len() <= 4 && word.bytes().all(|byte| byte.is_ascii_digit()));
        let has_street = words.iter().any(|word| STREETS.contains(word) || word.len() > 5 && word.ends_with("str"));
        has_number && has_street && (2..=9).contains(&words.len())
    })?;
    Some(reading(cell.text.clone(), cell))
}

const TITLES: [&str; 16] = [
    "m", "mr", "mrs", "ms", "miss", "mme", "mlle", "monsieur", "madame", "dr", "herr", "frau", "sig", "sra", "dhr",
    "mevr",
];

/// The words after a title; or what is behind or next to the other name, which is on the document.
fn names(field: &Field, pages: &Pages<'_>) -> Option<Reading> {
    let is_person = matches!(field.code, "lastName" | "firstName" | "accountHolder");
    if !is_person {
        return None;
    }
    let titled = pages.cells.iter().find(|cell| {
        let words: Vec<&str> = cell.folded.split(' ').collect();
        (2..=6).contains(&words.len())
            && TITLES.contains(&words[0])
            && !cell.folded.bytes().any(|byte| byte.is_ascii_digit())
            && !is_label(&cell.folded)
    });
    let over_address = || {
        let (_, _, line) = address_line(pages)?;
        let above = pages.cells.iter().rev().filter(|cell| {
            let up = line.middle() - cell.middle();
            cell.page == line.page
                && up > 0
                && up < i32::try_from(line.area.height).unwrap_or(1_000).saturating_mul(6)
                && cell.area.left.abs_diff(line.area.left) < line.area.height.max(800)
        });
        let is_name = |cell: &&Cell| {
            (2..=5).contains(&cell.folded.split(' ').count())
                && value::accepted(Kind::Name, &cell.text).is_some()
                && !is_label(&cell.folded)
        };
        above.filter(is_name).min_by_key(|cell| cell.middle())
    };
    let cell = titled.or_else(over_address)?;
    Some(reading(cell.text.clone(), cell))
}

/// The name next to the entered other name: "Martin" is not on the document, but "Léa" is, in "Léa Noël".
pub(crate) fn beyond(field: &Field, other: &str, pages: &Pages<'_>) -> Option<Reading> {
    let other_field = field_of(if field.code == "lastName" { "firstName" } else { "lastName" })?;
    let found = pages.find(other_field.kind, other).into_iter().next()?;
    let cell = &pages.cells[found.cell];
    let own = squeeze(other);
    let rest: Vec<&str> = cell.folded.split(' ').filter(|word| !own.contains(*word) && word.len() > 1).collect();
    let is_name = cell.folded.len() <= 60 && (1..=4).contains(&rest.len()) && !is_label(&rest.join(" "));
    is_name.then(|| reading(rest.join(" "), cell))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn post_codes_of_many_countries_are_read_with_their_towns() {
        for (part, code, town) in [
            ("69003 Lyon", "69003", "Lyon"),
            ("CH-1800 Vevey", "CH-1800", "Vevey"),
            ("L-1116 Luxembourg", "L-1116", "Luxembourg"),
            ("7000 Mons", "7000", "Mons"),
            ("1015 CJ Amsterdam", "1015 CJ", "Amsterdam"),
            ("Ottawa ON K1P 5M7", "K1P 5M7", "Ottawa ON"),
            ("Dublin 6 D06 X2C4", "D06 X2C4", "Dublin 6"),
            ("Norwich NR2 3JW", "NR2 3JW", "Norwich"),
        ] {
            assert_eq!(postal(part), Some((code.to_owned(), town.to_owned())), "{part}");
        }
        for part in ["2026", "Total 1250", "A4 Paper", "12 rue des Lilas", "on 2026 we"] {
            assert_eq!(postal(part), None, "{part}");
        }
    }
}
