//! What the holder of a link can do, and what not (decisions 16).

use std::sync::atomic::{AtomicU64, Ordering};

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use ed25519_dalek::{Signature, VerifyingKey};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::support::{
    AMPLE, Answer, Api, EFFECT, TestServer,
    client::send,
    company_manifest::{
        ACME_READER, DATE_FIELD, FRAME, NUMBER_FIELD, PHOTOGRAPHY, SELECT, SHORT_FRAME, TEXT_FIELD, acme_on,
    },
    eventually,
    evidence::{add_capture, create_item, open_case, photo},
    on_both_databases,
};
use crate::uploads_by_pieces::requests::{announce, delete, describe, hash, head, location, patch, view};

on_both_databases!(
    decisions_16_opening_a_link_opens_no_case_and_counts_as_no_use,
    decisions_16_the_first_answer_opens_the_case_once_however_many_race,
    decisions_16_a_link_shows_and_changes_its_own_open_cases_and_no_other,
    an_entry_is_acknowledged_by_its_hash_and_stored_once,
    a_person_fills_a_case_and_closes_it,
    a_file_in_pieces_is_acknowledged_by_its_hash,
    decisions_16_the_company_asks_for_another_capture,
    a_link_that_has_expired_says_so_and_changes_nothing,
);

async fn decisions_16_opening_a_link_opens_no_case_and_counts_as_no_use(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let link = create(&api, &json!({ "frameId": FRAME, "maxUses": 1 })).await;
    for _ in 0..5 {
        let view = link.get("/v2/capture").await.expect(200).json();
        assert_eq!(view["state"], "usable");
        assert_eq!((&view["canOpenCase"], &view["openCases"]), (&json!(true), &json!([])));
        assert_eq!(view["companyName"], "Acme Insurance");
        assert_eq!(view["form"]["name"], "Water damage");
        assert_eq!(view["form"]["steps"].as_array().unwrap().len(), 10);
        assert_eq!(view["form"]["steps"][0]["type"], "PHOTOGRAPHY");
        assert_eq!(view["limits"]["videoBytes"], 500 << 20);
        let page = api.with_token(None).get(&format!("/link/{}", token(&link))).await.expect(200);
        assert!(page.text().contains("1 of 1"), "{}", page.text());
    }
    // A link without a frame and without a case says that there is nothing to fill in.
    let bare = create(&api, &json!({})).await;
    let view = bare.get("/v2/capture").await.expect(200).json();
    assert_eq!((&view["canOpenCase"], &view["form"]), (&json!(false), &Value::Null));
    let message = bare.post("/v2/capture/cases", &json!({})).await.expect(403).error_message();
    assert!(message.contains("no form"), "{message}");
}

async fn decisions_16_the_first_answer_opens_the_case_once_however_many_race(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let link = create(&api, &json!({ "frameId": FRAME, "maxUses": 2, "reportToken": "R-16" })).await;
    let answers = futures_util::future::join_all((0..8).map(|_| async {
        let answer = link.post("/v2/capture/cases", &json!({})).await;
        (answer.status.as_u16(), answer.json()["caseId"].as_i64().expect("an identifier"))
    }))
    .await;
    let opened = answers.iter().filter(|(status, _)| *status == 201).count();
    assert_eq!(opened, 1, "{answers:?}");
    assert!(answers.iter().all(|(status, case)| [200, 201].contains(status) && *case == answers[0].1), "{answers:?}");
    // The case has the report of the link, and the link has one use left.
    let report = api.get("/reports/R-16").await.expect(200).text();
    assert!(report.contains(&format!("CAS-{}_CMP-", answers[0].1)), "{report}");
    close(&link, answers[0].1).await.expect(200);
    let second = link.post("/v2/capture/cases", &json!({})).await.expect(201).json();
    close(&link, second["caseId"].as_i64().unwrap()).await.expect(200);
    let message = link.post("/v2/capture/cases", &json!({})).await.expect(403).error_message();
    assert_eq!(message, "the link is used up");
    assert_eq!(link.get("/v2/capture").await.expect(200).json()["state"], "usedUp");

    // Two cases that the company opened on one link: the person chooses.
    let several = create(&api, &json!({ "frameId": FRAME })).await;
    for title in ["Kitchen", "Cellar"] {
        let body = json!({ "frameId": FRAME, "magicLinkToken": token(&several), "title": title });
        api.post("/cases/create", &body).await.expect(201);
    }
    let view = several.get("/v2/capture").await.expect(200).json();
    let titles: Vec<_> = view["openCases"].as_array().unwrap().iter().map(|case| case["title"].clone()).collect();
    assert_eq!(titles, ["Kitchen", "Cellar"]);
    let message = several.post("/v2/capture/cases", &json!({})).await.expect(400).error_message();
    assert!(message.contains("choose"), "{message}");
}

