//! Many cases in one request (spec 4.5, 4.9 and 4.11).
//!
//! All elements share one transaction and one commit. An element that fails undoes only itself. If the transaction as a whole cannot be made durable, every element has failed, or, if a part of the machine
//! is unavailable, the request. Cases are changed and deleted in the order of their identifiers, so that on PostgreSQL
//! two requests cannot deadlock.

use std::{collections::BTreeSet, sync::Arc};

use schemars::JsonSchema;
use serde::Serialize;

use super::{
    FrameNames, Refusal, create,
    delete::{after_deletion, remove},
    find_own, update,
};
use crate::{
    app::{App, audit::Actor, session::Caller},
    clock::Timestamp,
    db::Tx,
    domain::{
        case::{CaseUpdate, NewCase},
        id::CaseId,
    },
    error::{Error, Result},
    store::{self, case::Case},
};

/// How the elements of a request went; both lists are in the request's order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BulkOutcome {
    pub success: Vec<BulkSuccess>,
    pub error: Vec<BulkFailure>,
}

/// An element that succeeded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BulkSuccess {
    /// The element's position in the request, from 0.
    pub index: usize,
    pub case_id: CaseId,
}

/// An element that failed; nothing of it was done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BulkFailure {
    /// The element's position in the request, from 0.
    pub index: usize,
    /// The case that the element names; absent in a bulk creation.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "CaseId")]
    pub case_id: Option<CaseId>,
    /// Why. The wording may change: rely only on the presence of the element.
    pub error: String,
}

/// Opens each of the cases (spec 4.5). Two identical elements are two cases.
pub async fn create_all(app: &Arc<App>, caller: &Caller, requests: Vec<NewCase>) -> Result<BulkOutcome> {
    let mut tally = Tally::of(vec![None; requests.len()], "Error while creating case");
    let written = create_each(app, caller, requests, &mut tally).await;
    tally.close(written)
}

/// Changes each of the cases (spec 4.9). Several elements for the same case are applied in the request's order.
pub async fn update_all(app: &Arc<App>, caller: &Caller, requests: Vec<CaseUpdate>) -> Result<BulkOutcome> {
    let named = requests.iter().map(|request| Some(request.case)).collect();
    let mut tally = Tally::of(named, "Error while updating case");
    let written = update_each(app, caller, requests, &mut tally).await;
    tally.close(written)
}

/// Deletes each of the cases (spec 4.11).
pub async fn delete_all(app: &Arc<App>, caller: &Caller, ids: &[CaseId]) -> Result<BulkOutcome> {
    let named = ids.iter().copied().map(Some).collect();
    let mut tally = Tally::of(named, "Error while deleting case");
    let written = delete_each(app, caller, ids, &mut tally).await;
    tally.close(written)
}

async fn create_each(app: &App, caller: &Caller, requests: Vec<NewCase>, tally: &mut Tally) -> Result<()> {
    let now = app.clock.now();
    let mut reader = app.db.read().await?;
    let mut frames = FrameNames::default();
    let mut plans = Vec::with_capacity(requests.len());
    for (index, request) in requests.into_iter().enumerate() {
        match create::Plan::make(&mut reader, &mut frames, caller, request, now).await {
            Ok(plan) => plans.push((index, plan)),
            Err(error) => tally.note(index, Err(error.into())),
        }
    }
    drop(reader);
    let mut passed = Vec::with_capacity(plans.len());
    for (index, plan) in plans {
        match plan.reports.pass(app, caller.company_id()).await {
            Ok(()) => passed.push((index, plan)),
            Err(error) => tally.note(index, Err(error.into())),
        }
    }
    write_all(app, &caller.actor, &passed, now, tally).await
}

async fn update_each(app: &App, caller: &Caller, requests: Vec<CaseUpdate>, tally: &mut Tally) -> Result<()> {
    let now = app.clock.now();
    let mut reader = app.db.read().await?;
    let mut plans = Vec::with_capacity(requests.len());
    for (index, request) in requests.into_iter().enumerate() {
        match update::Plan::make(&mut reader, caller, request, now).await {
            Ok(plan) if plan.is_empty => tally.note(index, Ok(plan.case)),
            Ok(plan) => plans.push((index, plan)),
            Err(refusal) => tally.note(index, Err(refusal)),
        }
    }
    drop(reader);
    let mut passed = Vec::with_capacity(plans.len());
    for (index, plan) in plans {
        match plan.reports.pass(app, caller.company_id()).await {
            Ok(()) => passed.push((index, plan)),
            Err(error) => tally.note(index, Err(error.into())),
        }
    }
    // Stable: elements for the same case keep their order.
    passed.sort_by_key(|(_, plan)| plan.case);
    write_all(app, &caller.actor, &passed, now, tally).await
}

