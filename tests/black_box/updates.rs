//! Changing open cases (spec 4.8, decisions 5). The resulting case is read from the webhook of its closing, and the
//! rest from the database.

use jiff::{Timestamp, tz::Offset};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::support::{
    Answer, Api, Receiver, TestServer,
    company_manifest::{
        ACME, ACME_API, ACME_FIELD, ACME_READER, BOREALIS_API, BOREALIS_FRAME, COSMOS_API, COSMOS_FRANCE,
        COSMOS_FRANCE_API, COSMOS_FRANCE_FRAME, COSMOS_OWN_FRAME, COSMOS_SHARED_FRAME, FRAME, SHORT_FRAME, TEXT_FIELD,
        acme, acme_on, borealis, cosmos, cosmos_france, note_step, without_frame, without_user,
    },
    evidence::{add_entry, close, open_case},
    on_both_databases,
    rows::Rows,
};

on_both_databases!(
    spec_4_8_rule_1_only_provided_fields_change,
    spec_4_8_every_field_can_be_changed,
    spec_4_8_rules_2_and_3_null_clears_metadata_and_the_schedule_and_leaves_the_rest,
    spec_4_8_a_wrong_field_is_named_with_its_rule,
    spec_4_8_rule_3_the_schedule_is_this_month_or_later,
    spec_4_8_rule_4_the_case_must_exist_belong_to_the_company_and_be_open,
    decisions_5_the_frame_changes_only_while_the_case_has_no_item,
    decisions_5_a_user_or_report_token_must_belong_to_the_company,
    decisions_5_a_case_assigned_to_a_user_leaves_its_link,
    decisions_5_races_with_an_update_are_decided_in_the_database,
    decisions_5_no_item_is_added_to_a_step_of_a_former_frame,
);

/// Every column that an update can change, as text unless it is a number.
type Columns = (i64, String, Option<String>, Option<String>, Option<String>, Option<String>, Option<i64>);

async fn spec_4_8_rule_1_only_provided_fields_change(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    let case = open_case(&api, &complete()).await;
    let before = columns(&server, case).await;
    let answer = update(&api, json!({ "caseId": case })).await.expect(200);
    assert_eq!(answer.json(), json!({ "success": true }));
    assert_eq!(columns(&server, case).await, before);
    // Unknown fields are ignored, and so are fields that apply to creations only.
    let unknown = json!({ "caseId": case, "userMail": "field@acme.example", "closed": true, "x": [], "id": 1 });
    update(&api, unknown).await.expect(200);
    assert_eq!(columns(&server, case).await, before);

    update(&api, json!({ "caseId": case, "title": "Another" })).await.expect(200);
    let expected = (before.0, "Another".to_owned(), before.2, before.3, before.4, before.5, before.6);
    assert_eq!(columns(&server, case).await, expected);
    // The visible data is one field, replaced as a whole. The metadata is another.
    let context = json!({ "visibleData": { "issuer": "Another desk" } });
    update(&api, json!({ "caseId": case, "caseContext": context })).await.expect(200);
    let payload = payload_after_closing(&api, &receiver, case).await;
    assert_eq!(payload["context"], json!({ "emetteur": "Another desk" }));
    assert_eq!(payload["metadata"], json!({ "z": "1", "a": "2" }));
    assert_eq!(payload["reportId"], "claim-1");
}

