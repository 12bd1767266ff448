//! What the public listener has open, and what it had to refuse or cut off. Counted by `http`, read by the metrics.

use std::sync::atomic::{AtomicI64, Ordering};

/// A number that only this process counts.
#[derive(Debug, Default)]
pub struct Count(AtomicI64);

impl Count {
    pub fn add(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    pub fn subtract(&self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }

    pub fn read(&self) -> i64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// Since the start, but for `connections`.
#[derive(Debug, Default)]
pub struct Traffic {
    /// Open now.
    pub connections: Count,
    /// Connections closed at once because there were as many as there may be.
    pub refused_by_total: Count,
    /// Connections, or requests through a trusted proxy, refused because their address had as many as it may have.
    pub refused_by_address: Count,
    /// Requests whose body stopped coming.
    pub stalled_bodies: Count,
    /// Answers of which the client took no more.
    pub stalled_answers: Count,
    /// Connections that the system could not give.
    pub failed_accepts: Count,
}
