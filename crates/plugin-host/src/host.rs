//! The plugins that are loaded, and the one function through which they are called.

use std::{
    collections::BTreeSet,
    path::PathBuf,
    sync::{Arc, Weak},
    thread,
    time::Duration,
};

use anyhow::{Context, Result};
use parking_lot::{Mutex, MutexGuard, RwLock};
use sealwright_base::secrets::SecretString;
use sealwright_domain::id::CompanyId;
use sealwright_seal::digest::Sha256Digest;
use tokio::{sync::Notify, task};
use wasmtime::Store;

use super::{
    built_in,
    cache::CompiledCache,
    call::{self, CallState, Usage},
    call_mode::CallMode,
    compiler::Compiler,
    component::{Acceptance, Plugin, PluginInfo, Role},
    engine,
    error::{Failure, PluginError},
    folder::{Folder, NewFiles, RefusedPlugin},
    limits,
    options::PluginOptions,
    published::{FolderPlugin, PublishedPlugins},
    registry::{Installed, Origin, Registry},
    runtime::Runtimes,
    service::{Breakers, Turns},
    signature::SignaturePolicy,
    stats::{CallStatistics, Statistics},
};

/// How often a watched plugin folder is scanned. A file is loaded at the second scan that finds it unchanged.
const SCAN_INTERVAL: Duration = Duration::from_millis(500);

/// The loaded plugins. A clone is the same host.
#[derive(Clone)]
pub struct PluginHost {
    pub(super) inner: Arc<Inner>,
    pub(super) call_mode: CallMode,
}

pub(super) struct Inner {
    runtimes: Runtimes,
    /// None: compiled components are not stored.
    pub(super) cache: Option<CompiledCache>,
    compiler: Compiler,
    signatures: SignaturePolicy,
    built_in: Vec<Installed>,
    /// Plugins that were added on trial, in addition to the program's and the folder's.
    candidates: Mutex<Vec<Installed>>,
    folder: Mutex<Option<Folder>>,
    pub(super) published: Mutex<PublishedPlugins>,
    registry: RwLock<Arc<Registry>>,
    /// Not part of `folder`, because that stays locked while a component is being compiled.
    refused: RwLock<Vec<RefusedPlugin>>,
    pub(super) in_folder: RwLock<Vec<FolderPlugin>>,
    pub(super) folder_changed: Notify,
    webhook_turns: Turns,
    analysis_turns: Turns,
    /// One at a time, so that shadows never take a core from the calls that count.
    shadow_turns: Turns,
    trial_turns: Turns,
    breakers: Breakers,
    shadow_breakers: Breakers,
    pub(super) statistics: Statistics,
}

/// What a host accepts components with.
struct Parts {
    runtimes: Runtimes,
    /// None: compiled components are not stored.
    cache: Option<CompiledCache>,
    compiler: Compiler,
    signatures: SignaturePolicy,
}

/// Which plugin to call, for which company, in which role.
pub(super) struct Entry<'a> {
    pub(super) company: CompanyId,
    pub(super) plugin: &'a str,
    /// The exact component, if it is pinned.
    pub(super) sha256: Option<Sha256Digest>,
    pub(super) role: Role,
    pub(super) deadline: Duration,
    /// Secrets that the call is given.
    pub(super) private: Vec<SecretString>,
}

/// The outcome, and the plugin that was called with what it used, if one was.
pub(super) struct CallResult<T> {
    pub(super) outcome: Result<T, PluginError>,
    pub(super) plugin: Option<(Arc<Plugin>, Usage)>,
}

