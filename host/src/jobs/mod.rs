//! The workers: one loop for each kind of job. They claim, run under a lease that is renewed, and note the outcome. What
//! a job does, it does in [`app`](crate::app).

mod housekeeping;

use std::{sync::Arc, time::Duration};

use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::{
    app::{
        App, analysis, case,
        queue::{self, Job, JobKind},
        seal, seal_log, time_stamp, webhook,
    },
    error::Result,
};

/// How long a job is this worker's before another may take it.
const LEASE: Duration = Duration::from_secs(30);
const RENEW_EVERY: Duration = Duration::from_secs(10);
/// How often the queue is looked at when nobody in this process has said that something is in it: a job's time may have
/// come, or another node have enqueued it.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// How long running jobs may go on once the server is told to stop (operator.md).
const DRAIN: Duration = Duration::from_secs(30);
/// The pause after a job's first failure, doubled after each further one up to the longest.
const FIRST_PAUSE: Duration = Duration::from_secs(2);
const LONGEST_PAUSE: Duration = Duration::from_hours(1);

/// Runs every worker until `stop` is cancelled, then until the running jobs have ended, 30 s at most.
pub async fn run(app: Arc<App>, stop: CancellationToken) -> Result<()> {
    if !app.db.is_shared() {
        // This process alone works on the queue: whoever held a lease was killed.
        let released = queue::release_all(&app).await?;
        if released > 0 {
            tracing::info!(released, "jobs that were running when the server stopped are taken up again");
        }
    }
    let mut workers = JoinSet::new();
    for kind in JobKind::ALL {
        workers.spawn(work(Arc::clone(&app), kind, stop.clone()));
    }
    workers.spawn(housekeeping::run(Arc::clone(&app), stop.clone()));
    workers.spawn(housekeeping::sweep_analyses(Arc::clone(&app), stop.clone()));
    stop.cancelled().await;
    let ended = tokio::time::timeout(DRAIN, async { while workers.join_next().await.is_some() {} }).await;
    if ended.is_err() {
        tracing::warn!("jobs still running after 30 s were cut off; they are taken up at the next start");
    }
    Ok(())
}

/// How many jobs of a kind run at once.
const fn concurrency(kind: JobKind) -> usize {
    match kind {
        // Authorities may not like to be asked by many at once.
        JobKind::StampItem | JobKind::ConcludeAnalysis => 8,
        // One renders while the others read and scale their pictures, or wait for time stamps. For a deletion nobody waits,
        // and it mostly waits for the disk or the bucket. An item is read in its own process while others wait for plugins.
        JobKind::Seal | JobKind::DeleteBlobs | JobKind::AnalyseItem | JobKind::DeleteFile => 4,
        // Each holds a whole certificate, and nobody waits for it.
        JobKind::RenewSeal => 2,
        // A delivery mostly waits for its receiver: a few that hang must not hold up the others.
        JobKind::DeliverCase | JobKind::DeliverAnalysis => 64,
        // Entries are appended one after the other anyway; for a shadow nobody waits, and there is one turn for them all.
        JobKind::LogDeletion | JobKind::ShadowItem | JobKind::ShadowCase => 1,
    }
}

/// How often a job is tried before it is given up.
const fn most_attempts(kind: JobKind) -> i64 {
    match kind {
        JobKind::Seal
        | JobKind::DeliverCase
        | JobKind::DeliverAnalysis
        | JobKind::ConcludeAnalysis
        | JobKind::ShadowItem
        | JobKind::ShadowCase => 5,
        // More than an hour in all: a late result is better than none (spec 3.3).
        JobKind::AnalyseItem => 12,
        // Time is awaited for as long as it takes. A deletion was promised, and that it is told: both are kept as soon as the
        // blob store can be used again.
        JobKind::StampItem | JobKind::RenewSeal | JobKind::DeleteBlobs | JobKind::DeleteFile | JobKind::LogDeletion => {
            i64::MAX
        }
    }
}

