//! What a backup consists of. `docs/backup-format.md` describes it for other programs.

use anyhow::{Context, bail, ensure};
use sealwright_seal::{Sha256Digest, tlog::Checkpoint};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    blobs::BlobKey,
    clock::Timestamp,
    db::{ColumnKind, Table},
};

/// What the list of a backup is called.
pub const FORMAT: &str = "sealwright-backup";
/// The version of the format. A program reads the versions up to its own.
pub const VERSION: u32 = 1;
/// The folder within a place that contains the backups.
pub const FOLDER: &str = "backups";
/// The name of the list in the folder of a backup.
pub const LIST: &str = "backup.json";

/// How large a file with rows or with the list of blobs gets, in bytes, if no line is larger.
pub const FILE_SIZE: usize = 4 * 1024 * 1024;

/// The list of everything in a backup.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BackupList {
    pub format: String,
    pub version: u32,
    /// The backup's folder: a time, then random digits.
    pub id: String,
    /// The backup has every change that was acknowledged before.
    pub taken_at: Timestamp,
    /// The version of the program that made it.
    pub program: String,
    /// The number of the newest migration of the database.
    pub schema: i64,
    /// `sqlite` or `postgresql`: it makes no difference for a restore.
    pub database: String,
    /// Identifies the installation by its secret key.
    pub installation: String,
    /// The newest checkpoint of the log of seals, a signed note. None if the log is empty.
    pub checkpoint: Option<String>,
    /// Identifies the log in the names of its published heads: 16 hexadecimal digits. None if none is published.
    pub log: Option<String>,
    pub tables: Vec<CopiedTable>,
    pub blobs: BlobIndex,
}

/// A table, and the files with its rows.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CopiedTable {
    pub table: Table,
    pub rows: u64,
    pub files: Vec<CopiedFile>,
}

/// A file of a backup, before encryption.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CopiedFile {
    pub name: String,
    /// Bytes.
    pub size: u64,
    pub sha256: Sha256Digest,
}

/// The files that list the blobs: a [`CopiedBlob`] in each line.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct BlobIndex {
    pub count: u64,
    /// Of all blobs together.
    pub bytes: u64,
    pub files: Vec<CopiedFile>,
}

/// A blob, before encryption.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CopiedBlob {
    pub key: BlobKey,
    /// Bytes.
    pub size: u64,
    pub sha256: Sha256Digest,
}

impl BackupList {
    /// The text of the list: JSON, and the digest of the JSON in a line of its own.
    pub fn write(&self) -> anyhow::Result<String> {
        let json = serde_json::to_string(self)?;
        Ok(format!("{json}\n{}\n", Sha256Digest::of(&json)))
    }

    /// Reads what [`write`](Self::write) has written.
    pub fn read(text: &[u8]) -> anyhow::Result<Self> {
        let text = std::str::from_utf8(text).context("it is not text")?;
        let lines = text.strip_suffix('\n').and_then(|text| text.rsplit_once('\n'));
        let (json, digest) = lines.context("it was cut off")?;
        ensure!(digest == Sha256Digest::of(json).to_string(), "it was changed or cut off");
        let header: Header = serde_json::from_str(json).context("it is not the list of a backup")?;
        ensure!(header.format == FORMAT, "it is not the list of a backup");
        if header.version > VERSION {
            bail!("it has version {} of the format, and this program reads up to version {VERSION}", header.version);
        }
        serde_json::from_str(json).context("it is not the list of a backup")
    }

    /// All files that it names, without the blobs themselves.
    pub fn files(&self) -> impl Iterator<Item = &CopiedFile> {
        self.tables.iter().flat_map(|table| &table.files).chain(&self.blobs.files)
    }
}

/// The part of the list that every version has.
#[derive(Deserialize)]
struct Header {
    format: String,
    version: u32,
}

/// The blobs in a file of the index.
pub fn read_index(content: &[u8]) -> anyhow::Result<Vec<CopiedBlob>> {
    let text = std::str::from_utf8(content).context("the list of blobs is not text")?;
    text.lines().map(|line| serde_json::from_str(line).context("the list of blobs has a wrong line")).collect()
}

