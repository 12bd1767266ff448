//! The typed clients of `web/clients/`: their own tests, the ten tasks of the integrators' guide with each of them, and
//! webhooks as the server signs them.

use std::{
    fs,
    io::Write as _,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use sealwright_lab::{Person, RepairInvoice};

use crate::support::{
    Database, TestServer,
    company_manifest::{ACME_API_KEY, ACME_API_SECRET, SHORT_FRAME, acme_on},
    evidence::{close, open_case, photo},
    server::said,
    skip_loudly,
};

/// The company used in the guide.
const DEMO: &str = include_str!("../../host/demo/company.toml");

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_typescript_client_carries_out_the_ten_tasks() {
    carry_out_the_ten_tasks("node", "typescript/tests/tasks.mjs").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_python_client_carries_out_the_ten_tasks() {
    carry_out_the_ten_tasks("python3", "python/tests/tasks.py").await;
}

async fn carry_out_the_ten_tasks(interpreter: &str, program: &str) {
    let Some(mut command) = client_command(interpreter) else { return };
    let server = TestServer::start(Database::Sqlite).await;
    server.must_apply(DEMO);
    // `apply` takes effect after seconds, and the tasks do not wait.
    server.sign_in("demo-api", "demo-password").await;
    let (picture, document) = (server.folder().join("photo.jpg"), server.folder().join("invoice.pdf"));
    fs::write(&picture, photo(1).bytes).unwrap();
    fs::write(&document, sealwright_lab::repair_invoice(&Person::invented(1), &RepairInvoice::invented(1)).unwrap())
        .unwrap();
    command.arg(clients().join(program)).arg(server.base_url()).arg(picture).arg(document);
    let output = tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap();
    assert!(output.status.success() && said(&output).contains("ten tasks done"), "{}", said(&output));
}

#[test]
fn the_typescript_client_s_own_tests_pass() {
    let Some(mut command) = client_command("node") else { return };
    let output = command.arg("--test").arg(clients().join("typescript/tests/client.test.mjs")).output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
}

#[test]
fn the_python_client_s_own_tests_pass() {
    let Some(mut command) = client_command("python3") else { return };
    let output = command.args(["-m", "unittest", "discover", "--start-directory"]).arg(clients().join("python/tests"));
    let output = output.output().unwrap();
    assert!(output.status.success() && said(&output).contains("\nOK"), "{}", said(&output));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_clients_distinguish_genuine_webhooks_from_forged_ones() {
    let server = TestServer::start(Database::Sqlite).await;
    let (api, receiver) = acme_on(&server).await;
    let body = serde_json::json!({ "frameId": SHORT_FRAME, "title": "Ünïcode 🏠" });
    close(&api, open_case(&api, &body).await).await.expect(200);
    let webhook = receiver.wait_for(1).await.remove(0);
    let header = webhook.header("authorization").unwrap();
    let genuine: &[u8] = &webhook.body;
    let rewritten = serde_json::to_vec_pretty(&webhook.json()).unwrap();
    for (interpreter, program) in [("node", "typescript/tests/verify.mjs"), ("python3", "python/tests/verify.py")] {
        let says = |body: &[u8], header: &str| -> Option<String> {
            let mut command = client_command(interpreter)?;
            command.arg(clients().join(program)).args([header, ACME_API_KEY, ACME_API_SECRET]);
            let mut running = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
            running.stdin.take().unwrap().write_all(body).unwrap();
            Some(said(&running.wait_with_output().unwrap()).trim().to_owned())
        };
        let Some(verdict) = says(genuine, header) else { continue };
        assert_eq!(verdict, "genuine", "{program}");
        assert_eq!(says(&rewritten, header).as_deref(), Some("forged"), "{program}: the raw body counts");
        assert_eq!(says(genuine, "Bearer x").as_deref(), Some("forged"), "{program}");
    }
}

fn clients() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../web/clients")
}

/// A call of the interpreter, or `None`, which is reported, if it is not installed.
fn client_command(interpreter: &str) -> Option<Command> {
    let is_installed = Command::new(interpreter).arg("--version").stdin(Stdio::null()).output().is_ok();
    if !is_installed {
        skip_loudly(&format!("the typed clients: {interpreter} is not installed"));
        return None;
    }
    let mut command = Command::new(interpreter);
    command.env("PYTHONDONTWRITEBYTECODE", "1");
    Some(command)
}
