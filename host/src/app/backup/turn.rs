//! One backup at a time, and no deletion of blobs meanwhile.
//!
//! A backup takes the turn first, then the snapshot of the rows, then the blobs. Code that deletes a blob first commits that no
//! row needs it, then looks whether the turn is taken, and then deletes. So if it saw no backup, the snapshot of a later
//! one does not need the blob either; no clock decides this.
//!
//! A process that ended keeps the turn until its time is over. If a turn ends before its backup, for example because the
//! process was paused, a blob may be missing when it is copied: then the backup fails, and is not complete.

use std::time::Duration;

use anyhow::anyhow;

use crate::{
    app::App,
    clock::{Clock, Timestamp, random_key},
    db::{Db, Tx},
    error::{Error, Result},
    store,
};

/// How long a process that ended keeps the turn.
const LEASE: Duration = Duration::from_mins(5);
/// How often the holder moves the end of its turn.
const RENEWAL: Duration = Duration::from_secs(30);
/// How long the holder tries before it gives up: clocks of nodes may differ by the rest of [`LEASE`].
const PATIENCE: Duration = Duration::from_mins(3);

/// The turn to make a backup.
#[derive(Debug)]
pub struct Turn {
    db: Db,
    clock: Clock,
    holder: String,
}

impl Turn {
    /// Takes the turn. None if another process makes a backup.
    pub async fn take(app: &App) -> Result<Option<Self>> {
        let turn = Self { db: app.db.clone(), clock: app.clock.clone(), holder: random_key() };
        let now = turn.clock.now();
        let mut tx = turn.db.begin().await?;
        let taken = store::backup_turn::take(&mut tx, &turn.holder, now, now.after(LEASE)).await.map_err(Error::from);
        let taken = tx.settle(taken).await?;
        Ok(taken.then_some(turn))
    }

    /// Keeps the turn. Returns only if that is not possible.
    pub async fn keep(&self) -> anyhow::Error {
        let mut renewed_at = self.clock.steady();
        loop {
            tokio::time::sleep(RENEWAL).await;
            match self.extend().await {
                Ok(true) => renewed_at = self.clock.steady(),
                Ok(false) => return lost(),
                Err(error) if self.clock.steady().since(renewed_at) > PATIENCE => {
                    return anyhow::Error::new(error).context("the turn to make a backup could not be kept");
                }
                Err(error) => tracing::warn!(%error, "the turn to make a backup is kept later"),
            }
        }
    }

    /// Checks that it is still held.
    pub async fn confirm(&self) -> anyhow::Result<()> {
        if !self.extend().await? {
            return Err(lost());
        }
        Ok(())
    }

    async fn extend(&self) -> Result<bool> {
        let mut tx = self.db.begin().await?;
        let until = self.clock.now().after(LEASE);
        let extended = store::backup_turn::extend(&mut tx, &self.holder, until).await.map_err(Error::from);
        tx.settle(extended).await
    }

    /// Gives the turn back in the transaction `tx`.
    pub(super) async fn give_back(&self, tx: &mut Tx, last_taken_at: Option<Timestamp>) -> sqlx::Result<()> {
        store::backup_turn::give_back(tx, &self.holder, last_taken_at).await
    }
}

fn lost() -> anyhow::Error {
    anyhow!("another process took the turn to make a backup: this one is incomplete")
}

/// Call this before blobs are deleted that rows named, and after the commit since which no row needs them.
///
/// # Errors
/// If a backup is being made, which may need them: try again later.
pub async fn check_deletion(db: &Db, now: Timestamp) -> Result<()> {
    let mut reader = db.read().await?;
    if store::backup_turn::is_taken(&mut reader, now).await? {
        let message = "a backup is being made: files are deleted after it".to_owned();
        return Err(Error::NotReady { message, retry_after_seconds: 30 });
    }
    Ok(())
}
