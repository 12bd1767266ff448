//! The output of `sealwright plugin replay`.

use std::fmt;

use sealwright_seal::digest::Sha256Digest;
use serde::Serialize;

use crate::{
    domain::id::{CaseId, ItemId},
    store::plugin_run::PluginRun,
};

/// A case whose calls were repeated.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Replay {
    pub case_id: CaseId,
    pub cf_ref: String,
    pub same: usize,
    pub different: usize,
    pub cannot_run: usize,
    /// Every recorded call, oldest first.
    pub runs: Vec<ReplayedRun>,
}

/// One repeated call.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ReplayedRun {
    /// None: the call was about the whole case.
    pub item_id: Option<ItemId>,
    pub role: String,
    pub plugin: String,
    pub version: String,
    pub digest: Sha256Digest,
    /// Whether it was a shadow's, and not counted.
    pub shadow: bool,
    /// Units of fuel that the recorded call used. None in old records.
    pub fuel: Option<i64>,
    /// Units of fuel that the repeated call used. None: there was no call.
    pub fuel_now: Option<i64>,
    #[serde(flatten)]
    pub outcome: Outcome,
}

/// The result of repeating it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "outcome", rename_all = "kebab-case")]
pub enum Outcome {
    Same,
    Different { differences: Vec<String> },
    CannotRun { reason: String },
}

impl Replay {
    pub(super) fn new(case_id: CaseId, cf_ref: String, runs: Vec<ReplayedRun>) -> Self {
        let count = |wanted: fn(&Outcome) -> bool| runs.iter().filter(|run| wanted(&run.outcome)).count();
        Self {
            case_id,
            cf_ref,
            same: count(|outcome| matches!(outcome, Outcome::Same)),
            different: count(|outcome| matches!(outcome, Outcome::Different { .. })),
            cannot_run: count(|outcome| matches!(outcome, Outcome::CannotRun { .. })),
            runs,
        }
    }
}

impl ReplayedRun {
    pub(super) fn new(run: &PluginRun, fuel_now: Option<i64>, outcome: Outcome) -> Self {
        Self {
            item_id: run.item_id,
            role: run.role.clone(),
            plugin: run.plugin.clone(),
            version: run.version.clone(),
            digest: run.digest,
            shadow: run.shadow,
            fuel: run.fuel,
            fuel_now,
            outcome,
        }
    }
}

impl fmt::Display for Replay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { cf_ref, same, different, cannot_run, runs, .. } = self;
        if runs.is_empty() {
            return write!(f, "{cf_ref}: no plugin was asked, so there is nothing to run again");
        }
        write!(f, "{cf_ref}: {same} the same, {different} different, {cannot_run} that cannot be run again")?;
        for run in runs {
            let item = run.item_id.map_or_else(|| "case".to_owned(), |item| format!("item {item}"));
            let ReplayedRun { role, plugin, version, digest, .. } = run;
            let shadow = if run.shadow { ", a shadow" } else { "" };
            write!(f, "\n  {item}: {role} by {plugin} {version} ({digest:.12}{shadow}): ")?;
            match &run.outcome {
                Outcome::Same => write!(f, "the same{}", Fuel(run))?,
                Outcome::Different { differences } => {
                    write!(f, "different{}", Fuel(run))?;
                    for difference in differences {
                        // A plugin's text must not steer the operator's terminal.
                        write!(f, "\n    {}", difference.escape_debug())?;
                    }
                }
                Outcome::CannotRun { reason } => write!(f, "cannot be run again: {}", reason.escape_debug())?,
            }
        }
        Ok(())
    }
}

/// What the two calls used. It is the same on every machine, unless the program compiles the component differently.
struct Fuel<'a>(&'a ReplayedRun);

impl fmt::Display for Fuel<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.0.fuel, self.0.fuel_now) {
            (Some(then), Some(now)) if then == now => write!(f, ", {now} units of fuel both times"),
            (Some(then), Some(now)) => write!(f, ", {then} units of fuel before and {now} now"),
            (None, Some(now)) => write!(f, ", {now} units of fuel now"),
            (_, None) => Ok(()),
        }
    }
}
