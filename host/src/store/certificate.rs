//! Certificates: one for each closed case, first as a request, then as the PDF in the blob store.

use sealwright_seal::Sha256Digest;
use serde::Serialize;

use super::{
    from_json,
    job::{JobKind, JobState},
    to_json,
};
use crate::{
    blobs::BlobKey,
    clock::Timestamp,
    db::{Reader, Tx},
    domain::{
        access_key::ShareToken,
        capture::CaptureId,
        frozen::FrozenCase,
        id::{CaseId, CompanyId},
        seal::SealLevel,
    },
};

#[derive(Clone, Debug)]
pub struct Certificate {
    pub case: CaseId,
    pub share_token: ShareToken,
    /// The data for the seal besides the case and its items.
    pub frozen: FrozenCase,
    /// The seed of the items' salts; none for a case that was closed before salts existed.
    pub salt_seed: Option<String>,
    /// Present once the PDF is in the blob store.
    pub pdf: Option<CertificatePdf>,
    /// The PDF before the last time stamp was appended, until it is deleted.
    pub replaced_blob_key: Option<BlobKey>,
    /// The evidence round that its PDF is in, and the subtree there.
    pub evidence: Option<(i64, i64)>,
    /// Set if rendering was given up.
    pub failure: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CertificatePdf {
    pub blob_key: BlobKey,
    /// Bytes.
    pub size: i64,
    pub sha256: Sha256Digest,
    /// CRC-32 for ZIP archives; none for a PDF from before it was recorded.
    pub crc32: Option<i64>,
    pub pages: i64,
    pub rendered_at: Timestamp,
    /// None for a PDF from before certificates were signed.
    pub level: Option<SealLevel>,
    /// When the certificates of its newest time stamp expire; none while its time is pending.
    pub renew_before: Option<Timestamp>,
    /// Of the seal manifest in it; none for a PDF from before seals were logged.
    pub manifest: Option<Sha256Digest>,
}

/// The state of a closed case's certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CertificateState {
    /// It is still being rendered.
    Awaited,
    Ready(CertificateFile),
    /// It was given up.
    Failed,
}

/// A certificate's PDF in the blob store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CertificateFile {
    pub blob_key: BlobKey,
    /// Bytes.
    pub size: i64,
    /// CRC-32 of the PDF for ZIP archives; none for a PDF from before it was recorded.
    pub crc32: Option<i64>,
}

#[derive(sqlx_macros::FromRow)]
struct Row {
    case_id: CaseId,
    share_token: ShareToken,
    frozen: String,
    blob_key: Option<BlobKey>,
    size: Option<i64>,
    sha256: Option<Sha256Digest>,
    crc32: Option<i64>,
    pages: Option<i64>,
    rendered_at: Option<Timestamp>,
    salt_seed: Option<String>,
    level: Option<SealLevel>,
    renew_before: Option<Timestamp>,
    seal_manifest_sha256: Option<Sha256Digest>,
    replaced_blob_key: Option<BlobKey>,
    evidence_round: Option<i64>,
    evidence_subtree: Option<i64>,
    failure: Option<String>,
}

/// `salt_seed` is 32 random bytes in hexadecimal.
pub async fn insert(
    tx: &mut Tx,
    case: CaseId,
    share_token: &ShareToken,
    salt_seed: &str,
    frozen: &FrozenCase,
) -> sqlx::Result<()> {
    tx.query("insert into certificates (case_id, share_token, salt_seed, frozen) values ($1, $2, $3, $4)")
        .bind(case)
        .bind(share_token)
        .bind(salt_seed)
        .bind(to_json(frozen))
        .execute()
        .await?;
    Ok(())
}

/// Records what the client called its closing.
pub async fn set_closing_id(tx: &mut Tx, case: CaseId, closing: &CaptureId) -> sqlx::Result<()> {
    tx.query("update certificates set closing_id = $2 where case_id = $1").bind(case).bind(closing).execute().await?;
    Ok(())
}

/// The public token of a case that was closed under this identifier.
pub async fn find_by_closing_id(
    reader: &mut Reader,
    case: CaseId,
    closing: &CaptureId,
) -> sqlx::Result<Option<ShareToken>> {
    let found: Option<(ShareToken,)> = reader
        .query("select share_token from certificates where case_id = $1 and closing_id = $2")
        .bind(case)
        .bind(closing)
        .optional()
        .await?;
    Ok(found.map(|(share_token,)| share_token))
}

pub async fn find(reader: &mut Reader, case: CaseId) -> sqlx::Result<Option<Certificate>> {
    let row: Option<Row> = reader.query("select * from certificates where case_id = $1").bind(case).optional().await?;
    row.map(certificate).transpose()
}

