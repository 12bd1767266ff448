//! Evidence rounds: trees of hashes over certificates' PDFs, kept as subtrees, and the time stamps over their roots.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use sealwright_seal::Sha256Digest;

use super::{from_base64, from_json, to_json};
use crate::{
    clock::Timestamp,
    db::{Reader, Tx},
    domain::{id::CaseId, seal::SealLevel},
};

/// The round that has no time stamp yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct OpenRound {
    pub id: i64,
    /// How many it has so far.
    pub subtrees: i64,
    /// The tree has the certificates whose time stamps end before this time, and of those that end at it, the ones of cases
    /// up to `last_case`.
    pub last_end: Timestamp,
    pub last_case: i64,
    /// Whether it has all its leaves.
    pub is_complete: bool,
}

/// A round with time stamps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct StampedRound {
    pub id: i64,
    /// When the certificates of its newest time stamp end.
    pub renew_before: Timestamp,
}

/// A time stamp of a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundStamp {
    /// From what it covers to the stamped hash. For the first one that is the round's root, so it is empty.
    pub path: Vec<Sha256Digest>,
    /// The token.
    pub der: Vec<u8>,
}

/// Whether there are certificates without evidence whose time stamps expire after `now` and before `before`, and no round
/// was started since `since`.
pub async fn is_round_due(
    reader: &mut Reader,
    now: Timestamp,
    before: Timestamp,
    since: Timestamp,
) -> sqlx::Result<bool> {
    let due: Option<(CaseId,)> = reader
        .query(
            "select case_id from certificates
             where evidence_round is null and level = $1 and replaced_blob_key is null and renew_before > $2
               and renew_before < $3 and not exists (select 1 from evidence_rounds where started_at > $4)
             limit 1",
        )
        .bind(SealLevel::Archived)
        .bind(now)
        .bind(before)
        .bind(since)
        .optional()
        .await?;
    Ok(due.is_some())
}

/// Starts a round, unless one is open.
pub async fn start(tx: &mut Tx, now: Timestamp) -> sqlx::Result<()> {
    tx.query(
        "insert into evidence_rounds (slot, started_at, subtrees, last_end, last_case, is_complete)
         values (1, $1, 0, $1, 0, $2) on conflict (slot) do nothing",
    )
    .bind(now)
    .bind(false)
    .execute()
    .await?;
    Ok(())
}

pub async fn open(reader: &mut Reader) -> sqlx::Result<Option<OpenRound>> {
    reader
        .query("select id, subtrees, last_end, last_case, is_complete from evidence_rounds where slot = 1")
        .optional()
        .await
}

/// Locks the open round until the transaction ends. False if another node has continued it meanwhile.
pub async fn lock(tx: &mut Tx, round: OpenRound) -> sqlx::Result<bool> {
    let locked = tx
        .query(
            "update evidence_rounds set subtrees = subtrees
             where id = $1 and slot = 1 and subtrees = $2 and is_complete = $3",
        )
        .bind(round.id)
        .bind(round.subtrees)
        .bind(round.is_complete)
        .execute()
        .await?;
    Ok(locked == 1)
}

/// The certificates that a round takes up next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct NextLeaves {
    pub count: i64,
    /// When the time stamp ends that expires last. None if there are no certificates.
    pub last_end: Option<Timestamp>,
}

/// The certificates, at most `most`, that the round takes up next.
pub async fn next_leaves(reader: &mut Reader, round: OpenRound, most: i64) -> sqlx::Result<NextLeaves> {
    reader
        .query(
            "select count(*) as count, max(renew_before) as last_end from (
               select renew_before from certificates
               where evidence_round is null and level = $1 and replaced_blob_key is null
                 and (renew_before, case_id) > ($2, $3)
               order by renew_before, case_id limit $4) remaining",
        )
        .bind(SealLevel::Archived)
        .bind(round.last_end)
        .bind(round.last_case)
        .bind(most)
        .one()
        .await
}

