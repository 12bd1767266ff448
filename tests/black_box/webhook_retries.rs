//! Standard Webhooks, retries by a schedule, and receivers that are paused (decisions 12).

use std::{fs, path::Path, process::Command};

use serde_json::{Value, json};

use crate::support::{
    AMPLE, Api, Database, Receiver, TestServer,
    company_manifest::{ACME, ACME_API_KEY, ACME_API_SECRET, ACME_READER, SHORT_FRAME, acme_on, acme_with_webhook},
    eventually, evidence,
    evidence::open_case,
    issuer, on_both_databases,
    receiver::{Delivery, Reply},
    rows::Rows,
    server::said,
    toolchains::node_modules,
};

on_both_databases!(
    a_webhook_is_sent_again_until_it_is_accepted,
    after_its_last_attempt_a_webhook_is_given_up,
    a_webhook_that_is_sent_again_while_it_fails_starts_over,
    a_paused_receiver_loses_nothing,
    a_paused_receiver_is_tried_although_a_turn_was_lost,
);

const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const OLD_SECRET: &str = "whsec_bmV3IHNlY3JldCBvZiAyNCBieXRlcyEh";
const TEST: &str = "/v2/company-options/case-webhook/test";
const PACKAGES: &str = r#"{ "private": true, "devDependencies": { "standardwebhooks": "1.0.0" } }"#;

async fn a_webhook_is_sent_again_until_it_is_accepted(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    server.must_apply(&standard(&receiver, "retry_seconds = [1, 1, 1]"));
    receiver.reply_with(Reply::Status(503));
    close_a_case(&api).await;
    receiver.wait_for(2).await;
    receiver.reply_with(Reply::Status(200));
    let all = receiver.wait_for(3).await;
    let attempts = attempts(&server, 3).await;
    let seen: Vec<_> = attempts.iter().map(|attempt| (&attempt["status"], &attempt["fate"])).collect();
    let (retried, none) = (json!("retried"), Value::Null);
    assert_eq!(seen, [(&json!(200), &none), (&json!(503), &retried), (&json!(503), &retried)]);
    // One delivery, so one identifier, and the second of each attempt.
    let identifiers: Vec<_> = all.iter().map(|webhook| webhook.header("webhook-id").unwrap()).collect();
    assert!(identifiers[0].starts_with("CAS-") && identifiers[0].ends_with("_case"), "{identifiers:?}");
    assert!(identifiers.iter().all(|identifier| *identifier == identifiers[0]), "{identifiers:?}");
    let seconds: Vec<i64> =
        all.iter().map(|webhook| webhook.header("webhook-timestamp").unwrap().parse().unwrap()).collect();
    assert!(seconds[0] < seconds[2] && seconds.is_sorted(), "{seconds:?}");
    let state = state(&server);
    assert_eq!((&state["failures"], &state["waiting"], &state["failed"]), (&json!(0), &json!(0), &json!(0)));
}

async fn after_its_last_attempt_a_webhook_is_given_up(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    server.must_apply(&standard(&receiver, "retry_seconds = [1]"));
    receiver.reply_with(Reply::Status(410));
    close_a_case(&api).await;
    receiver.wait_for(2).await;
    let attempt = attempts(&server, 2).await.remove(0);
    assert_eq!((&attempt["status"], &attempt["fate"]), (&json!(410), &json!("given-up")));
    let before = state(&server);
    assert_eq!((&before["failed"], &before["waiting"], &before["pausedAt"]), (&json!(1), &json!(0), &Value::Null));
    // An operator sends it again.
    receiver.reply_with(Reply::Status(200));
    let output = server.run(&["webhook", "resend", &attempt["id"].to_string()]);
    assert!(output.status.success(), "{}", said(&output));
    let all = receiver.wait_for(3).await;
    assert_eq!(all[2].header("webhook-id"), all[0].header("webhook-id"));
    attempts(&server, 3).await;
    assert_eq!(state(&server)["failed"], json!(0));
}

async fn a_webhook_that_is_sent_again_while_it_fails_starts_over(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    server.must_apply(&standard(&receiver, "retry_seconds = [2]"));
    receiver.reply_with(Reply::Status(503));
    close_a_case(&api).await;
    let first = attempts(&server, 1).await.remove(0);
    // Its last attempt is running, and fails.
    receiver.reply_with(Reply::Held(503));
    receiver.wait_for(2).await;
    let output = server.run(&["webhook", "resend", &first["id"].to_string()]);
    assert!(output.status.success(), "{}", said(&output));
    receiver.reply_with(Reply::Status(200));
    receiver.wait_for(3).await;
    attempts(&server, 3).await;
    assert_eq!(state(&server)["failed"], json!(0), "nothing was given up");
}

