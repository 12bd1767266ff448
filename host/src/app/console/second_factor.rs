//! The second factor: codes of an authenticator app (RFC 6238). Each code is accepted once.

use totp_rs::{Builder, Secret, Totp};

use super::{
    ConsoleUser,
    account::ensure_password,
    session::{WRONG_STEPS_LIMIT, wrong_steps},
};
use crate::{
    app::{
        App,
        audit::{self, AuditOutcome, Event},
    },
    clock::random_bytes,
    db::{Reader, Tx},
    domain::console::FormProblem,
    error::{Error, Result},
    store::console_user,
};

/// The name of disabling it in the audit log.
const DISABLE: &str = "disableSecondFactor";
/// Steps of 30 seconds before and after now whose codes are accepted too: clocks differ.
const SKEW: u16 = 1;

/// A second factor that the user has not confirmed yet.
pub struct Enrolment {
    /// For the authenticator app, also as a QR code: `otpauth://totp/…`.
    pub url: String,
    /// The secret for people who type it, in base32.
    pub secret: String,
    /// Encrypted. The page sends it back with the code.
    pub sealed: String,
}

/// Makes a new secret. It counts once a code has confirmed it.
///
/// # Errors
/// [`FormProblem::SecondFactorIsOn`]: a stolen session must not replace it. Also for a user of a provider, which asks for
/// the second factor itself.
pub async fn start(app: &App, user: &ConsoleUser) -> Result<Enrolment> {
    let mut reader = app.db.read().await?;
    ensure_off(&mut reader, user).await?;
    enrolment(app, user, random_bytes::<20>())
}

/// The enrolment of a form that is sent back.
///
/// # Errors
/// [`FormProblem::OldForm`] if the form is not one of this session.
pub fn resume(app: &App, user: &ConsoleUser, sealed: &str) -> Result<Enrolment> {
    enrolment(app, user, open(app, user, sealed)?)
}

fn enrolment(app: &App, user: &ConsoleUser, secret: [u8; 20]) -> Result<Enrolment> {
    let totp = totp(&user.username, secret)?;
    Ok(Enrolment {
        url: totp.to_url().map_err(Error::internal)?,
        secret: totp.secret().to_base32(),
        sealed: app.secrets.encrypt(&pending_purpose(user), &secret),
    })
}

fn open(app: &App, user: &ConsoleUser, sealed: &str) -> Result<[u8; 20]> {
    let secret = app.secrets.decrypt(&pending_purpose(user), sealed).ok();
    let secret = secret.and_then(|secret| <[u8; 20]>::try_from(secret).ok());
    Ok(secret.ok_or(FormProblem::OldForm)?)
}

async fn ensure_off(reader: &mut Reader, user: &ConsoleUser) -> Result<()> {
    let stored = console_user::find(reader, user.id).await?;
    match stored {
        Some(stored) if stored.is_from_provider() => Err(FormProblem::SecondFactorOfProvider.into()),
        Some(stored) if stored.totp_secret.is_some() => Err(FormProblem::SecondFactorIsOn.into()),
        _ => Ok(()),
    }
}

/// Enables the second factor that [`start`] made, if `code` is one of its codes and the password is right: with a stolen
/// session alone, no one adds another way to sign in.
///
/// # Errors
/// [`Error::Form`] for a wrong password or code, and if the form is not one of this session; as [`start`] if one is on.
pub async fn enable(app: &App, user: &ConsoleUser, password: String, sealed: &str, code: &str) -> Result<()> {
    let secret = open(app, user, sealed)?;
    ensure_password(app, user, password, "enableSecondFactor").await?;
    let step = matching_step(app, &totp(&user.username, secret)?, code);
    let step = step.ok_or(FormProblem::WrongFirstCode)?;
    let encrypted = app.secrets.encrypt(&purpose(user.id), &secret);
    let mut tx = app.db.begin().await?;
    let enabled = async {
        ensure_off(&mut tx, user).await?;
        set(app, &mut tx, user, Some(&encrypted), step, "enableSecondFactor").await
    };
    let enabled = enabled.await;
    tx.settle(enabled).await
}

/// Disables the second factor.
///
/// # Errors
/// [`FormProblem::WrongCode`] also if `code` was used before; [`FormProblem::TooManyFailures`] after too many, counted
/// together with the wrong second steps of the user's sign-ins.
pub async fn disable(app: &App, user: &ConsoleUser, code: &str) -> Result<()> {
    let failures = wrong_steps(&user.username);
    if app.rates.refusal(&failures, WRONG_STEPS_LIMIT).is_some() {
        return Err(FormProblem::TooManyFailures.into());
    }
    let mut tx = app.db.begin().await?;
    let accepted = async {
        let stored = console_user::find(&mut tx, user.id).await?;
        let stored = stored.ok_or_else(|| Error::not_found("the user does not exist any more"))?;
        let is_accepted = accept(app, &mut tx, &stored, code).await?;
        if is_accepted {
            set(app, &mut tx, user, None, 0, DISABLE).await?;
        } else {
            let event = Event::done(DISABLE, user.scope.company(), None).with_outcome(AuditOutcome::Refused);
            audit::record(&mut tx, app.clock.now(), &user.actor(), event).await?;
        }
        Ok::<_, Error>(is_accepted)
    };
    let accepted = accepted.await;
    if tx.settle(accepted).await? {
        return Ok(());
    }
    app.rates.admit(failures, WRONG_STEPS_LIMIT).await?;
    Err(FormProblem::WrongCode.into())
}

/// Uses a code of the user's second factor; false if it is wrong or was used before.
pub(super) async fn accept(app: &App, tx: &mut Tx, user: &console_user::ConsoleUser, code: &str) -> Result<bool> {
    let Some(encrypted) = &user.totp_secret else { return Ok(false) };
    let secret = app.secrets.decrypt(&purpose(user.id), encrypted).map_err(Error::internal)?;
    let secret: [u8; 20] =
        secret.try_into().map_err(|_| Error::internal(anyhow::anyhow!("a stored second factor is damaged")))?;
    match matching_step(app, &totp(&user.username, secret)?, code) {
        Some(step) => Ok(console_user::use_step(tx, user.id, step).await?),
        None => Ok(false),
    }
}

async fn set(app: &App, tx: &mut Tx, user: &ConsoleUser, secret: Option<&str>, step: i64, action: &str) -> Result<()> {
    console_user::set_totp(tx, user.id, secret, step).await?;
    let event = Event::done(action, user.scope.company(), None);
    Ok(audit::record(tx, app.clock.now(), &user.actor(), event).await?)
}

fn matching_step(app: &App, totp: &Totp, code: &str) -> Option<i64> {
    let digits: String = code.chars().filter(|c| !c.is_whitespace()).collect();
    let seconds = u64::try_from(app.clock.now().as_millis() / 1000).ok()?;
    totp.check(&digits, seconds).and_then(|step| i64::try_from(step).ok())
}

fn totp(username: &str, secret: [u8; 20]) -> Result<Totp> {
    // A colon separates issuer and account in such an address.
    let account = username.replace(':', "_");
    let builder = Builder::new().with_secret(Secret::new_stack(secret)).with_skew(SKEW);
    builder.with_account_name(account).with_issuer(Some("Sealwright")).build().map_err(Error::internal)
}

fn purpose(user: i64) -> String {
    format!("second factor of console user {user}")
}

/// Bound to the session: a secret that someone else began to set up is not accepted.
fn pending_purpose(user: &ConsoleUser) -> String {
    format!("pending second factor of session {}", user.session)
}
