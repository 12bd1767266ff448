//! Capture records: what a device announces and signs, from the capture to the certificate.

use serde_json::{Value, json};

use crate::{
    capture::{close, create, open},
    support::{
        AMPLE, Answer, Api, TestServer,
        capturing_device::{CapturingDevice, shot},
        client::send,
        company_manifest::{FRAME, PHOTOGRAPHY, acme_on},
        eventually,
        evidence::photo,
        on_both_databases,
    },
    uploads_by_pieces::requests::{CAPTURES, announce, describe, location, patch},
};

on_both_databases!(
    the_certificate_says_what_was_captured_retaken_and_never_came,
    a_link_does_not_close_a_case_while_an_announced_capture_is_missing,
    forged_dropped_reordered_and_foreign_records_are_refused,
    a_file_that_is_not_the_announced_one_is_refused,
);

async fn the_certificate_says_what_was_captured_retaken_and_never_came(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let link = create(&api, &json!({ "frameId": FRAME })).await;
    let case = open(&link).await;
    let mut device = CapturingDevice::new("telephone", case);
    let [kept, dark, lost] = [photo(1).bytes, photo(2).bytes, photo(3).bytes];
    device.shot("retaken", CAPTURES[0], PHOTOGRAPHY, &dark);
    device.shot("taken", CAPTURES[1], PHOTOGRAPHY, &kept);
    device.shot("taken", CAPTURES[2], PHOTOGRAPHY, &lost);
    let stored = records(&link, case, &device.records).await.expect(200).json();
    assert_eq!(stored, json!({ "session": device.session(), "next": 3 }));
    // The same again, and one more.
    device.record(&json!({ "event": "skipped", "stepId": PHOTOGRAPHY + 1 }));
    assert_eq!(records(&link, case, &device.records).await.expect(200).json()["next"], 4);
    upload(&link, case, CAPTURES[1], &kept).await.expect(204);
    let seen = link.get(&format!("/v2/capture/cases/{case}")).await.expect(200).json();
    assert_eq!(seen["captureSessions"], json!([{ "session": device.session(), "next": 4 }]));
    let announced = json!([{ "captureId": CAPTURES[2], "stepId": PHOTOGRAPHY, "at": "2026-11-20T10:02:00.000+01:00" }]);
    assert_eq!(seen["announced"], announced);
    let closing = device.record(&json!({ "event": "closing" }));
    records(&link, case, &[closing]).await.expect(200);
    // The device is lost. The company closes the case.
    let closed = api.get(&format!("/cases/close/{case}")).await.expect(200).json();
    records(&link, case, &device.records).await.expect(400);

    let certificate = eventually("the certificate", AMPLE, async || {
        let answer = api.with_token(None).get(closed["pdfUrl"].as_str().unwrap()).await;
        (answer.status == 200).then_some(answer)
    })
    .await;
    let path = server.folder().join("certificate.pdf");
    std::fs::write(&path, &certificate.body).unwrap();
    let data = server.data_dir().display().to_string();
    let verify = |json: &[&str]| {
        let path = path.display().to_string();
        let output = server.run(&[&["verify", path.as_str(), "--data-dir", data.as_str()], json].concat());
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let facts: Value = serde_json::from_str(&verify(&["--json"])).unwrap();
    let session = &facts["captures"]["sessions"][0];
    assert_eq!((&facts["captures"]["recorded"], &facts["captures"]["unrecorded"]), (&json!(1), &json!(0)));
    assert_eq!((&session["id"], &session["records"]), (&json!(device.session()), &json!(5)));
    assert_eq!((&session["files"], &session["isEnded"]), (&json!(1), &json!(true)));
    let digest = |bytes: &[u8]| shot("", "", 1, bytes)["sha256"].clone();
    assert_eq!(session["retaken"][0]["sha256"], digest(&dark));
    assert_eq!(session["missing"][0]["sha256"], digest(&lost));
    let text = verify(&[]);
    let line =
        "Files with a capture record of the device: 1 of 1, from unbroken sessions: 1. Discarded and taken again: 1.";
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains(line), "{text}");
    assert!(text.contains("Announced but never received: 1."), "{text}");
    assert!(!text.contains("Digests on its pages other than"), "{text}");
}

