//! Deleting cases (spec 3.1, 4.10 and 4.11, decisions 5): the whole case is gone and only hashes remain.

use std::{collections::BTreeMap, path::PathBuf};

use hyper::Method;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tokio::task::JoinSet;

use crate::support::{
    AMPLE, Answer, Api, TestServer,
    client::send,
    company_manifest::{
        ACME, ACME_READER, BOREALIS_API, DOCUMENT_UPLOAD, FRAME, PHOTOGRAPHY, SHORT_FRAME, SIGNATURE, TEXT_FIELD,
        VIDEO, acme_on, borealis, note_step,
    },
    eventually,
    evidence::{add_capture, add_document, add_entry, close, identity_card, open_case, photo, signature, video},
    on_both_databases,
    receiver::Reply,
    rows::Rows,
    server::files_below,
};

on_both_databases!(
    spec_4_10_an_open_case_is_deleted_with_everything_that_belongs_to_it,
    spec_4_10_a_closed_case_is_deleted_with_its_certificate,
    decisions_5_only_hashes_of_a_deleted_case_remain,
    spec_4_10_a_refused_deletion_changes_nothing,
    decisions_5_a_deletion_during_sealing_leaves_neither_files_nor_jobs,
    decisions_5_a_deletion_is_completed_after_a_crash,
    decisions_5_an_upload_during_a_deletion_leaves_no_file,
    decisions_5_among_concurrent_deletions_and_closings_one_deletion_succeeds,
);

async fn spec_4_10_an_open_case_is_deleted_with_everything_that_belongs_to_it(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    let (case, kept) = (open_case(&api, &personal()).await, open_case(&api, &personal()).await);
    let addresses = fill(&api, case).await;
    let kept_addresses = fill(&api, kept).await;
    let files = server.files_of_items().len();
    let answer = delete(&api, case).await.expect(200);
    assert_eq!(answer.json(), json!({ "status": "Success", "message": "Case deleted successfully" }));

    for address in addresses {
        api.with_token(None).get(&address).await.expect(404).error_message();
        api.with_token(None).get(&format!("{address}?original=1")).await.expect(404).error_message();
    }
    add_entry(&api, case, TEXT_FIELD, "too late").await.expect(404).error_message();
    add_capture(&api, case, SIGNATURE, signature()).await.expect(404).error_message();
    api.patch("/cases/update", &json!({ "caseId": case, "title": "x" })).await.expect(404).error_message();
    close(&api, case).await.expect(400).error_message();
    assert_eq!(delete(&api, case).await.expect(400).error_message(), format!("case {case} does not exist"));
    let mut rows = Rows::of(&server).await;
    let items: Vec<(i64,)> = rows.all("select distinct case_id from items").await;
    assert_eq!(items, [(kept,)]);
    // Half of the files and what was made from them are gone. The other case still has all of its own.
    eventually("the files are deleted", AMPLE, async || {
        (server.files_of_items().len() * 2 == files && files_in(&server, "derivatives").len() == 1).then_some(())
    })
    .await;
    for address in kept_addresses {
        api.with_token(None).get(&address).await.expect(200);
    }
    assert_eq!(receiver.received().len(), 0);

    // Identifiers are never reused, not even that of the last case.
    let last = open_case(&api, &personal()).await;
    delete(&api, last).await.expect(200);
    assert!(open_case(&api, &personal()).await > last);
}

async fn spec_4_10_a_closed_case_is_deleted_with_its_certificate(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    receiver.reply_with(Reply::Echo("\"items\""));
    let case = open_case(&api, &personal()).await;
    let addresses = fill(&api, case).await;
    let closed = close(&api, case).await.expect(200).json();
    let pdf_url = closed["pdfUrl"].as_str().unwrap();
    receiver.wait_for_case(&format!("CAS-{case}_CMP-{ACME}")).await;
    let public = api.with_token(None);
    public.get(pdf_url).await.expect(200);
    delete(&api, case).await.expect(200);
    for address in addresses.iter().map(String::as_str).chain([pdf_url]) {
        public.get(address).await.expect(404).error_message();
    }
    assert_nothing_is_left(&server).await;
    // One dispatch for the closing and none for the deletion. Its record stays, without what the receiver repeated.
    assert_eq!(receiver.received().len(), 1);
    let attempts = server.webhook_attempts();
    assert_eq!(attempts.len(), 1);
    assert_eq!((&attempts[0]["status"], &attempts[0]["answer"]), (&json!(200), &Value::Null));
}

