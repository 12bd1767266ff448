//! The plugins' answers about one document: its type, its fields, and whether it was forged or changed.

use std::sync::Arc;

use super::ask::{Asking, findings, map};
use crate::{
    domain::{
        analysis::{
            CheckStatus, Match,
            judgement::{Answer, Asked, Candidate, Check, Comparison, DocumentAnswers, detected_type, judge_document},
        },
        company_manifest::PluginRole,
        id::{ItemId, StepId},
        step::StepAnalysis,
    },
    plugins::{
        self, Chosen, DocumentChecks, DocumentFields, DocumentStatements, DocumentTypes, FieldComparisons,
        FieldVerifications, Function,
        facts::{Document, Entry, ExtractedField, Outcome, Pair, StatedValue, Verdict, Verification},
    },
    store::analysis::{Completed, Extracted},
};

/// A step and the value that was entered at it.
pub(in crate::app) type EnteredValue = (StepId, String);

/// Asks every plugin of the company and judges the document by their answers.
pub(in crate::app) async fn examine(
    asking: &mut Asking<'_>,
    item: ItemId,
    plan: &StepAnalysis,
    document: Arc<Document>,
    entered: &[EnteredValue],
) -> Completed {
    let mut answers = DocumentAnswers::default();
    for chosen in asking.chosen(PluginRole::DocumentType) {
        let asked = asking.ask(&chosen, DocumentTypes { document: Arc::clone(&document) }).await;
        answers.types.push(map(asked, |candidates| candidates.into_iter().map(candidate).collect()));
    }
    let detected = detected_type(&answers.types).to_owned();
    let mut extracted: Vec<Extracted> = Vec::new();
    for chosen in asking.chosen(PluginRole::CrossCheck) {
        let CrossChecked { read, compared } = cross_check(asking, &chosen, plan, &document, &detected, entered).await;
        for field in read.iter().filter_map(Asked::given).flatten() {
            let is_asked_for = plan.extract.iter().any(|wanted| wanted.key == field.code);
            if is_asked_for && !extracted.iter().any(|found| found.key == field.code) {
                extracted.push(Extracted { key: field.code.clone(), value: field.value.clone() });
            }
        }
        answers.cross_checks.extend(compared);
    }
    for chosen in asking.chosen(PluginRole::Falsification) {
        let question = DocumentChecks { document: Arc::clone(&document), document_type: detected.clone() };
        let asked = asking.ask(&chosen, question).await;
        answers.falsifications.push(map(asked, |checks| checks.into_iter().map(check).collect()));
    }
    let (result, account) = judge_document(item, plan, &answers);
    Completed { result: Some(result), account: Some(account), extracted, facts_key: None }
}

/// Everything that the document states, by the first plugin that can read it and answers. None: there is no such plugin.
pub(in crate::app) async fn stated(
    asking: &mut Asking<'_>,
    document: Arc<Document>,
    detected: &str,
) -> Option<Vec<StatedValue>> {
    for chosen in asking.chosen(PluginRole::CrossCheck) {
        if !asking.states(&chosen) {
            continue;
        }
        let question = DocumentStatements { document: Arc::clone(&document), document_type: detected.to_owned() };
        if let Answer::Given(stated) = asking.ask(&chosen, question).await.answer {
            return Some(stated.into_iter().map(StatedValue::from).collect());
        }
    }
    None
}

/// What one cross-check plugin answered. None: the step does not ask for it.
pub(in crate::app) struct CrossChecked {
    read: Option<Asked<Vec<ExtractedField>>>,
    compared: Option<Asked<Vec<Comparison>>>,
}

/// Asks a plugin for the fields that the step sends, and whether the document agrees with what was entered. One that
/// verifies is given the entered values; another one reads the fields of the document, and then compares them.
pub(in crate::app) async fn cross_check(
    asking: &mut Asking<'_>,
    chosen: &Chosen,
    plan: &StepAnalysis,
    document: &Arc<Document>,
    detected: &str,
    entered: &[EnteredValue],
) -> CrossChecked {
    let verifies = asking.verifies(chosen);
    let wanted = if verifies { sent(plan) } else { wanted(plan) };
    let read = if wanted.is_empty() {
        None
    } else {
        let question = DocumentFields::new(Arc::clone(document), detected.to_owned(), wanted);
        Some(asking.ask(chosen, question).await)
    };
    let compared = match &read {
        _ if plan.cross_check.is_empty() => None,
        _ if verifies => Some(verify(asking, chosen, plan, document, detected, entered).await),
        Some(read) => Some(compare(asking, chosen, plan, read, entered).await),
        None => None,
    };
    CrossChecked { read, compared }
}

