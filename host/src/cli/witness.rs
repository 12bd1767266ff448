//! `sealwright witness`: a server that cosigns the logs of others and does nothing else, and who cosigns this installation's
//! log.

use std::{fmt, process::ExitCode};

use clap::{Args, Subcommand};
use serde::Serialize;

use super::{
    output::{Output, visible},
    server::{self, Role},
};
use crate::{
    app::{
        App,
        seal_log::{self, WitnessReport},
        witness::{self, WitnessedLogState},
    },
    clock::{Clock, Timestamp},
    config::Config,
    otlp::Otlp,
};

/// Run a server that witnesses the logs of others and does nothing else, or show the witnesses of a log
///
/// A witness signs the head of a log only if the log has grown since it last saw it. So an operator cannot show different
/// logs to different people. Witnessed are the logs in the setting witness.logs, at the address /witness. `sealwright serve`
/// witnesses them too. The setting seal.witnesses names those that cosign this installation's own log.
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct WitnessArguments {
    #[command(subcommand)]
    pub action: Option<WitnessAction>,
}

#[derive(Clone, Debug, Subcommand)]
pub enum WitnessAction {
    /// Print the key that verifies this installation's cosignatures
    #[command(after_help = "Example:\n  sealwright witness key")]
    Key,
    /// Print the logs that this installation cosigns, and the witnesses of its own log
    ///
    /// Exit code 1 if a witness has seen another history of this installation's log.
    #[command(after_help = "Example:\n  sealwright witness status --json")]
    Status,
}

impl WitnessArguments {
    /// Whether it runs until it is stopped.
    pub(super) const fn serves(&self) -> bool {
        self.action.is_none()
    }
}

pub(super) async fn run(
    config: Config,
    otlp: Option<Otlp>,
    arguments: &WitnessArguments,
    output: Output,
) -> anyhow::Result<ExitCode> {
    match arguments.action {
        None => {
            server::run(config, otlp, Role::Witness, async |app| {
                let logs = app.config.witnesses.logs.len();
                tracing::info!(address = %app.config.listen, logs, "cosigning the logs of others");
                Ok(())
            })
            .await?;
            Ok(ExitCode::SUCCESS)
        }
        Some(WitnessAction::Key) => {
            let app = App::open_existing(config, Clock::system()).await?;
            let key = witness::verifier_key(&app).await?.to_string();
            output.print(&Key { key })?;
            Ok(ExitCode::SUCCESS)
        }
        Some(WitnessAction::Status) => {
            let app = App::open_existing(config, Clock::system()).await?;
            let logs = witness::logs(&app.config, &app.db).await?;
            let witnesses = seal_log::witness_reports(&app.seal_log, &app.config.witnesses, &app.db).await?;
            let is_refused = witnesses.iter().any(WitnessReport::is_refusal);
            output.print(&Status::of(logs, witnesses))?;
            Ok(if is_refused { ExitCode::FAILURE } else { ExitCode::SUCCESS })
        }
    }
}

#[derive(Serialize)]
struct Key {
    key: String,
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.key)
    }
}

#[derive(Serialize)]
struct Status {
    /// The logs of others that this installation cosigns.
    logs: Vec<LogLine>,
    /// Those who cosign this installation's log.
    witnesses: Vec<WitnessLine>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct LogLine {
    origin: String,
    key: String,
    /// None: nothing was cosigned yet.
    size: Option<u64>,
    cosigned_at: Option<Timestamp>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct WitnessLine {
    name: String,
    /// `cosigned`, `failed`, `refused`, or null if it was never asked.
    state: Option<String>,
    size: Option<u64>,
    problem: Option<String>,
    asked_at: Option<Timestamp>,
}

impl Status {
    fn of(logs: Vec<WitnessedLogState>, witnesses: Vec<WitnessReport>) -> Self {
        let log = |WitnessedLogState { origin, key, size, cosigned_at }| LogLine { origin, key, size, cosigned_at };
        let witness = |report: WitnessReport| {
            let WitnessReport { name, last } = report;
            WitnessLine {
                name,
                state: last.as_ref().map(|last| last.state.to_string()),
                size: last.as_ref().map(|last| last.size),
                asked_at: last.as_ref().map(|last| last.asked_at),
                problem: last.and_then(|last| last.problem),
            }
        };
        Self { logs: logs.into_iter().map(log).collect(), witnesses: witnesses.into_iter().map(witness).collect() }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Logs that this installation cosigns:")?;
        if self.logs.is_empty() {
            write!(f, "\n  none: name them in witness.logs")?;
        }
        for LogLine { origin, size, cosigned_at, .. } in &self.logs {
            write!(f, "\n  {}: ", visible(origin))?;
            match (size, cosigned_at) {
                (Some(size), Some(time)) => write!(f, "{size} entries at {time}")?,
                _ => write!(f, "not cosigned yet")?,
            }
        }
        write!(f, "\nWitnesses of this installation's log:")?;
        if self.witnesses.is_empty() {
            write!(f, "\n  none: name them in seal.witnesses")?;
        }
        for WitnessLine { name, state, size, problem, asked_at } in &self.witnesses {
            write!(f, "\n  {}: ", visible(name))?;
            match (state, size, asked_at) {
                (Some(state), Some(size), Some(time)) => write!(f, "{state} at {time}, last cosigned {size} entries")?,
                _ => write!(f, "not asked yet")?,
            }
            if let Some(problem) = problem {
                write!(f, ": {}", visible(problem))?;
            }
        }
        Ok(())
    }
}

const EXAMPLES: &str = "\
Examples:
  sealwright witness --witness-logs \"$(curl -s https://evidence.example/log/key)\"
  sealwright witness key
  sealwright witness status";
