//! Makes a backup while the server runs.

use std::{collections::BTreeSet, fmt, time::Instant};

use anyhow::{Context, bail, ensure};
use futures_util::TryStreamExt;
use serde::Serialize;

use super::{
    archive::{Archive, address},
    copies::BlobCopies,
    fingerprint,
    format::{BackupList, CopiedTable, FILE_SIZE, FOLDER, FORMAT, VERSION, checkpoint_of, normal_row},
    prune::prune,
    turn::Turn,
};
use crate::{
    app::{
        App,
        audit::{self, Actor, AuditOutcome, Event},
    },
    blobs::BlobArea,
    clock::{Timestamp, random_key},
    db::{Db, Snapshot},
    error::Error,
    secrets::SecretKey,
    store::blob_reference,
};

/// The newest checkpoint of the log of seals.
const CHECKPOINT: &str = "select checkpoint from log_head where id = 1 and size > 0";

/// A complete backup.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BackupSummary {
    pub id: String,
    pub place: String,
    pub encrypted: bool,
    pub taken_at: Timestamp,
    pub rows: u64,
    pub blobs: u64,
    /// Of all blobs, in bytes.
    pub bytes: u64,
    /// Blobs that the place did not have.
    pub copied_blobs: u64,
    pub copied_bytes: u64,
    pub seconds: u64,
}

impl fmt::Display for BackupSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { id, place, rows, blobs, bytes, copied_blobs, copied_bytes, seconds, .. } = self;
        let encrypted = if self.encrypted { ", encrypted" } else { "" };
        write!(
            f,
            "The backup {id} in {place} is complete{encrypted}: {rows} rows, {blobs} files with {bytes} bytes, \
             {copied_blobs} of them with {copied_bytes} bytes new, in {seconds} s."
        )
    }
}

/// Makes a backup in `place`. It has everything that was acknowledged before the call. `keep` is how many complete backups
/// the place keeps; none: all.
///
/// # Errors
/// If another process makes one, or it cannot be completed. Then the place keeps what was copied of the blobs, and the next
/// attempt goes on with them.
pub async fn make(
    app: &App,
    place: &str,
    key: Option<SecretKey>,
    keep: Option<usize>,
    actor: &Actor,
) -> anyhow::Result<BackupSummary> {
    ensure!(
        address(place)?.as_str().trim_end_matches('/') != app.config.blob_url.as_str().trim_end_matches('/'),
        "{place} is the blob store of this installation: use another place for backups"
    );
    let Some(turn) = Turn::take(app).await? else { bail!("another process makes a backup now") };
    let id = format!("{}-{}", compact(app.clock.now()), &random_key()[..8]);
    let made = match Archive::for_writing(place, key).await {
        Ok(archive) => {
            let made = attempt(app, &archive, &id, &turn).await;
            if made.is_ok() {
                tidy(&archive, &id, keep, &turn).await;
            }
            made
        }
        Err(error) => Err(error),
    };
    let recorded = end(app, &turn, place, actor, made.as_ref().ok()).await;
    if let (Ok(_), Err(error)) = (&made, recorded) {
        return Err(anyhow::Error::new(error).context("the backup is complete, but could not be recorded"));
    }
    made
}

/// Records the outcome, and gives the turn back.
async fn end(app: &App, turn: &Turn, place: &str, actor: &Actor, made: Option<&BackupSummary>) -> Result<(), Error> {
    let now = app.clock.now();
    let outcome = if made.is_some() { AuditOutcome::Done } else { AuditOutcome::Failed };
    let subject = made.map(|made| format!("backup {}", made.id));
    let event = Event::done("backup", None, subject).with_outcome(outcome).with_detail(place);
    let mut tx = app.db.begin().await?;
    let ended = async {
        turn.give_back(&mut tx, made.map(|made| made.taken_at)).await?;
        audit::record(&mut tx, now, actor, event).await
    };
    let ended = ended.await.map_err(Error::from);
    tx.settle(ended).await
}

/// Makes the backup `id`. An attempt that fails leaves no rows and no list.
async fn attempt(app: &App, archive: &Archive, id: &str, turn: &Turn) -> anyhow::Result<BackupSummary> {
    let made = tokio::select! {
        made = Box::pin(copy(app, archive, id, turn)) => made,
        lost = turn.keep() => Err(lost),
    };
    if made.is_err()
        && let Err(error) = archive.clear_attempt(id).await
    {
        tracing::warn!(error = %format!("{error:#}"), "what the incomplete backup has left could not be deleted");
    }
    made
}

/// Deletes data that is not needed any more because the backup `id` is complete. An error does not affect that backup.
async fn tidy(archive: &Archive, id: &str, keep: Option<usize>, turn: &Turn) {
    let tidying = async {
        archive.delete_notes(id).await?;
        prune(archive, keep).await
    };
    let tidied = tokio::select! {
        tidied = Box::pin(tidying) => tidied,
        lost = turn.keep() => Err(lost),
    };
    if let Err(error) = tidied {
        tracing::warn!(error = %format!("{error:#}"), "old backups could not be deleted");
    }
}