/// The fields that a plugin reads if it compares them: those that are compared, then those that are sent, each once.
pub(in crate::app) fn wanted(plan: &StepAnalysis) -> Vec<String> {
    let compared = plan.cross_check.iter().map(|check| &check.field);
    each_once(compared.chain(plan.extract.iter().map(|field| &field.key)))
}

/// The fields that a plugin reads if it verifies entered values: those that are sent, each once.
pub(in crate::app) fn sent(plan: &StepAnalysis) -> Vec<String> {
    each_once(plan.extract.iter().map(|field| &field.key))
}

fn each_once<'a>(codes: impl Iterator<Item = &'a String>) -> Vec<String> {
    let mut once: Vec<String> = Vec::new();
    for code in codes {
        if !once.contains(code) {
            once.push(code.clone());
        }
    }
    once.truncate(plugins::MAX_FIELDS);
    once
}

async fn verify(
    asking: &mut Asking<'_>,
    chosen: &Chosen,
    plan: &StepAnalysis,
    document: &Arc<Document>,
    detected: &str,
    entered: &[EnteredValue],
) -> Asked<Vec<Comparison>> {
    let entries = entries(plan, entered);
    let asked = if entries.is_empty() {
        Asked { plugin: chosen.plugin.clone(), answer: Answer::Given(Vec::new()) }
    } else {
        let question = FieldVerifications::new(Arc::clone(document), detected.to_owned(), entries);
        asking.ask(chosen, question).await
    };
    map(asked, |verified| {
        let mut verified = verified.into_iter();
        let compared = compared_values(plan, entered).map(|(code, value)| {
            let verification = value.filter(|value| is_value(value)).and_then(|_| verified.next());
            match verification {
                Some(Verification { outcome, text, .. }) => {
                    Comparison { code: code.to_owned(), entered: true, outcome: matched(outcome.into()), text }
                }
                None => Comparison {
                    code: code.to_owned(),
                    entered: false,
                    outcome: Match::Missing,
                    text: "Nothing was entered.".to_owned(),
                },
            }
        });
        compared.collect()
    })
}

async fn compare(
    asking: &mut Asking<'_>,
    chosen: &Chosen,
    plan: &StepAnalysis,
    read: &Asked<Vec<ExtractedField>>,
    entered: &[EnteredValue],
) -> Asked<Vec<Comparison>> {
    let Some(fields) = read.given() else { return map(read.clone(), |_| Vec::new()) };
    let pairs = pairs(plan, fields, entered);
    let entered: Vec<bool> = pairs.iter().map(|pair| pair.entered.as_deref().is_some_and(is_value)).collect();
    let asked = asking.ask(chosen, FieldComparisons { pairs }).await;
    map(asked, |compared| {
        let named = plan.cross_check.iter().zip(entered).zip(compared);
        named
            .map(|((check, entered), compared)| Comparison {
                code: check.field.clone(),
                entered,
                outcome: matched(compared.outcome),
                text: compared.text,
            })
            .collect()
    })
}

const fn matched(outcome: Outcome) -> Match {
    match outcome {
        Outcome::Same => Match::Match,
        Outcome::Different => Match::Mismatch,
        Outcome::Missing => Match::Missing,
    }
}

/// The entered values that a plugin verifies, for the comparisons that the step requires.
pub(in crate::app) fn entries(plan: &StepAnalysis, entered: &[EnteredValue]) -> Vec<Entry> {
    let given = compared_values(plan, entered).filter_map(|(code, value)| Some((code, value?)));
    let given = given.filter(|(_, value)| is_value(value));
    given.map(|(code, value)| Entry { code: code.to_owned(), value: value.to_owned() }).collect()
}

