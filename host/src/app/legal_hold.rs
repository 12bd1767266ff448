//! Legal holds: a case that must not be deleted, neither by retention nor by a person (decisions 21).
//!
//! Holding, ending a hold and deleting all lock the case's row first, so that the database decides which came first.

use schemars::JsonSchema;
use serde::Serialize;

use super::{
    App,
    audit::{self, Actor, Event},
    session::Caller,
};
use crate::{
    clock::Timestamp,
    db::{Reader, Tx},
    domain::{
        console::FormProblem,
        id::{CaseId, CompanyId},
        legal_hold::HoldRequest,
        operation::Operation,
        resource::Kind,
    },
    error::{Error, Result},
    store::{self, case::Case, legal_hold::LegalHold},
};

/// A case under legal hold, as the interface shows it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HeldCase {
    pub case_id: CaseId,
    pub reason: String,
    /// The user of the interface or of the console, or who ran the command.
    pub held_by: String,
    pub held_at: Timestamp,
}

/// A case that is no longer under legal hold.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct EndedHold {
    pub case_id: CaseId,
}

/// A legal hold, as commands list it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ListedHold {
    pub case_id: CaseId,
    pub company_id: CompanyId,
    pub reason: String,
    pub held_by: String,
    pub held_at: Timestamp,
}

/// Every hold of the installation, the oldest first.
pub async fn list(app: &App) -> Result<Vec<ListedHold>> {
    let mut reader = app.db.read().await?;
    let holds = store::legal_hold::all(&mut reader).await?.into_iter();
    let listed = holds.map(|(hold, company_id)| {
        let LegalHold { case: case_id, reason, held_by, held_at } = hold;
        ListedHold { case_id, company_id, reason, held_by, held_at }
    });
    Ok(listed.collect())
}

/// Puts a case of the caller's company under legal hold.
pub async fn hold_own(app: &App, caller: &Caller, id: CaseId, request: HoldRequest) -> Result<HeldCase> {
    let case = find_own(app, caller, Operation::HoldCase, id).await?;
    let held = hold(app, &caller.actor, caller.user.as_str(), &case, request).await?;
    let LegalHold { case: case_id, reason, held_by, held_at } = held;
    Ok(HeldCase { case_id, reason, held_by, held_at })
}

/// Ends the legal hold of a case of the caller's company.
pub async fn end_own(app: &App, caller: &Caller, id: CaseId) -> Result<EndedHold> {
    let case = find_own(app, caller, Operation::EndHold, id).await?;
    end(app, &caller.actor, &case).await?;
    Ok(EndedHold { case_id: id })
}

async fn find_own(app: &App, caller: &Caller, operation: Operation, id: CaseId) -> Result<Case> {
    let mut reader = app.db.read().await?;
    let found = store::case::find(&mut reader, id).await?;
    let found = found.ok_or_else(|| operation.missing(Kind::Case, format!("case {id} does not exist")))?;
    if found.company != caller.company_id() {
        return Err(operation.foreign(Kind::Case, "the case belongs to another company").into());
    }
    Ok(found)
}

/// Finds a case of any company, for commands.
pub async fn find_case(app: &App, id: CaseId) -> Result<Case> {
    let mut reader = app.db.read().await?;
    let found = store::case::find(&mut reader, id).await?;
    found.ok_or_else(|| unknown(id))
}

/// Puts a case under legal hold. `by` names who does it, for people. The actor may do so.
///
/// # Errors
/// [`FormProblem::HeldAlready`].
pub async fn hold(app: &App, actor: &Actor, by: &str, case: &Case, request: HoldRequest) -> Result<LegalHold> {
    let hold = LegalHold { case: case.id, reason: request.reason, held_by: by.to_owned(), held_at: app.clock.now() };
    let mut tx = app.db.begin().await?;
    let held = set(&mut tx, actor, case.company, &hold).await;
    tx.settle(held).await?;
    tracing::info!(case = %case.id, "a case is under legal hold");
    Ok(hold)
}

async fn set(tx: &mut Tx, actor: &Actor, company: CompanyId, hold: &LegalHold) -> Result<()> {
    if !store::case::lock(tx, company, hold.case).await? {
        return Err(unknown(hold.case));
    }
    if !store::legal_hold::insert(tx, hold).await? {
        return Err(FormProblem::HeldAlready(hold.case).into());
    }
    record(tx, hold.held_at, actor, Operation::HoldCase, company, hold.case).await
}

/// Ends the legal hold of a case. The actor may do so.
///
/// # Errors
/// [`FormProblem::NotHeld`].
pub async fn end(app: &App, actor: &Actor, case: &Case) -> Result<()> {
    let mut tx = app.db.begin().await?;
    let ended = clear(&mut tx, actor, case.company, case.id, app.clock.now()).await;
    tx.settle(ended).await?;
    tracing::info!(case = %case.id, "the legal hold of a case has ended");
    Ok(())
}

async fn clear(tx: &mut Tx, actor: &Actor, company: CompanyId, case: CaseId, now: Timestamp) -> Result<()> {
    if !store::case::lock(tx, company, case).await? {
        return Err(unknown(case));
    }
    if !store::legal_hold::delete(tx, case).await? {
        return Err(FormProblem::NotHeld(case).into());
    }
    record(tx, now, actor, Operation::EndHold, company, case).await
}

/// Refuses to delete a case that is held, or a part of it. The caller has locked its row.
pub async fn ensure_free(reader: &mut Reader, case: CaseId) -> Result<()> {
    match store::legal_hold::find(reader, case).await? {
        Some(_) => Err(FormProblem::CaseIsHeld(case).into()),
        None => Ok(()),
    }
}

/// The reason is not for the audit log: a person has entered it.
async fn record(
    tx: &mut Tx,
    now: Timestamp,
    actor: &Actor,
    operation: Operation,
    company: CompanyId,
    case: CaseId,
) -> Result<()> {
    let event = Event::of(operation, company, Some(format!("case {case}")));
    Ok(audit::record(tx, now, actor, event).await?)
}

fn unknown(case: CaseId) -> Error {
    Error::not_found(format!("case {case} does not exist"))
}
