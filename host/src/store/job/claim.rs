//! Claiming jobs, keeping them, and taking them from workers that are gone.

use std::time::Duration;

use super::{Job, JobId, JobKind, JobState, Work};
use crate::{
    clock::Timestamp,
    db::{Reader, Tx},
};

/// A job that was running this often when its process ended runs alone from now on.
const SUSPECT_CRASHES: i64 = 2;
const INTERRUPTED: &str = "the process that ran it ended, or did not report in time";

/// A company with a waiting job of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DueCompany {
    pub company: i64,
    /// When its first job became due.
    pub since: Timestamp,
}

/// Who claims jobs, and for how long.
#[derive(Clone, Copy, Debug)]
pub struct Claimant {
    /// The key of the session lock that this process holds, if it does.
    pub worker: Option<i64>,
    pub lease: Duration,
}

/// The companies that have a job of a kind due at `now`. Costs one index look-up for each company with waiting jobs,
/// however many it has.
pub async fn due(tx: &mut Reader, kind: JobKind, now: Timestamp) -> sqlx::Result<Vec<DueCompany>> {
    let rows: Vec<(i64, Timestamp)> = tx
        .query(
            "with recursive waiting (company_id) as (
               select (select j.company_id from jobs j where j.kind = $1 and j.state = 'ready'
                       order by j.company_id limit 1)
               union all
               select (select j.company_id from jobs j where j.kind = $1 and j.state = 'ready'
                         and j.company_id > w.company_id order by j.company_id limit 1)
               from waiting w where w.company_id is not null
             ), first (company_id, run_at) as (
               select w.company_id, (select j.run_at from jobs j where j.kind = $1 and j.state = 'ready'
                                       and j.company_id = w.company_id order by j.run_at limit 1)
               from waiting w where w.company_id is not null
             )
             select company_id, run_at from first where run_at <= $2",
        )
        .bind(kind)
        .bind(now)
        .all()
        .await?;
    Ok(rows.into_iter().map(|(company, since)| DueCompany { company, since }).collect())
}

type Row = (JobKind, JobId, i64, i64, i64, i64, i64, Option<String>);

