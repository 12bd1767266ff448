//! Makes an installation from a backup, on either database.

use std::{
    collections::HashSet,
    fmt, fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, bail, ensure};
use serde::Serialize;
use tokio::task::JoinSet;

use super::{
    deleted_since::{self, DeletedSince},
    needed_blobs::{BackupRow, NeededBlobs},
};
use crate::{
    app::{
        audit::{self, Actor, Event},
        backup::{
            archive::Archive,
            fingerprint,
            format::{BackupList, CopiedBlob, CopiedTable, FOLDER, checkpoint_of, read_index, read_row},
        },
        private_files, witness,
    },
    blobs::{BlobKey, Blobs},
    clock::{Clock, Timestamp},
    config::Config,
    db::{Db, Loader},
    secrets::SecretKey,
};

/// How many blobs are copied at once.
const AT_ONCE: usize = 8;

/// Which backup, and how to read it.
#[derive(Clone, Debug)]
pub struct BackupSource {
    /// A folder or `s3://bucket/prefix`.
    pub place: String,
    /// None: the newest complete one.
    pub id: Option<String>,
    pub key: Option<SecretKey>,
    /// The newest checkpoint of the log of seals that others have seen.
    pub checkpoint: Option<PathBuf>,
}

/// A backup whose list was read.
pub struct OpenedBackup {
    pub archive: Archive,
    pub list: BackupList,
    /// The complete backups before it, the newest last.
    pub earlier: Vec<String>,
    /// Those that were cut off, or are being made.
    pub incomplete: Vec<String>,
}

/// An installation that was made from a backup.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RestoreSummary {
    pub id: String,
    pub taken_at: Timestamp,
    pub rows: u64,
    pub blobs: u64,
    pub bytes: u64,
    /// Backups in the place that are incomplete and were ignored.
    pub incomplete: Vec<String>,
    /// Whether the log of seals is behind the given checkpoint, and therefore stopped.
    pub log_stopped: bool,
    /// Data that is back after the restore, by an export of the audit log. None without an export.
    pub deleted_since: Option<DeletedSince>,
    /// The new key that verifies the installation's cosignatures of the logs of others.
    pub witness_key: String,
}

impl fmt::Display for RestoreSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { id, taken_at, rows, blobs, bytes, incomplete, log_stopped, deleted_since, witness_key } = self;
        write!(f, "The backup {id} of {taken_at} is restored: {rows} rows, {blobs} files with {bytes} bytes.")?;
        if !incomplete.is_empty() {
            write!(f, "\nIncomplete backups were ignored: {}", incomplete.join(", "))?;
        }
        if *log_stopped {
            write!(f, "\nThe log of seals lacks published entries and has stopped: run `sealwright log restart`")?;
        }
        write!(f, "\nAs a witness of the logs of others, this installation has a new key: {witness_key}")?;
        write!(
            f,
            "\nWhat was done after {taken_at} is missing. Cases that were deleted and items that were erased since then \
             are there again: delete and erase them again before you let anyone read them."
        )?;
        if let Some(deleted_since) = deleted_since {
            write!(f, "\n{deleted_since}")?;
        }
        Ok(())
    }
}

/// Finds the backup and reads its list.
pub async fn open(source: &BackupSource) -> anyhow::Result<OpenedBackup> {
    let archive = Archive::for_reading(&source.place, source.key.clone())?;
    let backups = archive.backups().await?;
    let place = &source.place;
    let id = match &source.id {
        Some(id) if backups.incomplete.contains(id) => bail!("the backup {id} in {place} is incomplete"),
        Some(id) if !backups.complete.contains(id) => bail!("{place} has no backup {id}"),
        Some(id) => id,
        None if backups.incomplete.is_empty() => {
            backups.complete.last().with_context(|| format!("{place} has no backup"))?
        }
        None => backups.complete.last().with_context(|| format!("{place} has only incomplete backups"))?,
    };
    let list = archive.list(id).await?;
    let newest = Db::newest_schema();
    ensure!(
        list.schema <= newest,
        "the backup {id} was made by Sealwright {}, whose schema {} is newer than {newest}: use that program",
        list.program,
        list.schema
    );
    let earlier = backups.complete.iter().filter(|earlier| *earlier < id).cloned().collect();
    Ok(OpenedBackup { archive, list, earlier, incomplete: backups.incomplete })
}

/// Reads the signed checkpoint in a file.
pub fn read_checkpoint(path: &Path) -> anyhow::Result<String> {
    let note = fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
    checkpoint_of(&note).with_context(|| format!("{} is not a checkpoint of the log", path.display()))?;
    Ok(note)
}

