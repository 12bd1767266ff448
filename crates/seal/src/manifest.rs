//! The *seal manifest*: the machine's account of everything that was sealed, attached to the certificate as JSON.
//!
//! A certificate is a page for people; a program checks it against this manifest, years later and without a server. So
//! it contains every text exactly as it was received, while the page may have to replace a character that it cannot
//! print. Its bytes in the certificate are its [canonical form](crate::canonical).
//!
//! Compatibility: a later release may add members to a version, and readers ignore members they do not know. A change
//! that would make an older reader draw a wrong conclusion gets a new version number, which older readers reject.
//!
//! - Version 1 has no commitments.
//! - Version 2 has [`SealManifest::commitments`] and a salt in each item ([`SealManifest::commit`]), so that some items can be
//!   shown without the others ([`crate::disclosure`]).
//! - Version 3 also has [`SealManifest::erasure`]: items were erased after the sealing, and their commitments remain. It
//!   is the manifest of a *successor* of the certificate.
//!
//! All may name the time-stamp token of an item ([`Item::time_stamp_token`]).

use serde::{Deserialize, Serialize};

use crate::{
    canonical::{self, CanonicalError},
    commitment::{Commitments, Salt},
    digest::Sha256Digest,
};

/// The value of [`SealManifest::format`].
pub const FORMAT: &str = "sealwright-seal-manifest";
/// The attachment's name for the manifest's canonical bytes.
pub const ATTACHMENT: &str = "seal-manifest.json";
/// The attachment's name for a time-stamp token over the manifest's digest, if there is one.
pub const TOKEN_ATTACHMENT: &str = "seal-manifest.tst";
/// The value of [`SealManifest::version`] without commitments.
pub const VERSION_1: u32 = 1;
/// The value of [`SealManifest::version`] with commitments.
pub const VERSION: u32 = 2;
/// The value of [`SealManifest::version`] with an erasure, the newest that this crate reads.
pub const VERSION_3: u32 = 3;

/// What was sealed. Times are RFC 3339 in UTC with milliseconds, unless a field says otherwise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SealManifest {
    /// Always [`FORMAT`]: identifies this JSON to anyone who finds it alone.
    pub format: String,
    /// [`VERSION_1`], or [`VERSION`] once it was [committed to](SealManifest::commit).
    pub version: u32,
    /// The case's public reference, `CAS-<id>_CMP-<company id>` (spec 2.2).
    pub reference: String,
    pub case: Case,
    pub company: Named,
    pub frame: Named,
    /// All steps of the frame as they were when the case was closed, in the frame's order.
    pub steps: Vec<Step>,
    /// Identifiers of the mandatory steps without an item, in the frame's order.
    pub missing_mandatory_steps: Vec<i64>,
    pub context: Context,
    /// In the order in which the server received them.
    pub items: Vec<Item>,
    /// What the devices of those who captured have signed ([`crate::capture`]), in the order in which they began.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub capture_sessions: Vec<CaptureSession>,
    /// From version 2 on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commitments: Option<Commitments>,
    /// From version 3 on: what was erased.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub erasure: Option<Erasure>,
    /// The public log that has an entry for this manifest ([`crate::tlog`]).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub log: Option<Log>,
}

/// The items that were erased after the sealing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Erasure {
    /// Over the bytes of the manifest that this one replaces. That manifest had the same root.
    pub predecessor_sha256: Sha256Digest,
    /// By their places, lowest first.
    pub items: Vec<ErasedItem>,
}

/// What remains of an erased item.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ErasedItem {
    /// Its place among all items of the first certificate, from 0.
    pub index: u64,
    /// Its leaf under the root. The item had a random salt, so this does not reveal it.
    pub commitment: Sha256Digest,
    pub ground: ErasureGround,
    /// The company or the operator who erased it, by name.
    pub by: String,
    pub erased_at: String,
}

/// Why an item was erased.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ErasureGround {
    /// A person whom the item concerns asked for it.
    Request,
    /// A law or a court requires it.
    LegalDuty,
    /// The item should not have been added to the case.
    Mistake,
}

/// All records by one key ([`crate::capture`]).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaptureSession {
    /// Compact JWSs, in their order.
    pub records: Vec<String>,
}

/// A log of seals. The certificate's signature covers its name and key, so neither can be replaced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Log {
    /// The key that verifies its checkpoints: `name+hash+base64`, as [`crate::tlog::note::NoteVerifier`] reads it.
    pub key: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Case {
    pub id: i64,
    pub title: String,
    pub created_at: String,
    pub closed_at: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub report_token: Option<String>,
}