async fn decisions_5_only_hashes_of_a_deleted_case_remain(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    let open = open_case(&api, &personal()).await;
    add_entry(&api, open, TEXT_FIELD, "Martinel").await.expect(201);
    let closed = open_case(&api, &personal()).await;
    let (mut items, public) = (Vec::new(), api.with_token(None));
    for (step, file) in [(PHOTOGRAPHY, photo(7)), (SIGNATURE, signature())] {
        let sha256 = hex::encode(Sha256::digest(&file.bytes));
        let added = add_capture(&api, closed, step, file).await.expect(200).json();
        items.push(json!({ "item": added["itemId"], "sha256": sha256 }));
    }
    let answer = close(&api, closed).await.expect(200).json();
    let certificate = public.get(answer["pdfUrl"].as_str().unwrap()).await.expect(200);
    receiver.wait_for_case(&format!("CAS-{closed}_CMP-{ACME}")).await;
    for case in [open, closed] {
        delete(&api, case).await.expect(200);
    }
    assert_nothing_is_left(&server).await;
    let mut rows = Rows::of(&server).await;
    let sql = "select case_id, company_id, certificate_sha256, items, blobs from deleted_cases order by case_id";
    let remaining: Vec<(i64, i64, Option<String>, String, String)> = rows.all(sql).await;
    let sha256 = hex::encode(Sha256::digest(&certificate.body));
    let nothing = || "[]".to_owned();
    let expected =
        [(open, ACME, None, nothing(), nothing()), (closed, ACME, Some(sha256), json!(items).to_string(), nothing())];
    assert_eq!(remaining, expected);
}

async fn spec_4_10_a_refused_deletion_changes_nothing(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    server.must_apply(&borealis());
    let stranger = server.sign_in(BOREALIS_API.username, BOREALIS_API.password).await;
    let reader = server.sign_in(ACME_READER.username, ACME_READER.password).await;
    let case = open_case(&api, &json!({ "frameId": SHORT_FRAME })).await;
    delete(&stranger, case).await.expect(403).error_message();
    let message = delete(&reader, case).await.expect(403).error_message();
    assert!(message.contains("p_api:case:delete"), "{message}");
    delete(&api.with_token(None), case).await.expect(401).error_message();
    for unknown in [case + 1, i64::MAX] {
        delete(&api, unknown).await.expect(400).error_message();
    }
    for malformed in ["0", "-1", "1.0", "x", "%20", "9223372036854775808", "٤٢"] {
        let path = format!("/cases/delete/{malformed}");
        send(api.request(Method::DELETE, &path)).await.expect(400).error_message();
    }
    for method in [Method::GET, Method::POST, Method::PUT, Method::PATCH] {
        send(api.request(method, &format!("/cases/delete/{case}"))).await.expect(405).error_message();
    }

    bulk_delete(&stranger, &json!([case])).await.expect(200);
    for (ids, expected) in [
        (json!(null), "caseIds is required"),
        (json!([]), "caseIds must be an array of 1 to 50 elements"),
        (
            json!((1..=51).collect::<Vec<_>>()),
            "caseIds must be an array of 1 to 50 elements, got an array of length 51",
        ),
        (json!(case), "caseIds must be an array"),
        (json!([case, case.to_string()]), "caseIds[1] must be a positive whole number"),
        (json!([case, null]), "caseIds[1] must be"),
        (json!([case, 1.5]), "caseIds[1] must be"),
        (json!([case, -1, 0]), "caseIds[1] must be a positive whole number, got the number -1, caseIds[2]"),
        (json!([case, 5, case]), &format!("caseIds[2] names case {case} again")),
    ] {
        let message = bulk_delete(&api, &ids).await.expect(400).error_message();
        assert!(message.contains(expected), "{ids}: {message}");
    }
    bulk_delete(&reader, &json!([case])).await.expect(403).error_message();
    add_entry(&api, case, note_step(SHORT_FRAME), "still there").await.expect(201);
}

async fn decisions_5_a_deletion_during_sealing_leaves_neither_files_nor_jobs(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    let mut closed = Vec::new();
    for seed in 0..6 {
        let case = open_case(&api, &json!({ "frameId": FRAME })).await;
        add_capture(&api, case, PHOTOGRAPHY, photo(seed)).await.expect(200);
        closed.push(case);
    }
    let mut addresses = Vec::new();
    for (position, case) in closed.iter().enumerate() {
        let answer = close(&api, *case).await.expect(200).json();
        addresses.push(answer["pdfUrl"].as_str().unwrap().to_owned());
        // Some are deleted while their seal is waiting, some while it is running or done.
        if position % 2 == 1 {
            delete(&api, *case).await.expect(200);
            delete(&api, closed[position - 1]).await.expect(200);
        }
    }
    for address in addresses {
        api.with_token(None).get(&address).await.expect(404).error_message();
    }
    assert_nothing_is_left(&server).await;
    // A webhook was sent for each case that was sealed before its deletion, and none was sent twice.
    let mut references: Vec<Value> =
        receiver.received().iter().map(|webhook| webhook.json()["cfRef"].clone()).collect();
    let count = references.len();
    references.dedup();
    assert_eq!(references.len(), count);
}

