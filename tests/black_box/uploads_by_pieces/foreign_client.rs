//! A client of tus that we have not written: tus-js-client.

use std::{
    fs,
    io::{BufRead as _, BufReader},
    path::Path,
    process::{Command, Stdio},
    sync::mpsc,
};

use serde_json::{Value, json};

use super::{
    CAPTURES,
    requests::{describe, hash, view},
};
use crate::support::{
    Database, TestServer,
    company_manifest::{FRAME, VIDEO, acme_on},
    evidence::{long_video, open_case},
    toolchains::node_modules,
};

const PACKAGES: &str = r#"{ "private": true, "devDependencies": { "tus-js-client": "4.3.1" } }"#;
const SIZE: usize = 20 << 20;
/// The server ends when so many bytes have arrived.
const CUTS: [usize; 3] = [3 << 20, 9 << 20, 15 << 20];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tus_js_client_continues_after_the_server_has_ended() {
    let project = tempfile::tempdir().expect("a folder");
    fs::write(project.path().join("package.json"), PACKAGES).expect("write package.json");
    let Some(modules) = node_modules(project.path(), "tus-js-client") else { return };
    let mut server = TestServer::start(Database::Sqlite).await;
    let (api, _receiver) = acme_on(&server).await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    let bytes = long_video(SIZE);
    let file = project.path().join("rooms.mp4");
    fs::write(&file, &bytes).expect("write the film");
    let mut metadata: Vec<(&str, String)> = describe(case, VIDEO, "rooms.mp4");
    metadata.push(("captureId", CAPTURES[0].to_owned()));
    let metadata: Value = metadata.into_iter().map(|(name, value)| (name.to_owned(), json!(value))).collect();

    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/api/tus.mjs");
    let mut client = Command::new("node")
        .current_dir(modules.parent().expect("the folder of the packages"))
        .arg(&script)
        .arg(format!("{}/v2/uploads", server.base_url()))
        .arg(api.token.as_deref().expect("a token"))
        .arg(&file)
        .arg(metadata.to_string())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("start node");
    let (report, progress) = mpsc::channel();
    let lines = BufReader::new(client.stderr.take().expect("a pipe")).lines();
    std::thread::spawn(move || {
        for line in lines.map_while(Result::ok) {
            let sent = line.split_once(" of ").and_then(|(sent, _)| sent.parse::<usize>().ok());
            let _ = report.send(sent.ok_or(line));
        }
    });
    for cut in CUTS {
        loop {
            let sent = progress.recv().expect("the client reports its progress").expect("no error");
            assert!(sent < SIZE, "the client was too fast for the test");
            if sent >= cut {
                break;
            }
        }
        server.restart().await;
    }
    let output = client.wait_with_output().expect("wait for node");
    assert!(output.status.success(), "{:?}", progress.iter().last());
    let url = String::from_utf8(output.stdout).expect("text");
    let stored = view(&api, url.trim()).await;
    let served = api.with_token(None).get(stored["item"]["fileUrl"].as_str().expect("an address")).await.expect(200);
    assert_eq!(hash(&served.body), hash(&bytes));
}
