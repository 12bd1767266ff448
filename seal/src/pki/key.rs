//! The keys that sign: [`Signer`], which an HSM can be behind as well, and [`PrivateKey`], read from a PEM file.

use std::{convert::Infallible, fmt};

use der::pem::{self, LineEnding};
use p256::{
    ecdsa::{DerSignature, SigningKey, signature::Signer as _},
    pkcs8::{DecodePrivateKey, EncodePrivateKey, EncodePublicKey},
};
use rsa::{
    RsaPrivateKey,
    pkcs1::DecodeRsaPrivateKey,
    rand_core::{TryCryptoRng, TryRng},
    signature::{RandomizedSigner, SignatureEncoding},
    traits::PublicKeyParts,
};
use sha2::Sha256;
use spki::AlgorithmIdentifierOwned;

use super::{Certificate, Purpose, TrustAnchor, verify_path};
use crate::{
    algorithm::{self, AlgorithmError},
    asn1::{self, oid},
    digest::{Sha256Digest, Sha256Hasher},
    pki::path::PathError,
};

/// RSA keys that sign must have this many bits (BSI TR-02102-1, NIST SP 800-57: 128 bits of security).
const MIN_RSA_BITS: u32 = 3072;

/// Makes signatures with a key that this crate need not see. It receives the few hundred bytes to be signed, never the
/// document: so a smart card or an HSM behind a slow line does as well as a file.
pub trait Signer: Send + Sync {
    /// What [`sign`](Self::sign) makes.
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
    /// What the key, or the device that holds it, says.
    #[error("the key did not sign: {0}")]
    Key(String),
    #[error("the signed message cannot be written: {0}")]
    Encoding(String),
}

/// A private key in memory: P-256, or RSA of at least 3072 bits.
pub struct PrivateKey(Kind);

enum Kind {
    P256(Box<SigningKey>),
    Rsa(Box<RsaKey>),
}

struct RsaKey {
    signing: rsa::pkcs1v15::SigningKey<Sha256>,
    /// Known to nobody who does not know the key.
    blinding_seed: Sha256Digest,
}

/// Why a text or bytes are no private key that can sign here.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    #[error("not a private key in PEM: {0}")]
    Pem(String),
    #[error("the private key is encrypted; decrypt it first, for example with `openssl pkey`")]
    Encrypted,
    #[error("`{0}` is not a private key: expected PRIVATE KEY, EC PRIVATE KEY or RSA PRIVATE KEY")]
    Label(String),
    #[error("the private key is neither a P-256 nor an RSA key")]
    Kind,
    #[error("the RSA key has {0} bits; at least {MIN_RSA_BITS} are needed")]
    Short(u32),
    #[error("these random bytes are no P-256 key (one try in 2^32 at most fails); take others")]
    Unlucky,
}

impl PrivateKey {
    /// Reads PKCS #8 (`PRIVATE KEY`), SEC 1 (`EC PRIVATE KEY`) or PKCS #1 (`RSA PRIVATE KEY`), not encrypted.
    pub fn from_pem(text: &str) -> Result<Self, KeyError> {
        // `openssl ecparam -genkey` writes the curve's name in a block of its own before the key.
        let begin =
            text.match_indices("-----BEGIN ").find(|(at, _)| !text[*at..].starts_with("-----BEGIN EC PARAMETERS"));
        let text = begin.map_or(text, |(at, _)| &text[at..]).trim_end();
        // How PKCS #1 says that it is encrypted (RFC 1421), in headers that PEM has no more.
        if text.contains("Proc-Type: 4,ENCRYPTED") {
            return Err(KeyError::Encrypted);
        }
        let (label, der) = pem::decode_vec(text.as_bytes()).map_err(|error| KeyError::Pem(error.to_string()))?;
        match label {
            "PRIVATE KEY" => {
                let p256 = SigningKey::from_pkcs8_der(&der).map(|key| Self(Kind::P256(Box::new(key))));
                p256.or_else(|_| Self::rsa(RsaPrivateKey::from_pkcs8_der(&der).map_err(|_| KeyError::Kind)?))
            }
            "EC PRIVATE KEY" => {
                let key = p256::SecretKey::from_sec1_der(&der).map_err(|_| KeyError::Kind)?;
                Ok(Self(Kind::P256(Box::new(key.into()))))
            }
            "RSA PRIVATE KEY" => Self::rsa(RsaPrivateKey::from_pkcs1_der(&der).map_err(|_| KeyError::Kind)?),
            "ENCRYPTED PRIVATE KEY" => Err(KeyError::Encrypted),
            other => Err(KeyError::Label(other.to_owned())),
        }
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

    /// PKCS #8 in PEM, not encrypted: keep it where nobody else can read it. The text is wiped from memory when dropped.
    pub fn to_pem(&self) -> Result<der::zeroize::Zeroizing<String>, KeyError> {
        let pem = match &self.0 {
            Kind::P256(key) => key.to_pkcs8_pem(LineEnding::LF),
            Kind::Rsa(key) => key.signing.as_ref().to_pkcs8_pem(LineEnding::LF),
        };
        pem.map_err(|error| KeyError::Pem(error.to_string()))
    }

    /// The public key as a DER `SubjectPublicKeyInfo`.
    pub fn public_key_der(&self) -> Result<Vec<u8>, KeyError> {
        let der = match &self.0 {
            Kind::P256(key) => key.verifying_key().to_public_key_der(),
            Kind::Rsa(key) => key.signing.as_ref().to_public_key().to_public_key_der(),
        };
        Ok(der.map_err(|_| KeyError::Kind)?.into_vec())
    }
}

impl Signer for PrivateKey {
    fn algorithm(&self) -> SignatureAlgorithm {
        match self.0 {
            Kind::P256(_) => SignatureAlgorithm::EcdsaWithSha256,
            Kind::Rsa(_) => SignatureAlgorithm::RsaWithSha256,
        }
    }

