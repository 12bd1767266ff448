//! The numbers of one case: the weighted mean of its signals, and the caps that keep one forgery or one contradiction from
//! being averaged away (decisions 13).

use super::{
    super::{
        AnalysisProgress, CaseAnalysis, DocumentAnalysis, Signal, TrustLevel,
        score::{CERTAIN_FRAUD, MOST_CRITICAL, MOST_SUSPICIOUS, Part, Sum},
    },
    Asked, Assessment, CaseAccount, UNTOUCHED, not_run,
};
use crate::{company_manifest::SignalWeights, id::CaseId};

/// The kind of signal about documents.
const DOCUMENT: &str = "document";
/// The weight of a signal of a plugin's own kind.
const OWN_SIGNAL_WEIGHT: u32 = 1;

/// Judges a case from its documents and from the assessments of the whole. Documents whose analysis has not ended with
/// an answer are shown, but count in no score and no cap; with nothing to judge the score is 100. `progress` is that of
/// the verdict, none before the first one.
pub fn judge_case(
    case: CaseId,
    items_analyzed: u32,
    documents: Vec<DocumentAnalysis>,
    assessed: &[Asked<Vec<Assessment>>],
    weights: &SignalWeights,
    progress: Option<AnalysisProgress>,
) -> (CaseAnalysis, CaseAccount) {
    let (completed, unanswered): (Vec<_>, Vec<_>) = documents.iter().partition(|document| document.is_completed());
    let parts = parts(assessed, &completed, weights);
    let signals = parts.iter().filter_map(|part| Some(signal(&part.name, part.score?))).collect();
    let mut trust = Sum::of(parts);
    for document in unanswered {
        trust.notes.push(format!("the document of item {} has no answer and is not counted", document.item_id));
    }
    cap(&mut trust, &completed, progress);
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

/// The available signals, in order. If there are several of one kind, the lowest counts.
fn parts(assessed: &[Asked<Vec<Assessment>>], completed: &[&DocumentAnalysis], weights: &SignalWeights) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    let given = assessed.iter().filter_map(|asked| Some((&asked.plugin, asked.given()?)));
    for (plugin, assessment) in given.flat_map(|(plugin, given)| given.iter().map(move |one| (plugin, one))) {
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
    if !parts.iter().any(|part| part.name == DOCUMENT)
        && let Some(lowest) = completed.iter().map(|document| document.trust_score).min()
    {
        let note = Some("the lowest of its documents".to_owned());
        parts.push(Part { note, ..Part::new(DOCUMENT, Some(lowest), weights.document) });
    }
    parts.sort_by_key(|part| order_of(&part.name));
    parts
}

fn signal(key: &str, score: u8) -> Signal {
    Signal { key: key.to_owned(), score, trust_level: TrustLevel::of(score) }
}

/// Lowers the score of a case with certain fraud in it, of one that is more than a level better than its worst document or
/// signal, and of one in which not everything was examined. The strictest cap comes first, so that the account names
/// the one that applied.
fn cap(trust: &mut Sum, completed: &[&DocumentAnalysis], progress: Option<AnalysisProgress>) {
    let is_critical = |score| TrustLevel::of(score) == TrustLevel::Critical;
    let frauds = everything_with(trust, completed, is_fraud, |document| is_fraud(UNTOUCHED - document.suspicion_score));
    let critical = everything_with(trust, completed, is_critical, |_| false);
    let mut caps = Vec::new();
    if !frauds.is_empty() {
        caps.push((MOST_CRITICAL, format!("certain fraud: {}", frauds.join(", "))));
    }
    if !critical.is_empty() {
        caps.push((MOST_SUSPICIOUS, format!("CRITICAL: {}", critical.join(", "))));
    }
    if progress == Some(AnalysisProgress::Failed) {
        caps.push((MOST_SUSPICIOUS, "progress is failed: not every document was examined".to_owned()));
    }
    for (most, why) in caps {
        // A case in which nothing has weight would have no score to lower.
        trust.score.get_or_insert(UNTOUCHED);
        trust.cap(most, why);
    }
}

const fn is_fraud(score: u8) -> bool {
    score <= CERTAIN_FRAUD
}

/// Each signal and document whose score matches, for display. A document also if only its falsification score matches:
/// a forgery of the right type that agrees with what was entered has a higher total.
fn everything_with(
    trust: &Sum,
    completed: &[&DocumentAnalysis],
    is_so: impl Fn(u8) -> bool,
    is_also: impl Fn(&DocumentAnalysis) -> bool,
) -> Vec<String> {
    let signals = trust.parts.iter().filter(|part| part.score.is_some_and(&is_so));
    let signals = signals.map(|part| format!("the signal {}", part.name));
    let documents = completed.iter().filter(|document| is_so(document.trust_score) || is_also(document));
    signals.chain(documents.map(|document| format!("the document of item {}", document.item_id))).collect()
}

fn weight_of(weights: &SignalWeights, kind: &str) -> u32 {
    match kind {
        DOCUMENT => weights.document,
        "image" => weights.image,
        "duplicate" => weights.duplicate,
        "gps" => weights.gps,
        "device" => weights.device,
        "motion" => weights.motion,
        "consistency" => weights.consistency,
        _ => OWN_SIGNAL_WEIGHT,
    }
}

/// The order of spec 2.6, then the additional one of decisions 13, then a plugin's own.
fn order_of(kind: &str) -> usize {
    const ORDER: [&str; 7] = ["gps", "motion", "device", "image", "duplicate", DOCUMENT, "consistency"];
    ORDER.iter().position(|known| *known == kind).unwrap_or(ORDER.len())
}
