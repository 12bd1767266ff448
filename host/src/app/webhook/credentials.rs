//! What webhooks authenticate with, encrypted in the database.

use anyhow::Context as _;
use serde::{Deserialize, Serialize};

use crate::{
    app::App,
    clock::Timestamp,
    domain::{
        company_manifest::{PreviousSecret, WebhookKind},
        id::CompanyId,
    },
    error::{Error, Result},
    secrets::SecretString,
};

/// The credentials of a webhook-auth mode; stored encrypted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Credentials {
    /// The public half: `api_key`.
    pub key_id: Option<SecretString>,
    /// `auth_token` or `api_secret`, whichever the mode uses.
    pub secret: Option<SecretString>,
    /// The secret before `secret`, which also signs until it ends.
    pub previous: Option<PreviousSecret>,
}

/// Credentials before encryption, the only place where they are in plain text.
#[derive(Serialize, Deserialize)]
struct PlainCredentials {
    key_id: Option<String>,
    secret: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    previous: Option<PlainPrevious>,
}

#[derive(Serialize, Deserialize)]
struct PlainPrevious {
    secret: String,
    until: Timestamp,
}

impl Credentials {
    /// Encrypted for this company's webhook only: moved to another row, they cannot be decrypted.
    pub fn encrypt(&self, app: &App, company: CompanyId, kind: WebhookKind) -> Result<String> {
        let plain = |secret: &Option<SecretString>| secret.as_ref().map(|secret| secret.expose().to_owned());
        let previous = self.previous.as_ref();
        let previous = previous
            .map(|previous| PlainPrevious { secret: previous.secret.expose().to_owned(), until: previous.until });
        let plain = PlainCredentials { key_id: plain(&self.key_id), secret: plain(&self.secret), previous };
        let json = serde_json::to_vec(&plain).map_err(Error::internal)?;
        Ok(app.secrets.encrypt(&Self::purpose(company, kind), &json))
    }

    pub fn decrypt(app: &App, company: CompanyId, kind: WebhookKind, ciphertext: &str) -> Result<Self> {
        let json = app.secrets.decrypt(&Self::purpose(company, kind), ciphertext).context("webhook credentials")?;
        let plain: PlainCredentials = serde_json::from_slice(&json).context("webhook credentials")?;
        let previous = plain
            .previous
            .map(|previous| PreviousSecret { secret: SecretString::new(previous.secret), until: previous.until });
        Ok(Self { key_id: plain.key_id.map(SecretString::new), secret: plain.secret.map(SecretString::new), previous })
    }

    /// The previous secret, unless it has ended.
    pub(super) fn previous_at(&self, now: Timestamp) -> Option<SecretString> {
        self.previous.as_ref().filter(|previous| now < previous.until).map(|previous| previous.secret.clone())
    }

    /// Everything that must not be shown.
    pub(super) fn private(&self) -> impl Iterator<Item = &SecretString> {
        let previous = self.previous.as_ref().map(|previous| &previous.secret);
        self.secret.iter().chain(&self.key_id).chain(previous)
    }

    fn purpose(company: CompanyId, kind: WebhookKind) -> String {
        format!("webhook-credentials/{company}/{}", kind.into_str())
    }
}
