//! Jobs: work that follows from a write and is enqueued in its transaction, so that neither exists without the other.
//!
//! A job is claimed with a lease. One whose lease ran out is taken again, so every job may run twice and its second run
//! changes nothing. A job that is done is deleted; one that was given up stays, with its error, for the operator.
//!
//! Each claim has a number. What ends a job compares it in the same statement: a worker that lost the job ends nothing, and
//! the transaction with its result is rolled back ([`LeaseLost`]).

mod claim;
mod kind;
mod report;
#[cfg(test)]
mod tests;

pub use self::{
    claim::{
        Claimant, Due, Interrupted, claim, claim_suspect, due, interrupt, is_suspect_due, of_worker, overdue, release,
        renew, running, workers_without_lock,
    },
    kind::{JobKind, Subject},
    report::{Count, Listed, Stopped, counts, list, oldest, restart, resume_waiting, state, stopped},
};
use crate::{
    clock::Timestamp,
    db::Tx,
    domain::id::CaseId,
    error::{Error, Result},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, sqlx::Type)]
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
    pub kind: JobKind,
    pub subject: i64,
    /// The company whose work it is; 0 for none.
    pub company: i64,
    /// The number of this claim.
    pub claim: i64,
    /// 1 on the first run.
    pub attempt: i64,
    /// How many runs before this one ended in an error that the same input gives again.
    pub failures: i64,
}

/// Another worker holds the job now: what was done for it is dropped.
#[derive(Debug, thiserror::Error)]
#[error("another worker has taken the job over")]
pub struct LeaseLost;

impl LeaseLost {
    /// Whether an error says that the job was lost.
    pub fn is(error: &Error) -> bool {
        matches!(error, Error::Internal(cause) if cause.is::<Self>())
    }
}

/// Enqueues a job that may run from `run_at`. One of the same kind and subject that is there already is made ready again
/// if it had been given up, and otherwise left (a quarantined one too): the answer is false then.
pub async fn enqueue(tx: &mut Tx, kind: JobKind, subject: i64, run_at: Timestamp) -> sqlx::Result<bool> {
    let enqueued = tx
        .query(
            "insert into jobs (kind, subject, company_id, state, run_at, due_at, attempt, created_at)
         values ($1, $2, coalesce(case when $4 then (select c.company_id from items i join cases c on c.id = i.case_id
                                                     where i.id = $2)
                                       else (select c.company_id from cases c where c.id = $2) end, 0),
                 'ready', $3, $3, 0, $3)
         on conflict (kind, subject) do update set state = 'ready', run_at = excluded.run_at, due_at = excluded.due_at,
           attempt = 0, failures = 0, crashes = 0, waits_for = null
           where jobs.state = 'failed'",
        )
        .bind(kind.as_str())
        .bind(subject)
        .bind(run_at)
        .bind(kind.subject() == Subject::Item)
        .execute()
        .await?;
    Ok(enqueued == 1)
}

/// Enqueues a job as [`enqueue`] does, and brings one forward that waits for a later moment. One that is running just now
/// is left: whoever calls this has seen to it that it looks again before it ends.
pub async fn hasten(tx: &mut Tx, kind: JobKind, subject: i64, run_at: Timestamp) -> sqlx::Result<()> {
    if enqueue(tx, kind, subject, run_at).await? {
        return Ok(());
    }
    tx.query(
        "update jobs set run_at = $3, due_at = case when due_at > $3 then $3 else due_at end, attempt = 0
         where kind = $1 and subject = $2 and state = 'ready' and run_at > $3",
    )
    .bind(kind.as_str())
    .bind(subject)
    .bind(run_at)
    .execute()
    .await?;
    Ok(())
}

/// The job that is running now is to run again at `run_at`, as if for the first time: there is nothing to do before.
///
/// # Errors
/// [`LeaseLost`]; as for all that end a job. A job that is not there any more is no error: its case was deleted.
pub async fn put_off(tx: &mut Tx, job: &Job, run_at: Timestamp) -> Result<()> {
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

/// The job is done. Called in the transaction that holds its result. False when the job is not there any more, because its
/// case was deleted.
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
pub enum Again<'a> {
    /// It failed in a way that its input may be to blame for.
    Failed,
    /// A part of the machine, by its name, was away.
    Away(&'a str),
}

/// The job is to run again at `run_at`, because of `error`.
pub async fn retry(tx: &mut Tx, job: &Job, run_at: Timestamp, why: Again<'_>, error: &str) -> Result<()> {
    let (failures, waits_for) = match why {
        Again::Failed => (job.failures + 1, None),
        Again::Away(part) => (job.failures, Some(part)),
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

/// The job failed for good. It stays for the operator to see.
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

/// Deletes the jobs of a kind for a subject, in whatever state: their subject is gone. One that is running just now ends
/// without finding its row.
pub async fn delete(tx: &mut Tx, kind: JobKind, subject: i64) -> sqlx::Result<()> {
    tx.query("delete from jobs where kind = $1 and subject = $2").bind(kind.as_str()).bind(subject).execute().await?;
    Ok(())
}

/// Deletes the jobs of a case's items, whose rows are still there.
pub async fn delete_of_items(tx: &mut Tx, case: CaseId) -> sqlx::Result<()> {
    for kind in JobKind::ALL.into_iter().filter(|kind| kind.subject() == Subject::Item) {
        tx.query("delete from jobs where kind = $1 and subject in (select id from items where case_id = $2)")
            .bind(kind.as_str())
            .bind(case)
            .execute()
            .await?;
    }
    Ok(())
}

/// Whether this worker still holds the job, `until` at least.
pub async fn is_held(tx: &mut Tx, job: &Job, until: Timestamp) -> sqlx::Result<bool> {
    let row: Option<(i64,)> = tx
        .query("select id from jobs where id = $1 and claim = $2 and state = 'running' and lease_until >= $3")
        .bind(job.id)
        .bind(job.claim)
        .bind(until)
        .optional()
        .await?;
    Ok(row.is_some())
}

/// Whether a statement that ended `rows` jobs had the right to.
async fn held(tx: &mut Tx, job: &Job, rows: u64) -> Result<bool> {
    if rows == 1 {
        return Ok(true);
    }
    let row: Option<(i64,)> = tx.query("select id from jobs where id = $1").bind(job.id).optional().await?;
    if row.is_some() { Err(Error::Internal(LeaseLost.into())) } else { Ok(false) }
}

/// PostgreSQL keeps no NUL in a text, and an error may repeat one of a client's.
fn storable(error: &str) -> String {
    error.replace('\0', "\u{fffd}")
}
