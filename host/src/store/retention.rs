//! What a company's retention deletes: the cases whose time is over, and whose turn it is to delete.
//!
//! Each list has a place to go on from, and excludes cases under legal hold. The caller of a function that changes a case
//! has locked its row.

use crate::{
    blobs::BlobKey,
    clock::Timestamp,
    db::{Reader, Tx},
    domain::id::{CaseId, CompanyId, ItemId},
};

/// A case with expired data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct DueCase {
    #[sqlx(rename = "id")]
    pub case: CaseId,
    /// When its time began: its closing, or its creation.
    pub since: Timestamp,
    /// How many files, or analyses, of the case go.
    pub amount: i64,
    /// The bytes of these files, and of the certificate if it goes too; 0 for what was read in files.
    pub bytes: i64,
}

/// Where a list goes on: after the case with this number, which counts from this moment.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    pub since: Timestamp,
    pub case: i64,
}

impl Place {
    pub const START: Self = Self { since: Timestamp::from_millis(i64::MIN), case: 0 };
}

impl DueCase {
    pub const fn place(&self) -> Place {
        Place { since: self.since, case: self.case.get() }
    }
}

/// The moments between which cases were closed.
#[derive(Clone, Copy, Debug)]
pub struct Closed {
    /// The first moment: cases that were closed earlier go as a whole.
    pub from: Timestamp,
    pub before: Timestamp,
}

macro_rules! files {
    () => {
        "(select count(*) from items i where i.case_id = c.id and i.blob_key is not null and i.file_deleted_at is null)
           as amount,
         cast(coalesce((select sum(i.file_size) from items i
                        where i.case_id = c.id and i.blob_key is not null and i.file_deleted_at is null), 0) as bigint)"
    };
}

macro_rules! is_free {
    () => {
        "not exists (select 1 from legal_holds h where h.case_id = c.id)"
    };
}

/// An open case that no one has changed since `$2`.
macro_rules! is_abandoned {
    () => {
        "c.closed_at is null and c.created_at < $2 and (c.scheduled_at is null or c.scheduled_at < $2)
           and not exists (select 1 from items i where i.case_id = c.id and i.created_at >= $2)
           and not exists (select 1 from uploads u where u.case_id = c.id and u.created_at >= $2)"
    };
}

/// A case whose certificate is made, and whose files are not being examined.
macro_rules! is_finished {
    () => {
        "exists (select 1 from certificates k where k.case_id = c.id and k.blob_key is not null)
           and not exists (select 1 from item_analyses a where a.case_id = c.id and a.state = 'pending')"
    };
}

/// Cases that were closed before a moment, with all that belongs to them.
pub async fn closed_cases(
    reader: &mut Reader,
    company: CompanyId,
    before: Timestamp,
    after: Place,
    most: i64,
) -> sqlx::Result<Vec<DueCase>> {
    let sql = concat!(
        "select c.id, c.closed_at as since, ",
        files!(),
        " + coalesce((select k.size from certificates k where k.case_id = c.id), 0) as bytes
         from cases c
         where c.company_id = $1 and c.closed_at < $2 and (c.closed_at > $3 or (c.closed_at = $3 and c.id > $4)) and ",
        is_free!(),
        " order by c.closed_at, c.id limit $5"
    );
    reader.query(sql).bind(company).bind(before).bind(after.since).bind(after.case).bind(most).all().await
}

/// Open cases that no one has changed since a moment.
pub async fn abandoned_cases(
    reader: &mut Reader,
    company: CompanyId,
    before: Timestamp,
    after: Place,
    most: i64,
) -> sqlx::Result<Vec<DueCase>> {
    let sql = concat!(
        "select c.id, c.created_at as since, ",
        files!(),
        " as bytes
         from cases c
         where c.company_id = $1 and (c.created_at > $3 or (c.created_at = $3 and c.id > $4)) and ",
        is_abandoned!(),
        " and ",
        is_free!(),
        " order by c.created_at, c.id limit $5"
    );
    reader.query(sql).bind(company).bind(before).bind(after.since).bind(after.case).bind(most).all().await
}

