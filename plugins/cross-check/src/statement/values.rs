//! The values that a document states, within the limits of an answer.

use sealwright_plugin_sdk::{
    facts::{Origin, StatedValue},
    findings::Place,
    reading::{Amount, Cell, Date, fold},
};

use crate::{
    fields::Kind,
    labelled::{self, Reading},
};

/// The contract's limits of an answer, and of one value, in bytes.
const MOST_VALUES: usize = 500;
const MOST_BYTES: usize = 64 * 1024;
pub(super) const MOST_VALUE_BYTES: usize = 1024;

/// The values so far, within the limits of an answer.
pub(super) struct Statement<'c> {
    pub(super) cells: &'c [Cell],
    values: Vec<StatedValue>,
    room: usize,
    groups: u32,
}

impl<'c> Statement<'c> {
    /// A statement without values, read from `cells`.
    pub(super) fn new(cells: &'c [Cell]) -> Self {
        Self { cells, values: Vec::new(), room: MOST_BYTES, groups: 0 }
    }

    pub(super) fn into_values(self) -> Vec<StatedValue> {
        self.values
    }

    /// A number for values that belong together.
    pub(super) fn group(&mut self) -> u32 {
        self.groups += 1;
        self.groups
    }

    /// Adds a value that was read in a cell. Recognised text is at most as sure as its recognition.
    pub(super) fn add(&mut self, kind: &str, value: String, cell: &Cell, score: u8, group: Option<u32>) {
        let origin = if labelled::is_recognised(cell) { Origin::Recognised } else { Origin::OwnText };
        let place = Some(Place { page: cell.page, area: Some(cell.place) });
        let text = cell.text.clone();
        self.push(StatedValue { kind: kind.to_owned(), text, value, place, origin, score, group }, cell.confidence);
    }

    /// Adds a value that is on no certain place.
    pub(super) fn add_words(&mut self, kind: &str, value: String, origin: Origin) {
        let (text, place, group) = (String::new(), None, None);
        self.push(StatedValue { kind: kind.to_owned(), text, value, place, origin, score: 100, group }, 100);
    }

    /// Adds a field as a cross-check reads it.
    pub(super) fn read(&mut self, kind: &str, form: Kind, reading: &Reading, group: Option<u32>) {
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
