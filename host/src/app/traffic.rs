//! Open connections of the public listener, and what it refused or cut off. Counted by `http`, read by the metrics.

use std::sync::atomic::{AtomicI64, Ordering};

use super::memory_budget::BodyBudgets;

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

/// Counted since the start, except for `connections`.
#[derive(Debug, Default)]
pub struct Traffic {
    /// Open now.
    pub connections: Count,
    /// Connections closed at once because the total limit was reached.
    pub refused_by_total: Count,
    /// Connections, or requests through a trusted proxy, refused because the limit for their address was reached.
    pub refused_by_address: Count,
    /// Requests whose body stalled.
    pub stalled_bodies: Count,
    /// Responses that the client stopped reading.
    pub stalled_answers: Count,
    /// Connections that the system could not accept.
    pub failed_accepts: Count,
    /// The memory for JSON bodies.
    pub bodies: BodyBudgets,
}