/// A company or a frame, with its name when the case was closed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Named {
    pub id: i64,
    pub name: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Step {
    pub id: i64,
    pub title: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// One of the ten step types of spec 2.1, for example `PHOTOGRAPHY`.
    pub action: String,
    pub mandatory: bool,
}

/// The case's context. What the certificate shows is here in full. Free metadata belongs to the integrator and may be
/// confidential, while a certificate is public through its share link, so the manifest only contains its digest.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Context {
    pub visible_data: VisibleData,
    /// The [`canonical::digest`] of the case's `metadata` object, absent if the case has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata_sha256: Option<Sha256Digest>,
    /// The [`canonical::digest`] of `caseContext.metadata`, absent if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context_metadata_sha256: Option<Sha256Digest>,
}

/// `caseContext.visibleData` (spec 2.2).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct VisibleData {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beneficiary: Option<Beneficiary>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issuer: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub photo_ref: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub report_ref: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instructions: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Beneficiary {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub city: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub post_code: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Item {
    /// `ITM-<id>_CAS-<case id>` (decisions 8).
    pub reference: String,
    pub step_id: i64,
    pub action: String,
    /// When the server received it.
    pub created_at: String,
    /// The item's `data` exactly as received: an entry's text, or the file name declared by a legacy item. Absent for
    /// an uploaded file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// The uploaded file. Absent for an entry, and for a legacy item whose named file was never received.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<File>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<Position>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<Device>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<Client>,
    /// The identifier that the capturing program gave it. Its capture record, if there is one, has the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capture_id: Option<String>,
    /// The token over [`File::sha256`], which is attached to the certificate. Absent for an entry, and if the step has
    /// time stamps turned off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_stamp_token: Option<TimeStampToken>,
    /// From version 2 on: 32 random bytes, which prevent guessing a short value from the item's commitment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub salt: Option<Salt>,
}

/// The RFC 3161 token of an item. The token itself is attached to the certificate and found by its digest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeStampToken {
    /// Over the token's DER (decisions 14).
    pub sha256: Sha256Digest,
    /// The time that the token states, in RFC 3339 with milliseconds.
    pub time: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct File {
    /// Over the bytes as uploaded.
    pub sha256: Sha256Digest,
    /// In bytes.
    pub size: u64,
    /// Detected from the file's own signature, never the declared one (decisions 8).
    pub media_type: String,
    /// As declared by the client.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// The position reported by the device: decimal degrees as sent, accuracy in metres as sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    pub latitude: String,
    pub longitude: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accuracy: Option<String>,
}

/// The device's description of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Device {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub manufacturer: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub platform: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub os: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub os_version: Option<String>,
}

/// The program that captured the item (spec 2.3, version 2).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Client {
    pub application: String,
    pub version: String,
    /// `frontCreatedAt` as sent, with its own offset: the client's clock, which is not verified.
    pub clock: String,
}

/// Why bytes are not a seal manifest that this crate supports.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    #[error("not a seal manifest: {0}")]
    NotAManifest(#[from] serde_json::Error),
    #[error("not a seal manifest: its format is `{0}`, expected `{FORMAT}`")]
    OtherFormat(String),
    #[error("seal manifest of version {0}, which is newer than this program (it reads versions up to {VERSION_3})")]
    OtherVersion(u32),
}

impl SealManifest {
    /// Reads a seal manifest from JSON, canonical or not.
    pub fn from_json(bytes: &[u8]) -> Result<Self, ReadError> {
        // Check the version first: a later one may have members that this version's types would reject.
        let envelope: Envelope = serde_json::from_slice(bytes)?;
        if envelope.format != FORMAT {
            return Err(ReadError::OtherFormat(envelope.format));
        }
        if !(VERSION_1..=VERSION_3).contains(&envelope.version) {
            return Err(ReadError::OtherVersion(envelope.version));
        }
        Ok(serde_json::from_slice(bytes)?)
    }

    /// The manifest's canonical bytes: they are attached to the certificate, and the digest is computed over them. This
    /// fails only for a number beyond 2^53 - 1.
    pub fn to_canonical_json(&self) -> Result<Vec<u8>, CanonicalError> {
        let value = serde_json::to_value(self).map_err(|error| CanonicalError::NotJson(error.to_string()))?;
        canonical::to_vec(&value)
    }
}

#[derive(Deserialize)]
struct Envelope {
    format: String,
    version: u32,
}

#[cfg(test)]
pub(crate) mod tests;
