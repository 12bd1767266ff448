//! What remains of items that were erased from sealed cases, and the keys of their blobs until they are deleted.

use sealwright_seal::Sha256Digest;

use super::{from_json, to_json};
use crate::{
    blobs::BlobKey,
    clock::Timestamp,
    db::{Reader, Tx},
    domain::{
        erasure::Ground,
        id::{CaseId, ItemId, StepId},
    },
};

/// An erased item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErasedItem {
    pub item: ItemId,
    pub step: StepId,
    /// Among all items of the first certificate, from 0.
    pub place: i64,
    pub commitment: Sha256Digest,
    /// Of the first certificate and of every successor.
    pub root: Sha256Digest,
    /// The seal manifest that was replaced.
    pub predecessor: Sha256Digest,
    pub ground: Ground,
    /// The company or the operator, by name.
    pub erased_by: String,
    pub erased_at: Timestamp,
}

#[derive(sqlx_macros::FromRow)]
struct Row {
    item_id: ItemId,
    step_id: StepId,
    place: i64,
    commitment: Sha256Digest,
    root: Sha256Digest,
    predecessor: Sha256Digest,
    ground: Ground,
    erased_by: String,
    erased_at: Timestamp,
}

/// Records an erasure. `blobs` must be deleted.
pub async fn insert(tx: &mut Tx, case: CaseId, erased: &ErasedItem, blobs: &[BlobKey]) -> sqlx::Result<()> {
    tx.query(
        "insert into erased_items (item_id, case_id, step_id, place, commitment, root, predecessor, ground, erased_by,
                                   erased_at, blobs)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
    )
    .bind(erased.item)
    .bind(case)
    .bind(erased.step)
    .bind(erased.place)
    .bind(erased.commitment)
    .bind(erased.root)
    .bind(erased.predecessor)
    .bind(erased.ground)
    .bind(&erased.erased_by)
    .bind(erased.erased_at)
    .bind(to_json(&blobs))
    .execute()
    .await?;
    Ok(())
}

/// The erased items of a case, in the order of their erasure.
pub async fn of_case(reader: &mut Reader, case: CaseId) -> sqlx::Result<Vec<ErasedItem>> {
    let rows: Vec<Row> = reader
        .query(
            "select item_id, step_id, place, commitment, root, predecessor, ground, erased_by, erased_at
             from erased_items where case_id = $1 order by erased_at, place",
        )
        .bind(case)
        .all()
        .await?;
    Ok(rows.into_iter().map(erased).collect())
}

/// The keys of the blobs that must still be deleted, in the order of the items' numbers.
pub async fn blobs(reader: &mut Reader, case: CaseId) -> sqlx::Result<Vec<BlobKey>> {
    let rows: Vec<(String,)> = reader
        .query("select blobs from erased_items where case_id = $1 and blobs <> '[]' order by item_id")
        .bind(case)
        .all()
        .await?;
    let mut all = Vec::new();
    for (json,) in rows {
        let keys: Vec<BlobKey> = from_json("blobs", &json)?;
        all.extend(keys);
    }
    Ok(all)
}

/// Records that the blobs are deleted.
pub async fn forget_blobs(tx: &mut Tx, case: CaseId) -> sqlx::Result<()> {
    tx.query("update erased_items set blobs = '[]' where case_id = $1").bind(case).execute().await?;
    Ok(())
}

/// Deletes an item's row and, with it, its analysis, its calls of plugins, its time-stamp token and its picture's hashes;
/// returns the keys of its blobs. None if it is gone.
pub async fn delete_item(tx: &mut Tx, case: CaseId, item: ItemId) -> sqlx::Result<Option<Vec<BlobKey>>> {
    let facts: Vec<(BlobKey,)> = tx
        .query("select facts_key from item_analyses where item_id = $1 and facts_key is not null")
        .bind(item)
        .all()
        .await?;
    let deleted: Option<(Option<BlobKey>,)> = tx
        .query("delete from items where id = $1 and case_id = $2 returning blob_key")
        .bind(item)
        .bind(case)
        .optional()
        .await?;
    let Some((file,)) = deleted else { return Ok(None) };
    Ok(Some(file.into_iter().chain(facts.into_iter().map(|(key,)| key)).collect()))
}

/// Deletes what was derived from all items of a case together (the words are made again), and what clients said of the item before it came.
pub async fn delete_derived(tx: &mut Tx, case: CaseId, item: ItemId) -> sqlx::Result<()> {
    tx.query("delete from plugin_runs where case_id = $1 and item_id is null").bind(case).execute().await?;
    tx.query("delete from case_words where case_id = $1").bind(case).execute().await?;
    tx.query("delete from case_packages where case_id = $1").bind(case).execute().await?;
    tx.query("delete from backtest_cases where case_id = $1").bind(case).execute().await?;
    tx.query("update uploads set item = '{}', state = 'gone' where case_id = $1 and item_id = $2")
        .bind(case)
        .bind(item)
        .execute()
        .await?;
    Ok(())
}

/// Deletes the capture records of a case. Each contains the digest of the one before it, so none can be taken out.
pub async fn delete_capture_records(tx: &mut Tx, case: CaseId) -> sqlx::Result<()> {
    tx.query("delete from capture_records where case_id = $1").bind(case).execute().await?;
    Ok(())
}

fn erased(row: Row) -> ErasedItem {
    let Row { item_id, step_id, place, commitment, root, predecessor, ground, erased_by, erased_at } = row;
    ErasedItem { item: item_id, step: step_id, place, commitment, root, predecessor, ground, erased_by, erased_at }
}
