//! Running again what a verdict is based on, and trying candidates on stored evidence: `sealwright plugin replay` and
//! `sealwright plugin backtest`.

use std::{
    fs,
    io::{BufRead as _, BufReader, Read as _},
    path::PathBuf,
    process::Output,
};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::support::{
    AMPLE, Api, EFFECT, Receiver, TestServer,
    analyst::{Analyst, LAST_NAME, LOOP, TRAP, analysed},
    company_manifest::{BOREALIS_API, DOCUMENT_UPLOAD, FRAME, SHORT_FRAME, TEXT_FIELD, borealis},
    eventually,
    evidence::{add_document, add_entry, close, identity_card, open_case},
    on_both_databases,
    rows::Rows,
    server::said,
};

on_both_databases!(
    a_verdict_is_replayed_with_the_same_answers_even_if_its_plugin_was_replaced,
    a_failure_is_replayed_too,
    a_call_that_burns_its_fuel_ends_in_the_same_way_when_it_is_replayed,
    replay_says_what_differs_and_what_cannot_be_run_again,
    replay_says_that_the_bytes_were_deleted_after_the_analysis,
    a_backtest_says_what_would_change_and_changes_nothing,
    a_backtest_of_what_is_in_service_changes_nothing,
    a_backtest_alongside_the_plugins_in_service_replaces_none,
    a_backtest_refuses_what_it_cannot_try,
    an_interrupted_backtest_reports_what_it_has_seen,
);

/// Its check is certain of fraud.
const ACCUSING: Analyst = Analyst { version: "2.0.0", evaluation: 5, detect: "", extract: "", inspect: "", assess: "" };

async fn a_verdict_is_replayed_with_the_same_answers_even_if_its_plugin_was_replaced(mut server: TestServer) {
    let (api, receiver) = Analyst::default().install_on(&mut server).await;
    let case = judged(&api, &receiver).await;
    let replayed = replay(&server, case, 0);
    // The type, the fields, the comparison, the checks and the signals.
    assert_eq!((&replayed["same"], &replayed["different"], &replayed["cannotRun"]), (&json!(5), &json!(0), &json!(0)));
    let text = said(&server.run(&["plugin", "replay", &format!("CAS-{case}_CMP-7")]));
    assert!(text.contains("5 the same, 0 different, 0 that cannot be run again"), "{text}");
    assert!(!text.contains(LAST_NAME), "{text}");
    for run in replayed["runs"].as_array().unwrap() {
        assert!(run["fuel"].as_i64() > Some(0) && run["fuel"] == run["fuelNow"], "{run}");
    }
    assert!(text.contains("units of fuel both times"), "{text}");

    let before = replayed["runs"][0]["digest"].clone();
    fs::write(server.data_dir().join("plugins/analyst.wasm"), ACCUSING.component()).unwrap();
    eventually("the old component is out of service", AMPLE, async || {
        (!said(&server.run(&["plugin", "list", "--json"])).contains(before.as_str().unwrap())).then_some(())
    })
    .await;
    server.restart().await;
    // The replay does not use today's settings either.
    server.must_apply(&analysed(&receiver).replace("role = \"signal\"", "role = \"signal\"\nshadow = true"));
    assert_eq!(replay(&server, case, 0)["same"], 5);
    // A machine that never had the old component gets it from the blob store.
    fs::remove_dir_all(server.data_dir().join("plugin-cache")).unwrap();
    let again = replay(&server, case, 0);
    assert!(again["runs"].as_array().unwrap().iter().all(|run| run["digest"] == before && run["outcome"] == "same"));

    fs::remove_dir_all(server.data_dir().join("plugin-cache")).unwrap();
    fs::remove_dir_all(server.data_dir().join("blobs/components")).unwrap();
    let gone = replay(&server, case, 3);
    assert_eq!((&gone["same"], &gone["cannotRun"]), (&json!(0), &json!(5)));
    assert!(gone["runs"][0]["reason"].as_str().unwrap().starts_with("the plugin is gone"), "{gone}");
}

async fn a_failure_is_replayed_too(mut server: TestServer) {
    let broken = Analyst { inspect: TRAP, ..Analyst::default() };
    let (api, receiver) = broken.install_on(&mut server).await;
    let case = judged(&api, &receiver).await;
    assert_eq!(replay(&server, case, 0)["same"], 5);
}

