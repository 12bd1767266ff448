//! The audit log as a file, from its page (console.md, "The audit log").

use super::{Person, must_add_user};
use crate::support::{TestServer, company_manifest::acme_on, on_both_databases, rows::Rows};

on_both_databases!(the_audit_log_is_exported_as_lines_and_as_a_table);

async fn the_audit_log_is_exported_as_lines_and_as_a_table(server: TestServer) {
    let (_api, _receiver) = acme_on(&server).await;
    must_add_user(&server, "boss", &["--role", "administrator", "--company", "7"]);
    let boss = Person::signed_in(&server, "boss").await;
    let page = boss.get("/console/audit?action=signIn").await.expect(200).text();
    for file in ["audit.jsonl", "audit.csv"] {
        assert!(page.contains(&format!("href=\"/console/{file}?action=signIn\"")), "{file}: {page}");
    }
    let lines = boss.get("/console/audit.jsonl?action=signIn").await.expect(200).text();
    assert!(lines.starts_with('{') && lines.contains("\"action\":\"signIn\""), "{lines}");
    let table = boss.get("/console/audit.csv?action=signIn").await.expect(200);
    assert_eq!(table.header("content-type"), Some("text/csv; charset=utf-8"));
    let table = table.text();
    let rows: Vec<&str> = table.trim_end().split("\r\n").collect();
    assert!(
        rows[0]
            .ends_with("position,id,happenedAt,company,actorKind,actor,action,subject,address,outcome,detail,digest"),
        "{table}"
    );
    assert_eq!(rows.len(), lines.lines().count() + 1, "{table}");
    assert!(rows[1..].iter().all(|row| row.contains(",console,boss,signIn,")), "{table}");
    let exports: Vec<(String,)> = Rows::of(&server)
        .await
        .all("select action from audit_records where action like 'exportAudit%' and actor = 'boss' order by id")
        .await;
    assert_eq!(exports, [("exportAudit".to_owned(),), ("exportAuditTable".to_owned(),)]);
}
