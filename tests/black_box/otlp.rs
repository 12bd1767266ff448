//! Traces and metrics for an OTLP receiver (operator's page, "Watching it"): what arrives, and that a receiver that is
//! away is of no consequence.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    time::{Duration, Instant},
};

use hyper::Method;
use opentelemetry_proto::tonic::{
    collector::{metrics::v1::ExportMetricsServiceRequest, trace::v1::ExportTraceServiceRequest},
    common::v1::{KeyValue, any_value::Value},
    metrics::v1::{Metric, metric::Data, number_data_point},
    resource::v1::Resource,
    trace::v1::{Span, Status, span::SpanKind, status::StatusCode},
};
use prost::Message as _;
use serde_json::json;
use sha2::{Digest as _, Sha256};
use tokio::net::TcpListener;

use crate::support::{
    AMPLE, Api, Database, Receiver, TestServer,
    client::send,
    company_manifest::{ACME_API, ACME_API_SECRET, SHORT_FRAME, acme_on},
    eventually,
    evidence::{close, open_case},
    receiver::{Delivery, Reply},
    server::said,
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_its_jobs_and_its_webhook_are_one_trace() {
    let collector = Receiver::start().await;
    let folder = tempfile::tempdir().unwrap();
    let headers = folder.path().join("headers");
    fs::write(&headers, "Authorization: Bearer for-the-collector\n").unwrap();
    // The log's level does not limit the traces.
    let settings = [("SEALWRIGHT_OTLP_HEADERS_FILE", headers.to_str().unwrap()), ("SEALWRIGHT_LOG_LEVEL", "warn")];
    let mut server = start(&collector.url(""), &settings).await;
    let (api, receiver) = acme_on(&server).await;
    let case = open_case(&api, &json!({ "frameId": SHORT_FRAME })).await;
    let request = api.request(Method::GET, &format!("/cases/close/{case}")).header("x-request-id", "close-42");
    send(request).await.expect(200);
    receiver.wait_for(1).await;
    let other = api.get("/frames").await.expect(200);
    // The rest is sent when the server stops.
    server.terminate().await;

    let spans = spans(&collector);
    let trace: Vec<&Span> = spans.iter().filter(|span| span.trace_id == Sha256::digest("close-42")[..16]).collect();
    let named = |name: &str| -> &Span {
        let [span] = trace.iter().filter(|span| span.name == name).collect::<Vec<_>>()[..] else {
            panic!("not one span {name} in {trace:#?}");
        };
        span
    };
    let closing = named("GET /cases/close/{caseId}");
    assert_eq!(closing.kind, SpanKind::Server as i32);
    let fields = attributes(&closing.attributes);
    for (name, value) in [
        ("id", "close-42"),
        ("operation", "closeCase"),
        ("company", "7"),
        ("user", ACME_API.user_id),
        ("http.request.method", "GET"),
        ("http.route", "/cases/close/{caseId}"),
        ("http.response.status_code", "200"),
    ] {
        assert_eq!(fields.get(name).map(String::as_str), Some(value), "{name} in {fields:?}");
    }
    for kind in ["seal", "deliver-case"] {
        let job = named(&format!("job {kind}"));
        assert_eq!((job.kind, job.parent_span_id.len()), (SpanKind::Consumer as i32, 0));
        let fields = attributes(&job.attributes);
        for (name, value) in
            [("kind", kind), ("subject", &*case.to_string()), ("request", "close-42"), ("outcome", "done")]
        {
            assert_eq!(fields.get(name).map(String::as_str), Some(value), "{name} in {fields:?}");
        }
        assert!(job.start_time_unix_nano >= closing.start_time_unix_nano && job.events.is_empty());
    }
    let delivered = attributes(&named("job deliver-case").attributes);
    assert_eq!(delivered["http.response.status_code"], "200", "the receiver's answer");
    // An identifier that the server made is that of the trace.
    let own = hex::decode(other.header("x-request-id").unwrap()).unwrap();
    assert!(spans.iter().any(|span| span.trace_id == own && span.name == "GET /frames"));
    assert!(!spans.iter().any(|span| span.name.contains("/readyz")), "probes are not traced");

    for message in collector.received() {
        assert_eq!(message.header("authorization"), Some("Bearer for-the-collector"));
        assert_eq!(message.header("content-type"), Some("application/x-protobuf"));
        for secret in [api.token.as_deref().unwrap(), ACME_API.password, ACME_API_SECRET, "for-the-collector"] {
            let found = message.body.windows(secret.len()).any(|part| part == secret.as_bytes());
            assert!(!found, "{secret} is in a message to {}", message.target);
        }
    }
    let log = server.log();
    assert!(!log.contains("answered") && !log.contains("for-the-collector"), "{log}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn requests_that_fail_are_marked_in_their_traces() {
    let collector = Receiver::start().await;
    let mut server = start(&collector.url(""), &[]).await;
    let (api, receiver) = acme_on(&server).await;
    receiver.reply_with(Reply::Status(500));
    api.get("/cases/999999/analysis").await.expect(404);
    let case = open_case(&api, &json!({ "frameId": SHORT_FRAME })).await;
    close(&api, case).await.expect(200);
    receiver.wait_for(1).await;
    server.terminate().await;
    let spans = spans(&collector);
    let status = |span: &Span| span.status.as_ref().map_or(StatusCode::Unset, Status::code);
    // A wrong request is not a failure of the server, and neither is a receiver's refusal.
    assert!(spans.iter().all(|span| status(span) == StatusCode::Unset), "{spans:#?}");
    let refused =
        |span: &&Span| attributes(&span.attributes).get("http.response.status_code").is_some_and(|s| s == "404");
    assert_eq!(spans.iter().filter(refused).count(), 1);
    let delivered = spans.iter().find(|span| span.name == "job deliver-case").unwrap();
    assert_eq!(attributes(&delivered.attributes)["http.response.status_code"], "500");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_metrics_arrive_under_the_names_that_get_metrics_has() {
    let collector = Receiver::start().await;
    let server = start(&collector.url("/base/"), &[]).await;
    let (api, _receiver) = acme_on(&server).await;
    api.get("/frames").await.expect(200);
    let text = Api::new(&server.admin_url(), None).get("/metrics").await.expect(200).text();
    let names = exposed(&text);
    let metrics = eventually("a message has all metrics", AMPLE, async || {
        let newest = collector.received().iter().rev().find_map(|message| metrics(message, "/base/v1/metrics"))?;
        let sent: BTreeSet<String> = newest.iter().map(|metric| metric.name.clone()).collect();
        // A message from before the request has the names too.
        let counts_request = format!("{newest:?}").contains("/frames");
        (names.is_subset(&sent) && counts_request).then_some(newest)
    })
    .await;
    let data = |name: &str| metrics.iter().find(|metric| metric.name == name).unwrap().data.as_ref().unwrap();

    let Data::Sum(requests) = data("sealwright_http_requests_total") else { panic!("not a counter") };
    assert!(requests.is_monotonic);
    let frames = requests.data_points.iter().find(|point| attributes(&point.attributes)["route"] == "/frames").unwrap();
    assert_eq!(frames.value, Some(number_data_point::Value::AsInt(1)));
    assert!(frames.start_time_unix_nano > 0 && frames.start_time_unix_nano <= frames.time_unix_nano);
    let Data::Gauge(up) = data("sealwright_part_up") else { panic!("not a gauge") };
    assert!(up.data_points.iter().all(|point| point.value == Some(number_data_point::Value::AsInt(1))));
    let Data::Histogram(durations) = data("sealwright_http_request_duration_seconds") else {
        panic!("not a histogram")
    };
    let frames =
        durations.data_points.iter().find(|point| attributes(&point.attributes)["route"] == "/frames").unwrap();
    assert_eq!((frames.count, frames.bucket_counts.iter().sum::<u64>()), (1, 1));
    assert_eq!(frames.bucket_counts.len(), frames.explicit_bounds.len() + 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_receiver_that_is_absent_is_reported_once_and_changes_nothing_else() {
    // The port of a listener that is gone.
    let address = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let mut server = start(&format!("http://{address}"), &[]).await;
    works(&server).await;
    let lines = |server: &TestServer, signal: &str| {
        let part = format!("the OTLP receiver does not accept data, which is dropped signal=\"{signal}\"");
        server.log().lines().filter(|line| line.contains(&part)).count()
    };
    eventually("the absence is logged", AMPLE, async || {
        (lines(&server, "traces") > 0 && lines(&server, "metrics") > 0).then_some(())
    })
    .await;
    server.terminate().await;
    assert_eq!((lines(&server, "traces"), lines(&server, "metrics")), (1, 1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_receiver_that_never_answers_holds_up_neither_requests_nor_the_end() {
    let collector = Receiver::start().await;
    collector.reply_with(Reply::Hang);
    let mut server = start(&collector.url(""), &[]).await;
    works(&server).await;
    let stopped = Instant::now();
    server.terminate().await;
    assert!(stopped.elapsed() < Duration::from_secs(25), "{:?}", stopped.elapsed());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_headers_file_that_cannot_be_used_is_an_error_at_startup() {
    let server = TestServer::start(Database::Sqlite).await;
    let headers = server.folder().join("headers");
    fs::write(&headers, "a-password\n").unwrap();
    let flags = ["--otlp-endpoint", "http://127.0.0.1:1", "--otlp-headers-file", headers.to_str().unwrap()];
    let output = server.run(&[&["serve"], &flags[..]].concat());
    let said = said(&output);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("headers:1: expected a header such as") && !said.contains("a-password"), "{said}");
}

/// A server that sends its metrics five times a second.
async fn start(endpoint: &str, settings: &[(&str, &str)]) -> TestServer {
    let mut all = vec![("SEALWRIGHT_OTLP_ENDPOINT", endpoint), ("SEALWRIGHT_OTLP_INTERVAL", "200ms")];
    all.extend(settings);
    TestServer::start_with(Database::Sqlite, &all).await
}

/// Closes a case, and waits for its webhook.
async fn works(server: &TestServer) {
    let (api, receiver) = acme_on(server).await;
    let case = open_case(&api, &json!({ "frameId": SHORT_FRAME })).await;
    close(&api, case).await.expect(200);
    receiver.wait_for(1).await;
}

/// All spans that arrived, after checking whose they are.
fn spans(collector: &Receiver) -> Vec<Span> {
    let messages = collector.received().into_iter().filter(|message| message.target == "/v1/traces");
    let resources = messages
        .flat_map(|message| ExportTraceServiceRequest::decode(message.body).expect("a message of OTLP").resource_spans);
    let of_resource = |spans: opentelemetry_proto::tonic::trace::v1::ResourceSpans| {
        check(&spans.resource.unwrap());
        spans.scope_spans.into_iter().flat_map(|scope| scope.spans)
    };
    resources.flat_map(of_resource).collect()
}

/// The metrics of a message to this address, after checking whose they are.
fn metrics(message: &Delivery, target: &str) -> Option<Vec<Metric>> {
    if message.target != target {
        return None;
    }
    let request = ExportMetricsServiceRequest::decode(message.body.clone()).expect("a message of OTLP");
    let [metrics] = request.resource_metrics.try_into().expect("one resource");
    check(&metrics.resource.unwrap());
    Some(metrics.scope_metrics.into_iter().flat_map(|scope| scope.metrics).collect())
}

fn check(resource: &Resource) {
    let fields = attributes(&resource.attributes);
    assert_eq!(fields["service.name"], "sealwright");
    assert!(!fields["service.instance.id"].is_empty() && !fields["host.name"].is_empty());
}

/// The names of the metrics in a text that have a value.
fn exposed(text: &str) -> BTreeSet<String> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let series: BTreeSet<&str> = lines.filter_map(|line| line.split(['{', ' ']).next()).collect();
    let types = text.lines().filter_map(|line| line.strip_prefix("# TYPE ")?.split_once(' '));
    let names = types.filter_map(|(name, metric_type)| {
        let (name, first) = match metric_type {
            "counter" => (format!("{name}_total"), format!("{name}_total")),
            "histogram" => (name.to_owned(), format!("{name}_count")),
            _ => (name.to_owned(), name.to_owned()),
        };
        series.contains(first.as_str()).then_some(name)
    });
    names.collect()
}

fn attributes(all: &[KeyValue]) -> BTreeMap<String, String> {
    let text = |value: &Value| match value {
        Value::StringValue(text) => text.clone(),
        Value::IntValue(number) => number.to_string(),
        other => panic!("{other:?}"),
    };
    all.iter().map(|one| (one.key.clone(), text(one.value.as_ref().unwrap().value.as_ref().unwrap()))).collect()
}
