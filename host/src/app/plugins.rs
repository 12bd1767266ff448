//! The plugins as operators see them (operator.md, `sealwright plugin list`).

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    time::Duration,
};

use sealwright_seal::digest::Sha256Digest;
use serde::{Deserialize, Serialize};

use super::{App, metrics::Sample, queue};
use crate::{
    db::{Db, Reader},
    domain::id::CompanyId,
    error::{Error, Result},
    plugins::{CallStatistics, Origin, PluginError, PluginHost, PluginInfo, Role, SignatureState},
    store::{self, company::NamedPlugin},
};

/// The loaded plugins, and those that could not be loaded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PluginList {
    pub plugins: Vec<ListedPlugin>,
    pub refused: Vec<Refused>,
    /// The plugins that company manifests name and that are not loaded.
    #[serde(default)]
    pub missing: Vec<MissingPlugin>,
    /// The file of the plugin folder that is being compiled.
    #[serde(default)]
    pub compiling: Option<String>,
}

/// One loaded plugin.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ListedPlugin {
    pub name: String,
    pub version: String,
    /// SHA-256 of the component.
    pub digest: Sha256Digest,
    pub roles: Vec<Role>,
    pub built_in: bool,
    /// Where it comes from.
    pub origin: Origin,
    /// What its own signatures prove.
    #[serde(default)]
    pub signature: SignatureState,
    /// Whether it is the one of its name that is called by default.
    pub preferred: bool,
    /// The companies whose manifests name it.
    pub companies: BTreeSet<i64>,
    /// The companies for which it runs without counting.
    #[serde(default)]
    pub shadow_of: BTreeSet<i64>,
    /// Since the server started, for each company. Empty if no server is running.
    pub calls: Vec<CallStatistics>,
}

/// A file in the plugin folder that was refused. An earlier content of the file may still be in use.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refused {
    pub file: String,
    pub reason: String,
}

/// A plugin that a company's settings name and that is not loaded: what it should judge is not judged, and webhooks in
/// this mode are not sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MissingPlugin {
    pub company: i64,
    pub name: String,
    pub role: Role,
    /// The exact component, if the company manifest pins one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<Sha256Digest>,
    /// Whether it would run without counting.
    pub shadow: bool,
}

/// On one line, for the operator.
impl fmt::Display for MissingPlugin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { company, name, role, sha256, shadow } = self;
        write!(f, "company {company} names {name}")?;
        if let Some(digest) = sha256 {
            write!(f, " with SHA-256 {digest}")?;
        }
        let shadow = if *shadow { "a shadow " } else { "" };
        write!(f, " as {shadow}{role}, but no such plugin is loaded")
    }
}

/// The plugins loaded here, with their calls so far.
pub async fn list(app: &App) -> Result<PluginList> {
    let mut reader = app.db.read().await?;
    let modes = store::webhook::named_modes(&mut reader).await?;
    let named = store::company::named_plugins(&mut reader).await?;
    let statistics = app.plugins.statistics();
    let mut seen = BTreeSet::new();
    let plugins = app.plugins.with_origins().into_iter().map(|(plugin, origin)| {
        let preferred = seen.insert(plugin.name.clone());
        let companies_of = |shadow| companies(&named, &plugin, preferred, shadow);
        let (companies, shadow_of) = (companies_of(false), companies_of(true));
        let calls = statistics.iter().filter(|calls| calls.digest == plugin.digest).cloned().collect();
        let PluginInfo { name, version, digest, roles, built_in, signature, .. } = plugin;
        ListedPlugin {
            name,
            version,
            digest,
            roles,
            built_in,
            origin,
            signature,
            preferred,
            companies,
            shadow_of,
            calls,
        }
    });
    Ok(PluginList {
        plugins: plugins.collect(),
        refused: refused(&app.plugins),
        missing: missing_of(&app.plugins, &named, modes),
        compiling: app.plugins.compiling(),
    })
}

/// The part that a job waits for if it needs a plugin.
const PLUGIN: &str = "plugin";

/// The error of a call. If the plugin could not be called at all, because it is not loaded on this node, got no turn or
/// is out of service, the job waits for it: another node may have it.
pub(super) fn error_of(error: PluginError) -> Error {
    if error.failure.was_not_asked() {
        return Error::Unavailable { part: PLUGIN, cause: error.into() };
    }
    Error::internal(error)
}

/// The error of a job that needs a plugin which is not loaded here.
pub(super) fn not_loaded(plugin: &str) -> Error {
    Error::Unavailable { part: PLUGIN, cause: anyhow::anyhow!("the plugin {plugin} is not loaded on this node") }
}

