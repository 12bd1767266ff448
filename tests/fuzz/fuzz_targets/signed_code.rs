//! The text of a machine-readable code as a signed code (2D-Doc), and a file of certificates to check it with.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sealwright_facts::{model::Area, signed_code};

fuzz_target!(|text: &str| {
    let Some(code) = signed_code::read(text, 1, Area::default()) else { return };
    assert!(code.fields.len() <= 64, "the number of fields is bounded");
    assert!(text.starts_with(&code.signed), "what is signed is the start of the code");
    let json = serde_json::to_vec(&code).expect("a code can be written");
    let read: signed_code::SignedCode = serde_json::from_slice(&json).expect("a written code can be read");
    assert_eq!(read, code);
});
