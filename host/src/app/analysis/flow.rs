//! The steps of an analysis as transactions: what is written together, and in which order rows are locked.
//!
//! Ending an item's analysis and judging a case both lock the case's row first, as closing and deleting do. So if an
//! analysis ends while the case is closed, one sees the other, and a verdict never misses an analysis that has ended.
//! [`Standing::next`] decides; signals only bring the decision forward, and a sweep makes up for lost ones.

use std::time::Duration;

use crate::{
    clock::Timestamp,
    db::{Reader, Tx},
    domain::{
        analysis::{
            AnalysisProgress, CaseAnalysis,
            judgement::CaseAccount,
            progress::{CaseNotice, Next, Standing},
        },
        event::EventKind,
        id::{CaseId, CompanyId, ItemId},
        step::StepAnalysis,
    },
    error::Result,
    store::{
        self,
        analysis::{Ending, Verdict},
        job::{Job, Work},
    },
};

/// Late analyses end within hours; the sweep does not look for older ones.
const SWEPT_BACK: Duration = Duration::from_hours(48);
/// A job is enqueued in the transaction of its item, so a missing job was lost, unless it is just about to end.
const STRANDED_AFTER: Duration = Duration::from_mins(1);
/// How many items and cases one sweep picks up.
const SWEPT_AT_ONCE: i64 = 1000;

/// Enqueues the examination of an item's file, in the transaction that adds the item: as a document if there is a plan.
pub(in crate::app) async fn expect(
    tx: &mut Tx,
    company: CompanyId,
    case: CaseId,
    item: ItemId,
    plan: Option<&StepAnalysis>,
    now: Timestamp,
) -> sqlx::Result<()> {
    store::analysis::expect_item(tx, company, case, item, plan, now).await?;
    store::job::enqueue(tx, Work::AnalyseItem(item), now).await?;
    Ok(())
}

/// Makes a case wait for its analyses, in the transaction that closes it.
pub(in crate::app) async fn begin(
    tx: &mut Tx,
    company: CompanyId,
    case: CaseId,
    now: Timestamp,
    timeout: Duration,
) -> sqlx::Result<()> {
    store::analysis::begin_case(tx, company, case, now, now.after(timeout)).await?;
    store::job::enqueue(tx, Work::ConcludeAnalysis(case), now).await?;
    Ok(())
}

/// Ends the analysis of an item's file; returns false if it has already ended or its case is gone. A closed case is
/// checked again.
pub(super) async fn end_item(
    tx: &mut Tx,
    company: CompanyId,
    case: CaseId,
    item: ItemId,
    ending: &Ending,
    now: Timestamp,
) -> sqlx::Result<bool> {
    if !store::case::lock(tx, company, case).await? || !store::analysis::end_item(tx, item, ending, now).await? {
        return Ok(false);
    }
    if store::analysis::standing(tx, case).await?.is_some() {
        store::job::reschedule_earlier(tx, Work::ConcludeAnalysis(case), now).await?;
    }
    Ok(true)
}

/// Ends the job for a case that has nothing to conclude according to `seen`. Returns false if that has changed
/// meanwhile, and the job has to check again.
pub(super) async fn check_later(
    tx: &mut Tx,
    company: CompanyId,
    case: CaseId,
    job: &Job,
    seen: Next,
    now: Timestamp,
) -> Result<bool> {
    // The lock comes before the read: an analysis that ends after it brings the job forward.
    let is_there = store::case::lock(tx, company, case).await?;
    let standing = if is_there { store::analysis::standing(tx, case).await? } else { None };
    match standing.map(|standing| standing.next(now)) {
        Some(next) if next != seen => return Ok(false),
        Some(Next::Wait(until)) => store::job::reschedule(tx, job, until).await?,
        None | Some(Next::Rest | Next::Conclude(_)) => store::job::complete(tx, job).await.map(drop)?,
    }
    Ok(true)
}

/// A verdict that is not stored yet.
pub(super) struct NewVerdict {
    pub(super) progress: AnalysisProgress,
    pub(super) analysis: CaseAnalysis,
    pub(super) account: CaseAccount,
}

