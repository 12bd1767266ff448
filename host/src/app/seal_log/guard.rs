//! Prevents the server from signing two different logs. The newest published head is kept outside the database, in the
//! blob store, before anyone can see it. A database that was restored from a backup lacks the entries published since;
//! if the log continued, it would sign a second checkpoint of the same size over other entries. So nothing is signed or
//! published unless the database's log contains the kept head.
//!
//! The kept heads are blobs named by size (`log-heads/…`), so that nodes that keep one at the same time do not
//! overwrite each other: the largest counts, and much smaller ones are deleted.

use anyhow::{Context, anyhow};
use bytes::Bytes;
use parking_lot::Mutex as SyncMutex;
use sealwright_seal::{
    Sha256Digest,
    tlog::{
        Checkpoint,
        note::NoteVerifier,
        tree::{Frontier, nodes_of_frontier},
    },
};
use tokio::sync::Mutex;

use crate::{
    blobs::{BlobKey, Blobs},
    db::Reader,
    error::{Error, Result},
    store::{self, seal_log::Head},
};

/// Why nothing is appended to the log, and no checkpoint is published.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LogStopped {
    #[error(
        "the log of seals has {entries} entries in the database, but a checkpoint over {published} was published: the \
         database was restored from a backup"
    )]
    Behind { entries: u64, published: u64 },
    #[error(
        "the log of seals in the database does not match the published checkpoint over {published}: the database was \
         restored from a backup"
    )]
    Forked { published: u64 },
}

/// A published head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct KeptHead {
    log: [u8; 8],
    size: u64,
    root: Sha256Digest,
}

/// Keeps the published heads.
#[derive(Default)]
pub(super) struct Guard {
    /// The newest head that this process knows.
    known: SyncMutex<Option<KeptHead>>,
    /// Held while a head is kept, so that one write serves all waiting tasks.
    turn: Mutex<()>,
}

/// Identifies the log by its name and key.
fn log_of(verifier: &NoteVerifier) -> [u8; 8] {
    let digest = Sha256Digest::of(verifier.to_string());
    digest.as_bytes()[..8].try_into().expect("a digest has more than 8 bytes")
}

impl Guard {
    /// The head that the log must contain before anything is signed. Call it before the transaction that appends.
    pub(super) async fn newest(&self, blobs: &Blobs, is_shared: bool, verifier: &NoteVerifier) -> Result<NewestHead> {
        let known = self.known(log_of(verifier));
        match known {
            // No other process keeps heads.
            Some(known) if !is_shared => Ok(NewestHead(Some(known))),
            _ => {
                let listed = listed(blobs, verifier, known).await?;
                self.learn(listed);
                Ok(NewestHead(listed))
            }
        }
    }

    /// Whether exactly this head is already kept.
    pub(super) fn has(&self, verifier: &NoteVerifier, head: &Head) -> bool {
        self.known(log_of(verifier))
            .is_some_and(|known| known.size == head.frontier.size() && known.root == head.frontier.root())
    }

    /// Held while a head is read and kept.
    pub(super) async fn turn(&self) -> tokio::sync::MutexGuard<'_, ()> {
        self.turn.lock().await
    }

    /// Keeps `head` durably, unless it is already kept. It must contain `newest`.
    pub(super) async fn keep(
        &self,
        blobs: &Blobs,
        is_shared: bool,
        verifier: &NoteVerifier,
        head: &Head,
        NewestHead(newest): NewestHead,
    ) -> anyhow::Result<()> {
        let log = log_of(verifier);
        let kept = KeptHead { log, size: head.frontier.size(), root: head.frontier.root() };
        let newest = self.known(log).or(newest);
        if newest.is_some_and(|newest| newest.log == log && newest.size >= kept.size) {
            return Ok(());
        }
        blobs.put(&BlobKey::log_head(kept.log, kept.size), Bytes::from(head.checkpoint.clone())).await?;
        self.learn(Some(kept));
        // Another process may have listed the earlier head and be about to read it.
        if let Some(before) = newest.filter(|before| before.log == log && !is_shared) {
            blobs.delete(&BlobKey::log_head(before.log, before.size)).await?;
        }
        Ok(())
    }

    fn known(&self, log: [u8; 8]) -> Option<KeptHead> {
        // After a panic, the value is still a head that was kept.
        self.known.lock().filter(|known| known.log == log)
    }

    fn learn(&self, found: Option<KeptHead>) {
        let mut known = self.known.lock();
        if let Some(found) = found
            && known.is_none_or(|known| known.log != found.log || known.size < found.size)
        {
            *known = Some(found);
        }
    }
}

