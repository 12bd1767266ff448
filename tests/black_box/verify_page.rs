//! The page that checks a certificate in a browser (operator.md, verification.md): it answers like `sealwright verify`,
//! from a disk, without a server, and connects to nothing.

mod attacked;
mod forged;
mod packaged;

use std::fs;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use sealwright_seal::manifest::SealManifest;
use serde_json::{Value, json};

use crate::{
    proofs::with_manifest,
    support::{
        Database, TestServer, asice,
        browser::{Browser, Engine},
        company_manifest::{acme_on, acme_with_webhook},
        evidence::photo,
        judges::must,
        pdf,
        proofs::{CONFIGURATION, Sealer, base_of, certificate, make_root},
        server::said,
    },
};

/// In bytes.
const MOST: usize = 1_500_000;
const ROOT: &str = "data/development-authority/root.pem";

/// The other languages of the page, and what it says in them of a valid certificate.
const LANGUAGES: [(&str, [&str; 4]); 2] = [
    (
        "Français",
        ["Ce certificat est valide.", "Inchangé\u{a0}?", "Ce qui n’est pas prouvé", "Pourquoi croire cette page"],
    ),
    (
        "Deutsch",
        ["Dieses Zertifikat ist gültig.", "Unverändert?", "Was nicht bewiesen ist", "Warum dieser Seite glauben?"],
    ),
];

