//! Signed codes (2D-Doc): an issuer signs what it prints, so a page that states otherwise was changed, and so was a code
//! whose signature is wrong. What a valid code and the page agree on is proven.

use sealwright_plugin_sdk::{
    facts::{CodeField, SignatureState, SignedCode},
    findings::{Finding, found, not_found, not_run},
    reading::{Amount, Date, labels},
};

use crate::{
    report::{Report, Sign, WEAK, sign},
    stated::{Comparison, Stated},
    subject::Subject,
};

const CODE: &str = "SIGNED_CODE";
/// A code whose owner did not sign it.
const FORGED: f64 = 45.0;
/// A page that contradicts a code: one that its issuer signed, as text and as a scan, and one that could not be checked.
const CONTRADICTS: f64 = 45.0;
const CONTRADICTS_SCAN: f64 = 30.0;
const CONTRADICTS_UNCHECKED: f64 = 18.0;
/// A number of a valid code that is not on the page, which states other values of it.
const MISSES: f64 = 14.0;
/// Values that must agree before a valid code proves the page.
const PROOF: usize = 2;

const TOTAL: [&[&str]; 2] = [&labels::TOTAL, &["total", "montant ttc", "montant total", "montant a payer", "a payer"]];
const PAID: [&[&str]; 2] = [&labels::PAID, &["net imposable", "net a payer", "salaire net", "net social"]];
const GROSS: [&[&str]; 1] = [&["salaire brut", "total brut", "brut"]];
const INCOME: [&[&str]; 1] = [&["revenu fiscal de reference"]];
const TAX: [&[&str]; 1] = [&["impot sur le revenu net", "montant de l impot", "reste a payer", "retenue a la source"]];
const OPENING: [&[&str]; 1] = [&["ancien solde", "solde precedent", "solde initial", "solde au"]];
const CLOSING: [&[&str]; 1] = [&["nouveau solde", "solde final", "solde crediteur", "solde debiteur"]];
const BIRTH: [&[&str]; 1] = [&labels::BORN];
const NO_LABEL: [&[&str]; 0] = [];

/// None: the document has no signed code.
pub(crate) fn check(subject: &Subject<'_>) -> Option<Report> {
    let codes = subject.document.signed_codes();
    if codes.is_empty() {
        return None;
    }
    let stated = Stated::of(subject);
    let (mut signs, mut notes) = (Vec::new(), Vec::new());
    let mut proven = false;
    for code in &codes {
        let Judged { sign, note, proves } = judged(code, &stated);
        signs.extend(sign);
        notes.extend(note);
        proven |= proves;
    }
    let report = if signs.is_empty() && !notes.is_empty() {
        Report { findings: notes, ..Report::valid(CODE, "") }
    } else {
        let mut report = Report::of(signs, CODE, "The signed code and the page agree.");
        report.findings.extend(notes);
        report
    };
    Some(if proven && report.decibans <= 0.0 { Report { lift: WEAK, ..report } } else { report })
}

#[derive(Default)]
struct Judged {
    sign: Option<Sign>,
    note: Option<Finding>,
    /// Whether the issuer's signature proves what the page states.
    proves: bool,
}

