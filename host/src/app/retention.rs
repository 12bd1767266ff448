//! Deletes what companies no longer keep (docs/adr/0054-retention.md): whole cases, the files of closed cases, what was read
//! in them, attempts of webhooks, and the content of audit records. Nothing is deleted unless a company says so.
//!
//! A dry run and a run walk the same lists in the same order. A run locks each case and looks again before it deletes: a
//! case may have been held or changed since it was listed. Each case is a transaction, which also keeps the turn: there is
//! one run at a time. What a run that ended early has not deleted is still in the lists of the next one.

mod expired;
mod part;
#[cfg(test)]
mod tests;

use std::time::Duration;

pub use self::expired::{Expired, Expiring};
use self::part::Part;
use super::{
    App,
    audit::{self, Actor, Event},
    case,
};
use crate::{
    clock::Timestamp,
    db::Tx,
    domain::{
        company_manifest::Retention,
        id::{CaseId, CompanyId},
    },
    error::{Error, Result},
    store::{
        self,
        company::Company,
        job::JobKind,
        retention::{Closed, DueCase, Place},
    },
};

/// How many cases are listed at once.
const CASES: i64 = 200;
/// How many rows are deleted in one transaction: on SQLite other writers wait for it.
const ROWS: i64 = 500;
/// How long a run whose process was killed prevents another one. Each transaction extends it.
const LEASE: Duration = Duration::from_mins(10);
/// A little less than a day: servers look each hour, and the run must not move to a later hour every day.
const BETWEEN_RUNS: Duration = Duration::from_mins(23 * 60 + 30);

const DAY: Duration = Duration::from_hours(24);
const BEGINNING: Timestamp = Timestamp::from_millis(i64::MIN);
const END_OF_TIME: Timestamp = Timestamp::from_millis(i64::MAX);

/// Lists what a run would delete now. Changes nothing.
pub async fn list(app: &App) -> Result<Vec<Expired>> {
    walk(app, None).await
}

/// Deletes what has expired, and returns it. The bytes of files are deleted right after, by jobs.
///
/// # Errors
/// [`Error::State`] if another process does it now.
pub async fn apply(app: &App, actor: &Actor) -> Result<Vec<Expired>> {
    let Some(claim) = take_turn(app, END_OF_TIME).await? else {
        return Err(Error::state(format!(
            "another process is deleting what has expired, or was interrupted less than {} minutes ago: try again later",
            LEASE.as_secs() / 60
        )));
    };
    audit::record_alone(app, actor, Event::done("applyRetention", None, None)).await?;
    run(app, claim).await
}

/// Like [`apply`], if no one has done it for a day. None if it is not due, or another node does it.
pub async fn apply_if_due(app: &App) -> Result<Option<Vec<Expired>>> {
    let mut reader = app.db.read().await?;
    let companies = store::company::all(&mut reader).await?;
    drop(reader);
    // A server without such a company writes nothing. Its hourly sweep empties records of the audit log.
    if companies.iter().all(|company| company.retention == Retention::default()) {
        return Ok(None);
    }
    let Some(claim) = take_turn(app, app.clock.now().before(BETWEEN_RUNS)).await? else { return Ok(None) };
    run(app, claim).await.map(Some)
}

/// Takes the turn if no one has it, and the last one ended at `last` or before.
async fn take_turn(app: &App, last: Timestamp) -> Result<Option<i64>> {
    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    let claim = store::retention::take_turn(&mut tx, now, now.after(LEASE), last).await?;
    tx.commit().await?;
    Ok(claim)
}

async fn run(app: &App, claim: i64) -> Result<Vec<Expired>> {
    let expired = walk(app, Some(claim)).await;
    // After an error something is left: the next look tries again.
    let ended_at = expired.is_ok().then(|| app.clock.now());
    let mut tx = app.db.begin().await?;
    store::retention::end_turn(&mut tx, claim, ended_at).await?;
    tx.commit().await?;
    expired
}

/// Walks the companies by their numbers. Without the number of a turn nothing is changed.
async fn walk(app: &App, claim: Option<i64>) -> Result<Vec<Expired>> {
    let mut reader = app.db.read().await?;
    let companies = store::company::all(&mut reader).await?;
    drop(reader);
    let mut run = Run { app, claim, now: app.clock.now(), expired: Vec::new() };
    for company in companies {
        run.company(&company).await?;
    }
    Ok(run.expired)
}

/// A run, or a dry run.
struct Run<'a> {
    app: &'a App,
    /// The number of its turn; none for a dry run.
    claim: Option<i64>,
    /// When it began: what expires later is for the next one.
    now: Timestamp,
    expired: Vec<Expired>,
}

/// Which cases go as a whole.
#[derive(Clone, Copy)]
enum CaseList {
    Closed,
    Abandoned,
}

