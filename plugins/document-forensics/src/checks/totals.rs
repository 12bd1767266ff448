//! Amounts that do not add up: a forger who changes a total forgets the tax, and one who changes a line forgets the
//! total. Papers add in many ways, so an amount is accused only if nothing near it explains it while other sums and
//! products of the same paper hold.

mod relations;

use sealwright_plugin_sdk::{
    findings::found,
    reading::{
        Amount, Cell, find_amounts,
        labels::{self, ValuePosition, labelled},
        text::has_words,
    },
};

use crate::{
    report::{Report, Sign, WEAK, sign},
    subject::Subject,
};
use relations::{Entry, entries, follows, is_copied_with_one_digit_off, is_explained, is_one_digit_off, reaches, rows};

const CODE: &str = "TOTAL";
/// Recognised text that is less sure than this has misread digits.
const SURE: u8 = 85;

const NET: [&[&str]; 2] = [
    &labels::NET,
    &[
        "total net ht",
        "montant ht",
        "total excluding vat",
        "total hors taxes",
        "base ht",
        "total net",
        "sub total",
        "net total",
        "zwischensumme",
        "nettobetrag",
        "imponibile",
        "base imponible",
        "subtotaal",
        "totaal excl",
    ],
];
const TOTAL: [&[&str]; 2] = [
    &labels::TOTAL,
    &[
        "total",
        "montant ttc",
        "montant de l impot",
        "total incl vat",
        "total a payer",
        "total toutes taxes comprises",
        "montant total",
        "montant a payer",
        "amount payable",
        "total payable",
        "invoice total",
        "total amount",
        "total charges",
        "new charges",
        "gesamtbetrag",
        "rechnungsbetrag",
        "gesamtsumme",
        "importe total",
        "total factura",
        "totale",
        "totaal",
        "te betalen",
        "total a pagar",
        "valor total",
    ],
];
const GROSS: [&str; 9] = [
    "total gross",
    "salaire brut total",
    "salaire brut",
    "total brut",
    "gross pay",
    "total gross pay",
    "remuneration brute",
    "brut total",
    "gross",
];
const DEDUCTIONS: [&str; 6] = [
    "total des cotisations et retenues",
    "total des cotisations",
    "total deductions",
    "total des retenues",
    "deductions",
    "total cotisations",
];
const PAID: [&[&str]; 2] = [&labels::PAID, &["net a payer au salarie", "net payable", "net salary"]];

/// Labels of the net pay that mean something else with more words.
const SHORT: [&str; 6] = ["net", "netto", "nettolohn", "auszahlungsbetrag", "take home", "net paye"];

/// What was found to hold and to break.
#[derive(Default)]
struct Sums {
    holding: usize,
    signs: Vec<Sign>,
}

pub(crate) fn check(subject: &Subject<'_>) -> Report {
    let is_read = |cell: &Cell| {
        !subject.recognised || cell.confidence >= SURE && has_decimals(&cell.text) && is_whole(&cell.text)
    };
    let is_whole_numbers = subject.document_type == "TAX_NOTICE" && !subject.recognised;
    let all = entries(&subject.cells, is_read, is_whole_numbers);
    let mut sums = Sums::default();
    products(subject, &mut sums);
    if subject.document_type == "PAYSLIP" {
        payslip(subject, &all, &mut sums);
    } else {
        totals(subject, &all, &mut sums);
    }
    contradictions(subject, &mut sums);
    changed_digits(&all, &mut sums);
    if sums.holding + sums.signs.len() == 0 {
        return Report::not_applicable(CODE, "No amounts were found that should add up.");
    }
    if subject.recognised {
        // A misread digit is likelier than a wrong sum.
        sums.signs.iter_mut().for_each(|sign| sign.decibans = sign.decibans.min(9.0));
    }
    Report::of(sums.signs, CODE, "The amounts that were found add up.")
}

