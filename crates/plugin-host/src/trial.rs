//! One call for the plugin's author (`sealwright plugin run`): a host with only this plugin, under the limits of a
//! server, and everything that can be reported about the call.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::Result;
use hyper::header::{HeaderName, HeaderValue};
use sealwright_base::secrets::SecretKey;

use super::{
    PluginError, PluginHost, Role, Run, WebhookCredential, WebhookRequest, cache::CompiledCache, call::Usage,
    host::CallResult, limits,
};

/// The outcome of a trial call.
#[derive(Debug)]
pub struct Trial<T> {
    pub outcome: Result<T, PluginError>,
    /// What the plugin logged or printed, line by line.
    pub log: Vec<String>,
    /// Inside the plugin.
    pub time: Duration,
    /// The most linear memory that it had, in bytes.
    pub memory: u64,
    /// Units of fuel that it used. None: not counted, or no plugin was called.
    pub fuel: Option<u64>,
}

/// What a call of a role may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    pub time: Duration,
    /// Of each linear memory, in bytes.
    pub memory: u64,
    pub fuel: u64,
}

impl Allowance {
    pub fn of(role: Role, fuel_per_second: u64) -> Self {
        let time = match role {
            Role::WebhookAuth => limits::WEBHOOK_AUTH_DEADLINE,
            Role::DocumentType | Role::CrossCheck | Role::Falsification => limits::DOCUMENT_DEADLINE,
            Role::Signal => limits::SIGNAL_DEADLINE,
        };
        Self { time, memory: limits::MEMORY_BYTES as u64, fuel: limits::fuel(time, fuel_per_second) }
    }
}

/// Where an installation stores compiled components, and the key that authenticates them.
#[derive(Clone)]
pub struct CompiledFolder {
    pub folder: PathBuf,
    /// Anyone who knows it can make this process run arbitrary machine code.
    pub key: [u8; 32],
}

impl CompiledFolder {
    pub fn of(data_dir: &Path, secrets: &SecretKey) -> Self {
        Self { folder: data_dir.join("plugin-cache"), key: secrets.derive("plugin-cache") }
    }

    /// Creates the folder if it does not exist.
    pub(super) fn open(self) -> Result<CompiledCache> {
        CompiledCache::open(self.folder, self.key)
    }
}

impl PluginHost {
    /// A host without built-in plugins and plugin folder, for [`admit`](Self::admit), which accepts unsigned components
    /// too. `program` is this program, which compiles in a child; without it components are compiled here. Compiled
    /// components are stored in `compiled`, if given.
    pub fn for_trial(program: Option<PathBuf>, compiled: Option<CompiledFolder>, fuel_per_second: u64) -> Result<Self> {
        let cache = compiled.map(CompiledFolder::open).transpose()?;
        Self::bare(program, cache, Some(fuel_per_second))
    }

    /// Like [`authenticate_webhook`](Self::authenticate_webhook), with everything that can be reported about the call.
    pub async fn try_webhook_mode(
        &self,
        mode: &str,
        request: WebhookRequest,
        credential: WebhookCredential,
    ) -> Trial<Vec<(HeaderName, HeaderValue)>> {
        self.enter_webhook_mode(mode, request, credential).await.into()
    }
}

impl<T> Trial<T> {
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Trial<U> {
        let Self { outcome, log, time, memory, fuel } = self;
        Trial { outcome: outcome.map(change), log, time, memory, fuel }
    }
}

impl<T> From<CallResult<T>> for Trial<T> {
    fn from(result: CallResult<T>) -> Self {
        let Usage { time, memory, fuel, log } = result.plugin.map(|(_, usage)| usage).unwrap_or_default();
        Self { outcome: result.outcome, log, time, memory: memory as u64, fuel }
    }
}

impl<T> From<Run<T>> for Trial<T> {
    fn from(run: Run<T>) -> Self {
        let (time, memory, fuel) = match &run.record {
            Some(record) => (Duration::from_micros(record.micros), record.memory, record.fuel),
            None => (Duration::ZERO, 0, None),
        };
        Self { outcome: run.outcome, log: run.log, time, memory, fuel }
    }
}
