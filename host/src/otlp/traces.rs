//! Spans of requests and jobs as traces. The spans that one request caused, on any node, are one trace: its identifier
//! is made from that of the request.

use std::{sync::Arc, time::Duration};

use opentelemetry::{
    Value,
    trace::{SpanKind, TraceId, TracerProvider as _},
};
use opentelemetry_otlp::{Protocol, SpanExporter, WithExportConfig as _, WithHttpConfig as _};
use opentelemetry_sdk::{
    Resource,
    error::OTelSdkResult,
    trace::{
        BatchConfigBuilder, BatchSpanProcessor, IdGenerator, RandomIdGenerator, Sampler, SdkTracerProvider, SpanData,
    },
};
use sha2::{Digest as _, Sha256};
use tracing::{Level, Metadata, level_filters::LevelFilter};
use tracing_subscriber::{Layer, Registry, filter::FilterFn};

use super::{
    TIMEOUT,
    sender::{Client, Sender},
};
use crate::request_id;

/// Spans that wait for the receiver. Further ones are dropped (operator.md).
const QUEUE: usize = 2048;
/// How long a span waits at most while the receiver answers.
const DELAY: Duration = Duration::from_secs(5);

/// A layer of the subscriber that writes the log.
pub type TraceLayer = Box<dyn Layer<Registry> + Send + Sync>;

/// Spans only: the lines of the log stay in the log.
pub(super) fn layer(provider: &SdkTracerProvider) -> TraceLayer {
    let spans = FilterFn::new(is_exported as fn(&Metadata<'_>) -> bool).with_max_level_hint(LevelFilter::INFO);
    tracing_opentelemetry::layer()
        .with_tracer(provider.tracer("sealwright"))
        .with_location(false)
        .with_target(false)
        .with_threads(false)
        .with_tracked_inactivity(false)
        .with_filter(spans)
        .boxed()
}

fn is_exported(metadata: &Metadata<'_>) -> bool {
    metadata.is_span() && *metadata.level() <= Level::INFO && metadata.target().starts_with("sealwright")
}

/// Starts the thread that exports spans.
pub(super) fn provider(sender: &Arc<Sender>, resource: Resource) -> anyhow::Result<SdkTracerProvider> {
    let exporter = SpanExporter::builder()
        .with_http()
        .with_http_client(Client(Arc::clone(sender)))
        .with_endpoint(sender.url())
        .with_protocol(Protocol::HttpBinary)
        .with_timeout(TIMEOUT)
        .build()?;
    let batches = BatchConfigBuilder::default().with_max_queue_size(QUEUE).with_scheduled_delay(DELAY).build();
    let processor = BatchSpanProcessor::builder(NamingExporter(exporter)).with_batch_config(batches).build();
    Ok(SdkTracerProvider::builder()
        .with_span_processor(processor)
        .with_id_generator(RequestTraces::default())
        .with_sampler(Sampler::AlwaysOn)
        .with_resource(resource)
        .build())
}

/// Gives the spans of one request and of the jobs that it caused the same trace. Work without a request has its own.
#[derive(Debug, Default)]
struct RequestTraces(RandomIdGenerator);

impl IdGenerator for RequestTraces {
    fn new_trace_id(&self) -> TraceId {
        request_id::current().map_or_else(|| self.0.new_trace_id(), |request| trace_id(&request))
    }

    fn new_span_id(&self) -> opentelemetry::SpanId {
        self.0.new_span_id()
    }
}

/// The request's identifier itself if it has the form of a trace's, as ours have, else a part of its hash.
fn trace_id(request: &str) -> TraceId {
    let is_hexadecimal = request.len() == 32 && request.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    let own = TraceId::from_hex(request).ok().filter(|&id| is_hexadecimal && id != TraceId::INVALID);
    own.unwrap_or_else(|| {
        let mut half = [0; 16];
        half.copy_from_slice(&Sha256::digest(request)[..16]);
        TraceId::from_bytes(half)
    })
}

/// Names spans as receivers expect it. Their fields stay as the log has them.
#[derive(Debug)]
struct NamingExporter(SpanExporter);

impl opentelemetry_sdk::trace::SpanExporter for NamingExporter {
    fn export(&self, mut batch: Vec<SpanData>) -> impl Future<Output = OTelSdkResult> + Send {
        batch.iter_mut().for_each(name);
        self.0.export(batch)
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.0.shutdown_with_timeout(timeout)
    }

    fn force_flush(&self) -> OTelSdkResult {
        self.0.force_flush()
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.0.set_resource(resource);
    }
}

fn name(span: &mut SpanData) {
    let field = |key: &str| {
        let found = span.attributes.iter().find(|attribute| attribute.key.as_str() == key);
        found.map(|attribute| Value::as_str(&attribute.value).into_owned()).unwrap_or_default()
    };
    let (kind, name) = match span.name.as_ref() {
        "request" => (SpanKind::Server, format!("{} {}", field("http.request.method"), field("http.route"))),
        "job" => (SpanKind::Consumer, format!("job {}", field("kind"))),
        _ => return,
    };
    span.span_kind = kind;
    span.name = name.into();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trace_has_the_identifier_of_its_request() {
        let own = "4bf92f3577b34da6a3ce929d0e0e4736";
        assert_eq!(trace_id(own).to_string(), own);
        // SHA-256 of the text.
        let hashed = hex::encode(&Sha256::digest("support-42")[..16]);
        assert_eq!(trace_id("support-42").to_string(), hashed);
        for other in
            ["00000000000000000000000000000000", "4BF92F3577B34DA6A3CE929D0E0E4736", "+bf92f3577b34da6a3ce929d0e0e4736"]
        {
            assert_ne!(trace_id(other), TraceId::INVALID);
            assert_ne!(trace_id(other).to_string(), other.to_lowercase());
        }
    }

    #[tokio::test]
    async fn spans_within_a_request_are_one_trace_and_others_are_not() {
        let traces = RequestTraces::default();
        let within = request_id::scope(Some("close-42".to_owned()), async { traces.new_trace_id() });
        assert_eq!(within.await, trace_id("close-42"));
        assert_ne!(traces.new_trace_id(), traces.new_trace_id());
        assert_ne!(traces.new_span_id(), traces.new_span_id());
    }
}
