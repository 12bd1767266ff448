//! How PostgreSQL executes the statements of a working server, among as many rows as its planner needs to prefer an index
//! (docs/adr/0060-many-cases.md). PostgreSQL records each plan that it has executed (`auto_explain`). So the statements and
//! their parameters are those of the program, also those that macros assemble and those of periodic work.
//!
//! `SEALWRIGHT_TEST_PLANS_CASES` sets the number of cases.

use std::{collections::BTreeSet, env};

use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Connection as _, PgConnection, raw_sql};

use crate::{
    console::{Person, must_add_user},
    support::{
        AMPLE, Api, Database, TestServer,
        company_manifest::{ACME, FRAME, PHOTOGRAPHY, TEXT_FIELD, acme_on},
        eventually,
        evidence::{add_capture, add_entry, close, open_case, photo},
        own_cluster::OwnCluster,
        server::said,
        setting,
    },
};

/// Tables that grow with the cases. Each has at least as many rows as cases.
const GROWING: [&str; 15] = [
    "cases",
    "certificates",
    "case_analyses",
    "case_words",
    "decisions",
    "items",
    "item_analyses",
    "picture_hashes",
    "plugin_runs",
    "jobs",
    "links",
    "field_openings",
    "events",
    "webhook_attempts",
    "audit_records",
];
/// The most rows of a growing table that a node may read and drop, and the most that it may sort.
const MOST_DROPPED: f64 = 2_000.0;
const MOST_SORTED: f64 = 3_000.0;
/// PostgreSQL uses a plan for any parameters from the sixth time on, if it is not more expensive.
const REPEATS: usize = 7;

