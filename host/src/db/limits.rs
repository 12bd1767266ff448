//! Timeouts for the database. A frozen server or a hanging disk neither answers nor reports an error: only a timeout
//! here ends the wait.
//!
//! With a frozen database, a request is answered within 10 s: it waits at most once for a connection and once for a
//! statement, because the first failure ends it.

use std::{future::Future, io, time::Duration};

use tokio::time::timeout;

/// For a connection to PostgreSQL from the pool, including opening a new one.
pub(super) const ACQUIRE: Duration = Duration::from_secs(4);
/// For a statement on PostgreSQL. Longer than the server's own `statement_timeout`, so that a working server reports
/// it.
pub(super) const STATEMENT: Duration = Duration::from_millis(5_500);
/// The same for work that no request waits for.
pub(super) const MAINTENANCE: Duration = Duration::from_mins(10);
/// For returning a connection to the pool. One that cannot be returned is closed.
pub(super) const RETURN: Duration = Duration::from_secs(3);
/// For the first connection to PostgreSQL.
pub(super) const CONNECT: Duration = Duration::from_secs(8);
/// For all migrations together.
pub(super) const MIGRATION: Duration = Duration::from_hours(1);
/// On SQLite for a reader from the pool, for a turn to write, for a statement, and for the shared commit.
pub(super) const SQLITE: Duration = Duration::from_secs(8);
/// How long SQLite waits for a lock that another process holds (`apply`, `doctor`).
pub(super) const SQLITE_BUSY: Duration = Duration::from_secs(7);

/// The server's own timeouts for each connection of the pool, and how it detects that a client is gone.
///
/// - A transaction of a frozen process holds its locks at most for `idle_in_transaction_session_timeout`.
/// - The locks of a vanished machine are released after its connection did not answer for about 25 s.
pub(super) const SESSION: &str = "set lock_timeout = '4s'; set statement_timeout = '5s'; \
     set idle_in_transaction_session_timeout = '6s'; \
     set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3; \
     set tcp_user_timeout = '20s'";
/// The same for migrations. They wait for another node that is migrating.
pub(super) const SESSION_OF_MIGRATIONS: &str = "set lock_timeout = '10min'; \
     set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3";
/// Begins a transaction with [`MAINTENANCE`] for each statement.
pub(super) const BEGIN_MAINTENANCE: &str = "begin; set local lock_timeout = '30s'; set local statement_timeout = '9min'; \
     set local idle_in_transaction_session_timeout = '1min'";

/// Begins a transaction that sees the database as it is now, for as long as it takes to read it.
pub(super) const BEGIN_SNAPSHOT: &str = "set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; \
     begin isolation level repeatable read read only; select count(*) from companies";

/// Waits for `work` no longer than `limit`.
pub(super) async fn in_time<T>(limit: Duration, work: impl Future<Output = sqlx::Result<T>>) -> sqlx::Result<T> {
    timeout(limit, work).await.unwrap_or_else(|_| Err(no_answer(limit)))
}

/// The error for a timeout after `limit`.
pub(super) fn no_answer(limit: Duration) -> sqlx::Error {
    sqlx::Error::Io(io::Error::new(io::ErrorKind::TimedOut, format!("the database did not answer within {limit:?}")))
}
