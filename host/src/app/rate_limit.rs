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
    place: Place,
}

#[derive(Debug)]
enum Place {
    Memory(Counters<Window>),
    Shared(Db, Counters<Arc<Line>>),
}

impl RateLimiter {
    pub fn new(db: &Db, clock: Clock) -> Self {
        let place = if db.is_shared() {
            Place::Shared(db.clone(), Counters::default())
        } else {
            Place::Memory(Counters::default())
        };
        Self { clock, place }
    }

    /// One that counts in this process alone, whatever the database.
    pub fn in_memory(clock: Clock) -> Self {
        Self { clock, place: Place::Memory(Counters::default()) }
    }

    /// Counts a request unless `limit` requests were let through in the 60 seconds before it. A refused one is not counted.
    pub async fn admit(&self, counter: Counter, limit: u32) -> Result<Admission> {
        let now = self.clock.steady();
        match &self.place {
            Place::Memory(windows) => Ok(windows.with(counter, now, |window| window.admit(limit, now))),
            Place::Shared(db, lines) => {
                let name = counter.to_string();
                let line = lines.with(counter, now, |line| Arc::clone(line));
                line.admit(db, &self.clock, name, limit).await
            }
        }
    }

    /// The refusal that a request would get, as far as this node knows; none where it may be let through. Counts nothing and
    /// asks no other node, so a shared counter is known to be full once this node was refused.
    pub fn refusal(&self, counter: Counter, limit: u32) -> Option<Admission> {
        let now = self.clock.steady();
        match &self.place {
            Place::Memory(windows) => windows.with(counter, now, |window| window.refusal(limit, now)),
            Place::Shared(_, lines) => lines.with(counter, now, |line| Arc::clone(line)).refusal(limit, now),
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
