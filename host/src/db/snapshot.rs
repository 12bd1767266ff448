//! Reading a whole database as it was at one moment, while others write to it: for backups. The tables and their columns
//! come from the database's own catalogue.
//!
//! Each row is a JSON array, one value for each column, made by the database itself. Both databases write numbers and
//! texts in the same way; [`Column::kind`] says what a value is.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, bail};
use futures_util::{TryStreamExt, stream::BoxStream};
use serde::{Deserialize, Serialize};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, Executor, PgConnection, SqlSafeStr, SqlStr, SqliteConnection};

use super::{
    Db, Kind,
    limits::{self, in_time},
    migrate,
};

/// Tables that are not copied: the record of migrations, the counters of rate limits, and the turn of backups itself.
const EXCLUDED: [&str; 3] = ["_sqlx_migrations", "rate_windows", "backup_turn"];

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ColumnKind {
    /// A whole number of 64 bits.
    Integer,
    Text,
    Boolean,
}

/// A column of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Column {
    pub name: String,
    pub kind: ColumnKind,
}

/// A table, and what a copy of it needs in addition to its rows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Table {
    pub name: String,
    pub columns: Vec<Column>,
    /// The highest identifier that the database gave out, if it numbers the rows of the column `id`: it must not be given
    /// out again.
    pub identity: Option<i64>,
    /// Whether a row may refer to another row of the table. Then all are inserted at once.
    pub refers_to_itself: bool,
}

/// The database as it was at one moment.
#[derive(Debug)]
pub struct Snapshot(Inner);

/// A connection of its own.
#[derive(Debug)]
pub(super) enum Inner {
    Sqlite(Box<SqliteConnection>),
    Postgres(Box<PgConnection>),
}

impl Db {
    /// The database as it is now. It has a connection of its own, and stays until this is dropped.
    pub async fn snapshot(&self) -> sqlx::Result<Snapshot> {
        match &self.kind {
            Kind::Sqlite { readers, .. } => {
                let mut connection = readers.connect_options().connect().await?;
                // The first read decides which moment it is.
                connection.execute("begin; select count(*) from companies").await?;
                Ok(Snapshot(Inner::Sqlite(Box::new(connection))))
            }
            Kind::Postgres(pool) => {
                let options = pool.connect_options();
                let mut connection = in_time(limits::CONNECT, PgConnection::connect_with(&options)).await?;
                in_time(limits::CONNECT, connection.execute(limits::BEGIN_SNAPSHOT)).await?;
                Ok(Snapshot(Inner::Postgres(Box::new(connection))))
            }
        }
    }

    /// The number of the newest migration of this program.
    pub fn newest_schema() -> i64 {
        migrate::newest()
    }
}

impl Snapshot {
    /// `sqlite` or `postgresql`, for people.
    pub const fn database(&self) -> &'static str {
        match self.0 {
            Inner::Sqlite(_) => "sqlite",
            Inner::Postgres(_) => "postgresql",
        }
    }

    /// Every table, each after those that its rows refer to.
    pub async fn tables(&mut self) -> anyhow::Result<Vec<Table>> {
        let mut catalogue = catalogue(&mut self.0).await?;
        for table in &mut catalogue {
            if table.identity.is_some() {
                table.identity = Some(last_identity(&mut self.0, &table.name).await?);
            }
        }
        Ok(catalogue)
    }

    /// The rows of a table, each as a JSON array, in the order of the first column.
    pub fn rows(&mut self, table: &Table) -> BoxStream<'_, sqlx::Result<(String,)>> {
        let columns: Vec<String> = table.columns.iter().map(|column| quoted(&column.name)).collect();
        let array = match self.0 {
            Inner::Sqlite(_) => "json_array",
            Inner::Postgres(_) => "json_build_array",
        };
        let sql = format!(
            "select cast({array}({}) as text) from {} order by {}",
            columns.join(", "),
            quoted(&table.name),
            columns.first().map_or("1", String::as_str)
        );
        // Safe: the names are from the database's catalogue, and quoted.
        stream(&mut self.0, AssertSqlSafe(sql).into_sql_str())
    }

    /// The rows of a query with one column of type text.
    pub fn texts(&mut self, sql: &'static str) -> BoxStream<'_, sqlx::Result<(String,)>> {
        stream(&mut self.0, sql.into_sql_str())
    }
}

fn stream(inner: &mut Inner, sql: SqlStr) -> BoxStream<'_, sqlx::Result<(String,)>> {
    match inner {
        Inner::Sqlite(connection) => sqlx::query_as(sql).fetch(&mut **connection),
        Inner::Postgres(connection) => sqlx::query_as(sql).fetch(&mut **connection),
    }
}

/// A column of the catalogue: table, column, type, `1` if the database numbers it.
const COLUMNS_OF_SQLITE: &str = "
    select t.name || char(10) || c.name || char(10) || lower(c.type) || char(10)
           || case when c.pk = 1 and lower(c.type) = 'integer' then '1' else '' end
    from sqlite_schema t join pragma_table_info(t.name) c
    where t.type = 'table' and substr(t.name, 1, 7) <> 'sqlite_' order by t.name, c.cid";
