//! Requests to the receiver of one signal, and what the log says of it.

use std::{
    sync::{Arc, OnceLock},
    time::{Duration, Instant},
};

use async_trait::async_trait;
use bytes::Bytes;
use hyper::{
    HeaderMap, Request, Response,
    header::{CONTENT_TYPE, HeaderValue},
};
use opentelemetry_http::{HttpClient, HttpError};
use parking_lot::Mutex;
use tokio::runtime::Handle;
use url::Url;

use crate::egress::{Answer, Egress};

/// How often the log may say that the receiver is away.
const LOG_PAUSE: Duration = Duration::from_mins(5);
/// An answer is empty, or says how much was rejected.
const MAX_ANSWER_BYTES: usize = 64 * 1024;

/// Sends one signal to the receiver: traces or metrics.
pub(super) struct Sender {
    signal: &'static str,
    url: String,
    headers: HeaderMap,
    egress: Egress,
    reception: Mutex<Reception>,
    runtime: OnceLock<Handle>,
}

impl Sender {
    pub(super) fn new(endpoint: &str, signal: &'static str, headers: HeaderMap, egress: Egress) -> Self {
        let url = format!("{endpoint}/v1/{signal}");
        Self { signal, url, headers, egress, reception: Mutex::default(), runtime: OnceLock::new() }
    }

    pub(super) fn url(&self) -> &str {
        &self.url
    }

    /// Names the runtime for requests from threads without one. A second call changes nothing.
    pub(super) fn run_on(&self, runtime: Handle) {
        let _first = self.runtime.set(runtime);
    }

    /// Sends a message. Logs that the receiver is away, and that it is back.
    ///
    /// # Errors
    /// If no answer was read.
    pub(super) async fn post(&self, message: Bytes) -> Result<Answer, String> {
        let mut headers = self.headers.clone();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/x-protobuf"));
        let answer = match Url::parse(&self.url) {
            Ok(url) => self.egress.ask(&url, headers, message, MAX_ANSWER_BYTES).await,
            Err(error) => Err(error.to_string()),
        };
        self.report(&answer);
        answer
    }

    fn report(&self, answer: &Result<Answer, String>) {
        let problem = match answer {
            Ok(answer) if answer.status.is_success() => None,
            Ok(answer) => Some(format!("the receiver answered {}", answer.status)),
            Err(error) => Some(error.clone()),
        };
        let (change, signal) = (self.reception.lock().note(problem.is_none(), Instant::now()), self.signal);
        match (change, problem) {
            (Some(Change::Lost), Some(error)) => {
                tracing::warn!(signal, error, "the OTLP receiver does not accept data, which is dropped");
            }
            (Some(Change::Back), _) => tracing::info!(signal, "the OTLP receiver accepts data again"),
            _ => {}
        }
    }
}

/// Not the headers: they may contain a password.
impl std::fmt::Debug for Sender {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sender").field("url", &self.url).finish_non_exhaustive()
    }
}

/// The client of the exporter of spans, which runs on a thread without a runtime.
#[derive(Clone, Debug)]
pub(super) struct Client(pub(super) Arc<Sender>);

#[async_trait]
impl HttpClient for Client {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let sender = Arc::clone(&self.0);
        let runtime = sender.runtime.get().cloned().ok_or("the server is starting")?;
        let answer = runtime.spawn(async move { sender.post(request.into_body()).await }).await??;
        Ok(Response::builder().status(answer.status).body(answer.body)?)
    }
}

/// Whether the receiver accepts data, as far as the log has said.
#[derive(Debug, Default)]
struct Reception {
    is_reported_lost: bool,
    reported_at: Option<Instant>,
}

#[derive(Debug, PartialEq, Eq)]
enum Change {
    Lost,
    Back,
}

impl Reception {
    /// What to log after a message that was accepted or not. A receiver that comes and goes is reported once in a while.
    fn note(&mut self, is_accepted: bool, now: Instant) -> Option<Change> {
        if is_accepted {
            return std::mem::take(&mut self.is_reported_lost).then_some(Change::Back);
        }
        let is_recent = self.reported_at.is_some_and(|at| now.duration_since(at) < LOG_PAUSE);
        if self.is_reported_lost || is_recent {
            return None;
        }
        *self = Self { is_reported_lost: true, reported_at: Some(now) };
        Some(Change::Lost)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_receiver_that_comes_and_goes_has_two_lines_in_five_minutes() {
        let start = Instant::now();
        let mut reception = Reception::default();
        let mut note = |seconds, is_accepted| reception.note(is_accepted, start + Duration::from_secs(seconds));
        assert_eq!(note(0, true), None);
        assert_eq!(note(1, false), Some(Change::Lost));
        assert_eq!(note(2, false), None);
        assert_eq!(note(3, true), Some(Change::Back));
        assert_eq!((note(4, false), note(5, true)), (None, None));
        assert_eq!(note(300, false), None);
        assert_eq!((note(301, false), note(900, false)), (Some(Change::Lost), None));
        assert_eq!(note(901, true), Some(Change::Back));
    }
}
