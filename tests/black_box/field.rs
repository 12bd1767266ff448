//! The field app's interface: signing in, the session, and a field user's own cases (decisions 16, spec 3.2).

use std::sync::atomic::{AtomicU64, Ordering};

use hyper::Method;
use serde_json::{Value, json};

use crate::{
    support::{
        AMPLE, Answer, Api, EFFECT, TestServer,
        client::send,
        company_manifest::{
            ACME_API, ACME_FIELD, BOREALIS_FRAME, Credentials, FRAME, PHOTOGRAPHY, SHORT_FRAME, TEXT_FIELD, acme,
            acme_on, borealis, without_user,
        },
        eventually,
        evidence::{open_case, photo},
        on_both_databases,
        rows::Rows,
        server::said,
    },
    uploads_by_pieces::requests::{announce, delete, describe, hash, head, location, patch, view},
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
    spec_3_2_a_case_is_hidden_until_its_month,
    a_field_user_fills_and_closes_their_own_cases_and_no_others,
    one_photo_is_a_case_of_its_own_however_often_it_is_sent,
    a_quick_frame_asks_for_one_photo_and_nothing_else,
);

const NORA: Credentials =
    Credentials { user_id: "usr-acme-new", username: "acme-new", password: "a compass and a map" };
/// The frame of [`QUICK`], and its photo.
const QUICK_FRAME: i64 = 75;
const QUICK_PHOTO: i64 = 751;
const QUICK: &str = r#"
[[frame]]
id = 75
name = "Certified photo"
quick = true

[[frame.step]]
id = 751
title = "The photo"
action = "PHOTOGRAPHY"
mandatory = true

[[frame.step]]
id = 752
title = "Remark"
action = "TEXT_FIELD"
"#;

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
        ("nobody", ACME_FIELD.password),
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
    let other = json!({ "username": "nobody", "password": "wrong" });
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
    // The request was recorded: another 11 hours are no problem.
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

async fn spec_3_2_a_case_is_hidden_until_its_month(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let flora = flora_on(&server).await;
    let now = case_of(&api, ACME_FIELD, SHORT_FRAME, None).await;
    let later = case_of(&api, ACME_FIELD, SHORT_FRAME, Some("2999-01-01")).await;
    let listed = async || -> Vec<i64> {
        let list = flora.get("/v2/field/cases").await.expect(200).json();
        list["cases"].as_array().unwrap().iter().map(|case| case["caseId"].as_i64().unwrap()).collect()
    };
    assert_eq!(listed().await, [now]);
    for answer in [
        flora.get(&format!("/v2/capture/cases/{later}")).await,
        flora.post(&format!("/v2/capture/cases/{later}/entries"), &entry(711, "x")).await,
        flora.post(&format!("/v2/capture/cases/{later}/close"), &json!({})).await,
    ] {
        assert_eq!(answer.expect(403).error_message(), "the case is scheduled for a later month");
    }
    // The company brings it forward: it is visible at once.
    api.patch("/cases/update", &json!({ "caseId": later, "scheduledAt": null })).await.expect(200);
    assert_eq!(listed().await, [now, later]);
    flora.get(&format!("/v2/capture/cases/{later}")).await.expect(200);
    // A date in this month is not hidden, however late in the month it is.
    let today = flora.get("/v2/field/cases").await.json()["serverTime"].as_str().unwrap().to_owned();
    let soon = case_of(&api, ACME_FIELD, SHORT_FRAME, Some(&today)).await;
    let list = flora.get("/v2/field/cases").await.expect(200).json();
    let case = list["cases"].as_array().unwrap().iter().find(|case| case["caseId"] == soon).unwrap();
    assert_eq!(case["scheduledAt"], today.as_str());
    assert_eq!((&case["frameId"], &case["frameName"]), (&json!(SHORT_FRAME), &json!("Quick note")));
    assert_eq!(list["forms"].as_array().unwrap().len(), 1);
}

