//! Post codes, towns and streets of a document, on lines of their own or in sentences.

use sealwright_plugin_sdk::reading::Cell;

use crate::{labelled::is_recognised, search::Pages};

/// Recognised text with less confidence does not state anything by itself.
const SURE: u8 = 88;

/// A PDF's own text, or recognised text that is hardly ever misread.
pub(super) fn is_sure(cell: &Cell) -> bool {
    !is_recognised(cell) || cell.confidence >= SURE
}

/// The last line of an address: its post code, its town, and its cell.
pub(super) fn line<'c>(pages: &Pages<'c>) -> Option<(String, String, &'c Cell)> {
    let is_line = |cell: &&Cell| cell.folded.len() <= 60 && !cell.folded.starts_with("iban");
    let on_line = pages.cells.iter().filter(is_line).find_map(|cell| {
        let (code, town) = cell.text.split(',').rev().find_map(postal)?;
        Some((code, town, cell))
    });
    let in_prose = || {
        pages.cells.iter().filter(|cell| !is_line(cell) && is_sure(cell)).find_map(|cell| {
            let (code, town) = postal_in_prose(&cell.text)?;
            Some((code, town, cell))
        })
    };
    on_line.or_else(in_prose)
}

/// The post code and the town in a sentence: five digits, or four with a capital behind them, and the capitalised words
/// that follow; or a code of letters and digits, and the words before it.
fn postal_in_prose(text: &str) -> Option<(String, String)> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let bare = |at: usize| words[at].trim_end_matches([',', '.', ';', ')']);
    let is_capital = |word: &str| word.starts_with(char::is_uppercase);
    (0..words.len()).find_map(|at| {
        let code = bare(at).trim_start_matches('(');
        let next = words.get(at + 1).map_or("", |_| bare(at + 1));
        let is_digits = code.len() == words[at].len() && matches!(letters_and_digits(code).as_str(), "99999" | "9999");
        if is_digits && is_capital(next) && next.len() > 2 {
            let links = ["sur", "sous", "les", "le", "la", "en", "aux"];
            let mut town = Vec::new();
            for word in words[at + 1..].iter().take(4) {
                let bare = word.trim_end_matches([',', '.', ';', ')']);
                if !is_capital(bare) && !links.contains(&bare) {
                    break;
                }
                town.push(bare);
                if bare != *word {
                    break;
                }
            }
            let year = code.parse::<u32>().is_ok_and(|number| (1900..2100).contains(&number));
            return (!year).then(|| (code.to_owned(), town.join(" ")));
        }
        let is_pair = matches!(
            (letters_and_digits(code).as_str(), letters_and_digits(next).as_str()),
            ("A9A", "9A9") | ("A9" | "A99" | "AA9" | "AA99" | "A9A" | "AA9A", "9AA")
        );
        if is_pair && at > 0 && is_capital(bare(at - 1)) {
            return Some((format!("{code} {next}"), bare(at - 1).to_owned()));
        }
        None
    })
}

/// The post code and the town of a part of an address. Five digits, four behind a country's letter or before a name,
/// and the codes of letters and digits of the United Kingdom, Ireland, Canada and the Netherlands.
pub(super) fn postal(part: &str) -> Option<(String, String)> {
    let words: Vec<&str> = part.split_whitespace().collect();
    let is_name = |word: &&str| word.chars().next().is_some_and(char::is_uppercase) && word.len() > 2;
    let (at, length) = (0..words.len()).find_map(|at| {
        let word = words[at];
        let bare = word.split_once('-').filter(|(country, _)| country.len() <= 3).map_or(word, |(_, code)| code);
        let next = words.get(at + 1).copied().unwrap_or_default();
        match (letters_and_digits(bare).as_str(), letters_and_digits(next).as_str()) {
            ("9999", "AA") | ("A9A", "9A9") | ("A9" | "A99" | "AA9" | "AA99" | "A9A" | "AA9A", "9AA") => Some((at, 2)),
            // An Eircode's second half mixes letters and digits.
            ("A99" | "A9A", behind) if behind.len() == 4 && !behind.contains('x') && behind.contains('A') => {
                Some((at, 2))
            }
            ("99999", _) => Some((at, 1)),
            ("9999", _) if at == 0 && words.get(1).is_some_and(is_name) => Some((at, 1)),
            _ => None,
        }
    })?;
    let town = words[..at].iter().chain(&words[at + length..]).copied().collect::<Vec<_>>().join(" ");
    let letters = town.chars().filter(|letter| letter.is_alphabetic()).count();
    (letters >= 2 && !town.contains(':')).then(|| (words[at..at + length].join(" "), town))
}

