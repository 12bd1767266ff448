//! Searching cases in the console: what a person types and chooses, as the page's address has it. Pure.
//!
//! Every word must begin a word of the case (see [`words`]), and every filter must hold.

pub mod about;
pub mod words;

use std::ops::RangeInclusive;

use jiff::{civil::Date, tz::Offset};
use sealwright_base::clock::Timestamp;

use self::words::{Attribute, Term, terms};
use crate::{
    analysis::TrustLevel,
    console::Outcome,
    id::{CompanyId, FrameId},
    moment::parse_date,
};

/// How many words can be searched at once, those in a word with separators counted.
pub const MOST_TERMS: usize = 10;
/// How long a search text may be, in characters.
const LONGEST_TEXT: usize = 300;

/// A search as the page's address describes it. An absent filter does not filter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CaseSearch {
    /// As typed, without spaces around it.
    pub text: String,
    pub company: Option<CompanyId>,
    pub frame: Option<FrameId>,
    pub closed: Option<bool>,
    pub verdict: Option<Verdict>,
    pub decision: Option<Decision>,
    /// The first day of creation, in UTC.
    pub from: Option<Date>,
    /// The last day of creation, in UTC.
    pub to: Option<Date>,
    /// The page starts after this place.
    pub after: Option<Place>,
}

/// Cases with this verdict, or without one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict(pub Option<TrustLevel>);

/// Cases whose newest decision is this one, or on which no one has decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision(pub Option<Outcome>);

/// A position in the order of the list, the newest first; a page starts after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub created_at: Timestamp,
    /// A case's identifier.
    pub id: i64,
}

impl Place {
    /// Before every case.
    pub const START: Self = Self { created_at: Timestamp::from_millis(i64::MAX), id: i64::MAX };
    /// After every case.
    pub const END: Self = Self { created_at: Timestamp::from_millis(i64::MIN), id: 0 };

    fn parse(text: &str) -> Option<Self> {
        let (created_at, id) = text.split_once('.')?;
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse::<i64>().ok())?;
        Some(Self { created_at: Timestamp::from_millis(digits(created_at)?), id: digits(id)? })
    }

    /// As [`CaseSearch::read`] reads it.
    pub fn text(self) -> String {
        format!("{}.{}", self.created_at.as_millis(), self.id)
    }
}

impl Verdict {
    /// Every choice with its name in the address.
    pub const ALL: [(&str, Self); 4] = [
        ("good", Self(Some(TrustLevel::Good))),
        ("suspicious", Self(Some(TrustLevel::Suspicious))),
        ("critical", Self(Some(TrustLevel::Critical))),
        ("none", Self(None)),
    ];

    /// The scores of the verdict, where -1 means that there is none.
    pub const fn scores(self) -> RangeInclusive<i64> {
        match self.0 {
            Some(TrustLevel::Good) => 70..=100,
            Some(TrustLevel::Suspicious) => 30..=69,
            Some(TrustLevel::Critical) => 0..=29,
            None => -1..=-1,
        }
    }
}

impl Decision {
    /// Every choice with its name in the address.
    pub const ALL: [(&str, Self); 4] = [
        ("accepted", Self(Some(Outcome::Accepted))),
        ("rejected", Self(Some(Outcome::Rejected))),
        ("returned", Self(Some(Outcome::Returned))),
        ("none", Self(None)),
    ];

    /// The name in the address.
    pub fn name(self) -> &'static str {
        self.0.map_or("none", Into::into)
    }
}

impl CaseSearch {
    /// Reads the pairs of a query. An empty value counts as absent, because a form sends every field. Unknown names are
    /// ignored.
    ///
    /// # Errors
    /// Every problem, as a sentence for people.
    pub fn read(pairs: &[(String, String)]) -> Result<Self, Vec<String>> {
        const DATE: &str = "a date yyyy-mm-dd";
        let mut query = Query { pairs, problems: Vec::new() };
        let text = query.get("q").unwrap_or_default().trim().to_owned();
        if text.chars().count() > LONGEST_TEXT {
            query.problems.push(format!("q: at most {LONGEST_TEXT} characters can be searched"));
        } else if term_count(&text) > MOST_TERMS {
            query.problems.push(format!("q: at most {MOST_TERMS} words can be searched at once"));
        }
        let search = Self {
            text,
            company: query.read("company", "a company", CompanyId::parse),
            frame: query.read("frame", "a frame", FrameId::parse),
            closed: query.read("state", "open or closed", |text| match text {
                "open" => Some(false),
                "closed" => Some(true),
                _ => None,
            }),
            verdict: query.read("verdict", "a verdict", |text| choice(&Verdict::ALL, text)),
            decision: query.read("decision", "a decision", |text| choice(&Decision::ALL, text)),
            from: query.read("from", DATE, parse_date),
            to: query.read("to", DATE, parse_date),
            after: query.read("after", "a place in the list", Place::parse),
        };
        if let (Some(from), Some(to)) = (search.from, search.to)
            && from > to
        {
            query.problems.push("from: the first day must not be after the last".to_owned());
        }
        if query.problems.is_empty() { Ok(search) } else { Err(query.problems) }
    }

