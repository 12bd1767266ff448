//! The page that checks a certificate in a browser. It is the same for everyone and trusts no one, this server included;
//! `sealwright verify --page` prints the same bytes.

use std::sync::LazyLock;

use axum::{
    Router,
    extract::{Request, State},
    http::{
        HeaderMap, HeaderValue,
        header::{CONTENT_SECURITY_POLICY, REFERRER_POLICY},
    },
    middleware::{Next, from_fn_with_state},
    response::Response,
    routing::get,
};

use super::{guard::counted, reference::CachedDocument, request::RequestFacts, shared::Shared};
use crate::{app::verification, domain::rate_limit::Counter};

/// Requests of one client in 60 seconds.
const LIMIT: u32 = 120;

static DOCUMENT: LazyLock<CachedDocument> =
    LazyLock::new(|| CachedDocument::new("text/html; charset=utf-8", verification::page().html().to_owned()));

/// What the page may do, and that no other page may frame it.
static POLICY: LazyLock<HeaderValue> = LazyLock::new(|| {
    let policy = format!("{}; frame-ancestors 'none'", verification::page().policy());
    // Base64 and our own words always make a valid header value.
    HeaderValue::from_str(&policy).unwrap_or(HeaderValue::from_static("default-src 'none'"))
});

pub(super) fn routes(shared: &Shared) -> Router<Shared> {
    Router::new().route("/verify", get(page)).route_layer(from_fn_with_state(shared.clone(), count))
}

async fn count(State(shared): State<Shared>, facts: RequestFacts, request: Request, next: Next) -> Response {
    counted(&shared, &facts, Counter::VerifyPage(facts.client), LIMIT, next.run(request)).await
}

/// `GET /verify`
async fn page(request: HeaderMap) -> Response {
    let mut response = DOCUMENT.answer(&request);
    let headers = response.headers_mut();
    headers.insert(CONTENT_SECURITY_POLICY, POLICY.clone());
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    response
}
