//! What the log says of a request and of the work that it causes: enough to follow it, and no secret.

use hyper::Method;
use serde_json::json;

use crate::support::{
    AMPLE, TestServer,
    client::send,
    company_manifest::{ACME_API, SHORT_FRAME, acme_on},
    eventually,
    evidence::open_case,
    on_both_databases,
};

on_both_databases!(
    a_request_has_one_line_in_the_log_with_its_identifier_and_caller,
    a_request_is_followed_through_its_jobs_to_the_webhook,
    failed_sign_ins_and_deletions_have_a_line_of_their_own,
);

fn lines(log: &str, part: &str) -> Vec<String> {
    log.lines().filter(|line| line.contains(part)).map(str::to_owned).collect()
}

async fn a_request_has_one_line_in_the_log_with_its_identifier_and_caller(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    send(api.request(Method::GET, "/frames").header("x-request-id", "support-42")).await.expect(200);
    send(api.request(Method::GET, "/readyz").header("x-request-id", "probe-42")).await.expect(200);
    let log = server.log();
    let [line] = lines(&log, "support-42").try_into().expect("one line");
    let user = ACME_API.user_id;
    for part in [
        " INFO ",
        &format!("request{{id=support-42 company=7 user=\"{user}\"}}"),
        "route=\"/frames\"",
        "status=200",
        "milliseconds=",
        "address=127.0.0.1",
    ] {
        assert!(line.contains(part), "{part} is not in {line}");
    }
    let token = api.token.as_deref().unwrap();
    assert!(!log.contains(token) && !log.contains(ACME_API.password), "a secret is in the log");
    assert!(lines(&log, "probe-42").iter().all(|line| line.contains("DEBUG")), "{log}");
}

async fn a_request_is_followed_through_its_jobs_to_the_webhook(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    let case = open_case(&api, &json!({ "frameId": SHORT_FRAME })).await;
    let close = api.request(Method::GET, &format!("/cases/close/{case}")).header("x-request-id", "close-42");
    send(close).await.expect(200);
    receiver.wait_for(1).await;
    for (kind, message) in [("seal", "certificate made"), ("deliver-case", "webhook delivered")] {
        let span = format!("job{{kind=\"{kind}\" subject={case} attempt=1 request=\"close-42\"}}");
        let is_logged = async || lines(&server.log(), &span).iter().any(|line| line.contains(message)).then_some(());
        eventually(&format!("{message} with {span}"), AMPLE, is_logged).await;
    }
}

async fn failed_sign_ins_and_deletions_have_a_line_of_their_own(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    server.anonymous().sign_in("who-is-this", "a-guessed-password").await.expect(401);
    let case = open_case(&api, &json!({ "frameId": SHORT_FRAME })).await;
    let second = open_case(&api, &json!({ "frameId": SHORT_FRAME })).await;
    let third = open_case(&api, &json!({ "frameId": SHORT_FRAME })).await;
    api.delete(&format!("/cases/delete/{case}")).await.expect(200);
    api.post("/cases/bulk-delete", &json!({ "caseIds": [second, third] })).await.expect(200);
    let log = server.log();
    let [failed] = lines(&log, "a sign-in failed").try_into().expect("one line");
    assert!(failed.contains("address=127.0.0.1"), "{failed}");
    assert!(!log.contains("who-is-this") && !log.contains("a-guessed-password"), "a secret is in the log");
    for case in [case, second, third] {
        let [deleted] = lines(&log, &format!("a case was deleted case={case}")).try_into().expect("one line");
        assert!(deleted.contains("company=7") && deleted.contains(ACME_API.user_id), "{deleted}");
    }
}
