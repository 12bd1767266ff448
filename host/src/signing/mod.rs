//! The keys that seal certificates: the operator's own, or those of a development authority that this installation
//! created for itself. This module does not know what they sign, nor about time stamps.

mod development;
mod operator;
mod pkcs11;
mod pkcs12;
mod record;
#[cfg(test)]
mod tests;

use std::{
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use sealwright_seal::{
    Certificate, UnixTime,
    pades::ValidationMaterial,
    pki::{AuthorityError, CertificateError, Identity, IdentityError, KeyError, doubts_about_signer},
    time::TimeError,
    tsp::{TimeStampAuthority, Token},
};

pub use self::{
    development::{DevelopmentFolder, Made},
    record::{keep_recorded_chain, recorded_chains},
};
use crate::{clock::Timestamp, config::SealSettings};

/// What certificates are signed with, and which authorities are only this installation's own.
#[derive(Debug)]
pub struct SealKeys {
    signer: Arc<Identity>,
    /// Whether the signer's certificate is the development authority's.
    is_development: bool,
    /// Present if the operator has no signing key or names no time-stamping authority.
    development: Option<development::Authority>,
    /// The roots of this installation's development authorities, including earlier ones.
    development_roots: Vec<Certificate>,
}

impl SealKeys {
    /// Reads the operator's key and certificates; creates the development authority if it is needed and there is none
    /// yet.
    pub fn load_or_create(settings: &SealSettings, data_dir: &Path, now: Timestamp) -> Result<Self, SigningError> {
        let folder = DevelopmentFolder::of(data_dir);
        let development = if settings.signer.is_none() || settings.tsa_urls.is_empty() {
            Some(folder.load_or_create(now)?)
        } else {
            None
        };
        let signer = match (&settings.signer, &development) {
            (Some(source), _) => Arc::new(operator::load(source)?),
            (None, Some(development)) => Arc::clone(&development.signer),
            (None, None) => return Err(SigningError::NoKey),
        };
        let development_roots = folder.known_roots()?;
        let keys = Self { signer, is_development: settings.signer.is_none(), development, development_roots };
        keys.check_validity(now)?;
        for doubt in keys.doubts() {
            tracing::warn!(doubt, "other PDF readers may refuse signatures by this signing certificate");
        }
        Ok(keys)
    }

    /// Why other readers may refuse the signer's certificate.
    pub fn doubts(&self) -> Vec<&'static str> {
        doubts_about_signer(self.signer.certificate())
    }

    pub fn signer(&self) -> &Arc<Identity> {
        &self.signer
    }

    /// Whether the signer's certificate is the development authority's.
    pub fn is_development(&self) -> bool {
        self.is_development
    }

    /// The roots of this installation's development authorities, including earlier ones.
    pub fn development_roots(&self) -> &[Certificate] {
        &self.development_roots
    }

    /// Whether a token comes from a development authority of this installation.
    pub fn is_development_token(&self, token: &Token) -> bool {
        token.certificates().iter().any(|certificate| self.development_roots.contains(certificate))
    }

    /// The development authority's time stamps; `None` without such an authority.
    pub fn development_time_stamps(&self) -> Result<Option<TimeStampAuthority>, SigningError> {
        /// The accuracy of a machine whose clock is synchronised, in milliseconds.
        const ACCURACY: u64 = 1000;
        let Some(development) = &self.development else { return Ok(None) };
        Ok(Some(TimeStampAuthority::new(development.time_stamping()?, Some(ACCURACY))))
    }

    /// Checks that every certificate of the signer's chain is valid now. Otherwise a signature would be worthless, so
    /// none is made.
    pub fn check_validity(&self, now: Timestamp) -> Result<(), SigningError> {
        let now = unix_time(now)?;
        for certificate in self.signer.chain() {
            let subject = certificate.subject();
            if now < certificate.not_before() {
                return Err(SigningError::NotYetValid { subject, from: certificate.not_before() });
            }
            if now > certificate.not_after() {
                return Err(SigningError::Expired { subject, until: certificate.not_after() });
            }
        }
        Ok(())
    }

    /// When the first certificate of the signer's chain expires.
    pub fn valid_until(&self) -> UnixTime {
        self.signer
            .chain()
            .iter()
            .map(Certificate::not_after)
            .fold(self.signer.certificate().not_after(), UnixTime::min)
    }

    /// What a reader needs to check signature and time stamps offline: all chains, and the development authority's
    /// empty revocation list.
    pub fn validation_material(&self, tokens: &[Token], now: Timestamp) -> Result<ValidationMaterial, SigningError> {
        let mut certificates: Vec<Certificate> = self.signer.chain().to_vec();
        for certificate in tokens.iter().flat_map(Token::certificates) {
            if !certificates.contains(certificate) {
                certificates.push(certificate.clone());
            }
        }
        let list = self.development.as_ref().map(|development| development.revocation_list(now)).transpose()?;
        Ok(ValidationMaterial {
            certificates,
            revocation_lists: list.into_iter().collect(),
            ocsp_responses: Vec::new(),
        })
    }
}

