//! Compiled components, kept on disk so that a start does not compile again.
//!
//! Compiled code is machine code: anyone who can choose it can do anything this process can. So an entry carries an
//! HMAC under a key of this installation, in a folder that only its user may enter, and one that fails the check is
//! compiled again. Compiled code from elsewhere is never used.

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

use sealwright_base::clock::random_bytes;
use sealwright_seal::digest::Sha256Digest;

/// The length of an entry's HMAC, which precedes the compiled component in its file.
const MAC_BYTES: usize = 32;

pub(super) struct CompiledCache {
    folder: PathBuf,
    key: [u8; 32],
}

impl CompiledCache {
    /// The cache in `folder`, which is created if it does not exist, and closed to other users.
    pub(super) fn open(folder: PathBuf, key: [u8; 32]) -> Result<Self> {
        DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(&folder)
            .and_then(|()| fs::set_permissions(&folder, Permissions::from_mode(0o700)))
            .with_context(|| format!("creating the folder for compiled plugins {}", folder.display()))?;
        Ok(Self { folder, key })
    }

    /// The component whose SHA-256 is `digest`: from the cache, or else compiled and stored there.
    pub(super) fn compile(
        &self,
        engine: &Engine,
        digest: Sha256Digest,
        compile: impl FnOnce() -> Result<Component>,
    ) -> Result<Component> {
        let name = entry_name(engine, digest);
        if let Some(component) = self.load(engine, &name) {
            return Ok(component);
        }
        let component = compile()?;
        // Without an entry the next start is only slower.
        if let Err(error) = component.serialize().map_err(Into::into).and_then(|code| self.store(&name, &code)) {
            tracing::warn!("a compiled plugin cannot be stored: {error:#}");
        }
        Ok(component)
    }

    /// Stores a copy of an accepted component, so that it can be called even if its file is gone.
    pub(super) fn keep_source(&self, digest: Sha256Digest, component: &[u8]) {
        let path = self.source_path(digest);
        if fs::metadata(&path).is_ok_and(|there| there.len() == component.len() as u64) {
            return;
        }
        let temporary = self.folder.join(format!("{digest}.{}.tmp", hex::encode(random_bytes::<8>())));
        let kept = write_durably(&temporary, &[component]).and_then(|()| fs::rename(&temporary, &path));
        if let Err(error) = kept {
            let _ = fs::remove_file(&temporary);
            tracing::warn!("a copy of a plugin cannot be stored in {}: {error}", self.folder.display());
        }
    }

    /// The component with this SHA-256, if an unchanged copy of it is stored.
    pub(super) fn source(&self, digest: Sha256Digest) -> Option<Vec<u8>> {
        let component = fs::read(self.source_path(digest)).ok()?;
        (Sha256Digest::of(&component) == digest).then_some(component)
    }

    fn source_path(&self, digest: Sha256Digest) -> PathBuf {
        self.folder.join(format!("{digest}.wasm"))
    }

    /// The entry of this name, if it exists and this installation wrote it.
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
            tracing::warn!("the compiled plugin {} is not authentic and is compiled again", path.display());
            None
        })?;
        match deserialize(engine, compiled) {
            Ok(component) => Some(component),
            Err(error) => {
                let path = path.display();
                tracing::warn!("the compiled plugin {path} cannot be run here and is compiled again: {error:#}");
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

    /// The compiled component in an entry that this installation wrote under this name.
    fn verified<'e>(&self, name: &str, entry: &'e [u8]) -> Option<&'e [u8]> {
        let (mac, compiled) = entry.split_at_checked(MAC_BYTES)?;
        self.mac(name, compiled).verify_slice(mac).ok()?;
        Some(compiled)
    }

    /// The MAC covers the name, so that an entry cannot take another's place.
    fn mac(&self, name: &str, compiled: &[u8]) -> Hmac<Sha256> {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.key).expect("HMAC takes keys of any length (RFC 2104)");
        mac.update(&(name.len() as u64).to_le_bytes());
        mac.update(name.as_bytes());
        mac.update(compiled);
        mac
    }
}

/// An entry's file name: which component, compiled by which engine for which processor.
fn entry_name(engine: &Engine, digest: Sha256Digest) -> String {
    let mut hasher = DefaultHasher::new();
    engine.precompile_compatibility_hash().hash(&mut hasher);
    format!("{digest}-{:016x}.cwasm", hasher.finish())
}

#[expect(unsafe_code, reason = "this is how wasmtime loads what it compiled earlier")]
pub(super) fn deserialize(engine: &Engine, compiled: &[u8]) -> wasmtime::Result<Component> {
    // SAFETY: `compiled` must be what `Component::serialize` returned, unmodified. It is either an entry whose HMAC
    // under this installation's key the caller has checked, which only `CompiledCache::store` writes; or what a child
    // of this program has just written into a pipe that no other process holds (`compiler.rs`). The check and this call
    // see the same bytes in memory, so they cannot change in between.
    unsafe { Component::deserialize(engine, compiled) }
}

