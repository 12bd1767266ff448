//! Cases for lists: one row each with its frame, its company and its certificate, in the order `createdAt`, `id`
//! (decisions 6), read page by page. A search selects them by its filter, a report by its token.

use serde_json::{Map, Value};

use super::{
    case_names::CaseNames,
    certificate::{CertificateState, state},
    from_json,
};
use crate::{
    blobs::BlobKey,
    clock::Timestamp,
    db::Reader,
    domain::{
        access_key::ShareToken,
        case::CaseReference,
        id::{CaseId, CompanyId, FrameId},
        report::ReportToken,
        search::Window,
    },
};

/// A case in a list.
#[derive(Clone, Debug, PartialEq)]
pub struct CaseOverview {
    pub id: CaseId,
    pub company: CompanyId,
    /// For a closed case, the name at its closing.
    pub company_name: String,
    /// For a closed case, the name at its closing.
    pub frame_name: String,
    pub report_token: Option<ReportToken>,
    pub metadata: Option<Map<String, Value>>,
    pub scheduled_at: Option<Timestamp>,
    pub created_at: Timestamp,
    pub closed: Option<Closed>,
}

/// The data that a closing added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Closed {
    pub at: Timestamp,
    pub share_token: ShareToken,
    pub certificate: CertificateState,
}

/// The filters of a search in a company's cases. An absent one does not filter.
#[derive(Clone, Debug)]
pub struct Filter {
    pub window: Window,
    pub case: Option<CaseId>,
    pub frame: Option<FrameId>,
    pub report_token: Option<ReportToken>,
    pub closed: Option<bool>,
}

/// A position in the order `createdAt`, `id`; a page starts after it.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    pub created_at: Timestamp,
    /// A case's identifier, or 0: before every case of that moment.
    pub id: i64,
}

impl Place {
    /// Before every case of this moment or later.
    pub const fn before(created_at: Timestamp) -> Self {
        Self { created_at, id: 0 }
    }

    pub const fn behind(case: &CaseOverview) -> Self {
        Self { created_at: case.created_at, id: case.id.get() }
    }

    /// Before every case.
    pub const BEGINNING: Self = Self::before(Timestamp::from_millis(i64::MIN));
}

impl CaseOverview {
    pub fn reference(&self) -> CaseReference {
        CaseReference { case: self.id, company: self.company }
    }
}

/// A constant query: the columns of [`Row`], then what follows.
macro_rules! overviews {
    ($rest:literal) => {
        concat!(
            "select c.id, c.company_id, o.name as company_name, f.name as frame_name, c.report_token, c.metadata,
                    c.scheduled_at, c.created_at, c.closed_at, k.share_token, k.frozen, k.blob_key, k.size, k.crc32,
                    k.failure
             from cases c join companies o on o.id = c.company_id join frames f on f.id = c.frame_id
             left join certificates k on k.case_id = c.id ",
            $rest
        )
    };
}

/// The window comes first: the index on company and time of creation finds its cases, in order, and the filters apply
/// only to those. So the cost of a search depends on its window, not on the number of all cases.
const COUNT: &str = "select count(*) from cases c
    where c.company_id = $1 and c.created_at >= $2 and c.created_at <= $3
      and ($4 is null or c.id = $4) and ($5 is null or c.frame_id = $5) and ($6 is null or c.report_token = $6)
      and ($7 is null or (c.closed_at is not null) = $7)";

const SEARCH: &str = overviews!(
    "where c.company_id = $1 and c.created_at >= $2 and c.created_at <= $3
       and ($4 is null or c.id = $4) and ($5 is null or c.frame_id = $5) and ($6 is null or c.report_token = $6)
       and ($7 is null or (c.closed_at is not null) = $7) and (c.created_at > $2 or c.id > $8)
     order by c.created_at, c.id limit $9 offset $10"
);

const REPORT: &str = overviews!(
    "where c.report_token = $1 and c.created_at >= $2 and (c.created_at > $2 or c.id > $3)
     order by c.created_at, c.id limit $4"
);

/// The `+` keeps SQLite from using the index on the company, which may have many more cases than the report.
const CLOSED_OF_REPORT: &str = overviews!(
    "where c.report_token = $1 and c.created_at >= $2 and (c.created_at > $2 or c.id > $3)
       and +c.company_id = $4 and c.closed_at >= $5
     order by c.created_at, c.id limit $6"
);

#[derive(sqlx_macros::FromRow)]
struct Row {
    id: CaseId,
    company_id: CompanyId,
    company_name: String,
    frame_name: String,
    report_token: Option<ReportToken>,
    metadata: Option<String>,
    scheduled_at: Option<Timestamp>,
    created_at: Timestamp,
    closed_at: Option<Timestamp>,
    share_token: Option<ShareToken>,
    frozen: Option<String>,
    blob_key: Option<BlobKey>,
    size: Option<i64>,
    crc32: Option<i64>,
    failure: Option<String>,
}

