//! Checks a certificate: from its bytes and the trusted roots to a [`Report`] of facts.
//!
//! What is checked, in this order:
//!
//! 1. **Form.** The file is a base, one revision with the certification signature, and any number of revisions with one
//!    document time stamp each. Each signature covers its revision and all before it except its own hole, and the
//!    hole's padding is zeros.
//! 2. **Additions.** Each later revision is exactly what [`crate::pades`] appends: it is read, written again, and
//!    compared byte for byte. So it cannot contain anything else, however a viewer would display it (incremental
//!    saving, shadow documents, signature wrapping, annotations after certification).
//! 3. **Signatures and time stamps**, each chain at its time: a time stamp's at the time it states, the signature's at
//!    the earliest trusted time stamp over it, or now if there is none.
//! 4. **Content.** The attached seal manifest, its commitments, its place in the log of seals and the cosignatures of trusted
//!    witnesses, each item's time-stamp token, embedded and given originals.
//! 5. **Pages.** If the caller has their text, it is compared with the manifest ([`compare_pages`]).
//!
//! An evidence record can be added ([`Report::add_evidence`]), and the package that the certificate is in
//! ([`crate::package`]).
//!
//! A certificate is [`Outcome::Valid`] only if all of it holds and is trusted. The report contains the facts; the
//! caller presents them to people.

mod contents;
mod evidence;
mod facts;
mod fault;
mod level;
mod pages;
mod report;
mod revisions;
mod signatures;
mod signers;
#[cfg(test)]
mod tests;

pub(crate) use contents::place_of;
pub use contents::{EmbeddedOriginal, cosigned_by, embedded_originals, proves_seal};
pub use evidence::{EvidenceFacts, EvidenceStampFacts};
pub use facts::{
    CertificateFacts, DisclosedFacts, DisclosureFacts, ErasureFacts, ItemFacts, LogFacts, ManifestFacts, OriginalFacts,
    SignatureFacts, State, TimeAuthorityFacts, TimeStampFacts, TimeStampKind, TokenCheck, TokenState, WitnessFacts,
    WitnessesFacts,
};
pub use fault::Fault;
pub use level::{ReachedLevel, reached, time_stamp_tokens};
pub use pages::{
    Page, Pages, PagesFacts, PagesReason, PagesState, Piece, Unshown, compare_pages, has_pages_to_compare,
};
pub use report::{
    Finding, FindingCode, Level, Outcome, PackageFacts, PackageStampFacts, PackedFileFacts, Report, Severity,
};
pub(crate) use signatures::is_future;
pub use signers::Signers;

use crate::{
    digest::Sha256Digest, disclosure::signed::SignedDisclosure, pki::TrustAnchor, time::UnixTime,
    tlog::cosignature::WitnessKey,
};

/// A file that is claimed to be one of the sealed files, by its digest: large files need not be in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Original {
    /// For the report.
    pub name: String,
    pub sha256: Sha256Digest,
}

/// What a certificate is checked against.
#[derive(Clone, Copy, Debug)]
pub struct Expectations<'a> {
    /// The signers whose signature counts.
    pub signers: Signers<'a>,
    /// Roots of time-stamping authorities. None of them makes a signer trusted.
    pub time_roots: &'a [TrustAnchor],
    /// When the check is made.
    pub now: UnixTime,
    pub originals: &'a [Original],
    /// The witnesses of logs that count, each with a key of its own.
    pub witnesses: &'a [WitnessKey],
}

impl<'a> Expectations<'a> {
    /// Roots of signers and of time-stamping authorities alike, and no witnesses.
    pub fn trusting(roots: &'a [TrustAnchor], now: UnixTime, originals: &'a [Original]) -> Self {
        Self { signers: Signers { roots, certificates: &[] }, time_roots: roots, now, originals, witnesses: &[] }
    }
}

/// Checks a signed disclosure ([`crate::disclosure::signed`]), given as the bytes of its file. Never fails: for a file
/// that is not a disclosure, the report says so.
pub fn disclosure(file: &[u8], expectations: &Expectations<'_>) -> Report {
    let mut report = Report::default();
    match SignedDisclosure::read(file) {
        Ok(SignedDisclosure { statement, digest, signature }) => {
            let covering = revisions::CoveringSignature { der: signature, digest };
            let claimed_time = Some(statement.disclosed_at.clone());
            signatures::check_parts(&covering, &[], claimed_time, expectations, &mut report);
            // The content of a changed file is not vouched for.
            if report.findings.iter().all(|finding| finding.severity < Severity::Changed) {
                contents::check_disclosure(&statement, expectations, &mut report);
            }
        }
        Err(error) => report.findings.push(Finding::changed(FindingCode::Unreadable, error.to_string())),
    }
    report.witnesses.trusted = expectations.witnesses.len();
    report.conclude();
    report
}

/// Checks a certificate. Never fails: for a file that is not a certificate, the report says so.
pub fn certificate(pdf: &[u8], expectations: &Expectations<'_>) -> Report {
    let mut report = Report::default();
    match revisions::read(pdf) {
        Ok(certificate) => {
            report.revisions = certificate.file.revisions.len();
            signatures::check(&certificate, expectations, &mut report);
            // The content of a changed file is not vouched for.
            if report.findings.iter().all(|finding| finding.severity < Severity::Changed) {
                contents::check(&certificate, expectations, &mut report);
            }
        }
        Err(finding) => report.findings.push(finding),
    }
    report.witnesses.trusted = expectations.witnesses.len();
    report.conclude();
    report
}
