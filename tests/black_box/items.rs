//! Entry items, and the rules for items of every kind: who may add them, where they belong, and what happens to those
//! that race with a closing (spec 2.3 and 4.13, decisions 3, 5 and 8).

use std::collections::BTreeSet;

use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::support::{
    Answer, Api, TestServer,
    company_manifest::{
        ACME, ACME_READER, BOREALIS, BOREALIS_API, BOREALIS_FRAME, Credentials, DATE_FIELD, DOCUMENT_UPLOAD, EMAIL,
        FRAME, NUMBER_FIELD, PHOTOGRAPHY, SELECT, SHORT_FRAME, SIGNATURE, TEXT_FIELD, TIME, VIDEO, acme, acme_on,
        api_user, borealis, note_step,
    },
    evidence::{
        add_capture, add_document, add_entry, close, create_item, identity_card, open_case, photo, signature, video,
    },
    on_both_databases, pdf,
};

on_both_databases!(
    decisions_8_an_entry_item_is_answered_with_its_fields_and_reaches_the_webhook,
    spec_9_rule_2_version_2_requires_the_client_and_its_clock,
    decisions_8_values_are_checked_against_their_step,
    decisions_8_a_position_is_decimal_degrees_on_the_globe,
    decisions_2_existence_is_checked_before_ownership_and_ownership_before_the_step,
    decisions_3_each_kind_of_item_needs_its_right,
    decisions_5_an_item_racing_with_the_closing_is_in_the_seal_or_refused,
);

async fn decisions_8_an_entry_item_is_answered_with_its_fields_and_reaches_the_webhook(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    let hostile = "<b>\u{202e} é 🏠 #image(\"/etc/passwd\")\n{{x}} \\";
    let mut items = Vec::new();
    for data in ["Martinel", "", hostile] {
        let added = add_entry(&api, case, TEXT_FIELD, data).await.expect(201).json();
        let (id, at) = (added["itemId"].as_i64().expect("itemId is a number"), &added["createdAt"]);
        let expected = json!({
            "itemId": id,
            "cfRef": format!("ITM-{id}_CAS-{case}"),
            "caseId": case,
            "stepId": TEXT_FIELD,
            "stepAction": "TEXT_FIELD",
            "data": data,
            "createdAt": at,
        });
        assert_eq!(added, expected);
        items.push(json!({
            "createdAt": at,
            "cfRef": format!("ITM-{id}_CAS-{case}"),
            "title": "Last name",
            "description": data,
            "stepAction": "TEXT_FIELD",
            "geolocLatitude": "45.764043",
            "geolocLongitude": "4.835659",
            "imageUrl": "",
        }));
    }
    close(&api, case).await.expect(200);
    let payload = receiver.wait_for_case(&format!("CAS-{case}_CMP-{ACME}")).await;
    assert_eq!(payload["items"], Value::from(items));
}

async fn spec_9_rule_2_version_2_requires_the_client_and_its_clock(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    let mut good = create_item(TEXT_FIELD, "Martinel");
    good["caseId"] = json!(case);
    for field in ["caseId", "stepId", "data", "clientAppName", "clientAppVersion", "frontCreatedAt"] {
        for wrong in [Value::Null, json!(true), json!([]), json!(1.5)] {
            let mut body = good.clone();
            body[field] = wrong.clone();
            let message = refused_entry(&api, &body).await;
            let expected = if wrong.is_null() { format!("{field} is required") } else { format!("{field} must be") };
            assert!(message.contains(&expected), "{field} {wrong}: {message}");
        }
        let mut body = good.clone();
        body.as_object_mut().unwrap().remove(field);
        assert_eq!(refused_entry(&api, &body).await, format!("{field} is required"));
    }
    for (field, wrong) in [
        ("clientAppName", json!("")),
        ("clientAppVersion", json!("")),
        ("frontCreatedAt", json!("")),
        ("frontCreatedAt", json!("yesterday")),
        ("frontCreatedAt", json!("2026-11-20")),
        ("frontCreatedAt", json!("2026-11-20T10:42:17.000")),
        ("frontCreatedAt", json!("2026-13-20T10:42:17Z")),
        ("frontCreatedAt", json!(1_795_168_800)),
        ("companyId", json!("7")),
        ("userDeviceModel", json!(5)),
    ] {
        let mut body = good.clone();
        body[field] = wrong.clone();
        let message = refused_entry(&api, &body).await;
        assert!(message.contains(&format!("{field} must be")), "{field} {wrong}: {message}");
    }
    // Every problem is reported at once. An entry may omit device and position.
    let message = refused_entry(&api, &json!({ "stepId": "x" })).await;
    for field in ["caseId", "stepId", "data", "clientAppName", "clientAppVersion", "frontCreatedAt"] {
        assert!(message.contains(field), "{field}: {message}");
    }
    let bare = json!({
        "caseId": case,
        "stepId": TEXT_FIELD,
        "data": "Martinel",
        "clientAppName": "Field Companion",
        "clientAppVersion": "4.2.0",
        "frontCreatedAt": "2026-11-20T10:42:17+0100",
    });
    api.post("/v2/items/create", &bare).await.expect(201);
    for body in ["", "{", "[]", "null"] {
        api.post_raw("/v2/items/create", "application/json", body).await.expect(400).error_message();
    }
}

