//! The year from its beginning to its judgement.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::PathBuf,
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::{Context as _, ensure};
use serde_json::Value;

use super::{
    api::Api,
    authority::Authority,
    check::{Findings, Seen, judge},
    clock::Clock,
    company::Secrets,
    gather::Gatherer,
    installation::Installation,
    ledger::Inherited,
    plan::plan,
    state::Year,
    witness::Witness,
};
use crate::{public_log, random::Random, receiver::Receivers};

/// How often a certificate is read again that is not valid yet, and after which pause.
const LOOKS: usize = 8;
const PAUSE: Duration = Duration::from_secs(10);
/// How long the witness may take. It is asked again within 5 minutes after a failure.
const COSIGNING: Duration = Duration::from_mins(6);

#[derive(Clone, Debug)]
pub(crate) struct YearOptions {
    pub(crate) program: PathBuf,
    pub(crate) folder: PathBuf,
    pub(crate) seed: u64,
    /// How many cases a month has.
    pub(crate) cases: usize,
    pub(crate) months: u64,
}

/// Returns whether everything that was acknowledged is proven, and prints the results.
pub(crate) async fn run(options: &YearOptions) -> anyhow::Result<bool> {
    let started = Instant::now();
    println!(
        "{} months with {} cases each, seed {}, in {}",
        options.months,
        options.cases,
        options.seed,
        options.folder.display()
    );
    let (mut year, inherited) = begin(options).await?;
    upgrade(&mut year).await.context("the upgrade of the last release")?;
    for month in plan(options.seed, options.months) {
        year.month(&month).await.with_context(|| format!("month {} (seed {})", month.number, options.seed))?;
    }
    let found = end(&mut year, &inherited).await.context("the end of the year")?;
    let valid = found.certificates.values().filter(|seen| seen.status == 200).count();
    let mut violations = year.violations;
    violations.extend(judge(&year.cases, &inherited, &year.checkpoints, &found));
    println!(
        "{} cases and {} inherited certificates: {valid} certificates checked, {} gone; {} entries in the log, {} \
         webhooks; {} violations in {:.0} s",
        year.cases.len(),
        inherited.len(),
        found.certificates.len() - valid,
        found.log.roots.keys().next_back().unwrap_or(&0),
        found.arrivals.values().sum::<usize>(),
        violations.len(),
        started.elapsed().as_secs_f64()
    );
    for violation in &violations {
        println!("VIOLATION (seed {}) {violation}", options.seed);
    }
    Ok(violations.is_empty())
}

async fn begin(options: &YearOptions) -> anyhow::Result<(Year, Vec<Inherited>)> {
    let folder = &options.folder;
    if folder.exists() {
        fs::remove_dir_all(folder).context("the folder of an earlier run")?;
    }
    fs::create_dir_all(folder.join("certificates"))?;
    // Programs run in other folders.
    let folder = folder.canonicalize()?;
    let clock = Clock::start(&folder)?;
    let authority = Authority::start(&folder.join("authority"), &clock.variables()).await?;
    let receivers = Arc::new(Receivers::start(Instant::now()).await?);
    let (mut installation, heritage) = Installation::inherit(&options.program, &folder, &clock)?;
    let data = installation.data_dir();
    fs::copy(data.join("outside-root.pem"), folder.join("outside-root.pem"))?;
    // Certificates of the release were stamped by its development authority.
    let trust = folder.join("time-stamp-roots.pem");
    let roots = [data.join("development-authority/root.pem"), authority.root()].map(fs::read_to_string);
    fs::write(&trust, roots.into_iter().collect::<Result<String, _>>()?)?;
    for (name, value) in [
        ("SEALWRIGHT_SEAL_TSA_URL", authority.tsa_url()),
        ("SEALWRIGHT_SEAL_TSA_TIMEOUT", "5s".to_owned()),
        ("SEALWRIGHT_SEAL_TSA_PAUSE", "1s".to_owned()),
        ("SEALWRIGHT_SEAL_TRUST", trust.display().to_string()),
        ("SEALWRIGHT_SEAL_REVOCATION_PRIVATE_ADDRESSES", "127.0.0.1".to_owned()),
    ] {
        installation.set(name, &value);
    }
    let witness = Witness::new(&options.program, &folder, &clock)?;
    let year = Year {
        folder,
        clock,
        authority,
        receivers,
        installation,
        witness,
        cases_of_a_month: options.cases,
        random: Random::branch(options.seed, 2),
        secrets: Secrets { number: 1, previous_until: None },
        cases: Vec::new(),
        decided: BTreeSet::new(),
        checkpoints: Vec::new(),
        hopeless: heritage.hopeless,
        violations: Vec::new(),
    };
    Ok((year, heritage.certificates))
}

