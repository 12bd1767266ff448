//! The audit log: what is recorded, that it holds nothing secret, and that no one can change it unnoticed.

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::{
    field::{self, sign_in},
    support::{
        AMPLE, Api, Database, TestServer,
        analyst::{Analyst, DOCUMENT_NUMBER, LAST_NAME},
        company_manifest::{
            ACME, ACME_API, ACME_API_KEY, ACME_API_SECRET, ACME_FIELD, BOREALIS_API, DOCUMENT_UPLOAD, FRAME,
            PHOTOGRAPHY, SHORT_FRAME, TEXT_FIELD, acme_on, borealis,
        },
        eventually,
        evidence::{add_capture, add_document, add_entry, close, identity_card, open_case, photo},
        on_both_databases, postgres,
        rows::Rows,
        server::said,
    },
};

on_both_databases!(
    every_change_and_every_look_is_recorded_without_a_secret_or_a_value,
    what_fills_a_case_without_the_api_is_recorded,
    a_failed_sign_in_is_recorded_without_what_was_typed,
    a_bulk_request_has_a_record_for_each_case,
    a_command_is_recorded,
    records_are_found_and_exported,
    an_exported_record_shows_all_that_its_digest_covers,
    a_changed_removed_or_reordered_record_is_noticed,
    a_cut_tail_is_noticed_by_the_published_head,
    a_changed_entry_of_the_log_of_seals_is_noticed,
    what_a_killed_server_has_not_chained_is_chained_at_the_next_start,
);

/// All records, the oldest first, once they are chained.
fn records(server: &TestServer) -> Vec<Value> {
    listed(server, &[])
}

fn listed(server: &TestServer, more: &[&str]) -> Vec<Value> {
    let output = server.run(&[&["audit", "list", "--json", "--limit", "100000"], more].concat());
    assert!(output.status.success(), "{}", said(&output));
    let mut listed: Vec<Value> = serde_json::from_slice(&output.stdout).expect("audit list --json prints an array");
    listed.reverse();
    listed
}

/// What was done since a number of records: kind of actor, action and subject.
fn done_since(server: &TestServer, before: usize) -> Vec<String> {
    let done = records(server).into_iter().skip(before).filter(|record| record["outcome"] == "done");
    done.map(|record| line(&record)).collect()
}

fn line(record: &Value) -> String {
    let text = |field: &str| record[field].as_str().unwrap_or("-").to_owned();
    format!("{} {} {}", text("actorKind"), text("action"), text("subject"))
}

/// Runs `audit verify`, and requires the exit code.
#[track_caller]
fn verified(server: &TestServer, code: i32) -> String {
    let output = server.run(&["audit", "verify"]);
    assert_eq!(output.status.code(), Some(code), "{}", said(&output));
    said(&output)
}

fn exported(server: &TestServer, more: &[&str]) -> String {
    let output = server.run(&[&["audit", "export"], more].concat());
    assert!(output.status.success(), "{}", said(&output));
    String::from_utf8(output.stdout).expect("text")
}

fn short_hash(text: &str) -> String {
    hex::encode(Sha256::digest(text))[..8].to_owned()
}

