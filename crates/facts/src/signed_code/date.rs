//! The dates of signed codes.

use jiff::{
    ToSpan as _,
    civil::{Date, date},
};

/// The day that codes count from.
const START: Date = date(2000, 1, 1);

/// Four hexadecimal digits: the days since 2000-01-01. `None` for `FFFF`, which means no date.
pub(super) fn of_days(text: &str) -> Option<String> {
    let days = u16::from_str_radix(text, 16).ok().filter(|days| *days != u16::MAX)?;
    Some(START.checked_add(i64::from(days).days()).ok()?.to_string())
}

/// `ddmmyyyy`, with the time `hhmm` or without it.
pub(super) fn of_digits(text: &str) -> Option<String> {
    let number = |from: usize, to: usize| text.get(from..to).map(str::parse::<i16>).and_then(Result::ok);
    let small = |from: usize| number(from, from + 2).and_then(|number| i8::try_from(number).ok());
    let day = Date::new(number(4, 8)?, small(2)?, small(0)?).ok()?;
    match text.len() {
        8 => Some(day.to_string()),
        12 => Some(day.at(small(8)?.clamp(0, 23), small(10)?.clamp(0, 59), 0, 0).to_string()),
        _ => None,
    }
}

/// Midnight UTC of `yyyy-mm-dd`, in milliseconds since 1970-01-01.
pub(super) fn millis(day: &str) -> Option<i64> {
    let day: Date = day.parse().ok()?;
    Some(day.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp().as_millisecond())
}