    fn sign(&self, message: &[u8]) -> Result<Vec<u8>, SignError> {
        let failed = |error: p256::ecdsa::Error| SignError::Key(error.to_string());
        match &self.0 {
            // RFC 6979: the nonce comes from key and message, so no randomness is needed and none can be bad.
            Kind::P256(key) => {
                let signature: DerSignature = key.try_sign(message).map_err(failed)?;
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
            Kind::Rsa(_) => "PrivateKey(RSA)",
        })
    }
}

/// What RSA's private operation is blinded with, so that its duration says nothing about the key (RUSTSEC-2023-0071):
/// bytes that nobody can predict who does not have the key, other ones for each message. In the manner of RFC 6979,
/// because this crate has no randomness of its own.
struct Blinding {
    state: Sha256Digest,
    block: u64,
}

impl Blinding {
    fn new(seed: &Sha256Digest, message: &[u8]) -> Self {
        let mut hasher = Sha256Hasher::new();
        hasher.update("sealwright RSA blinding");
        hasher.update(seed.as_bytes());
        hasher.update(message);
        Self { state: hasher.finish(), block: 0 }
    }

    fn fill(&mut self, bytes: &mut [u8]) {
        for chunk in bytes.chunks_mut(32) {
            let mut hasher = Sha256Hasher::new();
            hasher.update(self.state.as_bytes());
            hasher.update(self.block.to_be_bytes());
            self.block += 1;
            chunk.copy_from_slice(&hasher.finish().as_bytes()[..chunk.len()]);
        }
    }
}

impl TryRng for Blinding {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        let mut bytes = [0; 4];
        self.fill(&mut bytes);
        Ok(u32::from_be_bytes(bytes))
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        let mut bytes = [0; 8];
        self.fill(&mut bytes);
        Ok(u64::from_be_bytes(bytes))
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        self.fill(bytes);
        Ok(())
    }
}

impl TryCryptoRng for Blinding {}

/// A key together with the certificates that say whose it is.
pub struct Identity {
    signer: Box<dyn Signer>,
    chain: Vec<Certificate>,
}

/// Why key and certificates do not make an identity.
#[derive(Debug, thiserror::Error)]
pub enum IdentityError {
    #[error("there is no certificate")]
    NoCertificate,
    #[error("the key is not the one in the certificate of `{subject}`: {error}")]
    OtherKey { subject: String, error: AlgorithmError },
    #[error(transparent)]
    Key(#[from] SignError),
    #[error("the certificates are no chain: {0}")]
    Chain(#[from] PathError),
}

impl Identity {
    /// `chain` begins with the key's own certificate and leads upwards, as far as wanted in every signature; the root may be
    /// left out, but a reader without it then has to have it. The key is tried once.
    pub fn new(signer: Box<dyn Signer>, chain: Vec<Certificate>, purpose: Purpose) -> Result<Self, IdentityError> {
        let own = chain.first().ok_or(IdentityError::NoCertificate)?;
        let probe = b"Does this key belong to this certificate?";
        let signature = signer.sign(probe)?;
        let key = own.as_x509().tbs_certificate().subject_public_key_info();
        algorithm::verify(key, &signer.algorithm().identifier(), None, probe, &signature)
            .map_err(|error| IdentityError::OtherKey { subject: own.subject(), error })?;
        let top = TrustAnchor { certificate: chain[chain.len() - 1].clone(), development: false };
        // The chain's order and usage, not yet its time: at the last moment at which all of it has begun.
        let begun = chain.iter().map(Certificate::not_before).max().unwrap_or(own.not_before());
        verify_path(own, &chain[1..], &[top], begun, purpose)?;
        Ok(Self { signer, chain })
    }

    pub fn signer(&self) -> &dyn Signer {
        self.signer.as_ref()
    }

    /// The key's own certificate.
    pub fn certificate(&self) -> &Certificate {
        &self.chain[0]
    }

    /// The key's own certificate first.
    pub fn chain(&self) -> &[Certificate] {
        &self.chain
    }
}

impl fmt::Debug for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Identity({:?})", self.certificate())
    }
}
