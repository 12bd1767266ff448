//! Backtests that operators start in the console, their progress, and their reports.

use sealwright_seal::digest::Sha256Digest;
use strum::{Display, EnumString};

use crate::{
    clock::Timestamp,
    db::{Reader, Tx},
    domain::id::{BacktestId, CaseId, CompanyId},
};

/// How many are kept.
const KEPT: i64 = 100;

/// How far a backtest is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Display, EnumString)]
#[strum(serialize_all = "lowercase")]
pub enum BacktestState {
    /// Its job waits or runs.
    Open,
    Done,
    /// It ended before it had seen all cases.
    Stopped,
    Failed,
}

sealwright_base::text_column!(BacktestState, "state of a backtest");

#[derive(Clone, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct StoredBacktest {
    pub id: BacktestId,
    #[sqlx(rename = "company_id")]
    pub company: CompanyId,
    /// The candidate's name.
    pub plugin: String,
    pub version: String,
    /// SHA-256 of the candidate's component.
    pub digest: Sha256Digest,
    /// A JSON object. If absent, the settings of the company's plugin with the candidate's name, if there is one.
    pub settings: Option<String>,
    pub alongside: bool,
    /// Only cases that were closed since then.
    pub since: Timestamp,
    /// The maximum number of cases.
    pub most: i64,
    /// A username.
    pub started_by: String,
    pub started_at: Timestamp,
    pub state: BacktestState,
    pub stop_requested_at: Option<Timestamp>,
    /// How many cases it has seen.
    pub seen: i64,
    /// How many cases it judges; 0 until it runs.
    pub total: i64,
    pub ended_at: Option<Timestamp>,
    /// Why it failed.
    pub error: Option<String>,
    /// How many cases would change their level; none without a report.
    pub levels_changed: Option<i64>,
}

/// A backtest to store.
#[derive(Clone, Debug)]
pub struct NewBacktest {
    pub company: CompanyId,
    pub plugin: String,
    pub version: String,
    pub digest: Sha256Digest,
    pub settings: Option<String>,
    pub alongside: bool,
    pub since: Timestamp,
    pub most: i64,
    pub started_by: String,
    pub started_at: Timestamp,
}

/// A case whose level would change, by its scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct ChangedCase {
    #[sqlx(rename = "case_id")]
    pub case: CaseId,
    pub score_before: i64,
    pub score_after: i64,
}

/// The results of a backtest.
#[derive(Clone, Debug)]
pub struct BacktestResult<'a> {
    pub state: BacktestState,
    /// JSON, without the cases.
    pub report: &'a str,
    pub levels_changed: i64,
    pub cases: &'a [ChangedCase],
    /// How many cases it has seen, of how many.
    pub seen: i64,
    pub total: i64,
}

/// Inserts a backtest; none if another one is open. Deletes the oldest ones beyond those that are kept.
pub async fn insert(tx: &mut Tx, new: &NewBacktest) -> sqlx::Result<Option<BacktestId>> {
    let row: Option<(BacktestId,)> = tx
        .query(
            "insert into backtests (company_id, plugin, version, digest, settings, alongside, since, most, started_by,
               started_at, state, slot, seen, total)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 1, 0, 0)
             on conflict do nothing returning id",
        )
        .bind(new.company)
        .bind(&new.plugin)
        .bind(&new.version)
        .bind(new.digest)
        .bind(&new.settings)
        .bind(new.alongside)
        .bind(new.since)
        .bind(new.most)
        .bind(&new.started_by)
        .bind(new.started_at)
        .bind(BacktestState::Open)
        .optional()
        .await?;
    let Some((id,)) = row else { return Ok(None) };
    tx.query(
        "delete from backtests where slot is null and id not in (select id from backtests order by id desc limit $1)",
    )
    .bind(KEPT)
    .execute()
    .await?;
    Ok(Some(id))
}

pub async fn find(reader: &mut Reader, id: BacktestId) -> sqlx::Result<Option<StoredBacktest>> {
    let found = reader.query(
        "select id, company_id, plugin, version, digest, settings, alongside, since, most, started_by, started_at, state,
                stop_requested_at, seen, total, ended_at, error, levels_changed
         from backtests where id = $1",
    );
    found.bind(id).optional().await
}

/// All that are kept, the newest first.
pub async fn all(reader: &mut Reader) -> sqlx::Result<Vec<StoredBacktest>> {
    let all = reader.query(
        "select id, company_id, plugin, version, digest, settings, alongside, since, most, started_by, started_at, state,
                stop_requested_at, seen, total, ended_at, error, levels_changed
         from backtests order by id desc",
    );
    all.all().await
}

/// The report as JSON; none until there is one.
pub async fn report(reader: &mut Reader, id: BacktestId) -> sqlx::Result<Option<String>> {
    let row: Option<(Option<String>,)> =
        reader.query("select report from backtests where id = $1").bind(id).optional().await?;
    Ok(row.and_then(|(report,)| report))
}

/// The stored cases whose level would change, except those that were deleted since.
pub async fn cases(reader: &mut Reader, id: BacktestId) -> sqlx::Result<Vec<ChangedCase>> {
    let cases = reader
        .query("select case_id, score_before, score_after from backtest_cases where backtest_id = $1 order by case_id");
    cases.bind(id).all().await
}

