//! Accepts connections within the limits, and drains them on shutdown.

use std::{io, sync::Arc, time::Duration};

use axum::Router;
use hyper::{body::Incoming, service::Service};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::graceful::GracefulShutdown,
    service::TowerToHyperService,
};
use tokio::{
    net::{TcpListener, TcpStream},
    time::Instant,
};
use tokio_util::sync::CancellationToken;

use super::{
    connections::{ConnectionLimits, ConnectionSlot, ConnectionSlots, LimitReached},
    early_answer::LingeringStream,
    proxies::TrustedProxies,
    request::Peer,
};
use crate::{
    app::traffic::Traffic,
    config::{Config, HttpSettings},
};

/// How long requests in flight may take to finish on shutdown (operator.md).
const DRAIN: Duration = Duration::from_secs(30);
/// How long to wait if the system has no free descriptor.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);
/// How often the log reports refused connections.
const REPORT_INTERVAL: Duration = Duration::from_secs(10);
/// For a request's header, and for each read and write. 2,000 connections then hold at most 64 MiB.
const BUFFER: usize = 32 * 1024;
/// Sent to a connection beyond the limit, without reading its request.
const LIMIT_RESPONSE: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 1\r\nconnection: close\r\n\
    content-length: 0\r\n\r\n";

/// A listener and the limits of its connections.
pub struct HttpListener {
    pub listener: TcpListener,
    pub router: Router,
    pub most: ConnectionLimits,
    pub http: HttpSettings,
    proxies: TrustedProxies,
    traffic: Arc<Traffic>,
    is_public: bool,
}

impl HttpListener {
    /// On `listen`.
    pub fn public(
        listener: TcpListener,
        router: Router,
        most: ConnectionLimits,
        config: &Config,
        traffic: Arc<Traffic>,
    ) -> Self {
        let proxies = TrustedProxies::new(&config.trusted_proxies);
        Self { listener, router, most, http: config.http.clone(), proxies, traffic, is_public: true }
    }

    /// On `admin_listen`. It is not counted as public traffic.
    pub fn admin(listener: TcpListener, router: Router, config: &Config) -> Self {
        let (proxies, traffic) = (TrustedProxies::default(), Arc::default());
        let most = ConnectionLimits::ADMIN;
        Self { listener, router, most, http: config.http.clone(), proxies, traffic, is_public: false }
    }
}

/// Serves until `stop` is cancelled; then accepts no new connections and returns when the requests in flight have been
/// answered, or after 30 s.
pub async fn serve(http_listener: HttpListener, stop: CancellationToken) {
    let graceful = GracefulShutdown::new();
    let places = ConnectionSlots::new(http_listener.most);
    let mut log_throttle = LogThrottle::default();
    loop {
        let accepted = tokio::select! {
            () = stop.cancelled() => break,
            accepted = http_listener.listener.accept() => accepted,
        };
        let (socket, peer) = match accepted {
            Ok((socket, peer)) => (socket, peer.ip().to_canonical()),
            Err(error) if is_the_client_s(&error) => continue,
            Err(error) => {
                // Usually too many open files. Others are being closed meanwhile.
                http_listener.traffic.failed_accepts.add();
                log_throttle.run(|| tracing::warn!(%error, "a connection could not be accepted"));
                tokio::time::sleep(ACCEPT_PAUSE).await;
                continue;
            }
        };
        let address = (!http_listener.proxies.trusts(peer)).then(|| peer.into());
        match places.take(address) {
            Ok(place) => {
                let connection = graceful.watch(connection(&http_listener, socket, Peer(peer)));
                let traffic = http_listener.is_public.then(|| Arc::clone(&http_listener.traffic));
                tokio::spawn(hold(connection, place, traffic));
            }
            Err(full) => {
                refuse(&http_listener, &socket, full);
                log_throttle.run(|| tracing::warn!(%peer, ?full, most = ?http_listener.most, "refusing connections"));
            }
        }
    }
    drop(http_listener.listener);
    if tokio::time::timeout(DRAIN, graceful.shutdown()).await.is_err() {
        tracing::warn!("requests still in flight after 30 s were cut off");
    }
}

fn connection(
    http_listener: &HttpListener,
    socket: TcpStream,
    peer: Peer,
) -> hyper::server::conn::http1::Connection<TokioIo<LingeringStream>, FromPeer> {
    // Answers are small or streamed in large pieces: waiting to fill a packet only adds latency.
    if let Err(error) = socket.set_nodelay(true) {
        tracing::debug!(%error, "a connection closed at once");
    }
    let router = TowerToHyperService::new(http_listener.router.clone());
    let stream = LingeringStream::new(socket, http_listener.http.idle_timeout, Arc::clone(&http_listener.traffic));
    hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(http_listener.http.header_timeout)
        .max_buf_size(BUFFER)
        .serve_connection(TokioIo::new(stream), FromPeer { router, peer })
}

/// Runs a connection to its end.
async fn hold(
    connection: impl Future<Output = hyper::Result<()>>,
    place: ConnectionSlot,
    traffic: Option<Arc<Traffic>>,
) {
    let counted = traffic.map(ConnectionGauge::new);
    if let Err(error) = connection.await {
        tracing::debug!(%error, "a connection ended early");
    }
    drop((place, counted));
}

/// Counts an open connection in the metrics.
struct ConnectionGauge(Arc<Traffic>);

impl ConnectionGauge {
    fn new(traffic: Arc<Traffic>) -> Self {
        traffic.connections.add();
        Self(traffic)
    }
}

impl Drop for ConnectionGauge {
    fn drop(&mut self) {
        self.0.connections.subtract();
    }
}

fn refuse(http_listener: &HttpListener, socket: &TcpStream, full: LimitReached) {
    match full {
        LimitReached::Total => http_listener.traffic.refused_by_total.add(),
        LimitReached::PerAddress => http_listener.traffic.refused_by_address.add(),
    }
    // Its buffer is empty, so this fits unless the client is gone.
    let _ = socket.try_write(LIMIT_RESPONSE);
}

/// Whether an accept error concerns only that connection, so that the next one can be accepted at once.
fn is_the_client_s(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

/// Limits how fast clients can fill the log.
#[derive(Default)]
struct LogThrottle(Option<Instant>);

impl LogThrottle {
    fn run(&mut self, report: impl FnOnce()) {
        if self.0.is_none_or(|last| last.elapsed() >= REPORT_INTERVAL) {
            self.0 = Some(Instant::now());
            report();
        }
    }
}

/// The router for the requests of one connection.
struct FromPeer {
    router: TowerToHyperService<Router>,
    peer: Peer,
}

impl Service<hyper::Request<Incoming>> for FromPeer {
    type Response = <TowerToHyperService<Router> as Service<hyper::Request<Incoming>>>::Response;
    type Error = <TowerToHyperService<Router> as Service<hyper::Request<Incoming>>>::Error;
    type Future = <TowerToHyperService<Router> as Service<hyper::Request<Incoming>>>::Future;

    fn call(&self, mut request: hyper::Request<Incoming>) -> Self::Future {
        request.extensions_mut().insert(self.peer);
        self.router.call(request)
    }
}
