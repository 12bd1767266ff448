//! Electronic invoices (Factur-X, ZUGFeRD): a program writes page and data from the same values, so a page that states
//! others was changed, or the data was.

use sealwright_plugin_sdk::{
    findings::{Finding, found},
    reading::{Amount, labels},
};

use crate::{
    invoice::{Invoice, attached},
    report::{Report, Sign, sign},
    stated::{Comparison, Stated},
    subject::Subject,
};

const CODE: &str = "INVOICE_DATA";
/// What agreement takes from weak signs elsewhere. The data is not signed, so it is not a proof.
const LIFT: f64 = 4.0;
/// Values that must agree for that.
const AGREEING: usize = 3;

const TOTAL: [&[&str]; 2] = [
    &labels::TOTAL,
    &[
        "total",
        "montant ttc",
        "montant total",
        "montant a payer",
        "amount payable",
        "invoice total",
        "total amount",
        "gesamtbetrag",
        "rechnungsbetrag",
        "gesamtsumme",
        "endbetrag",
        "zahlbetrag",
        "bruttobetrag",
        "zu zahlen",
        "importe total",
        "totale",
        "totaal",
    ],
];
const NET: [&[&str]; 2] = [&labels::NET, &["montant ht", "total net ht", "zwischensumme", "nettobetrag", "imponibile"]];
const ISSUED: [&[&str]; 2] = [&labels::ISSUED, &["rechnungsdatum", "date", "datum"]];

/// None: there is no data of an invoice.
pub(crate) fn check(subject: &Subject<'_>) -> Option<Report> {
    let invoice = attached(subject.document)?;
    let stated = Stated::of(subject);
    let mut signs: Vec<Sign> = Vec::new();
    let mut agreeing = 0;
    for (comparison, other, absent, what) in compared(&invoice, &stated) {
        let decibans = match comparison {
            Comparison::Same => {
                agreeing += 1;
                continue;
            }
            Comparison::Other => other,
            Comparison::Absent => absent,
            Comparison::Unsure => continue,
        };
        if decibans > 0.0 {
            signs.push(sign(decibans, differs(what)));
        }
    }
    if adds_up(&invoice) == Some(false) {
        let text = "The amounts in the attached data of the invoice do not add up.";
        signs.push(sign(12.0, found("INVOICE_DATA_SUM", text)));
    }
    let what = format!("The page states what the attached data of the invoice says ({agreeing} values).");
    let report = Report::of(signs, CODE, &what);
    Some(if report.decibans <= 0.0 && agreeing >= AGREEING { Report { lift: LIFT, ..report } } else { report })
}

fn differs(what: &str) -> Finding {
    let code = format!("INVOICE_DATA_{}", what.to_uppercase().replace(' ', "_"));
    found(&code, format!("The page does not state what the attached data of the invoice says: {what}."))
}

/// Each value with what it is worth if the page states another one, and if it has none.
fn compared<'i>(
    invoice: &'i Invoice,
    stated: &Stated<'_>,
) -> impl Iterator<Item = (Comparison, f64, f64, &'static str)> + use<'i> {
    let total = invoice.gross.map(|gross| {
        let due = invoice.due.map(|due| stated.amount(due, &TOTAL));
        match (stated.amount(gross, &TOTAL), due) {
            // The page may state only what remains to be paid.
            (_, Some(Comparison::Same)) => Comparison::Same,
            (own, _) => own,
        }
    });
    let net = invoice.net.map(|net| stated.amount(net, &NET));
    let account = worst(invoice.accounts.iter().map(|account| stated.account(account)));
    // A company states one of its numbers at least.
    let number = invoice.seller_numbers.iter().filter(|number| number.len() >= 8).map(|number| stated.number(number));
    let number = number.max_by_key(|comparison| *comparison == Comparison::Same);
    [
        (total, 22.0, 12.0, "total"),
        (net, 14.0, 0.0, "net amount"),
        (account, 25.0, 0.0, "account number"),
        (invoice.number.as_deref().map(|number| stated.number(number)), 16.0, 14.0, "invoice number"),
        (invoice.issued.map(|issued| stated.date(issued, &ISSUED)), 14.0, 5.0, "issue date"),
        (invoice.seller.as_deref().map(|name| stated.name(name)), 13.0, 0.0, "seller"),
        (invoice.buyer.as_deref().map(|name| stated.name(name)), 9.0, 0.0, "buyer"),
        (number, 9.0, 5.0, "seller number"),
    ]
    .into_iter()
    .filter_map(|(comparison, other, absent, what)| Some((comparison?, other, absent, what)))
}

/// The worst of several: one that the page contradicts counts before those that it states.
fn worst(comparisons: impl Iterator<Item = Comparison>) -> Option<Comparison> {
    let rank = |comparison: &Comparison| match comparison {
        Comparison::Other => 3,
        Comparison::Same => 2,
        Comparison::Absent => 1,
        Comparison::Unsure => 0,
    };
    comparisons.max_by_key(rank)
}

/// Whether net amount and tax are the total, up to rounding of each tax rate.
fn adds_up(invoice: &Invoice) -> Option<bool> {
    let (Amount(net), Amount(tax), Amount(gross)) = (invoice.net?, invoice.tax?, invoice.gross?);
    Some((net + tax - gross).abs() <= 5)
}