async fn decisions_16_a_link_shows_and_changes_its_own_open_cases_and_no_other(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let (one, other) =
        (create(&api, &json!({ "frameId": FRAME })).await, create(&api, &json!({ "frameId": FRAME })).await);
    let case = open(&one).await;
    let own = open(&other).await;
    let unlinked = open_case(&api, &json!({ "frameId": FRAME })).await;
    let path = |case: i64, end: &str| format!("/v2/capture/cases/{case}{end}");
    for foreign in [case, unlinked] {
        for (answer, what) in [
            (other.get(&path(foreign, "")).await, "read"),
            (other.post(&path(foreign, "/entries"), &entry(TEXT_FIELD, "x", None)).await, "entry"),
            (other.post(&path(foreign, "/close"), &json!({})).await, "close"),
        ] {
            assert_eq!(answer.expect(403).error_message(), "the case is not on this link", "{what}");
        }
    }
    other.get(&path(999_999, "")).await.expect(404);
    other.get("/v2/capture/cases/x").await.expect(400);
    one.get(&path(case, "")).await.expect(200);
    // The token of a link is not an access token, and an access token is not the token of a link.
    for (method_path, caller) in [("/frames", &one), ("/cases?hours=1", &one)] {
        caller.get(method_path).await.expect(401).error_message();
    }
    for stranger in [api.clone(), api.with_token(None), api.with_token(Some(&uuid()))] {
        let answer = stranger.get("/v2/capture").await.expect(401);
        assert_eq!(answer.header("www-authenticate"), Some("Bearer"));
        stranger.get(&path(case, "")).await.expect(401);
    }
    // A closed case is shown no more.
    close(&other, own).await.expect(200);
    assert_eq!(other.get(&path(own, "")).await.expect(403).error_message(), "the case is closed");
    assert_eq!(close(&other, own).await.expect(400).error_message(), "case already closed");
}

async fn an_entry_is_acknowledged_by_its_hash_and_stored_once(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let link = create(&api, &json!({ "frameId": FRAME })).await;
    let case = open(&link).await;
    let path = format!("/v2/capture/cases/{case}/entries");
    let body = entry(TEXT_FIELD, "Zoë Müller", None);
    let answers = futures_util::future::join_all((0..6).map(|_| link.post(&path, &body))).await;
    let statuses: Vec<u16> = answers.iter().map(|answer| answer.status.as_u16()).collect();
    assert_eq!(statuses.iter().filter(|status| **status == 201).count(), 1, "{statuses:?}");
    assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 5, "{statuses:?}");
    let stored: Vec<Value> = answers.iter().map(Answer::json).collect();
    assert!(stored.iter().all(|entry| entry["itemId"] == stored[0]["itemId"]), "{stored:?}");
    let receipt = payload(stored[0]["receipt"].as_str().expect("a receipt"));
    assert_eq!(receipt["sha256"], hex::encode(Sha256::digest("Zoë Müller")));
    assert_eq!(receipt["size"], "Zoë Müller".len());
    for field in ["captureId", "itemId", "caseId", "stepId"] {
        assert_eq!(receipt[field], stored[0][field], "{field}");
    }
    assert_eq!(link.get(&format!("/v2/capture/cases/{case}")).await.json()["items"].as_array().unwrap().len(), 1);

    // Another value under the same identifier is not the same capture.
    let changed = entry(TEXT_FIELD, "Zoé Müller", body["captureId"].as_str());
    let message = link.post(&path, &changed).await.expect(400).error_message();
    assert!(message.contains("captureId"), "{message}");
    // The rules of the steps hold, and the message names the field.
    for (step, value) in [(NUMBER_FIELD, "twelve"), (DATE_FIELD, "20.11.2026"), (SELECT, "Fire")] {
        let message = link.post(&path, &entry(step, value, None)).await.expect(400).error_message();
        assert!(message.contains("data must be") && message.contains(value), "{message}");
    }
    for (field, value) in [("captureId", json!("1")), ("captureId", Value::Null), ("stepId", json!("x"))] {
        let mut wrong = entry(TEXT_FIELD, "x", None);
        wrong[field] = value;
        let message = link.post(&path, &wrong).await.expect(400).error_message();
        assert!(message.contains(field), "{message}");
    }
    link.post(&path, &entry(PHOTOGRAPHY, "x.jpg", None)).await.expect(400);
    // Anyone can verify a receipt by the server's public key.
    let receipt = stored[0]["receipt"].as_str();
    let keys = api.with_token(None).get("/v2/receipt-keys").await.expect(200).json();
    let (signed, signature) = receipt.and_then(|receipt| receipt.rsplit_once('.')).unwrap();
    let decode = |text: &str| BASE64_URL_SAFE_NO_PAD.decode(text).unwrap();
    let key: [u8; 32] = decode(keys["keys"][0]["x"].as_str().unwrap()).try_into().unwrap();
    let key = VerifyingKey::from_bytes(&key).unwrap();
    key.verify_strict(signed.as_bytes(), &Signature::from_slice(&decode(signature)).unwrap()).unwrap();
    let header: Value = serde_json::from_slice(&decode(signed.split('.').next().unwrap())).unwrap();
    assert_eq!(header["kid"], keys["keys"][0]["kid"]);
    // A receipt is not an access token.
    api.with_token(receipt).get("/frames").await.expect(401);
    // The answer is repeated after the closing too: the first one may have been lost.
    close(&link, case).await.expect(200);
    link.post(&path, &body).await.expect(200);
    link.post(&path, &entry(TEXT_FIELD, "late", None)).await.expect(400);
}

