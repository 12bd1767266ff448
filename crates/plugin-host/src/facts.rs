//! What the host knows of a document or a case before it asks a plugin: plain data, filled from what was read and stored.
//!
//! The types are those of the plugins' SDK, where each field is named once. Everything here can be stored, and
//! [`digest`] identifies the facts of a verdict: the same facts have the same digest, and the same component gives the
//! same answer. The bindings have records of their own ([`lower`](crate::lower)).

use std::sync::Arc;

use bytes::Bytes;
use sealwright_plugin_sdk::facts as shape;
pub use sealwright_plugin_sdk::facts::{
    Action, Annotation, AttachedFile, Attachment, Capture, Client, CodeField, Declaration, Device, DocumentOutcome,
    EditorTrace, Encoding, Font, ForeignContent, FormField, Hiding, Integrity, Layer, MachineCode, Measure,
    NearDuplicate, Origin, PageFacts, Place, Placement, Position, Property, PropertySource, Reading, Rectangle,
    Revision, Segment, Shape, Signature, SignatureState, SignedCode, StatedValue, Structure, TextRun, TextSource,
};
use sealwright_seal::digest::Sha256Digest;
use serde::{Serialize, Serializer};

pub use super::bindings::analysis::{
    exports::sealwright::plugin::{
        cross_checking::{Comparison, ExtractedField, Outcome, Pair},
        cross_verification::{Entry, Outcome as VerificationOutcome, Verification},
        document_type_detection::Candidate,
        falsification_inspection::{Check, Verdict},
        signal_assessment::{Observation, Signal},
    },
    sealwright::plugin::{
        findings::{Finding, Place as FoundPlace, Rectangle as FoundRectangle, State},
        stated::StatedValue as Stated,
    },
};

pub type Document = shape::Document<HeldBytes>;
pub type Image = shape::Image<HeldBytes>;
pub type Raster = shape::Raster<HeldBytes>;
pub type Attached = shape::Attached<HeldBytes>;
pub type Evidence = shape::Evidence<HeldBytes>;
pub type Item = shape::Item<HeldBytes>;

/// Bytes of a file or a picture, which clones share. In JSON, their SHA-256 in lowercase hexadecimal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HeldBytes(pub Bytes);

impl From<Vec<u8>> for HeldBytes {
    fn from(bytes: Vec<u8>) -> Self {
        Self(bytes.into())
    }
}

impl Serialize for HeldBytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Sha256Digest::of(&self.0).serialize(serializer)
    }
}

/// The SHA-256 of facts: over their JSON, in which digests replace bytes.
///
/// # Panics
/// If `facts` cannot be written as JSON; those of this module always can.
pub fn digest(facts: &impl Serialize) -> Sha256Digest {
    let json = serde_json::to_vec(facts).expect("facts have text keys and no number that JSON cannot hold");
    Sha256Digest::of(json)
}

pub(super) fn shared_one<T: Serialize, S: Serializer>(element: &Arc<T>, serializer: S) -> Result<S::Ok, S::Error> {
    element.as_ref().serialize(serializer)
}

#[cfg(test)]
mod tests;
