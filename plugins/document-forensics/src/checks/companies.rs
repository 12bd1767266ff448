//! Numbers of French companies: a changed digit breaks the check digit (Luhn) of the SIREN, or of the SIRET that starts
//! with it. Only numbers with their label count: nine digits may be anything.

use sealwright_plugin_sdk::{
    findings::found,
    reading::{Cell, fold, text::has_words},
};

use crate::{
    report::{Sign, sign},
    subject::Subject,
};

const CODE: &str = "COMPANY_NUMBER";
const SIREN: [&str; 4] = ["siren", "rcs", "r c s", "registre du commerce et des societes"];
/// The post office numbers its branches in its own way.
const POST: &str = "356000000";

pub(crate) fn signs(subject: &Subject<'_>) -> Vec<Sign> {
    // A misread digit looks like a wrong one.
    if subject.recognised {
        return Vec::new();
    }
    let mut signs = Vec::new();
    for line in subject.lines() {
        let words = fold(&line.iter().map(|cell| cell.text.as_str()).collect::<Vec<_>>().join(" "));
        let names_company = SIREN.iter().any(|label| has_words(&words, label));
        let names_branch = has_words(&words, "siret");
        let is_labelled = |digits: &str| match digits.len() {
            9 => names_company,
            14 => names_branch && !digits.starts_with(POST),
            _ => false,
        };
        let is_wrong = |cell: &&Cell| numbers(&cell.text).iter().any(|digits| is_labelled(digits) && !luhn(digits));
        if let Some(cell) = line.iter().copied().find(is_wrong) {
            let text = "The check digit of a French company's number (SIREN or SIRET) is wrong.";
            signs.push(sign(20.0, found(CODE, text).at(cell.page, cell.place)));
        }
    }
    signs
}

/// The numbers of a text, without the spaces between groups of at least three digits. A number within a longer word is
/// none.
fn numbers(text: &str) -> Vec<String> {
    let mut numbers: Vec<String> = Vec::new();
    let mut may_go_on = false;
    for word in text.split([' ', '\u{a0}', '\u{202f}']) {
        let digits = word.trim_matches([',', '.', ';', ':', '(', ')', '°']);
        let is_number = digits.len() >= 3 && digits.bytes().all(|byte| byte.is_ascii_digit());
        match numbers.last_mut() {
            Some(last) if is_number && may_go_on => last.push_str(digits),
            _ if is_number => numbers.push(digits.to_owned()),
            _ => {}
        }
        may_go_on = is_number && word.ends_with(|letter: char| letter.is_ascii_digit());
    }
    numbers
}

fn luhn(digits: &str) -> bool {
    let doubled = |digit: u32| if digit > 4 { digit * 2 - 9 } else { digit * 2 };
    let sum: u32 = digits
        .bytes()
        .rev()
        .zip(0_u32..)
        .map(|(byte, at)| (u32::from(byte - b'0'), at))
        .map(|(digit, at)| if at % 2 == 1 { doubled(digit) } else { digit })
        .sum();
    sum.is_multiple_of(10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_taken_whole() {
        assert_eq!(numbers("SIRET 554 217 323 00019 – TVA FR07554217323"), ["55421732300019"]);
        assert_eq!(numbers("numéro 473 217 643 R.C.S. Grenoble"), ["473217643"]);
        assert_eq!(numbers("SIREN : 473297653, NAF 6201Z"), ["473297653"]);
        assert!(luhn("473297653") && !luhn("473217643"));
    }
}
