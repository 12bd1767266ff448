//! The requests of this process that wait for events. Only one of them looks for new events, for all.

use std::{
    collections::{HashMap, hash_map::Entry},
    sync::Arc,
    time::Duration,
};

use parking_lot::Mutex;
use tokio::{
    sync::{Mutex as Turn, Notify},
    time::sleep,
};
use tokio_util::sync::CancellationToken;

use crate::{db::Db, domain::id::CompanyId, error::Result, store};

/// How often one request looks for new events.
const INTERVAL: Duration = Duration::from_millis(300);
/// How many requests of a company wait in this process. Another one is answered at once.
const MOST_OF_COMPANY: usize = 8;
/// The same for all companies together: each holds a connection.
const MOST: usize = 256;

/// The requests of this process that wait for events.
#[derive(Debug, Default)]
pub struct EventWaiters {
    companies: Mutex<HashMap<CompanyId, Waiting>>,
    /// The newest batch of events that was seen. Its holder looks for newer ones.
    seen: Turn<i64>,
    released: CancellationToken,
}

/// The waiting requests of a company.
#[derive(Debug, Default)]
struct Waiting {
    count: usize,
    wake: Arc<Notify>,
}

/// The place of a waiting request; it is free again when this is dropped.
pub(super) struct Place<'a> {
    waiters: &'a EventWaiters,
    pub(super) company: CompanyId,
    /// Notified when there may be a new event of the company.
    pub(super) wake: Arc<Notify>,
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        if let Entry::Occupied(mut entry) = self.waiters.companies.lock().entry(self.company) {
            entry.get_mut().count -= 1;
            if entry.get().count == 0 {
                entry.remove();
            }
        }
    }
}

impl EventWaiters {
    /// The requests that wait are answered, now and later.
    pub fn release(&self) {
        self.released.cancel();
    }

    /// Ends when the requests that wait must be answered: the server stops.
    pub(super) async fn released(&self) {
        self.released.cancelled().await;
    }

    /// None if enough requests wait.
    pub(super) fn enter(&self, company: CompanyId) -> Option<Place<'_>> {
        let mut companies = self.companies.lock();
        let all: usize = companies.values().map(|waiting| waiting.count).sum();
        let own = companies.get(&company).map_or(0, |waiting| waiting.count);
        if all >= MOST || own >= MOST_OF_COMPANY {
            return None;
        }
        let waiting = companies.entry(company).or_default();
        waiting.count += 1;
        Some(Place { waiters: self, company, wake: Arc::clone(&waiting.wake) })
    }

    /// Looks for new events and wakes the requests of their companies, for as long as this is polled. It waits for its
    /// turn first: when the request that looks is answered, another one goes on.
    pub(super) async fn look_out(&self, db: &Db) {
        let mut seen = self.seen.lock().await;
        loop {
            sleep(INTERVAL).await;
            match changed_since(db, *seen).await {
                Ok(changed) => {
                    for (company, batch) in changed {
                        *seen = batch.max(*seen);
                        self.wake(company);
                    }
                }
                Err(error) => tracing::debug!(%error, "new events are looked for later"),
            }
        }
    }

    fn wake(&self, company: CompanyId) {
        if let Some(waiting) = self.companies.lock().get(&company) {
            waiting.wake.notify_waiters();
        }
    }
}

async fn changed_since(db: &Db, batch: i64) -> Result<Vec<(CompanyId, i64)>> {
    let mut reader = db.read().await?;
    Ok(store::event::changed_since(&mut reader, batch).await?)
}
