//! The year as it goes on: the installation with all around it, what is known of its cases, and what was wrong.

use std::{
    collections::BTreeSet,
    fs,
    path::PathBuf,
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::{Context as _, ensure};
use serde_json::Value;

use super::{
    api::Api,
    authority::Authority,
    clock::Clock,
    company::{Secrets, manifest},
    installation::Installation,
    ledger::{Checkpoint, ClosedCase, Owner},
    witness::Witness,
};
use crate::{history::Detail, load::head_of, random::Random, receiver::Receivers};

/// How long the installation may take to finish its work, on a busy machine.
const SETTLING: Duration = Duration::from_mins(5);
/// A job that runs later than this waits for its time, as a webhook does.
const SOON: Duration = Duration::from_mins(5);

pub(super) struct Year {
    pub(super) folder: PathBuf,
    pub(super) clock: Clock,
    pub(super) authority: Authority,
    pub(super) receivers: Arc<Receivers>,
    pub(super) installation: Installation,
    pub(super) witness: Witness,
    /// How many cases a month has.
    pub(super) cases_of_a_month: usize,
    pub(super) random: Random,
    pub(super) secrets: Secrets,
    pub(super) cases: Vec<ClosedCase>,
    pub(super) decided: BTreeSet<i64>,
    pub(super) checkpoints: Vec<Checkpoint>,
    /// Cases of the release whose jobs never end.
    pub(super) hopeless: Vec<i64>,
    pub(super) violations: Vec<String>,
}

impl Year {
    pub(super) fn violate(&mut self, what: &str) {
        println!("  VIOLATION: {what}");
        self.violations.push(format!("day {}: {what}", self.clock.day()));
    }

    pub(super) fn anonymous(&self) -> anyhow::Result<Api> {
        Api::new(&self.installation.base_url())
    }

    pub(super) async fn start(&mut self) -> anyhow::Result<()> {
        self.witness.start().await?;
        self.installation.start().await
    }

    pub(super) async fn stop(&mut self) -> anyhow::Result<()> {
        self.installation.stop().await?;
        self.witness.stop().await
    }

    /// The place of backups.
    pub(super) fn place(&self) -> String {
        self.folder.join("backups").display().to_string()
    }

    /// The newest checkpoint that someone else has kept.
    pub(super) fn checkpoint_file(&self) -> PathBuf {
        self.folder.join("checkpoint")
    }

    /// Applies the manifests of both companies.
    pub(super) fn apply(&self) -> anyhow::Result<()> {
        let mut arguments = vec!["apply".to_owned()];
        for owner in Owner::ALL {
            let file = self.folder.join(format!("company-{}.toml", owner.company()));
            fs::write(&file, manifest(owner, &self.receivers.fast(), &self.secrets))?;
            arguments.push(file.display().to_string());
        }
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        self.installation.must(&arguments).map(drop)
    }

    /// Waits until no job is left that could run now.
    pub(super) async fn settle(&mut self) -> anyhow::Result<()> {
        let started = Instant::now();
        loop {
            let left = self.jobs_left()?;
            if left.is_empty() {
                return Ok(());
            }
            if started.elapsed() > SETTLING {
                self.violate(&format!("{} jobs do not end, the first is {}", left.len(), left[0]));
                return Ok(());
            }
            if let Some(how) = self.installation.has_ended() {
                self.violate(&format!("the server ended by itself: {how}"));
                self.installation.start().await?;
            }
            tokio::time::sleep(Duration::from_millis(300)).await;
        }
    }

    fn jobs_left(&self) -> anyhow::Result<Vec<Value>> {
        let listed = self.installation.json(&["job", "list", "--json", "--limit", "10000"])?;
        let later = self.clock.after(SOON)?;
        let is_left = |job: &Value| {
            let is_hopeless = job["kind"].as_str().is_some_and(|kind| kind.contains("seal"))
                && job["subject"].as_i64().is_some_and(|case| self.hopeless.contains(&case));
            let waits = job["state"] == "ready" && job["run_at"].as_str().is_some_and(|at| *at > *later);
            !is_hopeless && !waits
        };
        Ok(listed.as_array().into_iter().flatten().filter(|job| is_left(job)).cloned().collect())
    }

    /// Keeps the head of the log, as a witness elsewhere does.
    pub(super) async fn keep_checkpoint(&mut self, month: u64) -> anyhow::Result<()> {
        let answer = self.anonymous()?.get("/log/checkpoint").await?;
        ensure!(answer.status == 200, "GET /log/checkpoint: {}", answer.status);
        let Detail::Head { size, root } = head_of(&answer.body) else { anyhow::bail!("no checkpoint") };
        fs::write(self.checkpoint_file(), &answer.body).context("the checkpoint")?;
        self.checkpoints.push(Checkpoint { month, size, root });
        Ok(())
    }
}
