//! Breaks whole installations of the real program by a seeded schedule of faults, under a realistic load, and checks by
//! acknowledged answers alone that nothing is lost or duplicated (`cargo xtask chaos`).
//!
//! It uses only the interface specification and the operator's page, not the code.

mod checker;
mod client;
mod cluster;
mod companies;
mod disk;
mod driver;
mod evidence;
mod files;
mod history;
mod inspect;
mod ledger;
mod load;
mod merkle;
mod node;
mod postgres;
mod power;
mod processes;
mod random;
mod receiver;
mod report;
mod run;
mod schedule;
mod store;

use std::{env, path::PathBuf, process::ExitCode, time::Duration};

use anyhow::{Context as _, bail};
use lexopt::{Arg, ValueExt as _};

use crate::{run::Options, schedule::Kind};

const HELP: &str = "\
Break installations of Sealwright by a seeded schedule, and check that nothing acknowledged is lost or duplicated

Usage: sealwright-chaos --program PATH --folder PATH [SECONDS] [--seed N] [--kinds KIND,…]
       sealwright-chaos --program PATH --folder PATH --power CUTS [--seed N]

Runs two API nodes and two workers on PostgreSQL and an S3-compatible store for four fifths of the time, then one node
on SQLite with a disk that fills up. The kinds of faults:

  kill, stop, postgres-restart, postgres-crash, postgres-away, postgres-freeze, store-away, store-freeze,
  receiver-silent, receiver-away, disk-full

With --power, runs one node on SQLite, cuts its power at CUTS moments, and makes 200 of its writes and syncs fail.";

/// Ten minutes.
const DEFAULT_SECONDS: u64 = 600;

fn main() -> ExitCode {
    match start() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

#[tokio::main]
async fn start() -> anyhow::Result<bool> {
    let mut options = Options {
        program: PathBuf::new(),
        folder: PathBuf::new(),
        seed: u64::from(std::process::id()),
        time: Duration::from_secs(DEFAULT_SECONDS),
        kinds: Kind::ALL.to_vec(),
        single: false,
    };
    let mut cuts = None;
    let mut parser = lexopt::Parser::from_env();
    while let Some(argument) = parser.next()? {
        match argument {
            Arg::Long("program") => options.program = parser.value()?.into(),
            Arg::Long("folder") => options.folder = parser.value()?.into(),
            Arg::Long("seed") => options.seed = parser.value()?.parse()?,
            Arg::Long("kinds") => {
                let names: String = parser.value()?.parse()?;
                options.kinds = names.split(',').map(Kind::read).collect::<anyhow::Result<_>>()?;
            }
            // The program starts itself with the next two: in a mount namespace, and as the blob store.
            Arg::Long("single") => options.single = true,
            Arg::Long("store") => {
                let (folder, port): (PathBuf, String) = (parser.value()?.into(), parser.value()?.parse()?);
                store::serve(&folder, port.parse()?).await?;
            }
            Arg::Long("power") => cuts = Some(parser.value()?.parse()?),
            Arg::Long("help") | Arg::Short('h') => {
                println!("{HELP}");
                return Ok(true);
            }
            Arg::Value(seconds) => options.time = Duration::from_secs(seconds.parse()?),
            other => bail!("{}\n\n{HELP}", other.unexpected()),
        }
    }
    if !options.program.is_file() {
        bail!("--program is not a file\n\n{HELP}");
    }
    if let Some(cuts) = cuts {
        let folder = options.folder.join("power");
        return power::run(&Options { folder, ..options }, cuts).await;
    }
    run_both(options).await
}

/// Runs on several nodes, then on one.
async fn run_both(options: Options) -> anyhow::Result<bool> {
    let of =
        |single: bool| -> Vec<Kind> { options.kinds.iter().copied().filter(|kind| kind.applies_to(single)).collect() };
    if options.single {
        return run::run(&Options { kinds: of(true), ..options.clone() }).await;
    }
    let has_both = options.kinds.contains(&Kind::DiskFull) && of(false).iter().any(|kind| !kind.applies_to(true));
    let share = if has_both { 0.8 } else { 1.0 };
    let mut is_right = true;
    if of(false).iter().any(|kind| !kind.applies_to(true)) || !options.kinds.contains(&Kind::DiskFull) {
        let (folder, time) = (options.folder.join("many"), options.time.mul_f64(share));
        is_right = run::run(&Options { folder, time, kinds: of(false), ..options.clone() }).await?;
    }
    if options.kinds.contains(&Kind::DiskFull) {
        let seconds = options.time.mul_f64(if has_both { 0.2 } else { 1.0 }).as_secs();
        is_right &= run_on_full_disk(&options, seconds)?;
    }
    Ok(is_right)
}

/// Starts this program again in a mount namespace, where it can mount a small disk.
fn run_on_full_disk(options: &Options, seconds: u64) -> anyhow::Result<bool> {
    if !disk::is_possible() {
        println!("SKIPPED, NOT TESTED: a full disk needs root, or user namespaces");
        return Ok(true);
    }
    println!();
    let mut command = disk::in_namespace(&env::current_exe()?);
    command.arg("--single").arg("--program").arg(&options.program).arg("--folder").arg(options.folder.join("single"));
    let kinds = options.kinds.iter().map(|kind| kind.name()).collect::<Vec<_>>().join(",");
    command.arg("--seed").arg(options.seed.to_string()).arg("--kinds").arg(kinds).arg(seconds.to_string());
    let status = command.status().context("unshare cannot be started")?;
    Ok(status.success())
}
