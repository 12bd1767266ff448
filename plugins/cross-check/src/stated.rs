//! What a document states in a field's place, if neither its label nor its usual position shows it. Only asked if the
//! entered value is not on the document: then a value of the same kind, which is not another field's, is what the
//! document states instead.

mod address;
mod person;
mod tied;

use sealwright_plugin_sdk::reading::{
    Cell, Date, find_amounts,
    text::{has_words, squeeze},
};

use self::address::is_sure;
pub(crate) use self::{
    person::{beyond, next_to},
    tied::town,
};
use crate::{
    compare::is_nationality,
    date,
    fields::{Field, Kind, is_label},
    labelled::Reading,
    misread,
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
        Kind::PostCode => address::line(pages).map(|(code, _, cell)| Reading::unlabelled(code, cell)),
        Kind::Town => address::line(pages).map(|(_, town, cell)| Reading::unlabelled(town, cell)),
        Kind::Street => address::street(pages).map(|(street, cell)| Reading::unlabelled(street, cell)),
        Kind::Name => names(field, pages).or_else(|| {
            let is_card = CARDS.contains(&reader.document_type) && field.code != "accountHolder";
            is_card.then(|| person::repeated(pages)).flatten()
        }),
        Kind::Nationality => nationalities(reader, pages),
        Kind::Text => companies(pages),
        Kind::Account => None,
    }
}

/// Nearly the entered value: a letter or a digit is another one. Dates and amounts have their own roles.
pub(crate) fn near(field: &Field, entered: &str, pages: &Pages<'_>) -> Option<Reading> {
    if matches!(field.kind, Kind::Date | Kind::Amount | Kind::Nationality) {
        return None;
    }
    let (value, cell) = pages.near(entered)?;
    Some(Reading::unlabelled(value, &pages.cells[cell]))
}

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

/// A nationality on a card, whatever its label: a card states one.
fn nationalities(reader: &Reader<'_>, pages: &Pages<'_>) -> Option<Reading> {
    if !CARDS.contains(&reader.document_type) {
        return None;
    }
    pages.cells.iter().find_map(|cell| {
        let words = cell.folded.split(' ').map(str::to_owned);
        // The heading of a card names its country.
        let is_short = cell.folded.len() <= 30;
        let named = words.clone().chain([cell.folded.clone()]).find(|word| is_nationality(word))?;
        (is_short && is_sure(cell)).then(|| Reading::unlabelled(named, cell))
    })
}

/// Forms of companies, as they are written behind the name.
const FORMS: [&str; 26] = [
    "SA", "S.A.", "SAS", "SASU", "SARL", "SRL", "SPRL", "SCI", "EURL", "SNC", "Sàrl", "Ltd", "Ltd.", "Limited", "Inc",
    "Inc.", "LLC", "LLP", "PLC", "plc", "DAC", "GmbH", "AG", "BV", "B.V.", "ltée",
];

/// A company: capitalised words before a legal form.
fn companies(pages: &Pages<'_>) -> Option<Reading> {
    pages.cells.iter().filter(|cell| is_sure(cell)).find_map(|cell| {
        let words: Vec<&str> =
            cell.text.split_whitespace().map(|word| word.trim_end_matches([',', ';', ':'])).collect();
        let form = words.iter().position(|word| FORMS.contains(word)).filter(|at| *at > 0)?;
        let links = ["de", "du", "des", "la", "le", "les", "et", "&", "and", "of", "the"];
        let is_name = |word: &&str| word.starts_with(|first: char| first.is_uppercase()) || links.contains(word);
        let length = words[..form].iter().rev().take(6).take_while(|word| is_name(word)).count();
        (length > 0).then(|| Reading::unlabelled(words[form - length..=form].join(" "), cell))
    })
}

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
    if field.code == "expiryDate" {
        // The last date, if it is later than that of issue: old licences do not expire.
        let mut days: Vec<(Date, usize, String)> = found.collect();
        days.sort_by_key(|(day, ..)| *day);
        let (day, index, before) = days.last()?;
        let previous = days.iter().rev().map(|(other, ..)| other).find(|other| *other != day)?;
        let is_later = day.day_number() > previous.day_number() + 360;
        return (is_later && is_free(field, pages, *index, before))
            .then(|| Reading::unlabelled(day.iso(), &pages.cells[*index]));
    }
    let (day, index, _) = found.find(|(_, index, before)| is_free(field, pages, *index, before))?;
    Some(Reading::unlabelled(day.iso(), &pages.cells[index]))
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
    (is_sure(cell) && misread::is_well_read(pages.cells)).then(|| Reading::unlabelled(amount.plain(), cell))
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
                return Some(Reading::unlabelled(joined, &pages.cells[run[start].cell]));
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
        Some(Reading::unlabelled(word.to_owned(), cell))
    })
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
        let (_, _, line) = address::line(pages)?;
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
    let cell = titled.or_else(over_address);
    cell.map(|cell| Reading::unlabelled(cell.text.clone(), cell))
        .or_else(|| pages.cells.iter().find_map(titled_in_prose))
}

/// The capitalised words behind a title in a sentence: "We confirm that Mr Liam Byrne holds".
fn titled_in_prose(cell: &Cell) -> Option<Reading> {
    if !is_sure(cell) {
        return None;
    }
    let words: Vec<&str> = cell.text.split_whitespace().collect();
    (0..words.len()).find_map(|at| {
        let title = sealwright_plugin_sdk::reading::fold(words[at]);
        let is_title = words[at].starts_with(char::is_uppercase) && TITLES.contains(&title.as_str());
        if !is_title {
            return None;
        }
        let is_name = |word: &&&str| word.starts_with(char::is_uppercase) && word.chars().count() > 1;
        let mut name = Vec::new();
        for word in words[at + 1..].iter().take(4).take_while(is_name) {
            name.push(word.trim_end_matches([',', '.', ';']));
            if word.ends_with([',', '.', ';']) {
                break;
            }
        }
        (name.len() >= 2).then(|| Reading::unlabelled(name.join(" "), cell))
    })
}
