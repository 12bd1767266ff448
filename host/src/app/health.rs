//! Checks whether the parts that the server depends on can be used.

use std::time::Duration;

use tokio::{sync::Mutex, time::timeout};

use super::App;
use crate::clock::Timestamp;

pub const DATABASE: &str = "database";
pub const BLOB_STORE: &str = "blob store";
pub const PLUGINS: &str = "plugins";
/// The parts that are checked.
pub const PARTS: [&str; 3] = [DATABASE, BLOB_STORE, PLUGINS];

/// How long an answer is valid. Anyone may ask, and the check writes to the disk.
const FRESH: Duration = Duration::from_secs(1);
/// How long a part may take to answer.
const TIMEOUT: Duration = Duration::from_secs(4);

/// The last answer. The lock makes concurrent requests share one check.
pub type Health = Mutex<Option<(Timestamp, Vec<&'static str>)>>;

/// The names of the parts that cannot be used; their errors go to the log.
pub async fn unusable_parts(app: &App) -> Vec<&'static str> {
    let mut last = app.health.lock().await;
    if let Some((checked_at, unusable)) = last.as_ref()
        && app.clock.now() < checked_at.after(FRESH)
    {
        return unusable.clone();
    }
    let unusable = check(app).await;
    // The time after the check: requests that waited for it get its answer.
    *last = Some((app.clock.now(), unusable.clone()));
    unusable
}

/// Checks all parts at the same time, each with its own timeout, so that one missing part does not hide another.
async fn check(app: &App) -> Vec<&'static str> {
    let (database, blobs) = tokio::join!(is_usable(DATABASE, database(app)), is_usable(BLOB_STORE, app.blobs.check()));
    let plugins = !app.plugins.webhook_modes().is_empty();
    let parts = [(DATABASE, database), (BLOB_STORE, blobs), (PLUGINS, plugins)];
    parts.into_iter().filter(|(_, is_usable)| !is_usable).map(|(part, _)| part).collect()
}

async fn is_usable(part: &'static str, check: impl Future<Output = anyhow::Result<()>>) -> bool {
    let problem = match timeout(TIMEOUT, check).await {
        Ok(Ok(())) => return true,
        Ok(Err(error)) => format!("{error:#}"),
        Err(_) => format!("no answer within {TIMEOUT:?}"),
    };
    tracing::warn!(part, problem, "a part is not usable");
    false
}

async fn database(app: &App) -> anyhow::Result<()> {
    let mut reader = app.db.read().await?;
    let _: (i64,) = reader.query("select cast(1 as bigint)").one().await?;
    Ok(())
}
