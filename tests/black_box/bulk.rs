//! Many cases in one request (spec 4.5, 4.9 and 4.11, decisions 5): each element is processed independently, or none if
//! the request has the wrong shape.

use serde_json::{Value, json};

use crate::support::{
    AMPLE, TestServer,
    client::send,
    company_manifest::{
        ACME, ACME_API, ACME_FIELD, BOREALIS_API, BOREALIS_FRAME, Credentials, FRAME, SHORT_FRAME, TEXT_FIELD, acme,
        acme_on, api_user, borealis,
    },
    eventually,
    evidence::{add_entry, close, open_case},
    on_both_databases,
    rows::Rows,
};

on_both_databases!(
    spec_4_5_each_element_of_a_bulk_creation_is_processed_independently,
    spec_4_5_rule_2_identical_elements_are_two_cases,
    decisions_5_elements_of_a_bulk_creation_share_the_uses_of_a_link,
    spec_4_5_a_wrong_shape_is_reported_for_all_elements_and_nothing_is_created,
    spec_4_9_each_element_of_a_bulk_update_is_processed_independently,
    spec_4_9_a_wrong_shape_is_reported_for_all_elements_and_nothing_is_updated,
    spec_4_9_updates_of_the_same_cases_in_different_orders_do_not_deadlock,
    spec_4_11_each_element_of_a_bulk_deletion_is_processed_independently,
    spec_5_bulk_requests_need_both_rights,
    spec_8_a_bulk_request_counts_as_one_and_has_its_own_limit,
);

/// Identifier, title, metadata, user, and whether the schedule is unset.
type CaseRow = (i64, String, Option<String>, Option<String>, bool);

const CREATE: &str = "/cases/bulk-create";
const UPDATE: &str = "/cases/bulk-update";

async fn spec_4_5_each_element_of_a_bulk_creation_is_processed_independently(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    server.must_apply(&borealis());
    let stranger = server.sign_in(BOREALIS_API.username, BOREALIS_API.password).await;
    open_case(&stranger, &json!({ "frameId": BOREALIS_FRAME, "reportToken": "theirs" })).await;
    let past = "2020-01-01T00:00:00.000+0200";
    let unknown_link = "6d4f2f6a-0b6e-4f6e-8b1a-0d5a5a5a5a5a";
    let elements = [
        (json!({ "frameId": SHORT_FRAME, "title": "first", "metadata": { "n": "1" } }), None),
        (json!({ "frameId": BOREALIS_FRAME }), Some("frame 80 does not exist or is not shared with the company")),
        (json!({ "frameId": SHORT_FRAME, "userId": BOREALIS_API.user_id }), Some("userId must be a user of")),
        (json!({ "frameId": SHORT_FRAME, "userMail": "new@acme.example" }), Some("userMail must be the e-mail")),
        (json!({ "frameId": SHORT_FRAME, "scheduledAt": "2020-01-01" }), Some("mustBeCurrentOrFutureMonth")),
        (json!({ "frameId": SHORT_FRAME, "scheduledAt": "soon" }), Some("case.scheduledAt.invalid")),
        (
            json!({ "frameId": SHORT_FRAME, "linkOptions": { "reportToken": "R", "expirationDate": past } }),
            Some("linkOptions.expirationDate must be in the future"),
        ),
        (json!({ "frameId": SHORT_FRAME, "magicLinkToken": unknown_link }), Some("the link does not exist")),
        (json!({ "frameId": SHORT_FRAME, "reportToken": "theirs" }), Some("Error while creating case")),
        // One of two tokens is wrong: neither is used.
        (
            json!({ "frameId": SHORT_FRAME, "reportToken": "free", "linkOptions": { "reportToken": "theirs" } }),
            Some("Error while creating case"),
        ),
        (json!({ "frameId": FRAME, "linkOptions": { "reportToken": "ours" } }), None),
    ];
    let body: Vec<&Value> = elements.iter().map(|(body, _)| body).collect();
    let answer = api.post(CREATE, &json!(body)).await.expect(200).json();
    assert_eq!((&answer["state"], &answer["company"]), (&json!("Cases bulk create ended"), &json!(ACME)));
    assert!(answer["date"].as_str().unwrap().parse::<jiff::Timestamp>().is_ok(), "{answer}");
    assert_eq!(answer.as_object().unwrap().len(), 5, "{answer}");
    let (success, error) = (answer["success"].as_array().unwrap(), answer["error"].as_array().unwrap());
    let ids: Vec<i64> = success.iter().map(|element| element["caseId"].as_i64().unwrap()).collect();
    assert_eq!(json!(success), json!([{ "index": 0, "caseId": ids[0] }, { "index": 10, "caseId": ids[1] }]));
    let expected = elements.iter().enumerate().filter_map(|(index, (_, reason))| reason.map(|reason| (index, reason)));
    for (failure, (index, reason)) in error.iter().zip(expected) {
        let message = failure["error"].as_str().unwrap();
        assert_eq!(failure, &json!({ "index": index, "error": message }));
        assert!(message.contains(reason), "{index}: {message}");
    }
    assert_eq!(error.len(), elements.len() - 2);

    let mut rows = Rows::of(&server).await;
    let cases: Vec<(i64,)> = rows.all("select id from cases where company_id = 7 order by id").await;
    assert_eq!(cases.iter().map(|(id,)| *id).collect::<Vec<_>>(), ids);
    let links: Vec<(i64,)> = rows.all("select count(*) from links").await;
    assert_eq!(links, [(1,)]);
    open_case(&stranger, &json!({ "frameId": BOREALIS_FRAME, "reportToken": "free" })).await;
    close(&api, ids[0]).await.expect(200);
    let payload = receiver.wait_for_case(&format!("CAS-{}_CMP-{ACME}", ids[0])).await;
    assert_eq!(payload["metadata"], json!({ "n": "1" }));
}

