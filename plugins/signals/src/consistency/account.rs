//! Whether accounts agree: the entered one, that of the bank details, those of payslips, statements and invoices. People
//! have several accounts, so another one of a statement is a weak doubt.

use sealwright_plugin_sdk::reading::text::squeeze;

use super::{
    comparison::Comparison,
    name::{is_among, of_company},
    paper::Paper,
    person::is_of_another,
};

pub(super) fn compare(comparison: &mut Comparison) {
    let mut doubts = Vec::new();
    let mut compared = false;
    let papers = &comparison.papers;
    let with_account: Vec<(&Paper, &str)> = papers
        .iter()
        .filter(|paper| !is_of_another(paper) && !is_of_company(paper, papers))
        .filter_map(|paper| Some((paper, paper.one("iban").filter(|iban| iban.score >= 90)?.value.as_str())))
        .collect();
    let has = |paper: &Paper, iban: &str| paper.accounts().contains(iban);
    let is_of_bank = |paper: &Paper| paper.kind == "BANK_DETAILS" || paper.is_statement();
    for entry in comparison.entries.iter().filter(|entry| entry.is("iban")) {
        let entered = squeeze(&entry.value).to_uppercase();
        let own: Vec<&(&Paper, &str)> =
            with_account.iter().filter(|(paper, _)| is_of_bank(paper) || paper.is_payslip()).collect();
        compared |= !own.is_empty();
        if own.iter().any(|(paper, _)| has(paper, &entered)) {
            continue;
        }
        if let Some((paper, _)) = own.iter().find(|(paper, _)| paper.kind == "BANK_DETAILS").or(own.first()) {
            let text = format!("The account on {} differs from {}.", paper.name(), entry.name);
            doubts.push((if is_of_bank(paper) { 55 } else { 40 }, paper.item, text));
        }
    }
    let entered: Vec<String> = comparison
        .entries
        .iter()
        .filter(|entry| entry.is("iban"))
        .map(|entry| squeeze(&entry.value).to_uppercase())
        .collect();
    for (paper, iban) in with_account.iter().filter(|(paper, _)| !paper.is_payslip() && !paper.is_statement()).take(1) {
        for (other, of_other) in with_account.iter().filter(|(other, _)| other.item != paper.item) {
            let cost = match () {
                () if other.is_payslip() => 36,
                () if other.is_statement() => 18,
                () if other.kind == "BANK_DETAILS" => 18,
                () => continue,
            };
            compared = true;
            // The account may be on a third paper, or be the one that was entered.
            let is_known =
                papers.iter().any(|third| third.item != other.item && !third.is_payslip() && has(third, of_other))
                    || entered.iter().any(|account| account == of_other);
            if !is_known && !has(other, iban) {
                let text = format!("The account on {} differs from that on {}.", other.name(), paper.name());
                doubts.push((cost, other.item, text));
            }
        }
    }
    for invoice in papers.iter().filter(|paper| paper.kind == "INVOICE") {
        let Some(iban) = invoice.one("iban").filter(|iban| iban.score >= 90) else { continue };
        for paper in papers.iter().filter(|paper| paper.kind == "BANK_DETAILS" && is_of_issuer(paper, invoice)) {
            let Some(of_paper) = paper.one("iban").filter(|iban| iban.score >= 90) else { continue };
            compared = true;
            if !has(invoice, &of_paper.value) && !has(paper, &iban.value) {
                let text = format!("The account on {} differs from that on {}.", invoice.name(), paper.name());
                doubts.push((55, invoice.item, text));
            }
        }
    }
    if compared {
        comparison.compared("accounts");
    }
    for (cost, item, text) in doubts {
        comparison.doubt(cost, Some(item), "OTHER_ACCOUNT", text);
    }
}

/// Whether the bank details are those of the company that issued an invoice.
fn is_of_issuer(paper: &Paper, invoice: &Paper) -> bool {
    let number = |paper: &Paper| paper.sure("companyNumber").map(|number| number.value.clone()).collect::<Vec<_>>();
    let issuer = invoice.all("issuer").flat_map(|name| of_company(&name.value)).collect::<Vec<_>>();
    number(paper).iter().any(|one| number(invoice).contains(one))
        || !issuer.is_empty() && issuer.iter().all(|word| is_among(word, &paper.words, paper.is_recognised()))
}

/// Whether bank details belong to a company that issued an invoice of the case.
fn is_of_company(paper: &Paper, papers: &[Paper]) -> bool {
    paper.kind == "BANK_DETAILS"
        && papers.iter().any(|invoice| invoice.kind == "INVOICE" && is_of_issuer(paper, invoice))
}
