//! Amounts of money as French and English papers write them.

use std::ops::Range;

/// An amount in hundredths of its currency, which can be any.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct Amount(pub i64);

impl Amount {
    /// The first amount in a text.
    pub fn read(text: &str) -> Option<Self> {
        find_amounts(text).into_iter().map(|(amount, _)| amount).next()
    }

    /// Digits with a point before the two decimals.
    pub fn plain(self) -> String {
        let sign = if self.0 < 0 { "-" } else { "" };
        format!("{sign}{}.{:02}", self.0.abs() / 100, self.0.abs() % 100)
    }
}

/// The amounts in a text, each with its byte range: numbers with exactly two decimals, and whole numbers next to a
/// currency. Thousands may be grouped by spaces, points, commas or apostrophes.
pub fn find_amounts(text: &str) -> Vec<(Amount, Range<usize>)> {
    let mut amounts = Vec::new();
    let mut rest = 0;
    while let Some(start) = text[rest..].find(|letter: char| letter.is_ascii_digit()).map(|at| rest + at) {
        let end = number_end(&text[start..]) + start;
        rest = end.max(start + 1);
        // Part of a longer word or number is not an amount: "A1234.56", "2026-01".
        let before = text[..start].chars().next_back();
        let after = text[end..].chars().next();
        if before.is_some_and(char::is_alphanumeric)
            || after.is_some_and(|letter| letter.is_alphanumeric() && letter != 'E' && letter != 'e')
        {
            continue;
        }
        // A date with points has a third number: "12.03.2026".
        let mut behind = text[end..].chars();
        if behind.next().is_some_and(|letter| matches!(letter, '.' | ',' | '/'))
            && behind.next().is_some_and(|letter| letter.is_ascii_digit())
        {
            continue;
        }
        if let Some(value) = value(&text[start..end], has_currency(text, start, end)) {
            let minus = before == Some('-') || before == Some('−');
            amounts.push((Amount(if minus { -value } else { value }), start..end));
        }
    }
    amounts
}

/// Where a number with its groups and decimals ends.
fn number_end(text: &str) -> usize {
    let bytes: Vec<(usize, char)> = text.char_indices().collect();
    let digit = |index: usize| bytes.get(index).is_some_and(|(_, letter)| letter.is_ascii_digit());
    let mut index = 0;
    while digit(index) {
        index += 1;
    }
    loop {
        let separator = bytes.get(index).map(|(_, letter)| *letter);
        let group = digit(index + 1) && digit(index + 2) && digit(index + 3) && !digit(index + 4);
        let decimals = digit(index + 1) && digit(index + 2) && !digit(index + 3);
        match separator {
            Some(' ' | '\u{a0}' | '\u{202f}' | '\u{2009}' | '\'' | '’' | '.' | ',') if group => index += 4,
            Some('.' | ',') if decimals => {
                index += 3;
                break;
            }
            _ => break,
        }
    }
    bytes.get(index).map_or(text.len(), |(at, _)| *at)
}

/// In hundredths.
fn value(number: &str, has_currency: bool) -> Option<i64> {
    let digits: String = number.chars().filter(char::is_ascii_digit).collect();
    let from_end = number.chars().rev().position(|letter| letter == '.' || letter == ',');
    if digits.len() > 12 {
        return None;
    }
    match from_end {
        Some(2) => digits.parse().ok(),
        _ if has_currency => digits.parse::<i64>().ok().map(|whole| whole * 100),
        _ => None,
    }
}

fn has_currency(text: &str, start: usize, end: usize) -> bool {
    let before = text[..start].trim_end();
    let after = text[end..].trim_start();
    before.ends_with(['€', '£', '$'])
        || before.ends_with("EUR")
        || after.starts_with(['€', '£', '$'])
        || ["EUR", "euros", "GBP", "CHF"].iter().any(|word| after.starts_with(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_read_in_every_notation() {
        for text in
            ["1 234,56 €", "1\u{a0}234,56", "£1,234.56", "1.234,56 EUR", "1234.56", "1'234.56", "Total: 1234,56"]
        {
            assert_eq!(Amount::read(text), Some(Amount(123_456)), "{text}");
        }
        assert_eq!(Amount::read("40 €"), Some(Amount(4_000)));
        assert_eq!(Amount::read("-12,00"), Some(Amount(-1_200)));
        assert_eq!(Amount(-1_205).plain(), "-12.05");
    }

    #[test]
    fn numbers_without_decimals_or_currency_are_not_amounts() {
        for text in ["2026", "12/03/2026", "TVA 20 %", "F2026-0417", "01 99 00 12 34", "12.03.2026"] {
            assert_eq!(Amount::read(text), None, "{text}");
        }
    }

    #[test]
    fn columns_of_a_table_stay_apart() {
        let found: Vec<i64> = find_amounts("Pose 3 48,50 € 145,50 €").into_iter().map(|(amount, _)| amount.0).collect();
        assert_eq!(found, [4_850, 14_550]);
    }
}
