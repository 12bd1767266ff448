//! Signing in through an OpenID Connect provider, for the field app and for the console: the two steps, and what the
//! browser keeps between them. Who the person is here, they decide themselves.
//!
//! The browser keeps the secrets of the sign-in, encrypted with the key of the installation: any node can finish what
//! another began, and strangers who begin sign-ins write nothing to the database.

use std::time::Duration;

use sealwright_seal::Sha256Digest;
use serde::{Deserialize, Serialize};
use url::Url;

use crate::{
    clock::{Clock, Timestamp},
    domain::session::SessionToken,
    error::{Error, Result},
    openid::{Attempt, Identity, OpenIdError, Provider},
    secrets::SecretKey,
};

/// A person must come back from the provider within this time.
pub const ATTEMPT_LIFETIME: Duration = Duration::from_mins(10);

/// How long it is remembered that a sign-in has begun a session: longer than it can be finished, also if the clocks of two
/// nodes differ.
pub(super) const FINISHED_REMEMBERED: Duration = ATTEMPT_LIFETIME.saturating_mul(6);

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
    /// The provider knows the person, and the person may not sign in here.
    #[error("the person with the subject {subject:?} is not admitted: {reason}")]
    NotAdmitted { subject: String, reason: String },
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
    /// The session that the browser had when the sign-in began. Its cookie may not come with the callback, which another
    /// site causes.
    before: Option<Sha256Digest>,
    /// Where the person goes on.
    #[serde(default)]
    next: String,
}

impl OngoingSignIn {
    /// The session that ends with this sign-in.
    pub fn before(&self) -> Option<Sha256Digest> {
        self.sealed.before
    }

    /// Where the person goes on, as it was said when the sign-in began.
    pub fn next(&self) -> &str {
        &self.sealed.next
    }

    /// Asks the provider who came back. The digest names the sign-in, which must begin one session only.
    pub(super) async fn identify(self, provider: &Provider) -> Result<(Identity, Sha256Digest), SignInFailure> {
        let Self { sealed, answer } = self;
        let code = answer.map_err(SignInFailure::Unfinished)?;
        let identity = provider.finish(&sealed.attempt, code).await?;
        Ok((identity, Sha256Digest::of(&sealed.attempt.nonce)))
    }
}

/// The two steps of a sign-in. What one purpose began, another cannot finish.
pub(super) struct ProviderSignIn<'s> {
    pub(super) provider: &'s Provider,
    pub(super) secrets: &'s SecretKey,
    pub(super) clock: &'s Clock,
    pub(super) purpose: &'static str,
}

impl ProviderSignIn<'_> {
    /// Begins a sign-in, after which the person goes on to `next`. With `again` the provider asks for the person's
    /// credentials in any case.
    pub(super) async fn begin(
        &self,
        again: bool,
        before: Option<&SessionToken>,
        next: &str,
    ) -> Result<BegunSignIn, SignInFailure> {
        let (url, attempt) = self.provider.begin(again).await?;
        let before = before.map(SessionToken::digest);
        let sealed = Sealed { attempt, begun_at: self.clock.now().as_millis(), before, next: next.to_owned() };
        let text = serde_json::to_vec(&sealed).map_err(Error::internal)?;
        Ok(BegunSignIn { url, sealed: self.secrets.encrypt(self.purpose, &text) })
    }

    /// Whether what came back belongs to the sign-in that this browser began and that is not too old. Asks no one.
    pub(super) fn recognise(&self, sealed: Option<&str>, callback: Callback) -> Result<OngoingSignIn, SignInFailure> {
        let unfinished = |reason: &str| SignInFailure::Unfinished(reason.to_owned());
        let sealed = sealed.ok_or_else(|| unfinished("this browser has not begun a sign-in"))?;
        let opened = self.secrets.decrypt(self.purpose, sealed).ok();
        let sealed: Option<Sealed> = opened.and_then(|text| serde_json::from_slice(&text).ok());
        let sealed = sealed.ok_or_else(|| unfinished("the cookie of the sign-in is not ours"))?;
        if Timestamp::from_millis(sealed.begun_at).after(ATTEMPT_LIFETIME) <= self.clock.now() {
            return Err(unfinished("the sign-in was begun too long ago"));
        }
        let state = callback.state.unwrap_or_default();
        // Digests are compared, so the time says nothing about the state.
        if Sha256Digest::of(&state) != Sha256Digest::of(&sealed.attempt.state) {
            return Err(unfinished("the state does not match the sign-in that this browser began"));
        }
        Ok(OngoingSignIn { sealed, answer: answer(self.provider, callback.code, callback.error, callback.iss) })
    }
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

impl From<OpenIdError> for SignInFailure {
    fn from(error: OpenIdError) -> Self {
        match error {
            OpenIdError::Unavailable(reason) => Self::Unavailable(reason),
            OpenIdError::Rejected(reason) => Self::Unfinished(reason),
        }
    }
}

impl From<sqlx::Error> for SignInFailure {
    fn from(error: sqlx::Error) -> Self {
        Self::Other(error.into())
    }
}
