//! Certificate templates of companies: the commands for designers, and what happens if a template is broken (operator's
//! page, `sealwright template`).

use std::{fs, path::Path, process::Command};

use serde_json::{Value, json};

use crate::support::{
    Api, TestServer,
    company_manifest::{SHORT_FRAME, acme_on, acme_with_webhook, note_step},
    evidence::{add_entry, close, open_case},
    on_both_databases,
    server::said,
    skip_loudly,
};

on_both_databases!(
    a_company_s_certificates_have_its_template_and_a_change_takes_effect_at_once,
    a_broken_template_loses_no_seal,
    apply_refuses_a_template_that_cannot_be_used,
);

/// A template that shows the required content, with `mark` at the top.
pub(crate) fn template(mark: &str) -> String {
    format!(
        r#"#import "/sealwright.typ": *
#set text(font: fonts("Noto Sans"))
{mark}

#data.reference
#for row in items [
  - #row.item.reference #if row.item.sha256 != none {{ lines-of(row.item.sha256) }}
]
#data.seal.statement
#for step in missing-steps [
  - #step.title
]"#
    )
}

pub(crate) fn write(folder: &Path, file: &str, content: &str) {
    fs::create_dir_all(folder).unwrap();
    // Like an editor: writes a new file under another name, then renames it.
    let part = folder.join(".part");
    fs::write(&part, content).unwrap();
    fs::rename(part, folder.join(file)).unwrap();
}

pub(crate) fn with_template(name: &str) -> String {
    acme_with_webhook("").replacen("name = ", &format!("certificate_template = \"{name}\"\nname = "), 1)
}

/// Restarts the server with a `template_dir` that contains the template `acme`.
async fn with_template_dir(server: &mut TestServer) -> std::path::PathBuf {
    let folder = server.folder().join("templates");
    write(&folder.join("acme"), "main.typ", &template("First version"));
    server.set("SEALWRIGHT_TEMPLATE_DIR", &folder.display().to_string());
    server.kill();
    server.restart().await;
    folder.join("acme")
}

/// The text of the certificate of a case with one entry.
pub(crate) async fn certificate(api: &Api) -> Option<String> {
    let case = open_case(api, &json!({ "frameId": SHORT_FRAME })).await;
    add_entry(api, case, note_step(SHORT_FRAME), "note").await.expect(201);
    let url = close(api, case).await.expect(200).json()["pdfUrl"].as_str().unwrap().to_owned();
    let certificate = api.with_token(None).get(&url).await.expect(200);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("certificate.pdf");
    fs::write(&file, &certificate.body).unwrap();
    let Ok(output) = Command::new("pdftotext").arg(&file).arg("-").output() else {
        skip_loudly("pdftotext of poppler-utils is not installed");
        return None;
    };
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

async fn a_company_s_certificates_have_its_template_and_a_change_takes_effect_at_once(mut server: TestServer) {
    let acme = with_template_dir(&mut server).await;
    let (api, _receiver) = acme_on(&server).await;
    server.must_apply(&with_template("acme"));
    let Some(first) = certificate(&api).await else { return };
    assert!(first.contains("First version"), "{first}");
    write(&acme, "main.typ", &template("#include \"/part.typ\""));
    write(&acme, "part.typ", "Second version");
    let second = certificate(&api).await.unwrap();
    assert!(second.contains("Second version"), "{second}");
}

async fn a_broken_template_loses_no_seal(mut server: TestServer) {
    let acme = with_template_dir(&mut server).await;
    let (api, _receiver) = acme_on(&server).await;
    server.must_apply(&with_template("acme"));
    // Broken before it ever worked in this process: the built-in one is used.
    write(&acme, "main.typ", "#unknown");
    let Some(built_in) = certificate(&api).await else { return };
    assert!(built_in.contains("How to read and check this certificate"), "{built_in}");
    assert!(server.log().contains("unknown variable: unknown"), "the log says why");

    write(&acme, "main.typ", &template("Third version"));
    assert!(certificate(&api).await.unwrap().contains("Third version"));
    // Broken afterwards, in four ways: the last version that worked is used.
    for broken in [
        "#unknown",
        "No digest, no reference",
        "#let deeper(n) = { let x = deeper(n + 1); x }\n#deeper(0)",
        "#let all = (\"x\",) * 1000\n#for i in range(200) { all += all }",
    ] {
        write(&acme, "main.typ", broken);
        let certificate = certificate(&api).await.unwrap();
        assert!(certificate.contains("Third version"), "{broken}: {certificate}");
    }
    let metrics = reqwest::get(format!("{}/metrics", server.admin_url())).await.unwrap().text().await.unwrap();
    assert!(metrics.contains("sealwright_template_fallbacks_total 5"), "{metrics}");
    // Removed: the built-in one is used again.
    fs::remove_dir_all(&acme).unwrap();
    assert!(certificate(&api).await.unwrap().contains("How to read and check"));
}

async fn apply_refuses_a_template_that_cannot_be_used(mut server: TestServer) {
    let acme = with_template_dir(&mut server).await;
    server.must_apply(&with_template("acme"));
    for (main, expected) in [("#unknown", "main.typ:1:2: unknown variable: unknown"), ("Hello", "cannot be seen")] {
        write(&acme, "main.typ", main);
        let output = server.apply(&with_template("acme"));
        assert!(!output.status.success());
        for expected in [expected, "company.certificate_template", "nothing was applied", "sealwright template check"] {
            assert!(said(&output).contains(expected), "{expected}: {}", said(&output));
        }
    }
    let output = server.apply(&with_template("other"));
    assert!(said(&output).contains("\"other\" is not a folder of template_dir"), "{}", said(&output));
    let doctor: Value = serde_json::from_slice(&server.run(&["doctor", "--json"]).stdout).unwrap();
    let check = doctor["checks"].as_array().unwrap().iter().find(|check| check["part"] == "certificate template");
    assert!(check.unwrap()["finding"].as_str().unwrap().contains("acme cannot be used"), "{check:?}");
}

/// The commands need neither a server nor a database.
fn sealwright(arguments: &[&str]) -> std::process::Output {
    Command::new(env!("CARGO_BIN_EXE_sealwright")).args(arguments).output().unwrap()
}

#[test]
fn a_template_is_created_previewed_and_checked() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    for theme in ["default", "notary", "gallery"] {
        let (acme, picture) = (path(theme), path("preview.png"));
        let output = sealwright(&["template", "new", &acme, "--from", theme]);
        assert!(output.status.success(), "{}", said(&output));
        let output = sealwright(&["template", "preview", &acme, "--sample", "time-pending", "--out", &picture]);
        assert!(output.status.success(), "{}", said(&output));
        assert!(fs::read(&picture).unwrap().starts_with(b"\x89PNG"));
    }
    let output = sealwright(&["template", "check", &path("notary"), "--json"]);
    assert!(output.status.success(), "{}", said(&output));
    let examined: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&examined["usable"], &examined["findings"]), (&json!(true), &json!([])));
    assert!(examined["samples"].as_array().unwrap().len() >= 8);
    let refused = sealwright(&["template", "new", &path("notary")]);
    assert!(!refused.status.success() && said(&refused).contains("already exists"), "{}", said(&refused));
}

