//! Keeping this process's jobs, and taking over those of processes that are gone.
//!
//! On PostgreSQL a worker holds a lock for as long as its session exists: if it dies, the lock is released at once, and
//! others detect it. If that is not possible (the machine is cut off, the process is frozen) the lease decides.

use std::{
    collections::HashMap,
    sync::Arc,
    time::{Duration, Instant},
};

use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::{LEASE, POLL_INTERVAL, outcome::report_quarantined, worker::Worker};
use crate::{
    app::{
        App,
        queue::{self, InterruptedJob, JobId, SessionLock},
    },
    error::Result,
};

const RENEW_INTERVAL: Duration = Duration::from_secs(10);
/// How often the session that holds the lock is checked, and how long it may take to answer.
const SESSION_CHECK_INTERVAL: Duration = Duration::from_millis(500);
const SESSION_TIMEOUT: Duration = Duration::from_secs(2);
/// How long a worker's lock must be free before its jobs are taken. A worker that only lost its connection takes it
/// back sooner.
const MIN_FREE: Duration = Duration::from_millis(2500);
/// How long the database must have been answering before leases count as expired: live workers renew theirs in this
/// time.
const MIN_ANSWERING: Duration = Duration::from_secs(5);
/// If more time than this passed since the previous check, this process or the database was frozen.
const LATE: Duration = Duration::from_secs(4);

/// Renews the leases of the jobs that this process holds, until `ended` is cancelled.
pub(super) async fn renew_leases(app: Arc<App>, worker: Arc<Worker>, ended: CancellationToken) {
    let mut pause = RENEW_INTERVAL;
    loop {
        tokio::select! {
            () = ended.cancelled() => return,
            () = tokio::time::sleep(pause) => {}
        }
        let held = worker.held();
        pause = if held.is_empty() { RENEW_INTERVAL } else { renew(&app, &held).await };
    }
}

/// Returns the pause before the next renewal.
async fn renew(app: &App, held: &[(JobId, i64)]) -> Duration {
    match queue::renew(app, held, LEASE).await {
        Ok(lost) => {
            if !lost.is_empty() {
                // This includes jobs that have just ended.
                tracing::debug!(jobs = lost.len(), "some jobs are no longer held");
            }
            RENEW_INTERVAL
        }
        Err(error) => {
            tracing::warn!(%error, jobs = held.len(), "leases could not be renewed");
            POLL_INTERVAL
        }
    }
}

/// Holds this worker's session lock until `stop` is cancelled, and then returns it.
pub(super) async fn keep_session(app: Arc<App>, worker: Arc<Worker>, stop: CancellationToken) -> Option<SessionLock> {
    if !app.db.is_shared() {
        return None;
    }
    let mut session: Option<SessionLock> = None;
    loop {
        let looked = timeout(SESSION_TIMEOUT, look_at(&app, &worker, session.take())).await;
        session = looked.ok().flatten();
        worker.set_locked(session.is_some());
        tokio::select! {
            () = stop.cancelled() => return session,
            () = tokio::time::sleep(SESSION_CHECK_INTERVAL) => {}
        }
    }
}

async fn look_at(app: &App, worker: &Worker, session: Option<SessionLock>) -> Option<SessionLock> {
    if let Some(mut session) = session
        && session.is_held().await.unwrap_or_default()
    {
        return Some(session);
    }
    match queue::lock_worker(app, worker.key).await {
        Ok(session) => session,
        Err(error) => {
            tracing::warn!(%error, "this worker's session lock cannot be taken; its leases decide");
            None
        }
    }
}

/// Takes over the jobs of workers that are gone, until `stop` is cancelled.
pub(super) async fn take_over(app: Arc<App>, worker: Arc<Worker>, stop: CancellationToken) {
    let mut seen = Observations { answers_since: Instant::now(), looked: Instant::now(), free: HashMap::new() };
    loop {
        match look(&app, &worker, &mut seen).await {
            Ok(interrupted) => {
                if !interrupted.is_empty() {
                    tracing::warn!(jobs = interrupted.len(), "taking over jobs of a worker that is gone");
                }
                report_quarantined(&interrupted);
                for kind in interrupted.iter().map(|job| job.kind) {
                    app.wake.job(kind).notify_one();
                }
            }
            Err(error) => {
                tracing::warn!(%error, "searching for jobs of workers that are gone failed");
                seen.forget();
            }
        }
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(POLL_INTERVAL) => {}
        }
    }
}

/// The results of earlier checks.
struct Observations {
    /// Since when the database has been answering.
    answers_since: Instant,
    looked: Instant,
    /// Workers whose lock is free, and since when.
    free: HashMap<i64, Instant>,
}

impl Observations {
    fn forget(&mut self) {
        self.answers_since = Instant::now();
        self.free.clear();
    }
}

async fn look(app: &App, worker: &Worker, seen: &mut Observations) -> Result<Vec<InterruptedJob>> {
    let mut gone = Vec::new();
    let free = queue::workers_without_lock(app, worker.key).await?;
    let overdue = queue::overdue(app).await?;
    let now = Instant::now();
    if now - seen.looked > LATE {
        // Other workers may have been frozen too, and are about to renew their leases.
        seen.forget();
    }
    seen.looked = now;
    seen.free.retain(|worker, _| free.contains(worker));
    for worker in free {
        if now - *seen.free.entry(worker).or_insert(now) >= MIN_FREE {
            gone.extend(queue::of_worker(app, worker).await?);
        }
    }
    if now - seen.answers_since >= MIN_ANSWERING {
        // A job of this process whose outcome is not recorded yet must not run again.
        gone.extend(overdue.into_iter().filter(|(id, claim)| !worker.holds(*id, *claim)));
    }
    if gone.is_empty() { Ok(Vec::new()) } else { queue::interrupt(app, &gone).await }
}