/// The clock's moment in the form of certificates and time stamps.
pub fn unix_time(moment: Timestamp) -> Result<UnixTime, TimeError> {
    UnixTime::from_millis(moment.as_millis())
}

/// Why there is no key to sign with.
#[derive(Debug, thiserror::Error)]
pub enum SigningError {
    #[error("cannot read {path}: {cause}", path = path.display())]
    Read { path: PathBuf, cause: io::Error },
    #[error("cannot create the development authority in {path}: {cause}", path = path.display())]
    Make { path: PathBuf, cause: io::Error },
    #[error("{path} already exists: a development authority is never overwritten", path = path.display())]
    Taken { path: PathBuf },
    #[error("{path}: {error}", path = path.display())]
    Key { path: PathBuf, error: KeyError },
    #[error("{path}: {error}", path = path.display())]
    Certificates { path: PathBuf, error: CertificateError },
    #[error("{path}: {cause}", path = path.display())]
    Pkcs12 { path: PathBuf, cause: pkcs12::Pkcs12Error },
    #[error("{module}: {cause}", module = module.display())]
    Pkcs11 { module: PathBuf, cause: pkcs11::Pkcs11Error },
    #[error("the environment variable {name:?} is not set to a text")]
    Variable { name: String },
    #[error("{key} and {chain} do not belong together: {error}", key = key.display(), chain = chain.display())]
    Identity { key: PathBuf, chain: PathBuf, error: IdentityError },
    #[error("the certificate of `{subject}` has expired: it was valid until {until}")]
    Expired { subject: String, until: UnixTime },
    #[error("the certificate of `{subject}` is not yet valid: it is valid from {from}")]
    NotYetValid { subject: String, from: UnixTime },
    #[error("the development authority: {0}")]
    Authority(#[from] AuthorityError),
    #[error("the clock of this machine: {0}")]
    Clock(#[from] TimeError),
    #[error("there is no key to sign with")]
    NoKey,
}

impl SigningError {
    /// What to do about it, for the operator.
    pub fn remedy(&self) -> &'static str {
        match self {
            Self::Read { .. } | Self::Key { .. } | Self::Certificates { .. } => {
                "check the file: keys and certificates are PEM, the key P-256, P-384 or RSA of at least 3072 bits"
            }
            Self::Pkcs12 { .. } => {
                "check the file and its password: one key, P-256, P-384 or RSA of at least 3072 bits, with its certificates"
            }
            Self::Pkcs11 { .. } => {
                "check the device with its own tools (`pkcs11-tool --module FILE --list-objects`), and the labels and the \
                 PIN in seal.pkcs11_…"
            }
            Self::Variable { .. } => "set the variable where the server is started, or name a file instead",
            Self::Identity { .. } => {
                "name the key's own certificate first in seal.certificate_chain, then those of its issuers; it must be \
                 allowed to sign documents, by the key usage nonRepudiation"
            }
            Self::Expired { .. } => {
                "have a new certificate issued for seal.certificate_chain; what was sealed stays valid. A development \
                 authority is replaced by renaming its folder to another name that starts with development-authority"
            }
            Self::NotYetValid { .. } | Self::Clock(_) => "set the clock of this machine",
            Self::Make { .. } | Self::Taken { .. } | Self::Authority(_) | Self::NoKey => {
                "check the folder development-authority in data_dir"
            }
        }
    }
}

fn read(path: &Path) -> Result<String, SigningError> {
    std::fs::read_to_string(path).map_err(|cause| SigningError::Read { path: path.to_owned(), cause })
}

fn read_chain(path: &Path) -> Result<Vec<Certificate>, SigningError> {
    Certificate::from_pem_chain(&read(path)?)
        .map_err(|error| SigningError::Certificates { path: path.to_owned(), error })
}
