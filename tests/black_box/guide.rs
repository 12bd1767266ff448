//! Checks the integrators' guide (`docs/integrator.md`) against the server: its commands run, and its programs
//! distinguish genuine webhooks from forged ones.

use std::{
    fs,
    io::Write as _,
    path::Path,
    process::{Command, Stdio},
};

use sealwright_lab::{Person, RepairInvoice};

use crate::support::{
    Database, Receiver, TestServer,
    company_manifest::{ACME_API_KEY, ACME_API_SECRET, SHORT_FRAME, acme_on},
    evidence::{close, open_case, photo},
    skip_loudly,
};

const GUIDE: &str = include_str!("../../docs/integrator.md");
/// The company used in the guide.
const DEMO: &str = include_str!("../../host/demo/company.toml");

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_guide_s_commands_run_from_the_first_to_the_last() {
    for program in ["bash", "curl", "jq", "unzip"] {
        if !is_installed(program) {
            return skip_loudly(&format!("the guide's commands: {program} is not installed"));
        }
    }
    let server = TestServer::start(Database::Sqlite).await;
    server.must_apply(DEMO);
    // `apply` takes effect after seconds, and the guide does not wait.
    server.sign_in("demo-api", "demo-password").await;
    let receiver = Receiver::start().await;
    let folder = server.folder().join("guide");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("photo.jpg"), photo(1).bytes).unwrap();
    let invoice = sealwright_lab::repair_invoice(&Person::invented(1), &RepairInvoice::invented(1)).unwrap();
    fs::write(folder.join("repair-invoice.pdf"), invoice).unwrap();

    let script = format!("set -euo pipefail\n{}", blocks("sh").join("\n"));
    fs::write(folder.join("guide.sh"), script).unwrap();
    let mut bash = Command::new("bash");
    bash.arg("guide.sh").current_dir(&folder).env("BASE", server.base_url()).env("FILES", &folder);
    bash.env("HOOK", receiver.url("/cases"));
    let output = tokio::task::spawn_blocking(move || bash.output().unwrap()).await.unwrap();
    let (said, failed) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{}\n{said}\n{failed}", output.status);
    for expected in [
        "%PDF-",
        "Case closed successfully",
        "missed: CAS-",
        "Cases bulk delete ended",
        "A-1",
        "\n200\n",
        "CAS-1_CMP-1.pdf",
    ] {
        assert!(said.contains(expected), "{expected} is not in\n{said}\n{failed}");
    }
    let webhook = receiver.wait_for(1).await.remove(0);
    assert_eq!(webhook.headers["authorization"], "Bearer a-long-random-token");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_guide_s_programs_distinguish_genuine_webhooks_from_forged_ones() {
    let server = TestServer::start(Database::Sqlite).await;
    let (api, receiver) = acme_on(&server).await;
    let body = serde_json::json!({ "frameId": SHORT_FRAME, "title": "Ünïcode 🏠", "metadata": { "a": "\u{7f}é" } });
    close(&api, open_case(&api, &body).await).await.expect(200);
    let webhook = receiver.wait_for(1).await.remove(0);
    let header = webhook.headers["authorization"].to_str().unwrap();
    let genuine = webhook.body.as_ref();
    let rewritten = serde_json::to_vec_pretty(&webhook.json()).unwrap();
    let other_key = header.replace(ACME_API_KEY, "other-key");

    for (language, interpreter, file) in [
        ("python", "python3", "check.py"),
        ("javascript", "node", "check.js"),
        ("java", "java", "CaseWebhook.java"),
        ("php", "php", "check.php"),
    ] {
        if !is_installed(interpreter) {
            skip_loudly(&format!("the guide's program in {language}: {interpreter} is not installed"));
            continue;
        }
        let [program] = &blocks(language)[..] else { panic!("one program in {language}") };
        let path = server.folder().join(file);
        fs::write(&path, program).unwrap();
        let says = |body: &[u8], header: &str| check(interpreter, &path, body, header);
        assert_eq!(says(genuine, header), "genuine", "{language}");
        assert_eq!(says(&rewritten, header), "forged", "{language}: the raw body counts");
        assert_eq!(says(genuine, &other_key), "forged", "{language}: the key counts");
        assert_eq!(says(genuine, &header[..header.len() - 1]), "forged", "{language}: the whole signature counts");
        assert_eq!(says(genuine, "Bearer x"), "forged", "{language}");
    }
}

fn is_installed(program: &str) -> bool {
    Command::new(program).arg("--version").stdin(Stdio::null()).output().is_ok()
}

/// Runs a program of the guide and returns what it prints.
fn check(interpreter: &str, program: &Path, body: &[u8], header: &str) -> String {
    let mut command = Command::new(interpreter);
    command.arg(program).arg(header).env("API_KEY", ACME_API_KEY).env("API_SECRET", ACME_API_SECRET);
    let mut running = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    running.stdin.take().unwrap().write_all(body).unwrap();
    let output = running.wait_with_output().unwrap();
    assert!(output.status.success(), "{interpreter}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// The guide's blocks in a language.
fn blocks(language: &str) -> Vec<&'static str> {
    let blocks = GUIDE.split("\n```").skip(1).step_by(2);
    blocks.filter_map(|block| block.strip_prefix(language)?.strip_prefix('\n')).collect()
}
