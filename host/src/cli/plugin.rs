//! `sealwright plugin`: its arguments. What each command does and prints is in a file of its own.

mod check;
mod list;

use std::{path::PathBuf, process::ExitCode};

use clap::{Args, Subcommand};

use super::output::Output;
use crate::{config::Config, plugins};

/// Check components, and list the plugins that are loaded
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct PluginArguments {
    #[command(subcommand)]
    pub action: PluginAction,
}

#[derive(Clone, Debug, Subcommand)]
pub enum PluginAction {
    /// Say what a component exports and imports, and whether this host would load it
    ///
    /// Exit code 0 when it would, 1 when it would not.
    #[command(after_help = "Example:\n  sealwright plugin check target/wasm32-unknown-unknown/release/mine.wasm")]
    Check {
        /// The component
        file: PathBuf,
    },
    /// List the plugins that the running server has loaded, with their calls; without a server, those it would load
    #[command(after_help = "Example:\n  sealwright plugin list --json")]
    List,
    /// Compile the component on standard input, within limits; the server starts this for itself
    #[command(hide = true, after_help = "Example:\n  sealwright plugin compile < mine.wasm > mine.cwasm")]
    Compile {
        /// For a process that may have little address space
        #[arg(long)]
        compact: bool,
    },
}

const EXAMPLES: &str = "\
Examples:
  sealwright plugin check mine.wasm
  sealwright plugin list";

pub(super) async fn run(config: Config, arguments: &PluginArguments, output: Output) -> anyhow::Result<ExitCode> {
    match &arguments.action {
        PluginAction::Check { file } => check::run(file, output),
        PluginAction::List => list::run(config, output).await,
        PluginAction::Compile { compact } => compile(*compact),
    }
}

/// Compiles standard input. Needs no settings, and is done before there are any.
pub(super) fn compile(compact: bool) -> anyhow::Result<ExitCode> {
    plugins::compile_standard_input(compact)?;
    Ok(ExitCode::SUCCESS)
}
