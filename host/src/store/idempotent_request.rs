//! Requests with an `Idempotency-Key`.

use sealwright_seal::Sha256Digest;

use crate::{
    clock::Timestamp,
    db::{Reader, Tx},
    domain::id::{CaseId, UserId},
};

/// A request as it is recognised.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestName {
    pub user: UserId,
    /// Of the key.
    pub key: Sha256Digest,
}

/// An earlier request with the same key.
#[derive(Clone, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct EarlierRequest {
    /// Of operation, path and body.
    pub request_digest: Sha256Digest,
    /// JSON; none after the case was deleted.
    pub answer: Option<String>,
}

/// The request of this name that was made after `since`.
pub async fn find(reader: &mut Reader, name: &RequestName, since: Timestamp) -> sqlx::Result<Option<EarlierRequest>> {
    reader
        .query(
            "select request_digest, answer from idempotent_requests
             where user_id = $1 and key_digest = $2 and created_at > $3",
        )
        .bind(&name.user)
        .bind(name.key)
        .bind(since)
        .optional()
        .await
}

/// Takes the name for a request; false if another request has it. On PostgreSQL this waits for a concurrent request with
/// the same name to end.
pub async fn insert(tx: &mut Tx, name: &RequestName, request: Sha256Digest, now: Timestamp) -> sqlx::Result<bool> {
    let inserted = tx
        .query(
            "insert into idempotent_requests (user_id, key_digest, request_digest, created_at)
             values ($1, $2, $3, $4) on conflict (user_id, key_digest) do nothing",
        )
        .bind(&name.user)
        .bind(name.key)
        .bind(request)
        .bind(now)
        .execute()
        .await?;
    Ok(inserted == 1)
}

/// Records what was answered.
pub async fn set_answer(tx: &mut Tx, name: &RequestName, case: CaseId, answer: &str) -> sqlx::Result<()> {
    tx.query("update idempotent_requests set case_id = $3, answer = $4 where user_id = $1 and key_digest = $2")
        .bind(&name.user)
        .bind(name.key)
        .bind(case)
        .bind(answer)
        .execute()
        .await?;
    Ok(())
}

/// Deletes the answers about a case that is deleted.
pub async fn forget_answers(tx: &mut Tx, case: CaseId) -> sqlx::Result<()> {
    tx.query("update idempotent_requests set answer = null where case_id = $1").bind(case).execute().await?;
    Ok(())
}

/// Frees the name if its request was made at this moment or before.
pub async fn delete_old(tx: &mut Tx, name: &RequestName, until: Timestamp) -> sqlx::Result<()> {
    tx.query("delete from idempotent_requests where user_id = $1 and key_digest = $2 and created_at <= $3")
        .bind(&name.user)
        .bind(name.key)
        .bind(until)
        .execute()
        .await?;
    Ok(())
}

/// Deletes requests that were made at this moment or before, at most `most`. Returns their number.
pub async fn delete_all_old(tx: &mut Tx, until: Timestamp, most: u64) -> sqlx::Result<u64> {
    tx.query(
        "delete from idempotent_requests where (user_id, key_digest) in
           (select user_id, key_digest from idempotent_requests where created_at <= $1 limit $2)",
    )
    .bind(until)
    .bind(i64::try_from(most).unwrap_or(i64::MAX))
    .execute()
    .await
}