async fn a_field_user_fills_and_closes_their_own_cases_and_no_others(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    server.must_apply(&with_nora(&acme(&receiver)));
    server.must_apply(&borealis());
    let (flora, nora) = (flora_on(&server).await, person(&server, &sign_in(&server, NORA).await));
    let case = case_of(&api, ACME_FIELD, FRAME, None).await;
    let unattached = open_case(&api, &json!({ "frameId": FRAME })).await;
    let stranger = server.sign_in("borealis-api", "northern lights at noon").await;
    let elsewhere = open_case(&stranger, &json!({ "frameId": BOREALIS_FRAME })).await;
    let file = photo(7).bytes;
    for foreign in [unattached, elsewhere] {
        refuses(&flora, foreign).await;
    }
    refuses(&nora, case).await;
    flora.get("/v2/capture/cases/999999").await.expect(404);
    // The operations of a link are not a field user's.
    flora.get("/v2/capture").await.expect(401);
    flora.post("/v2/capture/cases", &json!({})).await.expect(401);
    flora.get("/frames").await.expect(401);

    // A file in pieces, an entry, and the closing.
    let mut metadata = describe(case, PHOTOGRAPHY, "front.jpg");
    metadata.push(("captureId", uuid()));
    let url = location(&announce(&flora, file.len(), &metadata).await.expect(201));
    let half = file.len() / 2;
    send(patch(&flora, &url, 0, file[..half].to_vec())).await.expect(204);
    for answer in [
        head(&nora, &url).await,
        send(patch(&nora, &url, half, file[half..].to_vec())).await,
        delete(&nora, &url).await,
        nora.get(&url).await,
    ] {
        answer.expect(403);
    }
    send(patch(&flora, &url, half, file[half..].to_vec())).await.expect(204);
    assert!(view(&flora, &url).await["receipt"].is_string());
    let entries = format!("/v2/capture/cases/{case}/entries");
    let entered = entry(TEXT_FIELD, "Martinel");
    flora.post(&entries, &entered).await.expect(201);
    flora.post(&entries, &entered).await.expect(200);
    let seen = flora.get(&format!("/v2/capture/cases/{case}")).await.expect(200).json();
    assert_eq!(seen["items"].as_array().unwrap().len(), 2);
    assert_eq!(seen["items"][0]["sha256"], hash(&file));
    let closed = flora.post(&format!("/v2/capture/cases/{case}/close"), &json!({})).await.expect(200).json();
    certificate(&server, closed["pdfUrl"].as_str().unwrap()).await;
    assert_eq!(flora.get("/v2/field/cases").await.json()["cases"], json!([]));
    flora.post(&entries, &entry(TEXT_FIELD, "late")).await.expect(400);
    // The company gives a case to someone else.
    let moved = case_of(&api, ACME_FIELD, FRAME, None).await;
    api.patch("/cases/update", &json!({ "caseId": moved, "userId": NORA.user_id })).await.expect(200);
    refuses(&flora, moved).await;
    nora.get(&format!("/v2/capture/cases/{moved}")).await.expect(200);
}

