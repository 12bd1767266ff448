//! Report tokens and the company family that each belongs to.
//!
//! A token is free if its family no longer has a case, a link or a deleted certificate with it: its row stays until
//! another family uses it.

use sealwright_seal::Sha256Digest;

use crate::{
    clock::Timestamp,
    db::{Reader, Tx},
    domain::{
        id::{CaseId, CompanyId},
        report::ReportToken,
    },
};

/// Whether something uses the token `$1`, whose hash is `$2`.
macro_rules! is_used {
    () => {
        "(for_good
          or exists (select 1 from cases where report_token = $1)
          or exists (select 1 from links where report_token = $1)
          or exists (select 1 from deleted_cases where report_sha256 = $2))"
    };
}

/// The hash of a token that deleted cases store.
pub fn hash(token: &ReportToken) -> Sha256Digest {
    Sha256Digest::of(token.as_str())
}

/// The family that has the token and uses it; none if it is free.
pub async fn family_of(reader: &mut Reader, token: &ReportToken) -> sqlx::Result<Option<CompanyId>> {
    let row: Option<(CompanyId,)> = reader
        .query(concat!("select family_id from reports where token = $1 and ", is_used!()))
        .bind(token)
        .bind(hash(token))
        .optional()
        .await?;
    Ok(row.map(|(family,)| family))
}

/// Takes the token for the family whose top company is `family`, unless another one has it and uses it; returns the
/// owner. No other family can take it before the transaction ends.
pub async fn claim(tx: &mut Tx, family: CompanyId, token: &ReportToken, now: Timestamp) -> sqlx::Result<CompanyId> {
    let owner = insert(tx, family, token, now).await?;
    if owner == family {
        return Ok(owner);
    }
    let freed = tx
        .query(concat!("delete from reports where token = $1 and family_id = $3 and not ", is_used!()))
        .bind(token)
        .bind(hash(token))
        .bind(owner)
        .execute()
        .await?;
    if freed == 0 { Ok(owner) } else { insert(tx, family, token, now).await }
}

/// Takes the token unless it has a row already, and returns the owner.
async fn insert(tx: &mut Tx, family: CompanyId, token: &ReportToken, now: Timestamp) -> sqlx::Result<CompanyId> {
    // More than once only if another family takes over a free token between the two statements.
    for _ in 0..3 {
        tx.query(
            "insert into reports (token, family_id, created_at) values ($1, $2, $3) on conflict (token) do nothing",
        )
        .bind(token)
        .bind(family)
        .bind(now)
        .execute()
        .await?;
        let sql = "select family_id from reports where token = $1";
        let row: Option<(CompanyId,)> = tx.query(sql).keep_rows().bind(token).optional().await?;
        if let Some((family,)) = row {
            return Ok(family);
        }
    }
    Err(sqlx::Error::RowNotFound)
}

/// The token of a case that a certificate may name: none if the case was never closed.
pub async fn published_with(reader: &mut Reader, case: CaseId) -> sqlx::Result<Option<ReportToken>> {
    let row: Option<(Option<ReportToken>,)> = reader
        .query("select report_token from cases where id = $1 and closed_at is not null")
        .bind(case)
        .optional()
        .await?;
    Ok(row.and_then(|(token,)| token))
}

/// Whether any company has a case in the report.
pub async fn has_cases(reader: &mut Reader, token: &ReportToken) -> sqlx::Result<bool> {
    let found: Option<(CaseId,)> =
        reader.query("select id from cases where report_token = $1 limit 1").bind(token).optional().await?;
    Ok(found.is_some())
}

/// Whether the company has a case in the report, open or closed.
pub async fn has_cases_of(reader: &mut Reader, company: CompanyId, token: &ReportToken) -> sqlx::Result<bool> {
    let found: Option<(CaseId,)> = reader
        .query("select id from cases where company_id = $1 and report_token = $2 limit 1")
        .bind(company)
        .bind(token)
        .optional()
        .await?;
    Ok(found.is_some())
}
