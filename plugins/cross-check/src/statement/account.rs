//! Statements of an account: their period, their balances and the payments received.

use std::collections::BTreeSet;

use sealwright_plugin_sdk::reading::{
    Amount, Cell, find_amounts, fold,
    labels::{ValuePosition, labelled},
    text::has_words,
};

use super::{table, values::Statement};
use crate::date;

const TITLES: [&str; 12] = [
    "releve de compte",
    "releve de comptes",
    "releve bancaire",
    "extrait de compte",
    "releve d operations",
    "releve des operations",
    "account statement",
    "bank statement",
    "statement of account",
    "current account statement",
    "votre releve",
    "your statement",
];
const CREDIT: [&str; 10] = [
    "credit",
    "credits",
    "credit eur",
    "credit euros",
    "au credit",
    "money in",
    "paid in",
    "receipts",
    "recettes",
    "in",
];
const DEBIT: [&str; 10] = [
    "debit",
    "debits",
    "debit eur",
    "debit euros",
    "au debit",
    "money out",
    "paid out",
    "withdrawals",
    "depenses",
    "out",
];
const EITHER: [&str; 5] = ["montant", "amount", "montant eur", "amount gbp", "amount eur"];
const BALANCE: [&str; 4] = ["solde", "balance", "solde eur", "solde progressif"];
const OPENING: [&str; 9] = [
    "ancien solde",
    "solde precedent",
    "solde initial",
    "solde de depart",
    "solde d ouverture",
    "opening balance",
    "balance brought forward",
    "previous balance",
    "start balance",
];
const CLOSING: [&str; 8] = [
    "nouveau solde",
    "solde final",
    "solde de cloture",
    "solde crediteur",
    "closing balance",
    "balance carried forward",
    "new balance",
    "end balance",
];
const MOST_CREDITS: usize = 60;

/// Whether it is a statement of an account: it has its title, or the heads of its columns.
pub(super) fn is_statement(document_type: &str, cells: &[Cell], words: &BTreeSet<&str>) -> bool {
    if matches!(document_type, "PAYSLIP" | "TAX_NOTICE" | "COMPANY_REGISTRATION") {
        return false;
    }
    let is_titled = cells.iter().any(|cell| TITLES.iter().any(|title| has_words(&cell.folded, title)));
    let has_head = |heads: &[&str]| cells.iter().any(|cell| heads.contains(&cell.folded.as_str()));
    let has_columns = has_head(&CREDIT[..9]) && has_head(&DEBIT[..9]);
    (is_titled || has_columns) && !words.contains("bulletin") && !words.contains("payslip")
}

pub(super) fn state(statement: &mut Statement<'_>, month_first: bool) {
    let cells = statement.cells;
    let Some(first) = cells.first() else { return };
    statement.add("kind", "bank-statement".to_owned(), first, 95, None);
    let period = cells.iter().find_map(|cell| {
        let dates = date::find(&cell.text, month_first);
        let [(start, from), (end, to)] = &dates[..] else { return None };
        let between = fold(cell.text.get(from.end..to.start)?);
        (start < end && (between.is_empty() || matches!(between.as_str(), "au" | "to" | "until")))
            .then_some((*start, *end, cell))
    });
    if let Some((start, end, cell)) = period {
        statement.add("periodStart", start.iso(), cell, 90, None);
        statement.add("periodEnd", end.iso(), cell, 90, None);
    }
    for (kind, labels) in [("openingBalance", &OPENING[..]), ("closingBalance", &CLOSING[..])] {
        if let Some((amount, cell)) = labelled(cells, &[labels], ValuePosition::Last, Amount::read).into_iter().next() {
            statement.add(kind, amount.plain(), cell, 85, None);
        }
    }
    let mut count = 0;
    for cell in cells {
        let Some(amount) = only_amount(cell) else { continue };
        let line = table::line(cells, cell);
        let day = line.iter().find_map(|other| {
            let (day, range) = date::find(&other.text, month_first).into_iter().next()?;
            (range.start < 4).then_some(day)
        });
        let short_day = || line.first().is_some_and(|first| is_short_day(&first.text));
        if day.is_none() && !short_day() || !is_credit(cells, cell, amount) || count >= MOST_CREDITS {
            continue;
        }
        let text =
            line.iter().filter(|other| other.folded.chars().filter(|letter| letter.is_alphabetic()).count() >= 3);
        let text = text.map(|other| other.folded.as_str()).collect::<Vec<_>>().join(" ");
        count += 1;
        let group = Some(statement.group());
        statement.add("credit", Amount(amount.0.abs()).plain(), cell, 85, group);
        if let Some(day) = day {
            statement.add("creditDate", day.iso(), cell, 85, group);
        }
        statement.add("creditText", text, cell, 85, group);
    }
}

/// The amount of a cell with nothing else.
fn only_amount(cell: &Cell) -> Option<Amount> {
    let amounts = find_amounts(&cell.text);
    let [(amount, _)] = &amounts[..] else { return None };
    let letters = cell.folded.chars().filter(|letter| letter.is_alphabetic()).count();
    (letters <= 4).then_some(*amount)
}

/// `03/04` or `03.04` at the start of a line.
fn is_short_day(text: &str) -> bool {
    let word = text.split_whitespace().next().unwrap_or_default();
    let mut parts = word.split(['/', '.', '-']);
    let is_number = |part: Option<&str>, most: u8| {
        part.is_some_and(|part| part.len() <= 2 && part.parse::<u8>().is_ok_and(|number| (1..=most).contains(&number)))
    };
    is_number(parts.next(), 31) && is_number(parts.next(), 12)
}

/// Whether an amount is a payment received: by the head of its column, or by its sign.
fn is_credit(cells: &[Cell], cell: &Cell, amount: Amount) -> bool {
    let heads: Vec<(&Cell, u8)> = cells
        .iter()
        .filter(|other| other.page == cell.page && other.middle() < cell.middle())
        .filter_map(|other| {
            let is = |names: &[&str]| names.contains(&other.folded.as_str());
            let kind = match () {
                () if is(&CREDIT) => 0,
                () if is(&DEBIT) => 1,
                () if is(&EITHER) => 2,
                () if is(&BALANCE) => 3,
                () => return None,
            };
            Some((other, kind))
        })
        .collect();
    let distance = |head: &Cell| {
        let right = head.area.right().abs_diff(cell.area.right());
        let left = head.area.left.abs_diff(cell.area.left);
        let centre = |one: &Cell| i32::midpoint(one.area.left, one.area.right());
        right.min(left).min(centre(head).abs_diff(centre(cell)))
    };
    match heads.iter().min_by_key(|(head, _)| distance(head)).map(|(_, kind)| kind) {
        Some(0) => true,
        Some(2) => amount.0 > 0 && !cell.text.trim_end().ends_with('-'),
        Some(_) => false,
        None => cell.text.trim_start().starts_with('+'),
    }
}
