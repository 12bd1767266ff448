//! One guarded request: judge the URL, resolve, judge every answer, connect to the address that was judged, send, read
//! a bounded response. It follows no redirects, uses no proxy from the environment, and keeps no connections.

use std::{
    any::Any,
    fmt::Display,
    future::Future,
    io,
    net::{IpAddr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use ::url::{Host, Position, Url};
use anyhow::Context as _;
use bytes::Bytes;
use futures_util::future::BoxFuture;
use http_body_util::Full;
use hyper::{
    HeaderMap, Method, Request, StatusCode,
    header::{self, HeaderName, HeaderValue, InvalidHeaderValue},
};
use ipnet::IpNet;
use rustls::{ClientConfig, RootCertStore, pki_types::ServerName};
use tokio::{
    net::{TcpStream, lookup_host},
    time::{Instant, timeout_at},
};
use tokio_rustls::TlsConnector;

use self::exchange::{Reading, exchange};
use super::{
    address::is_public,
    url::{UrlPolicy, check_url},
};

#[derive(Clone, Copy, Debug)]
pub struct EgressOptions {
    /// The timeout for a whole dispatch: resolving, connecting, sending and reading the response (decisions 12: 10 s).
    pub timeout: Duration,
    /// Switches the guard off for development and tests: http, literal, loopback and private receivers are accepted.
    pub allow_private_addresses: bool,
}

/// How a dispatch ended, with details for the operator.
#[derive(Clone, Debug)]
pub struct Delivery {
    pub outcome: Outcome,
    pub duration: Duration,
    /// The address that was connected to; `None` without a connection.
    pub address: Option<SocketAddr>,
    /// The first bytes of the answer's body. Empty without an answer.
    pub excerpt: Bytes,
}

/// The texts are one line for the operator. They name the host, never the URL's path or query, a header or the body:
/// these may contain receivers' secrets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The receiver answered, with any status. Redirects are answers like any other.
    Answered(StatusCode),
    /// The guard refused the URL or an address of its host. Nothing was sent.
    Refused(String),
    /// Resolving, connecting, TLS or HTTP failed or timed out. The receiver may have received the request.
    Failed(String),
    /// This process could not open a connection, because it has no file descriptors or memory left. Nothing was sent;
    /// the receiver is not to blame.
    Unsent(String),
}

/// An answer that was read.
#[derive(Clone, Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Bytes,
}

/// The guarded client. Cheap to clone: the clones share the TLS configuration.
#[derive(Clone)]
pub struct Egress {
    options: EgressOptions,
    /// Addresses that are allowed although they are not public.
    networks: Arc<[IpNet]>,
    tls: TlsConnector,
    resolve: Resolve,
}

impl Egress {
    /// # Errors
    /// If TLS cannot be set up.
    pub fn new(options: EgressOptions) -> anyhow::Result<Self> {
        Self::with(options, trusted_roots(), Arc::new(|host, port| Box::pin(resolve_by_system(host, port))))
    }

    /// A client for public addresses and those in `networks`, which the operator lists. If `networks` is not empty, a
    /// URL may contain a literal address or a single-label name, because these may be such addresses.
    ///
    /// # Errors
    /// If TLS cannot be set up.
    pub fn for_networks(timeout: Duration, networks: Vec<IpNet>) -> anyhow::Result<Self> {
        let client = Self::new(EgressOptions { timeout, allow_private_addresses: false })?;
        Ok(Self { networks: networks.into(), ..client })
    }

