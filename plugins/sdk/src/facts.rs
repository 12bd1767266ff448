//! The input of plugins: documents, pictures and cases, as the contract's interfaces `document`, `image` and `evidence`
//! describe them, with functions that read whole lists.

#[cfg(not(target_family = "wasm"))]
mod native;

pub use crate::bindings::{
    document_parts::sealwright::plugin::{
        attachments::AttachedFile,
        codes::{CodeField, SignatureState, SignedCode},
    },
    document_type::sealwright::plugin::{
        document::{
            Action, Annotation, Attachment, Font, ForeignContent, FormField, Hiding, Integrity, Layer, MachineCode,
            Page, Placement, Reading, Revision, Shape, Signature, Structure, TextRun, TextSource,
        },
        facts::{Measure, Position, Property, PropertySource},
        findings::{Place, Rectangle},
        image::{Capture, EditorTrace, Encoding, Segment},
        provenance::{
            CredentialAction, CredentialIngredient, CredentialIntegrity, Credentials, ManifestRelation, Mark, MarkKind,
            Provenance,
        },
    },
    signal::sealwright::plugin::{
        evidence::{Client, Declaration, Device, DocumentOutcome, NearDuplicate},
        stated::{Origin, StatedValue},
    },
};
#[cfg(target_family = "wasm")]
pub use crate::bindings::{
    document_type::sealwright::plugin::{
        document::Document,
        image::{Image, Raster},
    },
    signal::sealwright::plugin::evidence::{Evidence, Item},
};
#[cfg(not(target_family = "wasm"))]
pub use native::{Attached, Document, Evidence, Image, Item, PageFacts, Raster};

/// What the interfaces `attachments` and `codes` add.
#[cfg(target_family = "wasm")]
impl Document {
    /// Its attached files.
    pub fn attached_files(&self) -> Vec<AttachedFile> {
        crate::bindings::document_parts::sealwright::plugin::attachments::attached_files(self)
    }

    /// The bytes of an attached file. None if the host did not read them.
    pub fn attached_content(&self, index: u32) -> Option<crate::webhook_auth::Content> {
        crate::bindings::document_parts::sealwright::plugin::attachments::attached_content(self, index)
    }

    /// Its codes that an issuer signed.
    pub fn signed_codes(&self) -> Vec<SignedCode> {
        crate::bindings::document_parts::sealwright::plugin::codes::signed_codes(self)
    }
}

/// Reads a long list to its end: `part` returns the elements from an index on.
fn whole<T>(part: impl Fn(u32) -> Vec<T>) -> Vec<T> {
    let mut all = Vec::new();
    loop {
        let next = part(u32::try_from(all.len()).unwrap_or(u32::MAX));
        if next.is_empty() {
            return all;
        }
        all.extend(next);
    }
}

/// The contract's lists without paging.
impl Document {
    /// The numbers of its pages.
    pub fn page_numbers(&self) -> std::ops::RangeInclusive<u32> {
        1..=self.page_count()
    }

    /// The visible text of all pages, line by line.
    pub fn full_text(&self) -> String {
        self.page_numbers().map(|page| self.text(page)).collect::<Vec<_>>().join("\n")
    }

    /// Whether a page was read, even if it is empty.
    pub fn is_readable(&self) -> bool {
        self.page_numbers().filter_map(|number| self.page(number)).any(|page| page.text != Reading::Unread)
    }

    pub fn all_text_runs(&self, page: u32) -> Vec<TextRun> {
        whole(|first| self.text_runs(page, first))
    }

    pub fn all_shapes(&self, page: u32) -> Vec<Shape> {
        whole(|first| self.shapes(page, first))
    }

    pub fn all_fonts(&self) -> Vec<Font> {
        whole(|first| self.fonts(first))
    }

    pub fn all_placements(&self) -> Vec<Placement> {
        whole(|first| self.placements(first))
    }

    pub fn all_properties(&self) -> Vec<Property> {
        whole(|first| self.properties(first))
    }

    /// What the host measured of the whole document, by the names in the contract.
    pub fn all_measures(&self) -> Vec<Measure> {
        whole(|first| self.measures(first))
    }

    pub fn all_revisions(&self) -> Vec<Revision> {
        whole(|first| self.revisions(first))
    }

    pub fn all_annotations(&self) -> Vec<Annotation> {
        whole(|first| self.annotations(first))
    }

    /// The bytes of an attached file, whole. None if the host did not read them.
    pub fn attached_bytes(&self, index: u32) -> Option<Vec<u8>> {
        let content = self.attached_content(index)?;
        let mut bytes = Vec::new();
        loop {
            let next = content.read(bytes.len() as u64, u32::MAX);
            if next.is_empty() {
                return Some(bytes);
            }
            bytes.extend(next);
        }
    }

    /// Its pictures.
    pub fn images(&self) -> impl Iterator<Item = Image> {
        (0..self.image_count()).filter_map(|index| self.image(index))
    }
}

impl Image {
    pub fn all_properties(&self) -> Vec<Property> {
        whole(|first| self.properties(first))
    }

    pub fn all_measures(&self) -> Vec<Measure> {
        whole(|first| self.measures(first))
    }
}

impl Evidence {
    /// The case's items.
    pub fn items(&self) -> impl Iterator<Item = Item> {
        (0..self.item_count()).filter_map(|index| self.item(index))
    }
}

impl Item {
    /// Everything that the document states.
    pub fn all_stated_values(&self) -> Vec<StatedValue> {
        whole(|first| self.stated_values(first))
    }
}

impl Rectangle {
    /// The right edge, in hundredths of a point from the page's left edge.
    pub fn right(&self) -> i32 {
        self.left.saturating_add_unsigned(self.width)
    }

    /// The lower edge, in hundredths of a point from the page's upper edge.
    pub fn bottom(&self) -> i32 {
        self.top.saturating_add_unsigned(self.height)
    }

    /// Whether the two have a point in common.
    pub fn meets(&self, other: &Self) -> bool {
        self.left < other.right() && other.left < self.right() && self.top < other.bottom() && other.top < self.bottom()
    }
}
