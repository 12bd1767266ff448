//! How the analysis of a case is produced: every row of spec 3.3, the webhook of 6.2, and what decisions 13 adds.
//!
//! A server with the role `api` accepts requests and runs no jobs, so jobs stay in the queue until the test restarts
//! it. An analysis whose file is missing from the blob store does not return: it is retried until the file is back.

mod data;
mod failures;

use std::{fs, path::PathBuf, time::Duration};

use serde_json::{Value, json};

use crate::support::{
    AMPLE, Api, EFFECT, TestServer,
    analyst::{Analyst, DOCUMENT_NUMBER, EVALUATION, GPS_SCORE, LAST_NAME, TYPE_SCORE, analysed},
    company_manifest::{DOCUMENT_UPLOAD, FRAME, PHOTOGRAPHY, SHORT_FRAME, TEXT_FIELD, acme_on},
    eventually,
    evidence::{add_capture, add_document, add_entry, close, identity_card, open_case, photo},
    on_both_databases,
    receiver::Reply,
    rows::Rows,
    server::said,
};

on_both_databases!(
    spec_3_3_an_uploaded_document_is_analysed_while_the_case_is_open,
    spec_3_3_a_closed_case_is_complete_when_every_document_has_returned,
    spec_3_3_a_case_is_degraded_after_the_deadline_and_updated_by_a_late_analysis,
    decisions_13_a_pending_document_gives_no_signal,
    spec_3_3_a_case_without_documents_is_complete_within_seconds,
    spec_6_2_a_lost_signal_is_found_by_the_sweep,
    spec_6_2_nothing_runs_and_nothing_is_sent_once_the_option_is_off,
    spec_6_2_a_failed_webhook_is_not_retried_and_can_be_resent,
    spec_6_1_extracted_data_is_sent_if_a_step_asks_for_it,
);

async fn spec_3_3_an_uploaded_document_is_analysed_while_the_case_is_open(mut server: TestServer) {
    let (api, receiver) = Analyst::default().install_on(&mut server).await;
    server.restart_as("api").await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    let item = upload(&api, case).await;
    let pending = read(&api, case).await;
    assert_eq!(pending["documentAnalyses"][0]["progressStatusLevel"], "ANALYSIS_PENDING");
    assert_eq!(pending["documentAnalyses"][0]["itemId"], item);
    assert_eq!(pending["documentAnalyses"][0]["expectedDocumentTypes"], json!(["IDENTITY_CARD", "PASSPORT"]));
    assert_eq!((&pending["trustScore"], &pending["itemsAnalyzed"]), (&json!(100), &json!(0)));
    server.restart_as("all").await;
    let document = completed_document(&api, case).await;
    assert_eq!(document["detectedDocumentType"], "IDENTITY_CARD");
    assert_eq!(document["suspicionLevel"], "NONE");
    assert!(document["analysisDetails"].as_array().is_some_and(|details| !details.is_empty()));
    assert!(receiver.analyses_of(case).is_empty(), "an open case is not judged");
}

