//! Deciding on a case. A decision changes neither the seal nor the verdict.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;

use super::ConsoleUser;
use crate::{
    app::{
        App,
        audit::{self, Event},
        session::Caller,
    },
    clock::Timestamp,
    domain::{
        company_manifest::WebhookKind,
        console::{Decision, FormProblem, Outcome},
        event::EventKind,
        id::CaseId,
        operation::Operation,
        resource::Kind,
    },
    error::{Error, Result},
    store::{
        self,
        decision::{NewDecision, StoredDecision},
        job::{JobKind, Work},
    },
};

/// The decision on a case as the interface shows it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Decision")]
pub struct DecisionView {
    pub case_id: CaseId,
    pub outcome: Outcome,
    /// Empty if the reviewer gave none.
    pub reason: String,
    /// The username of the reviewer in the console.
    pub decided_by: String,
    pub decided_at: Timestamp,
}

impl From<StoredDecision> for DecisionView {
    fn from(stored: StoredDecision) -> Self {
        let StoredDecision { id: _, case, outcome, reason, decided_by, decided_at } = stored;
        Self { case_id: case, outcome, reason, decided_by, decided_at }
    }
}

/// Records a decision on a case, which the user may see.
///
/// # Errors
/// [`FormProblem::CaseIsOpen`]: what is decided on must not change afterwards.
pub async fn decide(app: &App, user: &ConsoleUser, case: CaseId, decision: Decision) -> Result<()> {
    let mut tx = app.db.begin().await?;
    let decided = async {
        // Read in the transaction, so that a case deleted meanwhile gets no decision.
        let unknown = || Error::not_found(format!("case {case} does not exist"));
        let found = store::case::find(&mut tx, case).await?.ok_or_else(unknown)?;
        if !store::case::lock(&mut tx, found.company, case).await? {
            return Err(unknown());
        }
        if !found.is_closed() && decision.outcome != Outcome::Returned {
            return Err(FormProblem::CaseIsOpen.into());
        }
        let Decision { outcome, reason } = decision;
        let (decided_by, decided_at) = (user.username.clone(), app.clock.now());
        let new = NewDecision { case, outcome, reason, decided_by, decided_at };
        store::decision::insert(&mut tx, &new).await?;
        store::event::insert(&mut tx, found.company, case, EventKind::Decided, decided_at).await?;
        if store::webhook::settings(&mut tx, found.company, WebhookKind::Decision).await?.is_some() {
            store::job::reschedule_earlier(&mut tx, Work::DeliverDecision(case), decided_at).await?;
        }
        let event = Event::done("decideCase", Some(found.company), Some(format!("case {case}")));
        audit::record(&mut tx, decided_at, &user.actor(), event.with_detail(outcome.to_string())).await?;
        Ok(())
    };
    let decided = decided.await;
    tx.settle(decided).await?;
    app.wake.job(JobKind::DeliverDecision).notify_one();
    Ok(())
}

/// The decision that counts.
///
/// # Errors
/// [`Error::NotFound`] also if no one has decided yet.
pub async fn read(app: &Arc<App>, caller: &Caller, case: CaseId) -> Result<DecisionView> {
    const OPERATION: Operation = Operation::ReadDecision;
    let mut reader = app.db.read().await?;
    let found = store::case::find(&mut reader, case).await?;
    let found = found.ok_or_else(|| OPERATION.missing(Kind::Case, format!("case {case} does not exist")))?;
    if found.company != caller.company_id() {
        return Err(OPERATION.foreign(Kind::Case, "the case belongs to another company").into());
    }
    let newest = store::decision::newest(&mut reader, case).await?;
    newest.map(Into::into).ok_or_else(|| Error::not_found(format!("no one has decided on case {case} yet")))
}
