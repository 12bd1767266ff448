//! The list of all columns that refer to blobs. The sweep of the blob store deletes blobs that none of them refers to.

use std::collections::HashSet;

use crate::{blobs::BlobKey, db::Reader};

/// How many keys one statement looks up.
const BATCH_SIZE: usize = 20;

/// A column that refers to blobs.
#[derive(Clone, Copy, Debug)]
struct Column {
    name: (&'static str, &'static str),
    /// Returns those of [`BATCH_SIZE`] keys that the column contains.
    sql: &'static str,
    /// Returns the keys that a backup needs; none: no key. A row whose blob may be deleted already needs none.
    in_backup: Option<&'static str>,
}

macro_rules! column {
    ($table:literal, $column:literal) => {
        column!(
            $table,
            $column,
            Some(concat!("select ", $column, " from ", $table, " where ", $column, " is not null"))
        )
    };
    ($table:literal, $column:literal, $in_backup:expr) => {
        column!($table, $column, "", $in_backup)
    };
    // `$condition` ends with `and `.
    ($table:literal, $column:literal, $condition:literal, $in_backup:expr) => {
        Column {
            name: ($table, $column),
            sql: concat!(
                "select ",
                $column,
                " from ",
                $table,
                " where ",
                $condition,
                $column,
                " in ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)"
            ),
            in_backup: $in_backup,
        }
    };
}

/// If a column is missing here, files are lost: blobs that only it refers to are deleted.
const COLUMNS: [Column; 5] = [
    // The file of an item that was deleted is no longer needed, nor is what was made from it.
    column!(
        "items",
        "blob_key",
        "file_deleted_at is null and ",
        Some("select blob_key from items where blob_key is not null and file_deleted_at is null")
    ),
    column!("certificates", "blob_key"),
    column!("certificates", "replaced_blob_key", None),
    column!(
        "item_analyses",
        "facts_key",
        Some(
            "select a.facts_key from item_analyses a join cases c on c.id = a.case_id
             where a.facts_key is not null and c.facts_expired_at is null"
        )
    ),
    column!(
        "upload_pieces",
        "blob_key",
        Some("select p.blob_key from upload_pieces p join uploads u on u.id = p.upload_id where u.state = 'receiving'")
    ),
];

/// What has been published is named by content and never deleted.
const PUBLISHED: &str = "select blob_key from published";

/// The queries whose rows are the keys of all blobs that a backup needs.
pub fn queries_of_backup() -> impl Iterator<Item = &'static str> {
    COLUMNS.into_iter().filter_map(|column| column.in_backup).chain([PUBLISHED])
}

/// The columns that these queries read, each with its table.
pub fn columns_of_backup() -> impl Iterator<Item = (&'static str, &'static str)> {
    let columns = COLUMNS.into_iter().filter(|column| column.in_backup.is_some());
    columns.map(|column| column.name).chain([("published", "blob_key")])
}

/// Those of `keys` that a row refers to.
pub async fn named(reader: &mut Reader, keys: &[BlobKey]) -> sqlx::Result<HashSet<BlobKey>> {
    let mut named = HashSet::new();
    for keys in keys.chunks(BATCH_SIZE) {
        for column in COLUMNS {
            let mut query = reader.query(column.sql);
            for position in 0..BATCH_SIZE {
                query = query.bind(keys.get(position));
            }
            let rows: Vec<(BlobKey,)> = query.all().await?;
            named.extend(rows.into_iter().map(|(key,)| key));
        }
    }
    Ok(named)
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use super::*;

    /// Columns whose name looks like a blob's but which keep no blob alive.
    const OTHERS: [(&str, &str); 5] = [
        // Plugins and templates are never swept: their keys are derived from their content.
        ("published", "blob_key"),
        // The last parts of addresses.
        ("items", "media_key"),
        ("uploads", "upload_key"),
        // Blobs that must still be deleted.
        ("deleted_cases", "blobs"),
        ("erased_items", "blobs"),
    ];

    #[test]
    fn every_column_that_names_a_blob_is_known() {
        let mut found = Vec::new();
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations");
        for file in fs::read_dir(folder).unwrap() {
            found.extend(columns(&fs::read_to_string(file.unwrap().path()).unwrap()));
        }
        let looks_like_a_blob = |column: &str| column.ends_with("_key") || column.contains("blob");
        found.retain(|(_, column)| looks_like_a_blob(column));
        found.sort();
        let known = COLUMNS.iter().map(|column| column.name).chain(OTHERS);
        let mut known: Vec<(String, String)> =
            known.map(|(table, column)| (table.to_owned(), column.to_owned())).collect();
        known.sort();
        assert_eq!(found, known, "name a new column in COLUMNS if it names a blob, else in OTHERS");
    }

    /// Table and name of each column of type text that a migration creates.
    fn columns(sql: &str) -> Vec<(String, String)> {
        let mut columns = Vec::new();
        let mut table = String::new();
        for line in sql.lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            match words.as_slice() {
                ["create", .., "table", name, "("] => (*name).clone_into(&mut table),
                ["alter", "table", name, "add", "column", column, kind, ..] if is_text(kind) => {
                    columns.push(((*name).to_owned(), (*column).to_owned()));
                }
                [column, kind, ..] if is_text(kind) => columns.push((table.clone(), (*column).to_owned())),
                _ => {}
            }
        }
        columns
    }

    fn is_text(kind: &str) -> bool {
        kind.trim_end_matches([',', ';']) == "text"
    }
}
