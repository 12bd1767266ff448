//! Checks that the settings point to an existing installation. Commands that only read must not create one: a mistyped
//! folder would give an empty list, and leave a database and keys behind.

use std::path::PathBuf;

use crate::app::App;
use crate::{clock::Clock, config::Config, db::Db, secrets::SecretKeyError};

/// Nothing has ever run here.
#[derive(Debug, thiserror::Error)]
#[error(
    "no installation at {}: {} does not exist. `sealwright serve` creates one; to use another, set --data-dir or the \
     setting data_dir",
    at.display(),
    missing.display()
)]
pub struct NoInstallation {
    at: PathBuf,
    missing: PathBuf,
}

/// Looks for what [`App::open`] creates first: the key of the stored secrets, and the database if it is a file. On
/// PostgreSQL only the key shows it.
pub fn find(config: &Config) -> Result<(), NoInstallation> {
    let database = Db::file(config.database_url.expose());
    let needed = [Some(config.secret_key_file.clone()), database];
    match needed.into_iter().flatten().find(|path| !path.exists()) {
        Some(missing) => Err(NoInstallation { at: config.data_dir.clone(), missing }),
        None => Ok(()),
    }
}

/// Whether a dry run needs a temporary installation, because nothing was ever installed in the database.
///
/// # Errors
/// If the database holds an installation whose secret key is not here, or cannot be read.
pub async fn is_missing(config: &Config) -> anyhow::Result<bool> {
    let missing = find(config).err();
    // With SQLite the file's existence decides.
    if Db::file(config.database_url.expose()).is_some() {
        return Ok(missing.is_some());
    }
    if Db::is_empty(config.database_url.expose()).await? {
        return Ok(true);
    }
    match missing {
        None => Ok(false),
        Some(_) => Err(SecretKeyError::Lost { path: config.secret_key_file.clone() }.into()),
    }
}

/// Opens the database of the existing installation, for commands that need no other part.
pub async fn open_database(config: &Config) -> anyhow::Result<Db> {
    find(config)?;
    Db::open(config.database_url.expose()).await
}

impl App {
    /// Opens the existing installation, for commands that must not create one.
    pub async fn open_existing(config: Config, clock: Clock) -> anyhow::Result<Self> {
        find(&config)?;
        Self::open(config, clock).await
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::config::{Setting, Sources};

    #[tokio::test]
    async fn an_installation_needs_all_that_serve_creates() {
        let folder = tempfile::tempdir().unwrap();
        let data_dir = folder.path().join("a folder?");
        let flags = vec![(Setting::DataDir, data_dir.display().to_string())];
        let sources = Sources { flags, working_dir: folder.path().to_owned(), ..Sources::default() };
        let config = Config::load(&sources).unwrap().config;
        let error = App::open_existing(config.clone(), Clock::system()).await.err().unwrap().to_string();
        assert!(error.starts_with(&format!("no installation at {}: ", data_dir.display())), "{error}");
        assert!(error.contains("secret.key does not exist. `sealwright serve` creates one"), "{error}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "something was created");
        fs::create_dir(&data_dir).unwrap();
        fs::write(data_dir.join("secret.key"), "0".repeat(64)).unwrap();
        let error = find(&config).unwrap_err().to_string();
        assert!(error.contains("sealwright.db does not exist"), "{error}");
        fs::write(data_dir.join("sealwright.db"), "").unwrap();
        assert!(find(&config).is_ok());
    }
}
