//! How answers report the rate limit: the `X-RateLimit-*` headers, and the 429 (spec 7 and 8).

use std::time::Duration;

use axum::{
    Json,
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header::RETRY_AFTER},
    response::{IntoResponse, Response},
};
use schemars::JsonSchema;
use serde::Serialize;

use super::request::RequestFacts;
use crate::{
    clock::Timestamp,
    domain::{
        client_address::ClientAddress,
        operation::{Operation, Quota},
        rate_limit::{Admission, FOREIGN_REPORTS_QUOTA},
    },
};

const LIMIT: HeaderName = HeaderName::from_static("x-ratelimit-limit");
const REMAINING: HeaderName = HeaderName::from_static("x-ratelimit-remaining");
const RESET: HeaderName = HeaderName::from_static("x-ratelimit-reset");

/// The quota that a request exceeded, in the extensions of a 429: the request's counter reads it.
#[derive(Clone, Copy, Debug)]
pub(super) struct ExceededQuota(pub(super) &'static str);

/// Adds the `X-RateLimit-*` headers.
pub(super) fn write(admission: Admission, headers: &mut HeaderMap) {
    headers.insert(LIMIT, HeaderValue::from(admission.limit));
    headers.insert(REMAINING, HeaderValue::from(admission.remaining));
    headers.insert(RESET, HeaderValue::from(admission.reset_seconds()));
}

/// Copies the headers of an answer to the one that replaces it.
pub(super) fn keep(from: &HeaderMap, to: &mut HeaderMap) {
    to.extend([LIMIT, REMAINING, RESET].into_iter().filter_map(|name| Some((name.clone(), from.get(&name)?.clone()))));
}

/// Runs a counted request if it was admitted, and writes the headers.
pub(super) async fn within(
    (admission, quota): (Admission, &'static str),
    facts: &RequestFacts,
    now: Timestamp,
    run: impl Future<Output = Response>,
) -> Response {
    if !admission.admitted {
        return refusal((admission, quota), facts, now);
    }
    let mut response = run.await;
    if let Some(refused) = response.extensions().get::<Admission>() {
        // A use case refused it with its own counter, and only one use case has one.
        return refusal((*refused, FOREIGN_REPORTS_QUOTA), facts, now);
    }
    write(admission, response.headers_mut());
    response
}

/// The answer to a request that was not admitted (spec 7, body of 429).
pub(super) fn refusal((admission, quota): (Admission, &'static str), facts: &RequestFacts, now: Timestamp) -> Response {
    let body = TooManyRequests::new(admission, facts, now);
    let mut response = (StatusCode::TOO_MANY_REQUESTS, Json(body)).into_response();
    response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(admission.reset_seconds()));
    write(admission, response.headers_mut());
    response.extensions_mut().insert(ExceededQuota(quota));
    response
}

/// The body of a 429 (spec 7).
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct TooManyRequests {
    /// 429
    status_code: u16,
    /// The limit, the window and the seconds to wait, in one line for humans.
    message: String,
    /// As in `X-Request-Id`.
    request_id: String,
    method: String,
    path: String,
    timestamp: Timestamp,
    /// `ApiError`
    name: &'static str,
    details: Details,
}

/// More about a 429.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "TooManyRequestsDetails")]
struct Details {
    /// The header that says how long to wait.
    header: String,
}

impl TooManyRequests {
    fn new(admission: Admission, facts: &RequestFacts, now: Timestamp) -> Self {
        let (limit, seconds) = (admission.limit, admission.reset_seconds());
        Self {
            status_code: StatusCode::TOO_MANY_REQUESTS.as_u16(),
            message: format!("more than {limit} requests in 60 seconds; wait {seconds} seconds"),
            request_id: facts.id.clone(),
            method: facts.method.to_string(),
            path: facts.path.clone(),
            timestamp: now,
            name: "ApiError",
            details: Details { header: format!("Retry-After: {seconds}") },
        }
    }

    /// For the interface's description.
    pub(super) fn example(now: Timestamp) -> Self {
        let admission = Admission { admitted: false, limit: 60, remaining: 0, reset: Duration::from_secs(17) };
        let id = "7c1f0e3b9a5d4c2e8f60718293a4b5c6".to_owned();
        let (method, path, client) = (Method::POST, "/cases/create".to_owned(), ClientAddress::UNKNOWN);
        let facts = RequestFacts { id, method, path, client };
        Self::new(admission, &facts, now)
    }
}
/// Requests a minute by default, unless a company manifest sets a limit.
pub(super) fn default_limit(operation: Operation) -> u32 {
    match operation.properties().quota {
        Quota::PerCompany(limit) | Quota::PerAccessKey(limit) | Quota::PerClient(limit) => limit,
        Quota::Unlimited => u32::MAX,
    }
}
