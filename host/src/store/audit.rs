//! The audit log: its records, and the head of their chain.

use std::fmt;

use sealwright_seal::Sha256Digest;
use serde::Serialize;
use strum::{EnumString, IntoStaticStr};

use crate::{
    clock::Timestamp,
    db::{Reader, Tx},
    domain::{console::Scope, id::CompanyId},
};

/// By which way an actor came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, IntoStaticStr, serde::Serialize)]
#[strum(serialize_all = "lowercase")]
#[serde(rename_all = "lowercase")]
pub enum ActorKind {
    Console,
    Field,
    Link,
    Api,
    Command,
    /// The server itself, without a request.
    Server,
}

impl fmt::Display for ActorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.into())
    }
}

sealwright_base::text_column!(ActorKind, "kind of actor");

/// What came of an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, IntoStaticStr, serde::Serialize)]
#[strum(serialize_all = "lowercase")]
#[serde(rename_all = "lowercase")]
pub enum AuditOutcome {
    Done,
    /// The rules did not allow it.
    Refused,
    Failed,
}

impl fmt::Display for AuditOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.into())
    }
}

sealwright_base::text_column!(AuditOutcome, "outcome of an action");

/// A record to append.
#[derive(Clone, Debug)]
pub struct NewAuditRecord {
    pub happened_at: Timestamp,
    pub company: Option<CompanyId>,
    pub actor_kind: ActorKind,
    /// A username or an identifier, never a secret.
    pub actor: String,
    pub action: String,
    /// `case 12`, `item 7`, `user maria`
    pub subject: Option<String>,
    /// Of the client.
    pub address: Option<String>,
    pub outcome: AuditOutcome,
    /// One line, without a secret and without a value from a document.
    pub detail: Option<String>,
}

/// A stored record. Its texts are as they are in the database, also if someone has changed them there: a check must be
/// able to read them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, sqlx_macros::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct AuditRecord {
    /// In the order of insertion.
    pub id: i64,
    pub happened_at: Timestamp,
    #[sqlx(rename = "company_id")]
    pub company: Option<i64>,
    /// An [`ActorKind`].
    pub actor_kind: String,
    pub actor: String,
    pub action: String,
    pub subject: Option<String>,
    /// Of the client.
    pub address: Option<String>,
    /// An [`AuditOutcome`].
    pub outcome: String,
    pub detail: Option<String>,
    /// In the chain, from 1; none until the record is chained.
    pub position: Option<i64>,
    /// Of the digest before it and of this record, in lowercase hexadecimal.
    pub digest: Option<String>,
    /// When the content was removed, because its company keeps it no longer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expired_at: Option<Timestamp>,
}

impl AuditRecord {
    /// Whether the content was removed, all of it.
    pub fn is_empty(&self) -> bool {
        let Self { actor_kind, actor, action, subject, address, outcome, detail, .. } = self;
        [actor_kind, actor, action, outcome].into_iter().all(String::is_empty)
            && [subject, address, detail].into_iter().all(Option::is_none)
    }
}

/// Removes the content of up to `limit` chained records of a company from before a moment, and returns how many.
pub async fn expire(
    tx: &mut Tx,
    company: CompanyId,
    before: Timestamp,
    now: Timestamp,
    limit: i64,
) -> sqlx::Result<u64> {
    tx.query(
        "update audit_records
         set expired_at = $3, actor_kind = '', actor = '', action = '', subject = null, address = null, outcome = '',
             detail = null
         where id in (select id from audit_records
                      where company_id = $1 and happened_at < $2 and expired_at is null and position is not null
                      order by happened_at limit $4)",
    )
    .bind(company)
    .bind(before)
    .bind(now)
    .bind(limit)
    .execute()
    .await
}

/// How many records [`expire`] would change.
pub async fn count_expiring(reader: &mut Reader, company: CompanyId, before: Timestamp) -> sqlx::Result<i64> {
    let (count,): (i64,) = reader
        .query(
            "select count(*) from audit_records
             where company_id = $1 and happened_at < $2 and expired_at is null and position is not null",
        )
        .bind(company)
        .bind(before)
        .one()
        .await?;
    Ok(count)
}

/// How far the chain is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct AuditHead {
    /// How many records are chained.
    pub size: i64,
    /// Of the last of them.
    pub digest: Sha256Digest,
}

/// Which records to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditFilter {
    /// The companies of the reader.
    pub scope: Scope,
    pub company: Option<CompanyId>,
    /// A name, or a kind and a name: `link 1a2b3c4d`.
    pub actor: Option<String>,
    pub action: Option<String>,
    /// A row, such as `case 12`: also finds the items of the case.
    pub subject: Option<String>,
    /// The first moment.
    pub since: Option<Timestamp>,
    /// The moment after the last one.
    pub until: Option<Timestamp>,
}

impl AuditFilter {
    /// Every record that a reader with this scope may see.
    pub const fn all(scope: Scope) -> Self {
        Self { scope, company: None, actor: None, action: None, subject: None, since: None, until: None }
    }
}

/// Appends a record. It is chained later.
pub async fn insert(tx: &mut Tx, new: &NewAuditRecord) -> sqlx::Result<()> {
    tx.query(
        "insert into audit_records (happened_at, company_id, actor_kind, actor, action, subject, address, outcome,
           detail)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
    )
    .bind(new.happened_at)
    .bind(new.company)
    .bind(new.actor_kind)
    .bind(&new.actor)
    .bind(&new.action)
    .bind(&new.subject)
    .bind(&new.address)
    .bind(new.outcome)
    .bind(&new.detail)
    .execute()
    .await?;
    Ok(())
}

