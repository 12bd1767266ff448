//! The log of seals: its head, its entries, and the nodes of its tree.

use sealwright_seal::{
    Sha256Digest,
    tlog::tree::{Frontier, Node},
};

use super::{from_json, to_json};
use crate::{
    db::{Reader, Tx},
    domain::id::CaseId,
};

/// The head of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// The log's name.
    pub origin: String,
    /// How many logs were started so far; the first is 1.
    pub epoch: i64,
    pub frontier: Frontier,
    /// The signed note over [`Frontier::size`]. Empty while the log is empty.
    pub checkpoint: String,
}

/// An entry to append.
#[derive(Clone, Copy, Debug)]
pub struct NewEntry<'e> {
    /// Canonical JSON.
    pub entry: &'e str,
    /// None for an entry that is not about a case.
    pub case: Option<CaseId>,
    /// For a seal, its manifest.
    pub manifest: Option<Sha256Digest>,
}

/// What the column of the case holds for an entry that is not about a case.
const NO_CASE: i64 = 0;

#[derive(sqlx_macros::FromRow)]
struct HeadRow {
    origin: String,
    epoch: i64,
    size: i64,
    peaks: String,
    checkpoint: String,
}

/// The head, if a log was ever started.
pub async fn head(reader: &mut Reader) -> sqlx::Result<Option<Head>> {
    let row: Option<HeadRow> =
        reader.query("select origin, epoch, size, peaks, checkpoint from log_head where id = 1").optional().await?;
    row.map(HeadRow::read).transpose()
}

/// The head, locked until the transaction ends, so that entries are appended one after the other. Starts the log under
/// the name `origin` if it is new.
pub async fn lock(tx: &mut Tx, origin: &str) -> sqlx::Result<Head> {
    loop {
        let row: Option<HeadRow> = tx
            .query("update log_head set size = size where id = 1 returning origin, epoch, size, peaks, checkpoint")
            .optional()
            .await?;
        if let Some(row) = row {
            return row.read();
        }
        // Another node may do the same now: the update decides.
        tx.query(
            "insert into log_head (id, origin, size, peaks, checkpoint) values (1, $1, 0, '[]', '')
             on conflict (id) do nothing",
        )
        .bind(origin)
        .execute()
        .await?;
    }
}

/// Stores the new head.
pub async fn set_head(tx: &mut Tx, frontier: &Frontier, checkpoint: &str) -> sqlx::Result<()> {
    tx.query("update log_head set size = $1, peaks = $2, checkpoint = $3 where id = 1")
        .bind(to_column(frontier.size())?)
        .bind(to_json(&frontier.peaks()))
        .bind(checkpoint)
        .execute()
        .await?;
    Ok(())
}

/// Starts a log under another name with the existing entries.
pub async fn begin_again(tx: &mut Tx, origin: &str, epoch: i64, checkpoint: &str) -> sqlx::Result<()> {
    tx.query("update log_head set origin = $1, epoch = $2, checkpoint = $3 where id = 1")
        .bind(origin)
        .bind(epoch)
        .bind(checkpoint)
        .execute()
        .await?;
    Ok(())
}

/// The position of an entry, if it is in the log.
pub async fn position(reader: &mut Reader, entry: &str) -> sqlx::Result<Option<u64>> {
    let row: Option<(i64,)> =
        reader.query("select position from log_entries where entry = $1").bind(entry).optional().await?;
    row.map(|(position,)| from_column(position)).transpose()
}

pub async fn insert(tx: &mut Tx, position: u64, new: NewEntry<'_>) -> sqlx::Result<()> {
    tx.query("insert into log_entries (position, entry, case_id, seal_manifest_sha256) values ($1, $2, $3, $4)")
        .bind(to_column(position)?)
        .bind(new.entry)
        .bind(new.case.map_or(NO_CASE, CaseId::get))
        .bind(new.manifest)
        .execute()
        .await?;
    Ok(())
}

pub async fn insert_node(tx: &mut Tx, node: Node, hash: Sha256Digest) -> sqlx::Result<()> {
    tx.query("insert into log_nodes (level, position, hash) values ($1, $2, $3)")
        .bind(i64::from(node.level))
        .bind(to_column(node.index)?)
        .bind(hash)
        .execute()
        .await?;
    Ok(())
}

/// Up to `count` nodes of a level, from `first` on.
pub async fn nodes(reader: &mut Reader, level: u8, first: u64, count: u64) -> sqlx::Result<Vec<Sha256Digest>> {
    let rows: Vec<(Sha256Digest,)> = reader
        .query("select hash from log_nodes where level = $1 and position >= $2 and position < $3 order by position")
        .bind(i64::from(level))
        .bind(to_column(first)?)
        .bind(to_column(first.saturating_add(count))?)
        .all()
        .await?;
    Ok(rows.into_iter().map(|(hash,)| hash).collect())
}

/// Up to `count` entries, from the one at `first` on.
pub async fn entries(reader: &mut Reader, first: u64, count: u64) -> sqlx::Result<Vec<String>> {
    let rows: Vec<(String,)> = reader
        .query("select entry from log_entries where position >= $1 and position < $2 order by position")
        .bind(to_column(first)?)
        .bind(to_column(first.saturating_add(count))?)
        .all()
        .await?;
    Ok(rows.into_iter().map(|(entry,)| entry).collect())
}

/// The last entry that is not about a case.
pub async fn last_about_no_case(reader: &mut Reader) -> sqlx::Result<Option<String>> {
    let row: Option<(String,)> = reader
        .query("select entry from log_entries where case_id = $1 order by position desc limit 1")
        .bind(NO_CASE)
        .optional()
        .await?;
    Ok(row.map(|(entry,)| entry))
}

/// The manifest of a case's last seal in the log.
pub async fn manifest_of_case(reader: &mut Reader, case: CaseId) -> sqlx::Result<Option<Sha256Digest>> {
    let row: Option<(Sha256Digest,)> = reader
        .query(
            "select seal_manifest_sha256 from log_entries
             where case_id = $1 and seal_manifest_sha256 is not null order by position desc limit 1",
        )
        .bind(case)
        .optional()
        .await?;
    Ok(row.map(|(digest,)| digest))
}

impl HeadRow {
    fn read(self) -> sqlx::Result<Head> {
        let peaks = from_json("peaks", &self.peaks)?;
        let frontier = Frontier::new(from_column(self.size)?, peaks);
        let frontier =
            frontier.ok_or_else(|| sqlx::Error::Decode("the log's head has a wrong number of peaks".into()))?;
        Ok(Head { origin: self.origin, epoch: self.epoch, frontier, checkpoint: self.checkpoint })
    }
}

pub(super) fn to_column(number: u64) -> sqlx::Result<i64> {
    i64::try_from(number).map_err(|error| sqlx::Error::Encode(Box::new(error)))
}

pub(super) fn from_column(number: i64) -> sqlx::Result<u64> {
    u64::try_from(number).map_err(|error| sqlx::Error::Decode(Box::new(error)))
}
