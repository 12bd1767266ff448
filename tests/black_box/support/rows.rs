//! Reads a server's database directly, as an auditor would. Some tests also change rows, to create states that take
//! days or never occur on a healthy server.

use std::fs;

use sqlx::{
    AssertSqlSafe, Connection as _, FromRow, PgConnection, SqliteConnection,
    postgres::PgRow,
    raw_sql,
    sqlite::{SqliteConnectOptions, SqliteRow},
};

use super::{AMPLE, TestServer, eventually};

/// A separate connection to the database of a [`TestServer`].
pub(crate) enum Rows {
    Sqlite(SqliteConnection),
    Postgres(PgConnection),
}

impl Rows {
    pub(crate) async fn of(server: &TestServer) -> Self {
        let url = server.database_url();
        if url.starts_with("sqlite:") {
            let options: SqliteConnectOptions = url.parse().expect("an address of a database");
            Self::Sqlite(SqliteConnection::connect_with(&options.read_only(true)).await.expect("open the database"))
        } else {
            Self::Postgres(PgConnection::connect(&url).await.expect("connect to the database"))
        }
    }

    /// The rows of one statement that works on both databases.
    pub(crate) async fn all<R>(&mut self, sql: &'static str) -> Vec<R>
    where
        R: for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow> + Send + Unpin,
    {
        match self {
            Self::Sqlite(connection) => sqlx::query_as(sql).fetch_all(connection).await,
            Self::Postgres(connection) => sqlx::query_as(sql).fetch_all(connection).await,
        }
        .unwrap_or_else(|error| panic!("{sql}: {error}"))
    }

    /// Waits until the queue of jobs is empty.
    pub(crate) async fn without_jobs(server: &TestServer) {
        let mut rows = Self::of(server).await;
        eventually("no job is left", AMPLE, async || {
            let jobs: Vec<(String,)> = rows.all("select kind from jobs").await;
            jobs.is_empty().then_some(())
        })
        .await;
    }

    /// The columns of all tables that have a text in a row, in any case of its letters: `items.data`.
    pub(crate) async fn columns_with(&mut self, text: &str) -> Vec<String> {
        let all = match self {
            Self::Sqlite(_) => {
                "select m.name, c.name from sqlite_master m, pragma_table_info(m.name) c
                 where m.type = 'table' order by m.name, c.name"
            }
            Self::Postgres(_) => {
                "select cast(table_name as text), cast(column_name as text) from information_schema.columns
                 where table_schema = current_schema() order by table_name, column_name"
            }
        };
        let columns: Vec<(String, String)> = self.all(all).await;
        let (mut found, text) = (Vec::new(), text.to_lowercase());
        for (table, column) in columns {
            let name = format!("{table}.{column}");
            let sql = AssertSqlSafe(format!(
                "select count(*) from \"{table}\" where lower(cast(\"{column}\" as text)) like '%{text}%'"
            ));
            let rows: Result<(i64,), sqlx::Error> = match self {
                Self::Sqlite(connection) => sqlx::query_as(sql).fetch_one(connection).await,
                Self::Postgres(connection) => sqlx::query_as(sql).fetch_one(connection).await,
            };
            if rows.unwrap_or_else(|error| panic!("{name}: {error}")).0 > 0 {
                found.push(name);
            }
        }
        found
    }

    /// The bytes of the file of an SQLite database whose server has ended; none on PostgreSQL.
    pub(crate) async fn file(server: &TestServer) -> Option<Vec<u8>> {
        let url = server.database_url();
        if !url.starts_with("sqlite:") {
            return None;
        }
        // A process that ends may leave its write-ahead log behind.
        Self::change(server, "pragma wal_checkpoint(truncate)").await;
        let options: SqliteConnectOptions = url.parse().expect("an address of a database");
        Some(fs::read(options.get_filename()).expect("read the database"))
    }

    /// Whether the database accepts a statement with parameters, which is not run. The error is the database's message.
    pub(crate) async fn accept(&mut self, sql: &str) -> Result<(), String> {
        let accepted = match self {
            Self::Sqlite(connection) => {
                raw_sql(AssertSqlSafe(format!("explain {sql}"))).execute(connection).await.map(drop)
            }
            Self::Postgres(connection) => {
                let prepare = format!("prepare accepted as {sql}; deallocate accepted");
                raw_sql(AssertSqlSafe(prepare)).execute(connection).await.map(drop)
            }
        };
        accepted.map_err(|error| error.to_string())
    }

    /// Runs statements that work on both databases, like another process next to the server.
    pub(crate) async fn change(server: &TestServer, sql: &str) {
        let (url, sql) = (server.database_url(), AssertSqlSafe(sql));
        let done = if url.starts_with("sqlite:") {
            let options: SqliteConnectOptions = url.parse().expect("an address of a database");
            let options = options.busy_timeout(AMPLE);
            let mut connection = SqliteConnection::connect_with(&options).await.expect("open the database");
            raw_sql(sql).execute(&mut connection).await.map(drop)
        } else {
            let mut connection = PgConnection::connect(&url).await.expect("connect to the database");
            raw_sql(sql).execute(&mut connection).await.map(drop)
        };
        done.expect("run the statements");
    }

    /// Prevents other processes from publishing a plugin or template until it is dropped. They can still read.
    pub(crate) async fn hold_published(server: &TestServer) -> Self {
        let url = server.database_url();
        if url.starts_with("sqlite:") {
            let options: SqliteConnectOptions = url.parse().expect("an address of a database");
            let mut connection = SqliteConnection::connect_with(&options).await.expect("open the database");
            raw_sql("begin immediate").execute(&mut connection).await.expect("be the only writer");
            Self::Sqlite(connection)
        } else {
            let mut connection = PgConnection::connect(&url).await.expect("connect to the database");
            let lock = "begin; select revision from published_revision for update";
            raw_sql(lock).execute(&mut connection).await.expect("lock the row");
            Self::Postgres(connection)
        }
    }

    /// Checks the database file for damage. On PostgreSQL the file belongs to another process, which was not killed.
    pub(crate) async fn assert_intact(&mut self) {
        if let Self::Sqlite(connection) = self {
            let found: Vec<(String,)> =
                sqlx::query_as("pragma integrity_check").fetch_all(&mut *connection).await.expect("check the database");
            assert_eq!(found, [("ok".to_owned(),)]);
            let dangling: Vec<SqliteRow> =
                sqlx::query("pragma foreign_key_check").fetch_all(connection).await.expect("check the database");
            assert!(dangling.is_empty(), "{} rows refer to nothing", dangling.len());
        }
    }
}
