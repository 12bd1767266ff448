//! `sealwright plugin run`: one explained call of a component outside a server. Also the example of a custom webhook
//! mode, with a receiver that checks what it signs.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use hmac::{Hmac, KeyInit as _, Mac as _};
use sealwright::clock::Clock;
use serde_json::{Value, json};
use sha2::Sha256;

use crate::support::{
    TestServer,
    company_manifest::{SHORT_FRAME, acme_on, acme_with_webhook},
    eventually,
    evidence::{close, open_case},
    on_sqlite,
    receiver::Delivery,
    server::said,
    toolchains::component,
};

on_sqlite!(a_custom_mode_signs_time_and_body);

const EXAMPLE: &str = "time-stamped-hmac";
const SECRET: &str = "a secret to sign with, long enough";
/// The maximum age, in seconds, that a receiver accepts.
const TOLERANCE: u64 = 300;

fn run(component: &Path, input: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sealwright"));
    command.args(["plugin", "run"]).arg(component).arg("--input").arg(input).args(arguments).output().unwrap()
}

fn file(name: &str, text: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, text).unwrap();
    (folder, path)
}

#[test]
fn a_built_in_plugin_answers_on_a_document_as_in_a_server() {
    let folder = tempfile::tempdir().unwrap();
    let invoice = folder.path().join("invoice.pdf");
    let person = sealwright_lab::Person::invented(1);
    let bytes = sealwright_lab::repair_invoice(&person, &sealwright_lab::RepairInvoice::invented(1)).unwrap();
    fs::write(&invoice, bytes).unwrap();
    let types = component("plugins", "document-types");
    let output = run(&types, &invoice, &["--settings", r#"{"languages": ["fr", "en"]}"#, "--json"]);
    assert!(output.status.success(), "{}", said(&output));
    let ran: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(ran["answer"]["candidates"][0]["documentType"], "INVOICE", "{ran:#}");
    assert_eq!((&ran["role"], &ran["allowedMicroseconds"]), (&"document-type".into(), &1_000_000.into()));

    let output = run(&types, &invoice, &["--settings", r#"{"languages": ["sv"]}"#]);
    assert_eq!(output.status.code(), Some(1));
    assert!(said(&output).contains("settings.languages[0]"), "{}", said(&output));
    let output = run(&types, &invoice, &["--role", "signal"]);
    assert!(said(&output).contains("does not play the role signal; it plays document-type"), "{}", said(&output));
}

#[test]
fn a_case_described_in_json_is_assessed_and_a_wrong_one_explained() {
    let signals = component("plugins", "signals");
    let (_folder, case) = file(
        "case.json",
        r#"{ "opened_at": "2026-11-20T10:00:00Z", "items": [
            { "action": "PHOTOGRAPHY", "received_at": "2026-11-20T10:05:00Z",
              "position": { "latitude": 48856600, "longitude": 2352200, "accuracy": 500 } } ] }"#,
    );
    let output = run(&signals, &case, &["--json"]);
    assert!(output.status.success(), "{}", said(&output));
    let (_folder, wrong) = file("case.json", r#"{ "items": [{ "action": "PHOTOGRAPHY", "recieved_at": 1 }] }"#);
    let output = run(&signals, &wrong, &[]);
    assert!(said(&output).contains("recieved_at"), "{}", said(&output));
}

#[test]
fn a_failure_is_reported_with_its_kind_message_log_and_place() {
    let mode = component("plugin-examples", EXAMPLE);
    let (_folder, body) = file("body.json", "{}");
    let output = run(&mode, &body, &[]);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    let text = said(&output);
    assert!(text.contains("failed (invalid-input)") && text.contains("has no secret: configure one"), "{text}");

    let (_folder, module) = file("module.wasm", "\0asm\x01\0\0\0");
    let output = run(&module, &body, &[]);
    assert!(said(&output).contains("a core module: `sealwright plugin pack"), "{}", said(&output));
}

#[test]
fn the_caller_sets_the_time_so_that_a_run_can_be_repeated() {
    let mode = component("plugin-examples", EXAMPLE);
    let (_folder, body) = file("body.json", r#"{"id":1}"#);
    let at = |time: &str| {
        let output = run(&mode, &body, &["--secret", "s3cret", "--at", time, "--json"]);
        assert!(output.status.success(), "{}", said(&output));
        let ran: Value = serde_json::from_slice(&output.stdout).unwrap();
        ran["answer"]["headers"][0].clone()
    };
    let header = at("2026-11-20T10:00:00Z");
    assert_eq!(header, at("2026-11-20T11:00:00+01:00"));
    let seconds = 1_795_168_800;
    assert_eq!(header["name"], "webhook-signature");
    assert_eq!(header["value"], format!("t={seconds},v1={}", signature("s3cret", seconds, br#"{"id":1}"#)));
}

async fn a_custom_mode_signs_time_and_body(server: TestServer) {
    let folder = server.data_dir().join("plugins");
    fs::create_dir_all(&folder).unwrap();
    fs::copy(component("plugin-examples", EXAMPLE), folder.join("mode.new")).unwrap();
    fs::rename(folder.join("mode.new"), folder.join("mode.wasm")).unwrap();
    eventually("the mode is loaded", crate::support::AMPLE, async || {
        let list: Value = serde_json::from_slice(&server.run(&["plugin", "list", "--json"]).stdout).unwrap();
        list["plugins"].as_array().unwrap().iter().any(|plugin| plugin["name"] == EXAMPLE).then_some(())
    })
    .await;
    let (api, receiver) = acme_on(&server).await;
    server.must_apply(&acme_with_webhook(&format!(
        "\n[webhook.case]\nendpoint = \"{}\"\nauth = \"{EXAMPLE}\"\napi_key = \"acme-key\"\napi_secret = \"{SECRET}\"\n",
        receiver.url("/time-stamped")
    )));
    // For a few seconds, a dispatch may still use the old settings: close cases until one uses the new ones.
    let webhook = eventually("a dispatch in the new mode", crate::support::AMPLE, async || {
        let before = receiver.received().len();
        close(&api, open_case(&api, &json!({ "frameId": SHORT_FRAME })).await).await.expect(200);
        receiver.wait_for(before + 1).await.into_iter().find(|webhook| webhook.target == "/time-stamped")
    })
    .await;
    let sent = stamp(&webhook).expect("a header in this form").0;
    let now = Clock::system().now().as_millis().cast_unsigned() / 1000;
    assert!(now.abs_diff(sent) <= TOLERANCE, "{sent} is not about {now}");
    assert_eq!(judge(&webhook, &webhook.body, SECRET, now), Ok(()));
    let mut changed = webhook.body.to_vec();
    changed[0] ^= 1;
    assert_eq!(judge(&webhook, &changed, SECRET, now), Err("forged"));
    assert_eq!(judge(&webhook, &webhook.body, "another secret", now), Err("forged"));
    assert_eq!(judge(&webhook, &webhook.body, SECRET, sent + TOLERANCE), Ok(()));
    assert_eq!(judge(&webhook, &webhook.body, SECRET, sent + TOLERANCE + 1), Err("replayed"));
    assert_eq!(webhook.header("authorization"), None);
}

/// The check of a receiver: reads time and signature, refuses an old time, and compares the signature with its own.
fn judge(webhook: &Delivery, body: &[u8], secret: &str, now: u64) -> Result<(), &'static str> {
    let (seconds, given) = stamp(webhook).ok_or("malformed")?;
    if now.abs_diff(seconds) > TOLERANCE {
        return Err("replayed");
    }
    if given == signature(secret, seconds, body) { Ok(()) } else { Err("forged") }
}

fn stamp(webhook: &Delivery) -> Option<(u64, &str)> {
    let (time, signature) = webhook.header("webhook-signature")?.strip_prefix("t=")?.split_once(",v1=")?;
    Some((time.parse().ok()?, signature))
}

fn signature(secret: &str, seconds: u64, body: &[u8]) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).unwrap();
    mac.update(format!("{seconds}.").as_bytes());
    mac.update(body);
    hex::encode(mac.finalize().into_bytes())
}
