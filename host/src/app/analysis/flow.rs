//! The steps of an analysis as transactions: what is written together, and in which order rows are taken.
//!
//! Whoever ends an item's analysis or judges a case holds the case's row first, as closing and deleting do. So of an ending
//! and a closing one sees the other, and a verdict never rests on less than what has ended. [`Standing::next`] decides;
//! signals only bring the question forward, and a sweep asks again for those that were lost.

use std::time::Duration;

use crate::{
    clock::Timestamp,
    db::Tx,
    domain::{
        analysis::{
            AnalysisProgress, CaseAnalysis,
            judgement::CaseAccount,
            progress::{Next, Standing, Told},
        },
        id::{CaseId, CompanyId, ItemId},
        step::StepAnalysis,
    },
    error::Result,
    store::{
        self,
        analysis::{Ending, Verdict},
        job::{Job, JobKind},
    },
};

/// Late analyses come within hours; what is older than this is not looked for.
const SWEPT_BACK: Duration = Duration::from_hours(48);
/// A job is enqueued in the transaction of its item, so one that is missing was lost: but it may be about to end.
const STRANDED_AFTER: Duration = Duration::from_mins(1);
/// How much one sweep takes up at once.
const SWEPT_AT_ONCE: i64 = 1000;

/// Has an item's file examined, in the transaction that adds the item: as a document where there is a plan.
pub(in crate::app) async fn expect(
    tx: &mut Tx,
    company: CompanyId,
    case: CaseId,
    item: ItemId,
    plan: Option<&StepAnalysis>,
    now: Timestamp,
) -> sqlx::Result<()> {
    store::analysis::expect_item(tx, company, case, item, plan, now).await?;
    store::job::enqueue(tx, JobKind::AnalyseItem, item.get(), now).await?;
    Ok(())
}

/// Has a case wait for its analyses, in the transaction that closes it.
pub(in crate::app) async fn begin(
    tx: &mut Tx,
    company: CompanyId,
    case: CaseId,
    now: Timestamp,
    patience: Duration,
) -> sqlx::Result<()> {
    store::analysis::begin_case(tx, company, case, now, now.after(patience)).await?;
    store::job::enqueue(tx, JobKind::ConcludeAnalysis, case.get(), now).await?;
    Ok(())
}

/// Ends the analysis of an item's file; false when it has ended already, or its case is gone. A case that is closed is
/// looked at again.
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
        store::job::hasten(tx, JobKind::ConcludeAnalysis, case.get(), now).await?;
    }
    Ok(true)
}

/// Ends a look at a case for which there is nothing to conclude, as `seen` said. False when that has changed meanwhile, and
/// the job has to look again.
pub(super) async fn look_later(
    tx: &mut Tx,
    company: CompanyId,
    case: CaseId,
    job: &Job,
    seen: Next,
    now: Timestamp,
) -> Result<bool> {
    // The lock comes before the look: what ends after it brings the job forward.
    let is_there = store::case::lock(tx, company, case).await?;
    let standing = if is_there { store::analysis::standing(tx, case).await? } else { None };
    match standing.map(|standing| standing.next(now)) {
        Some(next) if next != seen => return Ok(false),
        Some(Next::Wait(until)) => store::job::put_off(tx, job, until).await?,
        None | Some(Next::Rest | Next::Conclude(_)) => store::job::complete(tx, job).await.map(drop)?,
    }
    Ok(true)
}

/// A verdict that was just made.
pub(super) struct NewVerdict {
    pub(super) progress: AnalysisProgress,
    pub(super) analysis: CaseAnalysis,
    pub(super) account: CaseAccount,
}

/// What became of a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Settled {
    /// It is stored, and the receiver is to be told.
    Told,
    /// It is stored, and says nothing that the receiver has not heard.
    Kept,
    /// An analysis has ended meanwhile: judge again.
    Outdated,
    /// The case is gone, or no longer waited for.
    Gone,
}

/// Stores a verdict that rests on `seen`, enqueues its notice and ends the job.
pub(super) async fn settle(
    tx: &mut Tx,
    company: CompanyId,
    case: CaseId,
    job: &Job,
    seen: &Standing,
    verdict: &NewVerdict,
    now: Timestamp,
) -> Result<Settled> {
    let is_there = store::case::lock(tx, company, case).await?;
    let Some(standing) = (if is_there { store::analysis::standing(tx, case).await? } else { None }) else {
        store::job::complete(tx, job).await?;
        return Ok(Settled::Gone);
    };
    if standing.ended() != seen.ended() || standing.basis != seen.basis {
        return Ok(Settled::Outdated);
    }
    let before = store::analysis::verdict(tx, case).await?;
    let told = |progress, analysis| Told { progress, analysis };
    let is_news = before.as_ref().is_none_or(|before| {
        told(before.progress, &before.analysis).differs_from(told(verdict.progress, &verdict.analysis))
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
        store::job::hasten(tx, JobKind::DeliverAnalysis, case.get(), now).await?;
    }
    store::job::complete(tx, job).await?;
    Ok(if is_news { Settled::Told } else { Settled::Kept })
}

/// Ends a notice of the verdict `sent`: if there is a newer one worth telling by now, it is told next.
pub(in crate::app) async fn end_notice(
    tx: &mut Tx,
    company: CompanyId,
    case: CaseId,
    job: &Job,
    sent: i64,
    now: Timestamp,
) -> Result<()> {
    // The lock keeps a verdict out that would find this job still there.
    store::case::lock(tx, company, case).await?;
    match store::analysis::verdict(tx, case).await? {
        Some(newest) if newest.notice > sent => store::job::put_off(tx, job, now).await,
        _ => store::job::complete(tx, job).await.map(drop),
    }
}

/// The end of a job whose item or case is gone.
pub(super) async fn drop_job(app: &crate::app::App, job: &Job) -> Result<()> {
    let mut tx = app.db.begin().await?;
    store::job::complete(&mut tx, job).await?;
    Ok(tx.commit().await?)
}

/// What lost signals left behind.
#[derive(Debug, Default)]
pub(super) struct Lost {
    pub(super) items: Vec<ItemId>,
    pub(super) cases: Vec<CaseId>,
}

/// Looks for what lost signals left behind, a thousand of a kind at most. A read, so that an idle server writes nothing.
pub(super) async fn find_lost(tx: &mut Tx, now: Timestamp) -> sqlx::Result<Lost> {
    Ok(Lost {
        items: store::analysis::stranded_items(tx, now.before(STRANDED_AFTER), SWEPT_AT_ONCE).await?,
        cases: store::analysis::overdue_cases(tx, now.before(SWEPT_BACK), now, SWEPT_AT_ONCE).await?,
    })
}

/// Has what was lost looked at again.
pub(super) async fn take_up(tx: &mut Tx, lost: &Lost, now: Timestamp) -> sqlx::Result<()> {
    for item in &lost.items {
        store::job::enqueue(tx, JobKind::AnalyseItem, item.get(), now).await?;
    }
    for case in &lost.cases {
        store::job::hasten(tx, JobKind::ConcludeAnalysis, case.get(), now).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
