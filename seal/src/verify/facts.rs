//! What is known of a certificate's parts: its signature, its time stamps, what it says, and the given originals.

use serde::Serialize;

use crate::{
    digest::Sha256Digest,
    manifest::{File, Named},
    pki::{Certificate, Revocation, TrustedPath},
    time::UnixTime,
    tsp::{Token, VerifiedToken},
};

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
    /// How it was signed: `ECDSA P-256 with SHA-256`.
    pub algorithm: Option<String>,
    /// The anchor's subject, where the chain ends at one.
    pub anchor: Option<String>,
    /// Whether that anchor is a development authority.
    pub development: bool,
    /// What the file carries about certificates that were revoked; `None` where there is no trusted chain to ask about.
    pub revocation: Option<Revocation>,
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
    /// As for the signature.
    pub revocation: Option<Revocation>,
    /// The place in the log of seals that the stamp's revision proves, where it carries a proof that holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub log: Option<LogFacts>,
}

/// A place in a log of seals ([`crate::tlog`]).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LogFacts {
    /// The log's name. The certificate's signature vouches for its key.
    pub name: String,
    /// The entry's place, from 0.
    pub index: u64,
    /// How many entries the log had when it gave the proof.
    pub size: u64,
    /// What the log's root was then, to be compared with what others saw.
    pub root: Sha256Digest,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ManifestFacts {
    pub version: u32,
    /// The case's public reference.
    pub reference: String,
    /// The case's title.
    pub title: String,
    pub company: Named,
    pub frame: Named,
    /// When the case was created and closed, by the server's clock: RFC 3339 as written there.
    pub created_at: String,
    pub closed_at: String,
    /// The titles of mandatory steps without an item.
    pub missing_steps: Vec<String>,
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
    /// The title of its step, where the manifest still has the step.
    pub step: Option<String>,
    /// When the server received it, as the manifest says.
    pub created_at: String,
    /// What was entered, for an item without a file.
    pub value: Option<String>,
    pub file: Option<File>,
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

/// Some of the certificate's items, shown without the others ([`crate::disclosure`]).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DisclosureFacts {
    pub name: String,
    /// References of the items.
    pub items: Vec<String>,
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
        Self {
            state: State::Broken,
            signer: None,
            algorithm: None,
            anchor: None,
            development: false,
            revocation: None,
            claimed_time,
        }
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
            revocation: None,
            log: None,
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
