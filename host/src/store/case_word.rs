//! The index of words of cases, and the list of cases whose words may have changed
//! (docs/adr/0042-word-index.md). Searching it is in [`super::case_search`].

use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::from_json;
use crate::{
    clock::Timestamp,
    db::{Reader, Tx},
    domain::{
        analysis::{CaseAnalysis, TrustLevel},
        case::CaseReference,
        case_search::words::{Attribute, Words},
        console::Outcome,
        id::{CaseId, CompanyId, FrameId, UserId},
        report::ReportToken,
    },
};

/// Notes that the words of a case may have changed, in the transaction of the change.
pub async fn note_change(tx: &mut Tx, case: CaseId) -> sqlx::Result<()> {
    tx.query("insert into case_word_changes (case_id) values ($1)").bind(case).execute().await?;
    Ok(())
}

/// Notes the open cases of a frame, which got another name. A closed case keeps the name it was closed under.
pub async fn note_frame(tx: &mut Tx, frame: FrameId) -> sqlx::Result<()> {
    tx.query(
        "insert into case_word_changes (case_id) select id from cases where frame_id = $1 and closed_at is null order by id",
    )
    .bind(frame)
    .execute()
    .await?;
    Ok(())
}

/// Notes the open cases of a user, who got another name.
pub async fn note_user(tx: &mut Tx, user: &UserId) -> sqlx::Result<()> {
    tx.query(
        "insert into case_word_changes (case_id) select id from cases where user_id = $1 and closed_at is null order by id",
    )
    .bind(user)
    .execute()
    .await?;
    Ok(())
}

/// Whether there are noted cases.
pub async fn has_changes(reader: &mut Reader) -> sqlx::Result<bool> {
    let row: Option<(i64,)> = reader.query("select id from case_word_changes limit 1").optional().await?;
    Ok(row.is_some())
}

/// Takes at most `most` notes, the newest first, and returns their cases by identifier. Until the transaction ends, no
/// other node takes notes.
pub async fn take_changes(tx: &mut Tx, most: i64) -> sqlx::Result<BTreeSet<CaseId>> {
    tx.query("update case_word_turn set batches = batches + 1 where id = 1").execute().await?;
    let taken: Vec<(CaseId,)> = tx
        .query(
            "delete from case_word_changes where id in (select id from case_word_changes order by id desc limit $1)
             returning case_id",
        )
        .bind(most)
        .all()
        .await?;
    Ok(taken.into_iter().map(|(case,)| case).collect())
}

/// What the words of a case come from.
#[derive(sqlx_macros::FromRow)]
struct Source {
    company_id: CompanyId,
    frame_id: FrameId,
    title: String,
    report_token: Option<ReportToken>,
    context: Option<String>,
    metadata: Option<String>,
    closed_at: Option<Timestamp>,
    frame_name: Option<String>,
    frozen: Option<String>,
    user_name: Option<String>,
    trust_score: Option<i64>,
    unscored: Option<String>,
    decision: Option<Outcome>,
}

/// Brings the words of a case up to date; returns how many were added or removed. A case that was deleted has none.
pub async fn update(tx: &mut Tx, case: CaseId) -> sqlx::Result<usize> {
    // The lock comes first: a deletion of the case, which takes its words with it, either is over or waits.
    let source: Option<Source> = tx
        .query(
            "select c.company_id, c.frame_id, c.title, c.report_token, c.context, c.metadata, c.closed_at,
                    (select f.name from frames f where f.id = c.frame_id) as frame_name,
                    (select k.frozen from certificates k where k.case_id = c.id) as frozen,
                    (select u.name from users u where u.id = c.user_id and u.kind = 'field') as user_name,
                    (select a.trust_score from case_analyses a where a.case_id = c.id) as trust_score,
                    (select a.result from case_analyses a where a.case_id = c.id and a.trust_score is null) as unscored,
                    (select d.outcome from decisions d where d.case_id = c.id order by d.id desc limit 1) as decision
             from cases c where c.id = $1",
        )
        .bind(case)
        .keep_rows()
        .optional()
        .await?;
    let Some(mut source) = source else { return Ok(0) };
    if let Some(result) = &source.unscored {
        source.trust_score = Some(score(tx, case, result).await?);
    }
    let items: Vec<(String,)> =
        tx.query("select data from items where case_id = $1 order by id").bind(case).all().await?;
    let company = source.company_id;
    let wanted = words(case, source, &items)?;
    let stored: Vec<(String,)> = tx.query("select word from case_words where case_id = $1").bind(case).all().await?;
    let stored: BTreeSet<String> = stored.into_iter().map(|(word,)| word).collect();
    let mut changed = 0;
    for gone in stored.difference(&wanted) {
        remove(tx, company, case, gone).await?;
        changed += 1;
    }
    let new: Vec<&String> = wanted.difference(&stored).collect();
    for chunk in new.chunks(CHUNK) {
        add(tx, company, case, chunk).await?;
    }
    Ok(changed + new.len())
}

