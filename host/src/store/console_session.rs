//! The sessions of users of the console.

use sealwright_seal::Sha256Digest;

use crate::{
    clock::Timestamp,
    db::{Reader, Tx},
};

#[derive(Clone, Debug, PartialEq, sqlx_macros::FromRow)]
pub struct ConsoleSession {
    pub id: i64,
    /// Of the session's token.
    pub digest: Sha256Digest,
    #[sqlx(rename = "user_id")]
    pub user: i64,
    /// Of the password's hash at the sign-in.
    pub password_digest: Sha256Digest,
    /// False until the second factor is shown.
    pub complete: bool,
    /// Wrong codes of the second factor.
    pub failures: i64,
    pub created_at: Timestamp,
    /// Of one of the last requests.
    pub seen_at: Timestamp,
    /// Of the sign-in.
    pub address: String,
    /// What the browser calls itself.
    pub agent: String,
}

/// A session to store; the database gives it its identifier.
#[derive(Clone, Debug)]
pub struct NewConsoleSession<'s> {
    pub digest: Sha256Digest,
    pub user: i64,
    pub password_digest: Sha256Digest,
    pub complete: bool,
    pub created_at: Timestamp,
    pub address: &'s str,
    pub agent: &'s str,
}

pub async fn insert(tx: &mut Tx, new: &NewConsoleSession<'_>) -> sqlx::Result<()> {
    tx.query(
        "insert into console_sessions (digest, user_id, password_digest, complete, failures, created_at, seen_at,
           address, agent)
         values ($1, $2, $3, $4, 0, $5, $5, $6, $7)",
    )
    .bind(new.digest)
    .bind(new.user)
    .bind(new.password_digest)
    .bind(new.complete)
    .bind(new.created_at)
    .bind(new.address)
    .bind(new.agent)
    .execute()
    .await?;
    Ok(())
}

/// Finds the session with this digest, ended or not.
pub async fn find(reader: &mut Reader, digest: Sha256Digest) -> sqlx::Result<Option<ConsoleSession>> {
    reader.query("select * from console_sessions where digest = $1").bind(digest).optional().await
}

/// The sessions of a user, the newest first.
pub async fn of_user(reader: &mut Reader, user: i64) -> sqlx::Result<Vec<ConsoleSession>> {
    reader.query("select * from console_sessions where user_id = $1 order by seen_at desc, id").bind(user).all().await
}

/// Records a request of the session.
pub async fn set_seen(tx: &mut Tx, id: i64, now: Timestamp) -> sqlx::Result<()> {
    tx.query("update console_sessions set seen_at = $2 where id = $1 and seen_at < $2")
        .bind(id)
        .bind(now)
        .execute()
        .await?;
    Ok(())
}

/// Counts a wrong code of the second factor. Returns the number of them.
pub async fn add_failure(tx: &mut Tx, id: i64) -> sqlx::Result<i64> {
    let row: Option<(i64,)> = tx
        .query("update console_sessions set failures = failures + 1 where id = $1 returning failures")
        .bind(id)
        .optional()
        .await?;
    Ok(row.map_or(i64::MAX, |(failures,)| failures))
}

/// Deletes a session. Returns whether it was there.
pub async fn delete(tx: &mut Tx, digest: Sha256Digest) -> sqlx::Result<bool> {
    let deleted = tx.query("delete from console_sessions where digest = $1").bind(digest).execute().await?;
    Ok(deleted == 1)
}

/// Deletes one of a user's sessions by its identifier. Returns whether it was there.
pub async fn delete_of_user(tx: &mut Tx, user: i64, id: i64) -> sqlx::Result<bool> {
    let deleted =
        tx.query("delete from console_sessions where user_id = $1 and id = $2").bind(user).bind(id).execute().await?;
    Ok(deleted == 1)
}

/// Deletes all sessions of a user, except the one with the identifier `kept`.
pub async fn delete_others(tx: &mut Tx, user: i64, kept: i64) -> sqlx::Result<()> {
    tx.query("delete from console_sessions where user_id = $1 and id <> $2").bind(user).bind(kept).execute().await?;
    Ok(())
}

/// Deletes the sessions that were last seen, or created, at these moments or before. Returns how many.
pub async fn delete_ended(tx: &mut Tx, seen: Timestamp, created: Timestamp) -> sqlx::Result<u64> {
    tx.query("delete from console_sessions where seen_at <= $1 or created_at <= $2")
        .bind(seen)
        .bind(created)
        .execute()
        .await
}