async fn every_change_and_every_look_is_recorded_without_a_secret_or_a_value(mut server: TestServer) {
    let (api, _receiver) = Analyst::default().install_on(&mut server).await;
    let before = records(&server).len();
    let report = "R-9f2c-secret";
    let body = json!({ "frameId": FRAME, "title": "Burst pipe at Mrs Okonkwo's", "reportToken": report,
                       "metadata": { "order": "4711-Okonkwo" } });
    let case = open_case(&api, &body).await;
    let update = json!({ "caseId": case, "title": "Burst pipe, second floor", "metadata": { "order": "4712" } });
    api.patch("/cases/update", &update).await.expect(200);
    let entry = add_entry(&api, case, TEXT_FIELD, "Mirabellon-entered").await.expect(201).json();
    let picture = add_capture(&api, case, PHOTOGRAPHY, photo(7)).await.expect(200).json();
    let document = add_document(&api, case, DOCUMENT_UPLOAD, identity_card()).await.expect(200).json();
    let item = entry["itemId"].as_i64().unwrap();
    let retake = json!({ "reason": "The picture of Mrs Okonkwo is blurred" });
    api.post(&format!("/v2/items/{item}/retake"), &retake).await.expect(200);
    let closed = close(&api, case).await.expect(200).json();
    let analysis = eventually("the document is analysed", AMPLE, async || {
        let analysis = api.get(&format!("/cases/{case}/analysis")).await.expect(200).text();
        analysis.contains("FONT_CONSISTENCY").then_some(analysis)
    })
    .await;
    assert!(!analysis.is_empty());
    api.get(&format!("/cases?format=metadata&caseId={case}")).await.expect(200);
    api.post(&format!("/reports/report/{report}"), &json!({ "format": "metadata" })).await.expect(200);
    let settings = json!({ "endpoint": "https://hooks.acme.example/cases", "authToken": "tok-3c-never-shown" });
    api.post("/company-options/api-settings", &settings).await.expect(200);
    api.delete(&format!("/cases/delete/{case}")).await.expect(200);

    let mut done = done_since(&server, before);
    let looks = done.iter().filter(|line| **line == format!("api readAnalysis case {case}")).count();
    assert!(looks > 0, "{done:?}");
    done.retain(|line| !line.contains("readAnalysis"));
    let items: Vec<i64> = listed(&server, &["--subject", &format!("case {case}")])
        .iter()
        .filter_map(|record| record["subject"].as_str()?.strip_prefix("item ")?.parse().ok())
        .collect();
    assert_eq!((items.len(), items[0]), (4, item), "with the retake: {items:?}");
    let expected = [
        format!("api createCase case {case}"),
        format!("api updateCase case {case}"),
        format!("api createEntryItem item {item}"),
        format!("api uploadMedia item {}", items[1]),
        format!("api uploadDocument item {}", items[2]),
        format!("api requestRetake item {item}"),
        format!("api closeCase case {case}"),
        "api searchCases -".to_owned(),
        format!("api downloadReport report {}", short_hash(report)),
        "api updateApiSettings case-webhook".to_owned(),
        format!("api deleteCase case {case}"),
    ];
    assert_eq!(done, expected);
    let all = records(&server);
    let update = all.iter().find(|record| record["action"] == "updateCase").unwrap();
    assert_eq!(update["detail"], "title, metadata");
    assert_eq!((&update["actor"], &update["company"]), (&json!(ACME_API.user_id), &json!(ACME)));
    assert_eq!(update["address"], "127.0.0.1");
    let search = all.iter().find(|record| record["action"] == "searchCases").unwrap();
    assert_eq!(search["detail"], "1 cases match");

    let key = |url: &Value| url.as_str().unwrap().rsplit('/').next().unwrap().to_owned();
    let keys = [key(&closed["pdfUrl"]), picture_key(&picture), picture_key(&document)];
    let token = api.token.clone().unwrap();
    let secrets = [
        report,
        token.as_str(),
        ACME_API.password,
        ACME_FIELD.password,
        ACME_API_KEY,
        ACME_API_SECRET,
        "tok-3c-never-shown",
        "hooks.acme.example",
        "Okonkwo",
        "second floor",
        "4711",
        "4712",
        "Mirabellon",
        LAST_NAME,
        DOCUMENT_NUMBER,
        "Fairphone",
    ];
    let export = exported(&server, &[]);
    for secret in secrets.into_iter().chain(keys.iter().map(String::as_str)) {
        assert!(!export.contains(secret), "{secret} is in the audit log:\n{export}");
    }
    assert!(verified(&server, 0).contains("is whole"));
}

