//! Writing a blob piece by piece, and discarding it.

use anyhow::Context;
use bytes::{Bytes, BytesMut};
use object_store::{MultipartUpload, ObjectStoreExt, PutPayload};
use tokio::{runtime::Handle, time::timeout};

use super::{
    BlobKey, Blobs, Operation,
    limits::{self, in_time},
};

/// A blob that is being written. It holds at most one part in memory (64 KiB for a local folder, 5 MiB for S3) in
/// addition to the piece it was given.
///
/// Each step consumes the writer, because it cannot be used after an error. Dropping it, also in the middle of a step,
/// removes what was written.
#[derive(Debug)]
pub struct BlobWriter {
    blobs: Blobs,
    key: BlobKey,
    part: BytesMut,
    /// How many bytes were handed over.
    handed_over: u64,
    transfer: Transfer,
}

/// The multipart upload. A blob that fits into one part has none and is stored by a single request.
#[derive(Debug, Default)]
struct Transfer {
    upload: Option<Box<dyn MultipartUpload>>,
}

impl BlobWriter {
    pub(super) fn new(blobs: Blobs, key: BlobKey) -> Self {
        Self { blobs, key, part: BytesMut::new(), handed_over: 0, transfer: Transfer::default() }
    }

    /// Appends `piece`; returns when all but its last part is handed over.
    pub async fn write(mut self, mut piece: Bytes) -> anyhow::Result<Self> {
        while !piece.is_empty() {
            let room = self.blobs.part_length - self.part.len();
            self.part.extend_from_slice(&piece.split_to(room.min(piece.len())));
            if self.part.len() == self.blobs.part_length {
                self = self.hand_over_part().await?;
            }
        }
        Ok(self)
    }

    /// Makes the blob durable and readable under its key.
    ///
    /// This runs as a task of its own: if the caller is dropped meanwhile, the store's last step can no longer be
    /// stopped, but the task completes it and then deletes the blob.
    pub async fn finish(self) -> anyhow::Result<StoredBlob> {
        let timer = self.blobs.operations.start(Operation::Write);
        let limit = limits::for_bytes(self.handed_over);
        let completed = match timeout(limit, tokio::spawn(self.complete())).await {
            Ok(completed) => completed.context("storing a blob was interrupted").flatten(),
            Err(_) => Err(limits::no_answer(limit).into()),
        };
        timer.end(completed)
    }

    /// Removes what was written so far before it returns. A failure to remove is only logged: the caller has its own
    /// error to report, and the sweep tries again.
    pub async fn abort(mut self) {
        if timeout(limits::STEP, self.transfer.abort()).await.is_err() {
            tracing::debug!("an unfinished blob was not removed in time");
        }
    }

    #[cfg(test)]
    pub(super) fn buffered(&self) -> usize {
        self.part.len()
    }

    async fn hand_over_part(mut self) -> anyhow::Result<Self> {
        let part = self.part.split().freeze();
        self.handed_over += part.len() as u64;
        // After an error the drop aborts the upload in the background: an unavailable store would not answer that
        // either.
        let timer = self.blobs.operations.start(Operation::WritePart);
        let handed_over = in_time(limits::STEP, self.transfer.put(&self.blobs, &self.key, part)).await;
        timer.end(handed_over).with_context(|| format!("writing blob {}", self.key))?;
        Ok(self)
    }

    async fn complete(mut self) -> anyhow::Result<StoredBlob> {
        let last_part = self.part.split().freeze();
        match self.transfer.complete(&self.blobs, &self.key, last_part).await {
            Ok(()) => Ok(StoredBlob { blobs: self.blobs, key: self.key, kept: false }),
            Err(error) => {
                self.transfer.abort().await;
                if let Some(local) = &self.blobs.local {
                    // A local upload whose last step failed, on a full disk for example, no longer knows its file.
                    local.remove_staged(&self.key).await;
                }
                Err(error).with_context(|| format!("writing blob {}", self.key))
            }
        }
    }
}

impl Transfer {
    async fn put(&mut self, blobs: &Blobs, key: &BlobKey, part: Bytes) -> object_store::Result<()> {
        let upload = match &mut self.upload {
            Some(upload) => upload,
            none => {
                blobs.make_folder_of(key).await?;
                none.insert(blobs.store.put_multipart(&blobs.path(key)).await?)
            }
        };
        upload.put_part(PutPayload::from(part)).await
    }

    async fn complete(&mut self, blobs: &Blobs, key: &BlobKey, last_part: Bytes) -> object_store::Result<()> {
        if self.upload.is_none() {
            blobs.make_folder_of(key).await?;
            blobs.store.put(&blobs.path(key), PutPayload::from(last_part)).await?;
            return Ok(());
        }
        if !last_part.is_empty() {
            self.put(blobs, key, last_part).await?;
        }
        if let Some(upload) = &mut self.upload {
            upload.complete().await?;
        }
        // Completed: a drop must not abort it.
        self.upload = None;
        Ok(())
    }

    async fn abort(&mut self) {
        if let Some(mut upload) = self.upload.take()
            && let Err(error) = upload.abort().await
        {
            tracing::debug!(%error, "an unfinished blob was not removed");
        }
    }
}

impl Drop for Transfer {
    fn drop(&mut self) {
        // A local upload removes its file when it is dropped, one to S3 must be aborted. Without a runtime the program
        // is ending, and the sweep or the bucket's lifecycle rule does it.
        if let (Some(mut upload), Ok(runtime)) = (self.upload.take(), Handle::try_current()) {
            runtime.spawn(async move {
                if let Err(error) = upload.abort().await {
                    tracing::debug!(%error, "an unfinished blob was not removed");
                }
            });
        }
    }
}

/// A blob that is durable but not referenced yet: when dropped it is deleted, so that a use case that fails after the
/// file arrived has nothing to clean up. [`StoredBlob::keep`] prevents that.
#[must_use = "the blob is deleted again unless it is kept"]
#[derive(Debug)]
pub struct StoredBlob {
    blobs: Blobs,
    key: BlobKey,
    kept: bool,
}

impl StoredBlob {
    pub fn key(&self) -> &BlobKey {
        &self.key
    }

    /// From now on the blob stays.
    pub fn keep(mut self) -> BlobKey {
        self.kept = true;
        self.key.clone()
    }

    /// Deletes the blob now, for a caller that must wait for it.
    pub async fn discard(self) {
        delete(&self.blobs, &self.key).await;
        // The drop has nothing left to do.
        self.keep();
    }
}

impl Drop for StoredBlob {
    fn drop(&mut self) {
        if let (false, Ok(runtime)) = (self.kept, Handle::try_current()) {
            let (blobs, key) = (self.blobs.clone(), self.key.clone());
            runtime.spawn(async move { delete(&blobs, &key).await });
        }
    }
}

async fn delete(blobs: &Blobs, key: &BlobKey) {
    if let Err(error) = blobs.delete(key).await {
        tracing::warn!(error = %format!("{error:#}"), %key, "an unneeded blob was not removed");
    }
}
