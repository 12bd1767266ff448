//! Reads the fields of decisions 13 from documents, and verifies what was entered ([`verify`]): the entered value is
//! searched for on the pages ([`search`]). If it is not there, the value that is stated instead is read. Where that can be: in
//! the machine-readable zone, next to its label ([`labelled`]), or in an address block ([`block`]). The labels of the
//! fields are in [`fields`], what counts as the same in [`compare`]. Everything that a document states is read by
//! [`statement`].

mod account;
mod block;
mod card;
mod compare;
mod date;
mod fields;
mod labelled;
mod misread;
mod reader;
mod role;
mod search;
mod stated;
mod statement;
#[cfg(test)]
mod tests;
mod value;
mod verify;

use fields::field_of;
use reader::Reader;
use sealwright_plugin_sdk::{
    cross_check::{
        Comparison, CrossChecker, Entry, Error, ExtractedField, Pair, StatementReader, Verification, Verifier,
    },
    facts::{Document, StatedValue},
};

pub struct FieldCrossCheck;
sealwright_plugin_sdk::export_cross_check!(FieldCrossCheck);
sealwright_plugin_sdk::export_cross_verification!(FieldCrossCheck);
sealwright_plugin_sdk::export_cross_statement!(FieldCrossCheck);

impl CrossChecker for FieldCrossCheck {
    fn extract(
        document: &Document,
        document_type: &str,
        wanted: &[String],
        _settings: &str,
    ) -> Result<Vec<ExtractedField>, Error> {
        let page = Reader::new(document, document_type);
        let known = wanted.iter().filter_map(|code| field_of(code));
        Ok(known
            .filter_map(|field| {
                let reading = page.read(field)?;
                let value = labelled::plain(field.kind, &reading.value);
                Some(ExtractedField {
                    code: field.code.to_owned(),
                    value,
                    place: Some(reading.place),
                    score: reading.score,
                })
            })
            .collect())
    }

    fn compare(pairs: &[Pair], _settings: &str) -> Result<Vec<Comparison>, Error> {
        Ok(compare::all(pairs))
    }
}

impl Verifier for FieldCrossCheck {
    fn verify(
        document: &Document,
        document_type: &str,
        entries: &[Entry],
        _settings: &str,
    ) -> Result<Vec<Verification>, Error> {
        Ok(verify::all(&Reader::new(document, document_type), entries))
    }
}

impl StatementReader for FieldCrossCheck {
    fn state(document: &Document, document_type: &str, _settings: &str) -> Result<Vec<StatedValue>, Error> {
        Ok(statement::all(document, document_type))
    }
}