/// The access key of an uploaded file, from any of the answer's addresses.
fn picture_key(answer: &Value) -> String {
    let address = answer.as_object().unwrap().values().filter_map(Value::as_str).find(|text| text.contains("/images/"));
    address.expect("an address").rsplit('/').next().unwrap().to_owned()
}

async fn what_fills_a_case_without_the_api_is_recorded(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let before = records(&server).len();
    let link = crate::capture::create(&api, &json!({ "frameId": FRAME })).await;
    let case = crate::capture::open(&link).await;
    let path = format!("/v2/capture/cases/{case}");
    link.get(&path).await.expect(200);
    link.post(&format!("{path}/entries"), &field::entry(TEXT_FIELD, "x")).await.expect(201);
    crate::capture::close(&link, case).await.expect(200);

    let answer = sign_in(&server, ACME_FIELD).await;
    let flora = field::person(&server, &answer);
    let own = open_case(&api, &json!({ "frameId": SHORT_FRAME, "userId": ACME_FIELD.user_id })).await;
    flora.get("/v2/field/cases").await.expect(200);
    let path = format!("/v2/capture/cases/{own}");
    flora.get(&path).await.expect(200);
    crate::capture::close(&flora, own).await.expect(200);
    flora.post("/v2/field/sign-out", &json!({})).await.expect(204);

    let token = link.token.clone().unwrap();
    let item = records(&server).iter().find(|record| record["action"] == "addCaptureEntry").unwrap()["subject"].clone();
    let expected = [
        format!("api createLink link {}", short_hash(&token)),
        format!("link openCaptureCase case {case}"),
        format!("link readCaptureCase case {case}"),
        format!("link addCaptureEntry {}", item.as_str().unwrap()),
        format!("link closeCaptureCase case {case}"),
        "field signInFieldUser -".to_owned(),
        format!("api createCase case {own}"),
        "field listFieldCases -".to_owned(),
        format!("field readCaptureCase case {own}"),
        format!("field closeCaptureCase case {own}"),
        "field signOutFieldUser -".to_owned(),
    ];
    assert_eq!(done_since(&server, before), expected);
    let by_link = listed(&server, &["--actor", &format!("link {}", short_hash(&token))]);
    assert_eq!(by_link.len(), 4);
    let by_flora = listed(&server, &["--actor", ACME_FIELD.user_id]);
    assert_eq!(by_flora.len(), 5);
    let export = exported(&server, &[]);
    let cookie = field::cookie_of(&answer);
    for secret in [token.as_str(), cookie.split_once('=').unwrap().1, answer.json()["csrfToken"].as_str().unwrap()] {
        assert!(!export.contains(secret), "{secret} is in the audit log");
    }
}

async fn a_failed_sign_in_is_recorded_without_what_was_typed(server: TestServer) {
    let (_api, _receiver) = acme_on(&server).await;
    let anonymous = server.anonymous();
    for (username, password) in [(ACME_FIELD.username, "wrong-guess-1"), ("my-password-77", "wrong-guess-2")] {
        let body = json!({ "username": username, "password": password });
        anonymous.post("/v2/field/sign-in", &body).await.expect(401);
    }
    anonymous.sign_in(ACME_API.username, "wrong-guess-3").await.expect(401);
    let refused = records(&server).into_iter().filter(|record| record["outcome"] == "refused");
    let refused: Vec<_> =
        refused.map(|record| (record["actor"].clone(), record["company"].clone(), line(&record))).collect();
    let field = "field signInFieldUser -".to_owned();
    let expected = [
        (json!(ACME_FIELD.user_id), json!(ACME), field.clone()),
        (json!("unknown"), Value::Null, field),
        (json!(ACME_API.user_id), json!(ACME), "api createToken -".to_owned()),
    ];
    assert_eq!(refused, expected);
    let export = exported(&server, &[]);
    assert!(!export.contains("wrong-guess") && !export.contains("my-password-77"), "{export}");
}

