//! Content credentials: a JPEG or PNG file, or only a manifest store. And the texts in which programs declare themselves.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sealwright_provenance::{Container, Metadata, StoreBytes, Texts, TrustList, credentials, marks};

fuzz_target!(|file: &[u8]| {
    let trust = TrustList::default();
    for container in [Container::Jpeg, Container::Png] {
        if let Some(store) = container.store(file) {
            let found = credentials(file, container, &store, Metadata::Absent, &trust);
            serde_json::to_vec(&found).expect("credentials can be written");
        }
    }
    let store = StoreBytes { bytes: file.to_vec(), places: Vec::new() };
    let found = credentials(b"", Container::Pdf, &store, Metadata::Present, &trust);
    serde_json::to_vec(&found).expect("credentials can be written");
    if let Ok(text) = std::str::from_utf8(file) {
        let mut texts = Texts::default();
        for name in ["prompt", "UserComment", "DigitalSourceType", "AIGC", "Credit"] {
            texts.add("exif", name, text);
        }
        marks(&texts);
    }
});
