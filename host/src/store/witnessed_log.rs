//! The logs of others that this installation cosigns as a witness.

use sealwright_seal::{Sha256Digest, tlog::witness::WitnessedHead};

use super::seal_log::{from_column, to_column};
use crate::{
    clock::Timestamp,
    db::{Reader, Tx},
};

/// The newest cosigned head of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WitnessedLogRow {
    pub origin: String,
    pub size: u64,
    /// None if no head was cosigned.
    pub cosigned_at: Option<Timestamp>,
}

/// The newest cosigned head of a log, locked until the transaction ends, so that heads are cosigned one after the other.
/// The head of the empty tree if none was cosigned.
pub async fn lock(tx: &mut Tx, origin: &str) -> sqlx::Result<WitnessedHead> {
    // Another node may do the same now: the update decides.
    tx.query("insert into witnessed_logs (origin, size, root) values ($1, 0, $2) on conflict (origin) do nothing")
        .bind(origin)
        .bind(Sha256Digest::of(""))
        .execute()
        .await?;
    let (size, root): (i64, Sha256Digest) = tx
        .query("update witnessed_logs set size = size where origin = $1 returning size, root")
        .bind(origin)
        .one()
        .await?;
    Ok(WitnessedHead { size: from_column(size)?, root })
}

/// Stores the newest head, with its checkpoint as a cosigned note.
pub async fn set_head(
    tx: &mut Tx,
    origin: &str,
    head: WitnessedHead,
    checkpoint: &str,
    now: Timestamp,
) -> sqlx::Result<()> {
    tx.query("update witnessed_logs set size = $2, root = $3, checkpoint = $4, cosigned_at = $5 where origin = $1")
        .bind(origin)
        .bind(to_column(head.size)?)
        .bind(head.root)
        .bind(checkpoint)
        .bind(now)
        .execute()
        .await?;
    Ok(())
}

/// The newest cosigned checkpoint of each log: its origin, and the note.
pub async fn checkpoints(reader: &mut Reader) -> sqlx::Result<Vec<(String, String)>> {
    reader.query("select origin, checkpoint from witnessed_logs where checkpoint is not null").all().await
}

/// All logs that were ever submitted.
pub async fn all(reader: &mut Reader) -> sqlx::Result<Vec<WitnessedLogRow>> {
    let rows: Vec<(String, i64, Option<Timestamp>)> =
        reader.query("select origin, size, cosigned_at from witnessed_logs order by origin").all().await?;
    rows.into_iter()
        .map(|(origin, size, cosigned_at)| Ok(WitnessedLogRow { origin, size: from_column(size)?, cosigned_at }))
        .collect()
}
