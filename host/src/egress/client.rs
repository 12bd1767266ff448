//! One guarded POST: judge the URL, resolve, judge every answer, connect to the address that was judged, send, read a
//! bounded response. No redirect is followed, no proxy is taken from the environment, no connection is kept.

use std::{fmt::Display, future::Future, io, net::SocketAddr, sync::Arc, time::Duration};

use ::url::{Host, Position, Url};
use anyhow::Context as _;
use bytes::Bytes;
use futures_util::future::BoxFuture;
use http_body_util::{BodyExt as _, Full};
use hyper::{
    HeaderMap, Request, StatusCode,
    body::Incoming,
    client::conn::http1,
    header::{self, HeaderName, HeaderValue, InvalidHeaderValue},
};
use hyper_util::rt::TokioIo;
use rustls::{ClientConfig, RootCertStore, pki_types::ServerName};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::{TcpStream, lookup_host},
    time::{Instant, timeout_at},
};
use tokio_rustls::TlsConnector;
use tokio_util::task::AbortOnDropHandle;

use super::{
    address::is_public,
    url::{UrlPolicy, check_url},
};

#[derive(Clone, Copy, Debug)]
pub struct EgressOptions {
    /// The time for a whole dispatch: resolving, connecting, sending and reading the response (decisions 12: 10 s).
    pub timeout: Duration,
    /// Switches the guard off for development and tests: http, literal, loopback and private receivers are accepted.
    pub allow_private_addresses: bool,
}

/// How a dispatch ended, with what the operator may want to know about it.
#[derive(Clone, Debug)]
pub struct Delivery {
    pub outcome: Outcome,
    pub duration: Duration,
    /// The address that was connected to; `None` when it did not come to a connection.
    pub address: Option<SocketAddr>,
}

/// The texts are one line for the operator. They name the host, never the URL's path or query, a header or the body:
/// all of these carry receivers' secrets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The receiver answered, with whatever status. Redirects are answers like any other.
    Answered(StatusCode),
    /// The guard refused the URL or an address of its host. Nothing was sent.
    Refused(String),
    /// Resolving, connecting, TLS or HTTP failed, or the time was up. The receiver may have got the request.
    Failed(String),
}

/// The guarded client. Cheap to clone: the clones share the TLS configuration.
#[derive(Clone)]
pub struct Egress {
    options: EgressOptions,
    tls: TlsConnector,
    resolve: Resolve,
}

impl Egress {
    /// # Errors
    /// When TLS cannot be set up.
    pub fn new(options: EgressOptions) -> anyhow::Result<Self> {
        Self::with(options, trusted_roots(), Arc::new(|host, port| Box::pin(resolve_by_system(host, port))))
    }

