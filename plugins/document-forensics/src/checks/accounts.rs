//! Account numbers: a changed digit breaks the IBAN's check digits (ISO 13616), and in France the account's own key.

use std::ops::Range;

use sealwright_plugin_sdk::{
    findings::found,
    reading::{Account, Cell, find_accounts},
};

use crate::{
    checks::{account_parts, companies},
    report::{Report, Sign, sign},
    subject::Subject,
};

const CODE: &str = "IBAN_CHECK_DIGITS";
/// Recognised text that is less sure than this has misread letters.
const SURE: u8 = 90;

pub(crate) fn check(subject: &Subject<'_>) -> Report {
    let mut signs: Vec<Sign> = Vec::new();
    let (mut right, mut unsure): (Vec<Account>, usize) = (Vec::new(), 0);
    for line in subject.lines() {
        for (account, cell) in accounts_of(&line) {
            if !account.is_right() && subject.recognised {
                if cell.confidence < SURE || may_be_misread(&account) {
                    unsure += 1;
                    continue;
                }
                let text = "The check digits of an account number (IBAN) seem to be wrong, if it was read correctly.";
                signs.push(sign(9.0, found(CODE, text).at(cell.page, cell.place)));
            } else if !account.is_right() {
                let text = "The check digits of an account number (IBAN) are wrong.";
                signs.push(sign(45.0, found(CODE, text).at(cell.page, cell.place)));
            } else if french_key_is_wrong(&account.iban) {
                let text = "The key of a French account number does not fit bank, branch and account.";
                let decibans = if subject.recognised { 5.0 } else { 9.0 };
                signs.push(sign(decibans, found("RIB_KEY", text).at(cell.page, cell.place)));
            } else {
                right.push(account);
            }
        }
    }
    signs.extend(companies::signs(subject));
    signs.extend(account_parts::signs(subject, &right));
    match (right.len() + signs.len(), unsure) {
        (0, 0) => Report::not_applicable(CODE, "The document shows no account number (IBAN)."),
        (0, _) => Report::not_applicable(CODE, "An account number (IBAN) could not be read with certainty."),
        _ => Report::of(signs, CODE, "The check digits of every account number that could be read are right."),
    }
}

/// The accounts of a line: within a cell, or spread over several, as in boxes for each group. A right one counts before
/// a wrong one that starts at the same place.
fn accounts_of<'c>(line: &[&'c Cell]) -> Vec<(Account, &'c Cell)> {
    let mut accounts: Vec<(Account, &Cell)> = line
        .iter()
        // "PL8744861" in a passport's machine-readable zone is not an account.
        .filter(|cell| !cell.text.contains("<<"))
        .flat_map(|cell| {
            let accounts = find_accounts(&cell.text.to_uppercase()).into_iter();
            // "is 895448229 and the SWIFT code" is not a wrong Icelandic account.
            let is_prose = |place: &Range<usize>| {
                cell.text.get(place.clone()).is_some_and(|text| text.contains(char::is_lowercase))
            };
            accounts
                .filter(move |(account, place)| account.is_right() || !is_prose(place))
                .map(|(account, _)| (account, *cell))
        })
        .collect();
    if accounts.is_empty() && line.len() > 1 {
        let text = line.iter().map(|cell| cell.text.as_str()).collect::<Vec<_>>().join(" ").to_uppercase();
        let least = line.iter().min_by_key(|cell| cell.confidence);
        // Columns that happen to meet are not an account: only a right one, or one that is labelled.
        let named = text.contains("IBAN");
        accounts.extend(
            find_accounts(&text)
                .into_iter()
                .filter(|(account, _)| named || account.is_right())
                .filter_map(|(account, _)| Some((account, *least?))),
        );
    }
    accounts
}

/// Whether one letter that text recognition confuses with another explains the wrong digits.
fn may_be_misread(account: &Account) -> bool {
    const ALIKE: [&str; 8] = ["0OQD6", "1IL7", "8B3", "5S6", "2Z7", "6G", "4A", "38"];
    account.iban.char_indices().skip(2).any(|(at, letter)| {
        ALIKE.iter().filter(|group| group.contains(letter)).flat_map(|group| group.chars()).any(|other| {
            let iban = format!("{}{other}{}", &account.iban[..at], &account.iban[at + letter.len_utf8()..]);
            Account { iban }.is_right()
        })
    })
}

/// Bank (5), branch (5), account (11, letters as digits), key (2): `89 b + 15 g + 3 a + key` is a multiple of 97.
/// Recent accounts sometimes do not follow this, so it is reported only if all parts are digits.
fn french_key_is_wrong(iban: &str) -> bool {
    let Some(body) = iban.strip_prefix("FR").and_then(|rest| rest.get(2..)).filter(|body| body.len() == 23) else {
        return false;
    };
    let part = |range: std::ops::Range<usize>| body.get(range).and_then(|digits| digits.parse::<u64>().ok());
    match (part(0..5), part(5..10), part(10..21), part(21..23)) {
        (Some(bank), Some(branch), Some(account), Some(key)) => (89 * bank + 15 * branch + 3 * account + key) % 97 != 0,
        _ => false,
    }
}
