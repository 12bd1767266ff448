//! Ownership of report tokens (decisions 5): guesses are counted, a bulk answer does not reveal them, and an unused
//! token is free again.

use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::support::{
    Api, TestServer,
    company_manifest::{
        BOREALIS_API, BOREALIS_FRAME, COSMOS_API, COSMOS_FRANCE_API, COSMOS_FRANCE_FRAME, COSMOS_OWN_FRAME,
        SHORT_FRAME, acme_on, borealis, cosmos, cosmos_france,
    },
    evidence::{close, open_case},
    on_both_databases,
    rows::Rows,
};

on_both_databases!(
    decisions_5_guesses_of_report_tokens_are_counted_for_each_company,
    decisions_5_concurrent_guesses_are_counted_too,
    decisions_5_each_element_of_a_bulk_request_is_a_guess,
    decisions_5_a_download_of_another_family_s_report_is_a_guess,
    decisions_5_a_bulk_request_reports_a_foreign_report_token_like_other_refusals,
    decisions_5_an_unused_report_token_is_free_again,
    decisions_5_families_that_race_for_a_free_report_token_do_not_share_it,
);

/// Uses of other families' tokens in 60 seconds.
const BUDGET: usize = 20;

async fn decisions_5_guesses_of_report_tokens_are_counted_for_each_company(server: TestServer) {
    let (api, stranger) = acme_and_a_stranger(&server).await;
    let case = open_case(&api, &json!({ "frameId": SHORT_FRAME, "reportToken": "theirs" })).await;
    let own = open_case(&stranger, &json!({ "frameId": BOREALIS_FRAME, "reportToken": "own" })).await;
    let guess = json!({ "frameId": BOREALIS_FRAME, "reportToken": "theirs" });
    for n in 0..BUDGET {
        let answer = match n % 4 {
            0 => stranger.post("/cases/create", &guess).await,
            1 => stranger.post("/link/create", &json!({ "reportToken": "theirs" })).await,
            2 => stranger.patch("/cases/update", &json!({ "caseId": own, "reportToken": "theirs" })).await,
            _ => {
                let options = json!({ "frameId": BOREALIS_FRAME, "linkOptions": { "reportToken": "theirs" } });
                stranger.post("/cases/create", &options).await
            }
        };
        assert_eq!(answer.expect(403).error_message(), "the reportToken belongs to another company");
    }
    let refused = stranger.post("/cases/create", &guess).await.expect(429);
    let body = refused.json();
    assert_eq!((&body["name"], &body["path"]), (&json!("ApiError"), &json!("/cases/create")), "{body}");
    let labels = "{method=\"POST\",route=\"/cases/create\",quota=\"foreign-report-token\"}";
    assert_eq!(server.metric(&format!("sealwright_rate_limit_refusals_total{labels}")).await, 1);
    let wait: u64 = refused.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=60).contains(&wait));
    assert_eq!((refused.header("x-ratelimit-limit"), refused.header("x-ratelimit-remaining")), (Some("20"), Some("0")));
    // From then on no token is revealed and none is claimed.
    for token in ["theirs", "own", "nothing"] {
        stranger.post("/cases/create", &json!({ "frameId": BOREALIS_FRAME, "reportToken": token })).await.expect(429);
        stranger.post("/link/create", &json!({ "reportToken": token })).await.expect(429);
        stranger.patch("/cases/update", &json!({ "caseId": own, "reportToken": token })).await.expect(429);
        stranger.post(&format!("/reports/report/{token}"), &json!({})).await.expect(429);
    }
    let bulk = json!([{ "frameId": BOREALIS_FRAME, "reportToken": "nothing" }, { "frameId": BOREALIS_FRAME }]);
    let answer = stranger.post("/cases/bulk-create", &bulk).await.expect(200).json();
    assert_eq!(answer["error"], json!([{ "index": 0, "error": "Error while creating case" }]));
    assert_eq!(answer["success"].as_array().unwrap().len(), 1);
    // Requests without a token are not affected, and neither is another company.
    open_case(&stranger, &json!({ "frameId": BOREALIS_FRAME })).await;
    open_case(&api, &json!({ "frameId": SHORT_FRAME, "reportToken": "nothing" })).await;
    api.patch("/cases/update", &json!({ "caseId": case, "reportToken": "theirs" })).await.expect(200);
}

