//! The blob store: files and certificates under random keys, in a local folder or an S3 bucket (operator.md,
//! `blob_url`). Only the database knows what the bytes mean.
//!
//! What is written is durable when the call returns, because an upload is acknowledged right after it: S3 guarantees
//! that, the local folder syncs each file and its folder (see [`local`]). A store that does not answer is an error
//! after some seconds (see [`limits`]).

mod key;
mod limits;
mod listing;
mod local;
mod named;
mod operations;
#[cfg(test)]
mod tests;
mod writer;

use std::{io, ops::Range, sync::Arc};

use anyhow::{Context, anyhow, bail, ensure};
use bytes::{Bytes, BytesMut};
use futures_util::{StreamExt, TryStreamExt, stream::BoxStream};
use object_store::{
    GetOptions, GetRange, GetResultPayload, ObjectStore, ObjectStoreExt, PutPayload, aws::AmazonS3Builder, path::Path,
};
use url::Url;

pub use self::{
    key::{BlobArea, BlobKey, InvalidBlobKey},
    listing::{ListedBlob, Owner},
    named::NamedFile,
    operations::{BlobBuckets, BlobDurations, BlobLabels},
    writer::{BlobWriter, StoredBlob},
};
use self::{
    limits::in_time,
    local::LocalFolder,
    operations::{Operation, Operations},
};

/// The part size of an upload to S3: the smallest that S3 accepts (except for the last part).
const S3_PART_LENGTH: usize = 5 * 1024 * 1024;
/// The part size of a file in the local folder: one write call each.
const LOCAL_PART_LENGTH: usize = 64 * 1024;

/// A handle to the store; clones share its connections.
#[derive(Clone, Debug)]
pub struct Blobs {
    store: Arc<dyn ObjectStore>,
    /// The prefix of every key: the path of an `s3://` address, empty for a local folder.
    prefix: Path,
    part_length: usize,
    /// The folder behind `store`, if it is local.
    local: Option<LocalFolder>,
    operations: Operations,
}

/// A blob that is being read.
pub struct BlobStream {
    /// Of the whole blob, in bytes.
    pub size: u64,
    /// The part of it that `bytes` contains.
    pub range: Range<u64>,
    pub bytes: BoxStream<'static, io::Result<Bytes>>,
}

impl Blobs {
    /// Opens `file:///absolute/folder` (created if missing) or `s3://bucket/prefix`.
    ///
    /// For S3, credentials, region and endpoint come from the usual variables: `AWS_ACCESS_KEY_ID`,
    /// `AWS_SECRET_ACCESS_KEY`, `AWS_REGION`, `AWS_ENDPOINT_URL`, `AWS_ALLOW_HTTP=true` for an endpoint without TLS, or
    /// a role of the machine. Addresses are path-style unless `AWS_VIRTUAL_HOSTED_STYLE_REQUEST=true`. The bucket
    /// should have a lifecycle rule that aborts incomplete multipart uploads: after a crash nothing else does.
    pub fn open(blob_url: &str) -> anyhow::Result<Self> {
        let url = Url::parse(blob_url).with_context(|| format!("blob_url: `{blob_url}` is not an address"))?;
        match url.scheme() {
            "file" => Self::open_folder(&url),
            "s3" => Self::open_bucket(&url),
            other => bail!("blob_url: expected file:///absolute/folder or s3://bucket/prefix, got `{other}:`"),
        }
    }

    fn open_folder(url: &Url) -> anyhow::Result<Self> {
        let root =
            url.to_file_path().map_err(|()| anyhow!("blob_url: expected file:///absolute/folder, got `{url}`"))?;
        let (local, store) = LocalFolder::open(&root).with_context(|| format!("blob store in {}", root.display()))?;
        Ok(Self {
            store: Arc::new(store),
            prefix: Path::default(),
            part_length: LOCAL_PART_LENGTH,
            local: Some(local),
            operations: Operations::default(),
        })
    }