async fn copy(app: &App, archive: &Archive, id: &str, turn: &Turn) -> anyhow::Result<BackupSummary> {
    let started = Instant::now();
    let installation = fingerprint(&app.secrets);
    let mut blobs = BlobCopies::find(archive, id, &installation).await?;
    turn.confirm().await?;
    let list = match write(app, archive, id, installation, &mut blobs).await {
        Ok(list) => list,
        Err(error) => {
            if let Err(error) = blobs.note().await {
                tracing::warn!(error = %format!("{error:#}"), "what was copied is copied again by the next backup");
            }
            return Err(error);
        }
    };
    turn.confirm().await?;
    archive.put_list(&list).await?;
    // If the turn was lost before the list was there, the holder may have deleted blobs that it names.
    turn.confirm().await?;
    Ok(BackupSummary {
        id: list.id,
        place: archive.place().to_owned(),
        encrypted: archive.is_encrypted(),
        taken_at: list.taken_at,
        rows: list.tables.iter().map(|table| table.rows).sum(),
        blobs: list.blobs.count,
        bytes: list.blobs.bytes,
        copied_blobs: blobs.new,
        copied_bytes: blobs.new_bytes,
        seconds: started.elapsed().as_secs(),
    })
}

/// Writes everything but the list, and returns the list.
async fn write(
    app: &App,
    archive: &Archive,
    id: &str,
    installation: String,
    blobs: &mut BlobCopies<'_>,
) -> anyhow::Result<BackupList> {
    // Blobs first: if one is missing, no row is written in vain. Those that are added meanwhile follow.
    let early = needed_blobs(&mut app.db.snapshot().await?).await?;
    blobs.copy(&app.blobs, &early, true).await?;
    let taken_at = app.clock.now();
    let mut snapshot = app.db.snapshot().await?;
    let database = snapshot.database().to_owned();
    let tables = copy_rows(archive, id, &mut snapshot).await?;
    let mut needed = needed_blobs(&mut snapshot).await?;
    let checkpoint =
        snapshot.texts(CHECKPOINT).try_collect::<Vec<(String,)>>().await.context("reading the log of seals")?;
    let checkpoint = checkpoint.into_iter().next().map(|(note,)| note);
    drop(snapshot);
    blobs.copy(&app.blobs, &needed, true).await?;
    let (named, log) = named_by_content(app, checkpoint.as_deref()).await?;
    blobs.copy(&app.blobs, &named, false).await?;
    needed.extend(named);
    Ok(BackupList {
        format: FORMAT.to_owned(),
        version: VERSION,
        id: id.to_owned(),
        taken_at,
        program: env!("CARGO_PKG_VERSION").to_owned(),
        schema: Db::newest_schema(),
        database,
        installation,
        checkpoint,
        log,
        tables,
        blobs: blobs.write_index(&needed).await?,
    })
}

/// `20261126T215900.123Z`: the order of the texts is that of the times.
fn compact(moment: Timestamp) -> String {
    moment.to_string().replace(['-', ':'], "")
}

async fn copy_rows(archive: &Archive, id: &str, snapshot: &mut Snapshot) -> anyhow::Result<Vec<CopiedTable>> {
    let mut copied = Vec::new();
    let tables = snapshot.tables().await?;
    for table in tables {
        let (mut rows, mut files, mut content) = (0, Vec::new(), String::new());
        let name = |number: usize| format!("{FOLDER}/{id}/rows/{}.{number}.jsonl", table.name);
        let mut found = snapshot.rows(&table);
        while let Some((row,)) = found.try_next().await.with_context(|| format!("reading table {}", table.name))? {
            content.push_str(&normal_row(&table, &row)?);
            content.push('\n');
            rows += 1;
            if content.len() >= FILE_SIZE {
                files.push(archive.put(name(files.len()), std::mem::take(&mut content).into_bytes()).await?);
            }
        }
        drop(found);
        if !content.is_empty() {
            files.push(archive.put(name(files.len()), content.into_bytes()).await?);
        }
        copied.push(CopiedTable { table, rows, files });
    }
    Ok(copied)
}

/// The blobs that the rows of the snapshot name.
async fn needed_blobs(snapshot: &mut Snapshot) -> anyhow::Result<BTreeSet<String>> {
    let mut needed = BTreeSet::new();
    for sql in blob_reference::queries_of_backup() {
        let mut found = snapshot.texts(sql);
        while let Some((key,)) = found.try_next().await.context("reading which files belong to the rows")? {
            needed.insert(key);
        }
    }
    Ok(needed)
}

/// Blobs that are never deleted, because they are named by their content, and the published heads of the log that the
/// snapshot contains. Earlier heads may be deleted meanwhile. Also returns what identifies the log.
async fn named_by_content(app: &App, checkpoint: Option<&str>) -> anyhow::Result<(BTreeSet<String>, Option<String>)> {
    let mut found = BTreeSet::new();
    for area in [BlobArea::Components, BlobArea::Templates] {
        found.extend(app.blobs.list_area(area).await?.into_iter().map(|blob| blob.key.to_string()));
    }
    let size = checkpoint.map(checkpoint_of).transpose()?.map_or(0, |checkpoint| checkpoint.size);
    let mut newest: Option<(u64, [u8; 8])> = None;
    for head in app.blobs.list_area(BlobArea::LogHeads).await? {
        let Some((log, entries)) = head.key.read_log_head() else { continue };
        if entries <= size {
            found.insert(head.key.to_string());
        }
        newest = newest.max(Some((entries, log)));
    }
    Ok((found, newest.map(|(_, log)| hex::encode(log))))
}
