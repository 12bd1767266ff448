//! Users of kind `field` and their sessions at `/field` (decisions 16): a random token in a cookie, and its digest in the
//! database.

use std::sync::Arc;

use schemars::JsonSchema;
use sealwright_seal::Sha256Digest;
use serde::Serialize;

use super::{CaptureHolder, SignedIn};
use crate::{
    app::App,
    clock::Timestamp,
    domain::{company_manifest::UserKind, field::SessionToken, id::UserId, moment::end_of_scheduling_month},
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

/// Begins a session. The session that the browser had before ends, so that no one else can go on with it.
pub async fn begin(app: &App, signed_in: SignedIn, before: Option<&SessionToken>) -> Result<NewSession> {
    let SignedIn { user, company } = signed_in;
    let (token, now) = (SessionToken::random(), app.clock.now());
    let session = FieldSession {
        digest: token.digest(),
        user: user.id.clone(),
        password_digest: user.password_hash.as_ref().map(Sha256Digest::of),
        created_at: now,
        seen_at: now,
    };
    let mut tx = app.db.begin().await?;
    let written = async {
        if let Some(before) = before {
            store::field_session::delete(&mut tx, before.digest()).await?;
        }
        store::user::set_logged_in(&mut tx, &user.id).await?;
        store::field_session::insert(&mut tx, &session).await
    };
    let written = written.await.map_err(Error::from);
    tx.settle(written).await?;
    let user = field_user(app, user, company, &session, now);
    Ok(NewSession { token, user })
}

/// The user whose session has this token; none if the session has ended or the user may not sign in any more.
pub async fn authenticate(app: &App, token: &SessionToken) -> Result<Option<FieldUser>> {
    let now = app.clock.now();
    let mut reader = app.db.read().await?;
    let session = store::field_session::find(&mut reader, token.digest()).await?;
    let Some(session) = session.filter(|session| !has_ended(app, session, now)) else { return Ok(None) };
    let user = store::user::find(&mut reader, &session.user).await?.filter(|user| may_go_on(user, &session));
    let Some(user) = user else { return Ok(None) };
    let Some(company) = store::company::find(&mut reader, user.company).await? else { return Ok(None) };
    drop(reader);
    if now.since(session.seen_at) >= app.config.field.session_idle / SEEN_PARTS {
        let mut tx = app.db.begin().await?;
        let seen = store::field_session::set_seen(&mut tx, session.digest, now).await.map_err(Error::from);
        tx.settle(seen).await?;
    }
    Ok(Some(field_user(app, user, company, &session, now)))
}

/// Ends the user's session.
pub async fn end(app: &App, user: &FieldUser) -> Result<()> {
    let mut tx = app.db.begin().await?;
    let deleted = store::field_session::delete(&mut tx, user.digest).await.map_err(Error::from);
    tx.settle(deleted).await
}

/// Deletes the sessions that have ended. Returns how many.
pub async fn forget_ended(app: &App) -> Result<u64> {
    let (now, settings) = (app.clock.now(), &app.config.field);
    let mut tx = app.db.begin().await?;
    let (seen, created) = (now.before(settings.session_idle), now.before(settings.session_lifetime));
    let deleted = store::field_session::delete_ended(&mut tx, seen, created).await.map_err(Error::from);
    tx.settle(deleted).await
}

fn has_ended(app: &App, session: &FieldSession, now: Timestamp) -> bool {
    let settings = &app.config.field;
    session.seen_at.after(settings.session_idle) <= now || session.created_at.after(settings.session_lifetime) <= now
}

/// A user who was removed, or has another password now, must sign in again.
fn may_go_on(user: &User, session: &FieldSession) -> bool {
    let password = user.password_hash.as_ref().map(Sha256Digest::of);
    super::may_sign_in(user, UserKind::Field) && session.password_digest.is_none_or(|digest| password == Some(digest))
}

fn field_user(app: &App, user: User, company: Company, session: &FieldSession, now: Timestamp) -> FieldUser {
    FieldUser {
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
