//! `sealwright verify`, and the page with the same result (decisions 9 and 14, operator.md).

use std::{fs, path::PathBuf, process::Output};

use hyper::Method;
use serde_json::{Value, json};

use crate::support::{
    Answer, Api, TestServer,
    client::send,
    company_manifest::{DOCUMENT_UPLOAD, FRAME, PHOTOGRAPHY, TEXT_FIELD, acme_on},
    evidence::{add_capture, add_document, add_entry, close, identity_card, open_case, photo},
    on_both_databases, on_sqlite,
    server::said,
};

on_both_databases!(
    decisions_9_a_page_says_what_a_certificate_proves,
    the_page_of_a_certificate_is_in_the_language_that_the_browser_prefers,
    decisions_11_each_certificate_page_is_counted_separately_and_unknown_ones_together,
);

on_sqlite!(
    operator_md_the_exit_code_of_verify_says_whether_a_certificate_is_valid,
    operator_md_verify_reports_what_it_could_not_check,
    operator_md_verify_writes_a_report_for_other_programs,
);

/// A closed case with a photo, a document and an entry: its public address.
async fn certificate(api: &Api) -> String {
    let case = open_case(api, &json!({ "frameId": FRAME, "title": "Water \u{202e}damage <b>" })).await;
    add_capture(api, case, PHOTOGRAPHY, photo(1)).await.expect(200);
    add_document(api, case, DOCUMENT_UPLOAD, identity_card()).await;
    add_entry(api, case, TEXT_FIELD, "Martinel").await.expect(201);
    let closed = close(api, case).await.expect(200).json();
    closed["pdfUrl"].as_str().unwrap().to_owned()
}

/// Writes a file to the test's folder, where the command runs.
fn write(server: &TestServer, name: &str, bytes: &[u8]) -> PathBuf {
    let path = server.folder().join(name);
    fs::write(&path, bytes).unwrap();
    path
}

fn verify(server: &TestServer, arguments: &str) -> Output {
    let all: Vec<&str> = ["verify"].into_iter().chain(arguments.split(' ')).collect();
    server.run(&all)
}

