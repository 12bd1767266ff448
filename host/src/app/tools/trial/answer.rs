//! The output of `plugin run --json`: keys and values are written as in the HTTP interface and `analysis explain`. The
//! format of answers in records is older and different, and must not change.

use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::{Answer, Header};
use crate::{
    domain::analysis::{CheckStatus, Match, judgement::FindingState},
    plugins::facts::{
        Candidate, Check, Comparison, ExtractedField, Finding, FoundPlace, Observation, Outcome, Signal, State,
        Verdict, Verification,
    },
};

impl Serialize for Answer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let value = match self {
            Self::Candidates(candidates) => json!({ "candidates": all(candidates, candidate) }),
            Self::Fields { fields, comparisons } => {
                json!({ "fields": { "fields": all(fields, field), "comparisons": all(comparisons, comparison) } })
            }
            Self::Verified { fields, verifications } => {
                json!({ "fields": {
                    "fields": all(fields, field), "verifications": all(verifications, verification),
                } })
            }
            Self::Checks(checks) => json!({ "checks": all(checks, check) }),
            Self::Signals(signals) => json!({ "signals": all(signals, signal) }),
            Self::Headers(headers) => json!({ "headers": all(headers, header) }),
        };
        value.serialize(serializer)
    }
}

fn all<T>(answers: &[T], to_value: impl Fn(&T) -> Value) -> Value {
    answers.iter().map(to_value).collect()
}

fn candidate(candidate: &Candidate) -> Value {
    let Candidate { document_type, score, findings } = candidate;
    json!({ "documentType": document_type, "score": score, "findings": all(findings, finding) })
}

fn check(check: &Check) -> Value {
    let Check { code, label, verdict, evaluation, weight, findings } = check;
    let verdict = match verdict {
        Verdict::Valid => CheckStatus::Valid,
        Verdict::Warning => CheckStatus::Warning,
        Verdict::Invalid => CheckStatus::Invalid,
        Verdict::NotApplicable => CheckStatus::NotApplicable,
    };
    json!({
        "code": code, "label": label, "verdict": verdict, "evaluation": evaluation, "weight": weight,
        "findings": all(findings, finding),
    })
}

fn signal(signal: &Signal) -> Value {
    let Signal { kind, score, observations } = signal;
    let observation =
        |Observation { item, finding: found }: &Observation| json!({ "item": item, "finding": finding(found) });
    json!({ "kind": kind, "score": score, "observations": all(observations, observation) })
}

fn field(field: &ExtractedField) -> Value {
    let ExtractedField { code, value, place: seen, score } = field;
    json!({ "code": code, "value": value, "score": score, "place": seen.as_ref().map(place) })
}

fn comparison((code, comparison): &(String, Comparison)) -> Value {
    let Comparison { outcome, score, text } = comparison;
    json!({ "code": code, "outcome": matched(*outcome), "score": score, "text": text })
}

fn verification((code, verification): &(String, Verification)) -> Value {
    let Verification { outcome, score, place: seen, text } = verification;
    let outcome = matched((*outcome).into());
    json!({ "code": code, "outcome": outcome, "score": score, "place": seen.as_ref().map(place), "text": text })
}

const fn matched(outcome: Outcome) -> Match {
    match outcome {
        Outcome::Same => Match::Match,
        Outcome::Different => Match::Mismatch,
        Outcome::Missing => Match::Missing,
    }
}

fn header(Header { name, value }: &Header) -> Value {
    json!({ "name": name, "value": value })
}

fn finding(finding: &Finding) -> Value {
    let Finding { code, state, place: seen, text } = finding;
    let state = match state {
        State::Found => FindingState::Found,
        State::NotFound => FindingState::NotFound,
        State::NotRun => FindingState::NotRun,
    };
    json!({ "code": code, "state": state, "place": seen.as_ref().map(place), "text": text })
}

fn place(FoundPlace { page, area }: &FoundPlace) -> Value {
    let area = area
        .as_ref()
        .map(|area| json!({ "left": area.left, "top": area.top, "width": area.width, "height": area.height }));
    json!({ "page": page, "area": area })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plugins::facts::{FoundRectangle, VerificationOutcome};

    fn found() -> Finding {
        let area = FoundRectangle { left: -1, top: 2, width: 3, height: 4 };
        Finding {
            code: "STAMP".to_owned(),
            state: State::NotRun,
            place: Some(FoundPlace { page: 1, area: Some(area) }),
            text: "too coarse".to_owned(),
        }
    }

    #[test]
    fn the_answers_of_all_roles_are_written_in_the_same_style() {
        let finding = json!({
            "code": "STAMP", "state": "not-run", "text": "too coarse",
            "place": { "page": 1, "area": { "left": -1, "top": 2, "width": 3, "height": 4 } },
        });
        let candidate = Candidate { document_type: "INVOICE".to_owned(), score: 9, findings: vec![found()] };
        assert_eq!(
            json!(Answer::Candidates(vec![candidate])),
            json!({ "candidates": [{ "documentType": "INVOICE", "score": 9, "findings": [finding] }] })
        );
        let check = Check {
            code: "FONTS".to_owned(),
            label: "Fonts".to_owned(),
            verdict: Verdict::NotApplicable,
            evaluation: 100,
            weight: 0,
            findings: Vec::new(),
        };
        assert_eq!(json!(Answer::Checks(vec![check]))["checks"][0]["verdict"], "NOT_APPLICABLE");
        let observations = vec![Observation { item: Some(7), finding: found() }];
        let signal = Signal { kind: "gps".to_owned(), score: 1, observations };
        assert_eq!(
            json!(Answer::Signals(vec![signal]))["signals"][0]["observations"],
            json!([{ "item": 7, "finding": finding }])
        );
        let field = ExtractedField { code: "iban".to_owned(), value: "FR".to_owned(), place: None, score: 3 };
        let comparison = Comparison { outcome: Outcome::Different, score: 0, text: "other".to_owned() };
        assert_eq!(
            json!(Answer::Fields { fields: vec![field], comparisons: vec![("iban".to_owned(), comparison)] }),
            json!({ "fields": {
                "fields": [{ "code": "iban", "value": "FR", "score": 3, "place": null }],
                "comparisons": [{ "code": "iban", "outcome": "MISMATCH", "score": 0, "text": "other" }],
            } })
        );
        let verification = Verification {
            outcome: VerificationOutcome::Same,
            score: 100,
            place: Some(FoundPlace { page: 2, area: None }),
            text: "there".to_owned(),
        };
        assert_eq!(
            json!(Answer::Verified { fields: Vec::new(), verifications: vec![("bic".to_owned(), verification)] }),
            json!({ "fields": { "fields": [], "verifications": [{
                "code": "bic", "outcome": "MATCH", "score": 100, "place": { "page": 2, "area": null }, "text": "there",
            }] } })
        );
        let header = Header { name: "x-a".to_owned(), value: "1".to_owned() };
        assert_eq!(json!(Answer::Headers(vec![header])), json!({ "headers": [{ "name": "x-a", "value": "1" }] }));
    }
}
