//! The webhooks: their content and their dispatch (spec 6; decisions 12).

mod outcome;
pub mod payload;

use std::{sync::Arc, time::Duration};

use anyhow::Context;
use bytes::Bytes;
use hyper::{
    HeaderMap,
    header::{CONTENT_TYPE, HeaderValue},
};
use serde::{Deserialize, Serialize};
use tracing_opentelemetry::OpenTelemetrySpanExt as _;
use url::Url;

use self::outcome::{DispatchResult, Notice};
use super::{
    App,
    audit::{self, Actor, Event},
    plugins, queue,
};
use crate::{
    clock::Timestamp,
    domain::{
        company_manifest::{DEFAULT_DELIVERY_DAYS, WebhookKind},
        console::FormProblem,
        id::{CaseId, CompanyId},
    },
    egress::Outcome,
    error::{Error, Result},
    plugins::{WebhookCredential, WebhookRequest},
    secrets::SecretString,
    store::{
        self,
        analysis::ItemState,
        case::Case,
        job::{Job, JobKind, Work},
        webhook::{Attempt, NewAttempt, WebhookSettings},
    },
};

/// The credentials of a webhook-auth mode; stored encrypted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Credentials {
    /// The public half: `api_key`.
    pub key_id: Option<SecretString>,
    /// `auth_token` or `api_secret`, whichever the mode uses.
    pub secret: Option<SecretString>,
}

/// Credentials before encryption, the only place where they are in plain text.
#[derive(Serialize, Deserialize)]
struct PlainCredentials {
    key_id: Option<String>,
    secret: Option<String>,
}

impl Credentials {
    /// Encrypted for this company's webhook only: moved to another row, they cannot be decrypted.
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
        format!("webhook-credentials/{company}/{}", kind.into_str())
    }
}

/// How long after the closing a case webhook waits for the fields that are read from documents. It is sent once, so
/// fields that are read later are never in it; without a step that reads fields it does not wait.
const EXTRACTION_TIMEOUT: Duration = Duration::from_secs(30);
const EXTRACTION_POLL_INTERVAL: Duration = Duration::from_millis(500);
/// How much longer than the longest dispatch a lease must last.
const MARGIN_OF_LEASE: Duration = Duration::from_secs(5);

/// Sends the case webhook of a closed case, as one run of a [`JobKind::DeliverCase`] job, and records the attempt in the
/// transaction that ends the job: any known outcome is final, one that a crash left unknown is sent again (decisions 12).
pub async fn deliver_case(app: &Arc<App>, job: &Job, id: CaseId) -> Result<()> {
    if is_extracting(app, id).await? {
        let mut tx = app.db.begin().await?;
        store::job::reschedule(&mut tx, job, app.clock.now().after(EXTRACTION_POLL_INTERVAL)).await?;
        return Ok(tx.commit().await?);
    }
    outcome::note(app, job, &dispatch_case(app, job, id).await?).await
}

/// Sends the analysis webhook of a case's newest verdict, as one run of a [`JobKind::DeliverAnalysis`] job, and records the
/// attempt as [`deliver_case`] does. A verdict stored while this one is being sent is sent next.
pub async fn deliver_analysis(app: &Arc<App>, job: &Job, id: CaseId) -> Result<()> {
    outcome::note(app, job, &dispatch_analysis(app, job, id).await?).await
}

/// Sends the decision webhook of the newest decision on a case, as one run of a [`JobKind::DeliverDecision`] job, and
/// records the attempt as [`deliver_case`] does. A decision made while this one is being sent is sent next.
pub async fn deliver_decision(app: &Arc<App>, job: &Job, id: CaseId) -> Result<()> {
    outcome::note(app, job, &dispatch_decision(app, job, id).await?).await
}

/// The latest attempts of all companies, newest first, at most `most` of them: what the operator lists.
pub async fn latest_attempts(app: &App, most: u32) -> Result<Vec<Attempt>> {
    let mut reader = app.db.read().await?;
    Ok(store::webhook::latest_attempts(&mut reader, i64::from(most)).await?)
}