/// Upgrades the database, and introduces the witness and the log to each other.
async fn upgrade(year: &mut Year) -> anyhow::Result<()> {
    year.apply()?;
    year.start().await?;
    let witness_url = year.witness.base_url();
    let log = text(&year.anonymous()?, "/log/key").await?;
    let witness = text(&Api::new(&witness_url)?, "/witness/key").await?;
    year.witness.watch(&log);
    year.installation.set("SEALWRIGHT_SEAL_WITNESSES", &format!("{witness} {witness_url}/witness"));
    year.stop().await
}

async fn text(api: &Api, path: &str) -> anyhow::Result<String> {
    let answer = api.get(path).await?;
    ensure!(answer.status == 200, "GET {path}: {}", answer.status);
    Ok(String::from_utf8_lossy(&answer.body).trim().to_owned())
}

/// The witness has cosigned the whole log.
async fn check_witness(year: &mut Year) -> anyhow::Result<()> {
    let started = Instant::now();
    loop {
        let entries = year.installation.json(&["log", "status", "--json"])?["entries"].clone();
        let status = year.installation.run(&["witness", "status", "--json"])?;
        let status: Value = serde_json::from_slice(&status.stdout).context("witness status prints no JSON")?;
        let witness = &status["witnesses"][0];
        if witness["state"] == "cosigned" && witness["size"] == entries {
            return Ok(());
        }
        if started.elapsed() > COSIGNING {
            year.violate(&format!("the witness has not cosigned the log of {entries} entries: {witness}"));
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
}

/// The last day: nothing new happens, and everything is read.
async fn end(year: &mut Year, inherited: &[Inherited]) -> anyhow::Result<Findings> {
    year.authority.renew()?;
    year.start().await?;
    year.settle().await?;
    year.check_audit_log()?;
    check_witness(year).await?;
    year.check_decisions_and_holds().await?;
    let anonymous = year.anonymous()?;
    let gatherer = Gatherer {
        installation: &year.installation,
        anonymous: &anonymous,
        folder: year.folder.join("certificates"),
        outside_root: year.folder.join("outside-root.pem"),
    };
    let own = year.cases.iter().map(|case| (case.path.clone(), false));
    let mut paths: Vec<(String, bool)> =
        inherited.iter().map(|old| (old.path.clone(), old.is_from_outside)).chain(own).collect();
    let mut certificates = BTreeMap::new();
    for look in 0..LOOKS {
        // Seals are renewed, and rounds of evidence made, next to the jobs that have settled.
        if look > 0 {
            tokio::time::sleep(PAUSE).await;
        }
        let mut unsettled = Vec::new();
        for (path, is_from_outside) in paths {
            let seen = gatherer.look(&path, is_from_outside).await?;
            let is_settled = is_settled(&seen);
            certificates.insert(path.clone(), seen);
            if !is_settled {
                unsettled.push((path, is_from_outside));
            }
        }
        paths = unsettled;
        if paths.is_empty() {
            break;
        }
    }
    let log = public_log::read(async |path: String| anonymous.get(&path).await).await.context("the public log")?;
    let mut arrivals = BTreeMap::new();
    for dispatch in year.receivers.dispatches() {
        *arrivals.entry(dispatch.case).or_default() += 1;
    }
    Ok(Findings { day: year.clock.day(), certificates, log, arrivals })
}

/// Whether it stays as it is.
fn is_settled(seen: &Seen) -> bool {
    let is_valid = matches!(&seen.certificate, Some(Ok(certificate)) if certificate.outcome == "valid");
    seen.status == 404 || is_valid
}