/// Makes the `next` certificates leaves of the round's next subtree. The time stamps that expire first come first. Returns the
/// leaves in their order: fewer than counted if PDFs were replaced meanwhile.
pub async fn add_leaves(tx: &mut Tx, round: OpenRound, next: NextLeaves) -> sqlx::Result<Vec<(CaseId, Sha256Digest)>> {
    // On PostgreSQL another transaction may replace a PDF between the inner query and the update. The outer conditions are
    // then checked again: the round must not continue after the end of the new time stamp.
    tx.query(
        "update certificates set evidence_round = $1, evidence_subtree = $2
         where evidence_round is null and replaced_blob_key is null and renew_before <= $7 and case_id in (
           select case_id from certificates
           where evidence_round is null and level = $3 and replaced_blob_key is null
             and (renew_before, case_id) > ($4, $5)
           order by renew_before, case_id limit $6)",
    )
    .bind(round.id)
    .bind(round.subtrees)
    .bind(SealLevel::Archived)
    .bind(round.last_end)
    .bind(round.last_case)
    .bind(next.count)
    .bind(next.last_end)
    .execute()
    .await?;
    tx.query(
        "insert into evidence_leaves (round_id, subtree, case_id, sha256)
         select evidence_round, evidence_subtree, case_id, sha256 from certificates
         where evidence_round = $1 and evidence_subtree = $2",
    )
    .bind(round.id)
    .bind(round.subtrees)
    .execute()
    .await?;
    leaves(tx, round.id, round.subtrees).await
}

/// Records the root over the leaves that were added last.
pub async fn finish_subtree(tx: &mut Tx, round: OpenRound, root: Sha256Digest) -> sqlx::Result<()> {
    tx.query("insert into evidence_subtrees (round_id, position, root) values ($1, $2, $3)")
        .bind(round.id)
        .bind(round.subtrees)
        .bind(root)
        .execute()
        .await?;
    let (last_end, last_case): (Timestamp, CaseId) = tx
        .query(
            "select renew_before, case_id from certificates where evidence_round = $1 and evidence_subtree = $2
             order by renew_before desc, case_id desc limit 1",
        )
        .bind(round.id)
        .bind(round.subtrees)
        .one()
        .await?;
    tx.query("update evidence_rounds set subtrees = subtrees + 1, last_end = $2, last_case = $3 where id = $1")
        .bind(round.id)
        .bind(last_end)
        .bind(last_case)
        .execute()
        .await?;
    Ok(())
}

/// Records that the round has all its leaves.
pub async fn complete(tx: &mut Tx, round: OpenRound) -> sqlx::Result<()> {
    tx.query("update evidence_rounds set is_complete = $2 where id = $1").bind(round.id).bind(true).execute().await?;
    Ok(())
}

/// Deletes a round without leaves.
pub async fn delete_empty(tx: &mut Tx, round: OpenRound) -> sqlx::Result<()> {
    tx.query("delete from evidence_rounds where id = $1 and slot = 1 and subtrees = 0")
        .bind(round.id)
        .execute()
        .await?;
    Ok(())
}

/// Ends the open round with its first time stamp, made at `stamped_at`. Certificates that had expired by then are taken out
/// of it: it does not extend them. False if another node did.
pub async fn close(
    tx: &mut Tx,
    round: OpenRound,
    der: &[u8],
    stamped_at: Timestamp,
    renew_before: Timestamp,
) -> sqlx::Result<bool> {
    let closed = tx
        .query("update evidence_rounds set slot = null, renew_before = $2 where id = $1 and slot = 1")
        .bind(round.id)
        .bind(renew_before)
        .execute()
        .await?;
    if closed != 1 {
        return Ok(false);
    }
    tx.query(
        "update certificates set evidence_round = null, evidence_subtree = null
         where evidence_round = $1 and renew_before <= $2",
    )
    .bind(round.id)
    .bind(stamped_at)
    .execute()
    .await?;
    insert_stamp(tx, round.id, 0, &[], der).await
}

