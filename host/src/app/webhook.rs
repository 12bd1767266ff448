//! The webhooks: their content and their dispatch (spec 6; decisions 12).

mod credentials;
mod outcome;
pub mod payload;
mod schedule;
mod send;
mod sent;

use std::{sync::Arc, time::Duration};

use bytes::Bytes;
use tracing_opentelemetry::OpenTelemetrySpanExt as _;

pub use self::{
    credentials::Credentials,
    send::{TestDelivery, send_test, test},
};
use self::{
    outcome::{DispatchResult, Notice},
    schedule::Admission,
    send::{Message, send},
    sent::{Sent, Waiting},
};
use super::{
    App,
    audit::{self, Actor, Event},
    queue,
};
pub use crate::store::webhook::WebhookState;
use crate::{
    clock::Timestamp,
    db::Tx,
    domain::{
        company_manifest::{DEFAULT_DELIVERY_DAYS, WebhookKind},
        console::FormProblem,
        id::{CaseId, CompanyId},
    },
    error::{Error, Result},
    store::{
        self,
        analysis::ItemState,
        case::Case,
        certificate::CertificateState,
        job::{Job, JobKind, Work},
        webhook::{Attempt, DeliveryCount, NewAttempt, WebhookSettings},
    },
};

/// How long after the closing a case webhook waits for the fields that are read from documents. It is sent once, so
/// fields that are read later are never in it; without a step that reads fields it does not wait.
const EXTRACTION_TIMEOUT: Duration = Duration::from_secs(30);
const EXTRACTION_POLL_INTERVAL: Duration = Duration::from_millis(500);
/// How often a case webhook looks for a certificate that is being replaced after an erasure.
const SUCCESSOR_POLL_INTERVAL: Duration = Duration::from_secs(2);
/// How much longer than the longest dispatch a lease must last.
const MARGIN_OF_LEASE: Duration = Duration::from_secs(5);