async fn decisions_5_concurrent_guesses_are_counted_too(server: TestServer) {
    let (api, stranger) = acme_and_a_stranger(&server).await;
    open_case(&api, &json!({ "frameId": SHORT_FRAME, "reportToken": "theirs" })).await;
    let mut racing = JoinSet::new();
    for _ in 0..3 * BUDGET {
        let stranger = stranger.clone();
        let guess = json!({ "reportToken": "theirs" });
        racing.spawn(async move { stranger.post("/link/create", &guess).await.status.as_u16() });
    }
    let statuses = racing.join_all().await;
    let count = |status| statuses.iter().filter(|found| **found == status).count();
    assert_eq!((count(403), count(429)), (BUDGET, 2 * BUDGET), "{statuses:?}");
}

async fn decisions_5_each_element_of_a_bulk_request_is_a_guess(server: TestServer) {
    let (api, stranger) = acme_and_a_stranger(&server).await;
    open_case(&api, &json!({ "frameId": SHORT_FRAME, "reportToken": "theirs" })).await;
    // Nine guesses, and an element that is not a guess.
    let mut elements = vec![json!({ "frameId": BOREALIS_FRAME, "reportToken": "theirs" }); 9];
    elements.push(json!({ "frameId": BOREALIS_FRAME, "reportToken": "own" }));
    let answer = stranger.post("/cases/bulk-create", &json!(elements)).await.expect(200).json();
    assert_eq!((answer["error"].as_array().unwrap().len(), answer["success"].as_array().unwrap().len()), (9, 1));
    let own = answer["success"][0]["caseId"].clone();
    let updates = vec![json!({ "caseId": own, "reportToken": "theirs" }); 9];
    let answer = stranger.patch("/cases/bulk-update", &json!(updates)).await.expect(200).json();
    assert_eq!(answer["error"].as_array().unwrap().len(), 9);
    // Two guesses are left. The elements after the one that exceeds the limit are refused unchecked.
    let tokens = ["theirs", "free", "theirs", "theirs", "another", "own"];
    let elements: Vec<Value> =
        tokens.iter().map(|token| json!({ "frameId": BOREALIS_FRAME, "reportToken": token })).collect();
    let answer = stranger.post("/cases/bulk-create", &json!(elements)).await.expect(200).json();
    let success: Vec<&Value> = answer["success"].as_array().unwrap().iter().map(|done| &done["index"]).collect();
    assert_eq!(success, [1], "{answer}");
    stranger.post("/link/create", &json!({ "reportToken": "own" })).await.expect(429);
}

async fn decisions_5_a_download_of_another_family_s_report_is_a_guess(server: TestServer) {
    let (api, stranger) = acme_and_a_stranger(&server).await;
    open_case(&api, &json!({ "frameId": SHORT_FRAME, "reportToken": "theirs" })).await;
    stranger.post("/reports/report/nothing", &json!({})).await.expect(404);
    for _ in 0..BUDGET {
        stranger.post("/reports/report/theirs", &json!({})).await.expect(403);
    }
    // Refused by that counter, not by the quota of downloads.
    for token in ["theirs", "nothing"] {
        let refused = stranger.post(&format!("/reports/report/{token}"), &json!({})).await.expect(429);
        assert_eq!(refused.header("x-ratelimit-limit"), Some("20"));
    }
    // A report of the caller's own family is not a guess.
    server.must_apply_all(&[cosmos(), cosmos_france()]);
    let parent = server.sign_in(COSMOS_API.username, COSMOS_API.password).await;
    let child = server.sign_in(COSMOS_FRANCE_API.username, COSMOS_FRANCE_API.password).await;
    open_case(&parent, &json!({ "frameId": COSMOS_OWN_FRAME, "reportToken": "family" })).await;
    for _ in 0..=BUDGET {
        child.post("/reports/report/family", &json!({})).await.expect(403);
    }
    open_case(&child, &json!({ "frameId": COSMOS_FRANCE_FRAME, "reportToken": "family" })).await;
}

async fn decisions_5_a_bulk_request_reports_a_foreign_report_token_like_other_refusals(server: TestServer) {
    let (api, stranger) = acme_and_a_stranger(&server).await;
    let theirs = api.post("/link/create", &json!({ "reportToken": "theirs" })).await.expect(201).json();
    let elements = json!([
        { "frameId": BOREALIS_FRAME, "reportToken": "theirs" },
        { "frameId": BOREALIS_FRAME, "magicLinkToken": theirs["token"] },
        { "frameId": BOREALIS_FRAME, "childCompanyId": 7, "linkOptions": { "reportToken": "R" } },
    ]);
    let answer = stranger.post("/cases/bulk-create", &elements).await.expect(200).json();
    let error = answer["error"].as_array().unwrap();
    assert_eq!(error.len(), 3);
    assert!(error.iter().all(|failure| failure["error"] == "Error while creating case"), "{answer}");
    let own = open_case(&stranger, &json!({ "frameId": BOREALIS_FRAME })).await;
    let elements = json!([{ "caseId": own, "reportToken": "theirs" }, { "caseId": own + 1000, "title": "x" }]);
    let answer = stranger.patch("/cases/bulk-update", &elements).await.expect(200).json();
    let error = answer["error"].as_array().unwrap();
    assert_eq!(error.len(), 2);
    assert!(error.iter().all(|failure| failure["error"] == "Error while updating case"), "{answer}");
}

