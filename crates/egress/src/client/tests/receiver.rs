//! The receivers that the client's tests talk to: plain and TLS listeners on loopback that answer with given bytes.

use std::{
    io,
    net::SocketAddr,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use ::url::Url;
use bytes::Bytes;
use hyper::{HeaderMap, header::HeaderValue};
use rustls::{ServerConfig, pki_types::PrivateKeyDer};
use tokio::{
    io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpListener,
    task::JoinHandle,
};
use tokio_rustls::TlsAcceptor;

use super::super::{Delivery, Egress};

/// A listener on loopback that keeps the requests it reads, and answers each connection with the same bytes.
pub(super) struct Receiver {
    pub(super) address: SocketAddr,
    connections: Arc<AtomicUsize>,
    requests: Arc<Mutex<Vec<String>>>,
    serving: JoinHandle<()>,
}

impl Receiver {
    /// Answers with `answer` and then holds the connection open until the client closes it.
    pub(super) async fn answering(answer: &str) -> Self {
        Self::start(answer.to_owned(), String::new()).await
    }

    /// Answers with `head`, then endlessly with `again`.
    pub(super) async fn flooding(head: &str, again: &str) -> Self {
        Self::start(head.to_owned(), again.to_owned()).await
    }

    async fn start(answer: String, again: String) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let connections = Arc::new(AtomicUsize::new(0));
        let requests = Arc::new(Mutex::new(Vec::new()));
        let (counter, kept) = (Arc::clone(&connections), Arc::clone(&requests));
        let serving = tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                counter.fetch_add(1, Ordering::SeqCst);
                let Some(request) = read_request(&mut stream).await else { continue };
                kept.lock().unwrap().push(request);
                let mut sent = stream.write_all(answer.as_bytes()).await;
                while !again.is_empty() && sent.is_ok() {
                    sent = stream.write_all(again.as_bytes()).await;
                }
                let mut rest = Vec::new();
                let _ = stream.read_to_end(&mut rest).await;
            }
        });
        Self { address, connections, requests, serving }
    }

    pub(super) fn url(&self) -> Url {
        Url::parse(&format!("http://{}/hook?key=a%20b", self.address)).unwrap()
    }

    pub(super) async fn post_from(&self, egress: &Egress) -> Delivery {
        let mut headers = HeaderMap::new();
        headers.insert("x-test", HeaderValue::from_static("yes"));
        egress.post(&self.url(), headers, Bytes::from_static(b"{\"closed\": 1}"), super::KEPT).await
    }

    /// The first request. It was kept before it was answered, so it is there once the client has its answer.
    pub(super) fn request(&self) -> String {
        self.requests.lock().unwrap().first().cloned().unwrap_or_default()
    }

    pub(super) fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

/// A listener on loopback that speaks TLS to one client and returns the name that it asked for.
pub(super) struct TlsReceiver {
    pub(super) address: SocketAddr,
    pub(super) served: JoinHandle<io::Result<(Option<String>, String)>>,
}

impl TlsReceiver {
    pub(super) async fn start(certificate: &rcgen::Certificate, key: PrivateKeyDer<'static>) -> Self {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![certificate.der().clone()], key)
            .unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let acceptor = TlsAcceptor::from(Arc::new(config));
        let served = tokio::spawn(async move {
            let (stream, _) = listener.accept().await?;
            let mut stream = acceptor.accept(stream).await?;
            let server_name = stream.get_ref().1.server_name().map(str::to_owned);
            let request = read_request(&mut stream).await.ok_or(io::ErrorKind::UnexpectedEof)?;
            stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n").await?;
            stream.flush().await?;
            Ok((server_name, request))
        });
        Self { address, served }
    }
}

/// Reads one request, head and body. `None` if the client closes first.
async fn read_request(stream: &mut (impl AsyncRead + Unpin)) -> Option<String> {
    let mut bytes = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((_, body)) = text.split_once("\r\n\r\n") {
            let length = header_values(&text, "content-length").first().map_or(0, |length| length.parse().unwrap());
            if body.len() >= length {
                return Some(text);
            }
        }
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    }
}

/// The values of a header in the text of a request, in their order.
pub(super) fn header_values(request: &str, name: &str) -> Vec<String> {
    let head = request.split("\r\n\r\n").next().unwrap_or_default();
    head.lines()
        .skip(1)
        .filter_map(|line| line.split_once(": "))
        .filter(|(given, _)| given.eq_ignore_ascii_case(name))
        .map(|(_, value)| value.to_owned())
        .collect()
}
