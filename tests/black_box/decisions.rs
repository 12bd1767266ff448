//! The decision webhook: a company that has `[webhook.decision]` learns what its reviewers decide (operator's page).

use serde_json::json;

use crate::{
    console::{Person, must_add_user},
    support::{
        AMPLE, Receiver, TestServer,
        company_manifest::{ACME, ACME_API, SHORT_FRAME, acme_on, acme_with_webhook},
        eventually,
        evidence::{close, open_case},
        on_both_databases,
        receiver::Reply,
        server::said,
    },
};

on_both_databases!(
    each_decision_is_sent_and_can_be_sent_again,
    decisions_made_while_one_is_sent_are_sent_next,
    a_company_without_the_webhook_gets_none,
);

async fn reviewer(server: &TestServer) -> Person {
    must_add_user(server, "rita", &["--role", "manager", "--company", &ACME.to_string()]);
    Person::signed_in(server, "rita").await
}

/// Acme with a decision webhook and no other.
fn acme(receiver: &Receiver) -> String {
    acme_with_webhook(&format!(
        "[webhook.decision]\nendpoint = \"{}\"\nauth = \"hmac-sha256\"\napi_key = \"key\"\napi_secret = \"secret\"\n",
        receiver.url("/decisions")
    ))
}

async fn each_decision_is_sent_and_can_be_sent_again(server: TestServer) {
    let receiver = Receiver::start().await;
    server.must_apply(&acme(&receiver));
    let api = server.sign_in(ACME_API.username, ACME_API.password).await;
    let body = json!({ "frameId": SHORT_FRAME, "title": "Pipe", "reportToken": "claim 7" });
    let case = open_case(&api, &body).await;
    let rita = reviewer(&server).await;
    let decide = format!("/console/cases/{case}/decision");
    rita.post(&decide, &[("outcome", "returned"), ("reason", "Blurred: \"meter\".")]).await.expect(303);
    let sent = receiver.wait_for(1).await;
    sent[0].assert_signed("key", "secret");
    assert_eq!(sent[0].target, "/decisions");
    let mut first = sent[0].json();
    let read = api.get(&format!("/v2/cases/{case}/decision")).await.expect(200).json();
    assert_eq!(first["decidedAt"].take(), read["decidedAt"]);
    let expected = json!({
        "caseId": case, "cfRef": format!("CAS-{case}_CMP-{ACME}"), "reportId": "claim 7", "outcome": "returned",
        "reason": "Blurred: \"meter\".", "decidedBy": "rita", "decidedAt": null,
    });
    assert_eq!(first, expected);

    close(&api, case).await.expect(200);
    receiver.reply_with(Reply::Status(503));
    rita.post(&decide, &[("outcome", "accepted")]).await.expect(303);
    let sent = receiver.wait_for(2).await;
    assert_eq!((&sent[1].json()["outcome"], &sent[1].json()["reason"]), (&json!("accepted"), &json!("")));
    let attempts = eventually("the attempt is recorded", AMPLE, async || {
        let attempts = server.all_attempts();
        (attempts.len() == 2).then_some(attempts)
    })
    .await;
    assert_eq!((&attempts[0]["kind"], &attempts[0]["status"]), (&json!("decision"), &json!(503)));

    // What failed can be sent again, by command and on the page of the case.
    receiver.reply_with(Reply::Status(200));
    let id = attempts[0]["id"].to_string();
    let output = server.run(&["webhook", "resend", &id]);
    assert!(output.status.success(), "{}", said(&output));
    assert_eq!(receiver.wait_for(3).await[2].body, sent[1].body);
    rita.post(&format!("/console/cases/{case}/attempts/{id}/resend"), &[]).await.expect(303);
    assert_eq!(receiver.wait_for(4).await[3].body, sent[1].body);
}

async fn decisions_made_while_one_is_sent_are_sent_next(server: TestServer) {
    let receiver = Receiver::start().await;
    server.must_apply(&acme(&receiver));
    let api = server.sign_in(ACME_API.username, ACME_API.password).await;
    let case = open_case(&api, &json!({ "frameId": SHORT_FRAME })).await;
    close(&api, case).await.expect(200);
    let rita = reviewer(&server).await;
    let decide = format!("/console/cases/{case}/decision");
    receiver.reply_with(Reply::Held(200));
    rita.post(&decide, &[("outcome", "rejected"), ("reason", "one")]).await.expect(303);
    receiver.wait_for(1).await;
    for reason in ["two", "three"] {
        rita.post(&decide, &[("outcome", "rejected"), ("reason", reason)]).await.expect(303);
    }
    receiver.reply_with(Reply::Status(200));
    // The newest is sent when the first has its answer.
    let sent = receiver.wait_for(2).await;
    assert_eq!((&sent[0].json()["reason"], &sent[1].json()["reason"]), (&json!("one"), &json!("three")));
}

async fn a_company_without_the_webhook_gets_none(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    let case = open_case(&api, &json!({ "frameId": SHORT_FRAME })).await;
    let rita = reviewer(&server).await;
    let decide = format!("/console/cases/{case}/decision");
    rita.post(&decide, &[("outcome", "returned"), ("reason", "Blurred.")]).await.expect(303);
    close(&api, case).await.expect(200);
    receiver.wait_for(1).await;
    assert!(receiver.received().iter().all(|webhook| webhook.target == "/cases"));
    assert!(server.all_attempts().iter().all(|attempt| attempt["kind"] != "decision"));
}
