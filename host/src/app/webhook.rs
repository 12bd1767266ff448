//! The case webhook: what it says, and its one dispatch (spec 6.1, 6.3; decisions 12).

pub mod payload;

use std::{sync::Arc, time::Duration};

use anyhow::Context;
use bytes::Bytes;
use hyper::{
    HeaderMap,
    header::{CONTENT_TYPE, HeaderValue},
};
use serde::{Deserialize, Serialize};
use url::Url;

use super::App;
use crate::{
    clock::Timestamp,
    domain::id::{CaseId, CompanyId},
    egress::Outcome,
    error::{Error, Result},
    plugins::{WebhookCredential, WebhookRequest},
    secrets::SecretString,
    store::{
        self,
        job::{Job, JobKind},
        webhook::{Attempt, NewAttempt, WebhookKind, WebhookSettings},
    },
};

/// What a webhook-auth mode works with; stored encrypted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Credentials {
    /// The public half: `api_key`.
    pub key_id: Option<SecretString>,
    /// `auth_token` or `api_secret`, whichever the mode uses.
    pub secret: Option<SecretString>,
}

/// Credentials as they are before encryption, which is the only place where they are written out.
#[derive(Serialize, Deserialize)]
struct PlainCredentials {
    key_id: Option<String>,
    secret: Option<String>,
}

impl Credentials {
    /// Encrypted for this company's webhook alone: moved to another row, they cannot be read.
    pub fn encrypt(&self, app: &App, company: CompanyId, kind: WebhookKind) -> Result<String> {
        let plain = |secret: &Option<SecretString>| secret.as_ref().map(|secret| secret.expose().to_owned());
        let plain = PlainCredentials { key_id: plain(&self.key_id), secret: plain(&self.secret) };
        let json = serde_json::to_vec(&plain).map_err(Error::internal)?;
        Ok(app.secrets.encrypt(&Self::purpose(company, kind), &json))
    }

    pub fn decrypt(app: &App, company: CompanyId, kind: WebhookKind, ciphertext: &str) -> Result<Self> {
        let json = app.secrets.decrypt(&Self::purpose(company, kind), ciphertext).context("webhook credentials")?;
        let plain: PlainCredentials = serde_json::from_slice(&json).context("webhook credentials")?;
        Ok(Self { key_id: plain.key_id.map(SecretString::new), secret: plain.secret.map(SecretString::new) })
    }

    fn purpose(company: CompanyId, kind: WebhookKind) -> String {
        format!("webhook-credentials/{company}/{}", kind.as_str())
    }
}

/// Sends the case webhook of a closed case, as one run of a [`JobKind::DeliverCase`] job, and records the attempt in the
/// transaction that ends the job: any known outcome is final, one that a crash left unknown is sent again (decisions 12).
pub async fn deliver_case(app: &Arc<App>, job: &Job) -> Result<()> {
    let dispatched = match CaseId::new(job.subject) {
        Some(id) => dispatch_case(app, id).await?,
        None => None,
    };
    let mut tx = app.db.begin().await?;
    if let Some((company, attempt)) = &dispatched {
        store::webhook::record_attempt(&mut tx, *company, attempt).await?;
    }
    store::job::complete(&mut tx, job.id).await?;
    tx.commit().await?;
    Ok(())
}

/// The latest attempts of all companies, newest first, at most `most` of them: what the operator lists.
pub async fn latest_attempts(app: &App, most: u32) -> Result<Vec<Attempt>> {
    let mut tx = app.db.read().await?;
    Ok(store::webhook::latest_attempts(&mut tx, i64::from(most)).await?)
}

/// Has the case webhook of an earlier attempt sent once more.
pub async fn resend(app: &App, attempt: i64) -> Result<CaseId> {
    let mut tx = app.db.begin().await?;
    let attempt = store::webhook::find_attempt(&mut tx, attempt)
        .await?
        .ok_or_else(|| Error::not_found(format!("no webhook attempt {attempt}")))?;
    if store::case::find(&mut tx, attempt.case_id).await?.is_none() {
        return Err(Error::not_found(format!("case {} of that attempt was deleted", attempt.case_id)));
    }
    let subject = attempt.case_id.get();
    if !store::job::enqueue(&mut tx, JobKind::DeliverCase, subject, app.clock.now()).await? {
        return Err(Error::state(format!(
            "the webhook of case {subject} is being sent already; try again when it is done"
        )));
    }
    tx.commit().await?;
    Ok(attempt.case_id)
}

