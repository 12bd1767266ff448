//! What a restore brings back: cases and items that were deleted or erased after the backup, by a later export of the audit
//! log.

use std::{collections::BTreeSet, fmt, fs, path::Path};

use anyhow::Context;
use serde::{Deserialize, Serialize};

use crate::{
    app::audit::{AuditOutcome, LONGEST_TEXT},
    db::Db,
    domain::{
        id::{CaseId, ItemId},
        operation::Operation,
    },
    store,
};

/// A record of an export (`sealwright audit export`).
#[derive(Debug, Deserialize)]
pub struct ExportedRecord {
    action: String,
    subject: Option<String>,
    outcome: String,
    detail: Option<String>,
}

/// Data that is there, although the export says that it was deleted or erased.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DeletedSince {
    pub cases: BTreeSet<CaseId>,
    pub erasures: Vec<RevertedErasure>,
}

/// An erasure that has to be repeated.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RevertedErasure {
    pub case_id: CaseId,
    pub items: Vec<ItemId>,
    pub ground: String,
    /// Whether the record was long enough to name all items.
    pub is_complete: bool,
}

impl fmt::Display for DeletedSince {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.cases.is_empty() && self.erasures.is_empty() {
            return write!(f, "The export of the audit log names none that is there.");
        }
        write!(f, "By the export of the audit log, do this again:")?;
        for case in &self.cases {
            write!(f, "\n  delete case {case}")?;
        }
        for RevertedErasure { case_id, items, ground, is_complete } in &self.erasures {
            let items: Vec<String> = items.iter().map(ToString::to_string).collect();
            write!(f, "\n  sealwright erase {case_id} --items {} --ground {ground}", items.join(","))?;
            if !is_complete {
                write!(f, "  (and further items, which the record does not name)")?;
            }
        }
        Ok(())
    }
}

/// Reads the records of an export in the form of JSON lines.
pub fn read(path: &Path) -> anyhow::Result<Vec<ExportedRecord>> {
    let text = fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
    let record = |(number, line): (usize, &str)| -> anyhow::Result<ExportedRecord> {
        serde_json::from_str(line)
            .with_context(|| format!("{}:{}: not a record of the audit log", path.display(), number + 1))
    };
    text.lines().enumerate().map(record).collect()
}

/// What the records say was deleted or erased, and is in the database.
pub async fn find(db: &Db, records: &[ExportedRecord]) -> anyhow::Result<DeletedSince> {
    let mut reader = db.read().await?;
    let mut found = DeletedSince::default();
    let done = records.iter().filter(|record| record.outcome == AuditOutcome::Done.to_string());
    for (case, record) in done.filter_map(|record| Some((record.case()?, record))) {
        if record.action == Operation::DeleteCase.name() && store::case::find(&mut reader, case).await?.is_some() {
            found.cases.insert(case);
        }
        if record.action == Operation::EraseItems.name()
            && let Some(mut erasure) = record.erasure(case)
        {
            let mut items = Vec::new();
            for item in erasure.items {
                if store::item::find(&mut reader, item).await?.is_some() {
                    items.push(item);
                }
            }
            if !items.is_empty() {
                erasure.items = items;
                found.erasures.push(erasure);
            }
        }
    }
    found.erasures.retain(|erasure| !found.cases.contains(&erasure.case_id));
    Ok(found)
}

impl ExportedRecord {
    /// The case that it is about.
    fn case(&self) -> Option<CaseId> {
        self.subject.as_deref()?.strip_prefix("case ").and_then(CaseId::parse)
    }

    /// The erasure that it describes: the ground, and the references of items.
    fn erasure(&self, case: CaseId) -> Option<RevertedErasure> {
        let (ground, references) = self.detail.as_deref()?.split_once(": ")?;
        let references: Vec<&str> = references.split(", ").collect();
        let suffix = format!("_CAS-{case}");
        let item = |reference: &&str| ItemId::parse(reference.strip_prefix("ITM-")?.strip_suffix(&suffix)?);
        let items: Vec<ItemId> = references.iter().filter_map(item).collect();
        // The last reference of a long record is cut off.
        let is_complete = items.len() == references.len()
            && self.detail.as_deref().is_some_and(|detail| detail.chars().count() < LONGEST_TEXT);
        Some(RevertedErasure { case_id: case, items, ground: ground.to_owned(), is_complete })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_erasure_names_its_items_and_says_if_some_are_missing() {
        let case = CaseId::new(12).unwrap();
        let erasure = |detail: &str| {
            let record = ExportedRecord {
                action: "eraseItems".to_owned(),
                subject: Some("case 12".to_owned()),
                outcome: "done".to_owned(),
                detail: Some(detail.to_owned()),
            };
            assert_eq!(record.case(), Some(case));
            record.erasure(case).unwrap()
        };
        let items = |erasure: &RevertedErasure| erasure.items.iter().map(|item| item.get()).collect::<Vec<i64>>();
        let whole = erasure("legalDuty: ITM-31_CAS-12, ITM-34_CAS-12");
        assert_eq!((items(&whole), whole.ground.as_str(), whole.is_complete), (vec![31, 34], "legalDuty", true));
        let cut = erasure("request: ITM-31_CAS-12, ITM-34_CAS-1");
        assert_eq!((items(&cut), cut.is_complete), (vec![31], false));
        let found = DeletedSince { cases: BTreeSet::from([case]), erasures: vec![whole] };
        assert_eq!(
            found.to_string(),
            "By the export of the audit log, do this again:\n  delete case 12\n  sealwright erase 12 --items 31,34 --ground \
             legalDuty"
        );
    }
}