/// The certificate with this public token. The token is the permission (spec 4.16).
pub async fn find_by_share_token(reader: &mut Reader, share_token: &ShareToken) -> sqlx::Result<Option<Certificate>> {
    let row: Option<Row> =
        reader.query("select * from certificates where share_token = $1").bind(share_token).optional().await?;
    row.map(certificate).transpose()
}

/// The state of a case's certificate, for any company. None if there is no certificate or the case is gone.
pub async fn find_state(reader: &mut Reader, case: CaseId) -> sqlx::Result<Option<CertificateState>> {
    type Row = (Option<BlobKey>, Option<i64>, Option<i64>, Option<String>);
    let row: Option<Row> = reader
        .query("select blob_key, size, crc32, failure from certificates where case_id = $1")
        .bind(case)
        .optional()
        .await?;
    Ok(row.map(|(blob_key, size, crc32, failure)| state(blob_key, size, crc32, failure)))
}

/// Reads the columns with a certificate's state.
pub(super) fn state(
    blob_key: Option<BlobKey>,
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

/// Records that the PDF is in the blob store; false if one is recorded already or the case is gone.
pub async fn set_pdf(tx: &mut Tx, case: CaseId, pdf: &CertificatePdf) -> sqlx::Result<bool> {
    let set = tx
        .query(
            "update certificates
             set blob_key = $2, size = $3, sha256 = $4, crc32 = $5, pages = $6, rendered_at = $7, level = $8,
                 renew_before = $9, seal_manifest_sha256 = $10, failure = null
             where case_id = $1 and blob_key is null",
        )
        .bind(case)
        .bind(&pdf.blob_key)
        .bind(pdf.size)
        .bind(pdf.sha256)
        .bind(pdf.crc32)
        .bind(pdf.pages)
        .bind(pdf.rendered_at)
        .bind(pdf.level)
        .bind(pdf.renew_before)
        .bind(pdf.manifest)
        .execute()
        .await?;
    Ok(set == 1)
}

/// Replaces the PDF with the key `old` by one with a further time stamp, and records that the old one must be deleted.
/// An evidence round that had the old one is not about the new one. False if the old one is gone, or an earlier one is
/// not deleted yet.
pub async fn replace_pdf(tx: &mut Tx, case: CaseId, old: &BlobKey, pdf: &CertificatePdf) -> sqlx::Result<bool> {
    let replaced = tx
        .query(
            "update certificates
             set blob_key = $3, size = $4, sha256 = $5, crc32 = $6, level = $7, renew_before = $8, replaced_blob_key = $2,
                 evidence_round = null, evidence_subtree = null
             where case_id = $1 and blob_key = $2 and replaced_blob_key is null",
        )
        .bind(case)
        .bind(old)
        .bind(&pdf.blob_key)
        .bind(pdf.size)
        .bind(pdf.sha256)
        .bind(pdf.crc32)
        .bind(pdf.level)
        .bind(pdf.renew_before)
        .execute()
        .await?;
    Ok(replaced == 1)
}

/// Takes the PDF with this seal manifest out of service, so that a successor is made, and returns the keys of the blobs
/// that must be deleted. None if there is no such PDF.
pub async fn take_pdf(tx: &mut Tx, case: CaseId, manifest: Sha256Digest) -> sqlx::Result<Option<Vec<BlobKey>>> {
    let row: Option<(BlobKey, Option<BlobKey>)> = tx
        .query(
            "select blob_key, replaced_blob_key from certificates
             where case_id = $1 and seal_manifest_sha256 = $2 and blob_key is not null",
        )
        .bind(case)
        .bind(manifest)
        .optional()
        .await?;
    let Some((blob_key, replaced)) = row else { return Ok(None) };
    let taken = tx
        .query(
            "update certificates
             set blob_key = null, size = null, sha256 = null, crc32 = null, pages = null, rendered_at = null,
                 level = null, renew_before = null, seal_manifest_sha256 = null, replaced_blob_key = null,
                 evidence_round = null, evidence_subtree = null
             where case_id = $1 and blob_key = $2",
        )
        .bind(case)
        .bind(&blob_key)
        .execute()
        .await?;
    Ok((taken == 1).then(|| std::iter::once(blob_key).chain(replaced).collect()))
}

/// Records that the replaced PDF is deleted.
pub async fn forget_replaced(tx: &mut Tx, case: CaseId, key: &BlobKey) -> sqlx::Result<()> {
    tx.query("update certificates set replaced_blob_key = null where case_id = $1 and replaced_blob_key = $2")
        .bind(case)
        .bind(key)
        .execute()
        .await?;
    Ok(())
}

/// Cases whose certificates' newest time stamps expire before `before`, the earliest first. Certificates in an evidence
/// round are renewed with it.
pub async fn due_for_renewal(reader: &mut Reader, before: Timestamp, most: i64) -> sqlx::Result<Vec<CaseId>> {
    let rows: Vec<(CaseId,)> = reader
        .query(
            "select case_id from certificates where renew_before < $1 and evidence_round is null
             order by renew_before, case_id limit $2",
        )
        .bind(before)
        .bind(most)
        .all()
        .await?;
    Ok(rows.into_iter().map(|(case,)| case).collect())
}

/// A certificate with work left: it is not made yet, was given up, or lacks a time stamp or its entry in the log of seals.
#[derive(Clone, Debug, Serialize, sqlx_macros::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct PendingCertificate {
    pub case_id: CaseId,
    pub company_id: CompanyId,
    /// `seal`: it is being made; `renew-seal`: it exists, and something is appended to it.
    pub work: JobKind,
    pub state: JobState,
    pub closed_at: Option<Timestamp>,
    /// When it is tried next.
    pub run_at: Timestamp,
    /// The part of the machine that was unavailable at the last attempt.
    pub waits_for: Option<String>,
    pub last_error: Option<String>,
}

