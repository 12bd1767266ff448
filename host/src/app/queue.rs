//! The queue of jobs, as the workers use it.

use std::time::Duration;

use super::App;
use crate::{error::Result, store, time_stamping::NoTime};

pub use crate::store::job::{Job, JobKind};

/// Takes up to `most` due jobs of a kind for as long as `lease`. An idle queue costs a read.
pub async fn claim(app: &App, kind: JobKind, most: usize, lease: Duration) -> Result<Vec<Job>> {
    let now = app.clock.now();
    let mut tx = app.db.read().await?;
    let due = store::job::is_any_due(&mut tx, kind, now).await?;
    drop(tx);
    if !due {
        return Ok(Vec::new());
    }
    let mut tx = app.db.begin().await?;
    let jobs = store::job::claim(&mut tx, kind, most, now, lease).await?;
    tx.commit().await?;
    Ok(jobs)
}

/// Lengthens the lease of a running job by `lease` from now.
pub async fn renew(app: &App, job: &Job, lease: Duration) -> Result<()> {
    let mut tx = app.db.begin().await?;
    store::job::renew(&mut tx, job.id, app.clock.now().after(lease)).await?;
    Ok(tx.commit().await?)
}

/// Has a job that failed run again after `pause`.
pub async fn retry(app: &App, job: &Job, pause: Duration, error: &str) -> Result<()> {
    let mut tx = app.db.begin().await?;
    store::job::retry(&mut tx, job.id, app.clock.now().after(pause), error).await?;
    Ok(tx.commit().await?)
}

/// Has a job that cannot go on without a time stamp run again later. Nothing failed: it waits for an authority, and the
/// authorities themselves are what the operator hears of.
pub async fn await_time(app: &App, job: &Job, no_time: &NoTime) -> Result<()> {
    /// The pause after the first run, doubled after each further one up to the longest.
    const FIRST: Duration = Duration::from_secs(2);
    const LONGEST: Duration = Duration::from_mins(1);
    let doublings = u32::try_from(job.attempt - 1).unwrap_or(u32::MAX);
    let pause = FIRST.saturating_mul(2_u32.saturating_pow(doublings)).min(LONGEST);
    tracing::debug!(kind = job.kind.as_str(), subject = job.subject, %no_time, ?pause, "a job waits for a time stamp");
    retry(app, job, pause, &no_time.to_string()).await
}

/// Keeps a job that failed for good, with its error, for the operator.
pub async fn give_up(app: &App, job: &Job, error: &str) -> Result<()> {
    let mut tx = app.db.begin().await?;
    store::job::give_up(&mut tx, job.id, error).await?;
    Ok(tx.commit().await?)
}

/// Makes every running job ready again. Only for a worker that knows it is the only one.
pub async fn release_all(app: &App) -> Result<u64> {
    let mut tx = app.db.begin().await?;
    let released = store::job::release_all(&mut tx).await?;
    tx.commit().await?;
    Ok(released)
}
