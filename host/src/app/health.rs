//! Whether the parts the server stands on can be used.

use std::time::Duration;

use tokio::{sync::Mutex, time::timeout};

use super::App;
use crate::clock::Timestamp;

/// How long an answer holds. Everybody may ask, and finding it out writes to the disk.
const FRESH: Duration = Duration::from_secs(1);
/// How long a part may take to show that it is there.
const PATIENCE: Duration = Duration::from_secs(4);

/// The last answer, and the lock that keeps questions asked together from being looked into more than once.
pub type Health = Mutex<Option<(Timestamp, Vec<&'static str>)>>;

/// The names of the parts that cannot be used; their errors go to the log.
pub async fn unusable_parts(app: &App) -> Vec<&'static str> {
    let mut last = app.health.lock().await;
    if let Some((looked, unusable)) = last.as_ref()
        && app.clock.now() < looked.after(FRESH)
    {
        return unusable.clone();
    }
    let unusable = look(app).await;
    // From the end of the look on: those who waited for it get its answer.
    *last = Some((app.clock.now(), unusable.clone()));
    unusable
}

/// Looks at every part at the same time, each with its own deadline, so that one that is away hides no other.
async fn look(app: &App) -> Vec<&'static str> {
    let (database, blobs) =
        tokio::join!(is_usable("database", database(app)), is_usable("blob store", app.blobs.check()));
    let plugins = !app.plugins.webhook_modes().is_empty();
    let parts = [("database", database), ("blob store", blobs), ("plugins", plugins)];
    parts.into_iter().filter(|(_, is_usable)| !is_usable).map(|(part, _)| part).collect()
}

async fn is_usable(part: &'static str, looked: impl Future<Output = anyhow::Result<()>>) -> bool {
    let problem = match timeout(PATIENCE, looked).await {
        Ok(Ok(())) => return true,
        Ok(Err(error)) => format!("{error:#}"),
        Err(_) => format!("no answer within {PATIENCE:?}"),
    };
    tracing::warn!(part, problem, "a part is not usable");
    false
}

async fn database(app: &App) -> anyhow::Result<()> {
    let mut tx = app.db.read().await?;
    let _: (i64,) = tx.query("select cast(1 as bigint)").one().await?;
    Ok(())
}
