//! Texts that are the same, as far as a printer, a person or recognition can change them.

use sealwright_plugin_sdk::reading::Account;

use crate::compare::distance;

/// The numbers in a text: their digits, without separators of thousands and decimals.
pub(super) fn numbers(text: &str) -> Vec<String> {
    let mut numbers = vec![String::new()];
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let is_inside = matches!(letter, '.' | ',' | ' ' | '\'' | '’' | '\u{a0}' | '\u{202f}')
            && letters.peek().is_some_and(char::is_ascii_digit);
        match (letter.is_ascii_digit(), numbers.last_mut()) {
            (true, Some(number)) => number.push(letter),
            (false, Some(number)) if !number.is_empty() && !is_inside => numbers.push(String::new()),
            _ => {}
        }
    }
    numbers.retain(|number| !number.is_empty());
    numbers
}

/// Where the digits are one by one, with spaces between them.
pub(super) fn spaced_digits(text: &str, digits: &str) -> Option<usize> {
    let spaced = digits.chars().map(|digit| digit.to_string()).collect::<Vec<_>>().join(" ");
    text.find(&spaced)
}

/// `n° 12345` and `FR12345` are 12345 behind letters.
pub(super) fn is_behind_letters(joined: &str, wanted: &str) -> bool {
    wanted.len() >= 5
        && wanted.starts_with(|first: char| first.is_ascii_digit())
        && joined.strip_suffix(wanted).is_some_and(|rest| rest.chars().all(char::is_alphabetic) && rest.len() <= 3)
}

/// Without the differences that recognition does not see.
pub(super) fn looks_like(code: &str) -> String {
    code.chars()
        .map(|letter| match letter {
            'o' | 'q' | 'd' => '0',
            'i' | 'l' | 't' => '1',
            'z' => '2',
            's' => '5',
            'g' => '6',
            'b' => '8',
            letter => letter,
        })
        .collect()
}

/// The text with digits in place of similar letters, if digits are wanted.
pub(super) fn looks_like_digits(joined: &str, figures: &str) -> String {
    if digits_of(joined) == figures { joined.to_owned() } else { looks_like(joined) }
}

pub(super) fn digits_of(text: &str) -> String {
    text.chars().filter(char::is_ascii_digit).collect()
}

/// The check digits of the entered number are right and those of the read one are not: it was misread.
pub(super) fn is_misread_account(read: &str, entered: &str) -> bool {
    let is_right =
        |iban: &str| iban.len() > 14 && iban.is_ascii() && Account { iban: iban.to_ascii_uppercase() }.is_right();
    read.len().abs_diff(entered.len()) <= 2
        && is_right(entered)
        && !is_right(read)
        && distance(&looks_like(read), &looks_like(entered)) <= 3
}

/// A company's name without what it is: `Acme GmbH` is `Acme`.
pub(crate) fn without_legal_form(folded: &str) -> String {
    const FORMS: [&str; 44] = [
        "sa",
        "sas",
        "sasu",
        "sarl",
        "eurl",
        "sci",
        "snc",
        "scop",
        "ei",
        "ltd",
        "limited",
        "plc",
        "llp",
        "llc",
        "inc",
        "corp",
        "corporation",
        "co",
        "company",
        "gmbh",
        "ag",
        "kg",
        "ug",
        "ohg",
        "bv",
        "nv",
        "srl",
        "spa",
        "sprl",
        "bvba",
        "asbl",
        "sl",
        "slu",
        "lda",
        "dac",
        "cic",
        "the",
        "et",
        "cie",
        "ltee",
        "sdn",
        "bhd",
        "pte",
        "pty",
    ];
    folded.split(' ').filter(|word| !FORMS.contains(word)).collect::<Vec<_>>().join(" ")
}

/// How many letters the two texts share, in any order.
pub(super) fn same_letters(first: &str, second: &str) -> usize {
    let mut counts = [0_i32; 256];
    for letter in second.chars() {
        counts[letter as usize % 256] += 1;
    }
    let mut shared = 0;
    for letter in first.chars() {
        let count = &mut counts[letter as usize % 256];
        shared += usize::from(*count > 0);
        *count -= 1;
    }
    shared
}