/// The checkpoint in a signed note. The signature is not checked.
pub fn checkpoint_of(note: &str) -> anyhow::Result<Checkpoint> {
    let (text, _) = note.split_once("\n\n").context("it is not a signed checkpoint")?;
    Ok(Checkpoint::parse(&format!("{text}\n"))?)
}

/// A row as the database wrote it, as the format has it: a JSON array with numbers, texts, `true`, `false` and `null`.
pub fn normal_row(table: &Table, row: &str) -> anyhow::Result<String> {
    let mut values: Vec<Value> = serde_json::from_str(row).context("the database wrote a row that is not JSON")?;
    for (value, column) in values.iter_mut().zip(&table.columns) {
        // SQLite has numbers instead.
        if column.kind == ColumnKind::Boolean
            && let Some(number) = value.as_i64()
        {
            *value = Value::Bool(number != 0);
        }
    }
    check_row(table, &values)?;
    Ok(serde_json::to_string(&values)?)
}

/// The values of a row.
pub fn read_row(table: &Table, row: &str) -> anyhow::Result<Vec<Value>> {
    let values: Vec<Value> =
        serde_json::from_str(row).with_context(|| format!("a row of table {} is not a JSON array", table.name))?;
    check_row(table, &values)?;
    Ok(values)
}

fn check_row(table: &Table, values: &[Value]) -> anyhow::Result<()> {
    ensure!(values.len() == table.columns.len(), "a row of table {} has another number of columns", table.name);
    for (value, column) in values.iter().zip(&table.columns) {
        let fits = match column.kind {
            ColumnKind::Integer => value.is_i64(),
            ColumnKind::Text => value.is_string(),
            ColumnKind::Boolean => value.is_boolean(),
        };
        ensure!(fits || value.is_null(), "column {} of table {} has a value of another type", column.name, table.name);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::db::Column;

    fn list() -> BackupList {
        BackupList {
            format: FORMAT.to_owned(),
            version: VERSION,
            id: "a".to_owned(),
            taken_at: Timestamp::from_millis(1),
            program: "1".to_owned(),
            schema: 36,
            database: "sqlite".to_owned(),
            installation: "b".to_owned(),
            checkpoint: None,
            log: None,
            tables: Vec::new(),
            blobs: BlobIndex::default(),
        }
    }

    #[test]
    fn a_list_that_was_changed_or_cut_off_is_refused() {
        let text = list().write().unwrap();
        assert_eq!(BackupList::read(text.as_bytes()).unwrap().id, "a");
        for length in 0..text.len() {
            assert!(BackupList::read(&text.as_bytes()[..length]).is_err(), "{length}");
        }
        for at in 0..text.len() {
            let mut changed = text.clone().into_bytes();
            changed[at] ^= 1;
            assert!(BackupList::read(&changed).is_err(), "{at}");
        }
    }

    #[test]
    fn a_later_version_of_the_format_is_named() {
        let text = BackupList { version: VERSION + 1, ..list() }.write().unwrap();
        let error = BackupList::read(text.as_bytes()).unwrap_err().to_string();
        assert_eq!(error, "it has version 2 of the format, and this program reads up to version 1");
    }

    #[test]
    fn rows_of_both_databases_become_the_same() {
        let column = |name: &str, kind| Column { name: name.to_owned(), kind };
        let columns = vec![
            column("id", ColumnKind::Integer),
            column("name", ColumnKind::Text),
            column("on", ColumnKind::Boolean),
        ];
        let table = Table { name: "t".to_owned(), columns, identity: Some(7), refers_to_itself: false };
        let expected = r#"[9007199254740993,"é\n\"",true]"#;
        assert_eq!(normal_row(&table, r#"[9007199254740993, "\u00e9\n\"", true]"#).unwrap(), expected);
        assert_eq!(normal_row(&table, r#"[9007199254740993,"é\n\"",1]"#).unwrap(), expected);
        assert_eq!(normal_row(&table, "[1,null,0]").unwrap(), "[1,null,false]");
        for wrong in ["[1,null]", r#"["1",null,null]"#, "[1.5,null,null]", "[1,2,null]", "{}", "[1,null,2"] {
            assert!(read_row(&table, wrong).is_err(), "{wrong}");
        }
    }
}
