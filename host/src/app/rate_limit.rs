//! Counting requests: in this process where it works alone (SQLite), and together with every other node in the database
//! that they share (PostgreSQL). Both keep exact windows; `docs/adr/0010-rolling-window.md` says how.

mod memory;
mod shared;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use self::{memory::Counters, shared::Line};
use crate::{
    clock::Clock,
    db::Db,
    domain::rate_limit::{Admission, Counter, Window},
    error::Result,
    store,
};

/// Decides about each request whether it is within its counter's limit.
#[derive(Debug)]
pub struct RateLimiter {
    clock: Clock,
    /// Of what this process counts alone.
    windows: Counters<Window>,
    shared: Option<Shared>,
}

#[derive(Debug)]
struct Shared {
    db: Db,
    lines: Counters<Arc<Line>>,
}

impl RateLimiter {
    pub fn new(db: &Db, clock: Clock) -> Self {
        let shared = db.is_shared().then(|| Shared { db: db.clone(), lines: Counters::default() });
        Self { clock, windows: Counters::default(), shared }
    }

    /// One that counts in this process alone, whatever the database.
    pub fn in_memory(clock: Clock) -> Self {
        Self { clock, windows: Counters::default(), shared: None }
    }

    /// Counts a request unless `limit` requests were let through in the 60 seconds before it. A refused one is not counted.
    pub async fn admit(&self, counter: Counter, limit: u32) -> Result<Admission> {
        let now = self.clock.steady();
        match &self.shared {
            Some(Shared { db, lines }) if counter.is_shared() => {
                let name = counter.to_string();
                let line = lines.with(counter, now, |line| Arc::clone(line));
                line.admit(db, &self.clock, name, limit).await
            }
            _ => Ok(self.windows.with(counter, now, |window| window.admit(limit, now))),
        }
    }

    /// What a request would be answered now if this process knows that it is one too many: asks nobody and counts nothing.
    /// Of a counter that nodes share it may not know yet what others let through.
    pub fn refusal(&self, counter: &Counter, limit: u32) -> Option<Admission> {
        let now = self.clock.steady();
        match &self.shared {
            Some(Shared { lines, .. }) if counter.is_shared() => lines.look(counter, |line| line.refusal(limit, now)),
            _ => self.windows.look(counter, |window| window.refusal(limit, now)),
        }
    }
}

/// Removes the shared counters that have run empty. Says how many.
pub async fn forget_idle_counters(db: &Db) -> Result<u64> {
    match db.shared().await? {
        Some(mut tx) => Ok(store::rate_limit::delete_idle(&mut tx).await?),
        None => Ok(0),
    }
}
