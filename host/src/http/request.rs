//! What every request gets: an identifier, a line in the log, a 400 if its `Host` is invalid, and a 500 if the program
//! fails. Also determines the client's address.

use std::{
    net::IpAddr,
    panic::AssertUnwindSafe,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::{Duration, Instant},
};

use axum::{
    body::{Body, Bytes, HttpBody},
    extract::{FromRequestParts, MatchedPath, Request, State},
    http::{
        HeaderName, HeaderValue, Method, StatusCode,
        header::{CONNECTION, RETRY_AFTER},
        request::Parts,
    },
    middleware::Next,
    response::Response,
};
use futures_util::FutureExt;
use hyper::body::{Frame, SizeHint};
use opentelemetry::trace::Status;
use tracing::{Instrument as _, Span, field::Empty};
use tracing_opentelemetry::OpenTelemetrySpanExt as _;

use super::{bounds::Bounds, connections::ConnectionSlot, error::standard, host_header, rate_limit::ExceededQuota};
use crate::{
    app::metrics::{Metrics, known_method},
    clock::random_key,
    domain::client_address::ClientAddress,
    request_id,
};

/// A request that took longer is marked `slow` in the log.
const SLOW: Duration = Duration::from_secs(1);
/// Asked for every few seconds by whatever watches the server: not worth a line at `info`.
const PROBES: [&str; 2] = ["/healthz", "/readyz"];
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The parts of a request that its answer may repeat.
#[derive(Clone, Debug)]
pub(super) struct RequestFacts {
    /// In `X-Request-Id` and the log.
    pub(super) id: String,
    pub(super) method: Method,
    pub(super) path: String,
    pub(super) client: ClientAddress,
}

/// Where the connection of a request comes from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Peer(pub(super) IpAddr);

/// Assigns the request its identifier: the client's own if it has 1 to 128 of `A-Za-z0-9._-`, else a random one
/// (decisions 2).
pub(super) async fn request(State(bounds): State<Arc<Bounds>>, mut request: Request, next: Next) -> Response {
    let given = request.headers().get(&REQUEST_ID).and_then(|value| value.to_str().ok()).filter(|id| is_request_id(id));
    let id = given.map_or_else(random_key, str::to_owned);
    let peer = request.extensions().get::<Peer>().map(|peer| peer.0);
    let client = peer.map_or(ClientAddress::UNKNOWN, |peer| bounds.proxies.client(peer, request.headers()));
    let facts = RequestFacts {
        id: id.clone(),
        method: request.method().clone(),
        path: request.uri().path().to_owned(),
        client,
    };
    request.extensions_mut().insert(facts.clone());
    // The pattern, not the path: share tokens and media keys are permissions and do not belong in a log.
    let route = request.extensions().get::<MatchedPath>().map_or("(none)".to_owned(), |path| path.as_str().to_owned());

    let span = span(&id, &facts.method, &route);
    let counted = CountedRequest::start(&bounds, &facts.method, &route, &span);
    let is_by_proxy = peer.is_some_and(|peer| bounds.proxies.trusts(peer));
    let admitted = admit(&bounds, is_by_proxy.then_some(client), request, next);
    // The span starts within the scope, so its trace is the request's.
    let admitted = request_id::scope(Some(id.clone()), admitted.instrument(span.clone()));
    let mut response = AssertUnwindSafe(admitted).catch_unwind().await.unwrap_or_else(|_| {
        span.in_scope(|| tracing::error!("a request made the program panic; this is a bug"));
        standard(StatusCode::INTERNAL_SERVER_ERROR, "internal error")
    });
    let status = response.status().as_u16();
    if let Some(exceeded) = response.extensions().get::<ExceededQuota>() {
        bounds.metrics.rate_limit_refusal(&facts.method, &route, exceeded.0);
    }
    let duration = counted.end(status);
    span.in_scope(|| log_answer(&facts, &route, status, duration));
    if let Ok(value) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(REQUEST_ID, value);
    }
    response
}

