//! The certificates that this installation has signed with.

use sealwright_seal::Sha256Digest;

use crate::{
    clock::Timestamp,
    db::{Reader, Tx},
};

/// Records a certificate with its chain in PEM, its own first. An existing record stays unchanged.
pub async fn insert(tx: &mut Tx, sha256: Sha256Digest, chain: &str, now: Timestamp) -> sqlx::Result<()> {
    tx.query(
        "insert into signing_certificates (sha256, chain, first_used_at) values ($1, $2, $3)
         on conflict (sha256) do nothing",
    )
    .bind(sha256)
    .bind(chain)
    .bind(now)
    .execute()
    .await?;
    Ok(())
}

/// All of them, the oldest first: the digest of the certificate and its chain.
pub async fn all(reader: &mut Reader) -> sqlx::Result<Vec<(Sha256Digest, String)>> {
    reader.query("select sha256, chain from signing_certificates order by first_used_at, sha256").all().await
}