    /// The pairs that [`CaseSearch::read`] reads, without the place of the page.
    pub fn pairs(&self) -> Vec<(&'static str, String)> {
        let text = (!self.text.is_empty()).then(|| self.text.clone());
        let state = self.closed.map(|closed| if closed { "closed" } else { "open" }.to_owned());
        let pairs = [
            ("q", text),
            ("company", self.company.map(|company| company.to_string())),
            ("frame", self.frame.map(|frame| frame.to_string())),
            ("state", state),
            ("verdict", self.verdict.and_then(|verdict| name(&Verdict::ALL, verdict))),
            ("decision", self.decision.map(|decision| decision.name().to_owned())),
            ("from", self.from.map(|date| date.to_string())),
            ("to", self.to.map(|date| date.to_string())),
        ];
        pairs.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
    }

    /// Whether it shows every case.
    pub fn is_empty(&self) -> bool {
        self.pairs().is_empty()
    }

    /// The words to search, each once, without those that another one implies.
    pub fn terms(&self) -> Vec<Term> {
        let mut terms = terms(&self.text);
        terms.sort();
        terms.dedup();
        let is_implied = |term: &Term| {
            term.parts.is_empty()
                && terms
                    .iter()
                    .any(|other| other != term && other.whole.starts_with(&term.whole) && other.parts.is_empty())
        };
        terms.iter().filter(|term| !is_implied(term)).cloned().collect()
    }

    /// The filters that are words of the index.
    pub fn attributes(&self) -> Vec<Attribute> {
        let attributes = [
            self.frame.map(Attribute::Frame),
            self.closed.map(Attribute::Closed),
            self.verdict.map(|Verdict(level)| Attribute::Verdict(level)),
            self.decision.map(|Decision(outcome)| Attribute::Decision(outcome)),
        ];
        attributes.into_iter().flatten().collect()
    }

    /// The first place of the page: after the place of the page before, and not after the last day.
    pub fn start(&self) -> Place {
        let after = self.after.unwrap_or(Place::START);
        let tomorrow = self.to.and_then(|last| start_of(last.tomorrow().ok()?));
        tomorrow.map_or(after, |created_at| after.min(Place { created_at, id: 0 }))
    }

    /// Cases from this moment on are listed.
    pub fn first_moment(&self) -> Timestamp {
        self.from.and_then(start_of).unwrap_or(Place::END.created_at)
    }
}

/// The name under which a search is kept.
///
/// # Errors
/// What is wrong with it.
pub fn filter_name(text: &str) -> Result<String, String> {
    const LONGEST_NAME: usize = 80;
    let name = text.trim();
    match name.chars().count() {
        0 => Err("name: a name is required".to_owned()),
        length if length > LONGEST_NAME => Err(format!("name: at most {LONGEST_NAME} characters are allowed")),
        _ if name.chars().any(char::is_control) => Err("name: control characters are not allowed".to_owned()),
        _ => Ok(name.to_owned()),
    }
}

fn start_of(day: Date) -> Option<Timestamp> {
    Some(Offset::UTC.to_timestamp(day.at(0, 0, 0, 0)).ok()?.into())
}

fn term_count(text: &str) -> usize {
    terms(text).iter().map(|term| term.parts.len().max(1)).sum()
}

fn choice<T: Copy>(all: &[(&str, T)], text: &str) -> Option<T> {
    all.iter().find(|(name, _)| *name == text).map(|(_, choice)| *choice)
}

fn name<T: Copy + PartialEq>(all: &[(&str, T)], wanted: T) -> Option<String> {
    all.iter().find(|(_, choice)| *choice == wanted).map(|(name, _)| (*name).to_owned())
}