async fn spec_4_8_every_field_can_be_changed(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    let case = open_case(&api, &complete()).await;
    let (longest, given) = ("é".repeat(255), json!({ "which": "top", "\u{202e}": "🏠" }));
    let body = json!({
        "caseId": case,
        "title": longest,
        "frameId": FRAME,
        "userId": ACME_API.user_id,
        "reportToken": "claim-2",
        "caseContext": {
            "visibleData": { "beneficiary": { "lastName": "Okafor", "city": "Brumeval" }, "user": "Ines" },
            "metadata": { "which": "nested" },
        },
        "metadata": given,
        "scheduledAt": "2999-12-31",
    });
    update(&api, body).await.expect(200);
    let (frame, title, user, report, _, metadata, scheduled_at) = columns(&server, case).await;
    assert_eq!((frame, title, user.as_deref()), (FRAME, longest, Some(ACME_API.user_id)));
    assert_eq!(report.as_deref(), Some("claim-2"));
    // Compared as text, because the order of the keys is the client's too.
    assert_eq!(metadata.as_deref(), Some(given.to_string().as_str()));
    let midnight: Timestamp = "2999-12-30T22:00:00Z".parse().unwrap();
    assert_eq!(scheduled_at, Some(midnight.as_millisecond()));

    add_entry(&api, case, TEXT_FIELD, "a step of the new frame").await.expect(201);
    let payload = payload_after_closing(&api, &receiver, case).await;
    assert_eq!((&payload["frame"], &payload["reportId"]), (&json!("Water damage"), &json!("claim-2")));
    assert_eq!(payload["context"], json!({ "beneficiaire": { "nom": "Okafor", "ville": "Brumeval" }, "user": "Ines" }));
    assert_eq!(payload["metadata"].to_string(), given.to_string());

    // The nested form of the metadata only.
    let case = open_case(&api, &complete()).await;
    let nested = json!({ "caseId": case, "caseContext": { "metadata": { "which": "nested" } } });
    update(&api, nested).await.expect(200);
    let payload = payload_after_closing(&api, &receiver, case).await;
    assert_eq!(payload["metadata"], json!({ "which": "nested" }));
    assert_eq!(payload["context"]["emetteur"], "Claims desk");
}

async fn spec_4_8_rules_2_and_3_null_clears_metadata_and_the_schedule_and_leaves_the_rest(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    for clearing in [json!({ "metadata": null }), json!({ "caseContext": { "metadata": null } })] {
        let case = open_case(&api, &complete()).await;
        let before = columns(&server, case).await;
        let mut body = clearing;
        body["caseId"] = json!(case);
        update(&api, body).await.expect(200);
        let expected = (before.0, before.1, before.2, before.3, before.4, None, before.6);
        assert_eq!(columns(&server, case).await, expected);
        assert_eq!(payload_after_closing(&api, &receiver, case).await.get("metadata"), None);
    }
    let case = open_case(&api, &complete()).await;
    let before = columns(&server, case).await;
    let nulls = json!({
        "caseId": case, "title": null, "frameId": null, "userId": null, "reportToken": null, "caseContext": null,
    });
    update(&api, nulls).await.expect(200);
    assert_eq!(columns(&server, case).await, before);
    update(&api, json!({ "caseId": case, "scheduledAt": null })).await.expect(200);
    let expected = (before.0, before.1, before.2, before.3, before.4, before.5, None);
    assert_eq!(columns(&server, case).await, expected);
    // An empty object is a value and does not clear the field (decisions 5).
    update(&api, json!({ "caseId": case, "metadata": {} })).await.expect(200);
    assert_eq!(payload_after_closing(&api, &receiver, case).await["metadata"], json!({}));
}

