//! Deletes what incomplete backups have left, and old backups of a schedule with the blobs that only they had.

use std::collections::HashSet;

use super::{archive::Archive, format::read_index};

/// Deletes what was cut off before the newest complete backup. If there is `keep`, keeps so many complete backups, the
/// newest ones, deletes those before them, and then the blobs that no remaining backup has. Only while the turn is held: a
/// backup that is being made would miss blobs.
///
/// If one of the remaining backups cannot be read, no blob is deleted.
pub(super) async fn prune(archive: &Archive, keep: Option<usize>) -> anyhow::Result<()> {
    let backups = archive.backups().await?;
    let Some(newest) = backups.complete.last() else { return Ok(()) };
    for id in backups.incomplete.iter().filter(|id| *id < newest) {
        archive.delete(id).await?;
    }
    let Some(keep) = keep else { return Ok(()) };
    let (old, kept) = backups.complete.split_at(backups.complete.len().saturating_sub(keep));
    for id in old {
        archive.delete(id).await?;
    }
    let mut needed = HashSet::new();
    for id in kept {
        for file in archive.list(id).await?.blobs.files {
            needed.extend(read_index(&archive.get(&file).await?)?.into_iter().map(|blob| blob.key));
        }
    }
    for (key, _) in archive.stored_blobs().await? {
        if !needed.contains(&key) {
            archive.delete_blob(&key).await?;
        }
    }
    Ok(())
}
