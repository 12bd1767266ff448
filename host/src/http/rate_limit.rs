//! Rate limits (spec 8, decisions 11): a rolling window of 60 seconds that keeps the exact times of what it let through.
//! Estimates with two buckets or a leaking one let through almost twice the limit within a window.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Mutex, PoisonError},
    time::Duration,
};

use axum::{
    Json,
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header::RETRY_AFTER},
    response::{IntoResponse, Response},
};
use schemars::JsonSchema;
use serde::Serialize;

use super::request::RequestFacts;
use crate::{
    clock::{Clock, Timestamp},
    domain::{id::CompanyId, operation::Operation},
};

const WINDOW: Duration = Duration::from_mins(1);
/// Windows that have run empty are forgotten when this many are kept.
const SWEEP_AT: usize = 10_000;

/// What is counted together.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Counter {
    Company(Operation, CompanyId),
    /// A public resource that exists, by its access key.
    AccessKey(Operation, String),
    /// Every request of an operation that names nothing known.
    Unknown(Operation),
}

/// Whether a request is let through, and what its `X-RateLimit-*` headers say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Admission {
    pub(super) admitted: bool,
    limit: u32,
    remaining: u32,
    /// Until the oldest counted request leaves the window.
    reset: Duration,
}

/// Counts requests in this process.
#[derive(Debug)]
pub struct RateLimiter {
    clock: Clock,
    windows: Mutex<HashMap<Counter, VecDeque<Timestamp>>>,
}

impl RateLimiter {
    pub fn new(clock: Clock) -> Self {
        Self { clock, windows: Mutex::default() }
    }

    /// Counts a request unless `limit` requests were let through in the 60 seconds before it. A refused one is not counted.
    pub(super) fn admit(&self, counter: Counter, limit: u32) -> Admission {
        let now = self.clock.now();
        // A panic while the lock was held cannot have left a window half-changed: each change is one push or pop.
        let mut windows = self.windows.lock().unwrap_or_else(PoisonError::into_inner);
        if windows.len() >= SWEEP_AT {
            windows.retain(|_, window| window.back().is_some_and(|last| now < last.after(WINDOW)));
        }
        admit(windows.entry(counter).or_default(), limit, now)
    }
}

fn admit(window: &mut VecDeque<Timestamp>, limit: u32, now: Timestamp) -> Admission {
    while window.front().is_some_and(|first| first.after(WINDOW) <= now) {
        window.pop_front();
    }
    let used = u32::try_from(window.len()).unwrap_or(u32::MAX);
    let admitted = used < limit;
    if admitted {
        window.push_back(now);
    }
    let oldest = window.front().copied().unwrap_or(now);
    let reset = oldest.after(WINDOW).as_millis() - now.as_millis();
    Admission {
        admitted,
        limit,
        remaining: limit.saturating_sub(used.saturating_add(u32::from(admitted))),
        reset: Duration::from_millis(u64::try_from(reset).unwrap_or(0)),
    }
}

impl Admission {
    /// Seconds until the oldest counted request leaves the window, rounded up: waiting so long is enough.
    fn reset_seconds(self) -> u64 {
        self.reset.as_millis().div_ceil(1000).try_into().unwrap_or(u64::MAX)
    }

    /// Adds the `X-RateLimit-*` headers.
    pub(super) fn write(self, headers: &mut HeaderMap) {
        headers.insert(HeaderName::from_static("x-ratelimit-limit"), HeaderValue::from(self.limit));
        headers.insert(HeaderName::from_static("x-ratelimit-remaining"), HeaderValue::from(self.remaining));
        headers.insert(HeaderName::from_static("x-ratelimit-reset"), HeaderValue::from(self.reset_seconds()));
    }

    /// The answer to a request that is not let through (spec 7, body of 429).
    pub(super) fn refusal(self, facts: &RequestFacts, now: Timestamp) -> Response {
        let body = TooManyRequests::new(self, facts, now);
        let mut response = (StatusCode::TOO_MANY_REQUESTS, Json(body)).into_response();
        response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(self.reset_seconds()));
        self.write(response.headers_mut());
        response
    }
}

/// The body of a 429 (spec 7).
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct TooManyRequests {
    /// 429
    status_code: u16,
    /// The limit, the window and the seconds to wait, in one line for people.
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
        let facts = RequestFacts { id, method: Method::POST, path: "/cases/create".to_owned() };
        Self::new(admission, &facts, now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limiter() -> (RateLimiter, Clock) {
        let clock = Clock::held(Timestamp::from_millis(1_000_000));
        (RateLimiter::new(clock.clone()), clock)
    }

    fn counter(company: i64) -> Counter {
        Counter::Company(Operation::SearchCases, CompanyId::new(company).unwrap())
    }

    #[test]
    fn spec_8_rule_1_the_window_rolls() {
        let (limiter, clock) = limiter();
        for used in 1..=5 {
            let admission = limiter.admit(counter(7), 5);
            assert!(admission.admitted);
            assert_eq!(admission.remaining, 5 - used);
            clock.advance(Duration::from_secs(10));
        }
        // 50 s after the first: refused, and the first leaves the window in 10 s.
        let refused = limiter.admit(counter(7), 5);
        assert!(!refused.admitted);
        assert_eq!((refused.remaining, refused.reset_seconds()), (0, 10));
        clock.advance(Duration::from_millis(9_999));
        assert!(!limiter.admit(counter(7), 5).admitted);
        clock.advance(Duration::from_millis(1));
        assert!(limiter.admit(counter(7), 5).admitted, "exactly 60 s after the first");
        assert!(!limiter.admit(counter(7), 5).admitted, "the second is still in the window");
    }

    #[test]
    fn spec_8_rule_2_one_counter_does_not_affect_another() {
        let (limiter, _) = limiter();
        assert!(limiter.admit(counter(7), 1).admitted);
        assert!(!limiter.admit(counter(7), 1).admitted);
        assert!(limiter.admit(counter(8), 1).admitted);
        assert!(limiter.admit(Counter::Unknown(Operation::SearchCases), 1).admitted);
    }

    #[test]
    fn a_random_stream_is_decided_as_a_full_log_would() {
        let (limiter, clock) = limiter();
        let mut log: Vec<Timestamp> = Vec::new();
        let mut seed = 42_u64;
        for _ in 0..20_000 {
            // A multiplicative generator is random enough to vary the gaps.
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            clock.advance(Duration::from_millis((seed >> 33) % 4_000));
            let now = clock.now();
            let in_window = log.iter().rev().take_while(|at| now < at.after(WINDOW)).count();
            let admission = limiter.admit(counter(7), 30);
            assert_eq!(admission.admitted, in_window < 30);
            if admission.admitted {
                log.push(now);
            }
        }
    }
}
