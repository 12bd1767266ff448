//! Brings the schema up to date. One folder of migrations serves both databases; the few words that differ are written
//! as `{{…}}` and replaced here.

#[cfg(test)]
mod expansion;

use sqlx::{
    AssertSqlSafe, SqlSafeStr,
    migrate::{Migrate, MigrateError, Migration, MigrationType, Migrator},
};

#[derive(Clone, Copy, Debug)]
pub(super) enum Dialect {
    Sqlite,
    Postgres,
}

/// Every migration, oldest first. A released one is never edited: databases record its checksum.
const MIGRATIONS: &[(i64, &str, &str)] = &[
    (1, "main job", include_str!("../../migrations/0001_main_job.sql")),
    (2, "lists", include_str!("../../migrations/0002_lists.sql")),
    (3, "rate windows", include_str!("../../migrations/0003_rate_windows.sql")),
    (4, "deleted cases", include_str!("../../migrations/0004_deleted_cases.sql")),
    (5, "seal log", include_str!("../../migrations/0005_seal_log.sql")),
    (6, "seals", include_str!("../../migrations/0006_seals.sql")),
    (7, "analysis", include_str!("../../migrations/0007_analysis.sql")),
    (8, "replay", include_str!("../../migrations/0008_replay.sql")),
    (9, "job queue", include_str!("../../migrations/0009_job_queue.sql")),
    (10, "blob references", include_str!("../../migrations/0010_blob_references.sql")),
    (11, "limits", include_str!("../../migrations/0011_limits.sql")),
    (12, "trust and time", include_str!("../../migrations/0012_trust_and_time.sql")),
    (13, "published", include_str!("../../migrations/0013_published.sql")),
    (14, "request of a job", include_str!("../../migrations/0014_request_of_a_job.sql")),
    (15, "uploads", include_str!("../../migrations/0015_uploads.sql")),
    (16, "retakes", include_str!("../../migrations/0016_retakes.sql")),
    (17, "capture records", include_str!("../../migrations/0017_capture_records.sql")),
    (18, "field sessions", include_str!("../../migrations/0018_field_sessions.sql")),
    (19, "appearance", include_str!("../../migrations/0019_appearance.sql")),
    (20, "openid connect", include_str!("../../migrations/0020_openid_connect.sql")),
    (21, "console", include_str!("../../migrations/0021_console.sql")),
    (22, "audit", include_str!("../../migrations/0022_audit.sql")),
    (23, "case search", include_str!("../../migrations/0023_case_search.sql")),
    (24, "console companies", include_str!("../../migrations/0024_console_companies.sql")),
    (25, "console openid", include_str!("../../migrations/0025_console_openid.sql")),
    (26, "shadow days", include_str!("../../migrations/0026_shadow_days.sql")),
    (27, "audit retention", include_str!("../../migrations/0027_audit_retention.sql")),
    (28, "events", include_str!("../../migrations/0028_events.sql")),
    (29, "backtests", include_str!("../../migrations/0029_backtests.sql")),
    (30, "idempotent requests", include_str!("../../migrations/0030_idempotent_requests.sql")),
    (31, "case packages", include_str!("../../migrations/0031_case_packages.sql")),
    (32, "witnesses", include_str!("../../migrations/0032_witnesses.sql")),
    (33, "erasures", include_str!("../../migrations/0033_erasures.sql")),
    (34, "languages", include_str!("../../migrations/0034_languages.sql")),
    (35, "evidence", include_str!("../../migrations/0035_evidence.sql")),
    (36, "backup turn", include_str!("../../migrations/0036_backup_turn.sql")),
    (37, "webhook deliveries", include_str!("../../migrations/0037_webhook_deliveries.sql")),
    (38, "retention", include_str!("../../migrations/0038_retention.sql")),
    (39, "plugin fuel", include_str!("../../migrations/0039_plugin_fuel.sql")),
    (40, "certificate extras", include_str!("../../migrations/0040_certificate_extras.sql")),
    (41, "many cases", include_str!("../../migrations/0041_many_cases.sql")),
    (42, "console additions", include_str!("../../migrations/0042_console_additions.sql")),
];

/// The number of the newest migration.
pub(super) fn newest() -> i64 {
    MIGRATIONS.iter().map(|(version, ..)| *version).max().unwrap_or_default()
}

pub(super) async fn run<C>(connection: &mut C, dialect: Dialect) -> anyhow::Result<()>
where
    C: Migrate,
{
    run_up_to(connection, dialect, newest()).await
}

/// Brings the schema to the state that it had after the migration `last`.
pub(super) async fn run_up_to<C>(connection: &mut C, dialect: Dialect, last: i64) -> anyhow::Result<()>
where
    C: Migrate,
{
    let migrations = MIGRATIONS
        .iter()
        .filter(|(version, ..)| *version <= last)
        .map(|&(version, description, sql)| {
            let sql = AssertSqlSafe(dialect.translate(sql)).into_sql_str();
            Migration::new(version, description.into(), MigrationType::Simple, sql, false)
        })
        .collect();
    Migrator::with_migrations(migrations).run_direct(None, connection, false).await.map_err(explain)
}

/// The database has a migration that this program does not know. It does not use such a database: a newer program may
/// expect more of what is written.
#[derive(Debug, thiserror::Error)]
#[error(
    "the database was upgraded by a newer version of sealwright (migration {migration} is unknown to version {version}): \
     start the newer version, or restore the backup from before the upgrade",
    version = env!("CARGO_PKG_VERSION")
)]
pub struct NewerSchema {
    migration: i64,
}

fn explain(error: MigrateError) -> anyhow::Error {
    if let MigrateError::VersionMissing(migration) = error {
        return NewerSchema { migration }.into();
    }
    anyhow::Error::new(error).context("migrating the database")
}

impl Dialect {
    /// `{{identity}}` is a primary key of 64 bits that the database increments and never reuses; an `{{unlogged}}`
    /// table is emptied by a crash of PostgreSQL and costs no flush; `{{bigints}}` is a list of numbers, which SQLite
    /// does not support and does not use. `{{bytewise}}` is text that compares by its bytes, whatever the locale of the
    /// database; a `{{clustered}}` table is stored in its primary key, on SQLite only.
    fn translate(self, sql: &str) -> String {
        let words = match self {
            // Without `autoincrement` SQLite would reuse the identifier of a deleted last row.
            Self::Sqlite => ["integer primary key autoincrement", "", "text", "text", " without rowid"],
            Self::Postgres => {
                ["bigint generated always as identity primary key", "unlogged", "bigint[]", "text collate \"C\"", ""]
            }
        };
        let places = ["{{identity}}", "{{unlogged}}", "{{bigints}}", "{{bytewise}}", "{{clustered}}"];
        places.iter().zip(words).fold(sql.to_owned(), |sql, (place, word)| sql.replace(place, word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_the_folder_is_run() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/migrations");
        let files =
            std::fs::read_dir(folder).unwrap().map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap());
        let mut files: Vec<String> = files.collect();
        let mut run: Vec<&str> = MIGRATIONS.iter().map(|(.., sql)| *sql).collect();
        files.sort_unstable();
        run.sort_unstable();
        assert_eq!(files, run);
    }
}
