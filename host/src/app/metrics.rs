//! The metrics for operators, in the OpenMetrics text format. Counters and histograms live here and are updated as things
//! happen; everything else is read when it is asked for (`metrics/snapshot.rs`).

mod process;
mod snapshot;
#[cfg(test)]
mod tests;

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
use strum::{IntoStaticStr, VariantArray as _};

use super::App;
use crate::{
    blobs::Blobs,
    db::Db,
    domain::{analysis::AnalysisProgress, company_manifest::WebhookKind, seal::SealLevel},
    error::{Error, Result},
    store::{analysis::Ending, job::JobKind},
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
    rate_limit_refusals: Family<RefusalLabels, Counter>,
    job_runs: Family<JobRunLabels, Counter>,
    job_durations: Family<JobLabels, Histogram, JobBuckets>,
    dispatches: Family<DispatchLabels, Counter>,
    seal_durations: Family<OutcomeLabels, Histogram, SealBuckets>,
    analyses: Family<AnalysisLabels, Counter>,
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
struct RefusalLabels {
    method: &'static str,
    route: String,
    quota: &'static str,
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

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OutcomeLabels {
    outcome: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct AnalysisLabels {
    subject: &'static str,
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

/// From 0.5 s to 68 minutes.
#[derive(Clone, Copy, Debug)]
struct SealBuckets;

impl MetricConstructor<Histogram> for SealBuckets {
    fn new_metric(&self) -> Histogram {
        Histogram::new(exponential_buckets(0.5, 2.0, 14))
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
        let rate_limit_refusals = Family::default();
        let help = "Requests that were refused with 429, by the quota that was exceeded";
        registry.register("rate_limit_refusals", help, rate_limit_refusals.clone());
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
        let seal_durations = Family::new_with_constructor(SealBuckets);
        let help = "Time from closing a case to its certificate, or to giving it up";
        registry.register_with_unit("seal_duration", help, Unit::Seconds, seal_durations.clone());
        let analyses = Family::default();
        registry.register("analyses", "Analyses that ended: of a file, and verdicts on a case", analyses.clone());
        let metrics = Self {
            registry,
            requests,
            request_durations,
            requests_in_progress,
            rate_limit_refusals,
            job_runs,
            job_durations,
            dispatches,
            seal_durations,
            analyses,
        };
        metrics.create_series();
        metrics
    }
}

impl Metrics {
    /// Adds what the database and the blob store count themselves.
    pub(in crate::app) fn with_parts(mut self, db: &Db, blobs: &Blobs) -> Self {
        let help = "Time a transaction waits for its commit";
        self.registry.register_with_unit("database_commit_duration", help, Unit::Seconds, db.commit_durations());
        let help = "Time of an operation of the blob store";
        self.registry.register_with_unit("blob_operation_duration", help, Unit::Seconds, blobs.durations());
        self
    }

    /// Creates the series of outcomes: an alert cannot see the first failure of a series that did not exist before.
    fn create_series(&self) {
        for webhook in WebhookKind::VARIANTS {
            for outcome in [ACCEPTED, REJECTED, UNANSWERED] {
                drop(self.dispatches.get_or_create(&DispatchLabels { webhook: webhook.into_str(), outcome }));
            }
        }
        for level in [None, Some(SealLevel::Signed), Some(SealLevel::TimeStamped), Some(SealLevel::Archived)] {
            drop(self.seal_durations.get_or_create(&of_seal(level)));
        }
        for subject in [FILE, CASE] {
            for progress in [AnalysisProgress::Completed, AnalysisProgress::Failed] {
                let outcome = progress.into_str();
                drop(self.analyses.get_or_create(&AnalysisLabels { subject, outcome }));
            }
        }
    }

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

    /// Counts a request that was refused with 429. `quota` is [`Counter::quota`](crate::domain::rate_limit::Counter).
    pub fn rate_limit_refusal(&self, method: &hyper::Method, route: &str, quota: &'static str) {
        let labels = RefusalLabels { method: known_method(method), route: route.to_owned(), quota };
        self.rate_limit_refusals.get_or_create(&labels).inc();
    }

    pub fn job_run(&self, kind: JobKind, outcome: JobRunOutcome, duration: Duration) {
        let kind = kind.as_str();
        self.job_runs.get_or_create(&JobRunLabels { kind, outcome: outcome.into_str() }).inc();
        self.job_durations.get_or_create(&JobLabels { kind }).observe(duration.as_secs_f64());
    }

    /// `status`: of the receiver's response; none without a response.
    pub fn webhook_dispatch(&self, kind: WebhookKind, status: Option<u16>) {
        let outcome = match status {
            Some(200..=299) => ACCEPTED,
            Some(_) => REJECTED,
            None => UNANSWERED,
        };
        self.dispatches.get_or_create(&DispatchLabels { webhook: kind.into_str(), outcome }).inc();
    }

    /// Counts a certificate that was made, or given up if it has no level, with the time since its case was closed.
    pub(in crate::app) fn seal(&self, level: Option<SealLevel>, since_closed: Duration) {
        self.seal_durations.get_or_create(&of_seal(level)).observe(since_closed.as_secs_f64());
    }

    pub(in crate::app) fn file_analysis(&self, ending: &Ending) {
        let progress = match ending {
            Ending::Completed(_) => AnalysisProgress::Completed,
            Ending::Failed(_) => AnalysisProgress::Failed,
        };
        self.analysis(FILE, progress);
    }

    pub(in crate::app) fn case_analysis(&self, progress: AnalysisProgress) {
        self.analysis(CASE, progress);
    }

    fn analysis(&self, subject: &'static str, progress: AnalysisProgress) {
        self.analyses.get_or_create(&AnalysisLabels { subject, outcome: progress.into_str() }).inc();
    }
}

const ACCEPTED: &str = "accepted";
const REJECTED: &str = "rejected";
const UNANSWERED: &str = "unanswered";
const FILE: &str = "file";
const CASE: &str = "case";

fn of_seal(level: Option<SealLevel>) -> OutcomeLabels {
    OutcomeLabels { outcome: level.map_or("failed", SealLevel::as_str) }
}

/// A client may send any method; each would be a time series.
pub fn known_method(method: &hyper::Method) -> &'static str {
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

/// All metrics as text, which ends with `# EOF`. If a part that the server depends on is away, what is stored there is
/// left out, and `sealwright_part_up` says so.
pub async fn encode(app: &App) -> Result<String> {
    let mut registry = Registry::default();
    registry.register_collector(Box::new(snapshot::read(app).await));
    let mut text = String::new();
    text::encode_registry(&mut text, &app.metrics.registry).map_err(Error::internal)?;
    text::encode(&mut text, &registry).map_err(Error::internal)?;
    Ok(text)
}
