//! The metrics as text, and what the guide and `deploy/` say of them.

mod deploy;

use tempfile::TempDir;

use super::*;
use crate::{app::test_app::open_in, clock::Clock};

/// A new installation in its own folder.
async fn new_app() -> (App, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    (open_in(folder.path(), Clock::system()).await, folder)
}

#[tokio::test(flavor = "multi_thread")]
async fn without_the_database_the_other_metrics_can_still_be_read() {
    let (app, _folder) = Box::pin(new_app()).await;
    app.db.close().await;
    let text = encode(&app).await.unwrap();
    for line in ["sealwright_part_up{part=\"database\"} 0", "sealwright_part_up{part=\"blob store\"} 1", "# EOF"] {
        assert!(text.lines().any(|found| found == line), "{line} is not in {text}");
    }
    assert!(text.contains("sealwright_connections ") && !text.contains("sealwright_jobs"), "{text}");
}

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
    metrics.rate_limit_refusal(&hyper::Method::GET, "/frames", "company");
    metrics.seal(None, Duration::from_secs(3));
    metrics.file_analysis(&Ending::Failed("no plugin gave an answer".to_owned()));
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
        "sealwright_webhook_dispatches_total{webhook=\"analysis\",outcome=\"rejected\"} 0",
        "sealwright_rate_limit_refusals_total{method=\"GET\",route=\"/frames\",quota=\"company\"} 1",
        "sealwright_seal_duration_seconds_sum{outcome=\"failed\"} 3.0",
        "sealwright_analyses_total{subject=\"file\",outcome=\"failed\"} 1",
        "# EOF",
    ] {
        assert!(text.lines().any(|found| found == line), "{line} is not in {text}");
    }
}
