//! What users of the console see and change of their own account: the password and the sessions.

use super::ConsoleUser;
pub use crate::store::console_session::ConsoleSession;
use crate::{
    app::{
        App,
        audit::{self, AuditOutcome, Event},
        run_within,
        session::{hash_password, verify_password},
    },
    domain::{console::FormProblem, rate_limit::Counter},
    error::{Error, Result},
    store::{self, console_user},
};

/// In characters. NIST SP 800-63B, section 5.1.1.1 asks for 8; without a list of known passwords, length has to do.
pub const SHORTEST_PASSWORD: usize = 12;
const LONGEST_PASSWORD: usize = 1000;

/// Wrong passwords in 60 seconds of one username from one address, at the sign-in and in the account.
pub const FAILED_LIMIT: u32 = 20;

/// # Errors
/// What is wrong with a new password.
pub fn check_new_password(password: &str, username: &str) -> Result<()> {
    let length = password.chars().count();
    if !(SHORTEST_PASSWORD..=LONGEST_PASSWORD).contains(&length) {
        let (least, most) = (SHORTEST_PASSWORD, LONGEST_PASSWORD);
        return Err(FormProblem::PasswordLength { least, most, given: length }.into());
    }
    if password.to_lowercase().contains(&username.to_lowercase()) {
        return Err(FormProblem::PasswordHasUsername.into());
    }
    Ok(())
}

/// The user's sessions, the newest first.
pub async fn sessions(app: &App, user: &ConsoleUser) -> Result<Vec<ConsoleSession>> {
    let mut reader = app.db.read().await?;
    Ok(store::console_session::of_user(&mut reader, user.id).await?)
}

/// Ends one of the user's sessions.
///
/// # Errors
/// [`Error::NotFound`] if it is not one of the user's.
pub async fn end_session(app: &App, user: &ConsoleUser, session: i64) -> Result<()> {
    let mut tx = app.db.begin().await?;
    let ended = async {
        if !store::console_session::delete_of_user(&mut tx, user.id, session).await? {
            return Err(Error::not_found("the session has ended"));
        }
        let event = Event::done("endSession", user.scope.company(), Some(format!("session {session}")));
        audit::record(&mut tx, app.clock.now(), &user.actor(), event).await?;
        Ok(())
    };
    let ended = ended.await;
    tx.settle(ended).await
}

/// Checks the user's password again, before something that a stolen session must not do: `action`, for the audit log.
///
/// # Errors
/// [`FormProblem::WrongPassword`]; [`FormProblem::TooManyFailures`] after too many of them;
/// [`FormProblem::SecondFactorOfProvider`] for a user without a password here.
pub(super) async fn ensure_password(app: &App, user: &ConsoleUser, password: String, action: &str) -> Result<()> {
    let hash = password_hash(app, user).await?.ok_or(FormProblem::SecondFactorOfProvider)?;
    verify(app, user, (password, hash), action).await
}

/// None for a user of a provider.
async fn password_hash(app: &App, user: &ConsoleUser) -> Result<Option<String>> {
    let mut reader = app.db.read().await?;
    let stored = console_user::find(&mut reader, user.id).await?;
    let stored = stored.ok_or_else(|| Error::not_found("the user does not exist any more"))?;
    Ok(stored.password_hash)
}

/// Checks the password. A wrong one counts like a failed sign-in, and is in the audit log.
async fn verify(app: &App, user: &ConsoleUser, (password, hash): (String, String), action: &str) -> Result<()> {
    let failures = Counter::failed_sign_in(&user.username, user.address);
    if app.rates.refusal(&failures, FAILED_LIMIT).is_some() {
        return Err(FormProblem::TooManyFailures.into());
    }
    if run_within(&app.sign_ins.hashing, move || verify_password(&password, Some(&hash))).await? {
        return Ok(());
    }
    app.rates.admit(failures, FAILED_LIMIT).await?;
    let event = Event::done(action, user.scope.company(), None).with_outcome(AuditOutcome::Refused);
    audit::record_alone(app, &user.actor(), event).await?;
    Err(FormProblem::WrongPassword.into())
}

/// Sets another password. It ends every session of the user, this one included.
///
/// # Errors
/// [`Error::Form`] if `current` is wrong or the new password is not accepted, and for a user of a provider.
pub async fn change_password(app: &App, user: &ConsoleUser, current: String, new: String) -> Result<()> {
    check_new_password(&new, &user.username)?;
    let stored_hash = password_hash(app, user).await?.ok_or(FormProblem::NoPassword)?;
    verify(app, user, (current, stored_hash), "changePassword").await?;
    let hash = run_within(&app.sign_ins.hashing, move || hash_password(&new)).await?.map_err(Error::internal)?;
    let mut tx = app.db.begin().await?;
    let written = async {
        console_user::set_password(&mut tx, user.id, &hash).await?;
        let event = Event::done("changePassword", user.scope.company(), None);
        audit::record(&mut tx, app.clock.now(), &user.actor(), event).await?;
        Ok::<_, Error>(())
    };
    let written = written.await;
    tx.settle(written).await
}
