//! One call of a plugin: a fresh store under limits, the log, and the classification of failures.

use std::time::{Duration, Instant};

use sealwright_base::secrets::SecretString;
use wasmtime::{Engine, Store, Trap, component::ResourceTable};

use super::{
    bindings::sealwright::plugin::{log, types},
    engine,
    error::{Failure, PluginError},
    limits::{self, Budget, Limiter},
    panic_message, sched_slice, trace,
    wasi::Wasi,
};

/// The host's state of one call. It is dropped with the store when the call is over.
pub(super) struct CallState {
    plugin: String,
    pub(super) resources: ResourceTable,
    limiter: Limiter,
    log: Log,
    /// How many bytes the plugin may still have hashed.
    hashable_bytes: usize,
    /// Secrets that must not appear in anything that the plugin writes for people.
    private: Vec<SecretString>,
    pub(super) wasi: Wasi,
}

/// What the plugin wrote, up to the limit.
#[derive(Default)]
struct Log {
    lines: Vec<String>,
    bytes: usize,
    full: bool,
}

/// What a call used.
#[derive(Clone, Debug, Default)]
pub(super) struct Usage {
    /// From making the store to the answer.
    pub(super) time: Duration,
    /// The most linear memory, in bytes.
    pub(super) memory: usize,
    /// Units of fuel, about one for each instruction. None: fuel is not counted.
    pub(super) fuel: Option<u64>,
    /// What the plugin logged, line by line.
    pub(super) log: Vec<String>,
}

/// Runs `work` in a fresh store, and returns what it used, also if it failed. `private` are the secrets that the call
/// is given.
pub(super) fn run<T>(
    engine: &Engine,
    plugin: &str,
    budget: Budget,
    private: Vec<SecretString>,
    work: impl FnOnce(&mut Store<CallState>) -> wasmtime::Result<Result<T, Failure>>,
) -> (Result<T, PluginError>, Usage) {
    sched_slice::request_short();
    let started = Instant::now();
    let mut store = store(engine, plugin, budget, private);
    let worked = work(&mut store);
    let time = started.elapsed();
    let fuel = budget.fuel.and_then(|given| Some(given.saturating_sub(store.get_fuel().ok()?)));
    store.data_mut().finish_printing();
    let outcome = match worked {
        Ok(Ok(answer)) => Ok(answer),
        Ok(Err(failure)) => Err((failure, Vec::new())),
        Err(error) => Err((stopped(&error, store.data(), budget), trace::of(&error))),
    };
    let CallState { plugin, limiter, log, .. } = store.into_data();
    let usage = Usage { time, memory: limiter.memory(), fuel, log: log.lines.clone() };
    (outcome.map_err(|(failure, trace)| PluginError { plugin, failure, log: log.lines, trace }), usage)
}

fn store(engine: &Engine, plugin: &str, budget: Budget, private: Vec<SecretString>) -> Store<CallState> {
    let mut resources = ResourceTable::new();
    resources.set_max_capacity(limits::HANDLES);
    let state = CallState {
        plugin: plugin.to_owned(),
        resources,
        limiter: Limiter::default(),
        log: Log::default(),
        hashable_bytes: limits::HASHED_BYTES,
        private,
        wasi: Wasi::default(),
    };
    let mut store = Store::new(engine, state);
    store.limiter(|state| &mut state.limiter);
    store.set_epoch_deadline(engine::epochs(budget.time));
    if let Some(fuel) = budget.fuel {
        store.set_fuel(fuel).expect("an engine without fuel gets no budget of fuel (`runtime.rs`)");
    }
    store.set_hostcall_fuel(limits::TRANSFER_BYTES);
    store.set_max_component_handles(limits::HANDLES);
    store
}

/// Why a call ended without an answer.
fn stopped(error: &wasmtime::Error, state: &CallState, budget: Budget) -> Failure {
    match error.downcast_ref::<Trap>() {
        Some(Trap::Interrupt) => return Failure::Deadline(budget.time),
        Some(Trap::OutOfFuel) => return Failure::Fuel(budget.fuel.unwrap_or_default()),
        _ => {}
    }
    if let Some(growth) = state.limiter.refused() {
        return Failure::Memory(growth.to_owned());
    }
    // The outermost message is a backtrace of addresses, which is useless to an operator.
    let cause = error.root_cause().to_string();
    // Languages abort with `unreachable`, which gives no reason; any other trap says more than the log.
    match panic_message::find(&state.log.lines) {
        Some(message) if error.downcast_ref::<Trap>() == Some(&Trap::UnreachableCodeReached) => {
            Failure::Trap(format!("an error that it did not catch: {message}"))
        }
        _ => Failure::Trap(cause),
    }
}

impl CallState {
    /// The plugin's own error, fit to be shown to the operator.
    pub(super) fn declined(&self, error: types::Error) -> Failure {
        let tidy = |text: String| shorten(&self.tidy(&text), limits::MESSAGE_BYTES).to_owned();
        match error {
            types::Error::InvalidInput(text) => Failure::InvalidInput(tidy(text)),
            types::Error::Unsupported(text) => Failure::Unsupported(tidy(text)),
            types::Error::Internal(text) => Failure::Plugin(tidy(text)),
        }
    }

    /// Subtracts `bytes` from what the plugin may still have hashed, or ends the call.
    pub(super) fn spend_hashing(&mut self, bytes: usize) -> wasmtime::Result<()> {
        self.hashable_bytes = self
            .hashable_bytes
            .checked_sub(bytes)
            .ok_or_else(|| wasmtime::format_err!("it requested hashes of more than {} bytes", limits::HASHED_BYTES))?;
        Ok(())
    }

    /// A plugin's text without secrets, line breaks and other control characters.
    fn tidy(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for private in self.private.iter().map(SecretString::expose).filter(|private| !private.is_empty()) {
            text = text.replace(private, "[secret]");
        }
        text.replace(char::is_control, "\u{fffd}")
    }
}

impl types::Host for CallState {}

impl log::Host for CallState {
    fn log(&mut self, level: log::Level, text: String) -> wasmtime::Result<()> {
        if self.log.full {
            return Ok(());
        }
        let text = self.tidy(&text);
        let line = shorten(&text, limits::LOG_BYTES - self.log.bytes);
        let plugin = self.plugin.as_str();
        match level {
            log::Level::Debug => tracing::debug!(plugin, "{line}"),
            log::Level::Info => tracing::info!(plugin, "{line}"),
            log::Level::Warn => tracing::warn!(plugin, "{line}"),
            log::Level::Error => tracing::error!(plugin, "{line}"),
        }
        // A line counts at least one byte; otherwise the number of empty lines would be unlimited.
        self.log.bytes += line.len().max(1);
        self.log.full = line.len() < text.len() || self.log.bytes >= limits::LOG_BYTES;
        self.log.lines.push(line.to_owned());
        if self.log.full {
            tracing::warn!(plugin, "the plugin logged more than {} bytes; the rest is dropped", limits::LOG_BYTES);
            self.log.lines.push(format!("(the rest is dropped: the limit is {} bytes per call)", limits::LOG_BYTES));
        }
        Ok(())
    }
}

/// The start of `text`, at most `bytes` long, without splitting a character.
fn shorten(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}
