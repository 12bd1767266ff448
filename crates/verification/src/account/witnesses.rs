//! Which witnesses have seen the log of seals with a certificate's seal in it.

use sealwright_seal::verify::{LogFacts, Report, WitnessFacts};

use super::model::{Fact, Mark, Sentence};
use crate::words::{Language, fill};

pub(super) fn proven(report: &Report, language: Language) -> Option<Sentence> {
    let (witnesses, words) = (&report.witnesses, language.witnesses());
    if witnesses.saw.is_empty() {
        return None;
    }
    let numbers = [witnesses.saw.len(), witnesses.trusted].map(|number| number.to_string());
    let text = fill(words.seen, &[&numbers[0], &numbers[1], &named(&witnesses.saw)]);
    Some(Sentence::of(text, words.seen_ground))
}

/// Nothing for a reader who trusts no witness, of a log that has none.
pub(super) fn open(report: &Report, language: Language) -> Option<Sentence> {
    let (witnesses, words) = (&report.witnesses, language.witnesses());
    let of_disclosure = report.disclosed.iter().filter_map(|disclosed| disclosed.log.as_ref());
    let of_certificate = report.time_stamps.iter().filter_map(|stamp| stamp.log.as_ref());
    let of_package = report.package.iter().filter_map(|package| package.log.as_ref());
    let mut places = of_certificate.chain(of_disclosure).chain(of_package);
    let matters = witnesses.trusted > 0 || places.any(|place| place.other_cosignatures > 0);
    (witnesses.saw.is_empty() && matters)
        .then(|| Sentence::of(fill(words.unseen, &[&witnesses.trusted.to_string()]), words.unseen_ground))
}

/// The witnesses of one place in the log; nothing if there are none.
pub(super) fn of_place(log: &LogFacts, language: Language) -> Option<Fact> {
    let words = language.witnesses();
    let mut parts = Vec::new();
    if !log.witnesses.is_empty() {
        parts.push(named(&log.witnesses));
    }
    if log.other_cosignatures > 0 {
        parts.push(fill(words.others, &[&log.other_cosignatures.to_string()]));
    }
    let mark = if log.witnesses.is_empty() { Mark::Doubtful } else { Mark::Good };
    let fact = Fact { label: words.witnesses, value: parts.join("; "), mark, is_code: false };
    (!parts.is_empty()).then_some(fact)
}

fn named(witnesses: &[WitnessFacts]) -> String {
    let named = witnesses.iter().map(|WitnessFacts { name, time, .. }| format!("{name} ({time})"));
    named.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use sealwright_seal::{UnixTime, verify::WitnessesFacts};

    use super::*;

    #[test]
    fn witnesses_are_counted_among_those_that_are_trusted() {
        let seen = WitnessFacts {
            name: "w.example/1".to_owned(),
            key: "w.example/1+00000000+AA".to_owned(),
            time: UnixTime::from_millis(1_795_168_800_000).unwrap(),
        };
        let report = |trusted: usize, saw: Vec<WitnessFacts>| Report {
            witnesses: WitnessesFacts { trusted, saw },
            ..Report::default()
        };
        let one = report(2, vec![seen]);
        let sentence = proven(&one, Language::English).unwrap().text;
        assert!(sentence.contains("1 of the 2 witnesses") && sentence.contains("w.example/1 (2026-11-20T10:00"));
        assert_eq!(open(&one, Language::English), None);
        let none = report(2, Vec::new());
        assert_eq!(proven(&none, Language::French), None);
        assert!(open(&none, Language::French).unwrap().text.contains("aucun des 2 témoins"));
        assert_eq!(open(&report(0, Vec::new()), Language::English), None);
    }
}
