//! Users of kind `field` and their sessions at `/field` (decisions 16): a random token in a cookie, and its digest in the
//! database.

use std::sync::Arc;

use schemars::JsonSchema;
use sealwright_seal::Sha256Digest;
use serde::Serialize;

use super::{CaptureHolder, Evidence, SignedIn, openid};
use crate::{
    app::{
        App,
        audit::{self, Actor, Event},
        openid::FINISHED_REMEMBERED,
    },
    clock::Timestamp,
    domain::{
        client_address::ClientAddress, company_manifest::UserKind, id::UserId, moment::end_of_scheduling_month,
        operation::Operation, session::SessionToken,
    },
    error::{Error, Result},
    store::{self, case::Case, company::Company, field_session::FieldSession, user::User},
};

/// A session's last request is recorded again after this part of the idle time, so that few requests write.
const SEEN_PARTS: u32 = 100;

/// The field user behind a request.
#[derive(Clone, Debug)]
pub struct FieldUser {
    pub user: UserId,
    /// For people.
    pub name: String,
    pub company: Arc<Company>,
    /// When the session ends at the latest.
    pub ends_at: Timestamp,
    digest: Sha256Digest,
    /// When the request arrived. Its month decides which scheduled cases are visible.
    pub(in crate::app) seen_at: Timestamp,
    /// For the audit log.
    pub actor: Actor,
}

impl FieldUser {
    /// Rejects a case of another user, and one that is hidden until its month (spec 3.2).
    pub(in crate::app) fn check_case(&self, case: &Case) -> Result<()> {
        if case.company != self.company.id || case.user.as_ref() != Some(&self.user) {
            return Err(Error::forbidden("the case is not one of yours"));
        }
        if case.scheduled_at.is_some_and(|at| at >= end_of_scheduling_month(self.seen_at)) {
            return Err(Error::forbidden("the case is scheduled for a later month"));
        }
        Ok(())
    }
}

/// A session that has just begun.
pub struct NewSession {
    pub token: SessionToken,
    pub user: FieldUser,
}

/// A field user's session as the page sees it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionView {
    pub user: FieldUserView,
    pub company_name: String,
    /// For `X-CSRF-Token`.
    pub csrf_token: String,
    /// When the session ends at the latest. It ends earlier if it is not used.
    pub ends_at: Timestamp,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FieldUserView {
    pub user_id: UserId,
    pub name: String,
}

impl SessionView {
    pub fn of(user: &FieldUser, token: &SessionToken) -> Self {
        Self {
            user: FieldUserView { user_id: user.user.clone(), name: user.name.clone() },
            company_name: user.company.name.clone(),
            csrf_token: token.csrf(),
            ends_at: user.ends_at,
        }
    }
}

/// Begins a session. The session that the browser had `before`, named by its digest, ends, so that no one else can go on
/// with it.
///
/// # Errors
/// [`Error::Unauthenticated`] if the sign-in by the provider has begun a session already.
pub async fn begin(
    app: &App,
    signed_in: SignedIn,
    before: Option<Sha256Digest>,
    client: ClientAddress,
) -> Result<NewSession> {
    let SignedIn { user, company, evidence } = signed_in;
    let (token, now) = (SessionToken::random(), app.clock.now());
    let (password_digest, subject_digest) = match evidence {
        Evidence::Password => (user.password_hash.as_ref().map(Sha256Digest::of), None),
        Evidence::Provider { subject, .. } => (None, Some(subject)),
    };
    let session = FieldSession {
        digest: token.digest(),
        user: user.id.clone(),
        password_digest,
        subject_digest,
        created_at: now,
        seen_at: now,
    };
    let mut tx = app.db.begin().await?;
    let written = async {
        if let Evidence::Provider { sign_in, .. } = evidence
            && !store::finished_sign_in::insert(&mut tx, sign_in, now).await?
        {
            return Err(Error::Unauthenticated("this sign-in has already begun a session".to_owned()));
        }
        if let Some(before) = before {
            store::field_session::delete(&mut tx, before).await?;
        }
        store::user::set_logged_in(&mut tx, &user.id).await?;
        store::field_session::insert(&mut tx, &session).await?;
        let event = Event::of(Operation::SignInFieldUser, user.company, None);
        Ok(audit::record(&mut tx, now, &Actor::field(&user.id, client), event).await?)
    };
    let written = written.await;
    tx.settle(written).await?;
    let user = field_user(app, user, company, &session, (now, client));
    Ok(NewSession { token, user })
}