async fn a_person_fills_a_case_and_closes_it(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let link = create(&api, &json!({ "frameId": SHORT_FRAME, "maxUses": 1 })).await;
    let case = link.post("/v2/capture/cases", &json!({})).await.expect(201).json();
    let id = case["caseId"].as_i64().unwrap();
    let step = &case["form"]["steps"][0];
    assert_eq!(case["items"], json!([]));
    let entered = entry(step["stepId"].as_i64().unwrap(), "Everything is dry", None);
    link.post(&format!("/v2/capture/cases/{id}/entries"), &entered).await.expect(201);
    let case = link.get(&format!("/v2/capture/cases/{id}")).await.expect(200).json();
    assert_eq!(case["items"][0]["data"], "Everything is dry");
    assert_eq!(case["items"][0]["captureId"], entered["captureId"]);
    assert_eq!(case["missing"], json!([]));
    let closed = close(&link, id).await.expect(200).json();
    let certificate = eventually("the certificate", AMPLE, async || {
        let answer = api.with_token(None).get(closed["pdfUrl"].as_str().expect("an address")).await;
        (answer.status == 200).then_some(answer)
    })
    .await;
    assert!(certificate.body.starts_with(b"%PDF-"));
}

async fn a_file_in_pieces_is_acknowledged_by_its_hash(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let (link, other) =
        (create(&api, &json!({ "frameId": FRAME })).await, create(&api, &json!({ "frameId": FRAME })).await);
    let (case, _) = (open(&link).await, open(&other).await);
    let (file, capture) = (photo(7).bytes, uuid());
    let mut metadata = describe(case, PHOTOGRAPHY, "front.jpg");
    metadata.push(("captureId", capture.clone()));
    metadata.push(("sha256", hash(&file)));
    announce(&other, file.len(), &metadata).await.expect(403);
    announce(&api.with_token(None), file.len(), &metadata).await.expect(401);
    let created = announce(&link, file.len(), &metadata).await.expect(201);
    let url = location(&created);
    // The first answer was lost: the same capture is the same upload.
    assert_eq!(location(&announce(&link, file.len(), &metadata).await.expect(201)), url);
    let half = file.len() / 2;
    send(patch(&link, &url, 0, file[..half].to_vec())).await.expect(204);
    // Another link cannot read, continue or end it.
    for answer in [
        head(&other, &url).await,
        send(patch(&other, &url, half, file[half..].to_vec())).await,
        delete(&other, &url).await,
        other.get(&url).await,
    ] {
        answer.expect(403);
    }
    assert_eq!(view(&link, &url).await["receipt"], Value::Null);
    send(patch(&link, &url, half, file[half..].to_vec())).await.expect(204);
    let seen = view(&link, &url).await;
    let receipt = payload(seen["receipt"].as_str().expect("a receipt"));
    assert_eq!((&receipt["sha256"], &receipt["size"]), (&json!(hash(&file)), &json!(file.len())));
    assert_eq!((&receipt["captureId"], &receipt["itemId"]), (&json!(capture), &seen["item"]["itemId"]));
    let item = &link.get(&format!("/v2/capture/cases/{case}")).await.json()["items"][0];
    assert_eq!((&item["captureId"], &item["sha256"]), (&json!(capture), &json!(hash(&file))));
    // A capture is one item, whatever is sent under its identifier.
    announce(&link, file.len() + 1, &metadata).await.expect(409);
    let message =
        link.post(&format!("/v2/capture/cases/{case}/entries"), &entry(TEXT_FIELD, "x", Some(&capture))).await;
    assert!(message.expect(400).error_message().contains("captureId"));
}

