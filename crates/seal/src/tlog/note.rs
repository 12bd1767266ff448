//! Signed notes (C2SP `signed-note`): a text, an empty line, and a line for each signature. Keys are Ed25519.

use std::fmt;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use ed25519_dalek::{Signature, Signer as _, SigningKey};

use crate::digest::Sha256Hasher;

/// The signature type of Ed25519 over the text.
const ED25519: u8 = 1;
/// The start of a signature line.
const DASH: &str = "\u{2014} ";

/// Why a note or a key is not accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoteError {
    #[error("a key's name must not be empty and must not contain a blank, a line break or `+`: `{0}`")]
    Name(String),
    #[error("not a verifier key such as `name+hash+base64`")]
    Key,
    #[error("not a signed note: {0}")]
    Form(&'static str),
    #[error("the note has no signature by `{0}`")]
    NotSigned(String),
    #[error("the note's signature by `{0}` does not match")]
    Mismatch(String),
}

/// The key that signs a log's notes.
pub struct NoteSigner {
    name: String,
    key: SigningKey,
}

/// The key that verifies a log's notes. Its text form is `name+hash+base64`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoteVerifier {
    name: String,
    key: ed25519_dalek::VerifyingKey,
}

impl NoteSigner {
    /// A key from 32 bytes of the caller's randomness, kept secret.
    pub fn new(name: &str, random: &[u8; 32]) -> Result<Self, NoteError> {
        Ok(Self { name: check_name(name)?, key: SigningKey::from_bytes(random) })
    }

    pub fn verifier(&self) -> NoteVerifier {
        NoteVerifier { name: self.name.clone(), key: self.key.verifying_key() }
    }

    /// The note of `text`, which ends with a line break and has no other control characters.
    pub fn sign(&self, text: &str) -> Result<String, NoteError> {
        check_text(text)?;
        let signature = self.key.sign(text.as_bytes()).to_bytes();
        Ok(format!("{text}\n{}", signature_line(&self.name, self.verifier().hash(), &signature)))
    }
}

impl fmt::Debug for NoteSigner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "NoteSigner({})", self.verifier())
    }
}

impl NoteVerifier {
    /// Whose key it is. For a log, its origin.
    pub fn name(&self) -> &str {
        &self.name
    }

    fn hash(&self) -> [u8; 4] {
        key_hash(&self.name, ED25519, &self.key)
    }

    /// This key's signature among others.
    pub(super) fn find<'s, 'n>(&self, signatures: &'s [NoteSignature<'n>]) -> Option<&'s NoteSignature<'n>> {
        signatures.iter().find(|signature| signature.is_by(&self.name, self.hash()))
    }

    /// The text of a note that this key signed. Other signatures are ignored.
    pub fn open<'n>(&self, note: &'n str) -> Result<&'n str, NoteError> {
        let (text, signatures) = split(note)?;
        let ours = self.find(&signatures).ok_or_else(|| NoteError::NotSigned(self.name.clone()))?;
        let mismatch = || NoteError::Mismatch(self.name.clone());
        let signature = Signature::from_slice(&ours.signature).map_err(|_| mismatch())?;
        self.key.verify_strict(text.as_bytes(), &signature).map_err(|_| mismatch())?;
        Ok(text)
    }
}

/// A signature line of a note. The signature is not checked.
#[derive(Clone, Debug)]
pub(crate) struct NoteSignature<'n> {
    name: &'n str,
    hash: [u8; 4],
    pub(crate) signature: Vec<u8>,
    /// Without its line break.
    pub(crate) line: &'n str,
}

impl<'n> NoteSignature<'n> {
    fn read(line: &'n str) -> Result<Self, NoteError> {
        let parts = line.strip_prefix(DASH).and_then(|rest| rest.split_once(' '));
        let (name, encoded) = parts.ok_or(NoteError::Form("a signature's line is broken"))?;
        let bytes = STANDARD.decode(encoded).map_err(|_| NoteError::Form("a signature is not in base64"))?;
        let (hash, signature) = bytes.split_first_chunk().ok_or(NoteError::Form("a signature is too short"))?;
        Ok(Self { name, hash: *hash, signature: signature.to_vec(), line })
    }

    /// Whether it says that the key with this name and hash made it.
    pub(crate) fn is_by(&self, name: &str, hash: [u8; 4]) -> bool {
        self.name == name && self.hash == hash
    }
}

/// A note's text, and its signatures.
pub(crate) fn split(note: &str) -> Result<(&str, Vec<NoteSignature<'_>>), NoteError> {
    let at = note.rfind("\n\n").ok_or(NoteError::Form("it has no empty line"))?;
    let (text, lines) = (&note[..=at], &note[at + 2..]);
    check_text(text)?;
    Ok((text, signatures(lines)?))
}

/// The signatures in lines that each end with a line break. At least one.
pub(super) fn signatures(lines: &str) -> Result<Vec<NoteSignature<'_>>, NoteError> {
    let lines = lines.strip_suffix('\n').ok_or(NoteError::Form("it does not end with a line break"))?;
    lines.split('\n').map(NoteSignature::read).collect()
}

/// The line of a signature, with its line break.
pub(super) fn signature_line(name: &str, hash: [u8; 4], signature: &[u8]) -> String {
    format!("{DASH}{name} {}\n", STANDARD.encode([&hash[..], signature].concat()))
}

