//! [`Signer`]: a file, a smart card or an HSM.

use der::{Encode, Sequence, asn1::Uint};
use spki::AlgorithmIdentifierOwned;

use crate::asn1::{self, oid};

/// Makes signatures with a key that this crate need not see. It receives the few hundred bytes to be signed, never the
/// document, so a smart card or an HSM on a slow connection works as well as a file.
///
/// A call blocks for as long as the device takes.
pub trait Signer: Send + Sync {
    /// The algorithm of [`sign`](Self::sign).
    fn algorithm(&self) -> SignatureAlgorithm;

    /// Hashes `message` with SHA-256 and signs it: ECDSA in its DER form, or RSA's big-endian number.
    fn sign(&self, message: &[u8]) -> Result<Vec<u8>, SignError>;
}

/// How a [`Signer`] signs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignatureAlgorithm {
    /// On P-256 or P-384.
    EcdsaWithSha256,
    /// PKCS #1 v1.5.
    RsaWithSha256,
}

impl SignatureAlgorithm {
    pub(crate) fn identifier(self) -> AlgorithmIdentifierOwned {
        match self {
            Self::EcdsaWithSha256 => asn1::algorithm(oid::ECDSA_WITH_SHA_256),
            Self::RsaWithSha256 => asn1::algorithm_with_null(oid::SHA_256_WITH_RSA),
        }
    }
}

/// Why a signature could not be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SignError {
    /// The error of the key, or of its device.
    #[error("the key did not sign: {0}")]
    Key(String),
    #[error("the signed message cannot be written: {0}")]
    Encoding(String),
}

/// An ECDSA signature as CMS and X.509 write it (RFC 3279, section 2.2.3), from concatenated `r` and `s`, each as wide
/// as the curve, as PKCS #11 devices return them. `None` if the bytes are not such a pair.
pub fn ecdsa_signature_der(r_and_s: &[u8]) -> Option<Vec<u8>> {
    #[derive(Sequence)]
    struct EcdsaSignature {
        r: Uint,
        s: Uint,
    }
    if r_and_s.is_empty() || !r_and_s.len().is_multiple_of(2) {
        return None;
    }
    let (r, s) = r_and_s.split_at(r_and_s.len() / 2);
    EcdsaSignature { r: Uint::new(r).ok()?, s: Uint::new(s).ok()? }.to_der().ok()
}
