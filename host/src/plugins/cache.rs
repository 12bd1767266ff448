//! Compiled components, kept on disk so that a start does not compile again.
//!
//! Compiled code is machine code: whoever can choose it can do anything this process can. So an entry carries an HMAC
//! under a key of this installation, in a folder that only its user may enter, and one that fails the check is compiled
//! anew. Nothing compiled is ever taken from elsewhere.

use std::{
    fs::{self, DirBuilder, File, OpenOptions, Permissions},
    hash::{DefaultHasher, Hash, Hasher},
    io::{self, Write},
    os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt},
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use wasmtime::{Engine, component::Component};

use crate::clock::random_bytes;

/// The length of an entry's HMAC, which precedes the compiled component in its file.
const MAC_BYTES: usize = 32;

pub(super) struct CompiledCache {
    folder: PathBuf,
    key: [u8; 32],
}

impl CompiledCache {
    /// The cache in `folder`, which is made when it is not there, and closed to other users.
    pub(super) fn open(folder: PathBuf, key: [u8; 32]) -> Result<Self> {
        DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(&folder)
            .and_then(|()| fs::set_permissions(&folder, Permissions::from_mode(0o700)))
            .with_context(|| format!("making the folder of compiled plugins {}", folder.display()))?;
        Ok(Self { folder, key })
    }

    /// The component in `bytes`, whose SHA-256 is `digest`: from the cache, or else compiled and put there.
    pub(super) fn compile(&self, engine: &Engine, bytes: &[u8], digest: &[u8; 32]) -> Result<Component> {
        let name = entry_name(engine, digest);
        if let Some(component) = self.load(engine, &name) {
            return Ok(component);
        }
        let component = Component::from_binary(engine, bytes)
            .map_err(|error| error.context("it is no WebAssembly component that this host can run"))?;
        // Without an entry the next start is slower, and that is all.
        if let Err(error) = component.serialize().map_err(Into::into).and_then(|code| self.store(&name, &code)) {
            tracing::warn!("a compiled plugin cannot be kept: {error:#}");
        }
        Ok(component)
    }

    /// The entry of this name, when there is one and it is ours.
    fn load(&self, engine: &Engine, name: &str) -> Option<Component> {
        let path = self.folder.join(name);
        let entry = match fs::read(&path) {
            Ok(entry) => entry,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
            Err(error) => {
                tracing::warn!("the compiled plugin {} cannot be read: {error}", path.display());
                return None;
            }
        };
        let compiled = self.verified(name, &entry).or_else(|| {
            tracing::warn!("the compiled plugin {} was changed by someone else and is made anew", path.display());
            None
        })?;
        match deserialize(engine, compiled) {
            Ok(component) => Some(component),
            Err(error) => {
                tracing::warn!("the compiled plugin {} does not fit and is made anew: {error:#}", path.display());
                None
            }
        }
    }

    fn store(&self, name: &str, compiled: &[u8]) -> Result<()> {
        let temporary = self.folder.join(format!("{name}.{}.tmp", hex::encode(random_bytes::<8>())));
        let mac = self.mac(name, compiled).finalize().into_bytes();
        write_durably(&temporary, &[&mac, compiled])
            .and_then(|()| fs::rename(&temporary, self.folder.join(name)))
            .and_then(|()| File::open(&self.folder)?.sync_all())
            .with_context(|| format!("writing {name} in {}", self.folder.display()))
            .inspect_err(|_| {
                let _ = fs::remove_file(&temporary);
            })
    }

    /// The compiled component in an entry that this installation wrote under this very name.
    fn verified<'e>(&self, name: &str, entry: &'e [u8]) -> Option<&'e [u8]> {
        let (mac, compiled) = entry.split_at_checked(MAC_BYTES)?;
        self.mac(name, compiled).verify_slice(mac).ok()?;
        Some(compiled)
    }

    /// The name is part of what is signed, so that no entry can be put in another's place.
    fn mac(&self, name: &str, compiled: &[u8]) -> Hmac<Sha256> {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.key).expect("HMAC takes keys of any length (RFC 2104)");
        mac.update(&(name.len() as u64).to_le_bytes());
        mac.update(name.as_bytes());
        mac.update(compiled);
        mac
    }
}

/// An entry's file name: which component, compiled by which engine for which processor.
fn entry_name(engine: &Engine, digest: &[u8; 32]) -> String {
    let mut hasher = DefaultHasher::new();
    engine.precompile_compatibility_hash().hash(&mut hasher);
    format!("{}-{:016x}.cwasm", hex::encode(digest), hasher.finish())
}

#[expect(unsafe_code, reason = "this is how wasmtime loads what it compiled earlier")]
fn deserialize(engine: &Engine, compiled: &[u8]) -> wasmtime::Result<Component> {
    // SAFETY: `compiled` must be what `Component::serialize` gave, unmodified. The caller checked its HMAC under this
    // installation's key, and only `CompiledCache::store` makes one. The check and this call see the same bytes in
    // memory, so the file cannot change in between.
    unsafe { Component::deserialize(engine, compiled) }
}

fn write_durably(path: &Path, parts: &[&[u8]]) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    for part in parts {
        file.write_all(part)?;
    }
    file.sync_all()
}
