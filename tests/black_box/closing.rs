//! Closing cases by their identifier (spec 3.1 and 4.6, decisions 5).

use std::collections::BTreeMap;

use hyper::Method;
use serde_json::json;
use tokio::task::JoinSet;

use crate::support::{
    AMPLE, Api, TestServer,
    client::send,
    company_manifest::{
        ACME, ACME_READER, BOREALIS_API, FRAME, SHORT_FRAME, TEXT_FIELD, acme, acme_on, borealis, note_step,
    },
    eventually,
    evidence::{add_entry, close, open_case},
    on_both_databases, pdf, setting,
};

on_both_databases!(
    spec_4_6_a_closing_is_answered_at_once_with_case_and_certificate,
    spec_4_6_a_refused_closing_changes_nothing,
    decisions_3_the_right_to_create_or_to_update_allows_closing,
    decisions_5_one_of_64_concurrent_closings_succeeds_and_one_webhook_is_sent,
);

async fn spec_4_6_a_closing_is_answered_at_once_with_case_and_certificate(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    // Its mandatory steps have no item: this does not prevent the closing, and the certificate says so.
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    let answer = close(&api, case).await.expect(200);
    assert_eq!(answer.header("content-type"), Some("application/json"));
    let closed = answer.json();
    let pdf_url = closed["pdfUrl"].as_str().expect("pdfUrl is a URL").to_owned();
    let expected =
        json!({ "status": "Success", "message": "Case closed successfully", "caseId": case, "pdfUrl": pdf_url });
    assert_eq!(closed, expected);
    let certificate = api.with_token(None).get(&pdf_url).await.expect(200);
    if let Some(content) = pdf::read(&certificate.body) {
        let sealed = content.json_attachments.iter().find(|json| json["format"] == "sealwright-seal-manifest");
        let sealed = sealed.expect("the certificate has a seal manifest");
        assert_eq!(sealed["missingMandatorySteps"], json!([701, 704, 705]));
        assert_eq!(sealed["items"], json!([]));
    }
    let payload = receiver.wait_for_case(&format!("CAS-{case}_CMP-{ACME}")).await;
    assert_eq!(payload["caseUrl"], pdf_url);
}

async fn spec_4_6_a_refused_closing_changes_nothing(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    server.must_apply(&borealis());
    let stranger = server.sign_in(BOREALIS_API.username, BOREALIS_API.password).await;
    let case = open_case(&api, &json!({ "frameId": SHORT_FRAME })).await;
    let path = format!("/cases/close/{case}");

    close(&stranger, case).await.expect(403).error_message();
    api.with_token(None).get(&path).await.expect(401).error_message();
    for unknown in [case + 1, i64::MAX] {
        close(&api, unknown).await.expect(400).error_message();
    }
    for malformed in ["0", "-1", "1.0", "x", "%20", "9223372036854775808", "٤٢"] {
        api.get(&format!("/cases/close/{malformed}")).await.expect(400).error_message();
    }
    for method in [Method::POST, Method::PUT, Method::DELETE, Method::PATCH, Method::OPTIONS] {
        send(api.request(method, &path)).await.expect(405).error_message();
    }
    // Link previews and monitors send HEAD requests. One must not close a case.
    send(api.request(Method::HEAD, &path)).await.expect(405);

    // It is still open: it accepts an item and can be closed once.
    add_entry(&api, case, note_step(SHORT_FRAME), "still open").await.expect(201);
    close(&api, case).await.expect(200);
    assert_eq!(close(&api, case).await.expect(400).error_message(), "case already closed");
    close(&stranger, case).await.expect(403).error_message();
    assert_eq!(receiver.wait_for(1).await.len(), 1);
}

async fn decisions_3_the_right_to_create_or_to_update_allows_closing(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    let reader = server.sign_in(ACME_READER.username, ACME_READER.password).await;
    let message = close(&reader, case).await.expect(403).error_message();
    assert!(message.contains("p_api:case:create") && message.contains("p_api:case:update"), "{message}");
    for rights in [r#"["p_api:case:read", "p_api:item:create"]"#, r#"["p_api:case:delete"]"#] {
        server.must_apply(&acme(&receiver).replace(r#"["p_api:case:read"]"#, rights));
        close(&reader, case).await.expect(403).error_message();
    }
    for right in [r#"["p_api:case:update"]"#, r#"["p_api:case:create"]"#] {
        let case = open_case(&api, &json!({ "frameId": FRAME })).await;
        server.must_apply(&acme(&receiver).replace(r#"["p_api:case:read"]"#, right));
        eventually("the right applies", AMPLE, async || (close(&reader, case).await.status == 200).then_some(())).await;
    }
}

async fn decisions_5_one_of_64_concurrent_closings_succeeds_and_one_webhook_is_sent(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    let mut references = Vec::new();
    for _ in 0..setting("SEALWRIGHT_TEST_CLOSINGS", 8) {
        let case = open_case(&api, &json!({ "frameId": FRAME })).await;
        add_entry(&api, case, TEXT_FIELD, "Martinel").await.expect(201);
        let mut racing = JoinSet::new();
        for _ in 0..64 {
            let api: Api = api.clone();
            racing.spawn(async move { close(&api, case).await });
        }
        let mut statuses = BTreeMap::new();
        for answer in racing.join_all().await {
            *statuses.entry(answer.status.as_u16()).or_insert(0) += 1;
            if answer.status == 400 {
                assert_eq!(answer.error_message(), "case already closed");
            }
        }
        assert_eq!(statuses, BTreeMap::from([(200, 1), (400, 63)]));
        references.push(format!("CAS-{case}_CMP-{ACME}"));
    }
    for reference in &references {
        receiver.wait_for_case(reference).await;
    }
    // Every dispatch is recorded, so none is still to come.
    eventually("every outcome is recorded", AMPLE, async || {
        (server.webhook_attempts().len() >= references.len()).then_some(())
    })
    .await;
    assert_eq!(receiver.received().len(), references.len());
    assert_eq!(server.webhook_attempts().len(), references.len());
    println!("{} cases closed by 64 requests at once", references.len());
}
