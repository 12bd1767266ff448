//! Keeping this process's jobs, and taking over those of processes that are gone.
//!
//! On PostgreSQL a worker holds a lock for as long as its session stands: the lock of one that died is free within a moment,
//! and others see it. Where nothing can be seen (the machine is cut off, the process stands still) the lease decides.

use std::{
    collections::HashMap,
    sync::Arc,
    time::{Duration, Instant},
};

use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::{LEASE, LOOK_EVERY, outcome::report_quarantined, worker::Worker};
use crate::{
    app::{
        App,
        queue::{self, Interrupted, JobId, JobKind, SessionLock},
    },
    error::Result,
};

const RENEW_EVERY: Duration = Duration::from_secs(10);
/// How often the session that holds the lock is looked at, and how long it may take to answer.
const SESSION_EVERY: Duration = Duration::from_millis(500);
const SESSION_PATIENCE: Duration = Duration::from_secs(2);
/// How long a worker's lock has to be free. A worker that only lost its connection has it back before.
const FREE_FOR: Duration = Duration::from_millis(2500);
/// How long the database has to have answered before leases count as run out: those who live renew theirs in this time.
const ANSWERED_FOR: Duration = Duration::from_secs(5);
/// A look that comes later than this after the one before it says that this process, or the database, stood still.
const LATE: Duration = Duration::from_secs(4);

/// Renews the leases of the jobs that this process holds, until `ended` is cancelled.
pub(super) async fn renew_leases(app: Arc<App>, worker: Arc<Worker>, ended: CancellationToken) {
    let mut pause = RENEW_EVERY;
    loop {
        tokio::select! {
            () = ended.cancelled() => return,
            () = tokio::time::sleep(pause) => {}
        }
        let held = worker.held();
        pause = if held.is_empty() { RENEW_EVERY } else { renew(&app, &held).await };
    }
}

/// Returns when to renew next.
async fn renew(app: &App, held: &[(JobId, i64)]) -> Duration {
    match queue::renew(app, held, LEASE).await {
        Ok(lost) => {
            if !lost.is_empty() {
                // Those that have just ended are among them.
                tracing::debug!(jobs = lost.len(), "some jobs are not held any more");
            }
            RENEW_EVERY
        }
        Err(error) => {
            tracing::warn!(%error, jobs = held.len(), "leases could not be renewed");
            LOOK_EVERY
        }
    }
}

/// Holds this worker's session lock until `stop` is cancelled, and gives it back then.
pub(super) async fn keep_session(app: Arc<App>, worker: Arc<Worker>, stop: CancellationToken) -> Option<SessionLock> {
    if !app.db.is_shared() {
        return None;
    }
    let mut session: Option<SessionLock> = None;
    loop {
        let looked = timeout(SESSION_PATIENCE, look_at(&app, &worker, session.take())).await;
        session = looked.ok().flatten();
        worker.set_locked(session.is_some());
        tokio::select! {
            () = stop.cancelled() => return session,
            () = tokio::time::sleep(SESSION_EVERY) => {}
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
    let mut seen = Seen { answers_since: Instant::now(), looked: Instant::now(), free: HashMap::new() };
    loop {
        match look(&app, &worker, &mut seen).await {
            Ok(interrupted) => {
                if !interrupted.is_empty() {
                    tracing::warn!(jobs = interrupted.len(), "jobs of a worker that is gone are taken over");
                }
                report_quarantined(&interrupted);
                for kind in interrupted.iter().filter_map(|job| JobKind::parse(&job.kind)) {
                    app.wake.job(kind).notify_one();
                }
            }
            Err(error) => {
                tracing::warn!(%error, "jobs of workers that are gone could not be looked for");
                seen.forget();
            }
        }
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(LOOK_EVERY) => {}
        }
    }
}

/// What earlier looks saw.
struct Seen {
    /// Since when the database answers.
    answers_since: Instant,
    looked: Instant,
    /// Workers whose lock is free, and since when.
    free: HashMap<i64, Instant>,
}

impl Seen {
    fn forget(&mut self) {
        self.answers_since = Instant::now();
        self.free.clear();
    }
}

async fn look(app: &App, worker: &Worker, seen: &mut Seen) -> Result<Vec<Interrupted>> {
    let mut gone = Vec::new();
    let free = queue::workers_without_lock(app, worker.key).await?;
    let overdue = queue::overdue(app).await?;
    let now = Instant::now();
    if now - seen.looked > LATE {
        // Others may have been as slow as this, and are about to renew what they hold.
        seen.forget();
    }
    seen.looked = now;
    seen.free.retain(|worker, _| free.contains(worker));
    for worker in free {
        if now - *seen.free.entry(worker).or_insert(now) >= FREE_FOR {
            gone.extend(queue::of_worker(app, worker).await?);
        }
    }
    if now - seen.answers_since >= ANSWERED_FOR {
        // An outcome of this process that could not be noted yet is no reason to run its job again.
        gone.extend(overdue.into_iter().filter(|(id, claim)| !worker.holds(*id, *claim)));
    }
    if gone.is_empty() { Ok(Vec::new()) } else { queue::interrupt(app, &gone).await }
}
