//! Payslips: who pays whom for which month how much, and the sums of the year.

use std::collections::BTreeSet;

use sealwright_plugin_sdk::reading::{
    Amount, Cell, Date, find_amounts, fold,
    labels::{ValuePosition, labelled},
    text::{has_words, squeeze},
};

use super::{company, table, values::Statement};
use crate::{date, fields::field_of, labelled as by_label, reader::Reader};

const EMPLOYER: [&str; 7] =
    ["employeur", "nom de l employeur", "raison sociale", "entreprise", "employer", "employer name", "company"];
const PAID_ON: [&str; 14] = [
    "date de paiement",
    "date paiement",
    "paiement le",
    "paye le",
    "payee le",
    "date de versement",
    "verse le",
    "virement le",
    "date de virement",
    "pay date",
    "payment date",
    "date paid",
    "date of payment",
    "paid on",
];
const ENTERED: [&str; 14] = [
    "date d entree",
    "date entree",
    "entree le",
    "date d embauche",
    "embauche le",
    "entree",
    "anciennete",
    "date d anciennete",
    "date anciennete",
    "start date",
    "date of joining",
    "hire date",
    "employed since",
    "date started",
];
/// The most specific first: what is transferred, after tax.
const NET: [&str; 17] = [
    "net paye en euros",
    "net paye au salarie",
    "net a payer au salarie",
    "net a payer apres impot",
    "montant net verse",
    "montant verse",
    "montant vire",
    "net verse",
    "net paye",
    "net a payer en euros",
    "net a payer",
    "net pay",
    "take home pay",
    "net payable",
    "amount paid",
    "net wages",
    "net salary",
];
/// Labels that begin like those of the net pay, and mean something else.
const NOT_NET: [&str; 5] =
    ["net a payer avant", "net paye avant", "net a payer social", "net imposable", "montant net social"];
const GROSS: [&str; 9] = [
    "salaire brut",
    "total brut",
    "brut total",
    "remuneration brute",
    "brut mensuel",
    "gross pay",
    "total gross",
    "gross salary",
    "gross earnings",
];
const TAXABLE: [&str; 6] =
    ["net imposable", "montant net imposable", "net fiscal", "imposable du mois", "taxable pay", "taxable gross pay"];
const OF_YEAR: [&str; 14] = [
    "cumul",
    "cumuls",
    "annuel",
    "annee",
    "cumule",
    "cumulee",
    "exercice",
    "ytd",
    "year to date",
    "to date",
    "this year",
    "yearly",
    "cumulative",
    "depuis janvier",
];

pub(super) fn is_one(document_type: &str, words: &BTreeSet<&str>) -> bool {
    let has = |all: &[&str]| all.iter().all(|word| words.contains(word));
    document_type == "PAYSLIP"
        || document_type == "OTHER"
            && (has(&["bulletin", "paie"]) || has(&["bulletin", "salaire"]) || has(&["payslip"]))
}

pub(super) fn state(statement: &mut Statement<'_>, reader: &Reader<'_>) {
    let cells = statement.cells;
    let Some(first) = cells.first() else { return };
    statement.add("kind", "payslip".to_owned(), first, 95, None);
    employer(statement, reader);
    if let Some((period, cell, score)) = period(cells) {
        statement.add("payPeriod", period, cell, score, None);
    }
    let day = |text: &str| date::find(text, false).into_iter().map(|(day, _)| day).next();
    for (kind, labels) in [("payDate", &PAID_ON[..]), ("entryDate", &ENTERED[..])] {
        if let Some((day, cell)) = labelled(cells, &[labels], ValuePosition::Next, day).into_iter().next() {
            statement.add(kind, day.iso(), cell, 85, None);
        }
    }
    let is_other =
        |label: &Cell| NOT_NET.iter().any(|other| label.folded.starts_with(other)) || is_of_year(&label.folded);
    for (kind, labels) in [("netPay", &NET[..]), ("grossPay", &GROSS[..]), ("taxablePay", &TAXABLE[..])] {
        let found = labels.iter().zip(0_u8..).find_map(|(label, rank)| {
            amount_of(cells, label, |cell| kind == "netPay" && is_other(cell) || is_of_year(&cell.folded))
                .map(|(amount, at)| (amount, at, rank))
        });
        if let Some((amount, at, rank)) = found {
            statement.add(kind, amount.plain(), &cells[at], 92 - rank, None);
        }
    }
    sums_of_year(statement);
    security_number(statement);
}

