//! Whom a check trusts: separately for signing and for time-stamping. The anchors are named for the check, come from
//! the operator's settings, or belong to this installation's own development authority. The roots of browsers are not
//! among them: an authority for web sites is not therefore an authority for time stamps or seals.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use sealwright_seal::{
    Certificate, UnixTime,
    pki::{CertificateError, TrustAnchor},
    verify::{Expectations, Original, Signers},
};
use serde::Serialize;

use crate::{
    config::{Config, Setting, SignerFiles, SignerSource},
    signing::{DevelopmentFolder, SigningError, recorded_chains},
};

/// A trusted certificate, what it is trusted for, and where it comes from.
#[derive(Clone, Debug)]
pub struct Anchor {
    pub certificate: Certificate,
    pub source: AnchorSource,
    pub trusted_for: TrustedFor,
}

/// What a certificate is trusted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum TrustedFor {
    /// A root: certificates under it may sign, and stamp times.
    SignersAndTimeStamps,
    /// A root: certificates under it may sign.
    Signers,
    /// A root: certificates under it may stamp times.
    TimeStamps,
    /// A signing certificate: it may sign, and no other under its root.
    Signing,
}

/// Where a trusted certificate comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum AnchorSource {
    /// A file that was named for this check.
    Given,
    /// The operator's settings: the signing certificate, `seal.earlier_certificates`, and `seal.trust`.
    Settings,
    /// This installation's record of the certificates that it has signed with.
    Recorded,
    /// The development authority in `data_dir`, which vouches for nothing beyond this installation.
    Development,
}

/// The trust named for one check.
#[derive(Clone, Debug, Default)]
pub struct GivenTrust {
    /// Roots of signers and, unless `time_roots` has any, of time-stamping authorities.
    pub roots: Vec<PathBuf>,
    /// Roots of time-stamping authorities only.
    pub time_roots: Vec<PathBuf>,
    /// Signing certificates.
    pub signers: Vec<PathBuf>,
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

/// All certificates that a check trusts.
#[derive(Clone, Debug, Default)]
pub struct Trust {
    /// In the order in which they were found.
    pub anchors: Vec<Anchor>,
    signer_roots: Vec<TrustAnchor>,
    time_roots: Vec<TrustAnchor>,
    signing: Vec<Certificate>,
}

impl Trust {
    /// The trust of a check on this machine: what is named for it, and the trust of
    /// [`of_installation`](Self::of_installation). `data_dir` is read only if it was named: the content of the working
    /// directory is not trusted.
    ///
    /// A named root allows all certificates under it to sign, with two exceptions: if signing certificates are named
    /// too, and if this installation's own signing certificate is under it. Then only the signing certificates count.
    pub fn of_check(config: &Config, given: &GivenTrust) -> Result<Self, TrustError> {
        let recorded = if config.is_given(Setting::DataDir) { recorded_chains(&config.data_dir)? } else { Vec::new() };
        let own = OwnCertificates::of(config, recorded)?;
        let mut trust = Self::default();
        for path in &given.signers {
            trust.add_all(certificates(path)?, AnchorSource::Given, TrustedFor::Signing);
        }
        for path in &given.roots {
            for root in certificates(path)? {
                let signs = given.signers.is_empty() && !own.is_under(&root);
                let trusted_for = match (signs, given.time_roots.is_empty()) {
                    (true, true) => TrustedFor::SignersAndTimeStamps,
                    (true, false) => TrustedFor::Signers,
                    (false, true) => TrustedFor::TimeStamps,
                    (false, false) => continue,
                };
                trust.add(root, AnchorSource::Given, trusted_for);
            }
        }
        for path in &given.time_roots {
            trust.add_all(certificates(path)?, AnchorSource::Given, TrustedFor::TimeStamps);
        }
        trust.add_installation(config, own, config.is_given(Setting::DataDir))?;
        Ok(trust)
    }

    /// The trust of this installation: for signatures the certificates that it signs and has signed with, for time
    /// stamps the roots of `seal.trust`, for both its development authorities. Creates nothing. `recorded` are the
    /// chains of the certificates that were used earlier.
    pub fn of_installation(config: &Config, recorded: Vec<Vec<Certificate>>) -> Result<Self, TrustError> {
        let mut trust = Self::default();
        trust.add_installation(config, OwnCertificates::of(config, recorded)?, true)?;
        Ok(trust)
    }

    /// The expectations for a certificate.
    pub fn expectations<'a>(&'a self, now: UnixTime, originals: &'a [Original]) -> Expectations<'a> {
        let signers = Signers { roots: &self.signer_roots, certificates: &self.signing };
        Expectations { signers, time_roots: &self.time_roots, now, originals }
    }

    fn add_installation(
        &mut self,
        config: &Config,
        own: OwnCertificates,
        with_data_dir: bool,
    ) -> Result<(), TrustError> {
        let leaf = |chain: Vec<Certificate>| chain.into_iter().take(1).collect::<Vec<_>>();
        self.add_all(own.current.map(leaf).unwrap_or_default(), AnchorSource::Settings, TrustedFor::Signing);
        self.add_all(own.earlier, AnchorSource::Settings, TrustedFor::Signing);
        self.add_all(own.recorded.into_iter().flat_map(leaf).collect(), AnchorSource::Recorded, TrustedFor::Signing);
        if let Some(roots) = time_roots(config)? {
            self.add_all(roots, AnchorSource::Settings, TrustedFor::TimeStamps);
        }
        if with_data_dir {
            let roots = DevelopmentFolder::of(&config.data_dir).known_roots()?;
            self.add_all(roots, AnchorSource::Development, TrustedFor::SignersAndTimeStamps);
        }
        Ok(())
    }

    fn add_all(&mut self, certificates: Vec<Certificate>, source: AnchorSource, trusted_for: TrustedFor) {
        for certificate in certificates {
            self.add(certificate, source, trusted_for);
        }
    }

    /// The first source of a certificate decides how it counts: a development root that is named explicitly is trusted
    /// like any other.
    fn add(&mut self, certificate: Certificate, source: AnchorSource, trusted_for: TrustedFor) {
        let anchor = TrustAnchor { certificate: certificate.clone(), development: source == AnchorSource::Development };
        let mut is_new = false;
        if matches!(trusted_for, TrustedFor::SignersAndTimeStamps | TrustedFor::Signers) {
            is_new |= add_new(&mut self.signer_roots, &anchor);
        }
        if matches!(trusted_for, TrustedFor::SignersAndTimeStamps | TrustedFor::TimeStamps) {
            is_new |= add_new(&mut self.time_roots, &anchor);
        }
        if trusted_for == TrustedFor::Signing && !self.signing.contains(&certificate) {
            self.signing.push(certificate.clone());
            is_new = true;
        }
        if is_new {
            self.anchors.push(Anchor { certificate, source, trusted_for });
        }
    }
}

fn add_new(anchors: &mut Vec<TrustAnchor>, anchor: &TrustAnchor) -> bool {
    let is_new = anchors.iter().all(|known| known.certificate != anchor.certificate);
    if is_new {
        anchors.push(anchor.clone());
    }
    is_new
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
    let failed = |cause| TrustError::Certificates { path: path.to_owned(), cause };
    let bytes = fs::read(path).map_err(|cause| TrustError::File { path: path.to_owned(), cause })?;
    match std::str::from_utf8(&bytes) {
        Ok(text) => Certificate::from_pem_chain(text).map_err(failed),
        Err(_) => Ok(vec![Certificate::from_der(&bytes).map_err(failed)?]),
    }
}
