//! The feed of events of each company.
//!
//! A row has no position until [`place`]: numbers that are taken before the commit would let a reader pass an event that
//! is committed later. Positions are given while [`take_turn`] is held, so readers see them grow without a gap.

use serde_json::{Map, Value};

use super::from_json;
use crate::{
    clock::Timestamp,
    db::{Reader, Tx},
    domain::{
        access_key::ShareToken,
        event::EventKind,
        id::{CaseId, CompanyId},
    },
};

/// Adds an event, in the transaction of its cause. It is placed later.
pub async fn insert(
    tx: &mut Tx,
    company: CompanyId,
    case: CaseId,
    kind: EventKind,
    happened_at: Timestamp,
) -> sqlx::Result<()> {
    tx.query("insert into events (company_id, case_id, kind, happened_at) values ($1, $2, $3, $4)")
        .bind(company)
        .bind(case)
        .bind(kind)
        .bind(happened_at)
        .execute()
        .await?;
    Ok(())
}

/// An event without a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct WaitingEvent {
    pub id: i64,
    #[sqlx(rename = "company_id")]
    pub company: CompanyId,
}

/// Up to `limit` events of all companies that wait for their positions. An event whose cause came later has a greater
/// identifier, so it never overtakes an earlier one.
pub async fn waiting(reader: &mut Reader, limit: i64) -> sqlx::Result<Vec<WaitingEvent>> {
    reader
        .query("select id, company_id from events where position is null order by id limit $1")
        .bind(limit)
        .all()
        .await
}

/// Takes the turn to place events, until the transaction ends, and returns the number of the batch.
pub async fn take_turn(tx: &mut Tx) -> sqlx::Result<i64> {
    let (batch,) = tx.query("update event_turn set batch = batch + 1 where id = 1 returning batch").one().await?;
    Ok(batch)
}

pub async fn place(tx: &mut Tx, id: i64, position: i64) -> sqlx::Result<()> {
    tx.query("update events set position = $2 where id = $1 and position is null")
        .bind(id)
        .bind(position)
        .execute()
        .await?;
    Ok(())
}

/// The position that a company's feed has reached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct EventHead {
    /// Of the newest placed event.
    pub position: i64,
    /// Of the newest deleted event; of none: 0.
    pub expired: i64,
}

/// That of a company without an event is all zero.
pub async fn head(reader: &mut Reader, company: CompanyId) -> sqlx::Result<EventHead> {
    let head: Option<EventHead> = reader
        .query("select position, expired from event_heads where company_id = $1")
        .bind(company)
        .optional()
        .await?;
    Ok(head.unwrap_or_default())
}

/// Moves the head to the last event that was placed.
pub async fn set_head(tx: &mut Tx, company: CompanyId, position: i64, batch: i64) -> sqlx::Result<()> {
    tx.query(
        "insert into event_heads (company_id, position, expired, batch) values ($1, $2, 0, $3)
         on conflict (company_id) do update set position = excluded.position, batch = excluded.batch",
    )
    .bind(company)
    .bind(position)
    .bind(batch)
    .execute()
    .await?;
    Ok(())
}

/// The companies with events of later batches, each with its newest batch.
pub async fn changed_since(reader: &mut Reader, batch: i64) -> sqlx::Result<Vec<(CompanyId, i64)>> {
    reader.query("select company_id, batch from event_heads where batch > $1").bind(batch).all().await
}

/// A placed event, with the current state of its case.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredEvent {
    pub position: i64,
    pub case: CaseId,
    pub kind: EventKind,
    pub happened_at: Timestamp,
    /// None if the case has none, or was deleted.
    pub metadata: Option<Map<String, Value>>,
    /// None if there is no certificate.
    pub share_token: Option<ShareToken>,
}

#[derive(sqlx_macros::FromRow)]
struct Row {
    position: i64,
    case_id: CaseId,
    kind: EventKind,
    happened_at: Timestamp,
    metadata: Option<String>,
    share_token: Option<ShareToken>,
}

/// The first `limit` events of a company after a position.
pub async fn after(
    reader: &mut Reader,
    company: CompanyId,
    position: i64,
    limit: i64,
) -> sqlx::Result<Vec<StoredEvent>> {
    let rows: Vec<Row> = reader
        .query(
            "select e.position, e.case_id, e.kind, e.happened_at, c.metadata, k.share_token
             from events e left join cases c on c.id = e.case_id
             left join certificates k on k.case_id = e.case_id and k.blob_key is not null
             where e.company_id = $1 and e.position > $2 order by e.position limit $3",
        )
        .bind(company)
        .bind(position)
        .bind(limit)
        .all()
        .await?;
    rows.into_iter().map(stored).collect()
}

fn stored(row: Row) -> sqlx::Result<StoredEvent> {
    let Row { position, case_id: case, kind, happened_at, metadata, share_token } = row;
    let metadata = metadata.map(|json| from_json("metadata", &json)).transpose()?;
    Ok(StoredEvent { position, case, kind, happened_at, metadata, share_token })
}

/// The companies with placed events from before a moment.
pub async fn companies_with_older(reader: &mut Reader, before: Timestamp) -> sqlx::Result<Vec<CompanyId>> {
    let rows: Vec<(CompanyId,)> = reader
        .query("select distinct company_id from events where happened_at < $1 and position is not null")
        .bind(before)
        .all()
        .await?;
    Ok(rows.into_iter().map(|(company,)| company).collect())
}

/// The position of the company's first event since a moment; none if all are older.
pub async fn first_since(reader: &mut Reader, company: CompanyId, since: Timestamp) -> sqlx::Result<Option<i64>> {
    let row: Option<(i64,)> = reader
        .query(
            "select position from events where company_id = $1 and position > 0 and happened_at >= $2
             order by position limit 1",
        )
        .bind(company)
        .bind(since)
        .optional()
        .await?;
    Ok(row.map(|(position,)| position))
}

/// Deletes the company's events up to a position, and returns how many there were.
pub async fn expire(tx: &mut Tx, company: CompanyId, last: i64) -> sqlx::Result<u64> {
    tx.query("update event_heads set expired = $2 where company_id = $1 and expired < $2")
        .bind(company)
        .bind(last)
        .execute()
        .await?;
    tx.query("delete from events where company_id = $1 and position <= $2").bind(company).bind(last).execute().await
}
