//! Claiming jobs, keeping them, and taking them from workers that are gone.

use std::time::Duration;

use super::{Job, JobId, JobKind};
use crate::{
    clock::Timestamp,
    db::{Reader, Tx},
};

/// A job that was running this often when its process ended runs alone from now on.
const SUSPECT_CRASHES: i64 = 2;
/// After this many crashes it does not run again until the operator restarts it.
const MAX_CRASHES: i64 = 3;
/// The same for webhooks. They do little in this process and wait long for their receivers, so a process that is killed
/// from outside is likely to be sending some: they are seldom to blame.
const MAX_DISPATCH_CRASHES: i64 = 20;
const INTERRUPTED: &str = "the process that ran it ended, or did not report in time";

/// A company with a waiting job of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Due {
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
pub async fn due(tx: &mut Reader, kind: JobKind, now: Timestamp) -> sqlx::Result<Vec<Due>> {
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
        .bind(kind.as_str())
        .bind(now)
        .all()
        .await?;
    Ok(rows.into_iter().map(|(company, since)| Due { company, since }).collect())
}

type Row = (JobId, i64, i64, i64, i64, i64);

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
        .skip_locked(") returning id, subject, company_id, claim, attempt, failures")
        .bind(kind.as_str())
        .bind(company)
        .bind(now)
        .bind(i64::try_from(most).unwrap_or(i64::MAX))
        .bind(now.after(by.lease))
        .bind(by.worker)
        .all()
        .await?;
    let mut jobs: Vec<Job> = rows.into_iter().map(|row| job(kind, row)).collect();
    jobs.sort_by_key(|job| job.id.0);
    Ok(jobs)
}

/// Claims one job that must run alone, of any kind.
pub async fn claim_suspect(tx: &mut Tx, now: Timestamp, by: Claimant) -> sqlx::Result<Option<Job>> {
    let row: Option<(String, JobId, i64, i64, i64, i64, i64)> = tx
        .query(
            "update jobs set state = 'running', lease_until = $2, worker = $3, attempt = attempt + 1, claim = claim + 1
             where id in (
               select id from jobs where state = 'suspect' and run_at <= $1 order by run_at, id limit 1",
        )
        .skip_locked(") returning kind, id, subject, company_id, claim, attempt, failures")
        .bind(now)
        .bind(now.after(by.lease))
        .bind(by.worker)
        .optional()
        .await?;
    Ok(row.and_then(|(kind, id, subject, company, claim, attempt, failures)| {
        Some(job(JobKind::parse(&kind)?, (id, subject, company, claim, attempt, failures)))
    }))
}

/// Whether [`claim_suspect`] would find something. A read, so that an idle server writes nothing.
pub async fn is_suspect_due(tx: &mut Reader, now: Timestamp) -> sqlx::Result<bool> {
    let row: Option<(JobId,)> =
        tx.query("select id from jobs where state = 'suspect' and run_at <= $1 limit 1").bind(now).optional().await?;
    Ok(row.is_some())
}

fn job(kind: JobKind, (id, subject, company, claim, attempt, failures): Row) -> Job {
    Job { id, kind, subject, company, claim, attempt, failures }
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
/// runs alone, after three (a webhook: twenty) it is quarantined. Returns the job with its new state.
pub async fn interrupt(tx: &mut Tx, id: JobId, claim: i64) -> sqlx::Result<Option<Interrupted>> {
    tx.query(
        "update jobs set crashes = crashes + 1, lease_until = null, worker = null, last_error = $5,
           state = case
             when crashes + 1 >= case when kind in ($6, $7) then cast($8 as bigint) else cast($4 as bigint) end then 'quarantined'
             when crashes + 1 >= $3 then 'suspect'
             else 'ready'
           end
         where id = $1 and claim = $2 and state = 'running' returning kind, subject, state",
    )
    .bind(id)
    .bind(claim)
    .bind(SUSPECT_CRASHES)
    .bind(MAX_CRASHES)
    .bind(INTERRUPTED)
    .bind(JobKind::DeliverCase.as_str())
    .bind(JobKind::DeliverAnalysis.as_str())
    .bind(MAX_DISPATCH_CRASHES)
    .optional()
    .await
}

/// A job that was running when its worker ended.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Interrupted {
    pub kind: String,
    pub subject: i64,
    pub state: String,
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
