//! The blobs of a backup: which of them the place has already, and copies of the others.
//!
//! What was copied is noted in the backup's folder until the list is there, so that a later attempt does not copy it again.

use std::collections::{BTreeSet, HashMap};

use anyhow::{Context, anyhow, ensure};
use tokio::task::JoinSet;

use super::{
    archive::{Archive, KeyError},
    format::{BlobIndex, CopiedBlob, CopiedFile, FILE_SIZE, FOLDER, read_index},
};
use crate::blobs::{BlobKey, Blobs};

/// How many blobs are copied at once.
const AT_ONCE: usize = 8;
/// How many blobs are copied before they are noted.
const NOTED_AT_ONCE: usize = 1000;

const INTERRUPTED: &str = "copying a blob was interrupted";

/// The blobs that the place has, while a backup is made.
pub(super) struct BlobCopies<'a> {
    archive: &'a Archive,
    /// Of the backup that is being made.
    id: &'a str,
    known: HashMap<String, CopiedBlob>,
    /// Copied by this attempt, and not noted yet.
    not_noted: Vec<CopiedBlob>,
    notes: usize,
    /// How many this attempt has copied.
    pub(super) new: u64,
    pub(super) new_bytes: u64,
}

impl<'a> BlobCopies<'a> {
    /// Finds out which blobs are in the place: those that the last backup has or an attempt has noted, and that are still
    /// there with the right size.
    pub(super) async fn find(archive: &'a Archive, id: &'a str, installation: &str) -> anyhow::Result<Self> {
        let listed = listed_blobs(archive, installation).await?;
        let mut known = HashMap::new();
        for (key, size) in archive.stored_blobs().await? {
            if let Some(blob) = listed.get(key.as_str())
                && archive.stored_size(blob) == size
            {
                known.insert(key.to_string(), blob.clone());
            }
        }
        Ok(Self { archive, id, known, not_noted: Vec::new(), notes: 0, new: 0, new_bytes: 0 })
    }

    /// Copies those of `keys` that are not in the place.
    ///
    /// # Errors
    /// If one is missing in `source` and `are_required`.
    pub(super) async fn copy(
        &mut self,
        source: &Blobs,
        keys: &BTreeSet<String>,
        are_required: bool,
    ) -> anyhow::Result<()> {
        let mut running: JoinSet<CopyOutcome> = JoinSet::new();
        let mut failure = None;
        for key in keys.iter().filter(|key| !self.known.contains_key(*key)).cloned().collect::<Vec<_>>() {
            if running.len() >= AT_ONCE
                && let Some(ended) = running.join_next().await
                && let Err(error) = self.add(ended.context(INTERRUPTED).flatten(), are_required)
            {
                failure = Some(error);
                break;
            }
            if self.not_noted.len() >= NOTED_AT_ONCE {
                self.note().await?;
            }
            let key: BlobKey = key.parse()?;
            let (archive, source) = (self.archive.clone(), source.clone());
            running.spawn(async move {
                let copied = archive.copy_from(&source, key.clone()).await?;
                Ok((key, copied))
            });
        }
        // After a failure, too: a copy that is complete is noted.
        while let Some(ended) = running.join_next().await {
            if let Err(error) = self.add(ended.context(INTERRUPTED).flatten(), are_required) {
                failure = failure.or(Some(error));
            }
        }
        failure.map_or(Ok(()), Err)
    }

    fn add(&mut self, copied: CopyOutcome, is_required: bool) -> anyhow::Result<()> {
        match copied? {
            (key, Some(blob)) => {
                self.new += 1;
                self.new_bytes += blob.size;
                self.not_noted.push(blob.clone());
                self.known.insert(key.to_string(), blob);
                Ok(())
            }
            (key, None) if is_required => {
                Err(anyhow!("the blob {key} is missing in the blob store, and the database names it"))
            }
            (_, None) => Ok(()),
        }
    }

    /// Notes what this attempt has copied.
    pub(super) async fn note(&mut self) -> anyhow::Result<()> {
        if self.not_noted.is_empty() {
            return Ok(());
        }
        let content = lines(&std::mem::take(&mut self.not_noted))?;
        self.archive.put_note(self.id, self.notes, content).await?;
        self.notes += 1;
        Ok(())
    }

    /// Writes which of `keys` the place has: the blobs of the backup.
    pub(super) async fn write_index(&self, keys: &BTreeSet<String>) -> anyhow::Result<BlobIndex> {
        let mut index = BlobIndex::default();
        let mut content = String::new();
        for blob in keys.iter().filter_map(|key| self.known.get(key)) {
            index.count += 1;
            index.bytes += blob.size;
            content.push_str(&lines(std::slice::from_ref(blob))?);
            if content.len() >= FILE_SIZE {
                let file = self.put_index(index.files.len(), std::mem::take(&mut content)).await?;
                index.files.push(file);
            }
        }
        if !content.is_empty() {
            let file = self.put_index(index.files.len(), content).await?;
            index.files.push(file);
        }
        Ok(index)
    }

    async fn put_index(&self, number: usize, content: String) -> anyhow::Result<CopiedFile> {
        self.archive.put(format!("{FOLDER}/{}/blobs.{number}.jsonl", self.id), content.into_bytes()).await
    }
}

/// A key with its copy, if the blob is there.
type CopyOutcome = anyhow::Result<(BlobKey, Option<CopiedBlob>)>;

/// What the last backup lists, and what attempts without a list have noted.
async fn listed_blobs(archive: &Archive, installation: &str) -> anyhow::Result<HashMap<String, CopiedBlob>> {
    let backups = archive.backups().await?;
    let mut files = Vec::new();
    if let Some(last) = backups.complete.last() {
        match archive.list(last).await {
            Ok(list) => {
                ensure!(
                    list.installation == installation,
                    "{} has backups of another installation: use another place",
                    archive.place()
                );
                files.extend(list.blobs.files);
            }
            Err(error) if error.is::<KeyError>() => return Err(error),
            Err(error) => tracing::warn!(error = %format!("{error:#}"), "the last backup cannot be used"),
        }
    }
    let mut listed = HashMap::new();
    for file in &files {
        match archive.get(file).await {
            Ok(content) => listed.extend(by_key(read_index(&content)?)),
            Err(_) => {
                tracing::warn!(file = %file.name, "a file of the last backup cannot be used: its blobs are copied again");
            }
        }
    }
    for id in &backups.incomplete {
        match archive.notes(id).await {
            Ok(noted) => listed.extend(by_key(noted)),
            Err(error) => {
                let error = format!("{error:#}");
                tracing::warn!(%error, backup = %id, "what an incomplete backup has copied is copied again");
            }
        }
    }
    Ok(listed)
}

fn by_key(blobs: Vec<CopiedBlob>) -> impl Iterator<Item = (String, CopiedBlob)> {
    blobs.into_iter().map(|blob| (blob.key.to_string(), blob))
}

fn lines(blobs: &[CopiedBlob]) -> anyhow::Result<String> {
    let mut content = String::new();
    for blob in blobs {
        content.push_str(&serde_json::to_string(blob)?);
        content.push('\n');
    }
    Ok(content)
}
