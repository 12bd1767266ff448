//! Restarts the log if it has stopped because the database was restored from a backup.

use super::{LogState, head, newest, publish, state};
use crate::{
    app::{
        App,
        audit::{self, Actor, Event},
    },
    db::Tx,
    error::{Error, Result},
    store::{self, seal_log::Head},
};

/// Starts a new log with the entries in the database, under another name and another key, so that no checkpoint
/// contradicts one of the stopped log.
///
/// # Errors
/// [`Error::State`] if the log has not stopped.
pub async fn restart(app: &App, actor: &Actor) -> Result<LogState> {
    let before = state(&app.seal_log, &app.db, &app.blobs).await?;
    if before.stopped.is_none() {
        return Err(Error::state("the log of seals has not stopped; only a stopped log can be restarted"));
    }
    let epoch = unused_epoch(app).await?;
    let mut tx = app.db.begin().await?;
    let restarted = restart_in(app, &mut tx, actor, epoch).await;
    tx.settle(restarted).await?;
    let newest = newest(app).await?;
    if let Err(stopped) = publish(app, newest).await? {
        return Err(Error::internal(stopped));
    }
    state(&app.seal_log, &app.db, &app.blobs).await
}

/// The next epoch without a published head: the database may be older than an earlier restart.
async fn unused_epoch(app: &App) -> Result<i64> {
    let log = &app.seal_log;
    let head = head(&app.db).await?;
    let epoch = head.as_ref().map_or(1, |head| head.epoch);
    let first = first_name(head.as_ref().map_or(log.origin.as_str(), |head| &head.origin), epoch);
    for next in epoch + 1.. {
        let verifier = log.signer(&name_of(first, next), next)?.verifier();
        if log.guard.newest(&app.blobs, app.db.is_shared(), &verifier).await?.is_none() {
            return Ok(next);
        }
    }
    Err(Error::internal(anyhow::anyhow!("the log of seals was restarted too often")))
}

/// The name of the first log.
fn first_name(origin: &str, epoch: i64) -> &str {
    origin.strip_suffix(&format!("/{epoch}")).filter(|_| epoch > 1).unwrap_or(origin)
}

fn name_of(first: &str, epoch: i64) -> String {
    format!("{first}/{epoch}")
}

async fn restart_in(app: &App, tx: &mut Tx, actor: &Actor, epoch: i64) -> Result<()> {
    let Head { origin, epoch: before, frontier, .. } = store::seal_log::lock(tx, &app.seal_log.origin).await?;
    let origin = name_of(first_name(&origin, before), epoch);
    let checkpoint = app.seal_log.sign(&origin, epoch, frontier.size(), frontier.root())?;
    store::seal_log::begin_again(tx, &origin, epoch, &checkpoint).await?;
    let event = Event::done("restartLog", None, Some(format!("log {origin}")));
    let about = format!("{} entries", frontier.size());
    Ok(audit::record(tx, app.clock.now(), actor, event.with_detail(about)).await?)
}
