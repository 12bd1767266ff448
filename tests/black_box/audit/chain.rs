//! The chain of the audit log: no one can change a record unnoticed, and no record is left out.

use serde_json::{Value, json};

use super::{records, verified};
use crate::support::{
    AMPLE, Api, Database, TestServer,
    company_manifest::{ACME_API, FRAME, acme_on},
    eventually,
    evidence::open_case,
    on_both_databases, postgres,
    rows::Rows,
    server::said,
};

on_both_databases!(
    a_changed_removed_or_reordered_record_is_noticed,
    a_cut_tail_is_noticed_by_the_published_head,
    a_changed_entry_of_the_log_of_seals_is_noticed,
    what_a_killed_server_has_not_chained_is_chained_at_the_next_start,
);

/// A server that was stopped after some records.
async fn stopped(server: &mut TestServer) -> Api {
    let (api, _receiver) = acme_on(server).await;
    for _ in 0..4 {
        open_case(&api, &json!({ "frameId": FRAME })).await;
    }
    assert!(verified(server, 0).contains("checked    6 records"));
    server.terminate().await;
    api
}

async fn a_changed_removed_or_reordered_record_is_noticed(mut server: TestServer) {
    stopped(&mut server).await;
    let change = async |sql: &str| Rows::change(&server, sql).await;
    let change = &change;

    change("update audit_records set happened_at = happened_at + 1 where position = 3").await;
    assert!(verified(&server, 1).contains("record 3 was changed"));
    change("update audit_records set happened_at = happened_at - 1 where position = 3").await;
    verified(&server, 0);

    let swap = "update audit_records set position = 1000 where position = 2;
                update audit_records set position = 2 where position = 5;
                update audit_records set position = 5 where position = 1000";
    change(swap).await;
    let said = verified(&server, 1);
    assert!(said.contains("the one that belongs at position 2 is now at position 5"), "{said}");
    change(swap).await;
    verified(&server, 0);

    change("update audit_head set size = 5").await;
    assert!(verified(&server, 1).contains("the head of the chain was changed"));
    change("update audit_head set size = 6").await;
    verified(&server, 0);

    change("delete from audit_records where position = 6").await;
    let said = verified(&server, 1);
    assert!(said.contains("the chain ends with record 5, but its head is at record 6"), "{said}");
    change("delete from audit_records where position = 2").await;
    assert!(verified(&server, 1).contains("record 2 was removed"));
    let output = server.run(&["audit", "verify", "--json"]);
    let check: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(check["problem"], json!({ "kind": "removed", "position": 2 }));
    change("delete from audit_head").await;
    assert!(verified(&server, 1).contains("record 2 was removed"));
}

async fn a_cut_tail_is_noticed_by_the_published_head(mut server: TestServer) {
    let api = stopped(&mut server).await;
    let output = server.run(&["audit", "verify", "--publish"]);
    assert!(output.status.success() && said(&output).contains("6 records were published"), "{}", said(&output));
    let again = server.run(&["audit", "verify", "--publish"]);
    assert!(!said(&again).contains("were published in"), "it has not moved: {}", said(&again));
    // Monitors read it in the log of seals.
    server.restart().await;
    let entry = server.anonymous().get("/log/tile/entries/000.p/1").await.expect(200).body;
    let entry: Value = serde_json::from_slice(&entry[2..]).unwrap();
    assert_eq!((&entry["kind"], &entry["size"]), (&json!("audit-head"), &json!(6)));
    assert_eq!(entry["digest"], records(&server)[5]["digest"]);
    let checkpoint = server.anonymous().get("/log/checkpoint").await.expect(200).text();
    assert_eq!(checkpoint.lines().nth(1), Some("1"));

    // Someone removes the newest records together with the head, and new records follow.
    server.terminate().await;
    let cut = "delete from audit_records where position > 4;
               update audit_head set size = 4, digest = (select digest from audit_records where position = 4)";
    Rows::change(&server, cut).await;
    let said = verified(&server, 1);
    assert!(said.contains("the chain ends with record 4, but a head over 6 records was published"), "{said}");
    server.restart().await;
    for _ in 0..3 {
        open_case(&api, &json!({ "frameId": FRAME })).await;
    }
    let said = verified(&server, 1);
    assert!(said.contains("the records up to 6 were rewritten"), "{said}");
}

async fn a_changed_entry_of_the_log_of_seals_is_noticed(mut server: TestServer) {
    stopped(&mut server).await;
    assert!(server.run(&["audit", "verify", "--publish"]).status.success());
    Rows::change(&server, "update log_entries set entry = replace(entry, '\"size\":6', '\"size\":5')").await;
    assert!(verified(&server, 1).contains("an entry of the log of seals was changed or removed"));
    Rows::change(&server, "delete from log_entries").await;
    assert!(verified(&server, 1).contains("an entry of the log of seals was changed or removed"));
    Rows::change(&server, "delete from log_nodes; update log_head set size = 0, peaks = '[]', checkpoint = ''").await;
    assert!(verified(&server, 1).contains("a checkpoint over 1 was published"));
}

async fn what_a_killed_server_has_not_chained_is_chained_at_the_next_start(mut server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    // Nothing chains while the workers are away.
    server.restart_as("api").await;
    for _ in 0..3 {
        open_case(&api, &json!({ "frameId": FRAME })).await;
    }
    let waiting = async || {
        let rows: Vec<(i64,)> =
            Rows::of(&server).await.all("select id from audit_records where position is null").await;
        rows.len()
    };
    assert!(waiting().await >= 3);
    server.kill();
    server.restart_as("all").await;
    let server = &server;
    eventually("the records are chained", AMPLE, async || {
        let rows: Vec<(i64,)> = Rows::of(server).await.all("select id from audit_records where position is null").await;
        rows.is_empty().then_some(())
    })
    .await;
    assert!(verified(server, 0).contains("is whole"));
}

/// Nodes take turns: no position is given twice, and none is left out.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_nodes_chain_at_once() {
    if !postgres::is_there() {
        return;
    }
    let server = TestServer::start(Database::Postgres).await;
    let (api, _receiver) = acme_on(&server).await;
    let other = server.another_node().await;
    let there = Api::new(&other.base_url(), api.token.clone());
    for _ in 0..3 {
        let body = json!(vec![json!({ "frameId": FRAME, "userId": ACME_API.user_id }); 50]);
        let (one, two) = tokio::join!(api.post("/cases/bulk-create", &body), there.post("/cases/bulk-create", &body));
        one.expect(200);
        two.expect(200);
        let both = [server.spawn(&["audit", "verify"]), server.spawn(&["audit", "verify"])];
        for check in both {
            let output = check.wait_with_output().expect("the command ends");
            assert!(output.status.success(), "{}", said(&output));
        }
    }
    assert!(verified(&server, 0).contains("checked    302 records"));
    for node in [&server, &other] {
        assert!(!node.log().contains("cannot be chained"));
    }
}