/// Rows as the server writes them: `$CASES` cases of 40 companies in two years, the newest of Acme. The cases of a company
/// are together, so that the planner prefers an index among few rows as it does among many. Events, attempts and audit
/// records are as young as those that the server keeps. The jobs are due in many years. A few rows have expired.
const ROWS: &str = "
    insert into companies (id, name, document_analysis, certificate_template, rate_limits, analysis, updated_at)
      select 1000 + n, 'Company ' || n, false, certificate_template, rate_limits, analysis, 0
      from companies, generate_series(1, 39) n where id = $ACME;
    insert into frames (id, company_id, name, shared_with_children, active, position)
      select 100000 + n, 1000 + n, 'Frame', false, true, 0 from generate_series(1, 39) n;
    insert into reports (token, family_id, created_at) values ('claim-1', $ACME, 0);
    insert into cases (company_id, frame_id, title, report_token, metadata, created_at, closed_at, item_count)
      select case company when 0 then $ACME else 1000 + company end,
             case company when 0 then $FRAME else 100000 + company end,
             'Water damage at number ' || n, case when n > $CASES - 20 then 'claim-1' end, '{\"claim\":\"C-' || n || '\"}',
             created_at, case when n % 50 > 0 then created_at end, 0
      from (select n, ($CASES - n) * 40 / $CASES as company,
                   cast(extract(epoch from now()) * 1000 as bigint) - ($CASES - n) * (63072000000 / $CASES) as created_at
            from generate_series(cast(1 as bigint), $CASES) n) numbered order by n;
    insert into certificates (case_id, share_token, frozen, blob_key, size, crc32, level)
      select id, md5(cast(id as text)), '{\"companyName\":\"As it was\",\"frameName\":\"As it was\"}',
             'certificates/' || substr(md5(cast(id as text)), 1, 2) || '/' || md5(cast(id as text)), 1000, 0, 'B-LTA'
      from cases where closed_at is not null;
    insert into decisions (case_id, outcome, reason, decided_by, decided_at)
      select id, 'accepted', 'a reason', 'reviewer', closed_at from cases where closed_at is not null;
    insert into items (case_id, step_id, step_title, step_description, action, data, created_at, device, blob_key,
                       file_type, file_size, file_sha256)
      select id, 1, 'Front', '', 'PHOTOGRAPHY', 'photo.jpg', created_at, '{}',
             'items/' || substr(md5(cast(id as text)), 1, 2) || '/' || md5(cast(id as text)), 'image/jpeg', 100000,
             md5(cast(id as text)) || md5(cast(id as text))
      from cases;
    insert into item_analyses (item_id, case_id, company_id, kind, deletes_file, state, requested_at, ended_at)
      select i.id, i.case_id, c.company_id, 'picture', false, 'completed', i.created_at, i.created_at
      from items i join cases c on c.id = i.case_id;
    insert into picture_hashes (item_id, company_id, hash, band0, band1, band2, band3)
      select item_id, company_id, item_id * 7919, item_id * 7919 % 65536, item_id * 104729 % 65536,
             item_id * 1299709 % 65536, item_id * 15485863 % 65536 from item_analyses;
    insert into case_analyses (case_id, company_id, closed_at, deadline, revision, basis, progress, notice, trust_score)
      select id, company_id, closed_at, closed_at, 1, 1, 'completed', 1, 90 from cases where closed_at is not null;
    insert into plugin_runs (case_id, item_id, role, plugin, version, digest, contract, settings_sha256, input_sha256,
                             answer, duration_us, ran_at)
      select case_id, item_id, 'signal', 'duplicate', '1', '', '0.1.2', '', '', '{}', 100, requested_at from item_analyses;
    insert into case_words (company_id, word, case_id)
      select company_id, 'claim', id from cases union all select company_id, 'c' || id, id from cases
      union all select company_id, 'name' || (id % 700), id from cases;
    insert into links (token, company_id, frame_id, uses, created_at)
      select md5('link' || id), company_id, frame_id, 1, created_at from cases;
    insert into field_openings (user_id, capture_id, case_id)
      select (select min(id) from users), 'capture-' || id, id from cases;
    insert into events (company_id, case_id, kind, happened_at, position)
      select company_id, id, 'created', (select max(created_at) from cases) - ($CASES - id) * 1000,
             row_number() over (partition by company_id order by id) from cases;
    insert into event_heads (company_id, position, expired, batch)
      select company_id, max(position), 0, 1 from events group by company_id;
    insert into webhook_attempts (company_id, case_id, kind, url, started_at, duration_ms, status)
      select company_id, id, 'case', 'https://hooks.example',
             case when company_id = 1002 and id % 100 = 1 then id
                  else (select max(created_at) from cases) - ($CASES - id) * 1000 end, 100, 200 from cases;
    insert into audit_records (happened_at, company_id, actor_kind, actor, action, subject, outcome, position, digest)
      select case when company_id = 1002 and id % 100 = 1 then id
                  else (select max(created_at) from cases) - ($CASES - id) * 1000 end,
             company_id, 'console', 'maria', 'showCase', 'case ' || id, 'done',
             (select size from audit_head) + row_number() over (order by id), repeat('0', 64) from cases;
    update audit_head set size = (select max(position) from audit_records);
    insert into jobs (kind, subject, company_id, state, run_at, due_at, attempt, created_at)
      select kind, id, company_id, 'ready', 4102441200000, 4102441200000, 0, 0
      from cases, (values ('renew-seal'), ('seal'), ('deliver-case')) kinds (kind);
    update cases set closed_at = id where company_id in (1001, 1002) and id % 100 = 1 and closed_at is not null;
    update companies set case_days = 10000 where id = 1001;
    update companies set original_days = 10000, fact_days = 10000, delivery_days = 10000, audit_days = 10000
      where id = 1002";

