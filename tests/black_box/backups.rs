//! Backups of a running installation, and installations made from them (operator.md, "Backups").

mod buckets;
mod restores;

use std::{
    fs,
    path::{Path, PathBuf},
    process::Output,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use serde_json::{Value, json};

use crate::support::{
    AMPLE, Api, Database, TestServer,
    company_manifest::{ACME_API, FRAME, PHOTOGRAPHY, TEXT_FIELD, acme_on},
    eventually,
    evidence::{add_capture, add_entry, close, open_case, photo},
    on_both_databases, postgres,
    proofs::{certificate, checked},
    random::Random,
    rows::Rows,
    server::{files_below, files_of, said},
    setting,
};

on_both_databases!(
    a_backup_under_load_is_restored_on_the_other_database,
    files_are_not_deleted_while_a_backup_is_made,
    a_backup_that_fails_keeps_only_what_it_copied,
    a_second_backup_copies_only_what_is_new_and_is_in_the_audit_log,
    an_installation_is_not_overwritten,
    the_server_makes_backups_on_a_schedule,
);

/// What clients know from answers.
#[derive(Default)]
struct Ledger {
    kept: Vec<i64>,
    deleted: Vec<i64>,
}

/// What a load has to do.
#[derive(Clone, Default)]
struct Orders {
    pause: Arc<AtomicBool>,
    stop: Arc<AtomicBool>,
}

/// Opens cases, and deletes some of them, until it is stopped.
async fn work(api: Api, ledger: Arc<Mutex<Ledger>>, orders: Orders) {
    let mut turn = 0;
    while !orders.stop.load(Ordering::SeqCst) {
        if orders.pause.load(Ordering::SeqCst) {
            tokio::time::sleep(Duration::from_millis(20)).await;
            continue;
        }
        let case = open_case(&api, &json!({ "frameId": FRAME, "title": "Under load" })).await;
        add_capture(&api, case, PHOTOGRAPHY, photo(turn)).await.expect(200);
        add_entry(&api, case, TEXT_FIELD, "an entry").await.expect(201);
        ledger.lock().unwrap().kept.push(case);
        turn += 1;
        let kept = ledger.lock().unwrap().kept.len();
        if turn % 3 == 0 || kept > 40 {
            // From here on it is not known whether the case is there.
            let case = ledger.lock().unwrap().kept.remove(kept / 2);
            api.delete(&format!("/cases/delete/{case}")).await.expect(200);
            ledger.lock().unwrap().deleted.push(case);
        }
    }
}

fn other(server: &TestServer) -> Database {
    match (server.database_url().starts_with("sqlite:"), postgres::is_there()) {
        (true, true) => Database::Postgres,
        _ => Database::Sqlite,
    }
}

fn place_of(server: &TestServer) -> PathBuf {
    server.folder().join("backups of it")
}

#[track_caller]
fn must(output: &Output) -> Value {
    assert!(output.status.success(), "{}", said(output));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The command fails with this message, in one line.
#[track_caller]
fn refused(output: &Output, message: &str) {
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{}", said(output));
    let lines: Vec<&str> = error.lines().filter(|line| line.starts_with("error: ")).collect();
    assert!(lines.len() == 1 && lines[0].contains(message), "expected {message}\n{error}");
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

async fn cases_of(server: &TestServer) -> Vec<i64> {
    let rows: Vec<(i64,)> = Rows::of(server).await.all("select id from cases order by id").await;
    rows.into_iter().map(|(id,)| id).collect()
}

/// `SEALWRIGHT_TEST_BACKUPS` sets how many backups are made at random moments and restored.
async fn a_backup_under_load_is_restored_on_the_other_database(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let place = place_of(&server);
    let sealed = certificate(&api, "before the load").await;
    let (orders, ledger) = (Orders::default(), Arc::new(Mutex::new(Ledger::default())));
    let load = tokio::spawn(work(api.clone(), Arc::clone(&ledger), orders.clone()));
    let mut random = Random::new(setting("SEALWRIGHT_TEST_SEED", 20_261_126));
    for _ in 0..setting("SEALWRIGHT_TEST_BACKUPS", 1) {
        let enough = ledger.lock().unwrap().deleted.len() + 1;
        eventually("cases are made and deleted", AMPLE, async || {
            let ledger = ledger.lock().unwrap();
            (ledger.deleted.len() >= enough && ledger.kept.len() >= 3).then_some(())
        })
        .await;
        tokio::time::sleep(Duration::from_millis(random.below(200))).await;
        let (mut expected, gone) = {
            let ledger = ledger.lock().unwrap();
            (ledger.kept.clone(), ledger.deleted.clone())
        };
        let backup = server.spawn(&["backup", text(&place), "--json"]);
        let backup = tokio::task::spawn_blocking(move || backup.wait_with_output().unwrap()).await.unwrap();
        must(&backup);
        // Otherwise two hundred rounds would leave tens of thousands of rows, which each backup reads.
        orders.pause.store(true, Ordering::SeqCst);
        expected.retain(|case| ledger.lock().unwrap().kept.contains(case));

        let restored = restore(&server, &place).await;
        let cases = cases_of(&restored).await;
        for case in &expected {
            assert!(cases.contains(case), "case {case} was acknowledged before the backup and is not in it");
        }
        assert!(!expected.is_empty() && gone.iter().all(|case| !cases.contains(case)), "{expected:?} {gone:?}");
        check_restored(&api, &restored, &sealed, expected[0]).await;
        // The restored installation is deleted before the next one is made.
        drop(restored);
        forget_older_backups(&place);
        orders.pause.store(false, Ordering::SeqCst);
    }
    orders.stop.store(true, Ordering::SeqCst);
    load.await.unwrap();
}

/// Deletes the rows of all backups but the newest. Names of backups begin with their time.
fn forget_older_backups(place: &Path) {
    let folders = fs::read_dir(place.join("backups")).unwrap().map(|entry| entry.unwrap().path());
    let mut folders: Vec<PathBuf> = folders.collect();
    folders.sort();
    folders.pop();
    for older in folders {
        fs::remove_dir_all(older).unwrap();
    }
}

/// Checks the newest backup, and starts an installation that is made from it on the other database.
async fn restore(server: &TestServer, place: &Path) -> TestServer {
    let checked = must(&server.run(&["restore", "--check", text(place), "--certificates", "all", "--json"]));
    assert_eq!((&checked["certificates"], &checked["verified"]), (&json!(1), &json!(1)), "{checked}");
    assert!(checked["checkpoints"].as_u64().unwrap() > 0 && checked["blobs"].as_u64().unwrap() > 2, "{checked}");
    let mut restored = TestServer::with_keys_of(server, other(server));
    let summary = must(&restored.run(&["restore", text(place), "--json"]));
    assert_eq!((&summary["id"], &summary["rows"]), (&checked["id"], &checked["rows"]), "{summary}");
    restored.begin().await;
    restored
}

/// Tokens, passwords, files and certificates work, and new cases get new identifiers.
async fn check_restored(api: &Api, restored: &TestServer, sealed: &[u8], case: i64) {
    Rows::of(restored).await.assert_intact().await;
    let with_old_token = Api::new(&restored.base_url(), api.token.clone());
    with_old_token.get(&format!("/cases?format=metadata&caseId={case}")).await.expect(200);
    let signed_in = restored.sign_in(ACME_API.username, ACME_API.password).await;
    let tokens: Vec<(String,)> = Rows::of(restored).await.all("select share_token from certificates").await;
    assert_eq!(tokens.len(), 1);
    assert_eq!(checked(restored, "restored.pdf", sealed, &[], 0)["level"], "B-LTA");
    let files: Vec<(String,)> = Rows::of(restored)
        .await
        .all("select blob_key from items where blob_key is not null union select blob_key from certificates")
        .await;
    for (key,) in files {
        assert!(restored.data_dir().join("blobs").join(&key).is_file(), "{key}");
    }
    let highest = cases_of(restored).await.into_iter().max().unwrap();
    let new = open_case(&signed_in, &json!({ "frameId": FRAME, "title": "After" })).await;
    assert!(new > highest, "{new} {highest}");
    add_capture(&signed_in, new, PHOTOGRAPHY, photo(1)).await.expect(200);
    close(&signed_in, new).await.expect(200);
}

async fn files_are_not_deleted_while_a_backup_is_made(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let case = open_case(&api, &json!({ "frameId": FRAME, "title": "To be deleted" })).await;
    add_capture(&api, case, PHOTOGRAPHY, photo(1)).await.expect(200);
    let files = server.files_of_items();
    assert_eq!(files.len(), 1);
    // As another node does while it makes a backup.
    Rows::change(&server, "update backup_turn set holder = 'another', held_until = 9000000000000").await;
    refused(&server.run(&["backup", text(&place_of(&server))]), "another process makes a backup now");
    api.delete(&format!("/cases/delete/{case}")).await.expect(200);
    eventually("the deletion waits", AMPLE, async || {
        let waiting: Vec<(String,)> = Rows::of(&server)
            .await
            .all("select last_error from jobs where kind = 'delete-blobs' and last_error is not null")
            .await;
        waiting.first().is_some_and(|(error,)| error.contains("a backup is being made")).then_some(())
    })
    .await;
    assert_eq!(server.files_of_items(), files);
    // The node was killed, and its time is over.
    Rows::change(&server, "update backup_turn set held_until = 1").await;
    eventually("the file is deleted", AMPLE, async || {
        Rows::change(&server, "update jobs set run_at = 0").await;
        server.files_of_items().is_empty().then_some(())
    })
    .await;
    must(&server.run(&["backup", text(&place_of(&server)), "--json"]));
}

async fn a_backup_that_fails_keeps_only_what_it_copied(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let place = place_of(&server);
    let case = open_case(&api, &json!({ "frameId": FRAME, "title": "One" })).await;
    add_capture(&api, case, PHOTOGRAPHY, photo(1)).await.expect(200);
    Rows::without_jobs(&server).await;
    let stored = server.files_of_items().remove(0);
    let away = server.folder().join("away");
    fs::rename(&stored, &away).unwrap();
    for _ in 0..2 {
        refused(&server.run(&["backup", text(&place)]), "is missing in the blob store, and the database names it");
        // The facts were copied before, once.
        let left = files_in_backups(&place);
        assert!(left.len() == 1 && left[0].ends_with("copied.0.jsonl"), "{left:?}");
    }
    fs::rename(&away, &stored).unwrap();
    let made = must(&server.run(&["backup", text(&place), "--json"]));
    let (blobs, copied) = (made["blobs"].as_u64().unwrap(), made["copiedBlobs"].as_u64().unwrap());
    assert!(copied > 0 && copied < blobs, "{made}");
    let id = made["id"].as_str().unwrap();
    let left = files_in_backups(&place);
    assert!(left.iter().all(|file| file.starts_with(place.join("backups").join(id))), "{left:?}");
    assert!(!left.iter().any(|file| file.ends_with("copied.0.jsonl")), "{left:?}");
    must(&server.run(&["restore", "--check", text(&place), "--json"]));
}

async fn a_second_backup_copies_only_what_is_new_and_is_in_the_audit_log(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let place = place_of(&server);
    let case = open_case(&api, &json!({ "frameId": FRAME, "title": "One" })).await;
    add_capture(&api, case, PHOTOGRAPHY, photo(1)).await.expect(200);
    Rows::without_jobs(&server).await;
    let first = must(&server.run(&["backup", text(&place), "--json"]));
    let again = must(&server.run(&["backup", text(&place), "--json"]));
    assert!(first["copiedBlobs"] == first["blobs"] && first["blobs"].as_u64().unwrap() > 0, "{first}");
    assert_eq!((&again["blobs"], &again["copiedBlobs"]), (&first["blobs"], &json!(0)), "{again}");
    // A file that is damaged in length is copied again.
    let photo_in_it = files_below(&place.join("items")).pop().unwrap();
    fs::write(&photo_in_it, b"cut").unwrap();
    refused(&server.run(&["restore", "--check", text(&place)]), "of the backup was changed");
    let third = must(&server.run(&["backup", text(&place), "--json"]));
    assert_eq!(third["copiedBlobs"], 1, "{third}");
    must(&server.run(&["restore", "--check", text(&place), "--json"]));
    let records: Value = must(&server.run(&["audit", "list", "--json", "--action", "backup"]));
    let outcomes: Vec<&Value> = records.as_array().unwrap().iter().map(|record| &record["outcome"]).collect();
    assert_eq!(outcomes, ["done", "done", "done"], "{records}");
    assert_eq!(records[0]["subject"], format!("backup {}", third["id"].as_str().unwrap()));
}

async fn an_installation_is_not_overwritten(server: TestServer) {
    let (_api, _receiver) = acme_on(&server).await;
    let place = place_of(&server);
    must(&server.run(&["backup", text(&place), "--json"]));
    refused(&server.run(&["restore", text(&place)]), "holds an installation: restore into an empty one");
    let blobs = server.data_dir().join("blobs");
    refused(&server.run(&["backup", text(&blobs)]), "is the blob store of this installation");

    let empty = TestServer::with_keys_of(&server, other(&server));
    let key = empty.data_dir().join("secret.key");
    let right = fs::read(&key).unwrap();
    fs::write(&key, "7".repeat(64)).unwrap();
    refused(&empty.run(&["restore", text(&place)]), "is not that of the installation in the backup");
    fs::remove_file(&key).unwrap();
    refused(&empty.run(&["restore", text(&place)]), "a backup does not contain it");
    fs::write(&key, right).unwrap();
    refused(&empty.run(&["restore", "/nowhere"]), "/nowhere has no backup");
    assert!(!Path::new("/nowhere").exists());
    let place_as_store = format!("file://{}", text(&place).replace(' ', "%20"));
    refused(&empty.run(&["restore", text(&place), "--blob-url", &place_as_store]), "is a place of backups");
    // A restore that was refused can be repeated.
    must(&empty.run(&["restore", text(&place), "--json"]));
    refused(&empty.run(&["restore", text(&place)]), "holds an installation");
}

async fn the_server_makes_backups_on_a_schedule(mut server: TestServer) {
    let place = place_of(&server);
    server.set("SEALWRIGHT_BACKUP_TO", text(&place));
    server.set("SEALWRIGHT_BACKUP_INTERVAL", "1s");
    server.set("SEALWRIGHT_BACKUP_KEEP", "1");
    let (api, _receiver) = acme_on(&server).await;
    let case = open_case(&api, &json!({ "frameId": FRAME, "title": "To be deleted" })).await;
    add_capture(&api, case, PHOTOGRAPHY, photo(1)).await.expect(200);
    server.restart().await;
    let photos = || files_of(&place.join("items"));
    eventually("the photo is in a backup", AMPLE, async || (photos() == 1).then_some(())).await;
    api.delete(&format!("/cases/delete/{case}")).await.expect(200);
    // The backups that have it are deleted, and then the photo.
    eventually("the photo is in no backup", AMPLE, async || (photos() == 0).then_some(())).await;
    server.kill();
    let lists = files_in_backups(&place).iter().filter(|file| file.ends_with("backup.json")).count();
    assert!(lists <= 2, "{lists}");
    must(&server.run(&["restore", "--check", text(&place), "--json"]));
}

fn files_in_backups(place: &Path) -> Vec<PathBuf> {
    let folder = place.join("backups");
    if folder.is_dir() { files_below(&folder) } else { Vec::new() }
}
