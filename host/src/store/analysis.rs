//! Analyses: one row for each file that is examined, one for each closed case that is judged.

mod lists;

use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, IntoStaticStr};

pub use self::lists::{judged_since, overdue_cases, stranded_items};
use super::{case_word, from_json, job::JobKind, to_json};
use crate::{
    blobs::BlobKey,
    clock::Timestamp,
    db::{Reader, Tx},
    domain::{
        analysis::{
            AnalysisProgress, CaseAnalysis, DocumentAnalysis,
            judgement::{CaseAccount, DocumentAccount},
            progress::{Standing, Tally},
        },
        id::{CaseId, CompanyId, ItemId},
        step::StepAnalysis,
    },
};

/// The analysis of one item's file.
#[derive(Clone, Debug, PartialEq)]
pub struct ItemAnalysis {
    pub item: ItemId,
    pub case: CaseId,
    pub company: CompanyId,
    /// For a document, its step's analysis as it was when the document was received; none for a picture.
    pub plan: Option<StepAnalysis>,
    pub state: ItemState,
    /// For a document whose analysis has ended.
    pub result: Option<DocumentAnalysis>,
    pub account: Option<DocumentAccount>,
    pub extracted: Vec<Extracted>,
    /// The blob with the file's facts.
    pub facts_key: Option<BlobKey>,
    /// Why it ended without an answer.
    pub failure: Option<String>,
    pub ended_at: Option<Timestamp>,
}

/// How far the analysis of an item's file has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "lowercase", const_into_str)]
pub enum ItemState {
    /// Not started, or waiting for a retry.
    Pending,
    /// A worker is processing it.
    Running,
    Completed,
    Failed,
}

/// The state in the row of an analysis. Whether a worker is processing it is in the job's row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Display, EnumString)]
#[strum(serialize_all = "lowercase")]
enum StoredState {
    Pending,
    Completed,
    Failed,
}

sealwright_base::text_column!(StoredState, "state of an analysis");

/// A field read from a document because its step asks for it (spec 6.1, `extractedData`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Extracted {
    pub key: String,
    pub value: String,
}

/// The outcome of the analysis of an item's file.
#[derive(Clone, Debug, PartialEq)]
pub enum Ending {
    Completed(Box<Completed>),
    Failed(String),
}

/// What is stored of an analysis with an answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Completed {
    pub result: Option<DocumentAnalysis>,
    pub account: Option<DocumentAccount>,
    pub extracted: Vec<Extracted>,
    pub facts_key: Option<BlobKey>,
}

/// The newest verdict on a closed case.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// Counts the verdicts: 1 is the first.
    pub revision: i64,
    pub progress: AnalysisProgress,
    pub analysis: CaseAnalysis,
    pub account: CaseAccount,
    pub concluded_at: Timestamp,
    /// The newest revision that the receiver must be notified of.
    pub notice: i64,
}

#[derive(sqlx_macros::FromRow)]
struct ItemRow {
    item_id: ItemId,
    case_id: CaseId,
    company_id: CompanyId,
    plan: Option<String>,
    state: StoredState,
    result: Option<String>,
    account: Option<String>,
    extracted: Option<String>,
    facts_key: Option<BlobKey>,
    failure: Option<String>,
    ended_at: Option<Timestamp>,
    running: bool,
}

#[derive(sqlx_macros::FromRow)]
struct CaseRow {
    revision: i64,
    progress: Option<AnalysisProgress>,
    result: Option<String>,
    account: Option<String>,
    concluded_at: Option<Timestamp>,
    notice: i64,
}

/// Records that an item's file must be examined: as a document if there is a plan, else as a picture.
pub async fn expect_item(
    tx: &mut Tx,
    company: CompanyId,
    case: CaseId,
    item: ItemId,
    plan: Option<&StepAnalysis>,
    now: Timestamp,
) -> sqlx::Result<()> {
    tx.query(
        "insert into item_analyses (item_id, case_id, company_id, kind, plan, deletes_file, state, requested_at)
         values ($1, $2, $3, $4, $5, $6, 'pending', $7)",
    )
    .bind(item)
    .bind(case)
    .bind(company)
    .bind(if plan.is_some() { "document" } else { "picture" })
    .bind(plan.map(to_json))
    .bind(plan.is_some_and(|plan| plan.delete_after_analysis))
    .bind(now)
    .execute()
    .await?;
    Ok(())
}

