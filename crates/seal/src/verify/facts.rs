//! The facts of a certificate's parts: its signature, its time stamps, its content, and the given originals.

use serde::Serialize;

use super::{Fault, Level};
use crate::{
    digest::Sha256Digest,
    manifest::{ErasedItem, File, Named},
    pki::{Certificate, Revocation, TrustedPath},
    time::UnixTime,
    tsp::{Token, VerifiedToken},
};

/// The state of something signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum State {
    /// Intact, by a trusted signer.
    Trusted,
    /// Intact, by a signer who is not trusted, or was not at the time.
    Untrusted,
    /// Not intact, or not what it should be.
    Broken,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SignatureFacts {
    pub state: State,
    /// `None` if the signature could not be read.
    pub signer: Option<CertificateFacts>,
    /// For example `ECDSA P-256 with SHA-256`.
    pub algorithm: Option<String>,
    /// The anchor's subject, if the chain ends at one.
    pub anchor: Option<String>,
    /// Whether that anchor is a development authority.
    pub development: bool,
    /// The revocation status according to the file; `None` if there is no trusted chain.
    pub revocation: Option<Revocation>,
    /// The signer's clock, a claim: a PDF date.
    pub claimed_time: Option<String>,
    /// The signature's value. `None` if the signature could not be read, or is not valid.
    #[serde(skip)]
    pub value: Option<Vec<u8>>,
    /// Why it does not count, unless it is trusted.
    #[serde(skip)]
    pub fault: Option<Fault>,
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
    /// Its revision; the base is 1.
    pub revision: usize,
    /// The level of the certificate once it had this time stamp.
    pub level: Level,
    pub state: State,
    /// The time it states. `None` if the token could not be read.
    pub time: Option<UnixTime>,
    /// The accuracy of the time in milliseconds, if the authority states it.
    pub accuracy_millis: Option<u64>,
    pub authority: Option<CertificateFacts>,
    pub anchor: Option<String>,
    pub development: bool,
    /// As for the signature.
    pub revocation: Option<Revocation>,
    /// The place in the log of seals, if the stamp's revision contains a valid proof.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub log: Option<LogFacts>,
    /// Of the token in DER.
    #[serde(skip)]
    pub sha256: Sha256Digest,
    /// Why it does not count, unless it is trusted.
    #[serde(skip)]
    pub fault: Option<Fault>,
}

/// A place in a log of seals ([`crate::tlog`]).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LogFacts {
    /// The log's name. The certificate's signature vouches for its key.
    pub name: String,
    /// The entry's place, from 0.
    pub index: u64,
    /// The number of entries when the log issued the proof.
    pub size: u64,
    /// The log's root at that time, to be compared with what others saw.
    pub root: Sha256Digest,
    /// The trusted witnesses that cosigned this root.
    pub witnesses: Vec<WitnessFacts>,
    /// The number of further cosignatures, by witnesses that are not trusted. They are not checked.
    pub other_cosignatures: usize,
}

/// A trusted witness that has seen a log with this seal in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WitnessFacts {
    pub name: String,
    /// As `name+hash+base64`.
    pub key: String,
    /// When it saw the log, by its own clock.
    pub time: UnixTime,
}

/// A trusted authority that has stamped the certificate. Several under one root are one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TimeAuthorityFacts {
    /// The subject of the root.
    pub root: String,
    /// The earliest time that a time stamp under this root states.
    pub time: UnixTime,
}

impl TimeAuthorityFacts {
    /// The independent authorities of verified time stamps, the earliest first.
    pub(super) fn of(verified: &[VerifiedToken]) -> Vec<Self> {
        let mut authorities: Vec<Self> = Vec::new();
        for VerifiedToken { time, path } in verified {
            let root = path.anchor().subject();
            match authorities.iter_mut().find(|authority| authority.root == root) {
                Some(authority) => authority.time = authority.time.min(*time),
                None => authorities.push(Self { root, time: *time }),
            }
        }
        authorities.sort_by_key(|authority| authority.time);
        authorities
    }
}

