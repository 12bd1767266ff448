//! Restores that are refused, and what a restore prints. The database makes no difference for these.

use std::{fs, path::Path};

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::{files_in_backups, must, place_of, refused, text};
use crate::support::{
    AMPLE, Database, TestServer,
    company_manifest::{FRAME, PHOTOGRAPHY, TEXT_FIELD, acme_on},
    eventually,
    evidence::{add_capture, add_entry, open_case, photo},
    proofs::certificate,
    random::Random,
    rows::Rows,
    server::{files_below, said},
    setting,
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_damaged_backup_is_refused() {
    let server = TestServer::start(Database::Sqlite).await;
    let (api, _receiver) = acme_on(&server).await;
    certificate(&api, "entry").await;
    let (plain, encrypted) = (place_of(&server), server.folder().join("encrypted"));
    let (key, other_key) = (server.folder().join("backup.key"), server.folder().join("other.key"));
    fs::write(&key, "4a".repeat(32)).unwrap();
    fs::write(&other_key, "4b".repeat(32)).unwrap();
    must(&server.run(&["backup", text(&plain), "--json"]));
    must(&server.run(&["backup", text(&encrypted), "--key", text(&key), "--json"]));
    let check_with = |place: &Path, key: &Path| {
        server.run(&["restore", "--check", text(place), "--certificates", "0", "--key", text(key), "--json"])
    };
    let check = || check_with(&encrypted, &key);
    must(&check());

    // No text of the rows can be read, and no file has its own bytes.
    let secret = b"Water damage";
    let files = files_below(&encrypted);
    for file in &files {
        let bytes = fs::read(file).unwrap();
        assert!(!bytes.windows(secret.len()).any(|window| window == secret), "{}", file.display());
    }
    let mut random = Random::new(setting("SEALWRIGHT_TEST_SEED", 20_261_126));
    for _ in 0..setting("SEALWRIGHT_TEST_DAMAGES", 8) {
        let file = &files[random.index(files.len())];
        let right = fs::read(file).unwrap();
        let (at, bit) = (random.index(right.len()), random.below(8));
        let mut wrong = right.clone();
        wrong[at] ^= 1_u8 << bit;
        fs::write(file, wrong).unwrap();
        let output = check();
        assert_eq!(output.status.code(), Some(1), "{} was changed at {at}: {}", file.display(), said(&output));
        fs::write(file, right).unwrap();
    }
    must(&check());
    let list = files.iter().find(|file| file.ends_with("backup.json")).unwrap();
    let blob = files.iter().find(|file| file.starts_with(encrypted.join("certificates"))).unwrap();
    let rows = files.iter().find(|file| file.ends_with("rows/cases.0.jsonl")).unwrap();
    for (file, message) in [(blob, "is missing"), (rows, "is missing"), (list, "has only incomplete backups")] {
        let right = fs::read(file).unwrap();
        fs::remove_file(file).unwrap();
        refused(&check(), message);
        fs::write(file, &right[..right.len() / 2]).unwrap();
        refused(&check(), "was changed or cut off");
        fs::write(file, right).unwrap();
    }
    refused(&check_with(&encrypted, &other_key), "are encrypted with another key");
    refused(&server.run(&["restore", "--check", text(&encrypted)]), "are encrypted: name the file of their key");
    refused(&check_with(&plain, &key), "are not encrypted, and a key was given");
    refused(&server.run(&["backup", text(&encrypted)]), "are encrypted: name the file of their key");

    let list = files_in_backups(&plain).into_iter().find(|file| file.ends_with("backup.json")).unwrap();
    let right = fs::read(&list).unwrap();
    fs::write(&list, &right[..right.len() - 70]).unwrap();
    refused(&server.run(&["restore", "--check", text(&plain)]), "was cut off");
    fs::write(&list, right).unwrap();
    let checkpoint = server.folder().join("checkpoint");
    fs::write(&checkpoint, server.anonymous().get("/log/checkpoint").await.expect(200).text()).unwrap();
    must(&server.run(&["restore", "--check", text(&plain), "--checkpoint", text(&checkpoint), "--json"]));
    certificate(&api, "later").await;
    eventually("the log has grown", AMPLE, async || {
        let note = server.anonymous().get("/log/checkpoint").await.expect(200).text();
        fs::write(&checkpoint, &note).unwrap();
        (note.lines().nth(1) != Some("1")).then_some(())
    })
    .await;
    let behind = server.run(&["restore", "--check", text(&plain), "--checkpoint", text(&checkpoint)]);
    refused(&behind, "the log in the backup has 1 entries, but the checkpoint in");
    let mut restored = TestServer::with_keys_of(&server, Database::Sqlite);
    let arguments = ["restore", text(&plain), "--checkpoint", text(&checkpoint), "--json"];
    assert_eq!(must(&restored.run(&arguments))["logStopped"], true);
    restored.begin().await;
    restored.anonymous().get("/log/checkpoint").await.expect(503);
}

/// Removes the blobs of an area from the list of the only backup, as a program that forgets them would write it.
fn forget_blobs(place: &Path, area: &str) {
    let list_file = files_in_backups(place).into_iter().find(|file| file.ends_with("backup.json")).unwrap();
    let written = fs::read_to_string(&list_file).unwrap();
    let mut list: Value = serde_json::from_str(written.lines().next().unwrap()).unwrap();
    let index_file = place.join(list["blobs"]["files"][0]["name"].as_str().unwrap());
    let index = fs::read_to_string(&index_file).unwrap();
    let of_area = format!("{{\"key\":\"{area}/");
    let kept: Vec<&str> = index.lines().filter(|line| !line.starts_with(&of_area)).collect();
    let kept = format!("{}\n", kept.join("\n"));
    assert!(kept.len() < index.len(), "{index}");
    list["blobs"]["count"] = json!(kept.lines().count());
    list["blobs"]["files"][0]["size"] = json!(kept.len());
    list["blobs"]["files"][0]["sha256"] = json!(hex::encode(Sha256::digest(&kept)));
    fs::write(&index_file, kept).unwrap();
    let list = list.to_string();
    fs::write(&list_file, format!("{list}\n{}\n", hex::encode(Sha256::digest(&list)))).unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_without_the_facts_of_an_item_is_refused() {
    let server = TestServer::start(Database::Sqlite).await;
    let (api, _receiver) = acme_on(&server).await;
    let case = open_case(&api, &json!({ "frameId": FRAME, "title": "One" })).await;
    add_capture(&api, case, PHOTOGRAPHY, photo(1)).await.expect(200);
    eventually("the photo has facts", AMPLE, async || {
        let keys: Vec<(String,)> =
            Rows::of(&server).await.all("select facts_key from item_analyses where facts_key is not null").await;
        (!keys.is_empty()).then_some(())
    })
    .await;
    let place = place_of(&server);
    must(&server.run(&["backup", text(&place), "--json"]));
    must(&server.run(&["restore", "--check", text(&place), "--json"]));
    forget_blobs(&place, "facts");
    refused(&server.run(&["restore", "--check", text(&place)]), "a row names the file facts/");
    let empty = TestServer::with_keys_of(&server, Database::Sqlite);
    refused(&empty.run(&["restore", text(&place)]), "a row names the file facts/");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_restore_names_what_was_deleted_since() {
    let server = TestServer::start(Database::Sqlite).await;
    let (api, _receiver) = acme_on(&server).await;
    let mut cases = Vec::new();
    for title in ["Deleted before", "Deleted since", "Kept"] {
        cases.push(open_case(&api, &json!({ "frameId": FRAME, "title": title })).await);
    }
    add_entry(&api, cases[2], TEXT_FIELD, "to be erased").await.expect(201);
    let items: Vec<(i64,)> = Rows::of(&server).await.all("select id from items").await;
    let item = items[0].0;
    api.delete(&format!("/cases/delete/{}", cases[0])).await.expect(200);
    let place = place_of(&server);
    must(&server.run(&["backup", text(&place), "--json"]));
    api.delete(&format!("/cases/delete/{}", cases[1])).await.expect(200);

    let export = server.run(&["audit", "export"]);
    assert!(export.status.success(), "{}", said(&export));
    let mut export = String::from_utf8(export.stdout).unwrap();
    // An erasure of an item that is in the backup, and one of an item that is not.
    for (case, item) in [(cases[2], item), (cases[2], item + 1)] {
        let record = json!({
            "action": "eraseItems", "subject": format!("case {case}"), "outcome": "done",
            "detail": format!("request: ITM-{item}_CAS-{case}"),
        });
        export.push_str(&record.to_string());
        export.push('\n');
    }
    let file = server.folder().join("audit.jsonl");
    fs::write(&file, &export).unwrap();
    let restored = TestServer::with_keys_of(&server, Database::Sqlite);
    let summary = must(&restored.run(&["restore", text(&place), "--audit", text(&file), "--json"]));
    let erasure = json!({ "caseId": cases[2], "items": [item], "ground": "request", "isComplete": true });
    assert_eq!(summary["deletedSince"], json!({ "cases": [cases[1]], "erasures": [erasure] }), "{summary}");

    let without = TestServer::with_keys_of(&server, Database::Sqlite);
    fs::write(&file, "no record\n").unwrap();
    refused(&without.run(&["restore", text(&place), "--audit", text(&file)]), "audit.jsonl:1: not a record");
    let output = without.run(&["restore", text(&place)]);
    assert!(output.status.success() && said(&output).contains("are there again"), "{}", said(&output));
}
