//! Accepting connections, as many as there may be, and draining them when the server is told to stop.

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
    connections::{Full, Most, Place, Places},
    early_answer::LingeringStream,
    proxies::TrustedProxies,
    request::Peer,
};
use crate::{
    app::traffic::Traffic,
    config::{Config, HttpSettings},
};

/// How long requests in flight may go on once the server is told to stop (operator.md).
const DRAIN: Duration = Duration::from_secs(30);
/// How long to wait after the system had no socket to give.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);
/// How often the log says the same of connections that were refused.
const REPORTED_EVERY: Duration = Duration::from_secs(10);
/// Of a request's header, and of what is read and written at a time. 2,000 connections then hold 64 MiB at the worst.
const BUFFER: usize = 32 * 1024;
/// To a connection for which there is no place: nothing of its request is read.
const NO_PLACE: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 1\r\nconnection: close\r\n\
    content-length: 0\r\n\r\n";

/// A listener and what its connections may take.
pub struct Listening {
    pub listener: TcpListener,
    pub router: Router,
    pub most: Most,
    pub http: HttpSettings,
    proxies: TrustedProxies,
    traffic: Arc<Traffic>,
    is_public: bool,
}

impl Listening {
    /// On `listen`.
    pub fn public(listener: TcpListener, router: Router, most: Most, config: &Config, traffic: Arc<Traffic>) -> Self {
        let proxies = TrustedProxies::new(&config.trusted_proxies);
        Self { listener, router, most, http: config.http.clone(), proxies, traffic, is_public: true }
    }

    /// On `admin_listen`. What happens there is not counted among the public's traffic.
    pub fn admin(listener: TcpListener, router: Router, config: &Config) -> Self {
        let (proxies, traffic) = (TrustedProxies::default(), Arc::default());
        let most = Most::ADMIN;
        Self { listener, router, most, http: config.http.clone(), proxies, traffic, is_public: false }
    }
}

/// Serves until `stop` is cancelled; then takes no new connection and returns when the requests in flight have been
/// answered, or after 30 s.
pub async fn serve(listening: Listening, stop: CancellationToken) {
    let graceful = GracefulShutdown::new();
    let places = Places::new(listening.most);
    let mut reported = Reported::default();
    loop {
        let accepted = tokio::select! {
            () = stop.cancelled() => break,
            accepted = listening.listener.accept() => accepted,
        };
        let (socket, peer) = match accepted {
            Ok((socket, peer)) => (socket, peer.ip().to_canonical()),
            Err(error) if is_the_client_s(&error) => continue,
            Err(error) => {
                // Most often: too many open files. Others are being closed meanwhile.
                listening.traffic.failed_accepts.add();
                reported.say(|| tracing::warn!(%error, "a connection could not be accepted"));
                tokio::time::sleep(ACCEPT_PAUSE).await;
                continue;
            }
        };
        let address = (!listening.proxies.trusts(peer)).then(|| peer.into());
        match places.take(address) {
            Ok(place) => {
                let connection = graceful.watch(connection(&listening, socket, Peer(peer)));
                tokio::spawn(hold(connection, place, listening.is_public.then(|| Arc::clone(&listening.traffic))));
            }
            Err(full) => {
                refuse(&listening, &socket, full);
                reported.say(|| tracing::warn!(%peer, ?full, most = ?listening.most, "connections are refused"));
            }
        }
    }
    drop(listening.listener);
    if tokio::time::timeout(DRAIN, graceful.shutdown()).await.is_err() {
        tracing::warn!("requests still in flight after 30 s were cut off");
    }
}

fn connection(
    listening: &Listening,
    socket: TcpStream,
    peer: Peer,
) -> hyper::server::conn::http1::Connection<TokioIo<LingeringStream>, FromPeer> {
    // Answers are small or streamed in large pieces: waiting to fill a packet only adds latency.
    if let Err(error) = socket.set_nodelay(true) {
        tracing::debug!(%error, "a connection closed at once");
    }
    let router = TowerToHyperService::new(listening.router.clone());
    let stream = LingeringStream::new(socket, listening.http.idle_timeout, Arc::clone(&listening.traffic));
    hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(listening.http.header_timeout)
        .max_buf_size(BUFFER)
        .serve_connection(TokioIo::new(stream), FromPeer { router, peer })
}

/// Sees a connection to its end.
async fn hold(connection: impl Future<Output = hyper::Result<()>>, place: Place, traffic: Option<Arc<Traffic>>) {
    let counted = traffic.map(Counted::new);
    if let Err(error) = connection.await {
        tracing::debug!(%error, "a connection ended early");
    }
    drop((place, counted));
}

/// A connection among those that the metrics show.
struct Counted(Arc<Traffic>);

impl Counted {
    fn new(traffic: Arc<Traffic>) -> Self {
        traffic.connections.add();
        Self(traffic)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.connections.subtract();
    }
}

fn refuse(listening: &Listening, socket: &TcpStream, full: Full) {
    match full {
        Full::InAll => listening.traffic.refused_by_total.add(),
        Full::ForAddress => listening.traffic.refused_by_address.add(),
    }
    // Its buffer is empty, so that this fits or the client is gone.
    let _ = socket.try_write(NO_PLACE);
}

/// Whether an error of accepting is the end of the one connection: the next can be accepted at once.
fn is_the_client_s(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

/// Keeps the log from being filled by a stranger.
#[derive(Default)]
struct Reported(Option<Instant>);

impl Reported {
    fn say(&mut self, report: impl FnOnce()) {
        if self.0.is_none_or(|last| last.elapsed() >= REPORTED_EVERY) {
            self.0 = Some(Instant::now());
            report();
        }
    }
}

/// The router, for the requests of one connection.
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
