//! What the host knows of a document or a case before it asks a plugin: plain data, filled from what was read and stored.
//!
//! The records are the contract's own (`wit/`), so nothing is converted. Everything here can be stored, and [`digest`]
//! identifies the facts of a verdict: the same facts have the same digest, and the same component gives the same
//! answer.

use std::sync::Arc;

use bytes::Bytes;
use serde::{Deserialize, Serialize, Serializer};
use sha2::{Digest, Sha256};

pub use super::bindings::analysis::{
    exports::sealwright::plugin::{
        cross_checking::{Comparison, ExtractedField, Outcome, Pair},
        document_type_detection::Candidate,
        falsification_inspection::{Check, Verdict},
        signal_assessment::{Observation, Signal},
    },
    sealwright::plugin::{
        document::{
            Action, Annotation, Attachment, Font, ForeignContent, FormField, Hiding, Integrity, Layer, MachineCode,
            Page, Placement, Reading, Revision, Shape, Signature, Structure, TextRun, TextSource,
        },
        evidence::{Client, Declaration, Device, DocumentOutcome, NearDuplicate},
        facts::{Measure, Position, Property, PropertySource},
        findings::{Finding, Place, Rectangle, State},
        image::{Capture, EditorTrace, Encoding, Segment},
    },
};

/// A document as it was received and read. The contract's interface `document` says what each field means.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Document {
    pub media_type: String,
    /// The file. The digest covers its SHA-256 instead.
    #[serde(skip)]
    pub content: Bytes,
    /// The SHA-256 of `content`.
    pub sha256: [u8; 32],
    /// Milliseconds since the Unix epoch.
    pub received_at: u64,
    pub omissions: Vec<String>,
    /// In order; the first is page 1.
    pub pages: Vec<PageFacts>,
    pub fonts: Vec<Font>,
    pub placements: Vec<Placement>,
    #[serde(serialize_with = "shared")]
    pub images: Vec<Arc<Image>>,
    pub machine_codes: Vec<MachineCode>,
    pub properties: Vec<Property>,
    pub measures: Vec<Measure>,
    pub foreign_contents: Vec<ForeignContent>,
    pub structure: Option<Structure>,
    pub revisions: Vec<Revision>,
    pub signatures: Vec<Signature>,
    pub annotations: Vec<Annotation>,
    pub form_fields: Vec<FormField>,
    pub actions: Vec<Action>,
    pub attachments: Vec<Attachment>,
    pub layers: Vec<Layer>,
}

/// One page of a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageFacts {
    /// Hundredths of a point, after rotation.
    pub width: u32,
    pub height: u32,
    /// 0, 90, 180 or 270.
    pub rotation: u16,
    pub reading: Reading,
    /// Percent.
    pub image_cover: u8,
    /// What people can read, line by line.
    pub text: String,
    pub text_runs: Vec<TextRun>,
    pub shapes: Vec<Shape>,
}

/// A picture. For one inside a document, `content` is a part of the document's, sliced or copied.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Image {
    pub encoding: Encoding,
    #[serde(serialize_with = "digest_of_optional_bytes")]
    pub content: Option<Bytes>,
    pub properties: Vec<Property>,
    pub capture: Option<Capture>,
    pub measures: Vec<Measure>,
    pub editor_traces: Vec<EditorTrace>,
    pub segments: Vec<Segment>,
    pub overview: Option<Raster>,
    pub detail: Option<Raster>,
}

/// Decoded pixels.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Raster {
    pub width: u32,
    pub height: u32,
    /// 1 or 3.
    pub channels: u8,
    /// `width` × `height` × `channels` bytes.
    #[serde(serialize_with = "digest_of_bytes")]
    pub pixels: Bytes,
}

/// A case. The contract's interface `evidence` says what each field means.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Evidence {
    /// `CAS-<id>_CMP-<company id>`.
    pub reference: String,
    pub frame: String,
    /// Milliseconds since the Unix epoch.
    pub opened_at: u64,
    pub closed_at: Option<u64>,
    pub declarations: Vec<Declaration>,
    /// In the order in which they were received.
    #[serde(serialize_with = "shared")]
    pub items: Vec<Arc<Item>>,
}

/// One item of a case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Item {
    pub id: u64,
    pub step: u64,
    pub step_title: String,
    pub action: String,
    pub value: Option<String>,
    /// Milliseconds since the Unix epoch.
    pub received_at: u64,
    pub position: Option<Position>,
    pub device: Option<Device>,
    pub client: Option<Client>,
    pub media_type: Option<String>,
    pub size: Option<u64>,
    pub sha256: Option<[u8; 32]>,
    #[serde(serialize_with = "optional_shared")]
    pub image: Option<Arc<Image>>,
    /// None: duplicates were not searched for.
    pub near_duplicates: Option<Vec<NearDuplicate>>,
    pub document_outcome: Option<DocumentOutcome>,
}

/// The SHA-256 of facts, in lowercase hexadecimal: over their JSON, in which digests replace bytes.
///
/// # Panics
/// If `facts` cannot be written as JSON; those of this module always can.
pub fn digest(facts: &impl Serialize) -> String {
    let json = serde_json::to_vec(facts).expect("facts have text keys and no number that JSON cannot hold");
    hex::encode(Sha256::digest(json))
}

fn digest_of_bytes<S: Serializer>(bytes: &Bytes, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&hex::encode(Sha256::digest(bytes)))
}

#[expect(clippy::ref_option, reason = "serde hands the field over as it is")]
fn digest_of_optional_bytes<S: Serializer>(bytes: &Option<Bytes>, serializer: S) -> Result<S::Ok, S::Error> {
    match bytes {
        Some(bytes) => digest_of_bytes(bytes, serializer),
        None => serializer.serialize_none(),
    }
}

pub(super) fn shared_one<T: Serialize, S: Serializer>(element: &Arc<T>, serializer: S) -> Result<S::Ok, S::Error> {
    element.as_ref().serialize(serializer)
}

fn shared<T: Serialize, S: Serializer>(elements: &[Arc<T>], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(elements.iter().map(Arc::as_ref))
}

#[expect(clippy::ref_option, reason = "serde hands the field over as it is")]
fn optional_shared<T: Serialize, S: Serializer>(element: &Option<Arc<T>>, serializer: S) -> Result<S::Ok, S::Error> {
    element.as_deref().serialize(serializer)
}