/// The certificates with work left, of all companies: those whose work became due first, in the order of their closings.
/// Reads at most four times `most` jobs, however many there are.
pub async fn pending(reader: &mut Reader, most: i64) -> sqlx::Result<Vec<PendingCertificate>> {
    reader
        .query(
            "select c.id as case_id, c.company_id, j.kind as work, j.state, c.closed_at, j.run_at, j.waits_for,
                    j.last_error
             from (select kind, subject, state, run_at, waits_for, last_error from (
                     select * from (select * from jobs where kind = 'seal' and state in ('failed', 'quarantined')
                                    order by due_at limit $1) stopped_seals
                     union all
                     select * from (select * from jobs where kind = 'renew-seal' and state in ('failed', 'quarantined')
                                    order by due_at limit $1) stopped_renewals
                     union all
                     select * from (select * from jobs
                                    where kind = 'seal' and state in ('ready', 'running', 'suspect')
                                    order by due_at limit $1) seals
                     union all
                     select * from (select * from jobs
                                    where kind = 'renew-seal' and state in ('ready', 'running', 'suspect')
                                    order by due_at limit $1) renewals
                   ) oldest order by due_at, id limit $1) j
             join cases c on c.id = j.subject order by c.closed_at, c.id",
        )
        .bind(most)
        .all()
        .await
}

/// Records that rendering was given up, and why.
pub async fn set_failure(tx: &mut Tx, case: CaseId, failure: &str) -> sqlx::Result<()> {
    tx.query("update certificates set failure = $2 where case_id = $1 and blob_key is null")
        .bind(case)
        .bind(failure)
        .execute()
        .await?;
    Ok(())
}

/// What remains of a deleted certificate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeletedCertificate {
    /// The PDF's key, and that of a replaced one that is not deleted yet.
    pub blob_keys: Vec<BlobKey>,
    /// Of the PDF, if there was one.
    pub sha256: Option<Sha256Digest>,
}

/// Deletes the certificate of a case.
///
/// The deletion itself reads the keys: it waits for a rendering that records its PDF at the same moment, which is then
/// either included or finds no row.
pub async fn delete(tx: &mut Tx, case: CaseId) -> sqlx::Result<DeletedCertificate> {
    let row: Option<(Option<BlobKey>, Option<BlobKey>, Option<Sha256Digest>)> = tx
        .query("delete from certificates where case_id = $1 returning blob_key, replaced_blob_key, sha256")
        .bind(case)
        .optional()
        .await?;
    let (blob_key, replaced, sha256) = row.unwrap_or_default();
    Ok(DeletedCertificate { blob_keys: blob_key.into_iter().chain(replaced).collect(), sha256 })
}

fn certificate(row: Row) -> sqlx::Result<Certificate> {
    let pdf = match (row.blob_key, row.size, row.sha256, row.pages, row.rendered_at) {
        (Some(blob_key), Some(size), Some(sha256), Some(pages), Some(rendered_at)) => {
            let (crc32, level, renew_before, manifest) =
                (row.crc32, row.level, row.renew_before, row.seal_manifest_sha256);
            Some(CertificatePdf { blob_key, size, sha256, crc32, pages, rendered_at, level, renew_before, manifest })
        }
        _ => None,
    };
    Ok(Certificate {
        case: row.case_id,
        share_token: row.share_token,
        frozen: from_json("frozen", &row.frozen)?,
        salt_seed: row.salt_seed,
        pdf,
        replaced_blob_key: row.replaced_blob_key,
        evidence: row.evidence_round.zip(row.evidence_subtree),
        failure: row.failure,
    })
}
