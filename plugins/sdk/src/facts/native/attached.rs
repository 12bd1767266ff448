//! Attached files, as the interface `attachments` describes them.

use super::Document;
use crate::{facts::AttachedFile, webhook_auth::Content};

/// An attached file and its bytes.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(bound(serialize = "C: serde::Serialize")))]
pub struct Attached<C = Content> {
    pub file: AttachedFile,
    /// None: the host did not read it.
    pub content: Option<C>,
}

impl Attached {
    /// A file with its bytes, such as the XML of an invoice. A test can change the other fields.
    pub fn of_bytes(name: &str, bytes: &[u8]) -> Self {
        let file = AttachedFile {
            name: name.to_owned(),
            media_type: Some("text/xml".to_owned()),
            relationship: Some("Alternative".to_owned()),
            size: bytes.len() as u64,
            readable: true,
        };
        Self { file, content: Some(Content(bytes.to_vec())) }
    }
}

impl Document {
    pub fn attached_files(&self) -> Vec<AttachedFile> {
        self.attached.iter().map(|attached| attached.file.clone()).collect()
    }

    pub fn attached_content(&self, index: u32) -> Option<Content> {
        self.attached.get(index as usize)?.content.clone()
    }
}
