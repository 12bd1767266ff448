//! Replaces the server's `plugins` module for the code that makes a document of facts. That code is the server's own
//! file (`host/src/app/analysis/facts.rs`), so the judged plugins get the same facts as in the server.

pub(crate) mod facts {
    use std::sync::Arc;

    use bytes::Bytes;
    pub(crate) use sealwright_plugin_sdk::facts::{
        Action, Annotation, Attachment, Capture, EditorTrace, Encoding, Font, ForeignContent, FormField, Hiding,
        Integrity, Layer, MachineCode, Measure, PageFacts, Place, Placement, Position, Property, PropertySource,
        Reading, Rectangle, Revision, Segment, Shape, Signature, Structure, TextRun, TextSource,
    };
    use sealwright_plugin_sdk::{facts as native, webhook_auth::Content};

    /// The server's form of a document.
    pub(crate) struct Document {
        pub(crate) media_type: String,
        pub(crate) content: Bytes,
        #[expect(
            dead_code,
            reason = "the server needs it for the digest of a verdict's input, but a judgement does not"
        )]
        pub(crate) sha256: [u8; 32],
        pub(crate) received_at: u64,
        pub(crate) omissions: Vec<String>,
        pub(crate) pages: Vec<PageFacts>,
        pub(crate) fonts: Vec<Font>,
        pub(crate) placements: Vec<Placement>,
        pub(crate) images: Vec<Arc<Image>>,
        pub(crate) machine_codes: Vec<MachineCode>,
        pub(crate) properties: Vec<Property>,
        pub(crate) measures: Vec<Measure>,
        pub(crate) foreign_contents: Vec<ForeignContent>,
        pub(crate) structure: Option<Structure>,
        pub(crate) revisions: Vec<Revision>,
        pub(crate) signatures: Vec<Signature>,
        pub(crate) annotations: Vec<Annotation>,
        pub(crate) form_fields: Vec<FormField>,
        pub(crate) actions: Vec<Action>,
        pub(crate) attachments: Vec<Attachment>,
        pub(crate) layers: Vec<Layer>,
    }

    /// The server's form of a picture.
    pub(crate) struct Image {
        pub(crate) encoding: Encoding,
        pub(crate) content: Option<Bytes>,
        pub(crate) properties: Vec<Property>,
        pub(crate) capture: Option<Capture>,
        pub(crate) measures: Vec<Measure>,
        pub(crate) editor_traces: Vec<EditorTrace>,
        pub(crate) segments: Vec<Segment>,
        pub(crate) overview: Option<native::Raster>,
        pub(crate) detail: Option<native::Raster>,
    }

    impl Document {
        /// The form for a plugin's native code.
        pub(crate) fn into_native(self) -> native::Document {
            native::Document {
                media_type: self.media_type,
                content: Content(self.content.to_vec()),
                received_at: self.received_at,
                omissions: self.omissions,
                pages: self.pages,
                fonts: self.fonts,
                placements: self.placements,
                images: self.images.iter().map(|image| Arc::new(image.to_native())).collect(),
                machine_codes: self.machine_codes,
                properties: self.properties,
                measures: self.measures,
                foreign_contents: self.foreign_contents,
                structure: self.structure,
                revisions: self.revisions,
                signatures: self.signatures,
                annotations: self.annotations,
                form_fields: self.form_fields,
                actions: self.actions,
                attachments: self.attachments,
                layers: self.layers,
            }
        }
    }

    impl Image {
        /// The form for a plugin's native code.
        pub(crate) fn to_native(&self) -> native::Image {
            native::Image {
                encoding: Some(self.encoding.clone()),
                content: self.content.as_ref().map(|bytes| Content(bytes.to_vec())),
                properties: self.properties.clone(),
                capture: self.capture.clone(),
                measures: self.measures.clone(),
                editor_traces: self.editor_traces.clone(),
                segments: self.segments.clone(),
                overview: self.overview.clone(),
                detail: self.detail.clone(),
            }
        }
    }
}
