//! Passkeys as a second factor (docs/adr/0062-passkeys.md). A passkey is for the domain of `base_url`, so it can be used
//! only if the console is opened there.

mod webauthn;

use std::time::Duration;

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use sealwright_seal::Sha256Digest;
use url::{Host, Url};

pub use self::webauthn::{Assertion, Registration};
use self::webauthn::{Expected, register, verify};
use super::{ConsoleUser, account::ensure_password};
pub use crate::store::console_passkey::ConsolePasskey;
use crate::{
    app::{
        App,
        audit::{self, Event},
    },
    clock::{Timestamp, random_bytes},
    db::Tx,
    domain::{console::FormProblem, session::SessionToken},
    error::{Error, Result},
    store::{
        console_passkey::{self, NewConsolePasskey},
        console_user,
    },
};

/// How long a page may wait for the person and the authenticator.
pub const PATIENCE: Duration = Duration::from_mins(5);
/// Of one user.
const MOST: usize = 20;
/// In characters.
pub const LONGEST_NAME: usize = 60;

/// What a page asks the browser for.
#[derive(Clone, Debug)]
pub struct Challenge {
    /// The domain of the site.
    pub domain: String,
    /// What is to be signed, in base64url.
    pub challenge: String,
    /// The same, encrypted with its time. The form sends it back.
    pub sealed: String,
    /// The user's passkeys, in base64url.
    pub credentials: Vec<String>,
}

/// The site as a browser knows it.
struct Site {
    domain: String,
    origin: String,
}

impl Site {
    /// None if browsers have no passkeys for it: it is an address, or without https and not on this machine.
    fn of(app: &App) -> Option<Self> {
        let url = Url::parse(&app.config.base_url).ok()?;
        let Some(Host::Domain(domain)) = url.host() else { return None };
        let is_safe = url.scheme() == "https" || domain == "localhost";
        is_safe.then(|| Self { domain: domain.to_owned(), origin: url.origin().ascii_serialization() })
    }

    fn expected(&self, challenge: [u8; 32]) -> Expected<'_> {
        Expected { domain: &self.domain, origin: &self.origin, challenge }
    }
}

/// The user's passkeys, the oldest first.
pub async fn list(app: &App, user: &ConsoleUser) -> Result<Vec<ConsolePasskey>> {
    let mut reader = app.db.read().await?;
    Ok(console_passkey::of_user(&mut reader, user.id).await?)
}

/// What the page asks for to add a passkey to those that the user has. None if the site cannot have any.
pub fn ask_for_new(app: &App, user: &ConsoleUser, known: &[ConsolePasskey]) -> Option<Challenge> {
    let credentials = known.iter().map(|passkey| passkey.credential.clone()).collect();
    challenge(app, &new_purpose(user), credentials)
}

/// How the authenticator knows the user. It does not show it, and it is the same for all passkeys of the user.
pub fn handle(user: &ConsoleUser) -> String {
    URL_SAFE_NO_PAD.encode(Sha256Digest::of(format!("sealwright console user {}", user.id)).as_bytes())
}

/// Adds a passkey.
///
/// # Errors
/// [`Error::Form`] if the password is wrong, what the browser sent is not accepted, or there are too many; also for a user
/// of a provider, which asks for the second factor itself.
pub async fn add(
    app: &App,
    user: &ConsoleUser,
    password: String,
    name: &str,
    sealed: &str,
    sent: &Registration<'_>,
) -> Result<()> {
    ensure_password(app, user, password, "addPasskey").await?;
    let name = name.trim();
    if !(1..=LONGEST_NAME).contains(&name.chars().count()) || name.chars().any(char::is_control) {
        return Err(FormProblem::Name { most: LONGEST_NAME }.into());
    }
    let checked = match expected(app, &new_purpose(user), sealed) {
        Some((site, challenge)) => register(sent, &site.expected(challenge)),
        None => Err("the page is too old"),
    };
    let new = checked.map_err(|problem| refused(&user.username, problem))?;
    let mut tx = app.db.begin().await?;
    let added = async {
        console_passkey::lock(&mut tx, user.id).await?;
        if console_passkey::of_user(&mut tx, user.id).await?.len() >= MOST {
            return Err(FormProblem::TooManyPasskeys { most: MOST }.into());
        }
        let now = app.clock.now();
        let (credential, spki, counter) = (new.credential.as_str(), new.spki.as_str(), new.counter);
        let stored = NewConsolePasskey { user: user.id, credential, spki, counter, name, created_at: now };
        let id = console_passkey::insert(&mut tx, &stored).await?.ok_or(FormProblem::WrongPasskey)?;
        let event = Event::done("addPasskey", user.scope.company(), Some(format!("passkey {id}")));
        audit::record(&mut tx, now, &user.actor(), event).await?;
        Ok::<_, Error>(())
    };
    let added = added.await;
    tx.settle(added).await
}