/// The analysis of one item of any company. For jobs.
pub async fn find_item(reader: &mut Reader, item: ItemId) -> sqlx::Result<Option<ItemAnalysis>> {
    let row: Option<ItemRow> = reader
        .query(
            "select a.*, exists (select 1 from jobs j where j.kind = $2 and j.subject = a.item_id
                                 and j.state = 'running') as running
             from item_analyses a where a.item_id = $1",
        )
        .bind(item)
        .bind(JobKind::AnalyseItem)
        .optional()
        .await?;
    row.map(item_analysis).transpose()
}

/// The analyses of a case's items, in the order in which the items were received.
pub async fn of_items(reader: &mut Reader, case: CaseId) -> sqlx::Result<Vec<ItemAnalysis>> {
    let rows: Vec<ItemRow> = reader
        .query(
            "select a.*, exists (select 1 from jobs j where j.kind = $2 and j.subject = a.item_id
                                 and j.state = 'running') as running
             from item_analyses a where a.case_id = $1 order by a.item_id",
        )
        .bind(case)
        .bind(JobKind::AnalyseItem)
        .all()
        .await?;
    rows.into_iter().map(item_analysis).collect()
}

/// Ends the analysis of an item's file; false if it has ended already, or its item is gone. The caller has locked the
/// case's row.
pub async fn end_item(tx: &mut Tx, item: ItemId, ending: &Ending, now: Timestamp) -> sqlx::Result<bool> {
    let nothing = Completed::default();
    let (state, kept, failure) = match ending {
        Ending::Completed(kept) => (StoredState::Completed, kept.as_ref(), None),
        Ending::Failed(why) => (StoredState::Failed, &nothing, Some(why)),
    };
    let ended = tx
        .query(
            "update item_analyses set state = $2, ended_at = $3, result = $4, account = $5, extracted = $6, facts_key = $7,
                                      failure = $8
             where item_id = $1 and state = 'pending'",
        )
        .bind(item)
        .bind(state)
        .bind(now)
        .bind(kept.result.as_ref().map(to_json))
        .bind(kept.account.as_ref().map(to_json))
        .bind((!kept.extracted.is_empty()).then(|| to_json(&kept.extracted)))
        .bind(&kept.facts_key)
        .bind(failure)
        .execute()
        .await?;
    Ok(ended == 1)
}

/// Reopens the failed analysis of an item's file. The caller has locked the case's row.
pub async fn reopen_item(tx: &mut Tx, item: ItemId) -> sqlx::Result<()> {
    let reopened = tx
        .query(
            "update item_analyses set state = 'pending', ended_at = null, failure = null
             where item_id = $1 and state = 'failed'",
        )
        .bind(item)
        .execute()
        .await?;
    if reopened == 1 {
        // What is read now is not what has expired.
        tx.query(
            "update cases set facts_expired_at = null
             where id = (select case_id from item_analyses where item_id = $1) and facts_expired_at is not null",
        )
        .bind(item)
        .execute()
        .await?;
        // If a verdict counted it as ended, another verdict follows when it ends again.
        tx.query(
            "update case_analyses set basis = basis - 1
             where case_id = (select case_id from item_analyses where item_id = $1) and basis > 0",
        )
        .bind(item)
        .execute()
        .await?;
    }
    Ok(())
}

/// The blobs with the facts of a case's files.
pub async fn facts_of_case(reader: &mut Reader, case: CaseId) -> sqlx::Result<Vec<BlobKey>> {
    let keys: Vec<(BlobKey,)> = reader
        .query("select facts_key from item_analyses where case_id = $1 and facts_key is not null order by item_id")
        .bind(case)
        .all()
        .await?;
    Ok(keys.into_iter().map(|(key,)| key).collect())
}

/// Starts waiting for the analyses of a closed case.
pub async fn begin_case(
    tx: &mut Tx,
    company: CompanyId,
    case: CaseId,
    closed_at: Timestamp,
    deadline: Timestamp,
) -> sqlx::Result<()> {
    tx.query(
        "insert into case_analyses (case_id, company_id, closed_at, deadline, revision, notice)
         values ($1, $2, $3, $4, 0, 0)",
    )
    .bind(case)
    .bind(company)
    .bind(closed_at)
    .bind(deadline)
    .execute()
    .await?;
    Ok(())
}

/// Stops waiting for a case's analyses: the company's option was switched off.
pub async fn forget_case(tx: &mut Tx, case: CaseId) -> sqlx::Result<()> {
    tx.query("delete from case_analyses where case_id = $1").bind(case).execute().await?;
    case_word::note_change(tx, case).await
}