/// Closed cases whose files have not expired yet, also those without one.
pub async fn cases_with_originals(
    reader: &mut Reader,
    company: CompanyId,
    closed: Closed,
    after: Place,
    most: i64,
) -> sqlx::Result<Vec<DueCase>> {
    let sql = concat!(
        "select c.id, c.closed_at as since, ",
        files!(),
        " as bytes
         from cases c
         where c.company_id = $1 and c.originals_expired_at is null and c.closed_at < $2 and c.closed_at >= $6
           and (c.closed_at > $3 or (c.closed_at = $3 and c.id > $4)) and ",
        is_finished!(),
        " and ",
        is_free!(),
        " order by c.closed_at, c.id limit $5"
    );
    due(reader, sql, company, closed, after, most).await
}

/// Closed cases of which what was read in files has not expired yet, also those without any.
pub async fn cases_with_facts(
    reader: &mut Reader,
    company: CompanyId,
    closed: Closed,
    after: Place,
    most: i64,
) -> sqlx::Result<Vec<DueCase>> {
    let sql = concat!(
        "select c.id, c.closed_at as since,
                (select count(*) from item_analyses a
                 where a.case_id = c.id and (a.facts_key is not null or a.extracted is not null)) as amount,
                cast(0 as bigint) as bytes
         from cases c
         where c.company_id = $1 and c.facts_expired_at is null and c.closed_at < $2 and c.closed_at >= $6
           and (c.closed_at > $3 or (c.closed_at = $3 and c.id > $4)) and ",
        is_finished!(),
        " and ",
        is_free!(),
        " order by c.closed_at, c.id limit $5"
    );
    due(reader, sql, company, closed, after, most).await
}

async fn due(
    reader: &mut Reader,
    sql: &'static str,
    company: CompanyId,
    closed: Closed,
    after: Place,
    most: i64,
) -> sqlx::Result<Vec<DueCase>> {
    let query = reader.query(sql).bind(company).bind(closed.before).bind(after.since).bind(after.case).bind(most);
    query.bind(closed.from).all().await
}

/// Whether a case goes as a whole: it is not held, and was closed before a moment, or not changed since.
pub async fn is_case_due(
    reader: &mut Reader,
    company: CompanyId,
    case: CaseId,
    before: Timestamp,
) -> sqlx::Result<bool> {
    let sql = concat!(
        "select c.id from cases c where c.company_id = $1 and c.id = $3 and (c.closed_at < $2 or (",
        is_abandoned!(),
        ")) and ",
        is_free!()
    );
    is_found(reader, sql, company, case, before).await
}

/// Whether parts of a case go: it is not held, was closed before a moment, and is finished.
pub async fn is_part_due(
    reader: &mut Reader,
    company: CompanyId,
    case: CaseId,
    before: Timestamp,
) -> sqlx::Result<bool> {
    let sql = concat!(
        "select c.id from cases c where c.company_id = $1 and c.id = $3 and c.closed_at < $2 and ",
        is_finished!(),
        " and ",
        is_free!()
    );
    is_found(reader, sql, company, case, before).await
}

async fn is_found(
    reader: &mut Reader,
    sql: &'static str,
    company: CompanyId,
    case: CaseId,
    before: Timestamp,
) -> sqlx::Result<bool> {
    let row: Option<(CaseId,)> = reader.query(sql).bind(company).bind(before).bind(case).optional().await?;
    Ok(row.is_some())
}

/// The items of a case whose file is stored, with its bytes.
pub async fn originals(reader: &mut Reader, case: CaseId) -> sqlx::Result<Vec<(ItemId, i64)>> {
    reader
        .query(
            "select id, coalesce(file_size, 0) from items
             where case_id = $1 and blob_key is not null and file_deleted_at is null order by id",
        )
        .bind(case)
        .all()
        .await
}

/// Records that the files of a case have expired.
pub async fn set_originals_expired(tx: &mut Tx, case: CaseId, now: Timestamp) -> sqlx::Result<()> {
    tx.query("update cases set originals_expired_at = $2 where id = $1").bind(case).bind(now).execute().await?;
    Ok(())
}