/// The newest published head, if any.
#[derive(Clone, Copy)]
pub(super) struct NewestHead(Option<KeptHead>);

impl NewestHead {
    /// Whether no head was ever published.
    pub(super) const fn is_none(self) -> bool {
        self.0.is_none()
    }

    /// Checks that the database's log contains it.
    pub(super) async fn is_in(self, reader: &mut Reader, frontier: &Frontier) -> Result<Result<(), LogStopped>> {
        let Some(kept) = self.0 else { return Ok(Ok(())) };
        let (entries, published) = (frontier.size(), kept.size);
        if entries < published {
            return Ok(Err(LogStopped::Behind { entries, published }));
        }
        let root = if entries == published { Some(frontier.root()) } else { root_at(reader, published).await? };
        Ok(if root == Some(kept.root) { Ok(()) } else { Err(LogStopped::Forked { published }) })
    }
}

/// The root over the first `size` entries, from the stored nodes. None if nodes are missing.
async fn root_at(reader: &mut Reader, size: u64) -> Result<Option<Sha256Digest>> {
    let mut peaks = Vec::new();
    for node in nodes_of_frontier(size) {
        peaks.extend(store::seal_log::nodes(reader, node.level, node.index, 1).await?);
    }
    Ok(Frontier::new(size, peaks).map(|frontier| frontier.root()))
}

/// The newest head in the blob store for the log with this key.
///
/// # Errors
/// If the blob store is unavailable, or so slow that heads are deleted before they are read.
async fn listed(blobs: &Blobs, verifier: &NoteVerifier, known: Option<KeptHead>) -> Result<Option<KeptHead>> {
    /// A listed head is deleted once there are so many newer ones. Reading it may take as long as appending these.
    const KEPT: usize = 8;
    const TRIES: usize = 5;
    let log = log_of(verifier);
    for _ in 0..TRIES {
        let keys = blobs.in_folder_of(&BlobKey::log_head(log, 0)).await?;
        let sizes = keys.iter().filter_map(BlobKey::read_log_head).filter(|(of, _)| *of == log).map(|(_, size)| size);
        let mut sizes: Vec<u64> = sizes.collect();
        sizes.sort_unstable();
        let Some(&size) = sizes.last() else { return Ok(known) };
        for &smaller in &sizes[..sizes.len().saturating_sub(KEPT)] {
            blobs.delete(&BlobKey::log_head(log, smaller)).await?;
        }
        if let Some(known) = known.filter(|known| known.size >= size) {
            return Ok(Some(known));
        }
        let key = BlobKey::log_head(log, size);
        let Some(note) = blobs.get(&key).await? else { continue };
        let note = std::str::from_utf8(&note).with_context(|| format!("{key} is not a checkpoint"))?;
        let text = verifier.open(note).with_context(|| format!("{key} is not a checkpoint of this log"))?;
        let Checkpoint { root, .. } = Checkpoint::parse(text).with_context(|| format!("{key} is not a checkpoint"))?;
        return Ok(Some(KeptHead { log, size, root }));
    }
    let cause = anyhow!("the newest head of the log of seals was deleted {TRIES} times before it could be read");
    Err(Error::Unavailable { part: "blob store", cause })
}

