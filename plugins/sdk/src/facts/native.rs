//! Documents, pictures and cases as plain values for native unit tests: fill in what the test needs. The methods are
//! those of the contract, with its limits.

use std::sync::Arc;

use super::{
    Action, Annotation, Attachment, Capture, Client, Declaration, Device, DocumentOutcome, EditorTrace, Encoding, Font,
    ForeignContent, FormField, Layer, MachineCode, Measure, NearDuplicate, Page, Placement, Position, Property,
    Reading, Rectangle, Revision, Segment, Shape, Signature, Structure, TextRun, TextSource,
};
use crate::webhook_auth::Content;

/// The maximum number of elements that a list returns at a time.
const WINDOW: usize = 500;

/// A document as the host would have read it.
#[derive(Clone, Default)]
pub struct Document {
    pub media_type: String,
    pub content: Content,
    /// Milliseconds since the Unix epoch.
    pub received_at: u64,
    pub omissions: Vec<String>,
    pub pages: Vec<PageFacts>,
    pub fonts: Vec<Font>,
    pub placements: Vec<Placement>,
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
#[derive(Clone)]
pub struct PageFacts {
    /// Hundredths of a point.
    pub width: u32,
    pub height: u32,
    pub rotation: u16,
    pub reading: Reading,
    /// Percent.
    pub image_cover: u8,
    /// The visible text, line by line.
    pub text: String,
    pub text_runs: Vec<TextRun>,
    pub shapes: Vec<Shape>,
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
    /// An A4 page with these texts, each on its own line of the visible text.
    pub fn of_runs(text_runs: Vec<TextRun>) -> Self {
        let text = text_runs.iter().map(|run| run.text.as_str()).collect::<Vec<_>>().join("\n");
        Self { text, text_runs, reading: Reading::Layer, ..Self::default() }
    }
}

impl TextRun {
    /// A text in the document's text layer, black, in its first font, 10 points high and 5 points wide for each byte.
    /// `left` and `top` are in points. Change the fields that a test needs:
    /// `TextRun { confidence: 40, ..TextRun::of_text("No. 7", 50, 90) }`.
    pub fn of_text(text: &str, left: i32, top: i32) -> Self {
        Self {
            text: text.to_owned(),
            area: Rectangle { left: left * 100, top: top * 100, width: count(text.as_bytes()) * 500, height: 1_000 },
            direction: 0,
            source: TextSource::Layer,
            font: Some(0),
            size: 1_000,
            colour: Some(0),
            opacity: 100,
            hidden: None,
            covered_by: None,
            order: 1,
            confidence: 100,
            unmapped: 0,
        }
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

impl Document {
    /// A PDF of one page with this text, as its own text layer.
    pub fn of_text(text: &str) -> Self {
        let page = PageFacts { text: text.to_owned(), reading: Reading::Layer, ..PageFacts::default() };
        Self { media_type: "application/pdf".to_owned(), pages: vec![page], ..Self::default() }
    }

    fn facts(&self, page: u32) -> Option<&PageFacts> {
        self.pages.get(page.checked_sub(1)? as usize)
    }

    pub fn media_type(&self) -> String {
        self.media_type.clone()
    }

    pub fn content(&self) -> Content {
        self.content.clone()
    }

    pub fn received_at(&self) -> u64 {
        self.received_at
    }

    pub fn omissions(&self) -> Vec<String> {
        self.omissions.clone()
    }

    pub fn page_count(&self) -> u32 {
        count(&self.pages)
    }

    pub fn page(&self, number: u32) -> Option<Page> {
        self.facts(number).map(|page| Page {
            width: page.width,
            height: page.height,
            rotation: page.rotation,
            text: page.reading,
            text_runs: count(&page.text_runs),
            shapes: count(&page.shapes),
            image_cover: page.image_cover,
        })
    }

    pub fn text(&self, page: u32) -> String {
        self.facts(page).map(|page| page.text.clone()).unwrap_or_default()
    }

    pub fn text_runs(&self, page: u32, first: u32) -> Vec<TextRun> {
        self.facts(page).map(|page| window(&page.text_runs, first)).unwrap_or_default()
    }

    pub fn fonts(&self, first: u32) -> Vec<Font> {
        window(&self.fonts, first)
    }

    pub fn shapes(&self, page: u32, first: u32) -> Vec<Shape> {
        self.facts(page).map(|page| window(&page.shapes, first)).unwrap_or_default()
    }

    pub fn placements(&self, first: u32) -> Vec<Placement> {
        window(&self.placements, first)
    }

    pub fn image_count(&self) -> u32 {
        count(&self.images)
    }

    pub fn image(&self, index: u32) -> Option<Image> {
        self.images.get(index as usize).map(|image| Image::clone(image))
    }

    pub fn machine_codes(&self) -> Vec<MachineCode> {
        self.machine_codes.clone()
    }

    pub fn properties(&self, first: u32) -> Vec<Property> {
        window(&self.properties, first)
    }

    pub fn measures(&self, first: u32) -> Vec<Measure> {
        window(&self.measures, first)
    }

    pub fn foreign_contents(&self) -> Vec<ForeignContent> {
        self.foreign_contents.clone()
    }

    pub fn structure(&self) -> Option<Structure> {
        self.structure.clone()
    }

    pub fn revisions(&self, first: u32) -> Vec<Revision> {
        window(&self.revisions, first)
    }

    pub fn signatures(&self) -> Vec<Signature> {
        self.signatures.clone()
    }

    pub fn annotations(&self, first: u32) -> Vec<Annotation> {
        window(&self.annotations, first)
    }

    pub fn form_fields(&self, first: u32) -> Vec<FormField> {
        window(&self.form_fields, first)
    }

    pub fn actions(&self, first: u32) -> Vec<Action> {
        window(&self.actions, first)
    }

    pub fn attachments(&self, first: u32) -> Vec<Attachment> {
        window(&self.attachments, first)
    }

    pub fn layers(&self, first: u32) -> Vec<Layer> {
        window(&self.layers, first)
    }
}

/// A picture as the host would have read it.
#[derive(Clone, Default)]
pub struct Image {
    pub encoding: Option<Encoding>,
    pub content: Option<Content>,
    pub properties: Vec<Property>,
    pub capture: Option<Capture>,
    pub measures: Vec<Measure>,
    pub editor_traces: Vec<EditorTrace>,
    pub segments: Vec<Segment>,
    pub overview: Option<Raster>,
    pub detail: Option<Raster>,
}

impl Image {
    /// How it is stored; a JPEG without a size when the test does not say.
    pub fn encoding(&self) -> Encoding {
        let unknown = || Encoding { format: "jpeg".to_owned(), width: 0, height: 0, channels: 3, bits: 8 };
        self.encoding.clone().unwrap_or_else(unknown)
    }

    pub fn content(&self) -> Option<Content> {
        self.content.clone()
    }

    pub fn properties(&self, first: u32) -> Vec<Property> {
        window(&self.properties, first)
    }

    pub fn capture(&self) -> Option<Capture> {
        self.capture.clone()
    }

    pub fn measures(&self, first: u32) -> Vec<Measure> {
        window(&self.measures, first)
    }

    pub fn editor_traces(&self) -> Vec<EditorTrace> {
        self.editor_traces.clone()
    }

    pub fn segments(&self) -> Vec<Segment> {
        self.segments.clone()
    }

    pub fn overview(&self) -> Option<Raster> {
        self.overview.clone()
    }

    pub fn detail(&self) -> Option<Raster> {
        self.detail.clone()
    }
}

/// Decoded pixels.
#[derive(Clone, Default)]
pub struct Raster {
    pub width: u32,
    pub height: u32,
    /// 1 or 3.
    pub channels: u8,
    pub pixels: Content,
}

impl Raster {
    pub fn width(&self) -> u32 {
        self.width
    }

    pub fn height(&self) -> u32 {
        self.height
    }

    pub fn channels(&self) -> u8 {
        self.channels
    }

    pub fn pixels(&self) -> Content {
        self.pixels.clone()
    }
}

/// A case as the host would have loaded it.
#[derive(Clone, Default)]
pub struct Evidence {
    pub reference: String,
    pub frame: String,
    /// Milliseconds since the Unix epoch.
    pub opened_at: u64,
    pub closed_at: Option<u64>,
    pub declarations: Vec<Declaration>,
    pub items: Vec<Arc<Item>>,
}

impl Evidence {
    pub fn reference(&self) -> String {
        self.reference.clone()
    }

    pub fn frame(&self) -> String {
        self.frame.clone()
    }

    pub fn opened_at(&self) -> u64 {
        self.opened_at
    }

    pub fn closed_at(&self) -> Option<u64> {
        self.closed_at
    }

    pub fn declarations(&self) -> Vec<Declaration> {
        self.declarations.clone()
    }

    pub fn item_count(&self) -> u32 {
        count(&self.items)
    }

    pub fn item(&self, index: u32) -> Option<Item> {
        self.items.get(index as usize).map(|item| Item::clone(item))
    }
}

/// One item of a case.
#[derive(Clone, Default)]
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
    pub sha256: Option<Vec<u8>>,
    pub image: Option<Arc<Image>>,
    /// None: duplicates were not looked for.
    pub near_duplicates: Option<Vec<NearDuplicate>>,
    pub document_outcome: Option<DocumentOutcome>,
}

impl Item {
    pub fn id(&self) -> u64 {
        self.id
    }

    pub fn step(&self) -> u64 {
        self.step
    }

    pub fn step_title(&self) -> String {
        self.step_title.clone()
    }

    pub fn action(&self) -> String {
        self.action.clone()
    }

    pub fn value(&self) -> Option<String> {
        self.value.clone()
    }

    pub fn received_at(&self) -> u64 {
        self.received_at
    }

    pub fn position(&self) -> Option<Position> {
        self.position
    }

    pub fn device(&self) -> Option<Device> {
        self.device.clone()
    }

    pub fn client(&self) -> Option<Client> {
        self.client.clone()
    }

    pub fn media_type(&self) -> Option<String> {
        self.media_type.clone()
    }

    pub fn size(&self) -> Option<u64> {
        self.size
    }

    pub fn sha256(&self) -> Option<Vec<u8>> {
        self.sha256.clone()
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

    pub fn document_outcome(&self) -> Option<DocumentOutcome> {
        self.document_outcome.clone()
    }
}