    fn with(options: EgressOptions, roots: RootCertStore, resolve: Resolve) -> anyhow::Result<Self> {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let mut config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .context("set up TLS for webhooks")?
            .with_root_certificates(roots)
            .with_no_client_auth();
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Self { options, tls: TlsConnector::from(Arc::new(config)), resolve })
    }

    /// Sends `body` to `url` once, with `headers` and those that HTTP itself needs. Framing and connection headers among
    /// `headers` are dropped: they come from plugins and must not decide where a request ends.
    pub async fn post(&self, url: &Url, headers: HeaderMap, body: Bytes) -> Delivery {
        let begun = Instant::now();
        let deadline = Deadline { at: begun + self.options.timeout, timeout: self.options.timeout };
        let mut address = None;
        let outcome = match self.dispatch(url, headers, body, deadline, &mut address).await {
            Ok(status) => Outcome::Answered(status),
            Err(Undelivered::Refused(reason)) => Outcome::Refused(reason),
            Err(Undelivered::Failed(reason)) => Outcome::Failed(reason),
        };
        Delivery { outcome, duration: begun.elapsed(), address }
    }

    async fn dispatch(
        &self,
        url: &Url,
        headers: HeaderMap,
        body: Bytes,
        deadline: Deadline,
        connected: &mut Option<SocketAddr>,
    ) -> Result<StatusCode, Undelivered> {
        let policy =
            if self.options.allow_private_addresses { UrlPolicy::AllowPrivate } else { UrlPolicy::CompanyManifest };
        let url = check_url(url.as_str(), policy).map_err(|error| Undelivered::Refused(error.to_string()))?;
        let request = build_request(&url, headers, body)?;
        let addresses = self.judged_addresses(&url, deadline).await?;
        let (stream, address) = connect(&addresses, deadline).await?;
        *connected = Some(address);
        if url.scheme() == "https" {
            let name = server_name(&url)?;
            let stream = deadline.hold("securing the connection", self.tls.connect(name, stream)).await?;
            exchange(stream, request, deadline).await
        } else {
            exchange(stream, request, deadline).await
        }
    }

    /// The addresses of the URL's host, each of them allowed. One bad answer among good ones refuses them all: whoever
    /// mixes them is attacking, and picking the good ones would make the outcome a matter of luck.
    async fn judged_addresses(&self, url: &Url, deadline: Deadline) -> Result<Vec<SocketAddr>, Undelivered> {
        let port = url.port_or_known_default().unwrap_or_default();
        let addresses = match url.host() {
            Some(Host::Ipv4(address)) => vec![SocketAddr::from((address, port))],
            Some(Host::Ipv6(address)) => vec![SocketAddr::from((address, port))],
            Some(Host::Domain(name)) => {
                deadline.hold("resolving the host", (self.resolve)(name.to_owned(), port)).await?
            }
            None => Vec::new(),
        };
        if addresses.is_empty() {
            return Err(Undelivered::Failed("resolving the host: it has no address".to_owned()));
        }
        if !self.options.allow_private_addresses {
            for address in &addresses {
                is_public(address.ip()).map_err(|refusal| {
                    Undelivered::Refused(format!("{}: {refusal}", url.host_str().unwrap_or_default()))
                })?;
            }
        }
        Ok(addresses)
    }
}

/// Finds the addresses of a host; a function, so that tests can answer as a hostile name server would.
type Resolve = Arc<dyn Fn(String, u16) -> BoxFuture<'static, io::Result<Vec<SocketAddr>>> + Send + Sync>;

enum Undelivered {
    Refused(String),
    Failed(String),
}

/// The moment at which a dispatch is given up, whatever it is doing.
#[derive(Clone, Copy)]
struct Deadline {
    at: Instant,
    timeout: Duration,
}

impl Deadline {
    /// Runs one step of the dispatch, at most until the deadline. `step` names it in the reason of a failure.
    async fn hold<T, E: Display>(self, step: &str, work: impl Future<Output = Result<T, E>>) -> Result<T, Undelivered> {
        match timeout_at(self.at, work).await {
            Ok(Ok(done)) => Ok(done),
            Ok(Err(error)) => Err(Undelivered::Failed(format!("{step}: {error}"))),
            Err(_) => Err(Undelivered::Failed(format!("{step}: no answer within {:?} in all", self.timeout))),
        }
    }
}

async fn resolve_by_system(host: String, port: u16) -> io::Result<Vec<SocketAddr>> {
    Ok(lookup_host((host, port)).await?.collect())
}

/// The machine's certificate authorities, or Mozilla's where the machine has none (a bare container).
fn trusted_roots() -> RootCertStore {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if roots.is_empty() {
        roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
    }
    roots
}

