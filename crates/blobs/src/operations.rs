//! How long the operations of the store take, for the operator's metrics.

use std::time::Instant;

use prometheus_client::{
    encoding::EncodeLabelSet,
    metrics::{
        family::{Family, MetricConstructor},
        histogram::{Histogram, exponential_buckets},
    },
};

use super::Blobs;

/// How long operations took, in seconds.
pub type BlobDurations = Family<BlobLabels, Histogram, BlobBuckets>;

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub struct BlobLabels {
    operation: &'static str,
    outcome: &'static str,
}

/// From 1 ms to 16 s.
#[derive(Clone, Copy, Debug)]
pub struct BlobBuckets;

impl MetricConstructor<Histogram> for BlobBuckets {
    fn new_metric(&self) -> Histogram {
        Histogram::new(exponential_buckets(0.001, 2.0, 15))
    }
}

/// What the store is asked to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    /// Make a blob durable: all of it, or the end of one that was written in parts.
    Write,
    WritePart,
    /// Read all of a blob.
    Read,
    /// Find a blob and begin to read it. Its bytes are read as fast as the client takes them.
    Open,
    Size,
    List,
    Delete,
}

impl Operation {
    const ALL: [Self; 7] = [Self::Write, Self::WritePart, Self::Read, Self::Open, Self::Size, Self::List, Self::Delete];

    const fn as_str(self) -> &'static str {
        match self {
            Self::Write => "write",
            Self::WritePart => "write-part",
            Self::Read => "read",
            Self::Open => "open",
            Self::Size => "size",
            Self::List => "list",
            Self::Delete => "delete",
        }
    }
}

/// Clones share the counts.
#[derive(Clone, Debug)]
pub(super) struct Operations(BlobDurations);

const DONE: &str = "done";
const FAILED: &str = "failed";
const MISSING: &str = "missing";

impl Default for Operations {
    fn default() -> Self {
        let durations = BlobDurations::new_with_constructor(BlobBuckets);
        // They exist from the start: an alert cannot see the first failure of a series that did not exist before.
        for operation in Operation::ALL {
            drop(durations.get_or_create(&BlobLabels { operation: operation.as_str(), outcome: FAILED }));
        }
        Self(durations)
    }
}

impl Operations {
    pub(super) fn start(&self, operation: Operation) -> Timer {
        Timer { durations: self.0.clone(), operation, started: Instant::now() }
    }
}

/// An operation that has started. It is counted at its end; one that its caller gives up is not.
#[derive(Debug)]
pub(super) struct Timer {
    durations: BlobDurations,
    operation: Operation,
    started: Instant,
}

impl Timer {
    /// Counts the operation by its `result`, and returns that.
    pub(super) fn end<T, E>(self, result: Result<T, E>) -> Result<T, E> {
        self.count(if result.is_ok() { DONE } else { FAILED });
        result
    }

    /// The same for a blob that may be missing.
    pub(super) fn end_lookup<T, E>(self, result: Result<Option<T>, E>) -> Result<Option<T>, E> {
        self.count(match &result {
            Ok(Some(_)) => DONE,
            Ok(None) => MISSING,
            Err(_) => FAILED,
        });
        result
    }

    fn count(&self, outcome: &'static str) {
        let labels = BlobLabels { operation: self.operation.as_str(), outcome };
        self.durations.get_or_create(&labels).observe(self.started.elapsed().as_secs_f64());
    }
}

impl Blobs {
    pub fn durations(&self) -> BlobDurations {
        self.operations.0.clone()
    }
}
