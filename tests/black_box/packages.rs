//! The whole case in one file: an ASiC-E container, opened and checked by independent programs (decisions 9 and 10).

use std::{collections::BTreeMap, fs, path::Path, slice};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use hyper::Method;
use sealwright_seal::{tlog::proof::LogProof, verify::proves_seal};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::support::{
    Api, Database, Receiver, TestServer,
    client::send,
    company_manifest::{
        ACME, ACME_API, BOREALIS_API, Credentials, DOCUMENT_UPLOAD, FRAME, PHOTOGRAPHY, TEXT_FIELD, acme, acme_on,
        api_user, borealis,
    },
    evidence::{add_capture, add_document, add_entry, close, identity_card, open_case, photo},
    judges::must,
    on_both_databases,
    rows::Rows,
    server::files_below,
    tsa::{Authority, Mood},
    zip::{Files, unpack},
};

on_both_databases!(
    decisions_9_a_package_has_the_whole_case_under_a_time_stamp,
    decisions_9_a_package_is_for_users_of_the_case_s_company,
    decisions_9_a_package_without_a_certificate_says_why,
    a_package_with_another_original_is_not_made,
    a_deleted_original_is_replaced_by_a_text,
    decisions_10_an_archive_of_a_report_can_have_packages,
);

const MEDIA_TYPE: &str = "application/vnd.etsi.asic-e+zip";

/// May open cases but not read them.
const ACME_WRITER: Credentials =
    Credentials { user_id: "usr-acme-writer", username: "acme-writer", password: "write only memory" };

/// A closed case: its reference, the address of its certificate, and the references of the items with a file.
struct Closed {
    reference: String,
    url: String,
    photo: String,
    card: String,
}

/// With a photo, a document and an entry, which has no file.
async fn closed(api: &Api) -> Closed {
    let case = open_case(api, &json!({ "frameId": FRAME, "reportToken": "R" })).await;
    let item = |answer: Value| format!("ITM-{}_CAS-{case}", answer["itemId"]);
    let photo = item(add_capture(api, case, PHOTOGRAPHY, photo(1)).await.expect(200).json());
    let card = item(add_document(api, case, DOCUMENT_UPLOAD, identity_card()).await.expect(200).json());
    add_entry(api, case, TEXT_FIELD, "Martinel").await.expect(201);
    let answer = close(api, case).await.expect(200).json();
    let url = answer["pdfUrl"].as_str().unwrap().to_owned();
    Closed { reference: format!("CAS-{case}_CMP-{ACME}"), url, photo, card }
}

/// The SHA-256 of each file that the manifest of a container names, in base64.
fn digests(manifest: &str) -> BTreeMap<String, String> {
    let between = |text: &str, start: &str, end: &str| -> String {
        let (_, rest) = text.split_once(start).unwrap();
        rest.split_once(end).unwrap().0.to_owned()
    };
    let references = manifest.split("<asic:DataObjectReference ").skip(1);
    references
        .map(|text| (between(text, "URI=\"", "\""), between(text, "<ds:DigestValue>", "</ds:DigestValue>")))
        .collect()
}

/// Checks that the manifest has the digest of each file, and no other.
fn assert_covered(files: &Files) {
    let manifest = String::from_utf8(files["META-INF/ASiCManifest.xml"].clone()).unwrap();
    let of_content = files.iter().filter(|(name, _)| !name.starts_with("META-INF/") && *name != "mimetype");
    let expected: BTreeMap<String, String> =
        of_content.map(|(name, bytes)| (name.clone(), STANDARD.encode(Sha256::digest(bytes)))).collect();
    assert_eq!(digests(&manifest), expected, "{manifest}");
}

