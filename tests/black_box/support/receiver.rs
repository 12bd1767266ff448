//! A webhook receiver on loopback, like an integrator's: it keeps every request unchanged and answers as configured.

use std::{convert::Infallible, net::SocketAddr, sync::Arc};

use bytes::Bytes;
use hmac::{Hmac, KeyInit as _, Mac as _};
use http_body_util::{BodyExt as _, Full};
use hyper::{
    HeaderMap, Method, Request, Response, StatusCode, body::Incoming, server::conn::http1, service::service_fn,
};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use sha2::Sha256;
use tokio::{
    net::{TcpListener, TcpStream},
    sync::watch,
    task::JoinSet,
    time::timeout,
};
use tokio_util::task::AbortOnDropHandle;

use super::{AMPLE, client::only_header};

/// Listens until it is dropped.
pub(crate) struct Receiver {
    address: SocketAddr,
    shared: Arc<Shared>,
    _listening: AbortOnDropHandle<()>,
}

/// How the receiver answers from now on.
#[derive(Clone, Debug)]
pub(crate) enum Reply {
    Status(u16),
    /// The status, as soon as the test sets another reply.
    Held(u16),
    /// No answer; the connection stays open.
    Hang,
    /// 307 to another address.
    Redirect(String),
    /// 200, with the webhook's body from this text on; empty if it does not have the text.
    Echo(&'static str),
}

/// A received webhook.
#[derive(Clone, Debug)]
pub(crate) struct Delivery {
    pub(crate) method: Method,
    /// Path and query.
    pub(crate) target: String,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

struct Shared {
    reply: watch::Sender<Reply>,
    /// All except analysis webhooks.
    received: watch::Sender<Vec<Delivery>>,
    /// Those received on a path below `/analysis`: they come on their own, before or after a case webhook.
    analyses: watch::Sender<Vec<Delivery>>,
}

impl Receiver {
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("listen on loopback");
        let address = listener.local_addr().expect("the address of a listener");
        let shared = Arc::new(Shared {
            reply: watch::Sender::new(Reply::Status(200)),
            received: watch::Sender::new(Vec::new()),
            analyses: watch::Sender::new(Vec::new()),
        });
        let listening = tokio::spawn(listen(listener, Arc::clone(&shared)));
        Self { address, shared, _listening: AbortOnDropHandle::new(listening) }
    }

    /// The URL of a path of this receiver, for a company manifest.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub(crate) fn reply_with(&self, reply: Reply) {
        self.shared.reply.send_replace(reply);
    }

    /// The webhooks received so far, in order, without analyses.
    pub(crate) fn received(&self) -> Vec<Delivery> {
        self.shared.received.borrow().clone()
    }

    /// The analysis webhooks of a case received so far, in order.
    pub(crate) fn analyses_of(&self, case: i64) -> Vec<Delivery> {
        let all = self.shared.analyses.borrow();
        all.iter().filter(|webhook| webhook.json()["caseId"] == case).cloned().collect()
    }

    /// Waits until `count` analysis webhooks of a case have arrived, and returns all of that case.
    ///
    /// # Panics
    /// If they do not arrive in time.
    pub(crate) async fn wait_for_analyses(&self, case: i64, count: usize) -> Vec<Delivery> {
        let of_case = |all: &[Delivery]| all.iter().filter(|webhook| webhook.json()["caseId"] == case).count();
        let mut received = self.shared.analyses.subscribe();
        let outcome = timeout(AMPLE, received.wait_for(|all| of_case(all) >= count)).await;
        assert!(
            outcome.is_ok(),
            "{} of {count} analysis webhooks of case {case} arrived within {AMPLE:?}",
            self.analyses_of(case).len()
        );
        drop(outcome);
        self.analyses_of(case)
    }

    /// Waits until `count` webhooks have arrived, without analyses, and returns all of them.
    ///
    /// # Panics
    /// If they do not arrive in time.
    pub(crate) async fn wait_for(&self, count: usize) -> Vec<Delivery> {
        let mut received = self.shared.received.subscribe();
        let outcome = timeout(AMPLE, received.wait_for(|received| received.len() >= count)).await;
        let Ok(all) = outcome else {
            panic!("{} of {count} webhooks arrived within {AMPLE:?}", self.received().len());
        };
        all.expect("the sender lives as long as the receiver").clone()
    }
}

