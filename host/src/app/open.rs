//! Opens the parts that the settings name.

use std::{
    num::NonZeroUsize,
    path::Path,
    sync::Arc,
    thread::available_parallelism,
    time::{Duration, Instant},
};

use anyhow::Context;
use sealwright_child_process::this_program;
use tokio::sync::Semaphore;

use super::{
    App, Wake,
    access_key::KnownKeys,
    analysis::KeptComponents,
    event_waiters::EventWaiters,
    facts,
    frame::frame_cache,
    health::Health,
    metrics::Metrics,
    private_files,
    public_work::PublicWork,
    published,
    rate_limit::RateLimiter,
    seal_log::{LogWitnesses, SealLog},
    session::{self, SignIns, caller_cache},
    templates::Templates,
    token::TokenKeys,
    verification, witness,
};
use crate::{
    blobs::Blobs,
    clock::Clock,
    config::{Config, ConsoleOpenIdSettings, FieldOpenIdSettings, SealSettings},
    db::Db,
    domain::console::Action,
    egress::{Egress, EgressOptions},
    error::Error,
    openid::Provider,
    plugins::{CompiledFolder, PluginHost, PluginOptions},
    revocation::RevocationSource,
    secrets::{SecretKey, SecretKeyError},
    signing::SealKeys,
    time_stamping::{Authorities, TimeSources},
};

/// The pause between two attempts to open an unavailable database.
const FIRST_PAUSE: Duration = Duration::from_millis(250);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

impl App {
    /// Opens database, blob store and plugins, migrating the database first; creates the secret key, the key that signs
    /// tokens and the data directory if they are missing.
    pub async fn open(config: Config, clock: Clock) -> anyhow::Result<Self> {
        private_files::make_data_dir(&config)?;
        let db = Db::open(config.database_url.expose()).await?;
        Box::pin(Self::open_on(db, config, clock)).await
    }

    /// Like [`App::open`], but waits for an unavailable database, for `database_wait` at most, so that a whole cluster
    /// can be started at once. `waiting` runs once if there is a wait.
    pub async fn open_patiently(config: Config, clock: Clock, waiting: impl FnOnce()) -> anyhow::Result<Self> {
        private_files::make_data_dir(&config)?;
        let db = await_database(&config, waiting).await?;
        Box::pin(Self::open_on(db, config, clock)).await
    }

    async fn open_on(db: Db, config: Config, clock: Clock) -> anyhow::Result<Self> {
        let templates = Arc::new(Templates::new(config.template_dir.clone()));
        let secrets = secret_key(&config.secret_key_file, &db).await?;
        let plugins = open_plugins(&config, &secrets);
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
        let openid = open_field_provider(&config, &clock)?;
        let console_openid = open_console_provider(&config, &clock)?;
        let provenance_roots = facts::provenance_roots(config.analysis.provenance_trust.as_deref())?;
        let seal_log = SealLog::new(&secrets, &config.base_url);
        let log_witnesses = LogWitnesses::new()?;
        let rates = RateLimiter::new(&db, clock.clone());
        let metrics = Arc::new(Metrics::default().with_parts(&db, &blobs));
        let cores = available_parallelism().map_or(1, NonZeroUsize::get);
        let app = Self {
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
            public_work: PublicWork::new(cores),
            sign_ins: SignIns::new(cores),
            openid: openid.map(Box::new),
            console_openid: console_openid.map(Box::new),
            known_keys: KnownKeys::default(),
            frames: frame_cache(),
            health: Health::default(),
            checks: Arc::default(),
            components: KeptComponents::default(),
            published: published::PublishedTracker::default(),
            // A report has a few kilobytes for each item.
            verified: verification::CheckCache::new(256),
            rates,
            seal_log,
            log_witnesses,
            witness_key: witness::key::KeyPurpose::default(),
            traffic: Arc::default(),
            metrics,
            heavy: Arc::new(Semaphore::new(cores)),
            // One more than one company's analyses may use on a small machine: another company gets a turn.
            reading: Arc::new(Semaphore::new(cores.max(2) + 1)),
            provenance_roots,
            wake: Wake::default(),
            event_waiters: EventWaiters::default(),
            config,
        };
        // Anything that is unavailable now is fetched while the server runs.
        if let Err(error) = published::catch_up(&app).await {
            tracing::error!(%error, "the published plugins and templates are not known yet");
        }
        Ok(app)
    }
}

