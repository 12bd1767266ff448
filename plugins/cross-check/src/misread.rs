//! Whether recognised text that contradicts an entered value may have been misread: what was not read surely is not a
//! contradiction.

use sealwright_plugin_sdk::reading::{Cell, Date, find_amounts, text::has_words};

use crate::{
    compare,
    fields::{Field, Kind},
    labelled::{Reading, is_recognised},
    reader::Reader,
    search::Pages,
};

/// Recognised text with a lower confidence may be misread.
const SURE: u8 = 80;
/// A digit that looks like another one is misread even with a confidence like this.
const SURE_OF_DIGITS: u8 = 90;
/// A likeness from this on can come from misreading.
const ALIKE: u8 = 60;
/// Digits that recognition confuses, on faint or dotted print.
const SIMILAR_DIGITS: [&str; 3] = ["035689", "147", "27"];
/// The mean confidence of a page that was read well, weighted by the length of its texts.
const WELL_READ: usize = 80;
/// In cents: less than what cash is rounded to.
const ROUNDED: i64 = 5;
/// With more amounts, every sum is there by chance; with so many, one that is nearly the entered amount.
const MOST_AMOUNTS: usize = 60;
const MOST_FOR_NEAR_SUMS: usize = 10;

/// Whether a stated value that differs from the entered one may be the entered one. `likeness` is that of both, in percent.
pub(crate) fn may_be_misread(reader: &Reader<'_>, kind: Kind, entered: &str, stated: &Reading, likeness: u8) -> bool {
    let confidence = reader
        .cells
        .iter()
        .filter(|cell| Some(cell.place) == stated.place.area && is_recognised(cell))
        .map(|cell| cell.confidence)
        .min();
    let Some(confidence) = confidence else { return false };
    (likeness >= ALIKE || kind == Kind::Amount) && confidence < SURE
        || confidence < SURE_OF_DIGITS && is_one_digit_apart(kind, entered, &stated.value)
}

/// Whether two days or amounts differ in one digit that looks like the other.
fn is_one_digit_apart(kind: Kind, entered: &str, stated: &str) -> bool {
    let digits = |text: &str| match kind {
        Kind::Date => Date::read(text).map(Date::digits),
        Kind::Amount => compare::amount(text).map(|amount| amount.to_string()),
        _ => None,
    };
    let (Some(entered), Some(stated)) = (digits(entered), digits(stated)) else { return false };
    let different: Vec<(char, char)> =
        entered.chars().zip(stated.chars()).filter(|(one, other)| one != other).collect();
    let [(one, other)] = different[..] else { return false };
    entered.len() == stated.len()
        && SIMILAR_DIGITS.iter().any(|similar| similar.contains(one) && similar.contains(other))
}

/// Whether a page was read well enough that its largest amount is the largest one that it shows. Recognition loses amounts
/// on the others.
pub(crate) fn is_well_read(cells: &[Cell]) -> bool {
    let recognised = || cells.iter().filter(|cell| is_recognised(cell));
    let all: usize = recognised().map(|cell| cell.text.len()).sum();
    let sum: usize = recognised().map(|cell| usize::from(cell.confidence) * cell.text.len()).sum();
    sum >= WELL_READ * all
}

/// Whether a value may be on the page, and was misread: a name that is like some text, or an amount that follows from two
/// others. Short names are like others by chance.
pub(crate) fn may_be_there(field: &Field, entered: &str, reader: &Reader<'_>, pages: &Pages<'_>) -> bool {
    match field.kind {
        Kind::Text => pages.is_partly_read(entered, 48),
        Kind::Name => pages.is_partly_read(entered, 70),
        Kind::Amount => follows_from_others(reader, entered, 0),
        _ => false,
    }
}

/// Whether an amount is the sum or difference of two that were recognised, or nearly: what was paid less the change is the
/// total.
fn follows_from_others(reader: &Reader<'_>, entered: &str, nearly: i64) -> bool {
    let Some(entered) = compare::amount(entered).filter(|entered| *entered > 0) else { return false };
    let amounts = recognised_amounts(reader);
    let has = |wanted: i64| {
        let from = amounts.partition_point(|amount| *amount < wanted - nearly);
        amounts.get(from).is_some_and(|amount| *amount <= wanted + nearly)
    };
    amounts.len() <= if nearly == 0 { MOST_AMOUNTS } else { MOST_FOR_NEAR_SUMS }
        && amounts.iter().any(|first| {
            let other = (entered - first).abs();
            other != *first && other > nearly && has(other) || has(entered + first)
        })
}

