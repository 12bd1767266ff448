//! Amounts that do not add up: a forger who changes a total forgets the tax, and one who changes a line forgets the
//! total.

use sealwright_plugin_sdk::{
    findings::{Finding, found},
    reading::{
        Amount, Cell, find_amounts,
        labels::{self, ValuePosition, labelled},
    },
};

use crate::{Subject, report::Report};

const CODE: &str = "TOTAL";

const NET: [&[&str]; 2] =
    [&labels::NET, &["total net ht", "montant ht", "total excluding vat", "total hors taxes", "base ht", "total net"]];
const TAX: [&str; 8] = ["tva", "vat", "total tva", "montant tva", "value added tax", "tax", "total vat", "dont tva"];
const TOTAL: [&[&str]; 2] =
    [&labels::TOTAL, &["total", "montant ttc", "total incl vat", "total a payer", "total toutes taxes comprises"]];
const GROSS: [&str; 7] =
    ["salaire brut", "total brut", "gross pay", "total gross pay", "remuneration brute", "brut total", "gross"];
const DEDUCTIONS: [&str; 6] = [
    "total des cotisations et retenues",
    "total des cotisations",
    "total deductions",
    "total des retenues",
    "deductions",
    "total cotisations",
];
const PAID: [&[&str]; 2] = [&labels::PAID, &["net a payer au salarie", "net payable", "net salary"]];

/// The maximum rounding error of several lines, in hundredths.
const ROUNDING: i64 = 5;

pub(crate) fn check(subject: &Subject<'_>) -> Report {
    let read = |text: &str| last_amount(text).filter(|_| !subject.recognised || has_decimals(text) && is_whole(text));
    let amounts = |labels: &[&[&str]]| labelled(&subject.cells, labels, ValuePosition::Last, read);
    let mut sums = 0;
    let mut signs: Vec<(u8, Finding)> = Vec::new();
    let mut compare = |parts: Option<i64>, whole: Option<&(Amount, &Cell)>, text: &str| {
        let (Some(parts), Some((whole, cell))) = (parts, whole) else { return };
        sums += 1;
        if (parts - whole.0).abs() > ROUNDING {
            let evaluation = match (subject.recognised, cell.confidence) {
                (false, _) => 8,
                (true, 88..) => 38,
                (true, _) => 60,
            };
            signs.push((evaluation, found(CODE, text).at(cell.page, cell.place)));
        }
    };
    if subject.document_type == "PAYSLIP" {
        let (gross, deductions, paid) = (amounts(&[&GROSS]), amounts(&[&DEDUCTIONS]), amounts(&PAID));
        let parts = gross.last().zip(deductions.last()).map(|((gross, _), (taken, _))| gross.0 - taken.0.abs());
        compare(parts, paid.last(), "The net pay is not the gross pay minus the deductions.");
    } else {
        let (net, tax) = (amounts(&NET), amounts(&[&TAX]));
        let total: Vec<_> = amounts(&TOTAL)
            .into_iter()
            .filter(|(_, cell)| !net.iter().any(|(_, other)| other.area == cell.area))
            .collect();
        // Several rates have several lines of tax, each once.
        let taxes = (!tax.is_empty()).then(|| tax.iter().map(|(tax, _)| tax.0).sum::<i64>());
        let parts = net.last().zip(taxes).map(|((net, _), taxes)| net.0 + taxes);
        compare(parts, total.last(), "The total is not the net amount with the tax.");
        let lines = net.last().and_then(|(_, cell)| column_above(subject, cell));
        compare(lines, net.last(), "The net amount is not the sum of the lines above it.");
    }
    if sums == 0 {
        return Report::not_applicable(CODE, "No amounts were found that should add up.");
    }
    Report::of(signs, CODE, "The amounts that were found add up.")
}

fn last_amount(text: &str) -> Option<Amount> {
    find_amounts(text).last().map(|(amount, _)| *amount)
}

/// Text recognition sometimes loses a comma, which multiplies an amount by a hundred.
fn has_decimals(text: &str) -> bool {
    find_amounts(text).last().is_some_and(|(_, place)| {
        text[place.clone()].chars().rev().nth(2).is_some_and(|letter| letter == ',' || letter == '.')
    })
}

/// Text recognition sometimes reads a digit as a symbol: "1 #72,00" is not 72.00.
fn is_whole(text: &str) -> bool {
    find_amounts(text).last().is_some_and(|(_, place)| {
        let before = text[..place.start].chars().next_back();
        before.is_none_or(|sign| sign.is_whitespace() || "€£$+-−(:|".contains(sign))
    })
}

/// The sum of the amounts in the column above a cell, right-aligned and without a gap. None if there are fewer than
/// two, or if other sums are among them.
fn column_above(subject: &Subject<'_>, sum: &Cell) -> Option<i64> {
    let mut column: Vec<&Cell> = subject
        .cells
        .iter()
        .filter(|cell| {
            cell.page == sum.page
                && cell.middle() < sum.middle()
                && cell.area.right().abs_diff(sum.area.right()) < 500
                && last_amount(&cell.text).is_some()
        })
        .collect();
    column.sort_by_key(|cell| std::cmp::Reverse(cell.middle()));
    let mut last = sum.middle();
    let mut parts = Vec::new();
    for cell in column {
        if last - cell.middle() > 3_200 {
            break;
        }
        last = cell.middle();
        parts.push(last_amount(&cell.text)?.0);
    }
    let labels = subject
        .cells
        .iter()
        .filter(|cell| cell.page == sum.page && cell.middle() < sum.middle() && cell.middle() >= last);
    let has_other_sum = labels.clone().any(|cell| {
        ["total", "sous total", "subtotal", "remise", "discount", "acompte", "report"]
            .iter()
            .any(|word| cell.folded.starts_with(word))
    });
    (parts.len() >= 2 && !has_other_sum).then(|| parts.iter().sum())
}
