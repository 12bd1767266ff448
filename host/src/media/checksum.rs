//! The checksum of a piece, as its sender computed it (tus 1.0, extension `checksum`).

use base64::{Engine as _, engine::general_purpose::STANDARD};
use sha1::Sha1;
use sha2::{Digest as _, Sha256};

/// A checksum that a piece must have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checksum {
    algorithm: Algorithm,
    expected: Vec<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Algorithm {
    Sha1,
    Sha256,
}

impl Checksum {
    /// The supported algorithms, as the header `Tus-Checksum-Algorithm` lists them.
    pub const ALGORITHMS: &str = "sha1,sha256";

    /// Reads the name of an algorithm, a space, and the checksum in Base64. None if it is anything else.
    pub fn parse(text: &str) -> Option<Self> {
        let (name, encoded) = text.split_once(' ')?;
        let (algorithm, length) = match name {
            "sha1" => (Algorithm::Sha1, 20),
            "sha256" => (Algorithm::Sha256, 32),
            _ => return None,
        };
        let expected = STANDARD.decode(encoded).ok().filter(|bytes| bytes.len() == length)?;
        Some(Self { algorithm, expected })
    }

    /// Starts computing the checksum of the bytes that arrive.
    pub fn start(self) -> RunningChecksum {
        let hasher = match self.algorithm {
            Algorithm::Sha1 => Hasher::Sha1(Sha1::new()),
            Algorithm::Sha256 => Hasher::Sha256(Sha256::new()),
        };
        RunningChecksum { hasher, expected: self.expected }
    }
}

/// A checksum that is being computed.
#[derive(Clone, Debug)]
pub struct RunningChecksum {
    hasher: Hasher,
    expected: Vec<u8>,
}

#[derive(Clone, Debug)]
enum Hasher {
    Sha1(Sha1),
    Sha256(Sha256),
}

impl RunningChecksum {
    pub fn update(&mut self, bytes: &[u8]) {
        match &mut self.hasher {
            Hasher::Sha1(hasher) => hasher.update(bytes),
            Hasher::Sha256(hasher) => hasher.update(bytes),
        }
    }

    /// Whether the bytes have the checksum.
    pub fn is_right(self) -> bool {
        match self.hasher {
            Hasher::Sha1(hasher) => hasher.finalize()[..] == self.expected[..],
            Hasher::Sha256(hasher) => hasher.finalize()[..] == self.expected[..],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_algorithms_are_checked() {
        // FIPS 180-2, the digests of "abc".
        for text in ["sha1 qZk+NkcGgWq6PiVxeFDCbJzQ2J0=", "sha256 ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="] {
            let checksum = Checksum::parse(text).unwrap();
            let of = |bytes: &[u8]| {
                let mut running = checksum.clone().start();
                bytes.chunks(2).for_each(|chunk| running.update(chunk));
                running.is_right()
            };
            assert!(of(b"abc") && !of(b"abd") && !of(b""), "{text}");
        }
        for wrong in
            ["", "sha1", "sha1 x", "md5 kAFQmDzST7DWlj99KOF/cg==", "sha256 qZk+NkcGgWq6PiVxeFDCbJzQ2J0=", "SHA1 "]
        {
            assert_eq!(Checksum::parse(wrong), None, "{wrong}");
        }
    }
}
