//! Creating links, and the contexts that they return (spec 4.18 and 6.1, decisions 5 and 7).

use serde_json::{Value, json};

use crate::support::{
    Answer, Api, Receiver, TestServer,
    company_manifest::{
        ACME_READER, BOREALIS, BOREALIS_API, BOREALIS_FRAME, COSMOS, COSMOS_API, COSMOS_FRANCE, COSMOS_FRANCE_API,
        COSMOS_FRANCE_FRAME, COSMOS_OWN_FRAME, COSMOS_SHARED_FRAME, SHORT_FRAME, acme_on, borealis, cosmos,
        cosmos_france,
    },
    evidence::close,
    on_both_databases,
};

on_both_databases!(
    spec_4_18_a_link_is_answered_with_its_fields,
    spec_4_18_a_context_is_returned_as_it_was_written,
    spec_6_1_the_context_of_the_webhook_depends_on_the_origin,
    decisions_7_a_wrong_field_of_a_link_is_named_with_its_rule,
    decisions_5_a_link_needs_the_caller_s_company_or_its_child_and_an_open_frame,
    decisions_5_the_report_of_a_link_belongs_to_one_family,
    decisions_5_max_uses_of_a_created_link_counts_its_cases,
);

async fn spec_4_18_a_link_is_answered_with_its_fields(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    let bare = create(&api, &json!({})).await.expect(201).json();
    let token = bare["token"].as_str().expect("token is text");
    assert_eq!((token.len(), &token[14..15]), (36, "4"), "{token} is not a UUID v4");
    let expected = json!({
        "token": token,
        "magicLinkUrl": format!("{}/link/{token}", server.base_url()),
        "frameId": null,
        "reportToken": null,
        "maxUses": null,
        "expirationDate": null,
    });
    assert_eq!(bare, expected);

    let body = json!({
        "frameId": SHORT_FRAME, "reportToken": "claim é 7", "maxUses": 2,
        "expirationDate": "2999-12-31T23:59:59.000+0200", "context": { "z": 1, "a": [null] }, "unknown": true,
    });
    let full = create(&api, &body).await.expect(201).json();
    assert_ne!(full["token"], bare["token"]);
    let expected = json!({
        "token": full["token"],
        "magicLinkUrl": format!("{}/link/{}", server.base_url(), full["token"].as_str().unwrap()),
        "frameId": SHORT_FRAME,
        "reportToken": "claim é 7",
        "maxUses": 2,
        "expirationDate": "2999-12-31T21:59:59.000Z",
        "context": { "z": 1, "a": [null] },
    });
    assert_eq!(full, expected);

    // A case on the link has its address and its report, unless the case names another.
    let case = on_link(&api, &full, &json!({})).await.expect(201).json();
    assert_eq!(case["magicLinkUrl"], full["magicLinkUrl"]);
    assert_eq!(payload_after_closing(&api, &receiver, &case).await["reportId"], "claim é 7");
    let case = on_link(&api, &full, &json!({ "reportToken": "another" })).await.expect(201).json();
    assert_eq!(payload_after_closing(&api, &receiver, &case).await["reportId"], "another");
    let case = on_link(&api, &bare, &json!({})).await.expect(201).json();
    assert_eq!(payload_after_closing(&api, &receiver, &case).await.get("reportId"), None);

    let reader = server.sign_in(ACME_READER.username, ACME_READER.password).await;
    let message = create(&reader, &json!({})).await.expect(403).error_message();
    assert!(message.contains("p_api:case:create"), "{message}");
    create(&api.with_token(None), &json!({})).await.expect(401).error_message();
    api.get("/link/create").await.expect(405).error_message();
}

async fn spec_4_18_a_context_is_returned_as_it_was_written(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    for context in [
        "{}",
        r#"{"zebra":{"b":1,"a":[{},[],"",null,true]},"apple":"é\u0000\ud83d\ude00/\/","":0}"#,
        // Numbers beyond 64 bits and redundant digits are kept too.
        r#"{"id":12345678901234567890123,"amount":1.10,"small":1e-7,"minus":-0.0}"#,
        r##"{"<script>":"</script>","#{x}":"{{y}}","$1":"'; drop table links; --"}"##,
    ] {
        let body = format!("{{\"context\":{context},\"maxUses\":1}}");
        let created = api.post_raw("/link/create", "application/json", body).await.expect(201);
        assert!(created.text().contains(&format!("\"context\":{context}")), "{context} in {}", created.text());
        let case = on_link(&api, &created.json(), &json!({})).await.expect(201).json();
        payload_after_closing(&api, &receiver, &case).await;
        let webhook = receiver.received().pop().unwrap();
        let sent = String::from_utf8_lossy(&webhook.body);
        assert!(sent.contains(&format!("\"context\":{context}")), "{context} in {sent}");
    }
    let of = |length: usize| json!({ "context": { "k": "x".repeat(length - 8) } });
    create(&api, &of(16 * 1024)).await.expect(201);
    let message = create(&api, &of(16 * 1024 + 1)).await.expect(400).error_message();
    assert_eq!(message, "context must be a JSON object of at most 16384 bytes, got 16385");
}

