//! The row of an item, written if the case still accepts it.

use crate::{
    app::{
        App,
        audit::{self, Actor, Event},
        case::already_closed,
    },
    clock::Timestamp,
    db::{Reader, Tx},
    domain::{
        case::limits::Load,
        id::{CaseId, ItemId, StepId},
        operation::Operation,
        resource::Kind,
    },
    error::{Error, Result},
    store::{self, case::Case, item::NewItem as ItemRow},
};

/// Used for every operation that adds an item: all of them give the same answers for missing and foreign resources.
pub(super) const OPERATION: Operation = Operation::CreateEntryItem;

pub(super) async fn insert(
    app: &App,
    case: &Case,
    row: &ItemRow,
    more: Load,
    (by, now): ((&Actor, Operation), Timestamp),
) -> Result<ItemId> {
    if case.is_closed() {
        return Err(already_closed());
    }
    let mut tx = app.db.begin().await?;
    let inserted = insert_in(&mut tx, case, row, more, by, now).await;
    tx.settle(inserted).await
}

/// The case's row is locked first: an item that races with a closing is inserted before it or rejected, and if several
/// race for the last place, only one is inserted.
pub(super) async fn insert_in(
    tx: &mut Tx,
    case: &Case,
    row: &ItemRow,
    more: Load,
    (actor, operation): (&Actor, Operation),
    now: Timestamp,
) -> Result<ItemId> {
    if !store::case::count_item(tx, case.company, case.id, case.frame, more).await? {
        return Err(why_not_counted(tx, case, row.step, more).await?);
    }
    let id = store::item::insert(tx, case.id, row, now).await?;
    let event = Event::of(operation, case.company, Some(format!("item {id}")));
    audit::record(tx, now, actor, event.with_detail(format!("case {}, step {}", case.id, row.step))).await?;
    Ok(id)
}

/// What has happened to a case since it was read, or which limit it has reached.
async fn why_not_counted(reader: &mut Reader, case: &Case, step: StepId, more: Load) -> Result<Error> {
    Ok(match store::case::find(reader, case.id).await? {
        None => unknown_case(case.id),
        Some(case) if case.is_closed() => already_closed(),
        Some(now) if now.frame == case.frame => match store::case::load(reader, case.id).await?.refusal(more) {
            Some(refusal) => Error::state(refusal),
            None => Error::internal(anyhow::anyhow!("case {} does not accept an item, for an unknown reason", case.id)),
        },
        // An update has moved it to another frame.
        Some(_) => unknown_step(step),
    })
}

pub(in crate::app) fn unknown_case(id: CaseId) -> Error {
    OPERATION.missing(Kind::Case, format!("case {id} does not exist")).into()
}

pub(super) fn unknown_step(step: StepId) -> Error {
    OPERATION.missing(Kind::Step, format!("no step of the case's frame matches stepId {step}")).into()
}