async fn spec_4_5_rule_2_identical_elements_are_two_cases(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let body = vec![json!({ "frameId": SHORT_FRAME, "reportToken": "same" }); 50];
    let answer = api.post(CREATE, &json!(body)).await.expect(200).json();
    let success = answer["success"].as_array().unwrap();
    let ids: std::collections::BTreeSet<i64> = success.iter().map(|done| done["caseId"].as_i64().unwrap()).collect();
    assert_eq!((ids.len(), &answer["error"]), (50, &json!([])));
}

async fn decisions_5_elements_of_a_bulk_creation_share_the_uses_of_a_link(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let options = json!({ "frameId": SHORT_FRAME, "linkOptions": { "reportToken": "R", "maxUses": 4 } });
    let created = api.post("/cases/create", &options).await.expect(201).json();
    let token = created["magicLinkUrl"].as_str().unwrap().rsplit('/').next().unwrap();
    let body = vec![json!({ "frameId": SHORT_FRAME, "magicLinkToken": token }); 10];
    let answer = api.post(CREATE, &json!(body)).await.expect(200).json();
    assert_eq!(answer["success"].as_array().unwrap().len(), 3);
    let error = answer["error"].as_array().unwrap();
    assert!(error.len() == 7 && error.iter().all(|failure| failure["error"] == "the link is used up"), "{answer}");
}

async fn spec_4_5_a_wrong_shape_is_reported_for_all_elements_and_nothing_is_created(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let body = json!([
        {},
        { "frameId": SHORT_FRAME },
        { "frameId": SHORT_FRAME, "userId": "a", "userMail": "b" },
        { "frameId": "x", "title": 5 },
        [],
    ]);
    let message = api.post(CREATE, &body).await.expect(400).error_message();
    assert_eq!(
        message,
        "[0] frameId is required, \
         [2] at most one of userId, userMail, magicLinkToken, linkOptions may be given, got userId and userMail, \
         [3] frameId must be a positive whole number, got the text \"x\", [3] title must be text, got the number 5, \
         [4] the element must be a JSON object, got an array of length 0"
    );
    let good = || json!({ "frameId": SHORT_FRAME });
    for wrong in [json!([]), json!(vec![good(); 51]), good(), json!({ "cases": [good()] }), json!(null)] {
        let message = api.post(CREATE, &wrong).await.expect(400).error_message();
        assert!(message.starts_with("the body must be an array of 1 to 50 elements, got "), "{message}");
    }
    api.post_raw(CREATE, "application/json", "[{\"frameId\": 71}").await.expect(400).error_message();
    let too_long = json!([{ "frameId": SHORT_FRAME, "title": "x".repeat(1024 * 1024) }]);
    let message = api.post(CREATE, &too_long).await.expect(400).error_message();
    assert!(message.contains("1048576 bytes"), "{message}");
    let cases: Vec<(i64,)> = Rows::of(&server).await.all("select id from cases").await;
    assert!(cases.is_empty(), "{cases:?}");
}

