//! The signature and the time stamps of a certificate, and what they prove together.

use super::{
    CertificateFacts, Expectations, Fault, Finding, FindingCode, Level, Report, Severity, SignatureFacts, State,
    TimeAuthorityFacts, TimeStampFacts, TimeStampKind, level,
    revisions::{CoveringSignature, DocumentTimeStamp, SealedPdf},
};
use crate::{
    asn1::oid,
    cms::{CmsError, SignedMessage},
    digest::Sha256Digest,
    pki::{Certificate, Revocation, TrustedPath, revocation::Statements},
    time::{CLOCK_SKEW, UnixTime},
    tsp::{Token, TokenError, VerifiedToken},
};

/// The revision of the first time stamp on the document, counted from 1: the base and the signature come before it.
pub(super) const FIRST_TIME_STAMP: usize = 3;

pub(super) fn check(certificate: &SealedPdf<'_>, expectations: &Expectations<'_>, report: &mut Report) {
    let claimed_time = certificate.claimed_time.clone();
    check_parts(&certificate.signature, &certificate.time_stamps, claimed_time, expectations, report);
}

/// Checks a detached signature and the time stamps on the document, oldest first. `claimed_time` is the signer's.
pub(super) fn check_parts(
    signature: &CoveringSignature,
    time_stamps: &[DocumentTimeStamp],
    claimed_time: Option<String>,
    expectations: &Expectations<'_>,
    report: &mut Report,
) {
    let signature = read_signature(signature);
    let statements = statements(time_stamps);
    // The level once only the first `count` of the time stamps on the document were there.
    let level_after = |count: usize| {
        let first = &time_stamps[..count];
        level::of(first, signature.as_ref().ok(), &self::statements(first))
    };
    let mut stamps = Stamps { expectations, statements: &statements, verified: Vec::new(), report };
    if let Ok(ReadSignature { message, token: Some(token), .. }) = &signature {
        let facts = TimeStampFacts::broken(TimeStampKind::Signature, 2, level_after(0), token);
        stamps.check(facts, token, &Sha256Digest::of(message.signature()), "the time stamp on the signature");
    }
    for (position, stamp) in time_stamps.iter().enumerate() {
        let level = level_after(position + 1);
        let revision = position + FIRST_TIME_STAMP;
        let facts = TimeStampFacts::broken(TimeStampKind::Document, revision, level, &stamp.covered.der);
        let what = format!("the time stamp in revision {revision}");
        stamps.check(facts, &stamp.covered.der, &stamp.covered.digest, &what);
    }
    let verified = stamps.verified;
    report.proven_time = verified.iter().map(|stamp| stamp.time).min();
    report.time_authorities = TimeAuthorityFacts::of(&verified);
    report.renew_before = verified.last().map(|stamp| stamp.path.valid_until());
    report.level = Some(level::of(time_stamps, signature.as_ref().ok(), &statements));
    if report.level == Some(Level::BB) {
        let message = "only the signer states when it was signed: the time stamp is pending";
        report.findings.push(Finding::new(Severity::Notice, FindingCode::TimePending, message));
    }
    check_signature(claimed_time, signature, expectations, &statements, report);
    notices(expectations, report);
}

/// The issuers' statements about certificates. The issuers signed them, so the revision that contains them does not
/// matter.
pub(super) fn statements(time_stamps: &[DocumentTimeStamp]) -> Statements {
    let materials = || time_stamps.iter().filter_map(|stamp| stamp.material.as_ref());
    Statements {
        lists: materials().flat_map(|material| material.revocation_lists.clone()).collect(),
        answers: materials().flat_map(|material| material.ocsp_responses.clone()).collect(),
    }
}

/// Notices about a valid certificate.
fn notices(expectations: &Expectations<'_>, report: &mut Report) {
    if let Some(ended) = report.renew_before.filter(|until| report.proven_time.is_some() && expectations.now > *until) {
        let message = format!("the newest time stamp was not renewed in time: its certificates expired at {ended}");
        report.findings.push(Finding::new(Severity::Notice, FindingCode::RenewalOverdue, message));
    }
    let of_signature = report.signature.iter().map(|facts| facts.revocation);
    let known = of_signature.chain(report.time_stamps.iter().map(|facts| facts.revocation));
    if known.flatten().any(|status| status == Revocation::Unknown) {
        let message = "the file does not say whether a certificate of the signer or of a time-stamping authority was \
                       revoked, and no authority was asked";
        report.findings.push(Finding::new(Severity::Notice, FindingCode::Revocation, message));
    }
    if report.signature.as_ref().is_some_and(|facts| facts.development)
        || report.time_stamps.iter().any(|facts| facts.development)
    {
        let message = "it is signed or stamped by a development authority, which only its own installation trusts";
        report.findings.push(Finding::new(Severity::Notice, FindingCode::Development, message));
    }
}

pub(super) struct ReadSignature {
    pub(super) message: SignedMessage,
    pub(super) signer: Certificate,
    pub(super) token: Option<Vec<u8>>,
}

