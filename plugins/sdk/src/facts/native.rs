//! Documents, pictures and cases as plain values. A native unit test fills in what it needs; the host fills in what it
//! read and stored. The methods are those of the contract, with its limits.
//!
//! `C` is how bytes are held. The digest of the host's records is over the JSON of these types (feature `serde`), so
//! names and order of their fields never change.

mod attached;
#[cfg(feature = "serde")]
mod json;
mod text_run;

use std::sync::Arc;

pub use attached::Attached;

use super::{
    Action, Annotation, Attachment, Capture, Client, Declaration, Device, DocumentOutcome, EditorTrace, Encoding, Font,
    ForeignContent, FormField, Layer, MachineCode, Measure, NearDuplicate, Page, Placement, Position, Property,
    Provenance, Reading, Revision, Segment, Shape, Signature, SignedCode, StatedValue, Structure, TextRun,
};
use crate::webhook_auth::Content;

/// The maximum number of elements that a list returns at a time.
const WINDOW: usize = 500;

/// A document as it was received and read.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(bound(serialize = "C: serde::Serialize")))]
pub struct Document<C = Content> {
    pub media_type: String,
    /// The file. The digest covers its SHA-256 instead.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub content: C,
    /// The SHA-256 of `content`. A plugin asks `content` for it, so a test can leave it out.
    pub sha256: [u8; 32],
    /// Milliseconds since the Unix epoch.
    pub received_at: u64,
    pub omissions: Vec<String>,
    /// In order; the first is page 1.
    pub pages: Vec<PageFacts>,
    pub fonts: Vec<Font>,
    pub placements: Vec<Placement>,
    #[cfg_attr(feature = "serde", serde(serialize_with = "json::shared"))]
    pub images: Vec<Arc<Image<C>>>,
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
    /// With their bytes. Documents from before version 0.1.3 of the contract have none, and their JSON is unchanged.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    pub attached: Vec<Attached<C>>,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    pub signed_codes: Vec<SignedCode>,
    /// Absent in the digest if it is none: facts from before contract 0.1.3 keep their digest.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub provenance: Option<Provenance>,
}

/// One page of a document.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct PageFacts {
    /// Hundredths of a point, after rotation.
    pub width: u32,
    pub height: u32,
    /// 0, 90, 180 or 270.
    pub rotation: u16,
    pub reading: Reading,
    /// Percent.
    pub image_cover: u8,
    /// The visible text, line by line.
    pub text: String,
    pub text_runs: Vec<TextRun>,
    pub shapes: Vec<Shape>,
}

/// A picture. For one inside a document, `content` is a part of the document's.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Image<C = Content> {
    /// Always known to the host. A test can leave it out.
    pub encoding: Option<Encoding>,
    pub content: Option<C>,
    pub properties: Vec<Property>,
    pub capture: Option<Capture>,
    pub measures: Vec<Measure>,
    pub editor_traces: Vec<EditorTrace>,
    pub segments: Vec<Segment>,
    pub overview: Option<Raster<C>>,
    pub detail: Option<Raster<C>>,
    /// Absent in the digest if it is none: facts from before contract 0.1.3 keep their digest.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub provenance: Option<Provenance>,
}

/// Decoded pixels.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Raster<C = Content> {
    pub width: u32,
    pub height: u32,
    /// 1 or 3.
    pub channels: u8,
    /// `width` × `height` × `channels` bytes.
    pub pixels: C,
}

/// A case as it was stored.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(bound(serialize = "C: serde::Serialize")))]
pub struct Evidence<C = Content> {
    /// `CAS-<id>_CMP-<company id>`.
    pub reference: String,
    pub frame: String,
    /// Milliseconds since the Unix epoch.
    pub opened_at: u64,
    pub closed_at: Option<u64>,
    pub declarations: Vec<Declaration>,
    /// In the order in which they were received.
    #[cfg_attr(feature = "serde", serde(serialize_with = "json::shared"))]
    pub items: Vec<Arc<Item<C>>>,
}

/// One item of a case.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(bound(serialize = "C: serde::Serialize")))]
pub struct Item<C = Content> {
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
    pub sha256: Option<Vec<u8>>,
    #[cfg_attr(feature = "serde", serde(serialize_with = "json::optional_shared"))]
    pub image: Option<Arc<Image<C>>>,
    /// None: duplicates were not searched for.
    pub near_duplicates: Option<Vec<NearDuplicate>>,
    pub document_outcome: Option<DocumentOutcome>,
    /// None: no plugin read them, or they are not kept. Left out of the JSON then, because the digests of older records
    /// do not cover it.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub stated: Option<Vec<StatedValue>>,
    /// Left out of the JSON if empty, for the same reason.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    pub field_codes: Vec<String>,
}

impl Default for PageFacts {
    /// An empty A4 page.
    fn default() -> Self {
        Self {
            width: 59_500,
            height: 84_200,
            rotation: 0,
            reading: Reading::Blank,
            image_cover: 0,
            text: String::new(),
            text_runs: Vec::new(),
            shapes: Vec::new(),
        }
    }
}

impl PageFacts {
    /// The contract's `page`, which has the lengths of the lists.
    pub fn page(&self) -> Page {
        Page {
            width: self.width,
            height: self.height,
            rotation: self.rotation,
            text: self.reading,
            text_runs: count(&self.text_runs),
            shapes: count(&self.shapes),
            image_cover: self.image_cover,
        }
    }

