//! A lock on a connection of its own: PostgreSQL releases it as soon as the session ends, however its process ended, so
//! other nodes can detect that a worker is gone.

use sqlx::{Connection, PgConnection, query_as};

use super::{Db, Kind};

/// A held lock. It is released when this is dropped.
#[derive(Debug)]
pub struct SessionLock {
    connection: PgConnection,
    class: i32,
    key: i32,
}

impl Db {
    /// Takes the lock `key` of a class of locks on a connection of its own; none if another session holds it, and on
    /// SQLite.
    pub async fn lock_for_session(&self, class: i32, key: i32) -> sqlx::Result<Option<SessionLock>> {
        let Kind::Postgres(pool) = &self.kind else { return Ok(None) };
        let mut connection = PgConnection::connect_with(&pool.connect_options()).await?;
        let (taken,): (bool,) =
            query_as("select pg_try_advisory_lock($1, $2)").bind(class).bind(key).fetch_one(&mut connection).await?;
        Ok(taken.then_some(SessionLock { connection, class, key }))
    }
}

impl SessionLock {
    /// Whether the lock is still held. A proxy that shares connections among clients may have released it.
    pub async fn is_held(&mut self) -> sqlx::Result<bool> {
        let (held,): (bool,) = query_as(
            "select exists (select 1 from pg_locks where locktype = 'advisory' and granted and objsubid = 2
               and pid = pg_backend_pid() and classid = cast($1 as oid) and objid = cast($2 as oid))",
        )
        .bind(i64::from(self.class))
        .bind(i64::from(self.key))
        .fetch_one(&mut self.connection)
        .await?;
        Ok(held)
    }

    /// Releases the lock at once.
    pub async fn free(self) {
        // If closing fails, dropping the connection has the same effect a moment later.
        let _ = self.connection.close().await;
    }
}
