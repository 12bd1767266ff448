//! A webhook that a mode authenticates, and what it is authenticated with.

use std::fmt;

use bytes::Bytes;
use sealwright_base::{clock::Timestamp, secrets::SecretString};
use sealwright_domain::id::CompanyId;

/// The webhook that a mode authenticates. Its method is `POST`.
#[derive(Clone)]
pub struct WebhookRequest {
    pub url: String,
    /// The body as it will be sent, byte for byte.
    pub body: Bytes,
    /// The moment of this attempt.
    pub now: Timestamp,
    /// The same at each attempt to send it.
    pub delivery_id: String,
}

/// What a company authenticates its webhook with, as its manifest says.
#[derive(Clone)]
pub struct WebhookCredential {
    /// Whose webhook it is.
    pub company: CompanyId,
    /// Its name in messages, for example `webhook.case of company acme`.
    pub label: String,
    /// The manifest's `api_key`. Passed to the mode as text.
    pub key_id: Option<SecretString>,
    /// The manifest's `auth_token` or `api_secret`. A mode signs with it, and can read it only if granted.
    pub secret: Option<SecretString>,
    /// The secret before `secret`, while it is still valid.
    pub previous_secret: Option<SecretString>,
    /// Whether the manifest lets the operator's plugin read the secret. Built-in modes do not depend on it.
    pub grant_reveal: bool,
}

impl fmt::Debug for WebhookRequest {
    /// Without body and URL: the body contains personal data, the URL may contain a receiver's token.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WebhookRequest").field("now", &self.now).finish_non_exhaustive()
    }
}

impl fmt::Debug for WebhookCredential {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WebhookCredential").field("label", &self.label).finish_non_exhaustive()
    }
}