/// `SW1A` is `AA9A`; other characters than capitals and digits are `x`.
fn letters_and_digits(word: &str) -> String {
    let kind = |letter: char| match letter {
        '0'..='9' => '9',
        'A'..='Z' => 'A',
        _ => 'x',
    };
    word.chars().map(kind).collect()
}

/// Words of streets, folded and in their short form.
const STREETS: [&str; 24] = [
    "r", "av", "bd", "pl", "ch", "rte", "imp", "all", "quai", "sq", "cours", "st", "rd", "ln", "dr", "cl", "ct", "way",
    "cres", "terr", "gdns", "grove", "via", "c",
];

/// A number and a word of streets.
pub(super) fn street<'c>(pages: &Pages<'c>) -> Option<(String, &'c Cell)> {
    let is_street = |text: &str| {
        let spelled = crate::compare::spelled(text);
        let words: Vec<&str> = spelled.split(' ').collect();
        let has_number = words.iter().any(|word| word.len() <= 4 && word.bytes().all(|byte| byte.is_ascii_digit()));
        let has_street = words.iter().any(|word| STREETS.contains(word) || word.len() > 5 && word.ends_with("str"));
        has_number && has_street && (2..=9).contains(&words.len())
    };
    let whole = pages.cells.iter().find(|cell| is_street(&cell.text)).map(|cell| (cell.text.clone(), cell));
    // In a sentence, between commas: the last words before the comma.
    let in_prose = || {
        pages.cells.iter().filter(|cell| cell.folded.len() > 60 && is_sure(cell)).find_map(|cell| {
            cell.text.split(',').find_map(|part| {
                let words: Vec<&str> = part.split_whitespace().collect();
                let end = words[words.len().saturating_sub(6)..].join(" ");
                is_street(&end).then_some((end, cell))
            })
        })
    };
    whole.or_else(in_prose)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn post_codes_of_many_countries_are_read_with_their_towns() {
        for (part, code, town) in [
            ("69003 Lyon", "69003", "Lyon"),
            ("CH-1800 Vevey", "CH-1800", "Vevey"),
            ("L-1116 Luxembourg", "L-1116", "Luxembourg"),
            ("7000 Mons", "7000", "Mons"),
            ("1015 CJ Amsterdam", "1015 CJ", "Amsterdam"),
            ("Ottawa ON K1P 5M7", "K1P 5M7", "Ottawa ON"),
            ("Dublin 6 D06 X2C4", "D06 X2C4", "Dublin 6"),
            ("Norwich NR2 3JW", "NR2 3JW", "Norwich"),
        ] {
            assert_eq!(postal(part), Some((code.to_owned(), town.to_owned())), "{part}");
        }
        for (text, code, town) in [
            ("demeurant 12 rue des Lilas, 69003 Lyon, est assuré", "69003", "Lyon"),
            ("domiciliée à 4020 Liège depuis 2019", "4020", "Liège"),
            ("of 90 Kingsway, London SE15 5JR holds the account", "SE15 5JR", "London"),
        ] {
            assert_eq!(postal_in_prose(text), Some((code.to_owned(), town.to_owned())), "{text}");
        }
        assert_eq!(postal_in_prose("en mars 2026 Monsieur Dupont a payé 1250 euros"), None);
        for part in ["2026", "Total 1250", "A4 Paper", "12 rue des Lilas", "on 2026 we"] {
            assert_eq!(postal(part), None, "{part}");
        }
    }
}
