//! Who is calling: signing in with a password or by a provider, the caller behind a token, the holder of a link, and the field user behind
//! a cookie.

pub mod field;
pub mod openid;

use std::{collections::HashMap, sync::Arc, time::Duration};

use argon2::{Argon2, PasswordHasher, PasswordVerifier, password_hash::phc::PasswordHash};
use parking_lot::Mutex;
use quick_cache::sync::Cache;
use sealwright_seal::Sha256Digest;
use tokio::sync::{Mutex as AsyncMutex, OwnedMutexGuard, Semaphore};

pub use self::field::FieldUser;
use super::{
    App,
    audit::{self, Actor, ActorKind, AuditOutcome, Event},
    run_within,
};
use crate::{
    clock::{Timestamp, random_bytes},
    domain::{
        client_address::ClientAddress,
        company_manifest::UserKind,
        id::{CompanyId, UserId},
        link::LinkToken,
        operation::Operation,
        right::{Right, Rights},
    },
    error::{Error, Result},
    store::{self, case::Case, company::Company, link::Link, user::User},
};

/// How long a caller's rights are remembered. Decisions 3 allows 5 s before a revoked right must stop.
const CALLER_FRESH: Duration = Duration::from_secs(2);
const CALLERS_REMEMBERED: usize = 10_000;

/// The API user behind a request.
#[derive(Clone, Debug)]
pub struct Caller {
    pub user: UserId,
    pub company: Arc<Company>,
    pub rights: Rights,
    /// For the audit log.
    pub actor: Actor,
}

impl Caller {
    pub fn company_id(&self) -> CompanyId {
        self.company.id
    }

    /// The company that names the caller's family: its parent, or itself.
    pub fn family(&self) -> CompanyId {
        self.company.parent.unwrap_or(self.company.id)
    }

    pub fn may(&self, right: Right) -> bool {
        self.rights.allows(right)
    }
}

/// Callers seen in the last two seconds.
pub type CallerCache = Cache<UserId, (Timestamp, Caller)>;

pub fn caller_cache() -> CallerCache {
    Cache::new(CALLERS_REMEMBERED)
}

/// A user who has shown who they are.
pub struct SignedIn {
    user: User,
    pub company: Company,
    evidence: Evidence,
}

/// How a user has shown it. A session ends when this does not hold any more.
enum Evidence {
    Password,
    Provider {
        /// Of issuer and subject.
        subject: Sha256Digest,
        /// Names the sign-in, which begins one session.
        sign_in: Sha256Digest,
    },
}

/// Checks the password of an active user of this kind (spec 4.1; decisions 3). Another kind of user, an unknown user and
/// a wrong password get the same answer, and take the same time. A failure is in the audit log.
pub async fn check_password(
    app: &App,
    kind: UserKind,
    username: &str,
    password: String,
    client: ClientAddress,
) -> Result<SignedIn> {
    let mut reader = app.db.read().await?;
    let user = store::user::find_by_username(&mut reader, username).await?;
    let user = user.filter(|user| may_sign_in(user, kind));
    drop(reader);
    let hash = user.as_ref().and_then(|user| user.password_hash.clone());
    let right = run_within(&app.sign_ins.hashing, move || verify_password(&password, hash.as_deref())).await?;
    let wrong = || Error::Unauthenticated("wrong username or password".to_owned());
    if !right {
        record_failure(app, kind, user.as_ref(), client).await?;
    }
    let user = user.filter(|_| right).ok_or_else(wrong)?;
    let mut reader = app.db.read().await?;
    let company = store::company::find(&mut reader, user.company).await?.ok_or_else(wrong)?;
    Ok(SignedIn { user, company, evidence: Evidence::Password })
}

/// Records a sign-in that failed, in the audit log of the user's company if there is such a user.
pub async fn record_failure(app: &App, kind: UserKind, user: Option<&User>, client: ClientAddress) -> Result<()> {
    let (operation, kind) = match kind {
        UserKind::Api => (Operation::CreateToken, ActorKind::Api),
        UserKind::Field => (Operation::SignInFieldUser, ActorKind::Field),
    };
    let actor = Actor::refused(kind, user.map(|user| &user.id), client);
    let event = Event::done(operation.name(), user.map(|user| user.company), None);
    audit::record_alone(app, &actor, event.with_outcome(AuditOutcome::Refused)).await
}

