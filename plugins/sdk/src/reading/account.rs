//! International bank account numbers (ISO 13616).

use std::ops::Range;

/// An IBAN as read, correct or not.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Account {
    /// Capitals and digits without spaces.
    pub iban: String,
}

/// The length of an IBAN by country, for a selection of the registry.
const LENGTHS: [(&str, usize); 40] = [
    ("AD", 24),
    ("AT", 20),
    ("BE", 16),
    ("BG", 22),
    ("CH", 21),
    ("CY", 28),
    ("CZ", 24),
    ("DE", 22),
    ("DK", 18),
    ("EE", 20),
    ("ES", 24),
    ("FI", 18),
    ("FO", 18),
    ("FR", 27),
    ("GB", 22),
    ("GI", 23),
    ("GL", 18),
    ("GR", 27),
    ("HR", 21),
    ("HU", 28),
    ("IE", 22),
    ("IS", 26),
    ("IT", 27),
    ("LI", 21),
    ("LT", 20),
    ("LU", 20),
    ("LV", 21),
    ("MA", 28),
    ("MC", 27),
    ("MT", 31),
    ("NL", 18),
    ("NO", 15),
    ("PL", 28),
    ("PT", 25),
    ("RO", 24),
    ("SE", 24),
    ("SI", 19),
    ("SK", 24),
    ("SM", 27),
    ("TN", 24),
];

impl Account {
    /// Whether its check digits are right: the rearranged number is 1 modulo 97.
    pub fn is_right(&self) -> bool {
        let (head, body) = self.iban.split_at(4);
        let digits = body.chars().chain(head.chars()).filter_map(|letter| letter.to_digit(36));
        let rest = digits.fold(0_u32, |rest, value| (rest * if value > 9 { 100 } else { 10 } + value) % 97);
        rest == 1
    }
}

/// Strings in a text that look like an IBAN, each with its byte range: a known country, two digits, and the number of
/// further letters and digits for that country, with or without groups.
pub fn find_accounts(text: &str) -> Vec<(Account, Range<usize>)> {
    let mut accounts = Vec::new();
    let mut from = 0;
    while let Some((account, range)) = next(text, from) {
        from = range.end;
        accounts.push((account, range));
    }
    accounts
}

fn next(text: &str, from: usize) -> Option<(Account, Range<usize>)> {
    for (at, _) in text[from..].char_indices().map(|(at, letter)| (at + from, letter)) {
        let begins = text[..at].chars().next_back().is_none_or(|letter| !letter.is_alphanumeric());
        if !begins {
            continue;
        }
        let Some(&(_, length)) = LENGTHS.iter().find(|(country, _)| text[at..].starts_with(country)) else { continue };
        if let Some((iban, end)) = taken(&text[at..], length) {
            return Some((Account { iban }, at..at + end));
        }
    }
    None
}

/// Every country's accounts have at least this many digits; words behind a post code have fewer.
const LEAST_DIGITS: usize = 9;

/// Exactly `length` capitals and digits, with single spaces between them, and no more after them.
fn taken(text: &str, length: usize) -> Option<(String, usize)> {
    characters(text, length).filter(|(iban, _)| iban.bytes().filter(u8::is_ascii_digit).count() >= LEAST_DIGITS)
}

fn characters(text: &str, length: usize) -> Option<(String, usize)> {
    let mut iban = String::new();
    let mut last_was_space = false;
    let mut end = 0;
    for (at, letter) in text.char_indices() {
        if iban.len() == length {
            return (!letter.is_ascii_alphanumeric()).then_some((iban, end));
        }
        match letter {
            '0'..='9' | 'A'..='Z' => {
                if (iban.len() == 2 || iban.len() == 3) && !letter.is_ascii_digit() {
                    return None;
                }
                iban.push(letter);
                last_was_space = false;
                end = at + 1;
            }
            ' ' | '\u{a0}' | '\u{202f}' if !last_was_space => last_was_space = true,
            _ => return None,
        }
    }
    (iban.len() == length).then_some((iban, end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accounts_are_found_grouped_or_not_and_checked() {
        // The examples of the registry.
        for text in
            ["IBAN FR14 2004 1010 0505 0001 3M02 606 BIC X", "GB82WEST12345698765432.", "DE89 3704 0044 0532 0130 00"]
        {
            let found = find_accounts(text);
            assert_eq!(found.len(), 1, "{text}");
            assert!(found[0].0.is_right(), "{text}");
        }
        let wrong = find_accounts("FR14 2004 1010 0505 0001 3M02 607");
        assert!(!wrong[0].0.is_right());
    }

    #[test]
    fn text_that_only_starts_like_an_account_is_ignored() {
        for text in [
            "FR76 3000",
            "FRANCE 12",
            "DE LA RUE 12 34",
            "XX00 0000 0000 0000 0000",
            "SE15 5JR HOLDS THE FOLLOWING ACCOUNT",
        ] {
            assert!(find_accounts(text).is_empty(), "{text}");
        }
    }
}
