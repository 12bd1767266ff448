//! Disclosures: some items of a sealed case, which anyone can check without the certificate (decisions 18).

use std::fs;

use serde_json::{Value, json};

use crate::support::{
    Api, TestServer,
    company_manifest::{ACME_READER, BOREALIS_API, FRAME, PHOTOGRAPHY, SIGNATURE, TEXT_FIELD, acme_on, borealis},
    evidence::{add_capture, add_entry, close, open_case, photo, signature},
    on_both_databases,
    proofs::{assert_finding, checked},
    server::said,
    zip::unpack,
};

on_both_databases!(
    decisions_18_a_disclosure_is_valid_by_itself_and_shows_nothing_of_the_other_items,
    decisions_18_a_disclosure_is_refused_for_an_open_case_a_stranger_and_another_case_s_item,
    decisions_18_an_operator_writes_a_disclosure_to_a_file,
);

/// A case with a photo, a signature and an entry, and their identifiers.
async fn open_with_items(api: &Api, entry: &str) -> (i64, [i64; 3]) {
    let case = open_case(api, &json!({ "frameId": FRAME, "title": "Burst pipe" })).await;
    let photo = add_capture(api, case, PHOTOGRAPHY, photo(1)).await.expect(200).json();
    let signature = add_capture(api, case, SIGNATURE, signature()).await.expect(200).json();
    let entry = add_entry(api, case, TEXT_FIELD, entry).await.expect(201).json();
    (case, [photo, signature, entry].map(|item| item["itemId"].as_i64().expect("itemId is a number")))
}

async fn decisions_18_a_disclosure_is_valid_by_itself_and_shows_nothing_of_the_other_items(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let (case, [picture, _, entry]) = open_with_items(&api, "Martinel").await;
    close(&api, case).await.expect(200);
    let path = format!("/v2/cases/{case}/disclosure");
    let answer = api.post(&path, &json!({ "items": [picture] })).await.expect(200);
    assert_eq!(answer.header("content-type"), Some("application/zip"));
    let package = answer.body.to_vec();
    let Some(files) = unpack(&package) else { return };
    let name = format!("ITM-{picture}_CAS-{case}");
    let (names, contents): (Vec<_>, Vec<_>) = files.iter().filter(|(file, _)| *file != "disclosure.json").unzip();
    assert!(names.len() == 1 && names[0].starts_with(&format!("{name}.")), "{names:?}");
    assert_eq!(contents, [&photo(1).bytes]);

    let report = checked(&server, "part.zip", &package, &[], 0);
    assert_eq!((&report["outcome"], &report["signature"]["state"]), (&json!("valid"), &json!("trusted")), "{report}");
    assert!(report["provenTime"].is_string(), "{report}");
    assert_eq!(report["disclosed"]["size"], 3);
    assert!(report["disclosed"]["log"]["index"].is_u64(), "{report}");
    assert_eq!(report["manifest"]["token"]["state"], "verified", "{report}");
    assert_eq!(report["items"].as_array().unwrap().len(), 1);
    let item = &report["items"][0];
    assert_eq!((&item["reference"], &item["originals"]), (&json!(name), &json!(names)));
    assert_eq!(item["token"]["state"], "verified");

    let disclosure = &files["disclosure.json"];
    let statement: Value = serde_json::from_slice(disclosure).unwrap();
    let text = statement.to_string();
    for secret in ["Martinel", "Burst pipe", &format!("ITM-{entry}"), "image/png"] {
        assert!(!text.contains(secret), "{secret}: {text}");
    }
    // Without the package, for people, and changed.
    let report = checked(&server, "disclosure.json", disclosure, &[], 0);
    assert_eq!(report["originals"], json!([]));
    let output = server.run(&["verify", "disclosure.json"]);
    let printed = said(&output).split_whitespace().collect::<Vec<_>>().join(" ");
    for expected in ["This disclosure is valid", "It shows one item", "Their number here: 2.", "1 of 3"] {
        assert!(printed.contains(expected), "{expected}: {printed}");
    }
    fs::write(server.folder().join("other.jpg"), photo(2).bytes).unwrap();
    assert_finding(&checked(&server, "part.zip", &package, &["other.jpg"], 1), "is not one of the sealed files");
    let mut changed = statement;
    changed["statement"]["disclosure"]["commitments"]["size"] = json!(1);
    let report = checked(&server, "changed.json", changed.to_string().as_bytes(), &[], 1);
    assert_finding(&report, "the signature is not valid");

    // The same answers for an entry, which has no file.
    let package = api.post(&path, &json!({ "items": [entry] })).await.expect(200).body.to_vec();
    let report = checked(&server, "entry.zip", &package, &[], 0);
    assert_eq!(report["items"][0]["value"], "Martinel");
    assert_eq!(report["originals"], json!([]));
}

