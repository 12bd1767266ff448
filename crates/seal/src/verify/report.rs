//! The findings, for programs; a command line or a page turns them into sentences.

use serde::Serialize;

use super::{
    evidence::EvidenceFacts,
    facts::{
        CertificateFacts, DisclosedFacts, DisclosureFacts, ErasureFacts, ItemFacts, LogFacts, ManifestFacts,
        OriginalFacts, SignatureFacts, State, TimeAuthorityFacts, TimeStampFacts, WitnessesFacts,
    },
    fault::Fault,
    pages::PagesFacts,
};
use crate::{capture::CaptureAccount, digest::Sha256Digest, time::UnixTime};

/// All facts about a certificate.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    pub outcome: Outcome,
    /// The level of the certificate's signature, whether or not it is trusted. `None` for a file that is not a
    /// certificate.
    pub level: Option<Level>,
    /// How many revisions the file has: two, and one for each time stamp on the document. 0 if they could not be
    /// determined.
    pub revisions: usize,
    pub signature: Option<SignatureFacts>,
    /// The one on the signature first, then those on the document, oldest first.
    pub time_stamps: Vec<TimeStampFacts>,
    /// The earliest time at which the signature provably existed, by a trusted time stamp. `None`: the time is pending.
    pub proven_time: Option<UnixTime>,
    /// The independent authorities whose trusted time stamps agree that it existed.
    pub time_authorities: Vec<TimeAuthorityFacts>,
    /// Until when the newest proof can be renewed: the end of the newest trusted time stamp's chain, or of the signature's.
    pub renew_before: Option<UnixTime>,
    pub manifest: Option<ManifestFacts>,
    /// If the certificate replaces another from which items were erased.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub erasure: Option<ErasureFacts>,
    /// If the file is a signed disclosure: `items` are those that it shows, and `manifest` says nothing of the others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disclosed: Option<DisclosedFacts>,
    /// In the manifest's order.
    pub items: Vec<ItemFacts>,
    /// What the capture records say. `None`: there are none.
    pub captures: Option<CaptureAccount>,
    /// In the order in which they were given.
    pub originals: Vec<OriginalFacts>,
    /// The valid ones, in the order in which they were checked against the certificate.
    pub disclosures: Vec<DisclosureFacts>,
    /// Which of the trusted witnesses have seen the log with this seal in it.
    pub witnesses: WitnessesFacts,
    /// What the given evidence records prove ([`add_evidence`](Report::add_evidence)), in the order in which they were given.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<EvidenceFacts>,
    /// If the certificate was checked with the package that contains it ([`crate::package::add`]).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub package: Option<PackageFacts>,
    /// Whether the pages show what the manifest says. `None`: not checked ([`compare_pages`](super::compare_pages)).
    pub pages: Option<PagesFacts>,
    /// What counts against the certificate, and notices. Empty for one that is valid and signed by a trusted authority.
    pub findings: Vec<Finding>,
}

/// The package of a case, and what it proves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PackageFacts {
    /// Over the digests of all files.
    pub time_stamp: PackageStampFacts,
    /// The certificate first.
    pub files: Vec<PackedFileFacts>,
    /// References of the items whose file was deleted, according to a text in the package.
    pub deleted: Vec<String>,
    /// The seal's place in the log of seals, if the package proves it.
    pub log: Option<LogFacts>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PackedFileFacts {
    pub name: String,
    /// Bytes.
    pub size: u64,
    pub sha256: Sha256Digest,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PackageStampFacts {
    pub state: State,
    /// The time it states. `None` if the token could not be read.
    pub time: Option<UnixTime>,
    pub authority: Option<CertificateFacts>,
    /// The anchor's subject, if the chain ends at one.
    pub anchor: Option<String>,
    /// Whether that anchor is a development authority.
    pub development: bool,
    /// Of the token in DER.
    #[serde(skip)]
    pub sha256: Sha256Digest,
    /// Why it does not count, unless it is trusted.
    #[serde(skip)]
    pub fault: Option<Fault>,
}

/// The answer in one word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Outcome {
    /// Everything holds and is trusted. Exit status 0.
    Valid,
    /// Bytes were changed, something is missing, or this is not one of our certificates. Exit status 1.
    #[default]
    ChangedOrNotOurs,
    /// Nothing was changed, but a signer or a time-stamping authority is not trusted, or was not at the time. Exit
    /// status 2.
    IntactButUntrusted,
}

