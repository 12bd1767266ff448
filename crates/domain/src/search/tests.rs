//! The rules of a query one by one, and the windows of many random ones against an oracle that knows no calendar
//! library: it walks the days since 1970 and checks each moment separately.

use super::*;

fn read(query: &str) -> Result<Search, Vec<String>> {
    let pairs: Vec<(String, String)> = query
        .split('&')
        .filter(|pair| !pair.is_empty())
        .map(|pair| pair.split_once('=').unwrap_or((pair, "")))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    Search::read(&pairs)
}

fn metadata(query: &str) -> Search {
    read(&format!("format=metadata&{query}")).unwrap()
}

fn problem(query: &str) -> String {
    let problems = read(&format!("format=metadata&{query}")).unwrap_err();
    assert_eq!(problems.len(), 1, "{query}: {problems:?}");
    problems[0].clone()
}

fn moment(text: &str) -> Timestamp {
    parse_moment(text).unwrap()
}

/// `first` and `last` as text, at ten o'clock on 20 November 2026.
fn window(query: &str) -> Result<(String, String), String> {
    let window = metadata(query).period.window(moment("2026-11-20T10:00:00Z"))?;
    Ok((window.first.to_string(), window.last.to_string()))
}

fn window_of(query: &str) -> (String, String) {
    window(query).unwrap()
}

fn between(first: &str, last: &str) -> (String, String) {
    (first.to_owned(), last.to_owned())
}

#[test]
fn spec_4_3_only_the_format_is_required() {
    assert_eq!(read("").unwrap_err(), ["format is required"]);
    assert_eq!(read("format=").unwrap_err(), ["format must be metadata or zip, got the text \"\""]);
    assert_eq!(read("format=ZIP").unwrap_err(), ["format must be metadata or zip, got the text \"ZIP\""]);
    let search = metadata("unknown=1");
    assert_eq!(search.format, Format::Metadata);
    assert_eq!((search.page, search.closed, search.with_report_token), (None, None, false));
    assert_eq!(search.period, Period::Hours(12));
    assert_eq!(read("format=zip").unwrap().format, Format::Zip);
}

#[test]
fn spec_4_3_rule_3_limit_or_offset_asks_for_a_page() {
    assert_eq!(metadata("limit=7").page, Some(Page { limit: 7, offset: 0 }));
    assert_eq!(metadata("offset=0").page, Some(Page { limit: 50, offset: 0 }));
    assert_eq!(metadata("limit=100&offset=9223372036854775807").page, Some(Page { limit: 100, offset: i64::MAX }));
}

#[test]
fn decisions_6_numbers_have_bounds() {
    for (query, expected) in [
        ("hours=0", "hours must be a whole number from 1 to 168, got the text \"0\""),
        ("hours=169", "hours must be a whole number from 1 to 168, got the text \"169\""),
        ("hours=1.5", "hours must be a whole number from 1 to 168, got the text \"1.5\""),
        ("hours=+1", "hours must be a whole number from 1 to 168, got the text \"+1\""),
        ("hours=", "hours must be a whole number from 1 to 168, got the text \"\""),
        ("limit=0", "limit must be a whole number from 1 to 100, got the text \"0\""),
        ("limit=101", "limit must be a whole number from 1 to 100, got the text \"101\""),
        ("offset=-1", "offset must be a whole number from 0, got the text \"-1\""),
        ("offset=9223372036854775808", "offset must be a whole number from 0, got the text \"9223372036854775808\""),
        ("caseId=0", "caseId must be a positive whole number, got the text \"0\""),
        ("frameId=x", "frameId must be a positive whole number, got the text \"x\""),
        ("companyId=", "companyId must be a positive whole number, got the text \"\""),
        (
            "reportToken=a/b",
            "reportToken must be 1 to 255 characters without control characters, `/` or `\\`, got the text \"a/b\"",
        ),
        ("limit=1&limit=2", "limit must be given once"),
    ] {
        assert_eq!(problem(query), expected);
    }
    assert_eq!(read("hours=x&limit=x&offset=x").unwrap_err().len(), 4, "every problem is reported at once");
}

#[test]
fn decisions_6_a_flag_that_is_neither_true_nor_false_counts_as_absent() {
    assert_eq!(metadata("closed=true").closed, Some(true));
    assert_eq!(metadata("closed=false").closed, Some(false));
    assert!(metadata("withReportToken=true").with_report_token);
    for other in ["", "1", "TRUE", "yes", "null"] {
        assert_eq!(metadata(&format!("closed={other}")).closed, None, "{other}");
        assert!(!metadata(&format!("withReportToken={other}")).with_report_token, "{other}");
    }
}