async fn delete_each(app: &App, caller: &Caller, ids: &[CaseId], tally: &mut Tally) -> Result<()> {
    let now = app.clock.now();
    let mut reader = app.db.read().await?;
    let mut found = Vec::with_capacity(ids.len());
    for (index, id) in ids.iter().enumerate() {
        match find_own(&mut reader, caller, *id).await {
            Ok(case) => found.push((index, Deletion(case))),
            Err(refusal) => tally.note(index, Err(refusal)),
        }
    }
    drop(reader);
    found.sort_by_key(|(_, Deletion(case))| case.id);
    write_all(app, &caller.actor, &found, now, tally).await?;
    after_deletion(app, &tally.succeeded());
    Ok(())
}

/// A validated element: what will be written.
trait Element: Sync + Sized {
    /// Locks what other transactions lock before they wait for what [`Self::write`] of another element has locked.
    fn lock(_elements: &[(usize, Self)], _tx: &mut Tx) -> impl Future<Output = Result<()>> + Send {
        std::future::ready(Ok(()))
    }

    fn write(
        &self,
        app: &App,
        tx: &mut Tx,
        actor: &Actor,
        now: Timestamp,
    ) -> impl Future<Output = Result<CaseId, Refusal>> + Send;
}

impl Element for create::Plan {
    async fn write(&self, app: &App, tx: &mut Tx, actor: &Actor, now: Timestamp) -> Result<CaseId, Refusal> {
        Ok(self.carry_out(app, tx, actor, now).await?.id)
    }
}

impl Element for update::Plan {
    async fn write(&self, _: &App, tx: &mut Tx, actor: &Actor, now: Timestamp) -> Result<CaseId, Refusal> {
        self.carry_out(tx, actor, now).await?;
        Ok(self.case)
    }
}

struct Deletion(Case);

impl Element for Deletion {
    /// A delivery locks its case and then its receiver, which the deletion of another case may have locked. Changed
    /// settings of a webhook lock the receiver and then all of its jobs, some of which the deletion may have locked.
    async fn lock(elements: &[(usize, Self)], tx: &mut Tx) -> Result<()> {
        let mut companies = BTreeSet::new();
        for (_, Self(case)) in elements {
            store::case::lock(tx, case.company, case.id).await?;
            companies.insert(case.company);
        }
        for company in companies {
            store::webhook::lock_receivers(tx, company).await?;
        }
        Ok(())
    }

    async fn write(&self, _: &App, tx: &mut Tx, actor: &Actor, now: Timestamp) -> Result<CaseId, Refusal> {
        remove(tx, self.0.company, self.0.id, actor, now).await?;
        Ok(self.0.id)
    }
}

/// Writes the elements, in their order, in one transaction.
///
/// Most requests succeed as a whole, so all elements share a savepoint at first. If an element fails, all are written
/// again, each in its own savepoint.
async fn write_all<E: Element>(
    app: &App,
    actor: &Actor,
    elements: &[(usize, E)],
    now: Timestamp,
    tally: &mut Tally,
) -> Result<()> {
    let mut tx = app.db.begin().await?;
    E::lock(elements, &mut tx).await?;
    if let Some(cases) = write_together(app, &mut tx, actor, elements, now).await? {
        for ((index, _), case) in elements.iter().zip(cases) {
            tally.note(*index, Ok(case));
        }
    } else {
        for (index, element) in elements {
            tx.begin_part().await?;
            let written = element.write(app, &mut tx, actor, now).await;
            tx.end_part(written.is_ok()).await?;
            tally.note(*index, written);
        }
    }
    tx.commit().await?;
    Ok(())
}

/// Writes all of the elements, or none and returns `None`.
async fn write_together<E: Element>(
    app: &App,
    tx: &mut Tx,
    actor: &Actor,
    elements: &[(usize, E)],
    now: Timestamp,
) -> Result<Option<Vec<CaseId>>> {
    tx.begin_part().await?;
    let mut cases = Vec::with_capacity(elements.len());
    for (_, element) in elements {
        // A failure is reported when the element is written again.
        let Ok(case) = element.write(app, tx, actor, now).await else { break };
        cases.push(case);
    }
    let is_complete = cases.len() == elements.len();
    tx.end_part(is_complete).await?;
    Ok(is_complete.then_some(cases))
}

