//! Private keys in memory, read from a PEM file.

use std::fmt;

use der::pem::{self, LineEnding};
use p256::{
    ecdsa::{
        DerSignature, SigningKey,
        signature::{Signer as _, hazmat::PrehashSigner as _},
    },
    pkcs8::{DecodePrivateKey, EncodePrivateKey, EncodePublicKey},
};
use rsa::{
    RsaPrivateKey,
    pkcs1::DecodeRsaPrivateKey,
    signature::{RandomizedSigner, SignatureEncoding},
    traits::PublicKeyParts,
};
use sha2::Sha256;

use super::{SignError, SignatureAlgorithm, Signer, blinding::Blinding};
use crate::digest::Sha256Digest;

/// RSA keys that sign must have this many bits (BSI TR-02102-1, NIST SP 800-57: 128 bits of security).
pub(super) const MIN_RSA_BITS: u32 = 3072;

/// A private key in memory: P-256, P-384, or RSA of at least 3072 bits.
pub struct PrivateKey(Kind);

enum Kind {
    P256(Box<SigningKey>),
    P384(Box<p384::ecdsa::SigningKey>),
    Rsa(Box<RsaKey>),
}

struct RsaKey {
    signing: rsa::pkcs1v15::SigningKey<Sha256>,
    /// Secret, like the key.
    blinding_seed: Sha256Digest,
}

/// Why a text or bytes are not a private key that can sign here.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    #[error("not a private key in PEM: {0}")]
    Pem(String),
    #[error("the private key is encrypted; decrypt it first, for example with `openssl pkey`")]
    Encrypted,
    #[error("`{0}` is not a private key: expected PRIVATE KEY, EC PRIVATE KEY or RSA PRIVATE KEY")]
    Label(String),
    #[error("the private key is neither a P-256, a P-384 nor an RSA key")]
    Kind,
    #[error("the RSA key has {0} bits; at least {MIN_RSA_BITS} are needed")]
    Short(u32),
    #[error("these random bytes are not a P-256 key (at most one try in 2^32 fails); try others")]
    Unlucky,
}

impl PrivateKey {
    /// Reads PKCS #8 (`PRIVATE KEY`), SEC 1 (`EC PRIVATE KEY`) or PKCS #1 (`RSA PRIVATE KEY`), not encrypted.
    pub fn from_pem(text: &str) -> Result<Self, KeyError> {
        // `openssl ecparam -genkey` writes the curve's name in a separate block before the key.
        let start =
            text.match_indices("-----BEGIN ").find(|(at, _)| !text[*at..].starts_with("-----BEGIN EC PARAMETERS"));
        let text = start.map_or(text, |(at, _)| &text[at..]).trim_end();
        // How PKCS #1 marks encryption (RFC 1421): in headers that PEM no longer has.
        if text.contains("Proc-Type: 4,ENCRYPTED") {
            return Err(KeyError::Encrypted);
        }
        let (label, der) = pem::decode_vec(text.as_bytes()).map_err(|error| KeyError::Pem(error.to_string()))?;
        match label {
            "PRIVATE KEY" => Self::from_pkcs8_der(&der),
            "EC PRIVATE KEY" => {
                let p256 = p256::SecretKey::from_sec1_der(&der).map(|key| Self(Kind::P256(Box::new(key.into()))));
                let p384 = |_| p384::SecretKey::from_sec1_der(&der).map(|key| Self(Kind::P384(Box::new(key.into()))));
                p256.or_else(p384).map_err(|_| KeyError::Kind)
            }
            "RSA PRIVATE KEY" => Self::rsa(RsaPrivateKey::from_pkcs1_der(&der).map_err(|_| KeyError::Kind)?),
            "ENCRYPTED PRIVATE KEY" => Err(KeyError::Encrypted),
            other => Err(KeyError::Label(other.to_owned())),
        }
    }

