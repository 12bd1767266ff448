//! What commands do without an installation or input: they create no installation, refuse what cannot be read, and
//! report errors in the right place.

use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

use serde_json::{Value, json};

use crate::support::{
    Receiver, TestServer, analyst::Analyst, company_manifest::acme, evidence, on_sqlite, server::said, toolchains,
};

on_sqlite!(compiled_plugins_are_cached_if_an_installation_is_named);

/// Runs a command in `folder`, with no settings but these arguments.
fn run(folder: &Path, arguments: &[&str]) -> Output {
    command(folder).args(arguments).output().unwrap()
}

fn command(folder: &Path) -> Command {
    toolchains::command(env!("CARGO_BIN_EXE_sealwright"), folder)
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn json_of(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", said(output)))
}

#[test]
fn a_read_only_command_creates_no_installation() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("analyst.wasm"), Analyst::default().component()).unwrap();
    fs::create_dir(folder.join("template")).unwrap();
    let before = files(folder);
    let looking: [&[&str]; 13] = [
        &["plugin", "list"],
        &["plugin", "replay", "1"],
        &["plugin", "backtest", "analyst.wasm", "--company", "7"],
        &["webhook", "list"],
        &["webhook", "resend", "1"],
        &["webhook", "status"],
        &["webhook", "test", "1", "case"],
        &["seal", "pending"],
        &["seal", "evidence", "1"],
        &["analysis", "explain", "1"],
        &["retention", "--dry-run"],
        &["hold", "list"],
        &["template", "preview", "template", "--case", "1"],
    ];
    for arguments in looking {
        let output = run(folder, &[arguments, &["--data-dir", "new"]].concat());
        let text = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {text}");
        let expected = format!("error: no installation at {}: ", folder.join("new").display());
        assert!(text.contains(&expected) && text.contains("`sealwright serve` creates one"), "{arguments:?}: {text}");
        assert_eq!(files(folder), before, "{arguments:?}");
    }
    // The default folder is not an exception.
    assert!(stderr(&run(folder, &["plugin", "list"])).contains("sealwright-data"));
    assert_eq!(files(folder), before);
}

#[tokio::test]
async fn commands_that_need_no_installation_run_without_one_and_create_none() {
    let receiver = Receiver::start().await;
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("analyst.wasm"), Analyst::default().component()).unwrap();
    fs::write(folder.join("input.txt"), "Membership card").unwrap();
    fs::write(folder.join("acme.toml"), acme(&receiver)).unwrap();
    fs::write(folder.join("no.pdf"), "no certificate").unwrap();
    let before = files(folder);
    let working: [(&[&str], i32); 4] = [
        (&["verify", "no.pdf"], 1),
        (&["plugin", "check", "analyst.wasm"], 0),
        (&["plugin", "run", "analyst.wasm", "--role", "document-type", "--input", "input.txt"], 0),
        (&["apply", "--dry-run", "--webhook-allow-private-addresses", "acme.toml"], 0),
    ];
    for (arguments, code) in working {
        for data_dir in [&["--data-dir", "new"][..], &[]] {
            let output = run(folder, &[arguments, data_dir].concat());
            assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}", said(&output));
            assert!(!said(&output).contains("no installation"), "{arguments:?}: {}", said(&output));
            assert_eq!(files(folder), before, "{arguments:?}");
        }
    }
    let printed = run(folder, &["apply", "--dry-run", "--json", "--webhook-allow-private-addresses", "acme.toml"]);
    let created = json_of(&printed)[0]["created"].as_array().unwrap().len();
    assert!(created > 10, "a dry run lists what would be created: {}", said(&printed));
}

/// The names of the files in a folder.
fn files(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn unusable_arguments_are_reported_as_errors_and_not_as_results() {
    let folder = tempfile::tempdir().unwrap();
    let output = run(folder.path(), &["doctor", "--config", "nothere"]);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
    assert!(stderr(&output).starts_with("error: --config nothere: "), "{}", stderr(&output));
    let output = run(folder.path(), &["doctor", "--listen", "here", "--log-format", "xml"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(stderr(&output).lines().filter(|line| line.starts_with("error: --l")).count(), 2, "{}", stderr(&output));
    for command in ["check", "preview"] {
        let output = run(folder.path(), &["template", command, "nothere"]);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0), "{}", said(&output));
        assert_eq!(stderr(&output), "error: nothere: there is no such folder\n");
    }
}

#[test]
fn verify_reports_what_is_not_a_certificate_and_which_originals_were_not_compared() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("empty.pdf"), "").unwrap();
    fs::write(folder.join("text.pdf"), "no PDF file").unwrap();
    fs::write(folder.join("cut.pdf"), "%PDF-1.7\n").unwrap();
    fs::write(folder.join("front.jpg"), evidence::photo(1).bytes).unwrap();
    for (file, reason) in [("empty.pdf", "it is empty"), ("text.pdf", "it is not a PDF file"), ("cut.pdf", "")] {
        let output = run(folder, &["verify", file, "front.jpg"]);
        let printed = said(&output).split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(output.status.code(), Some(1));
        assert!(printed.contains(&format!("cannot be read as a certificate: {reason}")), "{printed}");
        assert!(printed.contains("That front.jpg is one of the sealed files: it was not compared"), "{printed}");
        let facts = json_of(&run(folder, &["verify", "--json", file, "front.jpg"]));
        assert_eq!((&facts["outcome"], &facts["originals"]), (&json!("changedOrNotOurs"), &json!([])));
        let notices = facts["findings"].as_array().unwrap().iter().filter(|finding| finding["code"] == "original");
        let messages: Vec<_> = notices.map(|finding| finding["message"].as_str().unwrap()).collect();
        assert_eq!(messages, ["`front.jpg` was not compared, because no list of sealed files can be read"]);
        assert!(!said(&run(folder, &["verify", file])).contains("not compared"));
    }
    let output = run(folder, &["verify", "--json", "."]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(json_of(&output), json!({ "outcome": null, "error": ". is a folder, expected a file" }));
    assert!(stderr(&output).contains("error: . is a folder"), "{}", stderr(&output));
}

