//! The operator's own signing key, from the place in the settings. Opening it blocks, with a device for as long as the
//! device takes.

use std::{fs, os::unix::fs::PermissionsExt, path::Path};

use sealwright_seal::{
    Certificate,
    pki::{Identity, PrivateKey, Purpose, Signer},
};
use zeroize::Zeroizing;

use super::{SigningError, pkcs11::DeviceKey, pkcs12, read, read_chain};
use crate::{
    config::{SecretSource, SecretSourceError, SignerFiles, SignerSource},
    secrets::SecretString,
};

/// Reads or opens the key, and checks that its certificates belong to it and may sign documents. Whether they are valid
/// now is not checked here.
pub(super) fn load(source: &SignerSource) -> Result<Identity, SigningError> {
    match source {
        SignerSource::Pem(files) => {
            let key = read_key(&files.key)?;
            let chain = read_chain(&files.certificate_chain)?;
            identity(Box::new(key), chain, files, Purpose::DocumentSigning)
        }
        SignerSource::Pkcs12 { file, password } => {
            let password = password.as_ref().map(secret).transpose()?;
            warn_if_open(file);
            let bytes = fs::read(file).map_err(|cause| SigningError::Read { path: file.clone(), cause })?;
            let read = pkcs12::read(&bytes, password.as_ref().map_or("", SecretString::expose));
            let (key, chain) = read.map_err(|cause| SigningError::Pkcs12 { path: file.clone(), cause })?;
            let files = SignerFiles { key: file.clone(), certificate_chain: file.clone() };
            identity(Box::new(key), chain, &files, Purpose::DocumentSigning)
        }
        SignerSource::Pkcs11 { module, token, key, pin, certificate_chain } => {
            let pin = pin.as_ref().map(secret).transpose()?;
            let device = DeviceKey::open(module, token, key, pin);
            let device = device.map_err(|cause| SigningError::Pkcs11 { module: module.clone(), cause })?;
            let files = SignerFiles { key: module.clone(), certificate_chain: certificate_chain.clone() };
            identity(Box::new(device), read_chain(certificate_chain)?, &files, Purpose::DocumentSigning)
        }
    }
}

/// Reads a private key in PEM, and warns if other users can read it.
pub(super) fn read_key(path: &Path) -> Result<PrivateKey, SigningError> {
    let text = Zeroizing::new(read(path)?);
    let key = PrivateKey::from_pem(&text).map_err(|error| SigningError::Key { path: path.to_owned(), error })?;
    warn_if_open(path);
    Ok(key)
}

fn warn_if_open(path: &Path) {
    if let Ok(metadata) = fs::metadata(path) {
        let mode = metadata.permissions().mode() & 0o777;
        if mode & 0o077 != 0 {
            tracing::warn!(path = %path.display(), mode = format!("{mode:o}"), "other users can read a signing key; chmod 600 it");
        }
    }
}

pub(super) fn identity(
    key: Box<dyn Signer>,
    chain: Vec<Certificate>,
    files: &SignerFiles,
    purpose: Purpose,
) -> Result<Identity, SigningError> {
    Identity::new(key, chain, purpose).map_err(|error| SigningError::Identity {
        key: files.key.clone(),
        chain: files.certificate_chain.clone(),
        error,
    })
}

/// A password or PIN.
pub(super) fn secret(source: &SecretSource) -> Result<SecretString, SigningError> {
    source.read().map_err(|error| match error {
        SecretSourceError::Variable(name) => SigningError::Variable { name },
        SecretSourceError::File { path, cause } => SigningError::Read { path, cause },
    })
}
