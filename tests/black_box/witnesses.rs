//! Witnesses of the log of seals (C2SP `tlog-witness`): who cosigns this server's log.

mod other_logs;

use std::{
    env, fs,
    process::{Command, Output, Stdio},
};

use sealwright_seal::tlog::cosignature::WitnessKey;
use serde_json::{Value, json};

use crate::{
    seal_log::restore_log,
    support::{
        AMPLE, Api, Database, TestServer,
        company_manifest::{FRAME, PHOTOGRAPHY, acme_on},
        eventually,
        evidence::{add_capture, close, open_case, photo},
        on_both_databases, ports,
        proofs::{certificate, checked},
        rows::Rows,
        server::said,
        skip_loudly,
        witness::{Mood, Witness},
    },
};

on_both_databases!(
    two_installations_witness_each_other_s_log,
    a_log_that_shows_another_history_is_refused_by_its_witness_and_reported,
    a_hostile_witness_delays_cosignatures_and_loses_nothing,
);

async fn text(server: &TestServer, path: &str) -> String {
    server.anonymous().get(path).await.expect(200).text().trim_end().to_owned()
}

/// Makes `witness` cosign the log of `server`.
async fn introduce(server: &mut TestServer, witness: &mut TestServer) {
    let (log, key) = (text(server, "/log/key").await, text(witness, "/witness/key").await);
    server.set("SEALWRIGHT_SEAL_WITNESSES", &format!("{key} {}/witness", witness.base_url()));
    witness.set("SEALWRIGHT_WITNESS_LOGS", &log);
}

/// A closed case, and the address of its certificate.
async fn sealed(api: &Api) -> String {
    let case = open_case(api, &json!({ "frameId": FRAME })).await;
    add_capture(api, case, PHOTOGRAPHY, photo(3)).await.expect(200);
    close(api, case).await.expect(200).json()["pdfUrl"].as_str().expect("a URL").to_owned()
}

/// The certificate as soon as `verify` reports that this number of witnesses has seen its seal.
async fn witnessed(server: &TestServer, api: &Api, url: &str, keys: &[String], count: usize) -> Vec<u8> {
    let keys: Vec<&str> = keys.iter().flat_map(|key| ["--witness", key.as_str()]).collect();
    eventually("the certificate has its cosignatures", AMPLE, async || {
        let pdf = api.with_token(None).get(url).await.expect(200).body.to_vec();
        let report = checked(server, "witnessed.pdf", &pdf, &keys, 0);
        (report["witnesses"]["saw"].as_array().unwrap().len() == count).then_some(pdf)
    })
    .await
}

/// What a command printed, without its line breaks.
fn in_one_line(output: &Output) -> String {
    said(output).split_whitespace().collect::<Vec<_>>().join(" ")
}

fn status(server: &TestServer) -> Value {
    let output = server.run(&["witness", "status", "--json"]);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", said(&output)))
}

/// What `sealwright witness status` says of the only witness, once it is in this state.
async fn state_of_witness(server: &TestServer, state: &str) -> Value {
    eventually(&format!("the witness has {state}"), AMPLE, async || {
        let witness = status(server)["witnesses"][0].clone();
        (witness["state"] == state).then_some(witness)
    })
    .await
}

async fn two_installations_witness_each_other_s_log(mut server: TestServer) {
    let mut other = TestServer::start(Database::Sqlite).await;
    introduce(&mut server, &mut other).await;
    introduce(&mut other, &mut server).await;
    server.restart().await;
    other.restart().await;
    let key = text(&other, "/witness/key").await;
    assert_eq!(server.anonymous().get("/log/cosigned-checkpoint").await.status, 404);

    let (api, _receiver) = acme_on(&server).await;
    let url = sealed(&api).await;
    let pdf = witnessed(&server, &api, &url, std::slice::from_ref(&key), 1).await;
    let report = checked(&server, "again.pdf", &pdf, &[], 0);
    assert_eq!(report["witnesses"]["trusted"], 1, "the settings name it");
    let shown = in_one_line(&server.run(&["verify", "again.pdf", "--witness", &key]));
    assert!(shown.contains("1 of the 1 witnesses that are trusted here"), "{shown}");
    assert!(shown.contains(&format!("{key} (witness)")), "{shown}");
    // A reader who trusts another witness sees that it has seen nothing.
    let stranger = Witness::start("stranger.example", Mood::Good).await.key();
    fs::write(other.folder().join("again.pdf"), &pdf).unwrap();
    let root = server.data_dir().join("development-authority/root.pem").display().to_string();
    let shown = in_one_line(&other.run(&["verify", "again.pdf", "--trust", &root, "--witness", &stranger]));
    assert!(shown.contains("none of the 2 witnesses"), "{shown}");

    let witness: WitnessKey = key.parse().unwrap();
    for path in ["/log/checkpoint", "/log/cosigned-checkpoint"] {
        let note = server.anonymous().get(path).await.expect(200).text();
        assert_eq!(note.lines().filter(|line| line.starts_with('\u{2014}')).count(), 2, "{note}");
        assert!(witness.open(&note).is_ok(), "{path}: {note}");
    }
    assert_eq!(state_of_witness(&server, "cosigned").await["size"], 1);
    assert_eq!(server.metric(&format!("sealwright_witness_up{{witness=\"{}\"}}", witness.name())).await, 1);
    let log = text(&server, "/log/key").await;
    assert_eq!(status(&other)["logs"][0]["key"], log);
    assert_eq!(status(&other)["logs"][0]["size"], 1);

    // The other way round.
    let (api, _receiver) = acme_on(&other).await;
    let url = sealed(&api).await;
    witnessed(&other, &api, &url, &[text(&server, "/witness/key").await], 1).await;
}

