//! Uploads by pieces, and their pieces.

use sealwright_seal::Sha256Digest;
use serde_json::Value;

use super::{from_json, to_json};
use crate::{
    blobs::BlobKey,
    clock::Timestamp,
    db::{Reader, Tx},
    domain::{
        access_key::UploadKey,
        capture::CaptureId,
        id::{CaseId, CompanyId, ItemId, StepId, UploadId},
        step::StepAction,
    },
};

/// A stored upload. One that is gone is never returned.
#[derive(Clone, Debug, PartialEq)]
pub struct Upload {
    pub id: UploadId,
    pub key: UploadKey,
    pub company: CompanyId,
    pub case: CaseId,
    pub step: StepId,
    /// Of the step, when the upload was created.
    pub action: StepAction,
    pub capture: Option<CaptureId>,
    /// The item as a `createItemDto`.
    pub description: Value,
    /// Bytes.
    pub length: i64,
    /// Bytes, from the start of the file.
    pub received: i64,
    /// Of the whole file, as the client declared it.
    pub sha256: Option<Sha256Digest>,
    /// Counts only while the upload is not finished.
    pub expires_at: Timestamp,
    /// What it has become. None: it is not finished.
    pub item: Option<ItemId>,
    /// How many pieces are stored.
    pub pieces: i64,
}

/// An upload to store; the database gives it its identifier.
#[derive(Clone, Debug)]
pub struct NewUpload<'a> {
    pub key: &'a UploadKey,
    pub case: CaseId,
    pub step: StepId,
    pub action: StepAction,
    pub capture: Option<&'a CaptureId>,
    pub description: &'a Value,
    pub length: i64,
    pub sha256: Option<Sha256Digest>,
    pub created_at: Timestamp,
    pub expires_at: Timestamp,
}

/// A part of a file, in the blob store.
#[derive(Clone, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct Piece {
    /// The offset of its first byte in the file.
    pub start: i64,
    /// Bytes.
    pub size: i64,
    pub blob_key: BlobKey,
}

#[derive(sqlx_macros::FromRow)]
struct Row {
    id: UploadId,
    upload_key: UploadKey,
    company_id: CompanyId,
    case_id: CaseId,
    step_id: StepId,
    action: StepAction,
    capture_id: Option<CaptureId>,
    item: String,
    length: i64,
    received: i64,
    sha256: Option<Sha256Digest>,
    expires_at: Timestamp,
    item_id: Option<ItemId>,
    pieces: i64,
}

macro_rules! select {
    () => {
        "select u.id, u.upload_key, u.company_id, u.case_id, u.step_id, u.action, u.capture_id, u.item, u.length,
                u.received, u.sha256, u.expires_at, u.item_id,
                (select count(*) from upload_pieces p where p.upload_id = u.id) as pieces
         from uploads u where u.state <> 'gone' "
    };
}

/// Stores an upload without a piece. The caller has locked the case's row.
pub async fn insert(tx: &mut Tx, company: CompanyId, upload: &NewUpload<'_>) -> sqlx::Result<()> {
    tx.query(
        "insert into uploads (upload_key, company_id, case_id, step_id, action, capture_id, item, length, received,
                              sha256, state, created_at, expires_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, 0, $9, 'receiving', $10, $11)",
    )
    .bind(upload.key)
    .bind(company)
    .bind(upload.case)
    .bind(upload.step)
    .bind(upload.action)
    .bind(upload.capture)
    .bind(to_json(upload.description))
    .bind(upload.length)
    .bind(upload.sha256)
    .bind(upload.created_at)
    .bind(upload.expires_at)
    .execute()
    .await?;
    Ok(())
}

/// The company's upload with this key.
pub async fn find(reader: &mut Reader, company: CompanyId, key: &UploadKey) -> sqlx::Result<Option<Upload>> {
    let query = reader.query(concat!(select!(), "and u.company_id = $1 and u.upload_key = $2"));
    query.bind(company).bind(key).optional().await?.map(upload).transpose()
}

/// The upload of a capture in a case.
pub async fn of_capture(reader: &mut Reader, case: CaseId, capture: &CaptureId) -> sqlx::Result<Option<Upload>> {
    let query = reader.query(concat!(select!(), "and u.case_id = $1 and u.capture_id = $2"));
    query.bind(case).bind(capture).optional().await?.map(upload).transpose()
}

/// How many uploads to a case are neither finished nor expired.
pub async fn count_unfinished(reader: &mut Reader, case: CaseId, now: Timestamp) -> sqlx::Result<i64> {
    let sql = "select count(*) from uploads where case_id = $1 and state = 'receiving' and expires_at > $2";
    let (count,) = reader.query(sql).bind(case).bind(now).one().await?;
    Ok(count)
}

/// Appends a piece if the upload still has the length at which the piece starts. False if it has not: another request
/// has appended one, or the upload is finished or gone.
pub async fn append(tx: &mut Tx, upload: UploadId, piece: &Piece, expires_at: Timestamp) -> sqlx::Result<bool> {
    let appended = tx
        .query(
            "update uploads set received = received + $3, expires_at = $4
             where id = $1 and received = $2 and received + $3 <= length and state = 'receiving'",
        )
        .bind(upload)
        .bind(piece.start)
        .bind(piece.size)
        .bind(expires_at)
        .execute()
        .await?;
    if appended != 1 {
        return Ok(false);
    }
    tx.query("insert into upload_pieces (upload_id, start, size, blob_key) values ($1, $2, $3, $4)")
        .bind(upload)
        .bind(piece.start)
        .bind(piece.size)
        .bind(&piece.blob_key)
        .execute()
        .await?;
    Ok(true)
}

