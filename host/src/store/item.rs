//! Items of cases.

use sealwright_seal::Sha256Digest;

use super::{case_word, from_json, to_json};
use crate::{
    blobs::BlobKey,
    clock::Timestamp,
    db::{Reader, Tx},
    domain::{
        access_key::MediaKey,
        capture::CaptureId,
        file_kind::FileKind,
        id::{CaseId, ItemId, StepId},
        item::{Client, Device, ItemReference, Position},
        step::StepAction,
    },
};

/// A stored item. Its step is kept as it was when the item was received: the frame may change, the evidence may not.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    pub id: ItemId,
    pub case: CaseId,
    pub created_at: Timestamp,
    pub content: NewItem,
    /// Of the time-stamp token over the file, if there is one.
    pub token_sha256: Option<Sha256Digest>,
}

/// An item to store; the database gives it its identifier.
#[derive(Clone, Debug, PartialEq)]
pub struct NewItem {
    pub step: StepId,
    pub step_title: String,
    pub step_description: String,
    pub action: StepAction,
    /// The entered value; for a file, its name.
    pub data: String,
    pub position: Option<Position>,
    pub device: Device,
    pub client: Option<Client>,
    pub file: Option<ItemFile>,
    /// Whether the file must be time-stamped. False for an item without a file.
    pub wants_time_stamp: bool,
    /// The client's identifier of the capture, if it gave one. Unique in a case.
    pub capture: Option<CaptureId>,
}

/// The file of an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemFile {
    pub blob_key: BlobKey,
    pub kind: FileKind,
    /// Bytes.
    pub size: i64,
    pub sha256: Sha256Digest,
    pub media_key: MediaKey,
    /// Whether its step requires its deletion after the analysis (spec 2.1). Stored with the analysis, not with the
    /// item.
    pub deletes_after_analysis: bool,
    /// Set once it is deleted: the bytes are or will be removed, their hash stays.
    pub deleted_at: Option<Timestamp>,
}

#[derive(sqlx_macros::FromRow)]
struct Row {
    id: ItemId,
    case_id: CaseId,
    step_id: StepId,
    step_title: String,
    step_description: String,
    action: StepAction,
    data: String,
    created_at: Timestamp,
    latitude: Option<String>,
    longitude: Option<String>,
    accuracy: Option<String>,
    device: String,
    client: Option<String>,
    blob_key: Option<BlobKey>,
    file_type: Option<FileKind>,
    file_size: Option<i64>,
    file_sha256: Option<Sha256Digest>,
    media_key: Option<MediaKey>,
    wants_time_stamp: bool,
    capture_id: Option<CaptureId>,
    token_sha256: Option<Sha256Digest>,
    file_deleted_at: Option<Timestamp>,
    deletes_file: bool,
}

/// Items with the hashes of their tokens; the tokens themselves have kilobytes and are rarely needed.
macro_rules! select {
    () => {
        "select i.*, t.sha256 as token_sha256, coalesce(a.deletes_file, false) as deletes_file
         from items i left join item_tokens t on t.item_id = i.id left join item_analyses a on a.item_id = i.id "
    };
}

impl Item {
    pub fn reference(&self) -> ItemReference {
        ItemReference { item: self.id, case: self.case }
    }
}

/// Stores an item. The caller has locked the case's row (see [`super::case::count_item`]).
pub async fn insert(tx: &mut Tx, case: CaseId, item: &NewItem, now: Timestamp) -> sqlx::Result<ItemId> {
    let (position, file) = (item.position.as_ref(), item.file.as_ref());
    let (id,) = tx
        .query(
            "insert into items (case_id, step_id, step_title, step_description, action, data, created_at, latitude,
                                longitude, accuracy, device, client, blob_key, file_type, file_size, file_sha256,
                                media_key, wants_time_stamp, capture_id)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)
             returning id",
        )
        .bind(case)
        .bind(item.step)
        .bind(&item.step_title)
        .bind(&item.step_description)
        .bind(item.action)
        .bind(&item.data)
        .bind(now)
        .bind(position.map(|position| &position.latitude))
        .bind(position.map(|position| &position.longitude))
        .bind(position.and_then(|position| position.accuracy.as_ref()))
        .bind(to_json(&item.device))
        .bind(item.client.as_ref().map(to_json))
        .bind(file.map(|file| &file.blob_key))
        .bind(file.map(|file| file.kind))
        .bind(file.map(|file| file.size))
        .bind(file.map(|file| file.sha256))
        .bind(file.map(|file| &file.media_key))
        .bind(item.wants_time_stamp)
        .bind(&item.capture)
        .one()
        .await?;
    case_word::note_change(tx, case).await?;
    Ok(id)
}

