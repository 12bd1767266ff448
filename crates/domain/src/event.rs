//! The feed of events: what has happened to the cases of a company, for programs that follow it.

use std::{borrow::Cow, fmt, time::Duration};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};
use strum::{Display, EnumString};

use super::query::{Query, whole_number};

/// What happened to a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema, Display, EnumString)]
#[serde(rename_all = "camelCase")]
#[strum(serialize_all = "camelCase")]
pub enum EventKind {
    /// It was opened.
    Created,
    /// It was closed for good.
    Closed,
    /// Its certificate can be read.
    Sealed,
    /// Its certificate could not be made. A later `sealed` replaces this.
    SealFailed,
    /// Its analysis has ended, or a late result has changed the verdict.
    Analysed,
    /// A reviewer has decided on it.
    Decided,
    /// Items were erased after the sealing. A later `sealed` says that the successor of the certificate can be read.
    Erased,
    /// It was deleted. No event of the case follows.
    Deleted,
}

sealwright_base::text_column!(EventKind, "kind of event");

/// A place in the feed of a company: behind this many events. Clients treat the text as opaque. Its form never changes,
/// because they keep it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct EventCursor(i64);

impl EventCursor {
    /// What [`EventCursor::parse`] accepts.
    pub const EXPECTED: &str = "a cursor from an answer of the feed";
    const PATTERN: &str = "^e(0|[1-9a-f][0-9a-f]{0,14})$";
    const LONGEST: usize = 16;

    /// Behind the event at this position, or at the beginning for 0.
    pub const fn behind(position: i64) -> Self {
        Self(position)
    }

    /// Reads only what [`Display`](fmt::Display) writes.
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix('e').filter(|_| text.len() <= Self::LONGEST)?;
        let cursor = Self(i64::from_str_radix(digits, 16).ok()?);
        (cursor.0 >= 0 && cursor.to_string() == text).then_some(cursor)
    }

    /// Of the last event before this place; 0 at the beginning.
    pub const fn position(self) -> i64 {
        self.0
    }

    pub fn schema() -> Schema {
        json_schema!({ "type": "string", "pattern": Self::PATTERN })
    }
}

impl fmt::Display for EventCursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "e{:x}", self.0)
    }
}

impl Serialize for EventCursor {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl JsonSchema for EventCursor {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "EventCursor".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        Self::schema()
    }
}

/// What is read of the feed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventQuery {
    /// None: from the oldest event that is kept.
    pub after: Option<EventCursor>,
    /// 1 to 100.
    pub limit: u32,
    /// How long to wait if there is no event, up to 30 s.
    pub wait: Duration,
}

impl EventQuery {
    pub const DEFAULT_LIMIT: u32 = 50;
    pub const MOST_EVENTS: u32 = 100;
    /// In seconds.
    pub const LONGEST_WAIT: u64 = 30;

    /// Reads the pairs of a query; returns every problem. Unknown names are ignored.
    pub fn read(pairs: &[(String, String)]) -> Result<Self, Vec<String>> {
        let mut query = Query::new(pairs);
        let after = query.read("after", EventCursor::EXPECTED, EventCursor::parse);
        let expected = format!("a whole number from 1 to {}", Self::MOST_EVENTS);
        let limit = query.read("limit", &expected, |text| whole_number(text, 1..=Self::MOST_EVENTS));
        let expected = format!("a whole number of seconds from 0 to {}", Self::LONGEST_WAIT);
        let wait = query.read("wait", &expected, |text| whole_number(text, 0..=Self::LONGEST_WAIT));
        if !query.problems.is_empty() {
            return Err(query.problems);
        }
        let limit = limit.unwrap_or(Self::DEFAULT_LIMIT);
        Ok(Self { after, limit, wait: Duration::from_secs(wait.unwrap_or_default()) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pairs: &[(&str, &str)]) -> Result<EventQuery, Vec<String>> {
        let pairs: Vec<(String, String)> =
            pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        EventQuery::read(&pairs)
    }

    /// Clients keep cursors: their form must never change.
    #[test]
    fn a_cursor_has_one_form() {
        for (position, text) in [(0, "e0"), (1, "e1"), (255, "eff"), (4711, "e1267")] {
            assert_eq!(EventCursor::behind(position).to_string(), text);
            assert_eq!(EventCursor::parse(text), Some(EventCursor::behind(position)));
        }
        for wrong in ["", "e", "0", "e-1", "e+1", "e01", "eFF", "E1", "e 1", "eg", "e1000000000000000", "4711"] {
            assert_eq!(EventCursor::parse(wrong), None, "{wrong}");
        }
        assert!(EventCursor::parse("efffffffffffffff").is_some());
    }

    #[test]
    fn everything_has_a_default() {
        let query = EventQuery { after: None, limit: 50, wait: Duration::ZERO };
        assert_eq!(read(&[("unknown", "1")]).unwrap(), query);
        let query = EventQuery { after: Some(EventCursor::behind(10)), limit: 100, wait: Duration::from_secs(30) };
        assert_eq!(read(&[("after", "ea"), ("limit", "100"), ("wait", "30")]).unwrap(), query);
    }

    #[test]
    fn every_problem_is_named() {
        let problems = read(&[("after", "x"), ("limit", "101"), ("wait", "31")]).unwrap_err();
        assert_eq!(
            problems,
            [
                "after must be a cursor from an answer of the feed, got the text \"x\"",
                "limit must be a whole number from 1 to 100, got the text \"101\"",
                "wait must be a whole number of seconds from 0 to 30, got the text \"31\"",
            ]
        );
        for wrong in ["", "0", "-1", "+1", "1.5", "x"] {
            assert_eq!(read(&[("limit", wrong)]).unwrap_err().len(), 1, "{wrong}");
        }
        assert_eq!(read(&[("wait", "1"), ("wait", "2")]).unwrap_err(), ["wait must be given once"]);
    }
}
