//! The known attacks on signed PDF files, disclosures, erasures and packages: the page in a browser answers for each of them what the command answers.

use std::{fs, process::Command};

use sealwright_seal::{Sha256Digest, UnixTime};
use serde_json::{Value, json};

use super::{ROOT, forged, packaged, page_address, without_time};
use crate::{
    attacks::{Attack, corpus},
    sealing::Sealing,
    support::{
        Database, TestServer,
        browser::{Browser, Engine},
        proofs::machine_time,
        server::said,
    },
};

/// How many files the browser checks in one call, which has 30 seconds.
const AT_ONCE: usize = 12;

/// Adds a field for all files: [`CHECK`] takes them from it.
const ADD_FIELD: &str = "
    const all = document.createElement('input');
    Object.assign(all, { type: 'file', multiple: true, id: 'all' });
    document.body.append(all);";

/// Gives files to the page, one after the other, and returns its answers.
const CHECK: &str = "
    const [from, to, done] = arguments;
    const field = document.querySelector('#certificate');
    const result = document.querySelector('#result');
    const answered = () => new Promise((resolve) => {
        const observer = new MutationObserver(() => {
            if (result.dataset.state === 'working') return;
            observer.disconnect();
            resolve();
        });
        observer.observe(result, { attributes: true, attributeFilter: ['data-state'] });
    });
    const check = async (file) => {
        const chosen = new DataTransfer();
        chosen.items.add(file);
        field.files = chosen.files;
        const answer = answered();
        field.dispatchEvent(new Event('change'));
        await answer;
        return document.querySelector('#facts')?.textContent ?? result.textContent;
    };
    const checkAll = async () => {
        const answers = [];
        for (const file of [...document.querySelector('#all').files].slice(from, to)) answers.push(await check(file));
        return answers;
    };
    checkAll().then(done, (error) => done([String(error)]));";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_page_answers_like_the_command_for_every_known_attack() {
    if !Engine::Chromium.is_there() {
        return;
    }
    let server = TestServer::start(Database::Sqlite).await;
    let now = machine_time();
    let seal = Sealing::of("Example", now, false);
    let mut files = files(&seal, now);
    files.extend(forged::files(&server).await);
    files.extend(packaged::files(&server).await);
    assert!(files.len() >= 200, "{} files", files.len());
    let name = |number: usize| format!("{number}.file");
    for (number, GivenFile { bytes, .. }) in files.iter().enumerate() {
        fs::write(server.folder().join(name(number)), bytes).unwrap();
    }
    fs::write(server.folder().join("example.pem"), seal.root.to_pem()).unwrap();
    fs::write(server.folder().join("verify.html"), server.run(&["verify", "--page"]).stdout).unwrap();

    let trust = ["--json", "--data-dir", "elsewhere", "--trust", "example.pem", "--trust", ROOT];
    let of_file = |number: usize| server.command(&[&["verify", &name(number)], &trust[..]].concat());
    let commands: Vec<Command> = (0..files.len()).map(of_file).collect();
    // They run while the browser works.
    let printed = tokio::task::spawn_blocking(move || {
        commands.into_iter().map(|mut command| command.output().unwrap()).collect::<Vec<_>>()
    });

    let browser = Browser::start().await;
    browser.open(&page_address(&server)).await;
    browser.click(".trust summary").await;
    browser.run(ADD_FIELD, json!([])).await;
    let path = |name: &str| server.folder().join(name).display().to_string();
    browser.enter("#roots", &["example.pem", ROOT].map(path).join("\n")).await;
    let paths: Vec<String> = (0..files.len()).map(|number| path(&name(number))).collect();
    browser.enter("#all", &paths.join("\n")).await;
    let mut shown = Vec::new();
    for from in (0..files.len()).step_by(AT_ONCE) {
        let answers = browser.run_async(CHECK, json!([from, from + AT_ONCE])).await;
        shown.extend(answers.as_array().unwrap().iter().map(|answer| answer.as_str().unwrap().to_owned()));
    }
    assert_eq!(shown.len(), files.len());

    let printed = printed.await.unwrap();
    for ((GivenFile { about, is_genuine, .. }, shown), printed) in files.iter().zip(&shown).zip(&printed) {
        let shown: Value = serde_json::from_str(shown).unwrap_or_else(|error| panic!("{about}: {error}: {shown}"));
        let command: Value = serde_json::from_slice(&printed.stdout)
            .unwrap_or_else(|error| panic!("{about}: {error}: {}", said(printed)));
        assert_eq!(against(&shown).is_empty(), *is_genuine, "{about}: {shown}");
        assert_eq!(without_time(shown), without_time(command), "{about}");
    }
}

/// A file that is given to the page and to the command.
pub(super) struct GivenFile {
    pub(super) about: String,
    pub(super) bytes: Vec<u8>,
    /// Whether a trusted signer has made it, and it was not changed.
    pub(super) is_genuine: bool,
}

/// What speaks against a file, except that its page does not show the case's reference: those of `base_pdf` do not.
fn against(facts: &Value) -> Vec<&Value> {
    let findings = facts["findings"].as_array().unwrap().iter();
    findings.filter(|finding| finding["severity"] != "notice" && finding["code"] != "pages").collect()
}

/// The certificates of the victims, and every attack on them.
fn files(seal: &Sealing, now: UnixTime) -> Vec<GivenFile> {
    let stamp = |digest: &Sha256Digest| seal.stamp("attacker", digest);
    let victim = seal.victim(&Sealing::of("Other", now, false), &stamp);
    let mut files = Vec::new();
    for (about, bytes, is_genuine) in [
        ("signed", &victim.signed, true),
        ("stamped", &victim.stamped, true),
        ("archived", &victim.archived, true),
        ("renewed", &victim.renewed, true),
        ("of another case", &victim.other, true),
        ("prepared", &victim.prepared.0, true),
        ("of an untrusted authority", &victim.foreign, false),
    ] {
        files.push(GivenFile { about: about.to_owned(), bytes: bytes.clone(), is_genuine });
    }
    for Attack { class, variant, pdf } in corpus(&victim) {
        files.push(GivenFile { about: format!("{class}: {variant}"), bytes: pdf, is_genuine: false });
    }
    files
}
