//! Asking the person who captures for another capture in place of an item (decisions 16).

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;

use super::{
    App,
    audit::{self, Actor, Event},
    case::already_closed,
    session::Caller,
};
use crate::{
    clock::Timestamp,
    db::Tx,
    domain::{
        capture::RetakeRequest,
        id::{CaseId, CompanyId, ItemId, StepId},
        operation::Operation,
        resource::Kind,
    },
    error::{Error, Result},
    store::{self, retake::Retake},
};

/// A request for another capture, as it was noted.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RequestedRetake {
    pub item_id: ItemId,
    pub case_id: CaseId,
    /// The step at which the person is asked again.
    pub step_id: StepId,
    pub reason: String,
    pub requested_at: Timestamp,
}

/// Notes the request. The item stays; a newer item on its step takes its place in views, and the certificate has both.
pub async fn request(app: &Arc<App>, caller: &Caller, item: ItemId, request: RetakeRequest) -> Result<RequestedRetake> {
    const OPERATION: Operation = Operation::RequestRetake;
    let unknown = || Error::from(OPERATION.missing(Kind::Item, format!("item {item} does not exist")));
    let mut reader = app.db.read().await?;
    let found = store::item::find(&mut reader, item).await?.ok_or_else(unknown)?;
    let case = store::case::find(&mut reader, found.case).await?.ok_or_else(unknown)?;
    drop(reader);
    if case.company != caller.company_id() {
        return Err(OPERATION.foreign(Kind::Item, "the item belongs to another company").into());
    }
    let retake =
        Retake { item, reason: request.reason, requested_by: caller.user.clone(), requested_at: app.clock.now() };
    let mut tx = app.db.begin().await?;
    let noted = note(&mut tx, case.company, case.id, &retake, &caller.actor).await;
    tx.settle(noted).await?;
    Ok(RequestedRetake {
        item_id: item,
        case_id: case.id,
        step_id: found.content.step,
        reason: retake.reason,
        requested_at: retake.requested_at,
    })
}

/// The case's row is locked first, so that a closing comes before the request or after it.
async fn note(tx: &mut Tx, company: CompanyId, id: CaseId, retake: &Retake, actor: &Actor) -> Result<()> {
    let is_there = store::case::lock(tx, company, id).await?;
    let case = if is_there { store::case::find(tx, id).await? } else { None };
    match case {
        Some(case) if case.is_closed() => Err(already_closed()),
        Some(_) => {
            store::retake::put(tx, retake).await?;
            let event = Event::of(Operation::RequestRetake, company, Some(format!("item {}", retake.item)));
            let event = event.with_detail(format!("case {id}"));
            Ok(audit::record(tx, retake.requested_at, actor, event).await?)
        }
        None => {
            Err(Operation::RequestRetake.missing(Kind::Item, format!("item {} does not exist", retake.item)).into())
        }
    }
}
