//! The jobs that this process holds.

use std::{
    collections::HashMap,
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use parking_lot::{Mutex, MutexGuard};
use tokio_util::sync::CancellationToken;

use crate::app::queue::{self, Claimant, Job, JobId, JobKind};

#[derive(Debug)]
pub(super) struct Worker {
    /// The key of its session lock.
    pub(super) key: i32,
    /// Cancelled when this process is asked to stop.
    pub(super) stopping: CancellationToken,
    is_locked: AtomicBool,
    held: Mutex<HashMap<JobId, Job>>,
}

impl Worker {
    pub(super) fn new(stopping: CancellationToken) -> Self {
        Self { key: queue::new_worker(), stopping, is_locked: AtomicBool::new(false), held: Mutex::default() }
    }

    /// Whether others can detect by the session lock that this process is alive.
    pub(super) fn set_locked(&self, is_locked: bool) {
        self.is_locked.store(is_locked, Ordering::SeqCst);
    }

    /// The identity with which it claims jobs. Without the session lock only their leases count.
    pub(super) fn claimant(&self, lease: Duration) -> Claimant {
        Claimant { worker: self.is_locked.load(Ordering::SeqCst).then_some(i64::from(self.key)), lease }
    }

    pub(super) fn take(&self, job: &Job) {
        self.jobs().insert(job.id, job.clone());
    }

    pub(super) fn release(&self, job: &Job) {
        self.jobs().remove(&job.id);
    }

    /// Each with the number of its claim.
    pub(super) fn held(&self) -> Vec<(JobId, i64)> {
        self.jobs().values().map(|job| (job.id, job.claim)).collect()
    }

    pub(super) fn holds(&self, id: JobId, claim: i64) -> bool {
        self.jobs().get(&id).is_some_and(|job| job.claim == claim)
    }

    /// How many jobs of a kind each company has running here.
    pub(super) fn running(&self, kind: JobKind) -> HashMap<i64, usize> {
        let mut running = HashMap::new();
        for job in self.jobs().values().filter(|job| job.kind() == kind) {
            *running.entry(job.company).or_default() += 1;
        }
        running
    }

    fn jobs(&self) -> MutexGuard<'_, HashMap<JobId, Job>> {
        // A panic cannot leave the map half changed.
        self.held.lock()
    }
}
