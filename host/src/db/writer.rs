//! Shared commits on SQLite. One connection writes. Requests take turns on it, each inside a savepoint of one
//! transaction that is already open; if no request is waiting when a turn ends, it commits for all. So a commit, which
//! costs a flush of the disk, includes all requests that arrived during the previous flush.
//!
//! Four failures are possible, and none may lose or invent a write:
//! - A request is dropped during its turn (its client hung up): its savepoint is rolled back, the others' stay.
//! - The commit fails: all its requests get the error; none was acknowledged before.
//! - SQLite rolled back the whole transaction by itself (disk full, I/O error): the same. The next turn starts a new
//!   one, on a new connection if the old one no longer works.
//! - The disk hangs: callers stop waiting, and the turn ends when the disk answers.

use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use sqlx::{ConnectOptions, Executor, SqliteConnection, sqlite::SqliteConnectOptions};
use tokio::sync::{Mutex, Notify, OwnedMutexGuard, oneshot};

use super::limits;

/// The most turns of one commit, so that the first of them does not wait for ever.
const MAX_TURNS: usize = 256;
/// How long a commit waits for as many turns as the previous one had. Clients that were answered together return
/// together: without this wait they would split into two halves that flush alternately.
const LINGER: Duration = Duration::from_millis(1);
/// How long turns that arrive one by one, each within [`LINGER`] of the previous one, may delay a commit in total.
const MAX_LINGER: Duration = Duration::from_millis(10);

#[derive(Debug)]
pub(super) struct Writer {
    batch: Arc<Mutex<Batch>>,
    /// How many are waiting for a turn. Each is certain to take it, so a turn may leave the commit to the next one.
    waiting: AtomicUsize,
    arrived: Notify,
}

/// The shared state of the turns of one commit.
#[derive(Debug)]
struct Batch {
    connection: SqliteConnection,
    /// For opening the connection again.
    options: SqliteConnectOptions,
    /// Whether the connection can no longer be used.
    is_broken: bool,
    /// Whether `begin immediate` has run.
    open: bool,
    /// Requests whose turn has ended and that wait for the commit.
    waiters: Vec<CommitWaiter>,
    /// Since when the first of them is waiting.
    waiting_since: Instant,
    /// How many waited for the last commit.
    last_waiters: usize,
}

/// One request's turn: a savepoint on the writing connection. Dropped without [`Turn::commit`], it is rolled back.
#[derive(Debug)]
pub(super) struct Turn {
    writer: Arc<Writer>,
    /// Present until the turn is committed or rolled back.
    batch: Option<OwnedMutexGuard<Batch>>,
}

impl Writer {
    /// `connection` was opened with `options`.
    pub(super) fn new(connection: SqliteConnection, options: SqliteConnectOptions) -> Arc<Self> {
        let batch = Batch {
            connection,
            // A missing file is not created again: an empty database would look like one that lost everything.
            options: options.create_if_missing(false),
            is_broken: false,
            open: false,
            waiters: Vec::new(),
            waiting_since: Instant::now(),
            last_waiters: 0,
        };
        Arc::new(Self { batch: Arc::new(Mutex::new(batch)), waiting: AtomicUsize::new(0), arrived: Notify::new() })
    }

    #[cfg(test)]
    pub(super) fn has_waiting(&self) -> bool {
        self.waiting.load(Ordering::SeqCst) > 0
    }

    /// Waits for a turn, first come first served.
    ///
    /// Runs as a task of its own: a caller that is dropped while waiting must stay in the queue, because the previous
    /// turn may have left it the commit. The turn is then taken and rolled back at once.
    pub(super) async fn turn(self: &Arc<Self>) -> sqlx::Result<Turn> {
        let writer = Arc::clone(self);
        writer.waiting.fetch_add(1, Ordering::SeqCst);
        writer.arrived.notify_one();
        let task = tokio::spawn(async move {
            let mut batch = Arc::clone(&writer.batch).lock_owned().await;
            writer.waiting.fetch_sub(1, Ordering::SeqCst);
            match batch.start_turn().await {
                Ok(()) => Ok(Turn { writer, batch: Some(batch) }),
                Err(error) => {
                    batch.abandon(&error).await;
                    Err(error)
                }
            }
        });
        task.await.map_err(|_| sqlx::Error::WorkerCrashed)?
    }
}

impl Turn {
    pub(super) fn connection(&mut self) -> &mut SqliteConnection {
        let batch = self.batch.as_mut().expect("a turn holds its batch until it is consumed by `commit` or dropped");
        &mut batch.connection
    }

    /// Ends the turn and returns when its commit is on the disk.
    ///
    /// The end runs as a task of its own, so that a caller dropped here cannot stop the commit of others. If the disk
    /// does not answer in time it is unknown whether the commit is durable, and this is an error.
    pub(super) async fn commit(mut self) -> sqlx::Result<()> {
        self.end(Ending::Keep).await
    }