async fn a_paused_receiver_loses_nothing(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    // Too few attempts to survive the outage, if they were used up.
    server.must_apply(&standard(&receiver, "retry_seconds = [1, 1, 1]"));
    receiver.reply_with(Reply::Status(503));
    let mut references = Vec::new();
    for _ in 0..6 {
        references.push(format!("CAS-{}_CMP-{ACME}", close_a_case(&api).await));
    }
    eventually("the receiver is paused", AMPLE, async || (!state(&server)["pausedAt"].is_null()).then_some(())).await;
    let late = format!("CAS-{}_CMP-{ACME}", close_a_case(&api).await);
    references.push(late);
    receiver.reply_with(Reply::Status(200));
    eventually("everything is delivered", AMPLE, async || {
        let state = state(&server);
        let is_quiet = state["pausedAt"].is_null() && state["waiting"] == json!(0);
        let accepted = accepted(&server);
        (is_quiet && references.iter().all(|reference| accepted.contains(reference))).then_some(())
    })
    .await;
    assert_eq!(state(&server)["failed"], json!(0), "nothing was given up");
}

async fn a_paused_receiver_is_tried_although_a_turn_was_lost(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    server.must_apply(&standard(&receiver, "retry_seconds = [1, 1, 1]"));
    // As after a process that ended between taking its turn and sending: the next turn comes, and no delivery waits for it.
    let now = issuer::now() * 1000;
    let pause = format!("update webhooks set failures = 10, paused_at = {now}, probe_at = {}", now + 4000);
    Rows::change(&server, &pause).await;
    close_a_case(&api).await;
    close_a_case(&api).await;
    receiver.wait_for(2).await;
    eventually("the pause has ended", AMPLE, async || state(&server)["pausedAt"].is_null().then_some(())).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_webhook_whose_attempts_cannot_be_recorded_is_sent_again() {
    let server = TestServer::start(Database::Sqlite).await;
    let (api, receiver) = acme_on(&server).await;
    server.must_apply(&standard(&receiver, "retry_seconds = [1]"));
    let refuse = "create trigger no_attempts before insert on webhook_attempts begin select raise(abort, 'full'); end";
    Rows::change(&server, refuse).await;
    receiver.reply_with(Reply::Status(503));
    close_a_case(&api).await;
    receiver.wait_for(2).await;
    // It is given up as if its attempts were recorded.
    eventually("it is given up", AMPLE, async || (state(&server)["failed"] == json!(1)).then_some(())).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_webhook_that_is_removed_while_it_is_sent_leaves_nothing() {
    let server = TestServer::start(Database::Sqlite).await;
    let (api, receiver) = acme_on(&server).await;
    server.must_apply(&standard(&receiver, "retry_seconds = [1, 1, 1, 1]"));
    receiver.reply_with(Reply::Status(503));
    close_a_case(&api).await;
    receiver.wait_for(1).await;
    receiver.reply_with(Reply::Held(503));
    receiver.wait_for(2).await;
    server.must_apply(&acme_with_webhook(""));
    receiver.reply_with(Reply::Status(503));
    attempts(&server, 2).await;
    let mut rows = Rows::of(&server).await;
    eventually("the delivery is forgotten", AMPLE, async || {
        let left: Vec<(i64,)> = rows.all("select count(*) from webhook_deliveries").await;
        (left == [(0,)]).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_library_of_standard_webhooks_accepts_both_secrets_while_one_is_replaced() {
    let project = tempfile::tempdir().expect("a folder");
    fs::write(project.path().join("package.json"), PACKAGES).expect("write package.json");
    let Some(modules) = node_modules(project.path(), "standardwebhooks") else { return };
    let server = TestServer::start(Database::Sqlite).await;
    let (api, receiver) = acme_on(&server).await;
    let replaced = format!("previous_api_secret = \"{OLD_SECRET}\"\nprevious_until = \"2199-01-01T00:00:00Z\"");
    server.must_apply(&standard(&receiver, &replaced));
    close_a_case(&api).await;
    let webhook = receiver.wait_for(1).await.remove(0);
    assert_eq!(verdicts(&modules, &webhook), [true, true]);
    // Once the old secret has ended, it does not sign.
    server.must_apply(&standard(&receiver, &replaced.replace("2199", "1999")));
    close_a_case(&api).await;
    let webhook = receiver.wait_for(2).await.remove(1);
    assert_eq!(verdicts(&modules, &webhook), [true, false]);
    // What was changed on the way is not accepted.
    let changed = Delivery { body: webhook.body.iter().copied().chain(*b" ").collect(), ..webhook };
    assert_eq!(verdicts(&modules, &changed), [false, false]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_operator_tests_a_webhook_by_command() {
    let server = TestServer::start(Database::Sqlite).await;
    let (_api, receiver) = acme_on(&server).await;
    let output = server.run(&["webhook", "test", &ACME.to_string(), "case"]);
    assert!(output.status.success() && said(&output).contains("answered 200"), "{}", said(&output));
    assert_eq!(receiver.wait_for(1).await[0].json()["test"], json!(true));
    receiver.reply_with(Reply::Status(401));
    let output = server.run(&["webhook", "test", &ACME.to_string(), "case"]);
    assert!(!output.status.success() && said(&output).contains("answered 401"), "{}", said(&output));
    let output = server.run(&["webhook", "test", "4711", "case"]);
    assert!(!output.status.success() && said(&output).contains("company 4711 does not exist"), "{}", said(&output));
    let output = server.run(&["webhook", "test", &ACME.to_string(), "decision"]);
    assert!(said(&output).contains("no decision webhook"), "{}", said(&output));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_company_tests_its_case_webhook_through_the_api() {
    let server = TestServer::start(Database::Sqlite).await;
    let (api, receiver) = acme_on(&server).await;
    let tested = api.post(TEST, &json!({})).await.expect(200).json();
    assert_eq!((&tested["accepted"], &tested["status"], &tested["error"]), (&json!(true), &json!(200), &Value::Null));
    let sent = receiver.wait_for(1).await.remove(0);
    assert_eq!((&sent.json()["test"], sent.target.as_str()), (&json!(true), "/cases"));
    sent.assert_signed(ACME_API_KEY, ACME_API_SECRET);
    receiver.reply_with(Reply::Status(500));
    let tested = api.post(TEST, &json!({})).await.expect(200).json();
    assert_eq!((&tested["accepted"], &tested["status"]), (&json!(false), &json!(500)));
    assert!(server.webhook_attempts().is_empty(), "a test is not an attempt");
    // A user who may only read cannot test it, and without a webhook there is nothing to test.
    let reader = server.sign_in(ACME_READER.username, ACME_READER.password).await;
    let refused = reader.post(TEST, &json!({})).await.expect(403);
    assert!(refused.error_message().contains("p_api:company:update"), "the right is named");
    api.with_token(None).post(TEST, &json!({})).await.expect(401);
    assert_eq!(receiver.received().len(), 2, "a refused test sends nothing");
    server.must_apply(&acme_with_webhook(""));
    assert_eq!(api.post(TEST, &json!({})).await.expect(400).error_message(), "the company has no case webhook");
}

/// Acme with a case webhook of Standard Webhooks and further settings.
fn standard(receiver: &Receiver, settings: &str) -> String {
    acme_with_webhook(&format!(
        "\n[webhook.case]\nendpoint = \"{}\"\nauth = \"standard-webhooks\"\napi_secret = \"{SECRET}\"\n{settings}\n",
        receiver.url("/standard")
    ))
}

async fn close_a_case(api: &Api) -> i64 {
    let case = open_case(api, &json!({ "frameId": SHORT_FRAME })).await;
    evidence::close(api, case).await.expect(200);
    case
}

/// Waits until `count` attempts are recorded, and returns them, the newest first.
async fn attempts(server: &TestServer, count: usize) -> Vec<Value> {
    eventually("the attempts are recorded", AMPLE, async || {
        let attempts = server.webhook_attempts();
        (attempts.len() >= count).then_some(attempts)
    })
    .await
}

/// The references of the cases whose webhook was accepted.
fn accepted(server: &TestServer) -> Vec<String> {
    let attempts = server.webhook_attempts();
    let accepted = attempts.iter().filter(|attempt| attempt["status"] == json!(200));
    accepted.map(|attempt| format!("CAS-{}_CMP-{ACME}", attempt["caseId"])).collect()
}

/// The state of Acme's case webhook.
fn state(server: &TestServer) -> Value {
    let output = server.run(&["webhook", "status", "--json"]);
    assert!(output.status.success(), "{}", said(&output));
    let webhooks: Vec<Value> = serde_json::from_slice(&output.stdout).expect("an array");
    webhooks
        .into_iter()
        .find(|webhook| webhook["company"] == json!(ACME) && webhook["kind"] == json!("case"))
        .expect("Acme's case webhook")
}

/// Whether the library accepts a webhook under the new and under the old secret.
fn verdicts(modules: &Path, webhook: &Delivery) -> [bool; 2] {
    let header = |name: &str| (name.to_owned(), json!(webhook.header(name).expect("a header of the mode")));
    let headers: serde_json::Map<String, Value> =
        ["webhook-id", "webhook-timestamp", "webhook-signature"].map(header).into_iter().collect();
    let body = std::str::from_utf8(&webhook.body).expect("JSON is text");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/api/standard-webhooks.mjs");
    [SECRET, OLD_SECRET].map(|secret| {
        let output = Command::new("node")
            .current_dir(modules.parent().expect("the folder of the packages"))
            .arg(&script)
            .args([secret, Value::Object(headers.clone()).to_string().as_str(), body])
            .output()
            .expect("start node");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).trim() == "genuine"
    })
}
