//! Accepting connections, and draining them when the server is told to stop.

use std::time::Duration;

use axum::Router;
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::graceful::GracefulShutdown,
    service::TowerToHyperService,
};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use super::early_answer::LingeringStream;

/// How long a client may take to send a request's header: one that holds a connection open and says nothing is cut off.
const HEADER_TIMEOUT: Duration = Duration::from_secs(30);
/// How long requests in flight may go on once the server is told to stop (operator.md).
const DRAIN: Duration = Duration::from_secs(30);
/// How long to wait after the system had no socket to give.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Serves `router` on `listener` until `stop` is cancelled; then takes no new connection and returns when the requests in
/// flight have been answered, or after 30 s.
pub async fn serve(listener: TcpListener, router: Router, stop: CancellationToken) {
    let graceful = GracefulShutdown::new();
    loop {
        let accepted = tokio::select! {
            () = stop.cancelled() => break,
            accepted = listener.accept() => accepted,
        };
        let socket = match accepted {
            Ok((socket, _)) => socket,
            Err(error) => {
                // Most often: too many open files. Others are being closed meanwhile.
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(ACCEPT_PAUSE).await;
                continue;
            }
        };
        // Answers are small or streamed in large pieces: waiting to fill a packet only adds latency.
        if let Err(error) = socket.set_nodelay(true) {
            tracing::debug!(%error, "a connection closed at once");
        }
        let service = TowerToHyperService::new(router.clone());
        let connection = hyper::server::conn::http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEADER_TIMEOUT)
            .serve_connection(TokioIo::new(LingeringStream::new(socket)), service);
        let connection = graceful.watch(connection);
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a connection ended early");
            }
        });
    }
    drop(listener);
    if tokio::time::timeout(DRAIN, graceful.shutdown()).await.is_err() {
        tracing::warn!("requests still in flight after 30 s were cut off");
    }
}
