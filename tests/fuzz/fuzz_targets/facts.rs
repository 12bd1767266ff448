//! The facts of an uploaded PDF, JPEG or PNG file.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sealwright_facts::{Limits, Recognition, prepare};

/// Smaller than the server's, so that a file is read within milliseconds.
const LIMITS: Limits = Limits {
    max_file_bytes: 1 << 20,
    max_unpacked_bytes: 1 << 20,
    max_objects: 2_000,
    max_revisions: 8,
    max_changed_objects: 32,
    max_pages: 3,
    max_text_runs: 500,
    max_shapes: 200,
    max_images: 20,
    max_pictures: 2,
    max_painted: 2_000,
    max_painted_in_all: 4_000,
    max_signatures: 2,
    max_listed: 50,
    max_pixels: 250_000,
    max_ocr_pages: 0,
    max_text_length: 100,
};

fuzz_target!(|file: &[u8]| {
    let facts = prepare(file, &LIMITS, &Recognition::NotWanted);
    serde_json::to_vec(&facts).expect("facts can be written");
});
