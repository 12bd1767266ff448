//! Jobs: work that results from a write and is enqueued in its transaction, so that neither exists without the other.
//!
//! A job is claimed with a lease. After the lease expires it is taken again, so every job may run twice and must be
//! idempotent. A completed job is deleted; one that was given up stays, with its error, for the operator.
//!
//! Each claim has a number. Every statement that ends a job compares it: a worker that lost the job changes nothing,
//! and the transaction with its result is rolled back ([`LeaseLost`]).

mod claim;
mod kind;
mod report;
mod state;
#[cfg(test)]
mod tests;

pub use self::{
    claim::{
        Claimant, DueCompany, InterruptedJob, claim, claim_suspect, due, interrupt, is_suspect_due, of_worker, overdue,
        release, renew, running, workers_without_lock,
    },
    kind::{JobKind, Subject, Work},
    report::{
        Count, ListedJob, MOST_COUNTED, StoppedJob, counts, list, of_case, of_work, oldest, ready_since, restart,
        resume_waiting, state, stopped, stopped_job,
    },
    state::JobState,
};
use crate::{
    clock::Timestamp,
    db::{Reader, Tx},
    domain::id::{CaseId, CompanyId},
    error::{Error, Result},
    request_id,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, sqlx_macros::Type)]
#[sqlx(transparent)]
pub struct JobId(i64);

impl JobId {
    pub const fn get(self) -> i64 {
        self.0
    }
}

/// A job that this worker holds.
#[derive(Clone, Debug)]
pub struct Job {
    pub id: JobId,
    pub work: Work,
    /// The company whose work it is; 0 for none.
    pub company: i64,
    /// The number of this claim.
    pub claim: i64,
    /// 1 on the first run.
    pub attempt: i64,
    /// How many earlier runs failed with an error that the same input may cause again.
    pub failures: i64,
    /// The request that caused it, if one did.
    pub request_id: Option<String>,
}

impl Job {
    pub const fn kind(&self) -> JobKind {
        self.work.kind()
    }

    /// The identifier of the item, case or backtest.
    pub const fn subject(&self) -> i64 {
        self.work.subject()
    }
}

/// Another worker holds the job now: the result is dropped.
#[derive(Debug, thiserror::Error)]
#[error("another worker has taken over the job")]
pub struct LeaseLost;

impl LeaseLost {
    /// Whether an error means that the job was lost.
    pub fn is(error: &Error) -> bool {
        matches!(error, Error::Internal(cause) if cause.is::<Self>())
    }
}

/// Enqueues a job that may run from `run_at`. An existing one of the same kind and subject is made ready again if it
/// was given up. Otherwise it is left unchanged (also if quarantined), and the result is false.
pub async fn enqueue(tx: &mut Tx, work: Work, run_at: Timestamp) -> sqlx::Result<bool> {
    let enqueued = tx
        .query(
            "insert into jobs (kind, subject, company_id, state, run_at, due_at, attempt, created_at, request_id)
         values ($1, $2, coalesce(case $4 when 'item' then (select c.company_id from items i
                                                              join cases c on c.id = i.case_id where i.id = $2)
                                       when 'backtest' then (select b.company_id from backtests b where b.id = $2)
                                       else (select c.company_id from cases c where c.id = $2) end, 0),
                 'ready', $3, $3, 0, $3, $5)
         on conflict (kind, subject) do update set state = 'ready', run_at = excluded.run_at, due_at = excluded.due_at,
           attempt = 0, failures = 0, crashes = 0, waits_for = null, request_id = excluded.request_id
           where jobs.state = 'failed'",
        )
        .bind(work.kind())
        .bind(work.subject())
        .bind(run_at)
        .bind(work.kind().subject().as_str())
        .bind(request_id::current().as_deref())
        .execute()
        .await?;
    Ok(enqueued == 1)
}

/// Enqueues a job like [`enqueue`], and moves a waiting one to an earlier time. A running one is left unchanged: the
/// caller ensures that it checks again before it ends.
pub async fn reschedule_earlier(tx: &mut Tx, work: Work, run_at: Timestamp) -> sqlx::Result<()> {
    if enqueue(tx, work, run_at).await? {
        return Ok(());
    }
    tx.query(
        "update jobs set run_at = $3, due_at = case when due_at > $3 then $3 else due_at end, attempt = 0,
                         request_id = coalesce($4, request_id)
         where kind = $1 and subject = $2 and state = 'ready' and run_at > $3",
    )
    .bind(work.kind())
    .bind(work.subject())
    .bind(run_at)
    .bind(request_id::current().as_deref())
    .execute()
    .await?;
    Ok(())
}

/// Makes the waiting jobs of a kind that belong to a company due now.
pub async fn bring_forward(tx: &mut Tx, kind: JobKind, company: CompanyId, now: Timestamp) -> sqlx::Result<u64> {
    tx.query(
        "update jobs set run_at = $3, due_at = $3
         where kind = $1 and company_id = $2 and state = 'ready' and run_at > $3",
    )
    .bind(kind)
    .bind(company)
    .bind(now)
    .execute()
    .await
}

/// Makes the next waiting job of a kind that belongs to a company due at `run_at`; false if there is none.
pub async fn bring_next_forward(
    tx: &mut Tx,
    kind: JobKind,
    company: CompanyId,
    run_at: Timestamp,
) -> sqlx::Result<bool> {
    let moved = tx
        .query(
            "update jobs set run_at = $3, due_at = $3
             where id = (select id from jobs where kind = $1 and company_id = $2 and state = 'ready' and run_at > $3
                         order by run_at, id limit 1)",
        )
        .bind(kind)
        .bind(company)
        .bind(run_at)
        .execute()
        .await?;
    Ok(moved == 1)
}