pub(super) fn read_signature(covered: &CoveringSignature) -> Result<ReadSignature, CmsError> {
    let message = SignedMessage::from_der(&covered.der)?;
    if message.content_type() != oid::DATA || message.content().is_some() {
        return Err(CmsError::Shape("is not a detached signature over a document"));
    }
    let signer = message.verify_sha256(&covered.digest)?;
    let token = message.time_stamp_token()?;
    Ok(ReadSignature { message, signer, token })
}

fn check_signature(
    claimed_time: Option<String>,
    signature: Result<ReadSignature, CmsError>,
    expectations: &Expectations<'_>,
    statements: &Statements,
    report: &mut Report,
) {
    let mut facts = SignatureFacts::broken(claimed_time);
    match signature {
        Err(error) => {
            facts.fault = Some(Fault::from(&error));
            let message = format!("the signature is not valid: {error}");
            report.findings.push(Finding::changed(FindingCode::Signature, message));
        }
        Ok(ReadSignature { message, signer, .. }) => {
            facts.signer = Some(CertificateFacts::from(&signer));
            facts.algorithm = Some(message.describe(&signer));
            facts.value = Some(message.signature().to_vec());
            let at = report.proven_time.unwrap_or(expectations.now);
            let path = expectations.signers.path(&signer, message.certificates(), at);
            match path {
                Ok(path) => {
                    facts.trust(&path);
                    report.renew_before.get_or_insert(path.valid_until());
                    let (status, finding) = revocation(statements, &path, at, FindingCode::Signature, "the signature");
                    facts.revocation = Some(status);
                    if let Some(finding) = finding {
                        facts.state = State::Untrusted;
                        facts.fault = Some(Fault::Revoked);
                        report.findings.push(finding);
                    }
                }
                Err(error) => {
                    let tampering = error.is_tampering();
                    facts.fault = Some(Fault::from(&error));
                    facts.state = if tampering { State::Broken } else { State::Untrusted };
                    let severity = if tampering { Severity::Changed } else { Severity::Untrusted };
                    let message = expectations.signers.refusal(&signer, &error);
                    report.findings.push(Finding::new(severity, FindingCode::Signature, message));
                }
            }
        }
    }
    report.signature = Some(facts);
}

/// The revocation status of a trusted chain, and the finding if there is one.
fn revocation(
    statements: &Statements,
    path: &TrustedPath,
    at: UnixTime,
    code: FindingCode,
    what: &str,
) -> (Revocation, Option<Finding>) {
    let status = statements.about(path, at);
    let is_revoked = matches!(status, Revocation::Revoked { .. });
    let message = format!("{what} does not count: {status}, and nothing proves that {what} was made before {at}");
    (status, is_revoked.then(|| Finding::new(Severity::Untrusted, code, message)))
}

/// Checks time stamps one after another.
struct Stamps<'r, 'e> {
    expectations: &'r Expectations<'e>,
    statements: &'r Statements,
    verified: Vec<VerifiedToken>,
    report: &'r mut Report,
}

impl Stamps<'_, '_> {
    fn check(&mut self, mut facts: TimeStampFacts, der: &[u8], digest: &Sha256Digest, what: &str) {
        let finding = match verify(der, digest, self.expectations, &mut facts) {
            Ok(verified) if is_future(verified.time, self.expectations.now) => {
                facts.state = State::Untrusted;
                facts.fault = Some(Fault::Future);
                let message = format!("{what} states {}, which is in the future", verified.time);
                Some(Finding::new(Severity::Untrusted, FindingCode::FutureTime, message))
            }
            Ok(verified) => self.check_revocation(&mut facts, verified, what),
            Err(error) => {
                facts.fault = Some(Fault::from(&error));
                let severity = if error.is_tampering() { Severity::Changed } else { Severity::Untrusted };
                Some(Finding::new(severity, FindingCode::TimeStamp, format!("{what} is not accepted: {error}")))
            }
        };
        self.report.findings.extend(finding);
        self.report.time_stamps.push(facts);
    }

    fn check_revocation(&mut self, facts: &mut TimeStampFacts, verified: VerifiedToken, what: &str) -> Option<Finding> {
        let (status, finding) =
            revocation(self.statements, &verified.path, verified.time, FindingCode::TimeStamp, what);
        facts.revocation = Some(status);
        match finding {
            Some(_) => {
                facts.state = State::Untrusted;
                facts.fault = Some(Fault::Revoked);
            }
            None => self.verified.push(verified),
        }
        finding
    }
}

fn verify(
    der: &[u8],
    digest: &Sha256Digest,
    expectations: &Expectations<'_>,
    facts: &mut TimeStampFacts,
) -> Result<VerifiedToken, TokenError> {
    let token = Token::from_der(der)?;
    facts.read(&token);
    let authority = token.verify_signature(digest)?;
    facts.authority = Some(CertificateFacts::from(&authority));
    let verified = token.verify_authority(&authority, expectations.time_roots);
    match &verified {
        Ok(verified) => facts.trust(verified),
        Err(error) if !error.is_tampering() => facts.state = State::Untrusted,
        Err(_) => {}
    }
    verified
}

pub(crate) fn is_future(time: UnixTime, now: UnixTime) -> bool {
    time.as_millis() > now.as_millis().saturating_add(CLOCK_SKEW)
}
