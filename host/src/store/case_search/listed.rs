//! A case as the console's list shows it.

use super::super::case_names::CaseNames;
use crate::{
    clock::Timestamp,
    db::Reader,
    domain::{
        analysis::TrustLevel,
        case::CaseReference,
        case_search::Place,
        console::Outcome,
        id::{CaseId, CompanyId},
        report::ReportToken,
    },
};

/// How many cases [`read`] reads at once.
pub const SHOWN: usize = 50;

pub(super) const SHOW: &str = "select c.id, c.company_id, c.title, c.report_token, c.created_at, c.closed_at,
       (select o.name from companies o where o.id = c.company_id) as company_name,
       (select f.name from frames f where f.id = c.frame_id) as frame_name,
       (select k.frozen from certificates k where k.case_id = c.id) as frozen,
       (select a.trust_score from case_analyses a where a.case_id = c.id) as trust_score,
       (select d.outcome from decisions d where d.case_id = c.id order by d.id desc limit 1) as decision
     from cases c
     where c.id in ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22,
       $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33, $34, $35, $36, $37, $38, $39, $40, $41, $42, $43, $44,
       $45, $46, $47, $48, $49, $50)";

/// A case in the console's list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedCase {
    pub id: CaseId,
    pub company: CompanyId,
    /// For a closed case, the name at its closing.
    pub company_name: String,
    /// For a closed case, the name at its closing.
    pub frame_name: String,
    pub title: String,
    pub report_token: Option<ReportToken>,
    pub created_at: Timestamp,
    pub closed_at: Option<Timestamp>,
    /// Of the newest verdict.
    pub trust_score: Option<u8>,
    /// The newest.
    pub decision: Option<Outcome>,
}

impl ListedCase {
    pub fn reference(&self) -> CaseReference {
        CaseReference { case: self.id, company: self.company }
    }

    pub fn place(&self) -> Place {
        Place { created_at: self.created_at, id: self.id.get() }
    }

    pub fn trust_level(&self) -> Option<TrustLevel> {
        self.trust_score.map(TrustLevel::of)
    }
}

#[derive(sqlx_macros::FromRow)]
struct Row {
    id: CaseId,
    company_id: CompanyId,
    title: String,
    report_token: Option<ReportToken>,
    created_at: Timestamp,
    closed_at: Option<Timestamp>,
    company_name: String,
    frame_name: String,
    frozen: Option<String>,
    trust_score: Option<i64>,
    decision: Option<Outcome>,
}

/// The cases at these places, at most [`SHOWN`], the newest first. A case that was deleted meanwhile is left out.
pub async fn read(reader: &mut Reader, places: &[Place]) -> sqlx::Result<Vec<ListedCase>> {
    let mut query = reader.query(SHOW);
    for position in 0..SHOWN {
        query = query.bind(places.get(position).map(|place| place.id));
    }
    let rows: Vec<Row> = query.all().await?;
    let mut cases = rows.into_iter().map(listed).collect::<sqlx::Result<Vec<ListedCase>>>()?;
    cases.sort_by_key(|case| std::cmp::Reverse(case.place()));
    Ok(cases)
}

fn listed(row: Row) -> sqlx::Result<ListedCase> {
    let names = CaseNames::of(row.frozen.as_deref(), row.company_name, row.frame_name)?;
    Ok(ListedCase {
        id: row.id,
        company: row.company_id,
        company_name: names.company_name,
        frame_name: names.frame_name,
        title: row.title,
        report_token: row.report_token,
        created_at: row.created_at,
        closed_at: row.closed_at,
        trust_score: row.trust_score.and_then(|score| u8::try_from(score).ok()),
        decision: row.decision,
    })
}
