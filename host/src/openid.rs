//! An OpenID Connect provider: where to send a person, and who came back. The crate `openidconnect` checks the provider's
//! answers; this module decides when they are fetched, and which are believed at all.
//!
//! It does not know users, cookies or sessions.

mod error;
mod identity;
mod known;
mod metadata;
#[cfg(test)]
mod tests;
mod transport;

use std::{
    fmt,
    time::{Duration, SystemTime},
};

use openidconnect::{
    AuthType, AuthenticationFlow, AuthorizationCode, ClaimsVerificationError, ClientId, ClientSecret, CsrfToken,
    IssuerUrl, LogoutRequest, Nonce, PkceCodeChallenge, PkceCodeVerifier, PostLogoutRedirectUrl, RedirectUrl,
    RequestTokenError, Scope, TokenResponse as _,
    core::{CoreAuthPrompt, CoreClientAuthMethod, CoreJwsSigningAlgorithm, CoreResponseType},
};
use serde::{Deserialize, Serialize};
use tokio::time::timeout;
use url::Url;

pub use self::{error::OpenIdError, identity::Identity};
use self::{
    error::with_causes,
    identity::{Claims, Client, Token},
    known::Known,
    metadata::Metadata,
    transport::Transport,
};
use crate::{
    clock::{Clock, Timestamp, random_bytes},
    config::{OpenIdSettings, is_safe_provider_url},
    egress::Egress,
    secrets::SecretString,
};

/// For one request to the provider.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(4);
/// For all requests of one step of a sign-in: a person waits for it.
const STEP_TIMEOUT: Duration = Duration::from_secs(10);

/// The algorithms that a provider's public key can verify. `none` and those with the client's secret are not among them,
/// whatever the provider's metadata says.
const ALGORITHMS: [CoreJwsSigningAlgorithm; 9] = [
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha256,
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha384,
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha512,
    CoreJwsSigningAlgorithm::RsaSsaPssSha256,
    CoreJwsSigningAlgorithm::RsaSsaPssSha384,
    CoreJwsSigningAlgorithm::RsaSsaPssSha512,
    CoreJwsSigningAlgorithm::EcdsaP256Sha256,
    CoreJwsSigningAlgorithm::EcdsaP384Sha384,
    CoreJwsSigningAlgorithm::EdDsa,
];

/// The provider, and what is known about it.
pub struct Provider {
    issuer: IssuerUrl,
    client_id: ClientId,
    client_secret: SecretString,
    redirect: RedirectUrl,
    scopes: &'static [&'static str],
    transport: Transport,
    clock: Clock,
    known: tokio::sync::Mutex<Known>,
}

/// The secrets of one sign-in, until the person comes back.
#[derive(Clone, Serialize, Deserialize)]
pub struct Attempt {
    /// Returned in the address of the callback: the person's browser began this sign-in.
    pub state: String,
    /// Returned in the ID token: the token was issued for this sign-in.
    pub nonce: String,
    /// Sent with the code: the code was issued for this sign-in (RFC 7636).
    verifier: String,
}

impl Attempt {
    fn random() -> Self {
        let secret = || hex::encode(random_bytes::<32>());
        Self { state: secret(), nonce: secret(), verifier: secret() }
    }
}

