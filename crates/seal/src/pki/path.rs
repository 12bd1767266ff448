//! From a certificate up to one that is trusted (RFC 5280, section 6, without policies: an unsupported critical
//! extension is rejected). Whether a certificate was revoked is checked separately ([`super::revocation`]).

use serde::Serialize;
use x509_cert::ext::pkix::{BasicConstraints, ExtendedKeyUsage, KeyUsage};

use super::{Certificate, names};
use crate::{algorithm::AlgorithmError, asn1::oid, time::UnixTime};

/// Longer chains are rejected: they do not occur in practice, and each link costs a signature check.
const MAX_LENGTH: usize = 8;

/// What the key at the end of a chain is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    DocumentSigning,
    /// RFC 3161, section 2.3: its extended key usage must be critical and only contain this.
    TimeStamping,
    /// The signature of a claim (C2PA 2.1, section 14.5.1): the purpose of claim signing, or one of the older ones.
    ClaimSigning,
}

/// A certificate that the verifier trusts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrustAnchor {
    pub certificate: Certificate,
    /// Whether it is a development authority, which is meaningless beyond the machine that created it.
    pub development: bool,
}

/// A chain that ends at an anchor and was valid at the requested time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrustedPath {
    /// The checked certificate first, the anchor last. They may be the same.
    pub certificates: Vec<Certificate>,
    /// Whether the anchor is a development authority.
    pub development: bool,
}

impl TrustedPath {
    /// The anchor at the end.
    pub fn anchor(&self) -> &Certificate {
        &self.certificates[self.certificates.len() - 1]
    }

    /// When the first certificate of the chain stops being valid.
    pub fn valid_until(&self) -> UnixTime {
        self.certificates.iter().map(Certificate::not_after).fold(self.certificates[0].not_after(), UnixTime::min)
    }
}