/// How many of a company's newest records are examined for a look.
const NEWEST_EXAMINED: i64 = 500;

/// A look that may be recorded already.
#[derive(Clone, Copy, Debug)]
pub struct Look<'a> {
    pub company: CompanyId,
    pub actor_kind: ActorKind,
    pub actor: &'a str,
    pub address: &'a str,
    pub action: &'a str,
    pub subject: &'a str,
    /// The first moment that counts.
    pub since: Timestamp,
}

/// Whether the company's newest records have the look. False also if too many records came after it.
pub async fn has_look(reader: &mut Reader, look: &Look<'_>) -> sqlx::Result<bool> {
    let found: Option<(i64,)> = reader
        .query(
            "select id
             from (select id, happened_at, actor_kind, actor, action, subject, address, outcome from audit_records
                   where company_id = $1 order by id desc limit $2) newest
             where happened_at >= $3 and actor_kind = $4 and actor = $5 and address = $6 and action = $7
               and subject = $8 and outcome = $9
             limit 1",
        )
        .bind(look.company)
        .bind(NEWEST_EXAMINED)
        .bind(look.since)
        .bind(look.actor_kind)
        .bind(look.actor)
        .bind(look.address)
        .bind(look.action)
        .bind(look.subject)
        .bind(AuditOutcome::Done)
        .optional()
        .await?;
    Ok(found.is_some())
}

/// Up to `limit` records that wait to be chained, the oldest first.
pub async fn waiting(reader: &mut Reader, limit: i64) -> sqlx::Result<Vec<AuditRecord>> {
    reader.query("select * from audit_records where position is null order by id limit $1").bind(limit).all().await
}

/// The head; none if someone has deleted it.
pub async fn head(reader: &mut Reader) -> sqlx::Result<Option<AuditHead>> {
    reader.query("select size, digest from audit_head where id = 1").optional().await
}

/// The head, locked until the transaction ends, so that one node at a time chains records.
pub async fn lock_head(tx: &mut Tx) -> sqlx::Result<Option<AuditHead>> {
    tx.query("update audit_head set size = size where id = 1 returning size, digest").optional().await
}

/// Gives a record its place in the chain.
pub async fn chain(tx: &mut Tx, id: i64, position: i64, digest: Sha256Digest) -> sqlx::Result<()> {
    tx.query("update audit_records set position = $2, digest = $3 where id = $1 and position is null")
        .bind(id)
        .bind(position)
        .bind(digest)
        .execute()
        .await?;
    Ok(())
}

/// Moves the head to the last record that was chained.
pub async fn set_head(tx: &mut Tx, head: AuditHead) -> sqlx::Result<()> {
    tx.query("update audit_head set size = $1, digest = $2 where id = 1")
        .bind(head.size)
        .bind(head.digest)
        .execute()
        .await?;
    Ok(())
}

/// Up to `limit` records of the chain from the position after `after` on.
pub async fn chained(reader: &mut Reader, after: i64, limit: i64) -> sqlx::Result<Vec<AuditRecord>> {
    reader
        .query("select * from audit_records where position > $1 order by position limit $2")
        .bind(after)
        .bind(limit)
        .all()
        .await
}

/// Up to `limit` records, the newest first, from those before the record `before` on.
pub async fn newest(
    reader: &mut Reader,
    filter: &AuditFilter,
    before: i64,
    limit: i64,
) -> sqlx::Result<Vec<AuditRecord>> {
    filtered(reader, NEWEST, filter, before, limit).await
}

/// Up to `limit` records, the oldest first, from those after the record `after` on.
pub async fn oldest(
    reader: &mut Reader,
    filter: &AuditFilter,
    after: i64,
    limit: i64,
) -> sqlx::Result<Vec<AuditRecord>> {
    filtered(reader, OLDEST, filter, after, limit).await
}

macro_rules! matching {
    ($place:literal) => {
        concat!(
            "select * from audit_records
             where ($1 is null or company_id = $1
                    or ($2 = 1 and company_id in (select id from companies where parent_id = $1)))
               and ($3 is null or company_id = $3)
               and ($4 is null or actor = $4 or actor_kind || ' ' || actor = $4)
               and ($5 is null or action = $5)
               and ($6 is null or subject = $6 or detail = $6 or substr(detail, 1, length($6) + 1) = $6 || ',')
               and ($7 is null or happened_at >= $7) and ($8 is null or happened_at < $8)",
            $place
        )
    };
}

const NEWEST: &str = matching!(" and id < $9 and expired_at is null order by id desc limit $10");
const OLDEST: &str = matching!(" and id > $9 order by id limit $10");

async fn filtered(
    reader: &mut Reader,
    sql: &'static str,
    filter: &AuditFilter,
    place: i64,
    limit: i64,
) -> sqlx::Result<Vec<AuditRecord>> {
    let with_children = matches!(filter.scope, Scope::Company { with_children: true, .. });
    reader
        .query(sql)
        .bind(filter.scope.company())
        .bind(i64::from(with_children))
        .bind(filter.company)
        .bind(filter.actor.as_deref())
        .bind(filter.action.as_deref())
        .bind(filter.subject.as_deref())
        .bind(filter.since)
        .bind(filter.until)
        .bind(place)
        .bind(limit)
        .all()
        .await
}
