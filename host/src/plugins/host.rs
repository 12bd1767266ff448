//! The plugins that are loaded, and the door through which the rest of the program calls them.

use std::{
    collections::BTreeMap,
    ffi::OsStr,
    fs::{self, File},
    io::Read,
    path::{Path, PathBuf},
    sync::Arc,
    thread,
    time::Duration,
};

use anyhow::{Context, Result, ensure};
use hyper::header::{HeaderName, HeaderValue};
use serde::Serialize;
use tokio::{sync::Semaphore, task, time};
use wasmtime::{Engine, Store};

use super::{
    built_in,
    cache::CompiledCache,
    call::{self, CallState},
    component::{self, Acceptance, Plugin, PluginInfo, Role},
    engine,
    error::{Failure, PluginError},
    facts, limits,
    run::{self, CONTRACT_VERSION, Chosen, Run, RunRecord},
    webhook_auth::{self, WebhookCredential, WebhookRequest},
};

pub struct PluginOptions {
    /// Where compiled components are kept. Made when it is not there; nobody else may write to it.
    pub cache_dir: PathBuf,
    /// This installation's own key: whoever knows it can have this process run machine code of his choice.
    pub cache_key: [u8; 32],
    /// The operator's components, `*.wasm`. May be absent.
    pub plugin_dir: Option<PathBuf>,
}

/// The loaded plugins. A clone is the same host.
#[derive(Clone)]
pub struct PluginHost {
    inner: Arc<Inner>,
}

struct Inner {
    engine: Engine,
    plugins: BTreeMap<String, Plugin>,
    refused: Vec<RefusedPlugin>,
    turns: Arc<Semaphore>,
}

/// A file of the plugin folder that was not loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedPlugin {
    pub file: PathBuf,
    pub reason: String,
}

impl PluginHost {
    /// Loads the built-in plugins, and the operator's. A component that is not in the cache is compiled, so this may take
    /// seconds; call it where blocking is allowed. A bad file in the plugin folder is logged, listed in
    /// [`refused`](Self::refused) and left out.
    pub fn new(options: PluginOptions) -> Result<Self> {
        let engine = engine::new()?;
        let linker = component::linker(&engine)?;
        let cache = CompiledCache::open(options.cache_dir, options.cache_key)?;
        let acceptance = Acceptance { engine: &engine, linker: &linker, cache: &cache };

        let mut plugins = BTreeMap::new();
        for (name, bytes) in built_in::COMPONENTS {
            let plugin =
                acceptance.accept(name, bytes, true).with_context(|| format!("loading the built-in plugin {name}"))?;
            plugins.insert(plugin.info.name.clone(), plugin);
        }
        let mut refused = Vec::new();
        for file in options.plugin_dir.as_deref().map(component_files).transpose()?.unwrap_or_default() {
            if let Err(reason) = load(&acceptance, &file, &mut plugins) {
                let reason = format!("{reason:#}");
                tracing::warn!(file = %file.display(), "the plugin is not loaded: {reason}");
                refused.push(RefusedPlugin { file, reason });
            }
        }
        let turns = Arc::new(Semaphore::new(concurrent_calls()));
        Ok(Self { inner: Arc::new(Inner { engine, plugins, refused, turns }) })
    }

    /// Every loaded plugin, in the order of their names.
    pub fn plugins(&self) -> Vec<PluginInfo> {
        self.inner.plugins.values().map(|plugin| plugin.info.clone()).collect()
    }

    /// The files of the plugin folder that were not loaded, with the reason.
    pub fn refused(&self) -> &[RefusedPlugin] {
        &self.inner.refused
    }

    /// Whether a company manifest may name this webhook mode.
    pub fn has_webhook_mode(&self, mode: &str) -> bool {
        self.inner.plugins.get(mode).is_some_and(|plugin| plugin.plays(Role::WebhookAuth))
    }

    /// The webhook modes that a company manifest may name, in order.
    pub fn webhook_modes(&self) -> Vec<&str> {
        let modes = self.inner.plugins.values().filter(|plugin| plugin.plays(Role::WebhookAuth));
        modes.map(|plugin| plugin.info.name.as_str()).collect()
    }

    /// The headers by which `mode` authenticates the webhook, in the mode's order. Their values are marked sensitive.
    pub async fn authenticate_webhook(
        &self,
        mode: &str,
        request: WebhookRequest,
        credential: WebhookCredential,
    ) -> Result<Vec<(HeaderName, HeaderValue)>, PluginError> {
        self.call(mode, move |engine, plugin| {
            if !plugin.plays(Role::WebhookAuth) {
                return None;
            }
            let name = plugin.info.name.as_str();
            let may_reveal =
                if plugin.info.built_in { built_in::reveals_secret(name) } else { credential.grant_reveal };
            Some(webhook_auth::authenticate(engine, plugin, request, credential, may_reveal))
        })
        .await
    }

