//! Databases that have the schema and no rows. Each migration is a transaction, and hundreds of tests start a server: the
//! program migrates one database of each kind, and the others are copies of it. The tests of upgrades, of backups and of
//! the first start begin with an empty database instead.

use std::{
    fs,
    io::Write as _,
    os::unix::fs::OpenOptionsExt as _,
    path::{Path, PathBuf},
    process::Command,
    sync::OnceLock,
};

use tempfile::TempDir;

use super::postgres::FreshDatabase;

/// The file of the SQLite database in the data folder.
pub(super) const FILE: &str = "sealwright.db";

/// A database of PostgreSQL with the schema.
pub(super) fn database() -> FreshDatabase {
    static MIGRATED: OnceLock<FreshDatabase> = OnceLock::new();
    let migrated = MIGRATED.get_or_init(|| {
        let database = FreshDatabase::create();
        migrate(&new_folder(), &database.url());
        database
    });
    FreshDatabase::copy_of(&migrated.name)
}

/// Makes a data folder that has a SQLite database with the schema, and nothing else.
pub(super) fn write_file(data_dir: &Path) {
    static MIGRATED: OnceLock<Vec<(PathBuf, Vec<u8>)>> = OnceLock::new();
    let files = MIGRATED.get_or_init(|| {
        let folder = new_folder();
        // Commands reject a data folder without a database. SQLite takes an empty file as an empty database.
        let file = folder.path().join(FILE);
        fs::write(&file, "").expect("write an empty database");
        migrate(&folder, &format!("sqlite://{}", file.display()));
        // Committed pages may still be in the write-ahead log. Its index is made again when the database is opened.
        let files = [PathBuf::from(FILE), PathBuf::from(format!("{FILE}-wal"))].into_iter();
        files.filter_map(|name| fs::read(folder.path().join(&name)).ok().map(|bytes| (name, bytes))).collect()
    });
    fs::create_dir_all(data_dir).expect("make the data folder");
    for (name, bytes) in files {
        write_private(&data_dir.join(name), bytes);
    }
}

/// Runs a command that opens the database, and with it migrates it, and writes nothing.
fn migrate(data_dir: &TempDir, database_url: &str) {
    let data_dir = data_dir.path();
    // The command only looks whether there is a key.
    write_private(&data_dir.join("secret.key"), "4f".repeat(32).as_bytes());
    let mut command = Command::new(env!("CARGO_BIN_EXE_sealwright"));
    command.env_clear().env("SEALWRIGHT_DATA_DIR", data_dir).env("SEALWRIGHT_DATABASE_URL", database_url);
    let output = command.current_dir(data_dir).args(["job", "list"]).output().expect("run sealwright");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "job list: {}\n{said}", output.status);
}

fn new_folder() -> TempDir {
    tempfile::Builder::new().prefix("sealwright-schema-").tempdir().expect("a temporary folder")
}

/// Writes a file that only its owner may read, like the program.
fn write_private(path: &Path, bytes: &[u8]) {
    let file = fs::OpenOptions::new().create_new(true).write(true).mode(0o600).open(path);
    file.and_then(|mut file| file.write_all(bytes)).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}
