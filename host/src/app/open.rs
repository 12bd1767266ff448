//! Putting the parts together that the settings name.

use std::{num::NonZeroUsize, sync::Arc, thread::available_parallelism};

use anyhow::Context;
use sealwright_child_process::this_program;
use tokio::sync::Semaphore;

use super::{
    App, Wake, analysis::KeptComponents, frame::frame_cache, health::Health, rate_limit::RateLimiter,
    seal_log::SealLog, session::caller_cache, templates::Templates, token::TokenKeys, verification,
};
use crate::{
    blobs::Blobs,
    clock::Clock,
    config::{Config, SealSettings},
    db::Db,
    egress::{Egress, EgressOptions},
    plugins::{CompiledFolder, PluginHost, PluginOptions},
    revocation::RevocationSource,
    secrets::SecretKey,
    signing::SealKeys,
    time_stamping::{Authorities, TimeSources},
};

impl App {
    /// Opens database, blob store and plugins, migrating the database first; makes the secret key, the key that signs
    /// tokens and the data directory where they are missing.
    pub async fn open(config: Config, clock: Clock) -> anyhow::Result<Self> {
        std::fs::create_dir_all(&config.data_dir)
            .with_context(|| format!("making the data directory {}", config.data_dir.display()))?;
        let secrets = SecretKey::load_or_create(&config.secret_key_file)?;
        let plugins = open_plugins(&config, &secrets);
        let templates = Arc::new(Templates::new(config.template_dir.clone()));
        let db = Db::open(config.database_url.expose()).await?;
        let blobs = Blobs::open(config.blob_url.as_str())?;
        let tokens = TokenKeys::load(&db, &secrets, &config.base_url).await?;
        let egress = Egress::new(EgressOptions {
            timeout: config.webhook.timeout,
            allow_private_addresses: config.webhook.allow_private_addresses,
        })?;
        let seal_keys =
            SealKeys::load_or_create(&config.seal, &config.data_dir, clock.now()).context("the seal's key")?;
        verification::record(&db, &config, &seal_keys, clock.now()).await?;
        let time = time_sources(&config, &seal_keys, &clock)?;
        let private_networks = config.seal.revocation_private_addresses.clone();
        let revocation = RevocationSource::new(clock.clone(), private_networks)?;
        let seal_log = SealLog::new(&secrets, &config.base_url);
        let rates = RateLimiter::new(&db, clock.clone());
        let cores = available_parallelism().map_or(1, NonZeroUsize::get);
        Ok(Self {
            clock,
            db,
            blobs,
            plugins: plugins.await?,
            egress,
            templates,
            secrets,
            seal_keys: Arc::new(seal_keys),
            time,
            revocation,
            tokens,
            callers: caller_cache(),
            frames: frame_cache(),
            health: Health::default(),
            components: KeptComponents::default(),
            // A report has a few kilobytes for each item.
            verified: verification::Remembered::new(256),
            rates,
            seal_log,
            heavy: Arc::new(Semaphore::new(cores)),
            // One more than the analyses that one company may have running on a small machine: another finds a turn.
            reading: Arc::new(Semaphore::new(cores.max(2) + 1)),
            wake: Wake::default(),
            config,
        })
    }
}

/// The operator's time-stamping authorities, or else the development authority.
pub(super) fn time_sources(config: &Config, keys: &SealKeys, clock: &Clock) -> anyhow::Result<TimeSources> {
    let SealSettings { tsa_urls: urls, tsa_timeout: timeout, tsa_pause: pause, .. } = config.seal.clone();
    if urls.is_empty() {
        let authority = keys.development_time_stamps()?.context("there is no development authority")?;
        return Ok(TimeSources::development(authority, clock.clone()));
    }
    let roots = verification::time_roots(config).context("seal.trust")?;
    TimeSources::authorities(Authorities { urls, timeout, pause, roots }, clock.clone())
}

/// Loads the plugins, compiling those that the cache does not hold.
pub(super) async fn open_plugins(config: &Config, secrets: &SecretKey) -> anyhow::Result<PluginHost> {
    let CompiledFolder { folder: cache_dir, key: cache_key } = CompiledFolder::of(&config.data_dir, secrets);
    let options = PluginOptions {
        cache_dir,
        cache_key,
        plugin_dir: Some(config.plugin_dir.clone()),
        compiler: Some(this_program()),
    };
    let host = tokio::task::spawn_blocking(move || PluginHost::new(options)).await??;
    for refused in host.refused() {
        tracing::error!(file = %refused.file.display(), reason = %refused.reason, "a plugin was not loaded");
    }
    Ok(host)
}
