//! A counter that several nodes share. Its window is a row of the database, which decides by its own clock.
//!
//! This node runs one statement at a time for the counter, which decides all requests that arrived during the previous
//! one: a busy counter costs its node one round trip at a time, not one for each request. Once the database has
//! reported that the counter is full, it stays full until the oldest request leaves the window, and is not queried
//! before that: a client that keeps trying costs the database nothing.

use std::{mem, panic::AssertUnwindSafe, sync::Arc, time::Duration};

use futures_util::FutureExt;
use parking_lot::{Mutex, MutexGuard};
use tokio::sync::oneshot;

use crate::{
    clock::{Clock, Timestamp},
    db::Db,
    domain::rate_limit::{Admission, WINDOW},
    error::{Error, Result},
    store::{
        self,
        rate_limit::{Decision, Measure},
    },
};

/// Up to this limit the row keeps the millisecond of every request.
const ALWAYS_EXACT: u32 = 1_000;
/// Above it, only of this many; further requests are counted until the end of the second in which their 60 seconds are
/// over. So never too many requests are admitted, and the row stays small for any quota.
const EXACT_MOMENTS: usize = 100;
const STEP: Duration = Duration::from_secs(1);

/// This node's requests for one counter.
#[derive(Debug, Default)]
pub(super) struct SharedCounter(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    waiting: Vec<WaitingRequest>,
    /// Whether a task is querying the database, and will continue until no request waits.
    asking: bool,
    full: Option<FullWindow>,
}

#[derive(Debug)]
struct WaitingRequest {
    limit: u32,
    answer: oneshot::Sender<Result<Admission>>,
}

/// The database's answer for a counter that admits no requests.
#[derive(Clone, Copy, Debug)]
struct FullWindow {
    limit: u32,
    /// By this node's steady clock. Counted from the start of the query, so it is not later than the database's time.
    until: Timestamp,
}

impl State {
    fn refusal(&self, limit: u32, now: Timestamp) -> Option<Admission> {
        let full = self.full.filter(|full| full.limit == limit && now < full.until)?;
        Some(Admission { admitted: false, limit, remaining: 0, reset: full.until.since(now) })
    }
}

impl SharedCounter {
    pub(super) async fn admit(
        self: Arc<Self>,
        db: &Db,
        clock: &Clock,
        counter: String,
        limit: u32,
    ) -> Result<Admission> {
        let (answer, decided) = oneshot::channel();
        let asks = {
            let mut state = self.state();
            if let Some(refusal) = state.refusal(limit, clock.steady()) {
                return Ok(refusal);
            }
            state.waiting.push(WaitingRequest { limit, answer });
            !mem::replace(&mut state.asking, true)
        };
        if asks {
            // A separate task: this request's client may hang up, but the others must still get their answers.
            tokio::spawn(Arc::clone(&self).ask(db.clone(), clock.clone(), counter));
        }
        decided.await.map_err(Error::internal)?
    }

    /// The refusal of a request, if this node already knows that the limit is reached. The request is not counted.
    pub(super) fn refusal(&self, limit: u32, now: Timestamp) -> Option<Admission> {
        self.state().refusal(limit, now)
    }

    /// Queries the database until no request waits.
    async fn ask(self: Arc<Self>, db: Db, clock: Clock, counter: String) {
        loop {
            let waiting = {
                let mut state = self.state();
                state.asking = !state.waiting.is_empty();
                mem::take(&mut state.waiting)
            };
            // If a quota has just changed, the newest one counts.
            let Some(limit) = waiting.last().map(|last| last.limit) else { return };
            let asked_at = clock.steady();
            let asked = AssertUnwindSafe(decide(&db, &counter, waiting.len(), limit)).catch_unwind().await;
            match asked.unwrap_or_else(|_| Err(Error::internal(anyhow::anyhow!("counting a request panicked")))) {
                Ok(decision) => self.answer(waiting, limit, decision, asked_at),
                Err(error) => {
                    let error = Arc::new(error);
                    for WaitingRequest { answer, .. } in waiting {
                        // No one receives it if the client hung up.
                        let cause = anyhow::Error::new(Arc::clone(&error)).context("counting a request");
                        let _ = answer.send(Err(Error::internal(cause)));
                    }
                }
            }
        }
    }

    fn answer(&self, waiting: Vec<WaitingRequest>, limit: u32, decision: Decision, asked_at: Timestamp) {
        let Decision { admitted, used, reset, .. } = decision;
        let mut left = limit.saturating_sub(used).saturating_add(admitted);
        let all = waiting.len();
        for (position, WaitingRequest { answer, .. }) in (0_u32..).zip(waiting) {
            let is_admitted = position < admitted;
            left = left.saturating_sub(u32::from(is_admitted));
            let remaining = if is_admitted { left } else { 0 };
            let _ = answer.send(Ok(Admission { admitted: is_admitted, limit, remaining, reset }));
        }
        let is_full = left == 0 || usize::try_from(admitted).is_ok_and(|admitted| admitted < all);
        self.state().full = is_full.then_some(FullWindow { limit, until: asked_at.after(reset) });
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A panic while the lock was held cannot have left anything half-changed: nothing under it panics in between.
        self.0.lock()
    }
}

async fn decide(db: &Db, counter: &str, requests: usize, limit: u32) -> Result<Decision> {
    let tx = db.shared().await?;
    let mut tx = tx.ok_or_else(|| Error::internal(anyhow::anyhow!("no other node shares this database")))?;
    let exact = if limit <= ALWAYS_EXACT { usize::MAX } else { EXACT_MOMENTS };
    let measure = Measure { window: WINDOW, exact, step: STEP };
    Ok(store::rate_limit::admit(&mut tx, counter, requests, limit, measure).await?)
}
