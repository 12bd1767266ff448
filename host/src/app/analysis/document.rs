//! The plugins' answers about one document: its type, its fields, and whether it was forged or changed.

use std::sync::Arc;

use super::ask::{Asking, findings, map};
use crate::{
    domain::{
        analysis::{
            CheckStatus, Match,
            judgement::{Asked, Candidate, Check, Comparison, DocumentAnswers, detected_type, judge_document},
        },
        company_manifest::PluginRole,
        id::{ItemId, StepId},
        step::StepAnalysis,
    },
    plugins::{
        self, Chosen, DocumentChecks, DocumentFields, DocumentTypes, FieldComparisons,
        facts::{Document, ExtractedField, Outcome, Pair, Verdict},
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
    let wanted = wanted(plan);
    let mut extracted: Vec<Extracted> = Vec::new();
    if !wanted.is_empty() {
        for chosen in asking.chosen(PluginRole::CrossCheck) {
            let question = DocumentFields::new(Arc::clone(&document), detected.clone(), wanted.clone());
            let asked = asking.ask(&chosen, question).await;
            for field in asked.given().into_iter().flatten() {
                let is_asked_for = plan.extract.iter().any(|wanted| wanted.key == field.code);
                if is_asked_for && !extracted.iter().any(|found| found.key == field.code) {
                    extracted.push(Extracted { key: field.code.clone(), value: field.value.clone() });
                }
            }
            if !plan.cross_check.is_empty() {
                answers.cross_checks.push(compare(asking, &chosen, plan, asked, entered).await);
            }
        }
    }
    for chosen in asking.chosen(PluginRole::Falsification) {
        let question = DocumentChecks { document: Arc::clone(&document), document_type: detected.clone() };
        let asked = asking.ask(&chosen, question).await;
        answers.falsifications.push(map(asked, |checks| checks.into_iter().map(check).collect()));
    }
    let (result, account) = judge_document(item, plan, &answers);
    Completed { result: Some(result), account: Some(account), extracted, facts_key: None }
}

/// The fields to read: those that are compared, then those that are sent, each once.
pub(in crate::app) fn wanted(plan: &StepAnalysis) -> Vec<String> {
    let mut wanted: Vec<String> = Vec::new();
    let compared = plan.cross_check.iter().map(|check| &check.field);
    for code in compared.chain(plan.extract.iter().map(|field| &field.key)) {
        if !wanted.contains(code) {
            wanted.push(code.clone());
        }
    }
    wanted.truncate(plugins::MAX_FIELDS);
    wanted
}

async fn compare(
    asking: &mut Asking<'_>,
    chosen: &Chosen,
    plan: &StepAnalysis,
    read: Asked<Vec<ExtractedField>>,
    entered: &[EnteredValue],
) -> Asked<Vec<Comparison>> {
    let Some(fields) = read.given() else { return map(read, |_| Vec::new()) };
    let pairs = pairs(plan, fields, entered);
    let is_entered = |pair: &Pair| pair.entered.as_ref().is_some_and(|value| !value.trim().is_empty());
    let entered: Vec<bool> = pairs.iter().map(is_entered).collect();
    let asked = asking.ask(chosen, FieldComparisons { pairs }).await;
    map(asked, |compared| {
        let named = plan.cross_check.iter().zip(entered).zip(compared);
        named
            .map(|((check, entered), compared)| Comparison {
                code: check.field.clone(),
                entered,
                outcome: match compared.outcome {
                    Outcome::Same => Match::Match,
                    Outcome::Different => Match::Mismatch,
                    Outcome::Missing => Match::Missing,
                },
                text: compared.text,
            })
            .collect()
    })
}

/// The entered value and the extracted one, for each comparison that the step requires.
pub(in crate::app) fn pairs(plan: &StepAnalysis, fields: &[ExtractedField], entered: &[EnteredValue]) -> Vec<Pair> {
    // The newest entry of a step counts.
    let value_of = |step: StepId| entered.iter().rev().find(|(of, _)| *of == step).map(|(_, value)| value.clone());
    let compared = plan.cross_check.iter().take(plugins::MAX_FIELDS);
    let pairs = compared.map(|check| Pair {
        code: check.field.clone(),
        entered: value_of(check.step),
        extracted: fields.iter().find(|field| field.code == check.field).map(|field| field.value.clone()),
    });
    pairs.collect()
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
