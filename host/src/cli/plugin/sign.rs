//! `sealwright plugin key` and `sign`: keys that sign components, and signing with them.

use std::{
    fmt,
    fs::{self, OpenOptions},
    io::{ErrorKind, Write as _},
    os::unix::fs::OpenOptionsExt as _,
    path::Path,
    process::ExitCode,
};

use anyhow::Context;
use sealwright_seal::digest::Sha256Digest;
use serde::Serialize;

use super::{Output, check};
use crate::plugins::{PluginKey, PluginSigningKey};

/// Creates the file of a key, unless it is there, and prints the public key.
pub(super) fn key(file: &Path, output: Output) -> anyhow::Result<ExitCode> {
    let named = || file.display().to_string();
    let (key, created) = match OpenOptions::new().write(true).create_new(true).mode(0o600).open(file) {
        Ok(mut new) => {
            let key = PluginSigningKey::generate();
            writeln!(new, "{}", key.secret_text().expose()).and_then(|()| new.sync_all()).with_context(named)?;
            (key, true)
        }
        Err(error) if error.kind() == ErrorKind::AlreadyExists => (read_key(file)?, false),
        Err(error) => return Err(error).with_context(named),
    };
    output.print(&KeyFile { file: named(), created, public_key: key.public() })?;
    Ok(ExitCode::SUCCESS)
}

/// Signs a component, in its file or in another one.
pub(super) fn sign(file: &Path, key: &Path, out: Option<&Path>, output: Output) -> anyhow::Result<ExitCode> {
    let key = read_key(key)?;
    let signed = key.sign(&check::read(file)?).with_context(|| file.display().to_string())?;
    let out = out.unwrap_or(file);
    // A server that watches the folder must not see half of it.
    let part = out.with_extension("part");
    let writing = || format!("writing {}", out.display());
    fs::write(&part, &signed).and_then(|()| fs::rename(&part, out)).with_context(writing)?;
    let (file, digest) = (out.display().to_string(), Sha256Digest::of(&signed));
    output.print(&SignedComponent { file, digest, key: key.public() })?;
    Ok(ExitCode::SUCCESS)
}

fn read_key(file: &Path) -> anyhow::Result<PluginSigningKey> {
    let text = fs::read_to_string(file).with_context(|| format!("reading {}", file.display()))?;
    PluginSigningKey::parse(&text).with_context(|| {
        let file = file.display();
        format!("{file}: expected a key of 64 hexadecimal digits, as `sealwright plugin key` creates it")
    })
}

/// What `plugin key` prints.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct KeyFile {
    file: String,
    created: bool,
    public_key: PluginKey,
}

impl fmt::Display for KeyFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, created, public_key } = self;
        let what = if *created { "a new secret key; keep it secret, and keep a copy" } else { "the secret key" };
        write!(f, "{file}: {what}\n  public   {public_key}")
    }
}

/// What `plugin sign` prints.
#[derive(Serialize)]
struct SignedComponent {
    file: String,
    digest: Sha256Digest,
    key: PluginKey,
}

impl fmt::Display for SignedComponent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, digest, key } = self;
        write!(f, "{file} is signed\n  key      {key}\n  sha256   {digest}")
    }
}
