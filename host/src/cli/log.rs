//! `sealwright log`: shows the state of the log of seals, and restarts it.

use std::{fmt, process::ExitCode};

use clap::{Args, Subcommand};
use serde::Serialize;

use super::output::Output;
use crate::{
    app::{
        App,
        audit::Actor,
        seal_log::{self, LogState},
    },
    clock::Clock,
    config::Config,
};

/// The public log of seals
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct LogArguments {
    #[command(subcommand)]
    pub action: LogAction,
}

#[derive(Clone, Debug, Subcommand)]
pub enum LogAction {
    /// Print the size of the log, and whether it has stopped
    #[command(after_help = "Example:\n  sealwright log status --json")]
    Status,
    /// Start a new log if the old one cannot continue
    ///
    /// A database that was restored from a backup may lack entries that others have already seen. The log then stops.
    /// If there is a newer copy of the database, restore that copy instead. This command starts a new log with the
    /// remaining entries, under another name and another key. So no checkpoint contradicts an earlier one. A running
    /// server switches to the new log by itself.
    #[command(after_help = "Example:\n  sealwright log restart")]
    Restart,
}

/// Exit code 0 if the log is running, else 1.
pub(super) async fn run(config: Config, arguments: &LogArguments, output: Output) -> anyhow::Result<ExitCode> {
    let app = App::open_existing(config, Clock::system()).await?;
    let state = match arguments.action {
        LogAction::Status => seal_log::state(&app.seal_log, &app.db, &app.blobs).await?,
        LogAction::Restart => seal_log::restart(&app, &Actor::command()).await?,
    };
    let LogState { origin, entries, stopped } = state;
    let status = LogStatus { name: origin, entries, stopped: stopped.map(|stopped| stopped.to_string()) };
    output.print(&status)?;
    Ok(if status.stopped.is_none() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

#[derive(Serialize)]
struct LogStatus {
    name: String,
    entries: u64,
    /// Why the log has stopped.
    stopped: Option<String>,
}

impl fmt::Display for LogStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, entries, stopped } = self;
        write!(f, "The log of seals {name} has {entries} entries")?;
        match stopped {
            None => write!(f, " and is running."),
            Some(reason) => write!(f, " and has stopped: {reason}."),
        }
    }
}

const EXAMPLES: &str = "\
Examples:
  sealwright log status
  sealwright log restart";
