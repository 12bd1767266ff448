//! Closing cases by their link (spec 4.7, decisions 7).

use std::collections::BTreeMap;

use hyper::Method;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::support::{
    Answer, Api, TestServer,
    client::send,
    company_manifest::{
        ACME_READER, BOREALIS_API, COSMOS_API, COSMOS_FRANCE, COSMOS_FRANCE_API, COSMOS_SHARED_FRAME, SHORT_FRAME,
        acme_on, borealis, cosmos, cosmos_france, note_step,
    },
    evidence::{add_entry, close},
    on_both_databases,
};

on_both_databases!(
    spec_4_7_a_link_closes_its_one_open_case,
    spec_4_7_a_link_with_several_open_cases_closes_none_of_them,
    decisions_7_each_kind_of_unusable_link_has_its_own_refusal,
    spec_5_rule_5_a_parent_closes_by_the_link_of_its_child,
    decisions_5_one_of_concurrent_closings_by_identifier_and_by_link_succeeds,
);

async fn spec_4_7_a_link_closes_its_one_open_case(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    let created = on_new_link(&api, json!({ "frameId": SHORT_FRAME, "linkOptions": { "reportToken": "R" } })).await;
    let (case, token) = (id_of(&created), token_of(&created));
    // A HEAD request must not close a case, and neither must another method.
    let path = format!("/cases/close/link/{token}");
    for method in [Method::HEAD, Method::POST, Method::PUT, Method::DELETE, Method::PATCH] {
        send(api.request(method, &path)).await.expect(405);
    }
    add_entry(&api, case, note_step(SHORT_FRAME), "still open").await.expect(201);

    // It is the same token in capitals.
    let answer = by_link(&api, &token.to_uppercase()).await.expect(200);
    let closed = answer.json();
    let pdf_url = closed["pdfUrl"].as_str().expect("pdfUrl is a URL").to_owned();
    let expected =
        json!({ "status": "Success", "message": "Case closed successfully", "caseId": case, "pdfUrl": pdf_url });
    assert_eq!(closed, expected);
    let payload = receiver.wait_for_case(created["cfRef"].as_str().unwrap()).await;
    assert_eq!((&payload["caseUrl"], &payload["reportId"]), (&json!(pdf_url), &json!("R")));
    api.with_token(None).get(&pdf_url).await.expect(200);

    for _ in 0..2 {
        assert_eq!(by_link(&api, &token).await.expect(400).error_message(), "case already closed");
    }
    assert_eq!(close(&api, case).await.expect(400).error_message(), "case already closed");
    // A second case on the link is now the open one.
    let second = on_link(&api, &token).await;
    assert_eq!(by_link(&api, &token).await.expect(200).json()["caseId"], second);
    assert_eq!(receiver.wait_for(2).await.len(), 2);
}

async fn spec_4_7_a_link_with_several_open_cases_closes_none_of_them(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let created = on_new_link(&api, json!({ "frameId": SHORT_FRAME, "linkOptions": { "reportToken": "R" } })).await;
    let (first, token) = (id_of(&created), token_of(&created));
    let others = [on_link(&api, &token).await, on_link(&api, &token).await];
    let message = by_link(&api, &token).await.expect(400).error_message();
    assert!(message.contains("several"), "{message}");
    for case in others {
        add_entry(&api, case, note_step(SHORT_FRAME), "still open").await.expect(201);
    }
    close(&api, first).await.expect(200);
    by_link(&api, &token).await.expect(400);
    close(&api, others[0]).await.expect(200);
    assert_eq!(by_link(&api, &token).await.expect(200).json()["caseId"], others[1]);
    assert_eq!(by_link(&api, &token).await.expect(400).error_message(), "case already closed");
}

