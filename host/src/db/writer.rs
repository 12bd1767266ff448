//! Shared commits on SQLite. One connection writes. Requests take turns on it, each inside a savepoint of one transaction
//! that is already open; whoever ends a turn while nobody waits commits for all. So a commit, which costs a disk's flush,
//! carries as many requests as came in during the flush before it.
//!
//! Four things can go wrong and none may lose or invent a write:
//! - A request is dropped in mid-turn (its client hung up): its savepoint is rolled back, the others' stay.
//! - The commit fails: every request that rode in it is told so; none was acknowledged before.
//! - SQLite gave up the whole transaction by itself (disk full, I/O error): the same. The next turn begins anew, on a new
//!   connection if the old one does not answer any more.
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

/// A commit carries at most this many turns, so that the first of them is not kept waiting without end.
const MOST_TURNS: usize = 256;
/// How long a commit waits for as many turns as the one before it carried. Clients that were answered together come back
/// together: without this wait they would fall into two halves that flush in turn.
const LINGER: Duration = Duration::from_millis(1);
/// How long turns that arrive one by one, each within [`LINGER`] of the one before, may keep a commit waiting in all.
const LONGEST_LINGER: Duration = Duration::from_millis(10);

#[derive(Debug)]
pub(super) struct Writer {
    batch: Arc<Mutex<Batch>>,
    /// How many are waiting for a turn. Whoever is counted here is sure to take it, so a turn may leave the commit to it.
    waiting: AtomicUsize,
    arrived: Notify,
}

/// What the turns of one commit share.
#[derive(Debug)]
struct Batch {
    connection: SqliteConnection,
    /// How the connection is made again.
    options: SqliteConnectOptions,
    /// Whether the connection is of no use any more.
    is_broken: bool,
    /// Whether `begin immediate` has run.
    open: bool,
    /// Those whose turn has ended and who wait for the commit.
    riders: Vec<Rider>,
    /// Since when the first of them waits.
    waiting_since: Instant,
    /// How many rode in the last commit.
    last_riders: usize,
}

/// One request's turn: a savepoint on the writing connection. Dropped without [`Turn::commit`], it is rolled back.
#[derive(Debug)]
pub(super) struct Turn {
    writer: Arc<Writer>,
    /// Present until the turn is committed or given up.
    batch: Option<OwnedMutexGuard<Batch>>,
}

impl Writer {
    /// `connection` was made with `options`.
    pub(super) fn new(connection: SqliteConnection, options: SqliteConnectOptions) -> Arc<Self> {
        let batch = Batch {
            connection,
            // What is gone is not made anew: an empty database would look like one that lost everything.
            options: options.create_if_missing(false),
            is_broken: false,
            open: false,
            riders: Vec::new(),
            waiting_since: Instant::now(),
            last_riders: 0,
        };
        Arc::new(Self { batch: Arc::new(Mutex::new(batch)), waiting: AtomicUsize::new(0), arrived: Notify::new() })
    }

    #[cfg(test)]
    pub(super) fn is_anybody_waiting(&self) -> bool {
        self.waiting.load(Ordering::SeqCst) > 0
    }

    /// Waits for a turn, first come first served.
    ///
    /// Runs as a task of its own: a caller that is dropped while waiting must not vanish from the queue, because the
    /// turn before it may have left it the commit. The turn is then taken and given up at once.
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

    /// Ends the turn and returns when the commit that carries it is on the disk.
    ///
    /// The end runs as a task of its own, so that a caller dropped here cannot stop a commit that others ride in. If the disk
    /// does not answer in time it is not known whether the commit lasts, and this is an error.
    pub(super) async fn commit(mut self) -> sqlx::Result<()> {
        self.end(Ending::Keep).await
    }

    /// Undoes the turn, and returns when what it saw of the turns before it is on the disk: a refusal that follows from
    /// another's write must not be heard before that write is sure to last.
    pub(super) async fn roll_back(mut self) -> sqlx::Result<()> {
        self.end(|rider| Ending::GiveUp(Some(rider))).await
    }

    async fn end(&mut self, ending: impl FnOnce(Rider) -> Ending) -> sqlx::Result<()> {
        let batch = self.batch.take().expect("a turn holds its batch until it is consumed by `commit` or dropped");
        let (rider, outcome) = oneshot::channel();
        tokio::spawn(end_turn(Arc::clone(&self.writer), batch, ending(rider)));
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

/// Who waits for the commit.
type Rider = oneshot::Sender<sqlx::Result<()>>;

enum Ending {
    Keep(Rider),
    GiveUp(Option<Rider>),
}

async fn end_turn(writer: Arc<Writer>, mut batch: OwnedMutexGuard<Batch>, ending: Ending) {
    let (sql, rider) = match ending {
        Ending::Keep(rider) => ("release turn", Some(rider)),
        Ending::GiveUp(rider) => ("rollback to turn; release turn", rider),
    };
    let ended = batch.connection.execute(sql).await;
    if let Some(rider) = rider {
        if batch.riders.is_empty() {
            batch.waiting_since = Instant::now();
        }
        batch.riders.push(rider);
    }
    if let Err(error) = ended {
        batch.abandon(&error).await;
        return;
    }
    let deadline = (Instant::now() + LINGER).min(batch.waiting_since + LONGEST_LINGER);
    loop {
        let riders = batch.riders.len();
        if riders < MOST_TURNS && writer.waiting.load(Ordering::SeqCst) > 0 {
            // The next in the queue goes on in the open transaction, and sees to the commit.
            return;
        }
        let left = deadline.saturating_duration_since(Instant::now());
        if riders == 0 || riders >= batch.last_riders || left.is_zero() {
            break;
        }
        // An early wake-up only means another look.
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
            // IMMEDIATE takes the write lock now: a transaction that began by reading could not be made to wait for
            // another process, it would fail.
            self.connection.execute("begin immediate; savepoint turn").await?;
            self.open = true;
        }
        Ok(())
    }

    /// Ends the transaction and tells the riders how it went.
    async fn commit(&mut self) {
        match self.connection.execute("commit").await {
            Ok(_) => {
                self.open = false;
                self.last_riders = self.riders.len();
                for rider in self.riders.drain(..) {
                    // A rider that is gone hung up; its write stands.
                    let _ = rider.send(Ok(()));
                }
            }
            Err(error) => self.abandon(&error).await,
        }
    }

    /// Gives up the whole transaction: nothing in it was acknowledged.
    async fn abandon(&mut self, cause: &sqlx::Error) {
        tracing::error!(error = %cause, requests = self.riders.len(), "a shared commit failed and was rolled back");
        // If SQLite has rolled back by itself there is no transaction, and this fails as it should.
        let _ = self.connection.execute("rollback").await;
        self.open = false;
        for rider in self.riders.drain(..) {
            let _ = rider.send(Err(sqlx::Error::Io(io::Error::other(format!("the shared commit failed: {cause}")))));
        }
        // A transaction that is still open, or a connection that does not answer, would fail every turn to come.
        if let Err(error) = self.connection.execute("begin; rollback").await {
            tracing::error!(%error, "the SQLite connection that writes cannot be used any more");
            self.is_broken = true;
        }
    }
}
