//! The supported hashes and signatures, and the check of a signature. Anything else is rejected by name, never skipped.

pub(crate) mod cose;
mod pss;

use std::fmt;

use der::Encode;
use p256::ecdsa::signature::hazmat::PrehashVerifier;
use rsa::{
    Pkcs1v15Sign, Pss, RsaPublicKey,
    pkcs1::DecodeRsaPublicKey,
    traits::{PublicKeyParts, SignatureScheme},
};
use sha2::{Digest, Sha256, Sha384, Sha512};
use spki::{AlgorithmIdentifierOwned, DecodePublicKey, SubjectPublicKeyInfoOwned};

use crate::asn1::{algorithm, has_no_parameters, oid};

/// The least size of an RSA key for any signature, in bits. Older certificates of authorities still have 2048.
const MIN_RSA_BITS: u32 = 2048;

/// A hash of the SHA-2 family (FIPS 180-4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HashAlgorithm {
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

    /// As FIPS 180-4 writes it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sha256 => "SHA-256",
            Self::Sha384 => "SHA-384",
            Self::Sha512 => "SHA-512",
        }
    }

    /// Without parameters (RFC 5754, section 2).
    pub(crate) fn identifier(self) -> AlgorithmIdentifierOwned {
        algorithm(match self {
            Self::Sha256 => oid::SHA_256,
            Self::Sha384 => oid::SHA_384,
            Self::Sha512 => oid::SHA_512,
        })
    }

    /// The length of a hash in bytes.
    pub(crate) const fn length(self) -> usize {
        match self {
            Self::Sha256 => 32,
            Self::Sha384 => 48,
            Self::Sha512 => 64,
        }
    }

    pub(crate) fn digest(self, pieces: &[&[u8]]) -> Vec<u8> {
        match self {
            Self::Sha256 => digest::<Sha256>(pieces),
            Self::Sha384 => digest::<Sha384>(pieces),
            Self::Sha512 => digest::<Sha512>(pieces),
        }
    }
}

impl fmt::Display for HashAlgorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
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
    #[error("hash algorithm {0} is not supported (SHA-256, SHA-384 and SHA-512 are)")]
    UnknownHash(String),
    #[error("signature algorithm {0} is not supported (ECDSA, RSA PKCS #1 v1.5 and RSA-PSS with SHA-2 are)")]
    UnknownSignature(String),
    #[error("an RSA key of {0} bits is too weak: at least {MIN_RSA_BITS} are needed")]
    WeakKey(u32),
    #[error("an algorithm has invalid parameters")]
    Parameters,
    #[error("the public key is not supported (P-256, P-384, P-521 and RSA are)")]
    Key,
    #[error("the signature does not match")]
    Mismatch,
}

impl AlgorithmError {
    /// Whether the signer used an algorithm or a key that is not accepted here, as opposed to a changed file.
    pub(crate) fn is_weakness(&self) -> bool {
        matches!(self, Self::UnknownHash(_) | Self::UnknownSignature(_) | Self::WeakKey(_))
    }
}

/// The scheme of a signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scheme {
    Ecdsa(HashAlgorithm),
    RsaPkcs1(HashAlgorithm),
    /// With the length of the salt in bytes.
    RsaPss(HashAlgorithm, usize),
    /// Only on certificates (RFC 8410).
    Ed25519,
}

impl Scheme {
    /// Reads an algorithm and its parameters. `hash_of_cms` is the digest algorithm that a CMS signer names next to it:
    /// a bare `rsaEncryption` needs it (RFC 3370, section 3.2). It is `None` for certificates, whose algorithm names
    /// both.
    fn read(algorithm: &AlgorithmIdentifierOwned, hash_of_cms: Option<HashAlgorithm>) -> Result<Self, AlgorithmError> {
        let unknown = || AlgorithmError::UnknownSignature(algorithm.oid.to_string());
        if algorithm.oid == oid::RSASSA_PSS {
            return pss::read(algorithm, hash_of_cms);
        }
        let scheme = match algorithm.oid {
            oid::ECDSA_WITH_SHA_256 => Self::Ecdsa(HashAlgorithm::Sha256),
            oid::ECDSA_WITH_SHA_384 => Self::Ecdsa(HashAlgorithm::Sha384),
            oid::ECDSA_WITH_SHA_512 => Self::Ecdsa(HashAlgorithm::Sha512),
            oid::SHA_256_WITH_RSA => Self::RsaPkcs1(HashAlgorithm::Sha256),
            oid::SHA_384_WITH_RSA => Self::RsaPkcs1(HashAlgorithm::Sha384),
            oid::SHA_512_WITH_RSA => Self::RsaPkcs1(HashAlgorithm::Sha512),
            oid::RSA_ENCRYPTION => Self::RsaPkcs1(hash_of_cms.ok_or_else(unknown)?),
            oid::ED_25519 if hash_of_cms.is_none() => Self::Ed25519,
            _ => return Err(unknown()),
        };
        let fits = match scheme {
            Self::Ecdsa(_) | Self::Ed25519 => algorithm.parameters.is_none(),
            _ => has_no_parameters(algorithm),
        };
        if fits { Ok(scheme) } else { Err(AlgorithmError::Parameters) }
    }
}

