//! Dates as issuers and people write them, also with the month first and with years of two digits.

use std::ops::Range;

use sealwright_plugin_sdk::reading::{Cell, Date, find_dates};

/// Years of two digits up to this one are of this century.
const THIS_CENTURY: i32 = 50;

/// Whether the dates of a document have the month first, as in the United States: one of them would not be a day
/// otherwise, and none would not be a day with the month first.
pub(crate) fn is_month_first(cells: &[Cell]) -> bool {
    let (mut month_first, mut day_first) = (false, false);
    for [first, second, _] in cells.iter().flat_map(|cell| numeric(&cell.text)).map(|(parts, _)| parts) {
        month_first |= second > 12 && (1..=12).contains(&first);
        day_first |= first > 12 && (1..=12).contains(&second);
    }
    month_first && !day_first
}

/// The day that a person entered. ISO 8601, a month by its name, else day, month, year; month first if the day is none
/// otherwise, or if the document writes it so.
pub(crate) fn entered(text: &str, month_first: bool) -> Option<Date> {
    find(text, month_first).into_iter().map(|(date, _)| date).next()
}

/// The dates in a text, each with its byte range.
pub(crate) fn find(text: &str, month_first: bool) -> Vec<(Date, Range<usize>)> {
    let mut dates: Vec<(Date, Range<usize>)> =
        numeric(text).into_iter().filter_map(|(parts, range)| Some((read(parts, month_first)?, range))).collect();
    for (date, range) in find_dates(text) {
        if !dates.iter().any(|(_, other)| other.start < range.end && range.start < other.end) {
            dates.push((date, range));
        }
    }
    dates.sort_by_key(|(_, range)| range.start);
    dates
}

fn read([first, second, third]: [i32; 3], month_first: bool) -> Option<Date> {
    let part = |number: i32| u8::try_from(number).ok();
    let day = |year: i32, month: i32, day: i32| Date::new(year, part(month)?, part(day)?);
    let year = match third {
        0..=THIS_CENTURY => 2000 + third,
        51..=99 => 1900 + third,
        year => year,
    };
    let (by_day, by_month) = (day(year, second, first), day(year, first, second));
    if month_first { by_month.or(by_day) } else { by_day.or(by_month) }
}

/// Three numbers with the same separator, of at most two digits, and two or four for the last: 09/03/2026, 9.3.26.
fn numeric(text: &str) -> Vec<([i32; 3], Range<usize>)> {
    let bytes = text.as_bytes();
    let digits = |from: usize| bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let first = digits(at);
        if first == 0 {
            at += 1;
            continue;
        }
        let three = || {
            let separator = *bytes.get(at + first).filter(|byte| matches!(byte, b'/' | b'.' | b'-'))?;
            let second_at = at + first + 1;
            let second = digits(second_at);
            (bytes.get(second_at + second) == Some(&separator)).then_some(())?;
            let third_at = second_at + second + 1;
            let third = digits(third_at);
            let end = third_at + third;
            // A telephone number and a version have more numbers.
            let goes_on = bytes.get(end).is_some_and(|byte| *byte == separator)
                && bytes.get(end + 1).is_some_and(u8::is_ascii_digit);
            let fits = (1..=2).contains(&first) && (1..=2).contains(&second) && matches!(third, 2 | 4) && !goes_on;
            let number = |from: usize, length: usize| text[from..from + length].parse::<i32>().ok();
            let begins =
                at == 0 || !matches!(bytes[at - 1], b'.' | b'/' | b'-') && !bytes[at - 1].is_ascii_alphanumeric();
            if !fits || !begins {
                return None;
            }
            Some(([number(at, first)?, number(second_at, second)?, number(third_at, third)?], at..end))
        };
        if let Some((parts, range)) = three() {
            at = range.end;
            found.push((parts, range));
        } else {
            at += first;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read_in_the_order_of_the_document() {
        let iso = |text: &str, month_first: bool| entered(text, month_first).map(Date::iso);
        assert_eq!(iso("03/04/2026", false).as_deref(), Some("2026-04-03"));
        assert_eq!(iso("03/04/2026", true).as_deref(), Some("2026-03-04"));
        assert_eq!(iso("03/25/26", false).as_deref(), Some("2026-03-25"));
        assert_eq!(iso("25.3.71", true).as_deref(), Some("1971-03-25"));
        assert_eq!(iso("2026-03-04", true).as_deref(), Some("2026-03-04"));
        for text in ["1.2.3", "01.02.03.04", "32/13/2026", "v1.10.20.1"] {
            assert_eq!(iso(text, false), None, "{text}");
        }
    }
}