async fn a_link_does_not_close_a_case_while_an_announced_capture_is_missing(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let link = create(&api, &json!({ "frameId": FRAME })).await;
    let case = open(&link).await;
    let mut device = CapturingDevice::new("telephone", case);
    device.shot("taken", CAPTURES[0], PHOTOGRAPHY, &photo(1).bytes);
    device.shot("taken", CAPTURES[1], PHOTOGRAPHY, &photo(2).bytes);
    records(&link, case, &device.records).await.expect(200);
    let message = close(&link, case).await.expect(400).error_message();
    assert!(message.starts_with("2 announced captures have not arrived: "), "{message}");
    upload(&link, case, CAPTURES[0], &photo(1).bytes).await.expect(204);
    let message = close(&link, case).await.expect(400).error_message();
    let expected = format!("1 announced capture has not arrived: {} (step {PHOTOGRAPHY})", CAPTURES[1]);
    assert_eq!(message, expected);
    let deleted = device.record(&json!({ "event": "deleted", "captureId": CAPTURES[1] }));
    records(&link, case, &[deleted]).await.expect(200);
    // Another device, or this one with a new key, does not wait for a capture. Its file is accepted all the same.
    let mut other = CapturingDevice::new("computer", case);
    device.shot("taken", CAPTURES[2], PHOTOGRAPHY, &photo(3).bytes);
    records(&link, case, &device.records).await.expect(200);
    other.record(&json!({ "event": "deleted", "captureId": CAPTURES[2] }));
    records(&link, case, &other.records).await.expect(200);
    let again = other.next(&json!({ "event": "deleted", "captureId": CAPTURES[2] }));
    records(&link, case, &[other.sign(&again)]).await.expect(400);
    upload(&link, case, CAPTURES[2], &photo(3).bytes).await.expect(204);
    // The answer to the closing is lost. The same closing again has the same answer, and another one does not.
    let closing = |id: &str| json!({ "closingId": id });
    let path = format!("/v2/capture/cases/{case}/close");
    let first = link.post(&path, &closing(CAPTURES[2])).await.expect(200).json();
    assert_eq!(link.post(&path, &closing(CAPTURES[2])).await.expect(200).json(), first);
    for other in [closing(CAPTURES[1]), json!({})] {
        assert_eq!(link.post(&path, &other).await.expect(400).error_message(), "case already closed");
    }
    assert!(link.post(&path, &closing("x")).await.expect(400).error_message().contains("closingId"));
}