/// The head of a log with one entry, as a backup would keep it.
async fn saved_log(server: &TestServer) -> (i64, String, String) {
    let mut heads: Vec<(i64, String, String)> =
        Rows::of(server).await.all("select size, peaks, checkpoint from log_head").await;
    heads.remove(0)
}

/// Goes back to the saved head, and hides that from the server too: what it keeps outside the database, and what it knows
/// of its witness.
async fn go_back(server: &mut TestServer, (size, peaks, checkpoint): &(i64, String, String)) {
    server.kill();
    restore_log(server, [&size.to_string(), peaks, checkpoint]).await;
    let forget = "delete from log_cosignatures where size > 1; update log_witnesses set size = 1, state = 'failed'";
    Rows::change(server, forget).await;
    fs::remove_dir_all(server.data_dir().join("blobs/log-heads")).unwrap();
    server.restart().await;
}

async fn await_cosigned(server: &TestServer, size: u64) {
    eventually("the witness has cosigned the newest entry", AMPLE, async || {
        (state_of_witness(server, "cosigned").await["size"] == size).then_some(())
    })
    .await;
}

async fn await_problem(server: &TestServer, expected: &str) {
    eventually(expected, AMPLE, async || {
        let problem = state_of_witness(server, "refused").await["problem"].clone();
        problem.as_str().unwrap().contains(expected).then_some(())
    })
    .await;
}

async fn a_log_that_shows_another_history_is_refused_by_its_witness_and_reported(mut server: TestServer) {
    let mut other = TestServer::start(Database::Sqlite).await;
    introduce(&mut server, &mut other).await;
    other.restart().await;
    server.restart().await;
    let (api, _receiver) = acme_on(&server).await;
    certificate(&api, "one").await;
    let saved = saved_log(&server).await;
    certificate(&api, "two").await;
    await_cosigned(&server, 2).await;
    go_back(&mut server, &saved).await;
    let rewound = state_of_witness(&server, "refused").await;
    assert!(rewound["problem"].as_str().unwrap().contains("over 2 entries, but the log has 1"), "{rewound}");
    // Another second entry: the witness has cosigned another root.
    let pending = certificate(&api, "another").await;
    assert_eq!(checked(&server, "pending.pdf", &pending, &[], 0)["witnesses"]["saw"], json!([]));
    await_problem(&server, "another root over 2 entries").await;
    let name = text(&other, "/witness/key").await.split('+').next().unwrap().to_owned();
    assert_eq!(server.metric(&format!("sealwright_witness_refuses{{witness=\"{name}\"}}")).await, 1);
    assert!(server.log().contains("a witness refuses the log of seals"));
    assert!(other.log().contains("a log shows another history than before"));
    let diagnosis: Value = serde_json::from_slice(&server.run(&["doctor", "--json"]).stdout).unwrap();
    let check = diagnosis["checks"].as_array().unwrap().iter().find(|check| check["part"] == "witnesses").unwrap();
    assert_eq!(check["state"], "broken", "{check}");
    assert_eq!(server.run(&["witness", "status"]).status.code(), Some(1));
}

