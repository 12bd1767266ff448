//! Files with names of our own choice next to the blobs: what a backup consists of in addition to blobs.

use anyhow::Context;
use bytes::Bytes;
use object_store::{GetOptions, ObjectStore, ObjectStoreExt, PutPayload};

use super::{Blobs, Operation, limits};

/// A file in the store that is not a blob.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedFile {
    /// Its path below the root of the store.
    pub name: String,
    /// Bytes.
    pub size: u64,
}

impl Blobs {
    /// Stores a small file under `name`: parts of letters, digits, `.`, `_` and `-`, separated by `/`. It is durable when
    /// this returns. No blob key may start with the first part.
    pub async fn put_named(&self, name: &str, bytes: impl Into<Bytes>) -> anyhow::Result<()> {
        let bytes = bytes.into();
        let limit = limits::for_bytes(bytes.len() as u64);
        if let Some(local) = &self.local {
            local.make_folders_of_name(name).await?;
        }
        let path = self.below(name);
        let timer = self.operations.start(Operation::Write);
        let written = limits::in_time(limit, self.store.put(&path, PutPayload::from(bytes))).await;
        timer.end(written).with_context(|| format!("writing {name}"))?;
        Ok(())
    }

    /// The file under `name`, whole. None if it does not exist.
    pub async fn get_named(&self, name: &str) -> anyhow::Result<Option<Bytes>> {
        let path = self.below(name);
        let found = match limits::in_time(limits::STEP, self.store.get_opts(&path, GetOptions::default())).await {
            Ok(found) => found,
            Err(object_store::Error::NotFound { .. }) => return Ok(None),
            Err(error) => return Err(error).with_context(|| format!("reading {name}")),
        };
        let limit = limits::for_bytes(found.meta.size);
        let bytes = limits::in_time(limit, found.bytes()).await.with_context(|| format!("reading {name}"))?;
        Ok(Some(bytes))
    }

    /// Removes the file under `name`. A missing file is not an error.
    pub async fn delete_named(&self, name: &str) -> anyhow::Result<()> {
        let timer = self.operations.start(Operation::Delete);
        let deleted = match limits::in_time(limits::STEP, self.store.delete(&self.below(name))).await {
            Err(object_store::Error::NotFound { .. }) => Ok(()),
            deleted => deleted,
        };
        timer.end(deleted).with_context(|| format!("deleting {name}"))
    }

    /// The files whose names start with `folder/`.
    pub async fn list_named(&self, folder: &str) -> anyhow::Result<Vec<NamedFile>> {
        let found = self.list_below(folder).await?;
        let files = found.iter().filter_map(|meta| Some(NamedFile { name: self.below_prefix(meta)?, size: meta.size }));
        Ok(files.collect())
    }
}
