//! Behaviour of the server while its database or its blob store is away, slow or frozen: it answers 503 in time, names
//! the part, keeps what it acknowledged, and recovers by itself.

use std::time::{Duration, Instant};

use reqwest::header::RETRY_AFTER;
use serde_json::json;
use sqlx::{Connection as _, SqliteConnection, raw_sql};

use crate::support::{
    AMPLE, Answer, Api, Database, TestServer,
    bucket::Bucket,
    company_manifest::{FRAME, PHOTOGRAPHY, SIGNATURE, TEXT_FIELD, acme_on},
    eventually,
    evidence::{add_capture, add_entry, close, open_case, photo, signature},
    own_cluster::OwnCluster,
    postgres,
    rows::Rows,
};

/// How long a request may wait for a part that does not respond.
const IN_TIME: Duration = Duration::from_secs(10);

/// Requires that the answer reports, in time, that a part is unavailable.
#[track_caller]
fn assert_unavailable(part: &str, (answer, took): (Answer, Duration)) {
    assert!(took < IN_TIME, "{part}: answered after {took:?}");
    let answer = answer.expect(503);
    assert!(answer.header(RETRY_AFTER.as_str()).is_some(), "{:?}", answer.headers);
    let message = answer.error_message();
    assert!(message.contains(part), "{message}");
}

async fn timed(answer: impl Future<Output = Answer>) -> (Answer, Duration) {
    let started = Instant::now();
    (answer.await, started.elapsed())
}

/// Requires that `/readyz` names `part` and no other. An earlier answer may be cached for a second.
async fn assert_unready(api: &Api, part: &str) {
    let answer = eventually("the server is not ready", AMPLE, async || {
        let answer = timed(api.get("/readyz")).await;
        (answer.0.status != 200).then_some(answer)
    })
    .await;
    for other in ["database", "blob store", "plugins"].into_iter().filter(|other| *other != part) {
        assert!(!answer.0.text().contains(other), "{}", answer.0.text());
    }
    assert_unavailable(part, answer);
}

