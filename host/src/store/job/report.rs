//! The operator's view of the queue, and restarting jobs.

use serde::Serialize;

use super::{JobId, JobKind, JobState, Subject, Work, claim::due};
use crate::{
    clock::Timestamp,
    db::{Reader, Tx},
    domain::id::{CaseId, CompanyId},
};

/// Where counting stops: a node that reports a queue of millions must not read them all every few seconds.
pub const MOST_COUNTED: i64 = 10_000;

/// How many jobs of a kind are in a state, at most [`MOST_COUNTED`].
#[derive(Clone, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct Count {
    pub kind: JobKind,
    pub state: JobState,
    pub count: i64,
}

/// A job as the operator sees it.
#[derive(Clone, Debug, Serialize, sqlx_macros::FromRow)]
pub struct ListedJob {
    pub id: i64,
    pub kind: JobKind,
    /// An item, a case or a backtest, depending on the kind.
    pub subject: i64,
    pub company_id: i64,
    pub state: JobState,
    /// How often it was started.
    pub attempt: i64,
    pub failures: i64,
    pub crashes: i64,
    /// Since when it is due.
    pub due_at: Timestamp,
    /// When it runs next, if it does.
    pub run_at: Timestamp,
    /// The part of the machine that was unavailable at its last run.
    pub waits_for: Option<String>,
    pub last_error: Option<String>,
    /// The request that caused it, if one did.
    pub request_id: Option<String>,
}

/// How many jobs of each kind and state there are.
pub async fn counts(tx: &mut Reader) -> sqlx::Result<Vec<Count>> {
    tx.query(
        "with recursive pairs (kind, state) as (
           select * from (select kind, state from jobs order by kind, state limit 1) lowest
           union all
           select (select j.kind from jobs j where (j.kind, j.state) > (p.kind, p.state)
                   order by j.kind, j.state limit 1),
                  (select j.state from jobs j where (j.kind, j.state) > (p.kind, p.state)
                   order by j.kind, j.state limit 1)
           from pairs p where p.kind is not null
         )
         select p.kind, p.state,
                (select count(*) from (select 1 from jobs j where j.kind = p.kind and j.state = p.state
                                       order by j.company_id, j.run_at limit $1) counted) as count
         from pairs p where p.kind is not null order by p.kind, p.state",
    )
    .bind(MOST_COUNTED)
    .all()
    .await
}

/// When the oldest unfinished job of each kind became due, without stopped ones: `(kind, moment)`. A backtest that runs for
/// hours does not wait. Costs a look-up for each kind, however many jobs there are.
pub async fn oldest(tx: &mut Reader, now: Timestamp) -> sqlx::Result<Vec<(JobKind, Timestamp)>> {
    tx.query(
        "with recursive kinds (kind) as (
           select (select j.kind from jobs j where j.state in ('ready', 'running', 'suspect') order by j.kind limit 1)
           union all
           select (select j.kind from jobs j where j.state in ('ready', 'running', 'suspect') and j.kind > k.kind
                   order by j.kind limit 1)
           from kinds k where k.kind is not null
         ), oldest (kind, due_at) as (
           select k.kind, (select j.due_at from jobs j
                           where j.kind = k.kind and j.state in ('ready', 'running', 'suspect')
                             and (k.kind <> $2 or j.state <> 'running') order by j.due_at limit 1)
           from kinds k where k.kind is not null
         )
         select kind, due_at from oldest where due_at <= $1 order by kind",
    )
    .bind(now)
    .bind(JobKind::Backtest)
    .all()
    .await
}

/// Since when the job that has waited longest could have been taken by a worker, among the kinds that someone waits for.
/// None if no such job is due. A job that waits for its next attempt is not due, so more workers would not help it.
pub async fn ready_since(reader: &mut Reader, now: Timestamp) -> sqlx::Result<Option<Timestamp>> {
    let mut oldest: Option<Timestamp> = None;
    for kind in JobKind::ALL.into_iter().filter(|kind| kind.is_awaited()) {
        let first = due(reader, kind, now).await?.into_iter().map(|company| company.since).min();
        oldest = oldest.into_iter().chain(first).min();
    }
    Ok(oldest)
}

/// The jobs in the queue, stopped ones first, then the oldest, at most `most`. Costs look-ups for each kind, however many
/// jobs wait. Among jobs that became due in the same millisecond, any may be the last of the list.
pub async fn list(reader: &mut Reader, most: i64) -> sqlx::Result<Vec<ListedJob>> {
    let kept = usize::try_from(most).unwrap_or(usize::MAX);
    let mut listed: Vec<ListedJob> = Vec::new();
    for is_stopped in [true, false] {
        let mut group: Vec<ListedJob> = Vec::new();
        for kind in JobKind::ALL {
            group.extend(oldest_of_kind(reader, kind, is_stopped, most).await?);
            // Not after all kinds: each may have as many.
            group.sort_by_key(|job| (job.due_at, job.id));
            group.truncate(kept - listed.len());
        }
        listed.append(&mut group);
        if listed.len() == kept {
            break;
        }
    }
    Ok(listed)
}