    /// Runs the chosen plugin in a role of analysis. `input` is what the record's hash is made from; `work` enters the
    /// plugin with the settings as JSON.
    pub(super) async fn run<I, T>(
        &self,
        chosen: &Chosen,
        role: Role,
        deadline: Duration,
        input: Arc<I>,
        work: impl FnOnce(&Plugin, &mut Store<CallState>, &str) -> wasmtime::Result<Result<T, Failure>> + Send + 'static,
    ) -> Run<T>
    where
        I: Serialize + Send + Sync + 'static,
        T: Send + 'static,
    {
        let (settings, settings_hash) = run::settings_text(&chosen.settings);
        let pinned = chosen.sha256.clone();
        let run = self.call(&chosen.plugin, move |engine, plugin| {
            if !plugin.plays(role) || pinned.is_some_and(|digest| digest != plugin.info.digest) {
                return None;
            }
            let input_hash = facts::digest(&*input);
            let mut usage = call::Usage::default();
            let outcome =
                call::measured(engine, &plugin.info.name, deadline, &mut usage, |store| work(plugin, store, &settings));
            let record = RunRecord {
                role,
                plugin: plugin.info.name.clone(),
                version: plugin.info.version.clone(),
                digest: plugin.info.digest.clone(),
                settings_hash,
                contract: CONTRACT_VERSION.to_owned(),
                input_hash,
                micros: u64::try_from(usage.time.as_micros()).unwrap_or(u64::MAX),
                memory: usage.memory as u64,
            };
            Some(Ok((outcome, record)))
        });
        match run.await {
            Ok((outcome, record)) => Run { outcome, record: Some(record) },
            Err(error) => Run { outcome: Err(error), record: None },
        }
    }

    /// Runs `work` with the plugin of this name on a blocking thread when it is its turn. `work` gives nothing when the
    /// plugin does not play the role.
    async fn call<T: Send + 'static>(
        &self,
        name: &str,
        work: impl FnOnce(&Engine, &Plugin) -> Option<Result<T, PluginError>> + Send + 'static,
    ) -> Result<T, PluginError> {
        let failed = |failure| PluginError { plugin: name.to_owned(), failure, log: Vec::new() };
        let turn = time::timeout(limits::QUEUE_TIMEOUT, Arc::clone(&self.inner.turns).acquire_owned())
            .await
            .map_err(|_| failed(Failure::Busy(limits::QUEUE_TIMEOUT)))?
            .map_err(|error| failed(Failure::Host(error.to_string())))?;
        let (inner, plugin) = (Arc::clone(&self.inner), name.to_owned());
        let answer = task::spawn_blocking(move || {
            // The turn ends with the work, even when nobody waits for the answer any more.
            let _turn = turn;
            work(&inner.engine, inner.plugins.get(&plugin)?)
        });
        match answer.await {
            Ok(Some(answer)) => answer,
            Ok(None) => Err(failed(Failure::NotLoaded)),
            Err(error) => Err(failed(Failure::Host(error.to_string()))),
        }
    }
}

/// Accepts a file of the plugin folder under the name that it tells.
fn load(acceptance: &Acceptance, file: &Path, plugins: &mut BTreeMap<String, Plugin>) -> Result<()> {
    let origin = file.file_name().unwrap_or_default().to_string_lossy();
    let plugin = acceptance.accept(&origin, &read_bounded(file)?, false)?;
    let name = &plugin.info.name;
    if let Some(other) = plugins.get(name) {
        let other = if other.info.built_in { "a built-in plugin" } else { "another file of this folder" };
        anyhow::bail!("its name {name} is taken by {other}");
    }
    plugins.insert(name.clone(), plugin);
    Ok(())
}

/// The `*.wasm` files in `folder`, in the order of their names; none when it does not exist.
fn component_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let reading = || format!("reading the plugin folder {}", folder.display());
    if !folder.try_exists().with_context(reading)? {
        return Ok(Vec::new());
    }
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).with_context(reading)? {
        let path = entry.with_context(reading)?.path();
        if path.extension() == Some(OsStr::new("wasm")) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// The file's bytes, unless there are more than a component may have.
fn read_bounded(file: &Path) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(file)?.take(limits::COMPONENT_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    ensure!(bytes.len() <= limits::COMPONENT_BYTES, "it has more than {} bytes", limits::COMPONENT_BYTES);
    Ok(bytes)
}

/// As many as there are cores, within what the engine's pool holds.
fn concurrent_calls() -> usize {
    thread::available_parallelism().map_or(2, usize::from).min(engine::MAX_CONCURRENT_CALLS)
}
