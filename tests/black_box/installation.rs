//! Protection of an installation: who may read its files, which key encrypts its secrets, and that a dry run creates
//! nothing.

use std::{
    fs,
    os::unix::fs::PermissionsExt as _,
    path::Path,
    process::{Command, Output},
};

use serde_json::{Value, json};
use sqlx::{Connection as _, PgConnection};

use crate::support::{
    Database, Receiver, TestServer,
    company_manifest::{FRAME, PHOTOGRAPHY, acme, acme_on},
    evidence::{add_capture, close, open_case, photo},
    on_both_databases,
    postgres::{self, FreshDatabase},
    server::{files_below, said},
    toolchains,
};

on_both_databases!(
    the_first_start_makes_an_installation,
    the_server_s_files_are_private_to_its_owner,
    a_mistyped_secret_key_file_creates_no_new_key,
    another_secret_key_is_refused,
);

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

/// Other tests start with a database that has the schema.
async fn the_first_start_makes_an_installation(other: TestServer) {
    let is_sqlite = other.database_url().starts_with("sqlite:");
    let mut server = TestServer::not_started(if is_sqlite { Database::Sqlite } else { Database::Postgres });
    assert!(!server.data_dir().exists());
    server.begin().await;
    let (api, receiver) = acme_on(&server).await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    add_capture(&api, case, PHOTOGRAPHY, photo(1)).await.expect(200);
    let closed = close(&api, case).await.expect(200).json();
    receiver.wait_for(1).await;
    assert_eq!(receiver.received()[0].json()["caseUrl"], closed["pdfUrl"]);
}

async fn the_server_s_files_are_private_to_its_owner(mut server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    add_capture(&api, case, PHOTOGRAPHY, photo(1)).await.expect(200);
    close(&api, case).await.expect(200);
    receiver.wait_for(1).await;
    let data_dir = server.data_dir();
    for file in files_below(&data_dir) {
        assert_eq!(mode(&file) & 0o077, 0, "{} has mode {:o}", file.display(), mode(&file));
    }
    assert_eq!(mode(&data_dir), 0o700);
    assert!(!said(&server.run(&["doctor"])).contains("chmod"), "{}", said(&server.run(&["doctor"])));

    // The state that an older version left.
    let key = data_dir.join("secret.key");
    set_mode(&data_dir, 0o755);
    set_mode(&key, 0o644);
    let printed = said(&server.run(&["doctor"]));
    for expected in [format!("chmod 700 '{}'", data_dir.display()), format!("chmod 600 '{}'", key.display())] {
        assert!(printed.contains(&expected), "{expected} is not printed: {printed}");
    }
    server.restart().await;
    assert_eq!((mode(&data_dir), mode(&key)), (0o700, 0o600));
}

/// The doctor's check of the secret key.
fn key_check(output: &Output) -> Value {
    let diagnosis: Value = serde_json::from_slice(&output.stdout).expect("doctor --json prints an object");
    let checks = diagnosis["checks"].as_array().unwrap();
    checks.iter().find(|check| check["part"] == "secret key").expect("the doctor checks the key").clone()
}

async fn a_mistyped_secret_key_file_creates_no_new_key(mut server: TestServer) {
    server.kill();
    let mistyped = server.folder().join("keys/secret.kye");
    server.set("SEALWRIGHT_SECRET_KEY_FILE", &mistyped.display().to_string());
    let output = server.run(&["serve"]);
    assert_eq!(output.status.code(), Some(1));
    let printed = said(&output);
    assert!(printed.contains(&mistyped.display().to_string()) && printed.contains("secret_key_file"), "{printed}");
    assert!(printed.contains("No new key was created"), "{printed}");
    let check = key_check(&server.run(&["doctor", "--json"]));
    assert_eq!(check["state"], "broken", "{check}");
    assert!(!mistyped.exists(), "a key was created");

    server.set("SEALWRIGHT_SECRET_KEY_FILE", &server.data_dir().join("secret.key").display().to_string());
    server.restart().await;
    assert_eq!(key_check(&server.run(&["doctor", "--json"]))["state"], "good");
}

async fn another_secret_key_is_refused(mut server: TestServer) {
    server.kill();
    let another = server.folder().join("another.key");
    fs::write(&another, format!("{}\n", "4f".repeat(32))).unwrap();
    server.set("SEALWRIGHT_SECRET_KEY_FILE", &another.display().to_string());
    let output = server.run(&["serve"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(said(&output).contains("is not the one that the secrets in the database were encrypted with"));
    assert_eq!(key_check(&server.run(&["doctor", "--json"]))["state"], "broken");
}

fn dry_run(folder: &Path, database_url: &str) -> Output {
    let mut command: Command = toolchains::command(env!("CARGO_BIN_EXE_sealwright"), folder);
    command.args(["apply", "--dry-run", "--json", "--webhook-allow-private-addresses", "acme.toml"]);
    command.args(["--database-url", database_url]).output().unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_dry_run_without_an_installation_works_on_postgres_and_creates_nothing() {
    if !postgres::is_there() {
        return;
    }
    let receiver = Receiver::start().await;
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("acme.toml"), acme(&receiver)).unwrap();
    let database = FreshDatabase::create();
    let output = dry_run(folder.path(), &database.url());
    assert!(output.status.success(), "{}", said(&output));
    let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(printed[0]["created"].as_array().unwrap().len() > 10, "{printed}");
    let mut connection = PgConnection::connect(&database.url()).await.unwrap();
    let sql = "select count(*) from information_schema.tables where table_schema = 'public'";
    let (tables,): (i64,) = sqlx::query_as(sql).fetch_one(&mut connection).await.unwrap();
    assert_eq!(tables, 0);
    let files: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert_eq!(files, ["acme.toml"]);

    // A database with another node's installation cannot be read without its key.
    let server = TestServer::start(Database::Postgres).await;
    let output = dry_run(folder.path(), &server.database_url());
    assert!(!output.status.success());
    assert!(said(&output).contains("secret_key_file"), "{}", said(&output));
}
