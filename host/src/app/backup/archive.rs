//! The place where backups are: a folder or a bucket. Blobs are next to each other, and all backups in the place share
//! them, because a blob never changes. Every file is encrypted if there is a key.

use std::path::{self, Path};

use anyhow::{Context, anyhow, bail, ensure};
use bytes::Bytes;
use futures_util::TryStreamExt;
use sealwright_seal::{Sha256Digest, Sha256Hasher};
use strum::VariantArray as _;
use url::Url;

use super::format::{BackupList, CopiedBlob, CopiedFile, FOLDER, LIST, read_index};
use crate::{
    blobs::{BlobArea, BlobKey, Blobs},
    secrets::{
        SecretKey,
        chunks::{self, MAGIC, OpenError, Opener, Sealer},
    },
};

/// How the names of an attempt's notes begin.
const NOTE: &str = "copied.";

/// The place of backups.
#[derive(Clone)]
pub struct Archive {
    blobs: Blobs,
    key: Option<SecretKey>,
    /// As the operator named it.
    place: String,
}

/// The backups in a place, the oldest first.
#[derive(Debug, Default)]
pub struct Backups {
    pub complete: Vec<String>,
    /// Folders without a list: those backups were cut off, or are being made.
    pub incomplete: Vec<String>,
}

/// Why a file of a place cannot be read with the given key. Another key may help.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    #[error("the backups in {0} are encrypted: name the file of their key with --key or backup.key_file")]
    Missing(String),
    #[error("the backups in {0} are encrypted with another key than the given one")]
    Other(String),
    #[error("the backups in {0} are not encrypted, and a key was given: use another place for encrypted backups")]
    NotEncrypted(String),
}

impl Archive {
    /// Opens the place to write a backup: a folder, created if missing, or `s3://bucket/prefix`.
    ///
    /// # Errors
    /// If it is the blob store of an installation, whose blobs a schedule would delete.
    pub async fn for_writing(place: &str, key: Option<SecretKey>) -> anyhow::Result<Self> {
        let archive = Self::open(place, key)?;
        let is_free = archive.blobs.owners().await?.is_empty();
        ensure!(is_free, "{place} is the blob store of an installation: use another place for backups");
        Ok(archive)
    }

    /// Opens a place that exists.
    pub fn for_reading(place: &str, key: Option<SecretKey>) -> anyhow::Result<Self> {
        if let Ok(folder) = address(place)?.to_file_path() {
            ensure!(folder.join(FOLDER).is_dir(), "{place} has no backup");
        }
        Self::open(place, key)
    }

    fn open(place: &str, key: Option<SecretKey>) -> anyhow::Result<Self> {
        let blobs = Blobs::open(address(place)?.as_str()).with_context(|| format!("the place of backups {place}"))?;
        Ok(Self { blobs, key, place: place.to_owned() })
    }

    pub fn place(&self) -> &str {
        &self.place
    }

    pub const fn is_encrypted(&self) -> bool {
        self.key.is_some()
    }

    /// Stores a file, and returns what the list says about it.
    pub async fn put(&self, name: String, content: Vec<u8>) -> anyhow::Result<CopiedFile> {
        let (size, sha256) = (content.len() as u64, Sha256Digest::of(&content));
        let stored = match &self.key {
            Some(key) => chunks::seal(key, &name, &content),
            None => content,
        };
        self.blobs.put_named(&name, stored).await?;
        Ok(CopiedFile { name, size, sha256 })
    }

    /// The content of a file in the list.
    ///
    /// # Errors
    /// If it is missing, or differs from the stored bytes.
    pub async fn get(&self, file: &CopiedFile) -> anyhow::Result<Vec<u8>> {
        let content = self.read(&file.name).await?;
        let is_same = content.len() as u64 == file.size && Sha256Digest::of(&content) == file.sha256;
        ensure!(is_same, "the file {} of the backup was changed", file.name);
        Ok(content)
    }

    async fn read(&self, name: &str) -> anyhow::Result<Vec<u8>> {
        let stored = self.blobs.get_named(name).await?;
        let stored = stored.with_context(|| format!("the file {name} of the backup is missing"))?;
        match &self.key {
            Some(key) => chunks::open(key, name, &stored).map_err(|error| self.unreadable(name, error)),
            None if stored.starts_with(MAGIC) => Err(KeyError::Missing(self.place.clone()).into()),
            None => Ok(stored.to_vec()),
        }
    }

