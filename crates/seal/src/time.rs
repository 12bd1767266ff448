//! Instants from the caller's clock or a time stamp. This crate never reads a clock.

use std::{fmt, str::FromStr, time::Duration};

use der::{
    DateTime,
    asn1::{GeneralizedTime, UtcTime},
};
use serde::{Serialize, Serializer};

/// An instant in UTC, in milliseconds since the Unix epoch. Never before 1970, like X.509 and RFC 3161 times.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnixTime(u64);

/// 9999-12-31T23:59:59.999Z, the last instant that a `GeneralizedTime` can represent.
const LAST: u64 = 253_402_300_799_999;

/// How far an authority's clock may be ahead of the caller's, in milliseconds.
pub(crate) const CLOCK_SKEW: i64 = 5 * 60 * 1000;

/// Why a text or a number is not an instant.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TimeError {
    #[error("{0} ms is not between 1970 and 9999")]
    OutOfRange(i64),
    #[error("`{0}` is not a GeneralizedTime in UTC such as 20261120100000Z or 20261120100000.573Z")]
    NotGeneralizedTime(String),
}

impl UnixTime {
    /// From milliseconds since the epoch, between 1970 and 9999.
    pub fn from_millis(millis: i64) -> Result<Self, TimeError> {
        match u64::try_from(millis) {
            Ok(unsigned) if unsigned <= LAST => Ok(Self(unsigned)),
            _ => Err(TimeError::OutOfRange(millis)),
        }
    }

    pub fn as_millis(self) -> i64 {
        // It is at most LAST, which fits.
        self.0.cast_signed()
    }

    /// This instant plus whole days, at most the last instant of 9999.
    #[must_use]
    pub fn plus_days(self, days: u32) -> Self {
        Self((self.0 + u64::from(days) * 86_400_000).min(LAST))
    }

    /// `YYYYMMDDhhmmss[.f…]Z`, as RFC 3161, section 2.4.2, requires: a fraction without trailing zeros, or none.
    pub(crate) fn to_generalized_time(self) -> String {
        let date = self.date_time();
        let mut text = compact(&date);
        let millis = self.0 % 1000;
        if millis > 0 {
            text.push('.');
            text.push_str(format!("{millis:03}").trim_end_matches('0'));
        }
        text.push('Z');
        text
    }

    /// `D:YYYYMMDDhhmmssZ`, a PDF date (ISO 32000-1, section 7.9.4), to the second.
    pub(crate) fn to_pdf_date(self) -> String {
        format!("D:{}Z", compact(&self.date_time()))
    }

    /// For X.509: whole seconds, as `UTCTime` up to 2049 (RFC 5280, section 4.1.2.5).
    pub(crate) fn to_x509(self) -> x509_cert::time::Time {
        let date = self.date_time();
        UtcTime::from_date_time(date)
            .map_or_else(|_| GeneralizedTime::from_date_time(date).into(), x509_cert::time::Time::from)
    }

    pub(crate) fn from_x509(time: x509_cert::time::Time) -> Self {
        Self(u64::try_from(time.to_unix_duration().as_millis()).unwrap_or(LAST).min(LAST))
    }

    /// Reads a `GeneralizedTime` with or without a fraction, which the `der` crate rejects but real authorities send.
    /// Digits beyond the millisecond are dropped.
    pub(crate) fn from_generalized_time(text: &str) -> Result<Self, TimeError> {
        parse(text).ok_or_else(|| TimeError::NotGeneralizedTime(text.chars().take(40).collect()))
    }

    fn date_time(self) -> DateTime {
        DateTime::from_unix_duration(Duration::from_secs(self.0 / 1000))
            .expect("it is at most LAST, which DateTime holds")
    }
}

fn compact(date: &DateTime) -> String {
    format!(
        "{:04}{:02}{:02}{:02}{:02}{:02}",
        date.year(),
        date.month(),
        date.day(),
        date.hour(),
        date.minutes(),
        date.seconds()
    )
}

fn parse(text: &str) -> Option<UnixTime> {
    let text = text.strip_suffix('Z')?;
    let (whole, fraction) = match text.split_once('.') {
        // DER has no empty fraction and no trailing zero (X.690, section 11.7).
        Some((_, fraction)) if fraction.is_empty() || fraction.ends_with('0') => return None,
        Some((whole, fraction)) => (whole, fraction),
        None => (text, ""),
    };
    if whole.len() != 14 || !whole.bytes().chain(fraction.bytes()).all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let number = |from: usize, to: usize| u8::from_str(&whole[from..to]).ok();
    let date = DateTime::new(
        u16::from_str(&whole[..4]).ok()?,
        number(4, 6)?,
        number(6, 8)?,
        number(8, 10)?,
        number(10, 12)?,
        number(12, 14)?,
    )
    .ok()?;
    let millis: String = fraction.chars().chain("000".chars()).take(3).collect();
    Some(UnixTime(date.unix_duration().as_secs() * 1000 + u64::from_str(&millis).ok()?))
}

/// RFC 3339 in UTC with milliseconds: `2026-11-20T10:00:00.000Z`.
impl fmt::Display for UnixTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let date = self.date_time();
        write!(
            f,
            "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z",
            date.year(),
            date.month(),
            date.day(),
            date.hour(),
            date.minutes(),
            date.seconds(),
            self.0 % 1000
        )
    }
}

impl fmt::Debug for UnixTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "UnixTime({self})")
    }
}

impl Serialize for UnixTime {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_as_the_standards_require() {
        let time = UnixTime::from_millis(1_795_168_800_573).unwrap();
        assert_eq!(time.to_string(), "2026-11-20T10:00:00.573Z");
        assert_eq!(time.to_generalized_time(), "20261120100000.573Z");
        assert_eq!(time.to_pdf_date(), "D:20261120100000Z");
        assert_eq!(UnixTime::from_millis(1_795_168_800_500).unwrap().to_generalized_time(), "20261120100000.5Z");
        assert_eq!(UnixTime::from_millis(1_795_168_800_000).unwrap().to_generalized_time(), "20261120100000Z");
    }

    #[test]
    fn a_fraction_is_read_to_the_millisecond() {
        for (text, millis) in [
            ("20261120100000Z", 0),
            ("20261120100000.5Z", 500),
            ("20261120100000.573Z", 573),
            ("20261120100000.573999Z", 573),
        ] {
            assert_eq!(
                UnixTime::from_generalized_time(text).unwrap().as_millis(),
                1_795_168_800_000 + millis,
                "{text}"
            );
        }
    }

    #[test]
    fn other_texts_are_rejected() {
        for text in [
            "",
            "Z",
            "20261120100000",
            "202611201000Z",
            "20261120100000.Z",
            "20261120100000.50Z",
            "20261120100000,5Z",
            "20261120100000+0100",
            "20261320100000Z",
            "20260230100000Z",
            "19691231235959Z",
            "é0261120100000Z",
        ] {
            assert!(UnixTime::from_generalized_time(text).is_err(), "{text}");
        }
    }

    #[test]
    fn instants_outside_four_digit_years_are_rejected() {
        assert_eq!(UnixTime::from_millis(-1), Err(TimeError::OutOfRange(-1)));
        assert!(UnixTime::from_millis(253_402_300_800_000).is_err());
        assert_eq!(UnixTime::from_millis(253_402_300_799_999).unwrap().to_string(), "9999-12-31T23:59:59.999Z");
    }
}
