//! Retries, and the pause of a receiver that accepts nothing (decisions 12). Both exist only for webhooks with a schedule
//! of retries.
//!
//! A paused receiver gets one delivery from time to time. Until it accepts one, the others wait, and their attempts are
//! not used up. Then all of them run.

use std::time::Duration;

use super::sent::{Sent, Waiting};
use crate::{
    app::App,
    clock::Timestamp,
    db::Tx,
    domain::{company_manifest::WebhookKind, id::CompanyId},
    error::Result,
    store::{
        self,
        case::Case,
        job::{Job, Work},
        webhook::{Delivery, DeliveryState, Fate, Pause, WebhookSettings},
    },
};

/// The receiver is paused after this number of failures in a row, of any deliveries.
const PAUSED_AFTER: i64 = 10;
/// The longest time between two deliveries to a paused receiver. The shortest is the first pause of the schedule.
const LONGEST_PROBE_INTERVAL: Duration = Duration::from_mins(15);
/// When a delivery that waits looks again by itself. The first accepted delivery brings it forward.
const WAIT: Duration = Duration::from_hours(1);

/// Whether a delivery may be sent now.
pub(super) enum Admission {
    Send {
        /// How many earlier attempts of this delivery failed.
        attempts: i64,
        /// Whether a failed delivery about the case is recorded, perhaps another one.
        has_failed: bool,
    },
    /// The receiver is paused.
    Wait { attempts: i64, until: Timestamp },
}

/// What follows an attempt.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Next {
    /// None after a success, and without retries.
    pub(super) fate: Option<(Fate, Option<Timestamp>)>,
    /// Whether a pause has ended, so that other deliveries are due.
    pub(super) has_resumed: bool,
}

/// Decides whether a delivery is sent: to a paused receiver only if it is the one that tries it.
pub(super) async fn admit(
    app: &App,
    case: &Case,
    kind: WebhookKind,
    settings: &WebhookSettings,
    delivery: &str,
) -> Result<Admission> {
    let mut reader = app.db.read().await?;
    let failed = store::webhook::waiting_delivery(&mut reader, case.id, kind).await?;
    let pause = if settings.retries.is_empty() {
        None
    } else {
        store::webhook::pause_of(&mut reader, case.company, kind).await?
    };
    drop(reader);
    let has_failed = failed.is_some();
    let attempts = failed.filter(|failed| failed.delivery == delivery).map_or(0, |failed| failed.attempts);
    let paused = pause.and_then(|Pause { paused_at, probe_at, .. }| paused_at.zip(probe_at));
    let Some((paused_at, probe_at)) = paused else { return Ok(Admission::Send { attempts, has_failed }) };
    let now = app.clock.now();
    if probe_at <= now {
        let first = settings.retries.first().unwrap_or(LONGEST_PROBE_INTERVAL);
        let interval = now.since(paused_at).max(first).min(LONGEST_PROBE_INTERVAL);
        let mut tx = app.db.begin().await?;
        let is_turn = store::webhook::take_probe(&mut tx, case.company, kind, now, now.after(interval)).await?;
        tx.commit().await?;
        if is_turn {
            return Ok(Admission::Send { attempts, has_failed });
        }
    }
    Ok(Admission::Wait { attempts, until: now.after(WAIT) })
}

/// Keeps a delivery to a paused receiver.
pub(super) async fn keep_waiting(tx: &mut Tx, job: &Job, waiting: &Waiting, now: Timestamp) -> Result<()> {
    let Waiting { company, case, kind, delivery, attempts, until } = waiting;
    if store::case::lock(tx, *company, *case).await? {
        let delivery = Delivery { delivery: delivery.clone(), attempts: *attempts };
        store::webhook::save_delivery(tx, (*company, *case, *kind), &delivery, DeliveryState::Waiting, now).await?;
    }
    // The receiver may have accepted another delivery since this one looked: then nothing would bring it forward. The lock
    // keeps that from happening now.
    store::webhook::lock_receiver(tx, *company, *kind).await?;
    let at = match store::webhook::next_probe(tx, *company, *kind).await? {
        None => now,
        // The one that took the last turn may have ended without sending anything, so one must be due at the next turn.
        Some(probe_at) => {
            let is_other_due = store::job::is_next_due(tx, job.kind(), *company, probe_at).await?;
            if is_other_due { *until } else { probe_at.max(now) }
        }
    };
    store::job::reschedule(tx, job, at).await
}

/// Forgets the failures of a delivery that ends without being sent: its case or its webhook is gone, or its job is given
/// up.
pub(super) async fn forget(tx: &mut Tx, job: &Job, now: Timestamp) -> Result<()> {
    let (case, kind) = match job.work {
        Work::DeliverCase(case) => (case, WebhookKind::Case),
        Work::DeliverAnalysis(case) => (case, WebhookKind::Analysis),
        Work::DeliverDecision(case) => (case, WebhookKind::Decision),
        _ => return Ok(()),
    };
    let company = CompanyId::new(job.company);
    if let Some(company) = company {
        // In the order of a deletion. The case may be gone already.
        store::case::lock(tx, company, case).await?;
        store::webhook::lock_receiver(tx, company, kind).await?;
    }
    store::webhook::forget_delivery(tx, case, kind).await?;
    if let Some(company) = company {
        store::webhook::pass_turn(tx, company, kind, now).await?;
    }
    Ok(())
}