/// Notes how far an open backtest is. Returns whether someone has asked to stop it; also if it is not open.
pub async fn note_progress(tx: &mut Tx, id: BacktestId, seen: i64, total: i64) -> sqlx::Result<bool> {
    let row: Option<(Option<Timestamp>,)> = tx
        .query(
            "update backtests set seen = $2, total = $3 where id = $1 and slot is not null
             returning stop_requested_at",
        )
        .bind(id)
        .bind(seen)
        .bind(total)
        .optional()
        .await?;
    Ok(row.is_none_or(|(requested,)| requested.is_some()))
}

/// Notes that an open backtest has to stop.
pub async fn request_stop(tx: &mut Tx, id: BacktestId, now: Timestamp) -> sqlx::Result<()> {
    tx.query("update backtests set stop_requested_at = $2 where id = $1 and slot is not null")
        .bind(id)
        .bind(now)
        .execute()
        .await?;
    Ok(())
}

/// Ends an open backtest without a report. False if it has ended already.
pub async fn end(
    tx: &mut Tx,
    id: BacktestId,
    state: BacktestState,
    error: Option<&str>,
    now: Timestamp,
) -> sqlx::Result<bool> {
    let ended = tx
        .query(
            "update backtests set state = $2, error = $3, ended_at = $4, slot = null where id = $1 and slot is not null",
        )
        .bind(id)
        .bind(state)
        .bind(error)
        .bind(now)
        .execute()
        .await?;
    Ok(ended == 1)
}

/// Ends an open backtest with its report. A case that was deleted meanwhile is left out.
pub async fn end_with(tx: &mut Tx, id: BacktestId, result: &BacktestResult<'_>, now: Timestamp) -> sqlx::Result<()> {
    if !end(tx, id, result.state, None, now).await? {
        return Ok(());
    }
    tx.query("update backtests set report = $2, levels_changed = $3, seen = $4, total = $5 where id = $1")
        .bind(id)
        .bind(result.report)
        .bind(result.levels_changed)
        .bind(result.seen)
        .bind(result.total)
        .execute()
        .await?;
    for changed in result.cases {
        let kept: Option<(CaseId,)> =
            tx.query("select id from cases where id = $1").bind(changed.case).keep_rows().optional().await?;
        if kept.is_none() {
            continue;
        }
        tx.query(
            "insert into backtest_cases (backtest_id, case_id, score_before, score_after) values ($1, $2, $3, $4)",
        )
        .bind(id)
        .bind(changed.case)
        .bind(changed.score_before)
        .bind(changed.score_after)
        .execute()
        .await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::db::Db;

    fn new(started_at: i64) -> NewBacktest {
        NewBacktest {
            company: CompanyId::new(7).unwrap(),
            plugin: "analyst".to_owned(),
            version: "2.0.0".to_owned(),
            digest: Sha256Digest::of("component"),
            settings: None,
            alongside: false,
            since: Timestamp::from_millis(0),
            most: 10,
            started_by: "olga".to_owned(),
            started_at: Timestamp::from_millis(started_at),
        }
    }

    #[tokio::test]
    async fn one_is_open_at_a_time_and_the_newest_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let db = Db::open(&format!("sqlite://{}/test.db", folder.path().display())).await.unwrap();
        let mut tx = db.begin().await.unwrap();
        tx.query(
            "insert into companies (id, name, document_analysis, certificate_template, rate_limits, analysis, updated_at)
             values (7, 'Acme', true, 'default', '{}', '{}', 0)",
        )
        .execute()
        .await
        .unwrap();
        let now = Timestamp::from_millis(1);
        let first = insert(&mut tx, &new(0)).await.unwrap().unwrap();
        assert_eq!(insert(&mut tx, &new(0)).await.unwrap(), None);
        assert!(!note_progress(&mut tx, first, 1, 4).await.unwrap());
        request_stop(&mut tx, first, now).await.unwrap();
        assert!(note_progress(&mut tx, first, 2, 4).await.unwrap());
        assert!(end(&mut tx, first, BacktestState::Stopped, None, now).await.unwrap());
        assert!(!end(&mut tx, first, BacktestState::Failed, Some("late"), now).await.unwrap());
        assert!(note_progress(&mut tx, first, 3, 4).await.unwrap(), "it has ended");
        let found = find(&mut tx, first).await.unwrap().unwrap();
        assert_eq!((found.state, found.seen, found.total, found.error), (BacktestState::Stopped, 2, 4, None));

        for number in 1..=KEPT {
            let id = insert(&mut tx, &new(number)).await.unwrap().unwrap();
            let state = BacktestState::Done;
            let result = BacktestResult { state, report: "{}", levels_changed: 0, cases: &[], seen: 3, total: 3 };
            end_with(&mut tx, id, &result, now).await.unwrap();
        }
        let all = all(&mut tx).await.unwrap();
        assert_eq!(all.len(), usize::try_from(KEPT).unwrap());
        assert!(all.iter().all(|one| one.id > first), "the oldest is deleted");
        assert_eq!(report(&mut tx, all[0].id).await.unwrap().as_deref(), Some("{}"));
    }
}
