//! What a signed disclosure says of the certificate that its items come from.

use sealwright_seal::verify::{DisclosedFacts, Report, TokenState};

use super::model::{Entry, Fact, Group, Mark, Sentence};
use crate::words::{Language, fill};

/// What others have said about the certificate.
pub(super) fn proven(report: &Report, language: Language) -> Vec<Sentence> {
    let (Some(disclosed), Some(manifest)) = (&report.disclosed, &report.manifest) else { return Vec::new() };
    let words = language.disclosure();
    let mut proven = Vec::new();
    if let TokenState::Verified { time, authority } = &manifest.token {
        proven.push(Sentence::of(fill(words.source_existed, &[&time.to_string(), authority]), words.source));
    }
    if let Some(log) = &disclosed.log {
        // Entries are counted from 0 in the log and from 1 by people.
        let values = [log.name.clone(), (log.index + 1).to_string(), log.size.to_string()];
        let text = fill(words.source_logged, &values.each_ref().map(String::as_str));
        proven.push(Sentence::of(text, words.source));
    }
    proven
}

pub(super) fn open(report: &Report, language: Language) -> Vec<Sentence> {
    let Some(disclosed) = &report.disclosed else { return Vec::new() };
    let words = language.disclosure();
    let mut open = vec![Sentence::of(words.root_is_stated.to_owned(), words.source)];
    let withheld = disclosed.size.saturating_sub(shown(report));
    if withheld > 0 {
        open.push(Sentence::of(fill(words.withheld, &[&withheld.to_string()]), words.others));
    }
    open
}

/// The facts about the disclosure itself.
pub(super) fn group(report: &Report, disclosed: &DisclosedFacts, language: Language) -> Group {
    let words = language.disclosure();
    let fact = |label, value| Fact { label, value, mark: Mark::Plain, is_code: false };
    let count = fill(words.count, &[&shown(report).to_string(), &disclosed.size.to_string()]);
    let mut facts = vec![fact(words.disclosed_at, disclosed.disclosed_at.clone()), fact(words.shown, count)];
    if let Some(log) = &disclosed.log {
        let general = language.words();
        let place = [log.name.clone(), (log.index + 1).to_string(), log.size.to_string()];
        let place = fill(general.log_place, &place.each_ref().map(String::as_str));
        facts.push(Fact { mark: Mark::Good, ..fact(general.log, place) });
    }
    Group { title: words.certificate.to_owned(), entries: vec![Entry { title: None, facts }] }
}

fn shown(report: &Report) -> u64 {
    u64::try_from(report.items.len()).unwrap_or(u64::MAX)
}
