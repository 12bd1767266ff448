//! Other users of this machine must not be able to read the server's files. New files are private because the program
//! starts with a umask of 077; files that an earlier version or an operator left open are narrowed at the start, and
//! reported by `doctor`.

use std::{
    ffi::OsString,
    fmt, fs, io,
    os::unix::fs::{MetadataExt, PermissionsExt},
    path::{Path, PathBuf},
};

use anyhow::Context;

use crate::{config::Config, db::Db};

/// The permissions of the group and of others.
const OF_OTHERS: u32 = 0o077;

/// A file or folder of the installation that others on this machine can access.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenToOthers {
    pub path: PathBuf,
    mode: u32,
    is_folder: bool,
    owner: u32,
}

impl OpenToOthers {
    fn of(path: PathBuf) -> Option<Self> {
        let metadata = fs::metadata(&path).ok()?;
        let mode = metadata.permissions().mode() & 0o777;
        let (is_folder, owner) = (metadata.is_dir(), metadata.uid());
        (mode & OF_OTHERS != 0).then_some(Self { path, mode, is_folder, owner })
    }

    /// The mode that it should have.
    pub const fn narrow_mode(&self) -> u32 {
        if self.is_folder { 0o700 } else { 0o600 }
    }

    fn narrow(&self) -> io::Result<()> {
        fs::set_permissions(&self.path, fs::Permissions::from_mode(self.narrow_mode()))
    }
}

impl fmt::Display for OpenToOthers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} has mode {:04o}", self.path.display(), self.mode)
    }
}

/// Creates `data_dir` if it is missing, and removes the permissions of others.
pub fn make_data_dir(config: &Config) -> anyhow::Result<()> {
    fs::create_dir_all(&config.data_dir)
        .with_context(|| format!("creating the data directory {}", config.data_dir.display()))?;
    for open in open_to_others(config) {
        if open.owner != rustix::process::geteuid().as_raw() {
            tracing::warn!(%open, "other users of this machine can read this, and it belongs to another account");
            continue;
        }
        match open.narrow() {
            Ok(()) => {
                tracing::warn!(%open, "other users of this machine could read this: now only the owner can");
            }
            Err(error) => tracing::warn!(%open, %error, "other users of this machine can read this"),
        }
    }
    Ok(())
}

/// The files and folders of the installation that others on this machine can access. The contents of a folder that only
/// its owner can enter are not checked.
pub fn open_to_others(config: &Config) -> Vec<OpenToOthers> {
    let mut paths = vec![config.data_dir.clone(), config.secret_key_file.clone()];
    if let Some(database) = Db::file(config.database_url.expose()) {
        paths.extend(["", "-wal", "-shm"].map(|suffix| with_suffix(&database, suffix)));
    }
    paths.extend(config.blob_url.to_file_path());
    paths.extend(
        ["development-authority", "plugin-cache", "listen.address", "admin.address"]
            .map(|name| config.data_dir.join(name)),
    );
    paths.into_iter().filter_map(OpenToOthers::of).collect()
}

fn with_suffix(file: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(file);
    name.push(suffix);
    name.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Setting, Sources};

    #[test]
    fn what_is_open_to_others_is_named_and_narrowed() {
        let folder = tempfile::tempdir().unwrap();
        let data_dir = folder.path().join("data");
        let flags = vec![(Setting::DataDir, data_dir.display().to_string())];
        let sources = Sources { flags, working_dir: folder.path().to_owned(), ..Sources::default() };
        let config = Config::load(&sources).unwrap().config;
        fs::create_dir_all(data_dir.join("blobs")).unwrap();
        for file in ["sealwright.db", "sealwright.db-wal", "secret.key"] {
            fs::write(data_dir.join(file), "").unwrap();
        }
        let set =
            |name: &str, mode| fs::set_permissions(data_dir.join(name), fs::Permissions::from_mode(mode)).unwrap();
        for (name, mode) in [("", 0o755), ("blobs", 0o750), ("sealwright.db", 0o644), ("sealwright.db-wal", 0o640)] {
            set(name, mode);
        }
        set("secret.key", 0o600);
        let open: Vec<_> = open_to_others(&config).into_iter().map(|open| open.path).collect();
        let expected = ["", "sealwright.db", "sealwright.db-wal", "blobs"].map(|name| data_dir.join(name));
        assert_eq!(open.len(), expected.len(), "{open:?}");
        assert!(expected.iter().all(|path| open.iter().any(|found| found.as_path() == path.as_path())), "{open:?}");
        make_data_dir(&config).unwrap();
        assert_eq!(open_to_others(&config), []);
    }
}
