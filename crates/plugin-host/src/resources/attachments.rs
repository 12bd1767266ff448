//! What the interfaces `attachments` and `codes` add to a document.

use wasmtime::{Result, component::Resource};

use super::{Content, HeldDocument, text_bytes, window};
use crate::{
    bindings::analysis::sealwright::plugin::{
        attachments::{self, AttachedFile},
        codes::{self, SignedCode},
    },
    call::CallState,
    lower::Lower as _,
};

impl attachments::Host for CallState {
    fn attached_files(&mut self, document: Resource<HeldDocument>) -> Result<Vec<AttachedFile>> {
        let document = self.held_document(&document)?;
        Ok(document.attached.iter().map(|attached| attached.file.lower()).collect())
    }

    fn attached_content(&mut self, document: Resource<HeldDocument>, index: u32) -> Result<Option<Resource<Content>>> {
        let document = self.held_document(&document)?;
        let content = document.attached.get(index as usize).and_then(|attached| attached.content.clone());
        Ok(content.map(|content| self.resources.push(Content(content.0))).transpose()?)
    }
}

impl codes::Host for CallState {
    fn signed_codes(&mut self, document: Resource<HeldDocument>) -> Result<Vec<SignedCode>> {
        let document = self.held_document(&document)?;
        Ok(window(&document.signed_codes, 0, |code| {
            let fields: usize = code.fields.iter().map(|field| field.name.len() + field.value.len() + 80).sum();
            fields + text_bytes(code.issued_on.as_ref()) + text_bytes(code.signed_on.as_ref())
        }))
    }
}