/// How many of the company's cases match.
pub async fn count(reader: &mut Reader, company: CompanyId, filter: &Filter) -> sqlx::Result<i64> {
    let (count,) = reader
        .query(COUNT)
        .bind(company)
        .bind(filter.window.first)
        .bind(filter.window.last)
        .bind(filter.case)
        .bind(filter.frame)
        .bind(&filter.report_token)
        .bind(filter.closed)
        .one()
        .await?;
    Ok(count)
}

/// At most `limit` of the company's matching cases after `place`, skipping `offset` of them.
pub async fn search(
    reader: &mut Reader,
    company: CompanyId,
    filter: &Filter,
    place: Place,
    limit: i64,
    offset: i64,
) -> sqlx::Result<Vec<CaseOverview>> {
    let rows: Vec<Row> = reader
        .query(SEARCH)
        .bind(company)
        .bind(place.created_at)
        .bind(filter.window.last)
        .bind(filter.case)
        .bind(filter.frame)
        .bind(&filter.report_token)
        .bind(filter.closed)
        .bind(place.id)
        .bind(limit)
        .bind(offset)
        .all()
        .await?;
    rows.into_iter().map(overview).collect()
}

/// At most `limit` cases of a report after `place`, of any company of the family. Anyone who knows the token may read
/// them (spec 2.4).
pub async fn of_report(
    reader: &mut Reader,
    token: &ReportToken,
    place: Place,
    limit: i64,
) -> sqlx::Result<Vec<CaseOverview>> {
    let rows: Vec<Row> =
        reader.query(REPORT).bind(token).bind(place.created_at).bind(place.id).bind(limit).all().await?;
    rows.into_iter().map(overview).collect()
}

/// At most `limit` of the company's own cases of a report after `place` that were closed at `closed_from` or later.
pub async fn closed_of_report(
    reader: &mut Reader,
    company: CompanyId,
    token: &ReportToken,
    closed_from: Timestamp,
    place: Place,
    limit: i64,
) -> sqlx::Result<Vec<CaseOverview>> {
    let rows: Vec<Row> = reader
        .query(CLOSED_OF_REPORT)
        .bind(token)
        .bind(place.created_at)
        .bind(place.id)
        .bind(company)
        .bind(closed_from)
        .bind(limit)
        .all()
        .await?;
    rows.into_iter().map(overview).collect()
}

fn overview(row: Row) -> sqlx::Result<CaseOverview> {
    let names = CaseNames::of(row.frozen.as_deref(), row.company_name, row.frame_name)?;
    let certificate = state(row.blob_key, row.size, row.crc32, row.failure);
    Ok(CaseOverview {
        id: row.id,
        company: row.company_id,
        company_name: names.company_name,
        frame_name: names.frame_name,
        report_token: row.report_token,
        metadata: row.metadata.map(|json| from_json("metadata", &json)).transpose()?,
        scheduled_at: row.scheduled_at,
        created_at: row.created_at,
        // A closing writes both in one transaction.
        closed: row.closed_at.zip(row.share_token).map(|(at, share_token)| Closed { at, share_token, certificate }),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::db::Db;

    /// The steps of the query plan for an SQL text, on an empty database, where the planner has no reason to prefer an
    /// index that it does not need.
    macro_rules! plan {
        ($tx:expr, $sql:expr) => {{
            let steps: Vec<(i64, i64, i64, String)> = $tx.query($sql).all().await.unwrap();
            steps.into_iter().map(|(.., step)| step).collect::<Vec<_>>()
        }};
    }

    #[tokio::test]
    async fn spec_4_3_rule_4_a_search_costs_by_its_window() {
        let folder = tempfile::tempdir().unwrap();
        let db = Db::open(&format!("sqlite://{}/test.db", folder.path().display())).await.unwrap();
        let mut tx = db.begin().await.unwrap();
        let explain = |sql: &str| -> &'static str { format!("explain query plan {sql}").leak() };
        for sql in [COUNT, SEARCH] {
            let plan = plan!(tx, explain(sql));
            assert!(
                plan.iter()
                    .any(|step| step.contains("cases_by_company (company_id=? AND created_at>? AND created_at<?)")),
                "{sql}: {plan:?}"
            );
            assert!(plan.iter().all(|step| !step.contains("SCAN") && !step.contains("TEMP B-TREE")), "{plan:?}");
        }
        for sql in [REPORT, CLOSED_OF_REPORT] {
            let plan = plan!(tx, explain(sql));
            assert!(
                plan.iter().any(|step| step.contains("cases_by_report (report_token=? AND created_at>?)")),
                "{sql}: {plan:?}"
            );
            assert!(plan.iter().all(|step| !step.contains("SCAN") && !step.contains("TEMP B-TREE")), "{plan:?}");
        }
    }
}