async fn decisions_5_an_unused_report_token_is_free_again(server: TestServer) {
    let (api, stranger) = acme_and_a_stranger(&server).await;
    let uses = |token: &str| json!({ "frameId": SHORT_FRAME, "reportToken": token });
    let taken = async |token: &str, status: u16| {
        let body = json!({ "frameId": BOREALIS_FRAME, "reportToken": token });
        stranger.post("/cases/create", &body).await.expect(status);
    };
    // Deleted while it was open: nothing was published with it.
    let (first, second) = (open_case(&api, &uses("open")).await, open_case(&api, &uses("open")).await);
    api.delete(&format!("/cases/delete/{first}")).await.expect(200);
    taken("open", 403).await;
    api.post("/cases/bulk-delete", &json!({ "caseIds": [second] })).await.expect(200);
    taken("open", 201).await;
    // Now it belongs to the other family.
    api.post("/cases/create", &uses("open")).await.expect(403);

    // Deleted after it was closed: its certificate names the token.
    let closed = open_case(&api, &uses("closed")).await;
    close(&api, closed).await.expect(200);
    api.delete(&format!("/cases/delete/{closed}")).await.expect(200);
    taken("closed", 403).await;
    open_case(&api, &uses("closed")).await;

    // A case that moves to another report.
    let moved = open_case(&api, &uses("before")).await;
    api.patch("/cases/update", &json!({ "caseId": moved, "reportToken": "after" })).await.expect(200);
    taken("before", 201).await;
    taken("after", 403).await;

    // A link keeps using it, even after its case is gone.
    let options = json!({ "frameId": SHORT_FRAME, "linkOptions": { "reportToken": "linked" } });
    let linked = open_case(&api, &options).await;
    api.delete(&format!("/cases/delete/{linked}")).await.expect(200);
    taken("linked", 403).await;

    // A creation that fails claims nothing.
    api.post("/cases/create", &json!({ "frameId": 999_999, "reportToken": "failed" })).await.expect(404);
    let bulk = json!([{ "frameId": SHORT_FRAME, "reportToken": "failed", "userId": "usr-nobody" }]);
    api.post("/cases/bulk-create", &bulk).await.expect(200);
    taken("failed", 201).await;
}

/// Each opens a case with the token and deletes it, which frees the token for the other.
async fn decisions_5_families_that_race_for_a_free_report_token_do_not_share_it(server: TestServer) {
    let (api, stranger) = acme_and_a_stranger(&server).await;
    let body = |frame: i64| json!({ "frameId": frame, "reportToken": "one of us" });
    let mut racing = JoinSet::new();
    for (caller, frame) in [(&api, SHORT_FRAME), (&stranger, BOREALIS_FRAME)].repeat(3) {
        let caller = caller.clone();
        racing.spawn(async move {
            let mut statuses = Vec::new();
            for _ in 0..6 {
                let answer = caller.post("/cases/create", &body(frame)).await;
                statuses.push(answer.status.as_u16());
                if answer.status == 201 {
                    let id = answer.json()["id"].as_i64().unwrap();
                    caller.delete(&format!("/cases/delete/{id}")).await.expect(200);
                }
            }
            statuses
        });
    }
    let statuses = racing.join_all().await.concat();
    assert!(statuses.iter().all(|status| [201, 403, 429].contains(status)), "{statuses:?}");
    let mut kept = JoinSet::new();
    for (caller, frame) in [(&api, SHORT_FRAME), (&stranger, BOREALIS_FRAME)].repeat(3) {
        let caller = caller.clone();
        kept.spawn(async move { caller.post("/cases/create", &body(frame)).await.status.as_u16() });
    }
    let statuses = kept.join_all().await;
    let families: Vec<(i64,)> =
        Rows::of(&server).await.all("select distinct company_id from cases where report_token is not null").await;
    assert_eq!(families.len(), 1, "{families:?} {statuses:?}");
}

async fn acme_and_a_stranger(server: &TestServer) -> (Api, Api) {
    let (api, _receiver) = acme_on(server).await;
    server.must_apply(&borealis());
    (api, server.sign_in(BOREALIS_API.username, BOREALIS_API.password).await)
}
