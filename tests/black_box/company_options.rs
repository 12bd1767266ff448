//! The company's options and the webhook settings that it sets itself (spec 4.17, decisions 4 and 12).

use serde_json::{Value, json};

use crate::support::{
    Api, Receiver, TestServer,
    company_manifest::{
        ACME, ACME_API, ACME_API_SECRET, ACME_READER, BOREALIS, BOREALIS_API, Credentials, SHORT_FRAME, acme, acme_on,
        acme_with_webhook, api_user, borealis,
    },
    evidence::{close, open_case},
    on_both_databases,
    rows::Rows,
};

on_both_databases!(
    spec_4_17_settings_are_returned_without_the_token,
    spec_4_17_a_wrong_field_is_named_and_the_token_never_repeated,
    decisions_12_the_settings_api_accepts_public_https_names_only,
    decisions_12_development_accepts_private_receivers_but_never_user_information,
    spec_4_17_settings_apply_from_the_next_dispatch_in_both_header_modes,
    a_company_s_own_settings_survive_an_apply_that_omits_them,
    spec_4_17_changing_needs_the_company_right_and_reading_the_case_right,
);

const SETTINGS: &str = "/company-options/api-settings";

async fn spec_4_17_settings_are_returned_without_the_token(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    server.must_apply(&borealis());
    // The mode that the operator set is shown by its name.
    let options = api.get("/company-options").await.expect(200);
    assert!(!options.text().contains(ACME_API_SECRET), "{}", options.text());
    let expected = json!({
        "companyId": ACME,
        "documentAnalysis": true,
        "apiSettings": [shown(&receiver.url("/cases"), "hmac-sha256")],
    });
    assert_eq!(options.json(), expected);
    let stranger = server.sign_in(BOREALIS_API.username, BOREALIS_API.password).await;
    let none = json!({ "companyId": BOREALIS, "documentAnalysis": false, "apiSettings": [] });
    assert_eq!(stranger.get("/company-options").await.expect(200).json(), none);

    let token = "tok-8f3a-never-shown-again";
    for (given, header) in [
        (json!({}), "authorization"),
        (json!({ "authorizationHeader": null }), "authorization"),
        (json!({ "authorizationHeader": "security-token" }), "security-token"),
        (json!({ "authorizationHeader": "authorization" }), "authorization"),
    ] {
        let mut body = given;
        (body["endpoint"], body["authToken"]) = (json!("https://hooks.acme.example/cases?a=b"), json!(token));
        let answer = api.post(SETTINGS, &body).await.expect(200);
        let stored = json!([shown("https://hooks.acme.example/cases?a=b", header)]);
        assert_eq!(answer.json(), json!({ "companyId": ACME, "apiSettings": stored }));
        let options = api.get("/company-options").await.expect(200).json();
        assert_eq!(options, json!({ "companyId": ACME, "documentAnalysis": true, "apiSettings": stored }));
    }
    assert_eq!(stranger.get("/company-options").await.expect(200).json(), none, "only one company's settings changed");
    // Neither the database nor the log has the token in clear text.
    let rows: Vec<(String, String)> = Rows::of(&server).await.all("select endpoint, credentials from webhooks").await;
    assert!(!rows.is_empty());
    assert!(rows.iter().all(|(_, credentials)| !credentials.contains(token) && !credentials.is_empty()), "{rows:?}");
    assert!(!server.log().contains(token), "the token is in the log");
}