/// The pairs of a query, read name by name.
struct Query<'a> {
    pairs: &'a [(String, String)],
    problems: Vec<String>,
}

impl<'a> Query<'a> {
    fn get(&self, name: &str) -> Option<&'a str> {
        let value = self.pairs.iter().find(|(given, _)| given == name).map(|(_, value)| value.as_str());
        value.filter(|value| !value.trim().is_empty())
    }

    fn read<T>(&mut self, name: &str, expected: &str, parse: impl FnOnce(&str) -> Option<T>) -> Option<T> {
        let read = parse(self.get(name)?.trim());
        if read.is_none() {
            self.problems.push(format!("{name}: {expected} is expected"));
        }
        read
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(query: &[(&str, &str)]) -> Result<CaseSearch, Vec<String>> {
        let pairs: Vec<(String, String)> =
            query.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        CaseSearch::read(&pairs)
    }

    #[test]
    fn an_empty_form_shows_everything() {
        let fields = ["q", "company", "frame", "state", "verdict", "decision", "from", "to", "after", "unknown"];
        let search = read(&fields.map(|name| (name, " "))).unwrap();
        assert_eq!(search, CaseSearch::default());
        assert!(search.is_empty() && search.terms().is_empty() && search.attributes().is_empty());
        assert_eq!(search.start(), Place::START);
    }

    #[test]
    fn what_is_read_is_written_again() {
        let query = [
            ("q", "Dupont plumbing"),
            ("company", "3"),
            ("frame", "10"),
            ("state", "closed"),
            ("verdict", "critical"),
            ("decision", "none"),
            ("from", "2026-01-31"),
            ("to", "2026-02-01"),
        ];
        let search = read(&query).unwrap();
        let written = search.pairs();
        assert_eq!(written.iter().map(|(name, value)| (*name, value.as_str())).collect::<Vec<_>>(), query);
        assert_eq!(search.attributes().len(), 4);
    }

    #[test]
    fn each_problem_is_a_sentence() {
        let problems = read(&[
            ("company", "-1"),
            ("state", "ajar"),
            ("verdict", "GOOD"),
            ("from", "2026-02-30"),
            ("after", "1.x"),
            ("q", "a b c d e f g h i j k"),
        ]);
        let problems = problems.unwrap_err();
        assert_eq!(problems.len(), 6, "{problems:?}");
        assert!(problems.contains(&"from: a date yyyy-mm-dd is expected".to_owned()));
        assert!(read(&[("q", "j.dupont@mail.example.com a b c d e")]).is_ok());
        assert!(read(&[("q", "j.dupont@mail.example.com a b c d e f")]).is_err());
        assert!(read(&[("q", &"a".repeat(301))]).is_err());
        assert!(read(&[("from", "2026-02-02"), ("to", "2026-02-01")]).is_err());
    }

    #[test]
    fn a_word_that_another_implies_is_not_searched_twice() {
        let search = read(&[("q", "Dup dupont DUPONT ab-12 ab")]).unwrap();
        let wholes: Vec<String> = search.terms().into_iter().map(|term| term.whole).collect();
        assert_eq!(wholes, ["ab", "ab12", "dupont"], "ab-12 may be searched by its parts");
    }

    #[test]
    fn a_search_is_kept_under_a_name() {
        assert_eq!(filter_name(" To check ").as_deref(), Ok("To check"));
        for wrong in ["", "  ", "a\nb", &"a".repeat(81)] {
            assert!(filter_name(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn days_are_included() {
        let search = read(&[("from", "2026-01-31"), ("to", "2026-01-31")]).unwrap();
        let (first, end) = (search.first_moment().as_millis(), search.start().created_at.as_millis());
        assert_eq!(end - first, 24 * 60 * 60 * 1000);
        let later = read(&[("to", "2026-01-31"), ("after", "5.7")]).unwrap();
        assert_eq!(later.start(), Place { created_at: Timestamp::from_millis(5), id: 7 });
        assert_eq!(Place::parse(&later.start().text()), Some(later.start()));
    }

    #[test]
    fn the_scores_of_a_verdict_are_those_of_its_level() {
        for score in 0..=100_u8 {
            let holding: Vec<Verdict> = Verdict::ALL
                .into_iter()
                .map(|(_, one)| one)
                .filter(|one| one.scores().contains(&i64::from(score)))
                .collect();
            assert_eq!(holding, [Verdict(Some(TrustLevel::of(score)))], "{score}");
        }
    }
}