async fn spec_6_1_the_context_of_the_webhook_depends_on_the_origin(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    let link_context = json!({ "file": "A-1", "nested": { "z": 1 } });
    let with_context = create(&api, &json!({ "context": link_context })).await.expect(201).json();
    let without = create(&api, &json!({})).await.expect(201).json();
    let issuer = json!({ "caseContext": { "visibleData": { "issuer": "Claims desk" } } });
    let only_metadata = json!({ "caseContext": { "metadata": { "a": "b" } } });
    for (link, more, expected) in [
        (Some(&with_context), json!({}), Some(link_context.clone())),
        // The case's own context takes precedence.
        (Some(&with_context), issuer.clone(), Some(json!({ "emetteur": "Claims desk" }))),
        // An empty context counts as absent.
        (Some(&with_context), only_metadata, Some(link_context)),
        (Some(&without), issuer.clone(), Some(json!({ "emetteur": "Claims desk" }))),
        (Some(&without), json!({}), None),
        (None, issuer, Some(json!({ "emetteur": "Claims desk" }))),
        (None, json!({}), None),
    ] {
        let case = if let Some(link) = link {
            on_link(&api, link, &more).await
        } else {
            let mut body = more.clone();
            body["frameId"] = json!(SHORT_FRAME);
            api.post("/cases/create", &body).await
        };
        let payload = payload_after_closing(&api, &receiver, &case.expect(201).json()).await;
        assert_eq!(payload.get("context"), expected.as_ref(), "{more}");
    }
}

async fn decisions_7_a_wrong_field_of_a_link_is_named_with_its_rule(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    for (body, expected) in [
        (json!({ "frameId": "71" }), "frameId must be a positive whole number"),
        (json!({ "frameId": 0 }), "frameId must be a positive whole number"),
        (json!({ "reportToken": "" }), "reportToken must be text of 1 to 255"),
        (json!({ "reportToken": "a/b" }), "reportToken must be text"),
        (json!({ "reportToken": 7 }), "reportToken must be text"),
        (json!({ "maxUses": 0 }), "maxUses must be a positive whole number"),
        (json!({ "maxUses": 1.5 }), "maxUses must be a positive whole number"),
        (json!({ "expirationDate": "2999-01-01" }), "expirationDate must be a date-time with an offset"),
        (json!({ "expirationDate": "2020-01-01T00:00:00Z" }), "expirationDate must be in the future"),
        (json!({ "childCompanyId": "20" }), "childCompanyId must be a positive whole number"),
        (json!({ "context": [] }), "context must be a JSON object, got an array of length 0"),
        (json!({ "context": "{}" }), "context must be a JSON object, got the text"),
        (json!([]), "the body must be a JSON object"),
    ] {
        let message = create(&api, &body).await.expect(400).error_message();
        assert!(message.starts_with(expected), "{expected}: {message}");
    }
    let all = json!({ "frameId": 0, "maxUses": 0, "context": 0 });
    assert_eq!(create(&api, &all).await.expect(400).error_message().matches(" must be ").count(), 3);
    for body in ["", "{", "null", "{\"context\": {\"a\": 1}, \"context\": {}}", "{\"context\": {\"a\": \"\\ud800\"}}"] {
        api.post_raw("/link/create", "application/json", body).await.expect(400).error_message();
    }
    for expiration in ["2999-12-31T23:59:59.000+0200", "2999-12-31T23:59:59.000+02:00", "2999-12-31T23:59:59Z"] {
        create(&api, &json!({ "expirationDate": expiration })).await.expect(201);
    }
}