async fn one_photo_is_a_case_of_its_own_however_often_it_is_sent(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    server.must_apply(&(with_nora(&acme(&receiver)) + QUICK));
    let (flora, nora) = (flora_on(&server).await, person(&server, &sign_in(&server, NORA).await));
    let forms = eventually("the frame is offered", EFFECT, async || {
        let forms = flora.get("/v2/field/cases").await.expect(200).json()["quickForms"].take();
        (forms != json!([])).then_some(forms)
    })
    .await;
    assert_eq!((&forms[0]["frameId"], &forms[0]["name"]), (&json!(QUICK_FRAME), &json!("Certified photo")));
    let capture = uuid();
    let body = json!({ "frameId": QUICK_FRAME, "captureId": capture });
    // The answer is lost again and again, and two tabs ask at once.
    let answers = futures_util::future::join_all((0..6).map(|_| flora.post("/v2/field/cases", &body))).await;
    let case = answers[0].json()["caseId"].as_i64().unwrap();
    assert_eq!(answers.iter().filter(|answer| answer.status == 201).count(), 1);
    assert!(answers.iter().all(|answer| answer.json()["caseId"] == case && answer.json()["closed"] == false));
    assert_eq!(flora.get("/v2/field/cases").await.json()["cases"].as_array().unwrap().len(), 1);
    // The same identifier is another's own.
    let theirs = nora.post("/v2/field/cases", &body).await.expect(201).json();
    assert_ne!(theirs["caseId"], case);

    let file = photo(3).bytes;
    let mut metadata = describe(case, QUICK_PHOTO, "photo.jpg");
    metadata.push(("captureId", capture));
    let url = location(&announce(&flora, file.len(), &metadata).await.expect(201));
    send(patch(&flora, &url, 0, file)).await.expect(204);
    let closed = flora.post(&format!("/v2/capture/cases/{case}/close"), &json!({})).await.expect(200).json();
    // The answer of the closing was lost: the photo's case says that it is closed, and where its certificate is.
    let again = flora.post("/v2/field/cases", &body).await.expect(200).json();
    assert_eq!((&again["closed"], &again["pdfUrl"]), (&json!(true), &closed["pdfUrl"]));
    certificate(&server, closed["pdfUrl"].as_str().unwrap()).await;
    // Not on every frame.
    let wrong = json!({ "frameId": FRAME, "captureId": uuid() });
    assert!(flora.post("/v2/field/cases", &wrong).await.expect(400).error_message().contains("one photo"));
    let unknown = json!({ "frameId": 999_999, "captureId": uuid() });
    flora.post("/v2/field/cases", &unknown).await.expect(404);
    let message = flora.post("/v2/field/cases", &json!({ "captureId": "x" })).await.expect(400).error_message();
    assert!(message.contains("frameId") && message.contains("captureId"), "{message}");
    api.post("/v2/field/cases", &body).await.expect(401);
}

async fn a_quick_frame_asks_for_one_photo_and_nothing_else(server: TestServer) {
    let (_api, receiver) = acme_on(&server).await;
    let manifest = acme(&receiver) + QUICK;
    let line = manifest.lines().position(|line| line == "quick = true").unwrap() + 1;
    for (text, other) in [
        ("action = \"PHOTOGRAPHY\"\nmandatory = true", "action = \"PHOTOGRAPHY\""),
        ("action = \"PHOTOGRAPHY\"\nmandatory = true", "action = \"SIGNATURE\"\nmandatory = true"),
        ("action = \"TEXT_FIELD\"\n", "action = \"TEXT_FIELD\"\nmandatory = true\n"),
    ] {
        let (before, quick) = manifest.split_at(manifest.find("[[frame]]\nid = 75").unwrap());
        assert!(quick.contains(text));
        let output = server.apply(&format!("{before}{}", quick.replacen(text, other, 1)));
        let said = said(&output);
        assert!(!output.status.success() && said.contains(&format!(":{line}:")) && said.contains("quick"), "{said}");
    }
    server.must_apply(&manifest);
    let unmarked = manifest.replace("quick = true\n", "");
    let output = server.apply(&unmarked);
    assert!(output.status.success() && said(&output).contains("quick"), "{}", said(&output));
}

/// Another's case is neither shown nor changed.
async fn refuses(person: &Api, case: i64) {
    for answer in [
        person.get(&format!("/v2/capture/cases/{case}")).await,
        person.post(&format!("/v2/capture/cases/{case}/entries"), &entry(TEXT_FIELD, "x")).await,
        person.post(&format!("/v2/capture/cases/{case}/close"), &json!({})).await,
        announce(person, 10, &describe(case, PHOTOGRAPHY, "x.jpg")).await,
    ] {
        assert_eq!(answer.expect(403).error_message(), "the case is not one of yours");
    }
}

async fn ends(person: &Api) {
    eventually("the session ends", EFFECT, async || {
        (person.get("/v2/field/session").await.status == 401).then_some(())
    })
    .await;
}

async fn certificate(server: &TestServer, url: &str) {
    eventually("the certificate", AMPLE, async || (server.anonymous().get(url).await.status == 200).then_some(()))
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

fn cookie_of(answer: &Answer) -> String {
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
pub(crate) fn with_nora(manifest: &str) -> String {
    let login =
        format!("id = \"{}\"\nusername = \"{}\"\npassword = \"{}\"\n", NORA.user_id, NORA.username, NORA.password);
    manifest.replace(&format!("id = \"{}\"\n", NORA.user_id), &login)
}

fn entry(step: i64, data: &str) -> Value {
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
