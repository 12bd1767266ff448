//! The audit log: who did or saw what, from where, with which outcome.
//!
//! A change is recorded in its own transaction, so that there is no change without its record. A look at data is recorded
//! before the data is sent.

use crate::{
    app::App,
    clock::Timestamp,
    db::Tx,
    domain::{client_address::ClientAddress, id::CompanyId},
    error::{Error, Result},
    store::{
        self,
        audit::{ActorKind, AuditOutcome, NewAuditRecord},
    },
};

/// Who acts, and from where.
#[derive(Clone, Debug)]
pub struct Actor {
    pub kind: ActorKind,
    /// A username or an identifier, never a secret.
    pub name: String,
    pub address: Option<ClientAddress>,
}

/// What an actor did or saw.
#[derive(Clone, Debug)]
pub struct Event {
    pub company: Option<CompanyId>,
    /// The name of an operation of the interface or of an action of the console.
    pub action: String,
    /// `case 12`, `item 7`, `user maria`
    pub subject: Option<String>,
    pub outcome: AuditOutcome,
    /// One line, without a secret and without a value from a document.
    pub detail: Option<String>,
}

impl Event {
    /// Something that was done.
    pub fn done(action: impl Into<String>, company: Option<CompanyId>, subject: impl Into<Option<String>>) -> Self {
        Self { company, action: action.into(), subject: subject.into(), outcome: AuditOutcome::Done, detail: None }
    }

    #[must_use]
    pub fn with_detail(self, detail: impl Into<String>) -> Self {
        Self { detail: Some(detail.into()), ..self }
    }

    #[must_use]
    pub fn with_outcome(self, outcome: AuditOutcome) -> Self {
        Self { outcome, ..self }
    }
}

/// Records an event in the transaction of what it records.
pub async fn record(tx: &mut Tx, now: Timestamp, actor: &Actor, event: Event) -> sqlx::Result<()> {
    let record = NewAuditRecord {
        happened_at: now,
        company: event.company,
        actor_kind: actor.kind,
        actor: actor.name.clone(),
        action: event.action,
        subject: event.subject,
        address: actor.address.map(|address| address.to_string()),
        outcome: event.outcome,
        detail: event.detail,
    };
    store::audit::insert(tx, &record).await
}

/// Records an event that has no transaction of its own: a look at data, or something that was refused.
pub async fn record_alone(app: &App, actor: &Actor, event: Event) -> Result<()> {
    let mut tx = app.db.begin().await?;
    let recorded = record(&mut tx, app.clock.now(), actor, event).await.map_err(Error::from);
    tx.settle(recorded).await
}
