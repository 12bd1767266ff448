//! `sealwright plugin list`: the plugins that are loaded, and how they are shown.

use std::{fmt, fs, path::Path, process::ExitCode, time::Duration};

use serde::Serialize;

use super::Output;
use crate::{
    app::{
        App,
        plugins::{PluginList, list},
    },
    cli::output::visible,
    clock::Clock,
    config::Config,
    plugins::{CallStatistics, Role, SignatureState},
};

/// How long the running server may take to answer.
const SERVER_TIMEOUT: Duration = Duration::from_secs(5);

pub(super) async fn run(config: Config, output: Output) -> anyhow::Result<ExitCode> {
    let list = match ask_server(&config.data_dir).await {
        Some(list) => list,
        None => list(&App::open_existing(config, Clock::system()).await?).await?,
    };
    print_list(&list, output)?;
    Ok(ExitCode::SUCCESS)
}

/// The plugins of the server that runs on this data directory. None if no server answers.
async fn ask_server(data_dir: &Path) -> Option<PluginList> {
    let address = fs::read_to_string(data_dir.join("admin.address")).ok()?;
    // The address has no TLS, but the client needs a provider all the same. This fails only if one is installed
    // already.
    let _already_installed = rustls::crypto::ring::default_provider().install_default();
    let client = reqwest::Client::builder().no_proxy().timeout(SERVER_TIMEOUT).build().ok()?;
    let answer = client.get(format!("http://{}/plugins", address.trim())).send().await.ok()?;
    answer.error_for_status().ok()?.json().await.ok()
}

fn print_list(list: &PluginList, output: Output) -> anyhow::Result<()> {
    if output.json {
        output.print(&JsonList(list))?;
        return Ok(());
    }
    let headings = [
        "NAME",
        "VERSION",
        "FROM",
        "SIGNATURE",
        "ROLES",
        "COMPANIES",
        "CALLS",
        "FAILED",
        "P50",
        "P99",
        "MEMORY",
        "SHA256",
    ];
    output.print_table(headings, &list.plugins, |plugin| {
        let of_shadows = plugin.shadow_of.iter().map(|company| format!("{company} (shadow)"));
        let companies: Vec<String> = plugin.companies.iter().map(ToString::to_string).chain(of_shadows).collect();
        let roles: Vec<&str> = plugin.roles.iter().map(Role::into_str).collect();
        // A plugin that was never called has neither times nor memory.
        let most = |unit: &str, number: fn(&CallStatistics) -> u64| {
            plugin.calls.iter().map(number).max().map_or_else(|| "-".to_owned(), |most| format!("{most} {unit}"))
        };
        let sum = |number: fn(&CallStatistics) -> u64| plugin.calls.iter().map(number).sum::<u64>();
        [
            plugin.name.clone(),
            plugin.version.clone(),
            plugin.origin.into_str().to_owned(),
            if plugin.built_in { "-".to_owned() } else { signature(&plugin.signature).to_owned() },
            roles.join(","),
            if companies.is_empty() { "-".to_owned() } else { companies.join(",") },
            sum(|calls| calls.calls).to_string(),
            sum(|calls| calls.failures.values().sum()).to_string(),
            most("us", |calls| calls.p50),
            most("us", |calls| calls.p99),
            most("KiB", |calls| calls.memory / 1024),
            plugin.digest.to_string(),
        ]
    })?;
    print_calls(list, output)?;
    output.warn(list.plugins.iter().flat_map(|plugin| &plugin.calls).filter_map(last_failure));
    output.warn(list.missing.iter().map(ToString::to_string));
    output.warn(list.compiling.iter().map(|file| format!("{file} is being compiled and will be loaded afterwards")));
    output.warn(list.refused.iter().map(|refused| format!("{} is not loaded: {}", refused.file, refused.reason)));
    Ok(())
}

/// A word for the table.
const fn signature(state: &SignatureState) -> &'static str {
    match state {
        SignatureState::Unsigned => "none",
        SignatureState::Trusted { .. } => "trusted",
        SignatureState::Untrusted { .. } => "untrusted",
        SignatureState::Wrong { .. } => "wrong",
    }
}

/// Prints the calls for each company.
fn print_calls(list: &PluginList, output: Output) -> anyhow::Result<()> {
    let calls: Vec<&CallStatistics> = list.plugins.iter().flat_map(|plugin| &plugin.calls).collect();
    if calls.is_empty() {
        return Ok(());
    }
    println!();
    let headings = ["NAME", "VERSION", "COMPANY", "CALLS", "FAILED", "DIFFERED", "P50", "P95", "P99", "MEMORY"];
    output.print_table(headings, &calls, |calls| {
        let failures: Vec<String> = calls.failures.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
        let company = if calls.shadow { format!("{} (shadow)", calls.company) } else { calls.company.to_string() };
        [
            calls.plugin.clone(),
            calls.version.clone(),
            company,
            calls.calls.to_string(),
            if failures.is_empty() { "0".to_owned() } else { failures.join(", ") },
            if calls.shadow { calls.differed.to_string() } else { "-".to_owned() },
            format!("{} us", calls.p50),
            format!("{} us", calls.p95),
            format!("{} us", calls.p99),
            format!("{} KiB", calls.memory / 1024),
        ]
    })?;
    Ok(())
}

/// Describes the last call that failed: the plugin's own message, and what it logged.
fn last_failure(calls: &CallStatistics) -> Option<String> {
    let CallStatistics { plugin, version, company, last_log, out_of_service, .. } = calls;
    let failure = calls.last_failure.as_deref()?;
    let state = if *out_of_service { " is out of service;" } else { "," };
    let mut text = format!("{plugin} {version} for company {company}{state} last failure: {}", visible(failure));
    for line in last_log {
        text.push_str("\n  log: ");
        text.push_str(&visible(line));
    }
    Some(text)
}

/// The list as JSON.
#[derive(Serialize)]
struct JsonList<'a>(&'a PluginList);

impl fmt::Display for JsonList<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} plugins", self.0.plugins.len())
    }
}
