//! Workers that die, stall, or cannot reach the database: others take over their jobs, and each job is done once.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use sqlx::{Connection as _, Executor as _, PgConnection, SqliteConnection};

use crate::support::{
    AMPLE, Api, Database, Receiver, TestServer,
    company_manifest::{SHORT_FRAME, acme_on},
    eventually, evidence,
    evidence::open_case,
    on_both_databases, postgres,
    receiver::Reply,
    server::said,
};

on_both_databases!(
    only_the_job_running_at_every_crash_is_quarantined,
    a_dispatch_whose_outcome_cannot_be_recorded_is_not_sent_again,
);

/// Seals wait for their time-stamping authority while the server is killed.
async fn only_the_job_running_at_every_crash_is_quarantined(mut server: TestServer) {
    let authority = Receiver::start().await;
    authority.reply_with(Reply::Hang);
    server.set("SEALWRIGHT_SEAL_TSA_URL", &authority.url("/tsr"));
    server.set("SEALWRIGHT_SEAL_TSA_TIMEOUT", "120s");
    server.restart().await;
    let (api, _receiver) = acme_on(&server).await;
    close_a_case(&api).await;
    close_a_case(&api).await;
    authority.wait_for(2).await;
    for awaited in [4, 5, 6, 7] {
        server.kill();
        server.restart().await;
        // Both run again the first time. After two crashes with both running, the first one runs alone, three times.
        authority.wait_for(awaited).await;
    }
    let running = queued(&server, "seal").into_iter().filter(|job| job["state"] == "running").collect::<Vec<_>>();
    let [suspect] = running.as_slice() else { panic!("one runs alone: {running:?}") };
    server.kill();
    authority.reply_with(Reply::Status(500));
    server.restart().await;
    // The other job was not the cause, and is done.
    let quarantined = eventually("only the job to blame is left", AMPLE, async || {
        let left = queued(&server, "seal");
        (left.len() == 1 && left[0]["state"] == "quarantined").then(|| left[0].clone())
    })
    .await;
    assert_eq!(quarantined["subject"], suspect["subject"]);
    let printed = said(&server.run(&["doctor"]));
    assert!(printed.contains("1 seal quarantined"), "{printed}");
    let output = server.run(&["job", "retry", &quarantined["id"].to_string()]);
    assert!(output.status.success(), "{}", said(&output));
    eventually("the job is done", AMPLE, async || queued(&server, "seal").is_empty().then_some(())).await;
}

/// Decisions 12: any known outcome is final.
async fn a_dispatch_whose_outcome_cannot_be_recorded_is_not_sent_again(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    receiver.reply_with(Reply::Held(200));
    close_a_case(&api).await;
    receiver.wait_for(1).await;
    let barrier = Barrier::raise(&server).await;
    receiver.reply_with(Reply::Status(200));
    barrier.hold_until(|| server.log().contains("the outcome of a dispatch cannot be noted yet")).await;
    eventually("the attempt is recorded", AMPLE, async || (server.webhook_attempts().len() == 1).then_some(())).await;
    eventually("the job is done", AMPLE, async || queued(&server, "deliver-case").is_empty().then_some(())).await;
    assert_eq!(receiver.received().len(), 1);
    assert_eq!(server.webhook_attempts().len(), 1);
}

/// PostgreSQL detects when a worker's session ends, so no job waits for its lease to expire.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_jobs_of_a_worker_that_died_are_taken_over_within_seconds() {
    if !postgres::is_there() {
        return;
    }
    // The dispatch must outlast the start of two nodes on a busy machine; the lease is as long.
    let mut server = TestServer::start_with(Database::Postgres, &[("SEALWRIGHT_WEBHOOK_TIMEOUT", "120s")]).await;
    let (api, receiver) = acme_on(&server).await;
    server.restart_as("api").await;
    let mut dies = server.another_node().await;
    receiver.reply_with(Reply::Hang);
    let case = close_a_case(&api).await;
    receiver.wait_for(1).await;
    let _lives = server.another_node().await;
    receiver.reply_with(Reply::Status(200));
    dies.kill();
    let died = Instant::now();
    receiver.wait_for(2).await;
    // Five seconds are promised; the rest is for a busy machine. The lease lasts for two minutes.
    assert!(died.elapsed() < Duration::from_secs(20), "{:?}", died.elapsed());
    assert_eq!(reference(&receiver, 1), format!("CAS-{case}_CMP-7"));
    eventually("the job is done", AMPLE, async || queued(&server, "deliver-case").is_empty().then_some(())).await;
    assert_eq!(receiver.received().len(), 2);
}

/// Prevents the server from recording attempts: on SQLite with the write lock, on PostgreSQL with a lock on the table
/// that also disconnects anyone who waits for it.
enum Barrier {
    Sqlite(SqliteConnection),
    Postgres(PgConnection),
}

impl Barrier {
    async fn raise(server: &TestServer) -> Self {
        let url = server.database_url();
        if url.starts_with("sqlite:") {
            let mut connection = SqliteConnection::connect(&url).await.expect("open the database");
            connection.execute("pragma busy_timeout = 60000; begin immediate").await.expect("take the lock");
            Self::Sqlite(connection)
        } else {
            let mut connection = PgConnection::connect(&url).await.expect("connect to the database");
            let lock = "begin; lock table webhook_attempts in access exclusive mode";
            connection.execute(lock).await.expect("lock the table");
            Self::Postgres(connection)
        }
    }

    async fn hold_until(mut self, is_enough: impl Fn() -> bool) {
        eventually("the outcome cannot be recorded", AMPLE, async || {
            if let Self::Postgres(connection) = &mut self {
                let end = "select pg_terminate_backend(pid) from pg_stat_activity
                           where datname = current_database() and wait_event_type = 'Lock'";
                connection.execute(end).await.expect("disconnect the waiting sessions");
            }
            is_enough().then_some(())
        })
        .await;
        match &mut self {
            Self::Sqlite(connection) => connection.execute("rollback").await.map(drop),
            Self::Postgres(connection) => connection.execute("rollback").await.map(drop),
        }
        .expect("release the lock");
    }
}

async fn close_a_case(api: &Api) -> i64 {
    let case = open_case(api, &json!({ "frameId": SHORT_FRAME })).await;
    evidence::close(api, case).await.expect(200);
    case
}

/// The case of a received webhook.
fn reference(receiver: &Receiver, at: usize) -> String {
    receiver.received()[at].json()["cfRef"].as_str().expect("cfRef is a text").to_owned()
}

/// The jobs of a kind that are in the queue.
fn queued(server: &TestServer, kind: &str) -> Vec<Value> {
    let output = server.run(&["job", "list", "--json"]);
    assert!(output.status.success(), "{}", said(&output));
    let mut jobs: Vec<Value> = serde_json::from_slice(&output.stdout).expect("job list --json prints an array");
    jobs.retain(|job| job["kind"] == kind);
    jobs
}
