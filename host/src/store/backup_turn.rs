//! Who makes a backup now: one process at a time. While someone does, blobs are not deleted.

use crate::{
    clock::Timestamp,
    db::{Reader, Tx},
};

/// Takes the turn until `until`, if no one has it. False: someone has it.
pub async fn take(tx: &mut Tx, holder: &str, now: Timestamp, until: Timestamp) -> sqlx::Result<bool> {
    let taken = tx
        .query(
            "update backup_turn set holder = $1, held_until = $2
             where id = 1 and (holder is null or held_until < $3)",
        )
        .bind(holder)
        .bind(until)
        .bind(now)
        .execute()
        .await?;
    Ok(taken == 1)
}

/// Moves the end of the turn. False: another process has taken it.
pub async fn extend(tx: &mut Tx, holder: &str, until: Timestamp) -> sqlx::Result<bool> {
    let extended = tx
        .query("update backup_turn set held_until = $2 where id = 1 and holder = $1")
        .bind(holder)
        .bind(until)
        .execute()
        .await?;
    Ok(extended == 1)
}

/// Gives the turn back. `last_taken_at`: the time of the backup, if it is complete.
pub async fn give_back(tx: &mut Tx, holder: &str, last_taken_at: Option<Timestamp>) -> sqlx::Result<()> {
    tx.query(
        "update backup_turn set holder = null, held_until = null, last_taken_at = coalesce($2, last_taken_at)
         where id = 1 and holder = $1",
    )
    .bind(holder)
    .bind(last_taken_at)
    .execute()
    .await?;
    Ok(())
}

/// Whether someone makes a backup.
pub async fn is_taken(reader: &mut Reader, now: Timestamp) -> sqlx::Result<bool> {
    let row: Option<(i64,)> = reader
        .query("select id from backup_turn where id = 1 and holder is not null and held_until >= $1")
        .bind(now)
        .optional()
        .await?;
    Ok(row.is_some())
}

/// The time of the last complete backup.
pub async fn last_taken_at(reader: &mut Reader) -> sqlx::Result<Option<Timestamp>> {
    let row: Option<(Option<Timestamp>,)> =
        reader.query("select last_taken_at from backup_turn where id = 1").optional().await?;
    Ok(row.and_then(|(finished,)| finished))
}
