//! Hashes by the names that C2PA gives them (2.1, section 13.1).

use sha2::{Digest, Sha256, Sha384, Sha512};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum HashAlgorithm {
    Sha256,
    Sha384,
    Sha512,
}

impl HashAlgorithm {
    pub(crate) fn of_name(name: &str) -> Option<Self> {
        match name {
            "sha256" => Some(Self::Sha256),
            "sha384" => Some(Self::Sha384),
            "sha512" => Some(Self::Sha512),
            _ => None,
        }
    }

    /// The digest of the pieces one after the other.
    pub(crate) fn digest<'p>(self, pieces: impl IntoIterator<Item = &'p [u8]>) -> Vec<u8> {
        match self {
            Self::Sha256 => digest::<Sha256>(pieces),
            Self::Sha384 => digest::<Sha384>(pieces),
            Self::Sha512 => digest::<Sha512>(pieces),
        }
    }
}

fn digest<'p, D: Digest>(pieces: impl IntoIterator<Item = &'p [u8]>) -> Vec<u8> {
    let mut hasher = D::new();
    for piece in pieces {
        hasher.update(piece);
    }
    hasher.finalize().to_vec()
}
