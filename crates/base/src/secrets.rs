//! Secrets at rest and in memory: the operator's key, which is stored in a file outside the database, and what is
//! encrypted or derived with it. Users' passwords are not here: they are hashed, never encrypted.

pub mod chunks;

use std::{
    fmt, fs,
    io::{self, Write},
    os::unix::fs::{OpenOptionsExt, PermissionsExt},
    path::{Path, PathBuf},
};

use base64::{Engine, engine::general_purpose::STANDARD_NO_PAD};
use chacha20poly1305::{
    KeyInit as _, XChaCha20Poly1305, XNonce,
    aead::{Aead, Payload},
};
use hmac::{Hmac, Mac};
use sha2::Sha256;
use subtle::ConstantTimeEq;
use zeroize::Zeroize;

use crate::clock::{random_bytes, random_key};

/// The format of encrypted texts: XChaCha20-Poly1305 under a derived key, `v1:` and the base64 of nonce and ciphertext.
const VERSION: &str = "v1:";

const NONCE_BYTES: usize = 24;

/// The purpose that the encryption key is derived for, so that it differs from every other key of
/// [`SecretKey::derive`].
const ENCRYPTION: &str = "encryption of stored secrets";

/// 32 random bytes that protect all secrets of this installation. Without the file every stored webhook secret and
/// signing key is lost; a copy of the database without it reveals none of them.
#[derive(Clone)]
pub struct SecretKey([u8; 32]);

impl SecretKey {
    /// Reads the key from `path`, or creates one there (64 hexadecimal characters, mode 0600) if there is none.
    ///
    /// Two processes may do this at once: both get the same key.
    ///
    /// Only for a new installation: check first whether something is encrypted with a missing key.
    pub fn load_or_create(path: &Path) -> Result<Self, SecretKeyError> {
        let failed = |cause| SecretKeyError::File { path: path.to_owned(), cause };
        if let Some(key) = Self::load(path)? {
            return Ok(key);
        }
        create(path).map_err(failed)?;
        Self::read(path, fs::read_to_string(path).map_err(failed)?)
    }

    /// Reads the key from `path`. None if there is no such file.
    pub fn load(path: &Path) -> Result<Option<Self>, SecretKeyError> {
        match fs::read_to_string(path) {
            Ok(text) => Self::read(path, text).map(Some),
            Err(missing) if missing.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(cause) => Err(SecretKeyError::File { path: path.to_owned(), cause }),
        }
    }

    /// A key that is not stored, for commands that only inspect an installation without a key.
    pub fn throw_away() -> Self {
        Self(random_bytes::<32>())
    }

    /// Encrypts `plaintext` into a text for a database column. Only the same `purpose` decrypts it, so a value moved to
    /// another column or row is detected: include the owner in the purpose, for example `webhook of company 7`.
    #[expect(clippy::missing_panics_doc, reason = "what it expects cannot fail, as the comment shows")]
    pub fn encrypt(&self, purpose: &str, plaintext: &[u8]) -> String {
        let nonce = random_bytes::<NONCE_BYTES>();
        let payload = Payload { msg: plaintext, aad: purpose.as_bytes() };
        // The cipher only refuses messages above 256 GiB, which do not fit into memory.
        let ciphertext =
            self.cipher().encrypt(&XNonce::from(nonce), payload).expect("a message in memory is short enough");
        format!("{VERSION}{}", STANDARD_NO_PAD.encode([nonce.as_slice(), &ciphertext].concat()))
    }

    /// Decrypts the result of [`SecretKey::encrypt`] with this key and the same `purpose`.
    pub fn decrypt(&self, purpose: &str, text: &str) -> Result<Vec<u8>, DecryptError> {
        let encoded = text.strip_prefix(VERSION).ok_or(DecryptError)?;
        let bytes = STANDARD_NO_PAD.decode(encoded).map_err(|_| DecryptError)?;
        let (nonce, ciphertext) = bytes.split_first_chunk::<NONCE_BYTES>().ok_or(DecryptError)?;
        let payload = Payload { msg: ciphertext, aad: purpose.as_bytes() };
        self.cipher().decrypt(&XNonce::from(*nonce), payload).map_err(|_| DecryptError)
    }

    /// A derived key, always the same for the same `purpose`; it reveals nothing about this one.
    #[expect(clippy::missing_panics_doc, reason = "what it expects cannot fail, as the comment shows")]
    pub fn derive(&self, purpose: &str) -> [u8; 32] {
        // HMAC takes a key of any length, so this cannot fail.
        let mut mac = <Hmac<Sha256>>::new_from_slice(&self.0).expect("HMAC takes a key of any length");
        mac.update(b"sealwright derived key v1\0");
        mac.update(purpose.as_bytes());
        mac.finalize().into_bytes().into()
    }

    fn cipher(&self) -> XChaCha20Poly1305 {
        XChaCha20Poly1305::new(&self.derive(ENCRYPTION).into())
    }

    fn read(path: &Path, mut text: String) -> Result<Self, SecretKeyError> {
        let mut key = [0; 32];
        let decoded = hex::decode_to_slice(text.trim(), &mut key);
        text.zeroize();
        decoded.map_err(|_| SecretKeyError::Malformed { path: path.to_owned() })?;
        warn_if_readable_by_others(path);
        Ok(Self(key))
    }
}

impl Drop for SecretKey {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

impl fmt::Debug for SecretKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretKey(…)")
    }
}

