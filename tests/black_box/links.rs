//! Cases on links of the caller and of a child company (spec 4.4, rules 3 and 5; decisions 5 and 4).

use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::support::{
    AMPLE, Api, TestServer,
    company_manifest::{
        BOREALIS, BOREALIS_API, BOREALIS_FRAME, COSMOS, COSMOS_API, COSMOS_FRANCE, COSMOS_FRANCE_API,
        COSMOS_FRANCE_FRAME, COSMOS_OWN_FRAME, COSMOS_SHARED_FRAME, SHORT_FRAME, acme_on, borealis, cosmos,
        cosmos_france,
    },
    eventually,
    evidence::close,
    on_both_databases,
};

on_both_databases!(
    spec_4_4_rule_3_link_options_make_a_link_for_the_case,
    decisions_5_max_uses_counts_the_cases_opened_on_a_link,
    decisions_5_an_expired_unknown_or_foreign_link_opens_no_case,
    spec_4_4_rule_5_a_child_company_is_used_only_with_a_link_and_owns_the_case,
    decisions_4_a_child_opens_cases_on_the_frames_its_parent_shares,
);

async fn spec_4_4_rule_3_link_options_make_a_link_for_the_case(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    for (options, expected) in [
        (json!({}), "linkOptions.reportToken is required"),
        (json!({ "reportToken": "" }), "linkOptions.reportToken must be text"),
        (json!({ "reportToken": "a/b" }), "linkOptions.reportToken must be text"),
        (json!({ "reportToken": "R", "maxUses": 0 }), "linkOptions.maxUses must be a positive whole number"),
        (json!({ "reportToken": "R", "maxUses": -1 }), "linkOptions.maxUses must be a positive whole number"),
        (json!({ "reportToken": "R", "maxUses": 1.5 }), "linkOptions.maxUses must be a positive whole number"),
        (json!({ "reportToken": "R", "maxUses": "2" }), "linkOptions.maxUses must be a positive whole number"),
        (json!({ "reportToken": "R", "expirationDate": 5 }), "linkOptions.expirationDate must be a date-time"),
        (json!({ "reportToken": "R", "expirationDate": "2999-01-01" }), "linkOptions.expirationDate must be"),
        (json!({ "reportToken": "R", "expirationDate": "2999-01-01T00:00:00.000" }), "linkOptions.expirationDate must"),
        (json!({ "reportToken": "R", "expirationDate": "2020-01-01T00:00:00Z" }), "linkOptions.expirationDate must be"),
    ] {
        let message = on_new_link(&api, SHORT_FRAME, &options).await.expect(400).error_message();
        assert!(message.contains(expected), "{options}: {message}");
    }
    for expiration in [
        "2999-12-31T23:59:59.000+0200",
        "2999-12-31T23:59:59.000+02:00",
        "2999-12-31T23:59:59Z",
        "2999-12-31T23:59:59.000-1100",
    ] {
        let options = json!({ "reportToken": "R", "maxUses": 3, "expirationDate": expiration });
        on_new_link(&api, SHORT_FRAME, &options).await.expect(201);
    }

    let created = on_new_link(&api, SHORT_FRAME, &json!({ "reportToken": "claim-9" })).await.expect(201).json();
    let token = token_of(&server, &created);
    assert_eq!((token.len(), &token[14..15]), (36, "4"), "{token} is not a UUID v4");
    // A second case on the same link, its token in capitals: the same address and the link's report.
    let second = on_link(&api, SHORT_FRAME, &token.to_uppercase()).await.expect(201).json();
    assert_eq!(second["magicLinkUrl"], created["magicLinkUrl"]);
    for case in [&created, &second] {
        close(&api, case["id"].as_i64().unwrap()).await.expect(200);
        let payload = receiver.wait_for_case(case["cfRef"].as_str().unwrap()).await;
        assert_eq!(payload["reportId"], "claim-9");
    }
    let other = on_new_link(&api, SHORT_FRAME, &json!({ "reportToken": "claim-9" })).await.expect(201).json();
    assert_ne!(other["magicLinkUrl"], created["magicLinkUrl"], "each case with link options gets its own link");
}

