//! PostgreSQL: the pool, and one connection from it with its timeouts.

use std::{str::FromStr, time::Duration};

use anyhow::Context;
use sqlx::{
    ConnectOptions, Connection, Executor, PgPool, Postgres,
    pool::PoolConnection,
    postgres::{PgConnectOptions, PgConnection, PgDatabaseError, PgPoolOptions, PgSeverity},
};
use tokio::{runtime::Handle, time::timeout};

use super::{CONNECTIONS, limits, migrate};

/// How long a connection may be idle and still be used without a ping, which costs as much as a query.
const TRUSTED_IDLE: Duration = Duration::from_secs(1);

/// Connects to `postgres://…` and brings its schema up to date.
pub(super) async fn open(url: &str) -> anyhow::Result<PgPool> {
    let options = options(url)?;
    // Without the pool first, which would retry and then report only a timeout.
    let mut connection = connect(&options).await?;
    limits::in_time(limits::CONNECT, connection.execute(limits::SESSION_OF_MIGRATIONS)).await?;
    timeout(limits::MIGRATION, migrate::run(&mut connection, migrate::Dialect::Postgres))
        .await
        .map_err(|_| limits::no_answer(limits::MIGRATION))??;
    limits::in_time(limits::CONNECT, connection.close()).await.context("connecting to PostgreSQL")?;
    let pool = PgPoolOptions::new()
        .max_connections(CONNECTIONS)
        .acquire_timeout(limits::ACQUIRE)
        .test_before_acquire(false)
        .after_connect(|connection, _| Box::pin(async move { connection.execute(limits::SESSION).await.map(drop) }))
        .before_acquire(|connection, facts| {
            Box::pin(async move {
                if facts.idle_for > TRUSTED_IDLE {
                    connection.ping().await?;
                }
                Ok(true)
            })
        })
        .connect_lazy_with(options);
    Ok(pool)
}

/// Whether the database has no installation. Changes nothing in it.
pub(super) async fn is_empty(url: &str) -> anyhow::Result<bool> {
    let mut connection = connect(&options(url)?).await?;
    let sql = "select count(*) from information_schema.tables where table_schema = current_schema() and table_name = 'companies'";
    let counted = sqlx::query_as(sql).fetch_one(&mut connection);
    let (tables,): (i64,) = limits::in_time(limits::STATEMENT, counted).await?;
    limits::in_time(limits::CONNECT, connection.close()).await?;
    Ok(tables == 0)
}

/// A connection without the timeouts of the pool.
pub(super) async fn connect_alone(url: &str) -> anyhow::Result<PgConnection> {
    connect(&options(url)?).await
}

fn options(url: &str) -> anyhow::Result<PgConnectOptions> {
    // The address may contain a password: our errors never repeat it.
    Ok(PgConnectOptions::from_str(url)
        .context("`database_url` is neither `sqlite://PATH` nor a PostgreSQL address `postgres://…`")?
        .application_name("sealwright")
        .disable_statement_logging())
}

async fn connect(options: &PgConnectOptions) -> anyhow::Result<PgConnection> {
    let place = || match options.get_socket() {
        Some(socket) => format!("connecting to PostgreSQL at {}", socket.display()),
        None => format!("connecting to PostgreSQL at {}:{}", options.get_host(), options.get_port()),
    };
    limits::in_time(limits::CONNECT, options.connect()).await.with_context(place)
}

/// A connection from the pool, perhaps with an open transaction.
///
/// One that owes an answer (a timeout, or the caller was dropped during a statement) is closed when this is dropped:
/// the pool would wait for that answer before it reuses the connection.
#[derive(Debug)]
pub(super) struct Session {
    /// Present until this is dropped.
    connection: Option<PoolConnection<Postgres>>,
    /// For each statement.
    limit: Duration,
    pub(super) is_in_transaction: bool,
    /// Whether a statement has not been answered, or the connection is broken.
    owes_an_answer: bool,
    /// Whether a statement of the transaction failed: PostgreSQL then rolls back on a commit but reports success.
    has_failed: bool,
}