/// Makes the installation that the settings name from a backup. `audit_export` is a file of `sealwright audit export` that is
/// newer than the backup: the summary then names what is there although it was deleted.
///
/// # Errors
/// If something is there already, the secret key is not that of the backup, or a part of the backup is missing or changed.
/// Then the database has no rows, and the restore can be repeated.
pub async fn restore(
    config: &Config,
    source: &BackupSource,
    audit_export: Option<&Path>,
) -> anyhow::Result<RestoreSummary> {
    let OpenedBackup { archive, list, incomplete, .. } = open(source).await?;
    let checkpoint = source.checkpoint.as_deref().map(read_checkpoint).transpose()?;
    let exported = audit_export.map(deleted_since::read).transpose()?;
    ensure!(
        Db::is_unused(config.database_url.expose()).await?,
        "the database that the settings name holds an installation: restore into an empty one"
    );
    let secrets = check_secret_key(config, &list)?;
    private_files::make_data_dir(config)?;
    let blobs = Blobs::open(config.blob_url.as_str())?;
    ensure!(
        blobs.owners().await?.is_empty(),
        "the blob store that the settings name belongs to an installation: restore into an empty one"
    );
    // The next backup in that place would delete the installation's blobs, or the installation those of the backups.
    ensure!(
        blobs.list_named(FOLDER).await?.is_empty(),
        "the blob store that the settings name is a place of backups: restore into an empty one"
    );
    let restored = restore_blobs(&archive, &list, &blobs).await?;
    let log_stopped = keep_checkpoint(&list, &blobs, checkpoint.as_deref()).await?;
    // Before the rows, so that they are never there without it.
    let witness_key = witness::change_key(config, &secrets, &blobs).await?.to_string();
    let mut loader = Box::pin(Db::load_into(config.database_url.expose(), list.schema)).await?;
    let tables: Vec<_> = list.tables.iter().map(|copied| copied.table.clone()).collect();
    loader.compare(&tables)?;
    let mut needed = NeededBlobs::default();
    for copied in &list.tables {
        load(&archive, &mut loader, copied, &mut needed).await?;
    }
    needed.check(|key| restored.contains(key))?;
    loader.commit().await?;
    // Brings the schema up to date.
    let db = Db::open(config.database_url.expose()).await?;
    let event = Event::done("restore", None, Some(format!("backup {}", list.id))).with_detail(&source.place);
    audit::record_in(&db, Clock::system().now(), &Actor::command(), event).await?;
    let deleted_since = match &exported {
        Some(records) => Some(deleted_since::find(&db, records).await?),
        None => None,
    };
    db.close().await;
    Ok(RestoreSummary {
        id: list.id,
        taken_at: list.taken_at,
        rows: list.tables.iter().map(|table| table.rows).sum(),
        blobs: list.blobs.count,
        bytes: list.blobs.bytes,
        incomplete,
        log_stopped,
        deleted_since,
        witness_key,
    })
}

fn check_secret_key(config: &Config, list: &BackupList) -> anyhow::Result<SecretKey> {
    let path = &config.secret_key_file;
    let Some(secrets) = SecretKey::load(path)? else {
        bail!(
            "the secret key file {} is missing: copy it from where you keep it, a backup does not contain it",
            path.display()
        );
    };
    ensure!(
        fingerprint(&secrets) == list.installation,
        "the secret key file {} is not that of the installation in the backup",
        path.display()
    );
    Ok(secrets)
}

/// Copies all blobs, and returns their keys.
async fn restore_blobs(archive: &Archive, list: &BackupList, target: &Blobs) -> anyhow::Result<HashSet<String>> {
    let mut restored = HashSet::new();
    let mut running: JoinSet<anyhow::Result<()>> = JoinSet::new();
    for file in &list.blobs.files {
        for blob in read_index(&archive.get(file).await?)? {
            if running.len() >= AT_ONCE
                && let Some(ended) = running.join_next().await
            {
                ended.context("copying a blob was interrupted")??;
            }
            restored.insert(blob.key.to_string());
            running.spawn(copy_one(archive.clone(), target.clone(), blob));
        }
    }
    while let Some(ended) = running.join_next().await {
        ended.context("copying a blob was interrupted")??;
    }
    Ok(restored)
}

/// Keeps the given checkpoint next to the log. True if the log of seals will stop, because the checkpoint is of a longer log.
async fn keep_checkpoint(list: &BackupList, target: &Blobs, checkpoint: Option<&str>) -> anyhow::Result<bool> {
    let Some(note) = checkpoint else { return Ok(false) };
    let published = checkpoint_of(note)?;
    let restored = list.checkpoint.as_deref().map(checkpoint_of).transpose()?.map_or(0, |checkpoint| checkpoint.size);
    if published.size <= restored {
        return Ok(false);
    }
    // The server finds a longer head than its log, and signs nothing that could contradict it.
    let log = list.log.as_deref().and_then(|log| <[u8; 8]>::try_from(hex::decode(log).ok()?).ok());
    let log = log.context("the log in the backup is empty, so the checkpoint cannot be compared with it")?;
    target.put(&BlobKey::log_head(log, published.size), note.to_owned()).await?;
    Ok(true)
}

async fn copy_one(archive: Archive, target: Blobs, blob: CopiedBlob) -> anyhow::Result<()> {
    archive.copy_to(Some(&target), &blob).await
}

async fn load(
    archive: &Archive,
    loader: &mut Loader,
    copied: &CopiedTable,
    needed: &mut NeededBlobs,
) -> anyhow::Result<()> {
    let table = &copied.table;
    let mut rows = 0;
    let mut waiting: Vec<String> = Vec::new();
    for file in &copied.files {
        let content = String::from_utf8(archive.get(file).await?)
            .with_context(|| format!("the file {} of the backup is not text", file.name))?;
        for line in content.lines() {
            needed.note(BackupRow { table, values: &read_row(table, line)? });
            waiting.push(line.to_owned());
            rows += 1;
        }
        if !table.refers_to_itself {
            insert(loader, copied, &mut waiting).await?;
        }
    }
    insert(loader, copied, &mut waiting).await?;
    ensure!(rows == copied.rows, "table {} has {rows} rows in the backup instead of {}", table.name, copied.rows);
    loader.set_identity(table).await
}

async fn insert(loader: &mut Loader, copied: &CopiedTable, waiting: &mut Vec<String>) -> anyhow::Result<()> {
    if waiting.is_empty() {
        return Ok(());
    }
    let rows = format!("[{}]", waiting.join(","));
    waiting.clear();
    loader.insert(&copied.table, &rows).await
}