/// The levels of EN 319 142-1. B-LT is not among them: validation data always comes with a time stamp over it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum Level {
    /// Signed; the time is pending.
    #[serde(rename = "B-B")]
    BB,
    /// Signed and stamped.
    #[serde(rename = "B-T")]
    BT,
    /// With everything needed for long-term validation, under an archive time stamp, including the revocation status
    /// from issuers. A file without that is at [`Level::BT`], whatever was appended.
    #[serde(rename = "B-LTA")]
    BLta,
}

/// How much a finding weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Severity {
    /// Worth knowing; the outcome does not depend on it.
    Notice,
    /// A signer or an authority is not trusted, or was not at the time.
    Untrusted,
    /// Something was changed, is missing, or is not ours.
    Changed,
}

/// What a finding is about, for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum FindingCode {
    /// The file cannot be read as a certificate.
    Unreadable,
    /// It is a readable file without our signature.
    NotSigned,
    /// A signature or time stamp is in the wrong place, or does not cover what it must.
    Coverage,
    /// Something other than a time stamp was appended.
    Addition,
    /// The signature is not intact, or its signer is not trusted.
    Signature,
    /// A time stamp on signature or document is not intact, or its authority is not trusted.
    TimeStamp,
    /// A time stamp states a time in the future.
    FutureTime,
    /// The seal manifest is missing or invalid.
    Manifest,
    /// The manifest's commitments do not match its items.
    Commitments,
    /// An item's or the manifest's time-stamp token.
    Token,
    /// The capture records are not intact, or do not match the items.
    Captures,
    /// The place in the log of seals in a time stamp's revision is not this manifest's, or a cosignature is not that of the
    /// trusted witness that it names.
    Log,
    /// An original file inside the certificate is not the one that was sealed.
    Embedded,
    /// A given original is not one of the sealed files.
    Original,
    /// A disclosure does not match the certificate.
    Disclosure,
    /// An evidence record is about another file, is not intact, or is not trusted.
    Evidence,
    /// The files of a package are not those that were together, or its time stamp is not intact or not trusted.
    Package,
    /// The pages do not show what the manifest says, or were not compared with it.
    Pages,
    /// A development authority vouches for it.
    Development,
    /// There is no time stamp yet.
    TimePending,
    /// The newest time stamp's certificates have expired, and it was not renewed in time.
    RenewalOverdue,
    /// A certificate was revoked, or its status is unknown.
    Revocation,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    pub severity: Severity,
    pub code: FindingCode,
    /// In English, one line, without a full stop.
    pub message: String,
}

impl Finding {
    pub(crate) fn new(severity: Severity, code: FindingCode, message: impl Into<String>) -> Self {
        Self { severity, code, message: message.into() }
    }

    pub(crate) fn changed(code: FindingCode, message: impl Into<String>) -> Self {
        Self::new(Severity::Changed, code, message)
    }
}

impl Report {
    /// Adds a finding of the caller, and decides again.
    pub fn add(&mut self, finding: Finding) {
        self.findings.push(finding);
        self.conclude();
    }

    /// The worst finding decides.
    pub(crate) fn conclude(&mut self) {
        self.outcome = match self.findings.iter().map(|finding| finding.severity).max() {
            None | Some(Severity::Notice) => Outcome::Valid,
            Some(Severity::Untrusted) => Outcome::IntactButUntrusted,
            Some(Severity::Changed) => Outcome::ChangedOrNotOurs,
        };
    }
}
