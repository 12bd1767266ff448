//! The attached files of a PDF: the list, the names and the streams are the fuzzed bytes, in a file that is whole
//! otherwise.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sealwright_facts::{Limits, Recognition, prepare};

/// A file of four objects: catalog, pages, the list of attached files, and one stream.
fn file(list: &[u8], dictionary: &[u8], stream: &[u8]) -> Vec<u8> {
    let mut file = b"%PDF-1.7\n".to_vec();
    let mut offsets = Vec::new();
    let length = format!("/Length {}", stream.len());
    let objects: [Vec<u8>; 4] = [
        b"<</Type/Catalog/Pages 2 0 R/Names<</EmbeddedFiles 3 0 R>>/AF[3 0 R]>>".to_vec(),
        b"<</Type/Pages/Kids[]/Count 0>>".to_vec(),
        [b"<<".as_slice(), list, b">>"].concat(),
        [b"<<".as_slice(), dictionary, length.as_bytes(), b">>stream\n", stream, b"\nendstream"].concat(),
    ];
    for (number, object) in (1..).zip(objects) {
        offsets.push(file.len());
        file.extend(format!("{number} 0 obj\n").bytes());
        file.extend(object);
        file.extend(b"\nendobj\n");
    }
    let start = file.len();
    file.extend(b"xref\n0 5\n0000000000 65535 f \n");
    for offset in offsets {
        file.extend(format!("{offset:010} 00000 n \n").bytes());
    }
    file.extend(format!("trailer<</Size 5/Root 1 0 R>>\nstartxref\n{start}\n%%EOF\n").bytes());
    file
}

fuzz_target!(|bytes: &[u8]| {
    // Three parts, separated by a byte that neither names nor numbers have.
    let mut parts = bytes.splitn(3, |byte| *byte == 0xFF);
    let (list, dictionary, stream) = (parts.next(), parts.next(), parts.next());
    let file = file(list.unwrap_or_default(), dictionary.unwrap_or_default(), stream.unwrap_or_default());
    let limits = Limits { max_file_bytes: 1 << 20, max_unpacked_bytes: 4 << 20, ..Limits::default() };
    let facts = prepare(&file, &limits, &Recognition::NotWanted);
    let files = facts.pdf.iter().flat_map(|pdf| &pdf.embedded_files);
    let kept: usize = files.filter_map(|file| file.content.as_ref()).map(|content| content.0.len()).sum();
    assert!(kept <= 2 << 20, "the bytes of attached files are bounded");
    serde_json::to_vec(&facts).expect("facts can be written");
});