    fn open_bucket(url: &Url) -> anyhow::Result<Self> {
        let bucket = url.host_str().filter(|host| !host.is_empty()).context("blob_url: s3:// lacks the bucket")?;
        let prefix = Path::from_url_path(url.path()).context("blob_url: the path is not a valid prefix for keys")?;
        install_tls_provider();
        let store = limits::client(AmazonS3Builder::from_env())
            .with_bucket_name(bucket)
            .build()
            .with_context(|| format!("blob store in bucket {bucket}"))?;
        Ok(Self {
            store: Arc::new(store),
            prefix,
            part_length: S3_PART_LENGTH,
            local: None,
            operations: Operations::default(),
        })
    }

    /// Starts writing a blob of unknown length. Nothing can be read under `key` before [`BlobWriter::finish`].
    pub fn writer(&self, key: BlobKey) -> BlobWriter {
        BlobWriter::new(self.clone(), key)
    }

    /// Stores `bytes`, replacing an existing blob. For a job that may run twice and chooses its key itself.
    pub async fn put(&self, key: &BlobKey, bytes: impl Into<Bytes>) -> anyhow::Result<()> {
        let bytes = bytes.into();
        if self.local.is_none() && bytes.len() > self.part_length {
            // In parts, each of which arrives in time.
            self.writer(key.clone()).write(bytes).await?.finish().await?.keep();
            return Ok(());
        }
        let limit = limits::for_bytes(bytes.len() as u64);
        let path = self.path(key);
        let put = async {
            self.make_folder_of(key).await?;
            self.store.put(&path, PutPayload::from(bytes)).await
        };
        let timer = self.operations.start(Operation::Write);
        timer.end(in_time(limit, put).await).with_context(|| format!("writing blob {key}"))?;
        Ok(())
    }

    /// The whole blob in memory: for small blobs (a photo, a certificate), never for a video.
    pub async fn get(&self, key: &BlobKey) -> anyhow::Result<Option<Bytes>> {
        let timer = self.operations.start(Operation::Read);
        timer.end_lookup(self.read(key).await)
    }

    async fn read(&self, key: &BlobKey) -> anyhow::Result<Option<Bytes>> {
        let Some(found) = self.request(key, GetOptions::default()).await? else { return Ok(None) };
        let reading = || format!("reading blob {key}");
        let size = found.meta.size;
        let GetResultPayload::Stream(pieces) = found.payload else {
            return Ok(Some(in_time(limits::for_bytes(size), found.bytes()).await.with_context(reading)?));
        };
        let mut pieces = limits::steady(pieces.map_err(io::Error::other).boxed());
        let mut whole = BytesMut::with_capacity(usize::try_from(size).with_context(reading)?);
        while let Some(piece) = pieces.try_next().await.with_context(reading)? {
            whole.extend_from_slice(&piece);
        }
        Ok(Some(whole.freeze()))
    }

    /// Streams the blob, or a `range` of it. A range that extends beyond the end is cut; one that starts there or is
    /// empty is an error, so call [`Blobs::size`] first. `None` if there is no such blob.
    pub async fn stream(&self, key: &BlobKey, range: Option<Range<u64>>) -> anyhow::Result<Option<BlobStream>> {
        let options = GetOptions { range: range.map(GetRange::Bounded), ..GetOptions::default() };
        let timer = self.operations.start(Operation::Open);
        let Some(found) = timer.end_lookup(self.request(key, options).await)? else { return Ok(None) };
        let (size, range) = (found.meta.size, found.range);
        let bytes = match found.payload {
            // object_store would read 8 KiB at a time; larger reads need fewer calls on blocking threads.
            GetResultPayload::File(file, _) => local::read(file, range.clone()).await?,
            GetResultPayload::Stream(bytes) => bytes.map_err(io::Error::other).boxed(),
        };
        Ok(Some(BlobStream { size, range, bytes: limits::steady(bytes) }))
    }

