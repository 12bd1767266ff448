//! What is accepted as a value of each kind.

use sealwright_plugin_sdk::reading::{Amount, Date, find_accounts, fold};

use crate::fields::Kind;

/// The longest value.
const LIMIT: usize = 120;

/// The value at the beginning of a text, if it is one of this kind.
pub(crate) fn accepted(kind: Kind, text: &str) -> Option<String> {
    let text = text.trim().trim_end_matches([',', ';', '|']).trim();
    if text.is_empty() || text.len() > LIMIT {
        return None;
    }
    let folded = fold(text);
    let digits = folded.chars().filter(char::is_ascii_digit).count();
    let letters = folded.chars().filter(|letter| letter.is_alphabetic()).count();
    match kind {
        Kind::Date => Date::read(text).map(Date::iso),
        Kind::Amount => Amount::read(text).map(Amount::plain),
        Kind::Account => find_accounts(&text.to_uppercase()).into_iter().next().map(|(account, _)| account.iban),
        Kind::Bank => bank(text),
        Kind::Name => (letters >= 2 && digits == 0).then(|| text.to_owned()),
        Kind::Nationality => (letters >= 2 && digits == 0 && letters <= 30).then(|| text.to_owned()),
        Kind::Number => (digits >= 1 && folded.len() <= 40 && Date::read(text).is_none()).then(|| number(text)),
        Kind::Street => (letters >= 3 && digits >= 1).then(|| text.to_owned()),
        Kind::PostCode => post_code(text),
        Kind::Town | Kind::Text => (letters >= 2).then(|| text.to_owned()),
    }
}

/// Numbers end where plain words begin: `821 503 114 R.C.S. Valmerle` is the number and its register.
fn number(text: &str) -> String {
    let is_word =
        |word: &str| word.len() >= 4 && word.chars().all(char::is_alphabetic) && word.chars().any(char::is_lowercase);
    text.split_whitespace().take_while(|word| !is_word(word)).collect::<Vec<_>>().join(" ")
}

fn bank(text: &str) -> Option<String> {
    let word: String = text.split_whitespace().next()?.chars().filter(char::is_ascii_alphanumeric).collect();
    let right_length = word.len() == 8 || word.len() == 11;
    (right_length && word.chars().take(6).all(|letter| letter.is_ascii_uppercase())).then_some(word)
}

/// Five digits, or a British code of two words.
pub(crate) fn post_code(text: &str) -> Option<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    if let Some(code) = words.iter().find(|word| word.len() == 5 && word.bytes().all(|byte| byte.is_ascii_digit())) {
        return Some((*code).to_owned());
    }
    words.windows(2).find(|pair| is_outward(pair[0]) && is_inward(pair[1])).map(|pair| pair.join(" "))
}

fn is_outward(word: &str) -> bool {
    (2..=4).contains(&word.len())
        && word.starts_with(|letter: char| letter.is_ascii_uppercase())
        && word.chars().all(|letter| letter.is_ascii_uppercase() || letter.is_ascii_digit())
        && word.chars().any(|letter| letter.is_ascii_digit())
}

fn is_inward(word: &str) -> bool {
    let letters: Vec<char> = word.chars().collect();
    letters.len() == 3 && letters[0].is_ascii_digit() && letters[1..].iter().all(char::is_ascii_uppercase)
}

/// What stands in a line beside the post code.
pub(crate) fn town(text: &str) -> Option<String> {
    let code = post_code(text)?;
    let town = text.replacen(&code, "", 1);
    let town = town.trim().trim_matches([',', '-', ' ']).trim();
    (town.chars().filter(|letter| letter.is_alphabetic()).count() >= 2).then(|| town.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn post_codes_and_towns_come_in_both_orders() {
        assert_eq!(post_code("99310 Port-Aubry").as_deref(), Some("99310"));
        assert_eq!(town("99310 Port-Aubry").as_deref(), Some("Port-Aubry"));
        assert_eq!(post_code("Harrowfield ZQ1 2BB").as_deref(), Some("ZQ1 2BB"));
        assert_eq!(town("Great Tolling, XQ8 3LN").as_deref(), Some("Great Tolling"));
        assert_eq!(post_code("12 rue des Tanneurs"), None);
    }

    #[test]
    fn values_must_look_like_their_kind() {
        assert_eq!(accepted(Kind::Date, "12 mars 2026 à Valmerle").as_deref(), Some("2026-03-12"));
        assert_eq!(accepted(Kind::Number, "821 503 114 R.C.S. Valmerle").as_deref(), Some("821 503 114 R.C.S."));
        assert_eq!(accepted(Kind::Bank, "BLEVFRPP").as_deref(), Some("BLEVFRPP"));
        assert_eq!(accepted(Kind::Bank, "Banque"), None);
        assert_eq!(accepted(Kind::Name, "Given names 2"), None);
    }
}
