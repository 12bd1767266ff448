//! The running server: listeners and workers, from the first bind to the last drain.

use std::{net::SocketAddr, os::fd::AsFd, path::Path, sync::Arc};

use anyhow::Context;
use clap::ValueEnum;
use tokio::{net::TcpListener, runtime::Handle, task::JoinSet};
use tokio_util::sync::CancellationToken;

use super::descriptors;
use crate::{
    app::{App, metrics, plugins, private_files, published},
    clock::Clock,
    config::Config,
    http::{ConnectionLimits, HttpListener, admin_router, router, serve, starting_router, witness_router},
    jobs,
    otlp::Otlp,
};

/// The halves of the work, to scale them separately.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Role {
    /// Everything
    All,
    /// Only the HTTP interface
    Api,
    /// Only jobs and sweeps
    Worker,
    /// Only cosigning the logs of others: `sealwright witness`
    #[value(skip)]
    Witness,
}

impl Role {
    pub const fn serves_http(self) -> bool {
        matches!(self, Self::All | Self::Api | Self::Witness)
    }

    pub const fn runs_jobs(self) -> bool {
        matches!(self, Self::All | Self::Worker)
    }
}

/// Opens what the settings name and serves until SIGTERM or Ctrl-C. Then drains: accepts no new connections and lets
/// requests in flight and running jobs finish, for 30 s at most. `prepare` runs before the first request is answered;
/// connections that arrive meanwhile wait in the listener's queue.
pub(super) async fn run(
    mut config: Config,
    otlp: Option<Otlp>,
    role: Role,
    prepare: impl AsyncFnOnce(&App) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let stop = stop_signal()?;
    if let Some(otlp) = &otlp {
        otlp.run_on(Handle::current());
    }
    let most =
        ConnectionLimits::within(descriptors::raise(), config.http.connections, config.http.connections_per_address);
    warn_of_few_descriptors(&config, most);
    private_files::make_data_dir(&config)?;
    let public = if role.serves_http() { Some(bind(config.listen, "listen").await?) } else { None };
    let admin = bind(config.admin_listen, "admin_listen").await?;
    if let Some(listener) = &public {
        let address = listener.local_addr()?;
        // Port 0 is known only now.
        config.listens_on(address);
        note_address(&config.data_dir, "listen.address", address)?;
    }
    note_address(&config.data_dir, "admin.address", admin.local_addr()?)?;

    let started = stop.child_token();
    let settings = config.clone();
    let waiting = || answer_while_starting(public.as_ref(), most, &settings, &started);
    let opened = tokio::select! {
        opened = App::open_patiently(config, Clock::system(), waiting) => opened,
        () = stop.cancelled() => return Ok(()),
    };
    started.cancel();
    let app = Arc::new(opened?);
    warn_of_missing_plugins(&app).await?;
    app.plugins.watch()?;
    prepare(&app).await?;
    let mut parts = JoinSet::new();
    parts.spawn(published::watch(Arc::clone(&app), stop.clone()));
    if let Some(otlp) = otlp.clone() {
        let (app, stop) = (Arc::clone(&app), stop.clone());
        parts.spawn(async move { otlp.export_metrics(|| Box::pin(metrics::encode(&app)), &stop).await });
    }
    let admin = HttpListener::admin(admin, admin_router(Arc::clone(&app)), &app.config);
    parts.spawn(serve(admin, stop.clone()));
    if let Some(listener) = public {
        let router = match role {
            Role::Witness => witness_router(Arc::clone(&app), most),
            Role::All | Role::Api | Role::Worker => router(Arc::clone(&app), most),
        };
        let public = HttpListener::public(listener, router, most, &app.config, Arc::clone(&app.traffic));
        parts.spawn(serve(public, stop.clone()));
    }
    {
        let (app, stop) = (Arc::clone(&app), stop.clone());
        parts.spawn(async move {
            stop.cancelled().await;
            app.event_waiters.release();
        });
    }
    if role.runs_jobs() {
        let (app, stop) = (Arc::clone(&app), stop.clone());
        parts.spawn(jobs::run(app, stop));
    }
    while parts.join_next().await.is_some() {}
    if let Some(otlp) = otlp {
        otlp.finish(Box::pin(metrics::encode(&app))).await;
    }
    app.db.close().await;
    tracing::info!("stopped");
    Ok(())
}

/// Answers `/healthz` until `started` is cancelled, on a second handle to the socket.
fn answer_while_starting(
    listener: Option<&TcpListener>,
    most: ConnectionLimits,
    config: &Config,
    started: &CancellationToken,
) {
    let Some(listener) = listener else { return };
    let shared = listener.as_fd().try_clone_to_owned().map(std::net::TcpListener::from).and_then(TcpListener::from_std);
    match shared {
        Ok(listener) => {
            let starting = HttpListener::public(listener, starting_router(config, most), most, config, Arc::default());
            drop(tokio::spawn(serve(starting, started.clone())));
        }
        Err(error) => tracing::warn!(%error, "requests cannot be answered during startup"),
    }
}

/// Warns of a setting that the open-file limit does not allow.
fn warn_of_few_descriptors(config: &Config, most: ConnectionLimits) {
    if config.http.connections.is_some_and(|asked| asked > most.total) {
        tracing::warn!(
            connections = most.total,
            "http.connections exceeds what the open-file limit allows: raise that limit (`ulimit -Hn`)"
        );
    }
}

/// Warns of plugins that company manifests name but that are not loaded. Otherwise their missing verdicts go unnoticed.
async fn warn_of_missing_plugins(app: &App) -> anyhow::Result<()> {
    for missing in plugins::missing(&app.db, &app.plugins).await? {
        tracing::warn!("{missing}");
    }
    Ok(())
}

/// Cancelled by SIGTERM or Ctrl-C.
fn stop_signal() -> anyhow::Result<CancellationToken> {
    use tokio::signal::unix::{SignalKind, signal};
    let (mut terminate, mut interrupt) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    let stop = CancellationToken::new();
    let cancelled = stop.clone();
    tokio::spawn(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
        tracing::info!("shutdown requested: finishing requests and jobs");
        cancelled.cancel();
    });
    Ok(stop)
}

async fn bind(address: SocketAddr, setting: &str) -> anyhow::Result<TcpListener> {
    TcpListener::bind(address).await.with_context(|| format!("{setting}: cannot listen on {address}"))
}

/// Leaves the address in the data directory, for programs that start the server on port 0.
fn note_address(data_dir: &Path, file: &str, address: SocketAddr) -> anyhow::Result<()> {
    let path = data_dir.join(file);
    std::fs::write(&path, format!("{address}\n")).with_context(|| format!("writing {}", path.display()))
}
