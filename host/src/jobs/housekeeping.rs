//! Periodic cleaning: expired records, and blobs that crashes left in the blob store.

use std::{sync::Arc, time::Duration};

use tokio_util::sync::CancellationToken;

use crate::{
    app::{
        App, analysis, audit, backup, console, event, idempotency, orphans, rate_limit, retention, seal, seal_log,
        session, upload, webhook,
    },
    error::Result,
};

const INTERVAL: Duration = Duration::from_hours(1);

/// How often records of the audit log that wait are chained.
const CHAIN_INTERVAL: Duration = Duration::from_secs(1);
/// The same after a failure that usually lasts.
const CHAIN_INTERVAL_AFTER_FAILURE: Duration = Duration::from_mins(1);

/// How often the server looks for events that wait for their positions in the feed.
const EVENT_INTERVAL: Duration = Duration::from_millis(500);
/// The same after an error.
const EVENT_INTERVAL_AFTER_ERROR: Duration = Duration::from_secs(5);

/// How often the server looks whether the head of the audit log has to be published.
const PUBLISH_INTERVAL: Duration = Duration::from_mins(1);

/// The shortest time between two requests to the witnesses of the log of seals.
const WITNESS_PAUSE: Duration = Duration::from_millis(100);
/// How often the server looks whether they have to be asked, without a notification from this process.
const WITNESS_INTERVAL: Duration = Duration::from_secs(2);

/// Pause between two steps of an evidence round, so that others can write to the database.
const BETWEEN_STEPS: Duration = Duration::from_millis(20);
/// How soon an evidence round is continued after an error.
const STEP_AFTER_ERROR: Duration = Duration::from_mins(1);
/// How often the server looks whether a backup is due.
const BACKUP_INTERVAL: Duration = Duration::from_secs(2);
/// The same after a backup that failed. It doubles with each further failure.
const BACKUP_INTERVAL_AFTER_FAILURE: Duration = Duration::from_mins(1);
/// The longest.
const LONGEST_BACKUP_INTERVAL: Duration = Duration::from_hours(1);

/// Sweeps at once and then every hour, until `stop` is cancelled.
pub(super) async fn run(app: Arc<App>, stop: CancellationToken) {
    let mut orphans = orphans::Sweep::default();
    loop {
        sweep(&app).await;
        match orphans.go_on(&app).await {
            Ok(0) => {}
            Ok(blobs) => tracing::info!(blobs, "unreferenced blobs were deleted"),
            Err(error) => tracing::warn!(%error, "the blob store could not be swept"),
        }
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(INTERVAL) => {}
        }
    }
}

/// Looks for analyses whose signals were lost, at once and then every `analysis.sweep_interval` (operator.md).
pub(super) async fn sweep_analyses(app: Arc<App>, stop: CancellationToken) {
    loop {
        match analysis::sweep(&app).await {
            Ok((0, 0)) => {}
            Ok((items, cases)) => tracing::warn!(items, cases, "analyses that nothing had started are resumed"),
            Err(error) => tracing::warn!(%error, "searching for lost analyses failed"),
        }
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(app.config.analysis.sweep_interval) => {}
        }
    }
}

/// Chains the records of the audit log that wait, until `stop` is cancelled. Nodes take turns.
pub(super) async fn chain_audit_log(app: Arc<App>, stop: CancellationToken) {
    loop {
        let pause = match audit::chain::chain_waiting(&app.db).await {
            Ok(_) => CHAIN_INTERVAL,
            Err(error) if error.is_temporary() => {
                tracing::debug!(%error, "the audit log is chained later");
                CHAIN_INTERVAL
            }
            Err(error) => {
                tracing::error!(%error, "the records of the audit log cannot be chained");
                CHAIN_INTERVAL_AFTER_FAILURE
            }
        };
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(pause) => {}
        }
    }
}

