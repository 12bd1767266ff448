//! `sealwright plugin list`: the plugins that are loaded, and how they are shown.

use std::{fmt, fs, path::Path, process::ExitCode, time::Duration};

use serde::Serialize;

use super::Output;
use crate::{
    app::{
        App,
        plugins::{ListedPlugin, PluginList, list},
    },
    clock::Clock,
    config::Config,
};

/// How long the running server may take to answer.
const PATIENCE: Duration = Duration::from_secs(5);

pub(super) async fn run(config: Config, output: Output) -> anyhow::Result<ExitCode> {
    let list = match ask_server(&config.data_dir).await {
        Some(list) => list,
        None => list(&App::open(config, Clock::system()).await?).await?,
    };
    print_list(&list, output)?;
    Ok(ExitCode::SUCCESS)
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
