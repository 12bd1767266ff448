//! Deletes orphaned blobs. A file is put into the store before the commit that names it, so a process that is killed in
//! between leaves it behind (`docs/adr/0026-orphaned-blobs.md`).
//!
//! A blob is deleted if it is older than [`GRACE`] and no row names it. It stays if it may belong to another
//! installation: every installation leaves its name in the store, and none sweeps a store with two names.

#[cfg(test)]
mod tests;

use std::{collections::HashSet, time::Duration};

use anyhow::Context;
use strum::VariantArray as _;

use super::{App, backup};
use crate::{
    blobs::{BlobArea, BlobKey, Blobs, ListedBlob},
    clock::{Timestamp, random_bytes, random_key},
    db::Db,
    error::{Error, Result},
    secrets::SecretKey,
    store,
};

/// The minimum age for deletion: longer than any upload, job or pause of a node between file and commit.
const GRACE: Duration = Duration::from_hours(24);
/// How many of the 256 parts of each area one sweep covers. With hourly sweeps, the whole store takes less than a day.
const PARTS_AT_ONCE: usize = 14;
/// The key of this installation's name in the store, among the database's secrets: an empty database in its place has
/// another name, and deletes nothing.
const OWNER: &str = "blob-store-owner";

/// Where the next sweep starts. Nodes start at random parts, so that they do not sweep the same one.
#[derive(Debug)]
pub struct Sweep {
    next: u8,
}

impl Default for Sweep {
    fn default() -> Self {
        let [next] = random_bytes();
        Self { next }
    }
}

impl Sweep {
    /// Deletes the orphaned blobs in the next parts of the store. Returns how many they were.
    pub async fn go_on(&mut self, app: &App) -> Result<usize> {
        let now = app.clock.now();
        if !is_alone(&app.db, &app.blobs, &app.secrets, now).await? {
            return Ok(0);
        }
        let mut deleted = 0;
        for _ in 0..PARTS_AT_ONCE {
            for &area in BlobArea::VARIANTS {
                deleted += sweep_part(&app.db, &app.blobs, area, self.next, now.before(GRACE)).await?;
            }
            self.next = self.next.wrapping_add(1);
        }
        Ok(deleted)
    }
}

/// What shows that a blob of an area is needed.
enum Rule {
    /// A row that names it.
    Named,
    /// A row that names the item's file from which it was made.
    OfItem,
    /// Nothing: a process that ended left it.
    Never,
    /// It is not swept. Its name is derived from its content, so a process may find it and name it later; and it is not
    /// left behind by accident. Or it is kept outside the database for the case that the database is restored.
    Always,
}

const fn rule(area: BlobArea) -> Rule {
    match area {
        BlobArea::Items | BlobArea::Pieces | BlobArea::Certificates | BlobArea::Facts => Rule::Named,
        BlobArea::Derivatives | BlobArea::Previews => Rule::OfItem,
        BlobArea::Probes => Rule::Never,
        BlobArea::Components
        | BlobArea::Templates
        | BlobArea::LogHeads
        | BlobArea::WitnessedHeads
        | BlobArea::WitnessKeys => Rule::Always,
    }
}

/// Deletes the blobs of a part that were written before `before` and that nothing refers to.
async fn sweep_part(db: &Db, blobs: &Blobs, area: BlobArea, part: u8, before: Timestamp) -> Result<usize> {
    let rule = rule(area);
    if matches!(rule, Rule::Always) {
        return Ok(0);
    }
    // Listed before the rows are read: a later row names a blob that is younger than the grace time.
    let mut old = blobs.list(area, part).await?;
    old.retain(|blob| blob.modified < before);
    let origins: Vec<BlobKey> = old.iter().map(|blob| origin(&rule, blob)).collect();
    let named = if matches!(rule, Rule::Never) { HashSet::new() } else { named(db, &origins).await? };
    if !matches!(rule, Rule::Never) && origins.iter().any(|origin| !named.contains(origin)) {
        backup::turn::check_deletion(db, before.after(GRACE)).await?;
    }
    let mut deleted = 0;
    for (blob, origin) in old.iter().zip(&origins) {
        if !named.contains(origin) {
            tracing::info!(key = %blob.key, written = %blob.modified, "an orphaned blob is deleted");
            blobs.delete(&blob.key).await?;
            deleted += 1;
        }
    }
    Ok(deleted)
}

/// The blob that a row has to name.
fn origin(rule: &Rule, blob: &ListedBlob) -> BlobKey {
    match rule {
        Rule::OfItem => blob.key.item_of_derivative(),
        _ => blob.key.clone(),
    }
}

async fn named(db: &Db, keys: &[BlobKey]) -> Result<HashSet<BlobKey>> {
    if keys.is_empty() {
        return Ok(HashSet::new());
    }
    let mut reader = db.read().await?;
    Ok(store::blob_reference::named(&mut reader, keys).await?)
}

/// Whether only this installation uses the store, for long enough that another one would have left its name.
async fn is_alone(db: &Db, blobs: &Blobs, secrets: &SecretKey, now: Timestamp) -> Result<bool> {
    let own = own_name(db, secrets).await?;
    let owners = blobs.owners().await?;
    let Some(us) = owners.iter().find(|owner| owner.name == own) else {
        blobs.add_owner(&own).await?;
        return Ok(false);
    };
    if owners.len() > 1 {
        let others: Vec<&str> = owners.iter().map(|owner| owner.name.as_str()).filter(|name| *name != own).collect();
        tracing::warn!(
            ?others,
            "the blob store is used by another installation, or was used with another database: orphaned blobs are not \
             deleted. Remove the names of retired installations from the folder `owners` of the store"
        );
        return Ok(false);
    }
    Ok(us.since < now.before(GRACE))
}

/// The installation's name in the store, made once for its database.
async fn own_name(db: &Db, secrets: &SecretKey) -> Result<String> {
    let mut reader = db.read().await?;
    let stored = store::secret::find(&mut reader, OWNER).await?;
    drop(reader);
    let stored = if let Some(stored) = stored {
        stored
    } else {
        let mut tx = db.begin().await?;
        store::secret::insert_if_absent(&mut tx, OWNER, &secrets.encrypt(OWNER, random_key().as_bytes())).await?;
        let stored = store::secret::find(&mut tx, OWNER).await?;
        tx.commit().await?;
        stored.context("was stored just now").map_err(Error::internal)?
    };
    let name = secrets.decrypt(OWNER, &stored).map_err(Error::internal)?;
    String::from_utf8(name).map_err(Error::internal)
}
