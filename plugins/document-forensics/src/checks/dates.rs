//! Dates that cannot follow each other.

use sealwright_plugin_sdk::{
    findings::{Finding, found},
    reading::{
        Cell, Date,
        labels::{self, ValuePosition, labelled},
    },
};

use crate::{Subject, report::Report};

const CODE: &str = "DATE_ORDER";

/// The purpose of a date, by its label (folded): the shared labels, and others that imply an order but are not fields.
const ISSUED: [&[&str]; 2] = [
    &labels::ISSUED,
    &[
        "4a",
        "date d effet",
        "effective date",
        "cover starts",
        "valable du",
        "date of registration",
        "date du certificat",
        "valid from",
        "a compter du",
        "date de souscription",
        "issued",
    ],
];
const ENDS: [&[&str]; 2] = [
    &labels::EXPIRES,
    &[
        "echeance",
        "due date",
        "payable by",
        "payment due",
        "a regler avant le",
        "a payer avant le",
        "preleve le",
        "we will collect on",
        "date limite de paiement",
        "pay by",
        "to be paid by",
        "until",
        "end of cover",
        "date limite",
    ],
];

pub(crate) fn check(subject: &Subject<'_>) -> Report {
    let dates = |labels: &[&[&str]]| labelled(&subject.cells, labels, ValuePosition::Next, Date::read);
    let (issued, ends, births) = (dates(&ISSUED), dates(&ENDS), dates(&[&labels::BORN]));
    if issued.len() + ends.len() + births.len() == 0 {
        return Report::not_applicable(CODE, "No date was found whose purpose is known.");
    }
    let mut signs: Vec<(u8, Finding)> = Vec::new();
    let mut say = |evaluation: u8, cell: &Cell, text: &str| {
        // A misread digit is likelier than a careless forger.
        let evaluation = if subject.recognised && cell.confidence < 85 { evaluation + 40 } else { evaluation };
        signs.push((evaluation, found(CODE, text).at(cell.page, cell.place)));
    };
    for (end, cell) in &ends {
        if let Some((issue, _)) = issued.iter().min_by_key(|(issue, _)| *issue)
            && *end < *issue
        {
            say(10, cell, "It ends, or is to be paid, before it was issued.");
        }
    }
    for (issue, cell) in &issued {
        // Two days for time zones; insurance and contracts start in the future, but papers are not issued there.
        if issue.day_number() > subject.today.day_number() + 2 && !cell_is_future(cell) {
            say(25, cell, "It was issued after it was received.");
        }
    }
    for (birth, cell) in &births {
        if *birth > subject.today {
            say(5, cell, "A date of birth is in the future.");
        }
        if issued.iter().any(|(issue, _)| issue < birth) {
            say(10, cell, "It was issued before its holder was born.");
        }
    }
    Report::of(signs, CODE, "The dates that were found can follow each other.")
}

/// Labels of a start date, which may be in the future.
fn cell_is_future(cell: &Cell) -> bool {
    ["effet", "effective", "starts", "valable du", "valid from", "compter", "souscription"]
        .iter()
        .any(|word| cell.folded.contains(word))
}
