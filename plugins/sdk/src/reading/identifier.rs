//! Numbers of companies and people with check digits: which are right. Nothing here searches a text; a caller knows from
//! a label what a number is.

/// A kind of number.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Identifier {
    /// A French company: nine digits.
    Siren,
    /// An establishment of a French company: its SIREN and five digits.
    Siret,
    /// `FR`, two characters, SIREN.
    FrenchVat,
    /// The French social security number: thirteen characters and two digits.
    FrenchSocialSecurity,
    /// `GB` and nine digits, or twelve for a branch.
    BritishVat,
    /// A company in England, Scotland or Northern Ireland: eight characters. It has no check digit.
    BritishCompany,
    /// `BE` and ten digits: enterprise number and VAT.
    BelgianEnterprise,
    /// `CHE` and nine digits.
    SwissEnterprise,
    /// `IE`, seven digits and one or two letters; the old form has a letter or sign as its second character.
    IrishVat,
    /// `DE` and nine digits.
    GermanVat,
    /// The German tax number of a person: eleven digits.
    GermanTax,
    /// A Spanish company or person: nine characters.
    SpanishTax,
    /// An Italian company: eleven digits.
    ItalianVat,
    /// An Italian person: sixteen characters.
    ItalianTax,
    /// `NL`, nine digits, `B`, two digits.
    DutchVat,
    /// A Portuguese company or person: nine digits.
    PortugueseTax,
}

impl Identifier {
    /// Whether a number has the form of its kind and its check digits are right. `number` is in capitals without
    /// separators; the letters of its country may be missing.
    pub fn is_right(self, number: &str) -> bool {
        self.check(number) == Some(true)
    }

    /// Whether the check digits are right. None if the number does not have the form of its kind, so that it may be
    /// something else.
    pub fn check(self, number: &str) -> Option<bool> {
        let bare = self.country().and_then(|country| number.strip_prefix(country)).unwrap_or(number);
        match self {
            Self::Siren => Some(luhn(&digits(bare, 9)?)),
            Self::Siret => siret(bare),
            Self::FrenchVat => french_vat(bare),
            Self::FrenchSocialSecurity => social_security(bare),
            Self::BritishVat => british_vat(bare),
            Self::BritishCompany => british_company(bare),
            Self::BelgianEnterprise => belgian(bare),
            Self::SwissEnterprise => swiss(bare),
            Self::IrishVat => irish(bare),
            Self::GermanVat => Some(modulo_11_10(&digits(bare, 9)?)),
            Self::GermanTax => german_tax(bare),
            Self::SpanishTax => spanish(bare),
            Self::ItalianVat => Some(luhn(&digits(bare, 11)?)),
            Self::ItalianTax => italian_tax(bare),
            Self::DutchVat => dutch(bare),
            Self::PortugueseTax => portuguese(bare),
        }
    }

    const fn country(self) -> Option<&'static str> {
        match self {
            Self::FrenchVat => Some("FR"),
            Self::BritishVat => Some("GB"),
            Self::BelgianEnterprise => Some("BE"),
            Self::SwissEnterprise => Some("CHE"),
            Self::IrishVat => Some("IE"),
            Self::GermanVat => Some("DE"),
            Self::SpanishTax => Some("ES"),
            Self::ItalianVat => Some("IT"),
            Self::DutchVat => Some("NL"),
            Self::PortugueseTax => Some("PT"),
            _ => None,
        }
    }
}

/// The digits of a text of exactly this length.
fn digits(text: &str, length: usize) -> Option<Vec<u32>> {
    let digits: Option<Vec<u32>> = text.chars().map(|letter| letter.to_digit(10)).collect();
    digits.filter(|digits| digits.len() == length)
}

fn number(digits: &[u32]) -> u64 {
    digits.iter().fold(0, |number, digit| number * 10 + u64::from(*digit))
}

fn weighted(digits: &[u32], weights: &[u32]) -> u32 {
    digits.iter().zip(weights).map(|(digit, weight)| digit * weight).sum()
}