/// Checks `signature` over `message` under the key in `key`. `hash_of_cms` is the digest algorithm that a CMS signer
/// names next to its own; it is `None` for certificates.
pub(crate) fn verify(
    key: &SubjectPublicKeyInfoOwned,
    algorithm: &AlgorithmIdentifierOwned,
    hash_of_cms: Option<HashAlgorithm>,
    message: &[u8],
    signature: &[u8],
) -> Result<(), AlgorithmError> {
    match Scheme::read(algorithm, hash_of_cms)? {
        Scheme::Ecdsa(hash) => verify_ecdsa(key, hash, message, signature),
        Scheme::RsaPkcs1(HashAlgorithm::Sha256) => {
            verify_rsa::<Sha256>(key, Pkcs1v15Sign::new::<Sha256>(), message, signature)
        }
        Scheme::RsaPkcs1(HashAlgorithm::Sha384) => {
            verify_rsa::<Sha384>(key, Pkcs1v15Sign::new::<Sha384>(), message, signature)
        }
        Scheme::RsaPkcs1(HashAlgorithm::Sha512) => {
            verify_rsa::<Sha512>(key, Pkcs1v15Sign::new::<Sha512>(), message, signature)
        }
        Scheme::RsaPss(HashAlgorithm::Sha256, salt) => {
            verify_rsa::<Sha256>(key, Pss::<Sha256>::new_with_salt(salt), message, signature)
        }
        Scheme::RsaPss(HashAlgorithm::Sha384, salt) => {
            verify_rsa::<Sha384>(key, Pss::<Sha384>::new_with_salt(salt), message, signature)
        }
        Scheme::RsaPss(HashAlgorithm::Sha512, salt) => {
            verify_rsa::<Sha512>(key, Pss::<Sha512>::new_with_salt(salt), message, signature)
        }
        Scheme::Ed25519 => verify_ed25519(key, message, signature),
    }
}

/// For display: `ECDSA P-256 with SHA-256`.
pub(crate) fn describe(
    key: &SubjectPublicKeyInfoOwned,
    algorithm: &AlgorithmIdentifierOwned,
    hash_of_cms: Option<HashAlgorithm>,
) -> String {
    let curve = || match key.to_der().map(|der| p256::ecdsa::VerifyingKey::from_public_key_der(&der).is_ok()) {
        Ok(true) => "P-256",
        _ => "P-384",
    };
    let bits = || rsa_bits(key).map_or_else(String::new, |bits| format!(" {bits}"));
    match Scheme::read(algorithm, hash_of_cms) {
        Ok(Scheme::Ecdsa(hash)) => format!("ECDSA {} with {}", curve(), hash.name()),
        Ok(Scheme::RsaPkcs1(hash)) => format!("RSA{} with {}", bits(), hash.name()),
        Ok(Scheme::RsaPss(hash, _)) => format!("RSA-PSS{} with {}", bits(), hash.name()),
        Ok(Scheme::Ed25519) => "Ed25519".to_owned(),
        Err(_) => algorithm.oid.to_string(),
    }
}

