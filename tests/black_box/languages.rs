//! The language, the time zone and the logo of certificates (decisions 5; operator's page, "Language and time" and
//! "Appearance").

use serde_json::{Value, json};

use crate::support::{
    Api, TestServer,
    company_manifest::{SHORT_FRAME, acme_on, acme_with_webhook, note_step},
    evidence::{add_entry, close, open_case, signature},
    on_both_databases, pdf,
    server::said,
};

on_both_databases!(
    decisions_5_a_certificate_is_in_the_language_of_its_case_or_else_of_its_company,
    decisions_5_another_language_is_refused_and_no_case_is_opened,
    apply_refuses_a_language_or_a_time_zone_that_does_not_exist,
    a_certificate_shows_the_logo_of_the_company,
);

fn with_settings(settings: &str) -> String {
    acme_with_webhook("").replacen("name = ", &format!("{settings}\nname = "), 1)
}

/// The certificate of a case with one entry.
async fn pdf_of(api: &Api, request: &Value) -> Vec<u8> {
    let case = open_case(api, request).await;
    add_entry(api, case, note_step(SHORT_FRAME), "note").await.expect(201);
    let url = close(api, case).await.expect(200).json()["pdfUrl"].as_str().unwrap().to_owned();
    api.with_token(None).get(&url).await.expect(200).body.to_vec()
}

/// Its text, without line breaks.
async fn certificate(api: &Api, request: &Value) -> Option<String> {
    let content = pdf::read(&pdf_of(api, request).await)?;
    Some(content.text.split_whitespace().collect::<Vec<_>>().join(" "))
}

async fn decisions_5_a_certificate_is_in_the_language_of_its_case_or_else_of_its_company(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    server.must_apply(&with_settings("language = \"fr\"\ntime_zone = \"Asia/Kolkata\""));
    let Some(french) = certificate(&api, &json!({ "frameId": SHORT_FRAME })).await else { return };
    for expected in ["Ce document est signé électroniquement", "Asia/Kolkata (", "Qu’est-ce que ce document ?"] {
        assert!(french.contains(expected), "{expected} is missing: {french}");
    }
    let german = certificate(&api, &json!({ "frameId": SHORT_FRAME, "language": "de" })).await.unwrap();
    for expected in ["Dieses Dokument ist elektronisch signiert", "Asia/Kolkata (", "Was ist dieses Dokument?"] {
        assert!(german.contains(expected), "{expected} is missing: {german}");
    }

    // What a case has frozen does not change; the next case has the new settings.
    server.must_apply(&with_settings(""));
    let english = certificate(&api, &json!({ "frameId": SHORT_FRAME, "language": null })).await.unwrap();
    assert!(english.contains("This document is signed electronically"), "{english}");
    assert!(!english.contains("Asia/Kolkata"), "{english}");
}

async fn decisions_5_another_language_is_refused_and_no_case_is_opened(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    for wrong in [json!("it"), json!("FR"), json!(""), json!(7)] {
        let request = json!({ "frameId": SHORT_FRAME, "language": wrong });
        let message = api.post("/cases/create", &request).await.expect(400).error_message();
        assert!(message.contains("language must be one of en, fr, de and es"), "{message}");
    }
    assert_eq!(api.get("/cases?format=metadata").await.expect(200).header("x-total-count"), Some("0"));
}

async fn apply_refuses_a_language_or_a_time_zone_that_does_not_exist(server: TestServer) {
    let output = server.apply(&with_settings("language = \"it\"\ntime_zone = \"Europe/Lyon\""));
    assert!(!output.status.success());
    for expected in ["company.language", "one of en, fr, de and es", "company.time_zone", "IANA"] {
        assert!(said(&output).contains(expected), "{expected}: {}", said(&output));
    }
}

async fn a_certificate_shows_the_logo_of_the_company(server: TestServer) {
    const PICTURE: &[u8] = b"/Subtype/Image";
    let pictures = |pdf: &[u8]| pdf.windows(PICTURE.len()).filter(|part| *part == PICTURE).count();
    let (api, _receiver) = acme_on(&server).await;
    let request = json!({ "frameId": SHORT_FRAME });
    assert_eq!(pictures(&pdf_of(&api, &request).await), 0);
    std::fs::write(server.folder().join("logo.png"), signature().bytes).expect("write the logo");
    server.must_apply(&format!("{}\n[company.appearance]\nlogo_file = \"logo.png\"\n", acme_with_webhook("")));
    assert_eq!(pictures(&pdf_of(&api, &request).await), 1);
}