/// The server's connections record the plans of all their statements from now on.
const RECORD: &str = "
    alter database postgres set session_preload_libraries = 'auto_explain';
    alter database postgres set auto_explain.log_min_duration = 0;
    alter database postgres set auto_explain.log_analyze = on;
    alter database postgres set auto_explain.log_nested_statements = on;
    alter database postgres set auto_explain.log_timing = off;
    alter database postgres set auto_explain.log_format = json";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_statement_of_a_working_server_reads_or_sorts_a_growing_table() {
    let Some(cluster) = OwnCluster::start() else { return };
    let mut server = TestServer::start_with(Database::Sqlite, &[("SEALWRIGHT_DATABASE_URL", &cluster.url())]).await;
    let (api, _receiver) = acme_on(&server).await;
    must_add_user(&server, "olga", &["--role", "operator"]);
    must_add_user(&server, "anna", &["--role", "administrator", "--company", &ACME.to_string()]);
    server.kill();
    let cases = setting("SEALWRIGHT_TEST_PLANS_CASES", 20_000);
    let numbers = [("$CASES", cases.to_string()), ("$ACME", ACME.to_string()), ("$FRAME", FRAME.to_string())];
    let rows = numbers.iter().fold(ROWS.to_owned(), |sql, (name, number)| sql.replace(name, number));
    for sql in [rows.as_str(), "vacuum analyze", RECORD] {
        run(&cluster, sql).await;
    }

    // At the start the server looks for everything that is due, as it does every hour.
    server.restart().await;
    work(&server, &api).await;
    let commands: [&[&str]; 6] = [
        &["retention", "--dry-run"],
        &["webhook", "list"],
        &["doctor"],
        &["job", "list"],
        &["job", "retry"],
        &["seal", "pending", "--limit", "10"],
    ];
    for arguments in commands {
        // `doctor` may find something to improve.
        let output = server.run(arguments);
        assert!(matches!(output.status.code(), Some(0 | 1)), "{arguments:?}: {}", said(&output));
    }
    server.terminate().await;

    // Later than all of the server's: shows that a bad plan is found.
    run(&cluster, "select count(*) from cases where title like '%the check itself%'").await;
    let plans = plans(&cluster.log());
    let statements: BTreeSet<&str> = plans.iter().map(|plan| plan["Query Text"].as_str().unwrap()).collect();
    for hot in [
        "c.created_at >= $2 and c.created_at <= $3",
        "where c.report_token = $1",
        "for update skip locked",
        "with recursive waiting",
        "from companies o cross join case_words",
        "e.position > $2",
        "from audit_records where position is null",
        "from case_analyses c",
        "state in ('ready', 'running', 'suspect') order by due_at limit $2",
        "oldest order by due_at, id limit $1) j",
    ] {
        assert!(statements.iter().any(|text| text.contains(hot)), "{hot} was not executed");
    }
    assert!(statements.len() > 100, "{}", statements.len());
    let mut found = BTreeSet::new();
    for plan in &plans {
        let text = plan["Query Text"].as_str().unwrap();
        let mut problems = Vec::new();
        collect(&plan["Plan"], &mut problems);
        found.extend(problems.into_iter().map(|problem| format!("{problem}: {text}")));
    }
    let (own, found): (Vec<String>, Vec<String>) =
        found.into_iter().partition(|problem| problem.contains("the check itself"));
    assert_eq!(own.len(), 1, "{own:?}");
    if env::var_os("SEALWRIGHT_TEST_PLANS_CASES").is_some() {
        print_slowest(&cluster.log());
    }
    assert!(found.is_empty(), "{} problems:\n{}", found.len(), found.join("\n\n"));
}

async fn run(cluster: &OwnCluster, sql: &str) {
    let mut connection = PgConnection::connect(&cluster.url()).await.expect("connect to the database");
    raw_sql(AssertSqlSafe(sql)).execute(&mut connection).await.unwrap_or_else(|error| panic!("{error}: {sql}"));
    connection.close().await.expect("close the connection");
}

