//! What every request gets: an identifier, a line in the log, and a 500 where the program failed.

use std::{panic::AssertUnwindSafe, time::Instant};

use axum::{
    extract::{FromRequestParts, MatchedPath, Request},
    http::{HeaderName, HeaderValue, Method, StatusCode, request::Parts},
    middleware::Next,
    response::Response,
};
use futures_util::FutureExt;

use super::error::standard;
use crate::clock::random_key;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// What an answer may have to repeat of its request.
#[derive(Clone, Debug)]
pub(super) struct RequestFacts {
    /// In `X-Request-Id` and the log.
    pub(super) id: String,
    pub(super) method: Method,
    pub(super) path: String,
}

/// Gives the request its identifier: the client's own if it is 1 to 128 of `A-Za-z0-9._-`, else a random one
/// (decisions 2).
pub(super) async fn request(mut request: Request, next: Next) -> Response {
    let given = request.headers().get(&REQUEST_ID).and_then(|value| value.to_str().ok()).filter(|id| is_request_id(id));
    let id = given.map_or_else(random_key, str::to_owned);
    let facts =
        RequestFacts { id: id.clone(), method: request.method().clone(), path: request.uri().path().to_owned() };
    request.extensions_mut().insert(facts.clone());
    // The pattern, not the path: share tokens and media keys are permissions and do not belong in a log.
    let route = request.extensions().get::<MatchedPath>().map_or("(none)".to_owned(), |path| path.as_str().to_owned());

    let begun = Instant::now();
    let mut response = AssertUnwindSafe(next.run(request)).catch_unwind().await.unwrap_or_else(|_| {
        tracing::error!(request = %id, "a request made the program panic; this is a bug");
        standard(StatusCode::INTERNAL_SERVER_ERROR, "internal error")
    });
    let status = response.status().as_u16();
    tracing::debug!(request = %id, method = %facts.method, route, status, took = ?begun.elapsed(), "request");
    if let Ok(value) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(REQUEST_ID, value);
    }
    response
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
