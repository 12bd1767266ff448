//! Which hashes and signatures are understood, and checking one. Anything else is refused by name, never skipped.

use der::Encode;
use p256::ecdsa::signature::hazmat::PrehashVerifier;
use rsa::{RsaPublicKey, traits::PublicKeyParts};
use sha2::{Digest, Sha256, Sha384, Sha512};
use spki::{AlgorithmIdentifierOwned, DecodePublicKey, SubjectPublicKeyInfoOwned};

use crate::asn1::{has_no_parameters, oid};

/// RSA keys below this are not trusted to sign anything here, in bits. Authorities' older certificates still have 2048.
const MIN_RSA_BITS: u32 = 2048;

/// A hash of the SHA-2 family (FIPS 180-4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HashAlgorithm {
    Sha256,
    Sha384,
    Sha512,
}

impl HashAlgorithm {
    pub(crate) fn from_identifier(identifier: &AlgorithmIdentifierOwned) -> Result<Self, AlgorithmError> {
        let hash = match identifier.oid {
            oid::SHA_256 => Self::Sha256,
            oid::SHA_384 => Self::Sha384,
            oid::SHA_512 => Self::Sha512,
            other => return Err(AlgorithmError::UnknownHash(other.to_string())),
        };
        if has_no_parameters(identifier) { Ok(hash) } else { Err(AlgorithmError::Parameters) }
    }

    pub(crate) fn digest(self, pieces: &[&[u8]]) -> Vec<u8> {
        match self {
            Self::Sha256 => digest::<Sha256>(pieces),
            Self::Sha384 => digest::<Sha384>(pieces),
            Self::Sha512 => digest::<Sha512>(pieces),
        }
    }
}

fn digest<D: Digest>(pieces: &[&[u8]]) -> Vec<u8> {
    let mut hasher = D::new();
    for piece in pieces {
        hasher.update(piece);
    }
    hasher.finalize().to_vec()
}

/// Why a signature cannot be accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AlgorithmError {
    #[error("hash algorithm {0} is not among those understood (SHA-256, SHA-384, SHA-512)")]
    UnknownHash(String),
    #[error("signature algorithm {0} is not among those understood (ECDSA and RSA PKCS #1 v1.5 with SHA-2)")]
    UnknownSignature(String),
    #[error("an algorithm has parameters where it may have none")]
    Parameters,
    #[error("the public key is not one that is understood (P-256, P-384, RSA of 2048 bits or more)")]
    Key,
    #[error("the signature does not match")]
    Mismatch,
}

/// Checks `signature` over `message` under the key in `key`.
///
/// `hash_of_cms` is the digest algorithm that a CMS signer names beside a bare `rsaEncryption` (RFC 3370, section 3.2);
/// for certificates, whose algorithm says both, it is `None`.
pub(crate) fn verify(
    key: &SubjectPublicKeyInfoOwned,
    algorithm: &AlgorithmIdentifierOwned,
    hash_of_cms: Option<HashAlgorithm>,
    message: &[u8],
    signature: &[u8],
) -> Result<(), AlgorithmError> {
    let unknown = || AlgorithmError::UnknownSignature(algorithm.oid.to_string());
    if !has_no_parameters(algorithm) {
        return Err(AlgorithmError::Parameters);
    }
    match algorithm.oid {
        oid::ECDSA_WITH_SHA_256 => verify_ecdsa(key, HashAlgorithm::Sha256, algorithm, message, signature),
        oid::ECDSA_WITH_SHA_384 => verify_ecdsa(key, HashAlgorithm::Sha384, algorithm, message, signature),
        oid::ECDSA_WITH_SHA_512 => verify_ecdsa(key, HashAlgorithm::Sha512, algorithm, message, signature),
        oid::SHA_256_WITH_RSA => verify_rsa(key, HashAlgorithm::Sha256, message, signature),
        oid::SHA_384_WITH_RSA => verify_rsa(key, HashAlgorithm::Sha384, message, signature),
        oid::SHA_512_WITH_RSA => verify_rsa(key, HashAlgorithm::Sha512, message, signature),
        oid::RSA_ENCRYPTION => verify_rsa(key, hash_of_cms.ok_or_else(unknown)?, message, signature),
        _ => Err(unknown()),
    }
}

fn verify_ecdsa(
    key: &SubjectPublicKeyInfoOwned,
    hash: HashAlgorithm,
    algorithm: &AlgorithmIdentifierOwned,
    message: &[u8],
    signature: &[u8],
) -> Result<(), AlgorithmError> {
    if algorithm.parameters.is_some() {
        return Err(AlgorithmError::Parameters);
    }
    let digest = hash.digest(&[message]);
    let key_der = key.to_der().map_err(|_| AlgorithmError::Key)?;
    if let Ok(key) = p256::ecdsa::VerifyingKey::from_public_key_der(&key_der) {
        let signature = p256::ecdsa::Signature::from_der(signature).map_err(|_| AlgorithmError::Mismatch)?;
        return key.verify_prehash(&digest, &signature).map_err(|_| AlgorithmError::Mismatch);
    }
    let key = p384::ecdsa::VerifyingKey::from_public_key_der(&key_der).map_err(|_| AlgorithmError::Key)?;
    let signature = p384::ecdsa::Signature::from_der(signature).map_err(|_| AlgorithmError::Mismatch)?;
    key.verify_prehash(&digest, &signature).map_err(|_| AlgorithmError::Mismatch)
}

fn verify_rsa(
    key: &SubjectPublicKeyInfoOwned,
    hash: HashAlgorithm,
    message: &[u8],
    signature: &[u8],
) -> Result<(), AlgorithmError> {
    let key_der = key.to_der().map_err(|_| AlgorithmError::Key)?;
    let key = RsaPublicKey::from_public_key_der(&key_der).map_err(|_| AlgorithmError::Key)?;
    if key.n().bits() < MIN_RSA_BITS {
        return Err(AlgorithmError::Key);
    }
    let scheme = match hash {
        HashAlgorithm::Sha256 => rsa::Pkcs1v15Sign::new::<Sha256>(),
        HashAlgorithm::Sha384 => rsa::Pkcs1v15Sign::new::<Sha384>(),
        HashAlgorithm::Sha512 => rsa::Pkcs1v15Sign::new::<Sha512>(),
    };
    key.verify(scheme, &hash.digest(&[message]), signature).map_err(|_| AlgorithmError::Mismatch)
}
