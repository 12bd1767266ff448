//! An installation of the last release, with cases in every state, under this program (docs/adr/0057-upgrades.md).
//! `tests/fixtures/upgrade` has it and says how it was made.

use std::{fs, process::Command};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Value, json};

use crate::{
    console::Person,
    field,
    support::{
        AMPLE, Api, Database, Receiver, TestServer,
        client::send,
        company_manifest::{ACME, ACME_API, ACME_API_KEY, ACME_API_SECRET, ACME_FIELD, FRAME, TEXT_FIELD, acme},
        eventually,
        evidence::{add_entry, close, open_case},
        on_both_databases, postgres,
        proofs::checked,
        rows::Rows,
        server::said,
    },
    uploads_by_pieces::requests::{hash, head, patch},
};

on_both_databases!(a_program_that_is_older_than_the_schema_refuses_in_one_line);

const FIXTURE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/fixtures/upgrade");
/// The statements of the last release, one in each line. A comment names the only database of a statement.
const STATEMENTS: &str = include_str!("../fixtures/upgrade/statements.sql");
/// From the lowest to the highest.
const LEVELS: [&str; 3] = ["B-B", "B-T", "B-LTA"];

const fn name_of(database: Database) -> &'static str {
    match database {
        Database::Sqlite => "sqlite",
        Database::Postgres => "postgres",
    }
}

