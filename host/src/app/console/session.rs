//! Sessions of the console: a random token in a cookie, and its digest in the database. A session of a user with a second
//! factor is complete only after the second step, which gives it another token.

use sealwright_seal::Sha256Digest;

use super::{
    ConsoleUser,
    passkey::{self, Assertion, Challenge},
    second_factor,
};
use crate::{
    app::{
        App,
        audit::{self, Actor, Event},
        run_within,
        session::verify_password,
    },
    clock::Timestamp,
    db::Tx,
    domain::{client_address::ClientAddress, console::FormProblem, rate_limit::Counter, session::SessionToken},
    error::{Error, Result},
    store::{
        self,
        audit::{ActorKind, AuditOutcome},
        console_passkey,
        console_session::{ConsoleSession, NewConsoleSession},
        console_user,
    },
};

/// A session's last request is recorded again after this part of the idle time, so that few requests write.
const SEEN_PARTS: u32 = 100;

/// After this many wrong codes the person has to enter the password again.
const MOST_WRONG_CODES: i64 = 5;

/// Wrong second steps in 60 seconds of one user, in all sessions and from all addresses.
pub(super) const WRONG_STEPS_LIMIT: u32 = 20;

/// In characters. What browsers call themselves is about 150 long.
const LONGEST_AGENT: usize = 300;

/// The actor of a sign-in by someone who is not a user.
pub(super) const UNKNOWN: &str = "unknown";

/// A session that has just begun, or has got another token.
pub struct NewSession {
    pub token: SessionToken,
    /// False if the second factor is still to be shown.
    pub is_complete: bool,
}

/// Where a request comes from.
#[derive(Clone, Copy, Debug)]
pub struct Origin<'o> {
    pub address: ClientAddress,
    /// What the browser calls itself.
    pub agent: &'o str,
}

/// The user behind a session.
#[derive(Clone, Debug)]
pub struct SignedInUser {
    pub user: ConsoleUser,
    /// False if the second factor is still to be shown.
    pub is_complete: bool,
}

/// Checks the password and begins a session. The session that the browser had `before` ends.
///
/// # Errors
/// [`Error::Unauthenticated`] for an unknown user and for a wrong password, with the same text and after the same time.
pub async fn begin(
    app: &App,
    username: &str,
    password: String,
    origin: Origin<'_>,
    before: Option<Sha256Digest>,
) -> Result<NewSession> {
    let mut reader = app.db.read().await?;
    let user = console_user::find_by_username(&mut reader, username).await?.filter(|user| user.active);
    drop(reader);
    let hash = user.as_ref().and_then(|user| user.password_hash.clone());
    let is_right = run_within(&app.sign_ins.hashing, move || verify_password(&password, hash.as_deref())).await?;
    let Some(user) = user.filter(|_| is_right) else {
        // Without the username: people type passwords into that field.
        let actor = actor(UNKNOWN.to_owned(), origin.address);
        audit::record_alone(app, &actor, Event::done("signIn", None, None).with_outcome(AuditOutcome::Refused)).await?;
        return Err(Error::Unauthenticated("wrong username or password".to_owned()));
    };
    let is_complete = !user.has_second_factor();
    let token = SessionToken::random();
    let mut tx = app.db.begin().await?;
    let begun = async {
        if let Some(before) = before {
            store::console_session::delete(&mut tx, before).await?;
        }
        insert(&mut tx, app.clock.now(), &user, (&token, is_complete), origin).await?;
        let event = Event::done(if is_complete { "signIn" } else { "enterPassword" }, user.company, None);
        audit::record(&mut tx, app.clock.now(), &actor(user.username.clone(), origin.address), event).await?;
        Ok::<_, Error>(())
    };
    let begun = begun.await;
    tx.settle(begun).await?;
    Ok(NewSession { token, is_complete })
}