async fn a_bulk_request_has_a_record_for_each_case(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let before = records(&server).len();
    let wrong = json!({ "frameId": 999_999, "userId": ACME_API.user_id });
    let right = json!({ "frameId": FRAME, "userId": ACME_API.user_id });
    let created = api.post("/cases/bulk-create", &json!([right, wrong, right])).await.expect(200).json();
    let ids: Vec<i64> =
        created["success"].as_array().unwrap().iter().map(|case| case["caseId"].as_i64().unwrap()).collect();
    // An element that fails when it is written undoes its record too.
    close(&api, ids[0]).await.expect(200);
    api.post("/cases/bulk-delete", &json!({ "caseIds": ids })).await.expect(200);
    let [one, other] = ids[..] else { panic!("two cases: {ids:?}") };
    let expected = [
        format!("api createCase case {one}"),
        format!("api createCase case {other}"),
        format!("api closeCase case {one}"),
        format!("api deleteCase case {one}"),
        format!("api deleteCase case {other}"),
    ];
    assert_eq!(done_since(&server, before), expected);
}

async fn a_command_is_recorded(server: TestServer) {
    let receiver = crate::support::Receiver::start().await;
    let manifest = crate::support::company_manifest::acme(&receiver);
    server.must_apply(&manifest);
    server.must_apply(&manifest);
    server.must_apply(&manifest.replace("Acme Insurance", "Acme Mutual"));
    server.run(&["apply", "--dry-run", &server.write_company_manifest(&borealis())]);
    let all = records(&server);
    let applied: Vec<_> = all.iter().map(line).collect();
    assert_eq!(applied, ["command apply company 7"; 2], "{all:?}");
    assert!(all[0]["actor"].as_str().is_some_and(|name| !name.is_empty()), "{}", all[0]);
    assert_eq!(all[0]["address"], Value::Null);
    let detail = all[1]["detail"].as_str().unwrap();
    assert!(detail.starts_with("0 created, 1 changed, 0 deactivated, "), "{detail}");
}

async fn records_are_found_and_exported(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    server.must_apply(&borealis());
    let stranger = server.sign_in(BOREALIS_API.username, BOREALIS_API.password).await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    stranger.get("/cases?hours=1").await.expect(200);
    let count = |more: &[&str]| listed(&server, more).len();
    assert_eq!(count(&["--company", "8"]), 3, "applied, signed in, searched");
    assert_eq!(count(&["--action", "createCase"]), 1);
    assert_eq!(count(&["--action", "createCase", "--company", "8"]), 0);
    assert_eq!(count(&["--subject", &format!("case {case}")]), 1);
    assert_eq!(count(&["--actor", ACME_API.user_id]), 2);
    assert_eq!(count(&["--actor", &format!("api {}", ACME_API.user_id)]), 2);
    assert_eq!(count(&["--actor", &format!("field {}", ACME_API.user_id)]), 0);
    let all = records(&server);
    assert_eq!(count(&["--since", "2020-01-01"]), all.len());
    assert_eq!(count(&["--until", "2020-01-01T00:00:00+01:00"]), 0);
    let last = all.last().unwrap()["happenedAt"].as_str().unwrap();
    assert!(count(&["--since", last]) > 0 && count(&["--until", last]) < all.len());
    let wrong = server.run(&["audit", "list", "--since", "yesterday"]);
    assert!(!wrong.status.success() && said(&wrong).contains("expected a date"), "{}", said(&wrong));

    let lines: Vec<Value> = exported(&server, &[]).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines, all);
    let two = exported(&server, &["--limit", "2"]);
    assert_eq!(two.lines().count(), 2);
    // A name that a spreadsheet would run.
    Rows::change(
        &server,
        "insert into audit_records (happened_at, actor_kind, actor, action, outcome, detail)
                           values (0, 'command', '=1+1', 'test', 'done', 'a \"b\", c')",
    )
    .await;
    let csv = exported(&server, &["--format", "csv", "--action", "test"]);
    let (heading, row) = csv.split_once("\r\n").unwrap();
    assert!(heading.starts_with("position,id,happenedAt,company,actorKind,actor,"), "{heading}");
    assert!(row.contains(",1970-01-01T00:00:00.000Z,,command,'=1+1,test,,,done,\"a \"\"b\"\", c\","), "{row}");
    let table = said(&server.run(&["audit", "list", "--limit", "1"]));
    assert!(table.starts_with("POSITION") && table.contains("command =1+1"), "{table}");
}

