//! Cases.

use serde_json::{Map, Value};

use super::{case_word, event, from_json, to_json};
use crate::{
    clock::Timestamp,
    db::{Reader, Tx},
    domain::{
        case::{
            CaseReference,
            limits::{Load, MOST_ITEMS, MOST_PICTURES, MOST_TEXT},
        },
        context::VisibleData,
        event::EventKind,
        fields::Change,
        id::{CaseId, CompanyId, FrameId, ItemId, UserId},
        language::CertificateLanguage,
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
    /// Of its certificate; none: the company's.
    pub language: Option<CertificateLanguage>,
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
    /// Of its certificate; none: the company's.
    pub language: Option<CertificateLanguage>,
    pub created_at: Timestamp,
}

/// The changes of a case; a field that is none or [`Change::Keep`] stays.
#[derive(Clone, Debug)]
pub struct Changes {
    pub title: Option<String>,
    pub frame: Option<FrameId>,
    /// Removes the case from its link: a case belongs to a user or to a link.
    pub user: Option<UserId>,
    pub report_token: Option<ReportToken>,
    pub context: Option<VisibleData>,
    pub metadata: Change<Map<String, Value>>,
    pub scheduled_at: Change<Timestamp>,
}

#[derive(sqlx_macros::FromRow)]
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
    language: Option<CertificateLanguage>,
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
                                scheduled_at, language, created_at, item_count)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 0) returning id",
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
        .bind(case.language)
        .bind(case.created_at)
        .one()
        .await?;
    case_word::note_change(tx, id).await?;
    event::insert(tx, case.company, id, EventKind::Created, case.created_at).await?;
    Ok(id)
}

/// Finds a case of any company: the use case answers 403 for another company's and 404 for none.
pub async fn find(reader: &mut Reader, id: CaseId) -> sqlx::Result<Option<Case>> {
    let row: Option<Row> = reader
        .query(
            "select id, company_id, frame_id, title, user_id, link_token, report_token, context, metadata,
                    scheduled_at, language, created_at, closed_at
             from cases where id = $1",
        )
        .bind(id)
        .optional()
        .await?;
    row.map(case).transpose()
}

/// The first two open cases of the company on a link, by identifier: one is closed by its link, several are not.
pub async fn open_on_link(reader: &mut Reader, company: CompanyId, link: &LinkToken) -> sqlx::Result<Vec<Case>> {
    let rows: Vec<Row> = reader
        .query(
            "select id, company_id, frame_id, title, user_id, link_token, report_token, context, metadata,
                    scheduled_at, language, created_at, closed_at
             from cases where company_id = $1 and link_token = $2 and closed_at is null order by id limit 2",
        )
        .bind(company)
        .bind(link)
        .all()
        .await?;
    rows.into_iter().map(case).collect()
}

/// How many open cases of a link are listed.
const LISTED_ON_LINK: i64 = 100;

/// The open cases of the company on a link, by identifier, at most [`LISTED_ON_LINK`].
pub async fn all_open_on_link(reader: &mut Reader, company: CompanyId, link: &LinkToken) -> sqlx::Result<Vec<Case>> {
    let rows: Vec<Row> = reader
        .query(
            "select id, company_id, frame_id, title, user_id, link_token, report_token, context, metadata,
                    scheduled_at, language, created_at, closed_at
             from cases where company_id = $1 and link_token = $2 and closed_at is null order by id limit $3",
        )
        .bind(company)
        .bind(link)
        .bind(LISTED_ON_LINK)
        .all()
        .await?;
    rows.into_iter().map(case).collect()
}

/// The open cases of the company's user that are not scheduled, or scheduled before `until`, by identifier, at most
/// `most`.
pub async fn open_of_user(
    reader: &mut Reader,
    company: CompanyId,
    user: &UserId,
    until: Timestamp,
    most: i64,
) -> sqlx::Result<Vec<Case>> {
    let rows: Vec<Row> = reader
        .query(
            "select id, company_id, frame_id, title, user_id, link_token, report_token, context, metadata,
                    scheduled_at, language, created_at, closed_at
             from cases where company_id = $1 and user_id = $2 and closed_at is null
               and (scheduled_at is null or scheduled_at < $3) order by id limit $4",
        )
        .bind(company)
        .bind(user)
        .bind(until)
        .bind(most)
        .all()
        .await?;
    rows.into_iter().map(case).collect()
}

/// Whether the company has a case on the link, open or closed.
pub async fn is_any_on_link(reader: &mut Reader, company: CompanyId, link: &LinkToken) -> sqlx::Result<bool> {
    let row: Option<(CaseId,)> = reader
        .query("select id from cases where company_id = $1 and link_token = $2 limit 1")
        .bind(company)
        .bind(link)
        .optional()
        .await?;
    Ok(row.is_some())
}