/// Claims up to `most` due jobs of a kind of one company, oldest first. The cost does not depend on how many are
/// waiting.
pub async fn claim(
    tx: &mut Tx,
    kind: JobKind,
    company: i64,
    most: usize,
    now: Timestamp,
    by: Claimant,
) -> sqlx::Result<Vec<Job>> {
    let rows: Vec<Row> = tx
        .query(
            "update jobs set state = 'running', lease_until = $5, worker = $6, attempt = attempt + 1, claim = claim + 1,
                             waits_for = null
             where id in (
               select id from jobs where kind = $1 and state = 'ready' and company_id = $2 and run_at <= $3
               order by run_at, id limit $4",
        )
        .skip_locked(") returning kind, id, subject, company_id, claim, attempt, failures, request_id")
        .bind(kind)
        .bind(company)
        .bind(now)
        .bind(i64::try_from(most).unwrap_or(i64::MAX))
        .bind(now.after(by.lease))
        .bind(by.worker)
        .all()
        .await?;
    let mut jobs = rows.into_iter().map(job).collect::<sqlx::Result<Vec<_>>>()?;
    jobs.sort_by_key(|job| job.id.0);
    Ok(jobs)
}

/// Claims one job that must run alone, of any kind.
pub async fn claim_suspect(tx: &mut Tx, now: Timestamp, by: Claimant) -> sqlx::Result<Option<Job>> {
    let row: Option<Row> = tx
        .query(
            "update jobs set state = 'running', lease_until = $2, worker = $3, attempt = attempt + 1, claim = claim + 1
             where id in (
               select id from jobs where state = 'suspect' and run_at <= $1 order by run_at, id limit 1",
        )
        .skip_locked(") returning kind, id, subject, company_id, claim, attempt, failures, request_id")
        .bind(now)
        .bind(now.after(by.lease))
        .bind(by.worker)
        .optional()
        .await?;
    row.map(job).transpose()
}

/// Whether [`claim_suspect`] would find something. A read, so that an idle server writes nothing.
pub async fn is_suspect_due(tx: &mut Reader, now: Timestamp) -> sqlx::Result<bool> {
    let row: Option<(JobId,)> =
        tx.query("select id from jobs where state = 'suspect' and run_at <= $1 limit 1").bind(now).optional().await?;
    Ok(row.is_some())
}

fn job((kind, id, subject, company, claim, attempt, failures, request_id): Row) -> sqlx::Result<Job> {
    let work =
        Work::new(kind, subject).ok_or_else(|| sqlx::Error::Decode(format!("subject {subject} of a job").into()))?;
    Ok(Job { id, work, company, claim, attempt, failures, request_id })
}

/// Extends the lease of a running job; false if it was lost.
pub async fn renew(tx: &mut Tx, id: JobId, claim: i64, until: Timestamp) -> sqlx::Result<bool> {
    let renewed = tx
        .query("update jobs set lease_until = $3 where id = $1 and claim = $2 and state = 'running'")
        .bind(id)
        .bind(claim)
        .bind(until)
        .execute()
        .await?;
    Ok(renewed == 1)
}

/// Running jobs whose lease has expired, each with the number of its claim.
pub async fn overdue(tx: &mut Reader, now: Timestamp) -> sqlx::Result<Vec<(JobId, i64)>> {
    tx.query("select id, claim from jobs where state = 'running' and lease_until < $1").bind(now).all().await
}

/// Running jobs of one worker, each with the number of its claim.
pub async fn of_worker(tx: &mut Reader, worker: i64) -> sqlx::Result<Vec<(JobId, i64)>> {
    tx.query("select id, claim from jobs where state = 'running' and worker = $1").bind(worker).all().await
}

/// Makes a running job ready again whose worker did not report. The run counts as a crash: after two of them the job
/// runs alone, and after as many as its kind allows it is quarantined. Returns the job with its new state.
pub async fn interrupt(tx: &mut Tx, id: JobId, claim: i64) -> sqlx::Result<Option<InterruptedJob>> {
    let row: Option<(JobKind, i64, i64)> = tx
        .query("select kind, subject, crashes + 1 from jobs where id = $1 and claim = $2 and state = 'running'")
        .bind(id)
        .bind(claim)
        .optional()
        .await?;
    let Some((kind, subject, crashes)) = row else { return Ok(None) };
    let is_quarantined = crashes >= kind.traits().max_crashes;
    let state = match crashes {
        _ if is_quarantined => JobState::Quarantined,
        SUSPECT_CRASHES.. => JobState::Suspect,
        _ => JobState::Ready,
    };
    // Another node may have been faster.
    let changed = tx
        .query(
            "update jobs set crashes = $3, state = $4, lease_until = null, worker = null, last_error = $5
             where id = $1 and claim = $2 and state = 'running'",
        )
        .bind(id)
        .bind(claim)
        .bind(crashes)
        .bind(state)
        .bind(INTERRUPTED)
        .execute()
        .await?;
    Ok((changed == 1).then_some(InterruptedJob { kind, subject, is_quarantined }))
}

/// A job that was running when its worker ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InterruptedJob {
    pub kind: JobKind,
    pub subject: i64,
    pub is_quarantined: bool,
}

/// Makes a job ready again that this process does not finish because it stops. This is not a crash.
pub async fn release(tx: &mut Tx, id: JobId, claim: i64) -> sqlx::Result<()> {
    tx.query(
        "update jobs set state = 'ready', lease_until = null, worker = null
         where id = $1 and claim = $2 and state = 'running'",
    )
    .bind(id)
    .bind(claim)
    .execute()
    .await?;
    Ok(())
}

/// Every running job. Only for a worker that is the only one: the previous lease holders are gone.
pub async fn running(tx: &mut Reader) -> sqlx::Result<Vec<(JobId, i64)>> {
    tx.query("select id, claim from jobs where state = 'running'").all().await
}

/// The workers, except `own`, that have running jobs and whose session lock is free. Only on PostgreSQL.
pub async fn workers_without_lock(tx: &mut Reader, class: i32, own: i64) -> sqlx::Result<Vec<i64>> {
    let rows: Vec<(i64,)> = tx
        .query(
            "select distinct j.worker from jobs j
             where j.state = 'running' and j.worker is not null and j.worker <> $2
               and not exists (
                 select 1 from pg_locks l
                 where l.locktype = 'advisory' and l.granted and l.objsubid = 2 and l.classid = cast($1 as oid)
                   and cast(l.objid as bigint) = j.worker
                   and l.database = (select d.oid from pg_database d where d.datname = current_database()))",
        )
        .bind(i64::from(class))
        .bind(own)
        .all()
        .await?;
    Ok(rows.into_iter().map(|(worker,)| worker).collect())
}
