//! Signed files.

use std::ops::Range;

use ciborium::value::Value;

use super::{
    Content, TestSigner,
    store::{map, store},
};
use crate::{Container, hash::HashAlgorithm};

/// How the content is bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binding {
    /// `c2pa.hash.data`
    Ranges,
    /// `c2pa.hash.boxes`
    Boxes,
}

/// A JPEG with a store after its last EXIF or JFIF segment.
pub fn sign_jpeg(file: &[u8], content: &Content, signer: &TestSigner, binding: Binding) -> Vec<u8> {
    let mut at = 2;
    while let Some(&[0xFF, 0xE0 | 0xE1, h, l]) = file.get(at..at + 4) {
        at += 2 + usize::from(u16::from_be_bytes([h, l]));
    }
    signed(file, at, Container::Jpeg, &app11, content, signer, binding)
}

/// A PNG with a store after its header.
pub fn sign_png(file: &[u8], content: &Content, signer: &TestSigner, binding: Binding) -> Vec<u8> {
    signed(file, 33, Container::Png, &cabx, content, signer, binding)
}

fn signed(
    file: &[u8],
    at: usize,
    container: Container,
    wrap: &dyn Fn(&[u8]) -> Vec<u8>,
    content: &Content,
    signer: &TestSigner,
    binding: Binding,
) -> Vec<u8> {
    let with = |store: &[u8]| [&file[..at], &wrap(store), &file[at..]].concat();
    let mut length = 0;
    // The length of the excluded range is in the store, so the store is made until its length does not change.
    loop {
        let hash = match binding {
            Binding::Ranges => ("c2pa.hash.data", ranges(file, at..at + length)),
            Binding::Boxes => {
                ("c2pa.hash.boxes", boxes(&with(&store(content, ("c2pa.hash.boxes", &map([])), signer)), container))
            }
        };
        let made = store(content, (hash.0, &hash.1), signer);
        let wrapped = wrap(&made).len();
        if wrapped == length || binding == Binding::Boxes {
            return with(&made);
        }
        length = wrapped;
    }
}

/// `file` is the one without the store.
fn ranges(file: &[u8], store: Range<usize>) -> Value {
    let exclusion = map([("start", number(store.start)), ("length", number(store.len()))]);
    map([
        ("exclusions", Value::Array(vec![exclusion])),
        ("alg", Value::from("sha256")),
        ("hash", Value::Bytes(HashAlgorithm::Sha256.digest([file]))),
    ])
}

fn number(number: usize) -> Value {
    Value::from(number as u64)
}

fn boxes(file: &[u8], container: Container) -> Value {
    let store = container.store(file).unwrap_or_default();
    let runs = container.parts(file, &store).into_iter().map(|part| {
        let is_store = part.name == "C2PA";
        let hash = if is_store { vec![0] } else { HashAlgorithm::Sha256.digest([&file[part.place]]) };
        map([("names", Value::Array(vec![Value::from(part.name)])), ("hash", Value::Bytes(hash))])
    });
    map([("alg", Value::from("sha256")), ("boxes", Value::Array(runs.collect()))])
}

/// APP11 segments of at most 60,000 bytes of the store each.
fn app11(store: &[u8]) -> Vec<u8> {
    let mut segments = Vec::new();
    for (number, piece) in (1_u32..).zip(store.chunks(60_000)) {
        let header = if number == 1 { &[][..] } else { &store[..8] };
        let length = u16::try_from(2 + 8 + header.len() + piece.len()).unwrap_or(u16::MAX);
        segments.extend([&[0xFF, 0xEB][..], &length.to_be_bytes(), b"JP\x02\x11", &number.to_be_bytes()].concat());
        segments.extend_from_slice(header);
        segments.extend_from_slice(piece);
    }
    segments
}

fn cabx(store: &[u8]) -> Vec<u8> {
    let length = u32::try_from(store.len()).unwrap_or(u32::MAX);
    let named = [b"caBX", store].concat();
    [&length.to_be_bytes()[..], &named, &crc32(&named).to_be_bytes()].concat()
}

/// PNG 1.2, annex D.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| if crc & 1 == 1 { (crc >> 1) ^ 0xEDB8_8320 } else { crc >> 1 })
    })
}
