//! Delete-after-analysis: the file is deleted, its hash and the result stay (spec 2.1, decisions 13).
//!
//! The file of such a step is neither time-stamped nor covered by the seal's signature of its bytes, and no certificate
//! shows a document's picture; its hash was computed when it arrived. So nothing needs the bytes once the result is
//! stored: from that transaction on its address answers 404, and this job deletes them.

use std::sync::Arc;

use super::flow;
use crate::{
    app::{App, backup},
    domain::id::ItemId,
    error::Result,
    store::{self, job::Job},
};

/// Deletes the bytes of an item's file and what was made from them, as one run of a
/// [`JobKind::DeleteFile`](crate::store::job::JobKind::DeleteFile) job. A second run finds nothing to delete.
pub async fn delete_file(app: &Arc<App>, job: &Job, id: ItemId) -> Result<()> {
    let mut reader = app.db.read().await?;
    let item = store::item::find(&mut reader, id).await?;
    drop(reader);
    if let Some(item) = item
        && let Some(file) = item.content.file.as_ref().filter(|file| file.deleted_at.is_some())
    {
        let key = &file.blob_key;
        backup::turn::check_deletion(&app.db, app.clock.now()).await?;
        app.blobs.delete(key).await?;
        for derived in key.derived() {
            app.blobs.delete(&derived).await?;
        }
        tracing::info!(item = %item.reference(), "the file was deleted after its analysis");
    }
    flow::drop_job(app, job).await
}