async fn decisions_5_a_link_needs_the_caller_s_company_or_its_child_and_an_open_frame(server: TestServer) {
    server.must_apply_all(&[cosmos_france(), cosmos(), borealis()]);
    let parent = server.sign_in(COSMOS_API.username, COSMOS_API.password).await;
    let child = server.sign_in(COSMOS_FRANCE_API.username, COSMOS_FRANCE_API.password).await;
    for (caller, frame, company, status) in [
        (&parent, COSMOS_OWN_FRAME, None, 201),
        (&parent, COSMOS_SHARED_FRAME, None, 201),
        (&parent, COSMOS_FRANCE_FRAME, None, 404),
        (&parent, BOREALIS_FRAME, None, 404),
        (&parent, 999_999, None, 404),
        (&parent, COSMOS_SHARED_FRAME, Some(COSMOS_FRANCE), 201),
        (&parent, COSMOS_FRANCE_FRAME, Some(COSMOS_FRANCE), 201),
        (&parent, COSMOS_OWN_FRAME, Some(COSMOS_FRANCE), 404),
        (&parent, COSMOS_SHARED_FRAME, Some(BOREALIS), 403),
        (&parent, COSMOS_SHARED_FRAME, Some(999_999), 403),
        // The caller's own company is not a child.
        (&parent, COSMOS_SHARED_FRAME, Some(COSMOS), 403),
        (&child, COSMOS_SHARED_FRAME, Some(COSMOS_FRANCE), 403),
        (&child, COSMOS_SHARED_FRAME, None, 201),
        (&child, COSMOS_OWN_FRAME, None, 404),
        (&child, COSMOS_SHARED_FRAME, Some(COSMOS), 403),
    ] {
        let answer = create(caller, &json!({ "frameId": frame, "childCompanyId": company })).await;
        assert_eq!(answer.status, status, "{frame} {company:?}: {}", answer.text());
        if status != 201 {
            answer.error_message();
        }
    }
    // A child's link: its cases belong to the child, and both may open them.
    let link = create(&parent, &json!({ "childCompanyId": COSMOS_FRANCE })).await.expect(201).json();
    for caller in [&parent, &child] {
        let case = case_on(caller, &link, COSMOS_FRANCE_FRAME, &json!({})).await.expect(201).json();
        assert_eq!(case["cfRef"], format!("CAS-{}_CMP-{COSMOS_FRANCE}", case["id"]));
    }
    let stranger = server.sign_in(BOREALIS_API.username, BOREALIS_API.password).await;
    case_on(&stranger, &link, BOREALIS_FRAME, &json!({})).await.expect(403).error_message();
}

async fn decisions_5_the_report_of_a_link_belongs_to_one_family(server: TestServer) {
    server.must_apply_all(&[cosmos_france(), cosmos(), borealis()]);
    let parent = server.sign_in(COSMOS_API.username, COSMOS_API.password).await;
    let child = server.sign_in(COSMOS_FRANCE_API.username, COSMOS_FRANCE_API.password).await;
    let stranger = server.sign_in(BOREALIS_API.username, BOREALIS_API.password).await;
    let report = |token: &str| json!({ "reportToken": token });
    // First used by a child's link; from then on it belongs to the family.
    create(&parent, &json!({ "reportToken": "one", "childCompanyId": COSMOS_FRANCE })).await.expect(201);
    create(&parent, &report("one")).await.expect(201);
    create(&child, &report("one")).await.expect(201);
    create(&stranger, &report("one")).await.expect(403).error_message();
    create(&child, &report("two")).await.expect(201);
    create(&stranger, &report("two")).await.expect(403).error_message();
    let taken = json!({ "frameId": BOREALIS_FRAME, "reportToken": "two" });
    stranger.post("/cases/create", &taken).await.expect(403).error_message();
    create(&stranger, &report("three")).await.expect(201);
    create(&parent, &report("three")).await.expect(403).error_message();
}

async fn decisions_5_max_uses_of_a_created_link_counts_its_cases(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let link = create(&api, &json!({ "maxUses": 2 })).await.expect(201).json();
    for _ in 0..2 {
        on_link(&api, &link, &json!({})).await.expect(201);
    }
    let message = on_link(&api, &link, &json!({})).await.expect(400).error_message();
    assert!(message.contains("used up"), "{message}");
}

async fn create(api: &Api, body: &Value) -> Answer {
    api.post("/link/create", body).await
}

/// Opens a case of Acme's on a created link.
async fn on_link(api: &Api, link: &Value, more: &Value) -> Answer {
    case_on(api, link, SHORT_FRAME, more).await
}

async fn case_on(api: &Api, link: &Value, frame: i64, more: &Value) -> Answer {
    let mut body = more.clone();
    (body["frameId"], body["magicLinkToken"]) = (json!(frame), link["token"].clone());
    api.post("/cases/create", &body).await
}

async fn payload_after_closing(api: &Api, receiver: &Receiver, case: &Value) -> Value {
    close(api, case["id"].as_i64().unwrap()).await.expect(200);
    receiver.wait_for_case(case["cfRef"].as_str().unwrap()).await
}