fn luhn(digits: &[u32]) -> bool {
    let doubled = |digit: u32| if digit > 4 { digit * 2 - 9 } else { digit * 2 };
    let sum: u32 =
        digits.iter().rev().enumerate().map(|(at, digit)| if at % 2 == 1 { doubled(*digit) } else { *digit }).sum();
    sum.is_multiple_of(10)
}

/// La Poste numbers its establishments so that the sum of all digits is a multiple of five.
fn siret(text: &str) -> Option<bool> {
    let digits = digits(text, 14)?;
    let is_post = text.starts_with("356000000");
    Some(luhn(&digits) || is_post && digits.iter().sum::<u32>().is_multiple_of(5))
}

/// Two digits: `(12 + 3 × (SIREN modulo 97)) modulo 97`. Newer keys have letters, and follow no published rule.
fn french_vat(text: &str) -> Option<bool> {
    let (key, siren) = (text.get(..2)?, text.get(2..)?);
    let siren = digits(siren, 9)?;
    if !key.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit()) {
        return None;
    }
    let Ok(key) = key.parse::<u64>() else { return Some(luhn(&siren)) };
    // Monaco has no SIREN, and uses numbers that begin with three zeros.
    let is_monaco = siren.starts_with(&[0, 0, 0]);
    Some(key == (12 + 3 * (number(&siren) % 97)) % 97 && (is_monaco || luhn(&siren)))
}

/// 97 less the number modulo 97; Corsica's `2A` and `2B` count as 19 and 18.
fn social_security(text: &str) -> Option<bool> {
    if text.len() != 15 || !text.is_ascii() || !text.starts_with(['1', '2', '3', '4', '7', '8']) {
        return None;
    }
    let department = &text[5..7];
    let replaced = match department {
        "2A" => "19",
        "2B" => "18",
        other => other,
    };
    let plain = digits(&format!("{}{replaced}{}", &text[..5], &text[7..13]), 13)?;
    let key = digits(&text[13..], 2)?;
    Some(97 - number(&plain) % 97 == number(&key))
}

/// The weighted sum and the check digits are a multiple of 97, or 55 less than one since 2010.
fn british_vat(text: &str) -> Option<bool> {
    let text = if text.len() == 12 { &text[..9] } else { text };
    let digits = digits(text, 9)?;
    let sum = weighted(&digits[..7], &[8, 7, 6, 5, 4, 3, 2]) + digits[7] * 10 + digits[8];
    Some(sum.is_multiple_of(97) || (sum + 55).is_multiple_of(97))
}

fn british_company(text: &str) -> Option<bool> {
    let has_form = text.len() == 8
        && text.is_ascii()
        && text[2..].bytes().all(|byte| byte.is_ascii_digit())
        && (text[..2].bytes().all(|byte| byte.is_ascii_digit())
            || ["SC", "NI", "OC", "SO", "NC", "LP", "SL", "FC", "GE", "IP", "RC", "CE", "CS"].contains(&&text[..2]));
    has_form.then_some(true)
}

fn belgian(text: &str) -> Option<bool> {
    let padded = if text.len() == 9 { format!("0{text}") } else { text.to_owned() };
    let digits = digits(&padded, 10).filter(|digits| digits[0] <= 1)?;
    Some(97 - number(&digits[..8]) % 97 == number(&digits[8..]))
}

fn swiss(text: &str) -> Option<bool> {
    let bare = ["TVA", "MWST", "IVA", "VAT"].iter().find_map(|end| text.strip_suffix(end)).unwrap_or(text);
    let digits = digits(bare, 9)?;
    let check = (11 - weighted(&digits, &[5, 4, 3, 2, 7, 6, 5, 4]) % 11) % 11;
    Some(check == digits[8])
}