#[test]
fn spec_4_3_dates_are_dates_alone_or_date_times_with_their_offset() {
    for good in [
        "2026-11-20",
        "2026-11-20T10:00:00Z",
        "2026-11-20T10:00:00.123+0100",
        "2026-11-20T10:00:00+01:00",
        // An unencoded `+` of an offset is a space once the query is read.
        "2026-11-20T10:00:00 01:00",
    ] {
        assert!(read(&format!("format=zip&startDate={good}&endDate={good}")).is_ok(), "{good}");
    }
    let (encoded, plain) = ("startDate=2026-11-20T09:00:00+01:00", "startDate=2026-11-20T09:00:00 01:00");
    assert_eq!(metadata(encoded).period, metadata(plain).period);
    for bad in
        ["", "today", "2026-11-20T10:00:00", "2026-13-01", "2026-02-30", "20/11/2026", "1795168800", "2026-11-20 "]
    {
        for name in ["startDate", "endDate"] {
            assert!(problem(&format!("{name}={bad}")).starts_with(&format!("{name} must be an ISO 8601")), "{bad}");
        }
    }
}

#[test]
fn spec_4_3_rule_1_hours_and_dates_exclude_each_other() {
    for query in ["hours=5&startDate=2026-11-20", "hours=5&endDate=2026-11-20"] {
        assert_eq!(problem(query), "hours must not be given together with startDate or endDate");
    }
    // Even if one of them is itself invalid.
    assert_eq!(read("format=zip&hours=x&endDate=y").unwrap_err().len(), 3);
}

#[test]
fn decisions_6_the_window_of_each_combination() {
    let now = "2026-11-20T10:00:00.000Z";
    assert_eq!(window_of(""), between("2026-11-19T22:00:00.000Z", now));
    assert_eq!(window_of("hours=168"), between("2026-11-13T10:00:00.000Z", now));
    assert_eq!(window_of("startDate=2026-11-14"), between("2026-11-14T00:00:00.000Z", now));
    // A date reaches to its end, and so does a date-time at midnight UTC, in whatever offset it is written.
    let day = between("2026-11-01T00:00:00.000Z", "2026-11-08T23:59:59.999Z");
    for end in ["2026-11-08", "2026-11-08T00:00:00Z", "2026-11-08T02:00:00+02:00"] {
        assert_eq!(window_of(&format!("startDate=2026-11-01&endDate={end}")), day, "{end}");
        assert_eq!(window_of(&format!("endDate={end}")), day, "{end}");
    }
    assert_eq!(
        window_of("endDate=2026-11-08T00:00:00.001Z"),
        between("2026-11-01T00:00:00.001Z", "2026-11-08T00:00:00.001Z")
    );
    // A window in the future is empty, not wrong.
    assert_eq!(window_of("startDate=2999-01-01"), between("2999-01-01T00:00:00.000Z", now));
}

#[test]
fn spec_4_3_rule_2_the_span_is_at_most_7_days() {
    for fits in [
        "startDate=2026-11-01&endDate=2026-11-08",
        "startDate=2026-11-01T10:00:00Z&endDate=2026-11-08T10:00:00Z",
        "startDate=2026-11-13T10:00:00Z",
        "startDate=2026-11-08T23:59:59.999Z&endDate=2026-11-08",
    ] {
        assert!(window(fits).is_ok(), "{fits}");
    }
    for too_long in [
        "startDate=2026-11-01&endDate=2026-11-09",
        "startDate=2026-11-01T10:00:00Z&endDate=2026-11-08T10:00:00.001Z",
        "startDate=2026-10-31T23:59:59.999Z&endDate=2026-11-08",
        "startDate=2026-11-13T09:59:59.999Z",
    ] {
        assert!(window(too_long).unwrap_err().contains("at most 7 days"), "{too_long}");
    }
    for backwards in
        ["startDate=2026-11-09&endDate=2026-11-08", "startDate=2026-11-09T10:00:00Z&endDate=2026-11-09T09:00:00Z"]
    {
        assert_eq!(window(backwards).unwrap_err(), "startDate must not be after endDate");
    }
}

// ---- Random windows against the oracle ----

/// The oracle's view of one bound: the moment as a count of milliseconds since 1970, and whether it names a whole day.
#[derive(Clone, Copy, Debug)]
struct Bound {
    millis: i64,
    whole_day: bool,
}

/// A multiplicative generator; good enough to vary inputs, and the same ones in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: i64) -> i64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        i64::try_from(self.0 >> 33).unwrap() % bound
    }

    fn one_in(&mut self, count: i64) -> bool {
        self.below(count) == 0
    }
}

