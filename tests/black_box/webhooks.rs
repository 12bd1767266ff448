//! The delivery of the case webhook (spec 6.1 to 6.3, decisions 12).

use serde_json::{Value, json};
use tokio::net::TcpStream;

use crate::support::{
    AMPLE, Api, Receiver, TestServer,
    company_manifest::{ACME, BOREALIS, SHORT_FRAME, acme_on, acme_with_webhook, borealis},
    eventually, evidence,
    evidence::open_case,
    on_both_databases,
    receiver::Reply,
    rows::Rows,
    server::said,
};

on_both_databases!(
    each_mode_authenticates_with_its_own_headers,
    an_error_of_the_receiver_is_recorded_and_not_repeated,
    a_redirect_is_not_followed,
    a_receiver_that_hangs_does_not_hold_up_the_next_dispatch,
    an_attempt_is_resent_manually,
    a_crash_after_closing_loses_no_webhook,
    sigterm_waits_for_a_dispatch_under_way,
    a_private_receiver_is_refused_in_a_company_manifest,
    a_private_receiver_gets_nothing_once_it_is_forbidden,
    decisions_12_old_attempts_are_deleted_however_many_there_are,
);

async fn each_mode_authenticates_with_its_own_headers(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    let modes = [
        ("bearer", "auth_token", "authorization", "Bearer s3cret-token"),
        ("security-token", "auth_token", "security-token", "s3cret-token"),
        ("partner-apikey", "api_key", "x-partner-apikey", "s3cret-token"),
    ];
    for (mode, setting, header, value) in modes {
        server.must_apply(&acme_with_webhook(&format!(
            "\n[webhook.case]\nendpoint = \"{}\"\nauth = \"{mode}\"\n{setting} = \"s3cret-token\"\n",
            receiver.url(&format!("/{mode}"))
        )));
        // For a few seconds, a dispatch may still use the old settings: close cases until one uses the new ones.
        let webhook = eventually(mode, AMPLE, async || {
            let before = receiver.received().len();
            close_a_case(&api).await;
            let all = receiver.wait_for(before + 1).await;
            all.into_iter().find(|webhook| webhook.target == format!("/{mode}"))
        })
        .await;
        assert_eq!(webhook.header(header), Some(value));
        let credentials = ["authorization", "security-token", "x-partner-apikey", "x-api-key"];
        for foreign in credentials.into_iter().filter(|name| *name != header) {
            assert_eq!(webhook.header(foreign), None, "{mode} sends {foreign}");
        }
        assert_eq!(webhook.json()["closed"], true);
    }
}

async fn an_error_of_the_receiver_is_recorded_and_not_repeated(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    receiver.reply_with(Reply::Status(503));
    let failed = close_a_case(&api).await;
    receiver.wait_for(1).await;
    receiver.reply_with(Reply::Status(200));
    let delivered = close_a_case(&api).await;
    receiver.wait_for(2).await;
    let attempts = attempts(&server, 2).await;
    assert!(attempts.iter().all(|attempt| attempt["id"].is_i64() || attempt["id"].is_string()), "{attempts:?}");
    let text = Value::from(attempts).to_string();
    assert!(text.contains("503"), "{text}");
    // Both attempts have ended, so a retry would have come before the second one, or never comes.
    assert_eq!(references(&receiver), [reference(failed), reference(delivered)]);
}

async fn a_redirect_is_not_followed(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    let elsewhere = Receiver::start().await;
    receiver.reply_with(Reply::Redirect(elsewhere.url("/taken")));
    close_a_case(&api).await;
    receiver.wait_for(1).await;
    attempts(&server, 1).await;
    assert!(elsewhere.received().is_empty());
}

async fn a_receiver_that_hangs_does_not_hold_up_the_next_dispatch(mut server: TestServer) {
    server.set("SEALWRIGHT_WEBHOOK_TIMEOUT", "3s");
    server.restart().await;
    let (api, receiver) = acme_on(&server).await;
    receiver.reply_with(Reply::Hang);
    close_a_case(&api).await;
    receiver.wait_for(1).await;
    receiver.reply_with(Reply::Status(200));
    close_a_case(&api).await;
    receiver.wait_for(2).await;
    attempts(&server, 2).await;
    assert_eq!(receiver.received().len(), 2);
}

async fn an_attempt_is_resent_manually(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    let case = close_a_case(&api).await;
    receiver.wait_for(1).await;
    let attempt = attempts(&server, 1).await.remove(0);
    let id = attempt["id"].as_str().map_or_else(|| attempt["id"].to_string(), str::to_owned);
    let output = server.run(&["webhook", "resend", &id]);
    assert!(output.status.success(), "{}", said(&output));
    receiver.wait_for(2).await;
    assert_eq!(references(&receiver), [reference(case), reference(case)]);
}