/// Enqueues the webhook of an earlier attempt again, with the current state of the case.
pub async fn resend(app: &App, actor: &Actor, attempt: i64) -> Result<CaseId> {
    let mut tx = app.db.begin().await?;
    let id = attempt;
    let attempt = store::webhook::find_attempt(&mut tx, attempt)
        .await?
        .ok_or_else(|| Error::not_found(format!("no webhook attempt {attempt}")))?;
    let Some(Case { company, .. }) = store::case::find(&mut tx, attempt.case_id).await? else {
        return Err(Error::not_found(format!("case {} of that attempt was deleted", attempt.case_id)));
    };
    let case = attempt.case_id;
    let work = match attempt.kind {
        WebhookKind::Analysis => Work::DeliverAnalysis(case),
        WebhookKind::Case => Work::DeliverCase(case),
        WebhookKind::Decision => Work::DeliverDecision(case),
    };
    if work.kind() == JobKind::DeliverAnalysis && store::analysis::verdict(&mut tx, case).await?.is_none() {
        return Err(Error::state(format!("case {case} no longer has a verdict, so there is nothing to send")));
    }
    if !store::job::enqueue(&mut tx, work, app.clock.now()).await? {
        return Err(FormProblem::WebhookWaits(case).into());
    }
    let event = Event::done("resendWebhook", Some(company), Some(format!("attempt {id}")));
    audit::record(&mut tx, app.clock.now(), actor, event.with_detail(format!("case {case}"))).await?;
    tx.commit().await?;
    Ok(attempt.case_id)
}

/// Deletes attempts older than 30 days (decisions 12) of companies that do not say how long theirs are kept; returns how
/// many.
pub async fn forget_old_attempts(app: &App) -> Result<u64> {
    const DAY: Duration = Duration::from_hours(24);
    let before = app.clock.now().before(DAY.saturating_mul(DEFAULT_DELIVERY_DAYS));
    let mut tx = app.db.begin_maintenance().await?;
    let forgotten = store::webhook::delete_attempts_before(&mut tx, before).await?;
    tx.commit().await?;
    Ok(forgotten)
}

/// Nothing is sent if the case is gone, or its company has no case webhook.
async fn dispatch_case(app: &Arc<App>, job: &Job, id: CaseId) -> Result<DispatchResult> {
    let mut reader = app.db.read().await?;
    let case = store::case::find(&mut reader, id).await?;
    let Some((case, certificate)) = case.zip(store::certificate::find(&mut reader, id).await?) else {
        return Ok(DispatchResult::default());
    };
    let Some(settings) = store::webhook::settings(&mut reader, case.company, WebhookKind::Case).await? else {
        return Ok(DispatchResult::default());
    };
    let items = store::item::of_case(&mut reader, id).await?;
    let analyses = store::analysis::of_items(&mut reader, id).await?;
    drop(reader);
    let body = payload::case_webhook(app, &case, &certificate, &items, &analyses)?;
    let attempt = dispatch(app, job, &case, WebhookKind::Case, settings, body).await?;
    Ok(DispatchResult { attempt: Some((case.company, attempt)), notice: None })
}

/// Whether the case webhook should wait: a document with fields to send is still being read.
async fn is_extracting(app: &App, id: CaseId) -> Result<bool> {
    let mut reader = app.db.read().await?;
    let Some(closed_at) = store::case::find(&mut reader, id).await?.and_then(|case| case.closed_at) else {
        return Ok(false);
    };
    if app.clock.now() >= closed_at.after(EXTRACTION_TIMEOUT) {
        return Ok(false);
    }
    let analyses = store::analysis::of_items(&mut reader, id).await?;
    Ok(analyses.iter().any(|analysis| {
        let extracts = analysis.plan.as_ref().is_some_and(|plan| !plan.extract.is_empty());
        extracts && matches!(analysis.state, ItemState::Pending | ItemState::Running)
    }))
}

/// Nothing is sent if the company has no analysis webhook, the case or its verdict is gone, or the option was switched off
/// (spec 6.2).
async fn dispatch_analysis(app: &Arc<App>, job: &Job, id: CaseId) -> Result<DispatchResult> {
    let mut reader = app.db.read().await?;
    let Some(case) = store::case::find(&mut reader, id).await? else { return Ok(DispatchResult::default()) };
    let Some(verdict) = store::analysis::verdict(&mut reader, id).await? else { return Ok(DispatchResult::default()) };
    let company = store::company::find(&mut reader, case.company).await?;
    if !company.is_some_and(|company| company.document_analysis) {
        return Ok(DispatchResult::default());
    }
    let settings = store::webhook::settings(&mut reader, case.company, WebhookKind::Analysis).await?;
    drop(reader);
    let attempt = match settings {
        Some(settings) => {
            let body = payload::analysis_webhook(&case, &verdict)?;
            Some((case.company, dispatch(app, job, &case, WebhookKind::Analysis, settings, body).await?))
        }
        None => None,
    };
    Ok(DispatchResult { attempt, notice: Some(Notice::Verdict(case.company, id, verdict.revision)) })
}

/// Nothing is sent if the case is gone, or its company has no decision webhook.
async fn dispatch_decision(app: &Arc<App>, job: &Job, id: CaseId) -> Result<DispatchResult> {
    let mut reader = app.db.read().await?;
    let Some(case) = store::case::find(&mut reader, id).await? else { return Ok(DispatchResult::default()) };
    let Some(decision) = store::decision::newest(&mut reader, id).await? else { return Ok(DispatchResult::default()) };
    let Some(settings) = store::webhook::settings(&mut reader, case.company, WebhookKind::Decision).await? else {
        return Ok(DispatchResult::default());
    };
    drop(reader);
    let sent = decision.id;
    let body = payload::decision_webhook(&case, decision)?;
    let attempt = dispatch(app, job, &case, WebhookKind::Decision, settings, body).await?;
    Ok(DispatchResult {
        attempt: Some((case.company, attempt)),
        notice: Some(Notice::Decision(case.company, id, sent)),
    })
}

