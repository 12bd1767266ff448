//! Costly work that anybody with an address can ask for: PNGs of pictures, checks of certificates. A file is read once a
//! permit for its work is held and its bytes are within the budget; equal requests share one computation; it runs on
//! threads that leave the processors to everything else.

use std::{sync::Arc, thread, time::Duration};

use quick_cache::sync::Cache;
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore, oneshot},
    time::timeout,
};

use super::{single_flight::SingleFlight, verification::Checked};
use crate::error::{Error, Result};

/// Of the files that are worked on at once, in KiB. A larger file takes all of it.
const BYTES: u32 = 192 * 1024;
/// How long a request waits for its turn.
const PATIENCE: Duration = Duration::from_secs(30);
/// Added to the threads' niceness: requests and jobs come first.
const NICENESS: i32 = 10;
const FAILURES_REMEMBERED: usize = 10_000;

/// What an equal request gets too.
pub type Outcome<T> = Result<T, Arc<Error>>;

#[derive(Debug)]
pub struct PublicWork {
    pub pictures: Line<()>,
    pub checks: Line<Arc<Checked>>,
    /// Blobs of pictures that cannot be decoded. A blob never changes.
    pub undecodable: Cache<String, ()>,
}

/// One kind of work.
#[derive(Debug)]
pub struct Line<T: Clone> {
    permits: Arc<Semaphore>,
    bytes: Arc<Semaphore>,
    flights: SingleFlight<String, Outcome<T>>,
}

/// A permit and a part of the budget.
#[derive(Debug)]
pub struct Reserved {
    _permit: OwnedSemaphorePermit,
    _bytes: OwnedSemaphorePermit,
}

impl PublicWork {
    pub fn new(cores: usize) -> Self {
        let bytes = Arc::new(Semaphore::new(BYTES as usize));
        let half = (cores / 2).max(1);
        Self {
            pictures: Line::new(half, Arc::clone(&bytes)),
            checks: Line::new(half, bytes),
            undecodable: Cache::new(FAILURES_REMEMBERED),
        }
    }
}

impl<T: Clone + Send + Sync + 'static> Line<T> {
    fn new(permits: usize, bytes: Arc<Semaphore>) -> Self {
        Self { permits: Arc::new(Semaphore::new(permits)), bytes, flights: SingleFlight::default() }
    }

    /// Does `work` unless it is under way for the same `subject`: then waits for that.
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

    /// Waits until a file of `size` bytes may be worked on. 503 when others take too long.
    pub async fn reserve(&self, size: u64) -> Result<Reserved> {
        let kibibytes = u32::try_from(size.div_ceil(1024)).unwrap_or(BYTES).clamp(1, BYTES);
        let reserve = async {
            let permit = Arc::clone(&self.permits).acquire_owned().await.map_err(Error::internal)?;
            let bytes = Arc::clone(&self.bytes).acquire_many_owned(kibibytes).await.map_err(Error::internal)?;
            Ok(Reserved { _permit: permit, _bytes: bytes })
        };
        timeout(PATIENCE, reserve).await.unwrap_or_else(|_| {
            let message = "others are being served; try again".to_owned();
            Err(Error::NotReady { message, retry_after_seconds: 10 })
        })
    }
}

/// Runs `work` on a thread of its own that yields to all others. What was reserved is held until it has ended, also where
/// the caller has gone away.
pub async fn on_a_patient_thread<T: Send + 'static>(
    reserved: Reserved,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T> {
    let (answer, done) = oneshot::channel();
    let run = move || {
        // On Linux this is the thread's own. Where it is refused the work is done all the same.
        let _ = rustix::process::nice(NICENESS);
        let outcome = work();
        drop(reserved);
        // Nobody hears it where all who asked are gone.
        let _ = answer.send(outcome);
    };
    thread::Builder::new().name("public work".to_owned()).spawn(run).map_err(Error::internal)?;
    done.await.map_err(|_| Error::internal(anyhow::anyhow!("work that was asked for over a public address panicked")))
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
            let outcome = on_a_patient_thread(reserved, || panic!("as a decoder might")).await;
            assert!(matches!(outcome, Err::<(), _>(Error::Internal(_))));
        }
    }

    #[tokio::test]
    async fn a_failure_is_shared_with_those_who_ask_meanwhile() {
        let (work, begun) = (PublicWork::new(1), AtomicUsize::new(0));
        let ask = || {
            work.pictures.run("a".to_owned(), || {
                begun.fetch_add(1, Ordering::SeqCst);
                async {
                    tokio::task::yield_now().await;
                    Err(Error::not_found("no picture"))
                }
            })
        };
        let (first, second) = tokio::join!(ask(), ask());
        assert!(matches!((first, second), (Err(Error::NotFound(_)), Err(Error::NotFound(_)))));
        assert_eq!(begun.load(Ordering::SeqCst), 1);
    }
}
