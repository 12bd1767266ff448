//! Which texts are values: what a forger would want to change, as opposed to labels and prose.

use sealwright_plugin_sdk::reading::{Amount, find_accounts, find_dates, fold};

/// How much a text looks like a value.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) enum Worth {
    /// Prose, a label, a page number.
    None,
    /// A few capitalised words, as in names and addresses.
    Name,
    /// An amount, an account, a date or a long number.
    Figure,
}

/// What papers are called, in capitals or not.
const HEADINGS: [&str; 20] = [
    "facture",
    "invoice",
    "rechnung",
    "factura",
    "fattura",
    "factuur",
    "fatura",
    "avoir",
    "credit note",
    "receipt",
    "recu",
    "quittance",
    "devis",
    "statement",
    "bulletin de paie",
    "bulletin de salaire",
    "payslip",
    "pay advice",
    "attestation",
    "certificate",
];

/// What people stamp or write on a paper that they received, signed or paid.
const NOTES: [&str; 26] = [
    "recu",
    "received",
    "courrier arrive",
    "arrive le",
    "signed",
    "signe",
    "lu et approuve",
    "bon pour accord",
    "bon a payer",
    "vu le",
    "paye",
    "paid",
    "acquitte",
    "copie",
    "copy",
    "certified copy",
    "approved",
    "checked",
    "scanned",
    "eingegangen",
    "bezahlt",
    "ontvangen",
    "betaald",
    "ricevuto",
    "recibido",
    "recebido",
];

/// Whether a text is a note on a paper: "RECEIVED 18 NOV 2026".
fn is_note(text: &str) -> bool {
    let folded = fold(text);
    NOTES.iter().any(|note| folded.strip_prefix(note).is_some_and(|rest| rest.is_empty() || rest.starts_with(' ')))
}

pub(crate) fn worth(text: &str) -> Worth {
    let text = text.trim();
    if is_note(text) {
        return Worth::None;
    }
    if text.chars().count() > 60 || text.contains("http") || text.contains("www.") || text.contains('@') {
        return Worth::None;
    }
    let digits = text.chars().filter(char::is_ascii_digit).count();
    let is_figure = digits >= 5
        || Amount::read(text).is_some()
        || !find_dates(text).is_empty()
        || !find_accounts(&text.to_uppercase()).is_empty();
    if is_figure {
        return Worth::Figure;
    }
    let mut words = text
        .split(|letter: char| !letter.is_alphanumeric() && letter != '\'' && letter != '’')
        .filter(|word| !word.is_empty());
    let count = words.clone().count();
    let is_capital =
        |word: &str| word.chars().next().is_some_and(|letter| letter.is_uppercase() || letter.is_ascii_digit());
    let letters = text.chars().filter(|letter| letter.is_alphabetic()).count();
    let is_heading = HEADINGS.contains(&fold(text).as_str());
    if (1..=5).contains(&count) && letters >= 3 && words.all(is_capital) && !text.ends_with(':') && !is_heading {
        Worth::Name
    } else {
        Worth::None
    }
}
