//! SHA-256 digests: the type that carries one, its text form, and the two ways to compute it.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use sha2::{Digest, Sha256};

/// A SHA-256 digest (FIPS 180-4). Its text form, in JSON too, is 64 lowercase hexadecimal characters (decisions 2).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sha256Digest(pub [u8; 32]);

impl Sha256Digest {
    /// The digest of `bytes`.
    pub fn of(bytes: impl AsRef<[u8]>) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

/// Computes a digest piece by piece, for bytes that are never all in memory.
#[derive(Clone, Debug, Default)]
pub struct Sha256Hasher(Sha256);

impl Sha256Hasher {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn update(&mut self, bytes: impl AsRef<[u8]>) {
        self.0.update(bytes);
    }

    /// The digest of everything given so far.
    pub fn finish(self) -> Sha256Digest {
        Sha256Digest(self.0.finalize().into())
    }
}

/// Why a text is not a digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a SHA-256 digest is written as 64 lowercase hexadecimal characters")]
pub struct ParseDigestError;

impl FromStr for Sha256Digest {
    type Err = ParseDigestError;

    /// Reads the lowercase form only: a digest has one text form, so that texts can be compared byte by byte.
    fn from_str(text: &str) -> Result<Self, ParseDigestError> {
        if text.bytes().any(|byte| byte.is_ascii_uppercase()) {
            return Err(ParseDigestError);
        }
        let mut digest = [0; 32];
        hex::decode_to_slice(text, &mut digest).map_err(|_| ParseDigestError)?;
        Ok(Self(digest))
    }
}

/// A precision shortens it for people: `{:.12}` writes its first 12 digits.
impl fmt::Display for Sha256Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&hex::encode(self.0))
    }
}

impl fmt::Debug for Sha256Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Sha256Digest({self})")
    }
}

#[cfg(feature = "column")]
sealwright_base::text_column!(Sha256Digest, "SHA-256 digest");

impl Serialize for Sha256Digest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Sha256Digest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// FIPS 180-2, appendix B.1.
    const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    #[test]
    fn the_standards_example_has_the_standards_digest() {
        assert_eq!(Sha256Digest::of("abc").to_string(), ABC);
        assert_eq!(format!("{:.12}", Sha256Digest::of("abc")), ABC[..12]);
    }

    #[test]
    fn hashing_piece_by_piece_gives_the_same_digest() {
        let mut hasher = Sha256Hasher::new();
        hasher.update("a");
        hasher.update("");
        hasher.update("bc");
        assert_eq!(hasher.finish(), Sha256Digest::of("abc"));
    }

    #[test]
    fn a_digest_is_read_back_from_its_text_and_its_json() {
        let digest = Sha256Digest::of("abc");
        assert_eq!(ABC.parse(), Ok(digest));
        let json = serde_json::to_string(&digest).unwrap();
        assert_eq!(json, format!("\"{ABC}\""));
        assert_eq!(serde_json::from_str::<Sha256Digest>(&json).unwrap(), digest);
    }

    #[test]
    fn other_texts_are_rejected() {
        let uppercase = ABC.to_uppercase();
        for text in ["", "abc", &ABC[..63], &format!("{ABC}0"), &format!(" {}", &ABC[1..]), &uppercase, &"é".repeat(32)]
        {
            assert_eq!(text.parse::<Sha256Digest>(), Err(ParseDigestError), "{text}");
        }
    }
}
