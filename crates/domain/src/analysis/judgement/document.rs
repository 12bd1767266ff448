//! The numbers of one document: its trust score from the falsification score, the type conformity and the cross-check, and
//! the caps that keep a contradiction from being averaged away (decisions 13).

use super::{
    super::{
        AnalysisDetail, CheckStatus, CrossCheckResult, DocumentAnalysis, Match, ProgressStatusLevel, SuspicionLevel,
        score::{MOST_CRITICAL, MOST_SUSPICIOUS, Part, Sum},
    },
    Answer, Asked, Candidate, Check, Comparison, DocumentAccount, DocumentAnswers, NotRun, UNTOUCHED, detected_type,
    not_run,
};
use crate::{document::TYPE_UNKNOWN, id::ItemId, step::StepAnalysis};

/// The weights of the parts of a document's trust score, in tenths (decisions 13).
const FALSIFICATION_WEIGHT: u32 = 5;
const TYPE_WEIGHT: u32 = 3;
const CROSS_CHECK_WEIGHT: u32 = 2;
/// The score of an entered value that a readable document does not show: it is neither confirmed nor denied
/// (decisions 13).
const MISSING: u8 = 50;
/// Below this score, a document does not have a type that its step asks for (decisions 13).
const FITTING_TYPE: u8 = 50;

/// Judges a document whose step asks for `plan`. `ANALYSIS_FAILED` if no plugin gave an answer.
pub fn judge_document(
    item: ItemId,
    plan: &StepAnalysis,
    answers: &DocumentAnswers,
) -> (DocumentAnalysis, DocumentAccount) {
    let falsification = falsification(&answers.falsifications);
    let conformity = conformity(plan, &answers.types);
    let detected = detected_type(&answers.types).to_owned();
    let (cross_check, results) = cross_check(plan, &detected, &answers.cross_checks);
    let mut trust = Sum::of(vec![
        Part::new("falsification", falsification.score, FALSIFICATION_WEIGHT),
        Part::new("document type", conformity.score, TYPE_WEIGHT),
        Part::new("cross-check", cross_check.score, CROSS_CHECK_WEIGHT),
    ]);
    cap(&mut trust, &falsification, &conformity, results.as_deref());
    let unanswered = |level| DocumentAnalysis::without_answer(item, &plan.document_types, level);
    let analysis = match trust.score {
        None => unanswered(ProgressStatusLevel::AnalysisFailed),
        Some(score) => {
            // If no plugin ran, nothing was detected; the details say that none did.
            let evaluation = falsification.score.unwrap_or(UNTOUCHED);
            let suspicion = UNTOUCHED - evaluation;
            DocumentAnalysis {
                detected_document_type: detected.clone(),
                type_match_score: conformity.score.unwrap_or_default(),
                cross_check_results: results,
                cross_check_score: cross_check.score,
                suspicion_score: suspicion,
                suspicion_level: SuspicionLevel::of(suspicion),
                evaluation,
                trust_score: score,
                analysis_details: details(&answers.falsifications, &falsification),
                ..unanswered(ProgressStatusLevel::AnalysisCompleted)
            }
        }
    };
    (analysis, DocumentAccount { item, document_type: detected, trust, falsification, conformity, cross_check })
}

/// Lowers the score of a document that contradicts itself, its step or what was entered. What was not examined is
/// ignored.
fn cap(trust: &mut Sum, falsification: &Sum, conformity: &Sum, results: Option<&[CrossCheckResult]>) {
    let suspicion = falsification.score.map(|score| SuspicionLevel::of(UNTOUCHED - score));
    if suspicion == Some(SuspicionLevel::High) {
        trust.cap(MOST_CRITICAL, "the suspicion of a falsification is HIGH");
    }
    let mut reasons = Vec::new();
    if suspicion == Some(SuspicionLevel::Medium) {
        reasons.push("the suspicion of a falsification is MEDIUM".to_owned());
    }
    if conformity.score.is_some_and(|score| score < FITTING_TYPE) {
        reasons.push(format!("the type scores less than {FITTING_TYPE}"));
    }
    let different = results.unwrap_or_default().iter().filter(|result| result.outcome == Match::Mismatch);
    reasons.extend(different.map(|result| format!("{} is not what was entered", result.field_code)));
    if !reasons.is_empty() {
        trust.cap(MOST_SUSPICIOUS, reasons.join("; "));
    }
}

/// The checks of the most suspicious plugin; those of the others are listed with weight 0.
fn falsification(asked: &[Asked<Vec<Check>>]) -> Sum {
    let mut sums: Vec<Sum> = asked.iter().map(|asked| Sum::of(checks(asked))).collect();
    let Some(worst) = (0..sums.len()).min_by_key(|at| sums[*at].score.map_or(u16::MAX, u16::from)) else {
        return Sum::of(Vec::new());
    };
    let mut worst = sums.remove(worst);
    let others = sums.into_iter().flat_map(|sum| sum.parts);
    worst.parts.extend(others.map(|part| Part { weight: 0, ..part }));
    worst
}

fn checks(asked: &Asked<Vec<Check>>) -> Vec<Part> {
    let plugin = Some(asked.plugin.clone());
    match &asked.answer {
        Answer::NotRun(reason) => {
            vec![Part { plugin, note: Some(reason.clone()), ..Part::new("falsification", None, 0) }]
        }
        Answer::Given(checks) => checks
            .iter()
            .map(|check| {
                let applies = check.status != CheckStatus::NotApplicable;
                let (score, weight) = if applies { (Some(check.evaluation), check.weight) } else { (None, 0) };
                let (plugin, note) = (plugin.clone(), (!applies).then(|| "does not apply".to_owned()));
                Part { plugin, note, findings: check.findings.clone(), ..Part::new(&check.code, score, weight) }
            })
            .collect(),
    }
}