/// The entered value and the extracted one, for each comparison that the step requires.
pub(in crate::app) fn pairs(plan: &StepAnalysis, fields: &[ExtractedField], entered: &[EnteredValue]) -> Vec<Pair> {
    let pairs = compared_values(plan, entered).map(|(code, value)| Pair {
        code: code.to_owned(),
        entered: value.map(str::to_owned),
        extracted: fields.iter().find(|field| field.code == code).map(|field| field.value.clone()),
    });
    pairs.collect()
}

/// The fields that an answer to this function is about, in its order. Empty if the answer names them itself.
pub(in crate::app) fn subjects(function: Function, plan: &StepAnalysis, entered: &[EnteredValue]) -> Vec<String> {
    match function {
        Function::Compare => plan.cross_check.iter().map(|check| check.field.clone()).collect(),
        Function::Verify => entries(plan, entered).into_iter().map(|entry| entry.code).collect(),
        Function::Detect | Function::Extract | Function::State | Function::Inspect | Function::Assess => Vec::new(),
    }
}

/// The field and the entered value of each comparison that the step requires.
fn compared_values<'a>(
    plan: &'a StepAnalysis,
    entered: &'a [EnteredValue],
) -> impl Iterator<Item = (&'a str, Option<&'a str>)> {
    // The newest entry of a step counts.
    let value_of =
        move |step: StepId| entered.iter().rev().find(|(of, _)| *of == step).map(|(_, value)| value.as_str());
    let compared = plan.cross_check.iter().take(plugins::MAX_FIELDS);
    compared.map(move |check| (check.field.as_str(), value_of(check.step)))
}

/// Whether there is anything to compare with.
fn is_value(entered: &str) -> bool {
    !entered.trim().is_empty()
}

pub(in crate::app) fn candidate(candidate: plugins::facts::Candidate) -> Candidate {
    Candidate { document_type: candidate.document_type, score: candidate.score, findings: findings(candidate.findings) }
}

fn check(check: plugins::facts::Check) -> Check {
    Check {
        code: check.code,
        label: check.label,
        status: match check.verdict {
            Verdict::Valid => CheckStatus::Valid,
            Verdict::Warning => CheckStatus::Warning,
            Verdict::Invalid => CheckStatus::Invalid,
            Verdict::NotApplicable => CheckStatus::NotApplicable,
        },
        evaluation: check.evaluation,
        weight: check.weight.into(),
        findings: findings(check.findings),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::step::{CrossCheck, ExtractedField as SentField};

    fn step(number: i64) -> StepId {
        StepId::new(number).unwrap()
    }

    /// Compares three fields with the values of steps 1 to 3, and sends one of them.
    fn plan() -> StepAnalysis {
        let check =
            |field: &str, number| CrossCheck { field: field.to_owned(), label: field.to_owned(), step: step(number) };
        StepAnalysis {
            document_types: Vec::new(),
            other_document: true,
            timestamp_and_signature: false,
            delete_after_analysis: false,
            cross_check: vec![check("lastName", 1), check("iban", 2), check("bic", 3)],
            extract: vec![SentField { key: "iban".to_owned(), label: "IBAN".to_owned() }],
        }
    }

    #[test]
    fn only_entered_values_are_verified_and_the_newest_of_a_step_counts() {
        let entered = [(step(3), "OLD".to_owned()), (step(2), " ".to_owned()), (step(3), "BIC".to_owned())];
        let bic = Entry { code: "bic".to_owned(), value: "BIC".to_owned() };
        assert_eq!(entries(&plan(), &entered), [bic]);
        assert_eq!(subjects(Function::Verify, &plan(), &entered), ["bic"]);
        assert_eq!(subjects(Function::Compare, &plan(), &entered), ["lastName", "iban", "bic"]);
        assert_eq!(entries(&plan(), &[]), []);
        // A comparison is asked for all of them, as it always was.
        let pairs = pairs(&plan(), &[], &entered);
        let given: Vec<_> = pairs.iter().map(|pair| pair.entered.as_deref()).collect();
        assert_eq!(given, [None, Some(" "), Some("BIC")]);
    }

    #[test]
    fn a_plugin_that_verifies_reads_only_what_is_sent() {
        assert_eq!(wanted(&plan()), ["lastName", "iban", "bic"]);
        assert_eq!(sent(&plan()), ["iban"]);
    }
}