    fn unreadable(&self, name: &str, error: OpenError) -> anyhow::Error {
        match error {
            OpenError::OtherKey => KeyError::Other(self.place.clone()).into(),
            OpenError::NotEncrypted => KeyError::NotEncrypted(self.place.clone()).into(),
            OpenError::Changed => anyhow!("the file {name} of the backup was changed or cut off"),
        }
    }

    /// The backups in the place.
    pub async fn backups(&self) -> anyhow::Result<Backups> {
        let mut backups = Backups::default();
        let mut all: Vec<String> = Vec::new();
        for file in self.blobs.list_named(FOLDER).await? {
            let mut parts = file.name.split('/').skip(1);
            let (Some(id), Some(name)) = (parts.next(), parts.next()) else { continue };
            if name == LIST {
                backups.complete.push(id.to_owned());
            }
            all.push(id.to_owned());
        }
        backups.complete.sort_unstable();
        all.sort_unstable();
        all.dedup();
        all.retain(|id| backups.complete.binary_search(id).is_err());
        backups.incomplete = all;
        Ok(backups)
    }

    /// The list of a backup.
    pub async fn list(&self, id: &str) -> anyhow::Result<BackupList> {
        let name = list_name(id);
        let content = self.read(&name).await?;
        let list =
            BackupList::read(&content).with_context(|| format!("the file {name} of the backup cannot be used"))?;
        ensure!(list.id == id, "the file {name} of the backup belongs to the backup {}", list.id);
        Ok(list)
    }

    /// Writes the list: from then on the backup is complete.
    pub async fn put_list(&self, list: &BackupList) -> anyhow::Result<()> {
        self.put(list_name(&list.id), list.write()?.into_bytes()).await.map(drop)
    }

    /// Every blob in the place with its stored size. A blob may belong to a backup that was cut off.
    pub async fn stored_blobs(&self) -> anyhow::Result<Vec<(BlobKey, u64)>> {
        let mut stored = Vec::new();
        for &area in BlobArea::VARIANTS {
            stored.extend(self.blobs.list_area(area).await?.into_iter().map(|blob| (blob.key, blob.size)));
        }
        Ok(stored)
    }

    /// Notes blobs that an attempt has copied, before it has a list.
    pub(super) async fn put_note(&self, id: &str, number: usize, content: String) -> anyhow::Result<()> {
        self.put(format!("{FOLDER}/{id}/{NOTE}{number}.jsonl"), content.into_bytes()).await.map(drop)
    }

    /// The blobs that an attempt has noted.
    pub(super) async fn notes(&self, id: &str) -> anyhow::Result<Vec<CopiedBlob>> {
        let mut noted = Vec::new();
        for file in self.blobs.list_named(&format!("{FOLDER}/{id}")).await? {
            if is_note(&file.name) {
                noted.extend(read_index(&self.read(&file.name).await?)?);
            }
        }
        Ok(noted)
    }

    /// Deletes the notes of an attempt: its list has their blobs.
    pub(super) async fn delete_notes(&self, id: &str) -> anyhow::Result<()> {
        self.delete_files(id, is_note).await
    }

    /// Deletes the remains of an attempt, its list first, but not its notes.
    pub(super) async fn clear_attempt(&self, id: &str) -> anyhow::Result<()> {
        self.blobs.delete_named(&list_name(id)).await?;
        self.delete_files(id, |name| !is_note(name)).await
    }

    /// Deletes a backup, its list first: one that is deleted in part is incomplete. Its blobs stay.
    pub(super) async fn delete(&self, id: &str) -> anyhow::Result<()> {
        self.blobs.delete_named(&list_name(id)).await?;
        self.delete_files(id, |_| true).await
    }

    async fn delete_files(&self, id: &str, is_chosen: fn(&str) -> bool) -> anyhow::Result<()> {
        for file in self.blobs.list_named(&format!("{FOLDER}/{id}")).await? {
            if is_chosen(&file.name) {
                self.blobs.delete_named(&file.name).await?;
            }
        }
        Ok(())
    }

    pub(super) async fn delete_blob(&self, key: &BlobKey) -> anyhow::Result<()> {
        self.blobs.delete(key).await
    }

    /// How long the stored form of a blob is.
    pub const fn stored_size(&self, blob: &CopiedBlob) -> u64 {
        if self.key.is_some() { chunks::sealed_length(blob.size) } else { blob.size }
    }

