//! Deleting cases (spec 4.10, decisions 5).
//!
//! Rows go at once: from then on every address of the case answers 404. The blobs go right after, by a job that is
//! enqueued in the same transaction. Hashes stay, so that what was published stays provable.

use std::sync::Arc;

use super::{Refusal, find_own};
use crate::{
    app::{
        App,
        audit::{self, Actor, Event},
        backup, legal_hold,
        session::Caller,
    },
    blobs::BlobKey,
    clock::Timestamp,
    db::{Reader, Tx},
    domain::{
        event::EventKind,
        id::{CaseId, CompanyId, UploadId},
        operation::Operation,
    },
    error::Result,
    store::{
        self,
        deleted_case::{DeletedCase, DeletedItem},
        item::DeletedFile,
        job::{Job, JobKind, Work},
    },
};

/// Deletes a case of the caller's company, open or closed, with all that belongs to it.
pub async fn delete(app: &Arc<App>, caller: &Caller, id: CaseId) -> Result<()> {
    delete_own(app, caller, id).await.map_err(|refusal| refusal.into_error(Operation::DeleteCase))
}

async fn delete_own(app: &App, caller: &Caller, id: CaseId) -> Result<(), Refusal> {
    let mut reader = app.db.read().await?;
    let case = find_own(&mut reader, caller, id).await?;
    drop(reader);
    let mut tx = app.db.begin().await?;
    let removed = remove(&mut tx, case.company, id, &caller.actor, app.clock.now()).await;
    tx.settle(removed).await?;
    after_deletion(app, &[id]);
    Ok(())
}

/// Removes the rows of a case, records its hashes and enqueues the deletion of its blobs.
///
/// The case's row is locked first, as the ends of a seal and of a delivery do, so that on PostgreSQL they wait for each
/// other instead of deadlocking. A seal, a renewal, a delivery or an upload in progress finds no
/// row at its end: seal and renewal then delete the PDF they have just stored, the upload its file.
pub(super) async fn remove(
    tx: &mut Tx,
    company: CompanyId,
    id: CaseId,
    actor: &Actor,
    now: Timestamp,
) -> Result<(), Refusal> {
    if !store::case::lock(tx, company, id).await? {
        return Err(Refusal::Unknown(id));
    }
    legal_hold::ensure_free(tx, id).await?;
    // Before the jobs, as the end of a delivery does.
    let receivers = store::webhook::lock_failing_receivers(tx, company).await?;
    store::job::delete_of_case(tx, id).await?;
    store::webhook::forget_case(tx, id).await?;
    // Its deliveries may have been those that were to try a paused receiver.
    for kind in receivers {
        store::webhook::pass_turn(tx, company, kind, now).await?;
    }
    store::idempotent_request::forget_answers(tx, id).await?;
    let facts = store::analysis::facts_of_case(tx, id).await?;
    let files = store::item::delete_of_case(tx, id).await?;
    let certificate = store::certificate::delete(tx, id).await?;
    let pieces = store::upload::delete_of_case(tx, id).await?;
    let erased = store::erasure::blobs(tx, id).await?;
    let files_of_items = files.iter().filter_map(|file| file.blob_key.clone());
    let blobs: Vec<BlobKey> =
        files_of_items.chain(certificate.blob_keys).chain(facts).chain(pieces).chain(erased).collect();
    let has_blobs = !blobs.is_empty();
    let hashed = |file: DeletedFile| file.file_sha256.map(|sha256| DeletedItem { item: file.id, sha256 });
    let items = files.into_iter().filter_map(hashed).collect();
    let certificate_sha256 = certificate.sha256;
    let report_sha256 = store::report::published_with(tx, id).await?.as_ref().map(store::report::hash);
    let deleted = DeletedCase { case: id, deleted_at: now, certificate_sha256, items, blobs, report_sha256 };
    store::deleted_case::insert(tx, company, &deleted).await?;
    if has_blobs {
        store::job::enqueue(tx, Work::DeleteBlobs(id), now).await?;
    }
    store::job::enqueue(tx, Work::LogDeletion(id), now).await?;
    store::case::delete(tx, company, id).await?;
    store::event::insert(tx, company, id, EventKind::Deleted, now).await?;
    let event = Event::of(Operation::DeleteCase, company, Some(format!("case {id}")));
    Ok(audit::record(tx, now, actor, event).await?)
}