/// What the page has loaded or tried to load.
const LOADED: &str = "return performance.getEntriesByType('resource').map((entry) => entry.name)";
/// Whether the page can reach an address.
const REACH: &str = "
    const done = arguments[arguments.length - 1];
    fetch(arguments[0], { mode: 'no-cors' }).then(() => done('reached'), () => done('refused'));";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn operator_md_verify_prints_the_page_that_the_server_serves() {
    let server = TestServer::start(Database::Sqlite).await;
    let printed = server.run(&["verify", "--page"]);
    assert!(printed.status.success(), "{}", said(&printed));
    let page = String::from_utf8(printed.stdout).unwrap();
    assert!(page.len() <= MOST, "{} bytes", page.len());
    let served = server.anonymous().get("/verify").await.expect(200);
    assert_eq!(served.text(), page);
    let policy = served.header("content-security-policy").unwrap();
    assert!(
        policy.starts_with("default-src 'none'; script-src 'sha256-") && !policy.contains("connect-src"),
        "{policy}"
    );
    let own = policy.strip_suffix("; frame-ancestors 'none'").unwrap();
    assert!(page.contains(&format!("http-equiv=\"Content-Security-Policy\" content=\"{own}\"")), "{policy}");
    let output = server.run(&["verify", "--page", "cert.pdf"]);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert!(server.anonymous().get("/docs").await.expect(200).text().contains("href=\"/verify\""));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_page_answers_like_the_command_without_a_network() {
    if !Engine::Chromium.is_there() {
        return;
    }
    let mut server = TestServer::start(Database::Sqlite).await;
    write_files(&server).await;
    let base = server.base_url();
    let browser = Browser::start().await;
    browser.open(&page_address(&server)).await;
    browser.wait_for("#certificate").await;
    // The server still runs, and the page cannot reach it.
    assert_eq!(browser.run_async(REACH, json!([format!("{base}/healthz")])).await, json!("refused"));
    server.kill();
    browser.set_offline(true).await;

    let cases = [
        Case { outcome: "valid", headline: "This certificate is valid.", ..Case::of("cert.pdf", Some(ROOT)) },
        Case {
            originals: &["photo.jpg"],
            outcome: "valid",
            headline: "This certificate is valid.",
            ..Case::of("cert.pdf", Some(ROOT))
        },
        Case {
            originals: &["photo.jpg", "other.jpg"],
            headline: "a given file is not one of those that were sealed",
            ..Case::of("cert.pdf", Some(ROOT))
        },
        Case {
            outcome: "intactButUntrusted",
            headline: "not everyone behind it is trusted here",
            ..Case::of("cert.pdf", None)
        },
        Case {
            outcome: "intactButUntrusted",
            headline: "not everyone behind it is trusted here",
            ..Case::of("cert.pdf", Some("foreign.pem"))
        },
        Case { outcome: "valid", headline: "This certificate is valid.", ..Case::of("embedded.pdf", Some(ROOT)) },
        Case::of("changed.pdf", Some(ROOT)),
        Case::of("cut.pdf", Some(ROOT)),
        Case::of("longer.pdf", Some(ROOT)),
        Case::of("photo.jpg", Some(ROOT)),
        Case { headline: "This certificate contradicts itself.", ..Case::of("lie.pdf", Some(ROOT)) },
        Case { outcome: "valid", headline: "This disclosure is valid.", ..Case::of("part.zip", Some(ROOT)) },
        Case {
            outcome: "intactButUntrusted",
            headline: "This disclosure is intact, but not everyone behind it is trusted here.",
            ..Case::of("part.zip", None)
        },
        Case {
            originals: &["other.jpg"],
            headline: "a given file is not one of those that it shows",
            ..Case::of("part.zip", Some(ROOT))
        },
        Case::of("changed.zip", Some(ROOT)),
        Case { outcome: "valid", headline: "This certificate is valid.", ..Case::of("case.asice", Some(ROOT)) },
        Case {
            originals: &["photo.jpg", "other.jpg"],
            headline: "a given file is not one of those that were sealed",
            ..Case::of("case.asice", Some(ROOT))
        },
    ];
    for case in cases {
        let files = [case.certificate].into_iter().chain(case.root).chain(case.originals.iter().copied());
        if files.clone().any(|name| !server.folder().join(name).is_file()) {
            continue;
        }
        let files: Vec<&str> = files.collect();
        let shown = check(&browser, &server, &case).await;
        assert_eq!(without_time(shown), without_time(command(&server, &case)), "{files:?}");
        let text = browser.text().await;
        for expected in [case.headline, "Unchanged?", "By whom?", "Since when?"] {
            assert!(text.contains(expected), "{expected}: {text}");
        }
        if case.certificate == "embedded.pdf" {
            assert!(text.contains("Original files inside the certificate: 1 of 1."), "{text}");
            browser.wait_for("img[alt^='Original inside the certificate, ITM-'][src^='blob:']").await;
        }
    }
    for (language, expected) in LANGUAGES {
        browser.open(&page_address(&server)).await;
        browser.click_named(language).await;
        let case = Case { outcome: "valid", ..Case::of("cert.pdf", Some(ROOT)) };
        let facts = give(&browser, &server, &case).await;
        let text = browser.text().await;
        for sentence in expected {
            assert!(text.contains(sentence), "{language}: {sentence}: {text}");
        }
        assert_prints(&browser, &server, &facts, &expected).await;
    }
    for name in browser.run(LOADED, json!([])).await.as_array().unwrap() {
        assert!(name.as_str().unwrap().starts_with("blob:"), "{name}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_page_answers_in_firefox_and_webkit() {
    let server = TestServer::start(Database::Sqlite).await;
    write_files(&server).await;
    for engine in [Engine::Firefox, Engine::WebKit] {
        if !engine.is_there() {
            continue;
        }
        let browser = Browser::start_engine(engine).await;
        browser.open(&page_address(&server)).await;
        let case = Case { originals: &["photo.jpg"], outcome: "valid", ..Case::of("cert.pdf", Some(ROOT)) };
        let shown = check(&browser, &server, &case).await;
        assert_eq!(without_time(shown), without_time(command(&server, &case)), "{engine:?}");
    }
}

/// The key of a witness that has seen no log.
const WITNESS: &str = "w.example/1+2635800e+BBpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_page_trusts_the_witnesses_that_are_named() {
    if !Engine::Chromium.is_there() {
        return;
    }
    let server = TestServer::start(Database::Sqlite).await;
    write_files(&server).await;
    let browser = Browser::start().await;
    browser.open(&page_address(&server)).await;
    browser.click(".trust summary").await;
    browser.enter("#witnesses", WITNESS).await;
    let case = Case { outcome: "intactButUntrusted", ..Case::of("cert.pdf", None) };
    let shown = give(&browser, &server, &case).await;
    assert_eq!(shown["witnesses"]["trusted"], 1, "{shown}");
    let output = server.run(&["verify", "cert.pdf", "--json", "--data-dir", "elsewhere", "--witness", WITNESS]);
    assert_eq!(without_time(shown), without_time(serde_json::from_slice(&output.stdout).unwrap()));
    let text = browser.text().await;
    for expected in ["none of the 1 witnesses that are trusted here", "(as a witness of the log of seals)"] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
}

/// What is given to the page and to the command.
struct Case {
    certificate: &'static str,
    root: Option<&'static str>,
    originals: &'static [&'static str],
    outcome: &'static str,
    headline: &'static str,
}

impl Case {
    const fn of(certificate: &'static str, root: Option<&'static str>) -> Self {
        Self {
            certificate,
            root,
            originals: &[],
            outcome: "changedOrNotOurs",
            headline: "This is not a valid certificate.",
        }
    }
}

