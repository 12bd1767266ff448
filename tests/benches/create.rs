//! Durable creates: `POST /cases/create` from many clients and from one, on SQLite and on PostgreSQL.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use anyhow::{Context as _, ensure};
use hyper::StatusCode;
use sqlx::{Connection as _, PgConnection, Row as _};

use crate::{
    CLIENTS, ROUNDS,
    bare::{OneCommitEach, fdatasync_ms},
    load::{Call, Client, drive},
    postgres::{self, FreshDatabase},
    report::{Figure, Goal, Samples, Unit},
    server::{COMPANY, DataFolder, FRAME, Server, USER},
};

const ROUND: Duration = Duration::from_millis(800);
const FLUSHES: usize = 50;

pub(crate) async fn measure() -> anyhow::Result<Vec<Figure>> {
    let mut figures = on_sqlite().await?;
    figures.extend(on_postgres().await?);
    Ok(figures)
}

/// A minimal request to open a case.
pub(crate) fn create_case() -> Call {
    Call::post("/cases/create", format!(r#"{{"frameId":{FRAME}}}"#), StatusCode::CREATED)
}

async fn on_sqlite() -> anyhow::Result<Vec<Figure>> {
    let server = Server::start(DataFolder::new(None)?).await?;
    let (mut many, mut one) = (server.clients(CLIENTS).await?, server.clients(1).await?);
    let other = DataFolder::new(None)?;
    let mut bare = OneCommitEach::open(&other.database()).await?;

    let [mut shared, mut single] = [const { Samples::new(Unit::PerSecond) }; 2];
    let [mut latency, mut flush] = [const { Samples::new(Unit::Milliseconds) }; 2];
    let mut rows = Samples::new(Unit::Rows);
    drive(&mut many, ROUND / 2, || Some(create_case())).await?;
    for _ in 0..ROUNDS {
        let before = transactions(&server.data().database())?;
        let done = drive(&mut many, ROUND, || Some(create_case())).await?;
        let commits = transactions(&server.data().database())?.wrapping_sub(before);
        shared.push(done.per_second());
        rows.push(f64::from(u32::try_from(done.answers.len())?) / f64::from(commits));
        single.push(bare.create_cases(ROUND).await?);
        latency.push(drive(&mut one, ROUND, || Some(create_case())).await?.median_ms());
        flush.push(fdatasync_ms(other.folder(), FLUSHES)?);
    }
    let allowed = flush.map(|flush| 1.3 * flush + 1.0);
    Ok(vec![
        Figure {
            what: "creates, 64 clients, SQLite".to_owned(),
            measured: shared,
            against: Some(("sqlx, one commit a request", single)),
            goal: Some(Goal::AtLeast(15.0)),
        },
        Figure {
            what: "rows a commit, 64 clients, SQLite".to_owned(),
            measured: rows,
            against: None,
            goal: Some(Goal::AtLeast(32.0)),
        },
        Figure {
            what: "create, 1 client, SQLite, p50".to_owned(),
            measured: latency.clone(),
            against: Some(("one fdatasync", flush)),
            goal: None,
        },
        Figure {
            what: "create, 1 client, SQLite, p50".to_owned(),
            measured: latency,
            against: Some(("1.3 × fdatasync + 1 ms", allowed)),
            goal: Some(Goal::AtMost(1.0)),
        },
    ])
}

/// How many transactions were committed to the database's file: SQLite counts them in the header of the index of its
/// write-ahead log (sqlite.org/walformat.html, section 2.1, `iChange`).
fn transactions(database: &Path) -> anyhow::Result<u32> {
    let index = fs::read(database.with_extension("db-shm")).context("reading the index of the write-ahead log")?;
    let counter = index.get(8..12).context("the index of the write-ahead log is empty")?;
    Ok(u32::from_ne_bytes(counter.try_into()?))
}

async fn on_postgres() -> anyhow::Result<Vec<Figure>> {
    let Some(pgbench) = pgbench() else {
        crate::skip_loudly("creates on PostgreSQL: pgbench is missing");
        return Ok(Vec::new());
    };
    if !postgres::is_there() {
        return Ok(Vec::new());
    }
    let database = FreshDatabase::create();
    if !waits_for_disk(&database.url()).await? {
        crate::skip_loudly("creates on PostgreSQL: set SEALWRIGHT_TEST_POSTGRES_FSYNC=on, as `cargo xtask bench` does");
        return Ok(Vec::new());
    }
    let server = Server::start(DataFolder::new(Some(database.url()))?).await?;
    let script = server.data().folder().join("create.pgbench");
    fs::write(&script, pgbench_script())?;
    let (mut many, mut one) = (server.clients(CLIENTS).await?, server.clients(1).await?);

    let [mut own, mut theirs] = [const { Samples::new(Unit::PerSecond) }; 2];
    let mut latency = Samples::new(Unit::Milliseconds);
    drive(&mut many, ROUND / 2, || Some(create_case())).await?;
    for _ in 0..ROUNDS {
        own.push(drive(&mut many, ROUND, || Some(create_case())).await?.per_second());
        theirs.push(run_pgbench(&pgbench, &script, &database.url())?);
        latency.push(median_of(&mut one).await?);
    }
    Ok(vec![
        Figure {
            what: "creates, 64 clients, PostgreSQL".to_owned(),
            measured: own,
            against: Some(("pgbench, same statements", theirs)),
            goal: Some(Goal::AtLeast(0.7)),
        },
        Figure { what: "create, 1 client, PostgreSQL, p50".to_owned(), measured: latency, against: None, goal: None },
    ])
}

async fn median_of(client: &mut [Client]) -> anyhow::Result<f64> {
    Ok(drive(client, ROUND / 4, || Some(create_case())).await?.median_ms())
}

async fn waits_for_disk(url: &str) -> anyhow::Result<bool> {
    let mut connection = PgConnection::connect(url).await?;
    Ok(sqlx::query("show fsync").fetch_one(&mut connection).await?.try_get::<String, _>(0)? == "on")
}

/// Looks for pgbench on the `PATH`.
fn pgbench() -> Option<PathBuf> {
    let on_path = env::var_os("PATH").map(|path| env::split_paths(&path).collect::<Vec<_>>()).unwrap_or_default();
    on_path.into_iter().map(|folder| folder.join("pgbench")).find(|program| program.is_file())
}

/// The statements that the server runs for a create: a read, then the insert in a transaction of its own.
fn pgbench_script() -> String {
    format!(
        "select f.name from frames f where f.id = {FRAME} and f.active and (f.company_id = {COMPANY} or \
           (f.shared_with_children and f.company_id = (select parent_id from companies where id = {COMPANY})));\n\
         begin;\n\
         insert into cases (company_id, frame_id, title, user_id, link_token, report_token, context, metadata, \
           scheduled_at, created_at, item_count) values ({COMPANY}, {FRAME}, 'Water damage', '{USER}', null, null, null, \
           null, null, 1795168800000, 0) returning id;\n\
         commit;\n"
    )
}

/// Returns transactions per second.
fn run_pgbench(program: &Path, script: &Path, url: &str) -> anyhow::Result<f64> {
    let clients = CLIENTS.to_string();
    let output = Command::new(program)
        .args(["--no-vacuum", "--protocol=prepared", "--time=1", "--jobs=1", "--client", &clients, "--file"])
        .arg(script)
        .arg(url)
        .output()
        .context("starting pgbench")?;
    let printed = String::from_utf8_lossy(&output.stdout);
    ensure!(output.status.success(), "pgbench: {}", String::from_utf8_lossy(&output.stderr));
    let line = printed
        .lines()
        .find_map(|line| line.strip_prefix("tps = "))
        .with_context(|| format!("pgbench printed no `tps = `: {printed}"))?;
    Ok(line.split(' ').next().unwrap_or_default().parse()?)
}
