//! Everything that a document states (`cross-statement` of the contract), so that the documents of a case can be compared
//! with each other. Only what has its own label, form or place is stated as a value; what is merely somewhere on the
//! pages is mentioned ([`mentions`]), which can confirm another document but never contradict it.

mod account;
mod company;
mod mentions;
mod payslip;
mod person;
mod table;
#[cfg(test)]
mod tests;

use sealwright_plugin_sdk::{
    facts::{Document, Origin, StatedValue},
    findings::Place,
    reading::{Amount, Cell, Date, fold},
};

use crate::{
    date,
    fields::{Kind, field_of},
    labelled::{self, Reading},
    reader::Reader,
};

/// The contract's limits of an answer, and of one value, in bytes.
const MOST_VALUES: usize = 500;
const MOST_BYTES: usize = 64 * 1024;
const MOST_VALUE_BYTES: usize = 1024;
/// Tables are searched in time that grows with the square of the number of cells.
const MOST_CELLS: usize = 6_000;

/// Fields that are read as a cross-check reads them, whatever the type of the document is.
const FIELDS: [&str; 9] = [
    "birthDate",
    "iban",
    "bic",
    "invoiceNumber",
    "issueDate",
    "totalAmount",
    "companyName",
    "policyNumber",
    "registrationNumber",
];
/// Fields of cards. On other papers the same labels mean something else.
const CARD_FIELDS: [&str; 6] = ["documentNumber", "expiryDate", "nationality", "address", "postCode", "city"];
const CARDS: [&str; 4] = ["IDENTITY_CARD", "PASSPORT", "RESIDENCE_PERMIT", "DRIVING_LICENCE"];

/// The values that a document states.
pub(crate) fn all(document: &Document, document_type: &str) -> Vec<StatedValue> {
    let reader = Reader::new(document, document_type);
    let cells = &reader.cells[..reader.cells.len().min(MOST_CELLS)];
    let month_first = date::is_month_first(cells);
    let mut statement = Statement { cells, values: Vec::new(), room: MOST_BYTES, groups: 0 };
    let is_card = CARDS.contains(&document_type);
    fields(&mut statement, &reader, &FIELDS);
    if is_card {
        fields(&mut statement, &reader, &CARD_FIELDS);
    }
    let words = mentions::folded(cells);
    person::state(&mut statement, &reader, &words, is_card);
    company::state(&mut statement, document_type);
    if payslip::is_one(document_type, &words) {
        payslip::state(&mut statement, &reader);
    }
    if account::is_statement(document_type, cells, &words) {
        account::state(&mut statement, month_first);
    }
    mentions::state(&mut statement, month_first, &words);
    statement.values
}

fn fields(statement: &mut Statement<'_>, reader: &Reader<'_>, codes: &[&str]) {
    for field in codes.iter().filter_map(|code| field_of(code)) {
        if let Some(reading) = reader.read(field) {
            statement.read(field.code, field.kind, &reading, None);
        }
    }
}

/// The values so far, within the limits of an answer.
pub(crate) struct Statement<'c> {
    pub(crate) cells: &'c [Cell],
    values: Vec<StatedValue>,
    room: usize,
    groups: u32,
}

impl Statement<'_> {
    /// A number for values that belong together.
    pub(crate) fn group(&mut self) -> u32 {
        self.groups += 1;
        self.groups
    }

    /// Adds a value that was read in a cell. Recognised text is at most as sure as its recognition.
    pub(crate) fn add(&mut self, kind: &str, value: String, cell: &Cell, score: u8, group: Option<u32>) {
        let origin = if labelled::is_recognised(cell) { Origin::Recognised } else { Origin::OwnText };
        let place = Some(Place { page: cell.page, area: Some(cell.place) });
        let text = cell.text.clone();
        self.push(StatedValue { kind: kind.to_owned(), text, value, place, origin, score, group }, cell.confidence);
    }

    /// Adds a value that is on no certain place.
    pub(crate) fn add_words(&mut self, kind: &str, value: String, origin: Origin) {
        let (text, place, group) = (String::new(), None, None);
        self.push(StatedValue { kind: kind.to_owned(), text, value, place, origin, score: 100, group }, 100);
    }

    /// Adds a field as a cross-check reads it.
    pub(crate) fn read(&mut self, kind: &str, form: Kind, reading: &Reading, group: Option<u32>) {
        let place = reading.place;
        let cell =
            self.cells.iter().find(|cell| cell.page == place.page && place.area.is_some_and(|area| area == cell.place));
        let (origin, confidence) = match cell {
            Some(cell) if labelled::is_recognised(cell) => (Origin::Recognised, cell.confidence),
            Some(_) => (Origin::OwnText, 100),
            // The check digits of a zone cover its numbers and dates.
            None if reading.score >= 96 => (Origin::MachineCode, 100),
            None => (Origin::Recognised, reading.score),
        };
        let plain = labelled::plain(form, &reading.value);
        let value = match form {
            Kind::Date if Date::read(&plain).is_some() => plain,
            Kind::Amount if Amount::read(&plain).is_some() => plain,
            Kind::Account | Kind::Bank => plain,
            _ => fold(&reading.value),
        };
        let text = reading.value.clone();
        let stated =
            StatedValue { kind: kind.to_owned(), text, value, place: Some(place), origin, score: reading.score, group };
        self.push(stated, confidence);
    }

    fn push(&mut self, mut stated: StatedValue, confidence: u8) {
        stated.text.truncate(stated.text.floor_char_boundary(MOST_VALUE_BYTES));
        stated.value.truncate(stated.value.floor_char_boundary(MOST_VALUE_BYTES));
        stated.score = stated.score.min(confidence);
        let bytes = stated.text.len() + stated.value.len();
        let is_known = self.values.iter().any(|other| {
            other.kind == stated.kind
                && other.value == stated.value
                && stated.group.is_none()
                && other.score >= stated.score
        });
        if stated.value.is_empty() || is_known || bytes > self.room || self.values.len() >= MOST_VALUES {
            return;
        }
        self.room -= bytes;
        self.values.push(stated);
    }
}
