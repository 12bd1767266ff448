//! Erasures: items of a sealed case are deleted for good, and a successor of the certificate shows the gap (decisions 19).

use std::{fs, path::Path};

use serde_json::{Value, json};

use crate::{
    console::{Person, must_add_user},
    support::{
        AMPLE, Api, TestServer,
        company_manifest::{
            ACME, ACME_READER, BOREALIS_API, FRAME, PHOTOGRAPHY, SIGNATURE, TEXT_FIELD, acme_on, borealis,
        },
        eventually,
        evidence::{add_capture, add_entry, close, open_case, photo, signature},
        on_both_databases, pdf,
        proofs::checked,
        receiver::Reply,
        rows::Rows,
        server::said,
    },
};

on_both_databases!(
    decisions_19_an_erased_item_is_gone_everywhere_and_the_successor_shows_the_gap,
    decisions_19_an_erased_entry_is_in_no_column_and_no_file,
    decisions_19_an_erasure_is_refused_for_an_open_case_a_stranger_and_a_reader,
    decisions_19_an_erasure_that_would_leave_no_certificate_changes_nothing,
    decisions_19_a_second_erasure_by_the_operator_keeps_the_root_and_what_is_left_can_be_disclosed,
    decisions_19_a_manager_erases_an_item_in_the_console,
);

/// What is entered in each case.
const ENTRY: &str = "Mirabellon";

struct SealedCase {
    case: i64,
    /// A photo, a signature and an entry.
    items: [i64; 3],
    photo_url: String,
    pdf_url: String,
}

async fn sealed(api: &Api) -> SealedCase {
    let case = open_case(api, &json!({ "frameId": FRAME, "title": "Burst pipe" })).await;
    let picture = add_capture(api, case, PHOTOGRAPHY, photo(1)).await.expect(200).json();
    let drawn = add_capture(api, case, SIGNATURE, signature()).await.expect(200).json();
    let entry = add_entry(api, case, TEXT_FIELD, ENTRY).await.expect(201).json();
    let closed = close(api, case).await.expect(200).json();
    SealedCase {
        case,
        items: [&picture, &drawn, &entry].map(|item| item["itemId"].as_i64().expect("itemId is a number")),
        photo_url: picture["imageUrl"].as_str().expect("imageUrl is text").to_owned(),
        pdf_url: closed["pdfUrl"].as_str().expect("pdfUrl is text").to_owned(),
    }
}

/// The certificate. The address waits for one that is being made.
async fn certificate(api: &Api, url: &str) -> Vec<u8> {
    api.with_token(None).get(url).await.expect(200).body.to_vec()
}

/// Whether a file in the folder, or below it, has these bytes in it.
fn holds(folder: &Path, bytes: &[u8]) -> bool {
    fs::read_dir(folder).expect("read a folder").any(|entry| {
        let path = entry.expect("an entry of a folder").path();
        if path.is_dir() {
            return holds(&path, bytes);
        }
        // A file may be deleted meanwhile.
        fs::read(&path).is_ok_and(|content| content.windows(bytes.len()).any(|window| window == bytes))
    })
}

async fn decisions_19_an_erased_item_is_gone_everywhere_and_the_successor_shows_the_gap(mut server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let SealedCase { case, items: [picture, ..], photo_url, pdf_url } = sealed(&api).await;
    let before = checked(&server, "before.pdf", &certificate(&api, &pdf_url).await, &[], 0);
    api.with_token(None).get(&photo_url).await.expect(200);
    let body = json!({ "items": [picture], "ground": "request" });
    let path = format!("/v2/cases/{case}/erasure");
    let erased = api.post(&path, &body).await.expect(200).json();
    assert_eq!((&erased["caseId"], &erased["items"]), (&json!(case), &json!([picture])));
    api.with_token(None).get(&photo_url).await.expect(404);
    api.post(&path, &body).await.expect(404);
    // The jobs are done whatever happens to the server.
    server.restart().await;
    let after = certificate(&api, &pdf_url).await;
    let report = checked(&server, "after.pdf", &after, &[], 0);
    assert_eq!(report["outcome"], "valid", "{report}");
    assert_eq!((&report["manifest"]["version"], &report["manifest"]["root"]), (&json!(3), &before["manifest"]["root"]));
    assert_eq!(report["manifest"]["missingSteps"], before["manifest"]["missingSteps"]);
    let gap = &report["erasure"];
    assert_eq!((&gap["size"], &gap["predecessorSha256"]), (&json!(3), &before["manifest"]["sha256"]));
    assert_eq!((&gap["items"][0]["index"], &gap["items"][0]["ground"]), (&json!(0), &json!("request")));
    assert_eq!(gap["items"][0]["erasedAt"], erased["erasedAt"]);
    let references = |report: &Value| -> Vec<Value> {
        report["items"].as_array().expect("an array").iter().map(|item| item["reference"].clone()).collect()
    };
    assert_eq!(references(&report), references(&before)[1..]);
    let output = server.run(&["verify", "after.pdf"]);
    let printed = said(&output).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(printed.contains("Item 1 of 3 was erased after the sealing"), "{printed}");
    if let Some(content) = pdf::read(&after) {
        let text = content.text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains("Item number 1 was erased after the sealing"), "{text}");
    }
    let digest = before["items"][0]["file"]["sha256"].as_str().expect("a digest").to_owned();
    assert!(!report.to_string().contains(&digest));
    // The photo's bytes are nowhere. Its middle does not depend on how it is stored.
    let bytes = photo(1).bytes;
    let middle = bytes[bytes.len() / 2..][..64].to_vec();
    let blobs = server.data_dir().join("blobs");
    eventually("the blobs are deleted", AMPLE, async || (!holds(&blobs, &middle)).then_some(())).await;
    let events = eventually("the successor is an event", AMPLE, async || {
        let events = api.get("/v2/events?limit=100").await.expect(200).json();
        let kinds: Vec<String> =
            events["events"].as_array()?.iter().filter_map(|event| Some(event["kind"].as_str()?.to_owned())).collect();
        kinds.ends_with(&["erased".to_owned(), "sealed".to_owned()]).then_some(kinds)
    })
    .await;
    assert_eq!(events.iter().filter(|kind| *kind == "closed").count(), 1, "{events:?}");
    let log = String::from_utf8(server.run(&["audit", "export"]).stdout).expect("text");
    let reference = format!("ITM-{picture}_CAS-{case}");
    assert!(log.lines().any(|line| line.contains("eraseItems") && line.contains(&reference)), "{log}");
}

