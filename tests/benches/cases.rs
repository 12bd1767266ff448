//! The console's list of cases among a million of them, on both databases: a page of each kind of search, as the use case
//! reads it. Half of the cases belong to one company, a tenth to its child, the rest to others.
//!
//! The rows are made by SQL, with the words that the server would make. `SEALWRIGHT_BENCH_CASES` sets another number.

use std::{env, time::Instant};

use anyhow::Context as _;
use sealwright::{
    app::case_search,
    db::{Db, Reader},
    domain::{
        case_search::{CaseSearch, Place},
        console::Scope,
        id::CompanyId,
    },
};
use sqlx::{AssertSqlSafe, Connection as _, Executor as _, PgConnection, SqliteConnection};

use crate::{
    postgres::{self, FreshDatabase},
    report::{Figure, Goal, Samples, Unit, median},
};

const CASES: i64 = 1_000_000;
/// How often each search is measured.
const REPEATS: usize = 60;
/// What a page may take, in milliseconds.
const GOAL: f64 = 50.0;

/// The rows, in the SQL of both databases; `$CASES` is a table of one column `n`, from 1 to the number of cases.
const ROWS: &[&str] = &[
    "insert into companies (id, name, parent_id, document_analysis, certificate_template, rate_limits, analysis, updated_at)
       select n, 'Company ' || n, case when n = 2 then 1 end, false, 't', '{}', '{}', 0 from $CASES where n <= 50",
    "insert into frames (id, company_id, name, shared_with_children, active, position)
       select n, (n + 3) / 4, 'Frame ' || n, false, true, n from $CASES where n <= 200",
    "insert into cases (company_id, frame_id, title, metadata, created_at, closed_at, item_count)
       select company, company * 4 - n % 4, 'Water damage at number ' || n || ' in the street of name ' || (n * 7919 % 30000),
              '{\"claim\":\"C-' || n || '\",\"note\":\"' || substr('a text that a person wrote about it', 1, cast(n % 30 as int)) || '\"}',
              1700000000000 + n * 60000, case when n % 10 < 8 then 1700000500000 + n * 60000 end, 0
       from (select n, case when n % 10 < 5 then 1 when n % 10 = 5 then 2 else 3 + n % 48 end as company from $CASES) as numbered
       order by n",
    "insert into case_analyses (case_id, company_id, closed_at, deadline, revision, notice, trust_score)
       select id, company_id, closed_at, closed_at, 1, 1,
              case when id % 1009 = 0 then 10 when id % 20 = 1 then 50 else 90 end
       from cases where closed_at is not null",
    "insert into certificates (case_id, share_token, frozen)
       select id, cast(id as text), '{\"companyName\":\"As it was\",\"frameName\":\"As it was\"}'
       from cases where closed_at is not null",
    "insert into decisions (case_id, outcome, reason, decided_by, decided_at)
       select id, case when id % 50 = 0 then 'rejected' else 'accepted' end, 'a reason', 'reviewer', 0
       from cases where id % 2 = 0 and closed_at is not null",
    // Half of the cases have a word that begins with `wa`; `name…` has 30,000 words; each case has words of its own.
    "insert into case_words (company_id, word, case_id)
       select company_id, word, id from (
         select company_id, id, 'c' || id as word from cases
         union all select company_id, id, 'cas' || id || 'cmp' || company_id from cases
         union all select company_id, id, cast(id as text) from cases
         union all select company_id, id, 'damage' from cases
         union all select company_id, id, 'number' from cases
         union all select company_id, id, 'street' from cases
         union all select company_id, id, 'claim' from cases
         union all select company_id, id, 'water' || (id % 500) from cases where id % 2 = 0
         union all select company_id, id, 'name' || (id * 7919 % 30000) from cases
         union all select company_id, id, 'town' || (id * 104729 % 2000) from cases
         union all select company_id, id, 'plumber' || (id * 1299709 % 150) from cases
         union all select company_id, id, 'smith' from cases where id % 40 = 3
         union all select company_id, id, 'old' from cases where id < 20000
         union all select company_id, id, ':frame:' || frame_id || ';' from cases
         union all select company_id, id, case when closed_at is null then ':open;' else ':closed;' end from cases
         union all select c.company_id, c.id, case when a.trust_score is null then ':verdict:none;'
           when a.trust_score < 30 then ':verdict:CRITICAL;' when a.trust_score < 70 then ':verdict:SUSPICIOUS;'
           else ':verdict:GOOD;' end from cases c left join case_analyses a on a.case_id = c.id
         union all select c.company_id, c.id, ':decision:' || coalesce(d.outcome, 'none') || ';'
           from cases c left join decisions d on d.case_id = c.id) as words
       order by company_id, word, id",
];

/// What is measured: a name, and the query of the page's address.
const SEARCHES: &[(&str, &str)] = &[
    ("first page", ""),
    ("page 1000", "page=1000"),
    ("a rare word (30 cases)", "q=name2345"),
    ("a word of its own", "q=c123456"),
    ("one word (500 cases)", "q=town77"),
    ("one word (6,600 cases)", "q=plumber77"),
    ("a word of 20,000 old cases", "q=old"),
    ("two words, one rare", "q=damage name2345"),
    ("two words (6,600 and 25,000)", "q=plumber77 smith"),
    ("two frequent words (25,000 and 75,000)", "q=smith plumber1"),
    ("a prefix of half of everything", "q=wa"),
    ("two prefixes of everything", "q=str num"),
    ("no case has the word", "q=zzz damage"),
    ("a reference", "q=CAS-500001_CMP-1"),
    ("open cases of a frame", "state=open&frame=12"),
    ("a rare verdict", "verdict=critical"),
    ("a verdict and a word", "verdict=suspicious&q=town77"),
    ("a decision in a month", "decision=rejected&from=2024-03-01&to=2024-03-31"),
];

