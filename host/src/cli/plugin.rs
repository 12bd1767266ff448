//! `sealwright plugin`: its arguments, and how plugins are shown.

use std::{
    fmt,
    fs::{self, File},
    io::Read,
    path::{Path, PathBuf},
    process::ExitCode,
    time::Duration,
};

use anyhow::Context;
use clap::{Args, Subcommand};
use serde::Serialize;

use super::output::Output;
use crate::{
    app::{
        App,
        plugins::{ListedPlugin, PluginList, list},
    },
    clock::Clock,
    config::Config,
    plugins::{self, Examined},
};

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

/// How long the running server may take to answer.
const PATIENCE: Duration = Duration::from_secs(5);

pub(super) async fn run(config: Config, arguments: &PluginArguments, output: Output) -> anyhow::Result<ExitCode> {
    match &arguments.action {
        PluginAction::Check { file } => check(file, output),
        PluginAction::List => {
            let list = match ask_server(&config.data_dir).await {
                Some(list) => list,
                None => list(&App::open(config, Clock::system()).await?).await?,
            };
            print_list(&list, output)?;
            Ok(ExitCode::SUCCESS)
        }
        PluginAction::Compile { compact } => compile(*compact),
    }
}

/// Compiles standard input. Needs no settings, and is done before there are any.
pub(super) fn compile(compact: bool) -> anyhow::Result<ExitCode> {
    plugins::compile_standard_input(compact)?;
    Ok(ExitCode::SUCCESS)
}

fn check(file: &Path, output: Output) -> anyhow::Result<ExitCode> {
    let mut bytes = Vec::new();
    // One byte more than any component may have is enough to refuse it.
    let opened = File::open(file).with_context(|| format!("opening {}", file.display()))?;
    opened.take(64 << 20).read_to_end(&mut bytes).with_context(|| format!("reading {}", file.display()))?;
    let examined = plugins::examine(&bytes, plugins::this_program())?;
    let loadable = examined.refusal.is_none();
    output.print(&Checked { file: file.display().to_string(), examined })?;
    Ok(if loadable { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// What `plugin check` says.
#[derive(Debug, Serialize)]
struct Checked {
    file: String,
    #[serde(flatten)]
    examined: Examined,
}

impl fmt::Display for Checked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Examined { size, digest, exports, imports, plugin, refusal } = &self.examined;
        writeln!(f, "{}: {size} bytes", self.file)?;
        writeln!(f, "  sha256   {digest}")?;
        for (heading, names) in [("exports", exports), ("imports", imports)] {
            for (index, name) in names.iter().enumerate() {
                writeln!(f, "  {:<8} {}", if index == 0 { heading } else { "" }, name.escape_debug())?;
            }
        }
        if let Some(plugin) = plugin {
            writeln!(f, "  name     {} {}", plugin.name, plugin.version)?;
            writeln!(f, "  summary  {}", plugin.summary)?;
            let roles: Vec<&str> = plugin.roles.iter().map(|role| role.as_str()).collect();
            writeln!(f, "  roles    {}", roles.join(", "))?;
            writeln!(f, "  settings {}", if plugin.settings.is_some() { "declared by a schema" } else { "none" })?;
        }
        match refusal {
            None => write!(f, "this host would load it"),
            Some(reason) => write!(f, "this host would not load it: {}", reason.escape_debug()),
        }
    }
}

/// What the server that runs on this data directory says. None where none does.
async fn ask_server(data_dir: &Path) -> Option<PluginList> {
    let address = fs::read_to_string(data_dir.join("admin.address")).ok()?;
    // The address has no TLS; the client asks for a provider all the same. It fails only where one is installed already.
    let _already_installed = rustls::crypto::ring::default_provider().install_default();
    let client = reqwest::Client::builder().no_proxy().timeout(PATIENCE).build().ok()?;
    let answer = client.get(format!("http://{}/plugins", address.trim())).send().await.ok()?;
    answer.error_for_status().ok()?.json().await.ok()
}

fn print_list(list: &PluginList, output: Output) -> anyhow::Result<()> {
    if output.json {
        output.print(&Listed(list))?;
        return Ok(());
    }
    let headings = ["NAME", "VERSION", "ROLES", "COMPANIES", "CALLS", "FAILED", "P50", "P99", "MEMORY", "SHA256"];
    output.print_table(headings, &list.plugins, |plugin| {
        let companies: Vec<String> = plugin.companies.iter().map(ToString::to_string).collect();
        let roles: Vec<&str> = plugin.roles.iter().map(|role| role.as_str()).collect();
        let most =
            |number: fn(&crate::plugins::CallStatistics) -> u64| plugin.calls.iter().map(number).max().unwrap_or(0);
        let sum = |number: fn(&crate::plugins::CallStatistics) -> u64| plugin.calls.iter().map(number).sum::<u64>();
        [
            plugin.name.clone(),
            plugin.version.clone(),
            roles.join(","),
            if companies.is_empty() { "-".to_owned() } else { companies.join(",") },
            sum(|calls| calls.calls).to_string(),
            sum(|calls| calls.failures.values().sum()).to_string(),
            format!("{} us", most(|calls| calls.p50)),
            format!("{} us", most(|calls| calls.p99)),
            format!("{} KiB", most(|calls| calls.memory) / 1024),
            plugin.digest.clone(),
        ]
    })?;
    output.warn(list.plugins.iter().flat_map(out_of_service));
    output.warn(list.refused.iter().map(|refused| format!("{} is not loaded: {}", refused.file, refused.reason)));
    Ok(())
}

/// Lines on what is not called because it failed too often.
fn out_of_service(plugin: &ListedPlugin) -> impl Iterator<Item = String> {
    plugin.calls.iter().filter(|calls| calls.out_of_service).map(|calls| {
        let last = calls.last_failure.as_deref().unwrap_or("nothing is known of it").escape_debug();
        format!("{} is out of company {}'s service; its last failure: {last}", calls.plugin, calls.company)
    })
}

/// The list as JSON.
#[derive(Serialize)]
struct Listed<'a>(&'a PluginList);

impl fmt::Display for Listed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} plugins", self.0.plugins.len())
    }
}