/// Issues a token.
pub async fn issue_token(app: &App, SignedIn { user, .. }: SignedIn, client: ClientAddress) -> Result<String> {
    let mut tx = app.db.begin().await?;
    let noted = async {
        if !user.logged_in {
            store::user::set_logged_in(&mut tx, &user.id).await?;
        }
        let event = Event::of(Operation::CreateToken, user.company, None);
        audit::record(&mut tx, app.clock.now(), &Actor::api(&user.id, client), event).await
    };
    let noted = noted.await.map_err(Error::from);
    tx.settle(noted).await?;
    let lifetime = app.config.token_lifetime;
    Ok(app.tokens.issue(&user.id, user.company, user.rights.to_string(), app.clock.now(), lifetime)?)
}

/// Limits the cost of signing in: a hash takes a core for some hundredths of a second.
pub struct SignIns {
    /// One hash at a time per core; no other work waits for it.
    pub(super) hashing: Arc<Semaphore>,
    clients: Mutex<HashMap<ClientAddress, Arc<AsyncMutex<()>>>>,
}

/// Above this number of clients, idle ones are forgotten.
const CLIENTS_REMEMBERED: usize = 1024;

impl SignIns {
    pub fn new(cores: usize) -> Self {
        Self { hashing: Arc::new(Semaphore::new(cores)), clients: Mutex::default() }
    }

    /// Waits for the earlier sign-ins of the same client, so that many from one address leave cores to others.
    pub async fn turn(&self, client: ClientAddress) -> OwnedMutexGuard<()> {
        let queue = {
            let mut clients = self.clients.lock();
            if clients.len() > CLIENTS_REMEMBERED {
                clients.retain(|_, queue| Arc::strong_count(queue) > 1);
            }
            Arc::clone(clients.entry(client).or_default())
        };
        queue.lock_owned().await
    }
}

/// The caller behind a token, with its current rights in the store.
pub async fn authenticate(app: &App, token: &str, client: ClientAddress) -> Result<Caller> {
    let refused = || Error::Unauthenticated("the bearer token is malformed, expired or not ours".to_owned());
    let now = app.clock.now();
    let claims = app.tokens.verify(token, now).ok_or_else(refused)?;
    if let Some((seen, caller)) = app.callers.get(&claims.sub)
        && now < seen.after(CALLER_FRESH)
        && caller.company_id() == claims.company_id
    {
        return Ok(Caller { actor: Actor { address: Some(client), ..caller.actor }, ..caller });
    }
    let mut reader = app.db.read().await?;
    let user = store::user::find(&mut reader, &claims.sub).await?.filter(|user| may_sign_in(user, UserKind::Api));
    let user = user.ok_or_else(refused)?;
    let company = store::company::find(&mut reader, user.company).await?.ok_or_else(refused)?;
    if company.id != claims.company_id {
        return Err(refused());
    }
    let actor = Actor::api(&user.id, client);
    let caller = Caller { user: user.id, company: Arc::new(company), rights: user.rights, actor };
    app.callers.insert(caller.user.clone(), (now, caller.clone()));
    Ok(caller)
}

/// Checks a caller whose request has waited: the caller may have lost the right in the meantime.
pub async fn check_again(app: &App, caller: &Caller, right: Right) -> Result<()> {
    let mut reader = app.db.read().await?;
    let user = store::user::find(&mut reader, &caller.user).await?;
    let user = user.filter(|user| may_sign_in(user, UserKind::Api) && user.company == caller.company_id());
    let user = user.ok_or_else(|| Error::Unauthenticated("the user may no longer sign in".to_owned()))?;
    if user.rights.allows(right) { Ok(()) } else { Err(Error::forbidden(format!("missing permission {right}"))) }
}

