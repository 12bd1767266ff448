//! The main use, end to end: a case is opened, filled with evidence of each kind, and closed; the webhook arrives and
//! the certificate is read (spec 1, 4.4, 4.6, 4.13, 4.16, 6.1).

use hyper::Method;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::support::{
    Answer, Api, TestServer,
    client::send,
    company_manifest::{
        ACME, ACME_API_KEY, ACME_API_SECRET, DATE_FIELD, DOCUMENT_UPLOAD, EMAIL, FRAME, NUMBER_FIELD, PHOTOGRAPHY,
        SELECT, SIGNATURE, TEXT_FIELD, TIME, VIDEO, acme_on,
    },
    evidence::{add_capture, add_document, add_entry, close, identity_card, photo, signature, video},
    on_both_databases, pdf,
};

on_both_databases!(a_case_becomes_a_certificate_and_a_webhook, a_closed_case_is_final);

async fn a_case_becomes_a_certificate_and_a_webhook(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    let created = create_case(&api).await;
    let case = created["id"].as_i64().unwrap();
    let reference = format!("CAS-{case}_CMP-{ACME}");
    assert_eq!(created["cfRef"], reference.as_str());
    let media = fill(&api, case).await;

    let closed = close(&api, case).await.expect(200).json();
    assert_eq!(closed["status"], "Success");
    assert_eq!(closed["message"], "Case closed successfully");
    assert_eq!(closed["caseId"], case);
    let pdf_url = closed["pdfUrl"].as_str().expect("pdfUrl is a URL");
    assert!(pdf_url.starts_with(&format!("{}/share/case/", server.base_url())), "{pdf_url}");

    let webhook = receiver.wait_for(1).await.remove(0);
    assert_eq!((webhook.method.as_str(), webhook.target.as_str()), ("POST", "/cases"));
    webhook.assert_signed(ACME_API_KEY, ACME_API_SECRET);
    let payload = webhook.json();
    check_payload(&payload, &created, pdf_url, &media);

    let certificate = api.with_token(None).get(pdf_url).await.expect(200);
    assert_eq!(certificate.header("content-type"), Some("application/pdf"));
    let disposition = certificate.header("content-disposition").unwrap();
    assert!(disposition.starts_with("inline") && disposition.contains(&format!("{reference}.pdf")), "{disposition}");
    assert_public(&certificate);
    check_certificate(&certificate, &reference, &media);
    check_media(&api.with_token(None), &media).await;
}

async fn a_closed_case_is_final(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    let case = create_case(&api).await["id"].as_i64().unwrap();
    close(&api, case).await.expect(200);
    let message = close(&api, case).await.expect(400).error_message();
    assert!(message.contains("already closed"), "{message}");
    for answer in [
        add_entry(&api, case, TEXT_FIELD, "Martinel").await,
        add_capture(&api, case, PHOTOGRAPHY, photo(1)).await,
        add_document(&api, case, DOCUMENT_UPLOAD, identity_card()).await,
    ] {
        assert_eq!(answer.expect(400).error_message(), "case already closed");
    }
    let payload = receiver.wait_for(1).await.remove(0).json();
    assert_eq!(payload["items"], json!([]));
}

/// The uploaded files and their addresses according to the server.
struct Media {
    photo: Vec<u8>,
    photo_url: String,
    signature_url: String,
    video: Vec<u8>,
    video_url: String,
    document: Vec<u8>,
}

async fn create_case(api: &Api) -> Value {
    let body = json!({
        "frameId": FRAME,
        "title": "Burst pipe in the kitchen",
        "reportToken": "claim-2026-0042",
        "metadata": { "policy": "P-77", "handler": "" },
        "caseContext": {
            "visibleData": {
                "beneficiary": { "lastName": "Martinel", "firstName": "Noor", "city": "Valmerle" },
                "issuer": "Acme claims desk",
            },
        },
    });
    let created = api.post("/cases/create", &body).await.expect(201).json();
    let (id, at) = (&created["id"], &created["createdAt"]);
    assert!(id.is_i64() && at.as_str().is_some_and(|at| at.ends_with('Z')), "{created}");
    assert_eq!(
        created,
        json!({
            "id": id,
            "cfRef": format!("CAS-{id}_CMP-{ACME}"),
            "frameId": FRAME,
            "title": "Burst pipe in the kitchen",
            "createdAt": at,
            "closed": false,
        })
    );
    created
}

/// Adds an item of each kind, in the order of the steps.
async fn fill(api: &Api, case: i64) -> Media {
    let (taken, filmed, card) = (photo(42), video(), identity_card());
    let media = (taken.bytes.clone(), filmed.bytes.clone(), card.bytes.clone());

    let photographed = add_capture(api, case, PHOTOGRAPHY, taken).await.expect(200).json();
    let photo_url = url_of(&photographed, case, "imageUrl");
    let filmed = add_capture(api, case, VIDEO, filmed).await.expect(200).json();
    let video_url = url_of(&filmed, case, "videoUrl");
    let signed = add_capture(api, case, SIGNATURE, signature()).await.expect(200).json();
    let signature_url = url_of(&signed, case, "imageUrl");
    let documented = add_document(api, case, DOCUMENT_UPLOAD, card).await.expect(200).json();
    url_of(&documented, case, "documentUrl");
    for (step, action, data) in ENTRIES {
        let entered = add_entry(api, case, step, data).await.expect(201).json();
        let (id, at) = (&entered["itemId"], &entered["createdAt"]);
        assert_eq!(
            entered,
            json!({
                "itemId": id,
                "cfRef": format!("ITM-{id}_CAS-{case}"),
                "caseId": case,
                "stepId": step,
                "stepAction": action,
                "data": data,
                "createdAt": at,
            })
        );
    }
    Media { photo: media.0, photo_url, signature_url, video: media.1, video_url, document: media.2 }
}