fn build_request(url: &Url, mut headers: HeaderMap, body: Bytes) -> Result<Request<Full<Bytes>>, Undelivered> {
    // Headers that steer this one connection (RFC 9110, section 7.6.1) or the message's framing.
    for name in [
        header::HOST,
        header::CONTENT_LENGTH,
        header::TRANSFER_ENCODING,
        header::CONNECTION,
        header::UPGRADE,
        header::EXPECT,
        header::TE,
        header::TRAILER,
        header::PROXY_AUTHORIZATION,
        HeaderName::from_static("keep-alive"),
    ] {
        headers.remove(name);
    }
    let unsendable = |part| Undelivered::Failed(format!("the URL's {part} cannot be sent in a request"));
    headers.insert(header::HOST, host_header(url).map_err(|_| unsendable("host"))?);
    headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
    headers
        .entry(header::USER_AGENT)
        .or_insert(HeaderValue::from_static(concat!("sealwright/", env!("CARGO_PKG_VERSION"))));
    let mut request = Request::post(&url[Position::BeforePath..Position::AfterQuery])
        .body(Full::new(body))
        .map_err(|_| unsendable("path or query"))?;
    *request.headers_mut() = headers;
    Ok(request)
}

/// `host`, or `host:port` where the port is not the scheme's own; an IPv6 address keeps its brackets.
fn host_header(url: &Url) -> Result<HeaderValue, InvalidHeaderValue> {
    let host = url.host_str().unwrap_or_default();
    match url.port() {
        Some(port) => HeaderValue::try_from(format!("{host}:{port}")),
        None => HeaderValue::try_from(host),
    }
}

fn server_name(url: &Url) -> Result<ServerName<'static>, Undelivered> {
    match url.host() {
        Some(Host::Ipv4(address)) => Ok(ServerName::from(std::net::IpAddr::from(address))),
        Some(Host::Ipv6(address)) => Ok(ServerName::from(std::net::IpAddr::from(address))),
        host => ServerName::try_from(host.map(|name| name.to_string()).unwrap_or_default())
            .map_err(|error| Undelivered::Failed(format!("securing the connection: {error}"))),
    }
}

/// Connects to the first address that answers. Each gets an equal share of the time left, so that a dead first address
/// does not use up the time of a living second one.
async fn connect(addresses: &[SocketAddr], deadline: Deadline) -> Result<(TcpStream, SocketAddr), Undelivered> {
    let mut failure = Undelivered::Failed("connecting: the host has no address".to_owned());
    for (tried, &address) in addresses.iter().enumerate() {
        let now = Instant::now();
        // At least 1: `tried` is an index into `addresses`.
        let left = u32::try_from(addresses.len() - tried).unwrap_or(u32::MAX);
        let share = Deadline { at: now + deadline.at.saturating_duration_since(now) / left, ..deadline };
        match share.hold("connecting", TcpStream::connect(address)).await {
            Ok(stream) => return Ok((stream, address)),
            Err(reason) => failure = reason,
        }
    }
    Err(failure)
}

/// Sends the request on a fresh connection and reads the answer's status.
async fn exchange<S>(stream: S, request: Request<Full<Bytes>>, deadline: Deadline) -> Result<StatusCode, Undelivered>
where
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
{
    /// Bounds the response's head: a receiver may not make us buffer what it likes.
    const MAX_HEAD_BYTES: usize = 64 * 1024;
    let (mut sender, connection) = deadline
        .hold("sending", http1::Builder::new().max_buf_size(MAX_HEAD_BYTES).handshake(TokioIo::new(stream)))
        .await?;
    // Dropped at the end of this function on every way out, and with it the connection.
    let _driver = AbortOnDropHandle::new(tokio::spawn(connection));
    let response = deadline.hold("waiting for the answer", sender.send_request(request)).await?;
    let status = response.status();
    // The status is the outcome: a body that is cut off, endless or slow does not change it.
    let _ = timeout_at(deadline.at, drain(response.into_body())).await;
    Ok(status)
}

/// Reads a response to its end, so that the receiver does not see its answer cut off; an unreasonable one only in part.
async fn drain(mut body: Incoming) {
    const MAX_BODY_BYTES: usize = 64 * 1024;
    let mut drained = 0;
    while let Some(Ok(frame)) = body.frame().await {
        drained += frame.data_ref().map_or(0, Bytes::len);
        if drained >= MAX_BODY_BYTES {
            return;
        }
    }
}

#[cfg(test)]
mod tests;
