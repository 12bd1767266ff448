//! ZIP archives as streams: files that are opened one after another, with what surrounds them ([`crate::zip`]).
//!
//! The archive is built only while it is read. An error ends the stream before the archive's directory is written, so that a
//! partial archive cannot be mistaken for a whole one.

use std::io;

use anyhow::{Context, anyhow};
use bytes::Bytes;
use futures_util::{
    StreamExt, TryStreamExt,
    stream::{self, BoxStream},
};

use super::App;
use crate::{
    blobs::BlobKey,
    error::Result,
    zip::{ZipFile, ZipWriter},
};

/// The bytes of an archive.
pub type Archive = BoxStream<'static, Result<Bytes>>;

/// A file of an archive, ready for reading.
pub(super) struct OpenEntry {
    pub(super) file: ZipFile,
    pub(super) bytes: BoxStream<'static, io::Result<Bytes>>,
}

/// The archive of these files, in order.
pub(super) fn write(files: BoxStream<'static, Result<OpenEntry>>) -> Archive {
    let writing = ArchiveWriter { files, state: State::Between(ZipWriter::default()) };
    stream::try_unfold(writing, ArchiveWriter::next).boxed()
}

/// Bytes in memory, to be read like a file.
pub(super) fn in_memory(bytes: Bytes) -> BoxStream<'static, io::Result<Bytes>> {
    stream::iter([Ok(bytes)]).boxed()
}

/// Computes the CRC of a blob with an extra read. None if the blob does not exist.
pub(super) async fn crc32_of(app: &App, key: &BlobKey) -> Result<Option<u32>> {
    let Some(mut stream) = app.blobs.stream(key, None).await? else { return Ok(None) };
    let mut hasher = crc32fast::Hasher::new();
    while let Some(bytes) = stream.bytes.try_next().await.context("reading a file for its CRC")? {
        hasher.update(&bytes);
    }
    Ok(Some(hasher.finalize()))
}

/// An archive while it is read.
struct ArchiveWriter {
    files: BoxStream<'static, Result<OpenEntry>>,
    state: State,
}

enum State {
    Between(ZipWriter),
    /// In a file with `left` bytes still to come.
    Within {
        writer: ZipWriter,
        name: String,
        bytes: BoxStream<'static, io::Result<Bytes>>,
        left: u64,
    },
    Ending(Box<dyn Iterator<Item = Vec<u8>> + Send>),
}

impl ArchiveWriter {
    /// The next bytes, and the state after them.
    async fn next(mut self) -> Result<Option<(Bytes, Self)>> {
        loop {
            let (bytes, state) = match self.state {
                State::Between(mut writer) => {
                    let Some(OpenEntry { file, bytes }) = self.files.try_next().await? else {
                        self.state = State::Ending(Box::new(writer.finish()));
                        continue;
                    };
                    let header = writer.begin(&file);
                    let (name, left) = (file.name, file.size);
                    (Bytes::from(header), State::Within { writer, name, bytes, left })
                }
                State::Within { writer, name, mut bytes, left } => {
                    let wrong = || anyhow!("the size of {name} differs from the stored size");
                    match bytes.try_next().await.with_context(|| format!("reading {name}"))? {
                        Some(piece) => {
                            let left = left.checked_sub(piece.len() as u64).ok_or_else(wrong)?;
                            (piece, State::Within { writer, name, bytes, left })
                        }
                        None if left > 0 => return Err(wrong().into()),
                        None => {
                            self.state = State::Between(writer);
                            continue;
                        }
                    }
                }
                State::Ending(mut pieces) => match pieces.next() {
                    Some(piece) => (Bytes::from(piece), State::Ending(pieces)),
                    None => return Ok(None),
                },
            };
            self.state = state;
            return Ok(Some((bytes, self)));
        }
    }
}
