//! The HTTP client of the crate `openidconnect`: the guarded one.

use std::pin::Pin;

use bytes::Bytes;
use hyper::{Method, StatusCode};
use openidconnect::{AsyncHttpClient, HttpRequest, HttpResponse};
use url::Url;

use crate::{config::is_safe_provider_url, egress::Egress};

/// The most bytes of an answer. Large providers have keys of some ten kilobytes.
const MAX_ANSWER_BYTES: usize = 256 * 1024;

pub(super) struct Transport(pub(super) Egress);

/// Why there is no answer. The text names the host, never a path or a body.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct TransportError(String);

impl Transport {
    async fn send(&self, request: HttpRequest) -> Result<HttpResponse, TransportError> {
        let (parts, body) = request.into_parts();
        let url = Url::parse(&parts.uri.to_string()).map_err(|error| TransportError(error.to_string()))?;
        if !is_safe_provider_url(&url) {
            let host = url.host_str().unwrap_or_default();
            return Err(TransportError(format!(
                "{host}: an address of the provider is neither https nor on this machine"
            )));
        }
        let answered = if parts.method == Method::GET {
            self.0.fetch(&url, MAX_ANSWER_BYTES).await
        } else {
            self.0.ask(&url, parts.headers, Bytes::from(body), MAX_ANSWER_BYTES).await
        };
        let answer =
            answered.map_err(|reason| TransportError(format!("{}: {reason}", url.host_str().unwrap_or_default())))?;
        if answer.status.is_server_error() || answer.status == StatusCode::TOO_MANY_REQUESTS {
            // Its body may look as if a code had been refused, but it means something else.
            return Err(TransportError(format!(
                "{}: it answered with status {}",
                url.host_str().unwrap_or_default(),
                answer.status
            )));
        }
        let mut response = HttpResponse::new(answer.body.to_vec());
        *response.status_mut() = answer.status;
        Ok(response)
    }
}

impl<'c> AsyncHttpClient<'c> for Transport {
    type Error = TransportError;
    type Future = Pin<Box<dyn Future<Output = Result<HttpResponse, TransportError>> + Send + 'c>>;

    fn call(&'c self, request: HttpRequest) -> Self::Future {
        Box::pin(self.send(request))
    }
}
