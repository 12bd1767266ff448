//! Use cases: authorise, begin, apply the rules, store, enqueue, commit. One file for each resource.
//!
//! A use case takes the [`App`] and, where somebody calls, the [`Caller`](session::Caller) whose right the router has
//! already checked. It knows no HTTP.

pub mod access_key;
pub mod analysis;
pub mod apply;
pub mod archive;
pub mod case;
pub mod company_options;
pub mod doctor;
pub mod facts;
pub mod frame;
pub mod health;
pub mod installation;
pub mod item;
pub mod link;
pub mod media;
pub mod metrics;
mod open;
pub mod orphans;
pub mod overview;
pub mod plugins;
pub mod private_files;
pub mod public_work;
pub mod published;
pub mod queue;
pub mod rate_limit;
pub mod report;
pub mod seal;
pub mod seal_keys;
pub mod seal_log;
pub mod search;
pub mod session;
pub mod share;
mod shown_item;
mod single_flight;
pub mod template;
pub mod templates;
pub mod time_stamp;
pub mod token;
pub mod traffic;
pub mod trial;
pub mod verification;
pub mod webhook;

use std::sync::Arc;

use tokio::sync::{Notify, Semaphore};

use crate::{
    blobs::Blobs,
    clock::Clock,
    config::Config,
    db::Db,
    egress::Egress,
    error::{Error, Result},
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
    pub known_keys: access_key::KnownKeys,
    pub frames: frame::FrameCache,
    pub health: health::Health,
    pub components: analysis::KeptComponents,
    pub published: published::Following,
    pub verified: verification::Remembered,
    pub rates: rate_limit::RateLimiter,
    pub seal_log: seal_log::SealLog,
    pub traffic: Arc<traffic::Traffic>,
    /// Decoding pictures and signing cost CPU and memory: as many at once as there are cores.
    pub heavy: Arc<Semaphore>,
    /// Reading files for their facts costs a process each, with text recognition for up to minutes: one more at once than
    /// there are cores, and never in the way of `heavy`.
    pub reading: Arc<Semaphore>,
    pub wake: Wake,
}

/// Tells those who wait in this process that something may have happened. They look at the database themselves, and look
/// again after a while in case another process did it.
#[derive(Debug, Default)]
pub struct Wake {
    /// In the order of the kinds.
    jobs: [Notify; JobKind::ALL.len()],
    /// A certificate was rendered, given up, or deleted.
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

    /// Runs `work` on a thread that may be kept busy, as many at once as there are cores.
    pub async fn run_heavy<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
        run_within(&self.heavy, work).await
    }
}

/// Runs `work` on a thread that may be kept busy, once `permits` has one to give. The permit is held until the work is
/// done, also where the caller has gone away.
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
