//! Days and numbers in order: invoices and the loss, papers that have expired, numbers of one issuer, balances of
//! statements that follow each other.

use sealwright_plugin_sdk::reading::Date;

use super::{
    comparison::Comparison,
    name::{is_among, of_company},
    paper::{Paper, cents},
};

pub(super) fn compare(comparison: &mut Comparison) {
    losses(comparison);
    expired(comparison);
    sequences(comparison);
    balances(comparison);
}

/// What was lost was bought before; only its repair follows.
fn losses(comparison: &mut Comparison) {
    let losses = comparison.entries.iter().filter(|entry| entry.is("lossDate"));
    let losses: Vec<(String, Date)> =
        losses.filter_map(|entry| Some((entry.name.clone(), Date::read(&entry.value)?))).collect();
    let mut doubts = Vec::new();
    let mut compared = false;
    for (name, loss) in &losses {
        for invoice in comparison.papers.iter().filter(|paper| paper.kind == "INVOICE" && !paper.is("repair")) {
            let Some(day) = invoice.day("issueDate") else { continue };
            compared = true;
            if day > *loss && !(invoice.is_recognised() && day.year == loss.year) {
                let text = format!("{} was issued after the day of the loss, {name}.", invoice.name());
                doubts.push((45, invoice.item, text));
            }
        }
    }
    if compared {
        comparison.compared("invoices and the day of the loss");
    }
    for (cost, item, text) in doubts {
        comparison.doubt(cost, Some(item), "AFTER_LOSS", text);
    }
}

fn expired(comparison: &mut Comparison) {
    let mut doubts = Vec::new();
    let mut compared = false;
    for card in comparison.papers.iter().filter(|paper| paper.is_card()) {
        let Some(expiry) = card.day("expiryDate") else { continue };
        compared = true;
        let unsure = card.is_recognised() && card.one("expiryDate").is_some_and(|value| value.score < 90);
        if extended(card, expiry) < comparison.today && !unsure {
            // The categories of a driving licence have days of their own, and a permit is valid while it is renewed.
            let cost = if matches!(card.kind.as_str(), "DRIVING_LICENCE" | "RESIDENCE_PERMIT") { 12 } else { 35 };
            doubts.push((cost, card.item, format!("{} had expired on the day of the case.", card.name())));
        }
    }
    if compared {
        comparison.compared("dates of expiry");
    }
    for (cost, item, text) in doubts {
        comparison.doubt(cost, Some(item), "EXPIRED", text);
    }
}

/// French identity cards of adults that were issued from 2004 to 2013 are valid for five more years than they say.
fn extended(card: &Paper, expiry: Date) -> Date {
    let start = expiry.year - 10;
    let is_extended = card.kind == "IDENTITY_CARD" && (2004..=2013).contains(&start);
    if is_extended { Date { year: expiry.year + 5, ..expiry } } else { expiry }
}

/// Invoices of one issuer: a later one has a higher number, and no number twice.
fn sequences(comparison: &mut Comparison) {
    let invoices: Vec<(&Paper, &str, Date)> = comparison
        .papers
        .iter()
        .filter(|paper| paper.kind == "INVOICE" && !paper.is_recognised())
        .filter_map(|paper| Some((paper, paper.one("invoiceNumber")?.value.as_str(), paper.day("issueDate")?)))
        .collect();
    let mut doubts = Vec::new();
    let mut compared = false;
    for (at, (one, number, day)) in invoices.iter().enumerate() {
        for (other, of_other, day_of_other) in &invoices[at + 1..] {
            if !is_same_issuer(one, other) {
                continue;
            }
            compared = true;
            if number == of_other {
                if one.amount("totalAmount") != other.amount("totalAmount") || day != day_of_other {
                    doubts.push((45, other.item, format!("{} has the number of {}.", other.name(), one.name())));
                }
                continue;
            }
            let (Some((head, first)), Some((head_of_other, second))) = (tail(number), tail(of_other)) else { continue };
            if head == head_of_other && day != day_of_other && (first < second) != (day < day_of_other) {
                let text =
                    format!("The numbers of {} and {} are not in the order of their days.", one.name(), other.name());
                doubts.push((36, other.item, text));
            }
        }
    }
    if compared {
        comparison.compared("numbers of invoices");
    }
    for (cost, item, text) in doubts {
        comparison.doubt(cost, Some(item), "INVOICE_NUMBERS", text);
    }
}

fn is_same_issuer(one: &Paper, other: &Paper) -> bool {
    let numbers = |paper: &Paper| paper.sure("companyNumber").map(|number| number.value.clone()).collect::<Vec<_>>();
    let issuer: Vec<String> = one.sure("issuer").take(1).flat_map(|name| of_company(&name.value)).collect();
    numbers(one).first().is_some_and(|number| numbers(other).contains(number))
        || !issuer.is_empty() && issuer.iter().all(|word| is_among(word, &other.words, false))
}

/// The last number of a text, and what is before it.
fn tail(number: &str) -> Option<(&str, u64)> {
    let start = number.rfind(|letter: char| !letter.is_ascii_digit()).map_or(0, |at| at + 1);
    Some((&number[..start], number.get(start..)?.parse().ok()?))
}

/// Statements of one account that follow each other: the balance is carried forward.
fn balances(comparison: &mut Comparison) {
    let of = |paper: &Paper, kind: &str| cents(&paper.one(kind)?.value);
    let statements: Vec<&Paper> =
        comparison.papers.iter().filter(|paper| paper.is_statement() && !paper.is_recognised()).collect();
    let mut doubts = Vec::new();
    let mut compared = false;
    for one in &statements {
        for next in &statements {
            let (Some(end), Some(start)) = (one.day("periodEnd"), next.day("periodStart")) else { continue };
            let follows = (0..=1).contains(&(start.day_number() - end.day_number()));
            let is_same = one.accounts().intersection(&next.accounts()).next().is_some();
            let (Some(closing), Some(opening)) = (of(one, "closingBalance"), of(next, "openingBalance")) else {
                continue;
            };
            if !follows || !is_same || one.item == next.item {
                continue;
            }
            compared = true;
            if closing != opening && !next.mentions_amount(closing) {
                let text = format!("The first balance of {} is not the last one of {}.", next.name(), one.name());
                doubts.push((40, next.item, text));
            }
        }
    }
    if compared {
        comparison.compared("balances of statements");
    }
    for (cost, item, text) in doubts {
        comparison.doubt(cost, Some(item), "OTHER_BALANCE", text);
    }
}