    /// Reads DER of PKCS #8, not encrypted.
    pub fn from_pkcs8_der(der: &[u8]) -> Result<Self, KeyError> {
        if let Ok(key) = SigningKey::from_pkcs8_der(der) {
            return Ok(Self(Kind::P256(Box::new(key))));
        }
        if let Ok(key) = p384::ecdsa::SigningKey::from_pkcs8_der(der) {
            return Ok(Self(Kind::P384(Box::new(key))));
        }
        Self::rsa(RsaPrivateKey::from_pkcs8_der(der).map_err(|_| KeyError::Kind)?)
    }

    /// A new P-256 key from 32 bytes of the caller's randomness.
    pub fn p256_from_random(random: &[u8; 32]) -> Result<Self, KeyError> {
        let key = SigningKey::from_slice(random).map_err(|_| KeyError::Unlucky)?;
        Ok(Self(Kind::P256(Box::new(key))))
    }

    fn rsa(key: RsaPrivateKey) -> Result<Self, KeyError> {
        let bits = key.n().bits();
        if bits < MIN_RSA_BITS {
            return Err(KeyError::Short(bits));
        }
        let secret = key.to_pkcs8_der().map_err(|_| KeyError::Kind)?;
        let blinding_seed = Sha256Digest::of(secret.as_bytes());
        Ok(Self(Kind::Rsa(Box::new(RsaKey { signing: rsa::pkcs1v15::SigningKey::new(key), blinding_seed }))))
    }

    /// PKCS #8 in PEM, not encrypted: keep it where no one else can read it. The text is wiped from memory when
    /// dropped.
    pub fn to_pem(&self) -> Result<der::zeroize::Zeroizing<String>, KeyError> {
        let pem = match &self.0 {
            Kind::P256(key) => key.to_pkcs8_pem(LineEnding::LF),
            Kind::P384(key) => key.to_pkcs8_pem(LineEnding::LF),
            Kind::Rsa(key) => key.signing.as_ref().to_pkcs8_pem(LineEnding::LF),
        };
        pem.map_err(|error| KeyError::Pem(error.to_string()))
    }

    /// The public key as a DER `SubjectPublicKeyInfo`.
    pub fn public_key_der(&self) -> Result<Vec<u8>, KeyError> {
        let der = match &self.0 {
            Kind::P256(key) => key.verifying_key().to_public_key_der(),
            Kind::P384(key) => key.verifying_key().to_public_key_der(),
            Kind::Rsa(key) => key.signing.as_ref().to_public_key().to_public_key_der(),
        };
        Ok(der.map_err(|_| KeyError::Kind)?.into_vec())
    }
}

impl Signer for PrivateKey {
    fn algorithm(&self) -> SignatureAlgorithm {
        match self.0 {
            Kind::P256(_) | Kind::P384(_) => SignatureAlgorithm::EcdsaWithSha256,
            Kind::Rsa(_) => SignatureAlgorithm::RsaWithSha256,
        }
    }

    fn sign(&self, message: &[u8]) -> Result<Vec<u8>, SignError> {
        let failed = |error: p256::ecdsa::Error| SignError::Key(error.to_string());
        match &self.0 {
            // RFC 6979: the nonce is derived from key and message, so no randomness is needed that could be bad.
            Kind::P256(key) => {
                let signature: DerSignature = key.try_sign(message).map_err(failed)?;
                Ok(signature.as_bytes().to_vec())
            }
            // With SHA-256 as everywhere here: readers expect the signature and the document to use the same hash.
            Kind::P384(key) => {
                let digest = Sha256Digest::of(message);
                let signature: p384::ecdsa::DerSignature = key.sign_prehash(digest.as_bytes()).map_err(failed)?;
                Ok(signature.as_bytes().to_vec())
            }
            Kind::Rsa(key) => {
                let mut blinding = Blinding::new(&key.blinding_seed, message);
                let signature = key.signing.try_sign_with_rng(&mut blinding, message).map_err(failed)?;
                Ok(signature.to_vec())
            }
        }
    }
}

impl fmt::Debug for PrivateKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Kind::P256(_) => "PrivateKey(P-256)",
            Kind::P384(_) => "PrivateKey(P-384)",
            Kind::Rsa(_) => "PrivateKey(RSA)",
        })
    }
}
