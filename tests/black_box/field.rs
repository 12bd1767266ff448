//! The field app's interface: signing in and the session (decisions 16).

pub(crate) mod cases;

use std::sync::atomic::{AtomicU64, Ordering};

use hyper::Method;
use serde_json::{Value, json};

use crate::{
    support::{
        Answer, Api, EFFECT, TestServer,
        client::send,
        company_manifest::{
            ACME_API, ACME_FIELD, Credentials, FRAME, PHOTOGRAPHY, SHORT_FRAME, TEXT_FIELD, acme, acme_on, without_user,
        },
        eventually,
        evidence::open_case,
        on_both_databases,
        rows::Rows,
    },
    uploads_by_pieces::requests::{announce, describe, hash},
};

on_both_databases!(
    decisions_16_a_field_user_signs_in_and_out,
    a_cookie_is_kept_from_scripts_other_sites_and_plain_connections,
    a_wrong_password_an_unknown_user_and_an_api_user_look_alike,
    failed_sign_ins_are_limited,
    every_change_needs_the_csrf_token_of_the_session,
    a_session_ends_when_it_is_idle_and_when_it_is_old,
    a_removed_user_and_a_changed_password_end_the_session,
    decisions_16_a_first_sign_in_counts_as_logged_in_once,
);

const NORA: Credentials =
    Credentials { user_id: "usr-acme-new", username: "acme-new", password: "a compass and a map" };

async fn decisions_16_a_field_user_signs_in_and_out(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let anonymous = server.anonymous();
    for path in ["/v2/field/session", "/v2/field/cases"] {
        anonymous.get(path).await.expect(401).error_message();
        // An access token is not a session, with or without a cookie.
        api.get(path).await.expect(401);
    }
    let answer = sign_in(&server, ACME_FIELD).await;
    let body = answer.json();
    assert_eq!(body["user"], json!({ "userId": ACME_FIELD.user_id, "name": "Flora Field" }));
    assert_eq!(body["companyName"], "Acme Insurance");
    let flora = person(&server, &answer);
    assert_eq!(flora.get("/v2/field/session").await.expect(200).json(), body);
    // The database has no token.
    let cookie = cookie_of(&answer);
    let secret = cookie.split_once('=').unwrap().1.to_owned();
    assert_eq!(secret.len(), 64);
    let rows: Vec<(String, String)> =
        Rows::of(&server).await.all("select digest, coalesce(password_digest, '') from field_sessions").await;
    assert_eq!(rows.len(), 1);
    assert_eq!(rows[0].0, hash(secret.as_bytes()));
    assert!(!server.log().contains(&secret) && !server.log().contains(ACME_FIELD.password));

    let gone = flora.post("/v2/field/sign-out", &json!({})).await.expect(204);
    let removed = gone.header("set-cookie").unwrap();
    assert!(removed.starts_with("sealwright-field=;") && removed.contains("Max-Age=0"), "{removed}");
    let message = flora.get("/v2/field/session").await.expect(401).error_message();
    assert_eq!(message, "the session has ended");
    let rows: Vec<(String,)> = Rows::of(&server).await.all("select digest from field_sessions").await;
    assert!(rows.is_empty());

    // A sign-in ends the session that the browser had before.
    let first = flora_on(&server).await;
    let again = send(first.request(Method::POST, "/v2/field/sign-in").json(&credentials(ACME_FIELD))).await.expect(200);
    first.get("/v2/field/session").await.expect(401);
    person(&server, &again).get("/v2/field/session").await.expect(200);
    // The page holds nothing about anyone.
    let page = anonymous.get("/field").await.expect(200);
    assert!(page.text().contains("data-capture") && page.header("set-cookie").is_none());
    assert_eq!(page.header("cache-control"), Some("no-store"));
    let worker = anonymous.get("/field/worker.js").await.expect(200);
    assert_eq!(worker.header("service-worker-allowed"), Some("/field"));
}

async fn a_cookie_is_kept_from_scripts_other_sites_and_plain_connections(mut server: TestServer) {
    let (_api, _receiver) = acme_on(&server).await;
    let attributes = |answer: &Answer| -> Vec<String> {
        let cookie = answer.header("set-cookie").unwrap();
        cookie.split("; ").skip(1).map(str::to_owned).collect()
    };
    let plain = sign_in(&server, ACME_FIELD).await;
    assert_eq!(attributes(&plain), ["Path=/", "Max-Age=2592000", "HttpOnly", "SameSite=Strict"]);
    assert!(cookie_of(&plain).starts_with("sealwright-field="));
    // Behind a proxy that speaks https.
    server.set("SEALWRIGHT_BASE_URL", "https://evidence.example");
    server.restart().await;
    let secure = sign_in(&server, ACME_FIELD).await;
    assert_eq!(attributes(&secure), ["Path=/", "Max-Age=2592000", "HttpOnly", "SameSite=Strict", "Secure"]);
    assert!(cookie_of(&secure).starts_with("__Host-sealwright-field="));
    person(&server, &secure).get("/v2/field/session").await.expect(200);
    person(&server, &plain).get("/v2/field/session").await.expect(401);
    // Two cookies of one name: one of them is not ours.
    let twice = format!("{0}; {0}", cookie_of(&secure));
    server.anonymous().with_session(&twice, "").get("/v2/field/session").await.expect(401);
    // Other cookies do not matter.
    let more = format!("theme=dark; {}; x=y", cookie_of(&secure));
    server.anonymous().with_session(&more, "").get("/v2/field/session").await.expect(200);
    // A page of another site cannot sign a person in.
    for (site, status) in [("cross-site", 403), ("same-site", 403), ("same-origin", 200), ("none", 200)] {
        let request = server.anonymous().request(Method::POST, "/v2/field/sign-in").header("sec-fetch-site", site);
        let answer = send(request.json(&credentials(ACME_FIELD))).await.expect(status);
        assert_eq!(answer.header("set-cookie").is_some(), status == 200, "{site}");
    }
}

