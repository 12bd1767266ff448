//! The database. Only this module knows whether it is SQLite or PostgreSQL.
//!
//! Other modules use one SQL text for both. [`Reader`], [`Tx`] and [`Query`] select the database; the two blanket traits
//! [`Value`] and [`Record`] define what both can store and return. `docs/adr/0002-two-databases.md` has the rules for SQL
//! that runs on both.
//!
//! SQLite writers share commits (see [`writer`]): a disk allows a few hundred durable commits per second, and a commit
//! of many requests costs the same as a commit of one.

mod commits;
mod limits;
mod load;
mod migrate;
mod postgres;
mod query;
mod session;
mod snapshot;
#[cfg(test)]
mod tests;
mod writer;

use std::{
    ops::{Deref, DerefMut},
    path::PathBuf,
    str::FromStr,
    sync::Arc,
    time::Instant,
};

use anyhow::Context;
use sqlx::{
    ConnectOptions, PgPool, Sqlite, SqlitePool,
    pool::PoolConnection,
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous},
};

use commits::Commits;
pub use commits::{CommitBuckets, CommitDurations, CommitLabels, Connections};
use limits::in_time;
pub use load::Loader;
pub use migrate::NewerSchema;
use postgres::Session;
pub use query::{Query, Reading, Record, Value};
use query::{Target, Writing};
pub use session::SessionLock;
pub use snapshot::{Column, ColumnKind, Snapshot, Table};
use writer::{Turn, Writer};

/// The number of readers of one SQLite file, and of connections to one PostgreSQL server.
const CONNECTIONS: u32 = 16;

/// A handle to the database; clones share it.
#[derive(Clone, Debug)]
pub struct Db {
    kind: Kind,
    commits: Commits,
}

#[derive(Clone, Debug)]
enum Kind {
    Sqlite { readers: SqlitePool, writer: Arc<Writer> },
    Postgres(PgPool),
}

impl Db {
    /// Connects to `sqlite://PATH` (created if missing) or `postgres://…` and brings its schema up to date.
    pub async fn open(url: &str) -> anyhow::Result<Self> {
        if url.starts_with("sqlite:") {
            Box::pin(Self::open_sqlite(url)).await
        } else {
            Ok(Self::of(Kind::Postgres(Box::pin(postgres::open(url)).await?)))
        }
    }

    /// Whether the PostgreSQL database at `url` has no installation. Changes nothing in it.
    pub async fn is_empty(url: &str) -> anyhow::Result<bool> {
        postgres::is_empty(url).await
    }

    /// The file of the database, if it is SQLite.
    pub fn file(url: &str) -> Option<PathBuf> {
        let options = SqliteConnectOptions::from_str(url).ok().filter(|_| url.starts_with("sqlite:"))?;
        Some(options.get_filename().to_owned())
    }

    fn of(kind: Kind) -> Self {
        Self { kind, commits: Commits::default() }
    }

    async fn open_sqlite(url: &str) -> anyhow::Result<Self> {
        let options = SqliteConnectOptions::from_str(url)
            .with_context(|| format!("`{url}` is not an SQLite address"))?
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            // FULL: a commit is on the disk before it is acknowledged. NORMAL would lose acknowledged cases in a power
            // failure.
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            // A second process (`apply`, `doctor`) may be writing.
            .busy_timeout(limits::SQLITE_BUSY)
            .disable_statement_logging();
        // The writer keeps what it would need for rolling back a turn in memory. In a file, any turn that changes more than 16
        // pages needs a descriptor, and a server that is out of descriptors could not close a case.
        // Deleted rows are overwritten: otherwise what was erased stays in the file until its pages are used again.
        let writer = options.clone().pragma("temp_store", "memory").pragma("secure_delete", "on");
        let mut connection =
            writer.connect().await.with_context(|| format!("opening the SQLite database at `{url}`"))?;
        migrate::run(&mut connection, migrate::Dialect::Sqlite).await?;
        let readers = SqlitePoolOptions::new()
            .max_connections(CONNECTIONS)
            .acquire_timeout(limits::SQLITE)
            // A file does not disconnect, so a test before every use only costs time.
            .test_before_acquire(false)
            .connect_with(options.read_only(true))
            .await
            .context("opening the SQLite database for reading")?;
        Ok(Self::of(Kind::Sqlite { readers, writer: Writer::new(connection, writer) }))
    }

    /// Whether several nodes may share this database. On SQLite only one process writes leases of jobs.
    pub fn is_shared(&self) -> bool {
        matches!(self.kind, Kind::Postgres(_))
    }

    /// Begins a transaction that writes. Its changes are durable once [`Tx::commit`] has returned; dropped before that,
    /// it is rolled back. Hold it for statements only: on SQLite every other writer waits for this one's turn to end.
    ///
    /// This and every statement fails if the database does not answer in time (see [`limits`]).
    pub async fn begin(&self) -> sqlx::Result<Tx> {
        Ok(self.tx(match &self.kind {
            Kind::Sqlite { writer, .. } => Inner::SqliteTurn(in_time(limits::SQLITE, writer.turn()).await?),
            Kind::Postgres(pool) => Inner::Postgres(Session::begin(pool).await?),
        }))
    }

    /// Like [`Db::begin`], for work that no request waits for: each statement on PostgreSQL may take minutes instead of
    /// seconds.
    pub async fn begin_maintenance(&self) -> sqlx::Result<Tx> {
        Ok(self.tx(match &self.kind {
            Kind::Sqlite { writer, .. } => Inner::SqliteTurn(writer.turn().await?),
            Kind::Postgres(pool) => Inner::Postgres(Session::begin_maintenance(pool).await?),
        }))
    }