async fn decisions_5_max_uses_counts_the_cases_opened_on_a_link(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let once = on_new_link(&api, SHORT_FRAME, &json!({ "reportToken": "R", "maxUses": 1 })).await.expect(201).json();
    let message = on_link(&api, SHORT_FRAME, &token_of(&server, &once)).await.expect(400).error_message();
    assert!(message.contains("used up"), "{message}");

    let five = on_new_link(&api, SHORT_FRAME, &json!({ "reportToken": "R", "maxUses": 5 })).await.expect(201).json();
    let token = token_of(&server, &five);
    // A failed creation does not count as a use.
    on_link(&api, BOREALIS_FRAME, &token).await.expect(404);
    let mut racing = JoinSet::new();
    for _ in 0..16 {
        let (api, token) = (api.clone(), token.clone());
        racing.spawn(async move { on_link(&api, SHORT_FRAME, &token).await.status.as_u16() });
    }
    let statuses = racing.join_all().await;
    assert_eq!(statuses.iter().filter(|status| **status == 201).count(), 4, "{statuses:?}");
    assert_eq!(statuses.iter().filter(|status| **status == 400).count(), 12, "{statuses:?}");
}

async fn decisions_5_an_expired_unknown_or_foreign_link_opens_no_case(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    server.must_apply(&borealis());
    let stranger = server.sign_in(BOREALIS_API.username, BOREALIS_API.password).await;
    let created = on_new_link(&api, SHORT_FRAME, &json!({ "reportToken": "R" })).await.expect(201).json();
    let token = token_of(&server, &created);
    on_link(&stranger, BOREALIS_FRAME, &token).await.expect(403).error_message();
    on_link(&api, SHORT_FRAME, "6d4f2f6a-0b6e-4f6e-8b1a-0d5a5a5a5a5a").await.expect(404).error_message();
    for malformed in [
        "",
        "6d4f2f6a-0b6e-1f6e-8b1a-0d5a5a5a5a5a",
        "6d4f2f6a0b6e4f6e8b1a0d5a5a5a5a5a",
        "{6d4f2f6a-0b6e-4f6e-8b1a-0d5a5a5a5a5a}",
        "' or 1=1 --",
    ] {
        let message = on_link(&api, SHORT_FRAME, malformed).await.expect(400).error_message();
        assert!(message.contains("magicLinkToken must be a UUID v4"), "{message}");
    }

    // Soon, by the server's own time. The test reads the clock in the server's answers, never this machine's.
    let created_at: jiff::Timestamp = created["createdAt"].as_str().unwrap().parse().expect("a time");
    let soon = created_at + jiff::SignedDuration::from_secs(4);
    let options = json!({ "reportToken": "R", "expirationDate": soon.to_string() });
    let brief = on_new_link(&api, SHORT_FRAME, &options).await.expect(201).json();
    let token = token_of(&server, &brief);
    let message = eventually("the link expires", AMPLE, async || {
        let answer = on_link(&api, SHORT_FRAME, &token).await;
        (answer.status != 201).then(|| answer.expect(400).error_message())
    })
    .await;
    assert!(message.contains("expired"), "{message}");
}