/// The installation of the last release, not started yet, and what the release said about it.
async fn last_release(database: Database) -> (TestServer, Value) {
    let server = TestServer::not_started(database);
    let mut tar = Command::new("tar");
    tar.args(["--no-same-owner", "-xJf"]).arg(format!("{FIXTURE}/installation.tar.xz")).arg("-C").arg(server.folder());
    let unpacked = tar.output().unwrap();
    assert!(unpacked.status.success(), "{}", said(&unpacked));
    fs::rename(server.folder().join(name_of(database)), server.data_dir()).unwrap();
    if matches!(database, Database::Postgres) {
        Rows::change(&server, &fs::read_to_string(server.data_dir().join("database.sql")).unwrap()).await;
    }
    // The fixture is older than the time for which an upload is kept.
    Rows::change(&server, "update uploads set expires_at = 4102441200000").await;
    let expected = fs::read_to_string(server.data_dir().join("expected.json")).unwrap();
    (server, serde_json::from_str(&expected).unwrap())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_installation_of_the_last_release_is_upgraded_on_sqlite() {
    upgrade(Database::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_installation_of_the_last_release_is_upgraded_on_postgres() {
    if postgres::is_there() {
        upgrade(Database::Postgres).await;
    }
}

async fn upgrade(database: Database) {
    let (mut server, expected) = last_release(database).await;
    let receiver = Receiver::start().await;
    // Before the first start: the receivers of the last release are gone. The command migrates the database.
    server.must_apply(&manifest(&receiver));
    server.begin().await;
    let api = server.sign_in(ACME_API.username, ACME_API.password).await;
    certificates_are_the_same_and_valid(&server, &expected).await;
    what_was_said_is_still_said(&server, &api, &expected).await;
    waiting_work_is_done(&server, &receiver, &expected).await;
    captures_continue(&server, &expected).await;
    the_open_case_continues(&server, &api, &expected).await;
    what_was_given_up_can_be_repaired(&server, &expected).await;
    field::sign_in(&server, ACME_FIELD).await;

    let audit = server.run(&["audit", "verify"]);
    assert!(audit.status.success(), "{}", said(&audit));
    let doctor: Value = serde_json::from_slice(&server.run(&["doctor", "--json"]).stdout).unwrap();
    for part in ["database", "blob store", "secret key", "plugins", "log of seals"] {
        let check = doctor["checks"].as_array().unwrap().iter().find(|check| check["part"] == part);
        assert_eq!(check.unwrap()["state"], "good", "{doctor}");
    }
    Rows::of(&server).await.assert_intact().await;
}

fn manifest(receiver: &Receiver) -> String {
    format!(
        "{}\n[webhook.decision]\nendpoint = \"{}\"\nauth = \"hmac-sha256\"\napi_key = \"{ACME_API_KEY}\"\n\
         api_secret = \"{ACME_API_SECRET}\"\n",
        acme(receiver),
        receiver.url("/decisions")
    )
}

fn number(value: &Value) -> i64 {
    value.as_i64().unwrap()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

/// Requires that `now` has everything that the last release said. A newer one may say more.
#[track_caller]
fn assert_contains(now: &Value, then: &Value) {
    match (now, then) {
        (Value::Object(now), Value::Object(then)) => {
            for (name, value) in then {
                assert_contains(now.get(name).unwrap_or(&Value::Null), value);
            }
        }
        (Value::Array(now), Value::Array(then)) => {
            assert_eq!(now.len(), then.len(), "{now:?} {then:?}");
            for (now, then) in now.iter().zip(then) {
                assert_contains(now, then);
            }
        }
        _ => assert_eq!(now, then),
    }
}

/// Reads and checks a certificate, and returns its bytes and its level as a position in [`LEVELS`].
async fn read(server: &TestServer, path: &str, more: &[&str]) -> (Vec<u8>, usize) {
    let pdf = server.anonymous().get(path).await.expect(200).body.to_vec();
    let report = checked(server, "certificate.pdf", &pdf, more, 0);
    assert_eq!(report["outcome"], "valid", "{report}");
    let level = LEVELS.iter().position(|level| report["level"] == *level).unwrap();
    (pdf, level)
}

async fn certificates_are_the_same_and_valid(server: &TestServer, expected: &Value) {
    let root = server.data_dir().join("outside-root.pem").display().to_string();
    let certificates = expected["certificates"].as_array().unwrap();
    let recorded: Vec<&str> = certificates.iter().map(|certificate| text(&certificate["level"])).collect();
    assert!(LEVELS.iter().all(|level| recorded.contains(level)), "{recorded:?}");
    for certificate in certificates {
        let trust = ["--trust", root.as_str()];
        let more: &[&str] = if certificate["level"] == "B-T" { &trust } else { &[] };
        let (pdf, level) = read(server, text(&certificate["path"]), more).await;
        // Below the highest level, the server adds the time stamps that are missing as soon as it can.
        if certificate["level"] == "B-LTA" {
            assert_eq!(hash(&pdf), certificate["sha256"], "{certificate}");
        }
        let before = LEVELS.iter().position(|level| certificate["level"] == *level).unwrap();
        assert!(level >= before, "{certificate} has level {}", LEVELS[level]);
    }
}

async fn what_was_said_is_still_said(server: &TestServer, api: &Api, expected: &Value) {
    let analysed = number(&expected["analysis"]["case"]);
    let verdict = api.get(&format!("/cases/{analysed}/analysis")).await.expect(200).json();
    assert_contains(&verdict, &expected["analysis"]["verdict"]);
    let decided = number(&expected["decision"]["case"]);
    let decision = api.get(&format!("/v2/cases/{decided}/decision")).await.expect(200).json();
    assert_contains(&decision, &expected["decision"]["decision"]);
    let rita = Person::signed_in(server, "rita").await;
    rita.get(&format!("/console/cases/{decided}")).await.expect(200);

    let deleted = &expected["deleted"];
    server.anonymous().get(text(&deleted["path"])).await.expect(404);
    api.get(&format!("/v2/cases/{}/decision", number(&deleted["case"]))).await.expect(404);
    let report = server.anonymous().get("/reports/claim-1").await.expect(200).json();
    assert_eq!(report.as_array().unwrap().len(), 3, "{report}");
}

/// What the last release had not finished when it was stopped: a seal, its webhook, that of a decision, and the time
/// stamps of a certificate.
async fn waiting_work_is_done(server: &TestServer, receiver: &Receiver, expected: &Value) {
    let reference = |value: &Value| format!("CAS-{}_CMP-{ACME}", number(value));
    let sealing = &expected["sealing"];
    let webhook = receiver.wait_for_case(&reference(&sealing["case"])).await;
    assert!(text(&webhook["caseUrl"]).ends_with(text(&sealing["path"])), "{webhook}");
    read(server, text(&sealing["path"]), &[]).await;
    let webhook = receiver.wait_for_case(&reference(&expected["decision"]["case"])).await;
    assert_eq!(webhook["outcome"], "accepted", "{webhook}");
    let mut rows = Rows::of(server).await;
    eventually("the missing time stamps are added", AMPLE, async || {
        let missing: Vec<(i64,)> = rows.all("select case_id from certificates where level = 'B-B'").await;
        missing.is_empty().then_some(())
    })
    .await;
}

/// A link of the last release, and an upload whose first half has arrived.
async fn captures_continue(server: &TestServer, expected: &Value) {
    let link = server.anonymous().with_token(expected["link"].as_str());
    let (upload, case) = (&expected["upload"], number(&expected["upload"]["case"]));
    let view = format!("/v2/capture/cases/{case}");
    let announced = link.get(&view).await.expect(200).json()["announced"].clone();
    assert_eq!(announced[0]["captureId"], upload["captureId"], "{announced}");
    let url = text(&upload["path"]);
    let offset = upload["offset"].as_u64().unwrap();
    assert_eq!(head(&link, url).await.expect(200).header("upload-offset"), Some(offset.to_string().as_str()));
    let rest = STANDARD.decode(text(&upload["rest"])).unwrap();
    send(patch(&link, url, usize::try_from(offset).unwrap(), rest)).await.expect(204);
    assert_eq!(link.get(&view).await.expect(200).json()["announced"], json!([]));
}

async fn the_open_case_continues(server: &TestServer, api: &Api, expected: &Value) {
    let case = number(&expected["open"]);
    add_entry(api, case, TEXT_FIELD, "Continued").await.expect(201);
    let closed = close(api, case).await.expect(200).json();
    let (_, level) = read(server, text(&closed["pdfUrl"]), &[]).await;
    assert_eq!(LEVELS[level], "B-LTA");
    // The identifiers of the last release are not given again.
    assert!(open_case(api, &json!({ "frameId": FRAME })).await > case);
}

async fn what_was_given_up_can_be_repaired(server: &TestServer, expected: &Value) {
    let given_up = &expected["givenUp"];
    server.anonymous().get(text(&given_up["path"])).await.expect(503);
    let listed = server.run(&["job", "list", "--json"]);
    let jobs: Vec<Value> = serde_json::from_slice(&listed.stdout).unwrap();
    let of_case = |job: &&Value| job["kind"] == "seal" && job["subject"] == given_up["case"];
    let job = jobs.iter().find(of_case).unwrap_or_else(|| panic!("{}", said(&listed)));
    assert_eq!(job["state"], "failed", "{job}");
    Rows::change(server, "delete from item_tokens where der = '?'").await;
    let retried = server.run(&["job", "retry", &job["id"].to_string()]);
    assert!(retried.status.success(), "{}", said(&retried));
    eventually("the certificate is made", AMPLE, async || {
        let answer = server.anonymous().get(text(&given_up["path"])).await;
        (answer.status == 200).then_some(())
    })
    .await;
    read(server, text(&given_up["path"]), &[]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_statements_of_the_last_release_are_valid_on_the_newer_schema_of_sqlite() {
    check_statements(Database::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_statements_of_the_last_release_are_valid_on_the_newer_schema_of_postgres() {
    if postgres::is_there() {
        check_statements(Database::Postgres).await;
    }
}

/// During a rolling restart, nodes of the last release still run on the schema of the newer one.
async fn check_statements(database: Database) {
    let (server, expected) = last_release(database).await;
    let migrated = server.run(&["job", "list"]);
    assert!(migrated.status.success(), "{}", said(&migrated));
    let mut rows = Rows::of(&server).await;
    let newest: Vec<(i64,)> = rows.all("select max(version) from _sqlx_migrations").await;
    assert!(newest[0].0 > number(&expected["migration"]), "{newest:?}");

    let (mut checked, mut refused) = (0, Vec::new());
    for line in STATEMENTS.lines() {
        let (statement, only) = line.split_once(';').unwrap();
        let only = only.trim_start_matches(" -- ");
        if !only.is_empty() && only != name_of(database) {
            continue;
        }
        checked += 1;
        if let Err(error) = rows.accept(statement).await {
            refused.push(format!("{error}: {statement}"));
        }
    }
    assert!(checked > 200, "{checked}");
    assert!(refused.is_empty(), "the last release cannot run next to this one:\n{}", refused.join("\n"));
    assert!(rows.accept("insert into cases (no_column) values ($1)").await.is_err(), "nothing is checked");
}

async fn a_program_that_is_older_than_the_schema_refuses_in_one_line(mut server: TestServer) {
    server.kill();
    // What the next version leaves in the database.
    let upgrade = "insert into _sqlx_migrations (version, description, success, checksum, execution_time) \
         select 9999, 'next', true, checksum, 0 from _sqlx_migrations where version = 1";
    Rows::change(&server, upgrade).await;
    let commands: [&[&str]; 3] = [&["serve"], &["job", "list"], &["company", "export", "7"]];
    for command in commands {
        let output = server.run(command);
        assert_eq!(output.status.code(), Some(1), "{command:?}: {}", said(&output));
        let errors = String::from_utf8_lossy(&output.stderr);
        let about: Vec<&str> = errors.lines().filter(|line| line.contains("newer version")).collect();
        assert_eq!(about.len(), 1, "{command:?}: {errors}");
        for expected in ["error: ", "migration 9999", "start the newer version", "restore the backup"] {
            assert!(about[0].contains(expected), "{command:?}: {expected}: {errors}");
        }
    }
    let doctor = server.run(&["doctor"]);
    assert!(!doctor.status.success(), "{}", said(&doctor));
    for expected in ["migration 9999", "start the version that upgraded it"] {
        assert!(said(&doctor).contains(expected), "{expected}: {}", said(&doctor));
    }
    // Nothing was changed: without that row the program starts as before.
    Rows::change(&server, "delete from _sqlx_migrations where version = 9999").await;
    server.restart().await;
}
