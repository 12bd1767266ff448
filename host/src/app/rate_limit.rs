//! Counts requests: in this process if it runs alone (SQLite), and in the shared database if there are several nodes
//! (PostgreSQL). Both keep exact windows; `docs/adr/0010-rolling-window.md` says how.

mod memory;
mod shared;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use self::{memory::Counters, shared::SharedCounter};
use crate::{
    clock::Clock,
    db::Db,
    domain::rate_limit::{Admission, Counter, Window},
    error::Result,
    store,
};

/// Decides whether a request is within its counter's limit.
#[derive(Debug)]
pub struct RateLimiter {
    clock: Clock,
    /// The counters of this process only.
    windows: Counters<Window>,
    shared: Option<Shared>,
}

#[derive(Debug)]
struct Shared {
    db: Db,
    counters: Counters<Arc<SharedCounter>>,
}

impl RateLimiter {
    pub fn new(db: &Db, clock: Clock) -> Self {
        let shared = db.is_shared().then(|| Shared { db: db.clone(), counters: Counters::default() });
        Self { clock, windows: Counters::default(), shared }
    }

    /// A limiter that counts in this process only, whatever the database.
    pub fn in_memory(clock: Clock) -> Self {
        Self { clock, windows: Counters::default(), shared: None }
    }

    /// Counts a request unless `limit` requests were admitted in the 60 seconds before it. Refused ones do not count.
    pub async fn admit(&self, counter: Counter, limit: u32) -> Result<Admission> {
        let now = self.clock.steady();
        match &self.shared {
            Some(Shared { db, counters }) if counter.is_shared() => {
                let name = counter.to_string();
                let shared = counters.with(counter, now, |shared| Arc::clone(shared));
                shared.admit(db, &self.clock, name, limit).await
            }
            _ => Ok(self.windows.with(counter, now, |window| window.admit(limit, now))),
        }
    }

    /// The refusal of a request, if this process already knows that the limit is reached. Does not read the database
    /// and counts nothing. For a shared counter it may not know yet what other nodes admitted.
    pub fn refusal(&self, counter: &Counter, limit: u32) -> Option<Admission> {
        let now = self.clock.steady();
        match &self.shared {
            Some(Shared { counters, .. }) if counter.is_shared() => {
                counters.look(counter, |shared| shared.refusal(limit, now))
            }
            _ => self.windows.look(counter, |window| window.refusal(limit, now)),
        }
    }
}

/// Removes the shared counters that are empty. Returns how many.
pub async fn forget_idle_counters(db: &Db) -> Result<u64> {
    match db.shared().await? {
        Some(mut tx) => Ok(store::rate_limit::delete_idle(&mut tx).await?),
        None => Ok(0),
    }
}