    /// A connection for reading, without a transaction.
    pub async fn read(&self) -> sqlx::Result<Reader> {
        Ok(Reader(match &self.kind {
            Kind::Sqlite { readers, .. } => Inner::SqliteReader(readers.acquire().await?),
            Kind::Postgres(pool) => Inner::Postgres(Session::acquire(pool).await?),
        }))
    }

    /// A connection to a database that nodes share, on which each statement is a transaction of its own: one round trip.
    /// None on SQLite.
    pub async fn shared(&self) -> sqlx::Result<Option<Tx>> {
        match &self.kind {
            Kind::Sqlite { .. } => Ok(None),
            Kind::Postgres(pool) => Ok(Some(self.tx(Inner::Postgres(Session::acquire(pool).await?)))),
        }
    }

    fn tx(&self, inner: Inner) -> Tx {
        Tx { reader: Reader(inner), commits: self.commits.clone() }
    }

    /// Whether a writer waits for its turn.
    #[cfg(test)]
    fn has_waiting(&self) -> bool {
        matches!(&self.kind, Kind::Sqlite { writer, .. } if writer.has_waiting())
    }

    /// Waits for running transactions and closes every connection. A connection that does not answer is closed when the
    /// process ends.
    pub async fn close(&self) {
        let closed = async {
            match &self.kind {
                Kind::Sqlite { readers, .. } => readers.close().await,
                Kind::Postgres(pool) => pool.close().await,
            }
            Ok(())
        };
        if in_time(limits::SQLITE, closed).await.is_err() {
            tracing::warn!("connections to the database could not be closed in time");
        }
    }
}

/// A connection for reading. Its statements cannot write: they have no [`Query::execute`], and one whose text writes
/// (`insert … returning`) is an error.
#[derive(Debug)]
pub struct Reader(Inner);

/// A transaction. It can also be used as a [`Reader`], which then sees what the transaction has written.
#[derive(Debug)]
pub struct Tx {
    reader: Reader,
    commits: Commits,
}

#[derive(Debug)]
enum Inner {
    SqliteTurn(Turn),
    SqliteReader(PoolConnection<Sqlite>),
    Postgres(Session),
}

impl Reader {
    pub fn query(&mut self, sql: &'static str) -> Query<'_, Reading> {
        Query::new(sql, self.target())
    }

    fn target(&mut self) -> Target<'_> {
        match &mut self.0 {
            Inner::SqliteTurn(turn) => Target::sqlite(turn.connection()),
            Inner::SqliteReader(connection) => Target::sqlite(connection),
            Inner::Postgres(session) => Target::postgres(session),
        }
    }
}

impl Deref for Tx {
    type Target = Reader;

    fn deref(&self) -> &Reader {
        &self.reader
    }
}

impl DerefMut for Tx {
    fn deref_mut(&mut self) -> &mut Reader {
        &mut self.reader
    }
}

impl Tx {
    pub fn query(&mut self, sql: &'static str) -> Query<'_, Writing> {
        Query::new(sql, self.reader.target())
    }

    /// Begins a part of the transaction that can be rolled back separately. Parts do not nest.
    pub async fn begin_part(&mut self) -> sqlx::Result<()> {
        self.query("savepoint part").execute().await?;
        Ok(())
    }

    /// Ends the part: keeps its changes, or rolls them back. After a failed statement it must be rolled back:
    /// PostgreSQL accepts nothing else.
    pub async fn end_part(&mut self, keep: bool) -> sqlx::Result<()> {
        if !keep {
            self.query("rollback to savepoint part").execute().await?;
            if let Inner::Postgres(session) = &mut self.reader.0 {
                session.recovered();
            }
        }
        self.query("release savepoint part").execute().await?;
        Ok(())
    }

    /// Makes the transaction durable. On SQLite this returns when its shared commit is on the disk.
    pub async fn commit(self) -> sqlx::Result<()> {
        let Self { reader, commits } = self;
        let started = Instant::now();
        match reader.0 {
            Inner::SqliteTurn(turn) => commits.count(started, turn.commit().await),
            Inner::Postgres(session) if session.is_in_transaction => commits.count(started, session.commit().await),
            // A transaction never has a reader of SQLite.
            Inner::Postgres(_) | Inner::SqliteReader(_) => Ok(()),
        }
    }

    /// Ends the transaction by the outcome of its work: commits it, or rolls it back and returns the error.
    ///
    /// An error is returned only when the data that caused it is durable. On SQLite that may be the write of a request
    /// whose shared commit is still pending: "closed already" must not be answered before the closing is durable.
    pub async fn settle<T, E: From<sqlx::Error>>(self, outcome: Result<T, E>) -> Result<T, E> {
        if outcome.is_ok() {
            self.commit().await?;
            return outcome;
        }
        match self.reader.0 {
            Inner::SqliteTurn(turn) => turn.roll_back().await?,
            Inner::Postgres(session) => session.roll_back().await?,
            Inner::SqliteReader(_) => {}
        }
        outcome
    }
}

/// Whether a statement failed because of a foreign key: the row it deletes is referenced, or the row it references is
/// missing.
pub fn is_foreign_key_violation(error: &sqlx::Error) -> bool {
    error.as_database_error().is_some_and(sqlx::error::DatabaseError::is_foreign_key_violation)
}