/// What the operator's guide says, in another program.
async fn an_exported_record_shows_all_that_its_digest_covers(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    open_case(&api, &json!({ "frameId": FRAME })).await;
    let mut before = vec![0; 32];
    for (number, line) in exported(&server, &[]).lines().enumerate() {
        let mut record: Value = serde_json::from_str(line).unwrap();
        let members = record.as_object_mut().unwrap();
        assert_eq!(members.remove("position"), Some(json!(number + 1)));
        let stored = members.remove("digest").unwrap();
        let sorted: std::collections::BTreeMap<_, _> = members.iter().collect();
        let canonical = serde_json::to_vec(&sorted).unwrap();
        let digest = Sha256::digest([b"sealwright-audit-record/1\n", &before[..], &canonical[..]].concat());
        assert_eq!(stored, hex::encode(digest), "{line}");
        before = digest.to_vec();
    }
    let output = server.run(&["audit", "verify", "--json"]);
    let check: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&check["head"], &check["problem"]), (&json!(hex::encode(before)), &Value::Null));
}

/// A server that was stopped after some records.
async fn stopped(server: &mut TestServer) -> Api {
    let (api, _receiver) = acme_on(server).await;
    for _ in 0..4 {
        open_case(&api, &json!({ "frameId": FRAME })).await;
    }
    assert!(verified(server, 0).contains("checked    6 records"));
    server.terminate().await;
    api
}

async fn a_changed_removed_or_reordered_record_is_noticed(mut server: TestServer) {
    stopped(&mut server).await;
    let change = async |sql: &str| Rows::change(&server, sql).await;
    let change = &change;

    change("update audit_records set happened_at = happened_at + 1 where position = 3").await;
    assert!(verified(&server, 1).contains("record 3 was changed"));
    change("update audit_records set happened_at = happened_at - 1 where position = 3").await;
    verified(&server, 0);

    let swap = "update audit_records set position = 1000 where position = 2;
                update audit_records set position = 2 where position = 5;
                update audit_records set position = 5 where position = 1000";
    change(swap).await;
    let said = verified(&server, 1);
    assert!(said.contains("the one that belongs at position 2 is now at position 5"), "{said}");
    change(swap).await;
    verified(&server, 0);

    change("update audit_head set size = 5").await;
    assert!(verified(&server, 1).contains("the head of the chain was changed"));
    change("update audit_head set size = 6").await;
    verified(&server, 0);

    change("delete from audit_records where position = 6").await;
    let said = verified(&server, 1);
    assert!(said.contains("the chain ends with record 5, but its head is at record 6"), "{said}");
    change("delete from audit_records where position = 2").await;
    assert!(verified(&server, 1).contains("record 2 was removed"));
    let output = server.run(&["audit", "verify", "--json"]);
    let check: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(check["problem"], json!({ "kind": "removed", "position": 2 }));
    change("delete from audit_head").await;
    assert!(verified(&server, 1).contains("record 2 was removed"));
}

