//! Encryption of files of any length, chunk by chunk, in the manner of age's STREAM: no chunk can be changed, moved,
//! left out or taken from another file, and a file that was cut off is detected.
//!
//! A file is [`MAGIC`], 8 bytes that identify the key, 32 random bytes, and the chunks. Each chunk of [`CHUNK`] bytes is
//! encrypted with XChaCha20-Poly1305 under a key that is derived from the key, the file's name and the random bytes. The
//! nonce is the chunk's number and whether it is the last one. Only the last chunk may be shorter.

use chacha20poly1305::{
    KeyInit as _, XChaCha20Poly1305, XNonce,
    aead::{Aead, Payload},
};

use super::SecretKey;
use crate::clock::random_bytes;

/// The first bytes of an encrypted file.
pub const MAGIC: &[u8; 8] = b"SWENC01\n";
/// The bytes of a chunk before encryption.
const CHUNK: usize = 64 * 1024;
/// What encryption adds to a chunk.
const TAG: usize = 16;
const KEY_ID: usize = 8;
const SALT: usize = 32;
const HEADER: usize = MAGIC.len() + KEY_ID + SALT;

/// Why a file cannot be decrypted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    #[error("it is not encrypted")]
    NotEncrypted,
    #[error("it is encrypted with another key")]
    OtherKey,
    #[error("it was changed or cut off")]
    Changed,
}

struct ChunkCipher {
    cipher: XChaCha20Poly1305,
    number: u64,
}

impl ChunkCipher {
    fn new(key: &SecretKey, name: &str, salt: &[u8]) -> Self {
        let derived = key.derive(&format!("encrypted file {name} {}", hex::encode(salt)));
        Self { cipher: XChaCha20Poly1305::new(&derived.into()), number: 0 }
    }

    /// The nonce of the next chunk.
    fn nonce(&mut self, is_last: bool) -> XNonce {
        let mut nonce = [0; 24];
        nonce[15..23].copy_from_slice(&self.number.to_be_bytes());
        nonce[23] = u8::from(is_last);
        self.number += 1;
        XNonce::from(nonce)
    }

    fn seal(&mut self, chunk: &[u8], is_last: bool) -> Vec<u8> {
        let nonce = self.nonce(is_last);
        let payload = Payload { msg: chunk, aad: b"" };
        // The cipher only refuses messages above 256 GiB.
        self.cipher.encrypt(&nonce, payload).expect("a chunk is short enough")
    }

    fn open(&mut self, chunk: &[u8], is_last: bool) -> Result<Vec<u8>, OpenError> {
        let nonce = self.nonce(is_last);
        self.cipher.decrypt(&nonce, Payload { msg: chunk, aad: b"" }).map_err(|_| OpenError::Changed)
    }
}

/// Which key a file is encrypted with. Reveals nothing about the key.
fn key_id(key: &SecretKey) -> [u8; KEY_ID] {
    let derived = key.derive("identifier of the key of encrypted files");
    let mut id = [0; KEY_ID];
    id.copy_from_slice(&derived[..KEY_ID]);
    id
}

/// Encrypts a file piece by piece.
pub struct Sealer {
    cipher: ChunkCipher,
    /// What is not encrypted yet: at first the header, which is not.
    pending: Vec<u8>,
}

impl Sealer {
    /// Begins a file. Only the same `name` decrypts it. Returns the bytes that the file starts with.
    pub fn new(key: &SecretKey, name: &str) -> (Self, Vec<u8>) {
        let salt = random_bytes::<SALT>();
        let header = [MAGIC.as_slice(), &key_id(key), &salt].concat();
        (Self { cipher: ChunkCipher::new(key, name, &salt), pending: Vec::new() }, header)
    }

    /// Takes the next bytes, and returns those of the encrypted file that are complete.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<u8> {
        self.pending.extend_from_slice(bytes);
        let mut sealed = Vec::new();
        // The last chunk is sealed at the end, so a full one stays until more follows.
        let mut start = 0;
        while self.pending.len() - start > CHUNK {
            sealed.extend(self.cipher.seal(&self.pending[start..start + CHUNK], false));
            start += CHUNK;
        }
        self.pending.drain(..start);
        sealed
    }

    /// The last bytes of the encrypted file.
    pub fn finish(mut self) -> Vec<u8> {
        self.cipher.seal(&self.pending, true)
    }
}

/// Decrypts a file piece by piece. What it returns before [`Opener::finish`] succeeds is authentic, but may not be all.
pub struct Opener {
    key: SecretKey,
    name: String,
    cipher: Option<ChunkCipher>,
    pending: Vec<u8>,
}

impl Opener {
    pub fn new(key: &SecretKey, name: &str) -> Self {
        Self { key: key.clone(), name: name.to_owned(), cipher: None, pending: Vec::new() }
    }