/// Gives the events that wait their positions in the feed, until `stop` is cancelled. Nodes take turns.
pub(super) async fn place_events(app: Arc<App>, stop: CancellationToken) {
    loop {
        let pause = match event::place_waiting(&app.db).await {
            Ok(_) => EVENT_INTERVAL,
            Err(error) if error.is_temporary() => {
                tracing::debug!(%error, "events are placed later");
                EVENT_INTERVAL
            }
            Err(error) => {
                tracing::error!(%error, "events cannot be placed in the feed");
                EVENT_INTERVAL_AFTER_ERROR
            }
        };
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(pause) => {}
        }
    }
}

/// Publishes the head of the audit log in the log of seals, at most once an hour, until `stop` is cancelled.
pub(super) async fn publish_audit_heads(app: Arc<App>, stop: CancellationToken) {
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(PUBLISH_INTERVAL) => {}
        }
        match audit::publish::publish_if_due(&app).await {
            Ok(Some(head)) => tracing::info!(records = head.size, "the head of the audit log was published"),
            Ok(None) => {}
            Err(error) => tracing::warn!(%error, "the head of the audit log could not be published"),
        }
    }
}

/// Deletes expired data once a day, until `stop` is cancelled. Each node checks every hour, and one node does the work.
pub(super) async fn apply_retention(app: Arc<App>, stop: CancellationToken) {
    loop {
        let applied = tokio::select! {
            // The next run deletes the rest.
            () = stop.cancelled() => return,
            applied = retention::apply_if_due(&app) => applied,
        };
        match applied {
            Ok(None) => {}
            Ok(Some(expired)) => tracing::info!(entries = expired.len(), "expired data was deleted"),
            Err(error) => tracing::warn!(%error, "expired data could not all be deleted"),
        }
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(INTERVAL) => {}
        }
    }
}

/// Asks the witnesses of the log of seals for cosignatures whenever the log has grown, until `stop` is cancelled.
pub(super) async fn ask_witnesses(app: Arc<App>, stop: CancellationToken) {
    if app.config.witnesses.of_log.is_empty() {
        return;
    }
    loop {
        if let Err(error) = seal_log::ask_witnesses(&app).await {
            tracing::warn!(%error, "the witnesses of the log of seals could not be asked");
        }
        // Entries that are appended meanwhile get their cosignatures together.
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(WITNESS_PAUSE) => {}
        }
        tokio::select! {
            () = stop.cancelled() => return,
            () = app.log_witnesses.wait_for_growth() => {}
            () = tokio::time::sleep(WITNESS_INTERVAL) => {}
        }
    }
}

/// Makes and renews evidence of certificates, until `stop` is cancelled: looks at once and then every hour whether a
/// round is due, and takes its steps one after the other. Nodes take turns.
pub(super) async fn keep_evidence(app: Arc<App>, stop: CancellationToken) {
    loop {
        let pause = match evidence_step(&app).await {
            Ok(true) => BETWEEN_STEPS,
            Ok(false) => INTERVAL,
            Err(error) => {
                tracing::warn!(%error, "evidence of certificates is made later");
                STEP_AFTER_ERROR
            }
        };
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(pause) => {}
        }
    }
}

/// Whether another step follows at once.
async fn evidence_step(app: &App) -> Result<bool> {
    if seal::advance_evidence(app).await? {
        return Ok(true);
    }
    match seal::renew_evidence(app).await? {
        0 => {}
        rounds => tracing::info!(rounds, "the evidence of certificates was renewed"),
    }
    Ok(false)
}

/// Makes backups on the schedule of the settings, until `stop` is cancelled. One that is running then stays incomplete. After
/// failures the pauses become longer, because each attempt reads all rows.
pub(super) async fn make_backups(app: Arc<App>, stop: CancellationToken) {
    if app.config.backup.to.is_none() {
        return;
    }
    let mut pause = BACKUP_INTERVAL;
    let mut failures: u32 = 0;
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(pause) => {}
        }
        let made = tokio::select! {
            () = stop.cancelled() => return,
            made = backup::schedule::make_if_due(&app) => made,
        };
        pause = BACKUP_INTERVAL;
        match made {
            Ok(None) => {}
            Ok(Some(made)) => {
                failures = 0;
                tracing::info!(
                    id = %made.id,
                    rows = made.rows,
                    blobs = made.blobs,
                    copied_bytes = made.copied_bytes,
                    "a backup is complete"
                );
            }
            Err(error) => {
                tracing::error!(error = %format!("{error:#}"), "a backup could not be made");
                pause = backup_pause(failures);
                failures = failures.saturating_add(1);
            }
        }
    }
}

