//! The companies that a document names: who issued it, their numbers, when one was registered.

use sealwright_plugin_sdk::reading::{
    Cell, Date, fold,
    labels::{ValuePosition, labelled},
    text::has_words,
};

use super::values::Statement;

/// When a company was founded or registered.
const FOUNDED: [&str; 13] = [
    "date d immatriculation",
    "immatriculee le",
    "immatriculation le",
    "date of incorporation",
    "incorporated on",
    "date de creation",
    "date de constitution",
    "registered on",
    "registration date",
    "date of registration",
    "inscrite le",
    "date d inscription",
    "date de debut d activite",
];
const BRITISH: [&str; 6] =
    ["company no", "company number", "company registration", "registered in england", "registered number", "reg no"];
const MOST_NUMBERS: usize = 8;
/// Words by which an invoice is one for a repair, which follows a loss and not precedes it.
const REPAIR: [&str; 14] = [
    "reparation",
    "reparations",
    "repair",
    "repairs",
    "main d oeuvre",
    "labour",
    "depannage",
    "remise en etat",
    "devis",
    "intervention",
    "remplacement",
    "quotation",
    "estimate",
    "expertise",
];

pub(super) fn state(statement: &mut Statement<'_>, document_type: &str) {
    let cells = statement.cells;
    let mut numbers: Vec<(&str, String, &Cell)> = Vec::new();
    for (index, cell) in cells.iter().enumerate() {
        let label = index.checked_sub(1).map(|before| &cells[before]).filter(|before| before.is_next_to(cell));
        let context = format!("{} {}", label.map_or("", |label| label.folded.as_str()), cell.folded);
        let is_siren = ["siren", "rcs", "r c s", "tva", "company number", "immatriculation"]
            .iter()
            .any(|word| has_words(&context, word));
        let is_british = BRITISH.iter().any(|label| has_words(&context, label));
        for digits in digits(&cell.text) {
            match digits.len() {
                14 if luhn(&digits) => {
                    numbers.push(("companyNumber", digits[..9].to_owned(), cell));
                    numbers.push(("branchNumber", digits, cell));
                }
                9 if is_siren && luhn(&digits) => numbers.push(("companyNumber", digits, cell)),
                // Of Companies House.
                8 if is_british => numbers.push(("companyNumber", digits, cell)),
                _ => {}
            }
        }
    }
    for (kind, number, cell) in numbers.into_iter().take(MOST_NUMBERS) {
        statement.add(kind, number, cell, 95, None);
    }
    if document_type == "COMPANY_REGISTRATION" {
        for (day, cell) in labelled(cells, &[&FOUNDED], ValuePosition::Next, Date::read).into_iter().take(2) {
            statement.add("registrationDate", day.iso(), cell, 90, None);
        }
    }
    let is_repair = |cell: &&Cell| REPAIR.iter().any(|word| has_words(&cell.folded, word));
    if let Some(cell) = cells.iter().find(is_repair) {
        statement.add("kind", "repair".to_owned(), cell, 90, None);
    }
    if document_type == "INVOICE"
        && let Some(head) = letter_head(cells)
    {
        statement.add("issuer", fold(&head.text), head, 65, None);
    }
}

/// The largest text of the first lines.
pub(super) fn letter_head(cells: &[Cell]) -> Option<&Cell> {
    let top = cells.iter().filter(|cell| cell.page == 1).take(6);
    let named = top.filter(|cell| {
        let words = cell.folded.split(' ').count();
        let letters = cell.folded.chars().filter(|letter| letter.is_alphabetic()).count();
        words <= 6
            && letters >= 3
            && letters * 2 > cell.folded.len()
            && !["facture", "invoice", "bulletin", "payslip", "page", "releve"]
                .iter()
                .any(|word| cell.folded.starts_with(word))
    });
    named.max_by(|one, other| one.size.cmp(&other.size).then(other.middle().cmp(&one.middle())))
}

/// The numbers of a text without the spaces between their groups. A number within a longer word is none, except behind
/// a country: `FR 12 345678901` is a number of French VAT, whose last nine digits are the company's.
pub(super) fn digits(text: &str) -> Vec<String> {
    let mut numbers: Vec<String> = Vec::new();
    let mut may_go_on = false;
    for word in text.split([' ', '\u{a0}', '\u{202f}', '.']) {
        let bare = word.trim_matches([',', ';', ':', '(', ')', '°', '/']);
        let vat = bare.strip_prefix("FR").filter(|rest| rest.len() == 11).and_then(|rest| rest.get(2..));
        let bare = vat.unwrap_or(bare);
        let is_number = bare.len() >= 3 && bare.bytes().all(|byte| byte.is_ascii_digit());
        match numbers.last_mut() {
            Some(last)
                if (is_number || bare.len() >= 2 && bare.bytes().all(|b| b.is_ascii_digit()))
                    && may_go_on
                    && vat.is_none() =>
            {
                last.push_str(bare);
            }
            _ if is_number => numbers.push(bare.to_owned()),
            _ => {}
        }
        may_go_on = (is_number || may_go_on) && vat.is_none() && word.ends_with(|letter: char| letter.is_ascii_digit());
    }
    numbers
}

/// Whether the last digit is the check digit (ISO/IEC 7812-1, annex B).
pub(super) fn luhn(digits: &str) -> bool {
    let doubled = |digit: u32| if digit > 4 { digit * 2 - 9 } else { digit * 2 };
    let each = digits.bytes().rev().zip(0_u32..).map(|(byte, at)| (u32::from(byte - b'0'), at));
    let sum: u32 = each.map(|(digit, at)| if at % 2 == 1 { doubled(digit) } else { digit }).sum();
    sum.is_multiple_of(10) && digits.bytes().any(|byte| byte != b'0')
}