/// The page, a certificate, and what is not one, in the server's folder, where the commands run.
async fn write_files(server: &TestServer) {
    let (api, _receiver) = acme_on(server).await;
    let genuine = certificate(&api, "Martinel").await;
    let write = |name: &str, bytes: &[u8]| fs::write(server.folder().join(name), bytes).unwrap();
    write("verify.html", &server.run(&["verify", "--page"]).stdout);
    write("cert.pdf", &genuine);
    write("case.asice", &asice::package(&api, 1).await);
    write("photo.jpg", &photo(1).bytes);
    write("other.jpg", &photo(2).bytes);
    let mut changed = genuine.clone();
    let middle = changed.len() / 3;
    changed[middle] ^= 1;
    write("changed.pdf", &changed);
    write("cut.pdf", &genuine[..genuine.len() / 2]);
    let disclosed = server.run(&["disclose", "1", "--items", "1", "--out", "part.zip"]);
    assert!(disclosed.status.success(), "{}", said(&disclosed));
    let mut package = fs::read(server.folder().join("part.zip")).unwrap();
    // In the signature.
    package[200] ^= 1;
    write("changed.zip", &package);
    write("longer.pdf", &[&genuine[..], b"\n"].concat());
    server.must_apply(&acme_with_webhook("").replacen("name = ", "embed_originals = \"5MB\"\nname = ", 1));
    write("embedded.pdf", &certificate(&api, "Martinel").await);
    write("ca.cnf", CONFIGURATION.as_bytes());
    make_root(server.folder(), "foreign");
    // Every byte is signed, but the list has another item than the pages.
    if let Some(content) = pdf::read(&genuine) {
        let mut manifest = SealManifest::from_json(content.json_attachments[0].to_string().as_bytes()).unwrap();
        "ITM-999_CAS-1".clone_into(&mut manifest.items[1].reference);
        let salts = vec![[5; 32]; manifest.items.len()];
        manifest.commit(&salts).unwrap();
        let sealer = Sealer::of_server(server);
        let base = with_manifest(base_of(&genuine), &manifest.to_canonical_json().unwrap());
        write("lie.pdf", &sealer.sealed(&base, sealer.now));
    }
}

fn page_address(server: &TestServer) -> String {
    format!("file://{}", server.folder().join("verify.html").display())
}

/// Gives the files to a fresh page, waits for its answer, and returns the facts that it shows.
async fn check(browser: &Browser, server: &TestServer, case: &Case) -> Value {
    browser.open(&page_address(server)).await;
    give(browser, server, case).await
}

/// The same on a page that is open and has no files yet.
async fn give(browser: &Browser, server: &TestServer, case: &Case) -> Value {
    let path = |name: &&str| server.folder().join(name).display().to_string();
    browser.click(".trust summary").await;
    if let Some(root) = &case.root {
        browser.enter("#roots", &path(root)).await;
    }
    if !case.originals.is_empty() {
        let all: Vec<String> = case.originals.iter().map(path).collect();
        browser.enter("#originals", &all.join("\n")).await;
    }
    browser.enter("#certificate", &path(&case.certificate)).await;
    browser.wait_for("#result[data-state=done]").await;
    let facts = browser.run("return document.querySelector('#facts').textContent", json!([])).await;
    let facts: Value = serde_json::from_str(facts.as_str().unwrap()).unwrap();
    assert_eq!(facts["outcome"], case.outcome, "{facts}");
    facts
}

/// The result on paper: A4, with the sentences and whole digests, and without what can only be pressed.
async fn assert_prints(browser: &Browser, server: &TestServer, facts: &Value, sentences: &[&str]) {
    let printed = browser.control("Page.printToPDF", json!({ "preferCSSPageSize": true })).await;
    let bytes = STANDARD.decode(printed["data"].as_str().unwrap()).unwrap();
    fs::write(server.folder().join("printed.pdf"), bytes).unwrap();
    let folder = server.folder();
    let (Some(about), Some(text)) =
        (must("pdfinfo", "printed.pdf", folder), must("pdftotext", "-layout printed.pdf -", folder))
    else {
        return;
    };
    assert!(about.contains("(A4)"), "{about}");
    let text = text.replace('\u{a0}', " ");
    let digest = facts["file"]["sha256"].as_str().unwrap();
    for expected in sentences.iter().copied().chain([digest]) {
        assert!(text.contains(&expected.replace('\u{a0}', " ")), "{expected}: {text}");
    }
    for button in ["English", "Imprimer", "drucken"] {
        assert!(!text.contains(button), "{button}: {text}");
    }
}

/// What the command prints for the same files, in an installation that trusts nothing by itself.
fn command(server: &TestServer, case: &Case) -> Value {
    let mut arguments = vec!["verify", case.certificate];
    arguments.extend(case.originals);
    arguments.extend(["--json", "--data-dir", "elsewhere"]);
    if let Some(root) = case.root {
        arguments.extend(["--trust", root]);
    }
    let output = server.run(&arguments);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", said(&output)))
}

fn without_time(mut facts: Value) -> Value {
    facts["file"]["checkedAt"] = Value::Null;
    facts
}
