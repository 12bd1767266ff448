//! Whom a check on this machine trusts. The anchors are named for the check, come from the operator's settings, or
//! belong to this installation's own development authority.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use sealwright_seal::{Certificate, pki::CertificateError, tlog::cosignature::WitnessKey};
use sealwright_verification::{AnchorSource, GivenCertificates, Trust, TrustedFor, read_certificates};

use crate::{
    config::{Config, Setting, SignerFiles, SignerSource},
    signing::{DevelopmentFolder, SigningError, recorded_chains},
};

/// The trust named for one check.
#[derive(Clone, Debug, Default)]
pub struct GivenTrust {
    /// Roots of signers and, unless `time_roots` has any, of time-stamping authorities.
    pub roots: Vec<PathBuf>,
    /// Roots of time-stamping authorities only.
    pub time_roots: Vec<PathBuf>,
    /// Signing certificates.
    pub signers: Vec<PathBuf>,
    /// Witnesses of logs.
    pub witnesses: Vec<WitnessKey>,
}

/// Why the trusted certificates cannot be determined.
#[derive(Debug, thiserror::Error)]
pub enum TrustError {
    #[error("{}: {cause}", path.display())]
    File { path: PathBuf, cause: io::Error },
    #[error("{}: {cause}", path.display())]
    Certificates { path: PathBuf, cause: CertificateError },
    #[error(transparent)]
    Development(#[from] SigningError),
}

/// The trust of a check on this machine: what is named for it, and the trust of [`of_installation`]. `data_dir` is read
/// only if it was named: the content of the working directory is not trusted.
pub fn of_check(config: &Config, given: GivenTrust) -> Result<Trust, TrustError> {
    let recorded = if config.is_given(Setting::DataDir) { recorded_chains(&config.data_dir)? } else { Vec::new() };
    let own = OwnCertificates::of(config, recorded)?;
    let named = GivenCertificates {
        roots: all_certificates(&given.roots)?,
        time_roots: all_certificates(&given.time_roots)?,
        signers: all_certificates(&given.signers)?,
    };
    let mut trust = Trust::of_given(named, |root| own.is_under(root));
    trust.add_witnesses(given.witnesses);
    add_installation(&mut trust, config, own, config.is_given(Setting::DataDir))?;
    Ok(trust)
}

/// The trust of this installation: for signatures the certificates that it signs and has signed with, for time
/// stamps the roots of `seal.trust`, for both its development authorities. Creates nothing. `recorded` are the
/// chains of the certificates that were used earlier.
pub fn of_installation(config: &Config, recorded: Vec<Vec<Certificate>>) -> Result<Trust, TrustError> {
    let mut trust = Trust::default();
    add_installation(&mut trust, config, OwnCertificates::of(config, recorded)?, true)?;
    Ok(trust)
}

fn add_installation(
    trust: &mut Trust,
    config: &Config,
    own: OwnCertificates,
    with_data_dir: bool,
) -> Result<(), TrustError> {
    let leaf = |chain: Vec<Certificate>| chain.into_iter().take(1).collect::<Vec<_>>();
    trust.add_all(own.current.map(leaf).unwrap_or_default(), AnchorSource::Settings, TrustedFor::Signing);
    trust.add_all(own.earlier, AnchorSource::Settings, TrustedFor::Signing);
    trust.add_all(own.recorded.into_iter().flat_map(leaf).collect(), AnchorSource::Recorded, TrustedFor::Signing);
    trust.add_witnesses(config.witnesses.of_log.iter().map(|witness| witness.key.clone()));
    if let Some(roots) = time_roots(config)? {
        trust.add_all(roots, AnchorSource::Settings, TrustedFor::TimeStamps);
    }
    if with_data_dir {
        let roots = DevelopmentFolder::of(&config.data_dir).known_roots()?;
        trust.add_all(roots, AnchorSource::Development, TrustedFor::SignersAndTimeStamps);
    }
    Ok(())
}

/// The certificates that this installation signs and has signed with.
struct OwnCertificates {
    /// The chain in the settings.
    current: Option<Vec<Certificate>>,
    /// `seal.earlier_certificates`: signing certificates.
    earlier: Vec<Certificate>,
    /// Chains.
    recorded: Vec<Vec<Certificate>>,
}

impl OwnCertificates {
    fn of(config: &Config, recorded: Vec<Vec<Certificate>>) -> Result<Self, TrustError> {
        let current = match &config.seal.signer {
            Some(
                SignerSource::Pem(SignerFiles { certificate_chain, .. })
                | SignerSource::Pkcs11 { certificate_chain, .. },
            ) => Some(certificates(certificate_chain)?),
            // Its certificates are protected by a password, which a check must not need. The record has them.
            Some(SignerSource::Pkcs12 { .. }) | None => None,
        };
        let earlier = config.seal.earlier_certificates.as_deref().map(certificates).transpose()?.unwrap_or_default();
        Ok(Self { current, earlier, recorded })
    }

    /// Whether one of them is under `root`.
    fn is_under(&self, root: &Certificate) -> bool {
        let chains = self.current.iter().chain(&self.recorded);
        let mut all = chains.flatten().chain(&self.earlier);
        all.any(|certificate| certificate == root || certificate.is_issued_by(root))
    }
}

/// The roots of `seal.trust`; none if it is not set.
pub fn time_roots(config: &Config) -> Result<Option<Vec<Certificate>>, TrustError> {
    config.seal.trust.as_deref().map(certificates).transpose()
}

/// Certificates in PEM, or one in DER, as exported by browsers and authorities.
fn certificates(path: &Path) -> Result<Vec<Certificate>, TrustError> {
    let bytes = fs::read(path).map_err(|cause| TrustError::File { path: path.to_owned(), cause })?;
    read_certificates(&bytes).map_err(|cause| TrustError::Certificates { path: path.to_owned(), cause })
}

fn all_certificates(paths: &[PathBuf]) -> Result<Vec<Certificate>, TrustError> {
    let mut all = Vec::new();
    for path in paths {
        all.extend(certificates(path)?);
    }
    Ok(all)
}
