//! Traces and metrics for a receiver of OpenTelemetry data: OTLP, protobuf over HTTP (decision 0032). This module sends
//! them. Spans are made where the work is done (`http`, `jobs`), and the metrics are those of `GET /metrics`.

mod metrics;
mod open_metrics;
mod sender;
mod traces;

use std::{fs, path::Path, sync::Arc, time::Duration};

use anyhow::Context as _;
use bytes::Bytes;
use hyper::{
    HeaderMap,
    header::{HeaderName, HeaderValue},
};
use opentelemetry::KeyValue;
use opentelemetry_sdk::{Resource, trace::SdkTracerProvider};
use prost::Message as _;
use tokio::{
    runtime::Handle,
    time::{MissedTickBehavior, interval, timeout},
};
use tokio_util::sync::CancellationToken;

pub use self::traces::TraceLayer;
use self::{metrics::Period, sender::Sender};
use crate::{
    clock::{Clock, Timestamp, random_key},
    config::OtlpSettings,
    egress::{Egress, EgressOptions},
    error::Result,
};

/// For one complete request to the receiver.
const TIMEOUT: Duration = Duration::from_secs(10);
/// For what is sent when the server stops (operator.md).
const FLUSH: Duration = Duration::from_secs(5);

/// The connection to the receiver. One for each process; the clones share it.
#[derive(Clone, Debug)]
pub struct Otlp {
    provider: SdkTracerProvider,
    traces: Arc<Sender>,
    metrics: Arc<Sender>,
    resource: Resource,
    interval: Duration,
    clock: Clock,
    /// Since when counters count.
    started_at: Timestamp,
}

impl Otlp {
    /// `None` if no receiver is set.
    ///
    /// # Errors
    /// If the headers file cannot be used, or TLS cannot be set up.
    pub fn new(settings: &OtlpSettings) -> anyhow::Result<Option<Self>> {
        let Some(endpoint) = &settings.endpoint else { return Ok(None) };
        let headers = settings.headers_file.as_deref().map(read_headers).transpose()?.unwrap_or_default();
        let egress = Egress::new(EgressOptions { timeout: TIMEOUT, allow_private_addresses: true })?;
        let sender = |signal| Arc::new(Sender::new(endpoint, signal, headers.clone(), egress.clone()));
        let (traces, metrics) = (sender("traces"), sender("metrics"));
        let resource = resource();
        let provider = traces::provider(&traces, resource.clone()).context("otlp.endpoint")?;
        let clock = Clock::system();
        let started_at = clock.now();
        Ok(Some(Self { provider, traces, metrics, resource, interval: settings.interval, clock, started_at }))
    }

    /// The layer that turns the spans of requests and jobs into traces.
    pub fn layer(&self) -> TraceLayer {
        traces::layer(&self.provider)
    }

    /// Names the runtime that sends traces. Spans that are exported before are dropped.
    pub fn run_on(&self, runtime: Handle) {
        self.traces.run_on(runtime);
    }

    /// Sends the metrics that `read` returns, now and then at each interval, until `stop` is cancelled.
    pub async fn export_metrics<F>(&self, read: impl Fn() -> F, stop: &CancellationToken)
    where
        F: Future<Output = Result<String>>,
    {
        let mut ticks = interval(self.interval);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        while stop.run_until_cancelled(ticks.tick()).await.is_some() {
            // Cancelled too: the last metrics are sent by `finish`.
            let _sent = stop.run_until_cancelled(self.send_metrics(read())).await;
        }
    }

    /// Sends the spans that are left and the last metrics, for a few seconds at most.
    pub async fn finish(self, last_metrics: impl Future<Output = Result<String>>) {
        let provider = self.provider.clone();
        // It waits for the thread that exports spans.
        let traces = tokio::task::spawn_blocking(move || provider.shutdown_with_timeout(FLUSH));
        // A receiver that is away has been reported.
        let (_flushed, _sent) = tokio::join!(traces, timeout(FLUSH, self.send_metrics(last_metrics)));
    }

    async fn send_metrics(&self, read: impl Future<Output = Result<String>>) {
        match read.await {
            Ok(text) => {
                let period = Period { started_at: self.started_at, now: self.clock.now() };
                let request = metrics::request(&text, period, &self.resource);
                // Reported by the sender. What is lost is in the next message, because counters are cumulative.
                let _answered = self.metrics.post(Bytes::from(request.encode_to_vec())).await;
            }
            Err(error) => tracing::warn!(%error, "metrics cannot be read"),
        }
    }
}

/// This process, as the receiver names it. `OTEL_RESOURCE_ATTRIBUTES` can add more.
fn resource() -> Resource {
    let host = rustix::system::uname().nodename().to_string_lossy().into_owned();
    let attributes = [
        KeyValue::new("service.version", env!("CARGO_PKG_VERSION")),
        // A receiver distinguishes the nodes by it.
        KeyValue::new("service.instance.id", random_key()),
        KeyValue::new("host.name", host),
    ];
    Resource::builder().with_service_name("sealwright").with_attributes(attributes).build()
}

/// One `Name: value` on each line.
fn read_headers(file: &Path) -> anyhow::Result<HeaderMap> {
    let text = fs::read_to_string(file).with_context(|| format!("otlp.headers_file: {}", file.display()))?;
    let mut headers = HeaderMap::new();
    for (line, header) in text.lines().enumerate().filter(|(_, header)| !header.trim().is_empty()) {
        // The value is a secret, so it is not in the message.
        let (name, value) = read_header(header).with_context(|| {
            format!("otlp.headers_file: {}:{}: expected a header such as `Name: value`", file.display(), line + 1)
        })?;
        headers.append(name, value);
    }
    Ok(headers)
}

fn read_header(line: &str) -> Option<(HeaderName, HeaderValue)> {
    let (name, value) = line.split_once(':')?;
    let mut value = HeaderValue::from_str(value.trim()).ok()?;
    value.set_sensitive(true);
    Some((HeaderName::try_from(name.trim()).ok()?, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_headers_file_has_one_header_on_each_line() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("headers");
        fs::write(&file, "Authorization: Bearer s3cret:x\n\nx-tenant:7\r\n").unwrap();
        let headers = read_headers(&file).unwrap();
        assert_eq!(
            (&headers["authorization"], &headers["x-tenant"]),
            (&"Bearer s3cret:x".parse().unwrap(), &"7".parse().unwrap())
        );
        assert!(!format!("{headers:?}").contains("s3cret"));
        fs::write(&file, "a: b\ns3cret\n").unwrap();
        let error = format!("{:#}", read_headers(&file).unwrap_err());
        assert!(error.contains("headers:2: expected a header") && !error.contains("s3cret"), "{error}");
    }
}