/// Forgets attempts once they are 30 days old (decisions 12); says how many.
pub async fn forget_old_attempts(app: &App) -> Result<u64> {
    const KEPT: Duration = Duration::from_hours(30 * 24);
    let mut tx = app.db.begin().await?;
    let forgotten = store::webhook::delete_attempts_before(&mut tx, app.clock.now().before(KEPT)).await?;
    tx.commit().await?;
    Ok(forgotten)
}

/// None when there is nothing to send: the case is gone, or its company has no case webhook.
async fn dispatch_case(app: &Arc<App>, id: CaseId) -> Result<Option<(CompanyId, NewAttempt)>> {
    let mut tx = app.db.read().await?;
    let case = store::case::find(&mut tx, id).await?;
    let Some((case, certificate)) = case.zip(store::certificate::find(&mut tx, id).await?) else { return Ok(None) };
    let Some(settings) = store::webhook::settings(&mut tx, case.company, WebhookKind::Case).await? else {
        return Ok(None);
    };
    let items = store::item::of_case(&mut tx, id).await?;
    drop(tx);
    let body = Bytes::from(payload::case_webhook(app, &case, &certificate, &items)?);
    let started_at = app.clock.now();
    let sent = send(app, case.company, &settings, body, started_at).await;
    match &sent.outcome {
        Ok(status) if (200..300).contains(status) => {
            tracing::info!(case = %case.reference(), status, "case webhook delivered");
        }
        Ok(status) => tracing::warn!(case = %case.reference(), status, "the receiver refused the case webhook"),
        Err(error) => tracing::warn!(case = %case.reference(), error, "the case webhook was not delivered"),
    }
    let attempt = NewAttempt {
        case: id,
        kind: WebhookKind::Case,
        url: settings.endpoint,
        started_at,
        duration: sent.duration,
        outcome: sent.outcome,
    };
    Ok(Some((case.company, attempt)))
}

struct Sent {
    duration: Duration,
    /// The receiver's status, or why there is none.
    outcome: std::result::Result<u16, String>,
}

/// Asks the plugin of the mode for its headers, then posts through the guard. Whatever goes wrong is an outcome to record,
/// not an error to try again: a dispatch is not repeated (spec 6.1, delivery rule 1).
async fn send(app: &App, company: CompanyId, settings: &WebhookSettings, body: Bytes, now: Timestamp) -> Sent {
    let failed = |error: String| Sent { duration: Duration::ZERO, outcome: Err(error) };
    let url = match Url::parse(&settings.endpoint) {
        Ok(url) => url,
        Err(error) => return failed(format!("the endpoint is no URL: {error}")),
    };
    let headers = match authenticated_headers(app, company, settings, &body, now).await {
        Ok(headers) => headers,
        Err(error) => return failed(error.to_string()),
    };
    let delivery = app.egress.post(&url, headers, body).await;
    let outcome = match delivery.outcome {
        Outcome::Answered(status) => Ok(status.as_u16()),
        Outcome::Refused(reason) => Err(format!("refused: {reason}")),
        Outcome::Failed(reason) => Err(reason),
    };
    Sent { duration: delivery.duration, outcome }
}

async fn authenticated_headers(
    app: &App,
    company: CompanyId,
    settings: &WebhookSettings,
    body: &Bytes,
    now: Timestamp,
) -> Result<HeaderMap> {
    let credentials = Credentials::decrypt(app, company, WebhookKind::Case, &settings.credentials)?;
    let label = format!("the case webhook of company {company}");
    let credential = WebhookCredential {
        company,
        label,
        key_id: credentials.key_id,
        secret: credentials.secret,
        grant_reveal: false,
    };
    let request = WebhookRequest { url: settings.endpoint.clone(), body: body.clone(), now };
    let added = app.plugins.authenticate_webhook(&settings.mode, request, credential).await.map_err(Error::internal)?;
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.extend(added);
    Ok(headers)
}
