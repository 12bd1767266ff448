//! Running one job, and noting how it ended.

use std::{sync::Arc, time::Duration};

use super::{kinds, worker::Worker};
use crate::{
    app::{
        App,
        queue::{self, Interrupted, Job, LeaseLost},
    },
    error::{Error, Result},
};

/// The pause after a job's first failure, doubled after each further one up to the longest.
const FIRST_PAUSE: Duration = Duration::from_secs(2);
const LONGEST_PAUSE: Duration = Duration::from_hours(1);
/// The pauses while an outcome cannot be noted.
const FIRST_NOTE: Duration = Duration::from_millis(250);
const LONGEST_NOTE: Duration = Duration::from_secs(5);

/// How a run went wrong.
enum Failure {
    /// A part of the machine was away: the same work can succeed later.
    Away { part: &'static str, error: String },
    /// The same input may give the same error again.
    Own(String),
}

/// Runs one job that `worker` has taken, as a task of its own, so that a panic is an error of that job alone.
pub(super) async fn run_one(app: Arc<App>, worker: Arc<Worker>, job: Job) {
    let task = tokio::spawn({
        let (app, job) = (Arc::clone(&app), job.clone());
        async move { kinds::run(&app, &job).await }
    });
    let failure = match task.await {
        Ok(Ok(())) => None,
        Ok(Err(error)) if LeaseLost::is(&error) => {
            report_lost(&job);
            None
        }
        Ok(Err(error)) => Some(Failure::of(&error)),
        Err(panic) => Some(Failure::Own(format!("the job panicked, which is a bug: {panic}"))),
    };
    if let Some(failure) = failure {
        note(&app, &job, &failure).await;
    }
    worker.let_go(&job);
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

/// Notes a failure, as often as it takes while the database is away: meanwhile the lease is renewed as soon as it can be.
async fn note(app: &Arc<App>, job: &Job, failure: &Failure) {
    let mut pause = FIRST_NOTE;
    loop {
        match note_once(app, job, failure).await {
            Ok(()) => return,
            Err(error) if LeaseLost::is(&error) => return report_lost(job),
            Err(error) if error.is_temporary() => {
                tracing::warn!(kind = job.kind.as_str(), subject = job.subject, %error, "a job's failure cannot be noted yet");
                tokio::time::sleep(pause).await;
                pause = (2 * pause).min(LONGEST_NOTE);
            }
            Err(error) => {
                // Its lease runs out and it is taken again.
                tracing::error!(kind = job.kind.as_str(), subject = job.subject, %error, "a job's failure could not be noted");
                return;
            }
        }
    }
}

async fn note_once(app: &Arc<App>, job: &Job, failure: &Failure) -> Result<()> {
    let (kind, subject) = (job.kind.as_str(), job.subject);
    match failure {
        Failure::Away { part, error } => {
            queue::wait(app, job, part, error).await?;
            tracing::warn!(
                kind,
                subject,
                attempt = job.attempt,
                part,
                error,
                "a job waits: a part of the machine is away"
            );
        }
        Failure::Own(error) if job.failures + 1 < kinds::most_failures(job.kind) => {
            let doublings = u32::try_from(job.failures).unwrap_or(u32::MAX);
            let pause = FIRST_PAUSE.saturating_mul(2_u32.saturating_pow(doublings)).min(LONGEST_PAUSE);
            queue::fail(app, job, pause, error).await?;
            tracing::warn!(kind, subject, failures = job.failures + 1, error, "a job failed and is tried again");
        }
        Failure::Own(error) => {
            kinds::give_up(app, job, error).await?;
            tracing::error!(kind, subject, job = job.id.get(), error, "a job failed and is given up");
        }
    }
    Ok(())
}

fn report_lost(job: &Job) {
    let (kind, subject) = (job.kind.as_str(), job.subject);
    tracing::warn!(kind, subject, "another worker has taken a job over: what was done for it here is dropped");
}

/// Reports the jobs that take processes down: they are not run again.
pub(super) fn report_quarantined(interrupted: &[Interrupted]) {
    for Interrupted { kind, subject, .. } in interrupted.iter().filter(|job| job.state == "quarantined") {
        tracing::error!(kind, subject, "a job was running each time a process ended, and is quarantined");
    }
}