/// The stamped rounds whose newest time stamps expire after `now` and before `before`.
pub async fn rounds_to_renew(
    reader: &mut Reader,
    now: Timestamp,
    before: Timestamp,
) -> sqlx::Result<Vec<StampedRound>> {
    reader
        .query("select id, renew_before from evidence_rounds where renew_before > $1 and renew_before < $2 order by id")
        .bind(now)
        .bind(before)
        .all()
        .await
}

/// Appends a time stamp over the one at `position - 1`. False if there is one already.
pub async fn renew(
    tx: &mut Tx,
    round: i64,
    position: i64,
    stamp: &RoundStamp,
    renew_before: Timestamp,
) -> sqlx::Result<bool> {
    if !insert_stamp(tx, round, position, &stamp.path, &stamp.der).await? {
        return Ok(false);
    }
    tx.query("update evidence_rounds set renew_before = $2 where id = $1")
        .bind(round)
        .bind(renew_before)
        .execute()
        .await?;
    Ok(true)
}

async fn insert_stamp(tx: &mut Tx, round: i64, position: i64, path: &[Sha256Digest], der: &[u8]) -> sqlx::Result<bool> {
    let inserted = tx
        .query(
            "insert into evidence_stamps (round_id, position, path, der) values ($1, $2, $3, $4)
             on conflict (round_id, position) do nothing",
        )
        .bind(round)
        .bind(position)
        .bind(to_json(&path))
        .bind(STANDARD.encode(der))
        .execute()
        .await?;
    Ok(inserted == 1)
}

/// Whether certificates are in rounds that were not renewed in time.
pub async fn has_lapsed(reader: &mut Reader, now: Timestamp) -> sqlx::Result<bool> {
    let lapsed: Option<(i64,)> = reader
        .query(
            "select id from evidence_rounds r
             where renew_before <= $1 and exists (select 1 from certificates where evidence_round = r.id) limit 1",
        )
        .bind(now)
        .optional()
        .await?;
    Ok(lapsed.is_some())
}

/// Takes certificates out of rounds that were not renewed in time; returns how many.
pub async fn release_lapsed(tx: &mut Tx, now: Timestamp) -> sqlx::Result<u64> {
    tx.query(
        "update certificates set evidence_round = null, evidence_subtree = null
         where evidence_round in (select id from evidence_rounds where renew_before <= $1)",
    )
    .bind(now)
    .execute()
    .await
}

/// The leaves of a subtree, in their order.
pub async fn leaves(reader: &mut Reader, round: i64, subtree: i64) -> sqlx::Result<Vec<(CaseId, Sha256Digest)>> {
    reader
        .query("select case_id, sha256 from evidence_leaves where round_id = $1 and subtree = $2 order by case_id")
        .bind(round)
        .bind(subtree)
        .all()
        .await
}

/// The roots of a round's subtrees, in their order.
pub async fn roots(reader: &mut Reader, round: i64) -> sqlx::Result<Vec<Sha256Digest>> {
    let rows: Vec<(Sha256Digest,)> = reader
        .query("select root from evidence_subtrees where round_id = $1 order by position")
        .bind(round)
        .all()
        .await?;
    Ok(rows.into_iter().map(|(root,)| root).collect())
}

/// The time stamps of a round, oldest first. None before it is stamped.
pub async fn stamps(reader: &mut Reader, round: i64) -> sqlx::Result<Vec<RoundStamp>> {
    let rows: Vec<(String, String)> = reader
        .query("select path, der from evidence_stamps where round_id = $1 order by position")
        .bind(round)
        .all()
        .await?;
    let stamp = |(path, der): (String, String)| {
        Ok(RoundStamp { path: from_json("path", &path)?, der: from_base64("der", &der)? })
    };
    rows.into_iter().map(stamp).collect()
}