async fn a_cut_tail_is_noticed_by_the_published_head(mut server: TestServer) {
    let api = stopped(&mut server).await;
    let output = server.run(&["audit", "verify", "--publish"]);
    assert!(output.status.success() && said(&output).contains("6 records were published"), "{}", said(&output));
    let again = server.run(&["audit", "verify", "--publish"]);
    assert!(!said(&again).contains("were published in"), "it has not moved: {}", said(&again));
    // Monitors read it in the log of seals.
    server.restart().await;
    let entry = server.anonymous().get("/log/tile/entries/000.p/1").await.expect(200).body;
    let entry: Value = serde_json::from_slice(&entry[2..]).unwrap();
    assert_eq!((&entry["kind"], &entry["size"]), (&json!("audit-head"), &json!(6)));
    assert_eq!(entry["digest"], records(&server)[5]["digest"]);
    let checkpoint = server.anonymous().get("/log/checkpoint").await.expect(200).text();
    assert_eq!(checkpoint.lines().nth(1), Some("1"));

    // Someone cuts the tail and the head with it, and goes on.
    server.terminate().await;
    let cut = "delete from audit_records where position > 4;
               update audit_head set size = 4, digest = (select digest from audit_records where position = 4)";
    Rows::change(&server, cut).await;
    let said = verified(&server, 1);
    assert!(said.contains("the chain ends with record 4, but a head over 6 records was published"), "{said}");
    server.restart().await;
    for _ in 0..3 {
        open_case(&api, &json!({ "frameId": FRAME })).await;
    }
    let said = verified(&server, 1);
    assert!(said.contains("the records up to 6 were rewritten"), "{said}");
}

async fn a_changed_entry_of_the_log_of_seals_is_noticed(mut server: TestServer) {
    stopped(&mut server).await;
    assert!(server.run(&["audit", "verify", "--publish"]).status.success());
    Rows::change(&server, "update log_entries set entry = replace(entry, '\"size\":6', '\"size\":5')").await;
    assert!(verified(&server, 1).contains("an entry of the log of seals was changed or removed"));
    Rows::change(&server, "delete from log_entries").await;
    assert!(verified(&server, 1).contains("an entry of the log of seals was changed or removed"));
    Rows::change(&server, "delete from log_nodes; update log_head set size = 0, peaks = '[]', checkpoint = ''").await;
    assert!(verified(&server, 1).contains("a checkpoint over 1 was published"));
}

async fn what_a_killed_server_has_not_chained_is_chained_at_the_next_start(mut server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    // Nothing chains while the workers are away.
    server.restart_as("api").await;
    for _ in 0..3 {
        open_case(&api, &json!({ "frameId": FRAME })).await;
    }
    let waiting = async || {
        let rows: Vec<(i64,)> =
            Rows::of(&server).await.all("select id from audit_records where position is null").await;
        rows.len()
    };
    assert!(waiting().await >= 3);
    server.kill();
    server.restart_as("all").await;
    let server = &server;
    eventually("the records are chained", AMPLE, async || {
        let rows: Vec<(i64,)> = Rows::of(server).await.all("select id from audit_records where position is null").await;
        rows.is_empty().then_some(())
    })
    .await;
    assert!(verified(server, 0).contains("is whole"));
}

/// Nodes take turns: no position is given twice, and none is left out.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_nodes_chain_at_once() {
    if !postgres::is_there() {
        return;
    }
    let server = TestServer::start(Database::Postgres).await;
    let (api, _receiver) = acme_on(&server).await;
    let other = server.another_node().await;
    let there = Api::new(&other.base_url(), api.token.clone());
    for _ in 0..3 {
        let body = json!(vec![json!({ "frameId": FRAME, "userId": ACME_API.user_id }); 50]);
        let (one, two) = tokio::join!(api.post("/cases/bulk-create", &body), there.post("/cases/bulk-create", &body));
        one.expect(200);
        two.expect(200);
        let both = [server.spawn(&["audit", "verify"]), server.spawn(&["audit", "verify"])];
        for check in both {
            let output = check.wait_with_output().expect("the command ends");
            assert!(output.status.success(), "{}", said(&output));
        }
    }
    assert!(verified(&server, 0).contains("checked    302 records"));
    for node in [&server, &other] {
        assert!(!node.log().contains("cannot be chained"));
    }
}
