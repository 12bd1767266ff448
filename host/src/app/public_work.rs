//! Costly work that anyone with an address can request: PNGs of pictures, checks of certificates. A file is read once a
//! permit for its work is held and its bytes are within the budget; equal requests share one computation; it runs on
//! low-priority threads. The console's previews of pictures have the same limits.

use std::{sync::Arc, thread, time::Duration};

use quick_cache::sync::Cache;
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore, oneshot},
    time::timeout,
};

use super::{memory_budget::MemoryBudget, single_flight::SingleFlight, verification::CheckedCertificate};
use crate::error::{Error, Result};

/// The budget for files processed at the same time. A larger file takes all of it.
const BYTES: u32 = 192 << 20;
/// How long a request waits for its turn.
const TIMEOUT: Duration = Duration::from_secs(30);
/// Added to the threads' niceness: requests and jobs come first.
const NICENESS: i32 = 10;
const FAILURES_REMEMBERED: usize = 10_000;

/// The result, shared by equal requests.
pub type Outcome<T> = Result<T, Arc<Error>>;

#[derive(Debug)]
pub struct PublicWork {
    pub pictures: WorkQueue<()>,
    pub checks: WorkQueue<Arc<CheckedCertificate>>,
    /// Blobs of pictures that cannot be decoded. A blob never changes.
    pub undecodable: Cache<String, ()>,
    /// For the files of both.
    pub bytes: MemoryBudget,
}

/// One kind of work.
#[derive(Debug)]
pub struct WorkQueue<T: Clone> {
    permits: Arc<Semaphore>,
    bytes: MemoryBudget,
    flights: SingleFlight<String, Outcome<T>>,
}

/// A permit and a part of the budget.
#[derive(Debug)]
pub struct Reservation {
    _permit: OwnedSemaphorePermit,
    _bytes: OwnedSemaphorePermit,
}

impl PublicWork {
    pub fn new(cores: usize) -> Self {
        let bytes = MemoryBudget::new(BYTES);
        let half = (cores / 2).max(1);
        Self {
            pictures: WorkQueue::new(half, bytes.clone()),
            checks: WorkQueue::new(half, bytes.clone()),
            undecodable: Cache::new(FAILURES_REMEMBERED),
            bytes,
        }
    }
}

impl<T: Clone + Send + Sync + 'static> WorkQueue<T> {
    fn new(permits: usize, bytes: MemoryBudget) -> Self {
        Self { permits: Arc::new(Semaphore::new(permits)), bytes, flights: SingleFlight::default() }
    }

    /// Does `work`, or waits for it if it is already running for the same `subject`.
    pub async fn run<W: Future<Output = Result<T>> + Send + 'static>(
        &self,
        subject: String,
        work: impl FnOnce() -> W,
    ) -> Result<T> {
        let outcome = self.flights.run(subject, || {
            let work = work();
            Box::pin(async move { work.await.map_err(Arc::new) })
        });
        outcome.await.map_err(|error| same(&error))
    }

    /// Waits until a file of `size` bytes may be processed. 503 if others take too long.
    pub async fn reserve(&self, size: u64) -> Result<Reservation> {
        let reserve = async {
            let permit = Arc::clone(&self.permits).acquire_owned().await.map_err(Error::internal)?;
            let bytes = self.bytes.reserve(size).await?;
            Ok(Reservation { _permit: permit, _bytes: bytes })
        };
        timeout(TIMEOUT, reserve).await.unwrap_or_else(|_| {
            let message = "the server is busy with other requests; try again".to_owned();
            Err(Error::NotReady { message, retry_after_seconds: 10 })
        })
    }
}

/// Runs `work` on a separate thread of low priority. The reservation is held until the work has ended, even if the
/// caller is gone.
pub async fn on_background_thread<T: Send + 'static>(
    reserved: Reservation,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T> {
    let (answer, done) = oneshot::channel();
    let run = move || {
        // On Linux niceness is per thread. If the call fails, the work is done anyway.
        let _ = rustix::process::nice(NICENESS);
        let outcome = work();
        drop(reserved);
        // No one receives it if all callers are gone.
        let _ = answer.send(outcome);
    };
    thread::Builder::new().name("public work".to_owned()).spawn(run).map_err(Error::internal)?;
    done.await.map_err(|_| Error::internal(anyhow::anyhow!("work requested through a public address panicked")))
}

/// The same error for another caller.
fn same(error: &Error) -> Error {
    match error {
        Error::NotFound(message) => Error::NotFound(message.clone()),
        Error::NotReady { message, retry_after_seconds } => {
            Error::NotReady { message: message.clone(), retry_after_seconds: *retry_after_seconds }
        }
        other => Error::internal(anyhow::anyhow!("{other}")),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[tokio::test]
    async fn a_file_larger_than_the_budget_is_worked_on_alone() {
        let work = PublicWork::new(8);
        let small = work.pictures.reserve(1).await.unwrap();
        let large = work.checks.reserve(u64::MAX);
        tokio::pin!(large);
        assert!(futures_util::poll!(&mut large).is_pending());
        drop(small);
        let large = large.await.unwrap();
        let next = work.pictures.reserve(1);
        tokio::pin!(next);
        assert!(futures_util::poll!(&mut next).is_pending());
        drop(large);
        next.await.unwrap();
    }

    #[tokio::test]
    async fn a_panic_is_an_error_and_gives_back_what_was_reserved() {
        let work = PublicWork::new(1);
        for _ in 0..3 {
            let reserved = work.pictures.reserve(1).await.unwrap();
            let outcome = on_background_thread(reserved, || panic!("as a decoder might")).await;
            assert!(matches!(outcome, Err::<(), _>(Error::Internal(_))));
        }
    }

    #[tokio::test]
    async fn a_failure_is_shared_with_concurrent_requests() {
        let (work, started) = (PublicWork::new(1), AtomicUsize::new(0));
        let ask = || {
            work.pictures.run("a".to_owned(), || {
                started.fetch_add(1, Ordering::SeqCst);
                async {
                    tokio::task::yield_now().await;
                    Err(Error::not_found("no picture"))
                }
            })
        };
        let (first, second) = tokio::join!(ask(), ask());
        assert!(matches!((first, second), (Err(Error::NotFound(_)), Err(Error::NotFound(_)))));
        assert_eq!(started.load(Ordering::SeqCst), 1);
    }
}