/// Each check as the interface shows it; a plugin that was not run appears as a check that does not apply.
fn details(asked: &[Asked<Vec<Check>>], sum: &Sum) -> Vec<AnalysisDetail> {
    let share = |plugin: &str, code: &str| {
        let part = sum.parts.iter().find(|part| part.plugin.as_deref() == Some(plugin) && part.name == code);
        part.map_or(0.0, |part| sum.share(part))
    };
    let mut details = Vec::new();
    for asked in asked {
        match &asked.answer {
            Answer::NotRun(_) => details.push(AnalysisDetail {
                code: "NOT_RUN".to_owned(),
                label: format!("{} could not be run", asked.plugin),
                status: CheckStatus::NotApplicable,
                evaluation: UNTOUCHED,
                suspicion_level: SuspicionLevel::None,
                weight: 0.0,
            }),
            Answer::Given(checks) => details.extend(checks.iter().map(|check| AnalysisDetail {
                code: check.code.clone(),
                label: check.label.clone(),
                status: check.status,
                evaluation: check.evaluation,
                suspicion_level: SuspicionLevel::of(UNTOUCHED - check.evaluation.min(UNTOUCHED)),
                weight: share(&asked.plugin, &check.code),
            })),
        }
    }
    details
}

/// How well the type fits: the best score among the candidates that the step accepts. Nothing that could be read is
/// rejected by a step that accepts other documents.
fn conformity(plan: &StepAnalysis, asked: &[Asked<Vec<Candidate>>]) -> Sum {
    let accepts = |candidate: &Candidate| {
        plan.document_types.contains(&candidate.document_type)
            || (plan.other_document && candidate.document_type != TYPE_UNKNOWN)
    };
    let mut parts = Vec::new();
    for asked in asked {
        let plugin = Some(asked.plugin.clone());
        match &asked.answer {
            Answer::NotRun(reason) => {
                parts.push(Part { plugin, note: Some(reason.clone()), ..Part::new("document type", None, 0) });
            }
            Answer::Given(candidates) => parts.extend(candidates.iter().map(|candidate| Part {
                plugin: plugin.clone(),
                note: (!accepts(candidate)).then(|| "not what the step asks for".to_owned()),
                findings: candidate.findings.clone(),
                ..Part::new(&candidate.document_type, Some(candidate.score), 0)
            })),
        }
    }
    let answered = asked.iter().any(|asked| asked.given().is_some());
    let fits = asked.iter().filter_map(Asked::given).flatten().filter(|candidate| accepts(candidate));
    let best = fits.map(|candidate| candidate.score).max().unwrap_or_default();
    // Only the best one counts.
    if let Some(part) = parts.iter_mut().find(|part| part.note.is_none() && part.score == Some(best)) {
        part.weight = 1;
    }
    Sum { score: answered.then_some(best), parts, notes: Vec::new() }
}

/// The mean over the fields for which a value was entered. A document that could not be read neither confirms nor denies, and
/// scores nothing.
fn cross_check(
    plan: &StepAnalysis,
    detected: &str,
    asked: &[Asked<Vec<Comparison>>],
) -> (Sum, Option<Vec<CrossCheckResult>>) {
    if plan.cross_check.is_empty() {
        return (Sum::of(Vec::new()), None);
    }
    if asked.iter().all(|asked| asked.given().is_none()) {
        let parts = asked.iter().filter_map(not_run).map(|NotRun { plugin, reason }| Part {
            plugin: Some(plugin),
            note: Some(reason),
            ..Part::new("cross-check", None, 0)
        });
        return (Sum::of(parts.collect()), None);
    }
    let (mut parts, mut results) = (Vec::new(), Vec::new());
    for wanted in &plan.cross_check {
        let of_field = asked
            .iter()
            .filter_map(|asked| Some((&asked.plugin, asked.given()?.iter().find(|given| given.code == wanted.field)?)));
        // The most suspicious answer; one that compared comes before one that could not.
        let given = of_field.min_by_key(|(_, given)| match outcome(given) {
            Match::Mismatch => 0,
            Match::Match => 1,
            Match::Missing => 2,
        });
        let outcome = given.map_or(Match::Missing, |(_, given)| outcome(given));
        let score = given.filter(|(_, given)| given.entered).map(|_| match outcome {
            Match::Match => UNTOUCHED,
            Match::Missing => MISSING,
            Match::Mismatch => 0,
        });
        parts.push(Part {
            plugin: given.map(|(plugin, _)| plugin.clone()),
            note: given.map(|(_, given)| given.text.clone()),
            ..Part::new(&wanted.field, score, 1)
        });
        results.push(CrossCheckResult { field_code: wanted.field.clone(), field_label: wanted.label.clone(), outcome });
    }
    // A value that was compared was read, whatever the detected type.
    let is_read = detected != TYPE_UNKNOWN || results.iter().any(|result| result.outcome != Match::Missing);
    let mut sum = Sum::of(parts);
    if !is_read && sum.score.is_some() {
        sum.parts.iter_mut().for_each(|part| part.score = None);
        sum.score = None;
        sum.notes.push("the document could not be read, so nothing was compared".to_owned());
    }
    (sum, Some(results))
}

fn outcome(given: &Comparison) -> Match {
    if given.entered { given.outcome } else { Match::Missing }
}
