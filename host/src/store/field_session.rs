//! The sessions of users of kind `field`, and the cases that they opened for one capture.

use sealwright_seal::Sha256Digest;

use crate::{
    clock::Timestamp,
    db::{Reader, Tx},
    domain::{
        capture::CaptureId,
        id::{CaseId, UserId},
    },
};

#[derive(Clone, Debug, PartialEq, sqlx_macros::FromRow)]
pub struct FieldSession {
    /// Of the session's token.
    pub digest: Sha256Digest,
    #[sqlx(rename = "user_id")]
    pub user: UserId,
    /// Of the password's hash at the sign-in; none if the user signed in without a password.
    pub password_digest: Option<Sha256Digest>,
    /// Of issuer and subject at the sign-in; none if the user did not sign in by the provider.
    pub subject_digest: Option<Sha256Digest>,
    pub created_at: Timestamp,
    /// Of one of the last requests.
    pub seen_at: Timestamp,
}

pub async fn insert(tx: &mut Tx, session: &FieldSession) -> sqlx::Result<()> {
    tx.query(
        "insert into field_sessions (digest, user_id, password_digest, subject_digest, created_at, seen_at)
         values ($1, $2, $3, $4, $5, $6)",
    )
    .bind(session.digest)
    .bind(&session.user)
    .bind(session.password_digest)
    .bind(session.subject_digest)
    .bind(session.created_at)
    .bind(session.seen_at)
    .execute()
    .await?;
    Ok(())
}

/// Finds the session with this digest, ended or not.
pub async fn find(reader: &mut Reader, digest: Sha256Digest) -> sqlx::Result<Option<FieldSession>> {
    reader
        .query(
            "select digest, user_id, password_digest, subject_digest, created_at, seen_at
             from field_sessions where digest = $1",
        )
        .bind(digest)
        .optional()
        .await
}

/// Records a request of the session.
pub async fn set_seen(tx: &mut Tx, digest: Sha256Digest, now: Timestamp) -> sqlx::Result<()> {
    tx.query("update field_sessions set seen_at = $2 where digest = $1 and seen_at < $2")
        .bind(digest)
        .bind(now)
        .execute()
        .await?;
    Ok(())
}

pub async fn delete(tx: &mut Tx, digest: Sha256Digest) -> sqlx::Result<()> {
    tx.query("delete from field_sessions where digest = $1").bind(digest).execute().await?;
    Ok(())
}

/// Deletes the sessions that were last seen, or created, at these moments or before. Returns how many.
pub async fn delete_ended(tx: &mut Tx, seen: Timestamp, created: Timestamp) -> sqlx::Result<u64> {
    tx.query("delete from field_sessions where seen_at <= $1 or created_at <= $2")
        .bind(seen)
        .bind(created)
        .execute()
        .await
}

/// The case that the user opened for this capture.
pub async fn opened_case(reader: &mut Reader, user: &UserId, capture: &CaptureId) -> sqlx::Result<Option<CaseId>> {
    let row: Option<(CaseId,)> = reader
        .query("select case_id from field_openings where user_id = $1 and capture_id = $2")
        .bind(user)
        .bind(capture)
        .optional()
        .await?;
    Ok(row.map(|(case,)| case))
}

/// Records that the case was opened for this capture; false if another one was.
pub async fn insert_opening(tx: &mut Tx, user: &UserId, capture: &CaptureId, case: CaseId) -> sqlx::Result<bool> {
    let inserted = tx
        .query(
            "insert into field_openings (user_id, capture_id, case_id) values ($1, $2, $3)
             on conflict (user_id, capture_id) do nothing",
        )
        .bind(user)
        .bind(capture)
        .bind(case)
        .execute()
        .await?;
    Ok(inserted == 1)
}