/// Records that an item's file is deleted: it is not served from now on.
pub async fn set_file_deleted(tx: &mut Tx, id: ItemId, now: Timestamp) -> sqlx::Result<()> {
    tx.query("update items set file_deleted_at = coalesce(file_deleted_at, $2) where id = $1")
        .bind(id)
        .bind(now)
        .execute()
        .await?;
    Ok(())
}

/// The items of a case, in the order in which they were received.
pub async fn of_case(reader: &mut Reader, case: CaseId) -> sqlx::Result<Vec<Item>> {
    let rows: Vec<Row> =
        reader.query(concat!(select!(), "where i.case_id = $1 order by i.id")).bind(case).all().await?;
    rows.into_iter().map(item).collect()
}

/// The item whose file has this public key. The key is the permission (spec 4.16).
pub async fn find_by_media_key(reader: &mut Reader, media_key: &MediaKey) -> sqlx::Result<Option<Item>> {
    let row: Option<Row> =
        reader.query(concat!(select!(), "where i.media_key = $1")).bind(media_key).optional().await?;
    row.map(item).transpose()
}

/// The item of a case that was captured under this identifier.
pub async fn find_by_capture(reader: &mut Reader, case: CaseId, capture: &CaptureId) -> sqlx::Result<Option<Item>> {
    let row: Option<Row> = reader
        .query(concat!(select!(), "where i.case_id = $1 and i.capture_id = $2"))
        .bind(case)
        .bind(capture)
        .optional()
        .await?;
    row.map(item).transpose()
}

/// An item by its identifier, of any company.
pub async fn find(reader: &mut Reader, id: ItemId) -> sqlx::Result<Option<Item>> {
    let row: Option<Row> = reader.query(concat!(select!(), "where i.id = $1")).bind(id).optional().await?;
    row.map(item).transpose()
}

/// The file of a deleted item.
#[derive(Clone, Debug, sqlx_macros::FromRow)]
pub struct DeletedFile {
    pub id: ItemId,
    pub blob_key: Option<BlobKey>,
    pub file_sha256: Option<Sha256Digest>,
}

/// Deletes the items of a case, whose row the caller has locked (see [`super::case::lock`]), and returns the files of
/// those that had one, in the order in which they were received.
pub async fn delete_of_case(tx: &mut Tx, case: CaseId) -> sqlx::Result<Vec<DeletedFile>> {
    let mut deleted: Vec<DeletedFile> =
        tx.query("delete from items where case_id = $1 returning id, blob_key, file_sha256").bind(case).all().await?;
    deleted.sort_by_key(|file| file.id);
    Ok(deleted)
}

fn item(row: Row) -> sqlx::Result<Item> {
    let position = match (row.latitude, row.longitude) {
        (Some(latitude), Some(longitude)) => Some(Position { latitude, longitude, accuracy: row.accuracy }),
        _ => None,
    };
    let file = match (row.blob_key, row.file_type, row.file_size, row.file_sha256, row.media_key) {
        (Some(blob_key), Some(kind), Some(size), Some(sha256), Some(media_key)) => Some(ItemFile {
            blob_key,
            kind,
            size,
            sha256,
            media_key,
            deletes_after_analysis: row.deletes_file,
            deleted_at: row.file_deleted_at,
        }),
        _ => None,
    };
    Ok(Item {
        id: row.id,
        case: row.case_id,
        created_at: row.created_at,
        content: NewItem {
            step: row.step_id,
            step_title: row.step_title,
            step_description: row.step_description,
            action: row.action,
            data: row.data,
            position,
            device: from_json("device", &row.device)?,
            client: row.client.map(|json| from_json("client", &json)).transpose()?,
            file,
            wants_time_stamp: row.wants_time_stamp,
            capture: row.capture_id,
        },
        token_sha256: row.token_sha256,
    })
}
