//! The legacy form of items (spec 2.3 and 4.13, decisions 8).

use serde_json::{Value, json};

use crate::support::{
    TestServer,
    company_manifest::{
        ACME, ACME_READER, BOREALIS_API, BOREALIS_FRAME, DATE_FIELD, DOCUMENT_UPLOAD, EMAIL, FRAME, NUMBER_FIELD,
        PHOTOGRAPHY, SELECT, SHORT_FRAME, SIGNATURE, TEXT_FIELD, TIME, VIDEO, acme_on, borealis, note_step,
    },
    evidence::{close, open_case},
    on_both_databases, pdf,
};

on_both_databases!(
    decisions_8_a_legacy_item_is_sealed_and_sent_and_says_if_its_file_is_missing,
    spec_2_3_the_legacy_form_requires_its_device,
    decisions_8_a_legacy_item_needs_its_position_on_photo_and_video_steps_only,
    decisions_8_legacy_values_are_checked_against_their_step,
    decisions_8_a_legacy_item_needs_a_case_a_step_and_the_right,
);

/// One valid value for each step of Acme's frame, and its type.
const VALUES: [(i64, &str, &str); 10] = [
    (PHOTOGRAPHY, "PHOTOGRAPHY", "front of the house.jpg"),
    (VIDEO, "VIDEO", "rooms.mp4"),
    (SIGNATURE, "SIGNATURE", "signature.png"),
    (DOCUMENT_UPLOAD, "DOCUMENT_UPLOAD", "card.pdf"),
    (TEXT_FIELD, "TEXT_FIELD", "Martinel"),
    (NUMBER_FIELD, "NUMBER_FIELD", "3"),
    (DATE_FIELD, "DATE_FIELD", "2026-11-19"),
    (TIME, "TIME", "07:45"),
    (EMAIL, "EMAIL", "noor.martinel@mail.example"),
    (SELECT, "SELECT", "Roof"),
];

async fn decisions_8_a_legacy_item_is_sealed_and_sent_and_says_if_its_file_is_missing(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    for (step, action, data) in VALUES {
        let added = api.post("/api/items", &legacy(case, step, data)).await.expect(201).json();
        let id = added["itemId"].as_i64().expect("itemId is a number");
        let expected = json!({
            "itemId": id,
            "cfRef": format!("ITM-{id}_CAS-{case}"),
            "caseId": case,
            "stepId": step,
            "stepAction": action,
            "data": data,
            "createdAt": added["createdAt"],
        });
        assert_eq!(added, expected);
    }
    assert!(server.files_of_items().is_empty(), "no file came with them");
    let closed = close(&api, case).await.expect(200).json();

    let payload = receiver.wait_for_case(&format!("CAS-{case}_CMP-{ACME}")).await;
    let sent = payload["items"].as_array().expect("items is an array");
    assert_eq!(sent.len(), VALUES.len());
    for (item, (_, action, data)) in sent.iter().zip(VALUES) {
        assert_eq!((&item["stepAction"], &item["description"]), (&json!(action), &json!(data)));
        assert_eq!((&item["geolocLatitude"], &item["imageUrl"]), (&json!("45.764043"), &json!("")));
    }

    let certificate = api.with_token(None).get(closed["pdfUrl"].as_str().unwrap()).await.expect(200);
    let Some(content) = pdf::read(&certificate.body) else { return };
    let text = content.text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(text.matches("No file was received.").count(), 4, "{text}");
    for (_, _, data) in VALUES {
        assert!(text.contains(data), "{data} in {text}");
    }
    assert!(text.contains("Fairphone"), "{text}");
    assert!(!text.contains("Field Companion"), "no client application is invented: {text}");
    let manifest = content.json_attachments.iter().find(|json| json["format"] == "sealwright-seal-manifest").unwrap();
    for (item, (_, _, data)) in manifest["items"].as_array().unwrap().iter().zip(VALUES) {
        assert_eq!(item["value"], data);
        assert_eq!((&item["file"], &item["client"]), (&Value::Null, &Value::Null));
        assert_eq!(item["device"]["osVersion"], "15");
    }
}

