//! `sealwright serve`.

use std::process::ExitCode;

use clap::{Args, ValueEnum};

use super::server;
use crate::{config::Config, otlp::Otlp};

/// Run the server: HTTP, workers and sweeps
///
/// Migrates the database first. On SIGTERM it accepts no new connections, finishes work in progress (up to 30 s) and
/// exits.
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ServeArguments {
    /// The part of the work that this process does
    #[arg(long, value_enum, default_value_t = Role::All)]
    pub role: Role,
}

/// The halves of the work, to scale them separately.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Role {
    /// Everything
    All,
    /// Only the HTTP interface
    Api,
    /// Only jobs and sweeps
    Worker,
}

impl Role {
    pub const fn serves_http(self) -> bool {
        matches!(self, Self::All | Self::Api)
    }

    pub const fn runs_jobs(self) -> bool {
        matches!(self, Self::All | Self::Worker)
    }
}

/// Serves until shutdown is requested.
pub(super) async fn run(config: Config, otlp: Option<Otlp>, arguments: &ServeArguments) -> anyhow::Result<ExitCode> {
    server::run(config, otlp, arguments.role, async |app| {
        if arguments.role.serves_http() {
            tracing::info!(address = %app.config.listen, base_url = app.config.base_url, "listening");
        } else {
            tracing::info!("working on jobs");
        }
        Ok(())
    })
    .await?;
    Ok(ExitCode::SUCCESS)
}

const EXAMPLES: &str = "\
Examples:
  sealwright serve
  sealwright serve --listen 0.0.0.0:8080 --base-url https://evidence.example
  sealwright serve --role worker --database-url postgres://sealwright@db/sealwright";
