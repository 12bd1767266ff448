//! One request to a receiver: its headers from the plugin of the webhook's mode, and what is answered.

use std::time::Duration;

use bytes::Bytes;
use hyper::{
    HeaderMap,
    header::{CONTENT_TYPE, HeaderValue},
};
use url::Url;

use super::credentials::Credentials;
use crate::{
    app::{
        App,
        audit::{self, Actor, Event},
        plugins,
    },
    clock::{Timestamp, random_key},
    domain::{company_manifest::WebhookKind, id::CompanyId},
    egress::Outcome,
    error::{Error, Result},
    plugins::{WebhookCredential, WebhookRequest},
    store::{self, webhook::WebhookSettings},
};

/// How much of an answer an operator sees.
const SHOWN_BYTES: usize = 256;
/// What replaces a secret in it.
const HIDDEN: &[u8] = b"[secret]";

/// What a receiver answered to a test.
#[derive(Debug)]
pub struct TestDelivery {
    pub url: String,
    pub duration: Duration,
    /// The receiver's status, or why there is none.
    pub outcome: std::result::Result<u16, String>,
    /// The first bytes of its answer.
    pub answer: Option<String>,
}

/// Sends a body without a case to a webhook's receiver, authenticated as always. Nothing is recorded.
///
/// # Errors
/// [`Error::State`] if the company does not have the webhook.
pub async fn send_test(app: &App, company: CompanyId, kind: WebhookKind) -> Result<TestDelivery> {
    let mut reader = app.db.read().await?;
    let settings = store::webhook::settings(&mut reader, company, kind).await?;
    drop(reader);
    let settings = settings.ok_or_else(|| Error::state(format!("the company has no {kind} webhook")))?;
    let now = app.clock.now();
    let body = serde_json::json!({ "test": true, "webhook": kind, "sentAt": now });
    let body = Bytes::from(serde_json::to_vec(&body).map_err(Error::internal)?);
    let message = Message { delivery: format!("test_{}", random_key()), body, now };
    let SendResult { duration, outcome, answer } = send(app, company, kind, &settings, message).await?;
    Ok(TestDelivery { url: settings.endpoint, duration, outcome, answer })
}

/// The same for an operator at the command line, with a record in the audit log.
///
/// # Errors
/// [`Error::NotFound`] if the company does not exist, and the errors of [`send_test`].
pub async fn test(app: &App, actor: &Actor, company: CompanyId, kind: WebhookKind) -> Result<TestDelivery> {
    let mut reader = app.db.read().await?;
    let found = store::company::find(&mut reader, company).await?;
    drop(reader);
    if found.is_none() {
        return Err(Error::not_found(format!("company {company} does not exist")));
    }
    let event = Event::done("testWebhook", Some(company), Some(format!("company {company}")));
    audit::record_alone(app, actor, event.with_detail(kind.into_str())).await?;
    send_test(app, company, kind).await
}

/// What is sent.
pub(super) struct Message {
    /// Its identifier, the same at each attempt.
    pub(super) delivery: String,
    pub(super) body: Bytes,
    /// The moment of this attempt.
    pub(super) now: Timestamp,
}

pub(super) struct SendResult {
    pub(super) duration: Duration,
    /// The receiver's status, or why there is none.
    pub(super) outcome: std::result::Result<u16, String>,
    /// The first bytes of its answer.
    pub(super) answer: Option<String>,
}