/// Counts one more item on an open case of the company on this frame; false if there is no such case or it is full.
/// Locks the row until the transaction ends, so that an item is either added before the closing or refused (decisions
/// 5), never on a step of a frame that the case has left, and never beyond the limits of a case (decisions 15).
pub async fn count_item(tx: &mut Tx, company: CompanyId, id: CaseId, frame: FrameId, more: Load) -> sqlx::Result<bool> {
    let counted = tx
        .query(
            "update cases set item_count = item_count + $4, picture_count = picture_count + $5, text_size = text_size + $6
             where company_id = $1 and id = $2 and frame_id = $3 and closed_at is null
               and item_count + $4 <= $7 and picture_count + $5 <= $8 and text_size + $6 <= $9",
        )
        .bind(company)
        .bind(id)
        .bind(frame)
        .bind(more.items)
        .bind(more.pictures)
        .bind(more.text)
        .bind(MOST_ITEMS)
        .bind(MOST_PICTURES)
        .bind(MOST_TEXT)
        .execute()
        .await?;
    Ok(counted == 1)
}

/// How much a case contains. It never decreases.
pub async fn load(reader: &mut Reader, id: CaseId) -> sqlx::Result<Load> {
    let row: Option<(i64, i64, i64)> = reader
        .query("select item_count, picture_count, text_size from cases where id = $1")
        .bind(id)
        .optional()
        .await?;
    Ok(row.map(|(items, pictures, text)| Load { items, pictures, text }).unwrap_or_default())
}

/// Closes an open case that still has the frame and the link it was read with, because a closing freezes their data.
/// False if it was changed, closed or deleted meanwhile. Of two concurrent closings one gets true.
pub async fn close(tx: &mut Tx, case: &Case, now: Timestamp) -> sqlx::Result<bool> {
    let closed = tx
        .query(
            "update cases set closed_at = $3
             where company_id = $1 and id = $2 and closed_at is null and frame_id = $4
               and (link_token = $5 or ($5 is null and link_token is null))",
        )
        .bind(case.company)
        .bind(case.id)
        .bind(now)
        .bind(case.frame)
        .bind(&case.link)
        .execute()
        .await?;
    if closed == 1 {
        case_word::note_change(tx, case.id).await?;
        event::insert(tx, case.company, case.id, EventKind::Closed, now).await?;
    }
    Ok(closed == 1)
}

/// Changes an open case of the company, its frame only while it has no item (decisions 5). False, without any change,
/// if there is no such case or its frame cannot be changed.
pub async fn update(tx: &mut Tx, company: CompanyId, id: CaseId, changes: &Changes) -> sqlx::Result<bool> {
    let (sets_metadata, metadata) = column(&changes.metadata);
    let (sets_schedule, scheduled_at) = column(&changes.scheduled_at);
    let updated = tx
        .query(
            "update cases set
               title = coalesce($3, title),
               frame_id = coalesce($4, frame_id),
               user_id = coalesce($5, user_id),
               link_token = case when $5 is null then link_token end,
               report_token = coalesce($6, report_token),
               context = coalesce($7, context),
               metadata = case when $8 then $9 else metadata end,
               scheduled_at = case when $10 then $11 else scheduled_at end
             where company_id = $1 and id = $2 and closed_at is null
               and ($4 is null or frame_id = $4 or item_count = 0)",
        )
        .bind(company)
        .bind(id)
        .bind(&changes.title)
        .bind(changes.frame)
        .bind(&changes.user)
        .bind(&changes.report_token)
        .bind(changes.context.as_ref().map(to_json))
        .bind(sets_metadata)
        .bind(metadata.map(to_json))
        .bind(sets_schedule)
        .bind(scheduled_at.copied())
        .execute()
        .await?;
    if updated == 1 {
        case_word::note_change(tx, id).await?;
    }
    Ok(updated == 1)
}

/// Locks the row until the transaction ends, so that no item, update or closing interferes; false if there is no such
/// case.
pub async fn lock(tx: &mut Tx, company: CompanyId, id: CaseId) -> sqlx::Result<bool> {
    let locked = tx
        .query("update cases set item_count = item_count where company_id = $1 and id = $2")
        .bind(company)
        .bind(id)
        .execute()
        .await?;
    Ok(locked == 1)
}

/// Locks the row of an item's case until the transaction ends; false if the item is gone.
pub async fn lock_of_item(tx: &mut Tx, item: ItemId) -> sqlx::Result<bool> {
    let locked = tx
        .query("update cases set item_count = item_count where id = (select case_id from items where id = $1)")
        .bind(item)
        .execute()
        .await?;
    Ok(locked == 1)
}

/// Deletes a case, open or closed, with all rows that refer to it.
pub async fn delete(tx: &mut Tx, company: CompanyId, id: CaseId) -> sqlx::Result<()> {
    tx.query("delete from cases where company_id = $1 and id = $2").bind(company).bind(id).execute().await?;
    Ok(())
}

/// Whether a change writes its column, and the value.
fn column<T>(change: &Change<T>) -> (bool, Option<&T>) {
    match change {
        Change::Keep => (false, None),
        Change::Clear => (true, None),
        Change::Set(value) => (true, Some(value)),
    }
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
        language: row.language,
        created_at: row.created_at,
        closed_at: row.closed_at,
    })
}