#[cfg(test)]
mod tests {
    use sealwright_seal::tlog::note::NoteSigner;

    use super::*;

    const NAME: &str = "log.example";

    fn signer() -> NoteSigner {
        NoteSigner::new(NAME, &[7; 32]).unwrap()
    }

    /// The head of a log with `size` entries.
    fn head(size: u64) -> Head {
        let mut frontier = Frontier::default();
        for number in 0..size {
            drop(frontier.append(&number.to_be_bytes()));
        }
        let checkpoint = Checkpoint { origin: NAME.to_owned(), size, root: frontier.root(), extensions: Vec::new() };
        let checkpoint = signer().sign(&checkpoint.to_string()).unwrap();
        Head { origin: NAME.to_owned(), epoch: 1, frontier, checkpoint }
    }

    #[tokio::test]
    async fn the_largest_of_several_concurrent_heads_counts() {
        let folder = tempfile::tempdir().unwrap();
        let blobs = Blobs::open(&format!("file://{}", folder.path().display())).unwrap();
        let verifier = signer().verifier();
        let (one, other, third) = (Guard::default(), Guard::default(), Guard::default());
        let newest = async |guard: &Guard| guard.newest(&blobs, true, &verifier).await.unwrap();
        let size = |NewestHead(kept): NewestHead| kept.map(|kept| kept.size);

        let nothing = newest(&one).await;
        assert!(nothing.is_none());
        one.keep(&blobs, true, &verifier, &head(5), nothing).await.unwrap();
        let (seen_by_one, seen_by_other) = (newest(&one).await, newest(&other).await);
        assert_eq!((size(seen_by_one), size(seen_by_other)), (Some(5), Some(5)));
        other.keep(&blobs, true, &verifier, &head(7), seen_by_other).await.unwrap();
        // It is late, and does not replace the newer head.
        one.keep(&blobs, true, &verifier, &head(6), seen_by_one).await.unwrap();
        for guard in [&one, &other, &third] {
            assert_eq!(size(newest(guard).await), Some(7));
        }
        assert!(other.has(&verifier, &head(7)) && !other.has(&verifier, &head(6)));
        let foreign = NoteSigner::new(NAME, &[8; 32]).unwrap().verifier();
        assert!(third.newest(&blobs, true, &foreign).await.unwrap().is_none(), "another key is another log");
    }

    /// A node may be slow: a head that it has listed can be read until others have kept eight newer ones.
    #[tokio::test]
    async fn the_last_heads_stay_for_nodes_that_are_reading_them() {
        let folder = tempfile::tempdir().unwrap();
        let blobs = Blobs::open(&format!("file://{}", folder.path().display())).unwrap();
        let verifier = signer().verifier();
        let guard = Guard::default();
        for size in 1..=20 {
            let newest = guard.newest(&blobs, true, &verifier).await.unwrap();
            guard.keep(&blobs, true, &verifier, &head(size), newest).await.unwrap();
            let oldest = BlobKey::log_head(log_of(&verifier), size.saturating_sub(7).max(1));
            assert!(blobs.get(&oldest).await.unwrap().is_some(), "{oldest} of {size}");
        }
        guard.newest(&blobs, true, &verifier).await.unwrap();
        let kept = blobs.in_folder_of(&BlobKey::log_head(log_of(&verifier), 0)).await.unwrap();
        assert_eq!(kept.len(), 8, "earlier ones are deleted");

        // On a database of one process no other reads them.
        let alone = Guard::default();
        for size in 21..=23 {
            let newest = alone.newest(&blobs, false, &verifier).await.unwrap();
            alone.keep(&blobs, false, &verifier, &head(size), newest).await.unwrap();
        }
        let newest = BlobKey::log_head(log_of(&verifier), 23);
        assert!(blobs.get(&newest).await.unwrap().is_some());
        assert!(blobs.get(&BlobKey::log_head(log_of(&verifier), 22)).await.unwrap().is_none());
    }
}
