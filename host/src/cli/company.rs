//! `sealwright company`: its arguments.

use std::{fmt, process::ExitCode};

use clap::{Args, Subcommand};
use serde::Serialize;

use super::output::Output;
use crate::{
    app::{
        App,
        audit::Actor,
        export::{ExportedCompany, export},
    },
    clock::Clock,
    config::Config,
    domain::id::CompanyId,
};

/// Print a company's manifest
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct CompanyArguments {
    #[command(subcommand)]
    pub action: CompanyAction,
}

#[derive(Clone, Debug, Subcommand)]
pub enum CompanyAction {
    /// Print the company manifest, made of what is stored; applying it changes nothing
    ///
    /// It holds the hashes of passwords and the secrets of webhooks, so keep it as you keep those. A webhook that the
    /// company set through the API is not in it, and stays when the manifest is applied.
    #[command(after_help = "Example:\n  sealwright company export 7 > acme.toml")]
    Export {
        /// The company's identifier
        #[arg(value_name = "ID", value_parser = clap::value_parser!(i64).range(1..))]
        id: i64,
    },
}

const EXAMPLES: &str = "\
Examples:
  sealwright company export 7 > acme.toml
  sealwright apply --dry-run acme.toml";

/// Prints what was asked for.
pub(super) async fn run(config: Config, arguments: &CompanyArguments, output: Output) -> anyhow::Result<ExitCode> {
    let CompanyAction::Export { id } = arguments.action;
    let app = App::open_existing(config, Clock::system()).await?;
    let company = CompanyId::new(id);
    let exported = match company {
        Some(company) => export(&app, &Actor::command(), company).await?,
        None => None,
    };
    let Some(exported) = exported else { anyhow::bail!("company {id} does not exist") };
    output.warn(exported.own_webhooks.iter().map(|kind| {
        format!(
            "the {kind} webhook of company {id} is not in the manifest: the company set it through the API, and it \
             stays when the manifest is applied"
        )
    }));
    output.print(&PrintedManifest::of(id, exported))?;
    Ok(ExitCode::SUCCESS)
}

#[derive(Serialize)]
struct PrintedManifest {
    company: i64,
    manifest: String,
}

impl PrintedManifest {
    fn of(company: i64, exported: ExportedCompany) -> Self {
        Self { company, manifest: exported.manifest }
    }
}

impl fmt::Display for PrintedManifest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.manifest.trim_end())
    }
}