async fn decisions_7_each_kind_of_unusable_link_has_its_own_refusal(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    server.must_apply(&borealis());
    let stranger = server.sign_in(BOREALIS_API.username, BOREALIS_API.password).await;
    let reader = server.sign_in(ACME_READER.username, ACME_READER.password).await;
    let created = on_new_link(&api, json!({ "frameId": SHORT_FRAME, "linkOptions": { "reportToken": "R" } })).await;
    let (case, token) = (id_of(&created), token_of(&created));

    for malformed in [
        "x",
        "1",
        "%20",
        "%00",
        "%ff",
        "6d4f2f6a-0b6e-1f6e-8b1a-0d5a5a5a5a5a",
        "6d4f2f6a0b6e4f6e8b1a0d5a5a5a5a5a",
        "%7B6d4f2f6a-0b6e-4f6e-8b1a-0d5a5a5a5a5a%7D",
        "urn:uuid:6d4f2f6a-0b6e-4f6e-8b1a-0d5a5a5a5a5a",
    ] {
        let answer = by_link(&api, malformed).await.expect(405);
        assert!(answer.error_message().contains("magicLinkToken must be a UUID v4"));
        assert_eq!(answer.header("allow"), Some(""), "{malformed}: no method closes a case by an invalid token");
    }
    by_link(&api, "6d4f2f6a-0b6e-4f6e-8b1a-0d5a5a5a5a5a").await.expect(404).error_message();
    by_link(&stranger, &token).await.expect(403).error_message();
    by_link(&reader, &token).await.expect(403).error_message();
    by_link(&api.with_token(None), &token).await.expect(401).error_message();
    // The right is checked before the token's form (decisions 2).
    by_link(&reader, "x").await.expect(403).error_message();

    // All of its cases are deleted: no case is left.
    api.delete(&format!("/cases/delete/{case}")).await.expect(200);
    by_link(&api, &token).await.expect(404).error_message();
    by_link(&stranger, &token).await.expect(403).error_message();
    assert_eq!(receiver.received().len(), 0);
}

async fn spec_5_rule_5_a_parent_closes_by_the_link_of_its_child(server: TestServer) {
    server.must_apply_all(&[cosmos(), cosmos_france()]);
    let parent = server.sign_in(COSMOS_API.username, COSMOS_API.password).await;
    let child = server.sign_in(COSMOS_FRANCE_API.username, COSMOS_FRANCE_API.password).await;
    let of_child = json!({
        "frameId": COSMOS_SHARED_FRAME, "childCompanyId": COSMOS_FRANCE, "linkOptions": { "reportToken": "family" },
    });
    for caller in [&parent, &child] {
        let created = on_new_link(&parent, of_child.clone()).await;
        // Only the owner can close by identifier.
        close(&parent, id_of(&created)).await.expect(403).error_message();
        let closed = by_link(caller, &token_of(&created)).await.expect(200).json();
        assert_eq!(closed["caseId"], created["id"]);
        let certificate = parent.with_token(None).get(closed["pdfUrl"].as_str().unwrap()).await.expect(200);
        assert!(certificate.body.starts_with(b"%PDF-"));
    }
    let body = json!({ "frameId": COSMOS_SHARED_FRAME, "linkOptions": { "reportToken": "family" } });
    let of_parent = on_new_link(&parent, body).await;
    by_link(&child, &token_of(&of_parent)).await.expect(403).error_message();
    by_link(&parent, &token_of(&of_parent)).await.expect(200);
}

async fn decisions_5_one_of_concurrent_closings_by_identifier_and_by_link_succeeds(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    for round in 1..=4 {
        let created = on_new_link(&api, json!({ "frameId": SHORT_FRAME, "linkOptions": { "reportToken": "R" } })).await;
        let (case, token) = (id_of(&created), token_of(&created));
        let mut racing = JoinSet::new();
        for n in 0..48 {
            let (api, token) = (api.clone(), token.clone());
            racing.spawn(async move { if n % 2 == 0 { close(&api, case).await } else { by_link(&api, &token).await } });
        }
        let mut statuses = BTreeMap::new();
        for answer in racing.join_all().await {
            *statuses.entry(answer.status.as_u16()).or_insert(0) += 1;
        }
        assert_eq!(statuses, BTreeMap::from([(200, 1), (400, 47)]));
        receiver.wait_for_case(created["cfRef"].as_str().unwrap()).await;
        assert_eq!(receiver.received().len(), round);
    }
}

async fn by_link(api: &Api, token: &str) -> Answer {
    api.get(&format!("/cases/close/link/{token}")).await
}

/// Opens a case with `linkOptions` and returns the answer.
async fn on_new_link(api: &Api, body: Value) -> Value {
    api.post("/cases/create", &body).await.expect(201).json()
}

/// Opens one more case on the link and returns its identifier.
async fn on_link(api: &Api, token: &str) -> i64 {
    id_of(&on_new_link(api, json!({ "frameId": SHORT_FRAME, "magicLinkToken": token })).await)
}

fn id_of(created: &Value) -> i64 {
    created["id"].as_i64().expect("id is a number")
}

/// The link's token: the end of the address in the answer to a creation.
fn token_of(created: &Value) -> String {
    let url = created["magicLinkUrl"].as_str().expect("magicLinkUrl is a URL");
    url.rsplit('/').next().expect("an address has an end").to_owned()
}
