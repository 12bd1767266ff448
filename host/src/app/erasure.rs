//! Erases items from a sealed case (decisions 19). Nothing of an item is left but its commitment.
//!
//! One transaction removes the rows and takes the certificate out of service; from then on nothing of the items can be
//! read. Jobs then delete the blobs and seal a successor at the same address, with the same root. If the server ends in
//! between, the jobs run after its next start.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use anyhow::Context;
use schemars::JsonSchema;
use sealwright_seal::{
    Sha256Digest,
    disclosure::{DisclosedItem, signed::Statement},
};
use serde::Serialize;

use super::{
    App,
    audit::{self, Actor, Event},
    disclosure::statement_of,
    legal_hold, seal,
    session::Caller,
};
use crate::{
    clock::Timestamp,
    db::Tx,
    domain::{
        erasure::{ErasureRequest, Ground},
        event::EventKind,
        id::{CaseId, ItemId},
        operation::Operation,
        resource::Kind,
    },
    error::{Error, Result},
    store::{
        self,
        case::Case,
        certificate::Certificate,
        erasure::ErasedItem,
        item::Item,
        job::{JobKind, Work},
    },
};

const OPERATION: Operation = Operation::EraseItems;

/// The erased items.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Erased {
    pub case_id: CaseId,
    pub items: Vec<ItemId>,
    pub erased_at: Timestamp,
}

/// Erases items of a case of the caller's company.
pub async fn erase(app: &Arc<App>, caller: &Caller, case: CaseId, request: &ErasureRequest) -> Result<Erased> {
    let found = find(app, case).await?;
    if found.company != caller.company_id() {
        return Err(OPERATION.foreign(Kind::Case, "the case belongs to another company").into());
    }
    make(app, &caller.actor, None, &found, request).await
}

/// Like [`erase`], for the operator, who may erase items of any company.
pub async fn erase_by_command(app: &Arc<App>, case: CaseId, request: &ErasureRequest) -> Result<Erased> {
    let found = find(app, case).await?;
    make(app, &Actor::command(), Some("the operator of the server"), &found, request).await
}

async fn find(app: &App, case: CaseId) -> Result<Case> {
    let mut reader = app.db.read().await?;
    let found = store::case::find(&mut reader, case).await?;
    found.ok_or_else(|| OPERATION.missing(Kind::Case, format!("case {case} does not exist")).into())
}

/// `by` is who erases them, for the certificate: by default the company.
async fn make(
    app: &Arc<App>,
    actor: &Actor,
    by: Option<&str>,
    case: &Case,
    request: &ErasureRequest,
) -> Result<Erased> {
    let id = case.id;
    let mut reader = app.db.read().await?;
    let certificate = store::certificate::find(&mut reader, id).await?;
    let all = store::item::of_case(&mut reader, id).await?;
    drop(reader);
    if let Some(unknown) = request.items.iter().find(|chosen| all.iter().all(|item| item.id != **chosen)) {
        return Err(OPERATION.missing(Kind::Item, format!("item {unknown} is not one of case {id}")).into());
    }
    let certificate =
        certificate.ok_or_else(|| Error::state("the case is open: only items of a sealed case can be erased"))?;
    let items: Vec<Item> = all.into_iter().filter(|item| request.items.contains(&item.id)).collect();
    let now = app.clock.now();
    let sealed = sealed(app, id, &certificate, &items).await?;
    let by = by.unwrap_or(&certificate.frozen.company_name);
    let remnants = remnants(&items, &sealed, request.ground, by, now)?;
    seal::rehearse(app, id, &remnants).await?;
    let mut tx = app.db.begin().await?;
    let erased = remove(&mut tx, actor, case, &items, remnants, now).await;
    let erased_at = tx.settle(erased).await?;
    tracing::info!(case = %id, items = items.len(), "items were erased from a sealed case");
    for kind in [JobKind::DeleteBlobs, JobKind::Seal] {
        app.wake.job(kind).notify_one();
    }
    Ok(Erased { case_id: id, items: items.into_iter().map(|item| item.id).collect(), erased_at })
}

/// What the certificate says of the items that are erased.
struct Sealed {
    statement: Statement,
    commitments: BTreeMap<ItemId, Sha256Digest>,
}