async fn decisions_8_values_are_checked_against_their_step(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    let longest = "é".repeat(10_000);
    let too_long = "é".repeat(10_001);
    let steps: [(i64, &[&str], &[&str]); 6] = [
        (TEXT_FIELD, &["", "x", &longest], &[&too_long, "a\u{0}b"]),
        (NUMBER_FIELD, &["0", "-3.5", "12"], &["", "three", "1,5", "NaN", "inf", "0x10", "1 000", "٣", "1e999"]),
        (
            DATE_FIELD,
            &["2026-11-19", "2024-02-29"],
            &["", "19/11/2026", "2026-13-01", "2026-02-30", "2026-11-19T10:00:00Z", "2026-1-1", "today"],
        ),
        (TIME, &["00:00", "23:59", "07:45"], &["", "24:00", "7:45", "12:60", "12:30:00", "noon", "-1:00", "1２:00"]),
        (
            EMAIL,
            &["noor.martinel@mail.example", "a+b@x.example"],
            &["", "noor", "@mail.example", "noor@", "a b@mail.example", "a@b@c", "a@b\r\nBcc: c@d.example"],
        ),
        (SELECT, &["Burst pipe", "Roof", "Other"], &["", "roof", "Roof ", "Burst pipe,Roof", "Flood"]),
    ];
    let mut accepted = 0;
    for (step, good, bad) in steps {
        for value in good {
            let answer = add_entry(&api, case, step, value).await;
            assert_eq!(answer.status, 201, "{step} {value:?}: {}", answer.text());
            accepted += 1;
        }
        for value in bad {
            let answer = add_entry(&api, case, step, value).await;
            assert_eq!(answer.status, 400, "{step} {value:?}: {}", answer.text());
            let message = answer.error_message();
            assert!(message.starts_with("data must be"), "{step} {value:?}: {message}");
        }
    }
    // The message for a SELECT lists the options.
    let message = add_entry(&api, case, SELECT, "Flood").await.expect(400).error_message();
    assert!(["Burst pipe", "Roof", "Other"].iter().all(|option| message.contains(option)), "{message}");
    // These carry a file.
    for step in [PHOTOGRAPHY, VIDEO, SIGNATURE, DOCUMENT_UPLOAD] {
        let message = add_entry(&api, case, step, "front.jpg").await.expect(400).error_message();
        assert!(message.contains("file"), "{message}");
    }
    close(&api, case).await.expect(200);
    let payload = receiver.wait_for_case(&format!("CAS-{case}_CMP-{ACME}")).await;
    assert_eq!(payload["items"].as_array().unwrap().len(), accepted, "a refused item left nothing");
}

