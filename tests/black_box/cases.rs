//! Opening cases: the fields of spec 2.2 and the rules of spec 4.4 and decisions 5. The resulting case is read from the
//! webhook of its closing.

use jiff::{SignedDuration, Timestamp, tz::Offset};
use serde_json::{Value, json};

use crate::support::{
    Api, Receiver, TestServer,
    company_manifest::{ACME, ACME_FIELD, BOREALIS_API, BOREALIS_FRAME, FRAME, SHORT_FRAME, acme_on, borealis},
    evidence::{close, open_case},
    on_both_databases,
};

on_both_databases!(
    spec_2_2_a_created_case_is_answered_with_its_fields,
    spec_2_2_every_field_reaches_the_webhook_as_it_was_given,
    spec_4_4_a_wrong_field_is_named_with_its_rule,
    spec_4_4_rule_1_attachments_exclude_each_other_and_name_a_user_of_the_company,
    spec_4_4_rule_4_metadata_is_text_within_its_limits_and_kept_as_given,
    spec_4_4_rule_6_the_frame_must_be_open_to_the_company,
    decisions_5_a_report_token_is_checked_and_belongs_to_one_family,
    decisions_5_a_case_is_scheduled_for_this_month_or_later_at_utc_plus_2,
);

async fn spec_2_2_a_created_case_is_answered_with_its_fields(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let created = api.post("/cases/create", &json!({ "frameId": SHORT_FRAME })).await.expect(201);
    assert_eq!(created.header("content-type"), Some("application/json"));
    let created = created.json();
    let id = created["id"].as_i64().expect("id is a number");
    assert_is_time(&created["createdAt"]);
    let expected = json!({
        "id": id,
        "cfRef": format!("CAS-{id}_CMP-{ACME}"),
        "frameId": SHORT_FRAME,
        "title": "Quick note",
        "createdAt": created["createdAt"],
        "closed": false,
    });
    assert_eq!(created, expected);

    let another = open_case(&api, &json!({ "frameId": SHORT_FRAME })).await;
    assert!(another > id, "identifiers are never reused: {another} after {id}");
    let longest = "é".repeat(255);
    let titled = api.post("/cases/create", &json!({ "frameId": SHORT_FRAME, "title": longest })).await.expect(201);
    assert_eq!(titled.json()["title"], longest);
    // The media type of the body is not checked, and unknown fields are ignored.
    let body = r#"{"frameId": 71, "options": {"deep": [null]}, "title": null}"#;
    api.post_raw("/cases/create", "text/plain", body).await.expect(201);
}

async fn spec_2_2_every_field_reaches_the_webhook_as_it_was_given(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    let body = json!({
        "frameId": SHORT_FRAME,
        "title": "Ceiling \u{202e} \"quoted\" 🏠",
        "userId": ACME_FIELD.user_id,
        "reportToken": "claim é 42",
        "caseContext": {
            "visibleData": {
                "beneficiary": {
                    "lastName": "Martinel", "firstName": "Noor", "address": "3 quai des Brumes", "city": "Valmerle",
                    "postCode": "69001", "email": "noor@mail.example",
                },
                "issuer": "Claims desk", "photoRef": "P-1", "reportRef": "R-1", "instructions": "Ring twice",
                "user": "Flora",
            },
            "metadata": { "nested": "yes" },
        },
        "scheduledAt": "2999-01-31",
    });
    let created = api.post("/cases/create", &body).await.expect(201).json();
    let payload = payload_after_closing(&api, &receiver, created["id"].as_i64().unwrap()).await;
    let expected = json!({
        "cfRef": created["cfRef"],
        "createdAt": created["createdAt"],
        "reportId": "claim é 42",
        "frame": "Quick note",
        "closed": true,
        "caseUrl": payload["caseUrl"],
        "items": [],
        // Under its internal keys, the beneficiary's e-mail left out (spec 6.1, decisions 5).
        "context": {
            "beneficiaire": {
                "nom": "Martinel", "prenom": "Noor", "adresse": "3 quai des Brumes", "cp": "69001", "ville": "Valmerle",
            },
            "emetteur": "Claims desk", "photoRef": "P-1", "reportRef": "R-1", "instructions": "Ring twice",
            "user": "Flora",
        },
        "metadata": { "nested": "yes" },
    });
    assert_eq!(payload, expected);
    assert!(payload["caseUrl"].as_str().unwrap().starts_with(&format!("{}/share/case/", server.base_url())));

    // Missing values are absent, not null (decisions 2).
    let bare = open_case(&api, &json!({ "frameId": SHORT_FRAME, "caseContext": null })).await;
    let payload = payload_after_closing(&api, &receiver, bare).await;
    for absent in ["reportId", "context", "metadata"] {
        assert_eq!(payload.get(absent), None, "{payload}");
    }
}

