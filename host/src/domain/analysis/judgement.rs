//! From what plugins answered to what the interface shows, and to the account of how each number came about
//! (decisions 13).
//!
//! A plugin that gave no answer is not there: it counts neither for nor against, and the account says why. Where several
//! plugins play one role the most suspicious answer counts.

use serde::{Deserialize, Serialize};

use super::{
    AnalysisDetail, CaseAnalysis, CheckStatus, CrossCheckResult, DocumentAnalysis, Match, ProgressStatusLevel, Signal,
    SuspicionLevel, TrustLevel,
    score::{CERTAIN_FRAUD, MOST_WITH_FRAUD, Part, Sum},
};
use crate::domain::{
    company_manifest::SignalWeights,
    document::TYPE_UNKNOWN,
    id::{CaseId, ItemId},
    step::StepAnalysis,
};

/// What the parts of a document's trust score weigh, in tenths (decisions 13).
const FALSIFICATION_WEIGHT: u32 = 5;
const TYPE_WEIGHT: u32 = 3;
const CROSS_CHECK_WEIGHT: u32 = 2;
/// The kind of signal that speaks of documents.
const DOCUMENT: &str = "document";
/// What a signal of a kind that only a plugin knows weighs.
const OWN_SIGNAL_WEIGHT: u32 = 1;
const UNTOUCHED: u8 = 100;

/// One plugin that was asked, and what became of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Asked<T> {
    /// The plugin's name.
    pub plugin: String,
    pub answer: Answer<T>,
}

/// What a plugin answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Answer<T> {
    Given(T),
    /// Why there is none, for the operator.
    NotRun(String),
}

impl<T> Asked<T> {
    pub fn given(&self) -> Option<&T> {
        match &self.answer {
            Answer::Given(answer) => Some(answer),
            Answer::NotRun(_) => None,
        }
    }
}

/// What a plugin looked for, and what came of it. Never holds a value that was read from a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    pub code: String,
    pub state: FindingState,
    /// The item that it concerns, where it is one of several.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub item: Option<ItemId>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub place: Option<Place>,
    /// For people.
    pub text: String,
}

/// Three states, because "looked for and not seen" and "not looked for" are not the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FindingState {
    Found,
    NotFound,
    NotRun,
}

/// Where in a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Place {
    /// From 1.
    pub page: u32,
    /// All of the page where there is none.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub area: Option<Area>,
}

/// An upright rectangle on a page: hundredths of a point from its top left corner as people see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Area {
    pub left: i32,
    pub top: i32,
    pub width: u32,
    pub height: u32,
}

/// A type that a document may be of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Candidate {
    pub document_type: String,
    /// 0 to 100: how well it fits.
    pub score: u8,
    pub findings: Vec<Finding>,
}

/// One check for falsification.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Check {
    pub code: String,
    pub label: String,
    pub status: CheckStatus,
    /// 0 to 100; 100 = nothing wrong.
    pub evaluation: u8,
    /// Beside the plugin's other checks.
    pub weight: u32,
    pub findings: Vec<Finding>,
}

/// One comparison of what was read with what was entered. Neither value is in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Comparison {
    /// The field's code.
    pub code: String,
    pub outcome: Match,
    /// For people, without either value.
    pub text: String,
}

/// What a plugin says of the whole case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Assessment {
    pub kind: String,
    /// 0 to 100; 100 is the most confidence.
    pub score: u8,
    pub findings: Vec<Finding>,
}

/// Everything that was answered about one document. Empty where no plugin plays a role.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DocumentAnswers {
    pub types: Vec<Asked<Vec<Candidate>>>,
    pub cross_checks: Vec<Asked<Vec<Comparison>>>,
    pub falsifications: Vec<Asked<Vec<Check>>>,
}

/// How the numbers of a document came about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DocumentAccount {
    pub item: ItemId,
    /// The type that was found.
    pub document_type: String,
    /// The document's trust score.
    pub trust: Sum,
    /// Of the falsification score, the checks; 100 minus it is the suspicion score.
    pub falsification: Sum,
    /// Of the type conformity, the candidates.
    pub conformity: Sum,
    /// Of the cross-check, the fields.
    pub cross_check: Sum,
}

