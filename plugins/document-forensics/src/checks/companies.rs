//! Numbers of companies and people: a changed digit breaks the check digit, and numbers of one company must agree. Only
//! numbers with a sure label count: nine digits may be anything.

mod numbers;

use std::collections::BTreeSet;

use sealwright_plugin_sdk::{
    findings::{Finding, found},
    reading::{Cell, Identifier, find_accounts, fold, text::has_words},
};

use self::numbers::{KINDS, Kind, taken};
use crate::{
    report::{Sign, sign},
    subject::Subject,
};

/// Words of a customer, whose numbers people type.
const CUSTOMER: [&str; 12] = [
    "client",
    "customer",
    "votre",
    "your",
    "kunde",
    "kunden",
    "ihre",
    "acheteur",
    "buyer",
    "cliente",
    "klant",
    "destinataire",
];
/// A French tax group has a VAT number of its own, and a company may have moved, so such numbers rarely differ.
const OTHER_SIREN: f64 = 13.0;
const OTHER_VAT: f64 = 6.0;
const OTHER_COUNTRY: f64 = 8.0;

/// A number in the text.
struct Stated<'c> {
    kind: &'static Kind,
    number: String,
    cell: &'c Cell,
    is_customer: bool,
}

pub(crate) fn signs(subject: &Subject<'_>) -> Vec<Sign> {
    // A misread digit looks like a wrong one.
    if subject.recognised {
        return Vec::new();
    }
    let lines = subject.lines();
    let stated: Vec<Stated<'_>> = lines.iter().flat_map(|line| numbers_of(line)).collect();
    let mut signs: Vec<Sign> = Vec::new();
    for one in &stated {
        if one.kind.identifier.check(&one.number) != Some(false) {
            continue;
        }
        // People type the numbers of their customers.
        let decibans = if one.is_customer { one.kind.decibans.min(5.0) } else { one.kind.decibans };
        let text = format!("The check digits of a number are wrong: {}.", one.kind.name);
        signs.push(sign(decibans, at(found(one.kind.code, text), one.cell)));
    }
    signs.extend(other_siren(&stated));
    signs.extend(other_country(&lines));
    signs
}

fn at(finding: Finding, cell: &Cell) -> Finding {
    finding.at(cell.page, cell.place)
}

/// The labelled numbers of a line. A kind with a country before its number may have its label above.
fn numbers_of<'c>(line: &[&'c Cell]) -> Vec<Stated<'c>> {
    let words = fold(&line.iter().map(|cell| cell.text.as_str()).collect::<Vec<_>>().join(" "));
    let is_customer = CUSTOMER.iter().any(|word| has_words(&words, word));
    let mut numbers = Vec::new();
    for kind in KINDS.iter().filter(|kind| kind.labels.iter().any(|label| has_words(&words, label))) {
        for cell in line {
            for number in taken(&cell.text, kind) {
                numbers.push(Stated { kind, number, cell, is_customer });
            }
        }
    }
    numbers
}

/// One company whose SIREN, SIRET and VAT number are not of one company. With several of a kind, some are another's.
fn other_siren(stated: &[Stated<'_>]) -> Option<Sign> {
    let of = |identifier: Identifier| {
        let numbers = stated.iter().filter(|one| one.kind.identifier == identifier && !one.is_customer);
        let right = numbers.filter(|one| identifier.is_right(&one.number));
        right.map(|one| (siren_of(identifier, &one.number), one.cell)).collect::<Vec<_>>()
    };
    let only = |numbers: &[(String, &'_ Cell)]| {
        let different: BTreeSet<&str> = numbers.iter().map(|(siren, _)| siren.as_str()).collect();
        (different.len() == 1).then(|| numbers.first().map(|(siren, _)| siren.clone())).flatten()
    };
    let (company, branch, vat) = (of(Identifier::Siren), of(Identifier::Siret), of(Identifier::FrenchVat));
    let differ = |one: &Option<String>, other: &Option<String>| one.is_some() && other.is_some() && one != other;
    let (first, second, third) = (only(&company), only(&branch), only(&vat));
    let cell = branch.first().or(vat.first()).map(|(_, cell)| *cell)?;
    if differ(&first, &second) {
        let text = "The SIREN and the SIRET on the page are not of one company.";
        return Some(sign(OTHER_SIREN, at(found("COMPANY_NUMBERS_DIFFER", text), cell)));
    }
    if differ(&second, &third) || differ(&first, &third) {
        let text = "The VAT number on the page is not of the company with its SIREN or SIRET.";
        return Some(sign(OTHER_VAT, at(found("COMPANY_NUMBERS_DIFFER", text), cell)));
    }
    None
}

fn siren_of(identifier: Identifier, number: &str) -> String {
    match identifier {
        Identifier::FrenchVat => number.trim_start_matches("FR").get(2..),
        _ => number.get(..9),
    }
    .unwrap_or_default()
    .to_owned()
}

/// One account and one bank of different countries. Overseas territories and small neighbours share banks.
fn other_country(lines: &[Vec<&Cell>]) -> Option<Sign> {
    const SHARED: [&str; 16] =
        ["FR", "MC", "GP", "MQ", "GF", "RE", "YT", "PM", "BL", "MF", "NC", "PF", "WF", "GB", "GG", "JE"];
    let accounts: BTreeSet<String> = lines
        .iter()
        .flatten()
        .flat_map(|cell| find_accounts(&cell.text.to_uppercase()))
        .filter(|(account, _)| account.is_right())
        .map(|(account, _)| account.iban)
        .collect();
    let banks: Vec<(String, &Cell)> = lines
        .iter()
        .filter(|line| line.iter().any(|cell| ["bic", "swift"].iter().any(|label| has_words(&cell.folded, label))))
        .flatten()
        .flat_map(|cell| cell.text.split_whitespace().filter_map(|word| Some((country_of_bank(word)?, *cell))))
        .collect();
    let ([iban], [(country, cell)]) = (&accounts.iter().collect::<Vec<_>>()[..], &banks[..]) else { return None };
    let own = iban.get(..2)?;
    let shares = SHARED.contains(&own) && SHARED.contains(&country.as_str());
    (own != country && !shares).then(|| {
        let text = "The bank (BIC) and the account number (IBAN) are of different countries.";
        sign(OTHER_COUNTRY, at(found("BANK_COUNTRY_DIFFERS", text), cell))
    })
}

/// Of a BIC (ISO 9362): four letters, the country, two letters or digits, and sometimes three more.
fn country_of_bank(word: &str) -> Option<String> {
    let word = word.trim_matches(|letter: char| !letter.is_ascii_alphanumeric());
    let has_form = (word.len() == 8 || word.len() == 11)
        && word.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
        && word.bytes().take(6).all(|byte| byte.is_ascii_uppercase())
        // A word in capitals is not a bank.
        && word.bytes().skip(6).any(|byte| byte.is_ascii_digit() || word.len() == 11);
    has_form.then(|| word[4..6].to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_country_of_a_bank_is_read() {
        assert_eq!(country_of_bank("TRWIBEB1XXX"), Some("BE".to_owned()));
        assert_eq!(country_of_bank("REVOLT21"), Some("LT".to_owned()));
        assert_eq!(country_of_bank("CODE"), None);
    }
}
