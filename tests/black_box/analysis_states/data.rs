//! What is kept of an analysis: personal values are not, files and rows are deleted, and every number is explained.

use std::fs;

use serde_json::{Value, json};

use super::{completed_document, read, upload};
use crate::support::{
    AMPLE, EFFECT, TestServer,
    analyst::{Analyst, LAST_NAME, analysed},
    company_manifest::{DOCUMENT_UPLOAD, FRAME, PHOTOGRAPHY, TEXT_FIELD},
    eventually,
    evidence::{add_capture, add_document, add_entry, close, identity_card, open_case, photo},
    on_both_databases,
    rows::Rows,
    server::said,
};

on_both_databases!(
    spec_2_6_values_read_from_a_document_are_neither_returned_nor_logged,
    decisions_13_the_file_is_deleted_after_its_analysis_and_its_hash_stays,
    decisions_13_deleting_a_case_deletes_its_analysis,
    every_number_is_explained,
);

async fn spec_2_6_values_read_from_a_document_are_neither_returned_nor_logged(mut server: TestServer) {
    let (api, receiver) = Analyst::default().install_on(&mut server).await;
    let mut outcomes = Vec::new();
    for entered in [LAST_NAME, "Nobody-At-All"] {
        let case = open_case(&api, &json!({ "frameId": FRAME })).await;
        add_entry(&api, case, TEXT_FIELD, entered).await.expect(201);
        upload(&api, case).await;
        close(&api, case).await.expect(200);
        let webhook = receiver.wait_for_analyses(case, 1).await.remove(0);
        let text = String::from_utf8(webhook.body.to_vec()).unwrap();
        assert!(!text.contains(LAST_NAME), "{text}");
        let document = &webhook.json()["analysis"]["documentAnalyses"][0];
        let results = document["crossCheckResults"].as_array().unwrap();
        assert_eq!((&results[0]["fieldCode"], &results[0]["fieldLabel"]), (&json!("lastName"), &json!("Last name")));
        assert_eq!(results[0].as_object().unwrap().len(), 3);
        outcomes.push((results[0]["match"].clone(), document["crossCheckScore"].clone()));
        let explained = said(&server.run(&["analysis", "explain", &case.to_string(), "--json"]));
        assert!(!explained.contains(LAST_NAME) && !explained.contains("Nobody"), "{explained}");
    }
    assert_eq!(outcomes, [(json!("MATCH"), json!(100)), (json!("MISMATCH"), json!(0))]);
    assert!(!server.log().contains(LAST_NAME), "the log contains a value");
    let mut rows = Rows::of(&server).await;
    let answers: Vec<(String,)> = rows.all("select coalesce(answer, '') from plugin_runs").await;
    assert!(!answers.is_empty() && answers.iter().all(|(answer,)| !answer.contains(LAST_NAME)));
}

async fn decisions_13_the_file_is_deleted_after_its_analysis_and_its_hash_stays(mut server: TestServer) {
    let (api, receiver) = Analyst::default().install_on(&mut server).await;
    let types = "document_types = [\"IDENTITY_CARD\", \"PASSPORT\"]";
    let deleting = analysed(&receiver).replace(types, &format!("{types}\ndelete_after_analysis = true"));
    server.must_apply(&deleting);
    // A frame is cached for two seconds.
    let mut case = 0;
    let url = eventually("a document is deleted after its analysis", EFFECT, async || {
        case = open_case(&api, &json!({ "frameId": FRAME })).await;
        let answer = add_document(&api, case, DOCUMENT_UPLOAD, identity_card()).await.expect(200).json();
        let url = answer["documentUrl"].as_str().unwrap().to_owned();
        completed_document(&api, case).await;
        (api.with_token(None).get(&format!("{url}?original=1")).await.status == 404).then_some(url)
    })
    .await;
    let bytes = identity_card().bytes;
    eventually("the bytes are gone", AMPLE, async || {
        let left = server.files_of_items().into_iter().filter(|file| fs::read(file).is_ok_and(|kept| kept == bytes));
        let facts = server.data_dir().join("blobs/facts");
        // Files of the first cases, closed before the change took effect, may still be there.
        let mut rows = Rows::of(&server).await;
        let kept: Vec<(i64,)> = rows.all("select item_id from item_analyses where facts_key is not null").await;
        let files = crate::support::server::files_of(&facts);
        (left.count() == kept.len() && files == kept.len()).then_some(())
    })
    .await;
    assert_eq!(api.with_token(None).get(&url).await.status, 404);
    close(&api, case).await.expect(200);
    let payload = receiver.wait_for_analyses(case, 1).await.remove(0).json();
    assert_eq!(payload["analysis"]["documentAnalyses"][0]["detectedDocumentType"], "IDENTITY_CARD");
    let mut rows = Rows::of(&server).await;
    let hashes: Vec<(String,)> = rows.all("select file_sha256 from items where file_deleted_at is not null").await;
    assert!(!hashes.is_empty() && hashes.iter().all(|(hash,)| hash.len() == 64));
}

