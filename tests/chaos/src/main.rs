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
mod public_log;
mod random;
mod receiver;
mod report;
mod run;
mod schedule;
mod store;
mod year;

use std::{
    env,
    path::{Path, PathBuf},
    process::ExitCode,
    time::Duration,
};

use anyhow::{Context as _, bail};
use clap::{Parser, ValueEnum as _};

use crate::{run::Options, schedule::Kind, year::YearOptions};

/// Breaks installations of Sealwright by a seeded schedule, and checks that nothing acknowledged is lost or duplicated
#[derive(Debug, Parser)]
#[command(args_override_self = true, after_help = AFTER_HELP)]
struct Arguments {
    /// How many seconds to run
    #[arg(default_value_t = 600)]
    seconds: u64,
    /// The server's program
    #[arg(long, value_name = "PATH", required_unless_present = "store")]
    program: Option<PathBuf>,
    /// The folder for logs and certificates
    #[arg(long, value_name = "PATH", required_unless_present = "store")]
    folder: Option<PathBuf>,
    /// The same seed makes the same faults (default: the process's number)
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// The kinds of faults (default: all)
    #[arg(long, value_name = "KIND", value_enum, value_delimiter = ',')]
    kinds: Vec<Kind>,
    /// Run one node on SQLite, cut its power at CUTS moments, and make 200 of its writes and syncs fail
    #[arg(long, value_name = "CUTS")]
    power: Option<usize>,
    /// Simulate a year of one installation instead
    #[arg(long)]
    year: bool,
    /// How many cases each month of the year has
    #[arg(long, value_name = "N", default_value_t = 20)]
    #[arg(value_parser = clap::value_parser!(u16).range(2..=1000))]
    cases: u16,
    /// How many months the year has
    #[arg(long, value_name = "N", default_value_t = 12)]
    #[arg(value_parser = clap::value_parser!(u64).range(year::SHORTEST..=24))]
    months: u64,
    /// The program starts itself with this in a mount namespace.
    #[arg(long, hide = true)]
    single: bool,
    /// The program starts itself with this as the blob store.
    #[arg(long, hide = true, num_args = 2)]
    store: Option<Vec<String>>,
}

const AFTER_HELP: &str = "\
Runs two API nodes and two workers on PostgreSQL and an S3-compatible store for four fifths of the time, then one node
on SQLite with a disk that fills up. With --year, one installation lives through a year instead.";

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
    let arguments = Arguments::parse();
    if let Some([folder, port]) = arguments.store.as_deref() {
        store::serve(Path::new(folder), port.parse()?).await?;
    }
    // Without --store, clap requires both paths.
    let options = Options {
        program: arguments.program.unwrap_or_default(),
        folder: arguments.folder.unwrap_or_default(),
        seed: arguments.seed.unwrap_or_else(|| u64::from(std::process::id())),
        time: Duration::from_secs(arguments.seconds),
        kinds: if arguments.kinds.is_empty() { Kind::value_variants().to_vec() } else { arguments.kinds },
        single: arguments.single,
    };
    if !options.program.is_file() {
        bail!("--program {} is not a file", options.program.display());
    }
    if arguments.year {
        let Options { program, folder, seed, .. } = options;
        let (folder, cases) = (folder.join("year"), arguments.cases.into());
        return Box::pin(year::run(&YearOptions { program, folder, seed, cases, months: arguments.months })).await;
    }
    if let Some(cuts) = arguments.power {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_of_several_values_counts_and_the_store_needs_no_server() {
        let read = |line: &str| Arguments::try_parse_from(line.split(' '));
        let arguments = read("chaos --program a --folder b --seed 1 --kinds kill,stop 20 --seed 2").unwrap();
        assert_eq!((arguments.seed, arguments.seconds, arguments.kinds), (Some(2), 20, vec![Kind::Kill, Kind::Stop]));
        assert!(read("chaos --program a").is_err());
        let year = read("chaos --program a --folder b --year --cases 3 --months 4").unwrap();
        assert_eq!((year.year, year.cases, year.months), (true, 3, 4));
        assert!(read("chaos --program a --folder b --year --months 2").is_err());
        assert_eq!(read("chaos --store folder 9000").unwrap().store.unwrap(), ["folder", "9000"]);
        assert!(read("chaos --program a --folder b --kinds flood").unwrap_err().to_string().contains("postgres-away"));
    }
}
