//! Content credentials of a PDF file: a manifest store that is an associated file of the document (C2PA 2.1, section
//! A.4), or of an annotation.

use hayro::hayro_syntax::{
    Pdf,
    object::{Array, Dict, Name, Stream},
};
use sealwright_provenance::{Container, Metadata, Provenance, StoreBytes, TrustList};

use super::model::PdfFacts;
use crate::provenance::{self, Declared};

/// Associated files that are looked at.
const MAX_FILES: usize = 100;
const MAX_STORE: usize = 16 << 20;

pub(super) fn read(file: &[u8], pdf: &Pdf, facts: &PdfFacts, trust: &TrustList) -> Option<Provenance> {
    let credentials = store(pdf).map(|bytes| {
        // Where the stream is in the file is not known; the signed exclusion says it.
        let store = StoreBytes { bytes, places: Vec::new() };
        sealwright_provenance::credentials(file, Container::Pdf, &store, Metadata::Present, trust)
    });
    provenance::with_marks(credentials, &Declared::of(None, facts.xmp.as_ref()))
}

fn store(pdf: &Pdf) -> Option<Vec<u8>> {
    let catalog = pdf.xref().get::<Dict>(pdf.xref().root_id())?;
    let files = catalog.get::<Array>("AF")?;
    let found = files.iter::<Dict>().take(MAX_FILES).find(|file| {
        file.get::<Name>("AFRelationship").is_some_and(|relationship| &*relationship == b"C2PA_Manifest")
    })?;
    let stream = found.get::<Dict>("EF")?.get::<Stream>("F")?;
    let bytes = stream.decoded().ok()?;
    (bytes.len() <= MAX_STORE).then(|| bytes.to_vec())
}