async fn spec_4_9_each_element_of_a_bulk_update_is_processed_independently(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    server.must_apply(&borealis());
    let stranger = server.sign_in(BOREALIS_API.username, BOREALIS_API.password).await;
    let foreign = open_case(&stranger, &json!({ "frameId": BOREALIS_FRAME, "reportToken": "theirs" })).await;
    let body = json!({ "frameId": FRAME, "title": "before", "metadata": { "a": "1" }, "scheduledAt": "2999-01-01" });
    let (first, filled) = (open_case(&api, &body).await, open_case(&api, &body).await);
    let (closed, last) = (open_case(&api, &body).await, open_case(&api, &body).await);
    add_entry(&api, filled, TEXT_FIELD, "Martinel").await.expect(201);
    close(&api, closed).await.expect(200);
    let unknown = last + 1000;
    let elements = [
        (last, json!({ "title": "second to come" }), None),
        (first, json!({ "title": "after", "metadata": null }), None),
        (foreign, json!({ "title": "mine" }), Some("case.notBelongCompany")),
        (first, json!({ "scheduledAt": "2020-01-31" }), Some("case.scheduledAt.mustBeCurrentOrFutureMonth")),
        (first, json!({ "scheduledAt": "2020-13-31" }), Some("case.scheduledAt.invalid")),
        (unknown, json!({ "title": "nobody" }), Some("Error while updating case")),
        (closed, json!({ "title": "too late" }), Some("case already closed")),
        (filled, json!({ "frameId": SHORT_FRAME }), Some("frameId can change only while the case has no item")),
        (first, json!({ "reportToken": "theirs" }), Some("Error while updating case")),
        (first, json!({ "userId": "usr-nobody" }), Some("userId must be a user of the company")),
        (filled, json!({}), None),
        // The same case twice: applied in the order of the request.
        (last, json!({ "title": "last word", "userId": ACME_FIELD.user_id, "scheduledAt": null }), None),
    ];
    let body: Vec<Value> = elements
        .iter()
        .map(|(case, body, _)| {
            let mut body = body.clone();
            body["caseId"] = json!(case);
            body
        })
        .collect();
    let answer = api.patch(UPDATE, &json!(body)).await.expect(200).json();
    let mut expected = json!({
        "state": "Cases bulk update ended", "date": answer["date"], "company": ACME, "success": [], "error": [],
    });
    for (index, (case, _, reason)) in elements.iter().enumerate() {
        match reason {
            None => push(&mut expected["success"], json!({ "index": index, "caseId": case })),
            Some(reason) => {
                push(&mut expected["error"], json!({ "index": index, "caseId": case, "error": reason }));
            }
        }
    }
    assert_eq!(answer, expected);
    let sql = "select id, title, metadata, user_id, scheduled_at is null from cases where company_id = 7 order by id";
    let rows: Vec<CaseRow> = Rows::of(&server).await.all(sql).await;
    let (metadata, caller) = (Some(r#"{"a":"1"}"#.to_owned()), Some(ACME_API.user_id.to_owned()));
    let untouched = |case: i64| (case, "before".to_owned(), metadata.clone(), caller.clone(), false);
    assert_eq!(
        rows,
        [
            (first, "after".to_owned(), None, caller.clone(), false),
            untouched(filled),
            untouched(closed),
            (last, "last word".to_owned(), metadata.clone(), Some(ACME_FIELD.user_id.to_owned()), true),
        ]
    );
}

async fn spec_4_9_a_wrong_shape_is_reported_for_all_elements_and_nothing_is_updated(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let case = open_case(&api, &json!({ "frameId": SHORT_FRAME })).await;
    let body = json!([
        { "caseId": case, "title": "x" },
        { "title": "x" },
        { "caseId": case, "title": "x".repeat(256) },
        7,
    ]);
    let message = api.patch(UPDATE, &body).await.expect(400).error_message();
    let parts = ["[1] caseId is required, ", "[2] title must be text of at most 255", "[3] the element must be a JSON"];
    assert!(parts.iter().all(|part| message.contains(part)) && !message.contains("[0]"), "{message}");
    let good = || json!({ "caseId": case, "title": "x" });
    for wrong in [json!([]), json!(vec![good(); 101]), good(), json!(null)] {
        let message = api.patch(UPDATE, &wrong).await.expect(400).error_message();
        assert!(message.starts_with("the body must be an array of 1 to 100 elements, got "), "{message}");
    }
    let titles: Vec<(String,)> = Rows::of(&server).await.all("select title from cases").await;
    assert_eq!(titles, [("Quick note".to_owned(),)]);
    let answer = api.patch(UPDATE, &json!(vec![good(); 100])).await.expect(200).json();
    assert_eq!(answer["success"].as_array().unwrap().len(), 100);
}

async fn spec_4_9_updates_of_the_same_cases_in_different_orders_do_not_deadlock(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let created = api.post(CREATE, &json!(vec![json!({ "frameId": SHORT_FRAME }); 50])).await.expect(200).json();
    let mut ids: Vec<Value> =
        created["success"].as_array().unwrap().iter().map(|element| element["caseId"].clone()).collect();
    let mut racing = tokio::task::JoinSet::new();
    for n in 0..6_usize {
        ids.rotate_left(n);
        ids.reverse();
        let body: Vec<Value> = ids.iter().map(|id| json!({ "caseId": id, "title": format!("{n}") })).collect();
        let api = api.clone();
        racing.spawn(async move { api.patch(UPDATE, &json!(body)).await.expect(200).json() });
    }
    for answer in racing.join_all().await {
        assert_eq!((answer["success"].as_array().unwrap().len(), &answer["error"]), (50, &json!([])));
    }
    // One after the other, each as a whole: the last one wins everywhere.
    let titles: Vec<(String,)> = Rows::of(&server).await.all("select distinct title from cases").await;
    assert_eq!(titles.len(), 1, "{titles:?}");
}

async fn spec_4_11_each_element_of_a_bulk_deletion_is_processed_independently(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    server.must_apply(&borealis());
    let stranger = server.sign_in(BOREALIS_API.username, BOREALIS_API.password).await;
    let foreign = open_case(&stranger, &json!({ "frameId": BOREALIS_FRAME })).await;
    let body = json!({ "frameId": SHORT_FRAME });
    let (open, closed, kept) =
        (open_case(&api, &body).await, open_case(&api, &body).await, open_case(&api, &body).await);
    close(&api, closed).await.expect(200);
    let unknown = kept + 1000;
    let ids = json!({ "caseIds": [unknown, closed, foreign, open] });
    let answer = api.post("/cases/bulk-delete", &ids).await.expect(200).json();
    let expected = json!({
        "state": "Cases bulk delete ended",
        "date": answer["date"],
        "company": ACME,
        "success": [{ "index": 1, "caseId": closed }, { "index": 3, "caseId": open }],
        "error": [
            { "index": 0, "caseId": unknown, "error": "Error while deleting case" },
            { "index": 2, "caseId": foreign, "error": "case.notBelongCompany" },
        ],
    });
    assert_eq!(answer, expected);
    let mut rows = Rows::of(&server).await;
    let left: Vec<(i64,)> = rows.all("select id from cases order by id").await;
    assert_eq!(left, [(foreign,), (kept,)]);
    let again = api.post("/cases/bulk-delete", &ids).await.expect(200).json();
    assert_eq!((&again["success"], again["error"].as_array().unwrap().len()), (&json!([]), 4));
}

async fn spec_5_bulk_requests_need_both_rights(server: TestServer) {
    const NAMES: [&str; 9] = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
    let (_api, receiver) = acme_on(&server).await;
    let mut names = NAMES.into_iter();
    let mut asked = Vec::new();
    let mut manifest = String::new();
    for (action, method) in [("create", "POST"), ("update", "PATCH"), ("delete", "POST")] {
        let (single, bulk) = (format!("p_api:case:{action}"), format!("p_api:case:bulk_{action}"));
        let only = |right: &str| format!("[\"{right}\"]");
        // With both rights, only the empty body is wrong.
        for (rights, lacked) in [
            (only(&single), Some(bulk.clone())),
            (only(&bulk), Some(single.clone())),
            (format!("[\"{single}\", \"{bulk}\"]"), None),
        ] {
            let name = names.next().expect("a name for each");
            let user = Credentials { user_id: name, username: name, password: "one of nine passwords" };
            manifest += &api_user(user, &rights);
            asked.push((user, action, method, lacked));
        }
    }
    server.must_apply(&(acme(&receiver) + &manifest));
    for (user, action, method, lacked) in asked {
        let caller = server.sign_in(user.username, user.password).await;
        let request = caller.request(method.parse().unwrap(), &format!("/cases/bulk-{action}")).json(&json!([]));
        let answer = send(request).await;
        match lacked {
            Some(right) => {
                assert_eq!(answer.expect(403).error_message(), format!("missing permission {right}"));
            }
            None => drop(answer.expect(400).error_message()),
        }
    }
}

async fn spec_8_a_bulk_request_counts_as_one_and_has_its_own_limit(server: TestServer) {
    let (_api, receiver) = acme_on(&server).await;
    server.must_apply(&acme(&receiver).replace("\"POST /cases/bulk-create\" = 100000\n", ""));
    let api = server.sign_in(ACME_API.username, ACME_API.password).await;
    let body = json!(vec![json!({ "frameId": SHORT_FRAME }); 50]);
    let counted = eventually("the limit applies", AMPLE, async || {
        let answer = api.post(CREATE, &body).await.expect(200);
        (answer.header("x-ratelimit-limit") == Some("10")).then_some(answer)
    })
    .await;
    let left: usize = counted.header("x-ratelimit-remaining").unwrap().parse().unwrap();
    for remaining in (0..left).rev() {
        let answer = api.post(CREATE, &body).await.expect(200);
        assert_eq!(answer.header("x-ratelimit-remaining"), Some(remaining.to_string().as_str()));
    }
    api.post(CREATE, &body).await.expect(429);
    // The endpoint for one case has its own limit.
    open_case(&api, &json!({ "frameId": SHORT_FRAME })).await;
}

fn push(list: &mut Value, element: Value) {
    list.as_array_mut().expect("an array").push(element);
}
