//! Archives of certificates (spec 4.3 with `format=zip`, decisions 6), unpacked by three programs. Archives of reports
//! are in `reports.rs`.

use std::{fs, time::Instant};

use hyper::Method;
use serde_json::json;

use crate::support::{
    AMPLE, Answer, Api, TestServer,
    client::{send, try_send},
    company_manifest::{ACME, SHORT_FRAME, acme_on, note_step},
    evidence::{add_entry, close, open_case},
    on_both_databases,
    rows::Rows,
    server::files_below,
    zip::{Files, unpack},
};

on_both_databases!(
    decisions_6_an_archive_has_the_certificate_of_each_closed_case,
    decisions_6_a_search_without_certificates_returns_an_empty_archive,
    spec_4_3_rule_5_pages_apply_to_archives,
    decisions_6_an_archive_waits_for_certificates_still_being_made,
    a_failed_certificate_is_named_in_the_archive,
    an_archive_that_cannot_be_completed_is_aborted,
    a_client_that_hangs_up_leaves_nothing_behind,
);

async fn decisions_6_an_archive_has_the_certificate_of_each_closed_case(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let mut expected = Files::new();
    let mut urls = Vec::new();
    for number in 0..6 {
        let case = open_case(&api, &json!({ "frameId": SHORT_FRAME })).await;
        add_entry(&api, case, note_step(SHORT_FRAME), &"long ".repeat(number * 300)).await.expect(201);
        if number != 3 {
            let closed = close(&api, case).await.expect(200).json();
            urls.push((format!("CAS-{case}_CMP-{ACME}.pdf"), closed["pdfUrl"].as_str().unwrap().to_owned()));
        }
    }
    // At once: the certificates are still being made.
    let archive = api.get("/cases?format=zip").await.expect(200);
    for (name, url) in urls {
        expected.insert(name, api.with_token(None).get(&url).await.expect(200).body.to_vec());
    }
    assert_eq!(archive.header("content-type"), Some("application/zip"));
    assert_eq!(archive.header("content-disposition"), Some("attachment; filename=\"cases.zip\""));
    assert_eq!(archive.header("x-total-count"), Some("6"), "all matching cases count, the open one too");
    assert_unpacks_to(&archive, &expected);

    // Large ones are streamed from storage. Their CRC was stored when they were made, or is computed now.
    let sizes = "update certificates set size = size + 300000";
    Rows::change(&server, sizes).await;
    for blob in files_below(&server.data_dir().join("blobs/certificates")) {
        let mut bytes = fs::read(&blob).unwrap();
        bytes.resize(bytes.len() + 300_000, b'\n');
        fs::write(&blob, bytes).unwrap();
    }
    for content in expected.values_mut() {
        content.resize(content.len() + 300_000, b'\n');
    }
    Rows::change(&server, "update certificates set crc32 = null").await;
    assert_unpacks_to(&api.get("/cases?format=zip").await.expect(200), &expected);
    for (name, content) in &expected {
        let case = name.trim_start_matches("CAS-").split('_').next().unwrap();
        let crc32 = crc32fast::hash(content);
        Rows::change(&server, &format!("update certificates set crc32 = {crc32} where case_id = {case}")).await;
    }
    assert_unpacks_to(&api.get("/cases?format=zip").await.expect(200), &expected);
    // A HEAD is answered like a GET, without the archive.
    let head = send(api.request(Method::HEAD, "/cases?format=zip")).await.expect(200);
    assert_eq!(head.header("x-total-count"), Some("6"));
    assert!(head.body.is_empty());
}

async fn decisions_6_a_search_without_certificates_returns_an_empty_archive(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    for total in ["0", "1"] {
        let archive = api.get("/cases?format=zip").await.expect(200);
        assert_eq!(archive.header("x-total-count"), Some(total));
        assert_unpacks_to(&archive, &Files::new());
        open_case(&api, &json!({ "frameId": SHORT_FRAME })).await;
    }
}

async fn spec_4_3_rule_5_pages_apply_to_archives(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let mut cases = Vec::new();
    for number in 0..5 {
        cases.push(open_case(&api, &json!({ "frameId": SHORT_FRAME })).await);
        if number != 1 {
            close(&api, cases[number]).await.expect(200);
        }
    }
    for (query, total, positions) in [
        ("limit=2", "5", &[0][..]),
        ("limit=2&offset=2", "5", &[2, 3]),
        ("limit=2&offset=4", "5", &[4]),
        ("offset=5", "5", &[]),
        ("limit=2&closed=true", "4", &[0, 2]),
        ("closed=false", "1", &[]),
    ] {
        let archive = api.get(&format!("/cases?format=zip&{query}")).await.expect(200);
        assert_eq!(archive.header("x-total-count"), Some(total), "{query}");
        let Some(files) = unpack(&archive.body) else { return };
        let expected: Vec<String> =
            positions.iter().map(|at: &usize| format!("CAS-{}_CMP-{ACME}.pdf", cases[*at])).collect();
        assert_eq!(files.into_keys().collect::<Vec<_>>(), expected, "{query}");
    }
}

