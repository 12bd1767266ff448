//! The blobs in the store, for the sweep of unreferenced ones, and the installations that use it.

use anyhow::Context;
use futures_util::TryStreamExt;
use object_store::{ObjectMeta, ObjectStore, ObjectStoreExt, PutPayload, path::Path};
use sealwright_base::clock::Timestamp;

use super::{BlobArea, BlobKey, Blobs, Operation, limits};

/// Where the installations that use the store write their names. No blob key starts with it.
const OWNERS: &str = "owners";

/// A blob in the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedBlob {
    pub key: BlobKey,
    /// When it was written.
    pub modified: Timestamp,
    /// Bytes.
    pub size: u64,
}

/// An installation that uses the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Owner {
    pub name: String,
    pub since: Timestamp,
}

impl Blobs {
    /// The finished blobs of `area` whose random part starts with the byte `shard`: one in 256 of them.
    pub async fn list(&self, area: BlobArea, shard: u8) -> anyhow::Result<Vec<ListedBlob>> {
        let found = self.list_below(&format!("{}/{}", area.folder(), hex::encode([shard]))).await?;
        Ok(self.blobs_among(&found))
    }

    /// All finished blobs of `area`.
    pub async fn list_area(&self, area: BlobArea) -> anyhow::Result<Vec<ListedBlob>> {
        let found = self.list_below(area.folder()).await?;
        Ok(self.blobs_among(&found))
    }

    fn blobs_among(&self, found: &[ObjectMeta]) -> Vec<ListedBlob> {
        let listed = found.iter().filter_map(|meta| {
            // Files with other names belong to others.
            let key = self.below_prefix(meta)?.parse().ok()?;
            Some(ListedBlob { key, modified: modified(meta), size: meta.size })
        });
        listed.collect()
    }

    /// The installations that use the store.
    pub async fn owners(&self) -> anyhow::Result<Vec<Owner>> {
        let found = self.list_below(OWNERS).await?;
        let owners = found.iter().filter_map(|meta| {
            let name = meta.location.filename()?.to_owned();
            Some(Owner { name, since: modified(meta) })
        });
        Ok(owners.collect())
    }

    /// Writes the name of an installation into the store. `name` is generated: only hexadecimal digits.
    pub async fn add_owner(&self, name: &str) -> anyhow::Result<()> {
        let path = self.below(&format!("{OWNERS}/{name}"));
        let timer = self.operations.start(Operation::Write);
        let written = limits::in_time(limits::STEP, self.store.put(&path, PutPayload::from(name.to_owned()))).await;
        timer.end(written).context("writing the installation's name into the blob store")?;
        Ok(())
    }

    pub(super) async fn list_below(&self, folder: &str) -> anyhow::Result<Vec<ObjectMeta>> {
        let prefix = self.below(folder);
        let timer = self.operations.start(Operation::List);
        let listed = limits::in_time(limits::LISTING, self.store.list(Some(&prefix)).try_collect()).await;
        timer.end(listed).with_context(|| format!("listing {folder}"))
    }

    pub(super) fn below(&self, path: &str) -> Path {
        self.prefix.parts().chain(Path::from(path).parts()).collect()
    }

    pub(super) fn below_prefix(&self, meta: &ObjectMeta) -> Option<String> {
        Some(meta.location.prefix_match(&self.prefix)?.collect::<Path>().to_string())
    }
}

fn modified(meta: &ObjectMeta) -> Timestamp {
    Timestamp::from_millis(meta.last_modified.timestamp_millis())
}
