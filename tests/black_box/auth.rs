//! Tokens and rights (spec 4.1 and 5, decisions 2 and 3).

use hyper::Method;
use serde_json::json;

use crate::support::{
    Answer, Api, EFFECT, Receiver, TestServer,
    client::send,
    company_manifest::{self, ACME, ACME_API, ACME_FIELD, ACME_READER, FRAME, acme, acme_on, acme_with_webhook},
    eventually,
    jwt::token_part,
    on_both_databases,
};

on_both_databases!(
    a_token_names_its_user_company_and_rights,
    a_wrong_password_an_unknown_user_and_a_field_user_look_alike,
    a_bad_token_request_names_the_wrong_field,
    a_missing_or_malformed_token_is_refused,
    a_token_expires,
    tokens_outlive_a_restart,
    a_missing_right_is_refused_before_the_request_is_read,
    removing_a_right_affects_tokens_already_issued,
    removing_a_user_invalidates_tokens_already_issued,
);

async fn a_token_names_its_user_company_and_rights(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let answer = api.sign_in(ACME_API.username, ACME_API.password).await.expect(200);
    let body = answer.json();
    let token = body["token"].as_str().expect("token is a string");
    assert_eq!(body, json!({ "token": token }));

    let header = token_part(token, 0);
    assert!(["EdDSA", "ES256"].contains(&header["alg"].as_str().unwrap()), "{header}");
    assert!(!header["kid"].as_str().unwrap().is_empty());
    let claims = token_part(token, 1);
    assert_eq!(claims["sub"], ACME_API.user_id);
    assert_eq!(claims["companyId"], ACME);
    assert!(claims["scope"].as_str().unwrap().split(' ').any(|scope| scope.starts_with("p_api")), "{claims}");
    assert!(!claims["iss"].as_str().unwrap().is_empty());
    assert_eq!(claims["exp"].as_i64().unwrap() - claims["iat"].as_i64().unwrap(), 3600);
}

async fn a_wrong_password_an_unknown_user_and_a_field_user_look_alike(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let mut messages = Vec::new();
    for (username, password) in [
        (ACME_API.username, "wrong"),
        (ACME_API.username, ""),
        ("ACME-API", ACME_API.password),
        ("nobody", ACME_API.password),
        (ACME_FIELD.username, ACME_FIELD.password),
    ] {
        messages.push(api.sign_in(username, password).await.expect(401).error_message());
    }
    messages.dedup();
    assert_eq!(messages.len(), 1, "the messages distinguish users: {messages:?}");
}

async fn a_bad_token_request_names_the_wrong_field(server: TestServer) {
    let api = server.anonymous();
    for (body, field) in [
        (json!({ "password": "x" }), "username"),
        (json!({ "username": "x" }), "password"),
        (json!({ "username": 1, "password": "x" }), "username"),
        (json!({ "username": "x", "password": ["x"] }), "password"),
        (json!({ "username": null, "password": "x" }), "username"),
    ] {
        let message = api.post("/auth/token", &body).await.expect(400).error_message();
        assert!(message.contains(field), "{body}: {message}");
    }
    for body in ["", "username=x&password=y", "{", "[]", "\"x\"", "{\"username\": \"x\", \"password\": \"\u{0}\""] {
        api.post_raw("/auth/token", "application/json", body.to_owned()).await.expect(400).error_message();
    }
}

async fn a_missing_or_malformed_token_is_refused(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let token = api.token.clone().unwrap();
    assert_unauthenticated(&api.with_token(None).get("/frames").await);
    for credentials in [
        String::new(),
        "Bearer".to_owned(),
        "Bearer ".to_owned(),
        token.clone(),
        format!("Basic {token}"),
        format!("Bearer {token} {token}"),
        format!("Bearer {token}, Bearer {token}"),
        "Bearer x".to_owned(),
        "Bearer ..".to_owned(),
        format!("Bearer {}", "x".repeat(5000)),
    ] {
        let request = api.with_token(None).request(Method::GET, "/frames").header("authorization", &credentials);
        assert_unauthenticated(&send(request).await);
    }
    let in_query = format!("/frames?access_token={token}");
    assert_unauthenticated(&api.with_token(None).get(&in_query).await);
}

async fn a_token_expires(mut server: TestServer) {
    server.set("SEALWRIGHT_TOKEN_LIFETIME", "2s");
    server.restart().await;
    let (api, _receiver) = acme_on(&server).await;
    let answer = eventually("the token expires", EFFECT, async || {
        let answer = api.get("/frames").await;
        (answer.status != 200).then_some(answer)
    })
    .await;
    assert_unauthenticated(&answer);
    let again = server.sign_in(ACME_API.username, ACME_API.password).await;
    assert_eq!(lifetime(&again), 2);
}

async fn tokens_outlive_a_restart(mut server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    server.restart().await;
    api.get("/frames").await.expect(200);
}

async fn a_missing_right_is_refused_before_the_request_is_read(server: TestServer) {
    let (_api, _receiver) = acme_on(&server).await;
    let reader = server.sign_in(ACME_READER.username, ACME_READER.password).await;
    reader.get("/frames").await.expect(200);
    for body in [json!({ "frameId": FRAME }), json!({}), json!({ "frameId": 999_999 })] {
        reader.post("/cases/create", &body).await.expect(403).error_message();
    }
    reader.post_raw("/cases/create", "application/json", "{").await.expect(403).error_message();
    // A user who may only read must not close a case, nor learn whether it exists (decisions 3).
    reader.get("/cases/close/1").await.expect(403).error_message();
}

async fn removing_a_right_affects_tokens_already_issued(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    api.get("/frames").await.expect(200);
    server.must_apply(&acme(&receiver).replace(r#"["p_api:*"]"#, r#"["p_api:item:create"]"#));
    let answer = eventually("the right is gone", EFFECT, async || {
        let answer = api.get("/frames").await;
        (answer.status != 200).then_some(answer)
    })
    .await;
    answer.expect(403).error_message();
}

async fn removing_a_user_invalidates_tokens_already_issued(server: TestServer) {
    let receiver = Receiver::start().await;
    let company_manifest = acme(&receiver);
    server.must_apply(&company_manifest);
    let reader = server.sign_in(ACME_READER.username, ACME_READER.password).await;
    server.must_apply(&company_manifest::without_user(&company_manifest, ACME_READER.user_id));
    let answer = eventually("the user is gone", EFFECT, async || {
        let answer = reader.get("/frames").await;
        (answer.status != 200).then_some(answer)
    })
    .await;
    assert_unauthenticated(&answer);
    server.anonymous().sign_in(ACME_READER.username, ACME_READER.password).await.expect(401);

    // The others stay, and a user who is added again is the same user as before.
    server.sign_in(ACME_API.username, ACME_API.password).await.get("/frames").await.expect(200);
    server.must_apply(&acme_with_webhook(""));
    let back = server.sign_in(ACME_READER.username, ACME_READER.password).await;
    assert_eq!(token_part(back.token.as_deref().unwrap(), 1)["sub"], ACME_READER.user_id);
}

#[track_caller]
fn assert_unauthenticated(answer: &Answer) {
    assert_eq!(answer.status, 401, "{}", answer.text());
    assert_eq!(answer.header("www-authenticate"), Some("Bearer"));
    answer.error_message();
}

fn lifetime(api: &Api) -> i64 {
    let claims = token_part(api.token.as_deref().unwrap(), 1);
    claims["exp"].as_i64().unwrap() - claims["iat"].as_i64().unwrap()
}
