//! How this server cosigns the logs of others.

use hyper::Method;
use sealwright_seal::{
    Sha256Digest, merkle,
    tlog::{Checkpoint, cosignature::WitnessKey, note::NoteSigner, witness::AddCheckpoint},
};
use serde_json::Value;

use super::{status, text};
use crate::support::{Answer, Database, TestServer, client::send, on_both_databases, rows::Rows};

on_both_databases!(
    a_witness_answers_as_the_protocol_says_and_forgets_nothing_when_it_is_killed,
    of_two_histories_at_the_same_time_one_is_cosigned,
);

/// A log of another operator.
struct ForeignLog {
    signer: NoteSigner,
    leaves: Vec<Sha256Digest>,
}

/// The name of that log.
const FOREIGN: &str = "log.example/other";

impl ForeignLog {
    /// With 20 entries; from the tenth on, they are those of this history.
    fn new(history: &str) -> Self {
        let entry = |number: usize| if number < 9 { number.to_string() } else { format!("{history} {number}") };
        let leaves = (0..20).map(|number| merkle::leaf_hash(entry(number).as_bytes())).collect();
        Self { signer: NoteSigner::new(FOREIGN, &[3; 32]).unwrap(), leaves }
    }

    fn key(&self) -> String {
        self.signer.verifier().to_string()
    }

    fn checkpoint(&self, size: usize) -> String {
        let root = merkle::root(&self.leaves[..size]);
        let head = Checkpoint { origin: FOREIGN.to_owned(), size: size as u64, root, extensions: Vec::new() };
        self.signer.sign(&head.to_string()).unwrap()
    }

    fn request(&self, old_size: usize, size: usize) -> String {
        let proof = merkle::consistency_proof(&self.leaves[..size], old_size).unwrap_or_default();
        AddCheckpoint { old_size: old_size as u64, proof, checkpoint: self.checkpoint(size) }.to_string()
    }
}

async fn submit(server: &TestServer, request: String) -> Answer {
    let api = server.anonymous();
    send(api.request(Method::POST, "/witness/add-checkpoint").body(request)).await
}

/// The size in a 409.
fn known_size(answer: Answer) -> String {
    let answer = answer.expect(409);
    assert_eq!(answer.header("content-type"), Some("text/x.tlog.size"));
    answer.text()
}

