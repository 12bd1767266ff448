//! Retention and legal holds (decisions 21, operator's page): a dry run lists exactly what a run then deletes, hashes and
//! log entries stay, and a held case is deleted by no one.

use std::{fs, process::Output};

use serde_json::{Value, json};

use crate::{
    console::{Person, must_add_user},
    support::{
        AMPLE, Answer, Api, Receiver, TestServer,
        company_manifest::{
            ACME, ACME_API, BOREALIS_API, BOREALIS_FRAME, Credentials, DOCUMENT_UPLOAD, FRAME, PHOTOGRAPHY,
            SHORT_FRAME, SIGNATURE, acme, acme_on, api_user, borealis,
        },
        eventually,
        evidence::{add_capture, add_document, close, identity_card, open_case, photo, signature},
        on_both_databases,
        rows::Rows,
        server::{files_of, said},
    },
};

on_both_databases!(
    decisions_21_a_dry_run_lists_what_a_run_deletes_and_certificates_can_still_be_checked,
    decisions_21_a_held_case_is_deleted_by_no_one,
    decisions_21_the_interface_sets_and_ends_a_hold,
    bytes_are_deleted_after_a_crash,
    only_an_operator_shortens_the_times_in_the_console,
);

/// May delete cases, and may not change the company.
const ACME_CLEANER: Credentials =
    Credentials { user_id: "usr-acme-cleaner", username: "acme-cleaner", password: "a broom of one's own" };

/// A closed case with its certificate.
struct Closed {
    case: i64,
    url: String,
    pdf: Vec<u8>,
}

/// A case with a photo, and perhaps a document, that was closed and delivered.
async fn closed(api: &Api, receiver: &Receiver, seed: u64, has_document: bool) -> Closed {
    let case = open_case(api, &json!({ "frameId": FRAME })).await;
    add_capture(api, case, PHOTOGRAPHY, photo(seed)).await.expect(200);
    if has_document {
        add_document(api, case, DOCUMENT_UPLOAD, identity_card()).await.expect(200);
    }
    let url = close(api, case).await.expect(200).json()["pdfUrl"].as_str().unwrap().to_owned();
    let pdf = api.with_token(None).get(&url).await.expect(200).body.to_vec();
    receiver.wait_for_case(&format!("CAS-{case}_CMP-{ACME}")).await;
    Closed { case, url, pdf }
}

/// Acme with these settings in `[company]`.
fn acme_with(receiver: &Receiver, settings: &str) -> String {
    acme(receiver).replacen("document_analysis = true", &format!("document_analysis = true\n{settings}"), 1)
}

/// Waits until no job and no analysis is left.
async fn at_rest(server: &TestServer) {
    let mut rows = Rows::of(server).await;
    eventually("all work is done", AMPLE, async || {
        let sql = "select (select count(*) from jobs) + (select count(*) from item_analyses where state = 'pending')";
        let left: Vec<(i64,)> = rows.all(sql).await;
        (left == [(0,)]).then_some(())
    })
    .await;
}

fn retention(server: &TestServer, mode: &str) -> Value {
    let output = server.run(&["retention", mode, "--json"]);
    assert!(output.status.success(), "{}", said(&output));
    serde_json::from_slice(&output.stdout).expect("retention --json prints an object")
}

fn verify(server: &TestServer, pdf: &[u8]) -> Output {
    let path = server.folder().join("certificate.pdf");
    fs::write(&path, pdf).unwrap();
    server.run(&["verify", path.to_str().unwrap()])
}

fn files_in(server: &TestServer, area: &str) -> usize {
    files_of(&server.data_dir().join("blobs").join(area))
}

async fn delete(api: &Api, case: i64) -> Answer {
    api.delete(&format!("/cases/delete/{case}")).await
}

