//! Searching cases: how a query is read, and the time window it means (spec 4.3; decisions 6). Pure: the clock's time
//! is an argument.

#[cfg(test)]
mod tests;

use std::time::Duration;

use sealwright_base::clock::Timestamp;

use super::{
    id::{CaseId, CompanyId, FrameId, NUMBER_EXPECTED},
    moment::{parse_date, parse_moment},
    query::{Query, whole_number},
    report::ReportToken,
};

const HOUR: Duration = Duration::from_hours(1);
const DAY: Duration = Duration::from_hours(24);
/// The longest span between `startDate` and `endDate` (spec 4.3, rule 2).
const LONGEST_SPAN: Duration = Duration::from_hours(7 * 24);
const DEFAULT_HOURS: u32 = 12;
const MOST_HOURS: u32 = 168;
const DEFAULT_LIMIT: u32 = 50;
const MOST_CASES: u32 = 100;

/// What is returned: a list of cases, or their certificates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Metadata,
    Zip,
}

impl Format {
    pub const EXPECTED: &str = "metadata or zip";

    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "metadata" => Some(Self::Metadata),
            "zip" => Some(Self::Zip),
            _ => None,
        }
    }
}

/// A search as its query describes it. What needs the clock is in [`Period::window`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Search {
    pub format: Format,
    pub company: Option<CompanyId>,
    pub case: Option<CaseId>,
    pub frame: Option<FrameId>,
    pub report_token: Option<ReportToken>,
    /// Whether elements include their `reportId`.
    pub with_report_token: bool,
    /// Closed cases only, open ones only, or both.
    pub closed: Option<bool>,
    pub period: Period,
    /// None: all matching cases (spec 4.3, rule 3).
    pub page: Option<Page>,
}

/// A part of the matching cases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// 1 to 100.
    pub limit: u32,
    pub offset: i64,
}

/// The requested times of creation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Period {
    /// The number of past hours, 1 to 168.
    Hours(u32),
    /// At least one of the two is present.
    Dates { start: Option<Timestamp>, end: Option<End> },
}

/// An `endDate`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    At(Timestamp),
    /// Only a date, or a date-time exactly at midnight UTC: the start of that day. It reaches to the day's
    /// last millisecond, and its length counts as if it did not.
    Day(Timestamp),
}

/// The moments from `first` to `last`, both included. Empty if `last` is before `first`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    pub first: Timestamp,
    pub last: Timestamp,
}

impl Search {
    /// Reads the pairs of a query; returns every problem. Unknown names are ignored.
    pub fn read(pairs: &[(String, String)]) -> Result<Self, Vec<String>> {
        let mut query = Query::new(pairs);
        let format = query.read("format", Format::EXPECTED, Format::parse);
        if format.is_none() && query.get("format").is_none() {
            query.problems.push("format is required".to_owned());
        }
        let report_token = query.read("reportToken", ReportToken::EXPECTED, ReportToken::parse);
        let company = query.read("companyId", NUMBER_EXPECTED, CompanyId::parse);
        let frame = query.read("frameId", NUMBER_EXPECTED, FrameId::parse);
        let case = query.read("caseId", NUMBER_EXPECTED, CaseId::parse);
        let with_report_token = query.flag("withReportToken").unwrap_or(false);
        let closed = query.flag("closed");
        let period = period(&mut query);
        let page = page(&mut query);
        match (format, query.problems) {
            (Some(format), problems) if problems.is_empty() => {
                Ok(Self { format, company, case, frame, report_token, with_report_token, closed, period, page })
            }
            (_, problems) => Err(problems),
        }
    }
}

impl Period {
    /// The time window of the period at `now`; the error says which rule it breaks.
    pub fn window(self, now: Timestamp) -> Result<Window, String> {
        let (start, end) = match self {
            Self::Hours(hours) => return Ok(Window { first: now.before(HOUR * hours), last: now }),
            Self::Dates { start, end } => (start, end),
        };
        // `last` is the end of the window, `counted` the end for counting its length.
        let (last, counted) = match end {
            Some(End::Day(midnight)) => (midnight.after(DAY).before(Duration::from_millis(1)), midnight),
            Some(End::At(moment)) => (moment, moment),
            None => (now, now),
        };
        let first = start.unwrap_or_else(|| counted.before(LONGEST_SPAN));
        // Only a `startDate` in the future is not a contradiction: nothing was created since (decisions 6).
        if last < first && end.is_some() {
            return Err("startDate must not be after endDate".to_owned());
        }
        if counted > first.after(LONGEST_SPAN) {
            let problem = if end.is_some() {
                "the span from startDate to endDate must be at most 7 days"
            } else {
                "endDate is absent, so the span from startDate to now must be at most 7 days"
            };
            return Err(problem.to_owned());
        }
        Ok(Window { first, last })
    }
}

fn period(query: &mut Query<'_>) -> Period {
    const MOMENT: &str = "an ISO 8601 date-time with its offset (in a query `+` is written %2B), or a date yyyy-mm-dd";
    let hours_expected = format!("a whole number from 1 to {MOST_HOURS}");
    let hours = query.read("hours", &hours_expected, |text| whole_number(text, 1..=MOST_HOURS));
    let start = query.read("startDate", MOMENT, |text| match start_of_day(text) {
        Some(midnight) => Some(midnight),
        None => parse_query_moment(text),
    });
    let end = query.read("endDate", MOMENT, |text| match start_of_day(text) {
        Some(midnight) => Some(End::Day(midnight)),
        None => parse_query_moment(text).map(|moment| match moment.as_millis().rem_euclid(DAY_MILLIS) {
            0 => End::Day(moment),
            _ => End::At(moment),
        }),
    });
    let has_dates = query.get("startDate").is_some() || query.get("endDate").is_some();
    if query.get("hours").is_some() && has_dates {
        query.problems.push("hours must not be given together with startDate or endDate".to_owned());
    }
    if has_dates { Period::Dates { start, end } } else { Period::Hours(hours.unwrap_or(DEFAULT_HOURS)) }
}

const DAY_MILLIS: i64 = 24 * 60 * 60 * 1000;

/// Providing either of the two asks for a page (spec 4.3, rule 3).
fn page(query: &mut Query<'_>) -> Option<Page> {
    let limit_expected = format!("a whole number from 1 to {MOST_CASES}");
    let limit = query.read("limit", &limit_expected, |text| whole_number(text, 1..=MOST_CASES));
    let offset = query.read("offset", "a whole number from 0", |text| whole_number(text, 0..=i64::MAX));
    let page = Page { limit: limit.unwrap_or(DEFAULT_LIMIT), offset: offset.unwrap_or(0) };
    (limit.is_some() || offset.is_some()).then_some(page)
}

/// Midnight UTC of a date without a time.
fn start_of_day(text: &str) -> Option<Timestamp> {
    let midnight = parse_date(text)?.at(0, 0, 0, 0);
    Some(jiff::tz::Offset::UTC.to_timestamp(midnight).ok()?.into())
}

/// A date-time of a query, where an unencoded `+` of an offset has arrived as a space.
fn parse_query_moment(text: &str) -> Option<Timestamp> {
    let after_the_time = |space: &usize| text[..*space].contains(['T', 't']);
    match text.rfind(' ').filter(after_the_time) {
        Some(space) => parse_moment(&format!("{}+{}", &text[..space], &text[space + 1..])),
        None => parse_moment(text),
    }
}