/// How long to wait after a backup that failed, if as many as `earlier` failed before it.
fn backup_pause(earlier: u32) -> Duration {
    BACKUP_INTERVAL_AFTER_FAILURE.saturating_mul(2_u32.saturating_pow(earlier)).min(LONGEST_BACKUP_INTERVAL)
}

async fn sweep(app: &App) {
    match app.blobs.sweep_unfinished().await {
        Ok(0) => {}
        Ok(files) => tracing::info!(files, "unfinished uploads from a crash were removed"),
        Err(error) => tracing::warn!(error = %format!("{error:#}"), "unfinished uploads could not be removed"),
    }
    match upload::end_expired(app).await {
        Ok(0) => {}
        Ok(uploads) => tracing::info!(uploads, "uploads that expired were ended"),
        Err(error) => tracing::warn!(%error, "expired uploads could not be ended"),
    }
    match session::field::forget_ended(app).await {
        Ok(0) => {}
        Ok(sessions) => tracing::debug!(sessions, "sessions of the field app that have ended were deleted"),
        Err(error) => tracing::warn!(%error, "ended sessions of the field app could not be deleted"),
    }
    match console::session::forget_ended(app).await {
        Ok(0) => {}
        Ok(sessions) => tracing::debug!(sessions, "sessions of the console that have ended were deleted"),
        Err(error) => tracing::warn!(%error, "ended sessions of the console could not be deleted"),
    }
    match webhook::forget_old_attempts(app).await {
        Ok(0) => {}
        Ok(records) => tracing::info!(records, "webhook attempts older than 30 days were deleted"),
        Err(error) => tracing::warn!(%error, "old webhook attempts could not be deleted"),
    }
    match idempotency::forget_old(app).await {
        Ok(0) => {}
        Ok(answers) => tracing::debug!(answers, "answers to requests with an Idempotency-Key were deleted"),
        Err(error) => tracing::warn!(%error, "old answers to requests with an Idempotency-Key could not be deleted"),
    }
    match event::forget_old(app).await {
        Ok(0) => {}
        Ok(events) => tracing::info!(events, "events older than 30 days were deleted"),
        Err(error) => tracing::warn!(%error, "old events could not be deleted"),
    }
    match audit::retention::expire(app).await {
        Ok(0) => {}
        Ok(records) => tracing::info!(records, "old records of the audit log were emptied"),
        Err(error) => tracing::warn!(%error, "old records of the audit log could not be emptied"),
    }
    match analysis::forget_old_agreements(app).await {
        Ok(0) => {}
        Ok(days) => tracing::debug!(days, "counts of shadow plugins older than 30 days were deleted"),
        Err(error) => tracing::warn!(%error, "old counts of shadow plugins could not be deleted"),
    }
    match seal::enqueue_renewals(app).await {
        Ok(0) => {}
        Ok(certificates) => tracing::info!(certificates, "certificates whose time stamps expire get another one"),
        Err(error) => tracing::warn!(%error, "certificates could not be checked for expiring time stamps"),
    }
    match rate_limit::forget_idle_counters(&app.db).await {
        Ok(0) => {}
        Ok(counters) => tracing::debug!(counters, "idle rate limit counters were deleted"),
        Err(error) => tracing::warn!(%error, "idle rate limit counters could not be deleted"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backups_that_fail_are_tried_less_often() {
        let minutes: Vec<u64> = (0..8).map(|earlier| backup_pause(earlier).as_secs() / 60).collect();
        assert_eq!(minutes, [1, 2, 4, 8, 16, 32, 60, 60]);
        assert_eq!(backup_pause(u32::MAX), LONGEST_BACKUP_INTERVAL);
    }
}
