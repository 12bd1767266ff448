//! One time-stamping authority over HTTP, and its health.

use std::{
    collections::BTreeSet,
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use bytes::Bytes;
use hyper::{
    HeaderMap,
    header::{ACCEPT, CONTENT_TYPE, HeaderValue},
};
use parking_lot::{Mutex, MutexGuard};
use sealwright_seal::{
    Sha256Digest,
    tsp::{QUERY_MEDIA_TYPE, REPLY_MEDIA_TYPE, Request, Token},
};
use url::Url;

use super::{Judge, SourceError};
use crate::{
    clock::{Timestamp, random_bytes},
    egress::Egress,
};

/// The most bytes of an answer.
const MAX_ANSWER_BYTES: usize = 64 * 1024;
/// The longest pause of a source that fails repeatedly, as a multiple of the first one.
const MAX_PAUSES: u32 = 16;

pub(super) struct Source {
    url: Url,
    name: String,
    pause: Duration,
    health: Mutex<Health>,
    pub(super) refused: RefusedTokens,
}

/// How many tokens were refused, by reason.
#[derive(Default)]
pub(super) struct RefusedTokens {
    untrusted: AtomicU64,
    other_time: AtomicU64,
}

impl RefusedTokens {
    /// By the metric's label values.
    pub(super) fn counts(&self) -> [(&'static str, u64); 2] {
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        [("untrusted", read(&self.untrusted)), ("time", read(&self.other_time))]
    }

    fn count(&self, error: &SourceError) {
        let counter = match error {
            SourceError::Untrusted(_) => &self.untrusted,
            SourceError::OtherTime { .. } => &self.other_time,
            _ => return,
        };
        counter.fetch_add(1, Ordering::Relaxed);
    }
}

#[derive(Default)]
struct Health {
    failures: u32,
    /// By the steady clock.
    paused_until: Option<Timestamp>,
    /// The root of its last token.
    root: Option<String>,
}

impl Source {
    pub(super) fn new(url: Url, pause: Duration) -> Self {
        let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
        let name = format!("{}{port}", url.host_str().unwrap_or_default());
        Self { url, name, pause, health: Mutex::default(), refused: RefusedTokens::default() }
    }

    /// Host and port: paths may contain a customer's key.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn is_up(&self) -> bool {
        self.health().failures == 0
    }

    pub(super) fn is_paused(&self, now: Timestamp) -> bool {
        self.health().paused_until.is_some_and(|until| now < until)
    }

    /// Whether its last token was under one of these roots.
    pub(super) fn is_under(&self, roots: &BTreeSet<String>) -> bool {
        self.health().root.as_ref().is_some_and(|root| roots.contains(root))
    }

    /// `root`: of the token.
    pub(super) fn record_success(&self, root: Option<String>) {
        let before = std::mem::replace(&mut *self.health(), Health { root, ..Health::default() });
        if before.failures > 0 {
            tracing::info!(
                authority = self.name,
                failures = before.failures,
                "a time-stamping authority is available again"
            );
        }
    }

    pub(super) fn record_failure(&self, error: &SourceError, now: Timestamp) {
        self.refused.count(error);
        let mut health = self.health();
        let pauses = 2_u32.saturating_pow(health.failures).min(MAX_PAUSES);
        health.failures = health.failures.saturating_add(1);
        health.paused_until = Some(now.after(self.pause.saturating_mul(pauses)));
        tracing::warn!(authority = self.name, %error, failures = health.failures, "a time-stamping authority issued no time stamp");
    }

    /// One request and its answer.
    pub(super) async fn ask(&self, client: &Egress, judge: &Judge, digest: Sha256Digest) -> Result<Token, SourceError> {
        let request = Request::new(digest, random_bytes());
        let headers = HeaderMap::from_iter([
            (CONTENT_TYPE, HeaderValue::from_static(QUERY_MEDIA_TYPE)),
            (ACCEPT, HeaderValue::from_static(REPLY_MEDIA_TYPE)),
        ]);
        let asked = client.ask(&self.url, headers, Bytes::from(request.to_der()), MAX_ANSWER_BYTES).await;
        let answer = asked.map_err(SourceError::Unreachable)?;
        if !answer.status.is_success() {
            return Err(SourceError::Status(answer.status.as_u16()));
        }
        let token = request.accept(&answer.body)?;
        judge.judge(&token, &digest)?;
        Ok(token)
    }

    fn health(&self) -> MutexGuard<'_, Health> {
        // A panic cannot leave the health half changed.
        self.health.lock()
    }
}