async fn decisions_16_the_company_asks_for_another_capture(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let link = create(&api, &json!({ "frameId": FRAME })).await;
    let case = open(&link).await;
    let uploaded = add_capture(&api, case, PHOTOGRAPHY, photo(1)).await.expect(200).json();
    let item = uploaded["itemId"].as_i64().unwrap();
    let view = async || link.get(&format!("/v2/capture/cases/{case}")).await.expect(200).json();
    assert!(!contains(&view().await["missing"], PHOTOGRAPHY));
    let path = format!("/v2/items/{item}/retake");
    for wrong in [json!({}), json!({ "reason": "" }), json!({ "reason": "a\nb" }), json!({ "reason": 3 })] {
        let message = api.post(&path, &wrong).await.expect(400).error_message();
        assert!(message.contains("reason"), "{message}");
    }
    let asked = api.post(&path, &json!({ "reason": "too dark" })).await.expect(200).json();
    assert_eq!(
        (&asked["itemId"], &asked["stepId"], &asked["reason"]),
        (&json!(item), &json!(PHOTOGRAPHY), &json!("too dark"))
    );
    let seen = view().await;
    assert_eq!(seen["items"][0]["retake"]["reason"], "too dark");
    assert!(contains(&seen["missing"], PHOTOGRAPHY), "{seen}");
    // The newer picture answers the request; both stay.
    add_capture(&api, case, PHOTOGRAPHY, photo(2)).await.expect(200);
    let seen = view().await;
    assert_eq!(seen["items"].as_array().unwrap().len(), 2);
    assert!(!contains(&seen["missing"], PHOTOGRAPHY), "{seen}");

    let reader = server.sign_in(ACME_READER.username, ACME_READER.password).await;
    assert!(
        reader.post(&path, &json!({ "reason": "x" })).await.expect(403).error_message().contains("p_api:case:update")
    );
    link.post(&path, &json!({ "reason": "x" })).await.expect(401);
    api.post("/v2/items/999999/retake", &json!({ "reason": "x" })).await.expect(404);
    api.post("/v2/items/x/retake", &json!({ "reason": "x" })).await.expect(400);
    close(&link, case).await.expect(200);
    assert_eq!(api.post(&path, &json!({ "reason": "x" })).await.expect(400).error_message(), "case already closed");
}

async fn a_link_that_has_expired_says_so_and_changes_nothing(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let probe = api.post("/cases/create", &json!({ "frameId": SHORT_FRAME })).await.expect(201).json();
    let now: jiff::Timestamp = probe["createdAt"].as_str().unwrap().parse().expect("a time");
    let soon = now + jiff::SignedDuration::from_secs(2);
    let link = create(&api, &json!({ "frameId": FRAME, "expirationDate": soon.to_string() })).await;
    let case = open(&link).await;
    eventually("the link expires", EFFECT, async || {
        (link.get("/v2/capture").await.expect(200).json()["state"] == "expired").then_some(())
    })
    .await;
    let message = link.post("/v2/capture/cases", &json!({})).await.expect(403).error_message();
    assert_eq!(message, "the link has expired");
    let path = format!("/v2/capture/cases/{case}");
    link.get(&path).await.expect(403);
    link.post(&format!("{path}/entries"), &entry(TEXT_FIELD, "x", None)).await.expect(403);
    close(&link, case).await.expect(403);
}

/// A UUID v4 that no other call returned.
fn uuid() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    format!("00000000-0000-4000-8000-{:012x}", NEXT.fetch_add(1, Ordering::Relaxed))
}

/// A link as its holder calls.
pub(crate) async fn create(api: &Api, body: &Value) -> Api {
    let link = api.post("/link/create", body).await.expect(201).json();
    api.with_token(link["token"].as_str())
}

fn token(link: &Api) -> String {
    link.token.clone().expect("a token")
}

pub(crate) async fn open(link: &Api) -> i64 {
    link.post("/v2/capture/cases", &json!({})).await.expect(201).json()["caseId"].as_i64().expect("an identifier")
}

pub(crate) async fn close(link: &Api, case: i64) -> Answer {
    link.post(&format!("/v2/capture/cases/{case}/close"), &json!({})).await
}

fn entry(step: i64, data: &str, capture: Option<&str>) -> Value {
    let mut entry = create_item(step, data);
    entry["captureId"] = json!(capture.map_or_else(uuid, str::to_owned));
    entry
}

fn contains(steps: &Value, step: i64) -> bool {
    steps.as_array().expect("a list").contains(&json!(step))
}

/// The payload of a compact JWS.
fn payload(jws: &str) -> Value {
    let part = jws.split('.').nth(1).expect("three parts");
    serde_json::from_slice(&BASE64_URL_SAFE_NO_PAD.decode(part).expect("base64url")).expect("JSON")
}