impl Run<'_> {
    async fn company(&mut self, company: &Company) -> Result<()> {
        let id = company.id;
        let Retention { case_days, original_days, fact_days, delivery_days } = company.retention;
        let case_end = case_days.map(|days| self.days_ago(days));
        if let Some(before) = case_end {
            self.cases(id, before, CaseList::Closed).await?;
            self.cases(id, before, CaseList::Abandoned).await?;
        }
        // Parts of cases that go as a whole are not listed again.
        let from = case_end.unwrap_or(BEGINNING);
        for (part, days) in [(Part::Originals, original_days), (Part::Facts, fact_days)] {
            if let Some(days) = days {
                let before = self.days_ago(days);
                self.parts(id, part, Closed { from, before }).await?;
            }
        }
        if let Some(days) = delivery_days {
            let before = self.days_ago(days);
            let amount = self.deliveries(id, before).await?;
            self.note_rows(id, Expiring::Deliveries, amount);
        }
        if let Some(days) = company.audit_days {
            let before = self.days_ago(days);
            let amount = self.audit(id, before).await?;
            self.note_rows(id, Expiring::Audit, amount);
        }
        Ok(())
    }

    fn days_ago(&self, days: u32) -> Timestamp {
        self.now.before(DAY.saturating_mul(days))
    }

    async fn cases(&mut self, company: CompanyId, before: Timestamp, list: CaseList) -> Result<()> {
        let mut after = Place::START;
        loop {
            let mut reader = self.app.db.read().await?;
            let due = match list {
                CaseList::Closed => store::retention::closed_cases(&mut reader, company, before, after, CASES).await?,
                CaseList::Abandoned => {
                    store::retention::abandoned_cases(&mut reader, company, before, after, CASES).await?
                }
            };
            drop(reader);
            let Some(last) = due.last() else { return Ok(()) };
            after = last.place();
            for DueCase { case, amount, bytes, .. } in due {
                if self.delete_case(company, case, before).await? {
                    let (company_id, what, case_id) = (company, Expiring::Case, Some(case));
                    self.expired.push(Expired { company_id, what, case_id, amount, bytes });
                }
            }
        }
    }

    /// Deletes a case, unless this is a dry run. False if it is no longer due.
    async fn delete_case(&self, company: CompanyId, id: CaseId, before: Timestamp) -> Result<bool> {
        let Some(claim) = self.claim else { return Ok(true) };
        let mut tx = self.app.db.begin_maintenance().await?;
        let deleted = async {
            self.keep_turn(&mut tx, claim).await?;
            let now = self.app.clock.now();
            case::delete_expired(&mut tx, company, id, before, &Actor::retention(), now).await
        };
        let deleted = deleted.await;
        let is_deleted = tx.settle(deleted).await?;
        if is_deleted {
            case::after_deletion(self.app, &[id]);
        }
        Ok(is_deleted)
    }

    async fn parts(&mut self, company: CompanyId, part: Part, closed: Closed) -> Result<()> {
        let mut after = Place::START;
        loop {
            let mut reader = self.app.db.read().await?;
            let due = part.due(&mut reader, company, closed, after, CASES).await?;
            drop(reader);
            let Some(last) = due.last() else { return Ok(()) };
            after = last.place();
            for found in due {
                let (amount, bytes) = self.expire_part(company, part, &found, closed.before).await?;
                // A case without files is only marked, so that it is not listed again.
                if amount > 0 {
                    let (company_id, what, case_id) = (company, part.expiring(), Some(found.case));
                    self.expired.push(Expired { company_id, what, case_id, amount, bytes });
                }
            }
        }
    }

    /// Gives a part of a case up for deletion, unless this is a dry run. Returns how many files or analyses go, and their
    /// bytes.
    async fn expire_part(
        &self,
        company: CompanyId,
        part: Part,
        found: &DueCase,
        before: Timestamp,
    ) -> Result<(i64, i64)> {
        let Some(claim) = self.claim else { return Ok((found.amount, found.bytes)) };
        let mut tx = self.app.db.begin_maintenance().await?;
        let expired = async {
            self.keep_turn(&mut tx, claim).await?;
            part.expire(&mut tx, company, found.case, before, self.app.clock.now()).await
        };
        let expired = expired.await;
        let expired = tx.settle(expired).await?;
        self.app.wake.job(JobKind::DeleteFile).notify_one();
        Ok(expired)
    }

    async fn deliveries(&self, company: CompanyId, before: Timestamp) -> Result<i64> {
        let Some(claim) = self.claim else {
            let mut reader = self.app.db.read().await?;
            return Ok(store::retention::count_attempts(&mut reader, company, before).await?);
        };
        let mut deleted = 0;
        loop {
            let mut tx = self.app.db.begin_maintenance().await?;
            let batch = async {
                self.keep_turn(&mut tx, claim).await?;
                delete_attempts(&mut tx, company, before, self.app.clock.now()).await
            };
            let batch = batch.await;
            match tx.settle(batch).await? {
                0 => return Ok(deleted),
                batch => deleted += batch,
            }
        }
    }

    async fn audit(&self, company: CompanyId, before: Timestamp) -> Result<i64> {
        if self.claim.is_none() {
            let mut reader = self.app.db.read().await?;
            return Ok(store::audit::count_expiring(&mut reader, company, before).await?);
        }
        let emptied = audit::retention::expire_company(self.app, company, before, self.app.clock.now()).await?;
        Ok(i64::try_from(emptied).unwrap_or(i64::MAX))
    }

    fn note_rows(&mut self, company_id: CompanyId, what: Expiring, amount: i64) {
        if amount > 0 {
            self.expired.push(Expired { company_id, what, case_id: None, amount, bytes: 0 });
        }
    }

    /// # Errors
    /// If another process has the turn, because this one was paused for too long.
    async fn keep_turn(&self, tx: &mut Tx, claim: i64) -> Result<()> {
        let until = self.app.clock.now().after(LEASE);
        if store::retention::keep_turn(tx, claim, until).await? {
            return Ok(());
        }
        Err(Error::state("another process has taken over deleting what has expired"))
    }
}

async fn delete_attempts(tx: &mut Tx, company: CompanyId, before: Timestamp, now: Timestamp) -> Result<i64> {
    let deleted = store::retention::delete_attempts(tx, company, before, ROWS).await?;
    if deleted > 0 {
        let event = Event::done("expireDeliveries", Some(company), None).with_detail(format!("{deleted} attempts"));
        audit::record(tx, now, &Actor::retention(), event).await?;
    }
    Ok(i64::try_from(deleted).unwrap_or(i64::MAX))
}
