//! Checks the guide for recipients of certificates (`docs/verification.md`) against the server and independent
//! programs: each of its commands is run as written, on a certificate from a running server.

use std::{
    env, fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::Command,
};

use sealwright_seal::disclosure::disclose;
use serde_json::json;

use crate::support::{
    Database, TestServer,
    company_manifest::{FRAME, PHOTOGRAPHY, TEXT_FIELD, acme_on},
    evidence::{add_capture, add_entry, close, open_case, photo},
    pdf,
    server::said,
    skip_loudly,
    zip::unpack,
};

const GUIDE: &str = include_str!("../../docs/verification.md");

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_guide_s_commands_hold_for_a_certificate_of_a_running_server() {
    let server = TestServer::start(Database::Sqlite).await;
    let (api, _receiver) = acme_on(&server).await;
    let case = open_case(&api, &json!({ "frameId": FRAME, "title": "Water damage" })).await;
    add_capture(&api, case, PHOTOGRAPHY, photo(1)).await.expect(200);
    add_entry(&api, case, TEXT_FIELD, "Martinel").await.expect(201);
    let url = close(&api, case).await.expect(200).json()["pdfUrl"].as_str().unwrap().to_owned();
    let certificate = api.with_token(None).get(&url).await.expect(200).body;
    let Some(content) = pdf::read(&certificate) else { return };
    let manifest = &content.json_attachments[0];
    let token = format!("{}.tst", manifest["items"][0]["reference"].as_str().unwrap());

    let folder = server.folder().join("guide");
    fs::create_dir(&folder).unwrap();
    let write = |name: &str, bytes: &[u8]| fs::write(folder.join(name), bytes).unwrap();
    write("certificate.pdf", &certificate);
    write("photo.jpg", &photo(1).bytes);
    write("root.pem", &fs::read(server.data_dir().join("development-authority/root.pem")).unwrap());
    let part = disclose(manifest.to_string().as_bytes(), &[1]).unwrap();
    write("file.json", serde_json::to_string(&part).unwrap().as_bytes());
    let items = json!({ "items": [manifest["items"][0]["reference"].as_str().map(number_of)] });
    let package = api.post(&format!("/v2/cases/{case}/disclosure"), &items).await.expect(200).body;
    write("package.zip", &package);
    write("case.asice", &api.get(&format!("{url}/package")).await.expect(200).body);
    let Some(files) = unpack(&package) else { return };
    write("disclosure.json", &files["disclosure.json"]);
    symlink(env!("CARGO_BIN_EXE_sealwright"), folder.join("sealwright")).unwrap();

    let commands = commands();
    let mut run = Vec::new();
    for command in &commands {
        let command = filled(command, &token);
        let program = command.split(' ').next().unwrap();
        if !is_installed(program, &folder) {
            skip_loudly(&format!("the guide's command `{command}`: {program} is not installed"));
            continue;
        }
        let output = Command::new("bash")
            .args(["-c", &command])
            .current_dir(&folder)
            .env("PATH", search_path(&folder))
            .env("LC_ALL", "C")
            .output()
            .unwrap();
        assert!(output.status.success(), "{command}: {}\n{}", output.status, said(&output));
        assert_confirms(&command, &said(&output));
        run.push(command);
    }
    for expected in [
        "pyhanko sign validate",
        "pyhanko sign adesverify",
        "pdfsig",
        "pdfdetach",
        "openssl ts",
        "qpdf",
        "sha256sum",
        "sealwright verify",
    ] {
        assert!(commands.iter().any(|command| command.starts_with(expected)), "{expected} is not in the guide");
    }
    assert!(run.iter().any(|command| command.starts_with("sealwright")), "nothing was run");
    let digest = manifest["items"][0]["file"]["sha256"].as_str().unwrap();
    let said = Command::new("sha256sum").arg(folder.join("photo.jpg")).output().unwrap();
    assert!(String::from_utf8_lossy(&said.stdout).starts_with(digest), "the guide compares it with the manifest");
}

/// The number in `ITM-31_CAS-12`.
fn number_of(reference: &str) -> i64 {
    let number = reference.strip_prefix("ITM-").and_then(|rest| rest.split_once('_')).expect("a reference").0;
    number.parse().expect("a number")
}

/// Checks that the answer is the one that the guide promises, in addition to the exit code.
#[track_caller]
fn assert_confirms(command: &str, said: &str) {
    let expected = match command.split(' ').take(3).collect::<Vec<_>>()[..] {
        ["pyhanko", _, "validate"] => "The signature is judged VALID",
        ["pyhanko", _, "adesverify"] => "INTACT:TRUSTED",
        ["pdfsig", ..] => "Signature is Valid",
        ["openssl", "cms", _] => "CMS Verification successful",
        ["openssl", ..] => "Verification: OK",
        ["qpdf", ..] => "No syntax or stream encoding errors found",
        ["sealwright", ..] => "\"outcome\": \"valid\"",
        _ => "",
    };
    assert!(said.contains(expected), "{command} does not say `{expected}`: {said}");
}

/// The indented lines of the guide that are commands, and the commands in its sentences. Installation commands and
/// single options are left out, and the check of an evidence record, which `evidence_records.rs` runs.
fn commands() -> Vec<String> {
    let blocks =
        GUIDE.lines().filter_map(|line| line.strip_prefix("    ")).filter(|line| !line.starts_with([' ', '|']));
    let inline = GUIDE.split('`').skip(1).step_by(2).filter(|code| code.contains(" <") && !code.contains('\n'));
    let all = blocks.chain(inline).map(|line| line.split("  ").next().unwrap_or_default().trim().to_owned());
    let is_run =
        |command: &String| !command.starts_with("pip ") && !command.starts_with('-') && !command.contains("<file.ers>");
    all.filter(is_run).collect()
}

/// The command with this certificate's files in place of the guide's names. Optional parts in brackets are kept.
fn filled(command: &str, token: &str) -> String {
    let names = [
        ("<ITM-1_CAS-12.tst>", token),
        ("[<original>…]", "photo.jpg"),
        ("<certificate.pdf>", "certificate.pdf"),
        ("<package.zip>", "package.zip"),
        ("<case.asice>", "case.asice"),
        ("<root.pem>", "root.pem"),
        ("<photo.jpg>", "photo.jpg"),
        ("<file.json>", "file.json"),
        ("<key>", "w.example/1+2635800e+BBpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"),
        ("[--json]", "--json"),
        ("[", ""),
        ("]…", ""),
        ("]", ""),
    ];
    let mut filled = names.iter().fold(command.to_owned(), |text, (name, value)| text.replace(name, value));
    assert!(!filled.contains(['<', '>', '…']), "the guide's command `{command}` has a name that is not filled in");
    if filled.starts_with("sealwright verify") && !filled.contains("--json") {
        filled.push_str(" --json --data-dir elsewhere --trust root.pem");
    }
    filled
}

fn is_installed(program: &str, folder: &Path) -> bool {
    env::split_paths(&search_path(folder)).any(|folder| folder.join(program).is_file())
}

/// This folder, then that of the Python that `SEALWRIGHT_TEST_PYTHON` names, then the path.
fn search_path(folder: &Path) -> std::ffi::OsString {
    let python = env::var_os("SEALWRIGHT_TEST_PYTHON");
    let python = python.and_then(|python| PathBuf::from(python).parent().map(Path::to_path_buf));
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = [folder.to_owned()].into_iter().chain(python).chain(env::split_paths(&path));
    env::join_paths(folders).unwrap()
}