/// Waits until the server is ready and accepts another entry.
async fn await_recovery(api: &Api, case: i64) {
    eventually("the server works again", AMPLE, async || {
        (add_entry(api, case, TEXT_FIELD, "again").await.status == 201).then_some(())
    })
    .await;
    eventually("the server is ready", AMPLE, async || (api.get("/readyz").await.status == 200).then_some(())).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_frozen_postgres_causes_503_in_time_and_nothing_is_lost() {
    let Some(cluster) = OwnCluster::start() else { return };
    let server = TestServer::start_with(Database::Sqlite, &[("SEALWRIGHT_DATABASE_URL", &cluster.url())]).await;
    let (api, _receiver) = acme_on(&server).await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    add_entry(&api, case, TEXT_FIELD, "acknowledged").await.expect(201);

    cluster.freeze();
    let (anonymous, reference) = (server.anonymous(), json!({ "frameId": FRAME }));
    let (entry, opening, photo, search, closing, ()) = tokio::join!(
        timed(add_entry(&api, case, TEXT_FIELD, "in the freeze")),
        timed(api.post("/cases/create", &reference)),
        timed(add_capture(&api, case, PHOTOGRAPHY, photo(1))),
        timed(api.get("/cases")),
        timed(close(&api, case)),
        assert_unready(&anonymous, "database"),
    );
    for answer in [entry, opening, photo, search, closing] {
        assert_unavailable("database", answer);
    }
    for root in [server.base_url(), server.admin_url()] {
        let (answer, took) = timed(Api::new(&root, None).get("/healthz")).await;
        answer.expect(200);
        assert!(took < Duration::from_secs(5), "{root}: answered after {took:?}");
    }
    // More requests than the pool has connections: none gets a connection that another request abandoned.
    let many: Vec<_> = (0..40)
        .map(|_| {
            let api = api.clone();
            tokio::spawn(async move { timed(add_entry(&api, case, TEXT_FIELD, "in the freeze")).await })
        })
        .collect();
    for answer in many {
        assert_unavailable("database", answer.await.unwrap());
    }
    cluster.thaw();

    await_recovery(&api, case).await;
    close(&api, case).await;
    let found = api.get("/cases?format=metadata").await.expect(200).json();
    assert!(found[0]["closingDate"].is_string(), "{found}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_waits_for_its_database_and_is_alive_meanwhile() {
    let Some(cluster) = OwnCluster::start() else { return };
    let settings = [("SEALWRIGHT_DATABASE_URL", cluster.url()), ("SEALWRIGHT_DATABASE_WAIT", "5m".to_owned())];
    let settings = settings.each_ref().map(|(name, value)| (*name, value.as_str()));
    let mut server = TestServer::start_with(Database::Sqlite, &settings).await;
    let anonymous = server.anonymous();
    server.kill();
    cluster.stop();
    let meanwhile = async {
        eventually("the process is alive", AMPLE, async || {
            let answer = anonymous.request(hyper::Method::GET, "/healthz").send().await.ok()?;
            (answer.status() == 200).then_some(())
        })
        .await;
        let starting = timed(anonymous.get("/readyz")).await;
        assert_eq!(starting.0.header("connection"), Some("close"), "another server takes over the port");
        assert_unavailable("starting", starting);
        assert_unavailable("starting", timed(anonymous.get("/frames")).await);
        cluster.start_again();
    };
    tokio::join!(server.restart(), meanwhile);
    assert!(server.log().contains("the database is not available yet"), "{}", server.log());

    // If the wait times out, the program ends and prints the cause.
    server.kill();
    cluster.stop();
    server.set("SEALWRIGHT_DATABASE_WAIT", "10ms");
    let output = server.run(&["serve"]);
    assert_eq!(output.status.code(), Some(1));
    let printed = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(printed.contains("connecting to PostgreSQL"), "{printed}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_frozen_in_a_transaction_holds_its_locks_for_seconds_only() {
    if !postgres::is_there() {
        return;
    }
    let server = TestServer::start(Database::Postgres).await;
    let (api, _receiver) = acme_on(&server).await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    let mut rows = Rows::of(&server).await;
    let mut held = async || {
        let sql = "select cast(count(*) as bigint) from pg_stat_activity
                   where datname = current_database() and state like 'idle in transaction%'";
        let counted: Vec<(i64,)> = rows.all(sql).await;
        counted[0].0
    };
    let mut writers = tokio::task::JoinSet::new();
    for _ in 0..8 {
        let api = api.clone();
        writers.spawn(async move {
            loop {
                // The quota refuses most of them; the others start a transaction. Any answer will do.
                let _ =
                    api.request(hyper::Method::POST, "/cases/create").json(&json!({ "frameId": FRAME })).send().await;
                let _ = api.request(hyper::Method::GET, "/frames").send().await;
            }
        });
    }
    eventually("the node is frozen in a transaction", AMPLE, async || {
        server.freeze();
        if held().await > 0 {
            return Some(());
        }
        server.thaw();
        None
    })
    .await;
    let started = Instant::now();
    eventually("the transaction is ended", AMPLE, async || (held().await == 0).then_some(())).await;
    assert!(started.elapsed() < Duration::from_secs(15), "its locks were held for {:?}", started.elapsed());
    writers.abort_all();
    server.thaw();
    await_recovery(&api, case).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_bucket_that_does_not_answer_causes_503_in_time() {
    let bucket = Bucket::start().await;
    let settings = bucket.settings();
    let settings = settings.each_ref().map(|(name, value)| (*name, value.as_str()));
    let server = TestServer::start_with(Database::Sqlite, &settings).await;
    let (api, _receiver) = acme_on(&server).await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    let added = add_capture(&api, case, PHOTOGRAPHY, photo(1)).await.expect(200).json();
    let picture = added["imageUrl"].as_str().unwrap().to_owned();
    let picture = picture.strip_prefix(&server.base_url()).unwrap();

    bucket.freeze();
    let anonymous = server.anonymous();
    let (upload, read, ()) = tokio::join!(
        timed(add_capture(&api, case, SIGNATURE, signature())),
        timed(anonymous.get(picture)),
        assert_unready(&anonymous, "blob store"),
    );
    for answer in [upload, read] {
        assert_unavailable("blob store", answer);
    }
    // Requests that need no file still work.
    add_entry(&api, case, TEXT_FIELD, "Martinel").await.expect(201);
    bucket.thaw();

    eventually("files are accepted again", AMPLE, async || {
        (add_capture(&api, case, SIGNATURE, signature()).await.status == 200).then_some(())
    })
    .await;
    anonymous.get(picture).await.expect(200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_unwritable_blob_folder_causes_503_and_never_500() {
    let server = TestServer::start(Database::Sqlite).await;
    let (api, _receiver) = acme_on(&server).await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    // Not by its mode: the tests may run as root, who can write everywhere.
    let blobs = server.data_dir().join("blobs");
    let aside = server.data_dir().join("aside");
    std::fs::rename(&blobs, &aside).unwrap();
    std::fs::write(&blobs, "not a folder").unwrap();
    assert_unavailable("blob store", timed(add_capture(&api, case, SIGNATURE, signature())).await);
    assert_unready(&server.anonymous(), "blob store").await;
    std::fs::remove_file(&blobs).unwrap();
    std::fs::rename(&aside, &blobs).unwrap();
    add_capture(&api, case, SIGNATURE, signature()).await.expect(200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_sqlite_database_locked_by_another_process_causes_503_in_time() {
    let server = TestServer::start(Database::Sqlite).await;
    let (api, _receiver) = acme_on(&server).await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    let mut other = SqliteConnection::connect(&server.database_url()).await.unwrap();
    // The server may be writing at this moment.
    raw_sql("pragma busy_timeout = 60000; begin immediate").execute(&mut other).await.unwrap();
    assert_unavailable("database", timed(add_entry(&api, case, TEXT_FIELD, "in between")).await);
    raw_sql("rollback").execute(&mut other).await.unwrap();
    await_recovery(&api, case).await;
}