/// The progress of a closed case; none if its analyses are not awaited. Read in one statement, so that it is
/// consistent.
pub async fn standing(reader: &mut Reader, case: CaseId) -> sqlx::Result<Option<Standing>> {
    type Row = (Timestamp, Timestamp, Option<i64>, i64, i64, i64, i64, i64, i64);
    let row: Option<Row> = reader
        .query(
            "select c.closed_at, c.deadline, c.basis,
                    cast(coalesce(sum(case when i.kind = 'document' and i.state = 'pending' then 1 else 0 end), 0) as bigint),
                    cast(coalesce(sum(case when i.kind = 'document' and i.state = 'completed' then 1 else 0 end), 0) as bigint),
                    cast(coalesce(sum(case when i.kind = 'document' and i.state = 'failed' then 1 else 0 end), 0) as bigint),
                    cast(coalesce(sum(case when i.kind = 'picture' and i.state = 'pending' then 1 else 0 end), 0) as bigint),
                    cast(coalesce(sum(case when i.kind = 'picture' and i.state = 'completed' then 1 else 0 end), 0) as bigint),
                    cast(coalesce(sum(case when i.kind = 'picture' and i.state = 'failed' then 1 else 0 end), 0) as bigint)
             from case_analyses c left join item_analyses i on i.case_id = c.case_id
             where c.case_id = $1 group by c.case_id, c.closed_at, c.deadline, c.basis",
        )
        .bind(case)
        .optional()
        .await?;
    let count = |number: i64| u32::try_from(number).unwrap_or(u32::MAX);
    Ok(row.map(|(closed_at, deadline, basis, da, dc, df, pa, pc, pf)| Standing {
        closed_at,
        deadline,
        documents: Tally { awaited: count(da), answered: count(dc), failed: count(df) },
        pictures: Tally { awaited: count(pa), answered: count(pc), failed: count(pf) },
        basis: basis.map(count),
    }))
}

/// The newest verdict on a case; none before the first.
pub async fn verdict(reader: &mut Reader, case: CaseId) -> sqlx::Result<Option<Verdict>> {
    let row: Option<CaseRow> = reader
        .query("select revision, progress, result, account, concluded_at, notice from case_analyses where case_id = $1")
        .bind(case)
        .optional()
        .await?;
    let Some(CaseRow { revision, progress, result, account, concluded_at, notice }) = row else { return Ok(None) };
    let (Some(progress), Some(result), Some(account), Some(concluded_at)) = (progress, result, account, concluded_at)
    else {
        return Ok(None);
    };
    let analysis = from_json("result", &result)?;
    Ok(Some(Verdict { revision, progress, analysis, account: from_json("account", &account)?, concluded_at, notice }))
}

/// Stores a verdict, with the number of analyses that it is based on. The caller has locked the case's row.
pub async fn set_verdict(tx: &mut Tx, case: CaseId, verdict: &Verdict, basis: u32) -> sqlx::Result<()> {
    tx.query(
        "update case_analyses set revision = $2, basis = $3, progress = $4, result = $5, account = $6, concluded_at = $7,
                                  notice = $8, trust_score = $9
         where case_id = $1",
    )
    .bind(case)
    .bind(verdict.revision)
    .bind(i64::from(basis))
    .bind(verdict.progress)
    .bind(to_json(&verdict.analysis))
    .bind(to_json(&verdict.account))
    .bind(verdict.concluded_at)
    .bind(verdict.notice)
    .bind(i64::from(verdict.analysis.trust_score))
    .execute()
    .await?;
    case_word::note_change(tx, case).await
}

fn item_analysis(row: ItemRow) -> sqlx::Result<ItemAnalysis> {
    Ok(ItemAnalysis {
        item: row.item_id,
        case: row.case_id,
        company: row.company_id,
        plan: row.plan.map(|json| from_json("plan", &json)).transpose()?,
        state: match row.state {
            StoredState::Completed => ItemState::Completed,
            StoredState::Failed => ItemState::Failed,
            StoredState::Pending if row.running => ItemState::Running,
            StoredState::Pending => ItemState::Pending,
        },
        result: row.result.map(|json| from_json("result", &json)).transpose()?,
        account: row.account.map(|json| from_json("account", &json)).transpose()?,
        extracted: row.extracted.map(|json| from_json("extracted", &json)).transpose()?.unwrap_or_default(),
        facts_key: row.facts_key,
        failure: row.failure,
        ended_at: row.ended_at,
    })
}