    /// An A4 page with these texts, each on its own line of the visible text.
    pub fn of_runs(text_runs: Vec<TextRun>) -> Self {
        let text = text_runs.iter().map(|run| run.text.as_str()).collect::<Vec<_>>().join("\n");
        Self { text, text_runs, reading: Reading::Layer, ..Self::default() }
    }
}

/// A document's elements from `first` on.
fn window<T: Clone>(elements: &[T], first: u32) -> Vec<T> {
    elements.iter().skip(first as usize).take(WINDOW).cloned().collect()
}

#[expect(clippy::cast_possible_truncation, reason = "a test does not have four thousand million elements")]
fn count<T>(elements: &[T]) -> u32 {
    elements.len() as u32
}

/// The contract's functions that return a field.
macro_rules! values {
    ($($field:ident: $type:ty),* $(,)?) => {
        $(pub fn $field(&self) -> $type {
            Clone::clone(&self.$field)
        })*
    };
}

/// The contract's functions that return a part of a list.
macro_rules! windows {
    ($($field:ident: $type:ty),* $(,)?) => {
        $(pub fn $field(&self, first: u32) -> Vec<$type> {
            window(&self.$field, first)
        })*
    };
}

impl Document {
    /// A PDF of one page with this text, as its own text layer.
    pub fn of_text(text: &str) -> Self {
        let page = PageFacts { text: text.to_owned(), reading: Reading::Layer, ..PageFacts::default() };
        Self { media_type: "application/pdf".to_owned(), pages: vec![page], ..Self::default() }
    }

    fn facts(&self, page: u32) -> Option<&PageFacts> {
        self.pages.get(page.checked_sub(1)? as usize)
    }

    values! {
        media_type: String,
        content: Content,
        received_at: u64,
        omissions: Vec<String>,
        machine_codes: Vec<MachineCode>,
        foreign_contents: Vec<ForeignContent>,
        structure: Option<Structure>,
        signatures: Vec<Signature>,
        signed_codes: Vec<SignedCode>,
        provenance: Option<Provenance>,
    }

    windows! {
        fonts: Font,
        placements: Placement,
        properties: Property,
        measures: Measure,
        revisions: Revision,
        annotations: Annotation,
        form_fields: FormField,
        actions: Action,
        attachments: Attachment,
        layers: Layer,
    }

    pub fn page_count(&self) -> u32 {
        count(&self.pages)
    }

    pub fn page(&self, number: u32) -> Option<Page> {
        self.facts(number).map(PageFacts::page)
    }

    pub fn text(&self, page: u32) -> String {
        self.facts(page).map(|page| page.text.clone()).unwrap_or_default()
    }

    pub fn text_runs(&self, page: u32, first: u32) -> Vec<TextRun> {
        self.facts(page).map(|page| window(&page.text_runs, first)).unwrap_or_default()
    }

    pub fn shapes(&self, page: u32, first: u32) -> Vec<Shape> {
        self.facts(page).map(|page| window(&page.shapes, first)).unwrap_or_default()
    }

    pub fn image_count(&self) -> u32 {
        count(&self.images)
    }

    pub fn image(&self, index: u32) -> Option<Image> {
        self.images.get(index as usize).map(|image| Image::clone(image))
    }
}

impl<C> Image<C> {
    /// How it is stored; a JPEG without a size when the test does not say.
    pub fn encoding(&self) -> Encoding {
        let unknown = || Encoding { format: "jpeg".to_owned(), width: 0, height: 0, channels: 3, bits: 8 };
        self.encoding.clone().unwrap_or_else(unknown)
    }
}

impl Image {
    values! {
        content: Option<Content>,
        capture: Option<Capture>,
        editor_traces: Vec<EditorTrace>,
        segments: Vec<Segment>,
        overview: Option<Raster>,
        detail: Option<Raster>,
        provenance: Option<Provenance>,
    }

    windows! {
        properties: Property,
        measures: Measure,
    }
}

impl Raster {
    values! {
        width: u32,
        height: u32,
        channels: u8,
        pixels: Content,
    }
}

impl Evidence {
    values! {
        reference: String,
        frame: String,
        opened_at: u64,
        closed_at: Option<u64>,
        declarations: Vec<Declaration>,
    }

    pub fn item_count(&self) -> u32 {
        count(&self.items)
    }

    pub fn item(&self, index: u32) -> Option<Item> {
        self.items.get(index as usize).map(|item| Item::clone(item))
    }
}

impl Item {
    values! {
        id: u64,
        step: u64,
        step_title: String,
        action: String,
        value: Option<String>,
        received_at: u64,
        position: Option<Position>,
        device: Option<Device>,
        client: Option<Client>,
        media_type: Option<String>,
        size: Option<u64>,
        sha256: Option<Vec<u8>>,
        document_outcome: Option<DocumentOutcome>,
        field_codes: Vec<String>,
    }

    pub fn stated_values(&self, first: u32) -> Vec<StatedValue> {
        window(self.stated.as_deref().unwrap_or_default(), first)
    }

    pub fn image(&self) -> Option<Image> {
        self.image.as_deref().cloned()
    }

    pub fn duplicates_known(&self) -> bool {
        self.near_duplicates.is_some()
    }

    pub fn near_duplicates(&self) -> Vec<NearDuplicate> {
        self.near_duplicates.clone().unwrap_or_default()
    }
}
