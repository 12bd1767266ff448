//! The audit log as a file: JSON lines or CSV.

use futures_util::{Stream, stream};
use strum::{EnumString, IntoStaticStr};

use super::chain::try_to_chain;
use crate::{
    db::Db,
    domain::csv,
    error::Result,
    store::{
        self,
        audit::{AuditFilter, AuditRecord},
    },
};

/// How many records are read at once.
const PART: i64 = 500;

/// The form of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum ExportFormat {
    /// A JSON object on each line.
    Jsonl,
    /// RFC 4180, with a line of headings.
    Csv,
}

impl ExportFormat {
    /// The text before the first record.
    pub fn heading(self) -> String {
        match self {
            Self::Jsonl => String::new(),
            Self::Csv => csv::line(&HEADINGS),
        }
    }

    /// The line of a record, with its line break.
    pub fn line(self, record: &AuditRecord) -> Result<String> {
        match self {
            Self::Jsonl => {
                let json = serde_json::to_string(record).map_err(crate::error::Error::internal)?;
                Ok(format!("{json}\n"))
            }
            Self::Csv => Ok(csv::line(&cells(record).each_ref().map(String::as_str))),
        }
    }
}

const HEADINGS: [&str; 12] = [
    "position",
    "id",
    "happenedAt",
    "company",
    "actorKind",
    "actor",
    "action",
    "subject",
    "address",
    "outcome",
    "detail",
    "digest",
];

fn cells(record: &AuditRecord) -> [String; 12] {
    let number = |number: Option<i64>| number.map(|number| number.to_string()).unwrap_or_default();
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    [
        number(record.position),
        record.id.to_string(),
        record.happened_at.to_string(),
        number(record.company),
        record.actor_kind.clone(),
        record.actor.clone(),
        record.action.clone(),
        text(&record.subject),
        text(&record.address),
        record.outcome.clone(),
        text(&record.detail),
        text(&record.digest),
    ]
}

/// The matching records, the oldest first, in parts. Each part is read when it is asked for. What waits is chained first.
pub async fn records(
    db: &Db,
    filter: AuditFilter,
) -> Result<impl Stream<Item = Result<Vec<AuditRecord>>> + Send + use<>> {
    try_to_chain(db).await;
    Ok(stream::try_unfold((db.clone(), filter, 0), |(db, filter, after): (Db, AuditFilter, i64)| async move {
        let mut reader = db.read().await?;
        let part = store::audit::oldest(&mut reader, &filter, after, PART).await?;
        drop(reader);
        let last = part.last().map(|record| record.id);
        Ok(last.map(|last| (part, (db, filter, last))))
    }))
}
