//! `sealwright plugin`: its arguments. What each command does and prints is in a file of its own.

mod backtest;
mod build;
mod check;
mod list;
mod load;
mod new;
mod pack;
mod replay;
mod run;
mod sign;

use std::{path::PathBuf, process::ExitCode};

use clap::{Args, Subcommand};

use super::{analysis::read_case, output::Output};
use crate::{config::Config, domain::id::CaseId};

/// Create, check, run, sign, publish and backtest plugins, list those that are loaded, and replay verdicts
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct PluginArguments {
    #[command(subcommand)]
    pub action: PluginAction,
}

#[derive(Clone, Debug, Subcommand)]
pub enum PluginAction {
    /// Show what a component exports and imports, and whether this host would load it
    ///
    /// Exit code 0 when it would, 1 when it would not.
    #[command(after_help = "Example:\n  sealwright plugin check target/wasm32-unknown-unknown/release/mine.wasm")]
    Check {
        /// The component
        file: PathBuf,
    },
    /// Create a key that signs plugins, or print the public key of one that exists
    ///
    /// A new key is written to FILE, which only its owner can read. The public key is printed: it belongs into
    /// `plugins.trusted_keys` of the installations that trust the key.
    #[command(after_help = "Example:\n  sealwright plugin key team.key")]
    Key {
        /// The file of the secret key
        file: PathBuf,
    },
    /// Sign a component, so that installations that trust the key accept it
    ///
    /// The signature is a part of the component, and replaces the one that it has.
    #[command(after_help = "Example:\n  sealwright plugin sign mine.wasm --key team.key")]
    Sign {
        /// The component
        file: PathBuf,

        /// The file of the secret key, as `key` creates it
        #[arg(long, value_name = "FILE")]
        key: PathBuf,

        /// The signed component to write [default: in place of the component]
        #[arg(long, value_name = "FILE.wasm")]
        out: Option<PathBuf>,
    },
    /// Publish a component to every node of the installation, under its own name
    ///
    /// This command checks the component first, as `check` does. Running servers receive it within a few seconds, and
    /// compile it themselves. If several versions have the same name, servers use the highest.
    ///
    /// A component in a registry is named by `oci:` and its address, with the digest of its manifest. It is pulled once;
    /// servers get it from the installation's own store.
    #[command(after_help = "Examples:\n  sealwright plugin load mine.wasm\n  \
                            sealwright plugin load oci:registry.example/team/club-cards@sha256:4f3c…")]
    Load {
        /// The component: a file, or `oci:REGISTRY/NAME@sha256:DIGEST`
        component: String,
    },
    /// Withdraw a published component from every node
    #[command(after_help = "Examples:\n  sealwright plugin unload club-cards\n  \
                            sealwright plugin unload club-cards --sha256 4f3c…")]
    Unload {
        /// The plugin's name
        name: String,

        /// Only the component with this SHA-256 [default: all with this name]
        #[arg(long, value_name = "DIGEST")]
        sha256: Option<String>,
    },
    New(new::NewArguments),
    Build(build::BuildArguments),
    Run(Box<run::RunArguments>),
    /// Make a component from a core module that was built with the SDK for wasm32-unknown-unknown
    #[command(after_help = "Example:\n  sealwright plugin pack target/wasm32-unknown-unknown/release/club_cards.wasm")]
    Pack {
        /// The core module
        module: PathBuf,

        /// The component to write [default: in this folder, the module's name with `-` for `_`]
        #[arg(long, value_name = "FILE.wasm")]
        out: Option<PathBuf>,
    },
    /// List the plugins that the running server has loaded, with their calls; without a server, those it would load
    #[command(after_help = "Example:\n  sealwright plugin list --json")]
    List,
    /// Repeat the plugin calls behind a case's verdict, and report whether the answers are the same
    ///
    /// Every recorded call is repeated with the component, settings and input that it had. Exit code 0 when all
    /// answers are the same, 1 when one differs, 3 when none differs but some calls cannot be repeated. Nothing is
    /// written.
    #[command(after_help = "Examples:\n  sealwright plugin replay 4711\n  \
                            sealwright plugin replay CAS-4711_CMP-7 --json")]
    Replay {
        /// The case, by its number or its public reference
        #[arg(value_name = "CASE", value_parser = read_case)]
        case: CaseId,
    },
    /// Try a component on a company's stored evidence, and report what would change
    ///
    /// Each closed case that has a verdict is judged two more times: once with the plugins in service, and once with
    /// the candidate. The candidate replaces the plugin with the same name or, if there is none, all plugins in its
    /// roles; with --beside it is added to them. Nothing is written.
    #[command(after_help = "Examples:\n  sealwright plugin backtest mine.wasm --company 7 --since 30d\n  \
                            sealwright plugin backtest mine.wasm --company 7 --beside")]
    Backtest(backtest::BacktestArguments),
}

const EXAMPLES: &str = "\
Examples:
  sealwright plugin new club-cards --role document-type --lang rust
  sealwright plugin build club-cards
  sealwright plugin check mine.wasm
  sealwright plugin run mine.wasm --input invoice.pdf
  sealwright plugin sign mine.wasm --key team.key
  sealwright plugin load mine.wasm
  sealwright plugin list
  sealwright plugin replay 4711
  sealwright plugin backtest mine.wasm --company 7";

pub(super) async fn run(config: Config, arguments: &PluginArguments, output: Output) -> anyhow::Result<ExitCode> {
    match &arguments.action {
        PluginAction::Check { file } => check::run(&config, file, output),
        PluginAction::Key { file } => sign::key(file, output),
        PluginAction::Sign { file, key, out } => sign::sign(file, key, out.as_deref(), output),
        PluginAction::Load { component } => Box::pin(load::load(config, component, output)).await,
        PluginAction::Unload { name, sha256 } => load::unload(config, name, sha256.as_deref(), output).await,
        PluginAction::New(arguments) => new::run(arguments, output),
        PluginAction::Build(arguments) => build::run(arguments, output),
        PluginAction::Run(arguments) => run::run(&config, arguments, output).await,
        PluginAction::Pack { module, out } => pack::run(module, out.as_deref(), output),
        PluginAction::List => list::run(config, output).await,
        PluginAction::Replay { case } => Box::pin(replay::run(config, *case, output)).await,
        PluginAction::Backtest(arguments) => backtest::run(config, arguments, output).await,
    }
}
