//! From what plugins answered to what the interface shows, and to the account of how each number came about
//! (decisions 13).
//!
//! A plugin that gave no answer is not there: it counts neither for nor against, and the account says why. Where several
//! plugins play one role the most suspicious answer counts. The types of both are here; a document is judged in
//! `document.rs`, a case in `case.rs`.

mod case;
mod document;

use serde::{Deserialize, Serialize};

pub use self::{case::judge_case, document::judge_document};
use super::{CheckStatus, Match, score::Sum};
use crate::domain::{document::TYPE_UNKNOWN, id::ItemId};

/// The score of what was looked at without a finding, and of what was not looked at.
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
    /// Whether a value was entered for it. Without one there is nothing to compare, whatever a plugin says.
    pub entered: bool,
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

fn not_run<T>(asked: &Asked<T>) -> Option<NotRun> {
    match &asked.answer {
        Answer::Given(_) => None,
        Answer::NotRun(reason) => Some(NotRun { plugin: asked.plugin.clone(), reason: reason.clone() }),
    }
}

#[cfg(test)]
mod tests;