fn write_durably(path: &Path, parts: &[&[u8]]) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    for part in parts {
        file.write_all(part)?;
    }
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    /// A cache in a new folder, and an engine.
    struct Fixture {
        folder: TempDir,
        engine: Engine,
        cache: CompiledCache,
    }

    impl Fixture {
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            let cache = CompiledCache::open(folder.path().join("cache"), [1; 32]).unwrap();
            Self { folder, engine: Engine::default(), cache }
        }

        fn compile(&self, bytes: &[u8]) -> String {
            self.compile_with(&self.cache, bytes)
        }

        /// The name of the compiled component's only export.
        fn compile_with(&self, cache: &CompiledCache, bytes: &[u8]) -> String {
            let compile = || Ok(Component::from_binary(&self.engine, bytes)?);
            let component = cache.compile(&self.engine, Sha256Digest::of(bytes), compile).unwrap();
            let exports = component.component_type();
            exports.exports(&self.engine).map(|(name, _)| name.to_owned()).collect()
        }

        fn entry(&self, bytes: &[u8]) -> PathBuf {
            self.folder.path().join("cache").join(entry_name(&self.engine, Sha256Digest::of(bytes)))
        }
    }

    fn component(export: &str) -> Vec<u8> {
        wat::parse_str(format!(r#"(component (core module $m) (export "{export}" (core module $m)))"#)).unwrap()
    }

    #[test]
    fn an_entry_is_used_instead_of_compiling() {
        let fixture = Fixture::new();
        let (first, second) = (component("first"), component("second"));
        let compiled = Component::from_binary(&fixture.engine, &second).unwrap().serialize().unwrap();
        fixture.cache.store(&entry_name(&fixture.engine, Sha256Digest::of(&first)), &compiled).unwrap();
        assert_eq!(fixture.compile(&first), "second");
    }

    #[test]
    fn a_changed_entry_is_refused_and_compiled_again() {
        let fixture = Fixture::new();
        let bytes = component("first");
        fixture.compile(&bytes);
        let entry = fixture.entry(&bytes);
        let honest = fs::read(&entry).unwrap();
        for position in [0, MAC_BYTES, honest.len() / 2, honest.len() - 1] {
            let mut changed = honest.clone();
            changed[position] ^= 1;
            fs::write(&entry, &changed).unwrap();
            assert_eq!(fixture.compile(&bytes), "first");
            assert!(fs::read(&entry).unwrap() != changed, "the changed entry was left at {position}");
        }
        fs::write(&entry, b"short").unwrap();
        assert_eq!(fixture.compile(&bytes), "first");
    }

    #[test]
    fn an_entry_is_refused_in_the_place_of_another() {
        let fixture = Fixture::new();
        let (first, second) = (component("first"), component("second"));
        fixture.compile(&second);
        fs::copy(fixture.entry(&second), fixture.entry(&first)).unwrap();
        assert_eq!(fixture.compile(&first), "first");
    }

    #[test]
    fn an_entry_of_another_installation_is_refused() {
        let fixture = Fixture::new();
        let (first, second) = (component("first"), component("second"));
        let compiled = Component::from_binary(&fixture.engine, &second).unwrap().serialize().unwrap();
        fixture.cache.store(&entry_name(&fixture.engine, Sha256Digest::of(&first)), &compiled).unwrap();
        let other = CompiledCache::open(fixture.folder.path().join("cache"), [2; 32]).unwrap();
        assert_eq!(fixture.compile_with(&other, &first), "first");
    }

    #[test]
    fn the_copy_of_a_component_is_returned_unless_it_was_changed() {
        let fixture = Fixture::new();
        let bytes = component("first");
        let digest = Sha256Digest::of(&bytes);
        assert_eq!(fixture.cache.source(digest), None);
        fixture.cache.keep_source(digest, &bytes);
        fixture.cache.keep_source(digest, &bytes);
        assert_eq!(fixture.cache.source(digest).as_ref(), Some(&bytes));
        fs::write(fixture.cache.source_path(digest), component("other")).unwrap();
        assert_eq!(fixture.cache.source(digest), None);
    }

    #[test]
    fn the_folder_is_closed_to_other_users_and_no_temporary_file_stays() {
        let fixture = Fixture::new();
        fixture.compile(&component("first"));
        let folder = fixture.folder.path().join("cache");
        assert_eq!(fs::metadata(&folder).unwrap().permissions().mode() & 0o777, 0o700);
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
    }
}