/// What became of a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum VerdictOutcome {
    /// It is stored, and the receiver will be notified.
    Notified,
    /// It is stored, and says nothing new to the receiver.
    Kept,
    /// An analysis has ended meanwhile: judge again.
    Outdated,
    /// The case is gone, or no longer waits for a verdict.
    Gone,
}

/// Stores a verdict based on `seen`, enqueues its notice and ends the job.
pub(super) async fn settle(
    tx: &mut Tx,
    company: CompanyId,
    case: CaseId,
    job: &Job,
    seen: &Standing,
    verdict: &NewVerdict,
    now: Timestamp,
) -> Result<VerdictOutcome> {
    let is_there = store::case::lock(tx, company, case).await?;
    let Some(standing) = (if is_there { store::analysis::standing(tx, case).await? } else { None }) else {
        store::job::complete(tx, job).await?;
        return Ok(VerdictOutcome::Gone);
    };
    if standing.ended() != seen.ended() || standing.basis != seen.basis {
        return Ok(VerdictOutcome::Outdated);
    }
    let before = store::analysis::verdict(tx, case).await?;
    let notice = |progress, analysis| CaseNotice { progress, analysis };
    let is_news = before.as_ref().is_none_or(|before| {
        notice(before.progress, &before.analysis).differs_from(notice(verdict.progress, &verdict.analysis))
    });
    let revision = before.as_ref().map_or(0, |before| before.revision) + 1;
    let stored = Verdict {
        revision,
        progress: verdict.progress,
        analysis: verdict.analysis.clone(),
        account: verdict.account.clone(),
        concluded_at: now,
        notice: if is_news { revision } else { before.map_or(0, |before| before.notice) },
    };
    store::analysis::set_verdict(tx, case, &stored, standing.ended()).await?;
    if is_news {
        store::event::insert(tx, company, case, EventKind::Analysed, now).await?;
        store::job::reschedule_earlier(tx, Work::DeliverAnalysis(case), now).await?;
    }
    store::job::complete(tx, job).await?;
    Ok(if is_news { VerdictOutcome::Notified } else { VerdictOutcome::Kept })
}

/// Ends the notice of the verdict `sent`. If a newer verdict is worth a notice, it is sent next.
pub(in crate::app) async fn end_notice(
    tx: &mut Tx,
    company: CompanyId,
    case: CaseId,
    job: &Job,
    sent: i64,
    now: Timestamp,
) -> Result<()> {
    // The lock keeps out a verdict that would find this job still in the queue.
    store::case::lock(tx, company, case).await?;
    match store::analysis::verdict(tx, case).await? {
        Some(newest) if newest.notice > sent => store::job::reschedule(tx, job, now).await,
        _ => store::job::complete(tx, job).await.map(drop),
    }
}

/// Ends a job whose item or case is gone.
pub(super) async fn drop_job(app: &crate::app::App, job: &Job) -> Result<()> {
    let mut tx = app.db.begin().await?;
    store::job::complete(&mut tx, job).await?;
    Ok(tx.commit().await?)
}

/// Items and cases whose signal was lost.
#[derive(Debug, Default)]
pub(super) struct LostWork {
    pub(super) items: Vec<ItemId>,
    pub(super) cases: Vec<CaseId>,
}

/// Finds items and cases whose signal was lost, at most 1,000 each. A read, so that an idle server writes nothing.
pub(super) async fn find_lost(reader: &mut Reader, now: Timestamp) -> sqlx::Result<LostWork> {
    Ok(LostWork {
        items: store::analysis::stranded_items(reader, now.before(STRANDED_AFTER), SWEPT_AT_ONCE).await?,
        cases: store::analysis::overdue_cases(reader, now.before(SWEPT_BACK), now, SWEPT_AT_ONCE).await?,
    })
}

/// Enqueues the lost work again.
pub(super) async fn take_up(tx: &mut Tx, lost: &LostWork, now: Timestamp) -> sqlx::Result<()> {
    for &item in &lost.items {
        store::job::enqueue(tx, Work::AnalyseItem(item), now).await?;
    }
    for &case in &lost.cases {
        store::job::reschedule_earlier(tx, Work::ConcludeAnalysis(case), now).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