async fn a_witness_answers_as_the_protocol_says_and_forgets_nothing_when_it_is_killed(mut server: TestServer) {
    let (log, other) = (ForeignLog::new("this"), ForeignLog::new("another"));
    submit(&server, log.request(0, 5)).await.expect(404);
    server.set("SEALWRIGHT_WITNESS_LOGS", &log.key());
    server.restart().await;
    let key: WitnessKey = text(&server, "/witness/key").await.parse().unwrap();

    let answer = submit(&server, log.request(0, 5)).await.expect(200).text();
    assert!(key.open(&format!("{}{answer}", log.checkpoint(5))).is_ok(), "{answer}");
    let stranger = ForeignLog { signer: NoteSigner::new(FOREIGN, &[4; 32]).unwrap(), ..ForeignLog::new("") };
    submit(&server, stranger.request(5, 6)).await.expect(403);
    submit(&server, log.request(5, 6).replace(FOREIGN, "log.example/unknown")).await.expect(404);
    for broken in ["", "old 5", "old 05\n\nx\n", "old 6\n\n"] {
        submit(&server, broken.to_owned()).await.expect(400);
    }
    submit(&server, log.request(6, 5)).await.expect(400);
    assert_eq!(known_size(submit(&server, log.request(0, 6)).await), "5\n");
    submit(&server, "x".repeat(100_000)).await.expect(400);

    submit(&server, log.request(5, 12)).await.expect(200);
    // Killed after the answer, as by a power cut.
    server.kill();
    server.restart().await;
    assert_eq!(known_size(submit(&server, log.request(5, 13)).await), "12\n");
    assert_eq!(known_size(submit(&server, log.request(8, 8)).await), "12\n", "a rewound log");
    // Forked, and rewritten.
    submit(&server, other.request(12, 12)).await.expect(422);
    submit(&server, other.request(12, 20)).await.expect(422);
    submit(&server, log.request(12, 12)).await.expect(200);
    let line = submit(&server, log.request(12, 20)).await.expect(200).text();
    assert_eq!(status(&server)["logs"][0]["size"], 20);
    let served = text(&server, &format!("/witness/{}/checkpoint", Sha256Digest::of(FOREIGN))).await;
    assert_eq!(served, format!("{}{line}", log.checkpoint(20)).trim_end());
    server.anonymous().get(&format!("/witness/{}/checkpoint", Sha256Digest::of("another"))).await.expect(404);

    // As if the database was restored from before the first request.
    server.kill();
    Rows::change(&server, "delete from witnessed_logs").await;
    server.restart().await;
    assert_eq!(known_size(submit(&server, other.request(0, 20)).await), "20\n");
    submit(&server, other.request(20, 20)).await.expect(422);
    submit(&server, log.request(20, 20)).await.expect(200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_restored_installation_has_another_key_as_a_witness() {
    let server = TestServer::start(Database::Sqlite).await;
    let place = server.folder().join("backup").display().to_string();
    assert!(server.run(&["backup", &place]).status.success());
    let restored = TestServer::with_keys_of(&server, Database::Sqlite);
    let summary = restored.run(&["restore", &place, "--json"]);
    let summary: Value = serde_json::from_slice(&summary.stdout).unwrap_or_else(|error| panic!("{error}"));
    let key =
        |server: &TestServer| String::from_utf8(server.run(&["witness", "key"]).stdout).unwrap().trim_end().to_owned();
    assert_eq!(summary["witnessKey"], key(&restored), "{summary}");
    // The name is the same: it comes from the address.
    let of_name = |key: &str| key.split('+').nth(2).unwrap().to_owned();
    assert_ne!(of_name(&key(&server)), of_name(&key(&restored)));
}

async fn of_two_histories_at_the_same_time_one_is_cosigned(mut server: TestServer) {
    let (log, other) = (ForeignLog::new("this"), ForeignLog::new("another"));
    server.set("SEALWRIGHT_WITNESS_LOGS", &log.key());
    server.restart().await;
    submit(&server, log.request(0, 9)).await.expect(200);
    let requests = (0..12).map(|number| {
        let log = if number % 2 == 0 { &log } else { &other };
        submit(&server, log.request(9, 20))
    });
    let answers = futures_util::future::join_all(requests).await;
    let cosigned: Vec<usize> = (0..12).filter(|&number| answers[number].status == 200).collect();
    assert_eq!(cosigned.len(), 1, "{answers:?}");
    for (number, answer) in answers.into_iter().enumerate() {
        if number != cosigned[0] {
            assert_eq!(known_size(answer), "20\n");
        }
    }
    let (winner, loser) = if cosigned[0].is_multiple_of(2) { (&log, &other) } else { (&other, &log) };
    submit(&server, winner.request(20, 20)).await.expect(200);
    submit(&server, loser.request(20, 20)).await.expect(422);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_can_be_a_witness_and_nothing_else() {
    let mut server = TestServer::start(Database::Sqlite).await;
    let log = ForeignLog::new("this");
    server.set("SEALWRIGHT_WITNESS_LOGS", &log.key());
    server.restart_with(&["witness"]).await;
    submit(&server, log.request(0, 5)).await.expect(200);
    for path in ["/log/checkpoint", "/console", "/cases/close/1"] {
        server.anonymous().get(path).await.expect(404);
    }
    let printed = String::from_utf8(server.run(&["witness", "key"]).stdout).unwrap();
    assert_eq!(printed.trim_end(), text(&server, "/witness/key").await);
}
