//! Receives a file as a stream: each piece is counted, hashed and written before the next is read, so a whole file is
//! never in memory. A refused file leaves nothing behind (decisions 8).

use bytes::{Bytes, BytesMut};
use sealwright_seal::{Sha256Digest, Sha256Hasher};

use crate::domain::file_kind::{FileKind, describe, is_decided};
use crate::{
    blobs::{BlobArea, BlobKey, BlobWriter, Blobs, StoredBlob},
    error::Error,
};

const MIB: u64 = 1024 * 1024;

/// Which kinds of file a step accepts, and how large such a file may be (decisions 8).
#[derive(Clone, Copy, Debug)]
pub struct Accepts {
    /// Each with its limit in bytes; a file of exactly that size is accepted.
    kinds: &'static [(FileKind, u64)],
}

impl Accepts {
    /// The largest document, in bytes (decisions 8).
    pub const DOCUMENT_BYTES: u64 = 10 * MIB;
    /// The largest photo or signature.
    pub const PICTURE_BYTES: u64 = 25 * MIB;
    /// The largest video.
    pub const VIDEO_BYTES: u64 = 500 * MIB;

    /// A document.
    pub const DOCUMENT: Self = Self {
        kinds: &[
            (FileKind::Pdf, Self::DOCUMENT_BYTES),
            (FileKind::Jpeg, Self::DOCUMENT_BYTES),
            (FileKind::Png, Self::DOCUMENT_BYTES),
        ],
    };
    /// A photo, a signature or a video: which of them the step expects may only be known after the file arrived.
    pub const CAPTURE: Self = Self {
        kinds: &[
            (FileKind::Jpeg, Self::PICTURE_BYTES),
            (FileKind::Png, Self::PICTURE_BYTES),
            (FileKind::Mp4, Self::VIDEO_BYTES),
        ],
    };

    /// A photo or a signature, if the step is known.
    pub const PICTURE: Self = Self { kinds: &[(FileKind::Jpeg, 25 * MIB), (FileKind::Png, 25 * MIB)] };
    /// A video, if the step is known.
    pub const VIDEO: Self = Self { kinds: &[(FileKind::Mp4, 500 * MIB)] };

    /// The largest file that is accepted, in bytes.
    pub fn largest(self) -> u64 {
        self.kinds.iter().map(|(_, limit)| *limit).max().unwrap_or(0)
    }

    /// Checks the kind of a file by its first bytes, as many as decide it ([`is_decided`]), or by all of a shorter one.
    pub fn check_start(self, start: &[u8]) -> Result<(), UploadError> {
        self.recognise(start).map(drop)
    }

    /// The kind of the file that starts with `start`, and its limit in bytes.
    fn recognise(self, start: &[u8]) -> Result<(FileKind, u64), UploadError> {
        let recognised = FileKind::of(start).and_then(|kind| Some((kind, self.limit(kind)?)));
        recognised.ok_or_else(|| UploadError::Kind { expected: self.names(), found: describe(start) })
    }

    /// How large a file of this kind may be; none if it is not accepted at all.
    fn limit(self, kind: FileKind) -> Option<u64> {
        self.kinds.iter().find(|(taken, _)| *taken == kind).map(|(_, limit)| *limit)
    }

    /// `PDF, JPEG or PNG`.
    fn names(self) -> String {
        let names: Vec<String> = self.kinds.iter().map(|(kind, _)| kind.to_string()).collect();
        match names.split_last() {
            Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
            _ => names.concat(),
        }
    }
}

/// Why a file was not accepted. The texts of all but [`UploadError::Storage`] are for the integrator.
#[derive(Debug, thiserror::Error)]
pub enum UploadError {
    #[error("file is empty, expected {expected}")]
    Empty { expected: String },
    #[error("file type is not accepted: expected {expected} by the file's first bytes, got {found}")]
    Kind { expected: String, found: String },
    #[error("file is too large: at most {limit} bytes are accepted")]
    TooLarge { limit: u64 },
    #[error("blob store: {0:#}")]
    Storage(#[from] anyhow::Error),
}

impl From<UploadError> for Error {
    fn from(error: UploadError) -> Self {
        match error {
            UploadError::Storage(cause) => Self::internal(cause.context("storing an upload")),
            refusal => Self::Invalid(refusal.to_string()),
        }
    }
}

/// A file that is complete, hashed and durable in the blob store. Dropping it deletes it: a use case that fails after
/// the file arrived has nothing to clean up. [`StoredFile::keep`] prevents that.
#[must_use = "the file is deleted again unless it is kept"]
#[derive(Debug)]
pub struct StoredFile {
    pub kind: FileKind,
    /// In bytes, at least 1.
    pub size: u64,
    pub sha256: Sha256Digest,
    blob: StoredBlob,
}

impl StoredFile {
    pub fn key(&self) -> &BlobKey {
        self.blob.key()
    }