/// Each line that is logged for the request has these fields; the guard adds the caller. What else a trace shows of a
/// request is in its line in the log, too.
fn span(id: &str, method: &Method, route: &str) -> Span {
    let span = if PROBES.contains(&route) {
        tracing::debug_span!("request", %id, company = Empty, user = Empty)
    } else {
        tracing::info_span!("request", %id, company = Empty, user = Empty)
    };
    span.set_attribute("http.request.method", known_method(method));
    span.set_attribute("http.route", route.to_owned());
    span
}

fn log_answer(facts: &RequestFacts, route: &str, status: u16, duration: Duration) {
    let (method, address) = (&facts.method, facts.client);
    let milliseconds = (duration.as_secs_f64() * 100_000.0).round() / 100.0;
    let slow = (duration > SLOW).then_some(true);
    if PROBES.contains(&route) {
        tracing::debug!(%method, route, status, milliseconds, %address, slow, "answered");
    } else {
        tracing::info!(%method, route, status, milliseconds, %address, slow, "answered");
    }
}

/// A request that is in progress. Dropped without a response if the client goes away, which is counted as status 499.
struct CountedRequest<'a> {
    metrics: &'a Metrics,
    method: &'a Method,
    route: &'a str,
    span: &'a Span,
    started: Instant,
    is_ended: bool,
}

impl<'a> CountedRequest<'a> {
    fn start(bounds: &'a Bounds, method: &'a Method, route: &'a str, span: &'a Span) -> Self {
        bounds.metrics.start_request();
        Self { metrics: &bounds.metrics, method, route, span, started: Instant::now(), is_ended: false }
    }

    fn end(mut self, status: u16) -> Duration {
        self.is_ended = true;
        self.record(status)
    }

    fn record(&self, status: u16) -> Duration {
        let duration = self.started.elapsed();
        self.metrics.end_request(self.method, self.route, status, duration);
        self.span.set_attribute("http.response.status_code", i64::from(status));
        if status >= 500 {
            self.span.set_status(Status::error(""));
        }
        duration
    }
}

impl Drop for CountedRequest<'_> {
    fn drop(&mut self) {
        const CLIENT_CLOSED: u16 = 499;
        if !self.is_ended {
            self.record(CLIENT_CLOSED);
        }
    }
}

/// Runs a request unless its `Host` is invalid, or its client behind a proxy has too many requests in progress.
async fn admit(bounds: &Bounds, behind_proxy: Option<ClientAddress>, request: Request, next: Next) -> Response {
    if let Some(problem) = host_header::problem(request.version(), request.headers()) {
        let mut response = standard(StatusCode::BAD_REQUEST, problem);
        // What follows on this connection may be meant for another host.
        response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
        return response;
    }
    let Some(client) = behind_proxy else { return next.run(request).await };
    if let Ok(place) = bounds.requests.take(Some(client)) {
        return next.run(request).await.map(|body| Body::new(HeldBody { body, _place: place }));
    }
    bounds.traffic.refused_by_address.add();
    let mut response = standard(StatusCode::SERVICE_UNAVAILABLE, "too many of your requests are in progress");
    response.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("1"));
    response
}

/// The body of an answer. Releases its request's slot when it is sent or the client is gone.
struct HeldBody {
    body: Body,
    _place: ConnectionSlot,
}

impl HttpBody for HeldBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

fn is_request_id(id: &str) -> bool {
    (1..=128).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte))
}

impl<S: Sync> FromRequestParts<S> for RequestFacts {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Self::Rejection> {
        Ok(parts.extensions.get().cloned().unwrap_or_else(|| Self {
            id: String::new(),
            method: parts.method.clone(),
            path: parts.uri.path().to_owned(),
            client: ClientAddress::UNKNOWN,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decisions_2_which_request_identifiers_are_kept() {
        assert!(is_request_id("a.B-9_"));
        assert!(is_request_id(&"x".repeat(128)));
        for other in ["", "a b", "a\"b", "é", &"x".repeat(129)] {
            assert!(!is_request_id(other), "{other}");
        }
    }
}
