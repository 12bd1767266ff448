//! Finds out whether a successor can be made, before an erasure takes the only certificate out of service.

use std::sync::Arc;

use super::{
    material::{Evidence, load},
    rendering::{Purpose, render},
    tokens,
};
use crate::{
    app::{App, seal_log},
    domain::id::CaseId,
    error::{Error, Result},
    store::{self, erasure::ErasedItem, item::Item},
};

/// Renders the successor that a case would have after a further erasure, and forgets it.
///
/// # Errors
/// [`Error::NotReady`] if a part that the successor needs is unavailable, for example the file of an item that is left.
pub(in crate::app) async fn rehearse(app: &Arc<App>, id: CaseId, more: &[ErasedItem]) -> Result<()> {
    render_without(app, id, more).await.map_err(|error| match error {
        Error::Unavailable { part, cause } => {
            tracing::warn!(case = %id, part, cause = %format!("{cause:#}"), "items cannot be erased now");
            Error::NotReady {
                message: format!("a new certificate cannot be made now ({part} unavailable), so nothing was erased"),
                retry_after_seconds: 60,
            }
        }
        error => error,
    })
}

async fn render_without(app: &Arc<App>, id: CaseId, more: &[ErasedItem]) -> Result<()> {
    let now = app.clock.now();
    app.seal_keys
        .check_validity(now)
        .map_err(|error| Error::Unavailable { part: "signing key", cause: error.into() })?;
    seal_log::check_running(app).await?;
    // The erasure itself detects a case that was deleted in the meantime.
    let Some((case, certificate, items)) = load(app, id).await? else { return Ok(()) };
    let is_erased = |item: &Item| more.iter().any(|erased| erased.item == item.id);
    let (gone, items): (Vec<Item>, Vec<Item>) = items.into_iter().partition(is_erased);
    let tokens = tokens::stored(app, &case, &items).await?;
    let mut reader = app.db.read().await?;
    let mut erased = store::erasure::of_case(&mut reader, id).await?;
    // They are deleted with the first item that has one.
    let records = if gone.iter().any(|item| item.content.capture.is_some()) {
        Vec::new()
    } else {
        store::capture_record::of_case(&mut reader, id).await?
    };
    drop(reader);
    erased.extend_from_slice(more);
    let evidence = Evidence { case, certificate, items, tokens, records, erased };
    render(app, &evidence, Purpose::Rehearsal, now).await.map(drop)
}
