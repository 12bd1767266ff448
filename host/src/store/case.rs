//! Cases.

use serde_json::{Map, Value};

use super::{from_json, to_json};
use crate::{
    clock::Timestamp,
    db::Tx,
    domain::{
        case::CaseReference,
        context::VisibleData,
        id::{CaseId, CompanyId, FrameId, UserId},
        link::LinkToken,
        report::ReportToken,
    },
};

/// A case as it is stored.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    pub id: CaseId,
    pub company: CompanyId,
    pub frame: FrameId,
    pub title: String,
    pub user: Option<UserId>,
    pub link: Option<LinkToken>,
    pub report_token: Option<ReportToken>,
    pub context: Option<VisibleData>,
    pub metadata: Option<Map<String, Value>>,
    pub scheduled_at: Option<Timestamp>,
    pub created_at: Timestamp,
    pub closed_at: Option<Timestamp>,
}

/// A case to store; the database gives it its identifier.
#[derive(Clone, Debug)]
pub struct NewCase {
    pub company: CompanyId,
    pub frame: FrameId,
    pub title: String,
    pub user: Option<UserId>,
    pub link: Option<LinkToken>,
    pub report_token: Option<ReportToken>,
    pub context: Option<VisibleData>,
    pub metadata: Option<Map<String, Value>>,
    pub scheduled_at: Option<Timestamp>,
    pub created_at: Timestamp,
}

#[derive(sqlx::FromRow)]
struct Row {
    id: CaseId,
    company_id: CompanyId,
    frame_id: FrameId,
    title: String,
    user_id: Option<UserId>,
    link_token: Option<LinkToken>,
    report_token: Option<ReportToken>,
    context: Option<String>,
    metadata: Option<String>,
    scheduled_at: Option<Timestamp>,
    created_at: Timestamp,
    closed_at: Option<Timestamp>,
}

impl Case {
    pub fn reference(&self) -> CaseReference {
        CaseReference { case: self.id, company: self.company }
    }

    pub fn is_closed(&self) -> bool {
        self.closed_at.is_some()
    }
}

pub async fn insert(tx: &mut Tx, case: &NewCase) -> sqlx::Result<CaseId> {
    let (id,) = tx
        .query(
            "insert into cases (company_id, frame_id, title, user_id, link_token, report_token, context, metadata,
                                scheduled_at, created_at, item_count)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 0) returning id",
        )
        .bind(case.company)
        .bind(case.frame)
        .bind(&case.title)
        .bind(&case.user)
        .bind(&case.link)
        .bind(&case.report_token)
        .bind(case.context.as_ref().map(to_json))
        .bind(case.metadata.as_ref().map(to_json))
        .bind(case.scheduled_at)
        .bind(case.created_at)
        .one()
        .await?;
    Ok(id)
}

/// Finds a case, whoever owns it: the use case answers 403 for another company's and 404 for none.
pub async fn find(tx: &mut Tx, id: CaseId) -> sqlx::Result<Option<Case>> {
    let row: Option<Row> = tx
        .query(
            "select id, company_id, frame_id, title, user_id, link_token, report_token, context, metadata,
                    scheduled_at, created_at, closed_at
             from cases where id = $1",
        )
        .bind(id)
        .optional()
        .await?;
    row.map(case).transpose()
}

/// Counts one more item on an open case of the company; false when it is closed. Takes the row's lock until the
/// transaction ends, so that an item is either in before the closing or refused (decisions 5).
pub async fn count_item(tx: &mut Tx, company: CompanyId, id: CaseId) -> sqlx::Result<bool> {
    let counted = tx
        .query("update cases set item_count = item_count + 1 where company_id = $1 and id = $2 and closed_at is null")
        .bind(company)
        .bind(id)
        .execute()
        .await?;
    Ok(counted == 1)
}

/// Closes an open case of the company; false when it was closed already. Of two closings at once one gets true.
pub async fn close(tx: &mut Tx, company: CompanyId, id: CaseId, now: Timestamp) -> sqlx::Result<bool> {
    let closed = tx
        .query("update cases set closed_at = $3 where company_id = $1 and id = $2 and closed_at is null")
        .bind(company)
        .bind(id)
        .bind(now)
        .execute()
        .await?;
    Ok(closed == 1)
}

fn case(row: Row) -> sqlx::Result<Case> {
    Ok(Case {
        id: row.id,
        company: row.company_id,
        frame: row.frame_id,
        title: row.title,
        user: row.user_id,
        link: row.link_token,
        report_token: row.report_token,
        context: row.context.map(|json| from_json("context", &json)).transpose()?,
        metadata: row.metadata.map(|json| from_json("metadata", &json)).transpose()?,
        scheduled_at: row.scheduled_at,
        created_at: row.created_at,
        closed_at: row.closed_at,
    })
}