/// How the numbers of a case came about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CaseAccount {
    /// The case's trust score: the signals with their weights.
    pub trust: Sum,
    /// Plugins that were asked and gave no signal, with the reason.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub not_run: Vec<NotRun>,
}

/// A plugin that gave no answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NotRun {
    pub plugin: String,
    pub reason: String,
}

/// The type of a document: the candidate with the highest score, of equal ones the first.
pub fn detected_type(types: &[Asked<Vec<Candidate>>]) -> &str {
    let mut best: Option<&Candidate> = None;
    for candidate in types.iter().filter_map(Asked::given).flatten() {
        if best.is_none_or(|best| candidate.score > best.score) {
            best = Some(candidate);
        }
    }
    best.map_or(TYPE_UNKNOWN, |candidate| &candidate.document_type)
}

/// Judges a document whose step asks for `plan`. `ANALYSIS_FAILED` where no plugin gave an answer.
pub fn judge_document(
    item: ItemId,
    plan: &StepAnalysis,
    answers: &DocumentAnswers,
) -> (DocumentAnalysis, DocumentAccount) {
    let falsification = falsification(&answers.falsifications);
    let conformity = conformity(plan, &answers.types);
    let (cross_check, results) = cross_check(plan, &answers.cross_checks);
    let trust = Sum::of(vec![
        Part::new("falsification", falsification.score, FALSIFICATION_WEIGHT),
        Part::new("document type", conformity.score, TYPE_WEIGHT),
        Part::new("cross-check", cross_check.score, CROSS_CHECK_WEIGHT),
    ]);
    let detected = detected_type(&answers.types).to_owned();
    let unanswered = |level| DocumentAnalysis::without_answer(item, &plan.document_types, level);
    let analysis = match trust.score {
        None => unanswered(ProgressStatusLevel::AnalysisFailed),
        Some(score) => {
            // Nothing was detected where nobody looked; the details say that nobody did.
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

/// Judges a case from its documents and from what was said of the whole. Documents whose analysis has not ended with an
/// answer are shown and in no score; with nothing to judge the score is 100.
pub fn judge_case(
    case: CaseId,
    items_analyzed: u32,
    documents: Vec<DocumentAnalysis>,
    assessed: &[Asked<Vec<Assessment>>],
    weights: &SignalWeights,
) -> (CaseAnalysis, CaseAccount) {
    let mut parts: Vec<Part> = Vec::new();
    for (plugin, assessment) in assessed.iter().filter_map(|asked| Some((&asked.plugin, asked.given()?))).flat_map(all)
    {
        let part = Part {
            plugin: Some(plugin.clone()),
            findings: assessment.findings.clone(),
            ..Part::new(&assessment.kind, Some(assessment.score), weight_of(weights, &assessment.kind))
        };
        match parts.iter_mut().find(|part| part.name == assessment.kind) {
            Some(other) if other.score > part.score => *other = part,
            Some(_) => {}
            None => parts.push(part),
        }
    }
    let completed = || documents.iter().filter(|document| document.is_completed());
    if !parts.iter().any(|part| part.name == DOCUMENT)
        && let Some(lowest) = completed().map(|document| document.trust_score).min()
    {
        let note = Some("the lowest of its documents".to_owned());
        parts.push(Part { note, ..Part::new(DOCUMENT, Some(lowest), weights.document) });
    }
    parts.sort_by_key(|part| order_of(&part.name));
    let signals = parts.iter().filter_map(|part| Some(signal(&part.name, part.score?))).collect();
    let mut trust = Sum::of(parts);
    for fraud in frauds(&trust, completed()) {
        trust.cap(MOST_WITH_FRAUD, fraud);
    }
    let score = trust.score.unwrap_or(UNTOUCHED);
    let not_run = assessed.iter().filter_map(not_run).collect();
    let analysis = CaseAnalysis {
        case_id: case,
        trust_score: score,
        trust_level: TrustLevel::of(score),
        items_analyzed,
        signals,
        document_analyses: documents,
    };
    (analysis, CaseAccount { trust, not_run })
}

fn all<'a, 'b, T>((plugin, answers): (&'a String, &'b Vec<T>)) -> impl Iterator<Item = (&'a String, &'b T)> {
    answers.iter().map(move |answer| (plugin, answer))
}

fn not_run<T>(asked: &Asked<T>) -> Option<NotRun> {
    match &asked.answer {
        Answer::Given(_) => None,
        Answer::NotRun(reason) => Some(NotRun { plugin: asked.plugin.clone(), reason: reason.clone() }),
    }
}

fn signal(key: &str, score: u8) -> Signal {
    Signal { key: key.to_owned(), score, trust_level: TrustLevel::of(score) }
}

/// Everything in the case that is certain fraud (decisions 13). A document is, too, where its falsification score alone
/// says so: a forgery of the right type that agrees with what was entered scores 50 in all.
fn frauds<'a>(trust: &Sum, documents: impl Iterator<Item = &'a DocumentAnalysis>) -> Vec<String> {
    let is_fraud = |score: u8| score <= CERTAIN_FRAUD;
    let signals = trust.parts.iter().filter(|part| part.score.is_some_and(is_fraud));
    let signals = signals.map(|part| format!("the signal {} is certain fraud", part.name));
    let documents = documents
        .filter(|document| is_fraud(document.trust_score) || is_fraud(UNTOUCHED - document.suspicion_score))
        .map(|document| format!("the document of item {} is certain fraud", document.item_id));
    signals.chain(documents).collect()
}

fn weight_of(weights: &SignalWeights, kind: &str) -> u32 {
    match kind {
        DOCUMENT => weights.document,
        "image" => weights.image,
        "duplicate" => weights.duplicate,
        "gps" => weights.gps,
        "device" => weights.device,
        "motion" => weights.motion,
        _ => OWN_SIGNAL_WEIGHT,
    }
}

/// The order of spec 2.6, then a plugin's own.
fn order_of(kind: &str) -> usize {
    const ORDER: [&str; 6] = ["gps", "motion", "device", "image", "duplicate", DOCUMENT];
    ORDER.iter().position(|known| *known == kind).unwrap_or(ORDER.len())
}

/// The checks of the most suspicious plugin; those of the others are named and weigh nothing.
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

/// Each check as the interface shows it; a plugin that was not run is one that does not apply.
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
/// refused by a step that takes other documents.
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
    // The best one counts alone.
    if let Some(part) = parts.iter_mut().find(|part| part.note.is_none() && part.score == Some(best)) {
        part.weight = 1;
    }
    Sum { score: answered.then_some(best), parts, notes: Vec::new() }
}

/// The share of the compared fields that agree. A field of which one value is missing is compared with nothing.
fn cross_check(plan: &StepAnalysis, asked: &[Asked<Vec<Comparison>>]) -> (Sum, Option<Vec<CrossCheckResult>>) {
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
        // The most suspicious answer, and one that compared before one that could not.
        let given = of_field.min_by_key(|(_, given)| match given.outcome {
            Match::Mismatch => 0,
            Match::Match => 1,
            Match::Missing => 2,
        });
        let outcome = given.map_or(Match::Missing, |(_, given)| given.outcome);
        let score = match outcome {
            Match::Match => Some(UNTOUCHED),
            Match::Mismatch => Some(0),
            Match::Missing => None,
        };
        parts.push(Part {
            plugin: given.map(|(plugin, _)| plugin.clone()),
            note: given.map(|(_, given)| given.text.clone()),
            ..Part::new(&wanted.field, score, 1)
        });
        results.push(CrossCheckResult { field_code: wanted.field.clone(), field_label: wanted.label.clone(), outcome });
    }
    (Sum::of(parts), Some(results))
}

#[cfg(test)]
mod tests;
