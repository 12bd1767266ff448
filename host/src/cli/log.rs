//! `sealwright log`: how far the log of seals is, and beginning it again.

use std::{fmt, process::ExitCode};

use clap::{Args, Subcommand};
use serde::Serialize;

use super::output::Output;
use crate::{
    app::{
        App,
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
    /// Print how far the log is, and whether it goes on
    #[command(after_help = "Example:\n  sealwright log status --json")]
    Status,
    /// Begin a new log where the old one cannot go on
    ///
    /// After a restore from a backup the database lacks entries that others have seen, and the log stops. Bring back a newer
    /// copy of the database if there is one. Otherwise this begins a new log with the entries that are there, under another
    /// name and another key, so that no checkpoint contradicts an earlier one. A running server goes on with it by itself.
    #[command(after_help = "Example:\n  sealwright log restart")]
    Restart,
}

/// Exit code 0 where the log goes on, else 1.
pub(super) async fn run(config: Config, arguments: &LogArguments, output: Output) -> anyhow::Result<ExitCode> {
    let app = App::open_existing(config, Clock::system()).await?;
    let state = match arguments.action {
        LogAction::Status => seal_log::state(&app.seal_log, &app.db, &app.blobs).await?,
        LogAction::Restart => seal_log::restart(&app).await?,
    };
    let LogState { origin, entries, stopped } = state;
    let printed = Printed { name: origin, entries, stopped: stopped.map(|stopped| stopped.to_string()) };
    output.print(&printed)?;
    Ok(if printed.stopped.is_none() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

#[derive(Serialize)]
struct Printed {
    name: String,
    entries: u64,
    /// Why the log does not go on.
    stopped: Option<String>,
}

impl fmt::Display for Printed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, entries, stopped } = self;
        write!(f, "The log of seals {name} has {entries} entries")?;
        match stopped {
            None => write!(f, " and goes on."),
            Some(reason) => write!(f, " and does not go on: {reason}."),
        }
    }
}

const EXAMPLES: &str = "\
Examples:
  sealwright log status
  sealwright log restart";
