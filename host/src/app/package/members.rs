//! The files of a package: what is known of each before its bytes are read, and where the bytes are.

use std::sync::Arc;

use anyhow::{Context, anyhow};
use bytes::Bytes;
use futures_util::TryStreamExt;
use sealwright_seal::{
    Sha256Digest, Sha256Hasher,
    asic::{self, Deletion, LOG_PROOF, MISSING, ManifestEntry, ORIGINALS, TOKEN_MEDIA_TYPE, TOKENS},
};

use crate::{
    app::{
        App,
        zip_stream::{OpenEntry, in_memory},
    },
    blobs::BlobKey,
    clock::Timestamp,
    domain::id::ItemId,
    error::{Error, Result},
    store::{
        self,
        item::{Item, ItemFile},
    },
    zip::{ZipFile, ZipWriter},
};

const TEXT: &str = "text/plain";

/// What the manifest and the archive say of a file.
pub(super) struct Described {
    pub(super) file: ZipFile,
    pub(super) media_type: &'static str,
    pub(super) sha256: Sha256Digest,
}

impl Described {
    pub(super) fn in_manifest(&self) -> ManifestEntry<'_> {
        ManifestEntry { name: &self.file.name, media_type: self.media_type, sha256: self.sha256 }
    }
}

/// A file whose bytes are read when they are needed.
pub(super) struct Member {
    pub(super) described: Described,
    source: Source,
}

enum Source {
    Memory(Bytes),
    Blob(BlobKey),
    /// The time-stamp token of an item.
    Token(ItemId),
}

impl Member {
    /// The original of an item, if it has a file. In place of one that was deleted there is a text, which says so.
    pub(super) async fn of_original(app: &App, item: &Item, modified: Timestamp) -> Result<Option<Self>> {
        let Some(file) = &item.content.file else { return Ok(None) };
        let reference = item.reference();
        if file.deleted_at.is_some() {
            let why = if file.deletes_after_analysis { Deletion::AfterAnalysis } else { Deletion::LimitedTime };
            let text = asic::deletion_text(&reference.to_string(), file.sha256, why);
            return Ok(Some(Self::in_memory(format!("{ORIGINALS}{reference}{MISSING}"), TEXT, text, modified)));
        }
        let name = format!("{ORIGINALS}{reference}.{}", file.kind.extension());
        let crc32 = crc32_of_original(app, file).await.with_context(|| format!("the file of {reference}"))?;
        let Some(crc32) = crc32 else { return Err(missing(app, item).await?) };
        let size = u64::try_from(file.size).map_err(Error::internal)?;
        let file_in_archive = ZipFile { name, size, crc32, modified };
        let described = Described { file: file_in_archive, media_type: file.kind.media_type(), sha256: file.sha256 };
        Ok(Some(Self { described, source: Source::Blob(file.blob_key.clone()) }))
    }

    /// The time-stamp token over the original of an item, if there is one.
    pub(super) async fn of_token(app: &App, item: &Item, modified: Timestamp) -> Result<Option<Self>> {
        if item.token_sha256.is_none() {
            return Ok(None);
        }
        let Some(token) = store::item_token::find(&mut app.db.read().await?, item.id).await? else { return Ok(None) };
        let file = ZipFile {
            name: format!("{TOKENS}{}.tst", item.reference()),
            size: token.der.len() as u64,
            crc32: crc32fast::hash(&token.der),
            modified,
        };
        let described = Described { file, media_type: TOKEN_MEDIA_TYPE, sha256: token.sha256 };
        Ok(Some(Self { described, source: Source::Token(item.id) }))
    }

    /// The proof that the seal is in the log of seals (C2SP `tlog-proof`).
    pub(super) fn of_proof(proof: String, modified: Timestamp) -> Self {
        Self::in_memory(LOG_PROOF.to_owned(), TEXT, proof, modified)
    }

