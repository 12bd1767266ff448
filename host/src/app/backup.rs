//! Backups of a running installation: the rows of one moment, and every blob that they name (`docs/adr/0052-backups.md`).
//!
//! A backup is made by one process at a time ([`turn`]). It is a list of files with their digests ([`format`]), in a folder
//! or a bucket, encrypted if there is a key ([`archive`]). The list is written last, so a backup without it is incomplete.
//! Restores are in [`tools`](super::tools).

pub mod archive;
mod copies;
pub mod format;
pub mod make;
mod prune;
pub mod schedule;
pub mod turn;

use std::path::Path;

use anyhow::{Context, anyhow};

use crate::secrets::SecretKey;

/// Reads the key that backups are encrypted with. None if no file is named.
pub fn read_key(file: Option<&Path>) -> anyhow::Result<Option<SecretKey>> {
    let Some(file) = file else { return Ok(None) };
    let key = SecretKey::load(file).map_err(|error| anyhow!("the key of backups: {error}"))?;
    Ok(Some(key.with_context(|| format!("the key of backups: {} does not exist", file.display()))?))
}

/// Identifies an installation in its backups. Reveals nothing about its key.
pub fn fingerprint(secrets: &SecretKey) -> String {
    hex::encode(&secrets.derive("installation of a backup")[..8])
}
