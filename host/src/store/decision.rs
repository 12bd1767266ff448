//! What reviewers decided on cases.

use super::case_word;
use crate::{
    clock::Timestamp,
    db::{Reader, Tx},
    domain::{console::Outcome, id::CaseId},
};

#[derive(Clone, Debug, PartialEq, sqlx_macros::FromRow)]
pub struct StoredDecision {
    /// A newer decision has a greater one.
    pub id: i64,
    #[sqlx(rename = "case_id")]
    pub case: CaseId,
    pub outcome: Outcome,
    pub reason: String,
    /// The username.
    pub decided_by: String,
    pub decided_at: Timestamp,
}

/// A decision to record; the database gives it its identifier.
#[derive(Clone, Debug)]
pub struct NewDecision {
    pub case: CaseId,
    pub outcome: Outcome,
    pub reason: String,
    pub decided_by: String,
    pub decided_at: Timestamp,
}

pub async fn insert(tx: &mut Tx, decision: &NewDecision) -> sqlx::Result<()> {
    tx.query("insert into decisions (case_id, outcome, reason, decided_by, decided_at) values ($1, $2, $3, $4, $5)")
        .bind(decision.case)
        .bind(decision.outcome)
        .bind(&decision.reason)
        .bind(&decision.decided_by)
        .bind(decision.decided_at)
        .execute()
        .await?;
    case_word::note_change(tx, decision.case).await
}

/// The decisions on a case, the newest first: that one counts.
pub async fn of_case(reader: &mut Reader, case: CaseId) -> sqlx::Result<Vec<StoredDecision>> {
    reader
        .query(
            "select id, case_id, outcome, reason, decided_by, decided_at from decisions
             where case_id = $1 order by id desc",
        )
        .bind(case)
        .all()
        .await
}

/// The decision that counts.
pub async fn newest(reader: &mut Reader, case: CaseId) -> sqlx::Result<Option<StoredDecision>> {
    reader
        .query(
            "select id, case_id, outcome, reason, decided_by, decided_at from decisions
             where case_id = $1 order by id desc limit 1",
        )
        .bind(case)
        .optional()
        .await
}