/// The jobs of a kind that became due first: of those that were given up or quarantined, or of the others. Each statement
/// has the states of one index. One for all states would read every job.
async fn oldest_of_kind(
    reader: &mut Reader,
    kind: JobKind,
    is_stopped: bool,
    most: i64,
) -> sqlx::Result<Vec<ListedJob>> {
    let oldest = reader.query(if is_stopped {
        "select id, kind, subject, company_id, state, attempt, failures, crashes, due_at, run_at, waits_for, last_error,
                request_id
         from jobs where kind = $1 and state in ('failed', 'quarantined') order by due_at, id limit $2"
    } else {
        "select id, kind, subject, company_id, state, attempt, failures, crashes, due_at, run_at, waits_for, last_error,
                request_id
         from jobs where kind = $1 and state in ('ready', 'running', 'suspect') order by due_at limit $2"
    });
    oldest.bind(kind).bind(most).all().await
}

/// The jobs of a case and of its items, the oldest first. The caller has checked whose case it is. One list of subjects:
/// with `or`, PostgreSQL reads every job.
pub async fn of_case(reader: &mut Reader, case: CaseId) -> sqlx::Result<Vec<ListedJob>> {
    let jobs: Vec<ListedJob> = reader
        .query(
            "select id, kind, subject, company_id, state, attempt, failures, crashes, due_at, run_at, waits_for,
                    last_error, request_id
             from jobs where subject in (select cast($1 as bigint) union all select id from items where case_id = $1)
             order by due_at, id",
        )
        .bind(case)
        .all()
        .await?;
    let items: Vec<(i64,)> = reader.query("select id from items where case_id = $1").bind(case).all().await?;
    // A case and an item may have the same number: the kind says which of them is the subject.
    let is_of_case = |job: &ListedJob| match job.kind.subject() {
        Subject::Item => items.contains(&(job.subject,)),
        Subject::Case | Subject::DeletedCase => job.subject == case.get(),
        Subject::Backtest => false,
    };
    Ok(jobs.into_iter().filter(is_of_case).collect())
}

/// The job of this work; none if it has ended.
pub async fn of_work(reader: &mut Reader, work: Work) -> sqlx::Result<Option<ListedJob>> {
    let job = reader.query(
        "select id, kind, subject, company_id, state, attempt, failures, crashes, due_at, run_at, waits_for, last_error,
                request_id
         from jobs where kind = $1 and subject = $2",
    );
    job.bind(work.kind()).bind(work.subject()).optional().await
}

/// A job that does not run again until the operator restarts it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoppedJob {
    pub id: JobId,
    pub work: Work,
    /// The company whose work it is.
    pub company: Option<CompanyId>,
}

/// The jobs that were given up or quarantined, by identifier. Does not read those that wait.
pub async fn stopped(reader: &mut Reader) -> sqlx::Result<Vec<StoppedJob>> {
    let mut stopped = Vec::new();
    for kind in JobKind::ALL {
        let rows: Vec<(JobId, JobKind, i64, i64)> = reader
            .query(
                "select id, kind, subject, company_id from jobs
                 where kind = $1 and state in ('failed', 'quarantined')",
            )
            .bind(kind)
            .all()
            .await?;
        stopped.extend(rows.into_iter().filter_map(StoppedJob::from_row));
    }
    stopped.sort_by_key(|job| job.id.get());
    Ok(stopped)
}

/// The job with this identifier, if it was given up or quarantined.
pub async fn stopped_job(reader: &mut Reader, id: i64) -> sqlx::Result<Option<StoppedJob>> {
    let row: Option<(JobId, JobKind, i64, i64)> = reader
        .query("select id, kind, subject, company_id from jobs where id = $1 and state in ('failed', 'quarantined')")
        .bind(id)
        .optional()
        .await?;
    Ok(row.and_then(StoppedJob::from_row))
}

impl StoppedJob {
    /// None if nothing has the subject's number.
    fn from_row((id, kind, subject, company): (JobId, JobKind, i64, i64)) -> Option<Self> {
        Some(Self { id, work: Work::new(kind, subject)?, company: CompanyId::new(company) })
    }
}

/// The state of a job.
pub async fn state(tx: &mut Reader, id: i64) -> sqlx::Result<Option<JobState>> {
    let row: Option<(JobState,)> = tx.query("select state from jobs where id = $1").bind(id).optional().await?;
    Ok(row.map(|(state,)| state))
}

/// Restarts a job that was given up or quarantined, as if for the first time.
pub async fn restart(tx: &mut Tx, id: JobId, now: Timestamp) -> sqlx::Result<bool> {
    let restarted = tx
        .query(
            "update jobs set state = 'ready', run_at = $2, due_at = $2, attempt = 0, failures = 0, crashes = 0,
                             waits_for = null, lease_until = null, worker = null
             where id = $1 and state in ('failed', 'quarantined')",
        )
        .bind(id)
        .bind(now)
        .execute()
        .await?;
    Ok(restarted == 1)
}

/// Makes every job due now that waits for a part of the machine; returns how many.
pub async fn resume_waiting(tx: &mut Tx, now: Timestamp) -> sqlx::Result<u64> {
    let mut resumed = 0;
    for kind in JobKind::ALL {
        resumed += tx
            .query(
                "update jobs set run_at = $2, attempt = 0
                 where kind = $1 and state = 'ready' and waits_for is not null and run_at > $2",
            )
            .bind(kind)
            .bind(now)
            .execute()
            .await?;
    }
    Ok(resumed)
}