/// Runs the command, requires its exit code, and returns its output, without line breaks inside sentences.
fn expect(server: &TestServer, arguments: &str, code: i32) -> String {
    let output = verify(server, arguments);
    assert_eq!(output.status.code(), Some(code), "{arguments}: {}", said(&output));
    if arguments.contains("--json") {
        said(&output)
    } else {
        said(&output).split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

async fn operator_md_the_exit_code_of_verify_says_whether_a_certificate_is_valid(mut server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let pdf = api.with_token(None).get(&certificate(&api).await).await.expect(200).body;
    // The command needs no server.
    server.kill();
    write(&server, "cert.pdf", &pdf);
    write(&server, "photo.jpg", &photo(1).bytes);
    write(&server, "other.jpg", &photo(2).bytes);
    write(&server, "card.pdf", &identity_card().bytes);

    let text = expect(&server, "cert.pdf photo.jpg card.pdf", 0);
    for expected in [
        "This certificate is valid.",
        "a development authority of the installation",
        "The file photo.jpg is the one that was sealed as ITM-",
        "Its pages show the reference, the items and the digests",
        "What is not proven",
        "That what the items show is true.",
        "Water \\u{202e}damage <b>",
        "Martinel",
        "development authority in data_dir",
    ] {
        assert!(text.contains(expected), "{expected} is missing: {text}");
    }
    let json: Value = serde_json::from_str(&expect(&server, "cert.pdf photo.jpg --json", 0)).unwrap();
    assert_eq!((&json["outcome"], &json["level"]), (&json!("valid"), &json!("B-LTA")), "{json}");
    assert_eq!(json["signature"]["development"], true);
    assert_eq!(json["trust"][0]["source"], "development");
    assert_eq!(json["originals"][0]["items"].as_array().unwrap().len(), 1);
    assert_eq!(json["items"].as_array().unwrap().len(), 3);
    assert!(json["provenTime"].is_string(), "{json}");
    assert_eq!(json["pages"]["state"], "agree", "{json}");

    let text = expect(&server, "cert.pdf photo.jpg other.jpg", 1);
    assert!(text.contains("`other.jpg` is not one of the sealed files"), "{text}");
    assert!(text.contains("This certificate is valid, but"), "{text}");

    // In another installation it is not trusted, unless its root is named.
    let text = expect(&server, "cert.pdf --data-dir elsewhere", 2);
    assert!(text.contains("intact") && text.contains("no one: name roots with --trust"), "{text}");
    let root = "data/development-authority/root.pem";
    let text = expect(&server, &format!("cert.pdf --data-dir elsewhere --trust {root}"), 0);
    assert!(text.contains("given with --trust") && !text.contains("development authority of the"), "{text}");

    for (language, sentences) in [
        ("fr", ["Ce certificat est valide.", "Ce qui n’est pas prouvé", "donné par --trust"]),
        ("de", ["Dieses Zertifikat ist gültig.", "Was nicht bewiesen ist", "mit --trust angegeben"]),
    ] {
        let arguments = format!("cert.pdf --data-dir elsewhere --trust {root} --language {language}");
        let text = expect(&server, &arguments, 0);
        for sentence in sentences {
            assert!(text.contains(sentence), "{sentence}: {text}");
        }
    }

    for (what, change) in CHANGES {
        let mut changed = pdf.to_vec();
        change(&mut changed);
        write(&server, "changed.pdf", &changed);
        let text = expect(&server, "changed.pdf", 1);
        assert!(text.contains("This is not a valid certificate."), "{what}: {text}");
    }
    let text = expect(&server, "photo.jpg", 1);
    assert!(text.contains("it is not a PDF file"), "{text}");
    let text = expect(&server, "card.pdf", 1);
    assert!(text.contains("Reasons against it"), "{text}");
}

/// The main indication of the certificate's signature in the report that `--etsi` writes.
fn main_indication(server: &TestServer, arguments: &str, code: i32) -> String {
    expect(server, &format!("{arguments} --etsi report.xml"), code);
    let report = fs::read_to_string(server.folder().join("report.xml")).unwrap();
    assert!(report.contains("<ValidationReport xmlns=\"http://uri.etsi.org/19102/v1.2.1#\""), "{report}");
    // The one of the signature comes first, before those of the time stamps.
    let (_, rest) = report.split_once("<MainIndication>urn:etsi:019102:mainindication:").unwrap();
    rest.split_once("</MainIndication>").unwrap().0.to_owned()
}

async fn operator_md_verify_writes_a_report_for_other_programs(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let pdf = api.with_token(None).get(&certificate(&api).await).await.expect(200).body;
    write(&server, "cert.pdf", &pdf);
    write(&server, "photo.jpg", &photo(1).bytes);
    write(&server, "other.jpg", &photo(2).bytes);
    write(&server, "changed.pdf", &[&pdf[..], b"\n"].concat());
    for (arguments, code, expected) in [
        ("cert.pdf photo.jpg", 0, "total-passed"),
        ("cert.pdf other.jpg", 1, "total-failed"),
        ("changed.pdf", 1, "total-failed"),
        ("photo.jpg", 1, "total-failed"),
        ("cert.pdf --data-dir elsewhere", 2, "indeterminate"),
    ] {
        assert_eq!(main_indication(&server, arguments, code), expected, "{arguments}");
    }
    let text = expect(&server, "cert.pdf --etsi missing/report.xml --json", 1);
    assert!(text.contains("writing missing/report.xml"), "{text}");
}

type Change = fn(&mut Vec<u8>);

const CHANGES: [(&str, Change); 5] = [
    ("a flipped bit", |pdf| {
        let at = pdf.len() / 3;
        pdf[at] ^= 1;
    }),
    ("cut off", |pdf| pdf.truncate(pdf.len() / 2)),
    ("a line more", |pdf| pdf.push(b'\n')),
    ("twice", |pdf| pdf.extend_from_within(..)),
    ("empty", Vec::clear),
];

async fn operator_md_verify_reports_what_it_could_not_check(server: TestServer) {
    fs::create_dir(server.folder().join("folder")).unwrap();
    write(&server, "some.pdf", b"%PDF-1.7\n");
    write(&server, "broken.pem", b"no certificate");
    for (arguments, expected) in [
        ("missing.pdf", "missing.pdf: "),
        ("folder", "folder is a folder, expected a file"),
        ("some.pdf missing.jpg", "missing.jpg: "),
        ("some.pdf folder", "folder is a folder"),
        ("some.pdf --trust missing.pem", "missing.pem: "),
        ("some.pdf --trust broken.pem", "broken.pem: no `-----BEGIN CERTIFICATE-----`"),
        ("some.pdf --disclosure broken.pem", "broken.pem: not a disclosure"),
        ("some.pdf --nonsense", "--nonsense"),
        ("--json", "CERT.pdf"),
    ] {
        let text = expect(&server, arguments, 1);
        assert!(text.contains(expected), "{arguments}: {text}");
    }
    let help = expect(&server, "--help", 0);
    assert!(help.contains("Exit code 0 when the certificate is valid"), "{help}");
}

async fn decisions_9_a_page_says_what_a_certificate_proves(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let url = certificate(&api).await;
    let page = api.with_token(None).get(&format!("{url}/verify")).await.expect(200);
    assert_is_a_page(&page);
    let text = page.text();
    for expected in [
        "This certificate is valid.",
        "What is proven",
        "What is not proven",
        "a development authority of the installation",
        "Martinel",
        "&lt;b&gt;",
        "SHA-256 of the seal manifest",
        "Its pages show the reference, the items and the digests",
        &format!("href=\"{url}\""),
    ] {
        assert!(text.contains(expected), "{expected} is missing: {text}");
    }
    for absent in ["<form", "<input", "<script", "src=", "<b>"] {
        assert!(!text.contains(absent), "{absent} in {text}");
    }
    // The second answer is the same, but has no ETag: the certificate is checked again.
    assert_eq!(page.header("etag"), None);
    let unknown = format!("{}/share/case/{}/verify", server.base_url(), "0".repeat(32));
    let page = api.with_token(None).get(&unknown).await.expect(404);
    assert_is_a_page(&page);
    assert!(page.text().contains("There is no such certificate"), "{}", page.text());
}

async fn the_page_of_a_certificate_is_in_the_language_that_the_browser_prefers(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let url = format!("{}/verify", certificate(&api).await);
    for (accepted, language, expected) in [
        ("fr-FR,fr;q=0.9,en;q=0.8", "fr", "Ce certificat est valide."),
        ("de-AT,de;q=0.9,fr;q=0.5", "de", "Dieses Zertifikat ist gültig."),
        ("es,en;q=0.5", "en", "This certificate is valid."),
    ] {
        let request = api.with_token(None).request(Method::GET, &url).header("accept-language", accepted);
        let answer = send(request).await.expect(200);
        assert!(answer.text().contains(expected), "{accepted}: {}", answer.text());
        assert!(answer.text().contains(&format!("<html lang=\"{language}\">")), "{accepted}");
        assert_eq!(answer.header("content-language"), Some(language));
    }
}

async fn decisions_11_each_certificate_page_is_counted_separately_and_unknown_ones_together(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let (one, other) = (certificate(&api).await, certificate(&api).await);
    let public = api.with_token(None);
    let remaining = async |url: &str| {
        let answer = public.get(url).await;
        answer.header("x-ratelimit-remaining").unwrap().parse::<u32>().unwrap()
    };
    let verify = |url: &str| format!("{url}/verify");
    assert_eq!(remaining(&verify(&one)).await, 59);
    assert_eq!(remaining(&verify(&one)).await, 58);
    assert_eq!(remaining(&verify(&other)).await, 59);
    let unknown = |digit: &str| format!("{}/share/case/{}/verify", server.base_url(), digit.repeat(32));
    assert_eq!(remaining(&unknown("0")).await, 59);
    assert_eq!(remaining(&unknown("1")).await, 58);
}

fn assert_is_a_page(answer: &Answer) {
    assert_eq!(answer.header("content-type"), Some("text/html; charset=utf-8"));
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    assert_eq!(answer.header("referrer-policy"), Some("no-referrer"));
    assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
    assert!(answer.header("content-security-policy").unwrap().starts_with("default-src 'none'"));
}