#[test]
fn a_template_error_is_reported_with_file_line_column_and_caret() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("main.typ"), "#import \"part.typ\": *\n#part").unwrap();
    fs::write(folder.path().join("part.typ"), "#let part = [\n  #datta.title\n]").unwrap();
    let dir = folder.path().display().to_string();
    let output = sealwright(&["template", "check", &dir]);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).unwrap();
    let expected = "error: unknown variable: datta\n --> part.typ:2:4\n  |\n2 |   #datta.title\n  |    ^^^^^\n";
    assert!(text.starts_with(expected), "{text}");
    assert!(text.contains("cannot be used: 0 of "), "{text}");
    let json: Value = serde_json::from_slice(&sealwright(&["template", "check", &dir, "--json"]).stdout).unwrap();
    assert_eq!(json["findings"][0]["place"]["line"], 2);
    assert_eq!(json["findings"].as_array().unwrap().len(), 1, "a finding of all samples is reported once: {json}");
}

#[test]
fn a_template_sees_nothing_outside_its_folder() {
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("secret.txt"), "the secret").unwrap();
    let folder = outside.path().join("template");
    let secret = outside.path().join("secret.txt").display().to_string();
    for (main, expected) in [
        ("#read(\"../secret.txt\")".to_owned(), "main.typ:1:"),
        (format!("#read(\"{secret}\")"), "file not found"),
        ("#read(\"/proc/self/environ\")".to_owned(), "file not found"),
        ("#import \"@preview/cetz:0.4.0\"".to_owned(), "cannot use packages"),
        ("#datetime.today()".to_owned(), "unable to get the current date"),
        ("#sys.inputs.at(\"HOME\")".to_owned(), "main.typ:1:"),
    ] {
        write(&folder, "main.typ", &main);
        let output = sealwright(&["template", "check", &folder.display().to_string()]);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(output.status.code(), Some(1), "{main}: {text}");
        assert!(text.contains(expected) && !text.contains("the secret"), "{main}: {text}");
    }
    write(&folder, "main.typ", "text");
    std::os::unix::fs::symlink(&secret, folder.join("inside.txt")).unwrap();
    let output = sealwright(&["template", "check", &folder.display().to_string()]);
    assert!(String::from_utf8_lossy(&output.stdout).contains("inside.txt is a symbolic link"));
}

#[test]
fn watching_rebuilds_the_preview_at_each_save() {
    let folder = tempfile::tempdir().unwrap();
    let (dir, out) = (folder.path().join("acme"), folder.path().join("acme.pdf"));
    write(&dir, "main.typ", &template("One"));
    let mut watching = Command::new(env!("CARGO_BIN_EXE_sealwright"))
        .args(["template", "preview", &dir.display().to_string(), "--watch", "--sample", "no-items"])
        .args(["--out", &out.display().to_string()])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = std::io::BufRead::lines(std::io::BufReader::new(watching.stdout.take().unwrap()));
    let mut next = |wanted: &str| {
        let line = lines.by_ref().map(Result::unwrap).find(|line| line.contains(wanted));
        assert!(line.is_some(), "{wanted} is never printed");
    };
    next("acme.pdf: 1 pages in");
    write(&dir, "main.typ", "#unknown");
    next("unknown variable: unknown");
    next("nothing was written");
    let before = fs::read(&out).unwrap();
    // In place, as other editors save.
    fs::write(dir.join("main.typ"), template("#lorem(2000)")).unwrap();
    next("pages in");
    assert_ne!(fs::read(&out).unwrap(), before);
    watching.kill().unwrap();
    watching.wait().unwrap();
}
