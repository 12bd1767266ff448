//! Many companies, each with its own plugin: the cost of a call, and the memory that all of them occupy.

use std::{fs, time::Instant};

use anyhow::Context as _;
use sealwright::{
    domain::id::CompanyId,
    plugins::{PluginHost, PluginOptions, WebhookCredential},
};

use super::{credential, request};
use crate::report::{Figure, Goal, Samples, Unit, target_dir};

const ROUNDS: usize = 9;
const COMPANIES: [u32; 3] = [1, 10, 100];
/// Calls per round, for any number of companies.
const CALLS: u32 = 200;
/// The component that every plugin is made from. Its name is replaced by another name of the same length.
const ORIGINAL: &str = "partner-apikey";

pub(super) async fn measure() -> anyhow::Result<Vec<Figure>> {
    let file = target_dir().join("plugins").join(ORIGINAL).with_extension("wasm");
    let component = fs::read(&file).with_context(|| format!("reading {}", file.display()))?;
    let mut hosts = Vec::new();
    let mut figures = Vec::new();
    for count in COMPANIES {
        let before = resident_mebibytes()?;
        let host = Hosted::new(&component, count).await?;
        host.call(count).await?;
        let grown = Samples::of(Unit::Mebibytes, [resident_mebibytes()? - before]);
        figures.push(Figure {
            what: format!("memory of a host with {count} plugins of companies, each called"),
            measured: grown,
            against: None,
            goal: None,
        });
        hosts.push((count, host, Samples::new(Unit::Microseconds)));
    }
    for _ in 0..ROUNDS {
        for (_, host, samples) in &mut hosts {
            let start = Instant::now();
            host.call(CALLS).await?;
            samples.push(start.elapsed().as_secs_f64() * 1e6 / f64::from(CALLS));
        }
    }
    let alone = hosts.first().map(|(_, _, samples)| samples.clone()).context("there is a host with one plugin")?;
    figures.extend(hosts.into_iter().map(|(count, _, measured)| Figure {
        what: format!("plugin call, {count} companies with a plugin each, in turn"),
        measured,
        against: (count > 1).then(|| ("one company", alone.clone())),
        goal: (count > 1).then_some(Goal::AtMost(1.2)),
    }));
    Ok(figures)
}

struct Hosted {
    host: PluginHost,
    names: Vec<String>,
    _folder: tempfile::TempDir,
}

impl Hosted {
    async fn new(component: &[u8], count: u32) -> anyhow::Result<Self> {
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR"))?;
        let plugin_dir = folder.path().join("plugins");
        fs::create_dir(&plugin_dir)?;
        let names: Vec<String> = (0..count).map(|number| format!("customer-{number:05}")).collect();
        for name in &names {
            fs::write(plugin_dir.join(name).with_extension("wasm"), renamed(component, name))?;
        }
        let options =
            PluginOptions { plugin_dir: Some(plugin_dir), ..PluginOptions::new(folder.path().join("cache"), [7; 32]) };
        let host = tokio::task::spawn_blocking(move || PluginHost::new(options)).await??;
        anyhow::ensure!(host.refused().is_empty(), "a plugin was refused: {:?}", host.refused());
        Ok(Self { host, names, _folder: folder })
    }

    /// Makes `calls` calls, the companies in turn.
    async fn call(&self, calls: u32) -> anyhow::Result<()> {
        for (number, name) in (0..calls).zip(self.names.iter().cycle()) {
            let company = CompanyId::new(i64::from(number) % i64::try_from(self.names.len())? + 1);
            let company = company.context("a company's number is positive")?;
            let credential = WebhookCredential { company, grant_reveal: true, ..credential() };
            self.host.authenticate_webhook(name, request(), credential).await?;
        }
        Ok(())
    }
}

/// The component under another name.
fn renamed(component: &[u8], name: &str) -> Vec<u8> {
    let mut renamed = component.to_vec();
    let mut from = 0;
    while let Some(at) = renamed[from..].windows(ORIGINAL.len()).position(|window| window == ORIGINAL.as_bytes()) {
        renamed[from + at..from + at + ORIGINAL.len()].copy_from_slice(name.as_bytes());
        from += at + ORIGINAL.len();
    }
    renamed
}

/// The memory that this process occupies.
fn resident_mebibytes() -> anyhow::Result<f64> {
    let status = fs::read_to_string("/proc/self/status").context("reading /proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).context("no VmRSS")?;
    let kibibytes: f64 = line.trim().trim_end_matches(" kB").parse().context("VmRSS is a number")?;
    Ok(kibibytes / 1024.0)
}
