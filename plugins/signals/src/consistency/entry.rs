//! What people entered, and what was given when the case was opened, against what the papers state.

use sealwright_plugin_sdk::{
    facts::{Evidence, Item},
    reading::{
        Date, fold,
        text::{has_words, squeeze},
    },
};

use super::{
    comparison::Comparison,
    name::{is_among, of_company},
    paper::{Entry, Paper, cents, is_nearly, may_be_misread},
};

/// What the title of a step says its entry is; the more specific come first.
const TITLES: [(&str, &[&str]); 13] = [
    (
        "lossDate",
        &[
            "date du sinistre",
            "date de sinistre",
            "date du vol",
            "date de l incident",
            "date de l accident",
            "date de survenance",
            "date des faits",
            "date of loss",
            "loss date",
            "date of incident",
            "incident date",
            "date of theft",
            "date of damage",
            "date of accident",
            "survenu le",
            "sinistre survenu",
            "date de perte",
            "date de la perte",
            "date de l evenement",
        ],
    ),
    ("employerName", &["employeur", "nom de l employeur", "employer", "employer name", "entreprise employeur"]),
    (
        "netPay",
        &[
            "salaire net",
            "salaire mensuel net",
            "net salary",
            "net pay",
            "net mensuel",
            "revenu net mensuel",
            "monthly net pay",
        ],
    ),
    ("birthDate", &["date de naissance", "date of birth", "birth date", "ne e le"]),
    ("firstName", &["prenom", "prenoms", "first name", "given name", "forename"]),
    (
        "lastName",
        &["nom de famille", "nom du demandeur", "nom de l assure", "last name", "surname", "family name", "nom"],
    ),
    (
        "personName",
        &[
            "nom et prenom",
            "nom prenom",
            "prenom et nom",
            "full name",
            "nom complet",
            "conjoint",
            "conjointe",
            "spouse",
            "partner",
        ],
    ),
    ("iban", &["iban", "numero de compte", "account number"]),
    ("postCode", &["code postal", "post code", "postcode", "postal code"]),
    ("city", &["ville", "commune", "city", "town"]),
    ("address", &["adresse", "address", "domicile"]),
    (
        "totalAmount",
        &["montant reclame", "montant de la facture", "amount claimed", "invoice amount", "claimed amount"],
    ),
    ("accountHolder", &["titulaire du compte", "account holder"]),
];
const CODES: [&str; 20] = [
    "lastName",
    "firstName",
    "birthDate",
    "documentNumber",
    "expiryDate",
    "nationality",
    "address",
    "postCode",
    "city",
    "iban",
    "bic",
    "accountHolder",
    "issuer",
    "invoiceNumber",
    "issueDate",
    "totalAmount",
    "netAmount",
    "registrationNumber",
    "companyName",
    "policyNumber",
];
/// Paths of the texts that were given when the case was opened.
const DECLARED: [(&str, &str); 8] = [
    ("beneficiary.lastName", "lastName"),
    ("beneficiary.firstName", "firstName"),
    ("beneficiary.birthDate", "birthDate"),
    ("beneficiary.address", "address"),
    ("beneficiary.postCode", "postCode"),
    ("beneficiary.zipCode", "postCode"),
    ("beneficiary.city", "city"),
    ("beneficiary.iban", "iban"),
];

/// The entries of a case whose meaning is known, or that have a title.
pub(super) fn all(evidence: &Evidence, items: &[Item]) -> Vec<Entry> {
    let entered = items.iter().filter_map(|item| {
        let value = item.value().filter(|value| !value.trim().is_empty())?;
        let title = fold(&item.step_title());
        let known = item.field_codes();
        let mut codes: Vec<&'static str> =
            CODES.into_iter().filter(|code| known.iter().any(|one| one == code)).collect();
        codes.extend(by_title(&title).filter(|_| codes.is_empty()));
        Some(Entry { name: format!("what was entered as ITM-{}", item.id()), codes, value })
    });
    let declared = evidence.declarations().into_iter().filter_map(|given| {
        let (path, code) = DECLARED.into_iter().find(|(path, _)| *path == given.name)?;
        let name = format!("the declared {path}");
        let value = Some(given.value).filter(|value| !value.trim().is_empty())?;
        Some(Entry { name, codes: vec![code], value })
    });
    entered.chain(declared).collect()
}

/// What the title says; whole words, the longest phrase.
fn by_title(title: &str) -> Option<&'static str> {
    let known = TITLES.iter().flat_map(|(code, phrases)| phrases.iter().map(move |phrase| (*code, *phrase)));
    let found = known.filter(|(_, phrase)| has_words(title, phrase));
    found.max_by_key(|(_, phrase)| phrase.len()).map(|(code, _)| code)
}

