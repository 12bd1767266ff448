//! Whether the parts the server stands on can be used.

use std::time::Duration;

use tokio::sync::Mutex;

use super::App;
use crate::clock::Timestamp;

/// How long an answer holds. Everybody may ask, and finding it out writes to the disk.
const FRESH: Duration = Duration::from_secs(1);
/// How long the parts may take to say that they are there.
const PATIENCE: Duration = Duration::from_secs(5);

/// The last answer, and the lock that keeps questions asked together from being looked into more than once.
pub type Health = Mutex<Option<(Timestamp, Vec<&'static str>)>>;

/// The names of the parts that cannot be used; their errors go to the log.
pub async fn unusable_parts(app: &App) -> Vec<&'static str> {
    let mut last = app.health.lock().await;
    let now = app.clock.now();
    if let Some((looked, unusable)) = last.as_ref()
        && now < looked.after(FRESH)
    {
        return unusable.clone();
    }
    let unusable = tokio::time::timeout(PATIENCE, look(app))
        .await
        .unwrap_or_else(|_| vec!["database or blob store (no answer in 5 s)"]);
    *last = Some((now, unusable.clone()));
    unusable
}

async fn look(app: &App) -> Vec<&'static str> {
    let (database, blobs) = tokio::join!(database(app), app.blobs.check());
    let plugins = app.plugins.webhook_modes();
    let mut unusable = Vec::new();
    if let Err(error) = database {
        tracing::warn!(error = %error, "the database is not usable");
        unusable.push("database");
    }
    if let Err(error) = blobs {
        tracing::warn!(error = %format!("{error:#}"), "the blob store is not usable");
        unusable.push("blob store");
    }
    if plugins.is_empty() {
        unusable.push("plugins");
    }
    unusable
}

async fn database(app: &App) -> sqlx::Result<()> {
    let mut tx = app.db.read().await?;
    let _: (i64,) = tx.query("select cast(1 as bigint)").one().await?;
    Ok(())
}