/// The results of the elements. An element without a noted result has failed.
struct Tally {
    /// The case that each element names.
    named: Vec<Option<CaseId>>,
    results: Vec<Result<CaseId, String>>,
    /// The reason given for an element whose failure the caller must not see (spec 4.5, 4.9 and 4.11).
    default_reason: &'static str,
}

impl Tally {
    fn of(named: Vec<Option<CaseId>>, default_reason: &'static str) -> Self {
        let results = vec![Err(default_reason.to_owned()); named.len()];
        Self { named, results, default_reason }
    }

    fn note(&mut self, index: usize, result: Result<CaseId, Refusal>) {
        self.results[index] = result.map_err(|refusal| self.reason(refusal));
    }

    /// The cases of the elements that succeeded so far.
    fn succeeded(&self) -> Vec<CaseId> {
        self.results.iter().filter_map(|result| result.as_ref().ok().copied()).collect()
    }

    /// The reasons of spec 4.9.
    fn reason(&self, refusal: Refusal) -> String {
        match refusal {
            Refusal::Foreign => "case.notBelongCompany".to_owned(),
            Refusal::Other(Error::Internal(cause) | Error::Unavailable { cause, .. }) => {
                tracing::error!(error = %format!("{cause:#}"), "an element of a bulk request failed");
                self.default_reason.to_owned()
            }
            // Another company's resources look the same, so that a list of guesses reveals nothing (decisions 5).
            Refusal::Unknown(_) | Refusal::Other(Error::Forbidden(_) | Error::TooMany { .. }) => {
                self.default_reason.to_owned()
            }
            Refusal::Other(error) => error.to_string(),
        }
    }

    /// The outcome, once it is known whether everything noted was `written`.
    ///
    /// # Errors
    /// If a part of the machine is unavailable: the outcome may be unknown, and the whole request can be sent again.
    fn close(mut self, written: Result<()>) -> Result<BulkOutcome> {
        if let Err(error) = written {
            if error.is_temporary() {
                return Err(error);
            }
            tracing::error!(%error, "a bulk request failed as a whole");
            for result in self.results.iter_mut().filter(|result| result.is_ok()) {
                *result = Err(self.default_reason.to_owned());
            }
        }
        let mut outcome = BulkOutcome::default();
        for (index, (result, case_id)) in self.results.into_iter().zip(self.named).enumerate() {
            match result {
                Ok(case_id) => outcome.success.push(BulkSuccess { index, case_id }),
                Err(error) => outcome.error.push(BulkFailure { index, case_id, error }),
            }
        }
        Ok(outcome)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(number: i64) -> CaseId {
        CaseId::new(number).unwrap()
    }

    fn noted() -> Tally {
        let mut tally =
            Tally::of(vec![Some(id(9)), Some(id(8)), Some(id(7)), Some(id(6))], "Error while updating case");
        tally.note(2, Ok(id(7)));
        tally.note(1, Err(Refusal::Foreign));
        tally.note(0, Err(Refusal::Unknown(id(9))));
        tally.note(3, Err(Error::state("case already closed").into()));
        tally
    }

    #[test]
    fn spec_4_9_each_element_is_in_one_of_the_lists_with_its_reason() {
        let outcome = noted().close(Ok(())).unwrap();
        assert_eq!(outcome.success, [BulkSuccess { index: 2, case_id: id(7) }]);
        let errors: Vec<_> = outcome.error.iter().map(|failure| (failure.index, failure.error.as_str())).collect();
        assert_eq!(
            errors,
            [(0, "Error while updating case"), (1, "case.notBelongCompany"), (3, "case already closed")]
        );
    }

    #[test]
    fn nothing_counts_as_done_that_was_not_made_durable() {
        let outcome = noted().close(Err(Error::internal(anyhow::anyhow!("a bug")))).unwrap();
        assert_eq!(outcome.success, []);
        assert_eq!(outcome.error[2].error, "Error while updating case");
        assert_eq!(outcome.error.len(), 4);
        assert!(noted().close(Err(sqlx::Error::PoolTimedOut.into())).unwrap_err().is_temporary());
    }

    #[test]
    fn an_internal_failure_is_not_revealed() {
        let mut tally = Tally::of(vec![None], "Error while creating case");
        tally.note(0, Err(Error::internal(anyhow::anyhow!("table cases is locked")).into()));
        assert_eq!(tally.close(Ok(())).unwrap().error[0].error, "Error while creating case");
    }
}