impl PluginHost {
    /// Loads the built-in plugins, and the operator's. A component that is not in the cache is compiled, so this may
    /// take seconds; call it where blocking is allowed. A bad file in the plugin folder is logged, listed in
    /// [`refused`](Self::refused) and skipped.
    pub fn new(options: PluginOptions) -> Result<Self> {
        let runtimes = Runtimes::new(options.fuel_per_second)?;
        let compiler = Compiler::new(options.compiler);
        let cache = CompiledCache::open(options.cache_dir, options.cache_key)?;
        let signatures = options.signatures;
        let acceptance =
            Acceptance { runtimes: &runtimes, cache: Some(&cache), compiler: &compiler, signatures: &signatures };
        let mut built_in = Vec::new();
        for (name, bytes) in built_in::COMPONENTS {
            let plugin =
                acceptance.accept(name, bytes, true).with_context(|| format!("loading the built-in plugin {name}"))?;
            built_in.push(Installed::new(Arc::new(plugin), Origin::BuiltIn));
        }
        let reserved: BTreeSet<String> = built_in.iter().map(|one| one.plugin.info.name.clone()).collect();
        let folder = options.plugin_dir.map(|path| Folder::new(path, reserved));
        let parts = Parts { runtimes, cache: Some(cache), compiler, signatures };
        let host = Self::with(parts, built_in, folder);
        host.inner.look(NewFiles::Load)?;
        host.inner.install();
        Ok(host)
    }

    /// A host without plugins, which accepts all components.
    pub(super) fn bare(
        program: Option<PathBuf>,
        cache: Option<CompiledCache>,
        fuel_per_second: Option<u64>,
    ) -> Result<Self> {
        let (runtimes, signatures) = (Runtimes::new(fuel_per_second)?, SignaturePolicy::default());
        Ok(Self::with(Parts { runtimes, cache, compiler: Compiler::new(program), signatures }, Vec::new(), None))
    }

    fn with(parts: Parts, built_in: Vec<Installed>, folder: Option<Folder>) -> Self {
        let Parts { runtimes, cache, compiler, signatures } = parts;
        let calls = concurrent_calls();
        Self {
            inner: Arc::new(Inner {
                runtimes,
                cache,
                compiler,
                signatures,
                built_in,
                candidates: Mutex::default(),
                folder: Mutex::new(folder),
                published: Mutex::default(),
                registry: RwLock::default(),
                refused: RwLock::default(),
                in_folder: RwLock::default(),
                folder_changed: Notify::new(),
                webhook_turns: Turns::new(calls),
                analysis_turns: Turns::new(calls),
                shadow_turns: Turns::with_share(1, 1),
                trial_turns: Turns::with_share(calls, calls),
                breakers: Breakers::default(),
                shadow_breakers: Breakers::default(),
                statistics: Statistics::default(),
            }),
            call_mode: CallMode::Active,
        }
    }

    /// Scans the plugin folder periodically, on a thread of its own, until the last clone of the host is dropped.
    pub fn watch(&self) -> Result<()> {
        let inner = Arc::downgrade(&self.inner);
        let watching = thread::Builder::new().name("plugin-folder".to_owned()).spawn(move || watch(&inner));
        watching.map(drop).context("starting the thread that scans the plugin folder")
    }

    /// Scans the plugin folder once, as [`watch`](Self::watch) does every half second.
    pub fn look(&self) -> Result<()> {
        self.inner.look(NewFiles::WaitUntilStable)
    }

    /// Accepts a component that is not in the folder, so that it can be tried: by its digest if a plugin of the same
    /// name is loaded, by its name otherwise.
    pub fn admit(&self, origin: &str, bytes: &[u8]) -> Result<PluginInfo> {
        let plugin = Arc::new(self.inner.acceptance().accept(origin, bytes, false)?);
        let info = plugin.info.clone();
        self.inner.candidates().push(Installed::new(plugin, Origin::Candidate));
        self.inner.install();
        Ok(info)
    }

    /// Every loaded plugin by name, the version first that is used by default.
    pub fn plugins(&self) -> Vec<PluginInfo> {
        self.inner.registry().infos()
    }

    /// The files of the plugin folder and the published plugins that are not in service, with the reason.
    pub fn refused(&self) -> Vec<RefusedPlugin> {
        self.inner.refused.read().clone()
    }

    /// The file name of the component that is being compiled, if any.
    pub fn compiling(&self) -> Option<String> {
        self.inner.compiler.compiling()
    }