/// How many jobs wait for a plugin.
pub(super) async fn waiting_jobs(reader: &mut Reader) -> Result<i64> {
    Ok(store::published::jobs_waiting_for(reader, PLUGIN).await?)
}

/// Reschedules the jobs that wait for a plugin to now: it may be available.
pub(super) async fn resume_waiting_jobs(app: &App) -> Result<()> {
    queue::resume_waiting_for(app, PLUGIN).await
}

/// The plugins that company manifests name and `host` has not loaded, by company.
pub async fn missing(db: &Db, host: &PluginHost) -> Result<Vec<MissingPlugin>> {
    let mut reader = db.read().await?;
    let named = store::company::named_plugins(&mut reader).await?;
    let modes = store::webhook::named_modes(&mut reader).await?;
    Ok(missing_of(host, &named, modes))
}

fn missing_of(host: &PluginHost, named: &[NamedPlugin], modes: Vec<(CompanyId, String)>) -> Vec<MissingPlugin> {
    let of_analysis = named.iter().cloned().map(|NamedPlugin { company, plugin, role, sha256, shadow }| {
        MissingPlugin { company: company.get(), name: plugin, role: role.into(), sha256, shadow }
    });
    let of_webhooks = modes.into_iter().map(|(company, mode)| MissingPlugin {
        company: company.get(),
        name: mode,
        role: Role::WebhookAuth,
        sha256: None,
        shadow: false,
    });
    let all = of_analysis.chain(of_webhooks);
    let mut missing: Vec<MissingPlugin> = all.filter(|one| !host.plays(&one.name, one.sha256, one.role)).collect();
    missing.sort_by(|one, other| (one.company, &one.name).cmp(&(other.company, &other.name)));
    missing
}

/// The companies that name the plugin: pinned to this component, or unpinned if this is the preferred one.
fn companies(named: &[NamedPlugin], plugin: &PluginInfo, preferred: bool, shadow: bool) -> BTreeSet<i64> {
    let of_plugin = named.iter().filter(|named| named.plugin == plugin.name && named.shadow == shadow);
    let used = of_plugin.filter(|named| named.sha256.map_or(preferred, |digest| digest == plugin.digest));
    used.map(|named| named.company.get()).collect()
}

fn refused(host: &PluginHost) -> Vec<Refused> {
    let refused = host.refused().into_iter();
    refused.map(|one| Refused { file: one.file.display().to_string(), reason: one.reason }).collect()
}

/// Calls and failures for metrics; only those of shadows, or only the others.
pub(super) fn counted(statistics: &[CallStatistics], shadow: bool) -> Vec<Sample> {
    let mut counted: BTreeMap<(&str, String, &str), u64> = BTreeMap::new();
    for one in statistics.iter().filter(|one| one.shadow == shadow) {
        let failed: u64 = one.failures.values().sum();
        let answered = one.calls.saturating_sub(failed);
        let outcomes = one.failures.iter().map(|(kind, count)| (kind.as_str(), *count));
        let differed = shadow.then_some(("differed", one.differed));
        for (outcome, count) in std::iter::once(("answered", answered)).chain(outcomes).chain(differed) {
            *counted.entry((&one.plugin, one.company.to_string(), outcome)).or_insert(0) += count;
        }
    }
    let samples = counted.into_iter().map(|((plugin, company, outcome), count)| {
        let labels = vec![("plugin", plugin.to_owned()), ("company", company), ("outcome", outcome.to_owned())];
        Sample::integer(labels, count)
    });
    samples.collect()
}

/// Percentiles of the time inside plugins, in seconds, by component and company.
pub(super) fn timed(statistics: &[CallStatistics]) -> Vec<Sample> {
    let of_each = statistics.iter().flat_map(|one| {
        [("0.5", one.p50), ("0.95", one.p95), ("0.99", one.p99)].map(|(quantile, microseconds)| {
            let labels = labels(one).into_iter().chain([("quantile", quantile.to_owned())]);
            Sample::seconds(labels.collect(), Duration::from_micros(microseconds).as_secs_f64())
        })
    });
    of_each.collect()
}

/// The maximum linear memory of a call, in bytes, by component and company.
pub(super) fn memory_used(statistics: &[CallStatistics]) -> Vec<Sample> {
    statistics.iter().map(|one| Sample::integer(labels(one), one.memory)).collect()
}

/// The labels of a component and a company.
fn labels(one: &CallStatistics) -> Vec<(&'static str, String)> {
    let CallStatistics { plugin, version, digest, company, shadow, .. } = one;
    let named = [("plugin", plugin.clone()), ("version", version.clone()), ("digest", digest.to_string())];
    let shadow = shadow.then(|| ("shadow", "true".to_owned()));
    named.into_iter().chain([("company", company.to_string())]).chain(shadow).collect()
}
