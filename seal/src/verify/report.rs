//! What was found, for programs; a command line or a page turns it into sentences.

use serde::Serialize;

use crate::{
    digest::Sha256Digest,
    pki::{Certificate, TrustedPath},
    time::UnixTime,
    tsp::{Token, VerifiedToken},
};

/// All facts about a certificate.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    pub outcome: Outcome,
    /// What the certificate's signature has reached, whether or not it is trusted. `None` for a file that is no certificate.
    pub level: Option<Level>,
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
    /// And with all that is needed to check it for good, under an archive time stamp.
    #[serde(rename = "B-LTA")]
    BLta,
}

/// How something that is signed stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum State {
    /// Intact, by somebody who is trusted.
    Trusted,
    /// Intact, by somebody who is not trusted, or was not at the time.
    Untrusted,
    /// Not intact, or not what it should be.
    Broken,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SignatureFacts {
    pub state: State,
    /// `None` where the signature could not even be read.
    pub signer: Option<CertificateFacts>,
    /// The anchor's subject, where the chain ends at one.
    pub anchor: Option<String>,
    /// Whether that anchor is a development authority.
    pub development: bool,
    /// The signer's clock, a claim: a PDF date.
    pub claimed_time: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CertificateFacts {
    pub subject: String,
    pub issuer: String,
    /// In lowercase hexadecimal.
    pub serial_number: String,
    pub sha256: Sha256Digest,
    pub not_before: UnixTime,
    pub not_after: UnixTime,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum TimeStampKind {
    /// Over the signature's value.
    Signature,
    /// Over the whole file up to its revision.
    Document,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TimeStampFacts {
    pub kind: TimeStampKind,
    /// The revision it stands in; the base is 1.
    pub revision: usize,
    pub state: State,
    /// The time it states. `None` where the token could not be read.
    pub time: Option<UnixTime>,
    /// How far the time may be off, in milliseconds, where the authority says so.
    pub accuracy_millis: Option<u64>,
    pub authority: Option<CertificateFacts>,
    pub anchor: Option<String>,
    pub development: bool,
    /// The place in a log that the stamp's revision carries, as the log gave it, in lowercase hexadecimal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub log_proof: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ManifestFacts {
    pub version: u32,
    /// The case's public reference.
    pub reference: String,
    /// Over its bytes as attached.
    pub sha256: Sha256Digest,
    /// The Merkle root over its items, from version 2 on.
    pub root: Option<Sha256Digest>,
    /// How its own time-stamp token stands, if there is one.
    pub token: TokenState,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ItemFacts {
    pub reference: String,
    pub action: String,
    /// When the server received it, as the manifest says.
    pub created_at: String,
    /// Of its file, if it has one.
    pub sha256: Option<Sha256Digest>,
    pub token: TokenState,
    /// The given originals that are this item's file.
    pub originals: Vec<String>,
}

/// How the time-stamp token of an item or of the manifest stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase", tag = "state")]
pub enum TokenState {
    /// There is none, and none is claimed.
    None,
    Verified {
        time: UnixTime,
        authority: String,
    },
    /// Intact, by an authority that is not trusted.
    Untrusted {
        time: UnixTime,
    },
    /// Claimed and not attached, or not over this.
    Broken,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OriginalFacts {
    pub name: String,
    pub sha256: Sha256Digest,
    /// References of the items whose file it is. Empty: it is none of those sealed.
    pub items: Vec<String>,
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
    /// A given original is none of the sealed files.
    Original,
    /// A development authority vouches for it.
    Development,
    /// There is no time stamp yet.
    TimePending,
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
    /// The worst finding decides.
    pub(super) fn conclude(&mut self) {
        self.outcome = match self.findings.iter().map(|finding| finding.severity).max() {
            None | Some(Severity::Notice) => Outcome::Valid,
            Some(Severity::Untrusted) => Outcome::IntactButUntrusted,
            Some(Severity::Changed) => Outcome::ChangedOrNotOurs,
        };
    }
}

impl From<&Certificate> for CertificateFacts {
    fn from(certificate: &Certificate) -> Self {
        Self {
            subject: certificate.subject(),
            issuer: certificate.issuer(),
            serial_number: certificate.serial_number(),
            sha256: certificate.fingerprint(),
            not_before: certificate.not_before(),
            not_after: certificate.not_after(),
        }
    }
}

impl SignatureFacts {
    pub(super) fn broken(claimed_time: Option<String>) -> Self {
        Self { state: State::Broken, signer: None, anchor: None, development: false, claimed_time }
    }

    pub(super) fn trust(&mut self, path: &TrustedPath) {
        self.state = State::Trusted;
        self.anchor = Some(path.anchor().subject());
        self.development = path.development;
    }
}

impl TimeStampFacts {
    pub(super) fn broken(kind: TimeStampKind, revision: usize) -> Self {
        Self {
            kind,
            revision,
            state: State::Broken,
            time: None,
            accuracy_millis: None,
            authority: None,
            anchor: None,
            development: false,
            log_proof: None,
        }
    }

    pub(super) fn read(&mut self, token: &Token) {
        self.time = Some(token.time());
        self.accuracy_millis = token.accuracy_millis();
    }

    pub(super) fn trust(&mut self, verified: &VerifiedToken) {
        self.state = State::Trusted;
        self.authority = Some(CertificateFacts::from(&verified.path.certificates[0]));
        self.anchor = Some(verified.path.anchor().subject());
        self.development = verified.path.development;
    }
}