/// What a person shows in the second step.
#[derive(Clone, Copy, Debug)]
pub enum Proof<'p> {
    /// Of an authenticator app.
    Code(&'p str),
    Passkey(Assertion<'p>),
}

/// What a person can show in the second step.
#[derive(Clone, Debug)]
pub struct SecondStep {
    /// Whether an authenticator app is set up.
    pub has_codes: bool,
    /// Whether the user has a passkey.
    pub has_passkeys: bool,
    /// What the page asks for; none without a passkey, and if the site cannot have any.
    pub challenge: Option<Challenge>,
}

/// What the person can show whose session has this token. After the session has ended it asks for a code, which is then
/// refused.
pub async fn second_step(app: &App, token: &SessionToken) -> Result<SecondStep> {
    let mut reader = app.db.read().await?;
    let user = match store::console_session::find(&mut reader, token.digest()).await? {
        Some(session) => console_user::find(&mut reader, session.user).await?,
        None => None,
    };
    let Some(user) = user else { return Ok(SecondStep { has_codes: true, has_passkeys: false, challenge: None }) };
    let known = console_passkey::of_user(&mut reader, user.id).await?;
    let has_passkeys = !known.is_empty();
    let challenge = has_passkeys.then(|| passkey::ask(app, token, &known)).flatten();
    Ok(SecondStep { has_codes: user.totp_secret.is_some(), has_passkeys, challenge })
}

/// What came of a second step.
enum StepOutcome {
    Accepted(NewSession),
    /// To be counted. After too many in one session, the password has to be entered again.
    Wrong {
        failures: Counter,
        is_over: bool,
    },
    /// The user has shown too many wrong ones: this one was not looked at.
    Refused,
    /// The password has to be entered again.
    Ended,
}

/// Completes a session with the second factor. It gets another token, so that no one who knew the old one can go on with
/// it.
///
/// # Errors
/// [`FormProblem::WrongCode`] also for a used one, [`FormProblem::WrongPasskey`]; [`Error::Unauthenticated`] after too
/// many, or if the session has ended; [`FormProblem::TooManyFailures`] after too many in the user's sessions together.
pub async fn complete(app: &App, token: &SessionToken, proof: Proof<'_>, origin: Origin<'_>) -> Result<NewSession> {
    let mut tx = app.db.begin().await?;
    // A wrong code is counted, so its transaction is committed too.
    let outcome = try_proof(app, &mut tx, token, proof, origin).await;
    let ended = || Error::Unauthenticated("the sign-in has ended: enter the password again".to_owned());
    match tx.settle(outcome).await? {
        StepOutcome::Accepted(session) => Ok(session),
        StepOutcome::Wrong { failures, is_over } => {
            app.rates.admit(failures, WRONG_STEPS_LIMIT).await?;
            Err(match proof {
                _ if is_over => ended(),
                Proof::Code(_) => FormProblem::WrongCode.into(),
                Proof::Passkey(_) => FormProblem::WrongPasskey.into(),
            })
        }
        StepOutcome::Refused => Err(FormProblem::TooManyFailures.into()),
        StepOutcome::Ended => Err(ended()),
    }
}

/// Counts the wrong second steps of a user, wherever they come from.
pub(super) fn wrong_steps(username: &str) -> Counter {
    // No username has a space.
    Counter::failed_sign_in(&format!("second step of {username}"), ClientAddress::UNKNOWN)
}

async fn try_proof(
    app: &App,
    tx: &mut Tx,
    token: &SessionToken,
    proof: Proof<'_>,
    origin: Origin<'_>,
) -> Result<StepOutcome> {
    let now = app.clock.now();
    let Some(session) = store::console_session::find(tx, token.digest()).await? else { return Ok(StepOutcome::Ended) };
    let user = console_user::find(tx, session.user).await?.filter(|user| is_valid(app, user, &session, now));
    let Some(user) = user else { return Ok(StepOutcome::Ended) };
    let failures = wrong_steps(&user.username);
    if app.rates.refusal(&failures, WRONG_STEPS_LIMIT).is_some() {
        return Ok(StepOutcome::Refused);
    }
    let actor = actor(user.username.clone(), origin.address);
    let event = Event::done("signIn", user.company, None);
    let is_accepted = match proof {
        Proof::Code(code) => second_factor::accept(app, tx, &user, code).await?,
        Proof::Passkey(sent) => passkey::accept(app, tx, &user, token, &sent).await?,
    };
    if is_accepted {
        // Another request may have completed it meanwhile.
        if !store::console_session::delete(tx, session.digest).await? {
            return Ok(StepOutcome::Ended);
        }
        let token = SessionToken::random();
        insert(tx, now, &user, (&token, true), origin).await?;
        audit::record(tx, now, &actor, event).await?;
        return Ok(StepOutcome::Accepted(NewSession { token, is_complete: true }));
    }
    audit::record(tx, now, &actor, event.with_outcome(AuditOutcome::Refused)).await?;
    let is_over = store::console_session::add_failure(tx, session.id).await? >= MOST_WRONG_CODES;
    if is_over {
        store::console_session::delete(tx, session.digest).await?;
    }
    Ok(StepOutcome::Wrong { failures, is_over })
}

/// The user whose session has this token; none if the session has ended or the user may not sign in any more.
pub async fn authenticate(app: &App, token: &SessionToken, address: ClientAddress) -> Result<Option<SignedInUser>> {
    let now = app.clock.now();
    let mut reader = app.db.read().await?;
    let Some(session) = store::console_session::find(&mut reader, token.digest()).await? else { return Ok(None) };
    let user = console_user::find(&mut reader, session.user).await?.filter(|user| is_valid(app, user, &session, now));
    let Some(user) = user else { return Ok(None) };
    drop(reader);
    if now.since(session.seen_at) >= app.config.console.session_idle / SEEN_PARTS {
        let mut tx = app.db.begin().await?;
        let seen = store::console_session::set_seen(&mut tx, session.id, now).await.map_err(Error::from);
        tx.settle(seen).await?;
    }
    let ends_at = session.created_at.after(app.config.console.session_lifetime);
    let user = ConsoleUser::new(user, &session, ends_at, address);
    Ok(Some(SignedInUser { user, is_complete: session.complete }))
}

/// Ends the session of the user.
pub async fn end(app: &App, user: &ConsoleUser) -> Result<()> {
    let mut tx = app.db.begin().await?;
    let ended = async {
        store::console_session::delete_of_user(&mut tx, user.id, user.session).await?;
        let event = Event::done("signOut", user.scope.company(), None);
        audit::record(&mut tx, app.clock.now(), &user.actor(), event).await?;
        Ok::<_, Error>(())
    };
    let ended = ended.await;
    tx.settle(ended).await
}

/// Deletes the sessions that have ended. Returns how many.
pub async fn forget_ended(app: &App) -> Result<u64> {
    let (now, settings) = (app.clock.now(), &app.config.console);
    let mut tx = app.db.begin().await?;
    let (seen, created) = (now.before(settings.session_idle), now.before(settings.session_lifetime));
    let deleted = store::console_session::delete_ended(&mut tx, seen, created).await.map_err(Error::from);
    tx.settle(deleted).await
}

pub(super) async fn insert(
    tx: &mut Tx,
    now: Timestamp,
    user: &console_user::ConsoleUser,
    (token, complete): (&SessionToken, bool),
    origin: Origin<'_>,
) -> sqlx::Result<()> {
    let agent: String = origin.agent.chars().filter(|c| !c.is_control()).take(LONGEST_AGENT).collect();
    let new = NewConsoleSession {
        digest: token.digest(),
        user: user.id,
        password_digest: credential_digest(user),
        complete,
        created_at: now,
        address: &origin.address.to_string(),
        agent: &agent,
    };
    store::console_session::insert(tx, &new).await
}

/// Of what the session was begun with: the hash of the password, or issuer and subject.
fn credential_digest(user: &console_user::ConsoleUser) -> Sha256Digest {
    match (&user.oidc_issuer, &user.oidc_subject) {
        (Some(issuer), Some(subject)) => Sha256Digest::of(format!("{issuer}\n{subject}")),
        _ => Sha256Digest::of(user.password_hash.as_deref().unwrap_or_default()),
    }
}

/// A user who was removed must sign in again, and so must one who has another password now, and a user of a provider if
/// the settings name another one, or none.
fn is_valid(app: &App, user: &console_user::ConsoleUser, session: &ConsoleSession, now: Timestamp) -> bool {
    let settings = &app.config.console;
    user.active
        && session.password_digest == credential_digest(user)
        && user.oidc_issuer.as_deref().is_none_or(|issuer| is_provider(app, issuer))
        && session.seen_at.after(settings.session_idle) > now
        && session.created_at.after(settings.session_lifetime) > now
}

/// Whether the settings name this provider.
fn is_provider(app: &App, issuer: &str) -> bool {
    app.console_openid.as_deref().is_some_and(|provider| provider.issuer() == issuer)
}

pub(super) fn actor(name: String, address: ClientAddress) -> Actor {
    Actor { kind: ActorKind::Console, name, address: Some(address) }
}