    /// Copies a blob from `source`. None if it is not there.
    pub async fn copy_from(&self, source: &Blobs, key: BlobKey) -> anyhow::Result<Option<CopiedBlob>> {
        let Some(mut stream) = source.stream(&key, None).await? else { return Ok(None) };
        let mut hasher = Sha256Hasher::new();
        let mut size = 0;
        let mut writer = self.blobs.writer(key.clone());
        let mut sealer = None;
        if let Some(secret) = &self.key {
            let (begun, header) = Sealer::new(secret, key.as_str());
            writer = writer.write(header.into()).await?;
            sealer = Some(begun);
        }
        let reading = || format!("reading blob {key}");
        while let Some(piece) = stream.bytes.try_next().await.with_context(reading)? {
            hasher.update(&piece);
            size += piece.len() as u64;
            let piece: Bytes = match &mut sealer {
                Some(sealer) => sealer.push(&piece).into(),
                None => piece,
            };
            writer = writer.write(piece).await?;
        }
        ensure!(size == stream.size, "blob {key} ended after {size} of {} bytes", stream.size);
        if let Some(sealer) = sealer {
            writer = writer.write(sealer.finish().into()).await?;
        }
        writer.finish().await?.keep();
        Ok(Some(CopiedBlob { key, size, sha256: hasher.finish() }))
    }

    /// Reads a blob of the backup, and writes it to `target`, if there is one.
    ///
    /// # Errors
    /// If it is missing, or differs from the stored bytes. Then `target` is empty.
    pub async fn copy_to(&self, target: Option<&Blobs>, blob: &CopiedBlob) -> anyhow::Result<()> {
        let key = &blob.key;
        let missing = || format!("the blob {key} of the backup is missing");
        let mut stream = self.blobs.stream(key, None).await?.with_context(missing)?;
        let mut opener = self.key.as_ref().map(|secret| Opener::new(secret, key.as_str()));
        let mut hasher = Sha256Hasher::new();
        let mut size = 0;
        let mut writer = target.map(|target| target.writer(key.clone()));
        let mut is_over = false;
        while !is_over {
            let piece = stream.bytes.try_next().await.with_context(|| format!("reading blob {key} of the backup"))?;
            is_over = piece.is_none();
            let piece = match (opener.take(), piece) {
                (None, piece) => piece.unwrap_or_default(),
                (Some(mut open), Some(piece)) => {
                    let opened = open.push(&piece).map_err(|error| self.unreadable(key.as_str(), error))?;
                    opener = Some(open);
                    opened.into()
                }
                (Some(open), None) => open.finish().map_err(|error| self.unreadable(key.as_str(), error))?.into(),
            };
            hasher.update(&piece);
            size += piece.len() as u64;
            if let Some(writing) = writer.take() {
                writer = Some(writing.write(piece).await?);
            }
        }
        if size != blob.size || hasher.finish() != blob.sha256 {
            bail!("the blob {key} of the backup was changed");
        }
        if let Some(writer) = writer {
            writer.finish().await?.keep();
        }
        Ok(())
    }

    /// A whole blob of the backup, in memory.
    pub async fn blob(&self, blob: &CopiedBlob) -> anyhow::Result<Vec<u8>> {
        let key = &blob.key;
        let missing = || format!("the blob {key} of the backup is missing");
        let stored = self.blobs.get(key).await?.with_context(missing)?;
        let content = match &self.key {
            Some(secret) => {
                chunks::open(secret, key.as_str(), &stored).map_err(|error| self.unreadable(key.as_str(), error))?
            }
            None => stored.to_vec(),
        };
        ensure!(Sha256Digest::of(&content) == blob.sha256, "the blob {key} of the backup was changed");
        Ok(content)
    }
}

/// Whether the file has blobs that an attempt has noted.
fn is_note(name: &str) -> bool {
    name.rsplit('/').next().is_some_and(|file| file.starts_with(NOTE))
}

fn list_name(id: &str) -> String {
    format!("{FOLDER}/{id}/{LIST}")
}

/// The address of a place: that of a folder if it is a path.
pub fn address(place: &str) -> anyhow::Result<Url> {
    if place.starts_with("s3://") || place.starts_with("file://") {
        return Url::parse(place).with_context(|| format!("{place} is not an address"));
    }
    ensure!(!place.is_empty(), "the place of backups is empty");
    let path = path::absolute(Path::new(place)).with_context(|| format!("the folder {place}"))?;
    Url::from_file_path(path).map_err(|()| anyhow!("{place} is not the path of a folder"))
}
