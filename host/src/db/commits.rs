//! What the operator's metrics say of the database: how long commits take, and the connections of the pool.

use std::time::Instant;

use prometheus_client::{
    encoding::EncodeLabelSet,
    metrics::{
        family::{Family, MetricConstructor},
        histogram::{Histogram, exponential_buckets},
    },
};

use super::{CONNECTIONS, Db, Kind};

/// How long transactions waited for their commit, in seconds.
pub type CommitDurations = Family<CommitLabels, Histogram, CommitBuckets>;

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub struct CommitLabels {
    outcome: &'static str,
}

/// From 0.5 ms to 8 s.
#[derive(Clone, Copy, Debug)]
pub struct CommitBuckets;

impl MetricConstructor<Histogram> for CommitBuckets {
    fn new_metric(&self) -> Histogram {
        Histogram::new(exponential_buckets(0.0005, 2.0, 15))
    }
}

/// The connections of the pool: on SQLite those for reading, on PostgreSQL all but the workers' locks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Connections {
    pub busy: u32,
    pub idle: u32,
    pub most: u32,
}

/// Clones share the counts.
#[derive(Clone, Debug)]
pub(super) struct Commits(CommitDurations);

const DONE: CommitLabels = CommitLabels { outcome: "done" };
const FAILED: CommitLabels = CommitLabels { outcome: "failed" };

impl Default for Commits {
    fn default() -> Self {
        let durations = CommitDurations::new_with_constructor(CommitBuckets);
        // Both exist from the start: an alert cannot see the first failure of a series that did not exist before.
        for labels in [DONE, FAILED] {
            drop(durations.get_or_create(&labels));
        }
        Self(durations)
    }
}

impl Commits {
    /// Counts a commit that was `started` then, by its `outcome`, and returns that.
    pub(super) fn count(&self, started: Instant, outcome: sqlx::Result<()>) -> sqlx::Result<()> {
        let labels = if outcome.is_ok() { DONE } else { FAILED };
        self.0.get_or_create(&labels).observe(started.elapsed().as_secs_f64());
        outcome
    }
}

impl Db {
    pub fn commit_durations(&self) -> CommitDurations {
        self.commits.0.clone()
    }

    pub fn connections(&self) -> Connections {
        let (open, idle) = match &self.kind {
            Kind::Sqlite { readers, .. } => (readers.size(), readers.num_idle()),
            Kind::Postgres(pool) => (pool.size(), pool.num_idle()),
        };
        // The two numbers are not read at the same moment.
        let idle = u32::try_from(idle).unwrap_or(u32::MAX).min(open);
        Connections { busy: open - idle, idle, most: CONNECTIONS }
    }
}