async fn forged_dropped_reordered_and_foreign_records_are_refused(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let link = create(&api, &json!({ "frameId": FRAME })).await;
    let case = open(&link).await;
    let mut device = CapturingDevice::new("telephone", case);
    let first = device.shot("taken", CAPTURES[0], PHOTOGRAPHY, b"one");
    let second = device.shot("taken", CAPTURES[1], PHOTOGRAPHY, b"two");
    let third = device.record(&json!({ "event": "closing" }));
    let refuse = async |given: &[String], status: u16, reason: &str| {
        let message = records(&link, case, given).await.expect(status).error_message();
        assert!(message.contains(reason), "{message}");
    };
    // Dropped and reordered.
    refuse(std::slice::from_ref(&second), 409, "1, but 0 is the next").await;
    refuse(&[first.clone(), third.clone()], 409, "2, but 1 is the next").await;
    refuse(&[second.clone(), first.clone()], 409, "1, but 0 is the next").await;
    let nothing: Value = link.get(&format!("/v2/capture/cases/{case}")).await.expect(200).json();
    assert_eq!((&nothing["captureSessions"], &nothing["announced"]), (&json!([]), &json!([])));
    records(&link, case, std::slice::from_ref(&first)).await.expect(200);
    // Another second record, and one that follows another first one.
    let mut twin = CapturingDevice::new("telephone", case);
    let other_first = twin.shot("taken", CAPTURES[2], PHOTOGRAPHY, b"three");
    let other_second = twin.shot("taken", CAPTURES[1], PHOTOGRAPHY, b"two");
    refuse(&[other_first], 409, "another record 0").await;
    refuse(&[other_second], 409, "does not follow").await;
    // Changed, signed by another key, of another case, with a capture that exists.
    let (head, signature) = second.rsplit_once('.').unwrap();
    refuse(&[format!("{head}.{}", signature.chars().rev().collect::<String>())], 400, "records[0]: ").await;
    let stranger = CapturingDevice::new("stranger", case);
    refuse(&[second.clone(), stranger.sign(&device.next(&json!({ "event": "closing" })))], 400, "different key").await;
    refuse(&[stranger.sign(&stranger.next(&shot("taken", CAPTURES[0], PHOTOGRAPHY, b"one")))], 400, "already recorded")
        .await;
    let unknown = stranger.sign(&stranger.next(&json!({ "event": "deleted", "captureId": CAPTURES[2] })));
    refuse(&[unknown], 400, "was not recorded as taken").await;
    let elsewhere = CapturingDevice::new("telephone", case + 1);
    refuse(&[elsewhere.sign(&elsewhere.next(&json!({ "event": "closing" })))], 409, "another record 0").await;
    let elsewhere = CapturingDevice::new("stranger", case + 1);
    refuse(&[elsewhere.sign(&elsewhere.next(&json!({ "event": "closing" })))], 400, "is about case").await;
    refuse(&[stranger.sign(&stranger.next(&shot("taken", "x", PHOTOGRAPHY, b"")))], 400, "UUID").await;
    for wrong in [json!({}), json!({ "records": [] }), json!({ "records": [1] }), json!({ "records": vec!["x"; 101] })]
    {
        let answer = link.post(&format!("/v2/capture/cases/{case}/records"), &wrong).await;
        assert!(answer.expect(400).error_message().contains("records"));
    }
    refuse(&["<script>".to_owned()], 400, "records[0]: not a capture record").await;
    // Another link's case.
    let other = create(&api, &json!({ "frameId": FRAME })).await;
    records(&other, case, std::slice::from_ref(&second)).await.expect(403);
    records(&api, case, std::slice::from_ref(&second)).await.expect(401);
    // The chain goes on.
    assert_eq!(records(&link, case, &[first, second, third]).await.expect(200).json()["next"], 3);
}

async fn a_file_that_is_not_the_announced_one_is_refused(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let link = create(&api, &json!({ "frameId": FRAME })).await;
    let case = open(&link).await;
    let mut device = CapturingDevice::new("telephone", case);
    device.shot("taken", CAPTURES[0], PHOTOGRAPHY, &photo(1).bytes);
    device.shot("retaken", CAPTURES[1], PHOTOGRAPHY, &photo(2).bytes);
    records(&link, case, &device.records).await.expect(200);
    for (capture, bytes, reason) in [(0, photo(2).bytes, "differs from its record"), (1, photo(2).bytes, "discarded")] {
        let message = upload(&link, case, CAPTURES[capture], &bytes).await.expect(400).error_message();
        assert!(message.contains(reason), "{message}");
    }
    assert_eq!(server.files_of_items().len(), 0);
    upload(&link, case, CAPTURES[0], &photo(1).bytes).await.expect(204);
    // The file came first: its record must be about it.
    upload(&link, case, CAPTURES[2], &photo(3).bytes).await.expect(204);
    let wrong = device.sign(&device.next(&shot("taken", CAPTURES[2], PHOTOGRAPHY, &photo(2).bytes)));
    let message = records(&link, case, &[wrong]).await.expect(400).error_message();
    assert!(message.contains("used for another capture"), "{message}");
    let right = device.shot("taken", CAPTURES[2], PHOTOGRAPHY, &photo(3).bytes);
    records(&link, case, &[right]).await.expect(200);
    close(&link, case).await.expect(200);
}

async fn records(link: &Api, case: i64, records: &[String]) -> Answer {
    link.post(&format!("/v2/capture/cases/{case}/records"), &json!({ "records": records })).await
}

/// Sends the file of a photo, and returns the answer to its last piece.
async fn upload(link: &Api, case: i64, capture: &str, bytes: &[u8]) -> Answer {
    let mut metadata = describe(case, PHOTOGRAPHY, "photo.jpg");
    metadata.push(("captureId", capture.to_owned()));
    let url = location(&announce(link, bytes.len(), &metadata).await.expect(201));
    send(patch(link, &url, 0, bytes.to_vec())).await
}