const COLUMNS_OF_POSTGRES: &str = "
    select cast(c.table_name as text) || chr(10) || cast(c.column_name as text) || chr(10)
           || cast(c.data_type as text) || chr(10) || case when c.is_identity = 'YES' then '1' else '' end
    from information_schema.columns c join information_schema.tables t
      on t.table_schema = c.table_schema and t.table_name = c.table_name and t.table_type = 'BASE TABLE'
    where c.table_schema = current_schema() order by c.table_name, c.ordinal_position";

/// A reference: the table that refers, and the one that it refers to.
const REFERENCES_OF_SQLITE: &str = "
    select t.name || char(10) || f.\"table\" from sqlite_schema t join pragma_foreign_key_list(t.name) f
    where t.type = 'table'";
const REFERENCES_OF_POSTGRES: &str = "
    select cast(a.relname as text) || chr(10) || cast(b.relname as text) from pg_constraint r
      join pg_class a on a.oid = r.conrelid join pg_class b on b.oid = r.confrelid
      join pg_namespace n on n.oid = a.relnamespace
    where r.contype = 'f' and n.nspname = current_schema()";

async fn lines(inner: &mut Inner, sqlite: &'static str, postgres: &'static str) -> anyhow::Result<Vec<Vec<String>>> {
    let sql = match inner {
        Inner::Sqlite(_) => sqlite,
        Inner::Postgres(_) => postgres,
    };
    let found = stream(inner, sql.into_sql_str()).try_collect::<Vec<(String,)>>();
    let rows = in_time(limits::MAINTENANCE, found).await.context("reading the catalogue of the database")?;
    Ok(rows.into_iter().map(|(row,)| row.split('\n').map(str::to_owned).collect()).collect())
}

/// The tables in the order of their references. The identity of a table that has one is 0.
pub(super) async fn catalogue(inner: &mut Inner) -> anyhow::Result<Vec<Table>> {
    let mut tables: BTreeMap<String, Table> = BTreeMap::new();
    for line in lines(inner, COLUMNS_OF_SQLITE, COLUMNS_OF_POSTGRES).await? {
        let [table, column, kind, identity] =
            <[String; 4]>::try_from(line).map_err(|_| anyhow::anyhow!("a name in the catalogue has a line break"))?;
        if EXCLUDED.contains(&table.as_str()) {
            continue;
        }
        let kind = match kind.as_str() {
            "integer" | "bigint" => ColumnKind::Integer,
            "text" => ColumnKind::Text,
            "boolean" => ColumnKind::Boolean,
            other => bail!("column {column} of table {table} has the type {other}, which a backup does not know"),
        };
        let entry = tables.entry(table.clone()).or_insert_with(|| Table {
            name: table,
            columns: Vec::new(),
            identity: None,
            refers_to_itself: false,
        });
        entry.columns.push(Column { name: column, kind });
        if !identity.is_empty() {
            entry.identity = Some(0);
        }
    }
    let mut references: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for line in lines(inner, REFERENCES_OF_SQLITE, REFERENCES_OF_POSTGRES).await? {
        let [from, to] = line.as_slice() else { continue };
        if from != to {
            references.entry(from.clone()).or_default().insert(to.clone());
        } else if let Some(table) = tables.get_mut(from) {
            table.refers_to_itself = true;
        }
    }
    in_order(tables, &references)
}

/// Each table after those that it refers to.
fn in_order(
    mut tables: BTreeMap<String, Table>,
    references: &BTreeMap<String, BTreeSet<String>>,
) -> anyhow::Result<Vec<Table>> {
    let mut ordered: Vec<Table> = Vec::new();
    while !tables.is_empty() {
        let waits = |name: &String| {
            references.get(name).is_some_and(|needed| needed.iter().any(|needed| tables.contains_key(needed)))
        };
        let ready: Vec<String> = tables.keys().filter(|name| !waits(name)).cloned().collect();
        if ready.is_empty() {
            bail!("the tables of the database refer to each other in a circle");
        }
        ordered.extend(ready.iter().filter_map(|name| tables.remove(name)));
    }
    Ok(ordered)
}

/// The highest identifier that the table ever gave out. On PostgreSQL it may be higher than in the snapshot, which does no
/// harm.
async fn last_identity(inner: &mut Inner, table: &str) -> anyhow::Result<i64> {
    let reading = || format!("reading the last identifier of table {table}");
    let row: Option<(i64,)> = match inner {
        Inner::Sqlite(connection) => {
            let query = sqlx::query_as("select seq from sqlite_sequence where name = $1").bind(table);
            in_time(limits::MAINTENANCE, query.fetch_optional(&mut **connection)).await.with_context(reading)?
        }
        Inner::Postgres(connection) => {
            let sql = "select coalesce(pg_sequence_last_value(cast(pg_get_serial_sequence($1, 'id') as regclass)), 0)";
            let query = sqlx::query_as(sql).bind(table);
            in_time(limits::MAINTENANCE, query.fetch_optional(&mut **connection)).await.with_context(reading)?
        }
    };
    Ok(row.map_or(0, |(last,)| last))
}

/// A name in SQL.
pub(super) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