    /// Rolls back the turn, and returns when the earlier turns whose data it saw are on the disk: a refusal that
    /// results from another's write must not be returned before that write is durable.
    pub(super) async fn roll_back(mut self) -> sqlx::Result<()> {
        self.end(|waiter| Ending::GiveUp(Some(waiter))).await
    }

    async fn end(&mut self, ending: impl FnOnce(CommitWaiter) -> Ending) -> sqlx::Result<()> {
        let batch = self.batch.take().expect("a turn holds its batch until it is consumed by `commit` or dropped");
        let (waiter, outcome) = oneshot::channel();
        tokio::spawn(end_turn(Arc::clone(&self.writer), batch, ending(waiter)));
        let outcome = async { outcome.await.unwrap_or(Err(sqlx::Error::WorkerCrashed)) };
        limits::in_time(limits::SQLITE, outcome).await
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        // Without a runtime the process is ending: the connection closes and SQLite rolls everything back itself.
        if let (Some(batch), Ok(runtime)) = (self.batch.take(), tokio::runtime::Handle::try_current()) {
            runtime.spawn(end_turn(Arc::clone(&self.writer), batch, Ending::GiveUp(None)));
        }
    }
}

/// A request that waits for the commit.
type CommitWaiter = oneshot::Sender<sqlx::Result<()>>;

enum Ending {
    Keep(CommitWaiter),
    GiveUp(Option<CommitWaiter>),
}

async fn end_turn(writer: Arc<Writer>, mut batch: OwnedMutexGuard<Batch>, ending: Ending) {
    let (sql, waiter) = match ending {
        Ending::Keep(waiter) => ("release turn", Some(waiter)),
        Ending::GiveUp(waiter) => ("rollback to turn; release turn", waiter),
    };
    let ended = batch.connection.execute(sql).await;
    if let Some(waiter) = waiter {
        if batch.waiters.is_empty() {
            batch.waiting_since = Instant::now();
        }
        batch.waiters.push(waiter);
    }
    if let Err(error) = ended {
        batch.abandon(&error).await;
        return;
    }
    let deadline = (Instant::now() + LINGER).min(batch.waiting_since + MAX_LINGER);
    loop {
        let waiters = batch.waiters.len();
        if waiters < MAX_TURNS && writer.waiting.load(Ordering::SeqCst) > 0 {
            // The next in the queue continues in the open transaction and takes care of the commit.
            return;
        }
        let left = deadline.saturating_duration_since(Instant::now());
        if waiters == 0 || waiters >= batch.last_waiters || left.is_zero() {
            break;
        }
        // An early wake-up only repeats the check.
        let _ = tokio::time::timeout(left, writer.arrived.notified()).await;
    }
    batch.commit().await;
}

impl Batch {
    async fn start_turn(&mut self) -> sqlx::Result<()> {
        if self.is_broken {
            self.connection = self.options.connect().await?;
            self.is_broken = false;
            tracing::info!("the SQLite database was opened again for writing");
        }
        if self.open {
            self.connection.execute("savepoint turn").await?;
        } else {
            // IMMEDIATE takes the write lock now: a transaction that started with a read would fail instead of waiting
            // for another process.
            self.connection.execute("begin immediate; savepoint turn").await?;
            self.open = true;
        }
        Ok(())
    }

    /// Ends the transaction and reports the outcome to the waiters.
    async fn commit(&mut self) {
        match self.connection.execute("commit").await {
            Ok(_) => {
                self.open = false;
                self.last_waiters = self.waiters.len();
                for waiter in self.waiters.drain(..) {
                    // The waiter's client hung up; its write stays.
                    let _ = waiter.send(Ok(()));
                }
            }
            Err(error) => self.abandon(&error).await,
        }
    }

    /// Rolls back the whole transaction: nothing in it was acknowledged.
    async fn abandon(&mut self, cause: &sqlx::Error) {
        tracing::error!(error = %cause, requests = self.waiters.len(), "a shared commit failed and was rolled back");
        // If SQLite has rolled back by itself there is no transaction, and this fails as expected.
        let _ = self.connection.execute("rollback").await;
        self.open = false;
        for waiter in self.waiters.drain(..) {
            let _ = waiter.send(Err(sqlx::Error::Io(io::Error::other(format!("the shared commit failed: {cause}")))));
        }
        // A transaction that is still open, or a connection that does not answer, would make every later turn fail.
        if let Err(error) = self.connection.execute("begin; rollback").await {
            tracing::error!(%error, "the SQLite connection for writing can no longer be used");
            self.is_broken = true;
        }
    }
}