    /// Takes the next bytes of the encrypted file, and returns what they contain.
    pub fn push(&mut self, bytes: &[u8]) -> Result<Vec<u8>, OpenError> {
        self.pending.extend_from_slice(bytes);
        if self.cipher.is_none() {
            if self.pending.len() < HEADER {
                return Ok(Vec::new());
            }
            let header: Vec<u8> = self.pending.drain(..HEADER).collect();
            let (magic, rest) = header.split_at(MAGIC.len());
            let (id, salt) = rest.split_at(KEY_ID);
            if magic != MAGIC {
                return Err(OpenError::NotEncrypted);
            }
            if id != key_id(&self.key) {
                return Err(OpenError::OtherKey);
            }
            self.cipher = Some(ChunkCipher::new(&self.key, &self.name, salt));
        }
        let Some(cipher) = &mut self.cipher else { return Ok(Vec::new()) };
        let mut opened = Vec::new();
        let mut start = 0;
        while self.pending.len() - start > CHUNK + TAG {
            opened.extend(cipher.open(&self.pending[start..start + CHUNK + TAG], false)?);
            start += CHUNK + TAG;
        }
        self.pending.drain(..start);
        Ok(opened)
    }

    /// The last bytes, if the file is whole.
    pub fn finish(self) -> Result<Vec<u8>, OpenError> {
        match self.cipher {
            Some(mut cipher) => cipher.open(&self.pending, true),
            None if self.pending.starts_with(MAGIC) || MAGIC.starts_with(&self.pending) => Err(OpenError::Changed),
            None => Err(OpenError::NotEncrypted),
        }
    }
}

/// The whole file, encrypted.
pub fn seal(key: &SecretKey, name: &str, bytes: &[u8]) -> Vec<u8> {
    let (mut sealer, mut sealed) = Sealer::new(key, name);
    sealed.extend(sealer.push(bytes));
    sealed.extend(sealer.finish());
    sealed
}

/// The content of a whole file that [`seal`] or a [`Sealer`] made.
pub fn open(key: &SecretKey, name: &str, sealed: &[u8]) -> Result<Vec<u8>, OpenError> {
    let mut opener = Opener::new(key, name);
    let mut opened = opener.push(sealed)?;
    opened.extend(opener.finish()?);
    Ok(opened)
}

/// How long the encrypted form of `length` bytes is.
pub const fn sealed_length(length: u64) -> u64 {
    let chunk = CHUNK as u64;
    let chunks = if length == 0 { 1 } else { length.div_ceil(chunk) };
    HEADER as u64 + length + chunks * TAG as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_length_comes_back_and_has_the_length_that_was_said() {
        let key = SecretKey::throw_away();
        for length in [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK] {
            let bytes: Vec<u8> = (0..length).map(|at| u8::try_from(at % 251).unwrap()).collect();
            let sealed = seal(&key, "a", &bytes);
            assert_eq!(u64::try_from(sealed.len()).unwrap(), sealed_length(u64::try_from(length).unwrap()));
            assert_eq!(open(&key, "a", &sealed), Ok(bytes.clone()));
            // Piece by piece, in odd sizes.
            let mut opener = Opener::new(&key, "a");
            let mut opened = Vec::new();
            for piece in sealed.chunks(977) {
                opened.extend(opener.push(piece).unwrap());
            }
            opened.extend(opener.finish().unwrap());
            assert_eq!(opened, bytes);
        }
    }

    #[test]
    fn a_changed_cut_or_moved_file_is_detected() {
        let key = SecretKey::throw_away();
        let sealed = seal(&key, "a", &vec![7_u8; 2 * CHUNK + 5]);
        for at in [HEADER - 1, HEADER, HEADER + CHUNK, sealed.len() - 1] {
            let mut changed = sealed.clone();
            changed[at] ^= 1;
            assert_eq!(open(&key, "a", &changed), Err(OpenError::Changed), "{at}");
        }
        for length in [0, 4, HEADER, HEADER + CHUNK + TAG, HEADER + 2 * (CHUNK + TAG), sealed.len() - 1] {
            assert_eq!(open(&key, "a", &sealed[..length]), Err(OpenError::Changed), "{length}");
        }
        let (first, second) = (HEADER..HEADER + CHUNK + TAG, HEADER + CHUNK + TAG..HEADER + 2 * (CHUNK + TAG));
        let swapped = [&sealed[..HEADER], &sealed[second.clone()], &sealed[first], &sealed[second.end..]].concat();
        assert_eq!(open(&key, "a", &swapped), Err(OpenError::Changed));
        assert_eq!(open(&key, "b", &sealed), Err(OpenError::Changed), "another file's name");
    }

    #[test]
    fn another_key_and_a_file_that_is_not_encrypted_are_named() {
        let sealed = seal(&SecretKey::throw_away(), "a", b"text");
        assert_eq!(open(&SecretKey::throw_away(), "a", &sealed), Err(OpenError::OtherKey));
        let text = [b'{'; 100];
        assert_eq!(open(&SecretKey::throw_away(), "a", &text), Err(OpenError::NotEncrypted));
        assert_eq!(open(&SecretKey::throw_away(), "a", b"{}"), Err(OpenError::NotEncrypted));
    }
}
