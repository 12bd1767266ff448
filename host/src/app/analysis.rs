//! The analysis of documents and pictures, and of the cases they belong to (spec 2.6, 3.3, 4.12; decisions 13).
//!
//! A file is examined when it arrives ([`item`]); a closed case is judged when the analyses of all its documents have
//! ended, or at its deadline ([`conclude`]). [`flow`] holds the transactions;
//! [`domain::analysis::progress`](crate::domain::analysis::progress) decides when it is time.

mod absent;
pub(super) mod ask;
pub(super) mod components;
mod conclude;
pub(super) mod document;
pub(super) mod evidence;
pub mod explain;
mod file;
pub(super) mod flow;
mod item;
pub mod photo;
pub(super) mod reconstruct;
pub(super) mod shadow;
pub(super) mod signals;
pub(super) mod statements;
mod stored;
mod sweep;
pub(super) mod trial;

use std::sync::Arc;

pub use self::{
    components::KeptComponents,
    conclude::conclude,
    file::delete_file,
    item::{analyse, give_up, reopen},
    shadow::{forget_old_agreements, shadow_case, shadow_item},
    sweep::sweep,
};
use super::{
    App,
    audit::{self, Event},
    session::Caller,
};
use crate::{
    db::Reader,
    domain::{
        analysis::{CaseAnalysis, DocumentAnalysis, ProgressStatusLevel, judgement::judge_case},
        company_manifest::SignalWeights,
        id::CaseId,
        operation::Operation,
        resource::Kind,
    },
    error::{Error, Result},
    store::{
        self,
        analysis::{ItemAnalysis, ItemState},
    },
};

const OPERATION: Operation = Operation::ReadAnalysis;

/// The current analysis of a case. The company's option is checked before the case (decisions 13).
pub async fn read(app: &Arc<App>, caller: &Caller, id: CaseId) -> Result<CaseAnalysis> {
    if !caller.company.document_analysis {
        return Err(Error::forbidden("the document-analysis option is not active for the company"));
    }
    let mut reader = app.db.read().await?;
    let case = store::case::find(&mut reader, id).await?;
    let case = case.ok_or_else(|| OPERATION.missing(Kind::Case, format!("case {id} does not exist")))?;
    if case.company != caller.company_id() {
        return Err(OPERATION.foreign(Kind::Case, "the case belongs to another company").into());
    }
    drop(reader);
    let event = Event::of(OPERATION, case.company, Some(format!("case {id}")));
    audit::record_alone(app, &caller.actor, event).await?;
    let mut reader = app.db.read().await?;
    known(&mut reader, case.id, &caller.company.analysis.weights).await
}

/// The newest verdict; before the first, the results of the documents analysed so far. So a reader sees what the
/// webhook said.
pub(super) async fn known(reader: &mut Reader, case: CaseId, weights: &SignalWeights) -> Result<CaseAnalysis> {
    if let Some(verdict) = store::analysis::verdict(reader, case).await? {
        return Ok(verdict.analysis);
    }
    let items = store::analysis::of_items(reader, case).await?;
    let documents = items.iter().filter_map(|item| shown(item, level)).collect();
    Ok(judge_case(case, ended(&items), documents, &[], weights, None).0)
}

/// The document analysis of an item as the interface shows it; none for a picture. `level` gives the progress of one
/// that has not ended.
pub(super) fn shown(item: &ItemAnalysis, level: impl Fn(ItemState) -> ProgressStatusLevel) -> Option<DocumentAnalysis> {
    let plan = item.plan.as_ref()?;
    let unanswered = || DocumentAnalysis::without_answer(item.item, &plan.document_types, level(item.state));
    Some(item.result.clone().unwrap_or_else(unanswered))
}

pub(super) const fn level(state: ItemState) -> ProgressStatusLevel {
    match state {
        ItemState::Pending => ProgressStatusLevel::AnalysisPending,
        ItemState::Running => ProgressStatusLevel::AnalysisRunning,
        ItemState::Completed => ProgressStatusLevel::AnalysisCompleted,
        ItemState::Failed => ProgressStatusLevel::AnalysisFailed,
    }
}

/// How many items have an analysis that has ended.
pub(super) fn ended(items: &[ItemAnalysis]) -> u32 {
    let ended = items.iter().filter(|item| matches!(item.state, ItemState::Completed | ItemState::Failed));
    u32::try_from(ended.count()).unwrap_or(u32::MAX)
}