    fn with(options: EgressOptions, roots: RootCertStore, resolve: Resolve) -> anyhow::Result<Self> {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let mut config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .context("setting up TLS for outgoing connections")?
            .with_root_certificates(roots)
            .with_no_client_auth();
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Self { options, networks: Arc::default(), tls: TlsConnector::from(Arc::new(config)), resolve })
    }

    /// Sends `body` to `url` once and reads the whole answer, of at most `most` bytes. For addresses that the operator chose.
    ///
    /// # Errors
    /// Like [`Outcome::Refused`] and [`Outcome::Failed`], and if the answer is longer or truncated.
    pub async fn ask(&self, url: &Url, headers: HeaderMap, body: Bytes, most: usize) -> Result<Answer, String> {
        let deadline = Deadline { at: Instant::now() + self.options.timeout, timeout: self.options.timeout };
        let message = Message { method: Method::POST, headers, body };
        let asked = self.dispatch(url, message, Reading::Whole { most }, deadline, &mut None).await;
        asked.map_err(|(SendError::Refused(reason) | SendError::Failed(reason) | SendError::Unsent(reason))| reason)
    }

    /// Downloads `url`, with the limits of [`ask`](Self::ask).
    ///
    /// # Errors
    /// As for [`ask`](Self::ask).
    pub async fn fetch(&self, url: &Url, most: usize) -> Result<Answer, String> {
        self.get(url, HeaderMap::new(), most).await
    }

    /// Downloads `url` with `headers`, with the limits of [`ask`](Self::ask).
    ///
    /// # Errors
    /// As for [`ask`](Self::ask).
    pub async fn get(&self, url: &Url, headers: HeaderMap, most: usize) -> Result<Answer, String> {
        let deadline = Deadline { at: Instant::now() + self.options.timeout, timeout: self.options.timeout };
        let message = Message { method: Method::GET, headers, body: Bytes::new() };
        let fetched = self.dispatch(url, message, Reading::Whole { most }, deadline, &mut None).await;
        fetched.map_err(|(SendError::Refused(reason) | SendError::Failed(reason) | SendError::Unsent(reason))| reason)
    }

    /// Sends `body` to `url` once, with `headers` and those that HTTP requires. Framing and connection headers among
    /// `headers` are dropped: they come from plugins and must not decide where a request ends. Of the answer's body, the
    /// first `kept` bytes are kept.
    pub async fn post(&self, url: &Url, headers: HeaderMap, body: Bytes, kept: usize) -> Delivery {
        let started = Instant::now();
        let deadline = Deadline { at: started + self.options.timeout, timeout: self.options.timeout };
        let mut address = None;
        let message = Message { method: Method::POST, headers, body };
        let answer = self.dispatch(url, message, Reading::Status { kept }, deadline, &mut address).await;
        let (outcome, excerpt) = match answer {
            Ok(answer) => (Outcome::Answered(answer.status), answer.body),
            Err(SendError::Refused(reason)) => (Outcome::Refused(reason), Bytes::new()),
            Err(SendError::Failed(reason)) => (Outcome::Failed(reason), Bytes::new()),
            Err(SendError::Unsent(reason)) => (Outcome::Unsent(reason), Bytes::new()),
        };
        Delivery { outcome, duration: started.elapsed(), address, excerpt }
    }

    async fn dispatch(
        &self,
        url: &Url,
        message: Message,
        reading: Reading,
        deadline: Deadline,
        connected: &mut Option<SocketAddr>,
    ) -> Result<Answer, SendError> {
        let may_be_private = self.options.allow_private_addresses || !self.networks.is_empty();
        let policy = if may_be_private { UrlPolicy::AllowPrivate } else { UrlPolicy::CompanyManifest };
        let url = check_url(url.as_str(), policy).map_err(|error| SendError::Refused(error.to_string()))?;
        let request = build_request(&url, message)?;
        let addresses = self.judged_addresses(&url, deadline).await?;
        let (stream, address) = connect(&addresses, deadline).await?;
        *connected = Some(address);
        if url.scheme() == "https" {
            let name = server_name(&url)?;
            let stream = deadline.run("securing the connection", self.tls.connect(name, stream)).await?;
            exchange(stream, request, reading, deadline).await
        } else {
            exchange(stream, request, reading, deadline).await
        }
    }

    /// The addresses of the URL's host, if all of them are allowed. One bad answer among good ones refuses them all:
    /// mixing them is an attack, and picking the good ones would make the outcome a matter of luck.
    async fn judged_addresses(&self, url: &Url, deadline: Deadline) -> Result<Vec<SocketAddr>, SendError> {
        let port = url.port_or_known_default().unwrap_or_default();
        let addresses = match url.host() {
            Some(Host::Ipv4(address)) => vec![SocketAddr::from((address, port))],
            Some(Host::Ipv6(address)) => vec![SocketAddr::from((address, port))],
            Some(Host::Domain(name)) => {
                deadline.run("resolving the host", (self.resolve)(name.to_owned(), port)).await?
            }
            None => Vec::new(),
        };
        if addresses.is_empty() {
            return Err(SendError::Failed("resolving the host: it has no address".to_owned()));
        }
        if !self.options.allow_private_addresses {
            let is_listed = |address: IpAddr| self.networks.iter().any(|network| network.contains(&address));
            for address in addresses.iter().filter(|address| !is_listed(address.ip())) {
                is_public(address.ip()).map_err(|refusal| {
                    SendError::Refused(format!("{}: {refusal}", url.host_str().unwrap_or_default()))
                })?;
            }
        }
        Ok(addresses)
    }
}