#[test]
fn plugin_run_checks_its_arguments_before_it_compiles() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    // It starts like a component, so only compiling shows that it is not one.
    fs::write(folder.join("broken.wasm"), b"\0asm\x0d\0\x01\0 and no more").unwrap();
    fs::write(folder.join("case.json"), r#"{ "itmes": [] }"#).unwrap();
    let error_of = |arguments: &[&str]| {
        let output = run(folder, &[&["plugin", "run", "broken.wasm"], arguments].concat());
        assert_eq!(output.status.code(), Some(1), "{}", said(&output));
        stderr(&output)
    };
    assert!(error_of(&["--input", "nothere.pdf"]).starts_with("error: nothere.pdf: No such file"));
    assert!(error_of(&["--input", "."]).starts_with("error: . is not a file"));
    assert!(error_of(&["--input", "case.json", "--settings", "[1]"]).contains("expected a JSON object"));
    assert!(error_of(&["--input", "case.json", "--role", "signal"]).contains("itmes"));
    assert!(error_of(&["--input", "case.json"]).contains("broken.wasm: this host would not load it"));
    let output = run(folder, &["plugin", "run", "nothere.wasm", "--input", "case.json"]);
    assert!(stderr(&output).starts_with("error: nothere.wasm: No such file"), "{}", stderr(&output));
}

#[test]
fn the_json_of_plugin_run_is_in_camel_case_for_every_role() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("analyst.wasm"), Analyst::default().component()).unwrap();
    fs::write(folder.join("input.txt"), "Mirabellon").unwrap();
    fs::write(folder.join("case.json"), "{}").unwrap();
    let ran = |role: &str, arguments: &[&str]| {
        let fixed = ["plugin", "run", "--json", "analyst.wasm", "--role", role];
        let ran = json_of(&run(folder, &[&fixed, arguments].concat()));
        no_key_has_an_underscore(&ran);
        ran
    };
    let detected = ran("document-type", &["--input", "input.txt"]);
    let keys: Vec<&str> = detected.as_object().unwrap().keys().map(String::as_str).collect();
    let expected = [
        "input",
        "plugin",
        "version",
        "digest",
        "role",
        "answer",
        "failure",
        "log",
        "microseconds",
        "allowedMicroseconds",
        "memory",
        "allowedMemory",
        "fuel",
        "allowedFuel",
    ];
    assert_eq!(keys, expected);
    let candidates = json!([{ "documentType": "IDENTITY_CARD", "score": 97, "findings": [] }]);
    assert_eq!(detected["answer"], json!({ "candidates": candidates }));
    let checked = ran("falsification", &["--input", "input.txt"]);
    assert_eq!(checked["answer"]["checks"][0]["verdict"], "VALID", "{checked}");
    let judged = ran("signal", &["--input", "case.json"]);
    assert_eq!(judged["answer"]["signals"][0], json!({ "kind": "gps", "score": 90, "observations": [] }));
}

fn no_key_has_an_underscore(value: &Value) {
    match value {
        Value::Object(members) => {
            for (key, member) in members {
                assert!(!key.contains('_'), "{key} in {value}");
                no_key_has_an_underscore(member);
            }
        }
        Value::Array(elements) => elements.iter().for_each(no_key_has_an_underscore),
        _ => {}
    }
}

async fn compiled_plugins_are_cached_if_an_installation_is_named(server: TestServer) {
    let component = server.folder().join("analyst.wasm");
    fs::write(&component, Analyst { version: "7.7.7", ..Analyst::default() }.component()).unwrap();
    let input = server.folder().join("input.txt");
    fs::write(&input, "Membership card").unwrap();
    let (component, input) = (component.display().to_string(), input.display().to_string());
    let data_dir = server.data_dir().display().to_string();
    let run = |arguments: &[&str]| {
        let role = ["plugin", "run", &component, "--role", "document-type", "--input", &input];
        let output = server.run(&[&role, arguments].concat());
        assert!(output.status.success(), "{}", said(&output));
    };
    let compiled = || {
        let entries = fs::read_dir(server.data_dir().join("plugin-cache")).unwrap();
        let files = entries.map(|entry| entry.unwrap().path());
        files.filter(|file| file.extension().is_some_and(|extension| extension == "cwasm")).count()
    };
    let before = compiled();
    run(&["--data-dir", &data_dir]);
    assert_eq!(compiled(), before + 1);
    run(&["--data-dir", &data_dir]);
    assert_eq!(compiled(), before + 1);
}
