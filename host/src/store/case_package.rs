//! The time stamps of packages. Everything else of a package is made from other rows each time.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use sealwright_seal::Sha256Digest;

use super::from_base64;
use crate::{
    db::{Reader, Tx},
    domain::id::CaseId,
};

/// What was stamped last for a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StampedPackage {
    /// Of the container's manifest, which the token covers.
    pub manifest: Sha256Digest,
    /// Of the seal manifest at that time, which the log's proof is about.
    pub seal_manifest: Option<Sha256Digest>,
    /// A proof (C2SP `tlog-proof`); none if the seal was not in the log.
    pub log_proof: Option<String>,
    /// DER.
    pub token: Vec<u8>,
}

pub async fn find(reader: &mut Reader, case: CaseId) -> sqlx::Result<Option<StampedPackage>> {
    let row: Option<(Sha256Digest, Option<Sha256Digest>, Option<String>, String)> = reader
        .query("select manifest_sha256, seal_manifest_sha256, log_proof, token from case_packages where case_id = $1")
        .bind(case)
        .optional()
        .await?;
    row.map(|(manifest, seal_manifest, log_proof, token)| {
        Ok(StampedPackage { manifest, seal_manifest, log_proof, token: from_base64("token", &token)? })
    })
    .transpose()
}

/// Stores a time stamp in place of an earlier one, unless the case is gone.
pub async fn replace(tx: &mut Tx, case: CaseId, package: &StampedPackage) -> sqlx::Result<()> {
    tx.query(
        "insert into case_packages (case_id, manifest_sha256, seal_manifest_sha256, log_proof, token)
         select id, $2, $3, $4, $5 from cases where id = $1
         on conflict (case_id) do update
         set manifest_sha256 = excluded.manifest_sha256, seal_manifest_sha256 = excluded.seal_manifest_sha256,
             log_proof = excluded.log_proof, token = excluded.token",
    )
    .bind(case)
    .bind(package.manifest)
    .bind(package.seal_manifest)
    .bind(&package.log_proof)
    .bind(STANDARD.encode(&package.token))
    .execute()
    .await?;
    Ok(())
}