async fn decisions_21_a_dry_run_lists_what_a_run_deletes_and_certificates_can_still_be_checked(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    server.must_apply(&borealis());
    let whole = closed(&api, &receiver, 1, false).await;
    let parts = closed(&api, &receiver, 2, true).await;
    let held = closed(&api, &receiver, 3, false).await;
    let young = closed(&api, &receiver, 4, false).await;
    let stranger = server.sign_in(BOREALIS_API.username, BOREALIS_API.password).await;
    let foreign = open_case(&stranger, &json!({ "frameId": BOREALIS_FRAME })).await;
    close(&stranger, foreign).await.expect(200);
    at_rest(&server).await;
    let hold = server.run(&["hold", "set", &held.case.to_string(), "--reason", "lawsuit 12/345"]);
    assert!(hold.status.success(), "{}", said(&hold));
    let items: Vec<(i64, i64)> = Rows::of(&server).await.all("select id, case_id from items").await;
    let item = items.iter().find(|(_, case)| *case == held.case).unwrap().0.to_string();
    let erased = server.run(&["erase", &held.case.to_string(), "--items", &item, "--ground", "request"]);
    assert!(!erased.status.success() && said(&erased).contains("is under legal hold"), "{}", said(&erased));

    assert_eq!(retention(&server, "--dry-run"), json!({ "dryRun": true, "expired": [] }), "nothing by default");
    let settings = "case_days = 3650\noriginal_days = 30\nfact_days = 30\ndelivery_days = 40";
    server.must_apply(&acme_with(&receiver, settings));
    // Made old: one day is 86,400,000 ms.
    let aged = format!(
        "update cases set closed_at = 86400000 where id in ({}, {}, {foreign});
         update cases set closed_at = closed_at - 3024000000 where id = {};
         update webhook_attempts set started_at = started_at - 3542400000 where case_id in ({}, {}, {foreign})",
        whole.case, held.case, parts.case, whole.case, held.case
    );
    Rows::change(&server, &aged).await;

    let before = ["items", "facts", "certificates"].map(|area| files_in(&server, area));
    let listed = retention(&server, "--dry-run");
    let after = ["items", "facts", "certificates"].map(|area| files_in(&server, area));
    assert_eq!(before, after, "a dry run changes nothing");
    let found: Vec<(&str, Option<i64>, i64)> = listed["expired"].as_array().unwrap().iter().map(summary).collect();
    let expected = [
        ("case", Some(whole.case), 1),
        ("originals", Some(parts.case), 2),
        ("facts", Some(parts.case), 2),
        ("deliveries", None, found.last().unwrap().2),
    ];
    assert_eq!(found, expected, "{listed}");
    assert!(found[3].2 >= 1, "{listed}");
    let applied = retention(&server, "--apply");
    assert_eq!((&applied["dryRun"], &applied["expired"]), (&json!(false), &listed["expired"]));
    assert_eq!(retention(&server, "--dry-run")["expired"], json!([]));

    // The bytes follow: what is left belongs to the held and to the young case.
    eventually("the bytes are deleted", AMPLE, async || {
        let left = ["items", "facts", "certificates"].map(|area| files_in(&server, area));
        // Borealis has a certificate, too.
        (left == [2, 2, 4]).then_some(())
    })
    .await;
    at_rest(&server).await;
    let mut rows = Rows::of(&server).await;
    let cases: Vec<(i64,)> = rows.all("select id from cases order by id").await;
    assert_eq!(cases, [(parts.case,), (held.case,), (young.case,), (foreign,)]);
    let attempts: Vec<(i64,)> = rows.all("select distinct case_id from webhook_attempts order by case_id").await;
    assert_eq!(attempts, [(parts.case,), (held.case,), (young.case,)]);
    let read: Vec<(i64,)> = rows
        .all("select distinct case_id from item_analyses where facts_key is not null or extracted is not null order by 1")
        .await;
    assert_eq!(read, [(held.case,), (young.case,)]);

    // Hashes, certificates and log entries stay.
    let public = api.with_token(None);
    public.get(&whole.url).await.expect(404);
    assert_eq!(public.get(&parts.url).await.expect(200).body.to_vec(), parts.pdf);
    public.get(&format!("{}/verify", parts.url)).await.expect(200);
    for certificate in [&whole, &parts] {
        let checked = verify(&server, &certificate.pdf);
        assert_eq!(checked.status.code(), Some(0), "{}", said(&checked));
    }
    let hashes: Vec<(i64, i64)> = rows
        .all("select case_id, count(*) from items where file_sha256 is not null group by case_id order by case_id")
        .await;
    assert_eq!(hashes, [(parts.case, 2), (held.case, 1), (young.case, 1)]);
    let entries: Vec<(i64, i64)> =
        rows.all("select case_id, count(*) from log_entries where case_id > 0 group by case_id order by case_id").await;
    assert!(entries.contains(&(whole.case, 2)) && entries.contains(&(parts.case, 1)), "{entries:?}");
    let kept: Vec<(i64, String)> = rows.all("select case_id, items from deleted_cases").await;
    assert!(kept.len() == 1 && kept[0].0 == whole.case && kept[0].1.contains("sha256"), "{kept:?}");

    let records: Vec<(String, String, Option<i64>)> = rows
        .all("select action, coalesce(subject, ''), company_id from audit_records where actor_kind = 'server' order by id")
        .await;
    let case = |case: i64| format!("case {case}");
    let expected = [
        ("deleteCase".to_owned(), case(whole.case), Some(ACME)),
        ("expireOriginals".to_owned(), case(parts.case), Some(ACME)),
        ("expireFacts".to_owned(), case(parts.case), Some(ACME)),
        ("expireDeliveries".to_owned(), String::new(), Some(ACME)),
    ];
    assert_eq!(records, expected);
}