async fn spec_3_3_a_closed_case_is_complete_when_every_document_has_returned(mut server: TestServer) {
    let (api, receiver) = Analyst::default().install_on(&mut server).await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    upload(&api, case).await;
    upload(&api, case).await;
    add_capture(&api, case, PHOTOGRAPHY, photo(1)).await.expect(200);
    close(&api, case).await.expect(200);
    let webhook = receiver.wait_for_analyses(case, 1).await.remove(0);
    assert_eq!(webhook.header("authorization"), Some("Bearer acme-analysis-token"));
    let payload = webhook.json();
    assert_eq!((&payload["progress"], &payload["cfRef"]), (&json!("completed"), &json!(format!("CAS-{case}_CMP-7"))));
    let documents = payload["analysis"]["documentAnalyses"].as_array().unwrap();
    assert_eq!(documents.len(), 2);
    assert!(documents.iter().all(|document| document["progressStatusLevel"] == "ANALYSIS_COMPLETED"));
    // 0.5 × 96 + 0.3 × 97, and no cross-check because nothing was entered: 77.1 of 0.8.
    let expected = (5 * EVALUATION + 3 * TYPE_SCORE + 4) / 8;
    assert!(documents.iter().all(|document| document["trustScore"] == expected), "{documents:?}");
    // The documents weigh 3, the position 1.
    assert_eq!(payload["trustScore"], (3 * expected + GPS_SCORE + 2) / 4);
    assert_eq!(payload["trustScore"], payload["analysis"]["trustScore"]);
    assert_eq!(payload["analyzeStatus"], payload["analysis"]["trustLevel"]);
    assert_eq!(payload["caseId"], payload["analysis"]["caseId"]);
    let newest = eventually("the last webhook matches what is read", AMPLE, async || {
        let payload = receiver.analyses_of(case).pop()?.json();
        (read(&api, case).await == payload["analysis"]).then_some(payload)
    })
    .await;
    assert_eq!(newest.as_object().unwrap().len(), 6, "{newest}");
}

async fn spec_3_3_a_case_is_degraded_after_the_deadline_and_updated_by_a_late_analysis(mut server: TestServer) {
    let (api, receiver) = Analyst::default().install_on(&mut server).await;
    server.set("SEALWRIGHT_ANALYSIS_DEADLINE", "2s");
    server.restart_as("api").await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    upload(&api, case).await;
    let (file, hidden) = hide_file(&server);
    let closed = std::time::Instant::now();
    close(&api, case).await.expect(200);
    server.restart_as("all").await;
    let degraded = receiver.wait_for_analyses(case, 1).await.remove(0).json();
    assert!(closed.elapsed() >= Duration::from_secs(2), "before the deadline");
    assert_eq!(degraded["progress"], "failed");
    let documents = degraded["analysis"]["documentAnalyses"].as_array().unwrap();
    assert_eq!(documents.len(), 1);
    assert_eq!(documents[0]["progressStatusLevel"], "ANALYSIS_RUNNING");
    assert_eq!(degraded["analysis"], read(&api, case).await);
    assert_eq!((&degraded["trustScore"], &degraded["analyzeStatus"]), (&json!(69), &json!("SUSPICIOUS")));

    fs::rename(&hidden, &file).expect("put the file back");
    let updated = receiver.wait_for_analyses(case, 2).await.remove(1).json();
    assert_eq!(updated["progress"], "completed");
    assert_eq!(updated["analysis"]["documentAnalyses"][0]["progressStatusLevel"], "ANALYSIS_COMPLETED");
    assert_eq!(updated["analysis"], read(&api, case).await);
    let attempts = eventually("both attempts are recorded", AMPLE, async || {
        let attempts = server.all_attempts();
        let analyses: Vec<Value> = attempts.into_iter().filter(|attempt| attempt["kind"] == "analysis").collect();
        (analyses.len() >= 2).then_some(analyses)
    })
    .await;
    assert!(attempts.iter().all(|attempt| attempt["status"] == 200 && attempt["caseId"] == case), "{attempts:?}");
}

