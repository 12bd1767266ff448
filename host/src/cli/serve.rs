//! `sealwright serve`.

use std::process::ExitCode;

use clap::Args;

use super::server::{self, Role};
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