async fn spec_4_4_a_wrong_field_is_named_with_its_rule(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let wrong = [
        (json!({}), "frameId is required"),
        (json!({ "frameId": null }), "frameId is required"),
        (json!({ "frameId": "70" }), "frameId must be a positive whole number"),
        (json!({ "frameId": 70.5 }), "frameId must be a positive whole number"),
        (json!({ "frameId": 0 }), "frameId must be a positive whole number"),
        (json!({ "frameId": -70 }), "frameId must be a positive whole number"),
        (json!({ "frameId": [70] }), "frameId must be a positive whole number"),
        (json!({ "frameId": u64::MAX }), "frameId must be a positive whole number"),
        (json!({ "frameId": FRAME, "title": 1 }), "title must be text"),
        (json!({ "frameId": FRAME, "title": "x".repeat(256) }), "title must be text of at most 255 characters"),
        (json!({ "frameId": FRAME, "title": "a\u{0}b" }), "title must be text without"),
        (json!({ "frameId": FRAME, "userId": 5 }), "userId must be text"),
        (json!({ "frameId": FRAME, "userId": "" }), "userId must be text"),
        (json!({ "frameId": FRAME, "userMail": {} }), "userMail must be text"),
        (json!({ "frameId": FRAME, "userMail": "\u{0}@acme.example" }), "userMail must be text without"),
        (json!({ "frameId": FRAME, "magicLinkToken": "not-a-uuid" }), "magicLinkToken must be a UUID v4"),
        (json!({ "frameId": FRAME, "childCompanyId": "8" }), "childCompanyId must be a positive whole number"),
        (json!({ "frameId": FRAME, "linkOptions": "yes" }), "linkOptions must be a JSON object"),
        (json!({ "frameId": FRAME, "reportToken": 42 }), "reportToken must be text"),
        (json!({ "frameId": FRAME, "scheduledAt": 1_795_168_800 }), "scheduledAt must be text"),
        (json!({ "frameId": FRAME, "metadata": [] }), "metadata must be a JSON object"),
        (json!({ "frameId": FRAME, "caseContext": [] }), "caseContext must be a JSON object"),
        (json!({ "frameId": FRAME, "caseContext": { "visibleData": 1 } }), "caseContext.visibleData must be a JSON"),
        (
            json!({ "frameId": FRAME, "caseContext": { "visibleData": { "beneficiary": { "city": 5 } } } }),
            "caseContext.visibleData.beneficiary.city must be text",
        ),
        (
            json!({ "frameId": FRAME, "caseContext": { "visibleData": { "issuer": false } } }),
            "caseContext.visibleData.issuer must be text",
        ),
        (
            json!({ "frameId": FRAME, "caseContext": { "metadata": { "a": 1 } } }),
            "caseContext.metadata: the value of \"a\" must be text",
        ),
    ];
    for (body, expected) in wrong {
        let message = refusal(&api, &body).await;
        assert!(message.contains(expected), "{body}\n expected: {expected}\n got: {message}");
    }
    // Every problem is reported at once, and hostile text in the message stays on one line.
    let message = refusal(&api, &json!({ "title": 7, "reportToken": "a\nb", "userMail": [] })).await;
    for field in ["frameId", "title", "reportToken", "userMail"] {
        assert!(message.contains(field), "{field}: {message}");
    }
    for body in ["", "{", "null", "[]", "\"frameId\"", "frameId=70", "{\"frameId\": 70,}", "{\"frameId\": 70}x"] {
        api.post_raw("/cases/create", "application/json", body).await.expect(400).error_message();
    }
    let too_long = format!("{{\"frameId\": 70, \"title\": \"{}\"}}", "x".repeat(1024 * 1024));
    let message = api.post_raw("/cases/create", "application/json", too_long).await.expect(400).error_message();
    assert!(message.contains("1048576 bytes"), "{message}");
}

