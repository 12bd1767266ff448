//! The database. Only this module knows whether it is SQLite or PostgreSQL.
//!
//! Other modules use one SQL text for both. [`Tx`] and [`Query`] select the database; the two blanket traits [`Value`]
//! and [`Record`] define what both can store and return. `docs/adr/0002-two-databases.md` has the rules for SQL that
//! runs on both.
//!
//! SQLite writers share commits (see [`writer`]): a disk allows a few hundred durable commits per second, and a commit
//! of many requests costs the same as a commit of one.

mod column;
mod commits;
mod limits;
mod migrate;
mod postgres;
mod session;
#[cfg(test)]
mod tests;
mod writer;

use std::{path::PathBuf, str::FromStr, sync::Arc, time::Instant};

use anyhow::Context;
use sqlx::{
    Arguments, AssertSqlSafe, ConnectOptions, Encode, FromRow, PgPool, Postgres, SqlSafeStr, SqlStr, Sqlite,
    SqlitePool, Type,
    pool::PoolConnection,
    postgres::{PgArguments, PgRow},
    sqlite::{
        SqliteArguments, SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqlitePoolOptions, SqliteRow,
        SqliteSynchronous,
    },
};

pub(crate) use column::text_column;
use commits::Commits;
pub use commits::{CommitBuckets, CommitDurations, CommitLabels, Connections};
use limits::in_time;
use postgres::Session;
pub use session::SessionLock;
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
            Self::open_sqlite(url).await
        } else {
            Ok(Self::of(Kind::Postgres(postgres::open(url).await?)))
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
        let mut connection =
            options.connect().await.with_context(|| format!("opening the SQLite database at `{url}`"))?;
        migrate::run(&mut connection, migrate::Dialect::Sqlite).await?;
        let readers = SqlitePoolOptions::new()
            .max_connections(CONNECTIONS)
            .acquire_timeout(limits::SQLITE)
            // A file does not disconnect, so a test before every use only costs time.
            .test_before_acquire(false)
            .connect_with(options.clone().read_only(true))
            .await
            .context("opening the SQLite database for reading")?;
        Ok(Self::of(Kind::Sqlite { readers, writer: Writer::new(connection, options) }))
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

    /// A connection for reading, without a transaction. Writing through it fails on SQLite.
    pub async fn read(&self) -> sqlx::Result<Tx> {
        Ok(self.tx(match &self.kind {
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
        Tx { inner, commits: self.commits.clone() }
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

/// A transaction, or a connection for reading.
#[derive(Debug)]
pub struct Tx {
    inner: Inner,
    commits: Commits,
}

#[derive(Debug)]
enum Inner {
    SqliteTurn(Turn),
    SqliteReader(PoolConnection<Sqlite>),
    Postgres(Session),
}

impl Tx {
    pub fn query(&mut self, sql: &'static str) -> Query<'_> {
        Query { sql: sql.into_sql_str(), target: self.target() }
    }

    /// A query whose sub-select takes rows that no other node has locked: on PostgreSQL every `/* skip locked */` in
    /// `sql` becomes `for update skip locked`; SQLite has one writer at a time and needs no lock.
    pub fn query_skipping_locked(&mut self, sql: &'static str) -> Query<'_> {
        let target = self.target();
        let sql = match target {
            // Safe: the text and the replacement are constants of the program.
            Target::Postgres(..) => {
                AssertSqlSafe(sql.replace("/* skip locked */", "for update skip locked")).into_sql_str()
            }
            Target::Sqlite(..) => sql.into_sql_str(),
        };
        Query { sql, target }
    }

    /// A query for a row that must not be deleted before this transaction ends: on PostgreSQL every `/* key share */`
    /// in `sql` becomes `for key share`; SQLite has one writer at a time and needs no lock.
    pub fn query_keeping(&mut self, sql: &'static str) -> Query<'_> {
        let target = self.target();
        let sql = match target {
            // Safe: the text and the replacement are constants of the program.
            Target::Postgres(..) => AssertSqlSafe(sql.replace("/* key share */", "for key share")).into_sql_str(),
            Target::Sqlite(..) => sql.into_sql_str(),
        };
        Query { sql, target }
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
            if let Inner::Postgres(session) = &mut self.inner {
                session.recovered();
            }
        }
        self.query("release savepoint part").execute().await?;
        Ok(())
    }

    /// Makes the transaction durable. On SQLite this returns when its shared commit is on the disk.
    pub async fn commit(self) -> sqlx::Result<()> {
        let Self { inner, commits } = self;
        let started = Instant::now();
        match inner {
            Inner::SqliteTurn(turn) => commits.count(started, turn.commit().await),
            Inner::Postgres(session) if session.is_in_transaction => commits.count(started, session.commit().await),
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
        match self.inner {
            Inner::SqliteTurn(turn) => turn.roll_back().await?,
            Inner::Postgres(session) => session.roll_back().await?,
            Inner::SqliteReader(_) => {}
        }
        outcome
    }

    fn target(&mut self) -> Target<'_> {
        match &mut self.inner {
            Inner::SqliteTurn(turn) => Target::Sqlite(turn.connection(), SqliteArguments::default()),
            Inner::SqliteReader(connection) => Target::Sqlite(connection, SqliteArguments::default()),
            Inner::Postgres(session) => Target::Postgres(session, PgArguments::default()),
        }
    }
}

/// A value both databases can store.
pub trait Value<'q>: Encode<'q, Sqlite> + Type<Sqlite> + Encode<'q, Postgres> + Type<Postgres> {}
impl<'q, T> Value<'q> for T where T: Encode<'q, Sqlite> + Type<Sqlite> + Encode<'q, Postgres> + Type<Postgres> {}

/// A record both databases can return.
pub trait Record: for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow> + Send + Unpin {}
impl<T> Record for T where T: for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow> + Send + Unpin {}

/// One statement: bind its values in the order of `$1`, `$2`, …, then run it.
#[derive(Debug)]
pub struct Query<'c> {
    sql: SqlStr,
    target: Target<'c>,
}

#[derive(Debug)]
enum Target<'c> {
    Sqlite(&'c mut SqliteConnection, SqliteArguments),
    Postgres(&'c mut Session, PgArguments),
}

impl Query<'_> {
    /// Binds the next value.
    ///
    /// # Panics
    /// If a value cannot be encoded; the types the store binds (numbers, text, bytes, booleans) always can.
    #[must_use]
    pub fn bind<'q>(mut self, value: impl Value<'q>) -> Self {
        match &mut self.target {
            Target::Sqlite(_, arguments) => arguments.add(value),
            Target::Postgres(_, arguments) => arguments.add(value),
        }
        .expect("numbers, text, bytes and booleans can always be encoded");
        self
    }

    /// Runs the statement and returns how many rows it changed.
    pub async fn execute(self) -> sqlx::Result<u64> {
        let Self { sql, target } = self;
        match target {
            Target::Sqlite(connection, arguments) => {
                let done = sqlx::query_with(sql, arguments).execute(connection);
                Ok(in_time(limits::SQLITE, done).await?.rows_affected())
            }
            Target::Postgres(session, arguments) => {
                let (connection, limit) = session.ask()?;
                let done = in_time(limit, sqlx::query_with(sql, arguments).execute(connection)).await;
                Ok(session.answered(done)?.rows_affected())
            }
        }
    }

    /// The first row, if there is one.
    pub async fn optional<R: Record>(self) -> sqlx::Result<Option<R>> {
        let Self { sql, target } = self;
        match target {
            Target::Sqlite(connection, arguments) => {
                in_time(limits::SQLITE, sqlx::query_as_with(sql, arguments).fetch_optional(connection)).await
            }
            Target::Postgres(session, arguments) => {
                let (connection, limit) = session.ask()?;
                let row = in_time(limit, sqlx::query_as_with(sql, arguments).fetch_optional(connection)).await;
                session.answered(row)
            }
        }
    }

    /// The row of a statement that always returns one, such as `insert … returning`.
    pub async fn one<R: Record>(self) -> sqlx::Result<R> {
        self.optional().await?.ok_or(sqlx::Error::RowNotFound)
    }

    /// Every row.
    pub async fn all<R: Record>(self) -> sqlx::Result<Vec<R>> {
        let Self { sql, target } = self;
        match target {
            Target::Sqlite(connection, arguments) => {
                in_time(limits::SQLITE, sqlx::query_as_with(sql, arguments).fetch_all(connection)).await
            }
            Target::Postgres(session, arguments) => {
                let (connection, limit) = session.ask()?;
                let rows = in_time(limit, sqlx::query_as_with(sql, arguments).fetch_all(connection)).await;
                session.answered(rows)
            }
        }
    }
}

/// Whether a statement failed because of a foreign key: the row it deletes is referenced, or the row it references is
/// missing.
pub fn is_foreign_key_violation(error: &sqlx::Error) -> bool {
    error.as_database_error().is_some_and(sqlx::error::DatabaseError::is_foreign_key_violation)
}

/// Whether a statement failed because a row with the same key exists. Works on both databases, whatever the constraint
/// is called.
pub fn is_unique_violation(error: &sqlx::Error) -> bool {
    error.as_database_error().is_some_and(sqlx::error::DatabaseError::is_unique_violation)
}
