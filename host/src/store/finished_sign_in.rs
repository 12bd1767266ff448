//! Sign-ins by a provider that have begun a session: each begins one.

use sealwright_seal::Sha256Digest;

use crate::{clock::Timestamp, db::Tx};

/// Records that a sign-in begins a session; false if it has begun one before. The digest names the sign-in.
pub async fn insert(tx: &mut Tx, digest: Sha256Digest, now: Timestamp) -> sqlx::Result<bool> {
    let inserted = tx
        .query(
            "insert into finished_sign_ins (digest, finished_at) values ($1, $2)
             on conflict (digest) do nothing",
        )
        .bind(digest)
        .bind(now)
        .execute()
        .await?;
    Ok(inserted == 1)
}

/// Deletes the records of sign-ins that finished at this moment or before.
pub async fn forget(tx: &mut Tx, finished: Timestamp) -> sqlx::Result<()> {
    tx.query("delete from finished_sign_ins where finished_at <= $1").bind(finished).execute().await?;
    Ok(())
}