async fn spec_4_4_rule_1_attachments_exclude_each_other_and_name_a_user_of_the_company(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    server.must_apply(&borealis());
    let attachments = [
        json!({ "userId": ACME_FIELD.user_id }),
        json!({ "userMail": "field@acme.example" }),
        json!({ "magicLinkToken": "6d4f2f6a-0b6e-4f6e-8b1a-0d5a5a5a5a5a" }),
        json!({ "linkOptions": { "reportToken": "R" } }),
    ];
    for (position, one) in attachments.iter().enumerate() {
        for other in &attachments[position + 1..] {
            let message = refusal(&api, &on_frame(SHORT_FRAME, &[one, other])).await;
            for field in one.as_object().unwrap().keys().chain(other.as_object().unwrap().keys()) {
                assert!(message.contains(field), "{field} is not named: {message}");
            }
        }
    }
    refusal(&api, &on_frame(SHORT_FRAME, &attachments.each_ref())).await;
    // A null is not an attachment.
    let body = json!({ "frameId": SHORT_FRAME, "userId": ACME_FIELD.user_id, "userMail": null, "linkOptions": null });
    open_case(&api, &body).await;
    open_case(&api, &on_frame(SHORT_FRAME, &[&attachments[1]])).await;
    for (field, stranger) in [
        ("userId", "usr-nobody"),
        ("userId", BOREALIS_API.user_id),
        ("userMail", "nobody@acme.example"),
        ("userMail", "borealis-api@mail.example"),
        // Never logged in (spec 2.2).
        ("userMail", "new@acme.example"),
        ("userMail", "%@acme.example"),
    ] {
        let message = refusal(&api, &json!({ "frameId": SHORT_FRAME, field: stranger })).await;
        assert!(message.contains(field), "{stranger}: {message}");
    }
}

async fn spec_4_4_rule_4_metadata_is_text_within_its_limits_and_kept_as_given(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    let pairs = |count: usize, key: usize, value: usize| {
        let pairs = (0..count).map(|n| (format!("{n:é>key$}"), Value::String("🏠".repeat(value))));
        Value::Object(pairs.collect())
    };
    let good = [pairs(20, 40, 500), json!({}), json!({ "": "" }), json!({ "z": "1", "a": "\u{0}", "__proto__": "3" })];
    for metadata in good {
        let case = open_case(&api, &json!({ "frameId": SHORT_FRAME, "metadata": metadata })).await;
        let payload = payload_after_closing(&api, &receiver, case).await;
        // Compared as text, because the order of the keys is the client's too.
        assert_eq!(payload["metadata"].to_string(), metadata.to_string());
    }
    let bad = [
        pairs(21, 2, 1),
        pairs(1, 41, 1),
        pairs(1, 1, 501),
        json!({ "a": 1 }),
        json!({ "a": null }),
        json!({ "a": true }),
        json!({ "a": ["b"] }),
        json!({ "a": { "b": "c" } }),
    ];
    for metadata in bad {
        let message = refusal(&api, &json!({ "frameId": SHORT_FRAME, "metadata": metadata })).await;
        assert!(message.starts_with("metadata"), "{message}");
        let nested = json!({ "frameId": SHORT_FRAME, "caseContext": { "metadata": metadata } });
        let message = refusal(&api, &nested).await;
        assert!(message.starts_with("caseContext.metadata"), "{message}");
    }
    let both = json!({
        "frameId": SHORT_FRAME,
        "metadata": { "which": "top" },
        "caseContext": { "metadata": { "which": "nested" } },
    });
    let case = open_case(&api, &both).await;
    let payload = payload_after_closing(&api, &receiver, case).await;
    assert_eq!(payload["metadata"], json!({ "which": "top" }));
}

async fn spec_4_4_rule_6_the_frame_must_be_open_to_the_company(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    server.must_apply(&borealis());
    // The message does not show whether another company has a frame of that number.
    let messages = [BOREALIS_FRAME, 999_999, i64::MAX].map(|frame| (frame, format!("{frame}")));
    for (frame, number) in messages {
        let answer = api.post("/cases/create", &json!({ "frameId": frame })).await.expect(404);
        let message = answer.error_message().replace(&number, "N");
        assert_eq!(message, "frame N does not exist or is not shared with the company");
    }
}

