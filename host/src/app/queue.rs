//! The queue of jobs, as the workers use it.

mod operator;

use std::{fmt::Display, time::Duration};

use super::App;
use crate::{
    clock::random_bytes,
    error::{Error, Result},
    store,
    time_stamping::NoTime,
};
pub use crate::{
    db::SessionLock,
    store::job::{Claimant, DueCompany, InterruptedJob, Job, JobId, JobKind, JobState, LeaseLost, RetryReason, Work},
};
pub use operator::{QueueState, RestartedJob, count_text, list, queue_state, restart};

/// The namespace of the workers' session locks on PostgreSQL: "JOBS".
const LOCKS_OF_WORKERS: i32 = 0x4a4f_4253;
/// The longest pause while a part of the machine is unavailable. Once it is back, many jobs wait for it.
const LONGEST_WAIT: Duration = Duration::from_mins(2);
const FIRST_WAIT: Duration = Duration::from_secs(2);

/// The companies that have jobs of a kind due. A read, so that an idle server writes nothing.
pub async fn due(app: &App, kind: JobKind) -> Result<Vec<DueCompany>> {
    let mut tx = app.db.read().await?;
    Ok(store::job::due(&mut tx, kind, app.clock.now()).await?)
}

/// Claims due jobs of a kind: for each company at most the number in `shares`.
pub async fn claim(app: &App, kind: JobKind, shares: &[(i64, usize)], by: Claimant) -> Result<Vec<Job>> {
    let now = app.clock.now();
    let mut jobs = Vec::new();
    let mut tx = app.db.begin().await?;
    for &(company, most) in shares {
        jobs.extend(store::job::claim(&mut tx, kind, company, most, now, by).await?);
    }
    tx.commit().await?;
    Ok(jobs)
}

/// Claims one job that must run alone.
pub async fn claim_suspect(app: &App, by: Claimant) -> Result<Option<Job>> {
    let now = app.clock.now();
    let mut tx = app.db.read().await?;
    let is_due = store::job::is_suspect_due(&mut tx, now).await?;
    drop(tx);
    if !is_due {
        return Ok(None);
    }
    let mut tx = app.db.begin().await?;
    let job = store::job::claim_suspect(&mut tx, now, by).await?;
    tx.commit().await?;
    Ok(job)
}

/// Lengthens the leases of running jobs by `lease` from now; returns those that were lost.
pub async fn renew(app: &App, held: &[(JobId, i64)], lease: Duration) -> Result<Vec<JobId>> {
    let until = app.clock.now().after(lease);
    let mut lost = Vec::new();
    let mut tx = app.db.begin().await?;
    for &(id, claim) in held {
        if !store::job::renew(&mut tx, id, claim, until).await? {
            lost.push(id);
        }
    }
    tx.commit().await?;
    Ok(lost)
}

/// Makes sure that this worker holds the job for `time` from now, before something that must not happen twice.
///
/// # Errors
/// [`LeaseLost`] if another worker has it, or its case was deleted.
pub async fn hold(app: &App, job: &Job, time: Duration) -> Result<()> {
    let until = app.clock.now().after(time);
    let mut tx = app.db.read().await?;
    if store::job::is_held(&mut tx, job, until).await? {
        return Ok(());
    }
    drop(tx);
    let mut tx = app.db.begin().await?;
    let is_held = store::job::renew(&mut tx, job.id, job.claim, until).await?;
    tx.commit().await?;
    if is_held { Ok(()) } else { Err(Error::Internal(LeaseLost.into())) }
}

/// Reschedules a failed job after `pause`. Its input may be the cause of the failure.
pub async fn fail(app: &App, job: &Job, pause: Duration, error: &str) -> Result<()> {
    run_again(app, job, pause, RetryReason::Failed, error).await
}

/// Reschedules a job after `pause`, without counting it as a failure.
pub async fn retry(app: &App, job: &Job, pause: Duration, error: &str) -> Result<()> {
    wait_for(app, job, pause, "machine", error).await
}

/// Reschedules a job that could not continue because a part of the machine was unavailable. This is not counted as a
/// failure: the job waits, with growing pauses, for as long as it takes.
pub async fn wait(app: &App, job: &Job, part: &str, error: &str) -> Result<()> {
    run_again(app, job, pause(job.attempt, LONGEST_WAIT), RetryReason::Away(part), error).await
}

/// Like [`wait`], with a given pause.
pub async fn wait_for(app: &App, job: &Job, pause: Duration, part: &str, error: &str) -> Result<()> {
    run_again(app, job, pause, RetryReason::Away(part), error).await
}

/// Like [`wait`], for a part that may be away for days: the pauses grow up to an hour. [`resume_waiting_for`] ends them.
pub async fn wait_long(app: &App, job: &Job, part: &str, error: &str) -> Result<()> {
    const LONGEST: Duration = Duration::from_hours(1);
    run_again(app, job, pause(job.attempt, LONGEST), RetryReason::Away(part), error).await
}