async fn spec_4_8_a_wrong_field_is_named_with_its_rule(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let case = open_case(&api, &complete()).await;
    let before = columns(&server, case).await;
    let keys = |count: usize| Value::Object((0..count).map(|n| (n.to_string(), json!("v"))).collect());
    let wrong = [
        (json!({}), "caseId is required"),
        (json!({ "caseId": null, "title": "x" }), "caseId is required"),
        (json!({ "caseId": case.to_string() }), "caseId must be a positive whole number"),
        (json!({ "caseId": 0 }), "caseId must be a positive whole number"),
        (json!({ "caseId": case, "title": "x".repeat(256) }), "title must be text of at most 255 characters"),
        (json!({ "caseId": case, "title": 7 }), "title must be text"),
        (json!({ "caseId": case, "frameId": "70" }), "frameId must be a positive whole number"),
        (json!({ "caseId": case, "userId": "" }), "userId must be text"),
        (json!({ "caseId": case, "reportToken": "a/b" }), "reportToken must be text"),
        (json!({ "caseId": case, "reportToken": "" }), "reportToken must be text"),
        (json!({ "caseId": case, "caseContext": 5 }), "caseContext must be a JSON object"),
        (json!({ "caseId": case, "caseContext": { "visibleData": { "user": 5 } } }), "caseContext.visibleData.user"),
        (json!({ "caseId": case, "caseContext": { "metadata": { "a": 1 } } }), "caseContext.metadata: the value of"),
        (json!({ "caseId": case, "metadata": keys(21) }), "metadata must have at most 20 keys"),
        (json!({ "caseId": case, "metadata": { "k".repeat(41): "v" } }), "metadata: a key must be at most 40"),
        (json!({ "caseId": case, "metadata": { "k": "v".repeat(501) } }), "must be at most 500 characters"),
        (json!({ "caseId": case, "metadata": "none" }), "metadata must be a JSON object"),
        (json!({ "caseId": case, "scheduledAt": 5 }), "scheduledAt must be text"),
    ];
    for (body, expected) in wrong {
        let message = update(&api, body.clone()).await.expect(400).error_message();
        assert!(message.contains(expected), "{body}\n expected: {expected}\n got: {message}");
    }
    let message = update(&api, json!({ "title": 7, "frameId": 0, "metadata": [] })).await.expect(400).error_message();
    for field in ["caseId", "title", "frameId", "metadata"] {
        assert!(message.contains(field), "{field}: {message}");
    }
    // A valid field next to an invalid one changes nothing.
    update(&api, json!({ "caseId": case, "title": "half", "metadata": 1 })).await.expect(400);
    for body in [json!([]), json!(null), json!("caseId")] {
        update(&api, body).await.expect(400).error_message();
    }
    assert_eq!(columns(&server, case).await, before);
}

async fn spec_4_8_rule_3_the_schedule_is_this_month_or_later(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let created = api.post("/cases/create", &json!({ "frameId": SHORT_FRAME })).await.expect(201).json();
    let case = created["id"].as_i64().unwrap();
    // The server's own clock, so that both mean the same month.
    let now: Timestamp = created["createdAt"].as_str().unwrap().parse().expect("a time");
    let first = Offset::constant(2).to_datetime(now).date().first_of_month();
    let day_before = first.yesterday().expect("a valid day");
    for good in [first.to_string(), first.last_of_month().to_string(), "2999-01-01T00:00:00.000+0530".to_owned()] {
        update(&api, json!({ "caseId": case, "scheduledAt": good })).await.expect(200);
        assert!(columns(&server, case).await.6.is_some());
    }
    let before = columns(&server, case).await;
    for (bad, reason) in [
        (day_before.to_string().as_str(), "case.scheduledAt.mustBeCurrentOrFutureMonth"),
        ("1999-12-31T00:00:00Z", "case.scheduledAt.mustBeCurrentOrFutureMonth"),
        ("next month", "case.scheduledAt.invalid"),
        ("2999-01-01T00:00:00", "case.scheduledAt.invalid"),
        ("2999-02-30", "case.scheduledAt.invalid"),
        ("", "case.scheduledAt.invalid"),
    ] {
        let message = update(&api, json!({ "caseId": case, "scheduledAt": bad })).await.expect(400).error_message();
        assert_eq!(message, reason, "{bad}");
    }
    assert_eq!(columns(&server, case).await, before);
}

