//! Original files that a certificate contains: each must be the file that was sealed as its item.

use super::{
    super::{Finding, FindingCode},
    Contents,
};
use crate::{
    manifest::SealManifest,
    pdf::{
        attachment::{self, Attachment},
        file::File as PdfFile,
    },
};

/// How the references of items begin (decisions 8).
const ITEM: &str = "ITM-";
/// The ending of an item's time-stamp token.
const TOKEN: &str = "tst";

/// An original file that a certificate contains.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmbeddedOriginal {
    /// The item's reference and the ending of the file's type.
    pub name: String,
    pub bytes: Vec<u8>,
}

/// The original files inside a certificate, unchecked: [`ItemFacts::embedded`](super::super::ItemFacts::embedded) says
/// which of them are the sealed ones. None for a file that cannot be read.
pub fn embedded_originals(pdf: &[u8]) -> Vec<EmbeddedOriginal> {
    let attachments = PdfFile::read(pdf).and_then(|file| attachment::read(&file)).unwrap_or_default();
    let originals = attachments.into_iter().filter(|attachment| item_of(&attachment.name).is_some());
    originals.map(|Attachment { name, bytes }| EmbeddedOriginal { name, bytes }).collect()
}

/// The item whose file an attachment of this name is.
fn item_of(name: &str) -> Option<&str> {
    let (item, ending) = name.rsplit_once('.')?;
    (item.starts_with(ITEM) && ending != TOKEN).then_some(item)
}

impl Contents<'_, '_> {
    pub(super) fn check_embedded(&mut self, attachments: &[Attachment], manifest: &SealManifest) {
        for attachment in attachments {
            let Some(reference) = item_of(&attachment.name) else { continue };
            let name = &attachment.name;
            let Some(place) = manifest.items.iter().position(|item| item.reference == reference) else {
                let message = format!("the embedded file `{name}` belongs to no item of the seal manifest");
                self.report.findings.push(Finding::changed(FindingCode::Embedded, message));
                continue;
            };
            // The digest of each attachment is known; comparing bytes costs less than computing it again.
            let sealed = manifest.items[place].file.as_ref().and_then(|file| self.attachments.get(&file.sha256));
            if sealed.is_none_or(|sealed| sealed.bytes != attachment.bytes) {
                let message = format!("the embedded file `{name}` is not the one that was sealed as {reference}");
                self.report.findings.push(Finding::changed(FindingCode::Embedded, message));
            } else if let Some(facts) = self.report.items.get_mut(place) {
                facts.embedded = Some(name.clone());
            }
        }
    }
}