/// Distinguishes keys of the same name.
pub(super) fn key_hash(name: &str, kind: u8, key: &ed25519_dalek::VerifyingKey) -> [u8; 4] {
    let mut hasher = Sha256Hasher::new();
    hasher.update(name);
    hasher.update([b'\n', kind]);
    hasher.update(key.as_bytes());
    let digest = hasher.finish();
    let [a, b, c, d, ..] = *digest.as_bytes();
    [a, b, c, d]
}

/// The text form of a key: `name+hash+base64`.
pub(super) fn key_text(name: &str, kind: u8, key: &ed25519_dalek::VerifyingKey) -> String {
    let bytes = [&[kind], key.as_bytes().as_slice()].concat();
    format!("{name}+{}+{}", hex::encode(key_hash(name, kind, key)), STANDARD.encode(bytes))
}

/// Reads the text form of a key of this kind.
pub(super) fn parse_key(text: &str, kind: u8) -> Result<(String, ed25519_dalek::VerifyingKey), NoteError> {
    let mut parts = text.splitn(3, '+');
    let (Some(name), Some(hash), Some(key)) = (parts.next(), parts.next(), parts.next()) else {
        return Err(NoteError::Key);
    };
    let key = STANDARD.decode(key).map_err(|_| NoteError::Key)?;
    let key = key.strip_prefix(&[kind]).ok_or(NoteError::Key)?;
    let key: &[u8; 32] = key.try_into().map_err(|_| NoteError::Key)?;
    let key = ed25519_dalek::VerifyingKey::from_bytes(key).map_err(|_| NoteError::Key)?;
    let name = check_name(name)?;
    if hex::encode(key_hash(&name, kind, &key)) != hash {
        return Err(NoteError::Key);
    }
    Ok((name, key))
}

pub(super) fn check_name(name: &str) -> Result<String, NoteError> {
    let is_broken = name.is_empty() || name.contains(|character: char| character.is_whitespace() || character == '+');
    if is_broken { Err(NoteError::Name(name.to_owned())) } else { Ok(name.to_owned()) }
}

pub(super) fn check_text(text: &str) -> Result<(), NoteError> {
    if !text.ends_with('\n') {
        return Err(NoteError::Form("its text does not end with a line break"));
    }
    if text.contains(|character: char| character < ' ' && character != '\n') {
        return Err(NoteError::Form("its text has control characters"));
    }
    Ok(())
}

/// Shows and reads keys of a kind in their text form, `name+hash+base64`.
macro_rules! key_has_text_form {
    ($key:ident, $kind:expr) => {
        impl std::fmt::Display for $key {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&$crate::tlog::note::key_text(&self.name, $kind, &self.key))
            }
        }

        impl std::str::FromStr for $key {
            type Err = $crate::tlog::note::NoteError;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                let (name, key) = $crate::tlog::note::parse_key(text, $kind)?;
                Ok(Self { name, key })
            }
        }
    };
}
pub(super) use key_has_text_form;

key_has_text_form!(NoteVerifier, ED25519);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::random;

    /// Key and note of Go's `golang.org/x/mod/sumdb/note` documentation.
    const KEY: &str = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";
    const NOTE: &str = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n\n\
        \u{2014} PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n";

    #[test]
    fn a_note_of_the_reference_implementation_is_opened() {
        let key: NoteVerifier = KEY.parse().unwrap();
        assert_eq!(key.to_string(), KEY);
        assert!(key.open(NOTE).unwrap().ends_with("your problem is.\n"));
        for (position, _) in NOTE.char_indices().filter(|(_, character)| character.is_ascii_alphanumeric()) {
            let mut changed = NOTE.as_bytes().to_vec();
            changed[position] ^= 1;
            let changed = String::from_utf8(changed).unwrap();
            assert!(key.open(&changed).is_err(), "{position}");
        }
    }

    #[test]
    fn a_note_is_only_opened_by_its_signer_s_key() {
        let signer = NoteSigner::new("log.example/seals", &random("log key")).unwrap();
        let note = signer.sign("log.example/seals\n0\n…\n").unwrap();
        let key: NoteVerifier = signer.verifier().to_string().parse().unwrap();
        assert_eq!(key.open(&note).unwrap(), "log.example/seals\n0\n…\n");
        // Another key's signature next to it does not matter.
        let line = NOTE.rsplit_once("\n\n").unwrap().1;
        assert!(key.open(&format!("{note}{line}")).is_ok());
        let other = NoteSigner::new("log.example/seals", &random("other key")).unwrap().verifier();
        assert_eq!(other.open(&note), Err(NoteError::NotSigned("log.example/seals".into())));
    }

    #[test]
    fn broken_names_keys_and_texts_are_rejected() {
        for name in ["", "a b", "a+b", "a\nb"] {
            assert!(NoteSigner::new(name, &[1; 32]).is_err(), "{name:?}");
        }
        let changed = KEY.replace("c74f20a3", "c74f20a4");
        for key in ["", "PeterNeumann", &changed, "PeterNeumann+c74f20a3+AAAA"] {
            assert!(key.parse::<NoteVerifier>().is_err(), "{key}");
        }
        let signer = NoteSigner::new("log", &[1; 32]).unwrap();
        assert!(signer.sign("no end").is_err() && signer.sign("a\tb\n").is_err());
    }
}
