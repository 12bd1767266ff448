//! The console: its users, their sessions, and what they see and do. Roles and companies are in
//! [`domain::console`](crate::domain::console); every change and every look is in the audit log.

pub mod account;
pub mod backtest;
pub mod case;
pub mod certificate;
pub mod company;
pub mod decision;
pub mod document;
pub mod frame_preview;
pub mod link;
pub mod openid;
pub mod operation;
pub mod passkey;
pub mod preview;
pub mod second_factor;
pub mod session;
pub mod user;

use std::sync::Arc;

use crate::{
    app::{App, audit, session::Caller},
    clock::Timestamp,
    domain::{
        client_address::ClientAddress,
        console::{Role, Scope},
        id::{CompanyId, UserId},
        right::Rights,
    },
    error::{Error, Result},
    store::{self, audit::ActorKind, company::Company, console_session::ConsoleSession},
};

/// What the identifier of a caller begins with if the caller is a user of the console.
const CONSOLE_PREFIX: &str = "console:";

/// The name by which people know a user of the API or of the console.
pub fn name_of(user: &UserId) -> &str {
    user.as_str().strip_prefix(CONSOLE_PREFIX).unwrap_or(user.as_str())
}

/// The user of the console behind a request.
#[derive(Clone, Debug)]
pub struct ConsoleUser {
    pub id: i64,
    pub username: String,
    /// For people.
    pub name: String,
    pub role: Role,
    pub scope: Scope,
    /// Whether an authenticator app is set up.
    pub has_codes: bool,
    /// The user has no password here; the provider says which role the user has.
    pub is_from_provider: bool,
    /// When the session ends at the latest.
    pub ends_at: Timestamp,
    /// Identifies the session.
    pub session: i64,
    /// Of this request.
    pub address: ClientAddress,
}

impl ConsoleUser {
    fn new(
        user: store::console_user::ConsoleUser,
        session: &ConsoleSession,
        ends_at: Timestamp,
        address: ClientAddress,
    ) -> Self {
        Self {
            id: user.id,
            scope: user.scope(),
            is_from_provider: user.is_from_provider(),
            username: user.username,
            name: user.name,
            role: user.role,
            has_codes: user.totp_secret.is_some(),
            ends_at,
            session: session.id,
            address,
        }
    }

    pub fn may(&self, role: Role) -> bool {
        self.role >= role
    }

    /// For the audit log.
    pub fn actor(&self) -> audit::Actor {
        audit::Actor { kind: ActorKind::Console, name: self.username.clone(), address: Some(self.address) }
    }

    /// The caller as which the user acts on what belongs to a company: the role was checked before.
    ///
    /// # Errors
    /// An internal one if the username is not a user's identifier; the console accepts only usernames that are.
    pub fn caller(&self, company: Company) -> Result<Caller> {
        let user = UserId::parse(&format!("{CONSOLE_PREFIX}{}", self.username));
        let user = user.ok_or_else(|| Error::internal(anyhow::anyhow!("{:?} is not an identifier", self.username)))?;
        Ok(Caller { user, company: Arc::new(company), rights: Rights::every(), actor: self.actor() })
    }

    /// A company of the user's; anything else looks as if it did not exist, so that no one learns what exists.
    pub async fn company(&self, app: &App, id: CompanyId) -> Result<Company> {
        let unknown = || Error::not_found(format!("company {id} does not exist, or is not one of yours"));
        let mut reader = app.db.read().await?;
        let company = store::company::find(&mut reader, id).await?.ok_or_else(unknown)?;
        if self.scope.contains(company.id, company.parent) { Ok(company) } else { Err(unknown()) }
    }

    /// The companies of the user, by identifier.
    pub async fn companies(&self, app: &App) -> Result<Vec<Company>> {
        let mut reader = app.db.read().await?;
        let all = store::company::all(&mut reader).await?;
        Ok(all.into_iter().filter(|company| self.scope.contains(company.id, company.parent)).collect())
    }
}