async fn a_call_that_burns_its_fuel_ends_in_the_same_way_when_it_is_replayed(mut server: TestServer) {
    // For one second, which is the deadline of a document.
    const FUEL: i64 = 50_000_000;
    server.set("SEALWRIGHT_PLUGINS_FUEL_PER_SECOND", &FUEL.to_string());
    let (api, receiver) = Analyst { inspect: LOOP, ..Analyst::default() }.install_on(&mut server).await;
    let case = judged(&api, &receiver).await;
    let explained = json(&server.run(&["analysis", "explain", &case.to_string(), "--json"]));
    let run = explained["runs"].as_array().unwrap().iter().find(|run| run["role"] == "falsification").unwrap();
    let failure = format!("it used up its {FUEL} units of fuel and was stopped");
    assert_eq!((&run["failure"], &run["fuel"]), (&json!(failure), &json!(FUEL)), "{run}");
    let text = said(&server.run(&["analysis", "explain", &case.to_string()]));
    assert!(text.contains(&format!("{FUEL} units of fuel: {failure}")), "{text}");
    let replayed = outcome_of(&replay(&server, case, 0), "falsification");
    assert_eq!((&replayed["outcome"], &replayed["fuelNow"]), (&json!("same"), &json!(FUEL)), "{replayed}");
}

async fn replay_says_what_differs_and_what_cannot_be_run_again(mut server: TestServer) {
    let (api, receiver) = Analyst::default().install_on(&mut server).await;
    let case = judged(&api, &receiver).await;
    // As if the record had been tampered with.
    let tampered = "update plugin_runs set answer = replace(answer, '\"evaluation\":96', '\"evaluation\":12')";
    Rows::change(&server, tampered).await;
    let replayed = replay(&server, case, 1);
    assert_eq!((&replayed["same"], &replayed["different"]), (&json!(4), &json!(1)));
    let differing = outcome_of(&replayed, "falsification");
    assert_eq!(differing["outcome"], "different");
    assert_eq!(differing["differences"], json!(["FONT_CONSISTENCY: VALID, 12; now VALID, 96"]));

    Rows::change(
        &server,
        "update plugin_runs set answer = replace(answer, '\"evaluation\":12', '\"evaluation\":96');
         update plugin_runs set contract = '9.0.0' where role = 'signal';
         update plugin_runs set settings_sha256 = input_sha256 where role = 'falsification';
         update items set data = 'Another' where action = 'TEXT_FIELD'",
    )
    .await;
    let replayed = replay(&server, case, 3);
    let reason = |role: &str| outcome_of(&replayed, role)["reason"].as_str().unwrap_or_default().to_owned();
    assert!(reason("signal").contains("version 9.0.0 of the contract"), "{replayed}");
    assert!(reason("falsification").contains("settings"), "{replayed}");
    assert!(reason("cross-check: compare").contains("cannot be reconstructed"), "{replayed}");
    assert_eq!(outcome_of(&replayed, "document-type")["outcome"], "same");

    let file = server.files_of_items().pop().unwrap();
    fs::remove_file(file).unwrap();
    let replayed = replay(&server, case, 3);
    let reason = outcome_of(&replayed, "document-type")["reason"].clone();
    assert_eq!(reason, "its file is not in the blob store");

    let unknown = server.run(&["plugin", "replay", &(case + 1000).to_string()]);
    assert_eq!(unknown.status.code(), Some(1));
    assert!(said(&unknown).contains("does not exist"), "{}", said(&unknown));
    let untouched = open_case(&api, &json!({ "frameId": SHORT_FRAME })).await;
    let text = said(&server.run(&["plugin", "replay", &untouched.to_string()]));
    assert!(text.contains("no plugin was asked"), "{text}");
}

async fn replay_says_that_the_bytes_were_deleted_after_the_analysis(mut server: TestServer) {
    let (api, receiver) = Analyst::default().install_on(&mut server).await;
    let types = "document_types = [\"IDENTITY_CARD\", \"PASSPORT\"]";
    server.must_apply(&analysed(&receiver).replace(types, &format!("{types}\ndelete_after_analysis = true")));
    // A frame is cached for two seconds.
    let case = eventually("a document is deleted after its analysis", EFFECT, async || {
        let case = judged(&api, &receiver).await;
        let deleted = "select case_id from items where file_deleted_at is not null order by case_id desc";
        let rows: Vec<(i64,)> = Rows::of(&server).await.all(deleted).await;
        (rows.first() == Some(&(case,))).then_some(case)
    })
    .await;
    let replayed = replay(&server, case, 3);
    assert_eq!(outcome_of(&replayed, "falsification")["reason"], "its file was deleted after the analysis");
    assert_eq!(outcome_of(&replayed, "signal")["outcome"], "same", "a case is judged without its files");
}