/// What the trusted witnesses say.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WitnessesFacts {
    /// How many witnesses the check trusts.
    pub trusted: usize,
    /// Those that have seen a log with this seal in it, each at the earliest time, in the order of their times.
    pub saw: Vec<WitnessFacts>,
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
    /// The state of its own time-stamp token, if there is one.
    pub token: TokenState,
    /// The token, if there is one.
    #[serde(skip)]
    pub token_check: Option<TokenCheck>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ItemFacts {
    pub reference: String,
    pub action: String,
    /// The title of its step, if the manifest still has the step.
    pub step: Option<String>,
    /// When the server received it, according to the manifest.
    pub created_at: String,
    /// The entered value of an item without a file.
    pub value: Option<String>,
    pub file: Option<File>,
    pub token: TokenState,
    /// The token, if there is one.
    #[serde(skip)]
    pub token_check: Option<TokenCheck>,
    /// The name of the attachment that is this item's file, if the certificate contains it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub embedded: Option<String>,
    /// The given originals that are this item's file.
    pub originals: Vec<String>,
}

/// A time-stamp token of an item or of the manifest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TokenCheck {
    /// Of the token in DER, as the file states or contains it.
    pub sha256: Sha256Digest,
    /// Why it does not count, unless it is verified.
    pub fault: Option<Fault>,
}

/// The state of the time-stamp token of an item or of the manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase", tag = "state")]
pub enum TokenState {
    /// There is no token, and none is claimed.
    None,
    Verified {
        time: UnixTime,
        authority: String,
    },
    /// Intact, by an authority that is not trusted.
    Untrusted {
        time: UnixTime,
    },
    /// Claimed but not attached, or over another digest.
    Broken,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OriginalFacts {
    pub name: String,
    pub sha256: Sha256Digest,
    /// References of the items whose file it is. Empty: it is not one of the sealed files.
    pub items: Vec<String>,
}

/// What was erased from the case after the first certificate ([`crate::manifest::Erasure`]).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ErasureFacts {
    /// Over the seal manifest of the certificate that this one replaces.
    pub predecessor_sha256: Sha256Digest,
    /// How many items the first certificate had.
    pub size: u64,
    /// By their places.
    pub items: Vec<ErasedItem>,
}

/// A signed disclosure, in addition to what [`ManifestFacts`] says of the certificate that it comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DisclosedFacts {
    /// When it was made, by the signer's clock: RFC 3339 as written there.
    pub disclosed_at: String,
    /// How many items the certificate has.
    pub size: u64,
    /// The certificate's place in the log of seals, if the disclosure proves it.
    pub log: Option<LogFacts>,
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

impl WitnessesFacts {
    /// Adds the witnesses of one proof.
    pub(crate) fn add(&mut self, witnesses: &[WitnessFacts]) {
        for witness in witnesses {
            match self.saw.iter_mut().find(|seen| seen.key == witness.key) {
                Some(seen) => seen.time = seen.time.min(witness.time),
                None => self.saw.push(witness.clone()),
            }
        }
        self.saw.sort_by_key(|witness| witness.time);
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
            value: None,
            fault: None,
        }
    }

    pub(super) fn trust(&mut self, path: &TrustedPath) {
        self.state = State::Trusted;
        self.anchor = Some(path.anchor().subject());
        self.development = path.development;
    }
}

impl TimeStampFacts {
    pub(super) fn broken(kind: TimeStampKind, revision: usize, level: Level, der: &[u8]) -> Self {
        Self {
            kind,
            revision,
            level,
            state: State::Broken,
            time: None,
            accuracy_millis: None,
            authority: None,
            anchor: None,
            development: false,
            revocation: None,
            log: None,
            sha256: Sha256Digest::of(der),
            fault: None,
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