async fn decisions_19_an_erased_entry_is_in_no_column_and_no_file(mut server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    // The receiver repeats the entry.
    receiver.reply_with(Reply::Echo(ENTRY));
    let SealedCase { case, items: [.., entry], pdf_url, .. } = sealed(&api).await;
    assert_on_pages(&certificate(&api, &pdf_url).await, true);
    let mut rows = Rows::of(&server).await;
    let before = eventually("the receiver's answer is recorded", AMPLE, async || {
        let columns = rows.columns_with(ENTRY).await;
        columns.iter().any(|column| column == "webhook_attempts.answer").then_some(columns)
    })
    .await;
    assert!(before.iter().any(|column| column == "items.data"), "{before:?}");
    let body = json!({ "items": [entry], "ground": "request" });
    api.post(&format!("/v2/cases/{case}/erasure"), &body).await.expect(200);
    assert_eq!(rows.columns_with(ENTRY).await, Vec::<String>::new());
    assert_on_pages(&certificate(&api, &pdf_url).await, false);
    // A webhook that is sent again has another answer, which is not kept either.
    let attempt = server.webhook_attempts()[0]["id"].to_string();
    receiver.reply_with(Reply::Echo("closed"));
    assert!(server.run(&["webhook", "resend", &attempt]).status.success());
    let attempts = eventually("the webhook is sent again", AMPLE, async || {
        let attempts = server.webhook_attempts();
        (attempts.len() == 2).then_some(attempts)
    })
    .await;
    assert_eq!((&attempts[0]["status"], &attempts[0]["answer"]), (&json!(200), &Value::Null));
    assert_eq!(rows.columns_with(ENTRY).await, Vec::<String>::new());
    drop(rows);
    let blobs = server.data_dir().join("blobs");
    eventually("no blob has it", AMPLE, async || (!holds(&blobs, ENTRY.as_bytes())).then_some(())).await;
    server.terminate().await;
    if let Some(file) = Rows::file(&server).await {
        let file = file.to_ascii_lowercase();
        let entry = ENTRY.to_ascii_lowercase();
        assert!(!file.windows(entry.len()).any(|window| window == entry.as_bytes()), "it is in the database's file");
    }
}

/// Whether the pages of a certificate show the entry.
#[track_caller]
fn assert_on_pages(certificate: &[u8], is_shown: bool) {
    if let Some(content) = pdf::read(certificate) {
        assert_eq!(content.text.contains(ENTRY), is_shown, "{}", content.text);
    }
}

async fn decisions_19_an_erasure_is_refused_for_an_open_case_a_stranger_and_a_reader(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    server.must_apply(&borealis());
    let stranger = server.sign_in(BOREALIS_API.username, BOREALIS_API.password).await;
    let reader = server.sign_in(ACME_READER.username, ACME_READER.password).await;
    let open = open_case(&api, &json!({ "frameId": FRAME })).await;
    let entry = add_entry(&api, open, TEXT_FIELD, ENTRY).await.expect(201).json()["itemId"].clone();
    let body = |item: &Value| json!({ "items": [item], "ground": "mistake" });
    let refused = api.post(&format!("/v2/cases/{open}/erasure"), &body(&entry)).await.expect(400).error_message();
    assert_eq!(refused, "the case is open: only items of a sealed case can be erased");
    let SealedCase { case, items: [picture, ..], photo_url, pdf_url } = sealed(&api).await;
    let before = certificate(&api, &pdf_url).await;
    let (path, own) = (format!("/v2/cases/{case}/erasure"), body(&json!(picture)));
    stranger.post(&path, &own).await.expect(403);
    reader.post(&path, &own).await.expect(403);
    api.post("/v2/cases/999999/erasure", &own).await.expect(404);
    api.post(&path, &body(&entry)).await.expect(404);
    for wrong in [json!({ "items": [picture] }), json!({ "items": [picture], "ground": "because" })] {
        api.post(&path, &wrong).await.expect(400);
    }
    assert_eq!(certificate(&api, &pdf_url).await, before);
    api.with_token(None).get(&photo_url).await.expect(200);
}

