//! Jobs: work that follows from a write and is enqueued in its transaction, so that neither exists without the other.
//!
//! A job is claimed with a lease. One whose lease ran out is taken again, so every job may run twice and its second run
//! changes nothing. A job that is done is deleted; one that was given up stays, with its error, for the operator.

use std::time::Duration;

use crate::{clock::Timestamp, db::Tx, domain::id::CaseId};

/// What is to be done. The subject of each is a case, unless it says an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum JobKind {
    /// Have the file of an item time-stamped. The subject is the item.
    StampItem,
    /// Make the certificate of a closed case.
    Seal,
    /// Append a time stamp to a certificate: because its time is pending, or because its last one ends.
    RenewSeal,
    /// Send the case webhook.
    DeliverCase,
    /// Delete the blobs of a case that was deleted.
    DeleteBlobs,
    /// Append a case's deletion to the log of seals.
    LogDeletion,
    /// Examine the file of an item.
    AnalyseItem,
    /// Judge a closed case as soon as it is time.
    ConcludeAnalysis,
    /// Send the analysis webhook.
    DeliverAnalysis,
    /// Delete the file of an item whose step wants it gone after its analysis.
    DeleteFile,
    /// Ask the company's shadows about a document. The subject is the item.
    ShadowItem,
    /// Ask the company's shadows about a judged case.
    ShadowCase,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, sqlx::Type)]
#[sqlx(transparent)]
pub struct JobId(i64);

/// A job that this worker holds.
#[derive(Clone, Debug)]
pub struct Job {
    pub id: JobId,
    pub kind: JobKind,
    pub subject: i64,
    /// 1 on the first run.
    pub attempt: i64,
}

impl JobKind {
    pub const ALL: [Self; 12] = [
        Self::StampItem,
        Self::Seal,
        Self::RenewSeal,
        Self::DeliverCase,
        Self::DeleteBlobs,
        Self::LogDeletion,
        Self::AnalyseItem,
        Self::ConcludeAnalysis,
        Self::DeliverAnalysis,
        Self::DeleteFile,
        Self::ShadowItem,
        Self::ShadowCase,
    ];
    /// Those whose subject is an item.
    const OF_ITEMS: [Self; 4] = [Self::StampItem, Self::AnalyseItem, Self::DeleteFile, Self::ShadowItem];
    /// Those whose subject is a case, and which go when it is deleted.
    pub const OF_CASES: [Self; 6] = [
        Self::Seal,
        Self::RenewSeal,
        Self::DeliverCase,
        Self::ConcludeAnalysis,
        Self::DeliverAnalysis,
        Self::ShadowCase,
    ];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::StampItem => "stamp-item",
            Self::Seal => "seal",
            Self::RenewSeal => "renew-seal",
            Self::DeliverCase => "deliver-case",
            Self::DeleteBlobs => "delete-blobs",
            Self::LogDeletion => "log-deletion",
            Self::AnalyseItem => "analyse-item",
            Self::ConcludeAnalysis => "conclude-analysis",
            Self::DeliverAnalysis => "deliver-analysis",
            Self::DeleteFile => "delete-file",
            Self::ShadowItem => "shadow-item",
            Self::ShadowCase => "shadow-case",
        }
    }
}

/// Enqueues a job that may run from `run_at`. One of the same kind and subject that is there already is made ready again
/// if it had been given up, and otherwise left, which the answer tells: false.
pub async fn enqueue(tx: &mut Tx, kind: JobKind, subject: i64, run_at: Timestamp) -> sqlx::Result<bool> {
    let enqueued = tx
        .query(
            "insert into jobs (kind, subject, state, run_at, attempt, created_at) values ($1, $2, 'ready', $3, 0, $3)
         on conflict (kind, subject) do update set state = 'ready', run_at = excluded.run_at, attempt = 0
           where jobs.state = 'failed'",
        )
        .bind(kind.as_str())
        .bind(subject)
        .bind(run_at)
        .execute()
        .await?;
    Ok(enqueued == 1)
}

/// Enqueues a job as [`enqueue`] does, and brings one forward that waits for a later moment. One that is running just now
/// is left: whoever calls this has seen to it that it looks again before it ends.
pub async fn hasten(tx: &mut Tx, kind: JobKind, subject: i64, run_at: Timestamp) -> sqlx::Result<()> {
    tx.query(
        "insert into jobs (kind, subject, state, run_at, attempt, created_at) values ($1, $2, 'ready', $3, 0, $3)
         on conflict (kind, subject) do update set state = 'ready', run_at = excluded.run_at, attempt = 0
           where jobs.state = 'failed' or (jobs.state = 'ready' and jobs.run_at > excluded.run_at)",
    )
    .bind(kind.as_str())
    .bind(subject)
    .bind(run_at)
    .execute()
    .await?;
    Ok(())
}

