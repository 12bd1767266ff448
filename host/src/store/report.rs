//! Report tokens and the company family that each belongs to.

use crate::{
    clock::Timestamp,
    db::Tx,
    domain::{
        id::{CaseId, CompanyId},
        report::ReportToken,
    },
};

/// Takes the token for the family whose topmost company is `family`, unless one has it already; says whose it is now.
pub async fn claim(tx: &mut Tx, family: CompanyId, token: &ReportToken, now: Timestamp) -> sqlx::Result<CompanyId> {
    tx.query("insert into reports (token, family_id, created_at) values ($1, $2, $3) on conflict (token) do nothing")
        .bind(token)
        .bind(family)
        .bind(now)
        .execute()
        .await?;
    let (family,): (CompanyId,) = tx.query("select family_id from reports where token = $1").bind(token).one().await?;
    Ok(family)
}

/// Whether any company has a case in the report.
pub async fn has_cases(tx: &mut Tx, token: &ReportToken) -> sqlx::Result<bool> {
    let found: Option<(CaseId,)> =
        tx.query("select id from cases where report_token = $1 limit 1").bind(token).optional().await?;
    Ok(found.is_some())
}

/// Whether the company has a case in the report, open or closed.
pub async fn has_cases_of(tx: &mut Tx, company: CompanyId, token: &ReportToken) -> sqlx::Result<bool> {
    let found: Option<(CaseId,)> = tx
        .query("select id from cases where company_id = $1 and report_token = $2 limit 1")
        .bind(company)
        .bind(token)
        .optional()
        .await?;
    Ok(found.is_some())
}