fn irish(text: &str) -> Option<bool> {
    if !(8..=9).contains(&text.len()) || !text.is_ascii() {
        return None;
    }
    let second = text.as_bytes()[1];
    let is_old = !second.is_ascii_digit();
    if is_old && (text.len() != 8 || !(second.is_ascii_uppercase() || matches!(second, b'+' | b'*'))) {
        return None;
    }
    let plain = if is_old { format!("0{}{}", &text[2..7], &text[..1]) } else { text[..7].to_owned() };
    let digits = digits(&plain, 7)?;
    let letter = |at: usize| text.as_bytes().get(at).filter(|byte| byte.is_ascii_uppercase());
    let check = letter(7)?;
    // The second letter counts nine times its place in the alphabet; W is zero.
    let last = match text.as_bytes().get(8) {
        None | Some(b'W') => 0,
        Some(byte) if byte.is_ascii_uppercase() => u32::from(byte - b'A' + 1) * 9,
        Some(_) => return None,
    };
    let rest = (weighted(&digits, &[8, 7, 6, 5, 4, 3, 2]) + last) % 23;
    Some(u32::from(check - b'A' + 1) == if rest == 0 { 23 } else { rest })
}

/// ISO 7064, modulo 11, 10.
fn modulo_11_10(digits: &[u32]) -> bool {
    let Some((check, digits)) = digits.split_last() else { return false };
    let product = digits.iter().fold(10, |product, digit| {
        let sum = (product + digit) % 10;
        (if sum == 0 { 10 } else { sum }) * 2 % 11
    });
    (11 - product) % 10 == *check
}

/// One digit of the first ten occurs two or three times.
fn german_tax(text: &str) -> Option<bool> {
    let digits = digits(text, 11).filter(|digits| digits[0] != 0)?;
    let repeated = (0..10).filter(|digit| digits[..10].iter().filter(|other| *other == digit).count() > 1).count();
    Some(modulo_11_10(&digits) && repeated == 1)
}

fn spanish(text: &str) -> Option<bool> {
    if text.len() != 9 || !text.is_ascii() {
        return None;
    }
    let (first, last) = (text.as_bytes()[0], text.as_bytes()[8]);
    let middle = &text[1..8];
    let person = |digits: String| {
        let number = number(&self::digits(&digits, 8)?);
        let at = usize::try_from(number % 23).ok()?;
        last.is_ascii_uppercase().then(|| b"TRWAGMYFPDXBNJZSQVHLCKE"[at] == last)
    };
    match first {
        b'0'..=b'9' => person(text[..8].to_owned()),
        b'X' | b'Y' | b'Z' => person(format!("{}{middle}", first - b'X')),
        b'K' | b'L' | b'M' => person(format!("0{middle}")),
        b'A'..=b'H' | b'J' | b'N' | b'P'..=b'S' | b'U' | b'V' | b'W' => {
            let digits = digits(middle, 7)?;
            let sum: u32 = digits
                .iter()
                .enumerate()
                .map(|(at, digit)| if at % 2 == 0 { digit * 2 / 10 + digit * 2 % 10 } else { *digit })
                .sum();
            let check = (10 - sum % 10) % 10;
            let is_digit = u32::from(last.wrapping_sub(b'0')) == check;
            let is_letter = b"JABCDEFGHI"[usize::try_from(check).ok()?] == last;
            last.is_ascii_alphanumeric().then_some(is_digit || is_letter)
        }
        _ => None,
    }
}

/// The values of the characters at odd places, from the table of the ministry (decree of 23 December 1976).
const ODD: [u32; 36] = [
    1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10,
    22, 25, 24, 23,
];

fn italian_tax(text: &str) -> Option<bool> {
    let form = "LLLLLLDDLDDLDDDL";
    // Where people would have the same code, letters replace digits.
    let fits = |(letter, place): (char, char)| letter.is_ascii_uppercase() || place == 'D' && letter.is_ascii_digit();
    if text.len() != 16 || !text.chars().zip(form.chars()).all(fits) {
        return None;
    }
    let value = |letter: char| letter.to_digit(36).map(|value| if value >= 10 { value - 10 } else { value });
    let sum: Option<u32> = text
        .chars()
        .take(15)
        .enumerate()
        .map(|(at, letter)| match at % 2 {
            0 => ODD.get(usize::try_from(letter.to_digit(36)?).ok()?).copied(),
            _ => value(letter),
        })
        .sum();
    Some(sum? % 26 == value(text.chars().next_back()?)?)
}