fn judged(code: &SignedCode, stated: &Stated<'_>) -> Judged {
    let at = |finding: Finding| finding.at(code.place.page, code.place.area);
    if code.state == SignatureState::Invalid {
        let text = "The content of a signed code (2D-Doc) is not what its issuer signed.";
        return Judged { sign: Some(sign(FORGED, at(found("SIGNED_CODE_FORGED", text)))), ..Judged::default() };
    }
    let is_valid = code.state == SignatureState::Valid;
    let compared: Vec<(&CodeField, Comparison)> =
        code.fields.iter().filter_map(|field| Some((field, compared(field, stated)?))).collect();
    let agreeing = compared.iter().filter(|(_, comparison)| *comparison == Comparison::Same).count();
    let other: Vec<&str> = compared
        .iter()
        .filter(|(_, comparison)| *comparison == Comparison::Other)
        .map(|(field, _)| field.name.as_str())
        .collect();
    let absent = compared.iter().filter(|(_, comparison)| *comparison == Comparison::Absent).count();
    // A code of another document is not on the page at all.
    let is_foreign = agreeing == 0 && other.len() + absent >= 3;
    if !other.is_empty() || is_foreign {
        let what = if other.is_empty() { "none of its values is there".to_owned() } else { other.join(", ") };
        let decibans = match (is_valid, stated.is_recognised()) {
            (true, false) => CONTRADICTS,
            (true, true) => CONTRADICTS_SCAN,
            (false, _) => CONTRADICTS_UNCHECKED,
        };
        let text = if is_valid {
            format!("The page does not state what its issuer signed in the code (2D-Doc): {what}.")
        } else {
            format!("The page does not state what its code (2D-Doc) says, whose signature was not checked: {what}.")
        };
        return Judged { sign: Some(sign(decibans, at(found("SIGNED_CODE_CONTRADICTS", text)))), ..Judged::default() };
    }
    let missing = compared.iter().any(|(field, comparison)| *comparison == Comparison::Absent && is_reference(field));
    if is_valid && missing && agreeing > 0 {
        let text = "A number that the issuer signed in the code (2D-Doc) is not on the page.";
        return Judged { sign: Some(sign(MISSES, at(found("SIGNED_CODE_MISSES", text)))), ..Judged::default() };
    }
    let note = match code.state {
        SignatureState::Valid if agreeing >= PROOF => not_found(
            CODE,
            format!("The issuer signed a code (2D-Doc), and the page states what it says ({agreeing} values)."),
        ),
        SignatureState::Valid => {
            not_run(CODE, "The signature of a code (2D-Doc) is right, but too little of it could be found on the page.")
        }
        SignatureState::OutsideValidity => {
            not_run(CODE, "A code (2D-Doc) was signed on a day on which the certificate of its issuer was not valid.")
        }
        SignatureState::UnknownCertificate => {
            not_run(CODE, "The signature of a code (2D-Doc) was not checked: the certificate of its issuer is unknown.")
        }
        SignatureState::NotChecked | SignatureState::Invalid => {
            not_run(CODE, "The signature of a code (2D-Doc) was not checked: the operator has set no certificates.")
        }
    };
    Judged { note: Some(at(note)), proves: is_valid && agreeing >= PROOF, ..Judged::default() }
}

/// A value of the code and the page. None: its kind is not compared.
fn compared(field: &CodeField, stated: &Stated<'_>) -> Option<Comparison> {
    let value = field.value.as_str();
    if value.is_empty() || field.cut {
        return None;
    }
    let amount = |labels: &[&[&str]]| Some(stated.amount(amount(value)?, labels));
    let date = |labels: &[&[&str]]| Some(stated.date(Date::read(value)?, labels));
    match field.id.as_str() {
        "1D" => amount(&TOTAL),
        "58" | "5C" => amount(&PAID),
        "5A" => amount(&GROSS),
        "41" => amount(&INCOME),
        "4V" | "4W" | "4X" => amount(&TAX),
        "38" => amount(&OPENING),
        "39" => amount(&CLOSING),
        "31" => Some(stated.account(value)),
        // A title and a first name may be left out, so a last name decides.
        "13" | "17" | "1L" | "1P" | "62" | "6G" | "B2" | "10" | "14" | "30" | "46" | "48" | "4N" => {
            Some(stated.name(value))
        }
        // The page may have fewer first names, and another form of a company's name.
        "12" | "16" | "60" | "61" | "B0" | "B1" | "4U" | "5M" | "25" | "2C" | "6X" => {
            Some(not_against(stated.name(value)))
        }
        "18" | "40" | "44" | "47" | "49" | "50" | "66" | "A1" | "A4" | "BC" | "95" => Some(stated.number(value)),
        "19" | "1A" | "24" | "2B" | "32" | "5H" | "6W" => Some(not_against(stated.number(value))),
        "69" | "B7" => date(&BIRTH),
        "1C" | "55" | "56" | "57" | "6N" | "6O" | "AA" | "96" => date(&NO_LABEL).map(not_against),
        _ => None,
    }
}

/// The numbers that identify a document.
fn is_reference(field: &CodeField) -> bool {
    matches!(field.id.as_str(), "18" | "40" | "44" | "50" | "66")
}

/// For values that pages often state in another form.
fn not_against(comparison: Comparison) -> Comparison {
    if comparison == Comparison::Same { comparison } else { Comparison::Unsure }
}

/// Digits, with a point before one or two decimals.
fn amount(value: &str) -> Option<Amount> {
    let (whole, decimals) = value.split_once('.').unwrap_or((value, ""));
    let decimals: i64 = match decimals.len() {
        0 => 0,
        1 => decimals.parse::<i64>().ok()? * 10,
        2 => decimals.parse().ok()?,
        _ => return None,
    };
    let is_negative = whole.starts_with('-');
    let whole: i64 = whole.trim_start_matches('-').parse().ok().filter(|whole: &i64| *whole < 1_000_000_000_000)?;
    let hundredths = whole * 100 + decimals;
    Some(Amount(if is_negative { -hundredths } else { hundredths }))
}