    /// Statistics of all calls so far, by plugin and company.
    pub fn statistics(&self) -> Vec<CallStatistics> {
        self.inner.statistics.read(|company, digest, shadow| {
            let breakers = if shadow { &self.inner.shadow_breakers } else { &self.inner.breakers };
            breakers.is_out(company, digest)
        })
    }

    /// Whether a plugin of this name plays the role; with a SHA-256, exactly that component.
    pub fn plays(&self, name: &str, sha256: Option<Sha256Digest>, role: Role) -> bool {
        self.inner.registry().find(name, sha256, role).is_some()
    }

    /// The names of the plugins that play the role, in order.
    pub fn names(&self, role: Role) -> Vec<String> {
        self.inner.registry().names(role)
    }

    /// The plugin that is in service under this name.
    pub(super) fn find(&self, name: &str, sha256: Option<Sha256Digest>, role: Role) -> Option<Arc<Plugin>> {
        self.inner.registry().find(name, sha256, role).cloned()
    }

    /// Waits for the company's turn, and runs `work` with the plugin in a fresh store on a blocking thread.
    pub(super) async fn enter<T: Send + 'static>(
        &self,
        entry: Entry<'_>,
        work: impl FnOnce(&Plugin, &mut Store<CallState>) -> wasmtime::Result<Result<T, Failure>> + Send + 'static,
    ) -> CallResult<T> {
        let not_entered = |failure| {
            let outcome =
                Err(PluginError { plugin: entry.plugin.to_owned(), failure, log: Vec::new(), trace: Vec::new() });
            CallResult { outcome, plugin: None }
        };
        let inner = Arc::clone(&self.inner);
        let mode = self.call_mode;
        let (turns, timeout) = match (mode, entry.role) {
            (CallMode::Shadow, _) => (&inner.shadow_turns, limits::ANALYSIS_TURN_TIMEOUT),
            (CallMode::Trial, _) => (&inner.trial_turns, limits::ANALYSIS_TURN_TIMEOUT),
            (CallMode::Active, Role::WebhookAuth) => (&inner.webhook_turns, limits::WEBHOOK_TURN_TIMEOUT),
            (CallMode::Active, _) => (&inner.analysis_turns, limits::ANALYSIS_TURN_TIMEOUT),
        };
        let turn = match turns.take(entry.company, timeout).await {
            Ok(turn) => turn,
            Err(failure) => return not_entered(failure),
        };
        // Only now, so that a call that waited long does not use a plugin that was replaced meanwhile.
        let Some(plugin) = self.find(entry.plugin, entry.sha256, entry.role) else {
            return not_entered(Failure::NotLoaded);
        };
        if inner.breakers_of(mode).is_some_and(|breakers| !breakers.admits(entry.company, plugin.info.digest)) {
            return not_entered(Failure::OutOfService);
        }
        let (company, budget, private) = (entry.company, inner.runtimes.budget(entry.deadline), entry.private);
        let called = {
            let plugin = Arc::clone(&plugin);
            task::spawn_blocking(move || {
                // The turn ends with the work, even if the caller no longer waits for the answer.
                let _turn = turn;
                call::run(plugin.linked.engine(), &plugin.info.name, budget, private, |store| work(&plugin, store))
            })
        };
        match called.await {
            Ok((outcome, usage)) => {
                inner.note(&plugin.info, company, mode, &usage, outcome.as_ref().err());
                CallResult { outcome, plugin: Some((plugin, usage)) }
            }
            Err(error) => {
                let failure = Failure::Host(error.to_string());
                let outcome =
                    Err(PluginError { plugin: plugin.info.name.clone(), failure, log: Vec::new(), trace: Vec::new() });
                CallResult { outcome, plugin: None }
            }
        }
    }
}