/// Deletes a case whose time is over; false if it is not, because something has changed since it was listed.
pub async fn delete_expired(
    tx: &mut Tx,
    company: CompanyId,
    id: CaseId,
    before: Timestamp,
    actor: &Actor,
    now: Timestamp,
) -> Result<bool> {
    let is_there = store::case::lock(tx, company, id).await?;
    if !is_there || !store::retention::is_case_due(tx, company, id, before).await? {
        return Ok(false);
    }
    let removed = remove(tx, company, id, actor, now).await;
    removed.map_err(|refusal| refusal.into_error(Operation::DeleteCase))?;
    Ok(true)
}

/// Logs the deletion of cases, and wakes the jobs that delete their blobs, and the requests that wait for a certificate.
pub fn after_deletion(app: &App, deleted: &[CaseId]) {
    for case in deleted {
        tracing::info!(%case, "a case was deleted");
    }
    for kind in [JobKind::DeleteBlobs, JobKind::LogDeletion] {
        app.wake.job(kind).notify_one();
    }
    app.wake.certificate.notify_waiters();
}

/// Deletes the blobs of a deleted case, of erased items, or of a case's uploads by pieces that have ended, as one run of a
/// [`JobKind::DeleteBlobs`] job. A second run finds nothing to delete, which is not an error.
pub async fn delete_blobs(app: &Arc<App>, job: &Job, id: CaseId) -> Result<()> {
    let mut reader = app.db.read().await?;
    let keys = keys(&mut reader, id).await?;
    let pieces = store::upload::ended_pieces(&mut reader, id).await?;
    drop(reader);
    backup::turn::check_deletion(&app.db, app.clock.now()).await?;
    for key in &keys {
        app.blobs.delete(key).await?;
        // For display. Nothing is made from a certificate.
        for derived in key.derived() {
            app.blobs.delete(&derived).await?;
        }
    }
    for (_, key) in &pieces {
        app.blobs.delete(key).await?;
    }
    let mut tx = app.db.begin().await?;
    let forgotten = forget_blobs(&mut tx, job, id, (&keys, &pieces), app.clock.now()).await;
    if tx.settle(forgotten).await? {
        app.wake.job(JobKind::DeleteBlobs).notify_one();
    }
    if !keys.is_empty() {
        tracing::info!(case = %id, blobs = keys.len(), "the blobs of a deleted case or of erased items are gone");
    }
    Ok(())
}

/// The keys of the blobs of a deleted case, or of items that were erased from a case.
async fn keys(reader: &mut Reader, id: CaseId) -> sqlx::Result<Vec<BlobKey>> {
    let mut keys = store::deleted_case::blobs(reader, id).await?;
    keys.extend(store::erasure::blobs(reader, id).await?);
    Ok(keys)
}

/// Records that these blobs are gone. True if the job is enqueued again because the case was deleted or another upload
/// has ended since it began: a running job does not notice that.
async fn forget_blobs(
    tx: &mut Tx,
    job: &Job,
    id: CaseId,
    (keys, pieces): (&[BlobKey], &[(UploadId, BlobKey)]),
    now: Timestamp,
) -> Result<bool> {
    // In the order in which a deletion of the case locks its rows.
    store::upload::lock_case(tx, id).await?;
    let is_deleted_since = self::keys(tx, id).await? != keys;
    if !is_deleted_since {
        store::deleted_case::forget_blobs(tx, id).await?;
        store::erasure::forget_blobs(tx, id).await?;
    }
    store::job::complete(tx, job).await?;
    let mut uploads: Vec<UploadId> = pieces.iter().map(|(upload, _)| *upload).collect();
    uploads.dedup();
    for upload in uploads {
        store::upload::forget_pieces(tx, upload).await?;
    }
    let is_left = store::upload::forget_ended(tx, id).await? || is_deleted_since;
    if is_left {
        store::job::enqueue(tx, Work::DeleteBlobs(id), now).await?;
    }
    Ok(is_left)
}