/// Writes milliseconds since 1970 as a date-time with an offset of `offset_minutes`, by walking the calendar.
fn spell(millis: i64, offset_minutes: i64) -> String {
    let local = millis + offset_minutes * 60_000;
    let (mut days, time) = (local.div_euclid(DAY_MILLIS), local.rem_euclid(DAY_MILLIS));
    let (mut year, mut month) = (1970, 0);
    loop {
        let leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
        let lengths = [31, if leap { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
        if days < lengths[month] {
            break;
        }
        days -= lengths[month];
        month += 1;
        if month == 12 {
            (year, month) = (year + 1, 0);
        }
    }
    let sign = if offset_minutes < 0 { '-' } else { '+' };
    let (hours, minutes) = (offset_minutes.abs() / 60, offset_minutes.abs() % 60);
    format!(
        "{year:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}{sign}{hours:02}:{minutes:02}",
        month + 1,
        days + 1,
        time / 3_600_000,
        time / 60_000 % 60,
        time / 1000 % 60,
        time % 1000
    )
}

/// A bound near `now`, at a day's edge now and then, as text and as the oracle sees it.
fn bound(random: &mut Random, now: i64) -> (String, Bound) {
    let mut millis = now - 9 * DAY_MILLIS + random.below(11 * DAY_MILLIS);
    if random.one_in(2) {
        millis = millis.div_euclid(DAY_MILLIS) * DAY_MILLIS + random.below(3) - 1;
    }
    if random.one_in(3) {
        let midnight = millis.div_euclid(DAY_MILLIS) * DAY_MILLIS;
        let text = spell(midnight, 0)[..10].to_owned();
        return (text, Bound { millis: midnight, whole_day: true });
    }
    let text = spell(millis, random.below(27 * 60) - 13 * 60);
    (text, Bound { millis, whole_day: millis.rem_euclid(DAY_MILLIS) == 0 })
}

/// Whether the moment belongs, computed without a window; none if the request is invalid.
fn belongs(start: Option<Bound>, end: Option<Bound>, now: i64, moment: i64) -> Option<bool> {
    let week = 7 * DAY_MILLIS;
    match (start, end) {
        (Some(start), Some(end)) => {
            let starts_later = if end.whole_day {
                start.millis.div_euclid(DAY_MILLIS) > end.millis.div_euclid(DAY_MILLIS)
            } else {
                start.millis > end.millis
            };
            let right = !starts_later && end.millis - start.millis <= week;
            right.then(|| moment >= start.millis && is_until(end, moment))
        }
        (Some(start), None) => (now - start.millis <= week).then_some((start.millis..=now).contains(&moment)),
        (None, Some(end)) => Some(moment >= end.millis - week && is_until(end, moment)),
        (None, None) => unreachable!("one of the two is always given"),
    }
}

fn is_until(end: Bound, moment: i64) -> bool {
    if end.whole_day {
        moment.div_euclid(DAY_MILLIS) <= end.millis.div_euclid(DAY_MILLIS)
    } else {
        moment <= end.millis
    }
}

#[test]
fn spec_4_3_random_windows_hold_exactly_what_a_slow_oracle_says() {
    let mut random = Random(2026);
    let (mut right, mut wrong) = (0, 0);
    for _ in 0..20_000 {
        let now = 1_795_168_800_000 + random.below(400 * DAY_MILLIS);
        let (mut query, mut bounds) = (String::new(), [None, None]);
        let which = random.below(3);
        for (position, name) in ["startDate", "endDate"].into_iter().enumerate() {
            if which == 2 || usize::try_from(which).unwrap() == position {
                let (text, seen) = bound(&mut random, now);
                query = format!("{query}&{name}={text}");
                bounds[position] = Some(seen);
            }
        }
        let [start, end] = bounds;
        let window = metadata(&query).period.window(Timestamp::from_millis(now));
        // Moments at the edges, where mistakes are, and anywhere.
        let edges = [start, end].into_iter().flatten().flat_map(|edge| {
            [0, DAY_MILLIS - 1, DAY_MILLIS, -7 * DAY_MILLIS, 7 * DAY_MILLIS].map(|shift| edge.millis + shift)
        });
        let edges = edges.chain([now]).flat_map(|edge| [edge - 1, edge, edge + 1]).collect::<Vec<_>>();
        let anywhere = (0..8).map(|_| now - 17 * DAY_MILLIS + random.below(20 * DAY_MILLIS)).collect::<Vec<_>>();
        for moment in edges.into_iter().chain(anywhere) {
            let found = window.as_ref().ok().map(|window| {
                let at = Timestamp::from_millis(moment);
                window.first <= at && at <= window.last
            });
            assert_eq!(found, belongs(start, end, now, moment), "{query} at {now}: {moment}, {window:?}");
        }
        *(if window.is_ok() { &mut right } else { &mut wrong }) += 1;
    }
    assert!(right > 5_000 && wrong > 2_000, "both kinds were met: {right} right, {wrong} wrong");
}

#[test]
fn spec_4_3_hours_reach_back_exactly() {
    let mut random = Random(168);
    for _ in 0..2_000 {
        let (now, hours) = (random.below(4_000_000_000_000), random.below(168) + 1);
        let period = metadata(&format!("hours={hours}")).period;
        let window = period.window(Timestamp::from_millis(now)).unwrap();
        assert_eq!((window.first.as_millis(), window.last.as_millis()), (now - hours * 3_600_000, now));
    }
}
