//! Items in whose place the company asked for another capture.

use crate::{
    clock::Timestamp,
    db::{Reader, Tx},
    domain::id::{CaseId, ItemId, UserId},
};

/// A request for another capture. A newer request for the same item takes its place, and the earlier one is kept.
#[derive(Clone, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct Retake {
    #[sqlx(rename = "item_id")]
    pub item: ItemId,
    /// One line for the person who captures.
    pub reason: String,
    pub requested_by: UserId,
    pub requested_at: Timestamp,
}

pub async fn put(tx: &mut Tx, retake: &Retake) -> sqlx::Result<()> {
    tx.query(
        "insert into replaced_retakes (item_id, reason, requested_by, requested_at)
         select item_id, reason, requested_by, requested_at from retakes where item_id = $1",
    )
    .bind(retake.item)
    .execute()
    .await?;
    tx.query(
        "insert into retakes (item_id, reason, requested_by, requested_at) values ($1, $2, $3, $4)
         on conflict (item_id) do update
         set reason = excluded.reason, requested_by = excluded.requested_by, requested_at = excluded.requested_at",
    )
    .bind(retake.item)
    .bind(&retake.reason)
    .bind(&retake.requested_by)
    .bind(retake.requested_at)
    .execute()
    .await?;
    Ok(())
}

/// The newest requests about a case's items, in the items' order.
pub async fn of_case(reader: &mut Reader, case: CaseId) -> sqlx::Result<Vec<Retake>> {
    reader
        .query("select r.* from retakes r join items i on i.id = r.item_id where i.case_id = $1 order by r.item_id")
        .bind(case)
        .all()
        .await
}

/// The requests about a case's items that newer ones have replaced, the oldest first.
pub async fn replaced_of_case(reader: &mut Reader, case: CaseId) -> sqlx::Result<Vec<Retake>> {
    reader
        .query(
            "select r.item_id, r.reason, r.requested_by, r.requested_at
             from replaced_retakes r join items i on i.id = r.item_id where i.case_id = $1 order by r.id",
        )
        .bind(case)
        .all()
        .await
}
