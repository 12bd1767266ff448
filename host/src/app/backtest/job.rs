//! A backtest as a job: it judges one case at a time, may be stopped, and starts over if its process ends. What is stored
//! is stored at its end, in one transaction.

use std::{
    future::Future,
    mem,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use parking_lot::Mutex;

use super::{Backtest, BacktestRequest, Candidate, MOST_CASES, Progress, prepare, retry::retry};
use crate::{
    app::{
        App,
        queue::{self, Job},
    },
    domain::id::BacktestId,
    error::{Error, Result},
    store::{
        self,
        backtest::{BacktestResult, BacktestState, ChangedCase, StoredBacktest},
    },
};

/// How often the progress is noted, and a request to stop is looked for.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// The maximum running time of a backtest. After it, the report has the results so far.
const LONGEST: Duration = Duration::from_hours(12);
/// How many cases whose level would change are stored, and how many subjects.
const MOST_CHANGED: usize = 1000;
const MOST_SUBJECTS: usize = 1000;

/// Runs a backtest, as one run of a [`JobKind::Backtest`](queue::JobKind::Backtest) job. A second run starts over, or finds
/// that the backtest has ended. `stopping` ends when the process stops: the job then waits for another one.
///
/// # Errors
/// A part of the machine, or the candidate, is not available now.
pub async fn run(app: &Arc<App>, job: &Job, id: BacktestId, stopping: impl Future<Output = ()>) -> Result<()> {
    let mut reader = app.db.read().await?;
    let stored = store::backtest::find(&mut reader, id).await?;
    drop(reader);
    let Some(stored) = stored.filter(|stored| stored.state == BacktestState::Open) else {
        return finish(app, job, id, BacktestState::Stopped, None).await;
    };
    if stored.stop_requested_at.is_some() {
        return finish(app, job, id, BacktestState::Stopped, None).await;
    }
    let progress = Mutex::new(Progress::default());
    let is_stopping = AtomicBool::new(false);
    let stop = async {
        tokio::select! {
            () = stopping => is_stopping.store(true, Ordering::SeqCst),
            () = tokio::time::sleep(LONGEST) => {}
            () = until_asked_to_stop(app, id, &progress) => {}
        }
    };
    let result = match prepare(app, request(stored)?).await {
        Ok(prepared) => prepared.run(app, stop, |now| *progress.lock() = now).await,
        Err(error) => Err(error),
    };
    let seen = *progress.lock();
    match result {
        Ok(result) if result.interrupted && is_stopping.load(Ordering::SeqCst) => {
            queue::release(app, &[(job.id, job.claim)]).await
        }
        Ok(result) => keep(app, job, id, result, seen).await,
        // The same request would fail again.
        Err(error @ (Error::Invalid(_) | Error::NotFound(_) | Error::State(_))) => {
            finish(app, job, id, BacktestState::Failed, Some(&error.to_string())).await
        }
        Err(error) => Err(error),
    }
}

/// Ends a backtest whose job failed too often.
pub async fn give_up(app: &App, job: &Job, id: BacktestId, error: &str) -> Result<()> {
    finish(app, job, id, BacktestState::Failed, Some(error)).await
}

fn request(stored: StoredBacktest) -> Result<BacktestRequest> {
    let settings = stored.settings.as_deref().map(serde_json::from_str).transpose();
    Ok(BacktestRequest {
        company: stored.company,
        candidate: Candidate::Loaded { name: stored.plugin, digest: stored.digest },
        settings: settings.map_err(Error::internal)?,
        alongside: stored.alongside,
        since: stored.since,
        limit: u32::try_from(stored.most).unwrap_or(MOST_CASES),
        // Requests and the jobs of cases come first.
        at_once: 1,
    })
}

/// Notes the progress until someone has asked to stop.
async fn until_asked_to_stop(app: &App, id: BacktestId, progress: &Mutex<Progress>) {
    loop {
        tokio::time::sleep(POLL_INTERVAL).await;
        let now = *progress.lock();
        match note(app, id, now).await {
            Ok(true) => return,
            Ok(false) => {}
            Err(error) => tracing::debug!(%error, "the progress of a backtest could not be noted"),
        }
    }
}

async fn note(app: &App, id: BacktestId, progress: Progress) -> Result<bool> {
    let mut tx = app.db.begin().await?;
    let must_stop = store::backtest::note_progress(&mut tx, id, count(progress.done), count(progress.of)).await?;
    tx.commit().await?;
    Ok(must_stop)
}

/// Stores the report, and completes the job.
async fn keep(app: &App, job: &Job, id: BacktestId, mut result: Backtest, seen: Progress) -> Result<()> {
    let state = if result.interrupted { BacktestState::Stopped } else { BacktestState::Done };
    let changed = mem::take(&mut result.levels_changed);
    let cases = changed.iter().take(MOST_CHANGED).map(|changed| ChangedCase {
        case: changed.case_id,
        score_before: i64::from(changed.before.trust_score),
        score_after: i64::from(changed.after.trust_score),
    });
    let mut cases: Vec<ChangedCase> = cases.collect();
    // Rows are locked in the order of their identifiers.
    cases.sort_unstable_by_key(|changed| changed.case);
    result.subjects.truncate(MOST_SUBJECTS);
    // A plugin may repeat in them what it read in a document, and they would outlive the case.
    result.calls.messages.clear();
    let report = serde_json::to_string(&result).map_err(Error::internal)?;
    let result = BacktestResult {
        state,
        report: &report,
        levels_changed: count(changed.len()),
        cases: &cases,
        seen: count(seen.done),
        total: count(seen.of),
    };
    retry("the report", || store_result(app, job, id, &result)).await?;
    tracing::info!(backtest = %id, cases = seen.done, "a backtest has ended");
    Ok(())
}

async fn store_result(app: &App, job: &Job, id: BacktestId, result: &BacktestResult<'_>) -> Result<()> {
    let mut tx = app.db.begin().await?;
    let kept = async {
        store::backtest::end_with(&mut tx, id, result, app.clock.now()).await?;
        store::job::complete(&mut tx, job).await?;
        Ok::<_, Error>(())
    };
    let kept = kept.await;
    tx.settle(kept).await
}

/// Ends the backtest without a report, unless it has ended, and completes the job.
async fn finish(app: &App, job: &Job, id: BacktestId, state: BacktestState, error: Option<&str>) -> Result<()> {
    // PostgreSQL texts cannot contain NUL.
    let error = error.map(|error| error.replace('\0', "\u{fffd}"));
    let mut tx = app.db.begin().await?;
    let ended = async {
        store::backtest::end(&mut tx, id, state, error.as_deref(), app.clock.now()).await?;
        store::job::complete(&mut tx, job).await?;
        Ok::<_, Error>(())
    };
    let ended = ended.await;
    tx.settle(ended).await
}

fn count(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