/// With the built-in plugins.
async fn decisions_13_a_pending_document_gives_no_signal(mut server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    server.set("SEALWRIGHT_ANALYSIS_DEADLINE", "2s");
    server.restart_as("api").await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    upload(&api, case).await;
    let (file, hidden) = hide_file(&server);
    close(&api, case).await.expect(200);
    server.restart_as("all").await;
    let degraded = receiver.wait_for_analyses(case, 1).await.remove(0).json();
    assert_eq!(degraded["progress"], "failed");
    let analysis = &degraded["analysis"];
    assert_eq!((&analysis["trustScore"], &analysis["trustLevel"]), (&json!(69), &json!("SUSPICIOUS")), "{analysis}");
    let signals = analysis["signals"].as_array().unwrap();
    assert!(!signals.is_empty() && signals.iter().all(|signal| signal["key"] != "document"), "{signals:?}");
    let text = said(&server.run(&["analysis", "explain", &case.to_string()]));
    for expected in ["has no answer and is not counted", "lowered to 69: progress is failed"] {
        assert!(text.contains(expected), "{expected} is not in {text}");
    }
    let replayed = said(&server.run(&["plugin", "replay", &case.to_string()]));
    assert!(replayed.contains("0 different, 0 that cannot be run again"), "{replayed}");
    fs::rename(&hidden, &file).expect("put the file back");
    let updated = receiver.wait_for_analyses(case, 2).await.remove(1).json();
    assert_eq!(updated["progress"], "completed");
    let keys: Vec<&Value> =
        updated["analysis"]["signals"].as_array().unwrap().iter().map(|signal| &signal["key"]).collect();
    assert!(keys.contains(&&json!("document")), "{keys:?}");
}

async fn spec_3_3_a_case_without_documents_is_complete_within_seconds(mut server: TestServer) {
    let (api, receiver) = Analyst::default().install_on(&mut server).await;
    let case = open_case(&api, &json!({ "frameId": SHORT_FRAME })).await;
    close(&api, case).await.expect(200);
    let payload = receiver.wait_for_analyses(case, 1).await.remove(0).json();
    assert_eq!(payload["progress"], "completed");
    assert_eq!((&payload["trustScore"], &payload["analyzeStatus"]), (&json!(GPS_SCORE), &json!("GOOD")));
    assert_eq!(payload["analysis"]["documentAnalyses"], json!([]));
    assert_eq!(payload["analysis"], read(&api, case).await);
}

async fn spec_6_2_a_lost_signal_is_found_by_the_sweep(mut server: TestServer) {
    let (api, receiver) = Analyst::default().install_on(&mut server).await;
    server.restart_as("api").await;
    let mut closed = Vec::new();
    for frame in [SHORT_FRAME, FRAME] {
        let case = open_case(&api, &json!({ "frameId": frame })).await;
        if frame == FRAME {
            upload(&api, case).await;
        }
        close(&api, case).await.expect(200);
        closed.push(case);
    }
    server.kill();
    // As if the queue had been restored from an older copy; the item was sent an hour ago.
    Rows::change(
        &server,
        "delete from jobs where kind in ('conclude-analysis', 'analyse-item');
         update item_analyses set requested_at = requested_at - 3600000",
    )
    .await;
    server.set("SEALWRIGHT_ANALYSIS_SWEEP_INTERVAL", "1s");
    server.restart_as("all").await;
    for case in closed {
        let payload = receiver.wait_for_analyses(case, 1).await.remove(0).json();
        assert_eq!(payload["progress"], "completed");
    }
}

async fn spec_6_2_nothing_runs_and_nothing_is_sent_once_the_option_is_off(mut server: TestServer) {
    let (api, receiver) = Analyst::default().install_on(&mut server).await;
    server.restart_as("api").await;
    let waiting = open_case(&api, &json!({ "frameId": FRAME })).await;
    upload(&api, waiting).await;
    close(&api, waiting).await.expect(200);
    server.must_apply(&analysed(&receiver).replace("document_analysis = true", "document_analysis = false"));
    eventually("reading is refused", EFFECT, async || {
        (api.get(&format!("/cases/{waiting}/analysis")).await.status == 403).then_some(())
    })
    .await;
    let without = open_case(&api, &json!({ "frameId": FRAME })).await;
    upload(&api, without).await;
    close(&api, without).await.expect(200);
    server.restart_as("all").await;
    // Every job that was enqueued has run, or never will.
    eventually("the queue is empty", AMPLE, async || {
        let mut rows = Rows::of(&server).await;
        let jobs: Vec<(String,)> = rows.all("select kind from jobs where kind <> 'stamp-item'").await;
        jobs.is_empty().then_some(())
    })
    .await;
    assert!(receiver.analyses_of(waiting).is_empty() && receiver.analyses_of(without).is_empty());
    let mut rows = Rows::of(&server).await;
    let runs: Vec<(i64,)> = rows.all("select id from plugin_runs").await;
    assert!(runs.is_empty());
    let analyses: Vec<(i64,)> = rows.all("select item_id from item_analyses where state <> 'failed'").await;
    assert!(analyses.is_empty());
}

