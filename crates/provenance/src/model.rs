//! What is reported of a file's origin.

use serde::{Deserialize, Serialize};

/// What a file declares about its origin, and whether the signed part of it holds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Provenance {
    /// `None` without content credentials, which says nothing about the file.
    pub credentials: Option<Credentials>,
    /// What the file declares itself to be, in content credentials or elsewhere, at most 32.
    pub marks: Vec<Mark>,
}

impl Provenance {
    pub fn is_empty(&self) -> bool {
        self.credentials.is_none() && self.marks.is_empty()
    }
}

/// Content credentials (C2PA): the active manifest of a file, and what it says about earlier ones.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Credentials {
    pub integrity: Integrity,
    /// Why they are not intact, and what else is wrong, at most 16.
    pub problems: Vec<Problem>,
    /// `None` if no certificate could be read.
    pub signer: Option<Signer>,
    /// The program or device that made the claim, as it says.
    pub generator: Option<String>,
    /// 1 or 2; 0 if there is no claim.
    pub claim_version: u8,
    /// What was done to the file according to the active manifest and those of its parents, at most 64.
    pub actions: Vec<Action>,
    /// What it was made from, at most 32.
    pub ingredients: Vec<Ingredient>,
    /// Assertions of earlier manifests that a later claim declares as removed.
    pub redactions: u32,
    /// Bytes of the file that the signed hash leaves out, in addition to the manifest store.
    pub unhashed_bytes: u64,
}

/// Whether content credentials match the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Integrity {
    /// The signature, the assertions and the content all match.
    Intact,
    /// The signature and the assertions match; the content does not, and missing or erased metadata explains that.
    Stripped,
    /// The signature, an assertion or the content does not match.
    Broken,
    /// They cannot be read, or use something that is not supported here.
    #[default]
    Unknown,
}

/// Why content credentials are not intact.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Problem {
    /// A status code of C2PA 2.1, section 15.2, for example `assertion.dataHash.mismatch`.
    pub code: String,
    /// For people.
    pub text: String,
}

/// Who signed, according to their certificate.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Signer {
    /// The certificate's subject as RFC 4514 writes it.
    pub subject: String,
    pub issuer: String,
    /// For example `ES256`.
    pub algorithm: String,
    /// The SHA-256 of the certificate, in lowercase hexadecimal.
    pub fingerprint: String,
    /// Whether the chain of certificates ends at a root of the operator's trust list. Always `false` without a list.
    pub trusted: bool,
    /// Why not, if a list was given.
    pub distrust: Option<String>,
    pub time_stamp: Option<TimeStamp>,
}

/// An RFC 3161 time stamp over the signature or the claim, whose own signature holds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TimeStamp {
    /// RFC 3339.
    pub time: String,
    /// The subject of the authority's certificate.
    pub authority: String,
    /// Whether its chain ends at a root of the trust list.
    pub trusted: bool,
}

/// One step of a file's history (`c2pa.actions`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Action {
    /// For example `c2pa.created`.
    pub name: String,
    /// The last part of the digital source type, for example `digitalCapture`.
    pub source_type: Option<String>,
    pub agent: Option<String>,
    /// As written.
    pub when: Option<String>,
    pub manifest: ManifestRelation,
}

/// Whose manifest something is from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ManifestRelation {
    #[default]
    Active,
    /// The file that this one was made from.
    Parent,
    /// A file that was placed into this one, or was its input.
    Component,
}

/// A file that this one was made from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Ingredient {
    pub title: Option<String>,
    /// `parentOf`, `componentOf` or `inputTo`.
    pub relationship: String,
    /// Whether its own manifest is in the store and holds (its content is elsewhere); `None` without a manifest.
    pub intact: Option<bool>,
}

/// Something in the file that says how the file was made. It is a declaration, not a conclusion.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Mark {
    pub kind: MarkKind,
    /// `content credentials`, `content credentials of an ingredient`, `iptc`, `xmp`, `exif` or `png text`.
    pub origin: String,
    /// The program or device, if it is named.
    pub program: Option<String>,
    /// The text that says so, at most 200 characters.
    pub text: String,
}

/// What a file declares itself to be, by the IPTC's digital source types.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum MarkKind {
    /// Taken by a camera or a scanner.
    Captured,
    /// Made by a trained model.
    Generated,
    /// A part was made by a trained model, or a trained model changed it.
    PartlyGenerated,
    /// Drawn or computed, but not by a trained model.
    Drawn,
    /// Changed or composed by people.
    Edited,
    /// A picture of a screen.
    Screen,
    /// Anything else.
    #[default]
    Other,
}

impl MarkKind {
    /// By the last part of a digital source type: of the IPTC's vocabulary, or of C2PA.
    pub fn of_source_type(source_type: &str) -> Self {
        match source_type {
            "digitalCapture" | "computationalCapture" | "negativeFilm" | "positiveFilm" | "print" => Self::Captured,
            "trainedAlgorithmicMedia" | "trainedAlgorithmicData" => Self::Generated,
            "compositeWithTrainedAlgorithmicMedia" | "compositeSynthetic" => Self::PartlyGenerated,
            "algorithmicMedia" | "softwareImage" | "digitalArt" | "digitalCreation" | "dataDrivenMedia"
            | "virtualRecording" => Self::Drawn,
            "humanEdits" | "minorHumanEdits" | "composite" | "compositeCapture" | "algorithmicallyEnhanced" => {
                Self::Edited
            }
            "screenCapture" => Self::Screen,
            _ => Self::Other,
        }
    }
}

/// The rest of a file's ordinary metadata (EXIF, XMP), which programs remove or erase before they pass the file on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Metadata {
    Present,
    /// It is there, but its position consists of zeros.
    Erased,
    Absent,
}