/// One row whose amount is not quantity times price, among several where it is.
fn products(subject: &Subject<'_>, sums: &mut Sums) {
    let rows = rows(&subject.lines());
    let broken: Vec<&Cell> = rows.iter().filter(|row| !row.holds).map(|row| row.cell).collect();
    let holding = rows.len() - broken.len();
    sums.holding += holding;
    if let [cell] = broken[..]
        && holding >= 2
    {
        let decibans = if holding >= 3 { 16.0 } else { 13.0 };
        let text = "The amount of one line is not quantity times price, although the amounts of the other lines are.";
        sums.signs.push(sign(decibans, found("PRODUCT", text).at(cell.page, cell.place)));
    }
}

/// Totals that nothing explains, and net amounts if the lines above them are known.
fn totals(subject: &Subject<'_>, all: &[Entry<'_>], sums: &mut Sums) {
    let named = |labels: &[&[&str]]| -> Vec<Entry<'_>> {
        let mut named: Vec<Entry<'_>> = Vec::new();
        let mut cells: Vec<(i64, &Cell)> = labelled(&subject.cells, labels, ValuePosition::Last, last_amount)
            .into_iter()
            .map(|(amount, cell)| (amount.0, cell))
            .collect();
        if labels.len() > NET.len() {
            cells.extend(demanded(subject));
        }
        for (amount, cell) in cells {
            let is_it = |entry: &&Entry<'_>| std::ptr::eq(entry.cell, cell) && entry.value.abs() == amount.abs();
            if let Some(entry) = all.iter().rev().find(is_it)
                && !named.iter().any(|other| std::ptr::eq(other.cell, entry.cell))
            {
                named.push(*entry);
            }
        }
        named
    };
    let nets = named(&NET);
    let mut totals = named(&[TOTAL[0], TOTAL[1], &[]]);
    totals.retain(|total| !nets.iter().any(|net| std::ptr::eq(net.cell, total.cell)));
    let lines_hold = sums.holding >= 2;
    let (mut unexplained, mut holding): (Vec<&Entry<'_>>, usize) = (Vec::new(), 0);
    for (target, is_net) in nets.iter().map(|net| (net, true)).chain(totals.iter().map(|total| (total, false))) {
        match (is_explained(target, all), is_net) {
            (true, _) => holding += 1,
            (false, true) if !lines_hold => {}
            (false, _) => unexplained.push(target),
        }
    }
    let taxes = rates(subject, all);
    let is_target = |entry: &Entry<'_>| nets.iter().chain(&totals).any(|target| std::ptr::eq(target.cell, entry.cell));
    let others = all.iter().filter(|entry| !is_target(entry) && follows(entry, all)).count();
    sums.holding += holding + taxes + others;
    // The same amount printed twice is one.
    let mut values: Vec<i64> = unexplained.iter().map(|entry| entry.value).collect();
    values.sort_unstable();
    values.dedup();
    let parts = all.iter().filter(|entry| !values.contains(&entry.value)).count();
    let Some(first) = unexplained.first() else { return };
    let is_above = |entry: &&Entry<'_>| {
        entry.right.abs_diff(first.right) < 500
            && entry.cell.page == first.cell.page
            && entry.cell.middle() < first.cell.middle()
            && entry.cell.middle() + 15_000 > first.cell.middle()
    };
    let column = all.iter().filter(is_above).count();
    if values.len() == 1 && parts >= 2 {
        let decibans = match (sums.holding, taxes > 0 && !nets.is_empty()) {
            // A tax follows from a scale more often than from a sum, and a bill carries balances over.
            _ if subject.document_type == "TAX_NOTICE" => 2.5,
            _ if subject.document_type == "PROOF_OF_ADDRESS" => {
                let net_holds = nets.iter().any(|net| is_explained(net, all));
                if net_holds && taxes > 0 { 13.0 } else { 9.0 }
            }
            (_, true) | (2.., _) => 17.0,
            (1, _) => 13.0,
            // Nothing else holds, but a column of amounts ends with it.
            (0, _) if column >= 3 => 12.0,
            (0, _) => 8.0,
        };
        let text = "A total is not the sum of the amounts around it.";
        sums.signs.push(sign(decibans, found(CODE, text).at(first.cell.page, first.cell.place)));
    } else if values.len() == 2 && sums.holding >= 2 {
        let text = "Two totals are not the sums of the amounts around them.";
        sums.signs.push(sign(WEAK, found(CODE, text).at(first.cell.page, first.cell.place)));
    }
}

