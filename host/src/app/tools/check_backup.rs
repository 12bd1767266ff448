//! Proves that a backup is whole: reads every row and every blob, verifies certificates, and checks that the log of seals
//! extends what was published.

use std::{
    collections::{BTreeMap, HashMap},
    fmt,
    str::FromStr,
};

use anyhow::{Context, bail, ensure};
use sealwright_seal::{Sha256Digest, tlog::tree::Frontier, verify::Outcome};
use sealwright_verification::Trust;
use serde::Serialize;
use serde_json::Value;
use tokio::task::JoinSet;

use super::{
    needed_blobs::{BackupRow, NeededBlobs},
    restore::{BackupSource, OpenedBackup, open, read_checkpoint},
};
use crate::{
    app::{
        backup::{
            archive::Archive,
            format::{BackupList, CopiedBlob, CopiedTable, checkpoint_of, read_index, read_row},
        },
        verification::{self, trust::GivenTrust},
    },
    clock::{Clock, Timestamp},
    config::Config,
};

/// How many blobs are read at once.
const AT_ONCE: usize = 8;

/// How many certificates are verified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CertificateCount {
    All,
    /// So many, spread evenly.
    Sample(usize),
}

impl FromStr for CertificateCount {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "all" {
            return Ok(Self::All);
        }
        text.parse().map(Self::Sample).map_err(|_| "expected `all` or a number".to_owned())
    }
}

/// A backup that is whole.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BackupCheck {
    pub id: String,
    pub taken_at: Timestamp,
    pub encrypted: bool,
    pub rows: u64,
    pub blobs: u64,
    pub bytes: u64,
    pub certificates: usize,
    pub verified: usize,
    /// Verified certificates that are intact but whose signer is not trusted here.
    pub untrusted: usize,
    pub log_entries: u64,
    /// How many published checkpoints the log extends.
    pub checkpoints: usize,
    /// Backups in the place that are incomplete.
    pub incomplete: Vec<String>,
}

impl fmt::Display for BackupCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { id, taken_at, rows, blobs, bytes, certificates, verified, untrusted, .. } = self;
        let Self { log_entries, checkpoints, incomplete, .. } = self;
        writeln!(f, "The backup {id} of {taken_at} is whole: {rows} rows, {blobs} files with {bytes} bytes.")?;
        writeln!(f, "{verified} of {certificates} certificates were verified.")?;
        if *untrusted > 0 {
            writeln!(f, "{untrusted} of them are intact, but their signer is not trusted here.")?;
        }
        write!(f, "The log of seals has {log_entries} entries and extends {checkpoints} published checkpoints.")?;
        if !incomplete.is_empty() {
            write!(f, "\nIncomplete backups were ignored: {}", incomplete.join(", "))?;
        }
        Ok(())
    }
}

/// What the rows say about blobs and the log.
#[derive(Default)]
struct RowFacts {
    rows: u64,
    needed: NeededBlobs,
    /// The digests of blobs, by key.
    digests: BTreeMap<String, String>,
    /// The keys of the certificates' blobs.
    certificates: Vec<String>,
    frontier: Frontier,
}

/// A checkpoint that the log has to extend.
struct Published {
    name: String,
    size: u64,
    root: Sha256Digest,
}

/// Checks a backup.
///
/// # Errors
/// Says what is missing or was changed.
pub async fn check(config: &Config, source: &BackupSource, count: CertificateCount) -> anyhow::Result<BackupCheck> {
    let OpenedBackup { archive, list, earlier, incomplete } = open(source).await?;
    let published = published(&archive, &list, earlier.last(), source).await?;
    let facts = read_rows(&archive, &list, &published).await?;
    let index = read_blobs(&archive, &list).await?;
    compare(&facts, &index)?;
    let trust = verification::trust::of_check(config, GivenTrust::default())?;
    let chosen = choose(&facts.certificates, count);
    let verified = chosen.len();
    let mut untrusted = 0;
    for key in chosen {
        let blob = index.get(key).with_context(|| format!("the certificate {key} is not in the backup"))?;
        if verify(&archive, blob, trust.clone()).await? == Outcome::IntactButUntrusted {
            untrusted += 1;
        }
    }
    Ok(BackupCheck {
        id: list.id,
        taken_at: list.taken_at,
        encrypted: archive.is_encrypted(),
        rows: facts.rows,
        blobs: list.blobs.count,
        bytes: list.blobs.bytes,
        certificates: facts.certificates.len(),
        verified,
        untrusted,
        log_entries: facts.frontier.size(),
        checkpoints: published.len(),
        incomplete,
    })
}

/// The checkpoints of this backup and of the one before, and the one that the operator gave.
async fn published(
    archive: &Archive,
    list: &BackupList,
    earlier: Option<&String>,
    source: &BackupSource,
) -> anyhow::Result<Vec<Published>> {
    let mut notes: Vec<(String, String)> = Vec::new();
    if let Some(note) = &list.checkpoint {
        notes.push(("the backup's own checkpoint".to_owned(), note.clone()));
    }
    if let Some(earlier) = earlier
        && let Some(note) = archive.list(earlier).await?.checkpoint
    {
        notes.push((format!("the checkpoint of the backup {earlier}"), note));
    }
    if let Some(path) = &source.checkpoint {
        notes.push((format!("the checkpoint in {}", path.display()), read_checkpoint(path)?));
    }
    let mut published = Vec::new();
    for (name, note) in notes {
        let checkpoint = checkpoint_of(&note).with_context(|| name.clone())?;
        published.push(Published { name, size: checkpoint.size, root: checkpoint.root });
    }
    Ok(published)
}