async fn decisions_6_an_archive_waits_for_certificates_still_being_made(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let (first, second, pdfs) = two_closed(&api).await;
    let back = hide_certificate(&server, second).await;
    let pending = tokio::spawn({
        let api = api.clone();
        async move { api.get("/cases?format=zip").await }
    });
    // The server keeps answering meanwhile; then the certificate appears, made by another node.
    for _ in 0..20 {
        api.get("/cases?format=metadata").await.expect(200);
        assert!(!pending.is_finished());
    }
    Rows::change(&server, &back).await;
    let archive = pending.await.unwrap().expect(200);
    let [one, two] = pdfs;
    assert_unpacks_to(&archive, &Files::from([(name_of(first), one), (name_of(second), two)]));
}

async fn a_failed_certificate_is_named_in_the_archive(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let (first, second, [one, _]) = two_closed(&api).await;
    hide_certificate(&server, second).await;
    Rows::change(&server, &format!("update certificates set failure = 'x' where case_id = {second}")).await;
    let archive = api.get("/cases?format=zip").await.expect(200);
    let Some(files) = unpack(&archive.body) else { return };
    assert_eq!(files.len(), 2);
    assert_eq!(files[&name_of(first)], one);
    let notice = String::from_utf8(files[&format!("CAS-{second}_CMP-{ACME}.missing.txt")].clone()).unwrap();
    assert!(notice.contains(&format!("CAS-{second}_CMP-{ACME} could not be made")), "{notice}");
}

async fn an_archive_that_cannot_be_completed_is_aborted(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    two_closed(&api).await;
    let blobs = files_below(&server.data_dir().join("blobs/certificates"));
    assert_eq!(blobs.len(), 2);
    for damage in ["shorter", "longer", "lost"] {
        let before = fs::read(&blobs[1]).unwrap();
        match damage {
            "shorter" => fs::write(&blobs[1], &before[..before.len() - 1]).unwrap(),
            "longer" => fs::write(&blobs[1], [&before[..], b"x"].concat()).unwrap(),
            _ => fs::remove_file(&blobs[1]).unwrap(),
        }
        let outcome = try_send(api.request(Method::GET, "/cases?format=zip")).await;
        assert!(outcome.is_err(), "{damage}: a partial archive must not look complete");
        fs::write(&blobs[1], before).unwrap();
    }
    // The server keeps working and logs the reason.
    assert!(server.log().contains("a response was cut short"), "the log says why");
    let whole = api.get("/cases?format=zip").await.expect(200);
    assert!(unpack(&whole.body).is_none_or(|files| files.len() == 2));
}

async fn a_client_that_hangs_up_leaves_nothing_behind(mut server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let (_, second, _) = two_closed(&api).await;
    hide_certificate(&server, second).await;
    for _ in 0..5 {
        // The first certificate arrives, the second is pending; then the client disconnects.
        let mut answer = api.request(Method::GET, "/cases?format=zip").send().await.unwrap();
        assert!(answer.chunk().await.unwrap().is_some());
    }
    // The server would let requests in flight go on for 30 s (operator's page). There are none.
    let started = Instant::now();
    server.terminate().await;
    assert!(started.elapsed() < AMPLE / 4, "ended after {:?}", started.elapsed());
    assert!(!server.log().contains("still in flight"), "no request was cut off");
}

/// Two closed cases and their certificates.
async fn two_closed(api: &Api) -> (i64, i64, [Vec<u8>; 2]) {
    let (mut cases, mut pdfs) = (Vec::new(), Vec::new());
    for _ in 0..2 {
        let case = open_case(api, &json!({ "frameId": SHORT_FRAME })).await;
        let closed = close(api, case).await.expect(200).json();
        let pdf = api.with_token(None).get(closed["pdfUrl"].as_str().unwrap()).await.expect(200);
        cases.push(case);
        pdfs.push(pdf.body.to_vec());
    }
    let pdfs = pdfs.try_into().expect("two certificates");
    (cases[0], cases[1], pdfs)
}

/// Makes a certificate look as if it were still being made, and returns the statement that restores it.
async fn hide_certificate(server: &TestServer, case: i64) -> String {
    let mut rows = Rows::of(server).await;
    let all: Vec<(i64, String, i64)> =
        rows.all("select case_id, blob_key, size from certificates where blob_key is not null").await;
    let (_, blob_key, size) = all.into_iter().find(|(of, ..)| *of == case).expect("a certificate");
    Rows::change(server, &format!("update certificates set blob_key = null, size = null where case_id = {case}")).await;
    format!("update certificates set blob_key = '{blob_key}', size = {size} where case_id = {case}")
}

fn name_of(case: i64) -> String {
    format!("CAS-{case}_CMP-{ACME}.pdf")
}

#[track_caller]
fn assert_unpacks_to(archive: &Answer, expected: &Files) {
    if let Some(files) = unpack(&archive.body) {
        let names = |files: &Files| files.keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(&files), names(expected));
        assert!(files == *expected, "every byte as it was");
    }
}