pub(crate) async fn measure() -> anyhow::Result<Vec<Figure>> {
    let cases = env::var("SEALWRIGHT_BENCH_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(CASES);
    let folder = tempfile::Builder::new().prefix("bench-").tempdir_in(env!("CARGO_TARGET_TMPDIR"))?;
    let url = format!("sqlite://{}/cases.db", folder.path().display());
    let db = Db::open(&url).await?;
    fill_sqlite(&url, cases, ROWS).await?;
    let mut figures = measure_on(&db, "SQLite").await?;
    db.close().await;
    if postgres::is_there() {
        let database = FreshDatabase::create();
        let db = Db::open(&database.url()).await?;
        fill_postgres(&database.url(), cases, ROWS).await?;
        figures.extend(measure_on(&db, "PostgreSQL").await?);
        db.close().await;
    }
    Ok(figures)
}

/// Runs statements like [`ROWS`].
pub(crate) async fn fill_sqlite(url: &str, cases: i64, rows: &[impl AsRef<str>]) -> anyhow::Result<()> {
    let mut connection = SqliteConnection::connect(url).await?;
    connection.execute("pragma synchronous = off; pragma foreign_keys = off; pragma cache_size = -500000").await?;
    let numbers = format!(
        "(with recursive number(n) as (select 1 union all select n + 1 from number where n < {cases}) select n from number)"
    );
    for statement in rows {
        fill_with(statement.as_ref(), &numbers, async |sql| connection.execute(AssertSqlSafe(sql)).await.map(drop))
            .await?;
    }
    connection.close().await?;
    Ok(())
}

/// The same on PostgreSQL.
pub(crate) async fn fill_postgres(url: &str, cases: i64, rows: &[impl AsRef<str>]) -> anyhow::Result<()> {
    let mut connection = PgConnection::connect(url).await?;
    connection
        .execute("set synchronous_commit = off; set work_mem = '256MB'; set session_replication_role = replica")
        .await?;
    let numbers = format!("generate_series(cast(1 as bigint), {cases}) as series(n)");
    for statement in rows {
        fill_with(statement.as_ref(), &numbers, async |sql| connection.execute(AssertSqlSafe(sql)).await.map(drop))
            .await?;
    }
    // As autovacuum would have done.
    connection.execute("vacuum analyze").await?;
    connection.close().await?;
    Ok(())
}

async fn fill_with(
    statement: &str,
    numbers: &str,
    mut execute: impl AsyncFnMut(String) -> sqlx::Result<()>,
) -> anyhow::Result<()> {
    let started = Instant::now();
    execute(statement.replace("$CASES", numbers)).await.with_context(|| statement.to_owned())?;
    eprintln!("  {:>6.1} s: {}", started.elapsed().as_secs_f64(), statement.lines().next().unwrap_or_default());
    Ok(())
}

async fn measure_on(db: &Db, database: &str) -> anyhow::Result<Vec<Figure>> {
    let company = CompanyId::new(1).context("1 is an identifier")?;
    let scopes =
        [("operator", Scope::Installation), ("company and child", Scope::Company { id: company, with_children: true })];
    let mut reader = db.read().await?;
    let mut figures = Vec::new();
    for (who, scope) in scopes {
        for (what, query) in SEARCHES {
            let search = read(&mut reader, scope, query).await?;
            let (samples, found) = sample(&mut reader, scope, &search).await?;
            let mut sorted = samples.clone();
            sorted.sort_by(f64::total_cmp);
            let p99 = sorted[(sorted.len() * 99 / 100).min(sorted.len() - 1)];
            eprintln!(
                "  {database:<10} {who:<17} {what:<40} p50 {:>8.2} ms, p99 {p99:>8.2} ms, {found}",
                median(samples.clone())
            );
            figures.push(Figure {
                what: format!("cases, {database}, {who}: {what}"),
                measured: Samples::of(Unit::Milliseconds, samples),
                against: None,
                goal: Some(Goal::AtMost(GOAL)),
            });
        }
    }
    Ok(figures)
}

/// How long the page takes each time, in milliseconds, and what it has.
async fn sample(reader: &mut Reader, scope: Scope, search: &CaseSearch) -> anyhow::Result<(Vec<f64>, String)> {
    let mut samples = Vec::with_capacity(REPEATS);
    let mut found = String::new();
    for _ in 0..REPEATS {
        let started = Instant::now();
        let page = case_search::page(reader, scope, search).await?;
        samples.push(started.elapsed().as_secs_f64() * 1000.0);
        let end = match (page.next, page.is_cut) {
            (None, _) => "",
            (Some(_), false) => ", more",
            (Some(_), true) => ", cut",
        };
        found = format!("{} cases{end}", page.cases.len());
    }
    Ok((samples, found))
}

/// The search of an address. `page=` is the number of a page, which is reached by reading those before it.
async fn read(reader: &mut Reader, scope: Scope, query: &str) -> anyhow::Result<CaseSearch> {
    let pairs: Vec<(String, String)> = query
        .split('&')
        .filter_map(|pair| pair.split_once('='))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    let mut search = CaseSearch::read(&pairs).map_err(|problems| anyhow::anyhow!(problems.join(", ")))?;
    let pages = pairs.iter().find(|(name, _)| name == "page").and_then(|(_, value)| value.parse().ok()).unwrap_or(1);
    for _ in 1..pages {
        let next: Option<Place> = case_search::page(reader, scope, &search).await?.next;
        search.after = next.or(search.after);
    }
    Ok(search)
}
