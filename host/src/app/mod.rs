//! Use cases: authorise, begin, apply the rules, store, enqueue, commit. One file for each resource.
//!
//! A use case takes the [`App`] and, if there is a caller, the [`Caller`](session::Caller) whose right the router has
//! already checked. It does not know HTTP.

pub mod access_key;
pub mod analysis;
pub mod appearance;
pub mod apply;
pub mod archive;
pub mod audit;
pub mod backtest;
pub mod backup;
pub mod capture;
pub mod case;
pub mod case_search;
pub mod checks;
pub mod company_options;
pub mod console;
pub mod disclosure;
pub mod erasure;
pub mod event;
pub mod event_waiters;
pub mod export;
pub mod facts;
pub mod frame;
pub mod health;
pub mod idempotency;
pub mod item;
pub mod legal_hold;
pub mod link;
pub mod media;
pub mod memory_budget;
pub mod metrics;
mod open;
pub mod openid;
pub mod orphans;
pub mod overview;
pub mod package;
pub mod plugins;
pub mod private_files;
pub mod public_work;
pub mod published;
pub mod queue;
pub mod rate_limit;
pub mod registry;
pub mod report;
pub mod retake;
pub mod retention;
pub mod seal;
pub mod seal_keys;
pub mod seal_log;
pub mod search;
pub mod session;
pub mod share;
mod shown_item;
mod single_flight;
pub mod templates;
#[cfg(test)]
mod test_app;
pub mod time_stamp;
pub mod token;
pub mod tools;
pub mod traffic;
pub mod upload;
pub mod verification;
pub mod webhook;
pub mod witness;
mod zip_stream;

use std::sync::Arc;

use tokio::sync::{Notify, Semaphore};

use crate::{
    blobs::Blobs,
    clock::Clock,
    config::Config,
    db::Db,
    egress::Egress,
    error::{Error, Result},
    openid::Provider,
    plugins::PluginHost,
    revocation::RevocationSource,
    secrets::SecretKey,
    signing::SealKeys,
    store::job::JobKind,
    time_stamping::TimeSources,
};

/// Everything a use case works with. One for each process, shared by requests and jobs.
pub struct App {
    pub config: Config,
    pub clock: Clock,
    pub db: Db,
    pub blobs: Blobs,
    pub plugins: PluginHost,
    pub egress: Egress,
    pub templates: Arc<templates::Templates>,
    pub secrets: SecretKey,
    pub seal_keys: Arc<SealKeys>,
    pub time: TimeSources,
    pub revocation: RevocationSource,
    pub tokens: token::TokenKeys,
    pub callers: session::CallerCache,
    pub public_work: public_work::PublicWork,
    pub sign_ins: session::SignIns,
    /// By which field users may sign in.
    pub openid: Option<Box<Provider>>,
    /// By which users of the console may sign in.
    pub console_openid: Option<Box<Provider>>,
    pub known_keys: access_key::KnownKeys,
    pub frames: frame::FrameCache,
    pub health: health::Health,
    pub checks: Arc<checks::KeptChecks>,
    pub components: analysis::KeptComponents,
    pub published: published::PublishedTracker,
    pub verified: verification::CheckCache,
    pub rates: rate_limit::RateLimiter,
    pub seal_log: seal_log::SealLog,
    pub log_witnesses: seal_log::LogWitnesses,
    pub witness_key: witness::key::KeyPurpose,
    pub traffic: Arc<traffic::Traffic>,
    pub metrics: Arc<metrics::Metrics>,
    /// Decoding pictures and signing cost CPU and memory: as many at once as there are cores.
    pub heavy: Arc<Semaphore>,
    /// Reading files for their facts costs a process each, with text recognition for up to minutes: one more at once than
    /// there are cores, and never in the way of `heavy`.
    pub reading: Arc<Semaphore>,
    /// The roots of trusted signers of content credentials, in PEM; empty if none are.
    pub provenance_roots: Arc<str>,
    pub wake: Wake,
    pub event_waiters: event_waiters::EventWaiters,
}

/// Wakes the tasks of this process that wait for an event. They read the database themselves, and read it again after a
/// while in case another process caused the event.
#[derive(Debug, Default)]
pub struct Wake {
    /// In the order of the kinds.
    jobs: [Notify; JobKind::ALL.len()],
    /// A certificate was rendered, given up or deleted.
    pub certificate: Notify,
}

impl Wake {
    /// Where the worker for `kind` waits.
    pub fn job(&self, kind: JobKind) -> &Notify {
        &self.jobs[kind as usize]
    }
}

impl App {
    /// `path` below the public root, for example `/share/case/…`.
    pub fn public_url(&self, path: &str) -> String {
        format!("{}{path}", self.config.base_url)
    }

    /// Runs `work` on a blocking thread, as many at once as there are cores.
    pub async fn run_heavy<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
        run_within(&self.heavy, work).await
    }
}

/// Runs `work` on a blocking thread, once `permits` has a free permit. The permit is held until the work is done, even
/// if the caller is gone.
async fn run_within<T: Send + 'static>(
    permits: &Arc<Semaphore>,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T> {
    let permit = Arc::clone(permits).acquire_owned().await.map_err(Error::internal)?;
    let task = tokio::task::spawn_blocking(move || {
        let _permit = permit;
        work()
    });
    task.await.map_err(Error::internal)
}