async fn decisions_13_deleting_a_case_deletes_its_analysis(mut server: TestServer) {
    let (api, receiver) = Analyst::default().install_on(&mut server).await;
    let analysed = open_case(&api, &json!({ "frameId": FRAME })).await;
    upload(&api, analysed).await;
    add_capture(&api, analysed, PHOTOGRAPHY, photo(1)).await.expect(200);
    close(&api, analysed).await.expect(200);
    receiver.wait_for_analyses(analysed, 1).await;
    eventually("everything was examined", AMPLE, async || {
        (read(&api, analysed).await["itemsAnalyzed"] == 2).then_some(())
    })
    .await;
    server.restart_as("api").await;
    let waiting = open_case(&api, &json!({ "frameId": FRAME })).await;
    upload(&api, waiting).await;
    close(&api, waiting).await.expect(200);
    for case in [analysed, waiting] {
        api.delete(&format!("/cases/delete/{case}")).await.expect(200);
    }
    server.restart_as("all").await;
    eventually("nothing of the cases is left", AMPLE, async || {
        let mut rows = Rows::of(&server).await;
        let mut left = crate::support::server::files_of(&server.data_dir().join("blobs/facts"));
        for sql in [
            "select case_id from item_analyses",
            "select case_id from case_analyses",
            "select case_id from plugin_runs",
            "select item_id from picture_hashes",
            "select subject from jobs",
        ] {
            let found: Vec<(i64,)> = rows.all(sql).await;
            left += found.len();
        }
        (left == 0).then_some(())
    })
    .await;
    assert!(receiver.analyses_of(waiting).is_empty());
}

async fn every_number_is_explained(mut server: TestServer) {
    let (api, receiver) = Analyst::default().install_on(&mut server).await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    upload(&api, case).await;
    close(&api, case).await.expect(200);
    let payload = receiver.wait_for_analyses(case, 1).await.remove(0).json();
    let output = server.run(&["analysis", "explain", &format!("CAS-{case}_CMP-7"), "--json"]);
    assert!(output.status.success(), "{}", said(&output));
    let explained: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(explained["analysis"], payload["analysis"]);
    let account = &explained["items"][0]["account"];
    let document = &payload["analysis"]["documentAnalyses"][0];
    assert_eq!(account["trust"]["score"], document["trustScore"]);
    assert_eq!(account["falsification"]["score"], document["evaluation"]);
    assert_eq!(account["conformity"]["score"], document["typeMatchScore"]);
    // Each number is the weighted mean of its parts.
    for sum in [&account["trust"], &account["falsification"], &explained["verdict"]["account"]["trust"]] {
        let parts = sum["parts"].as_array().unwrap();
        let there = || parts.iter().filter(|part| part["score"].is_u64());
        let number = |part: &Value, field: &str| part[field].as_f64().unwrap();
        let weights: f64 = there().map(|part| number(part, "weight")).sum();
        let total: f64 = there().map(|part| number(part, "weight") * number(part, "score")).sum();
        let (mean, score) = (total / weights, sum["score"].as_f64().unwrap());
        assert!((mean - score).abs() <= 0.5 || sum["notes"].is_array(), "{sum}");
    }
    for run in explained["runs"].as_array().unwrap() {
        for digest in ["digest", "settingsSha256", "inputSha256"] {
            assert_eq!(run[digest].as_str().unwrap().len(), 64, "{run}");
        }
        assert!(run["contract"].is_string() && run["plugin"].is_string(), "{run}");
    }
    let text = said(&server.run(&["analysis", "explain", &case.to_string()]));
    for expected in ["trust score", "falsification", "document type", "analyst", "weight"] {
        assert!(text.contains(expected), "{expected} is not in {text}");
    }
    let missing = server.run(&["analysis", "explain", &(case + 1000).to_string()]);
    assert!(!missing.status.success() && said(&missing).contains("does not exist"));
}
