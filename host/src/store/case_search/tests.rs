//! The plans: each query walks an index or looks rows up, on both databases.

use super::{listed::SHOW, *};
use crate::db::Db;

#[path = "../../../../tests/black_box/support/postgres.rs"]
mod postgres;

/// [`postgres`] calls this if it is not installed.
fn skip_loudly(reason: &str) {
    use std::io::Write as _;
    assert!(std::env::var_os("CI").is_none(), "{reason}, and CI tests everything");
    // Not `eprintln!`: the test harness would swallow it, because the test passes.
    let _ = writeln!(std::io::stderr(), "SKIPPED, NOT TESTED: {reason}");
}

const QUERIES: [(&str, &str); 7] = [
    ("COUNT", COUNT),
    ("FROM_WORD", FROM_WORD),
    ("OF_COMPANY", OF_COMPANY),
    ("OF_ALL", OF_ALL),
    ("FLOOR_OF_COMPANY", FLOOR_OF_COMPANY),
    ("FLOOR_OF_ALL", FLOOR_OF_ALL),
    ("SHOW", SHOW),
];

/// The query that walks an index, and that index.
const WALKS: [(&str, &str); 4] = [
    ("OF_COMPANY", "cases_by_company"),
    ("OF_ALL", "cases_by_time"),
    ("FLOOR_OF_COMPANY", "cases_by_company"),
    ("FLOOR_OF_ALL", "cases_by_time"),
];

#[tokio::test]
async fn on_sqlite_nothing_is_scanned_but_companies_and_what_was_found() {
    let folder = tempfile::tempdir().unwrap();
    let db = Db::open(&format!("sqlite://{}/test.db", folder.path().display())).await.unwrap();
    let mut tx = db.begin().await.unwrap();
    for (name, sql) in QUERIES {
        let explain: &'static str = format!("explain query plan {sql}").leak();
        let steps: Vec<(i64, i64, i64, String)> = tx.query(explain).all().await.unwrap();
        let steps: Vec<String> = steps.into_iter().map(|(.., step)| step).collect();
        for step in steps.iter().filter(|step| step.starts_with("SCAN")) {
            assert!(["SCAN o", "SCAN k", "SCAN dated", "SCAN counted"].contains(&step.as_str()), "{name}: {steps:#?}");
        }
        if let Some((_, index)) = WALKS.iter().find(|(walk, _)| *walk == name) {
            assert!(steps[0].contains(index), "{name}: {steps:#?}");
            assert!(steps.iter().all(|step| !step.contains("TEMP B-TREE")), "{name}: {steps:#?}");
        }
    }
}

/// The types of the parameters, which the program declares by binding them.
fn types(name: &str) -> String {
    let of = |position: usize| match (name, position) {
        ("COUNT", 2) | ("FROM_WORD" | "OF_COMPANY" | "OF_ALL", 2 | 32) => "boolean",
        ("COUNT", 3 | 4) | ("FROM_WORD" | "OF_COMPANY" | "OF_ALL", 5 | 11..=30 | 33 | 34) => "text",
        _ => "bigint",
    };
    let count = match name {
        "COUNT" | "FLOOR_OF_COMPANY" => 4,
        "FLOOR_OF_ALL" => 3,
        "FROM_WORD" => 34,
        "OF_COMPANY" => 31,
        "OF_ALL" => 32,
        _ => 50,
    };
    (1..=count).map(of).collect::<Vec<_>>().join(", ")
}

/// As many cases as the planner needs to prefer an index.
const FILL: &str = "
    insert into companies (id, name, document_analysis, certificate_template, rate_limits, analysis, updated_at)
      select n, 'c', false, 't', '{}', '{}', 0 from generate_series(1, 20) n;
    insert into frames (id, company_id, name, shared_with_children, active, position)
      select n, n, 'f', false, true, 0 from generate_series(1, 20) n;
    insert into cases (company_id, frame_id, title, created_at, item_count)
      select 1 + n % 20, 1 + n % 20, 'a title', n, 0 from generate_series(1, 20000) n;
    insert into case_analyses (case_id, company_id, closed_at, deadline, revision, notice, trust_score)
      select id, company_id, 0, 0, 1, 1, id % 101 from cases;
    insert into certificates (case_id, share_token, frozen) select id, cast(id as text), '{}' from cases;
    insert into decisions (case_id, outcome, reason, decided_by, decided_at)
      select id, 'accepted', '', 'x', 0 from cases where id % 2 = 0;
    insert into case_words (company_id, word, case_id) select company_id, 'all', id from cases
      union all select company_id, 'w' || id % 700, id from cases union all select company_id, 'x' || id, id from cases;
    analyze";

/// With a plan for any parameters, which PostgreSQL uses for a statement that is repeated.
#[tokio::test]
async fn on_postgres_no_large_table_is_scanned() {
    if !postgres::is_there() {
        return;
    }
    let database = postgres::FreshDatabase::create();
    let db = Db::open(&database.url()).await.unwrap();
    let mut tx = db.begin_maintenance().await.unwrap();
    for statement in FILL.split(';').chain(["set local plan_cache_mode = force_generic_plan"]) {
        let statement: &'static str = statement.to_owned().leak();
        tx.query(statement).execute().await.unwrap();
    }
    for (name, sql) in QUERIES {
        let types = types(name);
        let prepare: &'static str = format!("prepare {name} ({types}) as {sql}").leak();
        tx.query(prepare).execute().await.unwrap();
        let nulls = vec!["null"; types.split(',').count()].join(", ");
        let explain: &'static str = format!("explain execute {name} ({nulls})").leak();
        let steps: Vec<(String,)> = tx.query(explain).all().await.unwrap();
        let plan = steps.into_iter().map(|(step,)| step).collect::<Vec<_>>().join("\n");
        for line in plan.lines().filter(|line| line.contains("Seq Scan")) {
            // Both are small.
            let is_small = line.contains("Seq Scan on companies") || line.contains("Seq Scan on frames");
            assert!(is_small, "{name}: {plan}");
        }
        if let Some((_, index)) = WALKS.iter().find(|(walk, _)| *walk == name) {
            assert!(
                plan.lines().nth(1).is_some_and(|line| line.contains("Backward using") && line.contains(index)),
                "{name}: {plan}"
            );
        }
    }
}
