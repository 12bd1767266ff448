//! Which cases are judged or need a verdict, and which items wait for an analysis without a job.

use crate::{
    clock::Timestamp,
    db::Reader,
    domain::id::{CaseId, CompanyId, ItemId},
    store::job::JobKind,
};

/// Cases closed since `since` that need a verdict at `now`, for example after a lost signal, oldest first, at most
/// `most`.
pub async fn overdue_cases(
    reader: &mut Reader,
    since: Timestamp,
    now: Timestamp,
    most: i64,
) -> sqlx::Result<Vec<CaseId>> {
    let rows: Vec<(CaseId,)> = reader
        .query(
            "select c.case_id from case_analyses c
             where c.closed_at >= $1
               and ((c.basis is null
                     and (c.deadline <= $2
                          or not exists (select 1 from item_analyses i where i.case_id = c.case_id
                                         and i.kind = 'document' and i.state = 'pending')))
                    or c.basis < (select count(*) from item_analyses i
                                  where i.case_id = c.case_id and i.state <> 'pending'))
             order by c.closed_at, c.case_id limit $3",
        )
        .bind(since)
        .bind(now)
        .bind(most)
        .all()
        .await?;
    Ok(rows.into_iter().map(|(case,)| case).collect())
}

/// The judged cases of a company that were closed since `since`, newest first, at most `most`.
pub async fn judged_since(
    reader: &mut Reader,
    company: CompanyId,
    since: Timestamp,
    most: i64,
) -> sqlx::Result<Vec<CaseId>> {
    let rows: Vec<(CaseId,)> = reader
        .query(
            "select case_id from case_analyses where company_id = $1 and closed_at >= $2 and revision > 0
             order by closed_at desc, case_id desc limit $3",
        )
        .bind(company)
        .bind(since)
        .bind(most)
        .all()
        .await?;
    Ok(rows.into_iter().map(|(case,)| case).collect())
}

/// Items whose analysis has been pending since before `before` without a job, oldest first, at most `most`.
pub async fn stranded_items(reader: &mut Reader, before: Timestamp, most: i64) -> sqlx::Result<Vec<ItemId>> {
    let rows: Vec<(ItemId,)> = reader
        .query(
            "select a.item_id from item_analyses a
             where a.state = 'pending' and a.requested_at <= $1
               and not exists (select 1 from jobs j where j.kind = $3 and j.subject = a.item_id
                               and j.state <> 'failed')
             order by a.requested_at, a.item_id limit $2",
        )
        .bind(before)
        .bind(most)
        .bind(JobKind::AnalyseItem)
        .all()
        .await?;
    Ok(rows.into_iter().map(|(item,)| item).collect())
}