    pub(super) fn in_memory(
        name: String,
        media_type: &'static str,
        bytes: impl Into<Bytes>,
        modified: Timestamp,
    ) -> Self {
        let bytes = bytes.into();
        let file = ZipFile { name, size: bytes.len() as u64, crc32: crc32fast::hash(&bytes), modified };
        let described = Described { file, media_type, sha256: Sha256Digest::of(&bytes) };
        Self { described, source: Source::Memory(bytes) }
    }

    pub(super) async fn open(self, app: Arc<App>) -> Result<OpenEntry> {
        let Self { described: Described { file, .. }, source } = self;
        let lost = || Error::internal(anyhow!("{} is lost", file.name));
        let bytes = match source {
            Source::Memory(bytes) => in_memory(bytes),
            Source::Blob(key) => app.blobs.stream(&key, None).await?.ok_or_else(lost)?.bytes,
            Source::Token(item) => {
                let token = store::item_token::find(&mut app.db.read().await?, item).await?;
                in_memory(Bytes::from(token.ok_or_else(lost)?.der))
            }
        };
        Ok(OpenEntry { file, bytes })
    }
}

/// Why the file of an item is not in the blob store: it was deleted since the item's row was read, or it is lost.
async fn missing(app: &App, item: &Item) -> Result<Error> {
    let found = store::item::find(&mut app.db.read().await?, item.id).await?;
    let is_kept = found.and_then(|item| item.content.file).is_some_and(|file| file.deleted_at.is_none());
    Ok(if is_kept {
        Error::internal(anyhow!("the file of {} is not in the blob store", item.reference()))
    } else {
        Error::NotReady { message: "a file of the case is being deleted".to_owned(), retry_after_seconds: 10 }
    })
}

/// The CRC-32 of an original, which the archive states before its bytes; none if it is not in the blob store. An original
/// that is not the sealed one any more is refused here, before anything is sent.
async fn crc32_of_original(app: &App, file: &ItemFile) -> anyhow::Result<Option<u32>> {
    let Some(mut stream) = app.blobs.stream(&file.blob_key, None).await? else { return Ok(None) };
    let (mut crc32, mut sha256) = (crc32fast::Hasher::new(), Sha256Hasher::new());
    while let Some(piece) = stream.bytes.try_next().await? {
        crc32.update(&piece);
        sha256.update(&piece);
    }
    anyhow::ensure!(sha256.finish() == file.sha256, "is not the one that was sealed");
    Ok(Some(crc32.finalize()))
}

/// The size and the CRC-32 of the archive of these files, without reading them.
pub(super) fn measure<'a>(files: impl Iterator<Item = &'a ZipFile>) -> (u64, u32) {
    let (mut writer, mut crc32, mut size) = (ZipWriter::default(), crc32fast::Hasher::new(), 0_u64);
    for file in files {
        let header = writer.begin(file);
        crc32.update(&header);
        crc32.combine(&crc32fast::Hasher::new_with_initial_len(file.crc32, file.size));
        size += header.len() as u64 + file.size;
    }
    for piece in writer.finish() {
        crc32.update(&piece);
        size += piece.len() as u64;
    }
    (size, crc32.finalize())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_archive_is_measured_without_its_files() {
        let long = vec![7; 100_000];
        let files: [&[u8]; 3] = [b"first", b"", &long];
        let described: Vec<ZipFile> = files
            .iter()
            .enumerate()
            .map(|(number, bytes)| ZipFile {
                name: number.to_string(),
                size: bytes.len() as u64,
                crc32: crc32fast::hash(bytes),
                modified: Timestamp::from_millis(0),
            })
            .collect();
        let mut writer = ZipWriter::default();
        let mut whole: Vec<u8> = Vec::new();
        for (file, bytes) in described.iter().zip(files) {
            whole.extend(writer.begin(file));
            whole.extend(bytes);
        }
        for piece in writer.finish() {
            whole.extend(piece);
        }
        assert_eq!(measure(described.iter()), (whole.len() as u64, crc32fast::hash(&whole)));
    }
}