/// Sends the case webhook of a closed case, as one run of a [`JobKind::DeliverCase`] job, and records the attempt in the
/// transaction that ends the job: any known outcome is final, one that a crash left unknown is sent again (decisions 12).
pub async fn deliver_case(app: &Arc<App>, job: &Job, id: CaseId) -> Result<()> {
    let pause = if is_extracting(app, id).await? {
        Some(EXTRACTION_POLL_INTERVAL)
    } else {
        is_being_sealed(app, id).await?.then_some(SUCCESSOR_POLL_INTERVAL)
    };
    if let Some(pause) = pause {
        let mut tx = app.db.begin().await?;
        store::job::reschedule(&mut tx, job, app.clock.now().after(pause)).await?;
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

/// Ends a job that fails because of its input. The job stays for the operator, and starts over if it is restarted.
pub async fn give_up(app: &App, job: &Job, error: &str) -> Result<()> {
    let mut tx = app.db.begin().await?;
    schedule::forget(&mut tx, job, app.clock.now()).await?;
    store::job::give_up(&mut tx, job, error).await?;
    Ok(tx.commit().await?)
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
    let work = work(attempt.kind, case);
    if work.kind() == JobKind::DeliverAnalysis && store::analysis::verdict(&mut tx, case).await?.is_none() {
        return Err(Error::state(format!("case {case} no longer has a verdict, so there is nothing to send")));
    }
    let now = app.clock.now();
    // The case first, as its deletion and the end of a dispatch do, so that none of them deadlock.
    store::case::lock(&mut tx, company, case).await?;
    store::webhook::probe_now(&mut tx, company, attempt.kind, now).await?;
    if store::webhook::forget_delivery(&mut tx, case, attempt.kind).await? {
        // It waits for its next attempt, or has used up its attempts: it starts over.
        store::job::reschedule_earlier(&mut tx, work, now).await?;
    } else if !store::job::enqueue(&mut tx, work, now).await? {
        return Err(FormProblem::WebhookWaits(case).into());
    }
    let event = Event::done("resendWebhook", Some(company), Some(format!("attempt {id}")));
    audit::record(&mut tx, app.clock.now(), actor, event.with_detail(format!("case {case}"))).await?;
    tx.commit().await?;
    Ok(attempt.case_id)
}

/// The work that delivers a webhook about a case.
const fn work(kind: WebhookKind, case: CaseId) -> Work {
    match kind {
        WebhookKind::Analysis => Work::DeliverAnalysis(case),
        WebhookKind::Case => Work::DeliverCase(case),
        WebhookKind::Decision => Work::DeliverDecision(case),
    }
}

/// Lets the deliveries that wait run now, with settings that have just changed.
pub(super) async fn resume(tx: &mut Tx, company: CompanyId, kind: WebhookKind, now: Timestamp) -> sqlx::Result<()> {
    store::job::bring_forward(tx, store::webhook::job_kind(kind), company, now).await?;
    Ok(())
}

/// Every webhook with the state of its receiver, and how many deliveries wait or have failed.
pub async fn states(app: &App, company: Option<CompanyId>) -> Result<(Vec<WebhookState>, Vec<DeliveryCount>)> {
    let mut reader = app.db.read().await?;
    let states = store::webhook::states(&mut reader, company).await?;
    Ok((states, store::webhook::counts(&mut reader).await?))
}

/// Deletes attempts older than 30 days (decisions 12) of companies that do not say how long theirs are kept; returns how
/// many.
pub async fn forget_old_attempts(app: &App) -> Result<u64> {
    const DAY: Duration = Duration::from_hours(24);
    let before = app.clock.now().before(DAY.saturating_mul(DEFAULT_DELIVERY_DAYS));
    let mut reader = app.db.read().await?;
    let companies = store::company::all(&mut reader).await?;
    drop(reader);
    let mut forgotten = 0;
    for company in companies.iter().filter(|company| company.retention.delivery_days.is_none()) {
        forgotten += forget_attempts_of(app, company.id, before).await?;
    }
    let mut tx = app.db.begin_maintenance().await?;
    store::webhook::delete_deliveries_before(&mut tx, before).await?;
    tx.commit().await?;
    Ok(forgotten)
}

/// A company at a time, by its index: a walk through all old attempts would also meet those that other companies keep.
async fn forget_attempts_of(app: &App, company: CompanyId, before: Timestamp) -> Result<u64> {
    /// How many are deleted in one transaction: on SQLite other writers wait for it.
    const BATCH: u32 = 1000;
    let mut forgotten = 0;
    loop {
        let mut tx = app.db.begin_maintenance().await?;
        let deleted = store::retention::delete_attempts(&mut tx, company, before, i64::from(BATCH)).await;
        let deleted = tx.settle(deleted).await?;
        forgotten += deleted;
        if deleted < u64::from(BATCH) {
            return Ok(forgotten);
        }
    }
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
    let delivery = format!("{}_case", case.reference());
    dispatch(app, job, &case, WebhookKind::Case, settings, delivery, body).await
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

/// Whether the certificate is neither made nor given up: items were erased, and its successor has the same address.
async fn is_being_sealed(app: &App, id: CaseId) -> Result<bool> {
    let mut reader = app.db.read().await?;
    let state = store::certificate::find_state(&mut reader, id).await?;
    Ok(matches!(state, Some(CertificateState::Awaited)))
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
    let dispatched = match settings {
        Some(settings) => {
            let body = payload::analysis_webhook(&case, &verdict)?;
            // Not the revision: one that changes nothing in the webhook must not make another delivery of it.
            let delivery = format!("{}_analysis-{}", case.reference(), verdict.notice);
            dispatch(app, job, &case, WebhookKind::Analysis, settings, delivery, body).await?
        }
        None => DispatchResult::default(),
    };
    Ok(DispatchResult { notice: Some(Notice::Verdict(case.company, id, verdict.revision)), ..dispatched })
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
    let delivery = format!("{}_decision-{sent}", case.reference());
    let dispatched = dispatch(app, job, &case, WebhookKind::Decision, settings, delivery, body).await?;
    Ok(DispatchResult { notice: Some(Notice::Decision(case.company, id, sent)), ..dispatched })
}

/// Sends `body`, logs the result, and returns the attempt to record. Nothing is sent to a paused receiver; an error means
/// that nothing was sent either. `delivery` is the same at each attempt.
async fn dispatch(
    app: &App,
    job: &Job,
    case: &Case,
    kind: WebhookKind,
    settings: WebhookSettings,
    delivery: String,
    body: Vec<u8>,
) -> Result<DispatchResult> {
    let (attempts, has_failed) = match schedule::admit(app, case, kind, &settings, &delivery).await? {
        Admission::Send { attempts, has_failed } => (attempts, has_failed),
        Admission::Wait { attempts, until } => {
            let waiting = Waiting { company: case.company, case: case.id, kind, delivery, attempts, until };
            return Ok(DispatchResult { waiting: Some(waiting), ..DispatchResult::default() });
        }
    };
    // Long enough for the dispatch and its record: another worker must not send the same meanwhile.
    queue::hold(app, job, app.config.webhook.timeout + MARGIN_OF_LEASE).await?;
    let started_at = app.clock.now();
    let message = Message { delivery: delivery.clone(), body: Bytes::from(body), now: started_at };
    let sent = send(app, case.company, kind, &settings, message).await?;
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
    let attempt = NewAttempt {
        case: case.id,
        kind,
        url: settings.endpoint,
        started_at,
        duration: sent.duration,
        outcome: sent.outcome,
        delivery,
        answer: sent.answer,
    };
    let sent = Sent { company: case.company, attempt, retries: settings.retries, attempts, has_failed };
    Ok(DispatchResult { sent: Some(sent), ..DispatchResult::default() })
}