/// The pieces of an upload, in the order of the file.
pub async fn pieces(reader: &mut Reader, upload: UploadId) -> sqlx::Result<Vec<Piece>> {
    let sql = "select start, size, blob_key from upload_pieces where upload_id = $1 order by start";
    reader.query(sql).bind(upload).all().await
}

/// Marks a completely received upload as finished. Of several requests that try, one gets true. The caller has locked
/// the case's row, and calls [`set_item`] in the same transaction.
pub async fn claim(tx: &mut Tx, upload: UploadId) -> sqlx::Result<bool> {
    let sql = "update uploads set state = 'finished' where id = $1 and state = 'receiving' and received = length";
    Ok(tx.query(sql).bind(upload).execute().await? == 1)
}

/// Records the item that a finished upload has become. Its description is the item's from now on.
pub async fn set_item(tx: &mut Tx, upload: UploadId, item: ItemId) -> sqlx::Result<()> {
    let sql = "update uploads set item_id = $2, item = '{}' where id = $1";
    tx.query(sql).bind(upload).bind(item).execute().await?;
    Ok(())
}

/// Ends an unfinished upload. Its pieces stay until [`forget_ended`]. False if it is finished or gone.
pub async fn end(tx: &mut Tx, upload: UploadId) -> sqlx::Result<bool> {
    let sql = "update uploads set state = 'gone', item = '{}' where id = $1 and state = 'receiving'";
    Ok(tx.query(sql).bind(upload).execute().await? == 1)
}

/// Ends an upload like [`end`], if it has expired by now.
pub async fn end_expired(tx: &mut Tx, upload: UploadId, now: Timestamp) -> sqlx::Result<bool> {
    let sql = "update uploads set state = 'gone', item = '{}'
               where id = $1 and state = 'receiving' and expires_at <= $2";
    Ok(tx.query(sql).bind(upload).bind(now).execute().await? == 1)
}

/// Some of the expired uploads of all companies, with their cases. For the periodic sweep.
pub async fn expired(reader: &mut Reader, now: Timestamp) -> sqlx::Result<Vec<(UploadId, CaseId)>> {
    let sql = "select id, case_id from uploads where state = 'receiving' and expires_at <= $1 order by id limit 100";
    reader.query(sql).bind(now).all().await
}

/// The pieces that are still stored although their uploads to this case have ended. For jobs.
pub async fn ended_pieces(reader: &mut Reader, case: CaseId) -> sqlx::Result<Vec<(UploadId, BlobKey)>> {
    let sql = "select u.id, p.blob_key from uploads u join upload_pieces p on p.upload_id = u.id
               where u.case_id = $1 and u.state in ('finished', 'gone') order by u.id, p.start";
    reader.query(sql).bind(case).all().await
}

/// Forgets the pieces of an ended upload, whose blobs are deleted.
pub async fn forget_pieces(tx: &mut Tx, upload: UploadId) -> sqlx::Result<()> {
    tx.query("delete from upload_pieces where upload_id = $1").bind(upload).execute().await?;
    Ok(())
}

/// Forgets the uploads to a case that are gone and have no piece. True if ended ones with pieces are left. The caller
/// has called [`lock_case`].
pub async fn forget_ended(tx: &mut Tx, case: CaseId) -> sqlx::Result<bool> {
    tx.query(
        "delete from uploads where case_id = $1 and state = 'gone'
           and not exists (select 1 from upload_pieces p where p.upload_id = uploads.id)",
    )
    .bind(case)
    .execute()
    .await?;
    Ok(!ended_pieces(tx, case).await?.is_empty())
}

/// Locks the row of a case of any company, if it still exists. For jobs.
pub async fn lock_case(tx: &mut Tx, case: CaseId) -> sqlx::Result<()> {
    tx.query("update cases set item_count = item_count where id = $1").bind(case).execute().await?;
    Ok(())
}

/// Deletes the uploads to a case, whose row the caller has locked, and returns the blobs of their pieces.
pub async fn delete_of_case(tx: &mut Tx, case: CaseId) -> sqlx::Result<Vec<BlobKey>> {
    // Locks the rows: a piece is appended before this, or not at all.
    tx.query("update uploads set state = 'gone' where case_id = $1").bind(case).execute().await?;
    let blobs: Vec<(BlobKey,)> = tx
        .query(
            "delete from upload_pieces where upload_id in (select id from uploads where case_id = $1)
             returning blob_key",
        )
        .bind(case)
        .all()
        .await?;
    tx.query("delete from uploads where case_id = $1").bind(case).execute().await?;
    Ok(blobs.into_iter().map(|(key,)| key).collect())
}

fn upload(row: Row) -> sqlx::Result<Upload> {
    Ok(Upload {
        id: row.id,
        key: row.upload_key,
        company: row.company_id,
        case: row.case_id,
        step: row.step_id,
        action: row.action,
        capture: row.capture_id,
        description: from_json("item", &row.item)?,
        length: row.length,
        received: row.received,
        sha256: row.sha256,
        expires_at: row.expires_at,
        item: row.item_id,
        pieces: row.pieces,
    })
}