async fn spec_4_17_a_wrong_field_is_named_and_the_token_never_repeated(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    let good = json!({ "endpoint": "https://hooks.acme.example/cases", "authToken": "hunter2" });
    for (field, wrong, rule) in [
        ("endpoint", Value::Null, "endpoint is required"),
        ("endpoint", json!(5), "endpoint must be a URL"),
        ("endpoint", json!(""), "endpoint must be a URL"),
        ("endpoint", json!("https://hooks.acme.example/ca ses"), "endpoint must be a URL"),
        ("endpoint", json!("https://hooks.acme.example/ca\nses"), "endpoint must be a URL"),
        ("endpoint", json!(format!("https://hooks.acme.example/{}", "x".repeat(2048))), "endpoint must be a URL"),
        ("endpoint", json!("hooks.acme.example"), "endpoint is refused: not a URL"),
        ("authToken", Value::Null, "authToken is required"),
        ("authToken", json!(""), "authToken must be text of 1 to 4096"),
        ("authToken", json!("hunter2 hunter2"), "authToken must be text"),
        ("authToken", json!("hunter2\r\nx-admin: 1"), "authToken must be text"),
        ("authToken", json!("hunter2é"), "authToken must be text"),
        ("authToken", json!(["hunter2"]), "authToken must be text"),
        ("authToken", json!("hunter2".repeat(1000)), "authToken must be text"),
        ("authorizationHeader", json!("bearer"), "authorizationHeader must be authorization or security-token"),
        ("authorizationHeader", json!("hmac-sha256"), "authorizationHeader must be authorization or security-token"),
        ("authorizationHeader", json!("Authorization"), "authorizationHeader must be"),
        ("authorizationHeader", json!(1), "authorizationHeader must be"),
    ] {
        let mut body = good.clone();
        body[field] = wrong;
        let message = api.post(SETTINGS, &body).await.expect(400).error_message();
        assert!(message.starts_with(rule), "{rule}: {message}");
        assert!(!message.contains("hunter2"), "{message}");
    }
    let message = api.post(SETTINGS, &json!({})).await.expect(400).error_message();
    assert_eq!(message, "endpoint is required, authToken is required");
    // Nothing was stored.
    let stored = api.get("/company-options").await.expect(200).json();
    assert_eq!(stored["apiSettings"], json!([shown(&receiver.url("/cases"), "hmac-sha256")]));
}

async fn decisions_12_the_settings_api_accepts_public_https_names_only(mut server: TestServer) {
    server.set("SEALWRIGHT_WEBHOOK_ALLOW_PRIVATE_ADDRESSES", "false");
    server.restart().await;
    server.must_apply(&acme_with_webhook(""));
    let api = server.sign_in(ACME_API.username, ACME_API.password).await;
    for endpoint in [
        "http://hooks.acme.example/hook",
        "ftp://hooks.acme.example/hook",
        "https://8.8.8.8/hook",
        "https://127.0.0.1/hook",
        "https://2130706433/hook",
        "https://0x7f.1/hook",
        "https://[2606:4700::1111]/hook",
        "https://[::1]/hook",
        "https://localhost/hook",
        "https://intranet/hook",
        "https://db.internal/hook",
        "https://user:secret@hooks.acme.example/hook",
        "https://user@hooks.acme.example/hook",
        "https:///hook",
        "//hooks.acme.example/hook",
    ] {
        let message = set(&api, endpoint, "authorization").await.expect(400).error_message();
        assert!(message.starts_with("endpoint is refused: "), "{endpoint}: {message}");
        assert!(!message.contains("secret"), "{message}");
    }
    let options = api.get("/company-options").await.expect(200).json();
    assert_eq!(options["apiSettings"], json!([]), "a refused endpoint left nothing");
    // Only the form is checked: this name does not resolve.
    for endpoint in ["https://hooks.acme.example/hook", "https://hooks.acme.example:8443/?key=a%20b"] {
        let answer = set(&api, endpoint, "authorization").await.expect(200).json();
        assert_eq!(answer["apiSettings"], json!([shown(endpoint, "authorization")]));
    }
}

async fn decisions_12_development_accepts_private_receivers_but_never_user_information(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    for endpoint in ["http://127.0.0.1:9/hook", "https://[::1]/hook", "http://receiver/", "https://hooks.acme.example/"]
    {
        set(&api, endpoint, "authorization").await.expect(200);
    }
    for endpoint in ["http://user:secret@127.0.0.1/hook", "ftp://127.0.0.1/hook"] {
        set(&api, endpoint, "authorization").await.expect(400).error_message();
    }
}