/// Records that what was read in the files of a case has expired, and removes the fields that its steps asked for.
/// Returns how many analyses had something, and the items whose facts are a blob, which must still be deleted.
pub async fn expire_facts(tx: &mut Tx, case: CaseId, now: Timestamp) -> sqlx::Result<(i64, Vec<ItemId>)> {
    let rows: Vec<(ItemId, bool)> = tx
        .query(
            "select item_id, facts_key is not null from item_analyses
             where case_id = $1 and (facts_key is not null or extracted is not null) order by item_id",
        )
        .bind(case)
        .all()
        .await?;
    tx.query("update item_analyses set extracted = null where case_id = $1 and extracted is not null")
        .bind(case)
        .execute()
        .await?;
    tx.query("update cases set facts_expired_at = $2 where id = $1").bind(case).bind(now).execute().await?;
    let amount = i64::try_from(rows.len()).unwrap_or(i64::MAX);
    Ok((amount, rows.into_iter().filter_map(|(item, is_blob)| is_blob.then_some(item)).collect()))
}

/// The blob with the facts of an item, if they have expired.
pub async fn expired_facts(reader: &mut Reader, item: ItemId) -> sqlx::Result<Option<BlobKey>> {
    let row: Option<(BlobKey,)> = reader
        .query(
            "select a.facts_key from item_analyses a join cases c on c.id = a.case_id
             where a.item_id = $1 and a.facts_key is not null and c.facts_expired_at is not null",
        )
        .bind(item)
        .optional()
        .await?;
    Ok(row.map(|(key,)| key))
}

/// Records that the blob with the facts of an item is deleted.
pub async fn forget_facts(tx: &mut Tx, item: ItemId, key: &BlobKey) -> sqlx::Result<()> {
    tx.query("update item_analyses set facts_key = null where item_id = $1 and facts_key = $2")
        .bind(item)
        .bind(key)
        .execute()
        .await?;
    Ok(())
}

/// How many attempts of a company's webhooks were started before a moment. Those about held cases stay.
pub async fn count_attempts(reader: &mut Reader, company: CompanyId, before: Timestamp) -> sqlx::Result<i64> {
    let (count,): (i64,) = reader
        .query(
            "select count(*) from webhook_attempts w where w.company_id = $1 and w.started_at < $2
               and not exists (select 1 from legal_holds h where h.case_id = w.case_id)",
        )
        .bind(company)
        .bind(before)
        .one()
        .await?;
    Ok(count)
}

/// Deletes at most `most` of the attempts that [`count_attempts`] counts, and returns how many.
pub async fn delete_attempts(tx: &mut Tx, company: CompanyId, before: Timestamp, most: i64) -> sqlx::Result<u64> {
    tx.query(
        "delete from webhook_attempts where id in (
           select w.id from webhook_attempts w where w.company_id = $1 and w.started_at < $2
             and not exists (select 1 from legal_holds h where h.case_id = w.case_id)
           order by w.started_at limit $3)",
    )
    .bind(company)
    .bind(before)
    .bind(most)
    .execute()
    .await
}

/// Takes the turn until `until`, if no one has it at `now` and the last one ended before `last`. Returns its number.
pub async fn take_turn(tx: &mut Tx, now: Timestamp, until: Timestamp, last: Timestamp) -> sqlx::Result<Option<i64>> {
    let row: Option<(i64,)> = tx
        .query(
            "update retention_turn set claim = claim + 1, leased_until = $2
             where id = 1 and leased_until <= $1 and ended_at <= $3 returning claim",
        )
        .bind(now)
        .bind(until)
        .bind(last)
        .optional()
        .await?;
    Ok(row.map(|(claim,)| claim))
}

/// Keeps the turn until `until`; false if someone else has it. Locks its row until the transaction ends.
pub async fn keep_turn(tx: &mut Tx, claim: i64, until: Timestamp) -> sqlx::Result<bool> {
    let kept = tx
        .query("update retention_turn set leased_until = $2 where id = 1 and claim = $1")
        .bind(claim)
        .bind(until)
        .execute()
        .await?;
    Ok(kept == 1)
}

/// Ends the turn, unless someone else has it. `ended_at` is none if something is left.
pub async fn end_turn(tx: &mut Tx, claim: i64, ended_at: Option<Timestamp>) -> sqlx::Result<()> {
    tx.query(
        "update retention_turn set leased_until = 0, ended_at = coalesce($2, ended_at) where id = 1 and claim = $1",
    )
    .bind(claim)
    .bind(ended_at)
    .execute()
    .await?;
    Ok(())
}