async fn decisions_19_an_erasure_that_would_leave_no_certificate_changes_nothing(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let SealedCase { case, items: [.., entry], pdf_url, .. } = sealed(&api).await;
    let before = certificate(&api, &pdf_url).await;
    let files: Vec<_> =
        server.files_of_items().into_iter().map(|path| (fs::read(&path).expect("read a file"), path)).collect();
    for (_, path) in &files {
        fs::remove_file(path).expect("take a file away");
    }
    let (path, body) = (format!("/v2/cases/{case}/erasure"), json!({ "items": [entry], "ground": "request" }));
    let refused = api.post(&path, &body).await.expect(503).error_message();
    assert_eq!(refused, "a new certificate cannot be made now (blob store unavailable), so nothing was erased");
    assert_eq!(certificate(&api, &pdf_url).await, before);
    for (content, path) in &files {
        fs::write(path, content).expect("bring a file back");
    }
    api.post(&path, &body).await.expect(200);
    let report = checked(&server, "after.pdf", &certificate(&api, &pdf_url).await, &[], 0);
    assert_eq!(report["erasure"]["items"].as_array().map(Vec::len), Some(1), "{report}");
}

async fn decisions_19_a_second_erasure_by_the_operator_keeps_the_root_and_what_is_left_can_be_disclosed(
    server: TestServer,
) {
    let (api, _receiver) = acme_on(&server).await;
    let SealedCase { case, items: [picture, drawn, entry], pdf_url, .. } = sealed(&api).await;
    let before = checked(&server, "before.pdf", &certificate(&api, &pdf_url).await, &[], 0);
    api.post(&format!("/v2/cases/{case}/erasure"), &json!({ "items": [entry], "ground": "legalDuty" }))
        .await
        .expect(200);
    certificate(&api, &pdf_url).await;
    let output = server.run(&["erase", &case.to_string(), "--items", &picture.to_string(), "--ground", "mistake"]);
    assert!(output.status.success(), "{}", said(&output));
    let report = eventually("there is a second successor", AMPLE, async || {
        let pdf = certificate(&api, &pdf_url).await;
        let report = checked(&server, "after.pdf", &pdf, &[], 0);
        (report["erasure"]["items"].as_array()?.len() == 2).then_some(report)
    })
    .await;
    assert_eq!(report["manifest"]["root"], before["manifest"]["root"]);
    let grounds: Vec<&Value> =
        report["erasure"]["items"].as_array().expect("an array").iter().map(|item| &item["ground"]).collect();
    assert_eq!(grounds, ["mistake", "legalDuty"]);
    let disclosure = json!({ "items": [drawn] });
    let package = api.post(&format!("/v2/cases/{case}/disclosure"), &disclosure).await.expect(200).body.to_vec();
    let disclosed = checked(&server, "part.zip", &package, &[], 0);
    assert_eq!(disclosed["manifest"]["root"], before["manifest"]["root"]);
    assert_eq!(disclosed["items"][0]["reference"], format!("ITM-{drawn}_CAS-{case}"));
}

async fn decisions_19_a_manager_erases_an_item_in_the_console(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let SealedCase { case, items: [picture, ..], photo_url, pdf_url } = sealed(&api).await;
    certificate(&api, &pdf_url).await;
    for (username, role) in [("mona", "manager"), ("rita", "reviewer")] {
        must_add_user(&server, username, &["--role", role, "--company", &ACME.to_string()]);
    }
    let (mona, rita) = (Person::signed_in(&server, "mona").await, Person::signed_in(&server, "rita").await);
    let page = format!("/console/cases/{case}");
    let (address, number) = (format!("{page}/items/{picture}/erase"), picture.to_string());
    assert!(mona.get(&page).await.expect(200).text().contains(&address));
    assert!(!rita.get(&page).await.expect(200).text().contains(&address));
    let form = [("ground", "request"), ("confirm", number.as_str())];
    rita.post(&address, &form).await.expect(403);
    mona.post(&address, &[("ground", "request"), ("confirm", "0")]).await.expect(400);
    api.with_token(None).get(&photo_url).await.expect(200);
    mona.post(&address, &form).await.expect(303);
    api.with_token(None).get(&photo_url).await.expect(404);
    let report = checked(&server, "after.pdf", &certificate(&api, &pdf_url).await, &[], 0);
    assert_eq!(report["erasure"]["items"].as_array().map(Vec::len), Some(1), "{report}");
    let log = String::from_utf8(server.run(&["audit", "export"]).stdout).expect("text");
    assert!(log.lines().any(|line| line.contains("eraseItems") && line.contains("mona")), "{log}");
}
