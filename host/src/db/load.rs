//! Filling an empty database with the rows of a [`Snapshot`](super::Snapshot), also of the other database: for restores.
//! All rows are inserted in one transaction, so a restore that fails leaves the database empty.

use std::str::FromStr;

use anyhow::{Context, ensure};
use sqlx::{
    AssertSqlSafe, ConnectOptions, Connection, Executor, SqlSafeStr, SqlStr,
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous},
};

use super::{
    Db,
    limits::{self, in_time},
    migrate, postgres,
    snapshot::{Column, ColumnKind, Inner, Table, catalogue, quoted},
};

/// Tables that hold a row as soon as something was installed.
const OF_AN_INSTALLATION: [&str; 4] = ["companies", "secrets", "users", "console_users"];

/// An empty database that is being filled.
#[derive(Debug)]
pub struct Loader {
    inner: Inner,
    tables: Vec<Table>,
}

impl Db {
    /// Whether the database at `url` holds no installation. Changes nothing, and creates no file.
    pub async fn is_unused(url: &str) -> anyhow::Result<bool> {
        if Self::file(url).is_some_and(|file| !file.exists()) {
            return Ok(true);
        }
        let mut inner = connect(url, false).await?;
        is_unused(&mut inner).await
    }

    /// Begins to fill the empty database at `url`, with the schema that it had after the migration `schema`.
    pub async fn load_into(url: &str, schema: i64) -> anyhow::Result<Loader> {
        let mut inner = connect(url, true).await?;
        match &mut inner {
            Inner::Sqlite(connection) => {
                migrate::run_up_to(&mut **connection, migrate::Dialect::Sqlite, schema).await?;
            }
            Inner::Postgres(connection) => {
                migrate::run_up_to(&mut **connection, migrate::Dialect::Postgres, schema).await?;
            }
        }
        let begin = match inner {
            Inner::Sqlite(_) => "begin immediate",
            Inner::Postgres(_) => "begin; lock table companies in exclusive mode",
        };
        run(&mut inner, begin.into_sql_str()).await?;
        ensure!(is_unused(&mut inner).await?, "the database holds an installation");
        let tables = catalogue(&mut inner).await?;
        // Migrations insert rows, which the copy has too.
        for table in tables.iter().rev() {
            run(&mut inner, AssertSqlSafe(format!("delete from {}", quoted(&table.name))).into_sql_str()).await?;
        }
        Ok(Loader { inner, tables })
    }
}

impl Loader {
    /// Checks that the copy has the tables and columns of this schema.
    pub fn compare(&self, copied: &[Table]) -> anyhow::Result<()> {
        let shape = |tables: &[Table]| {
            let mut shape: Vec<(String, Vec<Column>)> =
                tables.iter().map(|table| (table.name.clone(), sorted(&table.columns))).collect();
            shape.sort_by(|a, b| a.0.cmp(&b.0));
            shape
        };
        let (here, there) = (shape(&self.tables), shape(copied));
        ensure!(here == there, "the tables in it are not those of its schema");
        Ok(())
    }

    /// Inserts rows: a JSON array with an array for each row, with the columns of `table`, which [`compare`](Self::compare)
    /// has accepted.
    pub async fn insert(&mut self, table: &Table, rows: &str) -> anyhow::Result<()> {
        let names: Vec<String> = table.columns.iter().map(|column| quoted(&column.name)).collect();
        let (name, names) = (quoted(&table.name), names.join(", "));
        let values = table.columns.iter().enumerate();
        let sql = match self.inner {
            Inner::Sqlite(_) => {
                let values: Vec<String> = values.map(|(at, _)| format!("json_extract(value, '$[{at}]')")).collect();
                format!("insert into {name} ({names}) select {} from json_each($1)", values.join(", "))
            }
            Inner::Postgres(_) => {
                let values: Vec<String> = values.map(|(at, column)| postgres_value(at, column)).collect();
                let overriding = if table.identity.is_some() { "overriding system value" } else { "" };
                format!(
                    "insert into {name} ({names}) {overriding}
                     select {} from json_array_elements(cast($1 as json)) as r (v)",
                    values.join(", ")
                )
            }
        };
        // Safe: the names are those of the database's own catalogue, and quoted.
        let sql = AssertSqlSafe(sql).into_sql_str();
        let inserting = || format!("inserting rows into table {}", table.name);
        match &mut self.inner {
            Inner::Sqlite(connection) => {
                let query = sqlx::query(sql).bind(rows.to_owned()).execute(&mut **connection);
                in_time(limits::MAINTENANCE, query).await.with_context(inserting)?;
            }
            Inner::Postgres(connection) => {
                let query = sqlx::query(sql).bind(rows.to_owned()).execute(&mut **connection);
                in_time(limits::MAINTENANCE, query).await.with_context(inserting)?;
            }
        }
        Ok(())
    }

