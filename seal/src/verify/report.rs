//! What was found, for programs; a command line or a page turns it into sentences.

use serde::Serialize;

use super::{
    facts::{DisclosureFacts, ItemFacts, ManifestFacts, OriginalFacts, SignatureFacts, TimeStampFacts},
    pages::PagesFacts,
};
use crate::time::UnixTime;

/// All facts about a certificate.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    pub outcome: Outcome,
    /// What the certificate's signature has reached, whether or not it is trusted. `None` for a file that is no certificate.
    pub level: Option<Level>,
    /// How many revisions the file has: two, and one for each time stamp on the document. 0 where they could not be told.
    pub revisions: usize,
    pub signature: Option<SignatureFacts>,
    /// The one on the signature first, then those on the document, oldest first.
    pub time_stamps: Vec<TimeStampFacts>,
    /// The earliest time at which the signature existed for sure, by a trusted time stamp. `None`: the time is pending.
    pub proven_time: Option<UnixTime>,
    /// Until when the newest proof can be renewed: the end of the newest trusted time stamp's chain, or of the signature's.
    pub renew_before: Option<UnixTime>,
    pub manifest: Option<ManifestFacts>,
    /// In the manifest's order.
    pub items: Vec<ItemFacts>,
    /// In the order in which they were given.
    pub originals: Vec<OriginalFacts>,
    /// Those that hold, in the order in which they were held against the certificate.
    pub disclosures: Vec<DisclosureFacts>,
    /// Whether the pages show what the manifest says. `None`: nobody looked ([`compare_pages`](super::compare_pages)).
    pub pages: Option<PagesFacts>,
    /// What speaks against the certificate, and notices. Empty for one that is valid and signed by a trusted authority.
    pub findings: Vec<Finding>,
}

/// The answer in one word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Outcome {
    /// Everything holds and is trusted. Exit status 0.
    Valid,
    /// Bytes were changed, something is missing, or this is none of our certificates. Exit status 1.
    #[default]
    ChangedOrNotOurs,
    /// Nothing was changed, but somebody signed or stamped who is not trusted, or was not at the time. Exit status 2.
    IntactButUntrusted,
}

/// The levels of EN 319 142-1. B-LT is not among them: validation data always comes with a time stamp over it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum Level {
    /// Signed; the time is pending.
    #[serde(rename = "B-B")]
    BB,
    /// And stamped.
    #[serde(rename = "B-T")]
    BT,
    /// And with all that is needed to check it for good, under an archive time stamp: also what issuers say of revoked
    /// certificates. A file without that is at [`Level::BT`], whatever was appended.
    #[serde(rename = "B-LTA")]
    BLta,
}

/// How much a finding weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Severity {
    /// Worth knowing; the outcome does not depend on it.
    Notice,
    /// Somebody is not trusted, or was not at the time.
    Untrusted,
    /// Something was changed, is missing or is not ours.
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
    /// A signature or time stamp does not stand where and cover what it must.
    Coverage,
    /// Something other than a time stamp was appended.
    Addition,
    /// The signature is not intact, or its signer is not trusted.
    Signature,
    /// A time stamp on signature or document is not intact, or its authority is not trusted.
    TimeStamp,
    /// A time stamp states a time that has not come yet.
    FutureTime,
    /// The seal manifest is missing, or is not as it must be.
    Manifest,
    /// The manifest's commitments do not fit its items.
    Commitments,
    /// An item's or the manifest's time-stamp token.
    Token,
    /// The place in the log of seals that a time stamp's revision carries is not this manifest's.
    Log,
    /// A given original is none of the sealed files.
    Original,
    /// A disclosure does not fit the certificate.
    Disclosure,
    /// The pages do not show what the manifest says, or were not compared with it.
    Pages,
    /// A development authority vouches for it.
    Development,
    /// There is no time stamp yet.
    TimePending,
    /// The newest time stamp's certificates have ended, and it was not renewed before.
    RenewalOverdue,
    /// A certificate was revoked, or nobody says whether it was.
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
    pub(super) fn new(severity: Severity, code: FindingCode, message: impl Into<String>) -> Self {
        Self { severity, code, message: message.into() }
    }

    pub(super) fn changed(code: FindingCode, message: impl Into<String>) -> Self {
        Self::new(Severity::Changed, code, message)
    }
}

impl Report {
    /// Adds what the caller found besides, and decides anew.
    pub fn add(&mut self, finding: Finding) {
        self.findings.push(finding);
        self.conclude();
    }

    /// The worst finding decides.
    pub(super) fn conclude(&mut self) {
        self.outcome = match self.findings.iter().map(|finding| finding.severity).max() {
            None | Some(Severity::Notice) => Outcome::Valid,
            Some(Severity::Untrusted) => Outcome::IntactButUntrusted,
            Some(Severity::Changed) => Outcome::ChangedOrNotOurs,
        };
    }
}
