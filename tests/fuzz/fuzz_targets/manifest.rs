//! A seal manifest with its capture records, a single record, and a disclosed part of a manifest.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sealwright_seal::{SealManifest, Sha256Digest, capture, disclosure};

fuzz_target!(|bytes: &[u8]| {
    if let Ok(manifest) = SealManifest::from_json(bytes) {
        let written = manifest.to_canonical_json().expect("what was read can be written");
        assert_eq!(SealManifest::from_json(&written).as_ref().ok(), Some(&manifest));
        let _ = disclosure::disclose(&written, &[0]);
        let _ = capture::account(&manifest);
    }
    if let Ok(text) = str::from_utf8(bytes) {
        let _ = capture::Record::read(text);
    }
    if let Ok(part) = serde_json::from_slice::<disclosure::Disclosure>(bytes) {
        let _ = part.verify(&Sha256Digest::of("a root"));
    }
});
