//! Moments and dates as clients write them.

use jiff::{civil::Date, tz::Offset};

use sealwright_base::clock::Timestamp;

/// The offset in which scheduling counts months and reads a date without a time (spec 2.2, decisions 5).
const SCHEDULING_OFFSET: Offset = Offset::constant(2);

/// Reads an ISO 8601 date-time with its offset (`Z`, `+hh:mm` or `+hhmm`).
pub fn parse_moment(text: &str) -> Option<Timestamp> {
    // A time zone in brackets is RFC 9557, which the specification does not allow.
    if text.contains('[') {
        return None;
    }
    text.parse::<jiff::Timestamp>().ok().map(Timestamp::from)
}

/// Reads a date without a time, `yyyy-mm-dd`.
pub fn parse_date(text: &str) -> Option<Date> {
    let digits = |range: std::ops::Range<usize>| text[range].bytes().all(|byte| byte.is_ascii_digit());
    let bytes = text.as_bytes();
    // The library would also read a date-time here and drop its time.
    let shaped = text.is_ascii() && bytes.len() == 10 && bytes[4] == b'-' && bytes[7] == b'-';
    (shaped && digits(0..4) && digits(5..7) && digits(8..10)).then(|| text.parse().ok())?
}

/// Reads a date as its first moment in UTC.
pub fn parse_day(text: &str) -> Option<Timestamp> {
    let midnight = parse_date(text)?.at(0, 0, 0, 0);
    Offset::UTC.to_timestamp(midnight).ok().map(Timestamp::from)
}

/// Why a `scheduledAt` is rejected; the texts are those of spec 4.9.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScheduleError {
    #[error("case.scheduledAt.invalid")]
    Invalid,
    #[error("case.scheduledAt.mustBeCurrentOrFutureMonth")]
    Past,
}

/// Reads a `scheduledAt`: a date-time with offset, or a date alone, taken as midnight at UTC+2. Its month, at UTC+2, must
/// be the current one or later (spec 2.2, decisions 5).
pub fn parse_schedule(text: &str, now: Timestamp) -> Result<Timestamp, ScheduleError> {
    let at = match parse_date(text) {
        Some(date) => {
            let midnight = date.at(0, 0, 0, 0);
            SCHEDULING_OFFSET.to_timestamp(midnight).map_err(|_| ScheduleError::Invalid)?.into()
        }
        None => parse_moment(text).ok_or(ScheduleError::Invalid)?,
    };
    if scheduling_month(at) < scheduling_month(now) { Err(ScheduleError::Past) } else { Ok(at) }
}

/// The first moment of the next month at UTC+2. A case that is scheduled before it is visible to its field user at
/// `now`; the others are hidden until their month (spec 3.2).
pub fn end_of_scheduling_month(now: Timestamp) -> Timestamp {
    let date = SCHEDULING_OFFSET.to_datetime(now.to_jiff()).date();
    // The last months of the calendar have no next one; nothing can be scheduled after them.
    let next = date.last_of_month().tomorrow().map(|first| first.at(0, 0, 0, 0));
    let next = next.and_then(|midnight| SCHEDULING_OFFSET.to_timestamp(midnight));
    next.unwrap_or(jiff::Timestamp::MAX).into()
}

/// Year and month of a moment at UTC+2.
fn scheduling_month(moment: Timestamp) -> (i16, i8) {
    let date = SCHEDULING_OFFSET.to_datetime(moment.to_jiff());
    (date.year(), date.month())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moment(text: &str) -> Timestamp {
        parse_moment(text).unwrap()
    }

    #[test]
    fn a_moment_needs_its_offset_and_takes_every_spelling_of_it() {
        for text in [
            "2026-11-20T10:00:00Z",
            "2026-11-20T12:00:00.000+02:00",
            "2026-11-20T12:00:00.000+0200",
            "2026-11-20T05:00:00-05:00",
        ] {
            assert_eq!(moment(text).to_string(), "2026-11-20T10:00:00.000Z", "{text}");
        }
        for wrong in ["", "2026-11-20", "2026-11-20T10:00:00", "20 Nov 2026", "2026-11-20T10:00:00+01:00[Europe/Paris]"]
        {
            assert_eq!(parse_moment(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_date_alone_is_ten_characters_of_a_day_that_exists() {
        assert!(parse_date("2026-02-28").is_some());
        for wrong in ["2026-02-30", "2026-2-3", "2026-11-20T10:00:00Z", "２０２６-11-20", "+026-11-20", "2026/11/20"]
        {
            assert_eq!(parse_date(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn spec_2_2_a_date_is_midnight_at_utc_plus_2() {
        let now = moment("2026-11-20T10:00:00Z");
        assert_eq!(parse_schedule("2026-12-01", now).unwrap().to_string(), "2026-11-30T22:00:00.000Z");
    }

    #[test]
    fn spec_3_2_a_month_ends_at_utc_plus_2() {
        for (now, end) in [
            ("2026-11-20T10:00:00Z", "2026-11-30T22:00:00.000Z"),
            ("2026-11-30T21:59:59.999Z", "2026-11-30T22:00:00.000Z"),
            ("2026-11-30T22:00:00Z", "2026-12-31T22:00:00.000Z"),
            ("2026-12-31T22:00:00Z", "2027-01-31T22:00:00.000Z"),
        ] {
            assert_eq!(end_of_scheduling_month(moment(now)).to_string(), end, "{now}");
        }
        assert_eq!(end_of_scheduling_month(Timestamp::from_millis(i64::MAX)), jiff::Timestamp::MAX.into());
    }

    #[test]
    fn decisions_5_months_are_compared_at_utc_plus_2() {
        // 22:30 UTC on the last of November is December at UTC+2: November is over.
        let now = moment("2026-11-30T22:30:00Z");
        assert_eq!(parse_schedule("2026-11-30", now), Err(ScheduleError::Past));
        assert!(parse_schedule("2026-12-01", now).is_ok());
        // An earlier day of the current month is allowed.
        assert!(parse_schedule("2026-12-01", moment("2026-12-20T00:00:00Z")).is_ok());
        assert_eq!(parse_schedule("soon", now), Err(ScheduleError::Invalid));
    }
}
