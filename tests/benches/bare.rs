//! The minimal contestants on the server's own file system: a loop with one commit per request, and the disk alone.

use std::{
    fs::File,
    io::Write as _,
    path::Path,
    time::{Duration, Instant},
};

use sqlx::{
    Connection as _, Row as _, SqliteConnection,
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous},
};

use crate::{
    load::{median_ms, per_second},
    server::{COMPANY, FRAME, USER},
};

/// How many cases can be closed.
const OPEN_CASES: i64 = 20_000;

/// A connection that commits each request separately, as durably as the server does.
pub(crate) struct OneCommitEach {
    connection: SqliteConnection,
    next_open: i64,
}

impl OneCommitEach {
    /// Opens a database that contains the server's schema and the benchmarks' company.
    pub(crate) async fn open(database: &Path) -> anyhow::Result<Self> {
        let options = SqliteConnectOptions::new()
            .filename(database)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true);
        Ok(Self { connection: SqliteConnection::connect_with(&options).await?, next_open: 0 })
    }

    /// Opens cases for `time`, and returns how many per second.
    pub(crate) async fn create_cases(&mut self, time: Duration) -> anyhow::Result<f64> {
        let (start, mut created) = (Instant::now(), 0);
        while start.elapsed() < time {
            let row = sqlx::query(
                "insert into cases (company_id, frame_id, title, user_id, link_token, report_token, context, metadata,
                                    scheduled_at, created_at, item_count)
                 values ($1, $2, $3, $4, null, null, null, null, null, $5, 0) returning id",
            )
            .bind(COMPANY)
            .bind(FRAME)
            .bind("Water damage")
            .bind(USER)
            .bind(1_795_168_800_000_i64)
            .fetch_one(&mut self.connection)
            .await?;
            row.try_get::<i64, _>(0)?;
            created += 1;
        }
        Ok(per_second(created, start.elapsed()))
    }

    /// Creates open cases for [`Self::close_cases`].
    pub(crate) async fn stock_up(&mut self) -> anyhow::Result<()> {
        sqlx::query(
            "with recursive number(n) as (select 1 union all select n + 1 from number where n < $1)
             insert into cases (company_id, frame_id, title, user_id, created_at, item_count)
             select $2, $3, 'Water damage', $4, 1795168800000, 0 from number",
        )
        .bind(OPEN_CASES)
        .bind(COMPANY)
        .bind(FRAME)
        .bind(USER)
        .execute(&mut self.connection)
        .await?;
        Ok(())
    }

    /// Closes cases for `time` or until none is left, and returns how many per second.
    pub(crate) async fn close_cases(&mut self, time: Duration) -> anyhow::Result<f64> {
        let (start, mut closed) = (Instant::now(), 0);
        while start.elapsed() < time && self.next_open < OPEN_CASES {
            self.next_open += 1;
            let mut transaction = self.connection.begin_with("begin immediate").await?;
            sqlx::query("update cases set closed_at = $2 where company_id = $3 and id = $1 and closed_at is null")
                .bind(self.next_open)
                .bind(1_795_168_800_001_i64)
                .bind(COMPANY)
                .execute(&mut *transaction)
                .await?;
            sqlx::query("insert into certificates (case_id, share_token, frozen) values ($1, $2, '{}')")
                .bind(self.next_open)
                .bind(format!("share-{}", self.next_open))
                .execute(&mut *transaction)
                .await?;
            sqlx::query(
                "insert into jobs (kind, subject, state, run_at, attempt, created_at)
                 values ('seal', $1, 'ready', $2, 0, $2)",
            )
            .bind(self.next_open)
            .bind(1_795_168_800_001_i64)
            .execute(&mut *transaction)
            .await?;
            transaction.commit().await?;
            closed += 1;
        }
        Ok(per_second(closed, start.elapsed()))
    }
}

/// The median time to append a page to a file and sync it to the disk, in milliseconds.
pub(crate) fn fdatasync_ms(folder: &Path, times: usize) -> anyhow::Result<f64> {
    let mut file = File::options().create(true).append(true).open(folder.join("synced"))?;
    let mut taken = Vec::with_capacity(times);
    for _ in 0..times {
        let start = Instant::now();
        file.write_all(&[0x5a; 4096])?;
        file.sync_data()?;
        taken.push(start.elapsed());
    }
    Ok(median_ms(taken))
}