/// Sends `body`, logs the result, and returns the attempt to record. An error means that nothing was sent.
async fn dispatch(
    app: &App,
    job: &Job,
    case: &Case,
    kind: WebhookKind,
    settings: WebhookSettings,
    body: Vec<u8>,
) -> Result<NewAttempt> {
    // Long enough for the dispatch and its record: another worker must not send the same meanwhile.
    queue::hold(app, job, app.config.webhook.timeout + MARGIN_OF_LEASE).await?;
    let started_at = app.clock.now();
    let sent = send(app, case.company, kind, &settings, Bytes::from(body), started_at).await?;
    app.metrics.webhook_dispatch(kind, sent.outcome.as_ref().ok().copied());
    if let Ok(status) = sent.outcome {
        tracing::Span::current().set_attribute("http.response.status_code", i64::from(status));
    }
    let (reference, webhook) = (case.reference(), kind.into_str());
    match &sent.outcome {
        Ok(status) if (200..300).contains(status) => {
            tracing::info!(case = %reference, webhook, status, "webhook delivered");
        }
        Ok(status) => tracing::warn!(case = %reference, webhook, status, "the receiver refused the webhook"),
        Err(error) => tracing::warn!(case = %reference, webhook, error, "the webhook was not delivered"),
    }
    Ok(NewAttempt {
        case: case.id,
        kind,
        url: settings.endpoint,
        started_at,
        duration: sent.duration,
        outcome: sent.outcome,
    })
}

/// What a receiver answered to a test.
#[derive(Debug)]
pub struct TestDelivery {
    pub url: String,
    pub duration: Duration,
    /// The receiver's status, or why there is none.
    pub outcome: std::result::Result<u16, String>,
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
    let SendResult { duration, outcome } = send(app, company, kind, &settings, body, now).await?;
    Ok(TestDelivery { url: settings.endpoint, duration, outcome })
}

struct SendResult {
    duration: Duration,
    /// The receiver's status, or why there is none.
    outcome: std::result::Result<u16, String>,
}

/// Asks the plugin of the mode for its headers, then posts through the guard. Any failure is an outcome to record, not
/// an error to retry: a dispatch is not repeated (spec 6.1, delivery rule 1). One exception: if this server could not
/// even start, nothing was sent, and the dispatch waits.
async fn send(
    app: &App,
    company: CompanyId,
    kind: WebhookKind,
    settings: &WebhookSettings,
    body: Bytes,
    now: Timestamp,
) -> Result<SendResult> {
    let failed = |error: String| Ok(SendResult { duration: Duration::ZERO, outcome: Err(error) });
    let url = match Url::parse(&settings.endpoint) {
        Ok(url) => url,
        Err(error) => return failed(format!("the endpoint is not a URL: {error}")),
    };
    let headers = match authenticated_headers(app, company, kind, settings, &body, now).await {
        Ok(headers) => headers,
        Err(error @ Error::Unavailable { .. }) => return Err(error),
        Err(error) => return failed(error.to_string()),
    };
    let delivery = app.egress.post(&url, headers, body).await;
    let outcome = match delivery.outcome {
        Outcome::Answered(status) => Ok(status.as_u16()),
        Outcome::Refused(reason) => Err(format!("refused: {reason}")),
        Outcome::Failed(reason) => Err(reason),
        Outcome::Unsent(reason) => {
            return Err(Error::Unavailable { part: "file descriptors", cause: anyhow::anyhow!(reason) });
        }
    };
    Ok(SendResult { duration: delivery.duration, outcome })
}

async fn authenticated_headers(
    app: &App,
    company: CompanyId,
    kind: WebhookKind,
    settings: &WebhookSettings,
    body: &Bytes,
    now: Timestamp,
) -> Result<HeaderMap> {
    let credentials = Credentials::decrypt(app, company, kind, &settings.credentials)?;
    let label = format!("the {} webhook of company {company}", kind.into_str());
    let credential = WebhookCredential {
        company,
        label,
        key_id: credentials.key_id,
        secret: credentials.secret,
        grant_reveal: false,
    };
    let request = WebhookRequest { url: settings.endpoint.clone(), body: body.clone(), now };
    let added = app.plugins.authenticate_webhook(&settings.mode, request, credential).await;
    let added = added.map_err(plugins::error_of)?;
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.extend(added);
    Ok(headers)
}