/// Without zero, in ascending order, each once.
fn recognised_amounts(reader: &Reader<'_>) -> Vec<i64> {
    let recognised = reader.cells.iter().filter(|cell| is_recognised(cell));
    let mut amounts: Vec<i64> =
        recognised.flat_map(|cell| find_amounts(&cell.text)).map(|(amount, _)| amount.0.abs()).collect();
    amounts.retain(|amount| *amount != 0);
    amounts.sort_unstable();
    amounts.dedup();
    amounts
}

/// Whether an amount differs by what is rounded in cash from the stated one, on a document that rounds. On recognised text
/// the unrounded total may be any amount, or the sum of two.
pub(crate) fn is_rounding(reader: &Reader<'_>, entered: &str, stated: &str) -> bool {
    const WORDS: [&str; 5] = ["rounding", "rounded", "arrondi", "rundung", "redondeo"];
    let (Some(amount), Some(stated)) = (compare::amount(entered), compare::amount(stated)) else { return false };
    let is_near = |other: i64| (amount - other).abs() < ROUNDED;
    let is_rounded = || reader.cells.iter().any(|cell| WORDS.iter().any(|word| has_words(&cell.folded, word)));
    (is_near(stated)
        || recognised_amounts(reader).into_iter().any(is_near)
        || follows_from_others(reader, entered, ROUNDED - 1))
        && is_rounded()
}

#[cfg(test)]
mod tests {
    use sealwright_plugin_sdk::cross_check::{Entry, Outcome};

    use super::*;
    use crate::{
        tests::{page, recognised},
        verify,
    };

    fn verified(lines: &[(&str, i32, i32)], code: &str, value: &str) -> Outcome {
        outcome(&page(lines), code, value)
    }

    fn outcome(document: &sealwright_plugin_sdk::facts::Document, code: &str, value: &str) -> Outcome {
        let entry = Entry { code: code.to_owned(), value: value.to_owned() };
        verify::all(&Reader::new(document, "INVOICE"), &[entry])[0].outcome
    }

    #[test]
    fn an_amount_that_was_rounded_in_cash_is_not_another_one() {
        let lines = [("Rounding adj", 50, 100), ("0.01", 300, 100), ("Total", 50, 120), ("10.44", 300, 120)];
        assert_eq!(verified(&lines, "totalAmount", "10.45"), Outcome::Missing);
        assert_eq!(verified(&lines, "totalAmount", "10.54"), Outcome::Different);
        assert_eq!(verified(&lines[2..], "totalAmount", "10.45"), Outcome::Different);
    }

    #[test]
    fn an_amount_that_others_confirm_was_misread() {
        let lines = [
            ("Total", 50, 100),
            ("30.50", 300, 100),
            ("Cash", 50, 120),
            ("101.00", 300, 120),
            ("Change", 50, 140),
            ("70.10", 300, 140),
        ];
        let verified = |value: &str| {
            let document = recognised(&lines);
            outcome(&document, "totalAmount", value)
        };
        assert_eq!(verified("30.90"), Outcome::Missing);
        assert_eq!(verified("30.20"), Outcome::Different);
    }

    #[test]
    fn a_digit_that_looks_like_another_one_does_not_contradict() {
        for (kind, entered, stated, wanted) in [
            (Kind::Date, "2018-03-30", "2019-03-30", true),
            (Kind::Date, "2018-03-30", "2017-03-30", false),
            (Kind::Date, "2018-03-04", "2018-05-06", false),
            (Kind::Amount, "57.80", "57.50", true),
            (Kind::Amount, "57.80", "157.80", false),
            (Kind::Amount, "61.00", "62.00", false),
            (Kind::Amount, "71.00", "11.00", true),
            (Kind::Name, "Moreau 8", "Moreau 5", false),
        ] {
            assert_eq!(is_one_digit_apart(kind, entered, stated), wanted, "{entered} {stated}");
        }
    }

    #[test]
    fn a_rounded_total_that_was_not_read_is_not_contradicted_by_another_amount() {
        let lines =
            [("Total", 50, 100), ("26.00", 300, 100), ("GST", 50, 120), ("1.56", 300, 120), ("Rounding", 50, 140)];
        let total = |value: &str| outcome(&recognised(&lines), "totalAmount", value);
        assert_eq!(total("27.55"), Outcome::Missing);
        assert_eq!(total("29.55"), Outcome::Different);
        assert_eq!(outcome(&recognised(&lines[..4]), "totalAmount", "27.55"), Outcome::Different, "nothing is rounded");
    }
}