impl Session {
    pub(super) async fn acquire(pool: &PgPool) -> sqlx::Result<Self> {
        Ok(Self {
            connection: Some(pool.acquire().await?),
            limit: limits::STATEMENT,
            is_in_transaction: false,
            owes_an_answer: false,
            has_failed: false,
        })
    }

    /// Begins a transaction.
    pub(super) async fn begin(pool: &PgPool) -> sqlx::Result<Self> {
        Self::acquire(pool).await?.start_with("begin").await
    }

    /// Begins a transaction whose statements may take longer.
    pub(super) async fn begin_maintenance(pool: &PgPool) -> sqlx::Result<Self> {
        let mut session = Self::acquire(pool).await?.start_with(limits::BEGIN_MAINTENANCE).await?;
        session.limit = limits::MAINTENANCE;
        Ok(session)
    }

    async fn start_with(mut self, sql: &'static str) -> sqlx::Result<Self> {
        // Before the answer: a transaction may be open on the server even if its answer never arrives.
        self.is_in_transaction = true;
        self.run(sql).await?;
        Ok(self)
    }

    /// Commits the transaction, if there is one. Without an answer it is unknown whether it is durable; this is an
    /// error.
    pub(super) async fn commit(mut self) -> sqlx::Result<()> {
        if !self.is_in_transaction {
            return Ok(());
        }
        if self.has_failed {
            return Err(sqlx::Error::Protocol("a transaction in which a statement failed cannot be committed".into()));
        }
        self.run("commit").await?;
        self.is_in_transaction = false;
        Ok(())
    }

    pub(super) async fn roll_back(mut self) -> sqlx::Result<()> {
        if !self.is_in_transaction {
            return Ok(());
        }
        self.run("rollback").await?;
        self.is_in_transaction = false;
        Ok(())
    }

    /// Call this after the failed part of the transaction was rolled back.
    pub(super) fn recovered(&mut self) {
        self.has_failed = false;
    }

    async fn run(&mut self, sql: &'static str) -> sqlx::Result<()> {
        let (connection, limit) = self.ask()?;
        let answer = limits::in_time(limit, connection.execute(sql)).await;
        self.answered(answer).map(drop)
    }

    /// The connection for the next statement, and its timeout. [`Session::answered`] must be called afterwards.
    pub(super) fn ask(&mut self) -> sqlx::Result<(&mut PgConnection, Duration)> {
        if self.owes_an_answer {
            return Err(limits::no_answer(self.limit));
        }
        self.owes_an_answer = true;
        let connection = self.connection.as_mut().expect("a session holds its connection until it is dropped");
        Ok((&mut **connection, self.limit))
    }

    pub(super) fn answered<T>(&mut self, answer: sqlx::Result<T>) -> sqlx::Result<T> {
        self.owes_an_answer = answer.as_ref().is_err_and(ends_connection);
        self.has_failed |= self.is_in_transaction && answer.is_err();
        answer
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let Some(connection) = self.connection.take() else { return };
        match Handle::try_current() {
            Ok(runtime) if !self.owes_an_answer => drop(runtime.spawn(give_back(connection, self.is_in_transaction))),
            // Closes the socket at once. The server rolls back when it detects this.
            _ => drop(connection.detach()),
        }
    }
}

/// Returns a connection to the pool without a transaction, or closes it.
async fn give_back(mut connection: PoolConnection<Postgres>, is_in_transaction: bool) {
    if is_in_transaction && limits::in_time(limits::RETURN, connection.execute("rollback")).await.is_err() {
        drop(connection.detach());
        return;
    }
    // The pool would do this without a timeout and wait for ever for a server that does not answer. After the timeout
    // the connection is closed, because the future that holds it is dropped.
    let _ = timeout(limits::RETURN, connection.return_to_pool()).await;
}

/// Whether the connection can no longer be used.
fn ends_connection(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(_) | sqlx::Error::Tls(_) | sqlx::Error::Protocol(_) | sqlx::Error::WorkerCrashed => true,
        sqlx::Error::Database(error) => error
            .try_downcast_ref::<PgDatabaseError>()
            .is_some_and(|error| matches!(error.severity(), PgSeverity::Fatal | PgSeverity::Panic)),
        _ => false,
    }
}