async fn decisions_5_a_deletion_is_completed_after_a_crash(mut server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let mut cases = Vec::new();
    for _ in 0..3 {
        let case = open_case(&api, &json!({ "frameId": FRAME })).await;
        fill(&api, case).await;
        cases.push(case);
    }
    close(&api, cases[0]).await.expect(200);
    bulk_delete(&api, &json!(cases)).await.expect(200);
    server.kill();
    server.restart().await;
    assert_nothing_is_left(&server).await;
    for case in cases {
        delete(&api, case).await.expect(400);
    }
}

async fn decisions_5_an_upload_during_a_deletion_leaves_no_file(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    for round in 0..4 {
        let case = open_case(&api, &json!({ "frameId": FRAME })).await;
        let mut racing = JoinSet::new();
        for n in 0..6 {
            let api = api.clone();
            racing.spawn(async move {
                if n == round {
                    delete(&api, case).await.expect(200)
                } else {
                    add_capture(&api, case, SIGNATURE, signature()).await
                }
            });
        }
        for answer in racing.join_all().await {
            assert!([200, 404].contains(&answer.status.as_u16()), "{}", answer.text());
        }
    }
    assert_nothing_is_left(&server).await;
}

async fn decisions_5_among_concurrent_deletions_and_closings_one_deletion_succeeds(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    for _ in 0..6 {
        let case = open_case(&api, &json!({ "frameId": SHORT_FRAME })).await;
        let mut racing = JoinSet::new();
        for n in 0..24 {
            let api = api.clone();
            racing.spawn(async move {
                match n % 3 {
                    0 => ("delete", delete(&api, case).await),
                    1 => ("close", close(&api, case).await),
                    _ => ("update", api.patch("/cases/update", &json!({ "caseId": case, "title": "x" })).await),
                }
            });
        }
        let mut counts = BTreeMap::new();
        for (what, answer) in racing.join_all().await {
            *counts.entry((what, answer.status.as_u16())).or_insert(0) += 1;
        }
        assert_eq!((counts[&("delete", 200)], counts[&("delete", 400)]), (1, 7), "{counts:?}");
        assert!(counts.get(&("close", 200)).is_none_or(|closed| *closed == 1), "{counts:?}");
        assert!(counts.keys().all(|(_, status)| [200, 400, 404].contains(status)), "{counts:?}");
    }
    assert_nothing_is_left(&server).await;
}

/// A case with personal data.
fn personal() -> Value {
    json!({
        "frameId": FRAME,
        "title": "House of Martinel",
        "caseContext": { "visibleData": { "beneficiary": { "lastName": "Martinel" } } },
        "metadata": { "policy": "P-1" },
        "linkOptions": { "reportToken": "claim-1" },
    })
}

/// Adds an entry and a file of each kind, requests one picture, and returns the public addresses of the files.
async fn fill(api: &Api, case: i64) -> Vec<String> {
    add_entry(api, case, TEXT_FIELD, "Martinel").await.expect(201);
    let photo = add_capture(api, case, PHOTOGRAPHY, photo(3)).await.expect(200).json();
    let video = add_capture(api, case, VIDEO, video()).await.expect(200).json();
    add_document(api, case, DOCUMENT_UPLOAD, identity_card()).await.expect(200);
    let addresses = [&photo["imageUrl"], &video["videoUrl"]].map(|url| url.as_str().expect("a URL").to_owned());
    for address in &addresses {
        api.with_token(None).get(address).await.expect(200);
    }
    addresses.to_vec()
}

async fn delete(api: &Api, case: i64) -> Answer {
    api.delete(&format!("/cases/delete/{case}")).await
}

async fn bulk_delete(api: &Api, ids: &Value) -> Answer {
    api.post("/cases/bulk-delete", &json!({ "caseIds": ids })).await
}

fn files_in(server: &TestServer, area: &str) -> Vec<PathBuf> {
    files_below(&server.data_dir().join("blobs").join(area))
}

/// Requires, after every case is deleted, that no row, job or file is left.
async fn assert_nothing_is_left(server: &TestServer) {
    let mut rows = Rows::of(server).await;
    let sql = "select 'case', id from cases union all select 'item', id from items
               union all select 'certificate', case_id from certificates";
    let left: Vec<(String, i64)> = rows.all(sql).await;
    assert!(left.is_empty(), "{left:?}");
    eventually("jobs and files are gone", AMPLE, async || {
        let jobs: Vec<(String, String)> = rows.all("select kind, state from jobs").await;
        assert!(jobs.iter().all(|(_, state)| state != "failed"), "{jobs:?}");
        let files = ["items", "certificates", "derivatives", "previews"].map(|area| files_in(server, area)).concat();
        (jobs.is_empty() && files.is_empty()).then_some(())
    })
    .await;
    let undone: Vec<(i64,)> = rows.all("select case_id from deleted_cases where blobs <> '[]'").await;
    assert!(undone.is_empty(), "{undone:?}");
}
