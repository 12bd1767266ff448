//! Whom a check trusts: roots that are named for it, those of the operator's settings, and the development authority that
//! this installation made for itself. The roots of browsers are not among them: who may speak for a web site may not
//! for that reason stamp times or seal documents.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use sealwright_seal::{
    Certificate,
    pki::{CertificateError, TrustAnchor},
};
use serde::Serialize;

use crate::{
    config::{Config, SignerFiles, SignerSource},
    signing::{DevelopmentFolder, SigningError},
};

/// A certificate that is trusted, and who says so.
#[derive(Clone, Debug)]
pub struct Anchor {
    pub anchor: TrustAnchor,
    pub source: AnchorSource,
}

/// Who says that a root is to be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum AnchorSource {
    /// A file that was named for this check.
    Given,
    /// The operator's settings: the end of `seal.certificate_chain`, and `seal.trust`.
    Settings,
    /// The development authority in `data_dir`, which vouches for nothing beyond this installation.
    Development,
}

/// Why it is not known whom to trust.
#[derive(Debug, thiserror::Error)]
pub enum TrustError {
    #[error("{}: {cause}", path.display())]
    File { path: PathBuf, cause: io::Error },
    #[error("{}: {cause}", path.display())]
    Certificates { path: PathBuf, cause: CertificateError },
    #[error(transparent)]
    Development(#[from] SigningError),
}

/// Everybody whom a check on this machine trusts: `given` files, and [`of_installation`].
pub fn anchors(config: &Config, given: &[PathBuf]) -> Result<Vec<Anchor>, TrustError> {
    let mut anchors = Vec::new();
    for path in given {
        add(&mut anchors, &certificates(path)?, AnchorSource::Given);
    }
    for anchor in of_installation(config)? {
        add(&mut anchors, &[anchor.anchor.certificate], anchor.source);
    }
    Ok(anchors)
}

/// The operator's roots and the development authority's. Nothing is made that is not there.
pub fn of_installation(config: &Config) -> Result<Vec<Anchor>, TrustError> {
    let mut anchors = Vec::new();
    let chain = match &config.seal.signer {
        Some(
            SignerSource::Pem(SignerFiles { certificate_chain, .. }) | SignerSource::Pkcs11 { certificate_chain, .. },
        ) => certificates(certificate_chain)?,
        // Its certificates are under a password, which a check has no business with.
        Some(SignerSource::Pkcs12 { .. }) | None => Vec::new(),
    };
    add(&mut anchors, &chain[chain.len().saturating_sub(1)..], AnchorSource::Settings);
    if let Some(path) = &config.seal.trust {
        add(&mut anchors, &certificates(path)?, AnchorSource::Settings);
    }
    add(&mut anchors, &DevelopmentFolder::of(&config.data_dir).known_roots()?, AnchorSource::Development);
    Ok(anchors)
}

/// The first who names a root decides how it counts: a development root that is given by name is trusted like any other.
fn add(anchors: &mut Vec<Anchor>, certificates: &[Certificate], source: AnchorSource) {
    for certificate in certificates {
        if anchors.iter().all(|known| known.anchor.certificate != *certificate) {
            let development = source == AnchorSource::Development;
            let anchor = TrustAnchor { certificate: certificate.clone(), development };
            anchors.push(Anchor { anchor, source });
        }
    }
}

/// Certificates in PEM, or one in DER, as browsers and authorities hand them out.
fn certificates(path: &Path) -> Result<Vec<Certificate>, TrustError> {
    let failed = |cause| TrustError::Certificates { path: path.to_owned(), cause };
    let bytes = fs::read(path).map_err(|cause| TrustError::File { path: path.to_owned(), cause })?;
    match std::str::from_utf8(&bytes) {
        Ok(text) => Certificate::from_pem_chain(text).map_err(failed),
        Err(_) => Ok(vec![Certificate::from_der(&bytes).map_err(failed)?]),
    }
}