async fn a_wrong_password_an_unknown_user_and_an_api_user_look_alike(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let mut messages = Vec::new();
    for (username, password) in [
        (ACME_FIELD.username, "wrong"),
        (ACME_FIELD.username, ""),
        ("unknown", ACME_FIELD.password),
        (ACME_API.username, ACME_API.password),
    ] {
        let body = json!({ "username": username, "password": password });
        let answer = server.anonymous().post("/v2/field/sign-in", &body).await.expect(401);
        assert_eq!(answer.header("set-cookie"), None);
        messages.push(answer.error_message());
    }
    // The answer is that of the other sign-in, which takes no field users.
    messages.push(api.sign_in(ACME_FIELD.username, ACME_FIELD.password).await.expect(401).error_message());
    messages.dedup();
    assert_eq!(messages.len(), 1, "the messages distinguish users: {messages:?}");
    assert!(server.log().contains("a sign-in failed"));
    for (body, field) in [(json!({ "password": "x" }), "username"), (json!({ "username": "x" }), "password")] {
        let message = server.anonymous().post("/v2/field/sign-in", &body).await.expect(400).error_message();
        assert!(message.contains(field), "{body}: {message}");
    }
}

async fn failed_sign_ins_are_limited(server: TestServer) {
    let (_api, _receiver) = acme_on(&server).await;
    let anonymous = server.anonymous();
    let wrong = json!({ "username": ACME_FIELD.username, "password": "wrong" });
    for left in (0..20).rev() {
        let answer = anonymous.post("/v2/field/sign-in", &wrong).await.expect(401);
        assert_eq!(answer.header("x-ratelimit-remaining"), Some(left.to_string().as_str()));
    }
    anonymous.post("/v2/field/sign-in", &wrong).await.expect(429);
    // Not even the right password: a guess would be answered.
    anonymous.post("/v2/field/sign-in", &credentials(ACME_FIELD)).await.expect(429);
    // Others are not shut out.
    let other = json!({ "username": "unknown", "password": "wrong" });
    anonymous.post("/v2/field/sign-in", &other).await.expect(401);
}

async fn every_change_needs_the_csrf_token_of_the_session(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let case = case_of(&api, ACME_FIELD, FRAME, None).await;
    let (answer, other) = (sign_in(&server, ACME_FIELD).await, sign_in(&server, ACME_FIELD).await);
    let foreign = other.json()["csrfToken"].as_str().unwrap().to_owned();
    let flora = person(&server, &answer);
    let entries = format!("/v2/capture/cases/{case}/entries");
    let close = format!("/v2/capture/cases/{case}/close");
    for csrf in ["", "x", &foreign, &foreign[1..]] {
        let thief = server.anonymous().with_session(&cookie_of(&answer), csrf);
        for answer in [
            thief.post("/v2/field/sign-out", &json!({})).await,
            thief.post("/v2/field/cases", &json!({})).await,
            thief.post(&entries, &entry(TEXT_FIELD, "x")).await,
            thief.post(&close, &json!({})).await,
            announce(&thief, 10, &describe(case, PHOTOGRAPHY, "x.jpg")).await,
        ] {
            assert!(answer.expect(403).error_message().contains("X-CSRF-Token"), "{csrf}");
        }
        // Reading needs the cookie only.
        thief.get("/v2/field/cases").await.expect(200);
    }
    let plain = server.anonymous().request(Method::POST, "/v2/field/sign-out").header("cookie", cookie_of(&answer));
    send(plain).await.expect(403);
    flora.post(&entries, &entry(TEXT_FIELD, "x")).await.expect(201);
    // A bearer token takes the place of the session.
    flora.with_token(api.token.as_deref()).get("/v2/field/cases").await.expect(401);
}