/// What people and programs do with an installation every day.
async fn work(server: &TestServer, api: &Api) {
    let (mut opened, mut closed) = (Vec::new(), String::new());
    for number in 0..3 {
        let case = open_case(api, &json!({ "frameId": FRAME, "reportToken": "claim-1" })).await;
        add_entry(api, case, TEXT_FIELD, "It was raining.").await.expect(201);
        add_capture(api, case, PHOTOGRAPHY, photo(number)).await.expect(200);
        opened.push(case);
    }
    for case in &opened[1..] {
        close(api, *case).await.expect(200).json()["pdfUrl"].as_str().unwrap().clone_into(&mut closed);
    }
    let path = closed.strip_prefix(&server.base_url()).expect("an address of this server").to_owned();
    eventually("the last certificate is made", AMPLE, async || {
        (server.anonymous().get(&path).await.status == 200).then_some(())
    })
    .await;
    let people = [Person::signed_in(server, "olga").await, Person::signed_in(server, "anna").await];
    for _ in 0..REPEATS {
        for query in ["hours=168", "hours=168&closed=true&limit=20&offset=40", "caseId=7", "reportToken=claim-1"] {
            api.get(&format!("/cases?format=metadata&{query}")).await.expect(200);
        }
        for path in ["/reports/claim-1", "/v2/events?limit=100", "/frames"] {
            api.get(path).await.expect(200);
        }
        for person in &people {
            for path in ["cases", "cases?q=c77", "cases?q=claim+name5", "links", "audit"] {
                person.get(&format!("/console/{path}")).await.expect(200);
            }
            for case in &opened {
                person.get(&format!("/console/cases/{case}")).await.expect(200);
            }
        }
        people[0].get("/console/operation").await.expect(200);
        Api::new(&server.admin_url(), None).get("/metrics").await.expect(200);
    }
    api.delete(&format!("/cases/delete/{}", opened[0])).await.expect(200);
}

/// The plans in a log of PostgreSQL, each with its statement.
fn plans(log: &str) -> Vec<Value> {
    let entries = log.split(" plan:\n").skip(1);
    let plan = |entry: &str| {
        let text: String = entry.lines().take_while(|line| line.starts_with('\t')).collect();
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
    };
    entries.map(plan).collect()
}

/// What a part of a plan does that takes longer, the more cases there are.
fn collect(node: &Value, problems: &mut Vec<String>) {
    let kind = node["Node Type"].as_str().unwrap_or_default();
    let number = |name: &str| node[name].as_f64().unwrap_or_default();
    let loops = number("Actual Loops");
    let table = node["Relation Name"].as_str().unwrap_or_default();
    let dropped = (number("Rows Removed by Filter") + number("Rows Removed by Index Recheck")) * loops;
    if GROWING.contains(&table) {
        if kind == "Seq Scan" && loops > 0.0 {
            problems.push(format!("{table} is read from its beginning"));
        } else if dropped > MOST_DROPPED {
            problems.push(format!("{dropped} rows of {table} are read and dropped ({kind})"));
        }
    }
    if kind == "Sort" && number("Actual Rows") > MOST_SORTED {
        problems.push(format!("{} rows are sorted", number("Actual Rows")));
    }
    for child in node["Plans"].as_array().into_iter().flatten() {
        collect(child, problems);
    }
}

/// The statements that took longest, for a run with many cases.
fn print_slowest(log: &str) {
    let mut slowest: Vec<(f64, String)> = Vec::new();
    for entry in log.split("duration: ").skip(1) {
        let Some((milliseconds, rest)) = entry.split_once(" ms  plan:\n") else { continue };
        let text = rest.split("\"Query Text\": ").nth(1).and_then(|rest| rest.lines().next()).unwrap_or_default();
        slowest.push((milliseconds.parse().unwrap_or_default(), text.to_owned()));
    }
    slowest.sort_by(|one, other| other.0.total_cmp(&one.0));
    for (milliseconds, text) in slowest.iter().take(30) {
        eprintln!("{milliseconds:>10.1} ms  {text}");
    }
}