/// The weighted sum of the old numbers, or since 2020 the whole text as a number modulo 97.
fn dutch(text: &str) -> Option<bool> {
    let (head, tail) = (text.get(..9)?, text.get(9..)?);
    let digits = digits(head, 9)?;
    if tail.len() != 3 || !tail.starts_with('B') || !tail[1..].bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let old = weighted(&digits[..8], &[9, 8, 7, 6, 5, 4, 3, 2]) % 11 == digits[8];
    let whole = format!("NL{text}");
    let rest = whole
        .chars()
        .filter_map(|letter| letter.to_digit(36))
        .fold(0, |rest: u32, value| (rest * if value > 9 { 100 } else { 10 } + value) % 97);
    Some(old || rest == 1)
}

fn portuguese(text: &str) -> Option<bool> {
    let digits = digits(text, 9).filter(|digits| digits[0] != 0)?;
    let rest = weighted(&digits[..8], &[9, 8, 7, 6, 5, 4, 3, 2]) % 11;
    Some(digits[8] == if rest < 2 { 0 } else { 11 - rest })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Examples of the authorities and numbers of well-known companies; python-stdnum accepts all of them.
    const RIGHT: [(Identifier, &str); 27] = [
        (Identifier::Siren, "552100554"),
        (Identifier::Siret, "35600000000048"),
        (Identifier::Siret, "35600000049837"),
        (Identifier::Siret, "55210055400013"),
        (Identifier::FrenchVat, "FR40303265045"),
        (Identifier::FrenchVat, "FR83404833048"),
        (Identifier::FrenchSocialSecurity, "295109912611193"),
        (Identifier::FrenchSocialSecurity, "253072A07300443"),
        (Identifier::BritishVat, "GB980780684"),
        (Identifier::BritishVat, "GB220430231"),
        (Identifier::BritishCompany, "00445790"),
        (Identifier::BritishCompany, "SC095000"),
        (Identifier::BelgianEnterprise, "BE0403019261"),
        (Identifier::BelgianEnterprise, "0428759497"),
        (Identifier::SwissEnterprise, "CHE100155212"),
        (Identifier::SwissEnterprise, "CHE107787577IVA"),
        (Identifier::IrishVat, "IE6433435F"),
        (Identifier::IrishVat, "IE8D79739I"),
        (Identifier::IrishVat, "IE6433435OA"),
        (Identifier::GermanVat, "DE136695976"),
        (Identifier::GermanTax, "36574261809"),
        (Identifier::SpanishTax, "54362315K"),
        (Identifier::SpanishTax, "ESJ99216582"),
        (Identifier::ItalianVat, "IT00743110157"),
        (Identifier::ItalianTax, "RCCMNL83S18D969H"),
        (Identifier::DutchVat, "NL004495445B01"),
        (Identifier::PortugueseTax, "PT501964843"),
    ];

    #[test]
    fn published_numbers_are_right_and_a_changed_digit_is_not() {
        for (kind, number) in RIGHT {
            assert_eq!(kind.check(number), Some(true), "{kind:?} {number}");
            let at = number.rfind(|letter: char| letter.is_ascii_digit()).unwrap_or(0) - 2;
            let Some(digit) = number[at..].chars().next().and_then(|letter| letter.to_digit(10)) else { continue };
            let changed = format!("{}{}{}", &number[..at], (digit + 1) % 10, &number[at + 1..]);
            if !matches!(kind, Identifier::BritishCompany) {
                assert_eq!(kind.check(&changed), Some(false), "{kind:?} {changed}");
            }
        }
    }

    #[test]
    fn what_does_not_have_the_form_is_not_judged() {
        for (kind, text) in [
            (Identifier::Siren, "55210055"),
            (Identifier::Siret, "5521005540001A"),
            (Identifier::FrenchVat, "FR4"),
            (Identifier::FrenchSocialSecurity, "995109912611193"),
            (Identifier::BritishVat, "é"),
            (Identifier::BelgianEnterprise, "9403019261"),
            (Identifier::IrishVat, "IE64334é5"),
            (Identifier::SpanishTax, "I99216582"),
            (Identifier::DutchVat, "NL004495445X01"),
            (Identifier::ItalianTax, "RCCMNL83S18D96"),
        ] {
            assert_eq!(kind.check(text), None, "{kind:?} {text}");
        }
    }
}