async fn decisions_9_a_package_has_the_whole_case_under_a_time_stamp(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let Closed { reference, url, photo: photo_item, card: card_item } = closed(&api).await;
    let pdf = api.with_token(None).get(&url).await.expect(200).body.to_vec();
    let answer = api.get(&format!("{url}/package")).await.expect(200);
    assert_eq!(answer.header("content-type"), Some(MEDIA_TYPE));
    assert_eq!(
        answer.header("content-disposition"),
        Some(format!("attachment; filename=\"{reference}.asice\"").as_str())
    );
    assert_eq!(answer.header("content-length"), Some(answer.body.len().to_string().as_str()));
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    let head = send(api.request(Method::HEAD, &format!("{url}/package"))).await.expect(200);
    assert_eq!((head.header("content-type"), head.body.len()), (Some(MEDIA_TYPE), 0));

    // The media type is at a fixed place: stored, without an extra field.
    assert_eq!(&answer.body[30..38], b"mimetype");
    assert_eq!(&answer.body[38..38 + MEDIA_TYPE.len()], MEDIA_TYPE.as_bytes());
    assert_eq!((&answer.body[8..10], &answer.body[28..30]), (&[0; 2][..], &[0; 2][..]));

    // The same files are the same package.
    let again = api.get(&format!("{url}/package")).await.expect(200);
    assert!(again.body == answer.body, "the second package differs");

    let Some(files) = unpack(&answer.body) else { return };
    let originals = [format!("originals/{photo_item}.jpg"), format!("originals/{card_item}.pdf")];
    let tokens = [format!("tokens/{photo_item}.tst"), format!("tokens/{card_item}.tst")];
    let mut expected: Vec<String> =
        ["mimetype", "META-INF/ASiCManifest.xml", "META-INF/timestamp.tst", "proofs/log-of-seals.tlog-proof"]
            .map(str::to_owned)
            .to_vec();
    expected.push(format!("{reference}.pdf"));
    expected.extend(originals.clone());
    expected.extend(tokens.clone());
    expected.sort();
    assert_eq!(files.keys().cloned().collect::<Vec<_>>(), expected);
    assert_eq!(files["mimetype"], MEDIA_TYPE.as_bytes());
    assert!(files[&format!("{reference}.pdf")] == pdf, "the certificate is the one that is served");
    assert!(files[&originals[0]] == photo(1).bytes && files[&originals[1]] == identity_card().bytes);
    assert_covered(&files);
    let proof: LogProof = String::from_utf8(files["proofs/log-of-seals.tlog-proof"].clone()).unwrap().parse().unwrap();
    assert!(proves_seal(&pdf, &proof), "the proof is this certificate's");

    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in [
        ("root.pem", fs::read(server.data_dir().join("development-authority/root.pem")).unwrap()),
        ("manifest.xml", files["META-INF/ASiCManifest.xml"].clone()),
        ("manifest.tst", files["META-INF/timestamp.tst"].clone()),
        ("photo.jpg", files[&originals[0]].clone()),
        ("photo.tst", files[&tokens[0]].clone()),
        ("card.pdf", files[&originals[1]].clone()),
        ("card.tst", files[&tokens[1]].clone()),
    ] {
        fs::write(folder.path().join(name), bytes).unwrap();
    }
    for (data, token) in [("manifest.xml", "manifest.tst"), ("photo.jpg", "photo.tst"), ("card.pdf", "card.tst")] {
        let verify = format!("ts -verify -data {data} -in {token} -token_in -CAfile root.pem");
        must("openssl", &verify, folder.path());
    }
}