async fn a_hostile_witness_delays_cosignatures_and_loses_nothing(mut server: TestServer) {
    let moods = [Mood::Good, Mood::WrongKey, Mood::OldTime, Mood::Garbage, Mood::Endless, Mood::Status500];
    let mut witnesses = Vec::new();
    for (number, mood) in moods.into_iter().enumerate() {
        witnesses.push(Witness::start(&format!("w{number}.example"), mood).await);
    }
    let settings: Vec<String> = witnesses.iter().map(Witness::setting).collect();
    server.set("SEALWRIGHT_SEAL_WITNESSES", &settings.join(","));
    server.set("SEALWRIGHT_SEAL_WITNESS_QUORUM", "2");
    server.restart().await;
    let (api, _receiver) = acme_on(&server).await;
    let url = sealed(&api).await;
    let early = api.with_token(None).get(&url).await.expect(200).body.to_vec();

    let asked = eventually("all witnesses were asked", AMPLE, async || {
        let asked = status(&server)["witnesses"].clone();
        asked.as_array().unwrap().iter().all(|witness| !witness["state"].is_null()).then_some(asked)
    })
    .await;
    for (number, (state, problem)) in [
        ("cosigned", ""),
        ("failed", "does not match"),
        ("failed", "states 2001-09-09T01:46:40.000Z"),
        ("failed", "not a signed note"),
        ("failed", "it has more than 65536 bytes"),
        ("failed", "status 500"),
    ]
    .into_iter()
    .enumerate()
    {
        let witness = &asked[number];
        assert_eq!(witness["state"], state, "{witness}");
        assert!(witness["problem"].as_str().unwrap_or_default().contains(problem), "{witness}");
    }
    let keys: Vec<String> = witnesses.iter().map(Witness::key).collect();
    assert_eq!(server.anonymous().get("/log/cosigned-checkpoint").await.status, 404, "one of two that are needed");
    certificate(&api, "two").await;
    eventually("only cosignatures of the newest head are kept", AMPLE, async || {
        let kept: Vec<(i64,)> = Rows::of(&server).await.all("select size from log_cosignatures").await;
        (kept == [(2,)]).then_some(())
    })
    .await;

    witnesses[5].set_mood(Mood::Good);
    let pdf = witnessed(&server, &api, &url, &keys, 2).await;
    assert!(pdf.starts_with(&early) && pdf.len() > early.len(), "the earlier bytes stay");
    assert!(server.log().contains("a witness of the log of seals cosigns again"));
    server.anonymous().get("/log/cosigned-checkpoint").await.expect(200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_silent_witness_does_not_delay_the_others() {
    let mut server = TestServer::start(Database::Sqlite).await;
    let good = Witness::start("good.example", Mood::Good).await;
    let silent = Witness::start("silent.example", Mood::Silent).await;
    server.set("SEALWRIGHT_SEAL_WITNESSES", &[silent.setting(), good.setting()].join(","));
    server.set("SEALWRIGHT_SEAL_WITNESS_QUORUM", "1");
    server.restart().await;
    let (api, _receiver) = acme_on(&server).await;
    sealed(&api).await;
    eventually("the newest checkpoint is cosigned", AMPLE, async || {
        (server.anonymous().get("/log/cosigned-checkpoint").await.status == 200).then_some(())
    })
    .await;
    assert_eq!(status(&server)["witnesses"][0]["state"], Value::Null, "its answer is still awaited");
}

/// `SEALWRIGHT_TEST_WITNESS` names the program `aics-witness`, a witness in Python by another author (package
/// `aics-witness`).
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_witness_by_another_author_cosigns_the_log_and_refuses_a_fork() {
    let Some(program) = env::var_os("SEALWRIGHT_TEST_WITNESS") else {
        skip_loudly("a witness by another author: SEALWRIGHT_TEST_WITNESS is not set");
        return;
    };
    let mut server = TestServer::start(Database::Sqlite).await;
    let folder = server.folder().join("foreign-witness");
    fs::create_dir(&folder).unwrap();
    let run = |arguments: &[&str]| {
        let mut command = Command::new(&program);
        command.args(arguments).env("AICS_WITNESS_CONFIG", folder.join("witness.json"));
        command
    };
    let made = run(&["init", "--name", "foreign.example/w1"]).output().unwrap();
    let key = String::from_utf8(made.stdout).unwrap().trim().to_owned();
    assert!(key.parse::<WitnessKey>().is_ok(), "{key}");
    let log = text(&server, "/log/key").await;
    let origin = log.split('+').next().unwrap();
    let added = run(&["add-log", "--origin", origin, "--vkey", &log]).output().unwrap();
    assert!(added.status.success(), "{}", said(&added));
    let listen = ports::next_address().to_string();
    let mut witness = run(&["serve", "--listen", &listen]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();

    server.set("SEALWRIGHT_SEAL_WITNESSES", &format!("{key} http://{listen}"));
    server.restart().await;
    let (api, _receiver) = acme_on(&server).await;
    let url = sealed(&api).await;
    witnessed(&server, &api, &url, std::slice::from_ref(&key), 1).await;
    let saved = saved_log(&server).await;
    certificate(&api, "two").await;
    await_cosigned(&server, 2).await;
    go_back(&mut server, &saved).await;
    certificate(&api, "another").await;
    await_problem(&server, "another root over 2 entries").await;
    witness.kill().unwrap();
    witness.wait().unwrap();
}
