//! Records the outcome of a dispatch, and what follows. A known outcome is final (decisions 12), unless the webhook has
//! retries: if it cannot be recorded, recording is tried again, never the dispatch.

use std::{sync::Arc, time::Duration};

use super::{
    schedule::{self, Next},
    sent::{Sent, Waiting},
};
use crate::{
    app::{App, analysis::flow, queue::LeaseLost},
    clock::Timestamp,
    db::Tx,
    domain::id::{CaseId, CompanyId},
    error::Result,
    store::{self, job::Job, webhook::Fate},
};

/// The pauses while an outcome cannot be recorded.
const FIRST_PAUSE: Duration = Duration::from_millis(250);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// The result of a dispatch. Without `sent` and `waiting` there was nothing to send.
#[derive(Default)]
pub(super) struct DispatchResult {
    pub(super) sent: Option<Sent>,
    pub(super) waiting: Option<Waiting>,
    /// What was sent, if something newer is sent next.
    pub(super) notice: Option<Notice>,
}

/// What a webhook said about a case.
#[derive(Clone, Copy)]
pub(super) enum Notice {
    /// The revision of its verdict.
    Verdict(CompanyId, CaseId, i64),
    /// The identifier of the newest decision on it.
    Decision(CompanyId, CaseId, i64),
}

/// How much of an outcome is recorded: less after each error that is not temporary.
#[derive(Clone, Copy)]
enum Extent {
    /// The attempt, and its consequences for its delivery and for the receiver.
    All,
    /// Not the attempt.
    Consequences,
    Nothing,
}

/// Records the attempt in the transaction that ends the job, retrying while the database is unavailable. A worker that
/// lost the job meanwhile records only its attempt.
pub(super) async fn note(app: &Arc<App>, job: &Job, dispatched: &DispatchResult) -> Result<()> {
    let mut pause = FIRST_PAUSE;
    let mut extent = Extent::All;
    loop {
        let error = match end(app, job, dispatched, extent).await {
            Ok(()) => return Ok(()),
            Err(error) => error,
        };
        if LeaseLost::is(&error) {
            record(app, dispatched).await?;
            return Err(error);
        }
        let (kind, subject) = (job.kind().as_str(), job.subject());
        if error.is_temporary() {
            tracing::warn!(kind, subject, %error, "the outcome of a dispatch cannot be noted yet");
        } else {
            // Better unrecorded than sent twice.
            tracing::error!(kind, subject, %error, "the outcome of a dispatch cannot be recorded");
            extent = match extent {
                Extent::All => Extent::Consequences,
                Extent::Consequences | Extent::Nothing => Extent::Nothing,
            };
        }
        tokio::time::sleep(pause).await;
        pause = (2 * pause).min(LONGEST_PAUSE);
    }
}

async fn end(app: &App, job: &Job, dispatched: &DispatchResult, extent: Extent) -> Result<()> {
    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    if let Some(waiting) = &dispatched.waiting {
        schedule::keep_waiting(&mut tx, job, waiting, now).await?;
        return Ok(tx.commit().await?);
    }
    let next = match (&dispatched.sent, extent) {
        (None, _) => {
            schedule::forget(&mut tx, job, now).await?;
            Next::default()
        }
        (Some(sent), Extent::All) => {
            let next = schedule::follow(&mut tx, job, sent, now).await?;
            record_attempt(&mut tx, sent, next.fate).await?;
            next
        }
        (Some(sent), Extent::Consequences) => schedule::follow(&mut tx, job, sent, now).await?,
        (Some(sent), Extent::Nothing) => schedule::retry_unrecorded(sent, now),
    };
    match (next.fate, dispatched.notice) {
        // If there is something newer to send by then, the next run sends it.
        (Some((_, Some(at))), _) => store::job::reschedule(&mut tx, job, at).await?,
        (_, Some(Notice::Verdict(company, case, revision))) => {
            flow::end_notice(&mut tx, company, case, job, revision, now).await?;
        }
        (_, Some(Notice::Decision(company, case, sent))) => {
            // The lock keeps out a decision that would find this job still in the queue.
            store::case::lock(&mut tx, company, case).await?;
            match store::decision::newest(&mut tx, case).await? {
                Some(newest) if newest.id > sent => store::job::reschedule(&mut tx, job, now).await?,
                _ => store::job::complete(&mut tx, job).await.map(drop)?,
            }
        }
        (_, None) => store::job::complete(&mut tx, job).await.map(drop)?,
    }
    tx.commit().await?;
    if next.has_resumed {
        app.wake.job(job.kind()).notify_one();
    }
    Ok(())
}

async fn record(app: &App, dispatched: &DispatchResult) -> Result<()> {
    let Some(sent) = &dispatched.sent else { return Ok(()) };
    let mut tx = app.db.begin().await?;
    record_attempt(&mut tx, sent, None).await?;
    Ok(tx.commit().await?)
}

/// Records an attempt. The lock keeps out a deletion and an erasure: they forget the answers that are there.
async fn record_attempt(tx: &mut Tx, sent: &Sent, next: Option<(Fate, Option<Timestamp>)>) -> Result<()> {
    store::case::lock(tx, sent.company, sent.attempt.case).await?;
    Ok(store::webhook::record_attempt(tx, sent.company, &sent.attempt, next).await?)
}
