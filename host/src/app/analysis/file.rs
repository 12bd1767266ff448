//! Deleting an item's file, or what was read in it, while the item stays: after the analysis if its step requires it
//! (spec 2.1, decisions 13), or because the company keeps it no longer (decisions 21).
//!
//! The hash of a file was computed when it arrived, and a certificate is made before its files expire. The file of a step
//! that requires the deletion is neither time-stamped nor covered by the seal's signature of its bytes, and no
//! certificate shows a document's picture. So nothing needs the bytes: from the transaction that records it on the
//! file's address answers 404, and this job deletes them.

use std::sync::Arc;

use crate::{
    app::{App, backup},
    blobs::BlobKey,
    db::Tx,
    domain::id::ItemId,
    error::Result,
    store::{self, item::Item, job::Job},
};

/// Deletes the bytes of an item's file and what was made from them, and those of its facts, as far as each must go, as
/// one run of a [`JobKind::DeleteFile`](crate::store::job::JobKind::DeleteFile) job. A second run finds nothing to
/// delete.
pub async fn delete_file(app: &Arc<App>, job: &Job, id: ItemId) -> Result<()> {
    let mut reader = app.db.read().await?;
    let item = store::item::find(&mut reader, id).await?;
    let facts = store::retention::expired_facts(&mut reader, id).await?;
    drop(reader);
    let file = item.as_ref().and_then(deleted_file);
    if file.is_some() || facts.is_some() {
        backup::turn::check_deletion(&app.db, app.clock.now()).await?;
    }
    if let Some(key) = &file {
        app.blobs.delete(key).await?;
        for derived in key.derived() {
            app.blobs.delete(&derived).await?;
        }
        tracing::info!(item = %id, "the file of an item was deleted");
    }
    if let Some(key) = &facts {
        app.blobs.delete(key).await?;
        tracing::info!(item = %id, "what was read in the file of an item was deleted");
    }
    let mut tx = app.db.begin().await?;
    let ended = end(app, &mut tx, job, id, (file.as_ref(), facts.as_ref())).await;
    tx.settle(ended).await
}

/// The key of a file whose bytes must go.
fn deleted_file(item: &Item) -> Option<BlobKey> {
    item.content.file.as_ref().filter(|file| file.deleted_at.is_some()).map(|file| file.blob_key.clone())
}

/// Ends the job, or lets it run again if something else of the item must go since it began: a running job does not notice
/// that.
async fn end(
    app: &App,
    tx: &mut Tx,
    job: &Job,
    id: ItemId,
    (file, facts): (Option<&BlobKey>, Option<&BlobKey>),
) -> Result<()> {
    // The lock comes before the reads: what is recorded after it finds no job, and enqueues another one.
    store::case::lock_of_item(tx, id).await?;
    if let Some(key) = facts {
        store::retention::forget_facts(tx, id, key).await?;
    }
    let item = store::item::find(tx, id).await?;
    let has_new_file = item.as_ref().is_some_and(|item| deleted_file(item).as_ref() != file);
    if has_new_file || store::retention::expired_facts(tx, id).await?.is_some() {
        return store::job::reschedule(tx, job, app.clock.now()).await;
    }
    store::job::complete(tx, job).await.map(drop)
}