/// Reads every row.
async fn read_rows(archive: &Archive, list: &BackupList, published: &[Published]) -> anyhow::Result<RowFacts> {
    let mut facts = RowFacts::default();
    for copied in &list.tables {
        let before = facts.rows;
        for file in &copied.files {
            let content = archive.get(file).await?;
            let text = std::str::from_utf8(&content)
                .with_context(|| format!("the file {} of the backup is not text", file.name))?;
            for line in text.lines() {
                let values = read_row(&copied.table, line)?;
                note_row(BackupRow { table: &copied.table, values: &values }, published, &mut facts)?;
                facts.rows += 1;
            }
        }
        check_count(copied, facts.rows - before)?;
    }
    let entries = facts.frontier.size();
    for Published { name, size, .. } in published {
        ensure!(*size <= entries, "the log in the backup has {entries} entries, but {name} is over {size}");
    }
    Ok(facts)
}

fn check_count(copied: &CopiedTable, rows: u64) -> anyhow::Result<()> {
    let name = &copied.table.name;
    ensure!(rows == copied.rows, "table {name} has {rows} rows in the backup instead of {}", copied.rows);
    Ok(())
}

fn note_row(row: BackupRow<'_>, published: &[Published], facts: &mut RowFacts) -> anyhow::Result<()> {
    facts.needed.note(row);
    match row.table.name.as_str() {
        "items" if row.value("file_deleted_at").is_none() => {
            if let (Some(key), Some(digest)) = (row.text("blob_key"), row.text("file_sha256")) {
                facts.digests.insert(key.to_owned(), digest.to_owned());
            }
        }
        "certificates" => {
            if let (Some(key), Some(digest)) = (row.text("blob_key"), row.text("sha256")) {
                facts.digests.insert(key.to_owned(), digest.to_owned());
                facts.certificates.push(key.to_owned());
            }
        }
        "log_entries" => {
            let position = row.value("position").and_then(Value::as_u64);
            ensure!(position == Some(facts.frontier.size()), "an entry of the log is missing in the backup");
            let entry = row.text("entry").context("an entry of the log is empty in the backup")?;
            drop(facts.frontier.append(entry.as_bytes()));
            for Published { name, size, root } in published {
                if *size == facts.frontier.size() && *root != facts.frontier.root() {
                    bail!("the log in the backup contradicts {name}");
                }
            }
        }
        _ => {}
    }
    Ok(())
}

/// Reads every blob of the index.
async fn read_blobs(archive: &Archive, list: &BackupList) -> anyhow::Result<HashMap<String, CopiedBlob>> {
    let mut index = HashMap::new();
    let mut running: JoinSet<anyhow::Result<()>> = JoinSet::new();
    for file in &list.blobs.files {
        for blob in read_index(&archive.get(file).await?)? {
            index.insert(blob.key.to_string(), blob.clone());
            if running.len() >= AT_ONCE
                && let Some(ended) = running.join_next().await
            {
                ended.context("reading a blob was interrupted")??;
            }
            running.spawn(read_one(archive.clone(), blob));
        }
    }
    while let Some(ended) = running.join_next().await {
        ended.context("reading a blob was interrupted")??;
    }
    ensure!(index.len() as u64 == list.blobs.count, "the list of blobs in the backup has another number of blobs");
    Ok(index)
}

async fn read_one(archive: Archive, blob: CopiedBlob) -> anyhow::Result<()> {
    archive.copy_to(None, &blob).await
}

/// Each file that a row names must be in the backup, with the digest that the row has, if it has one.
fn compare(facts: &RowFacts, index: &HashMap<String, CopiedBlob>) -> anyhow::Result<()> {
    facts.needed.check(|key| index.contains_key(key))?;
    for (key, digest) in &facts.digests {
        let blob = index.get(key).with_context(|| format!("a row names the file {key}, which is not in the backup"))?;
        ensure!(blob.sha256.to_string() == *digest, "the file {key} has another digest than its row says");
    }
    Ok(())
}

fn choose(certificates: &[String], count: CertificateCount) -> Vec<&String> {
    let count = match count {
        CertificateCount::All => certificates.len(),
        CertificateCount::Sample(count) => count.min(certificates.len()),
    };
    (0..count).filter_map(|number| certificates.get(number * certificates.len() / count)).collect()
}

async fn verify(archive: &Archive, blob: &CopiedBlob, trust: Trust) -> anyhow::Result<Outcome> {
    let pdf = archive.blob(blob).await?;
    let now = Clock::system().now();
    let checked = tokio::task::spawn_blocking(move || verification::check(&pdf, &trust, &[], now))
        .await
        .context("verifying a certificate was interrupted")??;
    let outcome = checked.report.outcome;
    ensure!(outcome != Outcome::ChangedOrNotOurs, "the certificate {} in the backup is not valid", blob.key);
    Ok(outcome)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_is_spread_evenly() {
        let all: Vec<String> = (0..10).map(|number: u32| number.to_string()).collect();
        assert_eq!(choose(&all, CertificateCount::Sample(3)), ["0", "3", "6"]);
        assert_eq!(choose(&all, CertificateCount::Sample(20)).len(), 10);
        assert_eq!(choose(&all, CertificateCount::All).len(), 10);
        assert_eq!(choose(&[], CertificateCount::All).len(), 0);
        assert_eq!("all".parse(), Ok(CertificateCount::All));
        assert_eq!("5".parse(), Ok(CertificateCount::Sample(5)));
        assert!("-1".parse::<CertificateCount>().is_err());
    }
}