    /// From now on the blob stays. Call it before the commit of the transaction that refers to the file, not after: a
    /// commit may succeed although its answer is lost, and an item without its file is worse than a file without its
    /// item.
    pub fn keep(self) -> BlobKey {
        self.blob.keep()
    }

    /// Deletes the file now, so that it is gone before the refusal is sent.
    pub async fn discard(self) {
        self.blob.discard().await;
    }
}

/// A file that is being received. Each step consumes it, so nothing can be pushed after a refusal.
#[derive(Debug)]
pub struct Upload {
    blobs: Blobs,
    accepts: Accepts,
    size: u64,
    hash: Sha256Hasher,
    progress: Progress,
}

#[derive(Debug)]
enum Progress {
    /// Too few bytes arrived so far; nothing is written before the kind is known.
    Unrecognised(BytesMut),
    Writing(FileKind, BlobWriter),
}

impl Upload {
    pub fn new(blobs: &Blobs, accepts: Accepts) -> Self {
        let progress = Progress::Unrecognised(BytesMut::new());
        Self { blobs: blobs.clone(), accepts, size: 0, hash: Sha256Hasher::new(), progress }
    }

    /// Accepts the next bytes of the file. The first byte beyond the limit ends the upload.
    pub async fn push(mut self, chunk: Bytes) -> Result<Self, UploadError> {
        self.size += chunk.len() as u64;
        if let Progress::Writing(kind, _) = &self.progress
            && let Some(limit) = self.accepts.limit(*kind).filter(|limit| self.size > *limit)
        {
            self.abandon().await;
            return Err(UploadError::TooLarge { limit });
        }
        self.hash.update(&chunk);
        self.progress = match self.progress {
            Progress::Unrecognised(mut start) => {
                start.extend_from_slice(&chunk);
                if is_decided(&start) {
                    let (kind, writer) = begin(&self.blobs, self.accepts, start.freeze()).await?;
                    Progress::Writing(kind, writer)
                } else {
                    Progress::Unrecognised(start)
                }
            }
            Progress::Writing(kind, writer) => Progress::Writing(kind, writer.write(chunk).await?),
        };
        Ok(self)
    }

    /// The file is complete: makes it durable.
    pub async fn finish(self) -> Result<StoredFile, UploadError> {
        let (kind, writer) = match self.progress {
            Progress::Unrecognised(start) if start.is_empty() => {
                return Err(UploadError::Empty { expected: self.accepts.names() });
            }
            Progress::Unrecognised(start) => begin(&self.blobs, self.accepts, start.freeze()).await?,
            Progress::Writing(kind, writer) => (kind, writer),
        };
        let blob = writer.finish().await?;
        Ok(StoredFile { kind, size: self.size, sha256: self.hash.finish(), blob })
    }

    /// Removes what is written so far before the refusal is returned.
    async fn abandon(self) {
        if let Progress::Writing(_, writer) = self.progress {
            writer.abort().await;
        }
    }
}

/// Detects the kind of the file by its `start`, all bytes received so far, and starts storing it.
async fn begin(blobs: &Blobs, accepts: Accepts, start: Bytes) -> Result<(FileKind, BlobWriter), UploadError> {
    let (kind, limit) = accepts.recognise(&start)?;
    if start.len() as u64 > limit {
        return Err(UploadError::TooLarge { limit });
    }
    let writer = blobs.writer(BlobKey::random(BlobArea::Items)).write(start).await?;
    Ok((kind, writer))
}

#[cfg(test)]
mod tests;
