//! Splits the answers of plugins into statements, so that two answers can be compared. No statement holds a value that
//! was read from a document.

use std::fmt;

use serde::Serialize;

use crate::plugins::{
    Reply,
    facts::{Comparison, Outcome, Verdict, Verification},
};

/// One statement of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::app) struct Statement {
    /// What it is about: a check, a field, a signal or a type.
    pub(in crate::app) subject: String,
    /// The outcome as a word; may be empty.
    word: String,
    /// 0 to 100.
    pub(in crate::app) score: Option<u8>,
    /// Everything else, for the comparison.
    rest: String,
}

impl Statement {
    fn new(subject: impl Into<String>, word: impl Into<String>, score: Option<u8>, rest: &impl Serialize) -> Self {
        // The contract's records have only text keys, which JSON can always hold.
        let rest = serde_json::to_string(rest).unwrap_or_default();
        Self { subject: subject.into(), word: word.into(), score, rest }
    }
}

impl fmt::Display for Statement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.word.as_str(), self.score) {
            ("", Some(score)) => write!(f, "{score}"),
            (word, Some(score)) => write!(f, "{word}, {score}"),
            (word, None) => f.write_str(word),
        }
    }
}

/// A statement that two answers do not share.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Difference {
    pub subject: String,
    /// None: the answer has no such statement.
    pub before: Option<String>,
    pub after: Option<String>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nothing = "nothing";
        let (before, after) = (self.before.as_deref(), self.after.as_deref());
        write!(f, "{}: {}; now {}", self.subject, before.unwrap_or(nothing), after.unwrap_or(nothing))
    }
}

/// The statements of an answer. `fields` are the codes of the compared or verified fields, in order.
pub(in crate::app) fn statements(reply: &Reply, fields: &[String]) -> Vec<Statement> {
    match reply {
        Reply::Types(types) => {
            let best = types.first().map(|best| Statement::new("type", &best.document_type, Some(best.score), &()));
            let each = types
                .iter()
                .map(|one| Statement::new(format!("fit of {}", one.document_type), "", Some(one.score), &one.findings));
            best.into_iter().chain(each).collect()
        }
        Reply::Fields(fields) => {
            fields.iter().map(|field| Statement::new(&field.code, "read", Some(field.score), field)).collect()
        }
        Reply::Comparisons(compared) => {
            let each = compared.iter().enumerate().map(|(index, compared)| {
                let Comparison { outcome, score, text } = compared;
                Statement::new(field(fields, index), word(*outcome), Some(*score), text)
            });
            each.collect()
        }
        Reply::Verifications(verified) => {
            let each = verified.iter().enumerate().map(|(index, verified)| {
                let Verification { outcome, score, place, text } = verified;
                Statement::new(field(fields, index), word((*outcome).into()), Some(*score), &(place, text))
            });
            each.collect()
        }
        Reply::Statements(stated) => {
            let each = stated.iter().map(|stated| {
                let rest = (&stated.place, &stated.origin);
                Statement::new(format!("stated: {}", stated.kind), "read", Some(stated.score), &rest)
            });
            each.collect()
        }
        Reply::Checks(checks) => {
            let each = checks.iter().map(|check| {
                let word = match check.verdict {
                    Verdict::Valid => "VALID",
                    Verdict::Warning => "WARNING",
                    Verdict::Invalid => "INVALID",
                    Verdict::NotApplicable => "NOT_APPLICABLE",
                };
                let rest = (&check.label, check.weight, &check.findings);
                Statement::new(&check.code, word, Some(check.evaluation), &rest)
            });
            each.collect()
        }
        Reply::Signals(signals) => {
            let each =
                signals.iter().map(|signal| Statement::new(&signal.kind, "", Some(signal.score), &signal.observations));
            each.collect()
        }
    }
}

fn field(fields: &[String], index: usize) -> String {
    fields.get(index).cloned().unwrap_or_else(|| format!("field {}", index + 1))
}

const fn word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Same => "MATCH",
        Outcome::Different => "MISMATCH",
        Outcome::Missing => "MISSING",
    }
}

/// The differences between two answers: first in the order of the first answer, then the statements only in the second.
pub(in crate::app) fn differences(before: &[Statement], after: &[Statement]) -> Vec<Difference> {
    let in_first = before.iter().filter_map(|then| {
        let now = after.iter().find(|now| now.subject == then.subject);
        if now == Some(then) {
            return None;
        }
        let after = now.map(|now| match now.to_string() {
            text if text == then.to_string() => format!("{text}, worded differently or with other findings"),
            text => text,
        });
        Some(Difference { subject: then.subject.clone(), before: Some(then.to_string()), after })
    });
    let only_second = after
        .iter()
        .filter(|now| !before.iter().any(|then| then.subject == now.subject))
        .map(|now| Difference { subject: now.subject.clone(), before: None, after: Some(now.to_string()) });
    in_first.chain(only_second).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plugins::facts::{Candidate, FoundPlace, Signal, VerificationOutcome};

    fn signal(kind: &str, score: u8) -> Signal {
        Signal { kind: kind.to_owned(), score, observations: Vec::new() }
    }

    fn reported(before: &Reply, after: &Reply) -> Vec<String> {
        let fields = ["lastName".to_owned()];
        let all = differences(&statements(before, &fields), &statements(after, &fields));
        all.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn the_same_answer_differs_in_nothing() {
        let answer = Reply::Signals(vec![signal("gps", 90), signal("motion", 10)]);
        assert_eq!(reported(&answer, &answer), Vec::<String>::new());
    }

    #[test]
    fn changed_removed_and_added_statements_are_reported() {
        let before = Reply::Signals(vec![signal("gps", 90), signal("motion", 10)]);
        let after = Reply::Signals(vec![signal("gps", 20), signal("device", 50)]);
        let expected = ["gps: 90; now 20", "motion: 10; now nothing", "device: nothing; now 50"];
        assert_eq!(reported(&before, &after), expected);
    }

    #[test]
    fn another_type_is_reported_before_its_fit() {
        let types = |name: &str, score| {
            Reply::Types(vec![Candidate { document_type: name.to_owned(), score, findings: Vec::new() }])
        };
        let reported = reported(&types("PASSPORT", 97), &types("INVOICE", 97));
        assert_eq!(reported[0], "type: PASSPORT, 97; now INVOICE, 97");
    }

    #[test]
    fn other_words_are_a_difference_and_fields_have_their_codes() {
        let compared = |text: &str| {
            Reply::Comparisons(vec![Comparison { outcome: Outcome::Same, score: 100, text: text.to_owned() }])
        };
        let reported = reported(&compared("Alike."), &compared("The same."));
        assert_eq!(reported, ["lastName: MATCH, 100; now MATCH, 100, worded differently or with other findings"]);
    }

    #[test]
    fn verifications_have_the_codes_of_their_fields_and_their_place_is_compared() {
        let verified = |outcome, score, page| {
            let place = Some(FoundPlace { page, area: None });
            Reply::Verifications(vec![Verification { outcome, score, place, text: "It is there.".to_owned() }])
        };
        let before = verified(VerificationOutcome::Same, 100, 1);
        let moved = reported(&before, &verified(VerificationOutcome::Same, 100, 2));
        assert_eq!(moved, ["lastName: MATCH, 100; now MATCH, 100, worded differently or with other findings"]);
        let changed = reported(&before, &verified(VerificationOutcome::Different, 40, 1));
        assert_eq!(changed, ["lastName: MATCH, 100; now MISMATCH, 40"]);
    }
}