/// Whether a waiting job of a kind that belongs to a company is due by `at`.
pub async fn is_next_due(reader: &mut Reader, kind: JobKind, company: CompanyId, at: Timestamp) -> sqlx::Result<bool> {
    let next: Option<(i64,)> = reader
        .query(
            "select id from jobs where kind = $1 and company_id = $2 and state = 'ready' and run_at <= $3
             order by run_at, id limit 1",
        )
        .bind(kind)
        .bind(company)
        .bind(at)
        .optional()
        .await?;
    Ok(next.is_some())
}

/// Schedules the running job again at `run_at`, as if for the first time: there is nothing to do before.
///
/// # Errors
/// [`LeaseLost`], as for all functions that end a job. A missing job is not an error: its case was deleted.
pub async fn reschedule(tx: &mut Tx, job: &Job, run_at: Timestamp) -> Result<()> {
    let ended = tx
        .query(
            "update jobs set state = 'ready', run_at = $3, due_at = $3, attempt = 0, failures = 0, crashes = 0,
                             lease_until = null, worker = null, last_error = null
             where id = $1 and claim = $2 and state = 'running'",
        )
        .bind(job.id)
        .bind(job.claim)
        .bind(run_at)
        .execute()
        .await?;
    held(tx, job, ended).await.map(drop)
}

/// Completes the job. Call it in the transaction with its result. False if the job is gone because its case was
/// deleted.
pub async fn complete(tx: &mut Tx, job: &Job) -> Result<bool> {
    let ended = tx
        .query("delete from jobs where id = $1 and claim = $2 and state = 'running'")
        .bind(job.id)
        .bind(job.claim)
        .execute()
        .await?;
    held(tx, job, ended).await
}

/// Why a job runs again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RetryReason<'a> {
    /// It failed, perhaps because of its input.
    Failed,
    /// The named part of the machine was unavailable.
    Away(&'a str),
}

/// Schedules the job again at `run_at`, because of `error`.
pub async fn retry(tx: &mut Tx, job: &Job, run_at: Timestamp, why: RetryReason<'_>, error: &str) -> Result<()> {
    let (failures, waits_for) = match why {
        RetryReason::Failed => (job.failures + 1, None),
        RetryReason::Away(part) => (job.failures, Some(part)),
    };
    let ended = tx
        .query(
            "update jobs set state = 'ready', run_at = $3, failures = $4, crashes = 0, waits_for = $5, last_error = $6,
                             lease_until = null, worker = null
             where id = $1 and claim = $2 and state = 'running'",
        )
        .bind(job.id)
        .bind(job.claim)
        .bind(run_at)
        .bind(failures)
        .bind(waits_for)
        .bind(storable(error))
        .execute()
        .await?;
    held(tx, job, ended).await.map(drop)
}

/// Gives up the job. It stays in the queue for the operator.
pub async fn give_up(tx: &mut Tx, job: &Job, error: &str) -> Result<()> {
    let ended = tx
        .query(
            "update jobs set state = 'failed', failures = $3, crashes = 0, last_error = $4, lease_until = null, worker = null
             where id = $1 and claim = $2 and state = 'running'",
        )
        .bind(job.id)
        .bind(job.claim)
        .bind(job.failures + 1)
        .bind(storable(error))
        .execute()
        .await?;
    held(tx, job, ended).await.map(drop)
}

/// Deletes the jobs of a case and of its items, whose rows must still exist, in any state. A running one ends without
/// finding its row. Jobs for a deleted case are left.
pub async fn delete_of_case(tx: &mut Tx, case: CaseId) -> sqlx::Result<()> {
    for kind in JobKind::ALL {
        let sql = match kind.subject() {
            Subject::Item => {
                "delete from jobs where kind = $1 and subject in (select id from items where case_id = $2)"
            }
            Subject::Case => "delete from jobs where kind = $1 and subject = $2",
            Subject::DeletedCase | Subject::Backtest => continue,
        };
        tx.query(sql).bind(kind).bind(case).execute().await?;
    }
    Ok(())
}

/// Deletes the job, unless it is running. Returns whether it is.
pub async fn withdraw(tx: &mut Tx, work: Work) -> sqlx::Result<bool> {
    let delete = "delete from jobs where kind = $1 and subject = $2 and state <> 'running'";
    tx.query(delete).bind(work.kind()).bind(work.subject()).execute().await?;
    let left = tx.query("select id from jobs where kind = $1 and subject = $2");
    let left: Option<(i64,)> = left.bind(work.kind()).bind(work.subject()).optional().await?;
    Ok(left.is_some())
}

/// Whether this worker still holds the job, at least until `until`.
pub async fn is_held(tx: &mut Reader, job: &Job, until: Timestamp) -> sqlx::Result<bool> {
    let row: Option<(i64,)> = tx
        .query("select id from jobs where id = $1 and claim = $2 and state = 'running' and lease_until >= $3")
        .bind(job.id)
        .bind(job.claim)
        .bind(until)
        .optional()
        .await?;
    Ok(row.is_some())
}

/// Checks the result of a statement that ended `rows` jobs: an error if the lease was lost, false if the job is gone.
async fn held(tx: &mut Reader, job: &Job, rows: u64) -> Result<bool> {
    if rows == 1 {
        return Ok(true);
    }
    let row: Option<(i64,)> = tx.query("select id from jobs where id = $1").bind(job.id).optional().await?;
    if row.is_some() { Err(Error::Internal(LeaseLost.into())) } else { Ok(false) }
}

/// PostgreSQL texts cannot contain NUL, and an error may repeat one from a client.
fn storable(error: &str) -> String {
    error.replace('\0', "\u{fffd}")
}
