//! What is accepted as a value of each kind.

use sealwright_plugin_sdk::reading::{Amount, Date, find_accounts, fold};

use crate::fields::Kind;

/// The maximum length of a value.
const LIMIT: usize = 120;

/// The value at the start of a text, if it is one of this kind.
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

/// Numbers end where plain words start: `821 503 114 R.C.S. Valmerle` is the number and its register.
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
    Some(code_in(text)?.0)
}

/// The code in its correct form, and as it is in the text. The positions of digits and letters are fixed, so a misread
/// character has only one possible meaning.
fn code_in(text: &str) -> Option<(String, String)> {
    let words: Vec<&str> = text.split_whitespace().collect();
    if let Some(code) = words.iter().find(|word| word.len() == 5 && word.bytes().all(|byte| byte.is_ascii_digit())) {
        return Some(((*code).to_owned(), (*code).to_owned()));
    }
    let british = words.windows(2).find_map(|pair| {
        let (outward, inward) = (outward(pair[0])?, inward(pair[1])?);
        Some((format!("{outward} {inward}"), pair.join(" ")))
    });
    let misread = || {
        let is_nearly = |word: &&&str| word.len() == 5 && word.bytes().filter(u8::is_ascii_digit).count() >= 3;
        let code = words.iter().find(|word| is_nearly(word) && figures(word).is_some())?;
        Some((figures(code)?, (*code).to_owned()))
    };
    british.or_else(misread)
}

/// Capitals and digits that start with a capital; "2x4" means "ZX4".
fn outward(word: &str) -> Option<String> {
    if is_outward(word) {
        return Some(word.to_owned());
    }
    let mut letters = word.chars();
    let first = letters.next().filter(char::is_ascii_digit).and_then(letter_for)?;
    let rest = letters.as_str().to_ascii_uppercase();
    // A number before a code is a number.
    rest.starts_with(|letter: char| letter.is_ascii_uppercase())
        .then(|| format!("{first}{rest}"))
        .filter(|code| is_outward(code))
}

fn is_outward(word: &str) -> bool {
    (2..=4).contains(&word.len())
        && word.starts_with(|letter: char| letter.is_ascii_uppercase())
        && word.chars().all(|letter| letter.is_ascii_uppercase() || letter.is_ascii_digit())
        && word.chars().any(|letter| letter.is_ascii_digit())
}

/// A digit and two capitals.
fn inward(word: &str) -> Option<String> {
    let mut letters = word.chars();
    let (Some(first), Some(second), Some(third), None) =
        (letters.next(), letters.next(), letters.next(), letters.next())
    else {
        return None;
    };
    let capital = |letter: char| if letter.is_ascii_digit() { letter_for(letter) } else { Some(letter) };
    let code: String = [figure_for(first)?, capital(second)?, capital(third)?].into_iter().collect();
    code[1..].bytes().all(|byte| byte.is_ascii_uppercase()).then_some(code)
}

/// The text with digits in place of the capitals that look like them; none if it contains another letter.
pub(crate) fn figures(text: &str) -> Option<String> {
    text.chars().map(figure_for).collect()
}

/// The digit that recognition may have read as this character.
pub(crate) fn figure_for(letter: char) -> Option<char> {
    Some(match letter {
        '0'..='9' => letter,
        'O' | 'Q' | 'D' => '0',
        'I' | 'l' | '|' => '1',
        'Z' => '2',
        'S' => '5',
        'G' => '6',
        'B' => '8',
        _ => return None,
    })
}

/// The capital that recognition may have read as this digit.
fn letter_for(figure: char) -> Option<char> {
    Some(match figure {
        '0' => 'O',
        '1' => 'I',
        '2' => 'Z',
        '5' => 'S',
        '6' => 'G',
        '8' => 'B',
        _ => return None,
    })
}

