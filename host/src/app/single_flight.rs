//! Does work that is requested several times concurrently only once.

use std::{collections::HashMap, hash::Hash};

use futures_util::{
    FutureExt,
    future::{BoxFuture, Shared, WeakShared},
};
use parking_lot::{Mutex, MutexGuard};

type Flight<V> = Shared<BoxFuture<'static, V>>;

/// The running work, by key. Concurrent requests for the same key get the same answer. If all of them are dropped, so
/// is the work.
#[derive(Debug)]
pub(super) struct SingleFlight<K, V: Clone>(Mutex<HashMap<K, WeakShared<BoxFuture<'static, V>>>>);

impl<K, V: Clone> Default for SingleFlight<K, V> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: Clone + Eq + Hash, V: Clone> SingleFlight<K, V> {
    /// Waits for the running work for `key`, or starts `work`.
    pub(super) async fn run(&self, key: K, work: impl FnOnce() -> BoxFuture<'static, V>) -> V {
        // Dropped after the flight, whether it ended or its caller is gone.
        let landing = Landing { flights: self, key };
        self.join(&landing.key, work).await
    }

    fn join(&self, key: &K, work: impl FnOnce() -> BoxFuture<'static, V>) -> Flight<V> {
        let mut flights = self.flights();
        if let Some(flight) = flights.get(key).and_then(WeakShared::upgrade) {
            return flight;
        }
        let flight = work().shared();
        // Only a finished flight has no weak handle, and this one has not started.
        if let Some(weak) = flight.downgrade() {
            flights.insert(key.clone(), weak);
        }
        flight
    }

    fn flights(&self) -> MutexGuard<'_, HashMap<K, WeakShared<BoxFuture<'static, V>>>> {
        self.0.lock()
    }
}

struct Landing<'a, K: Clone + Eq + Hash, V: Clone> {
    flights: &'a SingleFlight<K, V>,
    key: K,
}

impl<K: Clone + Eq + Hash, V: Clone> Drop for Landing<'_, K, V> {
    fn drop(&mut self) {
        let mut flights = self.flights.flights();
        // The last one out.
        if flights.get(&self.key).is_some_and(|flight| flight.upgrade().is_none()) {
            flights.remove(&self.key);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    };

    use tokio::sync::{Notify, oneshot};

    use super::*;

    #[tokio::test]
    async fn equal_requests_share_one_computation() {
        let flights = Arc::new(SingleFlight::<&str, usize>::default());
        let (started, go) = (Arc::new(AtomicUsize::new(0)), Arc::new(Notify::new()));
        let mut asking = tokio::task::JoinSet::new();
        for _ in 0..100 {
            let (flights, started, go) = (Arc::clone(&flights), Arc::clone(&started), Arc::clone(&go));
            asking.spawn(async move {
                let work = || {
                    let number = started.fetch_add(1, Ordering::SeqCst) + 1;
                    async move {
                        go.notified().await;
                        number
                    }
                    .boxed()
                };
                flights.run("a", work).await
            });
        }
        while started.load(Ordering::SeqCst) == 0 {
            tokio::task::yield_now().await;
        }
        go.notify_one();
        assert_eq!(asking.join_all().await, vec![1; 100]);
        assert!(flights.flights().is_empty(), "what has ended is forgotten");
        assert_eq!(flights.run("a", || async { 2 }.boxed()).await, 2);
    }

    #[tokio::test]
    async fn work_without_waiting_callers_ends() {
        let flights = SingleFlight::<&str, ()>::default();
        let (held, gone) = oneshot::channel::<()>();
        let mut waiting = Box::pin(flights.run("a", || {
            async move {
                let _held = held;
                std::future::pending::<()>().await;
            }
            .boxed()
        }));
        assert!((&mut waiting).now_or_never().is_none());
        drop(waiting);
        assert!(gone.await.is_err());
        assert!(flights.flights().is_empty());
    }
}
