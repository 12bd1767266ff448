//! The metrics for operators, in the OpenMetrics text format. Counters and histograms live here and are updated as things
//! happen; everything else is read when it is asked for (`metrics/snapshot.rs`).

mod process;
mod snapshot;

pub(in crate::app) use self::snapshot::Sample;

use std::time::Duration;

use prometheus_client::{
    encoding::{EncodeLabelSet, text},
    metrics::{
        counter::Counter,
        family::{Family, MetricConstructor},
        gauge::Gauge,
        histogram::{Histogram, exponential_buckets},
    },
    registry::{Registry, Unit},
};
use strum::IntoStaticStr;

use super::App;
use crate::{
    error::{Error, Result},
    store::{job::JobKind, webhook::WebhookKind},
};

/// The media type of [`encode`]'s result (OpenMetrics 1.0).
pub const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// What this process counts. One for each process.
#[derive(Debug)]
pub struct Metrics {
    registry: Registry,
    requests: Family<RequestLabels, Counter>,
    request_durations: Family<RouteLabels, Histogram, RequestBuckets>,
    requests_in_progress: Gauge,
    job_runs: Family<JobRunLabels, Counter>,
    job_durations: Family<JobLabels, Histogram, JobBuckets>,
    dispatches: Family<DispatchLabels, Counter>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RequestLabels {
    method: &'static str,
    route: String,
    status: u16,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RouteLabels {
    method: &'static str,
    route: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct JobLabels {
    kind: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct JobRunLabels {
    kind: &'static str,
    outcome: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct DispatchLabels {
    webhook: &'static str,
    outcome: &'static str,
}

/// From 1 ms to 33 s.
#[derive(Clone, Copy, Debug)]
struct RequestBuckets;

impl MetricConstructor<Histogram> for RequestBuckets {
    fn new_metric(&self) -> Histogram {
        Histogram::new(exponential_buckets(0.001, 2.0, 16))
    }
}

/// From 10 ms to 11 minutes.
#[derive(Clone, Copy, Debug)]
struct JobBuckets;

impl MetricConstructor<Histogram> for JobBuckets {
    fn new_metric(&self) -> Histogram {
        Histogram::new(exponential_buckets(0.01, 3.0, 11))
    }
}

/// How a run of a job ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "lowercase", const_into_str)]
pub enum JobRunOutcome {
    Done,
    /// Another worker has taken the job over.
    Lost,
    /// A part of the machine was unavailable.
    Waiting,
    Failed,
}

impl Default for Metrics {
    fn default() -> Self {
        let mut registry = Registry::with_prefix("sealwright");
        let requests = Family::default();
        registry.register("http_requests", "Requests to the public address that were answered", requests.clone());
        let request_durations = Family::new_with_constructor(RequestBuckets);
        let help = "Time from a request's header to the header of its response";
        registry.register_with_unit("http_request_duration", help, Unit::Seconds, request_durations.clone());
        let requests_in_progress = Gauge::default();
        let help = "Requests to the public address that are not answered yet";
        registry.register("http_requests_in_progress", help, requests_in_progress.clone());
        let job_runs = Family::default();
        registry.register("job_runs", "Runs of jobs on this node that ended", job_runs.clone());
        let job_durations = Family::new_with_constructor(JobBuckets);
        registry.register_with_unit(
            "job_run_duration",
            "Time of one run of a job",
            Unit::Seconds,
            job_durations.clone(),
        );
        let dispatches = Family::default();
        registry.register("webhook_dispatches", "Webhooks sent by this node", dispatches.clone());
        Self { registry, requests, request_durations, requests_in_progress, job_runs, job_durations, dispatches }
    }
}

impl Metrics {
    pub fn start_request(&self) {
        self.requests_in_progress.inc();
    }

    /// Counts a response. `route` is the pattern that the path matched, so that the number of labels is limited.
    pub fn end_request(&self, method: &hyper::Method, route: &str, status: u16, duration: Duration) {
        self.requests_in_progress.dec();
        let (method, route) = (known_method(method), route.to_owned());
        self.requests.get_or_create(&RequestLabels { method, route: route.clone(), status }).inc();
        self.request_durations.get_or_create(&RouteLabels { method, route }).observe(duration.as_secs_f64());
    }

    pub fn job_run(&self, kind: JobKind, outcome: JobRunOutcome, duration: Duration) {
        let kind = kind.as_str();
        self.job_runs.get_or_create(&JobRunLabels { kind, outcome: outcome.into_str() }).inc();
        self.job_durations.get_or_create(&JobLabels { kind }).observe(duration.as_secs_f64());
    }

    /// `status`: of the receiver's response; none without a response.
    pub fn webhook_dispatch(&self, kind: WebhookKind, status: Option<u16>) {
        let outcome = match status {
            Some(200..=299) => "accepted",
            Some(_) => "rejected",
            None => "unanswered",
        };
        self.dispatches.get_or_create(&DispatchLabels { webhook: kind.into_str(), outcome }).inc();
    }
}

/// A client may send any method; each would be a time series.
fn known_method(method: &hyper::Method) -> &'static str {
    match method.as_str() {
        "GET" => "GET",
        "HEAD" => "HEAD",
        "POST" => "POST",
        "PUT" => "PUT",
        "PATCH" => "PATCH",
        "DELETE" => "DELETE",
        "OPTIONS" => "OPTIONS",
        _ => "other",
    }
}

/// All metrics as text, which ends with `# EOF`.
///
/// # Errors
/// If the database does not answer.
pub async fn encode(app: &App) -> Result<String> {
    let mut registry = Registry::default();
    registry.register_collector(Box::new(snapshot::read(app).await?));
    let mut text = String::new();
    text::encode_registry(&mut text, &app.metrics.registry).map_err(Error::internal)?;
    text::encode(&mut text, &registry).map_err(Error::internal)?;
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_end_in_total_and_durations_are_in_seconds() {
        let metrics = Metrics::default();
        metrics.start_request();
        metrics.end_request(&hyper::Method::GET, "/cases/{caseId}", 200, Duration::from_millis(3));
        metrics.start_request();
        metrics.end_request(&hyper::Method::from_bytes(b"BREW").unwrap(), "(none)", 405, Duration::from_millis(3));
        metrics.job_run(JobKind::Seal, JobRunOutcome::Done, Duration::from_secs(2));
        metrics.webhook_dispatch(WebhookKind::Case, Some(204));
        metrics.webhook_dispatch(WebhookKind::Case, None);
        let mut text = String::new();
        text::encode(&mut text, &metrics.registry).unwrap();
        for line in [
            "# TYPE sealwright_http_requests counter",
            "sealwright_http_requests_total{method=\"GET\",route=\"/cases/{caseId}\",status=\"200\"} 1",
            "sealwright_http_requests_total{method=\"other\",route=\"(none)\",status=\"405\"} 1",
            "sealwright_http_request_duration_seconds_bucket{le=\"0.004\",method=\"GET\",route=\"/cases/{caseId}\"} 1",
            "sealwright_http_requests_in_progress 0",
            "sealwright_job_runs_total{kind=\"seal\",outcome=\"done\"} 1",
            "sealwright_job_run_duration_seconds_sum{kind=\"seal\"} 2.0",
            "sealwright_webhook_dispatches_total{webhook=\"case\",outcome=\"accepted\"} 1",
            "sealwright_webhook_dispatches_total{webhook=\"case\",outcome=\"unanswered\"} 1",
            "# EOF",
        ] {
            assert!(text.lines().any(|found| found == line), "{line} is not in {text}");
        }
    }
}
