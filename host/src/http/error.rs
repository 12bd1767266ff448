//! Turns an [`Error`] into its status and body, and logs failures.

use axum::{
    Json,
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use schemars::JsonSchema;
use serde::Serialize;

use crate::{domain::rate_limit::Admission, error::Error};

/// After how many seconds a client may try again if a part is unavailable: long enough not to delay its recovery, short
/// enough to notice it.
const RETRY_UNAVAILABLE_AFTER: u32 = 5;

/// The standard error body (spec 7).
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Error")]
pub(super) struct ErrorBody {
    /// The HTTP status.
    status_code: u16,
    /// One line for humans; programs should rely on the status.
    message: String,
    /// The status's reason phrase.
    error: String,
}

impl ErrorBody {
    pub(super) fn new(status: StatusCode, message: impl Into<String>) -> Self {
        let other = if status == checksum_mismatch() { "Checksum Mismatch" } else { "Error" };
        let error = status.canonical_reason().unwrap_or(other).to_owned();
        Self { status_code: status.as_u16(), message: message.into(), error }
    }
}

/// The status of tus 1.0 for a wrong checksum.
fn checksum_mismatch() -> StatusCode {
    StatusCode::from_u16(460).unwrap_or(StatusCode::BAD_REQUEST)
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        let status = match &self {
            Self::Unauthenticated(_) => StatusCode::UNAUTHORIZED,
            Self::Forbidden(_) => StatusCode::FORBIDDEN,
            Self::Invalid(_) | Self::State(_) | Self::Form(_) => StatusCode::BAD_REQUEST,
            Self::NotFound(_) => StatusCode::NOT_FOUND,
            Self::Conflict(_) => StatusCode::CONFLICT,
            Self::Gone(_) => StatusCode::GONE,
            Self::WrongChecksum(_) => checksum_mismatch(),
            Self::InvalidLinkToken(_) => StatusCode::METHOD_NOT_ALLOWED,
            Self::TooMany { .. } => StatusCode::TOO_MANY_REQUESTS,
            Self::NotReady { .. } | Self::Unavailable { .. } => StatusCode::SERVICE_UNAVAILABLE,
            Self::Internal(_) => StatusCode::INTERNAL_SERVER_ERROR,
        };
        let message = match &self {
            Self::Internal(cause) => {
                tracing::error!(error = %format!("{cause:#}"), "a request failed");
                "internal error".to_owned()
            }
            Self::Unavailable { part, cause } => {
                tracing::warn!(part, error = %format!("{cause:#}"), "a request failed because a part is unavailable");
                format!("temporarily unavailable: {part}")
            }
            // One line, whatever client text it contains.
            _ => self.to_string().replace(['\r', '\n'], " "),
        };
        let mut response = standard(status, message);
        if let Self::TooMany { limit, reset, .. } = self {
            // The guard writes the body, because it knows the request.
            response.extensions_mut().insert(Admission { admitted: false, limit, remaining: 0, reset });
            return response;
        }
        let headers = response.headers_mut();
        if let Self::Unauthenticated(_) = self {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        if let Self::InvalidLinkToken(_) = self {
            // A 405 must list the allowed methods (RFC 9110, section 15.5.6): a path without a valid token allows none.
            headers.insert(header::ALLOW, HeaderValue::from_static(""));
        }
        let retry_after = match self {
            Self::NotReady { retry_after_seconds, .. } => Some(retry_after_seconds),
            Self::Unavailable { .. } => Some(RETRY_UNAVAILABLE_AFTER),
            _ => None,
        };
        if let Some(seconds) = retry_after {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

/// A 503 of a server whose parts are unavailable or still starting.
pub(super) fn unavailable(message: impl Into<String>) -> Response {
    let mut response = standard(StatusCode::SERVICE_UNAVAILABLE, message);
    response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(RETRY_UNAVAILABLE_AFTER));
    response
}

/// Logs why a response was cut short. Its status is already sent, so the client sees only the broken connection.
pub(super) fn log_cut_short(error: &Error) {
    tracing::error!(error = %error, "a response was cut short");
}

/// An answer with the standard error body.
pub(super) fn standard(status: StatusCode, message: impl Into<String>) -> Response {
    (status, Json(ErrorBody::new(status, message))).into_response()
}

/// A known path, requested with an unsupported method.
pub(super) async fn method_not_allowed() -> Response {
    standard(StatusCode::METHOD_NOT_ALLOWED, "the address does not support this method")
}

/// The same for a path that supports only GET: without this, the router would also list HEAD.
pub(super) async fn only_get() -> Response {
    let mut response = method_not_allowed().await;
    response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("GET"));
    response
}