/// Reads the certificate, and makes sure that a successor will have its root.
async fn sealed(app: &Arc<App>, id: CaseId, certificate: &Certificate, items: &[Item]) -> Result<Sealed> {
    let references = items.iter().map(|item| item.reference().to_string()).collect();
    let statement = statement_of(app, &certificate.share_token, references).await?;
    match seal::commitments(app, id).await? {
        Some((root, commitments)) if root == statement.disclosure.commitments.root => {
            Ok(Sealed { statement, commitments })
        }
        _ => Err(Error::state("the certificate was made by an earlier version: its items cannot be erased one by one")),
    }
}

/// What remains of the items that are erased.
fn remnants(items: &[Item], sealed: &Sealed, ground: Ground, by: &str, now: Timestamp) -> Result<Vec<ErasedItem>> {
    let Statement { certificate, disclosure, .. } = &sealed.statement;
    let remnant = |(item, disclosed): (&Item, &DisclosedItem)| -> Result<ErasedItem> {
        let commitment =
            sealed.commitments.get(&item.id).copied().context("an item of the case is not committed to")?;
        Ok(ErasedItem {
            item: item.id,
            step: item.content.step,
            place: i64::try_from(disclosed.index).map_err(Error::internal)?,
            commitment,
            root: disclosure.commitments.root,
            predecessor: certificate.seal_manifest_sha256,
            ground,
            erased_by: by.to_owned(),
            erased_at: now,
        })
    };
    items.iter().zip(&disclosure.items).map(remnant).collect()
}

/// Removes all that is left of the items, in one transaction, and returns when they were erased. The case's row is locked
/// first, as for its deletion.
async fn remove(
    tx: &mut Tx,
    actor: &Actor,
    case: &Case,
    items: &[Item],
    remnants: Vec<ErasedItem>,
    now: Timestamp,
) -> Result<Timestamp> {
    let id = case.id;
    let gone = || Error::from(OPERATION.missing(Kind::Case, format!("case {id} does not exist")));
    if !store::case::lock(tx, case.company, id).await? {
        return Err(gone());
    }
    legal_hold::ensure_free(tx, id).await?;
    let (predecessor, ground) = remnants.first().map(|first| (first.predecessor, first.ground)).ok_or_else(gone)?;
    // Another erasure or a deletion was faster if the certificate is another one.
    let Some(mut replaced) = store::certificate::take_pdf(tx, id, predecessor).await? else {
        return Err(Error::NotReady {
            message: "the certificate is being made; try again".to_owned(),
            retry_after_seconds: 5,
        });
    };
    // Erasures have an order, even if a clock was set back: the last one names the certificate that is replaced now.
    let last = store::erasure::of_case(tx, id).await?.last().map(|last| last.erased_at);
    let erased_at = last.map_or(now, |last| now.max(last.after(Duration::from_millis(1))));
    for (item, remnant) in items.iter().zip(remnants) {
        let mut blobs = store::erasure::delete_item(tx, id, item.id).await?.ok_or_else(gone)?;
        // The old certificate shows the item: it goes with the first one.
        blobs.append(&mut replaced);
        store::erasure::insert(tx, id, &ErasedItem { erased_at, ..remnant }, &blobs).await?;
        store::erasure::delete_derived(tx, id, item.id).await?;
        if item.content.capture.is_some() {
            store::erasure::delete_capture_records(tx, id).await?;
        }
    }
    store::webhook::forget_answers(tx, id).await?;
    // The verdict speaks of all items. The search index gets the words that are left.
    store::analysis::forget_case(tx, id).await?;
    store::job::enqueue(tx, Work::DeleteBlobs(id), now).await?;
    store::job::enqueue(tx, Work::Seal(id), now).await?;
    store::event::insert(tx, case.company, id, EventKind::Erased, now).await?;
    let numbers: Vec<String> = items.iter().map(|item| item.reference().to_string()).collect();
    let event = Event::of(OPERATION, case.company, Some(format!("case {id}")));
    let event = event.with_detail(format!("{ground}: {}", numbers.join(", ")));
    audit::record(tx, now, actor, event).await?;
    Ok(erased_at)
}
