//! An evidence round over a million certificates, on both databases: how long it takes, how much memory it needs, and how
//! long a record of it takes afterwards. The development authority stamps.
//!
//! The rows are made by SQL. `SEALWRIGHT_BENCH_CASES` sets another number.

use std::{
    env,
    path::Path,
    time::{Duration, Instant},
};

use anyhow::{Context as _, ensure};
use sealwright::{
    app::{
        App,
        seal::{advance_evidence, evidence_record},
    },
    clock::{Clock, Timestamp},
    config::{Config, Setting, Sources},
    domain::{
        certificate_extras::CertificateExtras,
        frozen::FrozenCase,
        id::{CaseId, CompanyId, FrameId},
        language::CertificateLanguage,
    },
};

use crate::{
    cases::{fill_postgres, fill_sqlite},
    children::memory_mib,
    load::milliseconds,
    postgres::{self, FreshDatabase},
    report::{Figure, Goal, Samples, Unit},
};

const CERTIFICATES: i64 = 1_000_000;
/// How many records are made.
const RECORDS: i64 = 60;
const NOW: Timestamp = Timestamp::from_millis(1_795_168_800_000);
/// What a round may take, in milliseconds.
const GOAL: f64 = 20.0 * 60.0 * 1000.0;
/// By how much the memory may grow, in MiB.
const GROWTH: f64 = 64.0;

/// As in `cases`. Time stamps expire in 80 days, digests are numbers with zeros after them.
const ROWS: &[&str] = &[
    "insert into companies (id, name, document_analysis, certificate_template, rate_limits, analysis, updated_at)
       values (7, 'Acme', false, 't', '{}', '{}', 0)",
    "insert into frames (id, company_id, name, shared_with_children, active, position)
       values (70, 7, 'Water damage', false, true, 0)",
    "insert into cases (company_id, frame_id, title, created_at, closed_at, item_count)
       select 7, 70, 'Burst pipe ' || n, 1795168000000, 1795168800000, 0 from $CASES order by n",
    "insert into certificates (case_id, share_token, frozen, blob_key, size, sha256, pages, rendered_at, level, renew_before)
       select id, substr(cast(1000000000000000000 + id as text) || '0000000000000', 1, 32), '$FROZEN',
              'certificates/10/' || substr(cast(1000000000000000000 + id as text) || '0000000000000', 1, 32), 1,
              substr(cast(1000000000000000000 + id as text) || '000000000000000000000000000000000000000000000', 1, 64),
              1, 1795168800000, 'B-LTA', 1795168800000 + 6912000000 from cases",
];

pub(crate) async fn measure() -> anyhow::Result<Vec<Figure>> {
    let certificates =
        env::var("SEALWRIGHT_BENCH_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(CERTIFICATES);
    let folder = tempfile::Builder::new().prefix("bench-").tempdir_in(env!("CARGO_TARGET_TMPDIR"))?;
    let app = open(folder.path(), None).await?;
    fill_sqlite(app.config.database_url.expose(), certificates, &rows()?).await?;
    let mut figures = measure_on(&app, certificates, "SQLite").await?;
    app.db.close().await;
    if postgres::is_there() {
        let database = FreshDatabase::create();
        let folder = tempfile::Builder::new().prefix("bench-").tempdir_in(env!("CARGO_TARGET_TMPDIR"))?;
        let app = open(folder.path(), Some(database.url())).await?;
        fill_postgres(&database.url(), certificates, &rows()?).await?;
        figures.extend(measure_on(&app, certificates, "PostgreSQL").await?);
        app.db.close().await;
    }
    Ok(figures)
}

async fn open(data_dir: &Path, database_url: Option<String>) -> anyhow::Result<App> {
    let mut flags =
        vec![(Setting::DataDir, data_dir.display().to_string()), (Setting::SealEvidence, "true".to_owned())];
    flags.extend(database_url.map(|url| (Setting::DatabaseUrl, url)));
    let sources = Sources { flags, working_dir: data_dir.to_owned(), ..Sources::default() };
    App::open(Config::load(&sources)?.config, Clock::held(NOW)).await
}

fn rows() -> anyhow::Result<Vec<String>> {
    let frozen = FrozenCase {
        company: CompanyId::new(7).context("7 is an identifier")?,
        company_name: "Acme".to_owned(),
        certificate_template: "default".to_owned(),
        language: CertificateLanguage::default(),
        time_zone: None,
        logo: None,
        extras: CertificateExtras::default(),
        frame: FrameId::new(70).context("70 is an identifier")?,
        frame_name: "Water damage".to_owned(),
        steps: Vec::new(),
        link_context: None,
    };
    let frozen = serde_json::to_string(&frozen)?;
    Ok(ROWS.iter().map(|row| row.replace("$FROZEN", &frozen)).collect())
}

async fn measure_on(app: &App, certificates: i64, database: &str) -> anyhow::Result<Vec<Figure>> {
    // The first step connects to the database, and starts the round.
    ensure!(advance_evidence(app).await?, "no round was started");
    let before = memory_mib("self", "VmRSS")?;
    let (start, mut steps, mut most) = (Instant::now(), 0_i64, before);
    let mut measuring = Duration::ZERO;
    while advance_evidence(app).await? {
        steps += 1;
        let looked = Instant::now();
        most = most.max(memory_mib("self", "VmRSS")?);
        measuring += looked.elapsed();
    }
    let round = milliseconds(start.elapsed().saturating_sub(measuring));
    ensure!(steps == certificates / 1024 + 1, "{steps} subtrees were added");
    let mut times = Vec::new();
    for number in 0..RECORDS {
        let case = CaseId::new(1 + number * certificates / RECORDS).context("a case's number is positive")?;
        let start = Instant::now();
        let record = evidence_record(&app.db, case).await?;
        times.push(milliseconds(start.elapsed()));
        ensure!(record.is_some(), "case {case} has no record");
    }
    let figure = |what: &str, unit, values: Vec<f64>, goal| Figure {
        what: format!("{what}, {database}"),
        measured: Samples::of(unit, values),
        against: None,
        goal,
    };
    Ok(vec![
        figure(
            &format!("round over {certificates} certificates"),
            Unit::Milliseconds,
            vec![round],
            Some(Goal::AtMost(GOAL)),
        ),
        figure("memory that it adds", Unit::Mebibytes, vec![most - before], Some(Goal::AtMost(GROWTH))),
        figure("record of one of them", Unit::Milliseconds, times, None),
    ])
}
