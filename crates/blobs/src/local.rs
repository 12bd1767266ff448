//! What the local folder needs beyond `object_store`'s own file system store: durability of folders and of deletions,
//! larger reads, and a sweep of unfinished files.
//!
//! The store itself syncs every file, then renames it and syncs its folder (`with_fsync`). It also creates missing
//! folders, but does not sync the folders above them, and a second upload to the same new folder may return before the
//! first one has made the folder durable. So folders are created and synced here, before the first file.

use std::{
    collections::HashSet,
    fs::{self, File},
    io::{self, SeekFrom},
    ops::Range,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use anyhow::Context;
use bytes::Bytes;
use futures_util::{StreamExt, stream::BoxStream};
use object_store::local::LocalFileSystem;
use parking_lot::{Mutex, MutexGuard};
use sealwright_base::clock::{Clock, Timestamp};
use strum::VariantArray as _;
use tokio::{
    io::{AsyncReadExt, AsyncSeekExt},
    task::spawn_blocking,
};
use tokio_util::io::ReaderStream;

use super::{BlobArea, BlobKey, LOCAL_PART_LENGTH};

/// An unfinished file that was not written to for this long belongs to no running upload.
const ABANDONED_AFTER: Duration = Duration::from_hours(1);

#[derive(Clone, Debug)]
pub(super) struct LocalFolder {
    root: PathBuf,
    /// The folders of keys that are known to survive a power failure.
    durable: Arc<Mutex<HashSet<PathBuf>>>,
}

impl LocalFolder {
    /// Creates `root` and the folders of all areas, durably. Those below them are created when a key needs one.
    pub(super) fn open(root: &Path) -> anyhow::Result<(Self, LocalFileSystem)> {
        let mut durable = HashSet::new();
        make_folder(root)?;
        for area in BlobArea::VARIANTS {
            let folder = root.join(area.folder());
            make_folder(&folder)?;
            for entry in fs::read_dir(&folder)? {
                durable.insert(entry?.path());
            }
            // A process that was killed may have created some of them a moment ago.
            sync_folder(&folder)?;
        }
        let store = LocalFileSystem::new_with_prefix(root)?.with_fsync(true);
        Ok((Self { root: root.to_path_buf(), durable: Arc::new(Mutex::new(durable)) }, store))
    }

    /// Creates the folder of the file of `key`, durably.
    pub(super) async fn make_folder_of(&self, key: &BlobKey) -> io::Result<()> {
        let path = self.root.join(key.as_str());
        let Some(folder) = path.parent() else { return Ok(()) };
        if self.durable().contains(folder) {
            return Ok(());
        }
        let made = folder.to_path_buf();
        spawn_blocking(move || {
            make_in_synced_later(&made)?;
            made.parent().map_or(Ok(()), sync_folder)
        })
        .await??;
        self.durable().insert(folder.to_path_buf());
        Ok(())
    }

    /// Creates the folders of the file `name`, durably.
    pub(super) async fn make_folders_of_name(&self, name: &str) -> anyhow::Result<()> {
        let path = self.root.join(name);
        spawn_blocking(move || path.parent().map_or(Ok(()), make_folder)).await?
    }

    fn durable(&self) -> MutexGuard<'_, HashSet<PathBuf>> {
        // A set of names is never half-changed.
        self.durable.lock()
    }

    /// Makes a deletion durable, which the store does not: after a power failure, data that was deleted on request must
    /// not reappear.
    pub(super) async fn sync_folder_of(&self, key: &BlobKey) -> anyhow::Result<()> {
        let path = self.root.join(key.as_str());
        spawn_blocking(move || path.parent().map_or(Ok(()), sync_folder))
            .await?
            .with_context(|| format!("syncing the folder of blob {key}"))
    }

    /// Removes the file that an upload to `key` was collected in, if it is still there.
    pub(super) async fn remove_staged(&self, key: &BlobKey) {
        // Keys are random, so no other upload uses this one, and the store chose the first number.
        let staged = self.root.join(format!("{key}#1"));
        if let Err(error) = tokio::fs::remove_file(&staged).await
            && error.kind() != io::ErrorKind::NotFound
        {
            tracing::warn!(%error, path = %staged.display(), "an unfinished blob was not removed");
        }
    }

    /// See [`super::Blobs::sweep_unfinished`].
    pub(super) async fn sweep_unfinished(&self) -> anyhow::Result<usize> {
        let root = self.root.clone();
        let long_ago = Clock::system().now().before(ABANDONED_AFTER);
        spawn_blocking(move || sweep(&root, long_ago)).await?.context("sweeping the blob store")
    }
}

/// The `range` of `file`, 64 KiB at a time.
pub(super) async fn read(file: File, range: Range<u64>) -> io::Result<BoxStream<'static, io::Result<Bytes>>> {
    let mut file = tokio::fs::File::from_std(file);
    file.seek(SeekFrom::Start(range.start)).await?;
    let part = file.take(range.end.saturating_sub(range.start));
    Ok(ReaderStream::with_capacity(part, LOCAL_PART_LENGTH).boxed())
}

/// Creates `folder` and its missing parents, and syncs every folder that got a new entry.
fn make_folder(folder: &Path) -> anyhow::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    if let Some(parent) = folder.parent() {
        make_folder(parent)?;
        make_in_synced_later(folder).with_context(|| format!("creating {}", folder.display()))?;
        sync_folder(parent).with_context(|| format!("syncing {}", parent.display()))?;
    }
    Ok(())
}

/// Creates `folder`; its parent must be synced before anything relies on it.
fn make_in_synced_later(folder: &Path) -> io::Result<()> {
    match fs::create_dir(folder) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    }
}

/// Makes the entries of `folder` durable.
fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

fn sweep(root: &Path, long_ago: Timestamp) -> io::Result<usize> {
    let mut removed = 0;
    for area in BlobArea::VARIANTS {
        for shard in fs::read_dir(root.join(area.folder()))? {
            for file in fs::read_dir(shard?.path())? {
                let file = file?;
                if is_staged(&file.file_name().to_string_lossy()) && untouched_since(&file, long_ago)? {
                    fs::remove_file(file.path())?;
                    removed += 1;
                }
            }
        }
    }
    Ok(removed)
}

/// `object_store` collects an upload in a file next to its destination, with `#` and a number appended to the name.
fn is_staged(name: &str) -> bool {
    name.rsplit_once('#')
        .is_some_and(|(_, number)| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

fn untouched_since(file: &fs::DirEntry, long_ago: Timestamp) -> io::Result<bool> {
    let modified = match file.metadata() {
        Ok(metadata) => metadata.modified()?,
        // Finished or removed since the folder was read.
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(error),
    };
    // A time that jiff cannot represent is thousands of years away and irrelevant here.
    Ok(jiff::Timestamp::try_from(modified).is_ok_and(|modified| Timestamp::from(modified) < long_ago))
}
