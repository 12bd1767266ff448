//! A key with its certificates.

use std::fmt;

use super::{Certificate, PathError, Purpose, SignError, Signer, TrustAnchor, key::MIN_RSA_BITS, verify_path};
use crate::algorithm::{self, AlgorithmError};

/// A key together with the certificates that identify its owner.
pub struct Identity {
    signer: Box<dyn Signer>,
    chain: Vec<Certificate>,
}

/// Why a key and certificates do not form an identity.
#[derive(Debug, thiserror::Error)]
pub enum IdentityError {
    #[error("there is no certificate")]
    NoCertificate,
    #[error("the key is not the one in the certificate of `{subject}`: {error}")]
    OtherKey { subject: String, error: AlgorithmError },
    #[error("the key of `{subject}` is an RSA key of {bits} bits; at least {MIN_RSA_BITS} are needed")]
    Short { subject: String, bits: u32 },
    #[error(transparent)]
    Key(#[from] SignError),
    #[error("the certificates do not form a chain: {0}")]
    Chain(#[from] PathError),
    #[error(
        "the certificate of `{subject}` does not state what its key may be used for, so other readers report its \
         signatures as invalid: it needs the key usage nonRepudiation"
    )]
    NoKeyUsage { subject: String },
}

impl Identity {
    /// `chain` starts with the key's own certificate and leads upwards, as far as it should be in every signature; the
    /// root may be left out if readers have it. The key is tried once.
    pub fn new(signer: Box<dyn Signer>, chain: Vec<Certificate>, purpose: Purpose) -> Result<Self, IdentityError> {
        let own = chain.first().ok_or(IdentityError::NoCertificate)?;
        let probe = b"Does this key belong to this certificate?";
        let signature = signer.sign(probe)?;
        let key = own.as_x509().tbs_certificate().subject_public_key_info();
        algorithm::verify(key, &signer.algorithm().identifier(), None, probe, &signature)
            .map_err(|error| IdentityError::OtherKey { subject: own.subject(), error })?;
        if let Some(bits) = algorithm::rsa_bits(key).filter(|bits| *bits < MIN_RSA_BITS) {
            return Err(IdentityError::Short { subject: own.subject(), bits });
        }
        if purpose == Purpose::DocumentSigning && !own.has_key_usage() {
            return Err(IdentityError::NoKeyUsage { subject: own.subject() });
        }
        let top = TrustAnchor { certificate: chain[chain.len() - 1].clone(), development: false };
        // Check the chain's order and usage, not its time: use the first moment at which all of it is valid.
        let start = chain.iter().map(Certificate::not_before).max().unwrap_or(own.not_before());
        verify_path(own, &chain[1..], &[top], start, purpose)?;
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