/// ECDSA signatures are malleable: anyone with (r, s) can write (r, -s) without the key, which is also valid. Returns
/// the form with the smaller s; a signature of another kind is returned unchanged.
pub(crate) fn normalized(
    key: &SubjectPublicKeyInfoOwned,
    algorithm: &AlgorithmIdentifierOwned,
    signature: &[u8],
) -> Vec<u8> {
    let as_it_is = || signature.to_vec();
    let Ok(Scheme::Ecdsa(_)) = Scheme::read(algorithm, None) else { return as_it_is() };
    let Ok(key_der) = key.to_der() else { return as_it_is() };
    if p256::ecdsa::VerifyingKey::from_public_key_der(&key_der).is_ok() {
        let read = p256::ecdsa::Signature::from_der(signature);
        return read.map_or_else(|_| as_it_is(), |read| read.normalize_s().to_der().as_bytes().to_vec());
    }
    let read = p384::ecdsa::Signature::from_der(signature);
    read.map_or_else(|_| as_it_is(), |read| read.normalize_s().to_der().as_bytes().to_vec())
}

fn verify_ecdsa(
    key: &SubjectPublicKeyInfoOwned,
    hash: HashAlgorithm,
    message: &[u8],
    signature: &[u8],
) -> Result<(), AlgorithmError> {
    let digest = hash.digest(&[message]);
    let key_der = key.to_der().map_err(|_| AlgorithmError::Key)?;
    if let Ok(key) = p256::ecdsa::VerifyingKey::from_public_key_der(&key_der) {
        let signature = p256::ecdsa::Signature::from_der(signature).map_err(|_| AlgorithmError::Mismatch)?;
        return key.verify_prehash(&digest, &signature).map_err(|_| AlgorithmError::Mismatch);
    }
    if let Ok(key) = p384::ecdsa::VerifyingKey::from_public_key_der(&key_der) {
        let signature = p384::ecdsa::Signature::from_der(signature).map_err(|_| AlgorithmError::Mismatch)?;
        return key.verify_prehash(&digest, &signature).map_err(|_| AlgorithmError::Mismatch);
    }
    let key = p521::ecdsa::VerifyingKey::from_public_key_der(&key_der).map_err(|_| AlgorithmError::Key)?;
    let signature = p521::ecdsa::Signature::from_der(signature).map_err(|_| AlgorithmError::Mismatch)?;
    key.verify_prehash(&digest, &signature).map_err(|_| AlgorithmError::Mismatch)
}

/// The size of an RSA key in bits; `None` for a key of another kind.
pub(crate) fn rsa_bits(key: &SubjectPublicKeyInfoOwned) -> Option<u32> {
    Some(rsa_key(key).ok()?.n().bits())
}

/// An RSA key, whether or not it is restricted to PSS (RFC 4055, section 1.2).
fn rsa_key(key: &SubjectPublicKeyInfoOwned) -> Result<RsaPublicKey, AlgorithmError> {
    let read = match key.algorithm.oid {
        oid::RSASSA_PSS => RsaPublicKey::from_pkcs1_der(key.subject_public_key.raw_bytes()).ok(),
        _ => key.to_der().ok().and_then(|der| RsaPublicKey::from_public_key_der(&der).ok()),
    };
    read.ok_or(AlgorithmError::Key)
}

fn verify_rsa<D: Digest>(
    key: &SubjectPublicKeyInfoOwned,
    scheme: impl SignatureScheme,
    message: &[u8],
    signature: &[u8],
) -> Result<(), AlgorithmError> {
    let key = rsa_key(key)?;
    let bits = key.n().bits();
    if bits < MIN_RSA_BITS {
        return Err(AlgorithmError::WeakKey(bits));
    }
    key.verify(scheme, &digest::<D>(&[message]), signature).map_err(|_| AlgorithmError::Mismatch)
}

/// RFC 8032, with the strict check that rejects keys of small order.
fn verify_ed25519(key: &SubjectPublicKeyInfoOwned, message: &[u8], signature: &[u8]) -> Result<(), AlgorithmError> {
    if key.algorithm.oid != oid::ED_25519 {
        return Err(AlgorithmError::Key);
    }
    let bytes = key.subject_public_key.raw_bytes().try_into().map_err(|_| AlgorithmError::Key)?;
    let key = ed25519_dalek::VerifyingKey::from_bytes(bytes).map_err(|_| AlgorithmError::Key)?;
    let signature = ed25519_dalek::Signature::from_slice(signature).map_err(|_| AlgorithmError::Mismatch)?;
    key.verify_strict(message, &signature).map_err(|_| AlgorithmError::Mismatch)
}
