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
mod values;

use sealwright_plugin_sdk::facts::{Document, StatedValue};

use self::values::Statement;
use crate::{date, fields::field_of, reader::Reader};

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
    let mut statement = Statement::new(cells);
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
    statement.into_values()
}

fn fields(statement: &mut Statement<'_>, reader: &Reader<'_>, codes: &[&str]) {
    for field in codes.iter().filter_map(|code| field_of(code)) {
        if let Some(reading) = reader.read(field) {
            statement.read(field.code, field.kind, &reading, None);
        }
    }
}