async fn spec_4_17_settings_apply_from_the_next_dispatch_in_both_header_modes(server: TestServer) {
    server.must_apply(&acme_with_webhook(""));
    let api = server.sign_in(ACME_API.username, ACME_API.password).await;
    let receiver = Receiver::start().await;
    let headers = ["authorization", "security-token", "x-api-key", "x-partner-apikey"];
    for (round, (mode, header, value)) in [
        ("authorization", "authorization", "Bearer tok-1"),
        ("security-token", "security-token", "tok-1"),
        ("authorization", "authorization", "Bearer tok-1"),
    ]
    .into_iter()
    .enumerate()
    {
        let path = format!("/round-{round}");
        set(&api, &receiver.url(&path), mode).await.expect(200);
        // The next closing, with no time in between.
        let case = open_case(&api, &json!({ "frameId": SHORT_FRAME })).await;
        close(&api, case).await.expect(200);
        let webhook = receiver.wait_for(round + 1).await.pop().unwrap();
        assert_eq!(webhook.target, path);
        assert_eq!(webhook.json()["cfRef"], format!("CAS-{case}_CMP-{ACME}"));
        for name in headers {
            assert_eq!(webhook.header(name), (name == header).then_some(value), "{mode}: {name}");
        }
    }
}

async fn a_company_s_own_settings_survive_an_apply_that_omits_them(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    let own = receiver.url("/own");
    let settings = async || api.get("/company-options").await.expect(200).json()["apiSettings"].clone();
    set(&api, &own, "security-token").await.expect(200);
    for _ in 0..2 {
        server.must_apply(&acme_with_webhook(""));
        assert_eq!(settings().await, json!([shown(&own, "security-token")]));
    }
    let case = open_case(&api, &json!({ "frameId": SHORT_FRAME })).await;
    close(&api, case).await.expect(200);
    let webhook = receiver.wait_for(1).await.pop().unwrap();
    assert_eq!((webhook.target.as_str(), webhook.header("security-token")), ("/own", Some("tok-1")));
    // A manifest with a webhook replaces it. A manifest that no longer has one removes it.
    server.must_apply(&acme(&receiver));
    assert_eq!(settings().await, json!([shown(&receiver.url("/cases"), "hmac-sha256")]));
    server.must_apply(&acme_with_webhook(""));
    assert_eq!(settings().await, json!([]));
    // `partner-apikey` is the operator's as well.
    let partner = "\n[webhook.case]\nendpoint = \"http://127.0.0.1:9/\"\nauth = \"partner-apikey\"\napi_key = \"k\"\n";
    server.must_apply(&acme_with_webhook(partner));
    assert_eq!(settings().await, json!([shown("http://127.0.0.1:9/", "partner-apikey")]));
}

async fn spec_4_17_changing_needs_the_company_right_and_reading_the_case_right(server: TestServer) {
    const KEEPER: Credentials =
        Credentials { user_id: "usr-keeper", username: "keeper", password: "keeps the settings" };
    let (api, receiver) = acme_on(&server).await;
    server.must_apply(&(acme(&receiver) + &api_user(KEEPER, r#"["p_api:company:update"]"#)));
    let keeper = server.sign_in(KEEPER.username, KEEPER.password).await;
    let reader = server.sign_in(ACME_READER.username, ACME_READER.password).await;
    reader.get("/company-options").await.expect(200);
    let message = set(&reader, "https://hooks.acme.example/", "authorization").await.expect(403).error_message();
    assert!(message.contains("p_api:company:update"), "{message}");
    set(&keeper, "https://hooks.acme.example/", "authorization").await.expect(200);
    let message = keeper.get("/company-options").await.expect(403).error_message();
    assert!(message.contains("p_api:case:read"), "{message}");
    let anonymous = api.with_token(None);
    anonymous.get("/company-options").await.expect(401).error_message();
    set(&anonymous, "https://hooks.acme.example/", "authorization").await.expect(401).error_message();
}

async fn set(api: &Api, endpoint: &str, header: &str) -> crate::support::Answer {
    let body = json!({ "endpoint": endpoint, "authToken": "tok-1", "authorizationHeader": header });
    api.post(SETTINGS, &body).await
}

/// An element of `apiSettings`.
fn shown(endpoint: &str, header: &str) -> Value {
    json!({
        "apiName": "case-webhook",
        "endpoints": { "sendCase": endpoint },
        "authorizationHeader": header,
        "hasCredentials": true,
    })
}