async fn a_crash_after_closing_loses_no_webhook(mut server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    let mut closed = Vec::new();
    for _ in 0..3 {
        let case = open_case(&api, &json!({ "frameId": SHORT_FRAME })).await;
        let pdf_url = evidence::close(&api, case).await.expect(200).json()["pdfUrl"].as_str().unwrap().to_owned();
        server.kill();
        server.restart().await;
        closed.push((reference(case), pdf_url));
    }
    let all = eventually("every webhook", AMPLE, async || {
        let references = references(&receiver);
        closed.iter().all(|(reference, _)| references.contains(reference)).then_some(())
    });
    all.await;
    for (_, pdf_url) in &closed {
        let certificate = api.with_token(None).get(pdf_url).await.expect(200);
        assert!(certificate.body.starts_with(b"%PDF-"));
    }
}

async fn sigterm_waits_for_a_dispatch_under_way(mut server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    receiver.reply_with(Reply::Held(200));
    let case = close_a_case(&api).await;
    receiver.wait_for(1).await;
    server.signal_to_drain();
    let address = server.address();
    eventually("new connections are refused", AMPLE, async || TcpStream::connect(address).await.is_err().then_some(()))
        .await;
    receiver.reply_with(Reply::Status(200));
    assert!(server.wait_for_exit().await.success());
    server.restart().await;
    // Its outcome was known before the server ended, so it is recorded and not sent again.
    attempts(&server, 1).await;
    let next = close_a_case(&api).await;
    receiver.wait_for(2).await;
    assert_eq!(references(&receiver), [reference(case), reference(next)]);
}

async fn a_private_receiver_is_refused_in_a_company_manifest(mut server: TestServer) {
    server.set("SEALWRIGHT_WEBHOOK_ALLOW_PRIVATE_ADDRESSES", "false");
    for endpoint in [
        "https://127.0.0.1/hook",
        "https://2130706433/hook",
        "https://[::1]/hook",
        "https://8.8.8.8/hook",
        "https://localhost/hook",
        "https://intranet/hook",
        "https://user:secret@hooks.acme.example/hook",
        "ftp://hooks.acme.example/hook",
    ] {
        let output = server.apply(&acme_with_webhook(&bearer_webhook(endpoint)));
        assert!(!output.status.success(), "{endpoint} was accepted");
        assert!(said(&output).contains("endpoint"), "the field is not named: {}", said(&output));
    }
    let output = server.apply(&acme_with_webhook(&bearer_webhook("http://hooks.acme.example/hook")));
    assert!(output.status.success(), "{}", said(&output));
    assert!(said(&output).contains("http"), "http on a public name causes a warning: {}", said(&output));
}

async fn a_private_receiver_gets_nothing_once_it_is_forbidden(mut server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    server.set("SEALWRIGHT_WEBHOOK_ALLOW_PRIVATE_ADDRESSES", "false");
    server.restart().await;
    close_a_case(&api).await;
    attempts(&server, 1).await;
    assert!(receiver.received().is_empty());
}

fn bearer_webhook(endpoint: &str) -> String {
    format!("\n[webhook.case]\nendpoint = \"{endpoint}\"\nauth = \"bearer\"\nauth_token = \"t\"\n")
}

async fn close_a_case(api: &Api) -> i64 {
    let case = open_case(api, &json!({ "frameId": SHORT_FRAME })).await;
    evidence::close(api, case).await.expect(200);
    case
}

fn reference(case: i64) -> String {
    format!("CAS-{case}_CMP-7")
}

async fn decisions_12_old_attempts_are_deleted_however_many_there_are(mut server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    server.must_apply(&borealis());
    close_a_case(&api).await;
    receiver.wait_for(1).await;
    attempts(&server, 1).await;
    // More than one transaction deletes. The other company keeps its attempts for longer.
    for company in [ACME, BOREALIS] {
        let old = format!(
            "insert into webhook_attempts (company_id, case_id, kind, url, started_at, duration_ms, status)
             with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 2500)
             select {company}, n, 'case', 'https://old.example', n, 1, 200 from numbers"
        );
        Rows::change(&server, &old).await;
    }
    Rows::change(&server, &format!("update companies set delivery_days = 36500 where id = {BOREALIS}")).await;
    server.restart().await;
    let mut rows = Rows::of(&server).await;
    let counts = "select company_id, count(*) from webhook_attempts where kind = 'case' group by company_id order by 1";
    eventually("the old attempts of one company are deleted", AMPLE, async || {
        let counts: Vec<(i64, i64)> = rows.all(counts).await;
        (counts == [(ACME, 1), (BOREALIS, 2500)]).then_some(())
    })
    .await;
}

/// The cases of the received webhooks, in order.
fn references(receiver: &Receiver) -> Vec<String> {
    receiver.received().iter().map(|webhook| webhook.json()["cfRef"].as_str().unwrap().to_owned()).collect()
}

/// Waits until `count` attempts are recorded, and returns them.
async fn attempts(server: &TestServer, count: usize) -> Vec<Value> {
    let attempts = eventually("the attempts are recorded", AMPLE, async || {
        let output = server.run(&["webhook", "list", "--json"]);
        assert!(output.status.success(), "{}", said(&output));
        let mut attempts: Vec<Value> =
            serde_json::from_slice(&output.stdout).expect("webhook list --json prints an array");
        attempts.retain(|attempt| attempt["kind"] == "case");
        (attempts.len() >= count).then_some(attempts)
    })
    .await;
    assert_eq!(attempts.len(), count, "{attempts:?}");
    attempts
}