/// The rest of the line with the post code.
pub(crate) fn town(text: &str) -> Option<String> {
    let (_, as_it_stands) = code_in(text)?;
    let words: Vec<&str> = text.split_whitespace().collect();
    let town = words.join(" ").replacen(&as_it_stands, "", 1);
    let town = town.trim().trim_matches([',', '-', ' ', '.', '|']).trim();
    (town.chars().filter(|letter| letter.is_alphabetic()).count() >= 2).then(|| town.to_owned())
}

/// The value of this kind in a misread text that is not accepted as it is.
pub(crate) fn accepted_as_misread(kind: Kind, text: &str) -> Option<String> {
    // Remains of the rules of a table.
    let text = text.trim_matches(['|', '_', '—', '=', '“', '”', ':', ';', ' ']);
    match kind {
        Kind::Date => date_without_separators(text),
        // Capitals and digits have no brackets.
        Kind::Number if !text.contains(['(', '[']) => accepted(kind, &text.replace([')', ']'], "J").replace("J ", "J")),
        Kind::Street => accepted(kind, text).map(|street| with_post_code(&street)),
        // No name has a bar: "E| Marwani".
        Kind::Name => accepted(kind, &text.trim_matches(['|', ' ']).replace('|', "l")),
        _ => None,
    }
    .or_else(|| accepted(kind, text))
}

/// The text with its post code in the correct form.
fn with_post_code(text: &str) -> String {
    code_in(text).map_or_else(|| text.to_owned(), |(code, as_it_stands)| text.replacen(&as_it_stands, &code, 1))
}

/// `1508/2018` and `15 082018` have lost a separator, not a digit.
fn date_without_separators(text: &str) -> Option<String> {
    let text = text.trim().trim_matches(['|', ':', '.', ' ']);
    let is_separator = |letter: char| matches!(letter, '/' | '-' | '.' | ' ' | ',');
    if !text.contains(is_separator) {
        return None;
    }
    let digits = figures(&text.chars().filter(|letter| !is_separator(*letter)).collect::<String>())?;
    if digits.len() != 8 {
        return None;
    }
    let (day, month, year) = (digits.get(..2)?, digits.get(2..4)?, digits.get(4..)?);
    Date::read(&format!("{day}/{month}/{year}")).map(Date::iso)
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
    fn a_misread_digit_in_a_post_code_is_corrected() {
        assert_eq!(post_code("Aldermoor QZ5 OAE").as_deref(), Some("QZ5 0AE"));
        assert_eq!(post_code("Wickering ZX21 GHD").as_deref(), Some("ZX21 6HD"));
        assert_eq!(post_code("Port Selwyn 2x4 7QP").as_deref(), Some("ZX4 7QP"));
        assert_eq!(town("Port Selwyn 2x4 7QP").as_deref(), Some("Port Selwyn"));
        assert_eq!(post_code("Harrowfield 12 2BB"), None);
        assert_eq!(town("Aldermoor QZ5 OAE").as_deref(), Some("Aldermoor"));
        assert_eq!(post_code("9931O Port-Aubry").as_deref(), Some("99310"));
        assert_eq!(town("9931O Port-Aubry").as_deref(), Some("Port-Aubry"));
        for text in ["GOODS", "Total 12 kg", "F2 PAR", "B12 the"] {
            assert_eq!(post_code(text), None, "{text}");
        }
    }

    #[test]
    fn a_date_that_lost_a_separator_and_a_number_that_got_a_bracket_are_understood() {
        for text in ["1508/2018", "15/082018", "15 08-2018", "| 15/08/2018", "IS/08 2018"] {
            assert_eq!(accepted_as_misread(Kind::Date, text).as_deref(), Some("2018-08-15"), "{text}");
        }
        for text in ["15082018", "150/2018", "35/082018", "15/13 2018"] {
            assert_eq!(accepted_as_misread(Kind::Date, text), None, "{text}");
        }
        assert_eq!(accepted_as_misread(Kind::Number, "K] 2828690").as_deref(), Some("KJ2828690"));
        assert_eq!(accepted_as_misread(Kind::Number, "Z)3297160").as_deref(), Some("ZJ3297160"));
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
