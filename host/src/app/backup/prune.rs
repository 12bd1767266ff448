//! Deletes old backups of a schedule, and the blobs that only they had.

use std::collections::HashSet;

use super::{archive::Archive, make::read_index};

/// Keeps the newest `keep` complete backups, deletes those before them and what was cut off before the newest, and then
/// the blobs that no remaining backup has. Only while the turn is held: a backup that is being made would miss blobs.
///
/// If one of the remaining backups cannot be read, no blob is deleted.
pub(super) async fn prune(archive: &Archive, keep: usize) -> anyhow::Result<()> {
    let backups = archive.backups().await?;
    let Some(newest) = backups.complete.last() else { return Ok(()) };
    let (old, kept) = backups.complete.split_at(backups.complete.len().saturating_sub(keep));
    let cut_off = backups.incomplete.iter().filter(|id| *id < newest);
    for id in old.iter().chain(cut_off) {
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