async fn decisions_8_a_position_is_decimal_degrees_on_the_globe(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    let at = |latitude: Value, longitude: Value| {
        let mut body = create_item(TEXT_FIELD, "here");
        (body["caseId"], body["geolocLatitude"], body["geolocLongitude"]) = (json!(case), latitude, longitude);
        body
    };
    for (latitude, longitude) in [("-90", "180"), ("90.0", "-180.000"), ("0", "-0"), ("+45.5", "4.835659")] {
        api.post("/v2/items/create", &at(json!(latitude), json!(longitude))).await.expect(201);
    }
    for (latitude, longitude, field) in [
        (json!("90.0001"), json!("0"), "geolocLatitude"),
        (json!("-91"), json!("0"), "geolocLatitude"),
        (json!("0"), json!("180.5"), "geolocLongitude"),
        (json!("0"), json!("-1e3"), "geolocLongitude"),
        (json!(""), json!("0"), "geolocLatitude"),
        (json!("45,7"), json!("0"), "geolocLatitude"),
        (json!("NaN"), json!("0"), "geolocLatitude"),
        (json!("0"), json!("inf"), "geolocLongitude"),
        (json!(45.7), json!("0"), "geolocLatitude"),
        (json!("45"), Value::Null, "geolocLongitude"),
        (Value::Null, json!("4"), "geolocLatitude"),
    ] {
        let message = refused_entry(&api, &at(latitude.clone(), longitude.clone())).await;
        assert!(message.contains(field), "{latitude} {longitude}: {message}");
    }
}

async fn decisions_2_existence_is_checked_before_ownership_and_ownership_before_the_step(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    server.must_apply(&borealis());
    let stranger = server.sign_in(BOREALIS_API.username, BOREALIS_API.password).await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    let foreign = open_case(&stranger, &json!({ "frameId": BOREALIS_FRAME })).await;

    let unknown = foreign + 1000;
    assert_all(&on_every_endpoint(&api, unknown, ACME, None).await, 404, "case");
    assert_all(&on_every_endpoint(&api, foreign, ACME, None).await, 403, "another company");
    // A companyId that is not the one of the case, no matter which.
    for company in [BOREALIS, 999_999] {
        assert_all(&on_every_endpoint(&api, case, company, None).await, 403, "companyId");
    }
    for step in [note_step(SHORT_FRAME), note_step(BOREALIS_FRAME), 999_999] {
        assert_all(&on_every_endpoint(&api, case, ACME, Some(step)).await, 404, "stepId");
    }
    // The identifier in the path is a positive whole number.
    for malformed in ["0", "-1", "x", "1.5"] {
        for path in [format!("/v2/items/{malformed}"), format!("/v2/items/{malformed}/document")] {
            api.upload(&path, &create_item(PHOTOGRAPHY, "a"), photo(1)).await.expect(400).error_message();
        }
    }
    assert!(server.files_of_items().is_empty(), "a refused item left a file: {:?}", server.files_of_items());

    close(&api, case).await.expect(200);
    let closed = on_every_endpoint(&api, case, ACME, None).await;
    assert_all(&closed, 400, "case already closed");
    // Ownership is checked before the state.
    assert_all(&on_every_endpoint(&stranger, case, BOREALIS, None).await, 403, "another company");
    let payload = receiver.wait_for_case(&format!("CAS-{case}_CMP-{ACME}")).await;
    assert_eq!(payload["items"], json!([]));
    assert!(server.files_of_items().is_empty(), "a refused item left a file: {:?}", server.files_of_items());
}

