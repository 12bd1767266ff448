//! Report tokens and the company family that each belongs to.

use crate::{
    clock::Timestamp,
    db::Tx,
    domain::{id::CompanyId, report::ReportToken},
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