impl Receiver {
    /// Waits for the webhook of one case, by its public reference, and returns its payload.
    ///
    /// # Panics
    /// If it does not arrive in time.
    pub(crate) async fn wait_for_case(&self, reference: &str) -> Value {
        let of_case = |all: &[Delivery]| all.iter().map(Delivery::json).find(|payload| payload["cfRef"] == reference);
        let mut received = self.shared.received.subscribe();
        let outcome = timeout(AMPLE, received.wait_for(|all| of_case(all).is_some())).await;
        let Ok(all) = outcome else { panic!("the webhook of {reference} did not arrive within {AMPLE:?}") };
        of_case(&all.expect("the sender lives as long as the receiver")).expect("it was there a moment ago")
    }
}

impl Delivery {
    /// The body as JSON, after checking its declared type.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        assert_eq!(self.header("content-type"), Some("application/json"));
        serde_json::from_slice(&self.body).expect("a webhook's body is JSON")
    }

    /// The only value of a header. `None` if it is absent.
    #[track_caller]
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        only_header(&self.headers, name)
    }

    /// Checks the signature of mode `hmac-sha256` over the raw body (spec 6.3; decisions 12: lowercase hexadecimal).
    #[track_caller]
    pub(crate) fn assert_signed(&self, api_key: &str, api_secret: &str) {
        assert_eq!(self.header("x-api-key"), Some(api_key));
        let mut mac = Hmac::<Sha256>::new_from_slice(api_secret.as_bytes()).expect("HMAC takes a key of any length");
        mac.update(&self.body);
        let signature = hex::encode(mac.finalize().into_bytes());
        assert_eq!(self.header("authorization"), Some(format!("HMAC-SHA256 {api_key}:{signature}").as_str()));
    }
}

async fn listen(listener: TcpListener, shared: Arc<Shared>) {
    // The connections end with this task, because the set aborts them when it is dropped.
    let mut connections = JoinSet::new();
    while let Ok((stream, _)) = listener.accept().await {
        connections.spawn(serve(stream, Arc::clone(&shared)));
    }
}

async fn serve(stream: TcpStream, shared: Arc<Shared>) {
    let service = service_fn(|request| {
        let shared = Arc::clone(&shared);
        async move { Ok::<_, Infallible>(answer(request, &shared).await) }
    });
    // A client may disconnect: tests look at what was received.
    let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
}

async fn answer(request: Request<Incoming>, shared: &Shared) -> Response<Full<Bytes>> {
    let (head, body) = request.into_parts();
    let Ok(body) = body.collect().await else {
        // Cut off: not a webhook. The client is gone and does not see this answer.
        return respond(StatusCode::BAD_REQUEST, None);
    };
    let mut replies = shared.reply.subscribe();
    let reply = replies.borrow_and_update().clone();
    let received =
        Delivery { method: head.method, target: head.uri.to_string(), headers: head.headers, body: body.to_bytes() };
    let content = received.body.clone();
    let is_analysis = received.target.starts_with("/analysis");
    let kept = if is_analysis { &shared.analyses } else { &shared.received };
    kept.send_modify(|all| all.push(received));
    match reply {
        Reply::Status(status) => respond(status_code(status), None),
        Reply::Held(status) => {
            // An error means that the receiver was dropped: no one waits for the answer.
            let _ = replies.changed().await;
            respond(status_code(status), None)
        }
        Reply::Hang => std::future::pending().await,
        Reply::Redirect(location) => respond(StatusCode::TEMPORARY_REDIRECT, Some(&location)),
        Reply::Echo(text) => {
            let from = content.windows(text.len()).position(|window| window == text.as_bytes());
            Response::new(Full::new(from.map_or_else(Bytes::new, |from| content.slice(from..))))
        }
    }
}

fn respond(status: StatusCode, location: Option<&str>) -> Response<Full<Bytes>> {
    let mut response = Response::builder().status(status);
    if let Some(location) = location {
        response = response.header("location", location);
    }
    response.body(Full::default()).expect("a response of these parts")
}

fn status_code(status: u16) -> StatusCode {
    StatusCode::from_u16(status).expect("a status that a test gives")
}