/// The amount of a label, at the right of its line or under it, with the index of its cell.
fn amount_of(cells: &[Cell], label: &str, is_other: impl Fn(&Cell) -> bool) -> Option<(Amount, usize)> {
    cells
        .iter()
        .filter(|cell| has_words(&cell.folded, label) && cell.folded.starts_with(label) && !is_other(cell))
        .find_map(|cell| {
            let position = |other: &Cell| cells.iter().position(|one| std::ptr::eq(one, other));
            let own = find_amounts(&cell.text).into_iter().next_back().map(|(amount, _)| amount);
            if let Some(amount) = own {
                return Some((amount, position(cell)?));
            }
            let right = cells.iter().filter(|other| other.area.left >= cell.area.right() && cell.is_next_to(other));
            let amounts = right.filter_map(|other| Some((Amount::read(&other.text)?, other)));
            // A column of the year is not that of the month.
            let of_month = amounts.filter(|(_, other)| {
                let head = table::head(cells, other, |head| head.folded.chars().any(char::is_alphabetic));
                !head.is_some_and(|head| is_of_year(&head.folded))
            });
            if let Some((amount, other)) = of_month.max_by_key(|(_, other)| other.area.left) {
                return Some((amount, position(other)?));
            }
            let below = cells.iter().filter(|other| {
                let down = other.middle() - cell.middle();
                let height = i32::try_from(cell.area.height).unwrap_or(1_000);
                other.page == cell.page
                    && down > height / 2
                    && down < (height * 4).max(2_400)
                    && other.area.left < cell.area.right()
                    && cell.area.left < other.area.right()
            });
            let (amount, other) = below
                .filter_map(|other| Some((Amount::read(&other.text)?, other)))
                .min_by_key(|(_, other)| other.middle())?;
            Some((amount, position(other)?))
        })
}

fn is_of_year(folded: &str) -> bool {
    OF_YEAR.iter().any(|word| has_words(folded, word))
}

/// What the employee earned in the year so far: amounts whose line and column say so together.
fn sums_of_year(statement: &mut Statement<'_>) {
    let cells = statement.cells;
    for cell in cells {
        let amounts = find_amounts(&cell.text);
        let [(amount, range)] = &amounts[..] else { continue };
        let own = fold(&cell.text[..range.start]);
        let label = table::label(cells, cell).map_or("", |label| label.folded.as_str());
        let heads = table::head(cells, cell, |head| {
            head.folded.chars().filter(|letter| letter.is_alphabetic()).count() >= 3
                && find_amounts(&head.text).is_empty()
        });
        let context = format!("{own} | {label} | {}", heads.map_or("", |head| head.folded.as_str()));
        if !is_of_year(&context) || amount.0 <= 0 {
            continue;
        }
        let has = |words: &[&str]| words.iter().any(|word| has_words(&context, word));
        let (gross, taxable) =
            (has(&["brut", "brute", "bruts", "gross"]), has(&["imposable", "imposables", "taxable", "fiscal"]));
        match (gross, taxable) {
            (true, false) => statement.add("grossPayOfYear", amount.plain(), cell, 80, None),
            (false, true) => statement.add("taxablePayOfYear", amount.plain(), cell, 80, None),
            _ => {}
        }
    }
}

/// The employer by its label, or the head of the letter.
fn employer(statement: &mut Statement<'_>, reader: &Reader<'_>) {
    let cells = statement.cells;
    let read = |text: &str| {
        let name = text.split_once(':').map_or(text, |(_, rest)| rest).trim();
        let folded = fold(name);
        let is_name = folded.split(' ').count() <= 7
            && folded.chars().filter(|letter| letter.is_alphabetic()).count() >= 3
            && folded.bytes().filter(u8::is_ascii_digit).count() < 4
            && !EMPLOYER.contains(&folded.as_str());
        is_name.then_some(folded)
    };
    if let Some((name, cell)) = labelled(cells, &[&EMPLOYER], ValuePosition::Next, read).into_iter().next() {
        statement.add("employerName", name, cell, 80, None);
        return;
    }
    let issuer = field_of("companyName").and_then(|field| by_label::read(field, &reader.cells));
    if let Some(issuer) = issuer {
        statement.read("employerName", crate::fields::Kind::Text, &issuer, None);
    } else if let Some(head) = company::letter_head(cells) {
        statement.add("employerName", fold(&head.text), head, 65, None);
    }
}

