//! Workers that die, stand still, or cannot reach the database: what they held is done by others, once.

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
    a_job_that_is_running_each_time_the_process_ends_is_quarantined_alone,
    a_known_outcome_that_cannot_be_noted_is_not_sent_again,
);

async fn a_job_that_is_running_each_time_the_process_ends_is_quarantined_alone(mut server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    receiver.reply_with(Reply::Hang);
    close_a_case(&api).await;
    close_a_case(&api).await;
    receiver.wait_for(2).await;
    for awaited in [4, 5] {
        server.kill();
        server.restart().await;
        // Both run again the first time. After two ends that both were in, they run one after the other.
        receiver.wait_for(awaited).await;
    }
    let suspect = reference(&receiver, 4);
    server.kill();
    receiver.reply_with(Reply::Status(200));
    server.restart().await;
    // The other one had no part in it, and is done.
    let quarantined = eventually("only the job to blame is left", AMPLE, async || {
        let left = deliveries(&server);
        (left.len() == 1 && left[0]["state"] == "quarantined").then(|| left[0].clone())
    })
    .await;
    assert_eq!(format!("CAS-{}_CMP-7", quarantined["subject"]), suspect);
    let all = receiver.wait_for(6).await;
    assert_eq!(all.len(), 6);
    assert_ne!(reference(&receiver, 5), suspect);
    let told = said(&server.run(&["doctor"]));
    assert!(told.contains("1 deliver-case quarantined"), "{told}");
    let output = server.run(&["job", "retry", &quarantined["id"].to_string()]);
    assert!(output.status.success(), "{}", said(&output));
    receiver.wait_for(7).await;
    assert_eq!(reference(&receiver, 6), suspect);
    eventually("it is done", AMPLE, async || deliveries(&server).is_empty().then_some(())).await;
}

/// Decisions 12: any known outcome is final.
async fn a_known_outcome_that_cannot_be_noted_is_not_sent_again(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    receiver.reply_with(Reply::Late(Duration::from_secs(1), 200));
    close_a_case(&api).await;
    receiver.wait_for(1).await;
    let barrier = Barrier::put_up(&server).await;
    barrier.hold_until(|| server.log().contains("the outcome of a dispatch cannot be noted yet")).await;
    eventually("the attempt is on record", AMPLE, async || (server.webhook_attempts().len() == 1).then_some(())).await;
    eventually("the job is done", AMPLE, async || deliveries(&server).is_empty().then_some(())).await;
    assert_eq!(receiver.received().len(), 1);
    assert_eq!(server.webhook_attempts().len(), 1);
}

/// PostgreSQL sees when a worker's session ends, so nothing waits for its leases to run out.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_jobs_of_a_worker_that_died_are_taken_over_within_seconds() {
    if !postgres::is_there() {
        return;
    }
    // The dispatch is to outlast the start of two nodes on a busy machine; the lease is as long.
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
    // Five are promised; the rest is for a busy machine. The lease lasts for two minutes.
    assert!(died.elapsed() < Duration::from_secs(20), "{:?}", died.elapsed());
    assert_eq!(reference(&receiver, 1), format!("CAS-{case}_CMP-7"));
    eventually("the job is done", AMPLE, async || deliveries(&server).is_empty().then_some(())).await;
    assert_eq!(receiver.received().len(), 2);
}

/// Keeps the server from recording attempts: on SQLite by the lock for writing, on PostgreSQL by one on the table, where
/// whoever waits for it loses the connection.
enum Barrier {
    Sqlite(SqliteConnection),
    Postgres(PgConnection),
}

impl Barrier {
    async fn put_up(server: &TestServer) -> Self {
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
        eventually("the outcome cannot be noted", AMPLE, async || {
            if let Self::Postgres(connection) = &mut self {
                let end = "select pg_terminate_backend(pid) from pg_stat_activity
                           where datname = current_database() and wait_event_type = 'Lock'";
                connection.execute(end).await.expect("end whoever waits");
            }
            is_enough().then_some(())
        })
        .await;
        match &mut self {
            Self::Sqlite(connection) => connection.execute("rollback").await.map(drop),
            Self::Postgres(connection) => connection.execute("rollback").await.map(drop),
        }
        .expect("give the lock back");
    }
}

async fn close_a_case(api: &Api) -> i64 {
    let case = open_case(api, &json!({ "frameId": SHORT_FRAME })).await;
    evidence::close(api, case).await.expect(200);
    case
}

/// The case of a webhook that came in.
fn reference(receiver: &Receiver, at: usize) -> String {
    receiver.received()[at].json()["cfRef"].as_str().expect("cfRef is a text").to_owned()
}

/// The deliveries of case webhooks that are in the queue.
fn deliveries(server: &TestServer) -> Vec<Value> {
    let output = server.run(&["job", "list", "--json"]);
    assert!(output.status.success(), "{}", said(&output));
    let mut jobs: Vec<Value> = serde_json::from_slice(&output.stdout).expect("job list --json prints an array");
    jobs.retain(|job| job["kind"] == "deliver-case");
    jobs
}
