//! Pictures inside a PDF file.

use hayro::hayro_syntax::{
    Filter,
    object::{Object, Stream},
};
use sha2::{Digest, Sha256};

use crate::{
    image,
    model::{Area, Compression, PlacedImage},
};

/// The facts of an image's stream; its place on the page is left empty.
pub(super) fn describe(stream: &Stream) -> PlacedImage {
    let raw = stream.raw_data();
    let compression = compression(stream);
    PlacedImage {
        object: u32::try_from(stream.obj_id().obj_number).unwrap_or(0),
        compression,
        sha256: hex::encode(Sha256::digest(&raw)),
        jpeg: (compression == Compression::Jpeg).then(|| image::jpeg_facts(&raw)).flatten(),
        ..empty()
    }
}

/// A mask that paints one colour: the library does not expose its stream.
pub(super) fn stencil() -> PlacedImage {
    PlacedImage { stencil: true, ..empty() }
}

fn empty() -> PlacedImage {
    PlacedImage {
        area: Area::default(),
        object: 0,
        width: 0,
        height: 0,
        compression: Compression::None,
        stencil: false,
        order: 0,
        sha256: String::new(),
        jpeg: None,
        picture: None,
    }
}

/// Whether the content below shows through it.
pub(super) fn has_mask(stream: &Stream) -> bool {
    ["SMask", "Mask", "SMaskInData"].iter().any(|key| match stream.dict().get::<Object>(key) {
        None | Some(Object::Null(_)) => false,
        Some(Object::Number(number)) => number.as_i64() != 0,
        Some(_) => true,
    })
}

fn compression(stream: &Stream) -> Compression {
    match stream.filters().last() {
        Some(Filter::DctDecode) => Compression::Jpeg,
        Some(Filter::JpxDecode) => Compression::Jpeg2000,
        Some(Filter::Jbig2Decode) => Compression::Jbig2,
        Some(Filter::CcittFaxDecode) => Compression::CcittFax,
        Some(Filter::RunLengthDecode) => Compression::RunLength,
        Some(Filter::FlateDecode | Filter::LzwDecode) => Compression::Lossless,
        _ => Compression::None,
    }
}

/// The file of a JPEG without further filters.
pub(super) fn jpeg_file<'a>(stream: &Stream<'a>) -> Option<std::borrow::Cow<'a, [u8]>> {
    matches!(stream.filters().as_slice(), [Filter::DctDecode]).then(|| stream.raw_data())
}
