//! The results of the case's documents. The score of the worst one counts most: a case is only as good as its worst
//! paper.

use sealwright_plugin_sdk::{
    facts::Item,
    findings::{Finding, found, not_found, not_run},
    signal::{Observation, Signal, of_item},
};

use crate::{doubt::OBSERVATIONS, thresholds::Thresholds};

/// The suspicion that leaves no doubt.
const CERTAIN: u8 = 92;

pub(crate) fn signal(items: &[Item], thresholds: &Thresholds) -> Option<Signal> {
    let outcomes: Vec<_> = items.iter().filter_map(|item| Some((item.id(), item.document_outcome()?))).collect();
    let worst = outcomes.iter().map(|(_, outcome)| outcome.trust_score).min()?;
    let mean = outcomes.iter().map(|(_, outcome)| u32::from(outcome.trust_score)).sum::<u32>()
        / u32::try_from(outcomes.len()).ok()?;
    let certain = outcomes.iter().any(|(_, outcome)| outcome.suspicion_score >= CERTAIN);
    let score = u8::try_from((u32::from(worst) * 2 + mean) / 3).unwrap_or(100);
    let score = if certain { score.min(9) } else { score };
    let observations: Vec<Observation> = outcomes
        .iter()
        .map(|(item, outcome)| {
            let finding: Finding = if !outcome.complete {
                not_run("DOCUMENT", "The analysis of the document has not ended.")
            } else if outcome.suspicion_score >= thresholds.document_suspicion {
                found(
                    "DOCUMENT_SUSPECT",
                    format!("The checks for falsification give a suspicion score of {}.", outcome.suspicion_score),
                )
            } else if outcome.type_score < 50 {
                found(
                    "DOCUMENT_TYPE",
                    format!("The document ({}) is not of a type that was asked for.", outcome.document_type),
                )
            } else if outcome.cross_check_score.is_some_and(|score| score < 70) {
                found("DOCUMENT_DIFFERS", "The document differs from what was entered.")
            } else {
                not_found("DOCUMENT_SUSPECT", "Nothing was detected in the document.")
            };
            of_item(*item, finding)
        })
        .take(OBSERVATIONS)
        .collect();
    Some(Signal { kind: "document".to_owned(), score, observations })
}
