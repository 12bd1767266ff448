//! Evidence records (RFC 4998): certificates are renewed in rounds, and the record of each is checked next to it.

use std::fs;

use serde_json::{Value, json};

use crate::support::{
    AMPLE, Api, TestServer,
    company_manifest::{ACME, FRAME, TEXT_FIELD, acme_on},
    eventually,
    evidence::{add_entry, close, open_case},
    on_both_databases,
    rows::Rows,
    server::said,
    zip::unpack,
};

on_both_databases!(decisions_20_a_round_gives_certificates_records_and_leaves_their_files_unchanged);

/// A closed case: its number and the public address of its certificate.
async fn sealed(api: &Api) -> (i64, String) {
    let case = open_case(api, &json!({ "frameId": FRAME })).await;
    add_entry(api, case, TEXT_FIELD, "Martinel").await.expect(201);
    let closed = close(api, case).await.expect(200).json();
    (case, closed["pdfUrl"].as_str().unwrap().to_owned())
}

/// Runs `verify` with the record, requires its exit code, and returns its output without line breaks.
fn verified(server: &TestServer, arguments: &[&str], code: i32) -> String {
    let output = server.run(&[&["verify"][..], arguments].concat());
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}", said(&output));
    said(&output).split_whitespace().collect::<Vec<_>>().join(" ")
}

async fn decisions_20_a_round_gives_certificates_records_and_leaves_their_files_unchanged(mut server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let (case, url) = sealed(&api).await;
    let public = api.with_token(None);
    let pdf = public.get(&url).await.expect(200).body;
    let address = format!("{url}/evidence");
    public.get(&address).await.expect(404);
    let number = case.to_string();
    let none = server.run(&["seal", "evidence", &number]);
    assert!(!none.status.success() && said(&none).contains("no evidence record yet"), "{}", said(&none));

    // 75 days before its time stamp expires: a certificate gets a time stamp of its own only 15 days later.
    server.kill();
    Rows::change(&server, "update certificates set renew_before = rendered_at + 6480000000").await;
    server.set("SEALWRIGHT_SEAL_EVIDENCE", "true");
    server.restart().await;
    let record = eventually("the round is stamped", AMPLE, async || {
        let output = server.run(&["seal", "evidence", &number]);
        output.status.success().then_some(output.stdout)
    })
    .await;
    let served = public.get(&address).await.expect(200);
    assert_eq!(served.header("content-type"), Some("application/octet-stream"));
    assert_eq!(served.body, record);
    assert_eq!(public.get(&url).await.expect(200).body, pdf);

    if let Some(files) = unpack(&api.get("/cases?format=zip").await.expect(200).body) {
        let reference = format!("CAS-{case}_CMP-{ACME}");
        assert_eq!(files.get(&format!("{reference}.ers")), Some(&record));
        assert_eq!(files.keys().cloned().collect::<Vec<_>>(), [format!("{reference}.ers"), format!("{reference}.pdf")]);
    }

    let write = |name: &str, bytes: &[u8]| fs::write(server.folder().join(name), bytes).unwrap();
    write("cert.pdf", &pdf);
    write("cert.ers", &record);
    let text = verified(&server, &["cert.pdf", "--evidence", "cert.ers"], 0);
    assert!(text.contains("The evidence record cert.ers extends its time stamps"), "{text}");
    let json = server.run(&["verify", "cert.pdf", "--evidence", "cert.ers", "--json"]);
    let json: Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!((&json["outcome"], &json["evidence"][0]["continues"]), (&json!("valid"), &json!(true)), "{json}");

    let mut changed = record.clone();
    let last = changed.len() - 1;
    changed[last] ^= 1;
    write("changed.ers", &changed);
    let text = verified(&server, &["cert.pdf", "--evidence", "changed.ers"], 1);
    assert!(text.contains("a given evidence record is not its own"), "{text}");

    // A certificate that was made after the round.
    let (_, later) = sealed(&api).await;
    write("later.pdf", &public.get(&later).await.expect(200).body);
    let text = verified(&server, &["later.pdf", "--evidence", "cert.ers"], 1);
    assert!(text.contains("it is about another file, or the file was changed"), "{text}");
}
