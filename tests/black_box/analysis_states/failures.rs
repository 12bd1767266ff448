//! Crashes of the server, plugins that fail, and documents that are made to harm: a case gets its verdict.

use serde_json::json;

use super::upload;
use crate::support::{
    TestServer,
    analyst::{Analyst, LOOP, TRAP, TYPE_SCORE},
    client::Upload,
    company_manifest::{DOCUMENT_UPLOAD, FRAME},
    evidence::{add_document, close, identity_card, open_case},
    on_both_databases,
    server::said,
};

on_both_databases!(
    a_crash_loses_no_analysis,
    a_failing_plugin_counts_as_absent_and_never_as_fraud,
    a_case_gets_its_verdict_whatever_its_plugins_do,
    a_case_gets_its_verdict_whatever_its_documents_contain,
);

async fn a_crash_loses_no_analysis(mut server: TestServer) {
    let (api, receiver) = Analyst::default().install_on(&mut server).await;
    let mut closed = Vec::new();
    for round in 0..3 {
        let case = open_case(&api, &json!({ "frameId": FRAME })).await;
        upload(&api, case).await;
        if round == 1 {
            server.kill();
            server.restart().await;
        }
        close(&api, case).await.expect(200);
        server.kill();
        server.restart().await;
        closed.push(case);
    }
    for case in closed {
        let payload = receiver.wait_for_analyses(case, 1).await.remove(0).json();
        assert_eq!(payload["progress"], "completed");
        assert_eq!(payload["analysis"]["documentAnalyses"][0]["progressStatusLevel"], "ANALYSIS_COMPLETED");
    }
}

async fn a_failing_plugin_counts_as_absent_and_never_as_fraud(mut server: TestServer) {
    let broken = Analyst { inspect: TRAP, assess: LOOP, ..Analyst::default() };
    let (api, receiver) = broken.install_on(&mut server).await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    upload(&api, case).await;
    close(&api, case).await.expect(200);
    let payload = receiver.wait_for_analyses(case, 1).await.remove(0).json();
    assert_eq!((&payload["progress"], &payload["trustScore"]), (&json!("completed"), &json!(TYPE_SCORE)));
    let document = &payload["analysis"]["documentAnalyses"][0];
    assert_eq!((&document["trustScore"], &document["suspicionLevel"]), (&json!(TYPE_SCORE), &json!("NONE")));
    assert_eq!(document["analysisDetails"][0]["status"], "NOT_APPLICABLE");
    assert_eq!(document["analysisDetails"][0]["weight"], 0.0);
    let text = said(&server.run(&["analysis", "explain", &case.to_string()]));
    assert!(text.contains("not run: analyst"), "{text}");
}

async fn a_case_gets_its_verdict_whatever_its_plugins_do(mut server: TestServer) {
    let broken = Analyst { detect: LOOP, extract: TRAP, inspect: TRAP, assess: TRAP, ..Analyst::default() };
    let (api, receiver) = broken.install_on(&mut server).await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    upload(&api, case).await;
    close(&api, case).await.expect(200);
    let payload = receiver.wait_for_analyses(case, 1).await.remove(0).json();
    let document = &payload["analysis"]["documentAnalyses"][0];
    assert_eq!(document["progressStatusLevel"], "ANALYSIS_FAILED");
    assert_eq!(payload["analysis"]["signals"], json!([]));
    assert_eq!(payload["trustScore"], 69);
    assert_eq!(payload["progress"], "failed", "no plugin examined the document: it must not be accepted automatically");
}

/// Bombs, loops, a million objects and a file of two kinds. What is left is judged by decisions 13 and the rules of the
/// plugins.
async fn a_case_gets_its_verdict_whatever_its_documents_contain(mut server: TestServer) {
    let (api, receiver) = Analyst::default().install_on(&mut server).await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    let pdf = |body: &str| format!("%PDF-1.7\n{body}\ntrailer<</Root 1 0 R>>\n%%EOF\n").into_bytes();
    let bomb = bomb();
    let stream = format!("1 0 obj<</Pages 2 0 R>>endobj 4 0 obj<</Filter/FlateDecode/Length {}>>stream\n", bomb.len());
    let hostile = [
        [b"%PDF-1.7\n", stream.as_bytes(), &bomb[..], b"\nendstream endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n"].concat(),
        pdf("1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[2 0 R 2 0 R]/Count 9>>endobj"),
        pdf(&"9 0 obj ".repeat(1_000_000)),
        pdf(&format!("1 0 obj{}", "<</A".repeat(100_000))),
        [identity_card().bytes, b"PK\x03\x04<html>".repeat(1_000)].concat(),
    ];
    let count = hostile.len();
    for bytes in hostile {
        let file = Upload { bytes, ..identity_card() };
        add_document(&api, case, DOCUMENT_UPLOAD, file).await.expect(200);
    }
    close(&api, case).await.expect(200);
    let payload = receiver.wait_for_analyses(case, 1).await.remove(0).json();
    assert_eq!(payload["progress"], "completed", "{payload}");
    let documents = payload["analysis"]["documentAnalyses"].as_array().unwrap();
    assert_eq!(documents.len(), count);
    assert!(documents.iter().all(|document| document["progressStatusLevel"] == "ANALYSIS_COMPLETED"), "{documents:?}");
}

/// 300 MiB of zeros, deflated by hand (RFC 1951, 3.2.6): one literal, and copies of 258 bytes at distance 1.
fn bomb() -> Vec<u8> {
    const COPIES: usize = (300 << 20) / 258;
    let head = "110".to_owned() + "00110000";
    let bits = head + &"1100010100000".repeat(COPIES) + "0000000";
    let bytes = bits.as_bytes().chunks(8).map(|bits| bits.iter().rev().fold(0, |byte, bit| byte << 1 | (bit - b'0')));
    [0x78, 0x01].into_iter().chain(bytes).collect()
}