pub(super) fn compare(comparison: &mut Comparison) {
    let mut doubts = Vec::new();
    let mut compared = Vec::new();
    for entry in &comparison.entries {
        for code in &entry.codes {
            let Some((field, kinds, cost)) = rule(code) else { continue };
            let stating: Vec<&Paper> = comparison
                .papers
                .iter()
                .filter(|paper| kinds.iter().any(|kind| paper.sure(kind).next().is_some()))
                .collect();
            if stating.is_empty() {
                continue;
            }
            compared.push(field);
            // A paper that has the entered value anywhere agrees, whatever the others say.
            if comparison.papers.iter().any(|paper| has(paper, code, &entry.value)) {
                continue;
            }
            let differing = stating.iter().find(|paper| differs(paper, code, kinds, &entry.value));
            if let Some(paper) = differing {
                let text = format!("The {field} on {} differs from {}.", paper.name(), entry.name);
                doubts.push((cost, paper.item, text));
            }
        }
    }
    for field in compared {
        comparison.compared(field);
    }
    for (cost, item, text) in doubts {
        comparison.doubt(cost, Some(item), "OTHER_THAN_ENTERED", text);
    }
}

/// What people call the field of an entry, the kinds of values it is compared with, and what a contradiction costs. Names
/// of people, dates of birth, accounts and addresses have files of their own.
fn rule(code: &str) -> Option<(&'static str, &'static [&'static str], u8)> {
    Some(match code {
        "netPay" | "netAmount" => ("net pay", &["netPay"], 40),
        "totalAmount" => ("total amount", &["totalAmount"], 40),
        "documentNumber" => ("document number", &["documentNumber"], 45),
        "invoiceNumber" => ("invoice number", &["invoiceNumber"], 38),
        "policyNumber" => ("policy number", &["policyNumber"], 38),
        "registrationNumber" => ("registration number", &["registrationNumber"], 38),
        "employerName" => ("employer", &["employerName"], 45),
        "companyName" => ("company", &["employerName", "companyName"], 40),
        "issuer" => ("issuer", &["issuer"], 35),
        "bic" => ("bank", &["bic"], 35),
        "expiryDate" => ("date of expiry", &["expiryDate"], 40),
        "issueDate" => ("date of issue", &["issueDate"], 35),
        _ => return None,
    })
}

/// Whether a paper has the entered value anywhere.
fn has(paper: &Paper, code: &str, value: &str) -> bool {
    match code {
        "netPay" | "netAmount" => {
            amount(value).is_none_or(|entered| paper.amounts().any(|other| is_nearly(entered, other)))
        }
        // People leave the cents out.
        "totalAmount" => amount(value).is_none_or(|entered| paper.amounts().any(|other| entered.abs_diff(other) < 100)),
        "expiryDate" | "issueDate" => Date::read(value).is_none_or(|day| paper.mentions_day(day)),
        "employerName" | "companyName" | "issuer" => {
            let words = of_company(&fold(value));
            words.is_empty() || words.iter().any(|word| is_among(word, &paper.words, paper.is_recognised()))
        }
        _ => {
            let wanted = squeeze(value);
            // The head office of a bank has three letters more.
            let wanted = if code == "bic" { wanted.trim_end_matches("xxx").to_owned() } else { wanted };
            let parts: Vec<String> = fold(value).split(' ').map(str::to_owned).collect();
            wanted.is_empty()
                || paper.words.contains(&wanted)
                || parts.iter().all(|part| part.len() < 2 || paper.words.contains(part))
                || paper.words.iter().any(|word| word.len() > wanted.len() && word.contains(&wanted))
        }
    }
}

/// Whether every sure value of the paper differs from the entered one by more than a misreading.
fn differs(paper: &Paper, code: &str, kinds: &[&str], value: &str) -> bool {
    let mut stated = kinds.iter().flat_map(|kind| paper.sure(kind)).peekable();
    if stated.peek().is_none() {
        return false;
    }
    stated.all(|other| match code {
        "netPay" | "netAmount" | "totalAmount" => {
            let recognised = paper.is_recognised();
            let (Some(entered), Some(read)) = (amount(value), cents(&other.value)) else { return false };
            let misread = recognised && may_be_misread(&entered.to_string(), &read.to_string());
            !is_nearly(entered, read) && !misread
        }
        "expiryDate" | "issueDate" => Date::read(value).is_some_and(|day| {
            day.iso() != other.value && !(paper.is_recognised() && may_be_misread(&day.iso(), &other.value))
        }),
        "employerName" | "companyName" | "issuer" => !of_company(&other.value).is_empty(),
        _ => {
            let (entered, read) = (squeeze(value), squeeze(&other.value));
            let misread = paper.is_recognised() && may_be_misread(&entered, &read);
            entered != read && !read.contains(&entered) && !entered.contains(&read) && !misread
        }
    })
}

/// An amount as people type it: `2 345`, `2345,6`.
pub(super) fn amount(text: &str) -> Option<i64> {
    cents(text).or_else(|| {
        let plain: String =
            text.chars().filter(|letter| letter.is_ascii_digit() || matches!(letter, '.' | ',')).collect();
        let plain = plain.replace(',', ".");
        let (whole, rest) = plain.split_once('.').unwrap_or((&plain, ""));
        let whole = whole.parse::<i64>().ok().filter(|whole| *whole < 1_000_000_000)?;
        let rest = match rest.len() {
            0 => 0,
            1 => rest.parse::<i64>().ok()? * 10,
            _ => return None,
        };
        Some(whole * 100 + rest)
    })
}