async fn spec_4_8_rule_4_the_case_must_exist_belong_to_the_company_and_be_open(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    server.must_apply(&borealis());
    let stranger = server.sign_in(BOREALIS_API.username, BOREALIS_API.password).await;
    let reader = server.sign_in(ACME_READER.username, ACME_READER.password).await;
    let case = open_case(&api, &complete()).await;
    let before = columns(&server, case).await;
    let body = json!({ "caseId": case, "title": "mine" });
    update(&stranger, body.clone()).await.expect(403).error_message();
    let message = update(&reader, body.clone()).await.expect(403).error_message();
    assert!(message.contains("p_api:case:update"), "{message}");
    update(&api.with_token(None), body.clone()).await.expect(401).error_message();
    // The right is checked before the shape, and the shape before the case (decisions 2).
    update(&reader, json!([])).await.expect(403).error_message();
    update(&stranger, json!({ "caseId": case, "title": 5 })).await.expect(400).error_message();
    for unknown in [case + 1, i64::MAX] {
        update(&api, json!({ "caseId": unknown, "title": "x" })).await.expect(404).error_message();
        update(&api, json!({ "caseId": unknown })).await.expect(404).error_message();
    }
    assert_eq!(columns(&server, case).await, before);

    close(&api, case).await.expect(200);
    for body in [body.clone(), json!({ "caseId": case }), json!({ "caseId": case, "metadata": null })] {
        assert_eq!(update(&api, body).await.expect(400).error_message(), "case already closed");
    }
    update(&stranger, body).await.expect(403).error_message();
    assert_eq!(columns(&server, case).await, before);
    receiver.wait_for_case(&format!("CAS-{case}_CMP-{ACME}")).await;
}

async fn decisions_5_the_frame_changes_only_while_the_case_has_no_item(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    server.must_apply(&borealis());
    let case = open_case(&api, &json!({ "frameId": SHORT_FRAME })).await;
    for stranger in [BOREALIS_FRAME, 999_999, i64::MAX] {
        update(&api, json!({ "caseId": case, "frameId": stranger })).await.expect(404).error_message();
    }
    update(&api, json!({ "caseId": case, "frameId": FRAME })).await.expect(200);
    add_entry(&api, case, note_step(SHORT_FRAME), "a step of the frame it was on").await.expect(404).error_message();
    add_entry(&api, case, TEXT_FIELD, "Martinel").await.expect(201);
    let message =
        update(&api, json!({ "caseId": case, "frameId": SHORT_FRAME, "title": "x" })).await.expect(400).error_message();
    assert!(message.contains("frameId") && message.contains("item"), "{message}");
    let (frame, title, ..) = columns(&server, case).await;
    // The title stays as given, even if it was the first frame's name.
    assert_eq!((frame, title.as_str()), (FRAME, "Quick note"));
    // Setting the current frame is not a change, even after the operator has withdrawn it.
    update(&api, json!({ "caseId": case, "frameId": FRAME })).await.expect(200);
    let other = open_case(&api, &json!({ "frameId": SHORT_FRAME })).await;
    server.must_apply(&without_frame(&acme(&receiver), FRAME));
    update(&api, json!({ "caseId": case, "frameId": FRAME })).await.expect(200);
    update(&api, json!({ "caseId": other, "frameId": FRAME })).await.expect(404).error_message();
}