const ENTRIES: [(i64, &str, &str); 6] = [
    (TEXT_FIELD, "TEXT_FIELD", "Martinel"),
    (NUMBER_FIELD, "NUMBER_FIELD", "3"),
    (DATE_FIELD, "DATE_FIELD", "2026-11-19"),
    (TIME, "TIME", "07:45"),
    (EMAIL, "EMAIL", "noor.martinel@mail.example"),
    (SELECT, "SELECT", "Burst pipe"),
];

/// Checks the answer to an upload and returns its URL.
#[track_caller]
fn url_of(answer: &Value, case: i64, field: &str) -> String {
    let (item, url) = (&answer["itemId"], &answer[field]);
    assert_eq!(answer, &json!({ "companyId": ACME, "caseId": case, "itemId": item, field: url }));
    assert!(item.is_i64());
    url.as_str().expect("a URL").to_owned()
}

fn check_payload(payload: &Value, created: &Value, pdf_url: &str, media: &Media) {
    assert_eq!(payload["cfRef"], created["cfRef"]);
    assert_eq!(payload["createdAt"], created["createdAt"]);
    assert_eq!(payload["reportId"], "claim-2026-0042");
    assert_eq!(payload["frame"], "Water damage");
    assert_eq!(payload["closed"], true);
    assert_eq!(payload["caseUrl"], pdf_url);
    assert_eq!(payload["metadata"], json!({ "policy": "P-77", "handler": "" }));
    assert_eq!(
        payload["context"],
        json!({
            "beneficiaire": { "nom": "Martinel", "prenom": "Noor", "ville": "Valmerle" },
            "emetteur": "Acme claims desk",
        })
    );
    let items = payload["items"].as_array().expect("items is an array");
    let actions: Vec<&str> = items.iter().map(|item| item["stepAction"].as_str().unwrap()).collect();
    let ten = "PHOTOGRAPHY VIDEO SIGNATURE DOCUMENT_UPLOAD TEXT_FIELD NUMBER_FIELD DATE_FIELD TIME EMAIL SELECT";
    assert_eq!(actions.join(" "), ten);
    let first = &items[0];
    assert_eq!(
        first,
        &json!({
            "createdAt": first["createdAt"],
            "cfRef": first["cfRef"],
            "title": "Front of the house",
            "description": "front.jpg",
            "stepAction": "PHOTOGRAPHY",
            "geolocLatitude": "45.764043",
            "geolocLongitude": "4.835659",
            "imageUrl": media.photo_url,
        })
    );
    assert_eq!(items[1]["description"], media.video_url.as_str());
    assert_eq!(items[2]["imageUrl"], media.signature_url.as_str());
    for item in
        items.iter().filter(|item| !["PHOTOGRAPHY", "SIGNATURE"].contains(&item["stepAction"].as_str().unwrap()))
    {
        assert_eq!(item["imageUrl"], "", "{item}");
    }
    for (item, (_, _, data)) in items[4..].iter().zip(ENTRIES) {
        assert_eq!(item["description"], data);
    }
}

fn check_certificate(certificate: &Answer, reference: &str, media: &Media) {
    assert!(certificate.body.starts_with(b"%PDF-"));
    let Some(content) = pdf::read(&certificate.body) else { return };
    // A long digest is wrapped over lines.
    let text: String = content.text.split_whitespace().collect();
    for expected in [
        reference,
        "AcmeInsurance",
        "Waterdamage",
        "Martinel",
        "Acmeclaimsdesk",
        "FieldCompanion",
        "Burstpipe",
        "45.764043",
    ] {
        assert!(text.contains(expected), "{expected} is not in the certificate:\n{}", content.text);
    }
    let attached: Vec<String> = content.json_attachments.iter().map(Value::to_string).collect();
    for file in [&media.photo, &media.video, &media.document] {
        let digest = hex::encode(Sha256::digest(file));
        assert!(text.contains(&digest), "{digest} is not in the certificate:\n{}", content.text);
        assert!(attached.iter().any(|json| json.contains(&digest)), "{digest} is in no attachment: {attached:?}");
    }
}

/// The public addresses of photo and video, as a browser and as a verifier request them.
async fn check_media(public: &Api, media: &Media) {
    let shown = public.get(&media.photo_url).await.expect(200);
    assert_eq!(shown.header("content-type"), Some("image/png"));
    assert!(shown.body.starts_with(b"\x89PNG\r\n\x1a\n"));
    assert_public(&shown);
    let original = send(public.request(Method::GET, &media.photo_url).header("accept", "image/jpeg")).await.expect(200);
    assert_eq!(original.header("content-type"), Some("image/jpeg"));
    assert_eq!(original.body, media.photo);
    let original = public.get(&format!("{}?original=1", media.photo_url)).await.expect(200);
    assert_eq!(original.body, media.photo);

    let film = public.get(&media.video_url).await.expect(200);
    assert_eq!(film.header("content-type"), Some("video/mp4"));
    assert_eq!(film.body, media.video);
    let part = send(public.request(Method::GET, &media.video_url).header("range", "bytes=4-11")).await.expect(206);
    assert_eq!(part.body, media.video[4..12]);
    assert_eq!(part.header("content-range"), Some(format!("bytes 4-11/{}", media.video.len()).as_str()));
}

/// The headers of all public files (decisions 9).
#[track_caller]
fn assert_public(answer: &Answer) {
    assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
    for name in ["content-security-policy", "etag", "cache-control"] {
        assert!(answer.header(name).is_some(), "{name} is missing");
    }
}
