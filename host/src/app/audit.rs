//! The audit log: who did or saw what, from where, with which outcome.
//!
//! A change is recorded in its own transaction, so that there is no change without its record. A look at data is recorded
//! before the data is sent. Shortly after, [`chain`] gives each record its place in a chain of digests, whose head
//! [`publish`] puts into the log of seals; [`verify`] checks both. A record has no secret and no value from a document.

pub mod chain;
pub mod export;
pub mod publish;
pub mod retention;
pub mod verify;

pub use crate::store::audit::{ActorKind, AuditFilter, AuditOutcome, AuditRecord};
use crate::{
    app::App,
    clock::Timestamp,
    db::{Db, Tx},
    domain::{
        client_address::ClientAddress,
        id::{CaseId, CompanyId, UserId},
        link::LinkToken,
        operation::Operation,
    },
    error::{Error, Result},
    store::{
        self,
        audit::{Look, NewAuditRecord},
    },
};

/// The most characters of each text of a record.
pub(super) const LONGEST_TEXT: usize = 500;

/// The actor of a sign-in by someone who is not a user.
const UNKNOWN: &str = "unknown";

/// Who acts, and from where.
#[derive(Clone, Debug)]
pub struct Actor {
    pub kind: ActorKind,
    /// A username or an identifier, never a secret.
    pub name: String,
    pub address: Option<ClientAddress>,
}

impl Actor {
    /// A user of the API.
    pub fn api(user: &UserId, address: ClientAddress) -> Self {
        Self { kind: ActorKind::Api, name: user.to_string(), address: Some(address) }
    }

    /// A field user.
    pub fn field(user: &UserId, address: ClientAddress) -> Self {
        Self { kind: ActorKind::Field, name: user.to_string(), address: Some(address) }
    }

    /// The holder of a link. The token itself is a permission, so only the beginning of its digest is recorded.
    pub fn link(token: &LinkToken, address: ClientAddress) -> Self {
        Self { kind: ActorKind::Link, name: token.fingerprint(), address: Some(address) }
    }

    /// Someone whose sign-in failed. What was entered as the username may be a password, so it is recorded only if it is
    /// a user's.
    pub fn refused(kind: ActorKind, user: Option<&UserId>, address: ClientAddress) -> Self {
        let name = user.map_or_else(|| UNKNOWN.to_owned(), ToString::to_string);
        Self { kind, name, address: Some(address) }
    }

    /// The person who runs a command, by the name that the operating system has for them.
    pub fn command() -> Self {
        let user = rustix::process::getuid().as_raw();
        let users = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
        let name = user_name(&users, user).unwrap_or("operator").to_owned();
        Self { kind: ActorKind::Command, name, address: None }
    }

    /// The server, which deletes expired data of companies.
    pub fn retention() -> Self {
        Self { kind: ActorKind::Server, name: "retention".to_owned(), address: None }
    }
}

/// The name of a user in the text of `/etc/passwd`.
fn user_name(users: &str, id: u32) -> Option<&str> {
    users.lines().find_map(|line| {
        let mut fields = line.split(':');
        let name = fields.next().filter(|name| !name.is_empty())?;
        (fields.nth(1)? == id.to_string()).then_some(name)
    })
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
    pub fn done(action: impl Into<String>, company: Option<CompanyId>, subject: Option<String>) -> Self {
        Self { company, action: action.into(), subject, outcome: AuditOutcome::Done, detail: None }
    }

    /// Something that an operation of the interface did for a company, or looked at.
    pub fn of(operation: Operation, company: CompanyId, subject: Option<String>) -> Self {
        Self::done(operation.name(), Some(company), subject)
    }

    /// That a link was created.
    pub fn created_link(company: CompanyId, token: &LinkToken) -> Self {
        Self::of(Operation::CreateLink, company, Some(format!("link {}", token.fingerprint())))
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

/// Records an event in the same transaction as the change.
pub async fn record(tx: &mut Tx, now: Timestamp, actor: &Actor, event: Event) -> sqlx::Result<()> {
    let known = actor.address.filter(|address| *address != ClientAddress::UNKNOWN);
    let record = NewAuditRecord {
        happened_at: now,
        company: event.company,
        actor_kind: actor.kind,
        actor: one_line(&actor.name),
        action: event.action,
        subject: event.subject.as_deref().map(one_line),
        address: known.map(|address| address.to_string()),
        outcome: event.outcome,
        detail: event.detail.as_deref().map(one_line),
    };
    store::audit::insert(tx, &record).await
}

/// Records an event that has no transaction of its own: a look at data, or something that was refused.
pub async fn record_alone(app: &App, actor: &Actor, event: Event) -> Result<()> {
    record_in(&app.db, app.clock.now(), actor, event).await
}

/// Whether this look of the actor was recorded since a moment, from the same address. If in doubt, it was not: a look that
/// is recorded twice does no harm.
pub async fn has_look(
    app: &App,
    actor: &Actor,
    (company, action, subject): (CompanyId, &str, &str),
    since: Timestamp,
) -> Result<bool> {
    let Some(address) = actor.address.filter(|address| *address != ClientAddress::UNKNOWN) else { return Ok(false) };
    let (actor_kind, actor, address) = (actor.kind, one_line(&actor.name), address.to_string());
    let look = Look { company, actor_kind, actor: &actor, address: &address, action, subject, since };
    let mut reader = app.db.read().await?;
    Ok(store::audit::has_look(&mut reader, &look).await?)
}

/// Like [`record_alone`], for commands that open the database only.
pub async fn record_in(db: &Db, now: Timestamp, actor: &Actor, event: Event) -> Result<()> {
    let mut tx = db.begin().await?;
    let recorded = record(&mut tx, now, actor, event).await.map_err(Error::from);
    tx.settle(recorded).await
}

/// Records that a command shows or reads a case, if there is such a case.
pub async fn record_look_by_command(app: &App, action: &str, case: CaseId) -> Result<()> {
    let mut reader = app.db.read().await?;
    let Some(found) = store::case::find(&mut reader, case).await? else { return Ok(()) };
    drop(reader);
    let event = Event::done(action, Some(found.company), Some(format!("case {case}")));
    record_alone(app, &Actor::command(), event).await
}

/// Up to `limit` records, the newest first. `before`: the identifier of the last record that was read. What waits is
/// chained first.
pub async fn newest(db: &Db, filter: &AuditFilter, before: Option<i64>, limit: u32) -> Result<Vec<AuditRecord>> {
    chain::try_to_chain(db).await;
    let mut reader = db.read().await?;
    let before = before.unwrap_or(i64::MAX);
    Ok(store::audit::newest(&mut reader, filter, before, i64::from(limit)).await?)
}

/// Text without line breaks and control characters, and not too long.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(LONGEST_TEXT).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_s_user_is_found_by_the_number() {
        let users = "root:x:0:0:root:/root:/bin/sh\n\nbroken\nmaria:x:1000:1000::/home/maria:/bin/sh\n";
        assert_eq!(user_name(users, 0), Some("root"));
        assert_eq!(user_name(users, 1000), Some("maria"));
        assert_eq!(user_name(users, 1), None);
    }

    #[test]
    fn texts_of_a_record_are_short_and_on_one_line() {
        assert_eq!(one_line("a\nb\u{1b}c"), "a b c");
        assert_eq!(one_line(&"é".repeat(501)).chars().count(), 500);
    }
}
