//! The blobs that the rows of a backup need: those that the queries of a backup return (`store/blob_reference.rs`).

use std::collections::{BTreeSet, HashSet};

use anyhow::bail;
use serde_json::Value;

use crate::{db::Table, store::blob_reference};

/// A row of a backup.
#[derive(Clone, Copy, Debug)]
pub(super) struct BackupRow<'r> {
    pub(super) table: &'r Table,
    /// In the order of the table's columns.
    pub(super) values: &'r [Value],
}

impl<'r> BackupRow<'r> {
    /// The value of a column. None: null, or there is no such column.
    pub(super) fn value(self, column: &str) -> Option<&'r Value> {
        let at = self.table.columns.iter().position(|found| found.name == column)?;
        self.values.get(at).filter(|value| !value.is_null())
    }

    pub(super) fn text(self, column: &str) -> Option<&'r str> {
        self.value(column).and_then(Value::as_str)
    }

    fn number(self, column: &str) -> Option<i64> {
        self.value(column).and_then(Value::as_i64)
    }
}

/// The keys of the needed blobs.
#[derive(Debug, Default)]
pub(super) struct NeededBlobs {
    keys: BTreeSet<String>,
    /// Uploads that are being received. The pieces of others may be deleted already.
    receiving: HashSet<i64>,
    /// Cases whose facts are over: those may be deleted already.
    without_facts: HashSet<i64>,
}

impl NeededBlobs {
    /// Notes what a row needs. The rows of a table come after those that they refer to.
    pub(super) fn note(&mut self, row: BackupRow<'_>) {
        let table = row.table.name.as_str();
        if table == "uploads" && row.text("state") == Some("receiving") {
            self.receiving.extend(row.number("id"));
        }
        if table == "cases" && row.value("facts_expired_at").is_some() {
            self.without_facts.extend(row.number("id"));
        }
        let is_needed = match table {
            "items" => row.value("file_deleted_at").is_none(),
            "upload_pieces" => row.number("upload_id").is_some_and(|upload| self.receiving.contains(&upload)),
            "item_analyses" => row.number("case_id").is_none_or(|case| !self.without_facts.contains(&case)),
            _ => true,
        };
        if !is_needed {
            return;
        }
        for (_, column) in blob_reference::columns_of_backup().filter(|(name, _)| *name == table) {
            self.keys.extend(row.text(column).map(str::to_owned));
        }
    }

    /// Checks that each blob is in the backup.
    ///
    /// # Errors
    /// Names the first one that is not.
    pub(super) fn check(&self, is_there: impl Fn(&str) -> bool) -> anyhow::Result<()> {
        if let Some(key) = self.keys.iter().find(|key| !is_there(key.as_str())) {
            bail!("a row names the file {key}, which is not in the backup");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::db::{Column, ColumnKind};

    fn note(needed: &mut NeededBlobs, table: &str, row: &[(&str, Value)]) {
        let column = |name: &str| Column { name: name.to_owned(), kind: ColumnKind::Text };
        let columns = row.iter().map(|(name, _)| column(name)).collect();
        let table = Table { name: table.to_owned(), columns, identity: None, refers_to_itself: false };
        let values: Vec<Value> = row.iter().map(|(_, value)| value.clone()).collect();
        needed.note(BackupRow { table: &table, values: &values });
    }

    #[test]
    fn every_column_that_a_backup_needs_is_noted() {
        for (table, column) in blob_reference::columns_of_backup() {
            let mut needed = NeededBlobs::default();
            note(&mut needed, "uploads", &[("id", json!(7)), ("state", json!("receiving"))]);
            note(
                &mut needed,
                table,
                &[("upload_id", json!(7)), ("file_deleted_at", Value::Null), (column, json!("k"))],
            );
            assert!(needed.check(|key| key == "k").is_ok());
            let error = needed.check(|_| false).unwrap_err().to_string();
            assert_eq!(error, "a row names the file k, which is not in the backup", "{table}.{column}");
        }
    }

    #[test]
    fn a_row_whose_blob_may_be_deleted_needs_none() {
        let mut needed = NeededBlobs::default();
        note(&mut needed, "items", &[("file_deleted_at", json!(1)), ("blob_key", json!("k"))]);
        note(&mut needed, "uploads", &[("id", json!(7)), ("state", json!("finished"))]);
        note(&mut needed, "upload_pieces", &[("upload_id", json!(7)), ("blob_key", json!("k"))]);
        note(&mut needed, "cases", &[("id", json!(7)), ("facts_expired_at", json!(1))]);
        note(&mut needed, "item_analyses", &[("case_id", json!(7)), ("facts_key", json!("k"))]);
        note(&mut needed, "certificates", &[("replaced_blob_key", json!("k"))]);
        assert!(needed.check(|_| false).is_ok());
    }
}
