//! Backups in a bucket of an S3 server.

use std::fs;

use serde_json::{Value, json};

use super::{must, other, refused, text};
use crate::support::{
    AMPLE, TestServer,
    company_manifest::acme_on,
    eventually, on_both_databases,
    proofs::{certificate, checked},
    rows::Rows,
    s3::S3Server,
    server::{files_below, files_of},
};

on_both_databases!(
    a_backup_in_a_bucket_is_restored_on_the_other_database,
    the_schedule_keeps_the_newest_backups_in_a_bucket,
);

const PREFIX: &str = "sealwright/daily";

fn use_bucket(server: &mut TestServer, bucket: &S3Server) {
    for (name, value) in bucket.variables() {
        server.set(name, &value);
    }
}

async fn a_backup_in_a_bucket_is_restored_on_the_other_database(mut server: TestServer) {
    let bucket = S3Server::start().await;
    use_bucket(&mut server, &bucket);
    let (api, _receiver) = acme_on(&server).await;
    certificate(&api, "kept in a bucket").await;
    Rows::without_jobs(&server).await;
    let key = server.folder().join("backup.key");
    fs::write(&key, "4a".repeat(32)).unwrap();
    let place = S3Server::url(PREFIX);
    let back_up = || must(&server.run(&["backup", &place, "--key", text(&key), "--json"]));
    let arguments = ["restore", "--check", &place, "--certificates", "all", "--key", text(&key), "--json"];
    let check = || server.run(&arguments);

    let first = back_up();
    assert!(first["copiedBlobs"] == first["blobs"] && first["blobs"].as_u64().unwrap() > 2, "{first}");
    let second = back_up();
    assert_eq!((&second["blobs"], &second["copiedBlobs"]), (&first["blobs"], &json!(0)), "{second}");
    for file in files_below(&bucket.objects(PREFIX)) {
        let bytes = fs::read(&file).unwrap();
        assert!(!bytes.windows(12).any(|window| window == b"Water damage"), "{}", file.display());
    }

    let object = files_below(&bucket.objects(PREFIX).join("certificates")).pop().unwrap();
    let whole = fs::read(&object).unwrap();
    fs::write(&object, &whole[..whole.len() / 2]).unwrap();
    refused(&check(), "was changed or cut off");
    fs::remove_file(&object).unwrap();
    refused(&check(), "is missing");
    let third = back_up();
    assert_eq!(third["copiedBlobs"], 1, "{third}");
    let found: Value = must(&check());
    assert_eq!((&found["id"], &found["certificates"], &found["verified"]), (&third["id"], &json!(1), &json!(1)));

    let mut restored = TestServer::with_keys_of(&server, other(&server));
    use_bucket(&mut restored, &bucket);
    let summary = must(&restored.run(&["restore", &place, "--key", text(&key), "--json"]));
    assert_eq!((&summary["id"], &summary["rows"]), (&found["id"], &found["rows"]), "{summary}");
    restored.begin().await;
    Rows::of(&restored).await.assert_intact().await;
    let tokens: Vec<(String,)> = Rows::of(&restored).await.all("select share_token from certificates").await;
    let pdf = restored.anonymous().get(&format!("/share/case/{}", tokens[0].0)).await.expect(200).body.to_vec();
    let report = checked(&restored, "restored.pdf", &pdf, &[], 0);
    assert_eq!((&report["outcome"], &report["level"]), (&json!("valid"), &json!("B-LTA")), "{report}");
}

async fn the_schedule_keeps_the_newest_backups_in_a_bucket(mut server: TestServer) {
    let bucket = S3Server::start().await;
    use_bucket(&mut server, &bucket);
    let (api, _receiver) = acme_on(&server).await;
    certificate(&api, "kept in a bucket").await;
    let place = S3Server::url(PREFIX);
    let by_hand: Vec<String> =
        (0..2).map(|_| must(&server.run(&["backup", &place, "--json"]))["id"].as_str().unwrap().to_owned()).collect();
    let backups = bucket.objects(PREFIX).join("backups");
    assert!(by_hand.iter().all(|id| files_of(&backups.join(id)) > 0), "{by_hand:?}");
    server.set("SEALWRIGHT_BACKUP_TO", &place);
    server.set("SEALWRIGHT_BACKUP_INTERVAL", "1s");
    server.set("SEALWRIGHT_BACKUP_KEEP", "1");
    server.restart().await;
    eventually("older backups are deleted", AMPLE, async || {
        by_hand.iter().all(|id| files_of(&backups.join(id)) == 0).then_some(())
    })
    .await;
    server.kill();
    must(&server.run(&["restore", "--check", &place, "--certificates", "all", "--json"]));
}
