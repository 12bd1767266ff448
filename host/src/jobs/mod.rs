//! The workers: one loop for each kind of job, and one for jobs that run alone. They claim jobs fairly among companies,
//! run them under a lease that is renewed, and record the outcome. The work itself is in [`app`](crate::app).

mod case_words;
mod housekeeping;
mod kinds;
mod outcome;
mod shares;
mod watch;
mod worker;

use std::{sync::Arc, time::Duration};

use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use self::{shares::Shares, worker::Worker};
use crate::{
    app::{
        App,
        queue::{self, Job, JobKind},
    },
    error::Result,
};

/// How long a job belongs to this worker before another may take it.
const LEASE: Duration = Duration::from_secs(30);
/// How often the queue is polled without a notification from this process: a job may have become due, or another node
/// may have enqueued one.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// How long running jobs may continue after the server is asked to stop (operator.md).
const DRAIN: Duration = Duration::from_secs(30);
/// How long a process must run before it runs a job during which several processes ended. So a job is not blamed for
/// processes that are killed repeatedly for another reason.
const BEFORE_SUSPECTS: Duration = Duration::from_secs(5);

/// Runs every worker until `stop` is cancelled, then until the running jobs have ended, at most 30 s.
pub async fn run(app: Arc<App>, stop: CancellationToken) {
    let worker = Arc::new(Worker::new(stop.clone()));
    while let Err(error) = recover(&app).await {
        tracing::error!(%error, "the queue of jobs cannot be resumed");
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(POLL_INTERVAL) => {}
        }
    }
    let mut workers = JoinSet::new();
    let session = tokio::spawn(watch::keep_session(Arc::clone(&app), Arc::clone(&worker), stop.clone()));
    let ended = CancellationToken::new();
    let leases = tokio::spawn(watch::renew_leases(Arc::clone(&app), Arc::clone(&worker), ended.clone()));
    for kind in JobKind::ALL {
        workers.spawn(work(Arc::clone(&app), Arc::clone(&worker), kind, stop.clone()));
    }
    workers.spawn(work_on_suspects(Arc::clone(&app), Arc::clone(&worker), stop.clone()));
    workers.spawn(watch::take_over(Arc::clone(&app), Arc::clone(&worker), stop.clone()));
    workers.spawn(case_words::run(Arc::clone(&app), stop.clone()));
    workers.spawn(housekeeping::run(Arc::clone(&app), stop.clone()));
    workers.spawn(housekeeping::sweep_analyses(Arc::clone(&app), stop.clone()));
    workers.spawn(housekeeping::chain_audit_log(Arc::clone(&app), stop.clone()));
    workers.spawn(housekeeping::place_events(Arc::clone(&app), stop.clone()));
    workers.spawn(housekeeping::publish_audit_heads(Arc::clone(&app), stop.clone()));
    workers.spawn(housekeeping::ask_witnesses(Arc::clone(&app), stop.clone()));
    workers.spawn(housekeeping::make_backups(Arc::clone(&app), stop.clone()));
    workers.spawn(housekeeping::keep_evidence(Arc::clone(&app), stop.clone()));
    workers.spawn(housekeeping::apply_retention(Arc::clone(&app), stop.clone()));
    stop.cancelled().await;
    let drained = tokio::time::timeout(DRAIN, async { while workers.join_next().await.is_some() {} }).await;
    ended.cancel();
    if drained.is_err() {
        tracing::warn!("jobs still running after 30 s are aborted; they are resumed later");
        if let Err(error) = queue::release(&app, &worker.held()).await {
            tracing::warn!(%error, "the aborted jobs keep their leases");
        }
    }
    // The leases outlive the session, so its end comes last.
    if let Ok(Some(session)) = session.await {
        session.free().await;
    }
    let _ended = leases.await;
}

/// Resumes jobs that an earlier process of this installation left.
async fn recover(app: &App) -> Result<()> {
    if !app.db.is_shared() {
        // This process alone works on the queue: the one that held a lease was killed.
        let interrupted = queue::interrupt(app, &queue::running(app).await?).await?;
        if !interrupted.is_empty() {
            let jobs = interrupted.len();
            tracing::info!(jobs, "jobs that were running when the server stopped are resumed");
        }
        outcome::report_quarantined(&interrupted);
    }
    let resumed = queue::resume_waiting(app).await?;
    if resumed > 0 {
        tracing::info!(resumed, "jobs that wait for a part of the machine are retried");
    }
    Ok(())
}

async fn work(app: Arc<App>, worker: Arc<Worker>, kind: JobKind, stop: CancellationToken) {
    let mut running = JoinSet::new();
    let mut shares = Shares::new(kind.traits().slots);
    while !stop.is_cancelled() {
        // Before reading the queue, so that a job that is enqueued in between is not missed.
        let woken = app.wake.job(kind).notified();
        while running.try_join_next().is_some() {}
        let free = kind.traits().slots.saturating_sub(running.len());
        let claimed = take(&app, &worker, kind, &mut shares, free).await.unwrap_or_else(|error| {
            tracing::error!(kind = kind.as_str(), %error, "the queue of jobs cannot be read");
            Vec::new()
        });
        // A company may have had fewer jobs than its share: others take the rest.
        let has_more = !claimed.is_empty() && claimed.len() < free;
        for job in claimed {
            running.spawn(outcome::run_one(Arc::clone(&app), Arc::clone(&worker), job));
        }
        if has_more {
            continue;
        }
        tokio::select! {
            () = stop.cancelled() => {}
            () = woken => {}
            Some(_) = running.join_next() => {}
            () = tokio::time::sleep(POLL_INTERVAL) => {}
        }
    }
    while running.join_next().await.is_some() {}
}

async fn take(app: &App, worker: &Worker, kind: JobKind, shares: &mut Shares, free: usize) -> Result<Vec<Job>> {
    if free == 0 {
        return Ok(Vec::new());
    }
    let due = queue::due(app, kind).await?;
    let shares = shares.of(&due, &worker.running(kind), free);
    if shares.is_empty() {
        return Ok(Vec::new());
    }
    let jobs = queue::claim(app, kind, &shares, worker.claimant(LEASE)).await?;
    for job in &jobs {
        worker.take(job);
    }
    Ok(jobs)
}

/// Runs the jobs during which several processes ended, one at a time: so only the guilty one ends the next process.
async fn work_on_suspects(app: Arc<App>, worker: Arc<Worker>, stop: CancellationToken) {
    let mut pause = BEFORE_SUSPECTS;
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(pause) => {}
        }
        pause = match queue::claim_suspect(&app, worker.claimant(LEASE)).await {
            Ok(Some(job)) => {
                tracing::warn!(kind = job.kind().as_str(), subject = job.subject(), "an interrupted job runs alone");
                worker.take(&job);
                outcome::run_one(Arc::clone(&app), Arc::clone(&worker), job).await;
                Duration::ZERO
            }
            Ok(None) => POLL_INTERVAL,
            Err(error) => {
                tracing::error!(%error, "the queue of jobs cannot be read");
                POLL_INTERVAL
            }
        };
    }
}
