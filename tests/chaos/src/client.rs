//! An integrator's HTTP client that records each request, its time, its node, and its answer.

use std::{
    net::SocketAddr,
    sync::{
        Arc, Once,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use bytes::Bytes;
use parking_lot::Mutex;
use reqwest::{Method, RequestBuilder, redirect};
use serde_json::Value;

use crate::history::{Action, Detail, Event, Outcome};

/// Longer than any answer may take.
const TIMEOUT: Duration = Duration::from_secs(15);
const CERTIFICATE_TIMEOUT: Duration = Duration::from_secs(40);

/// What all clients of a run share.
pub(crate) struct Shared {
    pub(crate) clock: Instant,
    /// The nodes that answer requests, with their places.
    pub(crate) apis: Vec<(usize, SocketAddr)>,
    pub(crate) stopping: AtomicBool,
    events: Mutex<Vec<Event>>,
    http: reqwest::Client,
}

impl Shared {
    pub(crate) fn new(clock: Instant, apis: Vec<(usize, SocketAddr)>) -> anyhow::Result<Arc<Self>> {
        static PROVIDER: Once = Once::new();
        // The client needs a TLS provider even if it only speaks http.
        PROVIDER.call_once(|| drop(rustls::crypto::ring::default_provider().install_default()));
        let http = reqwest::Client::builder()
            .no_proxy()
            .redirect(redirect::Policy::none())
            .connect_timeout(Duration::from_secs(5))
            .build()?;
        Ok(Arc::new(Self { clock, apis, stopping: AtomicBool::new(false), events: Mutex::default(), http }))
    }

    pub(crate) fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::SeqCst)
    }

    pub(crate) fn events(&self) -> Vec<Event> {
        self.events.lock().clone()
    }
}

/// A request to send.
pub(crate) struct Call<'a> {
    pub(crate) company: i64,
    /// As company manifests name it.
    pub(crate) operation: &'static str,
    pub(crate) method: Method,
    pub(crate) path: &'a str,
    pub(crate) token: Option<&'a str>,
    pub(crate) action: Action,
}

pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) body: Bytes,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }
}

impl Shared {
    /// Sends a request to the node at a place and records it; `read` extracts the relevant part of the answer. `None`
    /// without a complete answer.
    pub(crate) async fn send(
        &self,
        node: usize,
        call: Call<'_>,
        complete: impl FnOnce(RequestBuilder) -> RequestBuilder,
        read: impl FnOnce(&Answer) -> Detail,
    ) -> Option<Answer> {
        let address = self.apis.iter().find(|(place, _)| *place == node)?.1;
        let mut request = self.http.request(call.method, format!("http://{address}{}", call.path));
        if let Some(token) = call.token {
            request = request.bearer_auth(token);
        }
        let timeout = match call.action {
            Action::ReadCertificate(_) => CERTIFICATE_TIMEOUT,
            _ => TIMEOUT,
        };
        let started = self.clock.elapsed();
        let answered = tokio::time::timeout(timeout, receive(complete(request))).await;
        let ended = self.clock.elapsed();
        let (outcome, answer) = match answered {
            Err(_) => (Outcome::Unanswered, None),
            Ok(Err(error)) if error.is_connect() => (Outcome::Refused, None),
            Ok(Err(_)) => (Outcome::Cut, None),
            Ok(Ok(answer)) => (Outcome::Answered(answer.status, detail(&answer, read)), Some(answer)),
        };
        let Call { company, operation, action, .. } = call;
        let event = Event { company, operation, node, started, ended, action, outcome };
        self.events.lock().push(event);
        answer
    }

    /// `POST /auth/token`, outside the history.
    pub(crate) async fn sign_in(&self, body: &Value) -> anyhow::Result<Answer> {
        let (_, address) = self.apis[0];
        let request = self.http.post(format!("http://{address}/auth/token")).json(body);
        Ok(tokio::time::timeout(TIMEOUT, receive(request)).await??)
    }

    /// A request outside the history: it collects evidence and tests nothing.
    pub(crate) async fn look(&self, path: &str, token: Option<&str>) -> anyhow::Result<Answer> {
        let (_, address) = self.apis[0];
        let mut request = self.http.get(format!("http://{address}{path}"));
        if let Some(token) = token {
            request = request.bearer_auth(token);
        }
        Ok(tokio::time::timeout(CERTIFICATE_TIMEOUT, receive(request)).await??)
    }
}

fn detail(answer: &Answer, read: impl FnOnce(&Answer) -> Detail) -> Detail {
    if (200..300).contains(&answer.status) {
        return read(answer);
    }
    Detail::Message(answer.json()["message"].as_str().unwrap_or_default().to_owned())
}

async fn receive(request: RequestBuilder) -> reqwest::Result<Answer> {
    let response = request.send().await?;
    let status = response.status().as_u16();
    Ok(Answer { status, body: response.bytes().await? })
}

/// The identifier in a case's reference, `CAS-<id>_CMP-<company>`.
pub(crate) fn case_in(reference: &str) -> Option<i64> {
    reference.strip_prefix("CAS-")?.split('_').next()?.parse().ok()
}

/// The identifier in an item's reference, `ITM-<id>_CAS-<case>`.
pub(crate) fn item_in(reference: &str) -> Option<i64> {
    reference.strip_prefix("ITM-")?.split('_').next()?.parse().ok()
}

/// The path of an address from a server's answer: every node serves it.
pub(crate) fn path_of(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.find('/').map_or("/", |place| &rest[place..])
}