const MONTHS: [&[&str]; 12] = [
    &["janvier", "january", "jan"],
    &["fevrier", "february", "feb"],
    &["mars", "march"],
    &["avril", "april"],
    &["mai", "may"],
    &["juin", "june"],
    &["juillet", "july"],
    &["aout", "august"],
    &["septembre", "september"],
    &["octobre", "october"],
    &["novembre", "november"],
    &["decembre", "december"],
];

/// The month that is paid: next to its label, else the first month with its year on the page.
fn period(cells: &[Cell]) -> Option<(String, &Cell, u8)> {
    const LABELS: [&str; 9] =
        ["periode", "periode de paie", "mois", "mois de paie", "paie du", "pay period", "period", "tax month", "month"];
    let by_label = labelled(cells, &[&LABELS], ValuePosition::Next, month_in).into_iter().next();
    by_label.map(|(month, cell)| (month, cell, 90)).or_else(|| {
        let named = |cell: &Cell| named_month(&cell.folded);
        cells.iter().filter(|cell| cell.page == 1).find_map(|cell| Some((named(cell)?, cell, 75)))
    })
}

fn month_in(text: &str) -> Option<String> {
    let folded = fold(text);
    named_month(&folded)
        .or_else(|| {
            let days: Vec<Date> = date::find(text, false).into_iter().map(|(day, _)| day).collect();
            let (first, last) = (days.first()?, days.last()?);
            let is_month =
                last.day_number() - first.day_number() <= 31 && (first.month == last.month && first.year == last.year);
            is_month.then(|| format!("{:04}-{:02}", first.year, first.month))
        })
        .or_else(|| {
            // `03/2026`.
            folded.split(' ').collect::<Vec<_>>().windows(2).find_map(|pair| {
                let (month, year) = (pair[0].parse::<u8>().ok()?, pair[1].parse::<i32>().ok()?);
                ((1..=12).contains(&month) && (2000..2100).contains(&year) && pair[0].len() == 2)
                    .then(|| format!("{year:04}-{month:02}"))
            })
        })
}

/// A month by its name with a year behind it, without a day before it.
fn named_month(folded: &str) -> Option<String> {
    let words: Vec<&str> = folded.split(' ').collect();
    words.windows(2).enumerate().find_map(|(at, pair)| {
        let month = MONTHS.iter().position(|names| names.contains(&pair[0]))?;
        let year = pair[1].parse::<i32>().ok().filter(|year| (2000..2100).contains(year))?;
        let is_day = at > 0 && words[at - 1].parse::<u8>().is_ok();
        (!is_day).then(|| format!("{year:04}-{:02}", month + 1))
    })
}

/// A French social security number: sex, year and month of birth, place and order, with its key or its label.
fn security_number(statement: &mut Statement<'_>) {
    const LABELS: [&str; 8] =
        ["securite sociale", "n ss", "n secu", "no ss", "numero ss", "nir", "n de s s", "matricule ss"];
    let cells = statement.cells;
    for (index, cell) in cells.iter().enumerate() {
        let before = index.checked_sub(1).map(|before| &cells[before]).filter(|before| before.is_next_to(cell));
        let context = format!("{} {}", before.map_or("", |before| before.folded.as_str()), cell.folded);
        let is_labelled = LABELS.iter().any(|label| has_words(&context, label));
        let tail = cell.text.rsplit(':').next().unwrap_or_default();
        let digits: String = squeeze(tail).chars().skip_while(|letter| !letter.is_ascii_digit()).collect();
        if !digits.bytes().all(|byte| byte.is_ascii_digit()) || !matches!(digits.len(), 13 | 15) {
            continue;
        }
        let number = |range: std::ops::Range<usize>| digits.get(range).and_then(|part| part.parse::<u64>().ok());
        let (Some(sex), Some(month), Some(body)) = (number(0..1), number(3..5), number(0..13)) else { continue };
        let has_key = digits.len() == 15 && number(13..15) == Some(97 - body % 97);
        if matches!(sex, 1 | 2) && (1..=12).contains(&month) && (has_key || is_labelled && digits.len() == 13) {
            statement.add("socialSecurityNumber", digits[..13].to_owned(), cell, if has_key { 97 } else { 85 }, None);
            return;
        }
    }
}