/// Notes the score of a verdict from before scores had a column.
async fn score(tx: &mut Tx, case: CaseId, result: &str) -> sqlx::Result<i64> {
    let analysis: CaseAnalysis = from_json("result", result)?;
    let score = i64::from(analysis.trust_score);
    tx.query("update case_analyses set trust_score = $2 where case_id = $1 and trust_score is null")
        .bind(case)
        .bind(score)
        .execute()
        .await?;
    Ok(score)
}

/// The words of a case, the most telling first, because their number is limited, and its attributes.
fn words(case: CaseId, source: Source, items: &[(String,)]) -> sqlx::Result<BTreeSet<String>> {
    /// The name that a closing froze.
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct FrozenName {
        frame_name: String,
    }
    let frozen = source.frozen.map(|json| from_json::<FrozenName>("frozen", &json)).transpose()?;
    let metadata: Option<Map<String, Value>> = source.metadata.map(|json| from_json("metadata", &json)).transpose()?;
    let context: Option<Value> = source.context.map(|json| from_json("context", &json)).transpose()?;
    let mut words = Words::default();
    words.add_reference(CaseReference { case, company: source.company_id });
    words.add(&source.title);
    let frame = frozen.map(|names| names.frame_name).or(source.frame_name);
    let token = source.report_token.map(|token| token.to_string());
    for text in [token, frame, source.user_name].into_iter().flatten() {
        words.add(&text);
    }
    if let Some(metadata) = &metadata {
        words.add_object(metadata);
    }
    if let Some(context) = &context {
        words.add_texts(context);
    }
    for (text,) in items {
        words.add(text);
    }
    let level = source.trust_score.and_then(|score| u8::try_from(score).ok()).map(TrustLevel::of);
    let attributes = [
        Attribute::Frame(source.frame_id),
        Attribute::Closed(source.closed_at.is_some()),
        Attribute::Verdict(level),
        Attribute::Decision(source.decision),
    ];
    let mut words = words.into_inner();
    words.extend(attributes.map(Attribute::word));
    Ok(words)
}

async fn remove(tx: &mut Tx, company: CompanyId, case: CaseId, word: &str) -> sqlx::Result<()> {
    tx.query("delete from case_words where company_id = $1 and word = $2 and case_id = $3")
        .bind(company)
        .bind(word)
        .bind(case)
        .execute()
        .await?;
    Ok(())
}

/// How many words one statement adds.
const CHUNK: usize = 16;

async fn add(tx: &mut Tx, company: CompanyId, case: CaseId, words: &[&String]) -> sqlx::Result<()> {
    let mut insert = tx
        .query(
            "insert into case_words (company_id, word, case_id)
             select cast($1 as bigint), column1, cast($2 as bigint)
             from (values ($3), ($4), ($5), ($6), ($7), ($8), ($9), ($10), ($11), ($12), ($13), ($14), ($15), ($16),
                          ($17), ($18)) as added
             where column1 is not null on conflict do nothing",
        )
        .bind(company)
        .bind(case);
    for position in 0..CHUNK {
        insert = insert.bind(words.get(position));
    }
    insert.execute().await?;
    Ok(())
}
