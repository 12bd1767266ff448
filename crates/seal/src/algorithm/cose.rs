//! Signatures as COSE encodes them (RFC 9052): the two numbers of an ECDSA signature one after the other, and parameters
//! that the algorithm's number fixes.

use rsa::Pss;
use sha2::{Sha256, Sha384, Sha512};
use spki::SubjectPublicKeyInfoOwned;

use super::{AlgorithmError, HashAlgorithm, verify_ecdsa, verify_ed25519, verify_rsa};
use crate::pki::{Certificate, ecdsa_signature_der};

/// A signature algorithm (RFC 9053, section 2; RFC 8230, section 2), of those that C2PA 2.1, section 13.2, allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CoseAlgorithm {
    Es256,
    Es384,
    Es512,
    Ps256,
    Ps384,
    Ps512,
    EdDsa,
}

impl CoseAlgorithm {
    /// By its number in the registry of COSE algorithms.
    pub fn of_number(number: i64) -> Option<Self> {
        match number {
            -7 => Some(Self::Es256),
            -35 => Some(Self::Es384),
            -36 => Some(Self::Es512),
            -37 => Some(Self::Ps256),
            -38 => Some(Self::Ps384),
            -39 => Some(Self::Ps512),
            -8 => Some(Self::EdDsa),
            _ => None,
        }
    }

    /// For display.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Es256 => "ES256",
            Self::Es384 => "ES384",
            Self::Es512 => "ES512",
            Self::Ps256 => "PS256",
            Self::Ps384 => "PS384",
            Self::Ps512 => "PS512",
            Self::EdDsa => "EdDSA",
        }
    }

    /// Checks `signature` over `message` under the key in `signer`.
    pub fn verify(self, signer: &Certificate, message: &[u8], signature: &[u8]) -> Result<(), AlgorithmError> {
        let key = signer.as_x509().tbs_certificate().subject_public_key_info();
        match self {
            Self::Es256 => ecdsa(key, HashAlgorithm::Sha256, message, signature),
            Self::Es384 => ecdsa(key, HashAlgorithm::Sha384, message, signature),
            Self::Es512 => ecdsa(key, HashAlgorithm::Sha512, message, signature),
            Self::Ps256 => verify_rsa::<Sha256>(key, Pss::<Sha256>::new_with_salt(32), message, signature),
            Self::Ps384 => verify_rsa::<Sha384>(key, Pss::<Sha384>::new_with_salt(48), message, signature),
            Self::Ps512 => verify_rsa::<Sha512>(key, Pss::<Sha512>::new_with_salt(64), message, signature),
            Self::EdDsa => verify_ed25519(key, message, signature),
        }
    }
}

fn ecdsa(
    key: &SubjectPublicKeyInfoOwned,
    hash: HashAlgorithm,
    message: &[u8],
    signature: &[u8],
) -> Result<(), AlgorithmError> {
    // At most two numbers of 66 bytes, for P-521.
    let signature = signature.get(..signature.len().min(132)).and_then(ecdsa_signature_der);
    verify_ecdsa(key, hash, message, &signature.ok_or(AlgorithmError::Mismatch)?)
}