impl Provider {
    /// `redirect` is the address to which the provider sends a person back; `scopes` are those besides `openid`, which
    /// name the claims that are wanted.
    ///
    /// # Errors
    /// If the client's secret cannot be read, or TLS cannot be set up. The provider is not asked anything yet.
    pub fn new(
        settings: &OpenIdSettings,
        redirect: String,
        scopes: &'static [&'static str],
        clock: Clock,
    ) -> anyhow::Result<Self> {
        let client_secret = settings.client_secret.read()?;
        anyhow::ensure!(!client_secret.expose().is_empty(), "the client's secret is empty");
        Ok(Self {
            issuer: IssuerUrl::new(settings.issuer.clone())?,
            client_id: ClientId::new(settings.client_id.clone()),
            client_secret,
            redirect: RedirectUrl::new(redirect)?,
            scopes,
            transport: Transport(Egress::for_networks(REQUEST_TIMEOUT, settings.private_addresses.clone())?),
            clock,
            known: tokio::sync::Mutex::default(),
        })
    }

    pub fn issuer(&self) -> &str {
        self.issuer.as_str()
    }

    /// The address to which the provider sends a person back.
    pub fn redirect(&self) -> &str {
        self.redirect.as_str()
    }

    /// Where to send a person who wants to sign in. With `again` the provider asks for the person's credentials even if
    /// it still knows the browser, so that another person can sign in on a shared device.
    pub async fn begin(&self, again: bool) -> Result<(Url, Attempt), OpenIdError> {
        let metadata = within(self.metadata()).await?;
        let attempt = Attempt::random();
        let challenge = PkceCodeChallenge::from_code_verifier_sha256(&PkceCodeVerifier::new(attempt.verifier.clone()));
        let client = self.client(metadata);
        let (state, nonce) = (CsrfToken::new(attempt.state.clone()), Nonce::new(attempt.nonce.clone()));
        let mut request = client
            .authorize_url(AuthenticationFlow::<CoreResponseType>::AuthorizationCode, move || state, move || nonce)
            .add_scopes(self.scopes.iter().map(|scope| Scope::new((*scope).to_owned())))
            .set_pkce_challenge(challenge);
        if again {
            request = request.add_prompt(CoreAuthPrompt::Login);
        }
        let (url, _, _) = request.url();
        if !is_safe_provider_url(&url) {
            let reason = "the provider's authorization endpoint is neither https nor on this machine";
            return Err(OpenIdError::Unavailable(reason.to_owned()));
        }
        Ok((url, attempt))
    }

    /// Exchanges the code that a person came back with, and returns who it is.
    pub async fn finish(&self, attempt: &Attempt, code: String) -> Result<Identity, OpenIdError> {
        within(self.identify(attempt, code)).await
    }

    /// Where a person goes to sign out at the provider too, and from there to `back`. None if the provider has no such
    /// address, or does not answer.
    pub async fn sign_out_url(&self, back: String) -> Option<Url> {
        let metadata = within(self.metadata()).await.ok()?;
        let endpoint = metadata.additional_metadata().address()?;
        let request = LogoutRequest::from(endpoint)
            .set_client_id(self.client_id.clone())
            .set_post_logout_redirect_uri(PostLogoutRedirectUrl::new(back).ok()?);
        Some(request.http_get_url()).filter(is_safe_provider_url)
    }

    async fn identify(&self, attempt: &Attempt, code: String) -> Result<Identity, OpenIdError> {
        let token = self.exchange(attempt, code).await?;
        let claims = match self.verify(&token, attempt, self.metadata().await?) {
            Err(ClaimsVerificationError::SignatureVerification(_)) => {
                // The provider may have another key since it was asked.
                self.verify(&token, attempt, self.renewed_metadata().await?)
            }
            verified => verified,
        };
        let claims = claims.map_err(|error| OpenIdError::Rejected(format!("its ID token: {}", with_causes(&error))))?;
        if claims.authorized_party().is_some_and(|party| *party != self.client_id) {
            return Err(OpenIdError::Rejected("its ID token was issued to another client (azp)".to_owned()));
        }
        Identity::of(&claims)
            .ok_or_else(|| OpenIdError::Rejected("its ID token has a subject that is not valid".to_owned()))
    }

    async fn exchange(&self, attempt: &Attempt, code: String) -> Result<Token, OpenIdError> {
        let client = self.client(self.metadata().await?);
        let request = client
            .exchange_code(AuthorizationCode::new(code))
            .map_err(|error| OpenIdError::Unavailable(format!("its metadata: {error}")))?
            .set_pkce_verifier(PkceCodeVerifier::new(attempt.verifier.clone()));
        let response = request.request_async(&self.transport).await.map_err(|error| match error {
            RequestTokenError::ServerResponse(refusal) => {
                OpenIdError::Rejected(format!("its token endpoint refuses the code: {}", refusal.error()))
            }
            RequestTokenError::Request(error) => OpenIdError::Unavailable(format!("its token endpoint: {error}")),
            // Not the body, which may have tokens.
            RequestTokenError::Parse(error, _) => OpenIdError::Unavailable(format!("its token endpoint: {error}")),
            RequestTokenError::Other(error) => OpenIdError::Unavailable(format!("its token endpoint: {error}")),
        })?;
        let token = response.id_token().cloned();
        token.ok_or_else(|| OpenIdError::Rejected("its token endpoint returned no ID token".to_owned()))
    }

    fn verify(&self, token: &Token, attempt: &Attempt, metadata: Metadata) -> Result<Claims, ClaimsVerificationError> {
        let client = self.client(metadata);
        let now = self.clock.now();
        let verifier = client.id_token_verifier().set_allowed_algs(ALGORITHMS).set_time_fn(move || moment(now).into());
        token.claims(&verifier, &Nonce::new(attempt.nonce.clone())).cloned()
    }

    fn client(&self, metadata: Metadata) -> Client {
        let auth_type = auth_type(&metadata);
        let secret = ClientSecret::new(self.client_secret.expose().to_owned());
        Client::from_provider_metadata(metadata, self.client_id.clone(), Some(secret))
            .set_redirect_uri(self.redirect.clone())
            .set_auth_type(auth_type)
    }

    async fn metadata(&self) -> Result<Metadata, OpenIdError> {
        self.known.lock().await.current(&self.issuer, &self.transport, &self.clock).await
    }

    async fn renewed_metadata(&self) -> Result<Metadata, OpenIdError> {
        self.known.lock().await.renewed(&self.issuer, &self.transport, &self.clock).await
    }
}

impl fmt::Debug for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Provider").field("issuer", &self.issuer).finish_non_exhaustive()
    }
}

/// How the client names itself at the token endpoint: in the header, unless the provider accepts the body only.
fn auth_type(metadata: &Metadata) -> AuthType {
    match metadata.token_endpoint_auth_methods_supported() {
        Some(methods)
            if methods.contains(&CoreClientAuthMethod::ClientSecretPost)
                && !methods.contains(&CoreClientAuthMethod::ClientSecretBasic) =>
        {
            AuthType::RequestBody
        }
        _ => AuthType::BasicAuth,
    }
}

async fn within<T>(step: impl Future<Output = Result<T, OpenIdError>>) -> Result<T, OpenIdError> {
    let too_slow = || OpenIdError::Unavailable(format!("no answer within {STEP_TIMEOUT:?} in total"));
    timeout(STEP_TIMEOUT, step).await.unwrap_or_else(|_| Err(too_slow()))
}

/// A moment as the crate takes it.
fn moment(now: Timestamp) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_millis(u64::try_from(now.as_millis()).unwrap_or(0))
}