async fn work(app: Arc<App>, kind: JobKind, stop: CancellationToken) {
    let mut running = JoinSet::new();
    while !stop.is_cancelled() {
        // Before the look at the queue: what is enqueued in between must not be missed.
        let woken = app.wake.job(kind).notified();
        let free = concurrency(kind).saturating_sub(running.len());
        let claimed = if free == 0 { Ok(Vec::new()) } else { queue::claim(&app, kind, free, LEASE).await };
        for job in claimed.unwrap_or_else(|error| {
            tracing::error!(kind = kind.as_str(), %error, "the queue of jobs cannot be read");
            Vec::new()
        }) {
            running.spawn(run_one(Arc::clone(&app), job));
        }
        tokio::select! {
            () = stop.cancelled() => {}
            () = woken => {}
            Some(_) = running.join_next() => {}
            () = tokio::time::sleep(LOOK_EVERY) => {}
        }
    }
    while running.join_next().await.is_some() {}
}

/// Runs one job as a task of its own, so that a panic is an error of that job alone, and keeps its lease.
async fn run_one(app: Arc<App>, job: Job) {
    let mut task = tokio::spawn({
        let (app, job) = (Arc::clone(&app), job.clone());
        async move {
            match job.kind {
                JobKind::StampItem => time_stamp::stamp_item(&app, &job).await,
                JobKind::Seal => seal::seal(&app, &job).await,
                JobKind::RenewSeal => seal::renew(&app, &job).await,
                JobKind::DeliverCase => webhook::deliver_case(&app, &job).await,
                JobKind::DeleteBlobs => case::delete_blobs(&app, &job).await,
                JobKind::LogDeletion => seal_log::append_deletion(&app, &job).await,
                JobKind::AnalyseItem => analysis::analyse(&app, &job).await,
                JobKind::ConcludeAnalysis => analysis::conclude(&app, &job).await,
                JobKind::DeliverAnalysis => webhook::deliver_analysis(&app, &job).await,
                JobKind::DeleteFile => analysis::delete_file(&app, &job).await,
                JobKind::ShadowItem => analysis::shadow_item(&app, &job).await,
                JobKind::ShadowCase => analysis::shadow_case(&app, &job).await,
            }
        }
    });
    let outcome = loop {
        tokio::select! {
            outcome = &mut task => break outcome,
            () = tokio::time::sleep(RENEW_EVERY) => {
                if let Err(error) = queue::renew(&app, &job, LEASE).await {
                    tracing::warn!(job = ?job.id, %error, "a job's lease could not be renewed");
                }
            }
        }
    };
    let error = match outcome {
        Ok(Ok(())) => return,
        Ok(Err(error)) => error.to_string(),
        Err(panic) => format!("the job panicked, which is a bug: {panic}"),
    };
    if let Err(error) = note_failure(&app, &job, &error).await {
        // Its lease runs out and it is taken again.
        tracing::error!(job = ?job.id, %error, "a job's failure could not be noted");
    }
}

async fn note_failure(app: &Arc<App>, job: &Job, error: &str) -> Result<()> {
    let kind = job.kind.as_str();
    if job.attempt < most_attempts(job.kind) {
        let doublings = u32::try_from(job.attempt - 1).unwrap_or(u32::MAX);
        let pause = FIRST_PAUSE.saturating_mul(2_u32.saturating_pow(doublings)).min(LONGEST_PAUSE);
        tracing::warn!(kind, subject = job.subject, attempt = job.attempt, error, "a job failed and is tried again");
        return queue::retry(app, job, pause, error).await;
    }
    tracing::error!(kind, subject = job.subject, error, "a job failed and is given up");
    match job.kind {
        JobKind::Seal => seal::give_up(app, job, error).await,
        JobKind::AnalyseItem => analysis::give_up(app, job, error).await,
        JobKind::StampItem
        | JobKind::RenewSeal
        | JobKind::DeliverCase
        | JobKind::DeleteBlobs
        | JobKind::LogDeletion
        | JobKind::ConcludeAnalysis
        | JobKind::DeliverAnalysis
        | JobKind::DeleteFile
        | JobKind::ShadowItem
        | JobKind::ShadowCase => queue::give_up(app, job, error).await,
    }
}