async fn decisions_5_a_user_or_report_token_must_belong_to_the_company(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    server.must_apply(&borealis());
    server.must_apply_all(&[cosmos(), cosmos_france()]);
    let stranger = server.sign_in(BOREALIS_API.username, BOREALIS_API.password).await;
    let child = server.sign_in(COSMOS_FRANCE_API.username, COSMOS_FRANCE_API.password).await;
    let parent = server.sign_in(COSMOS_API.username, COSMOS_API.password).await;
    let case = open_case(&api, &complete()).await;
    let before = columns(&server, case).await;
    for unknown in ["usr-nobody", BOREALIS_API.user_id, COSMOS_API.user_id, "%"] {
        let message = update(&api, json!({ "caseId": case, "userId": unknown })).await.expect(400).error_message();
        assert!(message.contains("userId"), "{unknown}: {message}");
    }
    server.must_apply(&without_user(&acme(&receiver), ACME_FIELD.user_id));
    update(&api, json!({ "caseId": case, "userId": ACME_FIELD.user_id })).await.expect(400).error_message();

    let foreign = open_case(&stranger, &json!({ "frameId": BOREALIS_FRAME, "reportToken": "theirs" })).await;
    update(&api, json!({ "caseId": case, "reportToken": "theirs", "title": "x" })).await.expect(403).error_message();
    update(&stranger, json!({ "caseId": foreign, "reportToken": "claim-1" })).await.expect(403).error_message();
    assert_eq!(columns(&server, case).await, before);
    update(&api, json!({ "caseId": case, "reportToken": "new" })).await.expect(200);
    update(&stranger, json!({ "caseId": foreign, "reportToken": "new" })).await.expect(403).error_message();

    // Parent and child are one family, but only the parent shares its frames.
    let of_parent = open_case(&parent, &json!({ "frameId": COSMOS_OWN_FRAME, "reportToken": "family" })).await;
    let of_child = open_case(&child, &json!({ "frameId": COSMOS_FRANCE_FRAME })).await;
    update(&child, json!({ "caseId": of_child, "reportToken": "family" })).await.expect(200);
    update(&child, json!({ "caseId": of_child, "frameId": COSMOS_OWN_FRAME })).await.expect(404).error_message();
    update(&child, json!({ "caseId": of_child, "frameId": COSMOS_SHARED_FRAME })).await.expect(200);
    update(&parent, json!({ "caseId": of_parent, "frameId": COSMOS_FRANCE_FRAME })).await.expect(404).error_message();
    update(&parent, json!({ "caseId": of_child, "title": "x" })).await.expect(403).error_message();
    update(&child, json!({ "caseId": of_parent, "title": "x" })).await.expect(403).error_message();
    let on_link = json!({
        "frameId": COSMOS_SHARED_FRAME, "childCompanyId": COSMOS_FRANCE, "linkOptions": { "reportToken": "family" },
    });
    let on_link = open_case(&parent, &on_link).await;
    update(&parent, json!({ "caseId": on_link, "title": "x" })).await.expect(403).error_message();
    update(&child, json!({ "caseId": on_link, "userId": COSMOS_API.user_id })).await.expect(400).error_message();
    update(&child, json!({ "caseId": on_link, "title": "x" })).await.expect(200);
}

async fn decisions_5_a_case_assigned_to_a_user_leaves_its_link(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let body = json!({ "frameId": SHORT_FRAME, "linkOptions": { "reportToken": "R" } });
    let created = api.post("/cases/create", &body).await.expect(201).json();
    let (case, url) = (&created["id"], created["magicLinkUrl"].as_str().unwrap());
    let by_link = format!("/cases/close/link/{}", url.rsplit('/').next().unwrap());
    // Other updates leave it there.
    update(&api, json!({ "caseId": case, "title": "x", "userId": null })).await.expect(200);
    let second = json!({ "frameId": SHORT_FRAME, "magicLinkToken": url.rsplit('/').next() });
    let second = open_case(&api, &second).await;
    api.get(&by_link).await.expect(400).error_message();
    update(&api, json!({ "caseId": case, "userId": ACME_FIELD.user_id })).await.expect(200);
    assert_eq!(api.get(&by_link).await.expect(200).json()["caseId"], second);
    let (_, _, user, report, ..) = columns(&server, case.as_i64().unwrap()).await;
    assert_eq!((user.as_deref(), report.as_deref()), (Some(ACME_FIELD.user_id), Some("R")));
    close(&api, case.as_i64().unwrap()).await.expect(200);
}