async fn decisions_9_a_package_is_for_users_of_the_case_s_company(server: TestServer) {
    let receiver = Receiver::start().await;
    server.must_apply_all(&[
        acme(&receiver) + &api_user(ACME_WRITER, r#"["p_api:case:create", "p_api:item:create"]"#),
        borealis(),
    ]);
    let api = server.sign_in(ACME_API.username, ACME_API.password).await;
    let writer = server.sign_in(ACME_WRITER.username, ACME_WRITER.password).await;
    let stranger = server.sign_in(BOREALIS_API.username, BOREALIS_API.password).await;
    let Closed { url, .. } = closed(&api).await;
    api.with_token(None).get(&url).await.expect(200);
    let package = format!("{url}/package");
    // Anyone who knows the address can read the certificate, and nothing more.
    api.with_token(None).get(&package).await.expect(401).error_message();
    let message = writer.get(&package).await.expect(403).error_message();
    assert!(message.contains("p_api:case:read"), "{message}");
    let message = stranger.get(&package).await.expect(403).error_message();
    assert!(message.contains("another company") && !message.contains("Acme"), "{message}");
    for unknown in ["0".repeat(32), "x".to_owned()] {
        let path = format!("/share/case/{unknown}/package");
        api.get(&path).await.expect(404).error_message();
        stranger.get(&path).await.expect(404).error_message();
    }
    let looks: Vec<(String,)> =
        Rows::of(&server).await.all("select actor from audit_records where action = 'downloadPackage'").await;
    assert!(looks.is_empty(), "a refusal shows nothing: {looks:?}");
    api.get(&package).await.expect(200);
    let looks: Vec<(String, String)> =
        Rows::of(&server).await.all("select actor, subject from audit_records where action = 'downloadPackage'").await;
    assert_eq!(looks.len(), 1, "{looks:?}");
    assert!(looks[0].1.starts_with("case "), "{looks:?}");
}

async fn decisions_9_a_package_without_a_certificate_says_why(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let Closed { url, .. } = closed(&api).await;
    api.with_token(None).get(&url).await.expect(200);
    let package = format!("{url}/package");
    Rows::change(&server, "update certificates set blob_key = null, size = null").await;
    let pending = api.get(&package).await.expect(503);
    assert!(pending.error_message().contains("is still being made"), "{}", pending.text());
    assert!(pending.header("retry-after").is_some());
    Rows::change(&server, "update certificates set failure = 'x'").await;
    let message = api.get(&package).await.expect(503).error_message();
    assert!(message.contains("could not be made"), "{message}");
}

async fn a_package_with_another_original_is_not_made(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let Closed { reference, url, .. } = closed(&api).await;
    let certificate = api.with_token(None).get(&url).await.expect(200).body;
    let bytes = photo(1).bytes;
    let mut blobs = files_below(&server.data_dir().join("blobs")).into_iter();
    let blob = blobs.find(|path| fs::read(path).is_ok_and(|read| read == bytes)).expect("the photo");
    let mut changed = bytes.clone();
    changed[1000] ^= 1;
    fs::write(&blob, changed).unwrap();
    api.get(&format!("{url}/package")).await.expect(500);
    // The package of another case is still made.
    let other = closed(&api).await;
    assert_only_one_is_missing(&api, &reference, &other.reference).await;
    fs::remove_file(&blob).unwrap();
    api.get(&format!("{url}/package")).await.expect(500);
    assert_only_one_is_missing(&api, &reference, &other.reference).await;
    fs::write(&blob, &bytes).unwrap();
    let package = api.get(&format!("{url}/package")).await.expect(200);
    assert!(package.body.len() > certificate.len() + bytes.len());
}

async fn assert_only_one_is_missing(api: &Api, missing: &str, made: &str) {
    let archive = api.post("/reports/report/R", &json!({ "contents": "packages" })).await.expect(200);
    let Some(files) = unpack(&archive.body) else { return };
    let names: Vec<&String> = files.keys().collect();
    assert_eq!(names, [&format!("{missing}.missing.txt"), &format!("{made}.asice")]);
}

async fn a_deleted_original_is_replaced_by_a_text(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let Closed { url, card, .. } = closed(&api).await;
    api.with_token(None).get(&url).await.expect(200);
    let package = format!("{url}/package");
    let whole = api.get(&package).await.expect(200);
    // As after an analysis whose step deletes the file.
    Rows::change(&server, "update items set file_deleted_at = 1 where file_type = 'application/pdf'").await;
    let partial = api.get(&package).await.expect(200);
    let (Some(before), Some(after)) = (unpack(&whole.body), unpack(&partial.body)) else { return };
    let only_in = |one: &Files, other: &Files| -> Vec<String> {
        one.keys().filter(|name| !other.contains_key(*name)).cloned().collect()
    };
    assert_eq!(only_in(&before, &after), [format!("originals/{card}.pdf")]);
    let notice = format!("originals/{card}.missing.txt");
    assert_eq!(only_in(&after, &before), slice::from_ref(&notice));
    let text = String::from_utf8(after[&notice].clone()).unwrap();
    assert!(text.contains(&hex::encode(Sha256::digest(&identity_card().bytes))), "{text}");
    // Another manifest has another time stamp.
    assert_ne!(before["META-INF/timestamp.tst"], after["META-INF/timestamp.tst"]);
    assert_covered(&after);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn decisions_9_a_package_has_a_time_stamp_or_is_not_made() {
    let Some(authority) = Authority::start().await else { return };
    let mut server = TestServer::start(Database::Sqlite).await;
    server.set("SEALWRIGHT_SEAL_TSA_URL", authority.url());
    server.set("SEALWRIGHT_SEAL_TSA_TIMEOUT", "1s");
    server.set("SEALWRIGHT_SEAL_TSA_PAUSE", "1ms");
    server.restart().await;
    let (api, _receiver) = acme_on(&server).await;
    let Closed { reference, url, .. } = closed(&api).await;
    api.with_token(None).get(&url).await.expect(200);
    let package = format!("{url}/package");
    authority.set_mood(Mood::Status500);
    let refused = api.get(&package).await.expect(503);
    assert!(refused.error_message().contains("no time-stamping authority"), "{}", refused.text());
    let archive = api.post("/reports/report/R", &json!({ "contents": "packages" })).await.expect(200);
    let Some(files) = unpack(&archive.body) else { return };
    let notice = String::from_utf8(files[&format!("{reference}.missing.txt")].clone()).unwrap();
    assert!(files.len() == 1 && notice.contains("The package of case"), "{notice}");

    authority.set_mood(Mood::Good);
    let Some(files) = unpack(&api.get(&package).await.expect(200).body) else { return };
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("root.pem"), authority.root()).unwrap();
    fs::write(folder.path().join("manifest.xml"), &files["META-INF/ASiCManifest.xml"]).unwrap();
    fs::write(folder.path().join("manifest.tst"), &files["META-INF/timestamp.tst"]).unwrap();
    must("openssl", "ts -verify -data manifest.xml -in manifest.tst -token_in -CAfile root.pem", folder.path());
}

async fn decisions_10_an_archive_of_a_report_can_have_packages(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let (first, second) = (closed(&api).await, closed(&api).await);
    let [one, two] = [&first, &second].map(|case| format!("{}/package", case.url));
    for case in [&first, &second] {
        api.with_token(None).get(&case.url).await.expect(200);
    }
    let archive = api.post("/reports/report/R", &json!({ "contents": "packages" })).await.expect(200);
    let Some(files) = unpack(&archive.body) else { return };
    let expected = Files::from([
        (format!("{}.asice", first.reference), api.get(&one).await.expect(200).body.to_vec()),
        (format!("{}.asice", second.reference), api.get(&two).await.expect(200).body.to_vec()),
    ]);
    assert!(files == expected, "{:?}", files.keys());
    for package in files.values() {
        let Some(inner) = unpack(package) else { return };
        assert_covered(&inner);
    }
    let archive = api.post("/reports/report/R", &json!({ "contents": "certificates" })).await.expect(200);
    let Some(files) = unpack(&archive.body) else { return };
    assert!(
        files.keys().all(|name| Path::new(name).extension().is_some_and(|ending| ending == "pdf")) && files.len() == 2,
        "{:?}",
        files.keys()
    );
    api.post("/reports/report/R", &json!({ "contents": "originals" })).await.expect(400).error_message();
}