/// The person who calls with the token of a link.
#[derive(Clone, Debug)]
pub struct LinkHolder {
    pub link: Link,
    pub company: Arc<Company>,
    /// For the audit log.
    pub actor: Actor,
}

impl LinkHolder {
    /// Rejects a case that is not on the link.
    pub(super) fn check_case(&self, case: &Case) -> Result<()> {
        if case.link.as_ref() == Some(&self.link.token) {
            return Ok(());
        }
        Err(Error::forbidden("the case is not on this link"))
    }

    /// Rejects a link that has ended by its date.
    pub(super) fn check_date(&self, now: Timestamp) -> Result<()> {
        if self.link.expires_at.is_some_and(|expires_at| expires_at <= now) {
            return Err(Error::forbidden("the link has expired"));
        }
        Ok(())
    }
}

/// Who fills a case: the holder of a link, or a field user.
#[derive(Clone, Debug)]
pub enum CaptureHolder {
    Link(LinkHolder),
    Field(FieldUser),
}

impl CaptureHolder {
    pub fn company(&self) -> &Company {
        match self {
            Self::Link(holder) => &holder.company,
            Self::Field(user) => &user.company,
        }
    }

    /// For the audit log.
    pub fn actor(&self) -> &Actor {
        match self {
            Self::Link(holder) => &holder.actor,
            Self::Field(user) => &user.actor,
        }
    }

    /// Rejects a case that is not on the link, or not one of the user's.
    pub(super) fn check_case(&self, case: &Case) -> Result<()> {
        match self {
            Self::Link(holder) => holder.check_case(case),
            Self::Field(user) => user.check_case(case),
        }
    }

    /// Rejects a link that has ended by its date. A session that has ended does not come this far.
    pub(super) fn check_date(&self, now: Timestamp) -> Result<()> {
        match self {
            Self::Link(holder) => holder.check_date(now),
            Self::Field(_) => Ok(()),
        }
    }
}

/// The holder of the link with this token; none if there is no such link.
pub async fn authenticate_link(app: &App, token: &str, client: ClientAddress) -> Result<Option<LinkHolder>> {
    let Some(token) = LinkToken::parse(token) else { return Ok(None) };
    let mut reader = app.db.read().await?;
    let Some(link) = store::link::find(&mut reader, &token).await? else { return Ok(None) };
    let company = store::company::find(&mut reader, link.company).await?;
    let company = company.ok_or_else(|| Error::internal(anyhow::anyhow!("company {} does not exist", link.company)))?;
    let actor = Actor::link(&token, client);
    Ok(Some(LinkHolder { link, company: Arc::new(company), actor }))
}

/// Hashes a password with Argon2id and a random salt, as a PHC string.
pub fn hash_password(password: &str) -> anyhow::Result<String> {
    let hash = Argon2::default()
        .hash_password_with_salt(password.as_bytes(), &random_bytes::<16>())
        .map_err(|error| anyhow::anyhow!("hashing a password: {error}"))?;
    Ok(hash.to_string())
}

/// Whether `password` matches `hash`. Without a hash the same work is done and the result is false, so that the time does
/// not reveal which usernames exist.
pub fn verify_password(password: &str, hash: Option<&str>) -> bool {
    let Some(hash) = hash else {
        // The outcome does not matter, only the time it takes.
        let _ = Argon2::default().hash_password_with_salt(password.as_bytes(), b"sixteen bytes!!!");
        return false;
    };
    PasswordHash::new(hash).is_ok_and(|hash| Argon2::default().verify_password(password.as_bytes(), &hash).is_ok())
}

fn may_sign_in(user: &User, kind: UserKind) -> bool {
    user.active && user.kind == kind
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_right_password_verifies() {
        let hash = hash_password("correct horse").unwrap();
        assert!(hash.starts_with("$argon2id$"), "{hash}");
        assert!(verify_password("correct horse", Some(&hash)));
        assert!(!verify_password("correct horse ", Some(&hash)));
        assert!(!verify_password("correct horse", Some("not a hash")));
        assert!(!verify_password("correct horse", None));
    }
}
