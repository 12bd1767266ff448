//! Attached files, with their bytes as far as the bounds allow. Invoices have their data as XML in one (Factur-X,
//! `ZUGFeRD`).

use hayro::hayro_syntax::object::{Dict, Stream};

use super::{
    model::{AttachedBytes, EmbeddedFile},
    names::{file_name, name},
};
use crate::text::one_line;

/// The most bytes that are kept of one file, and of all files of a document. The XML of an invoice has 5 to 200 KB.
const MOST_BYTES: usize = 1 << 20;
const MOST_BYTES_IN_ALL: usize = 2 << 20;
/// The most files whose bytes are kept.
const MOST_FILES: usize = 16;

/// The remaining budget.
pub(super) struct Room {
    files: usize,
    bytes: usize,
}

impl Room {
    pub(super) const fn new() -> Self {
        Self { files: MOST_FILES, bytes: MOST_BYTES_IN_ALL }
    }
}

/// The stream of a file specification (ISO 32000-1, 7.11.3).
pub(super) fn stream<'a>(file: &Dict<'a>) -> Option<Stream<'a>> {
    let streams = file.get::<Dict>("EF")?;
    streams.get::<Stream>("F").or_else(|| streams.get::<Stream>("UF"))
}

/// The attached file of a file specification.
pub(super) fn read(file: &Dict, stream: &Stream, room: &mut Room) -> EmbeddedFile {
    let stored = stream.raw_data().len();
    EmbeddedFile {
        name: file_name(file).and_then(|name| one_line(&name, 255)).unwrap_or_default(),
        stored_size: stored as u64,
        media_type: name(stream.dict(), "Subtype"),
        relationship: name(file, "AFRelationship"),
        content: content(stream, stored, room),
    }
}

/// The unpacked bytes. What all streams of the file unpack to was bounded before (`scan`).
fn content(stream: &Stream, stored: usize, room: &mut Room) -> Option<AttachedBytes> {
    let most = MOST_BYTES.min(room.bytes);
    if room.files == 0 || stored > most {
        return None;
    }
    let bytes = stream.decoded().ok().filter(|bytes| bytes.len() <= most)?;
    room.files -= 1;
    room.bytes -= bytes.len();
    Some(AttachedBytes(bytes.into_owned()))
}