async fn decisions_5_races_with_an_update_are_decided_in_the_database(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    let mut refused = 0;
    for round in 0..12 {
        let case = open_case(&api, &json!({ "frameId": SHORT_FRAME, "title": "before" })).await;
        let mut racing = JoinSet::new();
        for n in 0..8 {
            let api = api.clone();
            let frame = if n % 2 == 0 { FRAME } else { SHORT_FRAME };
            let body = json!({ "caseId": case, "frameId": frame, "title": format!("round {round}") });
            racing.spawn(async move { update(&api, body).await });
        }
        close(&api, case).await.expect(200);
        let answers = racing.join_all().await;
        for answer in &answers {
            if answer.status != 200 {
                assert_eq!(answer.clone().expect(400).error_message(), "case already closed");
                refused += 1;
            }
        }
        // The closed case is the sealed case: the frame of the row is the frame that was frozen.
        let payload = receiver.wait_for_case(&format!("CAS-{case}_CMP-{ACME}")).await;
        let (frame, title, ..) = columns(&server, case).await;
        assert_eq!(payload["frame"], if frame == FRAME { "Water damage" } else { "Quick note" });
        let changed = answers.iter().any(|answer| answer.status == 200);
        assert_eq!(title, if changed { format!("round {round}") } else { "before".to_owned() });
    }
    println!("{refused} updates came too late");
}

async fn decisions_5_no_item_is_added_to_a_step_of_a_former_frame(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    for _ in 0..12 {
        let case = open_case(&api, &json!({ "frameId": SHORT_FRAME })).await;
        let mut racing = JoinSet::new();
        for n in 0..6 {
            let api = api.clone();
            racing.spawn(async move {
                if n % 3 == 0 {
                    let answer = update(&api, json!({ "caseId": case, "frameId": FRAME })).await;
                    assert!([200, 400].contains(&answer.status.as_u16()), "{}", answer.text());
                } else {
                    let answer = add_entry(&api, case, note_step(SHORT_FRAME), "note").await;
                    assert!([201, 404].contains(&answer.status.as_u16()), "{}", answer.text());
                }
            });
        }
        racing.join_all().await;
    }
    let sql = "select i.id, c.frame_id, i.step_id from items i join cases c on c.id = i.case_id
               where not exists (select 1 from steps s where s.frame_id = c.frame_id and s.id = i.step_id)";
    let strays: Vec<(i64, i64, i64)> = Rows::of(&server).await.all(sql).await;
    assert!(strays.is_empty(), "item, frame of its case, step: {strays:?}");
}

/// A creation with every field that an update can change.
fn complete() -> Value {
    json!({
        "frameId": SHORT_FRAME,
        "title": "Before",
        "userId": ACME_FIELD.user_id,
        "reportToken": "claim-1",
        "caseContext": { "visibleData": { "beneficiary": { "lastName": "Martinel" }, "issuer": "Claims desk" } },
        "metadata": { "z": "1", "a": "2" },
        "scheduledAt": "2999-01-31",
    })
}

async fn update(api: &Api, body: Value) -> Answer {
    api.patch("/cases/update", &body).await
}

async fn columns(server: &TestServer, case: i64) -> Columns {
    type Row = (i64, i64, String, Option<String>, Option<String>, Option<String>, Option<String>, Option<i64>);
    let sql = "select id, frame_id, title, user_id, report_token, context, metadata, scheduled_at from cases";
    let rows: Vec<Row> = Rows::of(server).await.all(sql).await;
    let (_, frame, title, user, report, context, metadata, scheduled_at) =
        rows.into_iter().find(|row| row.0 == case).expect("the case is there");
    (frame, title, user, report, context, metadata, scheduled_at)
}

/// Closes a case of Acme's and returns the payload of its webhook.
async fn payload_after_closing(api: &Api, receiver: &Receiver, case: i64) -> Value {
    close(api, case).await.expect(200);
    receiver.wait_for_case(&format!("CAS-{case}_CMP-{ACME}")).await
}
