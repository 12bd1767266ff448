//! How long anything may wait for the database. A server that is frozen, or a disk that hangs, answers nothing and reports
//! nothing: only a clock on this side ends the wait.
//!
//! A request that meets a frozen database is answered within 10 s. It waits at most once for a connection and once for a
//! statement, because the first that fails ends it.

use std::{future::Future, io, time::Duration};

use tokio::time::timeout;

/// For a connection to PostgreSQL out of the pool, made anew if need be.
pub(super) const ACQUIRE: Duration = Duration::from_secs(4);
/// For a statement on PostgreSQL. Longer than the server's own `statement_timeout`, so that a server that lives reports it.
pub(super) const STATEMENT: Duration = Duration::from_millis(5_500);
/// The same for work that no request waits for.
pub(super) const MAINTENANCE: Duration = Duration::from_mins(10);
/// For giving a connection back to the pool. One that cannot be given back is closed.
pub(super) const RETURN: Duration = Duration::from_secs(3);
/// For the first connection to PostgreSQL.
pub(super) const CONNECT: Duration = Duration::from_secs(8);
/// For all migrations together.
pub(super) const MIGRATION: Duration = Duration::from_hours(1);
/// On SQLite for a reader out of the pool, for a turn to write, for a statement, and for the shared commit.
pub(super) const SQLITE: Duration = Duration::from_secs(8);
/// How long SQLite tries to get the lock that another process holds (`apply`, `doctor`).
pub(super) const SQLITE_BUSY: Duration = Duration::from_secs(7);

/// What the server itself ends on each connection of the pool, and how it notices that a client is gone.
///
/// - A transaction of a process that is frozen in it holds its locks for `idle_in_transaction_session_timeout`, and no longer.
/// - The locks of a machine that vanished are free when its connection does not answer for about 25 s.
pub(super) const SESSION: &str = "set lock_timeout = '4s'; set statement_timeout = '5s'; \
     set idle_in_transaction_session_timeout = '6s'; \
     set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3; \
     set tcp_user_timeout = '20s'";
/// The same for migrations. Another node that migrates just now is waited for.
pub(super) const SESSION_OF_MIGRATIONS: &str = "set lock_timeout = '10min'; \
     set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3";
/// Begins a transaction with [`MAINTENANCE`] for each statement.
pub(super) const BEGIN_MAINTENANCE: &str = "begin; set local lock_timeout = '30s'; set local statement_timeout = '9min'; \
     set local idle_in_transaction_session_timeout = '1min'";

/// Waits for `work` no longer than `limit`.
pub(super) async fn in_time<T>(limit: Duration, work: impl Future<Output = sqlx::Result<T>>) -> sqlx::Result<T> {
    timeout(limit, work).await.unwrap_or_else(|_| Err(no_answer(limit)))
}

/// The error of what did not answer within `limit`.
pub(super) fn no_answer(limit: Duration) -> sqlx::Error {
    sqlx::Error::Io(io::Error::new(io::ErrorKind::TimedOut, format!("the database did not answer within {limit:?}")))
}
