//! Certificates: one for each closed case, first as the wish for one, then as the PDF in the blob store.

use super::{from_json, to_json};
use crate::{
    clock::Timestamp,
    db::Tx,
    domain::{frozen::FrozenCase, id::CaseId},
};

#[derive(Clone, Debug)]
pub struct Certificate {
    pub case: CaseId,
    pub share_token: String,
    /// What the seal is made from besides the case and its items.
    pub frozen: FrozenCase,
    /// Present once the PDF lies in the blob store.
    pub pdf: Option<CertificatePdf>,
    /// Set when rendering was given up for good.
    pub failure: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CertificatePdf {
    pub blob_key: String,
    /// Bytes.
    pub size: i64,
    /// Lowercase hexadecimal.
    pub sha256: String,
    /// CRC-32 as ZIP archives want it; none for a PDF that was made before it was noted.
    pub crc32: Option<i64>,
    pub pages: i64,
    pub rendered_at: Timestamp,
}

/// How far the certificate of a closed case is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CertificateState {
    /// It is still being made.
    Awaited,
    Ready(CertificateFile),
    /// It was given up for good.
    Failed,
}

/// A certificate's PDF in the blob store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CertificateFile {
    pub blob_key: String,
    /// Bytes.
    pub size: i64,
    /// CRC-32 of the PDF, as ZIP archives want it; none for one that was made before it was noted.
    pub crc32: Option<i64>,
}

#[derive(sqlx::FromRow)]
struct Row {
    case_id: CaseId,
    share_token: String,
    frozen: String,
    blob_key: Option<String>,
    size: Option<i64>,
    sha256: Option<String>,
    crc32: Option<i64>,
    pages: Option<i64>,
    rendered_at: Option<Timestamp>,
    failure: Option<String>,
}

pub async fn insert(tx: &mut Tx, case: CaseId, share_token: &str, frozen: &FrozenCase) -> sqlx::Result<()> {
    tx.query("insert into certificates (case_id, share_token, frozen) values ($1, $2, $3)")
        .bind(case)
        .bind(share_token)
        .bind(to_json(frozen))
        .execute()
        .await?;
    Ok(())
}

pub async fn find(tx: &mut Tx, case: CaseId) -> sqlx::Result<Option<Certificate>> {
    let row: Option<Row> = tx.query("select * from certificates where case_id = $1").bind(case).optional().await?;
    row.map(certificate).transpose()
}

/// The certificate with this public token. The token is the permission (spec 4.16).
pub async fn find_by_share_token(tx: &mut Tx, share_token: &str) -> sqlx::Result<Option<Certificate>> {
    let row: Option<Row> =
        tx.query("select * from certificates where share_token = $1").bind(share_token).optional().await?;
    row.map(certificate).transpose()
}

/// How far the certificate of a case is, whoever owns the case. None where there is none, or no case any more.
pub async fn find_state(tx: &mut Tx, case: CaseId) -> sqlx::Result<Option<CertificateState>> {
    type Row = (Option<String>, Option<i64>, Option<i64>, Option<String>);
    let row: Option<Row> = tx
        .query("select blob_key, size, crc32, failure from certificates where case_id = $1")
        .bind(case)
        .optional()
        .await?;
    Ok(row.map(|(blob_key, size, crc32, failure)| state(blob_key, size, crc32, failure)))
}

/// Reads the columns that say how far a certificate is.
pub(super) fn state(
    blob_key: Option<String>,
    size: Option<i64>,
    crc32: Option<i64>,
    failure: Option<String>,
) -> CertificateState {
    match (blob_key, size, failure) {
        (Some(blob_key), Some(size), _) => CertificateState::Ready(CertificateFile { blob_key, size, crc32 }),
        (.., Some(_)) => CertificateState::Failed,
        _ => CertificateState::Awaited,
    }
}

/// Notes that the PDF lies in the blob store; false when one was noted already or the case is gone.
pub async fn set_pdf(tx: &mut Tx, case: CaseId, pdf: &CertificatePdf) -> sqlx::Result<bool> {
    let set = tx
        .query(
            "update certificates
             set blob_key = $2, size = $3, sha256 = $4, crc32 = $5, pages = $6, rendered_at = $7,
                 failure = null
             where case_id = $1 and blob_key is null",
        )
        .bind(case)
        .bind(&pdf.blob_key)
        .bind(pdf.size)
        .bind(&pdf.sha256)
        .bind(pdf.crc32)
        .bind(pdf.pages)
        .bind(pdf.rendered_at)
        .execute()
        .await?;
    Ok(set == 1)
}

/// Notes that rendering was given up, and why.
pub async fn set_failure(tx: &mut Tx, case: CaseId, failure: &str) -> sqlx::Result<()> {
    tx.query("update certificates set failure = $2 where case_id = $1 and blob_key is null")
        .bind(case)
        .bind(failure)
        .execute()
        .await?;
    Ok(())
}

/// Deletes the certificate of a case and gives back blob key and SHA-256 of its PDF, where one was made.
///
/// It is the deletion itself that reads them: a rendering that notes its PDF at the same moment is waited for, and is
/// either in the answer or finds no row.
pub async fn delete(tx: &mut Tx, case: CaseId) -> sqlx::Result<Option<(String, String)>> {
    let row: Option<(Option<String>, Option<String>)> = tx
        .query("delete from certificates where case_id = $1 returning blob_key, sha256")
        .bind(case)
        .optional()
        .await?;
    Ok(row.and_then(|(blob_key, sha256)| blob_key.zip(sha256)))
}

fn certificate(row: Row) -> sqlx::Result<Certificate> {
    let pdf = match (row.blob_key, row.size, row.sha256, row.pages, row.rendered_at) {
        (Some(blob_key), Some(size), Some(sha256), Some(pages), Some(rendered_at)) => {
            Some(CertificatePdf { blob_key, size, sha256, crc32: row.crc32, pages, rendered_at })
        }
        _ => None,
    };
    Ok(Certificate {
        case: row.case_id,
        share_token: row.share_token,
        frozen: from_json("frozen", &row.frozen)?,
        pdf,
        failure: row.failure,
    })
}
