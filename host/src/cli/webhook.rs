//! `sealwright webhook`: its arguments.

use clap::{Args, Subcommand};

/// List recorded webhook attempts, or send one again
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
        /// At most so many
        #[arg(long, value_name = "COUNT", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
        limit: u32,
    },
    /// Send what an attempt sent once more
    #[command(after_help = "Example:\n  sealwright webhook resend 42")]
    Resend {
        /// The attempt's identifier, from `sealwright webhook list`
        #[arg(value_parser = clap::value_parser!(i64).range(1..))]
        id: i64,
    },
}

const EXAMPLES: &str = "\
Examples:
  sealwright webhook list
  sealwright webhook resend 42";