async fn decisions_3_each_kind_of_item_needs_its_right(server: TestServer) {
    const CREATOR: Credentials =
        Credentials { user_id: "usr-creator", username: "creator", password: "creates and documents" };
    const CAMERA: Credentials =
        Credentials { user_id: "usr-camera", username: "camera", password: "only takes photos" };
    let (api, receiver) = acme_on(&server).await;
    let more = api_user(CREATOR, r#"["p_api:case:create"]"#) + &api_user(CAMERA, r#"["p_api:item:create"]"#);
    server.must_apply(&(acme(&receiver) + &more));
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    for (user, entry_and_document, media) in
        [(CREATOR, true, false), (CAMERA, false, true), (ACME_READER, false, false)]
    {
        let caller = server.sign_in(user.username, user.password).await;
        let right = |granted: bool, accepted: u16| if granted { accepted } else { 403 };
        let entry = add_entry(&caller, case, TEXT_FIELD, "Martinel").await;
        let document = add_document(&caller, case, DOCUMENT_UPLOAD, identity_card()).await;
        let capture = add_capture(&caller, case, SIGNATURE, signature()).await;
        for (answer, expected, name) in [
            (entry, right(entry_and_document, 201), "p_api:case:create"),
            (document, right(entry_and_document, 200), "p_api:case:create"),
            (capture, right(media, 200), "p_api:item:create"),
        ] {
            assert_eq!(answer.status, expected, "{}: {}", user.username, answer.text());
            if expected == 403 {
                assert!(answer.error_message().contains(name), "{}", answer.text());
            }
        }
    }
    assert_eq!(server.files_of_items().len(), 2, "the accepted document and signature");
    let anonymous = on_every_endpoint(&api.with_token(None), case, ACME, None).await;
    assert_all(&anonymous, 401, "token");
}

async fn decisions_5_an_item_racing_with_the_closing_is_in_the_seal_or_refused(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    let (mut sealed_items, mut refused_items) = (0, 0);
    for round in 0..6 {
        let case = open_case(&api, &json!({ "frameId": FRAME })).await;
        let mut racing = JoinSet::new();
        for number in 0..24 {
            let api = api.clone();
            racing.spawn(async move {
                match number % 8 {
                    0 => add_capture(&api, case, SIGNATURE, signature()).await,
                    _ => add_entry(&api, case, TEXT_FIELD, &format!("value {number}")).await,
                }
            });
        }
        // Closed when a few answers have arrived, a different number in each round; the other requests are still in
        // flight.
        let mut answers = Vec::new();
        while answers.len() < round * 3 {
            answers.push(racing.join_next().await.expect("an item is in flight").expect("the request ran"));
        }
        let closed = close(&api, case).await.expect(200).json();
        answers.extend(racing.join_all().await);

        let mut acknowledged = BTreeSet::new();
        for answer in answers {
            match answer.status.as_u16() {
                200 | 201 => {
                    acknowledged.insert(format!("ITM-{}_CAS-{case}", answer.json()["itemId"]));
                }
                400 => assert_eq!(answer.error_message(), "case already closed"),
                status => panic!("{status}: {}", answer.text()),
            }
        }
        let payload = receiver.wait_for_case(&format!("CAS-{case}_CMP-{ACME}")).await;
        assert_eq!(references(&payload["items"], "cfRef"), acknowledged, "the webhook names what was acknowledged");
        let certificate = api.with_token(None).get(closed["pdfUrl"].as_str().unwrap()).await.expect(200);
        if let Some(content) = pdf::read(&certificate.body) {
            let manifest = content.json_attachments.iter().find(|json| json["format"] == "sealwright-seal-manifest");
            let items = &manifest.expect("the certificate has a seal manifest")["items"];
            assert_eq!(references(items, "reference"), acknowledged, "the seal holds what was acknowledged");
        }
        sealed_items += acknowledged.len();
        refused_items += 24 - acknowledged.len();
    }
    assert!(sealed_items > 0 && refused_items > 0, "no race: {sealed_items} sealed, {refused_items} refused");
}

/// One item of each kind, valid except for what the arguments change: an entry, a document, a photo and a video. `step`
/// replaces the correct steps.
async fn on_every_endpoint(api: &Api, case: i64, company: i64, step: Option<i64>) -> Vec<Answer> {
    let item = |right: i64, data: &str| {
        let mut item = create_item(step.unwrap_or(right), data);
        item["companyId"] = json!(company);
        item
    };
    let mut entry = item(TEXT_FIELD, "Martinel");
    entry["caseId"] = json!(case);
    let media = format!("/v2/items/{case}");
    vec![
        api.post("/v2/items/create", &entry).await,
        api.upload(&format!("{media}/document"), &item(DOCUMENT_UPLOAD, "card.pdf"), identity_card()).await,
        api.upload(&media, &item(PHOTOGRAPHY, "front.jpg"), photo(1)).await,
        api.upload(&media, &item(VIDEO, "rooms.mp4"), video()).await,
    ]
}

#[track_caller]
fn assert_all(answers: &[Answer], status: u16, expected: &str) {
    for answer in answers {
        assert_eq!(answer.status, status, "{}", answer.text());
        assert!(answer.error_message().contains(expected), "{expected} is missing: {}", answer.text());
    }
}

async fn refused_entry(api: &Api, body: &Value) -> String {
    let answer = api.post("/v2/items/create", body).await;
    assert_eq!(answer.status, 400, "{body}: {}", answer.text());
    answer.error_message()
}

fn references(items: &Value, field: &str) -> BTreeSet<String> {
    items.as_array().expect("items is an array").iter().map(|item| item[field].as_str().unwrap().to_owned()).collect()
}