/// Reschedules a job that needs a time stamp. Nothing failed: it waits for an authority, and the operator is warned
/// about the authorities themselves.
pub async fn await_time(app: &App, job: &Job, no_time: &NoTime) -> Result<()> {
    const LONGEST: Duration = Duration::from_mins(1);
    let pause = pause(job.attempt, LONGEST);
    tracing::debug!(kind = job.kind().as_str(), subject = job.subject(), %no_time, ?pause, "a job waits for a time stamp");
    run_again(app, job, pause, RetryReason::Away("time-stamping authority"), &no_time.to_string()).await
}

/// Keeps a job that failed for good, with its error, for the operator.
pub async fn give_up(app: &App, job: &Job, error: &str) -> Result<()> {
    let mut tx = app.db.begin().await?;
    store::job::give_up(&mut tx, job, error).await?;
    Ok(tx.commit().await?)
}

/// A row names a blob that the store does not have: the folder is not mounted, or the bucket is a different one. The
/// file was durable before its row, so the store is at fault and never the input.
pub fn missing_blob(what: impl Display) -> Error {
    Error::Unavailable { part: "blob store", cause: anyhow::anyhow!("{what} is not in it") }
}

/// The jobs whose worker has not reported in time, each with the number of its claim.
pub async fn overdue(app: &App) -> Result<Vec<(JobId, i64)>> {
    let mut tx = app.db.read().await?;
    Ok(store::job::overdue(&mut tx, app.clock.now()).await?)
}

/// Every job that is running. Only for a worker that knows it is the only one, when it starts.
pub async fn running(app: &App) -> Result<Vec<(JobId, i64)>> {
    let mut tx = app.db.read().await?;
    Ok(store::job::running(&mut tx).await?)
}

/// The running jobs of a worker that is gone.
pub async fn of_worker(app: &App, worker: i64) -> Result<Vec<(JobId, i64)>> {
    let mut tx = app.db.read().await?;
    Ok(store::job::of_worker(&mut tx, worker).await?)
}

/// Makes jobs ready again whose process died while running them, and counts this as a failure.
pub async fn interrupt(app: &App, jobs: &[(JobId, i64)]) -> Result<Vec<InterruptedJob>> {
    let mut interrupted = Vec::new();
    let mut tx = app.db.begin().await?;
    for &(id, claim) in jobs {
        interrupted.extend(store::job::interrupt(&mut tx, id, claim).await?);
    }
    tx.commit().await?;
    Ok(interrupted)
}

/// Makes jobs ready again that this process cannot finish because it is stopping.
pub async fn release(app: &App, jobs: &[(JobId, i64)]) -> Result<()> {
    let mut tx = app.db.begin().await?;
    for &(id, claim) in jobs {
        store::job::release(&mut tx, id, claim).await?;
    }
    Ok(tx.commit().await?)
}

/// Reschedules all jobs that wait for a part of the machine to now; returns how many.
pub async fn resume_waiting(app: &App) -> Result<u64> {
    let mut tx = app.db.begin().await?;
    let resumed = store::job::resume_waiting(&mut tx, app.clock.now()).await?;
    tx.commit().await?;
    Ok(resumed)
}

/// Reschedules the jobs that wait for this part to now: it may be available.
pub async fn resume_waiting_for(app: &App, part: &str) -> Result<()> {
    let mut reader = app.db.read().await?;
    let waiting = store::published::jobs_waiting_for(&mut reader, part).await?;
    drop(reader);
    if waiting == 0 {
        return Ok(());
    }
    let mut tx = app.db.begin().await?;
    store::published::reschedule_waiting_jobs(&mut tx, part, app.clock.now()).await?;
    tx.commit().await?;
    for kind in JobKind::ALL {
        app.wake.job(kind).notify_one();
    }
    Ok(())
}

/// A key for the session lock of a worker.
pub fn new_worker() -> i32 {
    i32::from_be_bytes(random_bytes()) & i32::MAX
}

/// Takes the session lock of a worker, which shows others that it is alive. None on SQLite.
pub async fn lock_worker(app: &App, worker: i32) -> Result<Option<SessionLock>> {
    Ok(app.db.lock_for_session(LOCKS_OF_WORKERS, worker).await?)
}

/// The workers with running jobs whose session is gone. None on SQLite.
pub async fn workers_without_lock(app: &App, own: i32) -> Result<Vec<i64>> {
    match app.db.shared().await? {
        Some(mut tx) => Ok(store::job::workers_without_lock(&mut tx, LOCKS_OF_WORKERS, own.into()).await?),
        None => Ok(Vec::new()),
    }
}

async fn run_again(app: &App, job: &Job, pause: Duration, why: RetryReason<'_>, error: &str) -> Result<()> {
    let mut tx = app.db.begin().await?;
    store::job::retry(&mut tx, job, app.clock.now().after(pause), why, error).await?;
    Ok(tx.commit().await?)
}

/// The pause after a run: 2 s after the first, doubled after each further run up to `longest`.
fn pause(attempt: i64, longest: Duration) -> Duration {
    let doublings = u32::try_from(attempt - 1).unwrap_or(u32::MAX);
    FIRST_WAIT.saturating_mul(2_u32.saturating_pow(doublings)).min(longest)
}