/// What expires, of which case, and how much.
fn summary(expired: &Value) -> (&str, Option<i64>, i64) {
    assert_eq!(expired["companyId"], ACME, "{expired}");
    let bytes = expired["bytes"].as_i64().unwrap();
    let what = expired["what"].as_str().unwrap();
    assert_eq!(bytes > 0, ["case", "originals"].contains(&what), "{expired}");
    (what, expired["caseId"].as_i64(), expired["amount"].as_i64().unwrap())
}

async fn decisions_21_a_held_case_is_deleted_by_no_one(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let case = open_case(&api, &json!({ "frameId": SHORT_FRAME })).await;
    for (name, role) in [("mona", "manager"), ("ada", "administrator")] {
        must_add_user(&server, name, &["--role", role, "--company", "7"]);
    }
    let (mona, ada) = (Person::signed_in(&server, "mona").await, Person::signed_in(&server, "ada").await);
    let page = format!("/console/cases/{case}");
    mona.post(&format!("{page}/hold"), &[("hold-reason", "x")]).await.expect(403);
    let refused = ada.post(&format!("{page}/hold"), &[("hold-reason", " ")]).await.expect(400).text();
    assert!(refused.contains("enter one line of 1 to 500 characters"), "{refused}");
    ada.post(&format!("{page}/hold"), &[("hold-reason", "lawsuit <b>12</b>")]).await.expect(303);
    let again = ada.post(&format!("{page}/hold"), &[("hold-reason", "x")]).await.expect(400).text();
    assert!(again.contains("is under legal hold already"), "{again}");
    let shown = mona.get(&page).await.expect(200).text();
    assert!(shown.contains("lawsuit &lt;b&gt;12&lt;/b&gt;") && !shown.contains("Delete for ever"), "{shown}");
    let listed = server.run(&["hold", "list", "--json"]);
    let listed: Value = serde_json::from_slice(&listed.stdout).expect("hold list --json prints an array");
    let hold = &listed[0];
    assert_eq!((&hold["caseId"], &hold["companyId"], &hold["heldBy"]), (&json!(case), &json!(ACME), &json!("ada")));

    let expected = format!("case {case} is under legal hold: it cannot be deleted before the hold is ended");
    assert_eq!(delete(&api, case).await.expect(400).error_message(), expected);
    let bulk = api.post("/cases/bulk-delete", &json!({ "caseIds": [case] })).await.expect(200).json();
    assert_eq!((&bulk["success"], &bulk["error"][0]["error"]), (&json!([]), &json!(expected)), "{bulk}");
    let number = case.to_string();
    let refused = mona.post(&format!("{page}/delete"), &[("confirm", &number)]).await.expect(400).text();
    assert!(refused.contains(&expected), "{refused}");

    // Neither does a manager end a hold.
    mona.post(&format!("{page}/hold/end"), &[]).await.expect(403);
    let ended = server.run(&["hold", "end", &format!("CAS-{case}_CMP-{ACME}")]);
    assert!(ended.status.success(), "{}", said(&ended));
    let again = server.run(&["hold", "end", &number]);
    assert!(again.status.code() == Some(1) && said(&again).contains("is not under legal hold"), "{}", said(&again));
    delete(&api, case).await.expect(200);
    let unknown = server.run(&["hold", "set", &number, "--reason", "too late"]);
    assert!(said(&unknown).contains(&format!("case {case} does not exist")), "{}", said(&unknown));
    let sql =
        "select actor_kind, action from audit_records where action in ('holdCase', 'endHold') and outcome = 'done'
               order by id";
    let records: Vec<(String, String)> = Rows::of(&server).await.all(sql).await;
    let expected = [("console", "holdCase"), ("command", "endHold")];
    assert_eq!(records, expected.map(|(kind, action)| (kind.to_owned(), action.to_owned())));
}