async fn spec_4_4_rule_5_a_child_company_is_used_only_with_a_link_and_owns_the_case(server: TestServer) {
    server.must_apply_all(&[cosmos_france(), cosmos(), borealis()]);
    let parent = server.sign_in(COSMOS_API.username, COSMOS_API.password).await;
    let child = server.sign_in(COSMOS_FRANCE_API.username, COSMOS_FRANCE_API.password).await;
    let on_child = |frame: i64, company: i64| json!({ "frameId": frame, "childCompanyId": company, "linkOptions": { "reportToken": "family" } });
    for attached in [json!({}), json!({ "userId": COSMOS_API.user_id })] {
        let mut body = attached;
        body["frameId"] = json!(COSMOS_SHARED_FRAME);
        body["childCompanyId"] = json!(COSMOS_FRANCE);
        let message = parent.post("/cases/create", &body).await.expect(400).error_message();
        assert!(message.contains("childCompanyId"), "{message}");
    }
    // The caller's own company is not a child.
    for stranger in [BOREALIS, 999_999, COSMOS] {
        parent.post("/cases/create", &on_child(COSMOS_SHARED_FRAME, stranger)).await.expect(403).error_message();
    }
    child.post("/cases/create", &on_child(COSMOS_SHARED_FRAME, COSMOS)).await.expect(403).error_message();
    // The frame must be open to the company that will own the case.
    parent.post("/cases/create", &on_child(COSMOS_OWN_FRAME, COSMOS_FRANCE)).await.expect(404).error_message();

    for frame in [COSMOS_SHARED_FRAME, COSMOS_FRANCE_FRAME] {
        let created = parent.post("/cases/create", &on_child(frame, COSMOS_FRANCE)).await.expect(201).json();
        assert_is_of(&created, COSMOS_FRANCE);
        let token = token_of(&server, &created);
        for caller in [&parent, &child] {
            assert_is_of(&on_link(caller, frame, &token).await.expect(201).json(), COSMOS_FRANCE);
        }
        let id = created["id"].as_i64().unwrap();
        // Only the owner can close by identifier (spec 5, rule 5).
        close(&parent, id).await.expect(403).error_message();
        close(&child, id).await.expect(200);
    }
    // The family shares its report tokens, but a child may not use its parent's links.
    let own = on_new_link(&parent, COSMOS_SHARED_FRAME, &json!({ "reportToken": "family" })).await.expect(201).json();
    assert_is_of(&own, COSMOS);
    let body = |company: i64| json!({ "frameId": COSMOS_SHARED_FRAME, "childCompanyId": company, "magicLinkToken": token_of(&server, &own) });
    parent.post("/cases/create", &body(COSMOS)).await.expect(403).error_message();
    parent.post("/cases/create", &body(COSMOS_FRANCE)).await.expect(400).error_message();
    on_link(&child, COSMOS_SHARED_FRAME, &token_of(&server, &own)).await.expect(403).error_message();
}

async fn decisions_4_a_child_opens_cases_on_the_frames_its_parent_shares(server: TestServer) {
    server.must_apply_all(&[cosmos(), cosmos_france()]);
    let parent = server.sign_in(COSMOS_API.username, COSMOS_API.password).await;
    let child = server.sign_in(COSMOS_FRANCE_API.username, COSMOS_FRANCE_API.password).await;
    for (caller, frame, status) in [
        (&child, COSMOS_FRANCE_FRAME, 201),
        (&child, COSMOS_SHARED_FRAME, 201),
        (&child, COSMOS_OWN_FRAME, 404),
        (&parent, COSMOS_OWN_FRAME, 201),
        (&parent, COSMOS_SHARED_FRAME, 201),
        // Sharing goes down, not up.
        (&parent, COSMOS_FRANCE_FRAME, 404),
    ] {
        let answer = caller.post("/cases/create", &json!({ "frameId": frame })).await.expect(status);
        if status == 201 {
            let owner = if std::ptr::eq(caller, &raw const child) { COSMOS_FRANCE } else { COSMOS };
            assert_is_of(&answer.json(), owner);
        }
    }
}

/// Opens a case with `linkOptions`.
async fn on_new_link(api: &Api, frame: i64, options: &Value) -> crate::support::Answer {
    api.post("/cases/create", &json!({ "frameId": frame, "linkOptions": options })).await
}

/// Opens a case on an existing link.
async fn on_link(api: &Api, frame: i64, token: &str) -> crate::support::Answer {
    api.post("/cases/create", &json!({ "frameId": frame, "magicLinkToken": token })).await
}

/// The link's token, from the address in the answer to a creation.
#[track_caller]
fn token_of(server: &TestServer, created: &Value) -> String {
    let url = created["magicLinkUrl"].as_str().expect("magicLinkUrl is a URL");
    let token = url.strip_prefix(&format!("{}/link/", server.base_url()));
    token.unwrap_or_else(|| panic!("{url} is not the address of a link")).to_owned()
}

#[track_caller]
fn assert_is_of(created: &Value, company: i64) {
    assert_eq!(created["cfRef"], format!("CAS-{}_CMP-{company}", created["id"]));
}
