//! Which field a date or an amount is the value of, by what is before, left of or above it.

use sealwright_plugin_sdk::reading::text::has_words;

use crate::{
    fields::{FIELDS, Kind, abroad},
    search::{Occurrence, Pages},
};

/// What a value is.
pub(crate) enum Role {
    Unknown,
    /// The code of a field.
    Of(&'static str),
    /// A label of something that is not a field.
    Other,
}

/// What the text before, left of or above a value of a kind says that it is.
pub(crate) fn role(kind: Kind, pages: &Pages<'_>, occurrence: &Occurrence) -> Role {
    let cell = &pages.cells[occurrence.cell];
    let tail = |text: &str| {
        let start = text.char_indices().rev().nth(39).map_or(0, |(at, _)| at);
        text[start..].to_owned()
    };
    if occurrence.before.chars().any(char::is_alphabetic) {
        return role_of(kind, &tail(&occurrence.before));
    }
    let left = pages.cells[..occurrence.cell].iter().rev().take(12);
    let left = left.filter(|other| other.is_next_to(cell) && other.folded.chars().any(char::is_alphabetic));
    if let Some(label) = left.max_by_key(|other| other.area.left) {
        return role_of(kind, &label.folded);
    }
    let above = pages.cells[..occurrence.cell].iter().rev().take(40).filter(|other| {
        let up = cell.middle() - other.middle();
        other.page == cell.page
            && up > i32::try_from(cell.area.height / 2).unwrap_or(0)
            && up < i32::try_from(cell.area.height).unwrap_or(1_000).saturating_mul(3)
            && other.area.left < cell.area.right()
            && cell.area.left < other.area.right()
    });
    above.max_by_key(|other| other.middle()).map_or(Role::Unknown, |label| role_of(kind, &label.folded))
}

/// The longest known label in a text. The label of an amount says nothing about a date next to it, and the other way
/// round.
fn role_of(kind: Kind, text: &str) -> Role {
    let has = |label: &&str| label.len() > 3 && has_words(text, label);
    let fields = FIELDS.iter().filter(|field| field.kind == kind);
    let labels = fields.flat_map(|field| field.labels().map(move |label| (label, Role::Of(field.code))));
    let others: &[&str] = if kind == Kind::Date { &OTHER_DATES } else { &OTHER_AMOUNTS };
    let abroad: &[&str] = if kind == Kind::Amount { &abroad::NET } else { &[] };
    let others = others.iter().chain(abroad).map(|label| (*label, Role::Other));
    let known = labels.chain(others).filter(|(label, _)| has(label) || label == &text);
    known.max_by_key(|(label, _)| label.len()).map_or(Role::Unknown, |(_, role)| role)
}

/// Labels of dates that are not a field's.
const OTHER_DATES: [&str; 13] = [
    "due date",
    "payment due",
    "echeance",
    "date d echeance",
    "a payer avant",
    "pay by",
    "faelligkeit",
    "zahlbar bis",
    "vencimiento",
    "scadenza",
    "vervaldatum",
    "periode",
    "billing period",
];

/// Labels of amounts that are not a field's.
const OTHER_AMOUNTS: [&str; 28] = [
    "subtotal",
    "sub total",
    "sous total",
    "total ht",
    "montant ht",
    "hors taxes",
    "zwischensumme",
    "netto",
    "nettobetrag",
    "base imponible",
    "imponibile",
    "subtotaal",
    "excl",
    "tva",
    "vat",
    "mwst",
    "ust",
    "iva",
    "btw",
    "remise",
    "discount",
    "acompte",
    "deposit",
    "change",
    "rounding",
    "rounding adj",
    "especes",
    "rendu",
];