async fn decisions_21_the_interface_sets_and_ends_a_hold(server: TestServer) {
    let receiver = Receiver::start().await;
    server.must_apply(&(acme(&receiver) + &api_user(ACME_CLEANER, r#"["p_api:case:read", "p_api:case:delete"]"#)));
    server.must_apply(&borealis());
    let api = server.sign_in(ACME_API.username, ACME_API.password).await;
    let cleaner = server.sign_in(ACME_CLEANER.username, ACME_CLEANER.password).await;
    let stranger = server.sign_in(BOREALIS_API.username, BOREALIS_API.password).await;
    let case = open_case(&api, &json!({ "frameId": SHORT_FRAME })).await;
    let path = format!("/v2/cases/{case}/hold");
    let why = json!({ "reason": "lawsuit 12/345" });
    for (caller, status) in [(&cleaner, 403), (&stranger, 403), (&api.with_token(None), 401)] {
        caller.post(&path, &why).await.expect(status).error_message();
        caller.delete(&path).await.expect(status).error_message();
    }
    api.post("/v2/cases/999999/hold", &why).await.expect(404).error_message();
    api.delete("/v2/cases/999999/hold").await.expect(404).error_message();
    let message = api.post(&path, &json!({ "reason": "two\nlines" })).await.expect(400).error_message();
    assert!(message.contains("reason must be one line of 1 to 500 characters"), "{message}");
    let message = api.delete(&path).await.expect(400).error_message();
    assert_eq!(message, format!("case {case} is not under legal hold"));

    let held = api.post(&path, &why).await.expect(200).json();
    assert_eq!((&held["caseId"], &held["reason"]), (&json!(case), &why["reason"]), "{held}");
    assert_eq!(held["heldBy"], ACME_API.user_id);
    assert!(held["heldAt"].is_string(), "{held}");
    let message = api.post(&path, &why).await.expect(400).error_message();
    assert_eq!(message, format!("case {case} is under legal hold already"));
    cleaner.delete(&path).await.expect(403).error_message();
    delete(&cleaner, case).await.expect(400).error_message();
    // An open case can still be closed.
    close(&api, case).await.expect(200);
    assert_eq!(api.delete(&path).await.expect(200).json(), json!({ "caseId": case }));
    delete(&cleaner, case).await.expect(200);
    let sql =
        "select actor_kind, action from audit_records where action in ('holdCase', 'endHold') and outcome = 'done'
               order by id";
    let records: Vec<(String, String)> = Rows::of(&server).await.all(sql).await;
    let expected = [("api", "holdCase"), ("api", "endHold")];
    assert_eq!(records, expected.map(|(kind, action)| (kind.to_owned(), action.to_owned())));
}

async fn bytes_are_deleted_after_a_crash(mut server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    let mut cases = Vec::new();
    for _ in 0..2 {
        let case = open_case(&api, &json!({ "frameId": FRAME })).await;
        add_capture(&api, case, SIGNATURE, signature()).await.expect(200);
        close(&api, case).await.expect(200);
        receiver.wait_for_case(&format!("CAS-{case}_CMP-{ACME}")).await;
        cases.push(case);
    }
    at_rest(&server).await;
    server.must_apply(&acme_with(&receiver, "case_days = 3650\noriginal_days = 1\nfact_days = 1"));
    let aged = format!(
        "update cases set closed_at = 86400000 where id = {};
         update cases set closed_at = closed_at - 172800000 where id = {}",
        cases[0], cases[1]
    );
    Rows::change(&server, &aged).await;
    // The rows change, and nothing deletes the bytes.
    server.kill();
    let applied = retention(&server, "--apply");
    let expired: Vec<(&str, Option<i64>, i64)> = applied["expired"].as_array().unwrap().iter().map(summary).collect();
    assert_eq!(expired[..2], [("case", Some(cases[0]), 1), ("originals", Some(cases[1]), 1)], "{applied}");
    assert_eq!([files_in(&server, "items"), files_in(&server, "certificates")], [2, 2]);
    server.restart().await;
    eventually("the bytes are deleted", AMPLE, async || {
        let left = ["items", "facts", "certificates"].map(|area| files_in(&server, area));
        (left == [0, 0, 1]).then_some(())
    })
    .await;
    assert_eq!(retention(&server, "--dry-run")["expired"], json!([]));
}

async fn only_an_operator_shortens_the_times_in_the_console(server: TestServer) {
    let (_api, _receiver) = acme_on(&server).await;
    must_add_user(&server, "root", &["--role", "operator"]);
    must_add_user(&server, "ada", &["--role", "administrator", "--company", "7"]);
    let (root, ada) = (Person::signed_in(&server, "root").await, Person::signed_in(&server, "ada").await);
    let page = format!("/console/companies/{ACME}");
    root.post(&format!("{page}/keep"), &[]).await.expect(303);
    let change = async |person: &Person, days: &str| {
        let text = person.get(&page).await.expect(200).text();
        let (_, rest) = text.split_once("name=\"revision\" value=\"").expect("a form");
        let revision = rest.split('"').next().unwrap().to_owned();
        let fields = [("revision", revision.as_str()), ("name", "Acme"), ("template", "default"), ("case_days", days)];
        person.post(&format!("{page}/settings"), &fields).await
    };
    let refused = change(&ada, "100").await.expect(400).text();
    assert!(refused.contains("only an operator can shorten the times"), "{refused}");
    change(&root, "100").await.expect(303);
    change(&ada, "200").await.expect(303);
    let refused = change(&root, "0").await.expect(400).text();
    assert!(refused.contains("a number of days from 1 to 36500"), "{refused}");
    let exported = server.run(&["company", "export", &ACME.to_string()]);
    assert!(said(&exported).contains("case_days = 200"), "{}", said(&exported));
}
