//! One month: the work with its failure, what the operator does, the next day with a backup, and the jump to the next
//! month.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use anyhow::ensure;
use serde_json::Value;
use tokio::task::JoinSet;

use super::{
    ledger::{ClosedCase, Delivery, Owner},
    operate::Done,
    plan::{Change, Fault, Month},
    state::Year,
    work::Work,
};
use crate::{random::Random, receiver::Behaviour};

/// How long a replaced secret stays valid.
const OVERLAP: Duration = Duration::from_hours(14 * 24);
/// How long a failure lasts that happens during the work.
const OUTAGE: Duration = Duration::from_secs(4);
/// How many certificates each backup's check verifies.
const CHECKED: &str = "3";

type Running = JoinSet<anyhow::Result<Vec<ClosedCase>>>;

impl Year {
    pub(super) async fn month(&mut self, month: &Month) -> anyhow::Result<()> {
        let (started, before) = (Instant::now(), self.cases.len());
        self.prepare(month)?;
        self.start().await?;
        self.work(month).await?;
        self.settle().await?;
        let done = self.operate().await?;
        self.settle().await?;
        if month.fault == Fault::KilledBackup {
            let mut backup = self.installation.spawn(&["backup", &self.place()])?;
            tokio::time::sleep(Duration::from_millis(400)).await;
            backup.kill()?;
            backup.wait()?;
        }
        self.keep_checkpoint(month.number).await?;
        self.stop().await?;

        self.jump(1)?;
        self.receivers.behave(Behaviour::Usual);
        self.start().await?;
        self.settle().await?;
        self.keep_checkpoint(month.number).await?;
        self.check_audit_log()?;
        let backup = self.back_up()?;
        self.stop().await?;
        if month.has(Change::Restore) {
            let (place, checkpoint) = (self.place(), self.checkpoint_file());
            self.installation.json(&["backup", &place, "--json"])?;
            self.installation.restore(&place, &checkpoint)?;
            self.start().await?;
            self.settle().await?;
            self.check_audit_log()?;
            self.stop().await?;
        }
        self.print(month, self.cases.len() - before, done, &backup, started.elapsed());
        self.jump(29)
    }

    /// What the operator changes before the month begins.
    fn prepare(&mut self, month: &Month) -> anyhow::Result<()> {
        self.authority.renew()?;
        if month.has(Change::SigningKey) {
            let (key, chain) = self.authority.signing_key(&format!("signing-{}", month.number))?;
            self.installation.set("SEALWRIGHT_SEAL_KEY", &key.display().to_string());
            self.installation.set("SEALWRIGHT_SEAL_CERTIFICATE_CHAIN", &chain.display().to_string());
        }
        if month.has(Change::Evidence) {
            self.installation.set("SEALWRIGHT_SEAL_EVIDENCE", "true");
        }
        if month.has(Change::WebhookSecret) {
            self.secrets.number += 1;
            self.secrets.previous_until = Some(self.clock.after(OVERLAP)?);
            self.apply()?;
        }
        Ok(())
    }

    async fn work(&mut self, month: &Month) -> anyhow::Result<()> {
        match month.fault {
            Fault::AuthorityAway => self.authority.be_away(true),
            Fault::ReceiverAway => self.receivers.behave(Behaviour::Away),
            _ => {}
        }
        let closed = Arc::new(AtomicUsize::new(0));
        let mut running = self.start_work(month, &closed).await?;
        let mut ended = Vec::new();
        let half = (self.cases_of_a_month / 2).max(1);
        while closed.load(Ordering::SeqCst) < half && !running.is_empty() {
            if let Some(work) = running.try_join_next() {
                ended.extend(work??);
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        match month.fault {
            Fault::Kill => {
                self.installation.kill();
                tokio::time::sleep(Duration::from_millis(500)).await;
                self.installation.start().await?;
            }
            Fault::StoreAway => {
                self.installation.hide_store(true)?;
                tokio::time::sleep(OUTAGE).await;
                self.installation.hide_store(false)?;
            }
            Fault::DatabaseCrash => self.installation.crash_database(OUTAGE).await?,
            Fault::AuthorityAway | Fault::ReceiverAway | Fault::KilledBackup => {}
        }
        while let Some(work) = running.join_next().await {
            ended.extend(work??);
        }
        self.authority.be_away(false);
        ensure!(ended.len() == self.cases_of_a_month, "{} cases were closed", ended.len());
        self.cases.append(&mut ended);
        Ok(())
    }

    async fn start_work(&self, month: &Month, closed: &Arc<AtomicUsize>) -> anyhow::Result<Running> {
        let delivery = match month.fault {
            Fault::Kill | Fault::DatabaseCrash => Delivery::Interrupted,
            Fault::ReceiverAway => Delivery::Missed,
            Fault::AuthorityAway | Fault::StoreAway | Fault::KilledBackup => Delivery::Usual,
        };
        let anonymous = self.anonymous()?;
        let mut running = JoinSet::new();
        let mut left = self.cases_of_a_month;
        for (branch, owner) in (month.number * 10..).zip(Owner::ALL) {
            let count = if owner == Owner::Acme { left.div_ceil(2) } else { left };
            left -= count;
            let work = Work {
                owner,
                api: anonymous.signed_in(owner).await?,
                random: Random::branch(self.random.clone().next(), branch),
                before: self.cases.iter().filter(|case| case.owner == owner).count(),
                count,
                day: self.clock.day(),
                delivery,
                closed: Arc::clone(closed),
            };
            running.spawn(work.run());
        }
        Ok(running)
    }

    /// Jumps while nothing runs.
    fn jump(&mut self, days: u64) -> anyhow::Result<()> {
        let store = self.installation.store();
        self.clock.jump(days, &store)
    }

    pub(super) fn check_audit_log(&mut self) -> anyhow::Result<()> {
        let checked = self.installation.run(&["audit", "verify"])?;
        if !checked.status.success() {
            let printed = [checked.stdout, checked.stderr].concat();
            self.violate(&format!("audit verify: {}", String::from_utf8_lossy(&printed)));
        }
        Ok(())
    }

    /// Makes a backup, and proves that it can be restored and extends the newest checkpoint.
    fn back_up(&mut self) -> anyhow::Result<Value> {
        let (place, checkpoint) = (self.place(), self.checkpoint_file().display().to_string());
        let made = self.installation.json(&["backup", &place, "--json"])?;
        let arguments = ["restore", "--check", &place, "--certificates", CHECKED, "--checkpoint", &checkpoint];
        let checked = self.installation.run(&arguments)?;
        if !checked.status.success() {
            self.violate(&format!("the backup cannot be used: {}", String::from_utf8_lossy(&checked.stderr)));
        }
        Ok(made)
    }

    fn print(&self, month: &Month, closed: usize, done: Done, backup: &Value, took: Duration) {
        let Done { deleted, erased, held, decided } = done;
        let mut happened = vec![month.fault.name()];
        happened.extend(month.changes.iter().map(|change| change.name()));
        println!(
            "month {:>2}, {}: {closed} cases closed, {deleted} deleted, {erased} erased, {held} held, {decided} \
             decided ({}); log of {} entries; backup of {} files, {} new; {:.1} s",
            month.number,
            self.installation.database(),
            happened.join(", "),
            self.checkpoints.last().map_or(0, |checkpoint| checkpoint.size),
            backup["blobs"],
            backup["copiedBlobs"],
            took.as_secs_f64()
        );
    }
}
