//! The audit log.

use std::fmt;

use strum::{EnumString, IntoStaticStr};

use crate::{clock::Timestamp, db::Tx, domain::id::CompanyId};

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
