//! What remains of deleted cases: hashes, and the keys of their blobs until they are deleted.

use sealwright_seal::Sha256Digest;
use serde::{Deserialize, Serialize};

use super::{from_json, to_json};
use crate::{
    blobs::BlobKey,
    clock::Timestamp,
    db::{Reader, Tx},
    domain::id::{CaseId, CompanyId, ItemId},
};

/// The record of a deleted case. It contains no personal data (decisions 5).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeletedCase {
    pub case: CaseId,
    pub deleted_at: Timestamp,
    /// Of the certificate's PDF, if there was one.
    pub certificate_sha256: Option<Sha256Digest>,
    /// Items that had a file.
    pub items: Vec<DeletedItem>,
    /// The keys of the blobs that must be deleted.
    pub blobs: Vec<BlobKey>,
    /// Of the report token, if a certificate may name it.
    pub report_sha256: Option<Sha256Digest>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeletedItem {
    pub item: ItemId,
    /// Of the file.
    pub sha256: Sha256Digest,
}

pub async fn insert(tx: &mut Tx, company: CompanyId, deleted: &DeletedCase) -> sqlx::Result<()> {
    tx.query(
        "insert into deleted_cases (case_id, company_id, deleted_at, certificate_sha256, items, blobs, report_sha256)
         values ($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind(deleted.case)
    .bind(company)
    .bind(deleted.deleted_at)
    .bind(deleted.certificate_sha256)
    .bind(to_json(&deleted.items))
    .bind(to_json(&deleted.blobs))
    .bind(deleted.report_sha256)
    .execute()
    .await?;
    Ok(())
}

/// The record of a deleted case without its blobs, as the log of seals commits to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DeletionRecord {
    pub case_id: CaseId,
    pub company_id: CompanyId,
    pub deleted_at: Timestamp,
    pub certificate_sha256: Option<Sha256Digest>,
    pub items: Vec<DeletedItem>,
}

/// The record of a deleted case of any company. For jobs.
pub async fn record(reader: &mut Reader, case: CaseId) -> sqlx::Result<Option<DeletionRecord>> {
    let row: Option<(CompanyId, Timestamp, Option<Sha256Digest>, String)> = reader
        .query("select company_id, deleted_at, certificate_sha256, items from deleted_cases where case_id = $1")
        .bind(case)
        .optional()
        .await?;
    let Some((company_id, deleted_at, certificate_sha256, items)) = row else { return Ok(None) };
    let items = from_json("items", &items)?;
    Ok(Some(DeletionRecord { case_id: case, company_id, deleted_at, certificate_sha256, items }))
}

/// The keys of the blobs that must still be deleted, for a deleted case of any company. For jobs.
pub async fn blobs(reader: &mut Reader, case: CaseId) -> sqlx::Result<Vec<BlobKey>> {
    let row: Option<(String,)> =
        reader.query("select blobs from deleted_cases where case_id = $1").bind(case).optional().await?;
    row.map_or_else(|| Ok(Vec::new()), |(json,)| from_json("blobs", &json))
}

/// Records that the blobs are deleted.
pub async fn forget_blobs(tx: &mut Tx, case: CaseId) -> sqlx::Result<()> {
    tx.query("update deleted_cases set blobs = '[]' where case_id = $1").bind(case).execute().await?;
    Ok(())
}