async fn a_backtest_says_what_would_change_and_changes_nothing(mut server: TestServer) {
    let (api, receiver) = Analyst::default().install_on(&mut server).await;
    let case = judged(&api, &receiver).await;
    let other = open_case(&api, &json!({ "frameId": SHORT_FRAME })).await;
    close(&api, other).await.expect(200);
    receiver.wait_for_analyses(other, 1).await;
    let before = (read(&api, case).await, runs(&server).await);
    let file = candidate(&server, ACCUSING);

    let output = server.run(&["plugin", "backtest", &file, "--company", "7", "--since", "30d", "--json"]);
    assert!(output.status.success(), "{}", said(&output));
    let report = json(&output);
    assert_eq!(
        (&report["cases"], &report["documents"], &report["documentsChanged"]),
        (&json!(2), &json!(1), &json!(1))
    );
    assert_eq!((&report["scoresChanged"], &report["differAlready"]), (&json!(1), &json!(0)));
    let changed = report["levelsChanged"].as_array().unwrap();
    assert_eq!(changed.len(), 1, "{report}");
    assert_eq!(changed[0]["cfRef"], format!("CAS-{case}_CMP-7"));
    assert_eq!(changed[0]["before"]["trustScore"], before.0["trustScore"]);
    assert_eq!(
        (&changed[0]["before"]["trustLevel"], &changed[0]["after"]["trustLevel"]),
        (&json!("GOOD"), &json!("CRITICAL"))
    );
    let check = report["subjects"].as_array().unwrap().iter().find(|one| one["subject"] == "FONT_CONSISTENCY").unwrap();
    let numbers = ["answers", "changed", "scoreLower", "scoreHigher"].map(|field| check[field].as_i64().unwrap());
    assert_eq!(numbers, [1, 1, 1, 0], "{report}");
    assert!(
        report["calls"]["calls"].as_i64().unwrap() >= 5 && report["calls"]["memory"].as_i64().unwrap() > 0,
        "{report}"
    );
    assert!(report["fromRecords"].as_i64().unwrap() >= 4, "the plugin in service was asked again: {report}");
    assert!(!report.to_string().contains(LAST_NAME));
    let progress = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(progress.contains("0 of 2 cases") && progress.contains("2 of 2 cases"), "{progress}");

    let text = said(&server.run(&["plugin", "backtest", &file, "--company", "7", "--limit", "1"]));
    assert!(text.contains("There are older cases than these"), "{text}");
    let text = said(&server.run(&["plugin", "backtest", &file, "--company", "7"]));
    assert!(text.contains(&format!("CAS-{case}_CMP-7: GOOD (")) && text.contains("-> CRITICAL ("), "{text}");
    assert_eq!((read(&api, case).await, runs(&server).await), before, "something was written");
    assert!(!said(&server.run(&["plugin", "list", "--json"])).contains("2.0.0"));

    // A candidate that fails counts as absent, and all of its failures are reported.
    let trapping = candidate(&server, Analyst { inspect: TRAP, ..ACCUSING });
    let report = json(&server.run(&["plugin", "backtest", &trapping, "--company", "7", "--json"]));
    assert_eq!((&report["calls"]["failures"]["trap"], &report["levelsChanged"]), (&json!(1), &json!([])));
    assert!(report["calls"]["messages"][0].as_str().unwrap().contains("it was stopped"), "{report}");
}

async fn a_backtest_of_what_is_in_service_changes_nothing(mut server: TestServer) {
    let (api, receiver) = Analyst::default().install_on(&mut server).await;
    judged(&api, &receiver).await;
    let file = candidate(&server, Analyst::default());
    let report = json(&server.run(&["plugin", "backtest", &file, "--company", "7", "--json"]));
    assert_eq!(
        (&report["cases"], &report["scoresChanged"], &report["documentsChanged"]),
        (&json!(1), &json!(0), &json!(0))
    );
    assert!(report["subjects"].as_array().unwrap().iter().all(|subject| subject["changed"] == 0), "{report}");
    assert_eq!(report["candidate"]["replaced"].as_array().unwrap().len(), 4);
}

async fn a_backtest_alongside_the_plugins_in_service_replaces_none(mut server: TestServer) {
    let (api, receiver) = Analyst::default().install_on(&mut server).await;
    judged(&api, &receiver).await;
    let mut component = ACCUSING.component();
    let (of_its_name, file) = (candidate(&server, ACCUSING), server.folder().join("newcomer.wasm"));
    while let Some(at) = component.windows(7).position(|window| window == b"analyst") {
        component[at..at + 7].copy_from_slice(b"anodyne");
    }
    fs::write(&file, component).unwrap();
    let file = file.display().to_string();
    let report = json(&server.run(&["plugin", "backtest", &file, "--company", "7", "--beside", "--json"]));
    assert_eq!((&report["candidate"]["name"], &report["candidate"]["replaced"]), (&json!("anodyne"), &json!([])));
    let check = report["subjects"].as_array().unwrap().iter().find(|one| one["subject"] == "FONT_CONSISTENCY").unwrap();
    assert_eq!((&check["new"], &check["gone"]), (&json!(1), &json!(0)), "{report}");
    assert_eq!(report["scoresChanged"], 1, "{report}");

    let refused = server.run(&["plugin", "backtest", &of_its_name, "--company", "7", "--beside"]);
    assert!(said(&refused).contains("analyst is already in service as document-type"), "{}", said(&refused));
}

