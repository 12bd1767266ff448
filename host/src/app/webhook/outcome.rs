//! Records the outcome of a dispatch. A known outcome is final (decisions 12): if it cannot be recorded, recording is
//! tried again, never the dispatch.

use std::{sync::Arc, time::Duration};

use crate::{
    app::{App, analysis::flow, queue::LeaseLost},
    domain::id::{CaseId, CompanyId},
    error::Result,
    store::{self, job::Job, webhook::NewAttempt},
};

/// The pauses while an outcome cannot be recorded.
const FIRST_PAUSE: Duration = Duration::from_millis(250);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// The result of a dispatch.
#[derive(Default)]
pub(super) struct DispatchResult {
    /// None if there was nothing to send.
    pub(super) attempt: Option<(CompanyId, NewAttempt)>,
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

/// Records the attempt in the transaction that ends the job, retrying while the database is unavailable. A worker that
/// lost the job meanwhile records only its attempt.
pub(super) async fn note(app: &Arc<App>, job: &Job, dispatched: &DispatchResult) -> Result<()> {
    let mut pause = FIRST_PAUSE;
    let mut attempt = dispatched.attempt.as_ref();
    loop {
        let error = match end(app, job, attempt, dispatched.notice).await {
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
            attempt = None;
        }
        tokio::time::sleep(pause).await;
        pause = (2 * pause).min(LONGEST_PAUSE);
    }
}

async fn end(app: &App, job: &Job, attempt: Option<&(CompanyId, NewAttempt)>, notice: Option<Notice>) -> Result<()> {
    let mut tx = app.db.begin().await?;
    if let Some((company, attempt)) = attempt {
        store::webhook::record_attempt(&mut tx, *company, attempt).await?;
    }
    match notice {
        Some(Notice::Verdict(company, case, revision)) => {
            flow::end_notice(&mut tx, company, case, job, revision, app.clock.now()).await?;
        }
        Some(Notice::Decision(company, case, sent)) => {
            // The lock keeps out a decision that would find this job still in the queue.
            store::case::lock(&mut tx, company, case).await?;
            match store::decision::newest(&mut tx, case).await? {
                Some(newest) if newest.id > sent => store::job::reschedule(&mut tx, job, app.clock.now()).await?,
                _ => store::job::complete(&mut tx, job).await.map(drop)?,
            }
        }
        None => store::job::complete(&mut tx, job).await.map(drop)?,
    }
    Ok(tx.commit().await?)
}

async fn record(app: &App, dispatched: &DispatchResult) -> Result<()> {
    let Some((company, attempt)) = &dispatched.attempt else { return Ok(()) };
    let mut tx = app.db.begin().await?;
    store::webhook::record_attempt(&mut tx, *company, attempt).await?;
    Ok(tx.commit().await?)
}
