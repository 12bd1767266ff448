//! The record of the certificates that this installation has signed with. Seals made with an earlier key stay valid
//! here, while other certificates under the same root do not count.
//!
//! The record is in the database, so that all nodes share it. Each node copies it into its `data_dir`, where
//! `sealwright verify` reads it without a database.

use anyhow::Context;
use sealwright_seal::{Certificate, Sha256Digest};

use crate::{
    clock::Timestamp,
    config::Config,
    db::Db,
    error::{Error, Result},
    signing::{SealKeys, keep_recorded_chain},
    store,
};

/// Records the certificate that this process signs with, and copies the record into `data_dir`.
pub async fn record(db: &Db, config: &Config, keys: &SealKeys, now: Timestamp) -> anyhow::Result<()> {
    let signer = keys.signer();
    // The root of a development authority is known by its folder.
    if !keys.is_development() {
        let chain: String = signer.chain().iter().map(Certificate::to_pem).collect();
        let sha256 = signer.certificate().fingerprint();
        let mut tx = db.begin().await?;
        store::signing_certificate::insert(&mut tx, sha256, &chain, now).await?;
        tx.commit().await?;
    }
    for (sha256, chain) in chains(db).await? {
        if let Err(error) = keep_recorded_chain(&config.data_dir, sha256, &chain) {
            tracing::warn!(%error, "the record of signing certificates cannot be copied into data_dir");
        }
    }
    Ok(())
}

/// The chains of the certificates that this installation has signed with.
pub async fn recorded(db: &Db) -> Result<Vec<Vec<Certificate>>> {
    let chains = chains(db).await?.into_iter();
    let read = chains.map(|(sha256, chain)| {
        Certificate::from_pem_chain(&chain).with_context(|| format!("the recorded signing certificate {sha256}"))
    });
    read.collect::<anyhow::Result<_>>().map_err(Error::internal)
}

async fn chains(db: &Db) -> sqlx::Result<Vec<(Sha256Digest, String)>> {
    let mut reader = db.read().await?;
    store::signing_certificate::all(&mut reader).await
}
