//! The resource `document`.

use std::sync::Arc;

use wasmtime::{Result, component::Resource};

use super::{Content, HeldImage, count, property_bytes, text_bytes, window};
use crate::{
    bindings::analysis::sealwright::plugin::{
        document::{
            Action, Annotation, Attachment, Font, ForeignContent, FormField, Host, HostDocument, Layer, MachineCode,
            Page, Placement, Revision, Shape, Signature, Structure, TextRun,
        },
        facts::{Measure, Property},
        provenance::Provenance,
    },
    call::CallState,
    facts::{Document, PageFacts},
    limits,
    lower::Lower as _,
};

/// The resource `document`: the facts of one document, which all handles of a call share.
pub struct HeldDocument(pub(crate) Arc<Document>);

impl Host for CallState {}

impl CallState {
    pub(super) fn held_document(&self, document: &Resource<HeldDocument>) -> Result<Arc<Document>> {
        Ok(Arc::clone(&self.resources.get(document)?.0))
    }
}

fn page_of(document: &Document, number: u32) -> Option<&PageFacts> {
    document.pages.get(usize::try_from(number.checked_sub(1)?).ok()?)
}

impl HostDocument for CallState {
    fn media_type(&mut self, document: Resource<HeldDocument>) -> Result<String> {
        Ok(self.held_document(&document)?.media_type.clone())
    }

    fn content(&mut self, document: Resource<HeldDocument>) -> Result<Resource<Content>> {
        let content = self.held_document(&document)?.content.0.clone();
        Ok(self.resources.push(Content(content))?)
    }

    fn received_at(&mut self, document: Resource<HeldDocument>) -> Result<u64> {
        Ok(self.held_document(&document)?.received_at)
    }

    fn omissions(&mut self, document: Resource<HeldDocument>) -> Result<Vec<String>> {
        Ok(window(&self.held_document(&document)?.omissions, 0, String::len))
    }

    fn page_count(&mut self, document: Resource<HeldDocument>) -> Result<u32> {
        Ok(count(self.held_document(&document)?.pages.len()))
    }

    fn page(&mut self, document: Resource<HeldDocument>, number: u32) -> Result<Option<Page>> {
        let document = self.held_document(&document)?;
        Ok(page_of(&document, number).map(|page| page.page().lower()))
    }

    fn text(&mut self, document: Resource<HeldDocument>, page: u32) -> Result<String> {
        let document = self.held_document(&document)?;
        let text = page_of(&document, page).map_or("", |page| page.text.as_str());
        Ok(text[..text.floor_char_boundary(limits::WINDOW_BYTES)].to_owned())
    }

    fn text_runs(&mut self, document: Resource<HeldDocument>, page: u32, first: u32) -> Result<Vec<TextRun>> {
        let document = self.held_document(&document)?;
        Ok(page_of(&document, page)
            .map(|page| window(&page.text_runs, first, |run| run.text.len()))
            .unwrap_or_default())
    }

    fn fonts(&mut self, document: Resource<HeldDocument>, first: u32) -> Result<Vec<Font>> {
        Ok(window(&self.held_document(&document)?.fonts, first, |font| font.name.len() + 4 * font.pages.len()))
    }

    fn shapes(&mut self, document: Resource<HeldDocument>, page: u32, first: u32) -> Result<Vec<Shape>> {
        let document = self.held_document(&document)?;
        Ok(page_of(&document, page).map(|page| window(&page.shapes, first, |_| 0)).unwrap_or_default())
    }

    fn placements(&mut self, document: Resource<HeldDocument>, first: u32) -> Result<Vec<Placement>> {
        Ok(window(&self.held_document(&document)?.placements, first, |_| 0))
    }

    fn image_count(&mut self, document: Resource<HeldDocument>) -> Result<u32> {
        Ok(count(self.held_document(&document)?.images.len()))
    }

    fn image(&mut self, document: Resource<HeldDocument>, index: u32) -> Result<Option<Resource<HeldImage>>> {
        let image = self.held_document(&document)?.images.get(index as usize).cloned();
        Ok(image.map(|image| self.resources.push(HeldImage(image))).transpose()?)
    }

    fn machine_codes(&mut self, document: Resource<HeldDocument>) -> Result<Vec<MachineCode>> {
        Ok(window(&self.held_document(&document)?.machine_codes, 0, |code| code.text.len()))
    }

    fn properties(&mut self, document: Resource<HeldDocument>, first: u32) -> Result<Vec<Property>> {
        Ok(window(&self.held_document(&document)?.properties, first, property_bytes))
    }

    fn measures(&mut self, document: Resource<HeldDocument>, first: u32) -> Result<Vec<Measure>> {
        Ok(window(&self.held_document(&document)?.measures, first, |measure| measure.name.len()))
    }

    fn foreign_contents(&mut self, document: Resource<HeldDocument>) -> Result<Vec<ForeignContent>> {
        Ok(window(&self.held_document(&document)?.foreign_contents, 0, |_| 0))
    }

    fn structure(&mut self, document: Resource<HeldDocument>) -> Result<Option<Structure>> {
        Ok(self.held_document(&document)?.structure.lower())
    }

    fn revisions(&mut self, document: Resource<HeldDocument>, first: u32) -> Result<Vec<Revision>> {
        Ok(window(&self.held_document(&document)?.revisions, first, |revision| {
            4 * revision.pages.len() + 16 * revision.kinds.len()
        }))
    }

    fn signatures(&mut self, document: Resource<HeldDocument>) -> Result<Vec<Signature>> {
        Ok(window(&self.held_document(&document)?.signatures, 0, |signature| {
            signature.field.len() + text_bytes(signature.signer.as_ref())
        }))
    }

    fn annotations(&mut self, document: Resource<HeldDocument>, first: u32) -> Result<Vec<Annotation>> {
        Ok(window(&self.held_document(&document)?.annotations, first, |annotation| annotation.text.len()))
    }

    fn form_fields(&mut self, document: Resource<HeldDocument>, first: u32) -> Result<Vec<FormField>> {
        Ok(window(&self.held_document(&document)?.form_fields, first, |field| {
            field.name.len() + text_bytes(field.value.as_ref())
        }))
    }

    fn actions(&mut self, document: Resource<HeldDocument>, first: u32) -> Result<Vec<Action>> {
        Ok(window(&self.held_document(&document)?.actions, first, |action| {
            action.origin.len() + text_bytes(action.target.as_ref())
        }))
    }

    fn attachments(&mut self, document: Resource<HeldDocument>, first: u32) -> Result<Vec<Attachment>> {
        Ok(window(&self.held_document(&document)?.attachments, first, |attachment| attachment.name.len()))
    }

    fn layers(&mut self, document: Resource<HeldDocument>, first: u32) -> Result<Vec<Layer>> {
        Ok(window(&self.held_document(&document)?.layers, first, |layer| layer.name.len()))
    }

    fn provenance(&mut self, document: Resource<HeldDocument>) -> Result<Option<Provenance>> {
        Ok(self.held_document(&document)?.provenance.lower())
    }

    fn drop(&mut self, document: Resource<HeldDocument>) -> Result<()> {
        self.resources.delete(document)?;
        Ok(())
    }
}
