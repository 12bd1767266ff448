//! Whom a check trusts: separately for signing and for time-stamping. The roots of browsers are not among them: an
//! authority for web sites is not therefore an authority for time stamps or seals.

use sealwright_seal::{
    Certificate, UnixTime,
    pki::{CertificateError, TrustAnchor},
    tlog::cosignature::WitnessKey,
    verify::{Expectations, Original, Signers},
};
use serde::Serialize;

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

/// The certificates named for one check.
#[derive(Clone, Debug, Default)]
pub struct GivenCertificates {
    /// Roots of signers and, unless `time_roots` has any, of time-stamping authorities.
    pub roots: Vec<Certificate>,
    /// Roots of time-stamping authorities only.
    pub time_roots: Vec<Certificate>,
    /// Signing certificates.
    pub signers: Vec<Certificate>,
}

/// All certificates that a check trusts.
#[derive(Clone, Debug, Default)]
pub struct Trust {
    /// In the order in which they were found.
    pub anchors: Vec<Anchor>,
    signer_roots: Vec<TrustAnchor>,
    time_roots: Vec<TrustAnchor>,
    signing: Vec<Certificate>,
    witnesses: Vec<WitnessKey>,
}

impl Trust {
    /// The trust named for a check. A named root allows all certificates under it to sign, with two exceptions: if
    /// signing certificates are named too, and if `is_of_installation` says that the installation's own signing
    /// certificate is under it. Then only the signing certificates count.
    pub fn of_given(given: GivenCertificates, is_of_installation: impl Fn(&Certificate) -> bool) -> Self {
        let (all_may_sign, all_may_stamp) = (given.signers.is_empty(), given.time_roots.is_empty());
        let mut trust = Self::default();
        trust.add_all(given.signers, AnchorSource::Given, TrustedFor::Signing);
        for root in given.roots {
            let trusted_for = match (all_may_sign && !is_of_installation(&root), all_may_stamp) {
                (true, true) => TrustedFor::SignersAndTimeStamps,
                (true, false) => TrustedFor::Signers,
                (false, true) => TrustedFor::TimeStamps,
                (false, false) => continue,
            };
            trust.add(root, AnchorSource::Given, trusted_for);
        }
        trust.add_all(given.time_roots, AnchorSource::Given, TrustedFor::TimeStamps);
        trust
    }

    pub fn add_all(&mut self, certificates: Vec<Certificate>, source: AnchorSource, trusted_for: TrustedFor) {
        for certificate in certificates {
            self.add(certificate, source, trusted_for);
        }
    }

    /// Trusts witnesses of logs. One key is one witness, even under several names.
    pub fn add_witnesses(&mut self, keys: impl IntoIterator<Item = WitnessKey>) {
        for key in keys {
            if !self.witnesses.iter().any(|known| known.is_same_witness(&key)) {
                self.witnesses.push(key);
            }
        }
    }

    /// The trusted witnesses.
    pub fn witnesses(&self) -> &[WitnessKey] {
        &self.witnesses
    }

    /// The expectations for a certificate.
    pub fn expectations<'a>(&'a self, now: UnixTime, originals: &'a [Original]) -> Expectations<'a> {
        let signers = Signers { roots: &self.signer_roots, certificates: &self.signing };
        Expectations { signers, time_roots: &self.time_roots, now, originals, witnesses: &self.witnesses }
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

/// Certificates in PEM, or one in DER, as exported by browsers and authorities.
pub fn read_certificates(file: &[u8]) -> Result<Vec<Certificate>, CertificateError> {
    match std::str::from_utf8(file) {
        Ok(text) => Certificate::from_pem_chain(text),
        Err(_) => Ok(vec![Certificate::from_der(file)?]),
    }
}