/// Why there is no key. A new key never helps: what the old one encrypted would be lost.
#[derive(Debug, thiserror::Error)]
pub enum SecretKeyError {
    #[error("cannot read or create the secret key file {path}: {cause}", path = path.display())]
    File { path: PathBuf, cause: io::Error },
    #[error("the secret key file {path} does not contain 64 hexadecimal characters", path = path.display())]
    Malformed { path: PathBuf },
    #[error(
        "the secret key file {path} is missing, and the database contains secrets that were encrypted with it: name the \
         right file with secret_key_file, or restore it from a backup. No new key was created",
        path = path.display()
    )]
    Lost { path: PathBuf },
    #[error(
        "the secret key file {path} is not the one that the secrets in the database were encrypted with: name the right file \
         with secret_key_file, or restore it from a backup",
        path = path.display()
    )]
    Wrong { path: PathBuf },
}

/// A stored secret was encrypted with another key, for another purpose, or was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a stored secret cannot be decrypted: the secret key file is not the one it was encrypted with, or it was changed"
)]
pub struct DecryptError;

/// A text that is never shown, neither by `Debug` nor in JSON. Its memory is overwritten when it is dropped.
#[derive(Clone, Default)]
pub struct SecretString(String);

impl SecretString {
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text itself. Review every call for where the text goes.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl From<String> for SecretString {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl From<&str> for SecretString {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl Drop for SecretString {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

impl fmt::Debug for SecretString {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("…")
    }
}

/// Takes constant time for texts of equal length.
impl PartialEq for SecretString {
    fn eq(&self, other: &Self) -> bool {
        self.0.as_bytes().ct_eq(other.0.as_bytes()).into()
    }
}

impl Eq for SecretString {}

/// Writes a new key next to `path` and links it there, which fails if another process was faster: then its key is used.
/// So `path` never contains a half-written file.
fn create(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let draft = folder.join(format!(".secret-key-{}", random_key()));
    let written = write_draft(&draft).and_then(|()| match fs::hard_link(&draft, path) {
        Err(taken) if taken.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        linked => linked,
    });
    fs::remove_file(&draft)?;
    written?;
    fs::File::open(folder)?.sync_all()
}

fn write_draft(draft: &Path) -> io::Result<()> {
    let mut file = fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(draft)?;
    let mut text = hex::encode(random_bytes::<32>());
    text.push('\n');
    let written = file.write_all(text.as_bytes());
    text.zeroize();
    written?;
    file.sync_all()
}

fn warn_if_readable_by_others(path: &Path) {
    if let Ok(metadata) = fs::metadata(path) {
        let mode = metadata.permissions().mode() & 0o777;
        if mode & 0o077 != 0 {
            tracing::warn!(path = %path.display(), mode = format!("{mode:o}"), "other users can read the secret key file; chmod 600 it");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key() -> SecretKey {
        SecretKey([7; 32])
    }

    #[test]
    fn the_same_purpose_decrypts_what_was_encrypted() {
        let text = key().encrypt("webhook of company 7", b"signing secret");
        assert!(text.starts_with("v1:"));
        assert_eq!(key().decrypt("webhook of company 7", &text).unwrap(), b"signing secret");
        assert_eq!(key().decrypt("", &key().encrypt("", b"")).unwrap(), b"");
    }

    #[test]
    fn another_purpose_key_or_byte_decrypts_nothing() {
        let text = key().encrypt("a", b"secret");
        assert_eq!(key().decrypt("b", &text), Err(DecryptError));
        assert_eq!(SecretKey([8; 32]).decrypt("a", &text), Err(DecryptError));
        for position in 0..text.len() {
            let mut changed = text.clone().into_bytes();
            changed[position] = if changed[position] == b'A' { b'B' } else { b'A' };
            assert_eq!(key().decrypt("a", &String::from_utf8(changed).unwrap()), Err(DecryptError), "{position}");
        }
        for hostile in ["", "v1:", "v1:AAAA", "v2:AAAA", "v1:=", "v1:\u{0}"] {
            assert_eq!(key().decrypt("a", hostile), Err(DecryptError), "{hostile:?}");
        }
    }

    #[test]
    fn encrypting_twice_gives_different_texts() {
        assert_ne!(key().encrypt("a", b"secret"), key().encrypt("a", b"secret"));
    }

    #[test]
    fn derived_keys_differ_by_purpose_and_stay_the_same() {
        assert_eq!(key().derive("plugin cache"), key().derive("plugin cache"));
        assert_ne!(key().derive("plugin cache"), key().derive("token signing"));
        assert_ne!(key().derive(""), [7; 32]);
    }

    #[test]
    fn the_key_is_created_once_and_only_for_its_owner() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deeper/secret.key");
        let made = SecretKey::load_or_create(&path).unwrap();
        let read = SecretKey::load_or_create(&path).unwrap();
        assert_eq!(made.0, read.0);
        assert_ne!(made.0, [0; 32]);
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1, "no draft is left behind");
    }

    #[test]
    fn threads_that_create_the_key_concurrently_get_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("secret.key");
        let keys: Vec<[u8; 32]> = std::thread::scope(|scope| {
            let makers: Vec<_> = (0..8).map(|_| scope.spawn(|| SecretKey::load_or_create(&path).unwrap().0)).collect();
            makers.into_iter().map(|maker| maker.join().unwrap()).collect()
        });
        assert!(keys.iter().all(|key| *key == keys[0]));
    }

    #[test]
    fn a_file_that_is_not_a_key_is_refused_and_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("secret.key");
        for wrong in ["", "abc", &"0".repeat(63), &"g".repeat(64), &"0".repeat(66)] {
            fs::write(&path, wrong).unwrap();
            assert!(matches!(SecretKey::load_or_create(&path), Err(SecretKeyError::Malformed { .. })), "{wrong:?}");
            assert_eq!(fs::read_to_string(&path).unwrap(), wrong);
        }
    }

    #[test]
    fn debug_shows_no_secret() {
        assert_eq!(format!("{:?} {:?}", key(), SecretString::new("hunter2")), "SecretKey(…) …");
    }
}