/// Why a chain is not accepted. [`is_tampering`](Self::is_tampering) distinguishes the two kinds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, thiserror::Error)]
#[serde(rename_all = "camelCase", tag = "reason")]
pub enum PathError {
    #[error("`{subject}` was issued by `{issuer}`, which is not trusted")]
    Untrusted { subject: String, issuer: String },
    #[error("`{subject}` was not yet valid at {at}: it is valid from {from}")]
    NotYetValid { subject: String, from: UnixTime, at: UnixTime },
    #[error("`{subject}` was no longer valid at {at}: it was valid until {until}")]
    Expired { subject: String, until: UnixTime, at: UnixTime },
    #[error("`{subject}` names `{issuer}` as its issuer, whose key did not sign it")]
    Forged { subject: String, issuer: String },
    #[error("the certificate of `{subject}` is present, but is not part of the chain")]
    Stray { subject: String },
    #[error("`{subject}` may not issue certificates")]
    NotAnAuthority { subject: String },
    #[error("`{subject}` may not have that many authorities below it")]
    TooLong { subject: String },
    #[error("`{subject}` may not be used for this: {missing}")]
    WrongUsage { subject: String, missing: &'static str },
    #[error("`{subject}` has the name {name}, which `{authority}` may not certify")]
    OutsideConstraints { subject: String, authority: String, name: String },
    #[error("the signature on the certificate of `{subject}` is not accepted: {problem}")]
    Weak { subject: String, problem: String },
    #[error("`{subject}` has the critical extension {extension}, which is not supported")]
    UnknownCriticalExtension { subject: String, extension: String },
    #[error("`{subject}` has an extension that cannot be read")]
    Malformed { subject: String },
}

impl PathError {
    /// Whether bytes were changed or combined by a third party, as opposed to an untrusted signer or a certificate that
    /// was not valid at the time.
    pub fn is_tampering(&self) -> bool {
        matches!(self, Self::Forged { .. } | Self::Stray { .. } | Self::Malformed { .. })
    }
}

/// Finds the chain from `leaf` to one of `anchors` through `embedded`, and checks it for `purpose` at the time `at`.
///
/// Every certificate in `embedded` must be a link of that chain (or `leaf`, or an anchor): an unrelated one cannot be
/// checked. The chain's own consistency is checked first, to distinguish a changed certificate from an untrusted one.
pub fn verify_path(
    leaf: &Certificate,
    embedded: &[Certificate],
    anchors: &[TrustAnchor],
    at: UnixTime,
    purpose: Purpose,
) -> Result<TrustedPath, PathError> {
    let (certificates, anchor) = build(leaf, embedded, anchors)?;
    let is_anchor = |other: &Certificate| anchors.iter().any(|anchor| anchor.certificate == *other);
    if let Some(stray) = embedded.iter().find(|other| !certificates.contains(other) && !is_anchor(other)) {
        return Err(PathError::Stray { subject: stray.subject() });
    }
    check_usage(leaf, purpose)?;
    for (below, authority) in certificates.iter().skip(1).enumerate() {
        check_authority(authority, &certificates[1..=below])?;
    }
    for certificate in &certificates {
        check_critical_extensions(certificate)?;
    }
    names::check(&certificates)?;
    let Some(anchor) = anchor else {
        let last = certificates.last().unwrap_or(leaf);
        return Err(PathError::Untrusted { subject: last.subject(), issuer: last.issuer() });
    };
    for certificate in &certificates {
        check_time(certificate, at)?;
    }
    Ok(TrustedPath { certificates, development: anchor.development })
}

/// The chain upwards from `leaf` as far as it goes, each link's signature checked, and the anchor it ends at if any.
fn build<'a>(
    leaf: &Certificate,
    embedded: &[Certificate],
    anchors: &'a [TrustAnchor],
) -> Result<(Vec<Certificate>, Option<&'a TrustAnchor>), PathError> {
    let mut path = vec![leaf.clone()];
    loop {
        let last = path.last().expect("it starts with the leaf").clone();
        if let Some(anchor) = anchors.iter().find(|anchor| anchor.certificate == last) {
            return Ok((path, Some(anchor)));
        }
        if let Some(anchor) = anchors.iter().find(|anchor| last.is_issued_by(&anchor.certificate)) {
            path.push(anchor.certificate.clone());
            return Ok((path, Some(anchor)));
        }
        let signed_itself = last.is_issued_by(&last);
        let issuer = embedded.iter().find(|other| !path.contains(other) && last.is_issued_by(other));
        if let (false, Some(issuer)) = (signed_itself, issuer) {
            if path.len() == MAX_LENGTH {
                return Err(PathError::TooLong { subject: last.subject() });
            }
            path.push(issuer.clone());
            continue;
        }
        // There is an issuer with that name, but its key did not make this signature, or the algorithm is not accepted.
        let candidates = embedded.iter().chain(anchors.iter().map(|anchor| &anchor.certificate)).chain([&last]);
        let errors: Vec<AlgorithmError> = candidates
            .filter(|other| !signed_itself && last.names_as_issuer(other))
            .filter_map(|other| last.verify_signature_of(other).err())
            .collect();
        if let Some(error) = errors.iter().find(|error| error.is_weakness()) {
            return Err(PathError::Weak { subject: last.subject(), problem: error.to_string() });
        }
        if !errors.is_empty() {
            return Err(PathError::Forged { subject: last.subject(), issuer: last.issuer() });
        }
        return Ok((path, None));
    }
}

fn check_time(certificate: &Certificate, at: UnixTime) -> Result<(), PathError> {
    let subject = certificate.subject();
    let (from, until) = (certificate.not_before(), certificate.not_after());
    if at < from {
        return Err(PathError::NotYetValid { subject, from, at });
    }
    // It is valid until the end of its last second.
    if at.as_millis() >= until.as_millis() + 1000 {
        return Err(PathError::Expired { subject, until, at });
    }
    Ok(())
}

fn check_authority(authority: &Certificate, authorities_below: &[Certificate]) -> Result<(), PathError> {
    let subject = || authority.subject();
    let malformed = |_| PathError::Malformed { subject: subject() };
    let constraints = authority.extension::<BasicConstraints>(oid::BASIC_CONSTRAINTS).map_err(malformed)?;
    let Some((_, BasicConstraints { ca: true, path_len_constraint })) = constraints else {
        return Err(PathError::NotAnAuthority { subject: subject() });
    };
    let usage = authority.extension::<KeyUsage>(oid::KEY_USAGE).map_err(malformed)?;
    if usage.is_some_and(|(_, usage)| !usage.key_cert_sign()) {
        return Err(PathError::NotAnAuthority { subject: subject() });
    }
    let below = authorities_below.iter().filter(|other| !other.is_self_issued()).count();
    if path_len_constraint.is_some_and(|most| below > usize::from(most)) {
        return Err(PathError::TooLong { subject: subject() });
    }
    Ok(())
}