async fn spec_6_2_a_failed_webhook_is_not_retried_and_can_be_resent(mut server: TestServer) {
    let (api, receiver) = Analyst::default().install_on(&mut server).await;
    receiver.reply_with(Reply::Status(500));
    let case = open_case(&api, &json!({ "frameId": SHORT_FRAME })).await;
    close(&api, case).await.expect(200);
    receiver.wait_for_analyses(case, 1).await;
    let attempt = eventually("the attempt is recorded", AMPLE, async || {
        server.all_attempts().into_iter().find(|attempt| attempt["kind"] == "analysis")
    })
    .await;
    assert_eq!((&attempt["status"], &attempt["caseId"]), (&json!(500), &json!(case)));
    receiver.reply_with(Reply::Status(200));
    let output = server.run(&["webhook", "resend", &attempt["id"].to_string()]);
    assert!(output.status.success(), "{}", said(&output));
    let all = receiver.wait_for_analyses(case, 2).await;
    assert_eq!(all.len(), 2, "sent again only by the command");
    assert_eq!(all[0].body, all[1].body);
    assert!(!said(&server.run(&["webhook", "list"])).contains("acme-analysis-token"));
}

async fn spec_6_1_extracted_data_is_sent_if_a_step_asks_for_it(mut server: TestServer) {
    let (api, receiver) = Analyst::default().install_on(&mut server).await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    add_entry(&api, case, TEXT_FIELD, LAST_NAME).await.expect(201);
    add_capture(&api, case, PHOTOGRAPHY, photo(1)).await.expect(200);
    upload(&api, case).await;
    close(&api, case).await.expect(200);
    let sent = receiver.wait_for_case(&format!("CAS-{case}_CMP-7")).await;
    for item in sent["items"].as_array().unwrap() {
        if item["stepAction"] != "DOCUMENT_UPLOAD" {
            assert_eq!(item.get("extractedData"), None, "{item}");
            continue;
        }
        let read = item["extractedData"].as_array().unwrap();
        assert_eq!(read.len(), 1, "{item}");
        assert_eq!((&read[0]["key"], &read[0]["label"]), (&json!("documentNumber"), &json!("Document number")));
        assert_eq!(read[0]["value"], DOCUMENT_NUMBER);
        assert_eq!(read[0].as_object().unwrap().len(), 3);
    }
}

/// Moves a file out of the blob store; returns where it was and where it is now.
fn hide_file(server: &TestServer) -> (PathBuf, PathBuf) {
    let file = server.files_of_items().pop().expect("an item has a file");
    let hidden = server.folder().join("hidden");
    fs::rename(&file, &hidden).expect("move the file away");
    (file, hidden)
}

async fn upload(api: &Api, case: i64) -> i64 {
    let answer = add_document(api, case, DOCUMENT_UPLOAD, identity_card()).await;
    answer.expect(200).json()["itemId"].as_i64().expect("itemId is a number")
}

async fn read(api: &Api, case: i64) -> Value {
    api.get(&format!("/cases/{case}/analysis")).await.expect(200).json()
}

/// Waits until the first document of a case has returned (spec 4.12).
async fn completed_document(api: &Api, case: i64) -> Value {
    eventually("the document has returned", AMPLE, async || {
        let document = read(api, case).await["documentAnalyses"][0].clone();
        (document["progressStatusLevel"] == "ANALYSIS_COMPLETED").then_some(document)
    })
    .await
}
