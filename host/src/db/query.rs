//! One statement, on either database, and which statements may write.

use std::marker::PhantomData;

use sqlx::{
    Arguments, AssertSqlSafe, Encode, FromRow, Postgres, SqlSafeStr, SqlStr, Sqlite, Type,
    postgres::{PgArguments, PgRow},
    sqlite::{SqliteArguments, SqliteConnection, SqliteRow},
};

use super::{
    limits::{self, in_time},
    postgres::Session,
};

/// A value both databases can store.
pub trait Value<'q>: Encode<'q, Sqlite> + Type<Sqlite> + Encode<'q, Postgres> + Type<Postgres> {}
impl<'q, T> Value<'q> for T where T: Encode<'q, Sqlite> + Type<Sqlite> + Encode<'q, Postgres> + Type<Postgres> {}

/// A record both databases can return.
pub trait Record: for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow> + Send + Unpin {}
impl<T> Record for T where T: for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow> + Send + Unpin {}

/// A statement of a [`Reader`](super::Reader).
#[derive(Debug)]
pub enum Reading {}

/// A statement of a [`Tx`](super::Tx).
#[derive(Debug)]
pub enum Writing {}

/// What a statement may do: [`Reading`] or [`Writing`].
pub trait Access {
    const MAY_WRITE: bool;
}

impl Access for Reading {
    const MAY_WRITE: bool = false;
}

impl Access for Writing {
    const MAY_WRITE: bool = true;
}

/// One statement: bind its values in the order of `$1`, `$2`, …, then run it.
#[derive(Debug)]
pub struct Query<'c, A> {
    sql: SqlStr,
    target: Target<'c>,
    access: PhantomData<A>,
}

#[derive(Debug)]
pub(super) enum Target<'c> {
    Sqlite(&'c mut SqliteConnection, SqliteArguments),
    Postgres(&'c mut Session, PgArguments),
}

impl<'c> Target<'c> {
    pub(super) fn sqlite(connection: &'c mut SqliteConnection) -> Self {
        Self::Sqlite(connection, SqliteArguments::default())
    }

    pub(super) fn postgres(session: &'c mut Session) -> Self {
        Self::Postgres(session, PgArguments::default())
    }
}

impl<'c, A: Access> Query<'c, A> {
    pub(super) fn new(sql: &'static str, target: Target<'c>) -> Self {
        Self { sql: sql.into_sql_str(), target, access: PhantomData }
    }

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

    /// The first row, if there is one.
    pub async fn optional<R: Record>(self) -> sqlx::Result<Option<R>> {
        let (sql, target) = self.permitted()?;
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

    /// The row of a statement that always returns one, such as `select count(*)` or `insert … returning`.
    pub async fn one<R: Record>(self) -> sqlx::Result<R> {
        self.optional().await?.ok_or(sqlx::Error::RowNotFound)
    }

    /// Every row.
    pub async fn all<R: Record>(self) -> sqlx::Result<Vec<R>> {
        let (sql, target) = self.permitted()?;
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

    /// The statement, unless it writes and may not.
    fn permitted(self) -> sqlx::Result<(SqlStr, Target<'c>)> {
        if A::MAY_WRITE || only_reads(self.sql.as_str()) {
            Ok((self.sql, self.target))
        } else {
            let sql = self.sql.as_str();
            Err(sqlx::Error::InvalidArgument(format!("a statement that writes needs a transaction: {sql}")))
        }
    }
}

impl Query<'_, Writing> {
    /// At this place, in a sub-select that takes rows, the statement skips those that another node has locked; `rest`
    /// follows. On PostgreSQL this is `for update skip locked`; SQLite has one writer at a time and needs no lock.
    #[must_use]
    pub fn skip_locked(self, rest: &'static str) -> Self {
        self.lock_rows(" for update skip locked ", rest)
    }

    /// The selected rows must not be deleted before the transaction ends. On PostgreSQL this is `for key share`; SQLite
    /// has one writer at a time and needs no lock.
    #[must_use]
    pub fn keep_rows(self) -> Self {
        self.lock_rows(" for key share", "")
    }

    fn lock_rows(mut self, clause: &'static str, rest: &'static str) -> Self {
        let clause = if matches!(self.target, Target::Postgres(..)) { clause } else { " " };
        // Safe: all parts are constants of the program.
        self.sql = AssertSqlSafe(format!("{}{clause}{rest}", self.sql.as_str())).into_sql_str();
        self
    }

    /// Runs the statement and returns how many rows it changed.
    pub async fn execute(self) -> sqlx::Result<u64> {
        let Self { sql, target, .. } = self;
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
}

/// Whether the text is a query: it starts as one, and no word outside of quotes writes or locks.
fn only_reads(sql: &str) -> bool {
    // Every second part is inside quotes.
    let mut words =
        sql.split('\'').step_by(2).flat_map(|part| part.split(|c: char| !c.is_ascii_alphanumeric() && c != '_'));
    let is = |word: &str, list: &[&str]| list.iter().any(|one| word.eq_ignore_ascii_case(one));
    let is_query = words.find(|word| !word.is_empty()).is_some_and(|word| is(word, &["select", "with"]));
    is_query && !words.any(|word| is(word, &["insert", "update", "delete", "merge", "share", "into"]))
}

#[cfg(test)]
mod tests {
    use super::only_reads;

    #[test]
    fn queries_only_read() {
        for sql in [
            "select cast(1 as bigint)",
            "\n  SELECT updated_at, deleted_at, last_update from items",
            "with recursive a (x) as (select 1) select x from a",
            "select id from jobs where state <> 'delete' and kind = 'update'",
        ] {
            assert!(only_reads(sql), "{sql}");
        }
    }

    #[test]
    fn statements_that_write_or_lock_are_not_queries() {
        for sql in [
            "",
            "insert into reports (token) values ($1) returning token",
            "update jobs set state = 'ready' returning id",
            "delete from items where case_id = $1 returning blob_key",
            "with gone as (delete from items returning id) select id from gone",
            "with a as (select 1) insert into b select * from a",
            "select id from jobs for update skip locked",
            "select id from jobs FOR UPDATE",
            "select token from reports for key share",
            "select id into copied from jobs",
            "savepoint part",
            "pragma max_page_count = 1",
            "vacuum",
        ] {
            assert!(!only_reads(sql), "{sql}");
        }
    }
}