async fn decisions_18_a_disclosure_is_refused_for_an_open_case_a_stranger_and_another_case_s_item(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    server.must_apply(&borealis());
    let stranger = server.sign_in(BOREALIS_API.username, BOREALIS_API.password).await;
    let reader = server.sign_in(ACME_READER.username, ACME_READER.password).await;
    let (case, [picture, ..]) = open_with_items(&api, "Martinel").await;
    let (other, [others, ..]) = open_with_items(&api, "Another").await;
    let path = format!("/v2/cases/{case}/disclosure");
    let body = json!({ "items": [picture] });
    let refused = api.post(&path, &body).await.expect(400).error_message();
    assert_eq!(refused, "the case is open: only items of a sealed case can be disclosed");
    close(&api, case).await.expect(200);
    close(&api, other).await.expect(200);
    stranger.post(&path, &body).await.expect(403);
    api.with_token(None).post(&path, &body).await.expect(401);
    api.post("/v2/cases/999999/disclosure", &body).await.expect(404);
    let refused = api.post(&path, &json!({ "items": [picture, others] })).await.expect(404).error_message();
    assert_eq!(refused, format!("item {others} is not one of case {case}"));
    for wrong in [json!({}), json!({ "items": [] }), json!({ "items": [picture, picture] })] {
        api.post(&path, &wrong).await.expect(400);
    }
    reader.post(&path, &body).await.expect(200);
}

async fn decisions_18_an_operator_writes_a_disclosure_to_a_file(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let (case, [picture, _, entry]) = open_with_items(&api, "Martinel").await;
    let pdf = close(&api, case).await.expect(200).json()["pdfUrl"].as_str().unwrap().to_owned();
    api.with_token(None).get(&pdf).await.expect(200);
    let (case_text, items) = (case.to_string(), format!("{entry},ITM-{picture}_CAS-{case}"));
    let arguments = ["disclose", &case_text, "--items", &items, "--out", "part.zip"];
    let output = server.run(&arguments);
    assert!(output.status.success(), "{}", said(&output));
    let package = fs::read(server.folder().join("part.zip")).unwrap();
    let report = checked(&server, "copy.zip", &package, &[], 0);
    let references: Vec<&Value> = report["items"].as_array().unwrap().iter().map(|item| &item["reference"]).collect();
    assert_eq!(references, [&json!(format!("ITM-{picture}_CAS-{case}")), &json!(format!("ITM-{entry}_CAS-{case}"))]);
    // An existing file is kept.
    assert_eq!(server.run(&arguments).status.code(), Some(1));
    assert_eq!(fs::read(server.folder().join("part.zip")).unwrap(), package);
    let unknown = server.run(&["disclose", &case_text, "--items", "999999", "--out", "none.zip"]);
    assert!(
        !unknown.status.success() && said(&unknown).contains("item 999999 is not one of case"),
        "{}",
        said(&unknown)
    );
    assert!(!server.folder().join("none.zip").exists());
    // Both kinds of disclosures are in the audit log.
    let path = format!("/v2/cases/{case}/disclosure");
    api.post(&path, &json!({ "items": [entry] })).await.expect(200);
    let log = String::from_utf8(server.run(&["audit", "export"]).stdout).unwrap();
    let recorded: Vec<&str> = log.lines().filter(|line| line.contains("discloseItems")).collect();
    assert_eq!(recorded.len(), 3, "{recorded:?}");
    assert!(recorded.iter().all(|line| line.contains(&format!("ITM-{entry}_CAS-{case}"))), "{recorded:?}");
}