/// The last amount of a column that nothing explains, and that is its sum except for one digit.
fn changed_digits(all: &[Entry<'_>], sums: &mut Sums) {
    let changed = all.iter().find(|entry| !is_explained(entry, all) && is_one_digit_off(entry, all));
    if let Some(entry) = changed {
        let text = "An amount is the sum of those above it except for one digit.";
        sums.signs.push(sign(18.0, found("DIGIT", text).at(entry.cell.page, entry.cell.place)));
    }
    let copied = all.iter().find(|entry| !is_explained(entry, all) && is_copied_with_one_digit_off(entry, all));
    if let Some(entry) = copied {
        let text = "An amount is the sum above it except for one digit.";
        sums.signs.push(sign(16.0, found("DIGIT", text).at(entry.cell.page, entry.cell.place)));
    }
}

/// Amounts whose label says that they are to be paid, wherever in it.
fn demanded<'s>(subject: &'s Subject<'_>) -> Vec<(i64, &'s Cell)> {
    const DEMANDS: [&str; 14] = [
        "a payer",
        "a regler",
        "montant du",
        "solde du",
        "amount due",
        "balance due",
        "total due",
        "to pay",
        "payable",
        "account is in debit",
        "zu zahlen",
        "te betalen",
        "a pagar",
        "da pagare",
    ];
    let asks =
        |cell: &Cell| DEMANDS.iter().any(|words| has_words(&cell.folded, words)) && cell.text.chars().count() < 60;
    let of_line = |label: &'s Cell| {
        let right =
            subject.cells.iter().filter(move |cell| cell.area.left >= label.area.right() && label.is_next_to(cell));
        right
            .chain([label])
            .filter_map(|cell| Some((last_amount(&cell.text)?.0, cell)))
            .max_by_key(|(_, cell)| cell.area.left)
    };
    subject.cells.iter().filter(|cell| asks(cell)).filter_map(of_line).collect()
}

/// How many taxes are their rate of an amount of the page.
fn rates(subject: &Subject<'_>, all: &[Entry<'_>]) -> usize {
    let percent = |text: &str| -> Option<i64> {
        let at = text.find('%')?;
        let number: String = text[..at]
            .trim_end()
            .chars()
            .rev()
            .take_while(|letter| letter.is_ascii_digit() || matches!(letter, ',' | '.'))
            .collect();
        let number: String = number.chars().rev().collect::<String>().replace(',', ".");
        let (whole, rest) = number.split_once('.').unwrap_or((&number, "0"));
        let rest = rest.chars().chain("00".chars()).take(2).collect::<String>();
        Some(whole.parse::<i64>().ok()? * 100 + rest.parse::<i64>().ok()?)
    };
    subject
        .cells
        .iter()
        .filter_map(|cell| Some((percent(&cell.text)?, cell)))
        .filter(|(rate, cell)| {
            *rate > 0
                && all.iter().filter(|tax| tax.cell.is_next_to(cell)).any(|tax| {
                    all.iter().any(|net| net.value > tax.value && (net.value * rate / 10_000 - tax.value).abs() <= 1)
                })
        })
        .count()
}