async fn await_database(config: &Config, waiting: impl FnOnce()) -> anyhow::Result<Db> {
    // A file exists or not: waiting would only hide a mistyped path.
    let timeout = if Db::file(config.database_url.expose()).is_some() { Duration::ZERO } else { config.database_wait };
    let start = Instant::now();
    let mut waiting = Some(waiting);
    let mut pause = FIRST_PAUSE;
    loop {
        let error = match Db::open(config.database_url.expose()).await {
            Ok(db) => return Ok(db),
            Err(error) => Error::from(error),
        };
        if !error.is_temporary() || start.elapsed() >= timeout {
            return Err(error.into());
        }
        if let Some(waiting) = waiting.take() {
            waiting();
        }
        tracing::warn!(%error, ?timeout, "the database is not available yet: retrying");
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}

/// Reads the secret key, or creates it if nothing in the database is encrypted: a mistyped path must not give an
/// installation another key.
async fn secret_key(path: &Path, db: &Db) -> anyhow::Result<SecretKey> {
    let Some(key) = SecretKey::load(path)? else {
        return match TokenKeys::are_readable(db, &SecretKey::throw_away()).await? {
            None => Ok(SecretKey::load_or_create(path)?),
            Some(_) => Err(SecretKeyError::Lost { path: path.to_owned() }.into()),
        };
    };
    match TokenKeys::are_readable(db, &key).await? {
        Some(false) => Err(SecretKeyError::Wrong { path: path.to_owned() }.into()),
        _ => Ok(key),
    }
}

/// The operator's time-stamping authorities, or else the development authority.
pub(super) fn time_sources(config: &Config, keys: &SealKeys, clock: &Clock) -> anyhow::Result<TimeSources> {
    let SealSettings { tsa_urls: urls, tsa_timeout: timeout, tsa_pause: pause, tsa_quorum: quorum, .. } =
        config.seal.clone();
    if urls.is_empty() {
        let authority = keys.development_time_stamps()?.context("there is no development authority")?;
        return Ok(TimeSources::development(authority, clock.clone()));
    }
    let roots = verification::time_roots(config).context("seal.trust")?;
    TimeSources::authorities(Authorities { urls, timeout, pause, roots, quorum }, clock.clone())
}

/// The OpenID Connect provider of the field app. It is not asked anything before a person signs in: an unreachable one
/// stops no server.
pub(super) fn open_field_provider(config: &Config, clock: &Clock) -> anyhow::Result<Option<Provider>> {
    let open = |settings: &FieldOpenIdSettings| {
        let redirect = format!("{}{}", config.base_url, session::openid::CALLBACK);
        Provider::new(&settings.provider, redirect, &[], clock.clone()).context("field.oidc_…")
    };
    config.field.openid.as_ref().map(open).transpose()
}

/// The OpenID Connect provider of the console.
pub(super) fn open_console_provider(config: &Config, clock: &Clock) -> anyhow::Result<Option<Provider>> {
    let open = |settings: &ConsoleOpenIdSettings| {
        let redirect = format!("{}{}", config.base_url, Action::FinishOpenIdSignIn.properties().path);
        // Users are made from names, too.
        Provider::new(&settings.provider, redirect, &["profile", "email"], clock.clone()).context("console.openid.…")
    };
    config.console.openid.as_ref().map(open).transpose()
}

/// Loads the plugins, compiling those that the cache does not hold.
pub(super) async fn open_plugins(config: &Config, secrets: &SecretKey) -> anyhow::Result<PluginHost> {
    let CompiledFolder { folder: cache_dir, key: cache_key } = CompiledFolder::of(&config.data_dir, secrets);
    let options = PluginOptions {
        cache_dir,
        cache_key,
        plugin_dir: Some(config.plugin_dir.clone()),
        compiler: Some(this_program()),
        fuel_per_second: Some(config.plugins.fuel_per_second),
        signatures: config.plugins.signatures.clone(),
    };
    let host = tokio::task::spawn_blocking(move || PluginHost::new(options)).await??;
    for refused in host.refused() {
        tracing::error!(file = %refused.file.display(), reason = %refused.reason, "a plugin was not loaded");
    }
    Ok(host)
}