/// Resolves a host; a function, so that tests can answer like a hostile name server.
type Resolve = Arc<dyn Fn(String, u16) -> BoxFuture<'static, io::Result<Vec<SocketAddr>>> + Send + Sync>;

enum SendError {
    Refused(String),
    Failed(String),
    Unsent(String),
}

struct Message {
    method: Method,
    headers: HeaderMap,
    body: Bytes,
}

/// The moment at which a dispatch is aborted.
#[derive(Clone, Copy)]
struct Deadline {
    at: Instant,
    timeout: Duration,
}

impl Deadline {
    /// Runs one step of the dispatch, at most until the deadline. `step` names it in error messages.
    async fn run<T, E: Display + 'static>(
        self,
        step: &str,
        work: impl Future<Output = Result<T, E>>,
    ) -> Result<T, SendError> {
        match timeout_at(self.at, work).await {
            Ok(Ok(done)) => Ok(done),
            Ok(Err(error)) if is_out_of_resources(&error) => Err(SendError::Unsent(format!("{step}: {error}"))),
            Ok(Err(error)) => Err(SendError::Failed(format!("{step}: {error}"))),
            Err(_) => Err(SendError::Failed(format!("{step}: no answer within {:?} in total", self.timeout))),
        }
    }
}

/// Whether this process has no descriptor or no memory left for a connection. This cannot happen after something was
/// sent.
fn is_out_of_resources(error: &dyn Any) -> bool {
    let code = error.downcast_ref::<io::Error>().and_then(io::Error::raw_os_error);
    matches!(code, Some(libc::EMFILE | libc::ENFILE | libc::ENOBUFS | libc::ENOMEM))
}

async fn resolve_by_system(host: String, port: u16) -> io::Result<Vec<SocketAddr>> {
    Ok(lookup_host((host, port)).await?.collect())
}

/// The machine's certificate authorities, or Mozilla's if the machine has none (a bare container).
fn trusted_roots() -> RootCertStore {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if roots.is_empty() {
        roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
    }
    roots
}

fn build_request(url: &Url, message: Message) -> Result<Request<Full<Bytes>>, SendError> {
    let Message { method, mut headers, body } = message;
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
    let unsendable = |part| SendError::Failed(format!("the URL's {part} cannot be sent in a request"));
    headers.insert(header::HOST, host_header(url).map_err(|_| unsendable("host"))?);
    headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
    headers
        .entry(header::USER_AGENT)
        .or_insert(HeaderValue::from_static(concat!("sealwright/", env!("CARGO_PKG_VERSION"))));
    let mut request = Request::builder()
        .method(method)
        .uri(&url[Position::BeforePath..Position::AfterQuery])
        .body(Full::new(body))
        .map_err(|_| unsendable("path or query"))?;
    *request.headers_mut() = headers;
    Ok(request)
}

/// `host`, or `host:port` if the port is not the scheme's default; an IPv6 address keeps its brackets.
fn host_header(url: &Url) -> Result<HeaderValue, InvalidHeaderValue> {
    let host = url.host_str().unwrap_or_default();
    match url.port() {
        Some(port) => HeaderValue::try_from(format!("{host}:{port}")),
        None => HeaderValue::try_from(host),
    }
}

fn server_name(url: &Url) -> Result<ServerName<'static>, SendError> {
    match url.host() {
        Some(Host::Ipv4(address)) => Ok(ServerName::from(IpAddr::from(address))),
        Some(Host::Ipv6(address)) => Ok(ServerName::from(IpAddr::from(address))),
        host => ServerName::try_from(host.map(|name| name.to_string()).unwrap_or_default())
            .map_err(|error| SendError::Failed(format!("securing the connection: {error}"))),
    }
}

/// Connects to the first address that answers. Each gets an equal share of the remaining time, so that a dead first
/// address does not use up the time of a working second one.
async fn connect(addresses: &[SocketAddr], deadline: Deadline) -> Result<(TcpStream, SocketAddr), SendError> {
    let mut failure = SendError::Failed("connecting: the host has no address".to_owned());
    for (tried, &address) in addresses.iter().enumerate() {
        let now = Instant::now();
        // At least 1: `tried` is an index into `addresses`.
        let left = u32::try_from(addresses.len() - tried).unwrap_or(u32::MAX);
        let share = Deadline { at: now + deadline.at.saturating_duration_since(now) / left, ..deadline };
        match share.run("connecting", TcpStream::connect(address)).await {
            Ok(stream) => return Ok((stream, address)),
            Err(reason) => failure = reason,
        }
    }
    Err(failure)
}

mod exchange;
#[cfg(test)]
mod tests;
