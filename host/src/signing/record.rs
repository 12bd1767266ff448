//! Copies of earlier and current signing certificates in `data_dir`: `signing-certificates/<SHA-256>.pem`, each with
//! its chain, its own certificate first. They contain no secrets.

use std::{fs, io, path::Path};

use sealwright_seal::{Certificate, Sha256Digest};

use super::{SigningError, read_chain};
use crate::clock::random_key;

/// The folder in `data_dir`.
const FOLDER: &str = "signing-certificates";
const EXTENSION: &str = "pem";

/// The recorded chains, sorted by file name. None if the folder does not exist.
pub fn recorded_chains(data_dir: &Path) -> Result<Vec<Vec<Certificate>>, SigningError> {
    let folder = data_dir.join(FOLDER);
    let failed = |cause| SigningError::Read { path: folder.clone(), cause };
    let mut paths = Vec::new();
    for entry in match fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(missing) if missing.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(cause) => return Err(failed(cause)),
    } {
        let path = entry.map_err(failed)?.path();
        if path.extension().is_some_and(|extension| extension == EXTENSION) {
            paths.push(path);
        }
    }
    paths.sort();
    paths.iter().map(|path| read_chain(path)).collect()
}

/// Writes a chain, unless it exists. The file is renamed after it is written completely.
pub fn keep_recorded_chain(data_dir: &Path, sha256: Sha256Digest, chain: &str) -> io::Result<()> {
    let folder = data_dir.join(FOLDER);
    let path = folder.join(format!("{sha256}.{EXTENSION}"));
    if path.is_file() {
        return Ok(());
    }
    fs::create_dir_all(&folder)?;
    let draft = folder.join(format!(".{}", random_key()));
    fs::write(&draft, chain)?;
    fs::rename(draft, path)
}
