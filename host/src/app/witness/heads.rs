//! The newest cosigned head of each log, kept in the blob store before the cosignature leaves the server. A database that
//! was restored from a copy lacks the heads cosigned since: with its row alone, the witness would cosign a second history.
//!
//! The kept heads are blobs named by size (`witnessed-heads/…`), so that nodes that keep one at the same time do not
//! overwrite each other: the largest counts.

use anyhow::{Context, anyhow};
use sealwright_seal::{
    Sha256Digest,
    tlog::{Checkpoint, witness::WitnessedHead},
};

use crate::{
    blobs::{BlobKey, Blobs},
    error::{Error, Result},
};

/// How many heads of a log are kept: one that was listed can be read until so many newer ones are kept.
const KEPT: usize = 8;

/// Identifies a log among those that are cosigned with the key of this purpose.
pub(super) fn log_of(purpose: &str, origin: &str) -> [u8; 8] {
    let digest = Sha256Digest::of(format!("{purpose}\n{origin}"));
    digest.as_bytes()[..8].try_into().expect("a digest has more than 8 bytes")
}

/// The newest kept head, if any.
///
/// # Errors
/// If the blob store is unavailable, or so slow that heads are deleted before they are read.
pub(super) async fn newest(blobs: &Blobs, log: [u8; 8]) -> Result<Option<WitnessedHead>> {
    const TRIES: usize = 5;
    for _ in 0..TRIES {
        let Some(size) = sizes(blobs, log).await?.pop() else { return Ok(None) };
        let key = BlobKey::witnessed_head(log, size);
        let Some(note) = blobs.get(&key).await? else { continue };
        let note = std::str::from_utf8(&note).with_context(|| format!("{key} is not a checkpoint"))?;
        let text = note.split_once("\n\n").map(|(text, _)| format!("{text}\n")).unwrap_or_default();
        let Checkpoint { root, .. } = Checkpoint::parse(&text).with_context(|| format!("{key} is not a checkpoint"))?;
        return Ok(Some(WitnessedHead { size, root }));
    }
    let cause = anyhow!("the newest cosigned head of a log was deleted {TRIES} times before it could be read");
    Err(Error::Unavailable { part: "blob store", cause })
}

/// Keeps a head's checkpoint durably, and deletes much smaller ones.
pub(super) async fn keep(blobs: &Blobs, log: [u8; 8], size: u64, note: String) -> Result<()> {
    blobs.put(&BlobKey::witnessed_head(log, size), note).await?;
    let sizes = sizes(blobs, log).await?;
    for &smaller in &sizes[..sizes.len().saturating_sub(KEPT)] {
        blobs.delete(&BlobKey::witnessed_head(log, smaller)).await?;
    }
    Ok(())
}

/// Of the kept heads, in ascending order.
async fn sizes(blobs: &Blobs, log: [u8; 8]) -> Result<Vec<u64>> {
    let keys = blobs.in_folder_of(&BlobKey::witnessed_head(log, 0)).await?;
    let sizes = keys.iter().filter_map(BlobKey::read_witnessed_head).filter(|(of, _)| *of == log).map(|(_, size)| size);
    let mut sizes: Vec<u64> = sizes.collect();
    sizes.sort_unstable();
    Ok(sizes)
}
