//! HTTP clients that put load on a server: each sends its next request when the previous one is answered, on a
//! connection that stays open.

use std::{
    net::SocketAddr,
    time::{Duration, Instant},
};

use anyhow::{Context as _, ensure};
use bytes::Bytes;
use futures_util::future::try_join_all;
use http_body_util::{BodyExt as _, Full};
use hyper::{
    Method, Request, StatusCode,
    client::conn::http1::{SendRequest, handshake},
    header::{AUTHORIZATION, CONTENT_TYPE, HOST},
};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;

pub(crate) struct Client {
    sender: SendRequest<Full<Bytes>>,
    host: String,
    authorization: String,
}

/// A request to send. The body is JSON by default.
pub(crate) struct Call {
    pub(crate) method: Method,
    pub(crate) path: String,
    pub(crate) content_type: &'static str,
    pub(crate) body: Bytes,
    pub(crate) expected: StatusCode,
}

/// The work that the clients did in one round.
#[derive(Debug)]
pub(crate) struct RoundResult {
    pub(crate) answers: Vec<Bytes>,
    pub(crate) latencies: Vec<Duration>,
    pub(crate) took: Duration,
}

impl Call {
    pub(crate) fn get(path: impl Into<String>) -> Self {
        let (content_type, body) = ("application/json", Bytes::new());
        Self { method: Method::GET, path: path.into(), content_type, body, expected: StatusCode::OK }
    }

    pub(crate) fn post(path: &str, body: impl Into<Bytes>, expected: StatusCode) -> Self {
        let content_type = "application/json";
        Self { method: Method::POST, path: path.to_owned(), content_type, body: body.into(), expected }
    }
}

impl Client {
    pub(crate) async fn connect(address: SocketAddr, token: &str) -> anyhow::Result<Self> {
        let stream = TcpStream::connect(address).await.with_context(|| format!("connecting to {address}"))?;
        Self::over(stream, address, token).await
    }

    /// Uses an open connection to the server at `address`.
    pub(crate) async fn over(stream: TcpStream, address: SocketAddr, token: &str) -> anyhow::Result<Self> {
        stream.set_nodelay(true)?;
        let (sender, connection) = handshake(TokioIo::new(stream)).await?;
        // It ends with the sender, which reports its errors too.
        tokio::spawn(connection);
        Ok(Self { sender, host: address.to_string(), authorization: format!("Bearer {token}") })
    }

    pub(crate) async fn connect_many(count: usize, address: SocketAddr, token: &str) -> anyhow::Result<Vec<Self>> {
        try_join_all((0..count).map(|_| Self::connect(address, token))).await
    }

    /// Sends a request and reads the whole answer, which must have the expected status.
    pub(crate) async fn send(&mut self, call: Call) -> anyhow::Result<Bytes> {
        let request = Request::builder()
            .method(call.method)
            .uri(&call.path)
            .header(HOST, &self.host)
            .header(AUTHORIZATION, &self.authorization)
            .header(CONTENT_TYPE, call.content_type)
            .body(Full::new(call.body))?;
        self.sender.ready().await?;
        let response = self.sender.send_request(request).await?;
        let status = response.status();
        let body = response.into_body().collect().await?.to_bytes();
        ensure!(status == call.expected, "{} answers {status}: {}", call.path, String::from_utf8_lossy(&body));
        Ok(body)
    }
}

/// Has every client send requests for `time`, or until `next` returns `None`.
pub(crate) async fn drive(
    clients: &mut [Client],
    time: Duration,
    next: impl Fn() -> Option<Call>,
) -> anyhow::Result<RoundResult> {
    let (start, next) = (Instant::now(), &next);
    let work = clients.iter_mut().map(|client| async move {
        let (mut answers, mut latencies) = (Vec::new(), Vec::new());
        while start.elapsed() < time {
            let Some(call) = next() else { break };
            let sent = Instant::now();
            answers.push(client.send(call).await?);
            latencies.push(sent.elapsed());
        }
        anyhow::Ok((answers, latencies))
    });
    let mut done = RoundResult { answers: Vec::new(), latencies: Vec::new(), took: Duration::ZERO };
    for (answers, latencies) in try_join_all(work).await? {
        done.answers.extend(answers);
        done.latencies.extend(latencies);
    }
    done.took = start.elapsed();
    ensure!(!done.answers.is_empty(), "no request was answered");
    Ok(done)
}

impl RoundResult {
    pub(crate) fn per_second(&self) -> f64 {
        per_second(self.answers.len(), self.took)
    }

    /// The median latency, in milliseconds.
    pub(crate) fn median_ms(&self) -> f64 {
        median_ms(self.latencies.clone())
    }
}

#[expect(clippy::cast_precision_loss, reason = "nothing here is counted to 2⁵²")]
pub(crate) fn per_second(count: usize, took: Duration) -> f64 {
    count as f64 / took.as_secs_f64()
}

pub(crate) fn median_ms(times: Vec<Duration>) -> f64 {
    crate::report::median(times.into_iter().map(milliseconds).collect())
}

pub(crate) fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}