impl Inner {
    pub(super) fn acceptance(&self) -> Acceptance<'_> {
        let Self { runtimes, cache, compiler, signatures, .. } = self;
        Acceptance { runtimes, cache: cache.as_ref(), compiler, signatures }
    }

    pub(super) fn registry(&self) -> Arc<Registry> {
        Arc::clone(&self.registry.read())
    }

    fn folder(&self) -> MutexGuard<'_, Option<Folder>> {
        self.folder.lock()
    }

    fn candidates(&self) -> MutexGuard<'_, Vec<Installed>> {
        self.candidates.lock()
    }

    /// Scans the plugin folder, and puts what changed into service.
    fn look(&self, new_files: NewFiles) -> Result<()> {
        let changed = match self.folder().as_mut() {
            Some(folder) => folder.look(&self.acceptance(), new_files)?,
            None => false,
        };
        if changed {
            self.install();
            self.folder_changed.notify_one();
        }
        Ok(())
    }

    /// Builds a registry of all plugins, which new calls use from now on.
    pub(super) fn install(&self) {
        // Locked to the end, so that of two concurrent installations the later one wins.
        let candidates = self.candidates();
        let (of_folder, mut refused): (Vec<(PathBuf, Installed)>, _) = match self.folder().as_ref() {
            Some(folder) => (folder.installed().collect(), folder.refused()),
            None => (Vec::new(), Vec::new()),
        };
        let published = self.published();
        let in_folder = of_folder.iter().map(|(file, one)| FolderPlugin::new(file, &one.plugin.info)).collect();
        let (withdrawn, of_folder): (Vec<_>, Vec<_>) =
            of_folder.into_iter().partition(|(_, one)| published.is_withdrawn(one.plugin.info.digest));
        refused.extend(withdrawn.into_iter().map(|(file, _)| RefusedPlugin::withdrawn(file)));
        refused.extend(published.refused());
        let of_folder = of_folder.into_iter().map(|(_, one)| one);
        let of_operator = published.installed().chain(of_folder).chain(candidates.iter().cloned());
        let all = self.built_in.iter().cloned().chain(of_operator);
        let registry = Registry::new(all);
        *self.refused.write() = refused;
        *self.in_folder.write() = in_folder;
        *self.registry.write() = Arc::new(registry);
    }

    /// None: failures are not counted.
    fn breakers_of(&self, mode: CallMode) -> Option<&Breakers> {
        match mode {
            CallMode::Active => Some(&self.breakers),
            CallMode::Shadow => Some(&self.shadow_breakers),
            CallMode::Trial => None,
        }
    }

    /// Counts a call, and logs one that failed.
    fn note(
        &self,
        plugin: &PluginInfo,
        company: CompanyId,
        mode: CallMode,
        usage: &Usage,
        failed: Option<&PluginError>,
    ) {
        let Some(breakers) = self.breakers_of(mode) else { return };
        let shadow = mode == CallMode::Shadow;
        self.statistics.note(plugin, company, shadow, usage, failed);
        let misbehaved = failed.is_some_and(|error| error.failure.is_misbehaviour());
        if let Some(error) = failed {
            tracing::warn!(plugin = %plugin.name, version = %plugin.version, %company, shadow, "{error}");
        }
        if breakers.note(company, plugin.digest, misbehaved) {
            tracing::error!(plugin = %plugin.name, version = %plugin.version, digest = %plugin.digest, %company, shadow,
                            "the plugin failed too often in a row and is not called for a while");
        }
    }
}

fn watch(inner: &Weak<Inner>) {
    let mut logged = false;
    while let Some(inner) = inner.upgrade() {
        match inner.look(NewFiles::WaitUntilStable) {
            Ok(()) => logged = false,
            // Once, not twice a second.
            Err(error) if !logged => {
                tracing::error!("{error:#}");
                logged = true;
            }
            Err(_) => {}
        }
        drop(inner);
        thread::sleep(SCAN_INTERVAL);
    }
}

/// As many as there are cores, within what the engine's pool holds.
fn concurrent_calls() -> usize {
    thread::available_parallelism().map_or(2, usize::from).min(engine::MAX_CONCURRENT_CALLS)
}