/// Records what an attempt means for its delivery and for the receiver, and says what follows. The case is locked first,
/// as its deletion does.
pub(super) async fn follow(tx: &mut Tx, job: &Job, sent: &Sent, now: Timestamp) -> Result<Next> {
    let (company, case, kind) = (sent.company, sent.attempt.case, sent.attempt.kind);
    let has_retries = !sent.retries.is_empty();
    if !has_retries && !sent.has_failed {
        return Ok(Next::default());
    }
    if !store::case::lock(tx, company, case).await? {
        return Ok(Next::default());
    }
    if !sent.attempt.is_success()
        && sent.has_failed
        && store::webhook::waiting_delivery(tx, case, kind).await?.is_none()
    {
        // An operator has asked to send it again while this attempt was running: it starts over.
        if has_retries {
            store::webhook::note_failure(tx, company, kind).await?;
        }
        return Ok(Next { fate: Some((Fate::Retried, Some(now))), has_resumed: false });
    }
    if !has_retries || sent.attempt.is_success() {
        store::webhook::forget_delivery(tx, case, kind).await?;
        let has_resumed = has_retries && accepted(tx, job, sent, now).await?;
        return Ok(Next { fate: None, has_resumed });
    }
    store::webhook::note_failure(tx, company, kind).await?;
    let Some(pause) = store::webhook::pause_of(tx, company, kind).await? else {
        // The company's webhook was removed meanwhile.
        store::webhook::forget_delivery(tx, case, kind).await?;
        return Ok(Next::default());
    };
    let (fate, at, attempts) = after_failure(tx, job, sent, pause, now).await?;
    let state = if fate == Fate::GivenUp { DeliveryState::Failed } else { DeliveryState::Waiting };
    let delivery = Delivery { delivery: sent.attempt.delivery.clone(), attempts };
    store::webhook::save_delivery(tx, (company, case, kind), &delivery, state, now).await?;
    Ok(Next { fate: Some((fate, at)), has_resumed: false })
}

/// What follows an attempt of which nothing can be recorded: a failed one is not the last.
pub(super) fn retry_unrecorded(sent: &Sent, now: Timestamp) -> Next {
    let wait = sent.retries.first().filter(|_| !sent.attempt.is_success());
    Next { fate: wait.map(|wait| (Fate::Retried, Some(now.after(wait)))), has_resumed: false }
}

/// Forgets the receiver's failures; returns whether it was paused.
async fn accepted(tx: &mut Tx, job: &Job, sent: &Sent, now: Timestamp) -> Result<bool> {
    let (company, kind) = (sent.company, sent.attempt.kind);
    let pause = store::webhook::pause_of(tx, company, kind).await?;
    store::webhook::note_success(tx, company, kind).await?;
    if pause.is_none_or(|pause| pause.paused_at.is_none()) {
        return Ok(false);
    }
    let deliveries = store::job::bring_forward(tx, job.kind(), company, now).await?;
    tracing::info!(%company, webhook = kind.into_str(), deliveries, "a paused receiver accepts webhooks again");
    Ok(true)
}

/// What follows a failure: its name, the time of the next attempt, and how many attempts count as failed.
async fn after_failure(
    tx: &mut Tx,
    job: &Job,
    sent: &Sent,
    pause: Pause,
    now: Timestamp,
) -> Result<(Fate, Option<Timestamp>, i64)> {
    let (company, kind) = (sent.company, sent.attempt.kind);
    if pause.paused_at.is_some() {
        let probe_at = pause.probe_at.unwrap_or(now).max(now);
        // Another delivery tries next: this one may be what the receiver does not accept.
        let is_replaced = store::job::is_next_due(tx, job.kind(), company, probe_at).await?
            || store::job::bring_next_forward(tx, job.kind(), company, probe_at).await?;
        let at = if is_replaced { now.after(WAIT) } else { probe_at };
        return Ok((Fate::Paused, Some(at), sent.attempts));
    }
    if pause.failures >= PAUSED_AFTER {
        let probe_at = now.after(sent.retries.first().unwrap_or(LONGEST_PROBE_INTERVAL));
        store::webhook::pause(tx, company, kind, now, probe_at).await?;
        let failures = pause.failures;
        tracing::warn!(%company, webhook = kind.into_str(), failures, "a receiver is paused: it accepts no webhooks");
        return Ok((Fate::Paused, Some(probe_at), sent.attempts));
    }
    let attempts = sent.attempts + 1;
    Ok(match sent.retries.pause_after(attempts) {
        Some(wait) => (Fate::Retried, Some(now.after(wait)), attempts),
        None => (Fate::GivenUp, None, attempts),
    })
}
