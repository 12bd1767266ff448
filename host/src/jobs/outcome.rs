//! Running one job, and recording its outcome.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use opentelemetry::trace::Status;
use tracing::Instrument as _;
use tracing_opentelemetry::OpenTelemetrySpanExt as _;

use super::{kinds, worker::Worker};
use crate::{
    app::{
        App,
        metrics::JobRunOutcome,
        queue::{self, InterruptedJob, Job, LeaseLost},
    },
    error::{Error, Result},
    request_id,
};

/// The pause after a job's first failure, doubled after each further one up to the longest.
const FIRST_PAUSE: Duration = Duration::from_secs(2);
const MAX_PAUSE: Duration = Duration::from_hours(1);
/// The pauses while an outcome cannot be recorded.
const FIRST_RECORD_PAUSE: Duration = Duration::from_millis(250);
const MAX_RECORD_PAUSE: Duration = Duration::from_secs(5);

/// Why a run failed.
enum Failure {
    /// A part of the machine was unavailable: the same work can succeed later.
    Away { part: &'static str, error: String },
    /// The same input may give the same error again.
    Own(String),
}

/// Runs one job that `worker` has taken, as a task of its own, so that a panic only fails that job.
pub(super) async fn run_one(app: Arc<App>, worker: Arc<Worker>, job: Job) {
    // Each line that is logged for the job has these.
    let span = tracing::info_span!(
        "job",
        kind = job.kind().as_str(),
        subject = job.subject(),
        attempt = job.attempt,
        request = job.request_id
    );
    let started = Instant::now();
    let task = tokio::spawn({
        let (app, job) = (Arc::clone(&app), job.clone());
        let request = job.request_id.clone();
        // The span starts within the scope, so its trace is that of the request.
        let stopping = worker.stopping.clone();
        let run = async move { kinds::run(&app, &job, &stopping).await };
        request_id::scope(request, run.instrument(span.clone()))
    });
    let (outcome, failure) = match task.await {
        Ok(Ok(())) => (JobRunOutcome::Done, None),
        Ok(Err(error)) if LeaseLost::is(&error) => {
            report_lost(&job);
            (JobRunOutcome::Lost, None)
        }
        Ok(Err(error)) => match Failure::of(&error) {
            failure @ Failure::Away { .. } => (JobRunOutcome::Waiting, Some(failure)),
            failure @ Failure::Own(_) => (JobRunOutcome::Failed, Some(failure)),
        },
        Err(panic) => {
            let failure = Failure::Own(format!("the job panicked, which is a bug: {panic}"));
            (JobRunOutcome::Failed, Some(failure))
        }
    };
    app.metrics.job_run(job.kind(), outcome, started.elapsed());
    span.set_attribute("outcome", <&str>::from(outcome));
    if outcome == JobRunOutcome::Failed {
        span.set_status(Status::error(""));
    }
    if let Some(failure) = failure {
        record(&app, &job, &failure).await;
    }
    worker.release(&job);
}

impl Failure {
    fn of(error: &Error) -> Self {
        match error {
            Error::Unavailable { part, .. } => Self::Away { part, error: error.to_string() },
            error if error.is_temporary() => Self::Away { part: "machine", error: error.to_string() },
            error => Self::Own(error.to_string()),
        }
    }
}

/// Records a failure. Retries while the database is unavailable; meanwhile the lease is renewed as soon as possible.
async fn record(app: &Arc<App>, job: &Job, failure: &Failure) {
    let mut pause = FIRST_RECORD_PAUSE;
    loop {
        match record_once(app, job, failure).await {
            Ok(()) => return,
            Err(error) if LeaseLost::is(&error) => return report_lost(job),
            Err(error) if error.is_temporary() => {
                tracing::warn!(kind = job.kind().as_str(), subject = job.subject(), %error, "a job's failure cannot be recorded yet");
                tokio::time::sleep(pause).await;
                pause = (2 * pause).min(MAX_RECORD_PAUSE);
            }
            Err(error) => {
                // Its lease expires and it is taken again.
                tracing::error!(kind = job.kind().as_str(), subject = job.subject(), %error, "a job's failure could not be recorded");
                return;
            }
        }
    }
}

async fn record_once(app: &Arc<App>, job: &Job, failure: &Failure) -> Result<()> {
    let (kind, subject) = (job.kind().as_str(), job.subject());
    match failure {
        Failure::Away { part, error } => {
            queue::wait(app, job, part, error).await?;
            tracing::warn!(
                kind,
                subject,
                attempt = job.attempt,
                part,
                error,
                "a job waits: a part of the machine is unavailable"
            );
        }
        Failure::Own(error) if job.failures + 1 < job.kind().traits().max_failures => {
            let doublings = u32::try_from(job.failures).unwrap_or(u32::MAX);
            let pause = FIRST_PAUSE.saturating_mul(2_u32.saturating_pow(doublings)).min(MAX_PAUSE);
            queue::fail(app, job, pause, error).await?;
            tracing::warn!(kind, subject, failures = job.failures + 1, error, "a job failed and is retried");
        }
        Failure::Own(error) => {
            kinds::give_up(app, job, error).await?;
            tracing::error!(kind, subject, job = job.id.get(), error, "a job failed and is given up");
        }
    }
    Ok(())
}

fn report_lost(job: &Job) {
    let (kind, subject) = (job.kind().as_str(), job.subject());
    tracing::warn!(kind, subject, "another worker has taken over a job; its result here is dropped");
}

/// Logs jobs during which processes repeatedly ended: they are not run again.
pub(super) fn report_quarantined(interrupted: &[InterruptedJob]) {
    for InterruptedJob { kind, subject, .. } in interrupted.iter().filter(|job| job.is_quarantined) {
        tracing::error!(
            kind = kind.as_str(),
            subject,
            "a job was running each time a process ended, and is quarantined"
        );
    }
}
