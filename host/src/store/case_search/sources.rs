//! What the cases of a page of the list say about themselves in addition to their titles.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::listed::SHOWN;
use crate::{
    db::Reader,
    domain::{
        case_search::about::{NamedText, Sources},
        context::VisibleData,
        id::CaseId,
        report::ReportToken,
    },
    store::from_json,
};

/// How many items of a case are read: a search met one of the first, as a rule.
const MOST_ITEMS: usize = 40;

/// The first fifty parameters.
macro_rules! of_cases {
    () => {
        "($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24,
          $25, $26, $27, $28, $29, $30, $31, $32, $33, $34, $35, $36, $37, $38, $39, $40, $41, $42, $43, $44, $45, $46,
          $47, $48, $49, $50)"
    };
}

const SAID: &str = concat!(
    "select c.id, c.report_token, c.context, c.metadata,
       (select u.name from users u where u.id = c.user_id and u.kind = 'field') as user_name
     from cases c where c.id in ",
    of_cases!()
);

/// At most as many items as fifty cases show. A long text is cut.
const TEXTS: &str = concat!(
    "select i.case_id, i.step_title, substr(i.data, 1, 1000) as data,
       cast(case when i.blob_key is null then 0 else 1 end as bigint) as is_file
     from items i where i.case_id in ",
    of_cases!(),
    " order by i.case_id desc, i.id limit 2000"
);

#[derive(sqlx_macros::FromRow)]
struct SaidRow {
    id: CaseId,
    report_token: Option<ReportToken>,
    context: Option<String>,
    metadata: Option<String>,
    user_name: Option<String>,
}

#[derive(sqlx_macros::FromRow)]
struct TextRow {
    case_id: CaseId,
    step_title: String,
    data: String,
    is_file: i64,
}

/// What these cases say, at most [`SHOWN`] of them.
pub async fn sources(reader: &mut Reader, cases: &[CaseId]) -> sqlx::Result<BTreeMap<CaseId, Sources>> {
    let mut said = reader.query(SAID);
    for position in 0..SHOWN {
        said = said.bind(cases.get(position).copied());
    }
    let rows: Vec<SaidRow> = said.all().await?;
    let mut sources = BTreeMap::new();
    for row in rows {
        sources.insert(row.id, of_row(row)?);
    }
    let mut query = reader.query(TEXTS);
    for position in 0..SHOWN {
        query = query.bind(cases.get(position).copied());
    }
    let texts: Vec<TextRow> = query.all().await?;
    for row in texts {
        let Some(of_case) = sources.get_mut(&row.case_id) else { continue };
        let list = if row.is_file == 0 { &mut of_case.entries } else { &mut of_case.files };
        if list.len() < MOST_ITEMS {
            list.push(NamedText { name: row.step_title, text: row.data });
        }
    }
    Ok(sources)
}

fn of_row(row: SaidRow) -> sqlx::Result<Sources> {
    let context: Option<VisibleData> = row.context.map(|json| from_json("context", &json)).transpose()?;
    let metadata: Option<Map<String, Value>> = row.metadata.map(|json| from_json("metadata", &json)).transpose()?;
    Ok(Sources {
        report_token: row.report_token,
        context,
        metadata,
        entries: Vec::new(),
        files: Vec::new(),
        user: row.user_name,
    })
}
