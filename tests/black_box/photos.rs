//! Certified photos: one photo, one case, in one call (decisions 16).

use hyper::Method;
use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};

use crate::support::{
    AMPLE, Answer, Api, TestServer,
    client::{Upload, send},
    company_manifest::{ACME_READER, BOREALIS_FRAME, FRAME, acme, acme_on},
    eventually,
    evidence::{create_item, identity_card, photo},
    on_both_databases,
    rows::Rows,
};

on_both_databases!(decisions_16_one_photo_is_a_case_of_its_own, a_photo_that_is_refused_leaves_nothing);

const PHOTO_FRAME: i64 = 72;
const PHOTO_FRAME_TOML: &str = r#"
[[frame]]
id = 72
name = "A photo"

[[frame.step]]
id = 720
title = "The photo"
action = "PHOTOGRAPHY"
mandatory = true

[[frame.step]]
id = 721
title = "A remark"
action = "TEXT_FIELD"
"#;

async fn decisions_16_one_photo_is_a_case_of_its_own(server: TestServer) {
    let api = api(&server).await;
    let mut body = description();
    body["reportToken"] = json!("photos");
    body["metadata"] = json!({ "order": "4711" });
    body["title"] = json!("Meter reading");
    let made = certify(&api, &body, photo(3)).await.expect(201).json();
    let (case, item) = (made["caseId"].as_i64().unwrap(), made["itemId"].as_i64().unwrap());
    assert!(made["cfRef"].as_str().unwrap().starts_with(&format!("CAS-{case}_CMP-")) && item > 0, "{made}");
    let found = api.get(&format!("/cases?format=metadata&withReportToken=true&caseId={case}")).await.json();
    assert_eq!(found[0]["closed"], json!(true));
    assert_eq!((&found[0]["reportId"], &found[0]["metadata"]), (&json!("photos"), &json!({ "order": "4711" })));
    let titles: Vec<(String,)> = Rows::of(&server).await.all("select title from cases").await;
    assert_eq!(titles, [("Meter reading".to_owned(),)]);
    let image = made["imageUrl"].as_str().unwrap();
    let original = api.with_token(None).get(&format!("{image}?original=1")).await.expect(200);
    assert_eq!(original.body, photo(3).bytes);
    let certificate = eventually("the certificate", AMPLE, async || {
        let answer = api.with_token(None).get(made["pdfUrl"].as_str().unwrap()).await;
        (answer.status == 200).then_some(answer)
    })
    .await;
    assert!(certificate.body.starts_with(b"%PDF-"));
    // Each call is a case.
    let again = certify(&api, &body, photo(3)).await.expect(201).json();
    assert_ne!(again["caseId"], made["caseId"]);
}

async fn a_photo_that_is_refused_leaves_nothing(server: TestServer) {
    let api = api(&server).await;
    let with = |field: &str, value: Value| {
        let mut body = description();
        body[field] = value;
        body
    };
    let mut no_position = description();
    for field in ["geolocLatitude", "geolocLongitude"] {
        no_position.as_object_mut().unwrap().remove(field);
    }
    for (body, file, status, expected) in [
        (with("frameId", json!(FRAME)), photo(1), 400, "PHOTOGRAPHY"),
        (with("frameId", json!(BOREALIS_FRAME)), photo(1), 404, "frame"),
        (with("frameId", json!("x")), photo(1), 400, "frameId"),
        (with("frontCreatedAt", Value::Null), photo(1), 400, "frontCreatedAt"),
        (with("metadata", json!([])), photo(1), 400, "metadata"),
        (no_position, photo(1), 400, "geolocLatitude"),
        (description(), identity_card(), 400, "JPEG or PNG"),
    ] {
        let message = certify(&api, &body, file).await.expect(status).error_message();
        assert!(message.contains(expected), "{message}");
    }
    let reader = server.sign_in(ACME_READER.username, ACME_READER.password).await;
    let message = certify(&reader, &description(), photo(1)).await.expect(403).error_message();
    assert!(message.contains("p_api:case:create"), "{message}");
    certify(&api.with_token(None), &description(), photo(1)).await.expect(401);

    let mut rows = Rows::of(&server).await;
    let cases: Vec<(i64,)> = rows.all("select id from cases").await;
    assert_eq!((cases, server.files_of_items().len()), (Vec::new(), 0));
}

async fn api(server: &TestServer) -> Api {
    let (api, receiver) = acme_on(server).await;
    server.must_apply(&(acme(&receiver) + PHOTO_FRAME_TOML));
    api
}

fn description() -> Value {
    let mut body = create_item(720, "photo.jpg");
    let fields = body.as_object_mut().unwrap();
    fields.remove("stepId");
    fields.remove("companyId");
    body["frameId"] = json!(PHOTO_FRAME);
    body
}

async fn certify(api: &Api, body: &Value, file: Upload) -> Answer {
    let part = Part::bytes(file.bytes).file_name(file.name).mime_str(file.media_type).expect("a media type");
    let form = Form::new().text("createPhotoDto", body.to_string()).part("file", part);
    send(api.request(Method::POST, "/v2/photos").multipart(form)).await
}
