//! `sealwright webhook`: its arguments.

use std::{fmt, process::ExitCode};

use clap::{Args, Subcommand};
use serde::Serialize;

use super::output::Output;
use crate::{
    app::{App, audit::Actor, webhook},
    clock::Clock,
    config::Config,
    domain::id::CaseId,
};

/// List recorded webhook attempts, or resend one
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct WebhookArguments {
    #[command(subcommand)]
    pub action: WebhookAction,
}

#[derive(Clone, Debug, Subcommand)]
pub enum WebhookAction {
    /// List the attempts of the last 30 days, the newest first
    #[command(after_help = "Example:\n  sealwright webhook list --json --limit 10")]
    List {
        /// Maximum number of attempts to list
        #[arg(long, value_name = "COUNT", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
        limit: u32,
    },
    /// Send the webhook of an attempt again, with the current state of its case
    #[command(after_help = "Example:\n  sealwright webhook resend 42")]
    Resend {
        /// The attempt's identifier, from `sealwright webhook list`
        #[arg(value_parser = clap::value_parser!(i64).range(1..))]
        id: i64,
    },
}

/// Lists attempts, or lets the running server resend one.
pub(super) async fn run(config: Config, arguments: &WebhookArguments, output: Output) -> anyhow::Result<ExitCode> {
    let app = App::open_existing(config, Clock::system()).await?;
    match arguments.action {
        WebhookAction::List { limit } => {
            let attempts = webhook::latest_attempts(&app, limit).await?;
            output.print_table(["ID", "CASE", "KIND", "STARTED", "TOOK", "OUTCOME", "URL"], &attempts, |attempt| {
                let outcome = match (attempt.status, &attempt.error) {
                    (Some(status), _) => status.to_string(),
                    (None, error) => error.clone().unwrap_or_default(),
                };
                [
                    attempt.id.to_string(),
                    attempt.case_id.to_string(),
                    attempt.kind.to_string(),
                    attempt.started_at.to_string(),
                    format!("{} ms", attempt.duration_ms),
                    outcome,
                    attempt.url.clone(),
                ]
            })?;
        }
        WebhookAction::Resend { id } => {
            let case = webhook::resend(&app, &Actor::command(), id).await?;
            output.print(&ResentCase { case })?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// What `resend` prints.
#[derive(Debug, Serialize)]
struct ResentCase {
    case: CaseId,
}

impl fmt::Display for ResentCase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the running server will resend the webhook of case {}", self.case)
    }
}

const EXAMPLES: &str = "\
Examples:
  sealwright webhook list
  sealwright webhook resend 42";
