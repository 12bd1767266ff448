//! Cases under legal hold.

use crate::{
    clock::Timestamp,
    db::{Reader, Tx},
    domain::id::{CaseId, CompanyId},
};

/// Why a case must not be deleted.
#[derive(Clone, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct LegalHold {
    #[sqlx(rename = "case_id")]
    pub case: CaseId,
    pub reason: String,
    pub held_by: String,
    pub held_at: Timestamp,
}

pub async fn find(reader: &mut Reader, case: CaseId) -> sqlx::Result<Option<LegalHold>> {
    reader
        .query("select case_id, reason, held_by, held_at from legal_holds where case_id = $1")
        .bind(case)
        .optional()
        .await
}

/// Every hold with its company, the oldest first.
pub async fn all(reader: &mut Reader) -> sqlx::Result<Vec<(LegalHold, CompanyId)>> {
    let rows: Vec<(CaseId, String, String, Timestamp, CompanyId)> = reader
        .query(
            "select h.case_id, h.reason, h.held_by, h.held_at, c.company_id
             from legal_holds h join cases c on c.id = h.case_id order by h.held_at, h.case_id",
        )
        .all()
        .await?;
    let rows = rows.into_iter();
    Ok(rows
        .map(|(case, reason, held_by, held_at, company)| (LegalHold { case, reason, held_by, held_at }, company))
        .collect())
}

/// Holds a case, whose row the caller has locked; false if it is held already.
pub async fn insert(tx: &mut Tx, hold: &LegalHold) -> sqlx::Result<bool> {
    let inserted = tx
        .query(
            "insert into legal_holds (case_id, reason, held_by, held_at) values ($1, $2, $3, $4)
             on conflict (case_id) do nothing",
        )
        .bind(hold.case)
        .bind(&hold.reason)
        .bind(&hold.held_by)
        .bind(hold.held_at)
        .execute()
        .await?;
    Ok(inserted == 1)
}

/// Ends a hold; false if the case is not held.
pub async fn delete(tx: &mut Tx, case: CaseId) -> sqlx::Result<bool> {
    let deleted = tx.query("delete from legal_holds where case_id = $1").bind(case).execute().await?;
    Ok(deleted == 1)
}
