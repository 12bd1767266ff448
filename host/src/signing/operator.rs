//! The operator's own signing key, from the files that the settings name.

use std::{os::unix::fs::PermissionsExt, path::Path};

use sealwright_seal::pki::{Identity, PrivateKey, Purpose};
use zeroize::Zeroizing;

use super::{SigningError, read, read_chain};
use crate::config::SignerFiles;

/// Reads key and certificates, and checks that they belong together and may sign documents. Whether they are valid now is
/// not asked here.
pub(super) fn load(files: &SignerFiles) -> Result<Identity, SigningError> {
    let key = read_key(&files.key)?;
    let chain = read_chain(&files.certificate_chain)?;
    identity(key, chain, files, Purpose::DocumentSigning)
}

/// Reads a private key in PEM, and warns where others may read it too.
pub(super) fn read_key(path: &Path) -> Result<PrivateKey, SigningError> {
    let text = Zeroizing::new(read(path)?);
    let key = PrivateKey::from_pem(&text).map_err(|error| SigningError::Key { path: path.to_owned(), error })?;
    if let Ok(metadata) = std::fs::metadata(path) {
        let mode = metadata.permissions().mode() & 0o777;
        if mode & 0o077 != 0 {
            tracing::warn!(path = %path.display(), mode = format!("{mode:o}"), "a signing key is open to others; chmod 600 it");
        }
    }
    Ok(key)
}

pub(super) fn identity(
    key: PrivateKey,
    chain: Vec<sealwright_seal::Certificate>,
    files: &SignerFiles,
    purpose: Purpose,
) -> Result<Identity, SigningError> {
    Identity::new(Box::new(key), chain, purpose).map_err(|error| SigningError::Identity {
        key: files.key.clone(),
        chain: files.certificate_chain.clone(),
        error,
    })
}
