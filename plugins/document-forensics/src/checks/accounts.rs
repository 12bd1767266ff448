//! Account numbers: a changed digit breaks the IBAN's check digits (ISO 13616), and in France the account's own key.

use sealwright_plugin_sdk::{
    findings::{Finding, found},
    reading::find_accounts,
};

use crate::{Subject, report::Report};

const CODE: &str = "IBAN_CHECK_DIGITS";

pub(crate) fn check(subject: &Subject<'_>) -> Report {
    let mut signs: Vec<(u8, Finding)> = Vec::new();
    let mut seen = 0;
    for cell in &subject.cells {
        for (account, _) in find_accounts(&cell.text.to_uppercase()) {
            seen += 1;
            if !account.is_right() {
                // Recognition confuses 8 and B, 0 and O, 1 and I.
                let evaluation = match (subject.recognised, cell.confidence) {
                    (false, _) => 0,
                    (true, 85..) => 35,
                    (true, _) => 60,
                };
                signs.push((
                    evaluation,
                    found(CODE, "The check digits of an account number (IBAN) are wrong.").at(cell.page, cell.place),
                ));
            } else if french_key_is_wrong(&account.iban) {
                let text = "The key of a French account number does not fit bank, branch and account.";
                signs
                    .push((if subject.recognised { 60 } else { 25 }, found("RIB_KEY", text).at(cell.page, cell.place)));
            }
        }
    }
    if seen == 0 {
        return Report::not_applicable(CODE, "The document shows no account number (IBAN).");
    }
    Report::of(signs, CODE, "The check digits of every account number are right.")
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