fn check_usage(leaf: &Certificate, purpose: Purpose) -> Result<(), PathError> {
    let wrong = |missing| PathError::WrongUsage { subject: leaf.subject(), missing };
    let malformed = |_| PathError::Malformed { subject: leaf.subject() };
    let usage = leaf.extension::<KeyUsage>(oid::KEY_USAGE).map_err(malformed)?;
    if usage.is_some_and(|(_, usage)| !usage.digital_signature() && !usage.non_repudiation()) {
        return Err(wrong("its key usage has neither digitalSignature nor nonRepudiation"));
    }
    let purposes = leaf.extension::<ExtendedKeyUsage>(oid::EXTENDED_KEY_USAGE).map_err(malformed)?;
    match (purpose, purposes) {
        (Purpose::TimeStamping, Some((true, purposes))) if purposes.0 == [oid::PURPOSE_TIME_STAMPING] => Ok(()),
        (Purpose::TimeStamping, _) => Err(wrong("its extended key usage is not critical, or is not only timeStamping")),
        (Purpose::DocumentSigning | Purpose::ClaimSigning, None) => Ok(()),
        (Purpose::ClaimSigning, Some((_, purposes))) if purposes.0.contains(&oid::PURPOSE_CLAIM_SIGNING) => Ok(()),
        (Purpose::DocumentSigning | Purpose::ClaimSigning, Some((_, purposes))) => {
            let fits = [oid::PURPOSE_DOCUMENT_SIGNING, oid::PURPOSE_EMAIL_PROTECTION, oid::PURPOSE_ANY];
            if purposes.0.iter().any(|purpose| fits.contains(purpose)) {
                Ok(())
            } else {
                Err(wrong("its extended key usage has neither documentSigning nor emailProtection"))
            }
        }
    }
}

/// Why other readers may reject a certificate that signs documents, one line each; empty for one that all of them
/// accept. A certificate that cannot sign at all is rejected when its key is opened.
pub fn doubts_about_signer(certificate: &Certificate) -> Vec<&'static str> {
    let mut doubts = Vec::new();
    let usage = certificate.extension::<KeyUsage>(oid::KEY_USAGE).ok().flatten();
    if !usage.is_some_and(|(_, usage)| usage.non_repudiation()) {
        doubts.push("its key usage lacks nonRepudiation (contentCommitment), without which pyHanko rejects signatures");
    }
    let purposes = certificate.extension::<ExtendedKeyUsage>(oid::EXTENDED_KEY_USAGE).ok().flatten();
    let understood = [oid::PURPOSE_EMAIL_PROTECTION, oid::PURPOSE_ANY];
    if purposes.is_some_and(|(_, purposes)| !purposes.0.iter().any(|purpose| understood.contains(purpose))) {
        doubts.push("its extended key usage lacks emailProtection, without which pdfsig does not accept it");
    }
    let constraints = certificate.extension::<BasicConstraints>(oid::BASIC_CONSTRAINTS).ok().flatten();
    if constraints.is_some_and(|(_, constraints)| constraints.ca) {
        doubts.push("it is an authority's certificate (CA:TRUE), which should not sign documents");
    }
    doubts
}

fn check_critical_extensions(certificate: &Certificate) -> Result<(), PathError> {
    /// The alternative name and the policies among these have no effect here: names are not compared, any policy is
    /// accepted.
    const UNDERSTOOD: [der::asn1::ObjectIdentifier; 6] = [
        oid::BASIC_CONSTRAINTS,
        oid::KEY_USAGE,
        oid::EXTENDED_KEY_USAGE,
        oid::SUBJECT_ALTERNATIVE_NAME,
        oid::CERTIFICATE_POLICIES,
        oid::NAME_CONSTRAINTS,
    ];
    let extensions = certificate.as_x509().tbs_certificate().extensions();
    let unknown = extensions
        .into_iter()
        .flatten()
        .find(|extension| extension.critical && !UNDERSTOOD.contains(&extension.extn_id));
    match unknown {
        Some(extension) => Err(PathError::UnknownCriticalExtension {
            subject: certificate.subject(),
            extension: extension.extn_id.to_string(),
        }),
        None => Ok(()),
    }
}
