//! Turns the plugins' answers into what the interface shows, and into the account of how each number was computed
//! (decisions 13).
//!
//! A plugin that gave no answer is ignored: it counts neither for nor against, and the account says why. If several
//! plugins have one role, the most suspicious answer counts. The types of both are here; a document is judged in
//! `document.rs`, a case in `case.rs`.

mod case;
mod document;

use serde::{Deserialize, Serialize};

pub use self::{case::judge_case, document::judge_document};
use super::{CheckStatus, Match, score::Sum};
use crate::{document::TYPE_UNKNOWN, id::ItemId};

/// The score of what was examined without a finding, and of what was not examined.
const UNTOUCHED: u8 = 100;

/// One plugin that was asked, and its answer.
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
    /// The reason why there is none, for the operator.
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

/// What a plugin looked for, and the result. Never contains a value that was read from a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    pub code: String,
    pub state: FindingState,
    /// The item that it concerns, if it is one of several.
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
    /// The whole page if there is none.
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

/// A possible type of a document.
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
    /// Relative to the plugin's other checks.
    pub weight: u32,
    pub findings: Vec<Finding>,
}

/// One comparison of what was read with what was entered. Neither value is in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Comparison {
    /// The field's code.
    pub code: String,
    /// Whether a value was entered for it. Without one there is nothing to compare, whatever a plugin says.
    pub entered: bool,
    pub outcome: Match,
    /// For people, without either value.
    pub text: String,
}

/// A plugin's assessment of the whole case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Assessment {
    pub kind: String,
    /// 0 to 100; 100 is the most confidence.
    pub score: u8,
    pub findings: Vec<Finding>,
}

/// All answers about one document. Empty if no plugin has a role.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DocumentAnswers {
    pub types: Vec<Asked<Vec<Candidate>>>,
    pub cross_checks: Vec<Asked<Vec<Comparison>>>,
    pub falsifications: Vec<Asked<Vec<Check>>>,
}

/// How the numbers of a document were computed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DocumentAccount {
    pub item: ItemId,
    /// The detected type.
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

/// How the numbers of a case were computed.
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

/// The type of a document: the candidate with the highest score; the first if several are equal.
pub fn detected_type(types: &[Asked<Vec<Candidate>>]) -> &str {
    let mut best: Option<&Candidate> = None;
    for candidate in types.iter().filter_map(Asked::given).flatten() {
        if best.is_none_or(|best| candidate.score > best.score) {
            best = Some(candidate);
        }
    }
    best.map_or(TYPE_UNKNOWN, |candidate| &candidate.document_type)
}

fn not_run<T>(asked: &Asked<T>) -> Option<NotRun> {
    match &asked.answer {
        Answer::Given(_) => None,
        Answer::NotRun(reason) => Some(NotRun { plugin: asked.plugin.clone(), reason: reason.clone() }),
    }
}

#[cfg(test)]
mod tests;