/// The job that is running now is to run again at `run_at`, as if for the first time: there is nothing to do before.
pub async fn put_off(tx: &mut Tx, id: JobId, run_at: Timestamp) -> sqlx::Result<()> {
    tx.query(
        "update jobs set state = 'ready', run_at = $2, attempt = 0, lease_until = null, last_error = null where id = $1",
    )
    .bind(id)
    .bind(run_at)
    .execute()
    .await?;
    Ok(())
}

/// Whether [`claim`] would find something. A read, so that an idle server writes nothing.
pub async fn is_any_due(tx: &mut Tx, kind: JobKind, now: Timestamp) -> sqlx::Result<bool> {
    let row: Option<(i64,)> = tx
        .query(
            "select id from jobs where kind = $1 and state = 'ready' and run_at <= $2
             union all
             select id from jobs where kind = $1 and state = 'running' and lease_until < $2
             limit 1",
        )
        .bind(kind.as_str())
        .bind(now)
        .optional()
        .await?;
    Ok(row.is_some())
}

/// Takes up to `most` due jobs of a kind, oldest first, for as long as `lease`. Costs the same however many are waiting.
pub async fn claim(tx: &mut Tx, kind: JobKind, most: usize, now: Timestamp, lease: Duration) -> sqlx::Result<Vec<Job>> {
    // First and by itself: a condition that names two states could not follow the index, and would sort the whole queue
    // while every other writer waits.
    tx.query("update jobs set state = 'ready', lease_until = null where kind = $1 and state = 'running' and lease_until < $2")
        .bind(kind.as_str())
        .bind(now)
        .execute()
        .await?;
    let rows: Vec<(JobId, i64, i64)> = tx
        .query_skipping_locked(
            "update jobs set state = 'running', lease_until = $3, attempt = attempt + 1
             where id in (
               select id from jobs where kind = $1 and state = 'ready' and run_at <= $2
               order by run_at, id limit $4 /* skip locked */
             )
             returning id, subject, attempt",
        )
        .bind(kind.as_str())
        .bind(now)
        .bind(now.after(lease))
        .bind(i64::try_from(most).unwrap_or(i64::MAX))
        .all()
        .await?;
    let mut jobs: Vec<Job> =
        rows.into_iter().map(|(id, subject, attempt)| Job { id, kind, subject, attempt }).collect();
    jobs.sort_by_key(|job| job.id.0);
    Ok(jobs)
}

/// Lengthens the lease of a job that is still running.
pub async fn renew(tx: &mut Tx, id: JobId, until: Timestamp) -> sqlx::Result<()> {
    tx.query("update jobs set lease_until = $2 where id = $1 and state = 'running'")
        .bind(id)
        .bind(until)
        .execute()
        .await?;
    Ok(())
}

/// The job is done. Called in the transaction that holds its result.
pub async fn complete(tx: &mut Tx, id: JobId) -> sqlx::Result<()> {
    tx.query("delete from jobs where id = $1").bind(id).execute().await?;
    Ok(())
}

/// Deletes the jobs of a kind for a subject, in whatever state: their subject is gone. One that is running just now ends
/// without finding its row.
pub async fn delete(tx: &mut Tx, kind: JobKind, subject: i64) -> sqlx::Result<()> {
    tx.query("delete from jobs where kind = $1 and subject = $2").bind(kind.as_str()).bind(subject).execute().await?;
    Ok(())
}

/// Deletes the jobs of a case's items, whose rows are still there.
pub async fn delete_of_items(tx: &mut Tx, case: CaseId) -> sqlx::Result<()> {
    for kind in JobKind::OF_ITEMS {
        tx.query("delete from jobs where kind = $1 and subject in (select id from items where case_id = $2)")
            .bind(kind.as_str())
            .bind(case)
            .execute()
            .await?;
    }
    Ok(())
}

/// The job failed and is to run again at `run_at`.
pub async fn retry(tx: &mut Tx, id: JobId, run_at: Timestamp, error: &str) -> sqlx::Result<()> {
    tx.query("update jobs set state = 'ready', run_at = $2, lease_until = null, last_error = $3 where id = $1")
        .bind(id)
        .bind(run_at)
        .bind(error)
        .execute()
        .await?;
    Ok(())
}

/// The job failed for good. It stays for the operator to see.
pub async fn give_up(tx: &mut Tx, id: JobId, error: &str) -> sqlx::Result<()> {
    tx.query("update jobs set state = 'failed', lease_until = null, last_error = $2 where id = $1")
        .bind(id)
        .bind(error)
        .execute()
        .await?;
    Ok(())
}

/// Makes every running job ready again. Only for a worker that knows it is the only one: those who held the leases are
/// gone.
pub async fn release_all(tx: &mut Tx) -> sqlx::Result<u64> {
    tx.query("update jobs set state = 'ready', lease_until = null where state = 'running'").execute().await
}

/// How many jobs of each kind and state there are: `(kind, state, count)`.
pub async fn counts(tx: &mut Tx) -> sqlx::Result<Vec<(String, String, i64)>> {
    tx.query("select kind, state, count(*) from jobs group by kind, state order by kind, state").all().await
}