async fn a_backtest_refuses_what_it_cannot_try(mut server: TestServer) {
    let (api, receiver) = Analyst::default().install_on(&mut server).await;
    server.must_apply(&borealis());
    judged(&api, &receiver).await;
    server.sign_in(BOREALIS_API.username, BOREALIS_API.password).await;
    let file = candidate(&server, ACCUSING);
    let refused = |arguments: &[&str], code: i32, expected: &str| {
        let output = server.run(&[&["plugin", "backtest"], arguments].concat());
        assert_eq!(output.status.code(), Some(code), "{}", said(&output));
        assert!(output.stdout.is_empty() && said(&output).contains(expected), "{expected}: {}", said(&output));
    };
    refused(&[&file, "--company", "4711"], 1, "company 4711 does not exist");
    refused(&[&file, "--company", "8"], 1, "has no judged case");
    refused(&[&file, "--company", "7", "--since", "1ms"], 1, "has no judged case");
    refused(&[&file, "--company", "7", "--since", "tomorrow"], 2, "for example 30d");
    refused(&[&file, "--company", "7", "--settings", "{\"x\": 1}"], 1, "settings");
    refused(&[&file, "--company", "7", "--settings", "[]"], 2, "a JSON object");
    let broken = server.folder().join("broken.wasm");
    fs::write(&broken, "no component").unwrap();
    refused(&[&broken.display().to_string(), "--company", "7"], 1, "this host cannot load the file as a plugin");
    refused(&["nowhere.wasm", "--company", "7"], 1, "opening nowhere.wasm");
    let mode = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures/contract/0.1.0/hmac-sha256.wasm");
    refused(&[&mode.display().to_string(), "--company", "7"], 1, "plays no role in the analysis");
}

async fn an_interrupted_backtest_reports_what_it_has_seen(mut server: TestServer) {
    let (api, receiver) = Analyst::default().install_on(&mut server).await;
    for _ in 0..4 {
        judged(&api, &receiver).await;
    }
    // One second for each document.
    let file = candidate(&server, Analyst { inspect: LOOP, ..ACCUSING });
    let arguments = ["plugin", "backtest", &file, "--company", "7", "--at-once", "1", "--json"];
    let mut process = server.spawn(&arguments);
    let mut progress = BufReader::new(process.stderr.take().unwrap());
    let mut line = String::new();
    while !line.contains("of 4 cases") {
        line.clear();
        assert!(progress.read_line(&mut line).unwrap() > 0, "the backtest ended before it started");
    }
    kill_process(Pid::from_child(&process), Signal::INT).unwrap();
    let mut answer = String::new();
    process.stdout.take().unwrap().read_to_string(&mut answer).unwrap();
    assert_eq!(process.wait().unwrap().code(), Some(130));
    let report: Value = serde_json::from_str(&answer).unwrap();
    assert_eq!(report["interrupted"], true);
    assert!(report["cases"].as_i64().unwrap() < 4, "{report}");
}

/// A candidate component in the server's folder.
fn candidate(server: &TestServer, analyst: Analyst) -> String {
    let file = server.folder().join("candidate.wasm");
    fs::write(&file, analyst.component()).unwrap();
    file.display().to_string()
}

/// A closed case with a document that was compared with the entered values, and its verdict.
async fn judged(api: &Api, receiver: &Receiver) -> i64 {
    let case = open_case(api, &json!({ "frameId": FRAME })).await;
    add_entry(api, case, TEXT_FIELD, LAST_NAME).await.expect(201);
    add_document(api, case, DOCUMENT_UPLOAD, identity_card()).await.expect(200);
    close(api, case).await.expect(200);
    receiver.wait_for_analyses(case, 1).await;
    case
}

async fn read(api: &Api, case: i64) -> Value {
    api.get(&format!("/cases/{case}/analysis")).await.expect(200).json()
}

async fn runs(server: &TestServer) -> i64 {
    let mut rows = Rows::of(server).await;
    let counted: Vec<(i64,)> = rows.all("select count(*) from plugin_runs").await;
    counted[0].0
}

fn replay(server: &TestServer, case: i64, code: i32) -> Value {
    let output = server.run(&["plugin", "replay", &case.to_string(), "--json"]);
    assert_eq!(output.status.code(), Some(code), "{}", said(&output));
    json(&output)
}

fn outcome_of(replayed: &Value, role: &str) -> Value {
    let runs = replayed["runs"].as_array().unwrap();
    runs.iter().find(|run| run["role"] == role).cloned().unwrap_or_else(|| panic!("{role} is not in {replayed}"))
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", said(output)))
}