async fn decisions_5_a_report_token_is_checked_and_belongs_to_one_family(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    server.must_apply(&borealis());
    let stranger = server.sign_in(BOREALIS_API.username, BOREALIS_API.password).await;
    for bad in ["", "a/b", "a\\b", "a\nb", "\u{0}", "a\u{7f}", "a\u{9f}b", &"x".repeat(256)] {
        let message = refusal(&api, &json!({ "frameId": SHORT_FRAME, "reportToken": bad })).await;
        assert!(message.contains("reportToken"), "{message}");
    }
    let longest = "é".repeat(255);
    for good in ["R", "..", "%2F", "claim 2026 é 🏠", &longest] {
        let case = open_case(&api, &json!({ "frameId": SHORT_FRAME, "reportToken": good })).await;
        let payload = payload_after_closing(&api, &receiver, case).await;
        assert_eq!(payload["reportId"], good);
        // The same company may use it again. A stranger may not, however it passes the token.
        open_case(&api, &json!({ "frameId": SHORT_FRAME, "reportToken": good })).await;
        for body in [
            json!({ "frameId": BOREALIS_FRAME, "reportToken": good }),
            json!({ "frameId": BOREALIS_FRAME, "linkOptions": { "reportToken": good } }),
        ] {
            stranger.post("/cases/create", &body).await.expect(403).error_message();
        }
    }
    // A refused request leaves no claim behind.
    refusal(&stranger, &json!({ "frameId": BOREALIS_FRAME, "reportToken": "free", "userId": "usr-nobody" })).await;
    open_case(&api, &json!({ "frameId": SHORT_FRAME, "reportToken": "free" })).await;
}

async fn decisions_5_a_case_is_scheduled_for_this_month_or_later_at_utc_plus_2(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let created = api.post("/cases/create", &json!({ "frameId": SHORT_FRAME })).await.expect(201).json();
    // The server's own clock, so that both mean the same month.
    let now: Timestamp = created["createdAt"].as_str().unwrap().parse().expect("a time");
    let first = Offset::constant(2).to_datetime(now).date().first_of_month();
    let month_start = Offset::constant(2).to_timestamp(first.at(0, 0, 0, 0)).expect("a valid month");
    let month_before = month_start - SignedDuration::from_millis(1);
    let accepted = [
        first.to_string(),
        format!("{first}T00:00:00+02:00"),
        format!("{first}T00:00:00.000+0200"),
        month_start.to_string(),
        now.to_string(),
        first.last_of_month().to_string(),
        "2999-12-31T23:59:59.999-11:00".to_owned(),
    ];
    for scheduled_at in accepted {
        let body = json!({ "frameId": SHORT_FRAME, "scheduledAt": scheduled_at });
        let answer = api.post("/cases/create", &body).await;
        assert_eq!(answer.status, 201, "{scheduled_at}: {}", answer.text());
    }
    let past = [
        first.yesterday().expect("a valid day").to_string(),
        month_before.to_string(),
        "1970-01-01".to_owned(),
        "0001-01-01T00:00:00Z".to_owned(),
    ];
    for scheduled_at in past {
        let message = refusal(&api, &json!({ "frameId": SHORT_FRAME, "scheduledAt": scheduled_at })).await;
        assert!(message.contains("scheduledAt"), "{scheduled_at}: {message}");
        assert!(message.contains("mustBeCurrentOrFutureMonth"), "{scheduled_at}: {message}");
    }
    for malformed in ["", "soon", "2999-13-01", "2999-02-30", "2999-01-31T10:00:00", "31/01/2999", "2999-1-1"] {
        let message = refusal(&api, &json!({ "frameId": SHORT_FRAME, "scheduledAt": malformed })).await;
        assert!(message.contains("scheduledAt.invalid"), "{malformed}: {message}");
    }
}

/// A creation on `frame` with the fields of `parts`.
fn on_frame(frame: i64, parts: &[&Value]) -> Value {
    let mut body = json!({ "frameId": frame });
    for part in parts {
        body.as_object_mut().unwrap().extend(part.as_object().unwrap().clone());
    }
    body
}

/// The message of a creation that is answered with 400.
async fn refusal(api: &Api, body: &Value) -> String {
    let answer = api.post("/cases/create", body).await;
    assert_eq!(answer.status, 400, "{body}: {}", answer.text());
    answer.error_message()
}

/// Closes a case of Acme's and returns the payload of its webhook.
async fn payload_after_closing(api: &Api, receiver: &Receiver, case: i64) -> Value {
    close(api, case).await.expect(200);
    receiver.wait_for_case(&format!("CAS-{case}_CMP-{ACME}")).await
}

/// RFC 3339 in UTC with milliseconds (decisions 2).
#[track_caller]
fn assert_is_time(value: &Value) {
    let text = value.as_str().expect("a time is text");
    let shape: String = text.chars().map(|letter| if letter.is_ascii_digit() { '9' } else { letter }).collect();
    assert_eq!(shape, "9999-99-99T99:99:99.999Z", "{text}");
}