/// Removes one of the user's passkeys.
///
/// # Errors
/// [`Error::Form`] if the password is wrong; [`Error::NotFound`] if it is not one of the user's.
pub async fn remove(app: &App, user: &ConsoleUser, id: i64, password: String) -> Result<()> {
    ensure_password(app, user, password, "removePasskey").await?;
    let mut tx = app.db.begin().await?;
    let removed = async {
        if !console_passkey::delete(&mut tx, user.id, id).await? {
            return Err(Error::not_found("the passkey does not exist any more"));
        }
        let event = Event::done("removePasskey", user.scope.company(), Some(format!("passkey {id}")));
        audit::record(&mut tx, app.clock.now(), &user.actor(), event).await?;
        Ok(())
    };
    let removed = removed.await;
    tx.settle(removed).await
}

/// What the page of the second step asks for. None if the site cannot have passkeys.
pub(super) fn ask(app: &App, token: &SessionToken, known: &[ConsolePasskey]) -> Option<Challenge> {
    let credentials = known.iter().map(|passkey| passkey.credential.clone()).collect();
    challenge(app, &sign_in_purpose(token), credentials)
}

/// Uses a passkey of the user in the sign-in of this session; false if it is not accepted.
pub(super) async fn accept(
    app: &App,
    tx: &mut Tx,
    user: &console_user::ConsoleUser,
    token: &SessionToken,
    sent: &Assertion<'_>,
) -> Result<bool> {
    let known = console_passkey::of_user(tx, user.id).await?;
    let passkey = known.iter().find(|passkey| passkey.credential == sent.credential);
    let asked = expected(app, &sign_in_purpose(token), sent.sealed);
    let checked = match (passkey, asked) {
        (Some(passkey), Some((site, challenge))) => {
            verify(sent, &passkey.spki, passkey.counter, &site.expected(challenge)).map(|counter| (passkey, counter))
        }
        (None, _) => Err("the passkey is not one of the user's"),
        (_, None) => Err("the page is too old"),
    };
    match checked {
        Ok((passkey, counter)) => Ok(console_passkey::set_used(tx, passkey, counter, app.clock.now()).await?),
        Err(problem) => {
            refused(&user.username, problem);
            Ok(false)
        }
    }
}

/// Why a passkey is not accepted is in the log: the person can only try again.
fn refused(username: &str, problem: &str) -> FormProblem {
    tracing::info!(user = username, problem, "a passkey was not accepted");
    FormProblem::WrongPasskey
}

fn challenge(app: &App, purpose: &str, credentials: Vec<String>) -> Option<Challenge> {
    let site = Site::of(app)?;
    let plain = [app.clock.now().as_millis().to_be_bytes().as_slice(), &random_bytes::<32>()].concat();
    Some(Challenge {
        domain: site.domain,
        challenge: URL_SAFE_NO_PAD.encode(Sha256Digest::of(&plain).as_bytes()),
        sealed: app.secrets.encrypt(purpose, &plain),
        credentials,
    })
}

/// The site and the challenge of a form that is sent back; none if the form is not one of this session, or too old.
fn expected(app: &App, purpose: &str, sealed: &str) -> Option<(Site, [u8; 32])> {
    let plain = app.secrets.decrypt(purpose, sealed).ok()?;
    let (made_at, _) = plain.split_first_chunk::<8>()?;
    let made_at = Timestamp::from_millis(i64::from_be_bytes(*made_at));
    let is_new = made_at.after(PATIENCE) > app.clock.now();
    is_new.then_some((Site::of(app)?, *Sha256Digest::of(&plain).as_bytes()))
}

fn new_purpose(user: &ConsoleUser) -> String {
    format!("new passkey of console session {}", user.session)
}

/// Bound to the session that waits for the second step. It ends with that step, so a challenge is used at most once.
fn sign_in_purpose(token: &SessionToken) -> String {
    format!("passkey for console session {}", token.digest())
}
