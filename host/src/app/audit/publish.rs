//! Publishing the head of the chain in the log of seals. Anyone who follows that log keeps the head, so records before it
//! cannot be changed later without a contradiction that others can show.

use std::time::Duration;

use sealwright_seal::tlog::entry::AuditHead;

use crate::{
    app::{App, seal_log},
    clock::Timestamp,
    error::{Error, Result},
};

/// The shortest time between two published heads.
const INTERVAL: Duration = Duration::from_hours(1);

/// Publishes the head if it has moved and the last published one is an hour old. Returns what was published.
pub async fn publish_if_due(app: &App) -> Result<Option<AuditHead>> {
    publish(app, app.clock.now().before(INTERVAL)).await
}

/// Publishes the head if it has moved.
pub async fn publish_now(app: &App) -> Result<Option<AuditHead>> {
    publish(app, Timestamp::from_millis(i64::MAX)).await
}

async fn publish(app: &App, not_after: Timestamp) -> Result<Option<AuditHead>> {
    let published = seal_log::append_audit_head(app, not_after).await?;
    published.map_err(|stopped| Error::State(stopped.to_string()))
}
