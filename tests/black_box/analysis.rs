//! Reading the analysis of a case (spec 4.12 and 2.6, decisions 13). How it is produced: `analysis_states.rs`.

use serde_json::json;

use crate::support::{
    TestServer,
    company_manifest::{
        ACME_READER, BOREALIS_API, BOREALIS_FRAME, Credentials, FRAME, SHORT_FRAME, acme, acme_on, api_user, borealis,
    },
    evidence::{close, open_case},
    on_both_databases,
};

on_both_databases!(
    decisions_13_a_case_without_analysed_items_has_full_trust,
    decisions_13_the_option_is_checked_before_the_case,
    spec_4_12_the_case_must_exist_and_belong_to_the_company,
);

async fn decisions_13_a_case_without_analysed_items_has_full_trust(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let case = open_case(&api, &json!({ "frameId": SHORT_FRAME })).await;
    let path = format!("/cases/{case}/analysis");
    let untouched = json!({
        "caseId": case,
        "trustScore": 100,
        "trustLevel": "GOOD",
        "itemsAnalyzed": 0,
        "signals": [],
        "documentAnalyses": [],
    });
    let reader = server.sign_in(ACME_READER.username, ACME_READER.password).await;
    for caller in [&api, &reader] {
        assert_eq!(caller.get(&path).await.expect(200).json(), untouched);
    }
    close(&api, case).await.expect(200);
    assert_eq!(api.get(&path).await.expect(200).json(), untouched);
}

async fn decisions_13_the_option_is_checked_before_the_case(server: TestServer) {
    let (acme, _receiver) = acme_on(&server).await;
    server.must_apply(&borealis());
    let api = server.sign_in(BOREALIS_API.username, BOREALIS_API.password).await;
    let own = open_case(&api, &json!({ "frameId": BOREALIS_FRAME })).await;
    let foreign = open_case(&acme, &json!({ "frameId": FRAME })).await;
    let mut messages = Vec::new();
    for case in [own, foreign, foreign + 1000] {
        messages.push(api.get(&format!("/cases/{case}/analysis")).await.expect(403).error_message());
    }
    messages.dedup();
    assert_eq!(messages, ["the document-analysis option is not active for the company"]);
    // The shape of the request is checked first (decisions 2).
    api.get("/cases/x/analysis").await.expect(400).error_message();
}

async fn spec_4_12_the_case_must_exist_and_belong_to_the_company(server: TestServer) {
    const CREATOR: Credentials =
        Credentials { user_id: "usr-creator", username: "creator", password: "creates and does not look" };
    let (api, receiver) = acme_on(&server).await;
    // Borealis with the option turned on.
    let borealis = borealis().replace("name = \"Borealis Mutual\"", "name = \"Borealis\"\ndocument_analysis = true");
    server.must_apply(&borealis);
    server.must_apply(&(acme(&receiver) + &api_user(CREATOR, r#"["p_api:case:create", "p_api:case:update"]"#)));
    let stranger = server.sign_in(BOREALIS_API.username, BOREALIS_API.password).await;
    let creator = server.sign_in(CREATOR.username, CREATOR.password).await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    let path = format!("/cases/{case}/analysis");
    assert!(stranger.get(&path).await.expect(403).error_message().contains("another company"));
    assert!(creator.get(&path).await.expect(403).error_message().contains("p_api:case:read"));
    api.with_token(None).get(&path).await.expect(401).error_message();
    api.get(&format!("/cases/{}/analysis", case + 1000)).await.expect(404).error_message();
    for malformed in ["0", "-1", "x", "1.5", "9223372036854775808"] {
        api.get(&format!("/cases/{malformed}/analysis")).await.expect(400).error_message();
    }
}