async fn a_session_ends_when_it_is_idle_and_when_it_is_old(server: TestServer) {
    let (_api, _receiver) = acme_on(&server).await;
    let hours = |hours: i64| hours * 3_600_000;
    let age = async |answer: &Answer, column: &str, milliseconds: i64| {
        let digest = hash(cookie_of(answer).split_once('=').unwrap().1.as_bytes());
        let sql = format!("update field_sessions set {column} = {column} - {milliseconds} where digest = '{digest}'");
        Rows::change(&server, &sql).await;
    };
    let (idle, old) = (sign_in(&server, ACME_FIELD).await, sign_in(&server, ACME_FIELD).await);
    let good = sign_in(&server, ACME_FIELD).await;
    age(&idle, "seen_at", hours(12)).await;
    age(&old, "created_at", hours(30 * 24)).await;
    age(&good, "seen_at", hours(11)).await;
    age(&good, "created_at", hours(29 * 24)).await;
    person(&server, &idle).get("/v2/field/session").await.expect(401);
    person(&server, &old).get("/v2/field/session").await.expect(401);
    person(&server, &good).get("/v2/field/session").await.expect(200);
    // The request was recorded: another 11 hours end nothing.
    age(&good, "seen_at", hours(11)).await;
    person(&server, &good).get("/v2/field/session").await.expect(200);
}

async fn a_removed_user_and_a_changed_password_end_the_session(server: TestServer) {
    let (_api, receiver) = acme_on(&server).await;
    let flora = flora_on(&server).await;
    // Applying the same file again ends nothing.
    server.must_apply(&acme(&receiver));
    flora.get("/v2/field/session").await.expect(200);
    let other = "another pair of boots";
    server.must_apply(&acme(&receiver).replace(ACME_FIELD.password, other));
    ends(&flora).await;
    let again = Credentials { password: other, ..ACME_FIELD };
    let flora = person(&server, &sign_in(&server, again).await);
    flora.get("/v2/field/session").await.expect(200);
    server.must_apply(&without_user(&acme(&receiver), ACME_FIELD.user_id));
    ends(&flora).await;
    server.anonymous().post("/v2/field/sign-in", &credentials(again)).await.expect(401);
}

async fn decisions_16_a_first_sign_in_counts_as_logged_in_once(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    let manifest = with_nora(&acme(&receiver));
    server.must_apply(&manifest);
    let by_mail = json!({ "frameId": SHORT_FRAME, "userMail": "new@acme.example" });
    let message = api.post("/cases/create", &by_mail).await.expect(400).error_message();
    assert!(message.contains("logged in"), "{message}");
    let nora = person(&server, &sign_in(&server, NORA).await);
    let case = api.post("/cases/create", &by_mail).await.expect(201).json();
    let list = nora.get("/v2/field/cases").await.expect(200).json();
    assert_eq!(list["cases"][0]["caseId"], case["id"]);
    // Applying the file again does not forget it.
    server.must_apply(&manifest);
    api.post("/cases/create", &by_mail).await.expect(201);
}

async fn ends(person: &Api) {
    eventually("the session ends", EFFECT, async || {
        (person.get("/v2/field/session").await.status == 401).then_some(())
    })
    .await;
}

/// An open case of this user.
async fn case_of(api: &Api, user: Credentials, frame: i64, scheduled_at: Option<&str>) -> i64 {
    let mut body = json!({ "frameId": frame, "userId": user.user_id });
    if let Some(scheduled_at) = scheduled_at {
        body["scheduledAt"] = json!(scheduled_at);
    }
    open_case(api, &body).await
}

fn credentials(user: Credentials) -> Value {
    json!({ "username": user.username, "password": user.password })
}

/// Signs in, and waits as long as a company manifest may need to take effect.
pub(crate) async fn sign_in(server: &TestServer, user: Credentials) -> Answer {
    eventually(&format!("{} signs in", user.username), EFFECT, async || {
        let answer = server.anonymous().post("/v2/field/sign-in", &credentials(user)).await;
        (answer.status != 401).then_some(answer)
    })
    .await
    .expect(200)
}

pub(crate) fn cookie_of(answer: &Answer) -> String {
    answer.header("set-cookie").expect("a cookie").split(';').next().unwrap().to_owned()
}

/// The field user who got this answer when signing in.
pub(crate) fn person(server: &TestServer, answer: &Answer) -> Api {
    server.anonymous().with_session(&cookie_of(answer), answer.json()["csrfToken"].as_str().expect("a token"))
}

async fn flora_on(server: &TestServer) -> Api {
    person(server, &sign_in(server, ACME_FIELD).await)
}

/// Acme's second field user with a password.
fn with_nora(manifest: &str) -> String {
    let login =
        format!("id = \"{}\"\nusername = \"{}\"\npassword = \"{}\"\n", NORA.user_id, NORA.username, NORA.password);
    manifest.replace(&format!("id = \"{}\"\n", NORA.user_id), &login)
}

pub(crate) fn entry(step: i64, data: &str) -> Value {
    json!({
        "captureId": uuid(), "stepId": step, "data": data, "clientAppName": "Field app", "clientAppVersion": "1.0.0",
        "frontCreatedAt": "2026-11-20T10:42:17.000+01:00",
    })
}

/// A new UUID v4.
fn uuid() -> String {
    static MADE: AtomicU64 = AtomicU64::new(1);
    format!("f1e1d000-0000-4000-8000-{:012x}", MADE.fetch_add(1, Ordering::Relaxed))
}