    /// Sets the identifier after which the database numbers further rows of the table.
    pub async fn set_identity(&mut self, table: &Table) -> anyhow::Result<()> {
        let Some(last) = table.identity.filter(|last| *last > 0) else { return Ok(()) };
        let numbering = || format!("numbering further rows of table {}", table.name);
        match &mut self.inner {
            Inner::Sqlite(connection) => {
                let forget = sqlx::query("delete from sqlite_sequence where name = $1").bind(&table.name);
                in_time(limits::MAINTENANCE, forget.execute(&mut **connection)).await.with_context(numbering)?;
                let note = sqlx::query("insert into sqlite_sequence (name, seq) values ($1, $2)");
                let note = note.bind(&table.name).bind(last).execute(&mut **connection);
                in_time(limits::MAINTENANCE, note).await.with_context(numbering)?;
            }
            Inner::Postgres(connection) => {
                let sql = "select setval(cast(pg_get_serial_sequence($1, 'id') as regclass), $2)";
                let note = sqlx::query(sql).bind(&table.name).bind(last).execute(&mut **connection);
                in_time(limits::MAINTENANCE, note).await.with_context(numbering)?;
            }
        }
        Ok(())
    }

    /// Makes the rows durable.
    pub async fn commit(mut self) -> anyhow::Result<()> {
        run(&mut self.inner, "commit".into_sql_str()).await?;
        let closed = match self.inner {
            Inner::Sqlite(connection) => (*connection).close().await,
            Inner::Postgres(connection) => (*connection).close().await,
        };
        closed.context("closing the database")
    }
}

fn sorted(columns: &[Column]) -> Vec<Column> {
    let mut columns = columns.to_vec();
    columns.sort_by(|a, b| a.name.cmp(&b.name));
    columns
}

fn postgres_value(at: usize, column: &Column) -> String {
    match column.kind {
        ColumnKind::Text => format!("v ->> {at}"),
        ColumnKind::Integer => format!("cast(v ->> {at} as bigint)"),
        ColumnKind::Boolean => format!("cast(v ->> {at} as boolean)"),
    }
}

async fn connect(url: &str, creates: bool) -> anyhow::Result<Inner> {
    if !url.starts_with("sqlite:") {
        return Ok(Inner::Postgres(Box::new(postgres::connect_alone(url).await?)));
    }
    let options = SqliteConnectOptions::from_str(url)
        .with_context(|| format!("`{url}` is not an SQLite address"))?
        .create_if_missing(creates)
        .foreign_keys(true)
        .busy_timeout(limits::SQLITE_BUSY)
        .disable_statement_logging();
    let options = if creates {
        options.journal_mode(SqliteJournalMode::Wal).synchronous(SqliteSynchronous::Full)
    } else {
        options
    };
    let connection = options.connect().await.with_context(|| format!("opening the SQLite database at `{url}`"))?;
    Ok(Inner::Sqlite(Box::new(connection)))
}

async fn is_unused(inner: &mut Inner) -> anyhow::Result<bool> {
    let existing = catalogue(inner).await?;
    for name in OF_AN_INSTALLATION {
        if existing.iter().any(|table| table.name == name) && has_rows(inner, name).await? {
            return Ok(false);
        }
    }
    Ok(true)
}

async fn has_rows(inner: &mut Inner, table: &str) -> anyhow::Result<bool> {
    let sql = AssertSqlSafe(format!("select count(*) from {}", quoted(table))).into_sql_str();
    let counted: sqlx::Result<(i64,)> = match inner {
        Inner::Sqlite(connection) => {
            in_time(limits::MAINTENANCE, sqlx::query_as(sql).fetch_one(&mut **connection)).await
        }
        Inner::Postgres(connection) => {
            in_time(limits::MAINTENANCE, sqlx::query_as(sql).fetch_one(&mut **connection)).await
        }
    };
    let (rows,) = counted.with_context(|| format!("counting the rows of table {table}"))?;
    Ok(rows > 0)
}

async fn run(inner: &mut Inner, sql: SqlStr) -> anyhow::Result<()> {
    let done = match inner {
        Inner::Sqlite(connection) => in_time(limits::MAINTENANCE, connection.execute(sql)).await.map(drop),
        Inner::Postgres(connection) => in_time(limits::MAINTENANCE, connection.execute(sql)).await.map(drop),
    };
    done.context("filling the database")
}
