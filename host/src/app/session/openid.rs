//! Signing in a field user by the OpenID Connect provider of the settings.
//!
//! Between the two steps the browser keeps the secrets of the sign-in, encrypted with the key of the installation: any
//! node can finish what another began, and strangers who begin sign-ins write nothing to the database.

use std::time::Duration;

use sealwright_seal::Sha256Digest;
use serde::{Deserialize, Serialize};
use url::Url;

use super::{Evidence, SignedIn, may_sign_in};
use crate::{
    app::App,
    clock::Timestamp,
    domain::{company_manifest::UserKind, openid::OidcSubject, session::SessionToken},
    error::{Error, Result},
    openid::{Attempt, OpenIdError, Provider},
    store::{self, user::User},
};

/// The path to which the provider sends a person back. Operators enter it at the provider, so it never changes.
pub const CALLBACK: &str = "/field/signed-in";

/// A person must come back from the provider within this time.
pub const ATTEMPT_LIFETIME: Duration = Duration::from_mins(10);

const PURPOSE: &str = "sign-in of a field user by the provider";

/// A sign-in that has begun.
pub struct BegunSignIn {
    /// Where the browser goes next.
    pub url: Url,
    /// What the browser keeps until it comes back, for at most [`ATTEMPT_LIFETIME`].
    pub sealed: String,
}

/// What the provider sent back with the person.
#[derive(Clone, Default, Deserialize)]
pub struct Callback {
    pub state: Option<String>,
    pub code: Option<String>,
    pub error: Option<String>,
    /// RFC 9207
    pub iss: Option<String>,
}

/// Why a person is not signed in.
#[derive(Debug, thiserror::Error)]
pub enum SignInFailure {
    /// The provider does not answer.
    #[error("the provider is not available: {0}")]
    Unavailable(String),
    /// The person did not finish, or what came back does not belong to a sign-in of this browser.
    #[error("{0}")]
    Unfinished(String),
    /// The provider knows the person, and no company manifest does.
    #[error("no active field user has the subject {0:?}")]
    UnknownAccount(String),
    #[error(transparent)]
    Other(#[from] Error),
}

/// A sign-in that this browser began. Whatever comes of it, it is over: the browser must forget it.
pub struct OngoingSignIn {
    sealed: Sealed,
    answer: Result<String, String>,
}

/// What the browser keeps, encrypted.
#[derive(Serialize, Deserialize)]
struct Sealed {
    attempt: Attempt,
    begun_at: i64,
    /// The session that the browser had when the sign-in began. Its cookie does not come with the callback, which
    /// another site causes.
    before: Option<Sha256Digest>,
}

impl OngoingSignIn {
    /// The session that ends with this sign-in.
    pub fn before(&self) -> Option<Sha256Digest> {
        self.sealed.before
    }
}

/// The provider, if there is one.
pub fn provider(app: &App) -> Result<&Provider> {
    app.openid.as_deref().ok_or_else(|| Error::not_found("signing in through an OpenID Connect provider is not set up"))
}

/// Begins a sign-in. With `again` the provider asks for the person's credentials in any case.
pub async fn begin(app: &App, again: bool, before: Option<&SessionToken>) -> Result<BegunSignIn, SignInFailure> {
    let (url, attempt) = provider(app)?.begin(again).await.map_err(failure)?;
    let before = before.map(SessionToken::digest);
    let sealed = Sealed { attempt, begun_at: app.clock.now().as_millis(), before };
    let text = serde_json::to_vec(&sealed).map_err(Error::internal)?;
    Ok(BegunSignIn { url, sealed: app.secrets.encrypt(PURPOSE, &text) })
}

/// Whether what came back belongs to the sign-in that this browser began and that is not too old. Asks no one.
pub fn recognise(app: &App, sealed: Option<&str>, callback: Callback) -> Result<OngoingSignIn, SignInFailure> {
    let provider = provider(app)?;
    let unfinished = |reason: &str| SignInFailure::Unfinished(reason.to_owned());
    let sealed = sealed.ok_or_else(|| unfinished("this browser has not begun a sign-in"))?;
    let opened = app.secrets.decrypt(PURPOSE, sealed).ok();
    let sealed: Option<Sealed> = opened.and_then(|text| serde_json::from_slice(&text).ok());
    let sealed = sealed.ok_or_else(|| unfinished("the cookie of the sign-in is not ours"))?;
    if Timestamp::from_millis(sealed.begun_at).after(ATTEMPT_LIFETIME) <= app.clock.now() {
        return Err(unfinished("the sign-in was begun too long ago"));
    }
    let state = callback.state.unwrap_or_default();
    // Digests are compared, so the time says nothing about the state.
    if Sha256Digest::of(&state) != Sha256Digest::of(&sealed.attempt.state) {
        return Err(unfinished("the state does not match the sign-in that this browser began"));
    }
    Ok(OngoingSignIn { sealed, answer: answer(provider, callback.code, callback.error, callback.iss) })
}

/// The code, or why there is none that can be used.
fn answer(
    provider: &Provider,
    code: Option<String>,
    error: Option<String>,
    issuer: Option<String>,
) -> Result<String, String> {
    if issuer.is_some_and(|issuer| issuer != provider.issuer()) {
        return Err("the answer comes from another issuer".to_owned());
    }
    if let Some(error) = error {
        // The text is the browser's.
        let error: String = error.chars().filter(char::is_ascii_graphic).take(64).collect();
        return Err(format!("the provider returned the error {error:?}"));
    }
    code.filter(|code| !code.is_empty()).ok_or_else(|| "the provider returned no code".to_owned())
}

/// Finds out who came back. An account is never created: the company manifest names the subject.
pub async fn finish(app: &App, ongoing: OngoingSignIn) -> Result<SignedIn, SignInFailure> {
    let provider = provider(app)?;
    let OngoingSignIn { sealed, answer } = ongoing;
    let code = answer.map_err(SignInFailure::Unfinished)?;
    let subject = provider.finish(&sealed.attempt, code).await.map_err(failure)?;
    let unknown = || SignInFailure::UnknownAccount(subject.to_string());
    let mut reader = app.db.read().await.map_err(Error::from)?;
    let user = store::user::find_by_subject(&mut reader, &subject).await.map_err(Error::from)?;
    let user = user.filter(|user| may_sign_in(user, UserKind::Field)).ok_or_else(unknown)?;
    let company = store::company::find(&mut reader, user.company).await.map_err(Error::from)?;
    let evidence = Evidence::Provider {
        subject: subject_digest(provider, &subject),
        sign_in: Sha256Digest::of(&sealed.attempt.nonce),
    };
    Ok(SignedIn { company: company.ok_or_else(unknown)?, user, evidence })
}

/// Whether the user is still the one whom the provider of the settings knows by the subject with this digest.
pub(super) fn is_still(app: &App, user: &User, digest: Sha256Digest) -> bool {
    let now = app.openid.as_deref().zip(user.oidc_subject.as_ref());
    now.is_some_and(|(provider, subject)| subject_digest(provider, subject) == digest)
}

/// Of issuer and subject: a subject means nothing without its issuer.
fn subject_digest(provider: &Provider, subject: &OidcSubject) -> Sha256Digest {
    Sha256Digest::of(format!("{}\n{subject}", provider.issuer()))
}

fn failure(error: OpenIdError) -> SignInFailure {
    match error {
        OpenIdError::Unavailable(reason) => SignInFailure::Unavailable(reason),
        OpenIdError::Rejected(reason) => SignInFailure::Unfinished(reason),
    }
}
