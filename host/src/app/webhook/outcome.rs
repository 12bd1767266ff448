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
    /// For an analysis webhook: the case and the revision of its verdict. A newer verdict is sent next.
    pub(super) notice: Option<(CompanyId, CaseId, i64)>,
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

async fn end(
    app: &App,
    job: &Job,
    attempt: Option<&(CompanyId, NewAttempt)>,
    notice: Option<(CompanyId, CaseId, i64)>,
) -> Result<()> {
    let mut tx = app.db.begin().await?;
    if let Some((company, attempt)) = attempt {
        store::webhook::record_attempt(&mut tx, *company, attempt).await?;
    }
    match notice {
        Some((company, case, revision)) => {
            flow::end_notice(&mut tx, company, case, job, revision, app.clock.now()).await?;
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