/// Gross pay less deductions is the net pay, perhaps with a few amounts in between: the tax that is withheld,
/// allowances, and what was paid in advance.
fn payslip(subject: &Subject<'_>, all: &[Entry<'_>], sums: &mut Sums) {
    let amounts = |labels: &[&[&str]]| labelled(&subject.cells, labels, ValuePosition::Last, last_amount);
    let (gross, deductions, paid) = (amounts(&[&GROSS]), amounts(&[&DEDUCTIONS]), amounts(&PAID));
    let values: Vec<i64> = all.iter().map(|entry| entry.value.abs()).collect();
    // Each amount once: the same one is printed in several boxes.
    let mut distinct = values.clone();
    distinct.sort_unstable();
    distinct.dedup();
    let is_sum = |whole: i64| {
        let rest: Vec<i64> = distinct.iter().copied().filter(|value| *value != whole && *value != 0).collect();
        let from_labels = gross.iter().any(|(gross, _)| {
            deductions.iter().any(|(taken, _)| {
                let net = gross.0 - taken.0.abs();
                (net - whole).abs() <= 1 || rest.iter().any(|other| ((net - whole).abs() - other).abs() <= 1)
            })
        });
        from_labels || reaches(&rest, whole, 2)
    };
    let short = subject.cells.iter().filter(|cell| SHORT.contains(&cell.folded.as_str())).filter_map(|label| {
        let right = subject.cells.iter().filter(|cell| cell.area.left >= label.area.right() && label.is_next_to(cell));
        right.filter_map(|cell| Some((last_amount(&cell.text)?.0, cell))).max_by_key(|(_, cell)| cell.area.left)
    });
    sums.holding += all.iter().filter(|entry| follows(entry, all)).count();
    let net: Vec<(i64, &Cell)> = paid
        .iter()
        .map(|(amount, cell)| (amount.0, *cell))
        .chain(short)
        .filter(|(amount, _)| values.contains(amount))
        .collect();
    for (amount, cell) in net {
        let is_explained = all.iter().any(|entry| std::ptr::eq(entry.cell, cell) && is_explained(entry, all));
        // The net before tax, less the tax, with what is refunded: the amounts between two labels of net pay.
        let from_another = || {
            paid.iter().filter(|(base, _)| base.0 != amount).any(|(base, other)| {
                let is_between = |entry: &&Entry<'_>| {
                    entry.cell.page == cell.page
                        && entry.cell.middle() > other.middle()
                        && entry.cell.middle() < cell.middle()
                };
                let between =
                    all.iter().filter(is_between).map(|entry| entry.value.abs()).filter(|value| *value != base.0);
                let mut parts: Vec<i64> = between.take(8).collect();
                parts.push(base.0);
                reaches(&parts, amount, 4)
            })
        };
        if is_explained || is_sum(amount) || from_another() {
            sums.holding += 1;
        } else if (!gross.is_empty() || sums.holding > 0) && all.len() >= 4 {
            // Refunds are small.
            let is_above_gross = gross.iter().any(|(gross, _)| gross.0 > 0 && amount > gross.0 + gross.0 / 3);
            let decibans = match deductions.is_empty() && sums.holding < 3 {
                _ if is_above_gross => 17.0,
                true => 9.0,
                false => 14.0,
            };
            let text = "The net pay is not the gross pay minus the deductions.";
            sums.signs.push(sign(decibans, found(CODE, text).at(cell.page, cell.place)));
        }
    }
}

/// The same label with another amount on another page.
fn contradictions(subject: &Subject<'_>, sums: &mut Sums) {
    let totals = labelled(&subject.cells, &[&labels::TOTAL, &labels::PAID], ValuePosition::Last, last_amount);
    let named: Vec<(&str, i64, &Cell)> = totals
        .iter()
        .filter_map(|(amount, cell)| {
            let label =
                subject.cells.iter().filter(|label| label.is_next_to(cell)).min_by_key(|label| label.area.left)?;
            Some((label.folded.as_str(), amount.0, *cell))
        })
        .collect();
    for (index, (label, amount, cell)) in named.iter().enumerate() {
        let other = named[..index]
            .iter()
            .find(|(other, value, place)| other == label && value != amount && place.page != cell.page);
        if other.is_some() && label.len() >= 8 {
            let text = "A total differs from the one with the same label on another page.";
            sums.signs.push(sign(13.0, found("TOTALS_DIFFER", text).at(cell.page, cell.place)));
        }
    }
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
