//! What an account consists of.

use sealwright_seal::{
    UnixTime,
    verify::{Report, State, TimeStampFacts},
};
use serde::Serialize;

use crate::words::{Ground, Language};

/// An account of a check, in plain text without markup. Names come from the file: they are shown, but not trusted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Account {
    pub language: Language,
    pub mark: Mark,
    /// The answer, in one sentence each.
    pub headline: String,
    pub explanation: String,
    /// Unchanged, by whom, since when.
    pub answers: [Answer; 3],
    /// What speaks against it.
    pub reasons: Vec<String>,
    /// What is proven, and what is not.
    pub proven: Vec<Sentence>,
    pub open: Vec<Sentence>,
    pub groups: Vec<Group>,
}

/// The answer to one of the questions about a certificate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Answer {
    pub question: &'static str,
    pub mark: Mark,
    #[serde(flatten)]
    pub sentence: Sentence,
}

/// A sentence, why it can be believed, and how to check it by other means.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Sentence {
    pub text: String,
    pub why: &'static str,
    /// A command is between backquotes.
    pub how: &'static str,
}

impl AsRef<str> for Sentence {
    fn as_ref(&self) -> &str {
        &self.text
    }
}

impl Sentence {
    pub(super) fn of(text: String, Ground { why, how }: Ground) -> Self {
        Self { text, why, how }
    }
}

/// What of a checked file can be relied on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reliance {
    Content,
    /// Nothing was changed, but the pages and the manifest contradict each other.
    Signature,
    Nothing,
}

/// Facts under a heading.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Group {
    pub title: String,
    pub entries: Vec<Entry>,
}

/// One thing and the facts about it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Entry {
    pub title: Option<String>,
    pub facts: Vec<Fact>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Fact {
    pub label: &'static str,
    pub value: String,
    pub mark: Mark,
    /// Whether it is a number for machines to compare.
    pub is_code: bool,
}

/// The rating of a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Mark {
    Plain,
    Good,
    /// Intact, but not trusted or not complete.
    Doubtful,
    Bad,
}

/// What was checked, by the name that the user gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    pub name: String,
}

/// The trusted time stamp that states the proven time.
pub(super) fn first_stamp(report: &Report, time: UnixTime) -> Option<&TimeStampFacts> {
    report.time_stamps.iter().find(|stamp| stamp.state == State::Trusted && stamp.time == Some(time))
}

pub(super) fn authority_of(stamp: Option<&TimeStampFacts>) -> &str {
    stamp.and_then(|stamp| stamp.authority.as_ref()).map_or("", |authority| authority.subject.as_str())
}

/// Converts a PDF date in the form of our certificates, `D:20261120100000Z`, to the format of other times; any other
/// stays as it is.
pub(super) fn readable_time(date: &str) -> String {
    let digits = date.strip_prefix("D:").and_then(|rest| rest.strip_suffix('Z'));
    match digits.filter(|digits| digits.len() == 14 && digits.bytes().all(|byte| byte.is_ascii_digit())) {
        Some(digits) => {
            let part = |from: usize, to: usize| &digits[from..to];
            let (day, time) = ([part(0, 4), part(4, 6), part(6, 8)], [part(8, 10), part(10, 12), part(12, 14)]);
            format!("{}T{}Z", day.join("-"), time.join(":"))
        }
        None => date.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::readable_time;

    #[test]
    fn the_signer_s_clock_is_written_as_other_times_are() {
        assert_eq!(readable_time("D:20261120100000Z"), "2026-11-20T10:00:00Z");
        for other in ["", "D:", "D:20261120100000+01'00", "D:2026112010000éZ", "D:202611201000000Z"] {
            assert_eq!(readable_time(other), other);
        }
    }
}