/// The user whose session has this token; none if the session has ended or the user may not sign in any more.
pub async fn authenticate(app: &App, token: &SessionToken, client: ClientAddress) -> Result<Option<FieldUser>> {
    let now = app.clock.now();
    let mut reader = app.db.read().await?;
    let session = store::field_session::find(&mut reader, token.digest()).await?;
    let Some(session) = session.filter(|session| !has_ended(app, session, now)) else { return Ok(None) };
    let user = store::user::find(&mut reader, &session.user).await?.filter(|user| may_go_on(app, user, &session));
    let Some(user) = user else { return Ok(None) };
    let Some(company) = store::company::find(&mut reader, user.company).await? else { return Ok(None) };
    drop(reader);
    if now.since(session.seen_at) >= app.config.field.session_idle / SEEN_PARTS {
        let mut tx = app.db.begin().await?;
        let seen = store::field_session::set_seen(&mut tx, session.digest, now).await.map_err(Error::from);
        tx.settle(seen).await?;
    }
    Ok(Some(field_user(app, user, company, &session, (now, client))))
}

/// Ends the user's session.
pub async fn end(app: &App, user: &FieldUser) -> Result<()> {
    let mut tx = app.db.begin().await?;
    let deleted = async {
        store::field_session::delete(&mut tx, user.digest).await?;
        let event = Event::of(Operation::SignOutFieldUser, user.company.id, None);
        audit::record(&mut tx, app.clock.now(), &user.actor, event).await
    };
    let deleted = deleted.await.map_err(Error::from);
    tx.settle(deleted).await
}

/// Deletes the sessions that have ended, and the records of sign-ins by a provider that cannot be repeated any more, also
/// those of the console. Returns the number of sessions.
pub async fn forget_ended(app: &App) -> Result<u64> {
    let (now, settings) = (app.clock.now(), &app.config.field);
    let mut tx = app.db.begin().await?;
    let (seen, created) = (now.before(settings.session_idle), now.before(settings.session_lifetime));
    let deleted = async {
        store::finished_sign_in::forget(&mut tx, now.before(FINISHED_REMEMBERED)).await?;
        store::field_session::delete_ended(&mut tx, seen, created).await
    };
    let deleted = deleted.await.map_err(Error::from);
    tx.settle(deleted).await
}

fn has_ended(app: &App, session: &FieldSession, now: Timestamp) -> bool {
    let settings = &app.config.field;
    session.seen_at.after(settings.session_idle) <= now || session.created_at.after(settings.session_lifetime) <= now
}

/// A user who was removed must sign in again. So must one who has another password now, or another subject at the
/// provider, if that was used to sign in; the same if the settings name another provider, or none.
fn may_go_on(app: &App, user: &User, session: &FieldSession) -> bool {
    let password = user.password_hash.as_ref().map(Sha256Digest::of);
    super::may_sign_in(user, UserKind::Field)
        && session.password_digest.is_none_or(|digest| password == Some(digest))
        && session.subject_digest.is_none_or(|digest| openid::is_still(app, user, digest))
}

fn field_user(
    app: &App,
    user: User,
    company: Company,
    session: &FieldSession,
    (now, client): (Timestamp, ClientAddress),
) -> FieldUser {
    FieldUser {
        actor: Actor::field(&user.id, client),
        user: user.id,
        name: user.name,
        company: Arc::new(company),
        ends_at: session.created_at.after(app.config.field.session_lifetime),
        digest: session.digest,
        seen_at: now,
    }
}

impl From<FieldUser> for CaptureHolder {
    fn from(user: FieldUser) -> Self {
        Self::Field(user)
    }
}