/// Asks the plugin of the mode for its headers, then posts through the guard. Any failure is an outcome to record, not
/// an error of the job: whether there is another attempt is a matter of the webhook's schedule. One exception: if this
/// server could not even start, nothing was sent, and the dispatch waits.
pub(super) async fn send(
    app: &App,
    company: CompanyId,
    kind: WebhookKind,
    settings: &WebhookSettings,
    message: Message,
) -> Result<SendResult> {
    let failed = |error: String| Ok(SendResult { duration: Duration::ZERO, outcome: Err(error), answer: None });
    let url = match Url::parse(&settings.endpoint) {
        Ok(url) => url,
        Err(error) => return failed(format!("the endpoint is not a URL: {error}")),
    };
    let credentials = match Credentials::decrypt(app, company, kind, &settings.credentials) {
        Ok(credentials) => credentials,
        Err(error) => return failed(error.to_string()),
    };
    let headers = match authenticated_headers(app, company, kind, settings, &credentials, &message).await {
        Ok(headers) => headers,
        Err(error @ Error::Unavailable { .. }) => return Err(error),
        Err(error) => return failed(error.to_string()),
    };
    // Enough to recognise a secret that begins in the part that is shown.
    let longest = credentials.private().map(|private| private.expose().len()).max().unwrap_or(0);
    let delivery = app.egress.post(&url, headers, message.body, SHOWN_BYTES + longest).await;
    let outcome = match delivery.outcome {
        Outcome::Answered(status) => Ok(status.as_u16()),
        Outcome::Refused(reason) => Err(format!("refused: {reason}")),
        Outcome::Failed(reason) => Err(reason),
        Outcome::Unsent(reason) => {
            return Err(Error::Unavailable { part: "file descriptors", cause: anyhow::anyhow!(reason) });
        }
    };
    Ok(SendResult { duration: delivery.duration, outcome, answer: excerpt(&delivery.excerpt, &credentials) })
}

async fn authenticated_headers(
    app: &App,
    company: CompanyId,
    kind: WebhookKind,
    settings: &WebhookSettings,
    credentials: &Credentials,
    message: &Message,
) -> Result<HeaderMap> {
    let label = format!("the {} webhook of company {company}", kind.into_str());
    let credential = WebhookCredential {
        company,
        label,
        key_id: credentials.key_id.clone(),
        secret: credentials.secret.clone(),
        previous_secret: credentials.previous_at(message.now),
        grant_reveal: false,
    };
    let request = WebhookRequest {
        url: settings.endpoint.clone(),
        body: message.body.clone(),
        now: message.now,
        delivery_id: message.delivery.clone(),
    };
    let added = app.plugins.authenticate_webhook(&settings.mode, request, credential).await;
    let added = added.map_err(plugins::error_of)?;
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.extend(added);
    Ok(headers)
}

/// The first bytes of an answer as one line, without the secrets that a receiver may repeat. None if it is empty.
fn excerpt(answer: &[u8], credentials: &Credentials) -> Option<String> {
    let private: Vec<&[u8]> = credentials.private().map(|private| private.expose().as_bytes()).collect();
    let mut shown = Vec::new();
    let mut read = 0;
    while read < answer.len().min(SHOWN_BYTES) {
        let rest = &answer[read..];
        let secret = private.iter().filter(|private| rest.starts_with(private)).map(|private| private.len()).max();
        if let Some(length) = secret.filter(|length| *length > 0) {
            shown.extend_from_slice(HIDDEN);
            read += length;
        } else {
            shown.push(answer[read]);
            read += 1;
        }
    }
    let text: String = String::from_utf8_lossy(&shown).chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::secrets::SecretString;

    #[test]
    fn an_excerpt_has_no_part_of_a_secret() {
        let secret = "s3cret-".repeat(8);
        let credentials = Credentials {
            key_id: Some(SecretString::new("s3cret-".to_owned())),
            secret: Some(SecretString::new(secret.clone())),
            previous: None,
        };
        assert_eq!(excerpt(b" no\ncase ", &credentials).as_deref(), Some("no case"));
        assert_eq!(excerpt(b"\r\n", &credentials), None);
        assert_eq!(excerpt(format!("key {secret}.").as_bytes(), &credentials).as_deref(), Some("key [secret]."));
        // It begins in the part that is shown and ends behind it.
        let padding = "x".repeat(SHOWN_BYTES - 10);
        let answer = format!("{padding}{secret}{padding}");
        assert_eq!(excerpt(answer.as_bytes(), &credentials), Some(format!("{padding}[secret]")));
        // Short replacements do not move a secret that was read only in part into the part that is shown.
        let answer = secret.repeat(8);
        let kept = &answer.as_bytes()[..SHOWN_BYTES + secret.len()];
        assert_eq!(excerpt(kept, &credentials), Some("[secret]".repeat(5)));
    }
}