    /// The keys of finished blobs in the same folder as `key`. For an area that never holds many.
    pub async fn in_folder_of(&self, key: &BlobKey) -> anyhow::Result<Vec<BlobKey>> {
        let path = self.path(key);
        let folder: Path = path.parts().take(path.parts().count().saturating_sub(1)).collect();
        let timer = self.operations.start(Operation::List);
        let listed = timer.end(self.store.list(Some(&folder)).try_collect::<Vec<_>>().await);
        let listed = listed.with_context(|| format!("listing {folder}"))?;
        let skipped = self.prefix.parts().count();
        let keys = listed.iter().map(|blob| {
            let parts: Vec<_> = blob.location.parts().skip(skipped).map(|part| part.as_ref().to_owned()).collect();
            parts.join("/").parse()
        });
        // Files with other names are not ours.
        Ok(keys.filter_map(Result::ok).collect())
    }

    /// The blob's length in bytes.
    pub async fn size(&self, key: &BlobKey) -> anyhow::Result<Option<u64>> {
        let options = GetOptions { head: true, ..GetOptions::default() };
        let timer = self.operations.start(Operation::Size);
        let found = timer.end_lookup(self.request(key, options).await)?;
        Ok(found.map(|found| found.meta.size))
    }

    /// Removes the blob. A missing blob is not an error, so a job can do it twice.
    pub async fn delete(&self, key: &BlobKey) -> anyhow::Result<()> {
        let timer = self.operations.start(Operation::Delete);
        timer.end(self.remove(key).await)
    }

    async fn remove(&self, key: &BlobKey) -> anyhow::Result<()> {
        match in_time(limits::STEP, self.store.delete(&self.path(key))).await {
            Ok(()) => {}
            Err(object_store::Error::NotFound { .. }) => return Ok(()),
            Err(error) => return Err(error).with_context(|| format!("deleting blob {key}")),
        }
        match &self.local {
            Some(local) => local.sync_folder_of(key).await,
            None => Ok(()),
        }
    }

    /// Whether the store can be used: writes, reads and deletes a small blob.
    pub async fn check(&self) -> anyhow::Result<()> {
        let key = BlobKey::random(BlobArea::Probes);
        let content = Bytes::from(key.to_string());
        self.put(&key, content.clone()).await.context("the blob store cannot be written")?;
        let read = self.get(&key).await.context("the blob store cannot be read");
        self.delete(&key).await.context("the blob store cannot delete")?;
        ensure!(read?.as_ref() == Some(&content), "the blob store returned other bytes than were written");
        Ok(())
    }

    /// Removes unfinished files that killed processes left, and returns how many. It scans every file in the folder, so
    /// run it in the background and not before the server starts. Files touched in the last hour are left alone:
    /// another process may be writing them. In S3 a lifecycle rule does this.
    pub async fn sweep_unfinished(&self) -> anyhow::Result<usize> {
        match &self.local {
            Some(local) => local.sweep_unfinished().await,
            None => Ok(0),
        }
    }

    /// Creates the local folder that a new blob needs, if this is a local store.
    async fn make_folder_of(&self, key: &BlobKey) -> object_store::Result<()> {
        let Some(local) = &self.local else { return Ok(()) };
        let made = local.make_folder_of(key).await;
        made.map_err(|error| object_store::Error::Generic { store: "LocalFileSystem", source: Box::new(error) })
    }

    async fn request(&self, key: &BlobKey, options: GetOptions) -> anyhow::Result<Option<object_store::GetResult>> {
        match in_time(limits::STEP, self.store.get_opts(&self.path(key), options)).await {
            Ok(found) => Ok(Some(found)),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(error).with_context(|| format!("reading blob {key}")),
        }
    }

    fn path(&self, key: &BlobKey) -> Path {
        self.below(key.as_str())
    }
}

/// The S3 client is built without a TLS implementation of its own and uses the process's default. Ours is ring, like
/// everywhere else in the product; if a default is already installed, nothing changes.
fn install_tls_provider() {
    let _already_installed = rustls::crypto::ring::default_provider().install_default();
}
