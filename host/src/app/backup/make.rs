//! Makes a backup while the server runs.

use std::{
    collections::{BTreeSet, HashMap},
    fmt,
    time::Instant,
};

use anyhow::{Context, bail, ensure};
use futures_util::TryStreamExt;
use serde::Serialize;
use tokio::task::JoinSet;

use super::{
    archive::{Archive, KeyError, address},
    fingerprint,
    format::{
        BackupList, BlobIndex, CopiedBlob, CopiedFile, CopiedTable, FOLDER, FORMAT, VERSION, checkpoint_of, normal_row,
    },
    prune::prune,
    turn::Turn,
};
use crate::{
    app::{
        App,
        audit::{self, Actor, AuditOutcome, Event},
    },
    blobs::{BlobArea, BlobKey},
    clock::{Timestamp, random_key},
    db::{Db, Snapshot},
    error::Error,
    secrets::SecretKey,
    store::blob_reference,
};

/// How large a file with rows gets, in bytes, if no row is larger.
const FILE_SIZE: usize = 4 * 1024 * 1024;
/// How many blobs are copied at once.
const AT_ONCE: usize = 8;

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
/// If another process makes one, or it cannot be completed. Then the place has an incomplete backup, which is never used.
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
    let made = tokio::select! {
        made = Box::pin(copy(app, place, key, keep, &turn)) => made,
        lost = turn.keep() => Err(lost),
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

async fn copy(
    app: &App,
    place: &str,
    key: Option<SecretKey>,
    keep: Option<usize>,
    turn: &Turn,
) -> anyhow::Result<BackupSummary> {
    let started = Instant::now();
    let archive = Archive::for_writing(place, key).await?;
    let installation = fingerprint(&app.secrets);
    let known = known_blobs(&archive, &installation).await?;
    turn.confirm().await?;
    let taken_at = app.clock.now();
    let id = format!("{}-{}", compact(taken_at), &random_key()[..8]);
    let mut snapshot = app.db.snapshot().await?;
    let database = snapshot.database().to_owned();
    let tables = copy_rows(&archive, &id, &mut snapshot).await?;
    let needed = needed_blobs(&mut snapshot).await?;
    let checkpoint =
        snapshot.texts(CHECKPOINT).try_collect::<Vec<(String,)>>().await.context("reading the log of seals")?;
    let checkpoint = checkpoint.into_iter().next().map(|(note,)| note);
    drop(snapshot);
    let (mut optional, log) = named_by_content(app, checkpoint.as_deref()).await?;
    optional.retain(|key| !needed.contains(key));
    let mut copied = Copied::default();
    copy_blobs(app, &archive, &known, needed, true, &mut copied).await?;
    copy_blobs(app, &archive, &known, optional, false, &mut copied).await?;
    let blobs = write_index(&archive, &id, &mut copied).await?;
    turn.confirm().await?;
    let rows = tables.iter().map(|table| table.rows).sum();
    let (count, bytes) = (blobs.count, blobs.bytes);
    let list = BackupList {
        format: FORMAT.to_owned(),
        version: VERSION,
        id: id.clone(),
        taken_at,
        program: env!("CARGO_PKG_VERSION").to_owned(),
        schema: Db::newest_schema(),
        database,
        installation,
        checkpoint,
        log,
        tables,
        blobs,
    };
    archive.put_list(&list).await?;
    if let Some(keep) = keep
        && let Err(error) = prune(&archive, keep).await
    {
        tracing::warn!(error = %format!("{error:#}"), "old backups could not be deleted");
    }
    Ok(BackupSummary {
        id,
        place: place.to_owned(),
        encrypted: archive.is_encrypted(),
        taken_at,
        rows,
        blobs: count,
        bytes,
        copied_blobs: copied.new,
        copied_bytes: copied.new_bytes,
        seconds: started.elapsed().as_secs(),
    })
}

/// `20261126T215900.123Z`: the order of the texts is that of the times.
fn compact(moment: Timestamp) -> String {
    moment.to_string().replace(['-', ':'], "")
}

/// The blobs that the last backup in the place has, and that are still there with the right size. A blob of a backup that
/// was cut off is copied again.
async fn known_blobs(archive: &Archive, installation: &str) -> anyhow::Result<HashMap<String, CopiedBlob>> {
    let backups = archive.backups().await?;
    let Some(last) = backups.complete.last() else { return Ok(HashMap::new()) };
    let list = match archive.list(last).await {
        Ok(list) => list,
        Err(error) if error.is::<KeyError>() => return Err(error),
        Err(error) => {
            tracing::warn!(error = %format!("{error:#}"), "the last backup cannot be used: everything is copied again");
            return Ok(HashMap::new());
        }
    };
    ensure!(
        list.installation == installation,
        "{} has backups of another installation: use another place",
        archive.place()
    );
    let mut last_blobs: HashMap<String, CopiedBlob> = HashMap::new();
    for file in &list.blobs.files {
        let Ok(content) = archive.get(file).await else {
            tracing::warn!(file = %file.name, "a file of the last backup cannot be used: its blobs are copied again");
            continue;
        };
        for blob in read_index(&content)? {
            last_blobs.insert(blob.key.to_string(), blob);
        }
    }
    let mut known = HashMap::new();
    for (key, size) in archive.stored_blobs().await? {
        if let Some(blob) = last_blobs.remove(key.as_str())
            && archive.stored_size(&blob) == size
        {
            known.insert(key.to_string(), blob);
        }
    }
    Ok(known)
}

/// The blobs in a file of the index.
pub fn read_index(content: &[u8]) -> anyhow::Result<Vec<CopiedBlob>> {
    let text = std::str::from_utf8(content).context("the list of blobs is not text")?;
    text.lines().map(|line| serde_json::from_str(line).context("the list of blobs has a wrong line")).collect()
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

#[derive(Default)]
struct Copied {
    /// By key, so that the index is in order.
    blobs: Vec<CopiedBlob>,
    new: u64,
    new_bytes: u64,
}

/// Copies those of `keys` that are not in the place.
async fn copy_blobs(
    app: &App,
    archive: &Archive,
    known: &HashMap<String, CopiedBlob>,
    keys: BTreeSet<String>,
    are_required: bool,
    copied: &mut Copied,
) -> anyhow::Result<()> {
    let mut running: JoinSet<anyhow::Result<(BlobKey, Option<CopiedBlob>)>> = JoinSet::new();
    for key in keys {
        if let Some(blob) = known.get(&key) {
            copied.blobs.push(blob.clone());
            continue;
        }
        let key: BlobKey = key.parse()?;
        if running.len() >= AT_ONCE {
            note(running.join_next().await, are_required, copied)?;
        }
        let (archive, source) = (archive.clone(), app.blobs.clone());
        running.spawn(async move { Ok((key.clone(), archive.copy_from(&source, key).await?)) });
    }
    while let Some(ended) = running.join_next().await {
        note(Some(ended), are_required, copied)?;
    }
    Ok(())
}

type CopyOutcome = Result<anyhow::Result<(BlobKey, Option<CopiedBlob>)>, tokio::task::JoinError>;

fn note(ended: Option<CopyOutcome>, are_required: bool, copied: &mut Copied) -> anyhow::Result<()> {
    let Some(ended) = ended else { return Ok(()) };
    let (key, blob) = ended.context("copying a blob was interrupted")??;
    match blob {
        Some(blob) => {
            copied.new += 1;
            copied.new_bytes += blob.size;
            copied.blobs.push(blob);
        }
        None if are_required => bail!("the blob {key} is missing in the blob store, and the database names it"),
        None => {}
    }
    Ok(())
}

async fn write_index(archive: &Archive, id: &str, copied: &mut Copied) -> anyhow::Result<BlobIndex> {
    let mut blobs = std::mem::take(&mut copied.blobs);
    blobs.sort_by(|a, b| a.key.as_str().cmp(b.key.as_str()));
    let count = blobs.len() as u64;
    let bytes = blobs.iter().map(|blob| blob.size).sum();
    let mut files: Vec<CopiedFile> = Vec::new();
    let mut content = String::new();
    let name = |number: usize| format!("{FOLDER}/{id}/blobs.{number}.jsonl");
    for blob in &blobs {
        content.push_str(&serde_json::to_string(blob)?);
        content.push('\n');
        if content.len() >= FILE_SIZE {
            files.push(archive.put(name(files.len()), std::mem::take(&mut content).into_bytes()).await?);
        }
    }
    if !content.is_empty() {
        files.push(archive.put(name(files.len()), content.into_bytes()).await?);
    }
    Ok(BlobIndex { count, bytes, files })
}