async fn spec_2_3_the_legacy_form_requires_its_device(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    let whole = legacy(case, TEXT_FIELD, "Martinel");
    for field in whole.as_object().unwrap().keys() {
        for spoilt in [Value::Null, json!({})] {
            let mut body = whole.clone();
            body[field] = spoilt.clone();
            let answer = api.post("/api/items", &body).await;
            if spoilt.is_null() && ["geolocAccuracy", "userDeviceWifiIpAddress"].contains(&field.as_str()) {
                answer.expect(201);
                continue;
            }
            let message = answer.expect(400).error_message();
            let expected = match (spoilt.is_null(), ["geolocLatitude", "geolocLongitude"].contains(&field.as_str())) {
                (true, true) => "geolocLatitude and geolocLongitude must be given together".to_owned(),
                (true, false) => format!("{field} is required"),
                (false, _) => format!("{field} must be"),
            };
            assert!(message.starts_with(&expected), "{field}: {message}");
        }
    }
    for (field, wrong) in [("geolocLatitude", "90.5"), ("geolocLongitude", "-181"), ("geolocLatitude", "")] {
        let mut body = whole.clone();
        body[field] = json!(wrong);
        assert!(api.post("/api/items", &body).await.expect(400).error_message().starts_with(field));
    }
    // The fields of version 2 are ignored here.
    let mut more = whole.clone();
    (more["frontCreatedAt"], more["clientAppName"]) = (json!("yesterday"), json!(5));
    api.post("/api/items", &more).await.expect(201);
    for body in ["", "{", "[]", "null"] {
        api.post_raw("/api/items", "application/json", body).await.expect(400).error_message();
    }
}

async fn decisions_8_a_legacy_item_needs_its_position_on_photo_and_video_steps_only(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    for (step, action, data) in VALUES {
        let mut nowhere = legacy(case, step, data);
        nowhere.as_object_mut().unwrap().retain(|field, _| !field.starts_with("geoloc"));
        let answer = api.post("/api/items", &nowhere).await;
        if [PHOTOGRAPHY, VIDEO].contains(&step) {
            let message = answer.expect(400).error_message();
            assert_eq!(message, format!("geolocLatitude and geolocLongitude are required for a {action} step"));
        } else {
            answer.expect(201);
        }
    }
    close(&api, case).await.expect(200);
    let payload = receiver.wait_for_case(&format!("CAS-{case}_CMP-{ACME}")).await;
    let sent = payload["items"].as_array().expect("items is an array");
    assert_eq!(sent.len(), VALUES.len() - 2, "a refused item left nothing");
    assert!(sent.iter().all(|item| item["geolocLatitude"] == ""), "{sent:?}");
}

async fn decisions_8_legacy_values_are_checked_against_their_step(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    let too_long = "é".repeat(10_001);
    for (step, bad) in [
        (PHOTOGRAPHY, ""),
        (VIDEO, ""),
        (SIGNATURE, ""),
        (DOCUMENT_UPLOAD, ""),
        (PHOTOGRAPHY, &too_long),
        (TEXT_FIELD, &too_long),
        (NUMBER_FIELD, "three"),
        (DATE_FIELD, "19/11/2026"),
        (TIME, "24:00"),
        (EMAIL, "noor"),
        (SELECT, "roof"),
    ] {
        let message = api.post("/api/items", &legacy(case, step, bad)).await.expect(400).error_message();
        assert!(message.starts_with("data must be"), "{step}: {message}");
    }
    close(&api, case).await.expect(200);
    let payload = receiver.wait_for_case(&format!("CAS-{case}_CMP-{ACME}")).await;
    assert_eq!(payload["items"], json!([]), "a refused item left nothing");
}

async fn decisions_8_a_legacy_item_needs_a_case_a_step_and_the_right(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    server.must_apply(&borealis());
    let stranger = server.sign_in(BOREALIS_API.username, BOREALIS_API.password).await;
    let reader = server.sign_in(ACME_READER.username, ACME_READER.password).await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    let foreign = open_case(&stranger, &json!({ "frameId": BOREALIS_FRAME })).await;
    let good = legacy(case, TEXT_FIELD, "Martinel");
    api.with_token(None).post("/api/items", &good).await.expect(401).error_message();
    let message = reader.post("/api/items", &good).await.expect(403).error_message();
    assert!(message.contains("p_api:case:create"), "{message}");
    stranger.post("/api/items", &good).await.expect(403).error_message();
    api.post("/api/items", &legacy(foreign, note_step(BOREALIS_FRAME), "x")).await.expect(403).error_message();
    api.post("/api/items", &legacy(foreign + 1000, TEXT_FIELD, "x")).await.expect(404).error_message();
    for step in [note_step(SHORT_FRAME), 999_999] {
        let message = api.post("/api/items", &legacy(case, step, "x")).await.expect(404).error_message();
        assert!(message.contains("stepId"), "{message}");
    }
    close(&api, case).await.expect(200);
    let message = api.post("/api/items", &good).await.expect(400).error_message();
    assert_eq!(message, "case already closed");
}

/// A complete legacy item, with two of its optional fields.
fn legacy(case: i64, step: i64, data: &str) -> Value {
    json!({
        "caseId": case,
        "stepId": step,
        "data": data,
        "userDeviceManufacturer": "Fairphone",
        "userDeviceModel": "FP5",
        "userDeviceName": "Flora's telephone",
        "userDevicePlatform": "Android",
        "userDeviceOs": "Android",
        "userDeviceOsVersion": "15",
        "userDeviceWifiIpAddress": "192.0.2.7",
        "geolocLatitude": "45.764043",
        "geolocLongitude": "4.835659",
        "geolocAccuracy": "5",
    })
}
