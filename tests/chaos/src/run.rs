//! One run: an installation is started, loaded, broken by the schedule, left to settle, and judged.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context as _, bail};
use serde_json::json;
use tokio::task::JoinSet;

use crate::{
    checker::{self, Rule, Violation},
    client::Shared,
    cluster::Cluster,
    companies::{Company, PASSWORD, companies},
    driver::Driver,
    history::{Event, History},
    inspect::Inspector,
    ledger::{Certainty, Ledger},
    load::Client,
    node::Node,
    processes::free_port,
    random::Random,
    receiver::Receivers,
    report,
    schedule::{Kind, plan},
};

#[derive(Clone, Debug)]
pub(crate) struct Options {
    pub(crate) program: PathBuf,
    pub(crate) folder: PathBuf,
    pub(crate) seed: u64,
    pub(crate) time: Duration,
    pub(crate) kinds: Vec<Kind>,
    /// One node on SQLite and a disk that fills up, instead of several on PostgreSQL and a store.
    pub(crate) single: bool,
}

const CLIENTS_OF_A_COMPANY: usize = 2;
/// How long an installation may take to start, on a busy machine.
const START: Duration = Duration::from_mins(2);
/// The least time for everything to settle after the faults are over.
const LEAST_SETTLING: Duration = Duration::from_secs(150);

/// Returns whether no rule was violated, and prints the results.
pub(crate) async fn run(options: &Options) -> anyhow::Result<bool> {
    let name = if options.single { "one node on SQLite" } else { "two API nodes and two workers on PostgreSQL" };
    println!("{name}, {} s, seed {}, in {}", options.time.as_secs(), options.seed, options.folder.display());
    let clock = Instant::now();
    let receivers = Arc::new(Receivers::start(clock).await?);
    let companies = companies(&receivers, &format!("http://127.0.0.1:{}/dead", free_port()?));
    let mut cluster = start(options, &companies)?;
    wait_until_ready(&mut cluster).await?;
    let places = cluster.places();
    let addresses = places.apis.iter().map(|place| (*place, cluster.nodes[*place].address)).collect();
    let (shared, operator) = (Shared::new(clock, addresses)?, cluster.operator());
    let tokens = sign_in(&shared, &companies).await?;

    let faults = options.time.mul_f64(0.7);
    let planned = plan(options.seed, faults, &options.kinds, places.nodes, &places.workers);
    let started = clock.elapsed();
    let finished = Arc::new(AtomicBool::new(false));
    let driver = Driver::new(cluster, clock, Arc::clone(&receivers));
    let driving = {
        let finished = Arc::clone(&finished);
        thread::spawn(move || driver.run(planned, started, &finished))
    };
    let clients = start_clients(options.seed, &shared, &companies, &tokens);
    tokio::time::sleep(options.time.mul_f64(0.8)).await;
    shared.stopping.store(true, Ordering::SeqCst);
    clients.join_all().await;

    let ids = companies.iter().map(|company| company.id);
    let inspector = Inspector {
        shared: Arc::clone(&shared),
        operator,
        tokens: ids.zip(tokens).collect(),
        verified: Arc::default(),
    };
    let timeout = options.time.mul_f64(0.3).max(LEAST_SETTLING);
    let settling = Instant::now();
    let mut violations = settle(&inspector, &shared.events(), timeout).await;
    println!("settled {:.1} s after the load", settling.elapsed().as_secs_f64());
    let gathered = inspector.gather(&options.folder).await;
    finished.store(true, Ordering::SeqCst);
    let driver = driving.join().ok().context("the thread that carries out the schedule panicked")?;
    let mut evidence = gathered?;
    evidence.dispatches = receivers.dispatches();

    let quotas = companies.iter().flat_map(Company::quotas).collect();
    let history = History { events: shared.events(), faults: driver.faults, quotas };
    violations.extend(driver.violations);
    violations.extend(checker::judge(&history, &evidence));
    report::print(&history, &evidence, driver.failed_starts, options.seed, &violations);
    Ok(violations.is_empty())
}

fn start(options: &Options, companies: &[Company]) -> anyhow::Result<Cluster> {
    let folder: &Path = &options.folder;
    if folder.exists() {
        std::fs::remove_dir_all(folder).context("the folder of an earlier run")?;
    }
    std::fs::create_dir_all(folder)?;
    let mut cluster = if options.single {
        Cluster::of_one(&options.program, folder)?
    } else {
        Cluster::of_many(&options.program, folder)?
    };
    let manifests: Vec<String> = companies.iter().map(Company::manifest).collect();
    cluster.start(&manifests)?;
    Ok(cluster)
}

async fn wait_until_ready(cluster: &mut Cluster) -> anyhow::Result<()> {
    let started = Instant::now();
    while !cluster.nodes.iter().all(Node::is_ready) {
        if let Some(ended) = cluster.supervise()?.first() {
            bail!("{} at its first start: see its log", ended.0);
        }
        if started.elapsed() > START {
            bail!("the installation is not ready after {START:?}");
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    Ok(())
}

/// A token for each company. A busy machine may need several attempts; nothing is tested by them.
pub(crate) async fn sign_in(shared: &Shared, companies: &[Company]) -> anyhow::Result<Vec<String>> {
    let started = Instant::now();
    let mut tokens = Vec::new();
    while let Some(company) = companies.get(tokens.len()) {
        let answer = shared.sign_in(&json!({ "username": company.username(), "password": PASSWORD })).await;
        match answer.map(|answer| answer.json()["token"].as_str().map(str::to_owned)) {
            Ok(Some(token)) => tokens.push(token),
            failed if started.elapsed() > START => bail!("{} cannot sign in: {failed:?}", company.name),
            _ => tokio::time::sleep(Duration::from_millis(200)).await,
        }
    }
    Ok(tokens)
}

pub(crate) fn start_clients(seed: u64, shared: &Arc<Shared>, companies: &[Company], tokens: &[String]) -> JoinSet<()> {
    let mut clients = JoinSet::new();
    for (company, token) in companies.iter().zip(tokens) {
        for _ in 0..CLIENTS_OF_A_COMPANY {
            let number = clients.len();
            let random = Random::branch(seed, 100 + number as u64);
            clients.spawn(Client::new(Arc::clone(shared), company.clone(), token.clone(), random, number).work());
        }
    }
    clients
}

/// Waits until each closed case has been sent, which comes after its certificate.
pub(crate) async fn settle(inspector: &Inspector, events: &[Event], timeout: Duration) -> Vec<Violation> {
    let ledger = Ledger::of(events);
    let closed = ledger.cases.iter().filter(|(_, case)| case.closing == Certainty::Yes);
    let kept = closed.filter(|(_, case)| case.deletion == Certainty::No);
    let mut awaited: BTreeSet<i64> = kept.map(|(case, _)| *case).collect();
    let (started, mut is_complete) = (Instant::now(), false);
    loop {
        let left = match inspector.attempts() {
            Ok(attempts) => awaited.iter().filter(|case| !attempts.contains_key(case)).count(),
            Err(_) => awaited.len(),
        };
        if left == 0 && is_complete {
            return Vec::new();
        }
        if left == 0
            && let Ok(closed) = inspector.closed_cases().await
        {
            // Include cases that were closed by a request without an answer.
            awaited.extend(closed);
            is_complete = true;
            continue;
        }
        if started.elapsed() > timeout {
            let what = format!("{left} of {} closed cases are not sent {timeout:?} after the load", awaited.len());
            return vec![Violation { rule: Rule::Settling, at: Some(inspector.shared.clock.elapsed()), what }];
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
}
