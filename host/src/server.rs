//! The running server: listeners and workers, from the first bind to the last drain.

use std::{net::SocketAddr, path::Path, sync::Arc};

use anyhow::Context;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::{
    app::App,
    clock::Clock,
    config::Config,
    http::{admin_router, router, serve},
    jobs,
};

/// Which half of the work a process does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Requests and jobs.
    All,
    /// Requests alone.
    Api,
    /// Jobs alone.
    Worker,
}

/// Opens what the settings name and serves until `stop` is cancelled; then drains: no new connection, requests in flight
/// and running jobs end, 30 s at most. `ready` is told the public address once it is listened on.
pub async fn run(
    mut config: Config,
    role: Role,
    stop: CancellationToken,
    ready: impl FnOnce(&App) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    std::fs::create_dir_all(&config.data_dir)
        .with_context(|| format!("making the data directory {}", config.data_dir.display()))?;
    let public = match role {
        Role::All | Role::Api => Some(bind(config.listen, "listen").await?),
        Role::Worker => None,
    };
    let admin = bind(config.admin_listen, "admin_listen").await?;
    if let Some(listener) = &public {
        let address = listener.local_addr()?;
        // Port 0 is known only now.
        config.listens_on(address);
        note_address(&config.data_dir, "listen.address", address)?;
    }
    note_address(&config.data_dir, "admin.address", admin.local_addr()?)?;

    let app = Arc::new(App::open(config, Clock::system()).await?);
    let mut parts = tokio::task::JoinSet::new();
    parts.spawn(serve(admin, admin_router(Arc::clone(&app)), stop.clone()));
    if let Some(listener) = public {
        parts.spawn(serve(listener, router(Arc::clone(&app)), stop.clone()));
    }
    if role != Role::Api {
        let (app, stop) = (Arc::clone(&app), stop.clone());
        parts.spawn(async move {
            if let Err(error) = jobs::run(app, stop).await {
                tracing::error!(%error, "the workers could not start");
            }
        });
    }
    ready(&app)?;
    while parts.join_next().await.is_some() {}
    app.db.close().await;
    tracing::info!("stopped");
    Ok(())
}

/// Cancelled by SIGTERM or Ctrl-C.
pub fn stop_signal() -> anyhow::Result<CancellationToken> {
    use tokio::signal::unix::{SignalKind, signal};
    let (mut terminate, mut interrupt) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    let stop = CancellationToken::new();
    let cancelled = stop.clone();
    tokio::spawn(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
        tracing::info!("told to stop: finishing requests and jobs");
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
    std::fs::write(&path, address.to_string()).with_context(|| format!("writing {}", path.display()))
}
