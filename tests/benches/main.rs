//! The benchmarks: what the product must be fast at. Each alternates with a minimal implementation of the same work
//! (one commit per request, a plain handler, a plain call), so that a noisy machine affects both and the ratio stays
//! right. They print a table and write `<target>/bench/latest.json`. A missed goal is reported, but is not a failure.
//!
//! `cargo xtask bench` runs all of them in under six minutes, `cargo xtask bench create read` only some.

mod abuse;
mod bare;
mod bare_typst;
mod bulk;
mod cases;
mod certificate;
mod children;
mod close;
mod consoles;
mod create;
mod evidence;
mod facts;
mod fairness;
// The misbehaving components of the black-box tests.
#[path = "../hostile/mod.rs"]
mod hostile;
mod kills;
mod load;
mod peers;
mod phones;
mod plugin;
// For the cluster.
#[path = "../black_box/support/ports.rs"]
mod ports;
// The cluster of the black-box tests: with `SEALWRIGHT_TEST_POSTGRES_FSYNC=on` it waits for the disk.
#[path = "../black_box/support/postgres.rs"]
mod postgres;
mod process;
mod rate;
mod read;
mod report;
mod seal;
mod search;
mod server;
mod soak;
mod strangers;
mod zip;

use std::{env, process::ExitCode};

use anyhow::{Context as _, bail};

use crate::report::{Figure, Report};

/// How often the contestants alternate. Medians are over these rounds.
const ROUNDS: usize = 5;
/// How many clients load the server at once in benchmarks with many clients.
const CLIENTS: usize = 64;

const NAMES: [&str; 16] = [
    "create",
    "bulk",
    "close",
    "certificate",
    "seal",
    "plugin",
    "read",
    "rate",
    "process",
    "upload",
    "search",
    "zip",
    "facts",
    "strangers",
    "fairness",
    "consoles",
];

fn main() -> ExitCode {
    // `cargo bench` adds `--bench` for the default harness, which this program does not use.
    let arguments: Vec<String> = env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let outcome = match arguments.split_first() {
        Some((first, rest)) if first == children::FLAG => children::run(rest),
        Some((first, [count])) if first == "soak" => soak::run(count.parse().unwrap_or_default()),
        Some((first, [count])) if first == "phones" => phones::run(count.parse().unwrap_or_default()),
        Some((first, [])) if first == "cases" => alone("cases", cases::measure()),
        Some((first, [])) if first == "evidence" => alone("evidence", evidence::measure()),
        Some((first, [kills])) if first == "kills" => kills::run(kills.parse().unwrap_or_default()),
        _ => run(&arguments),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(wanted: &[String]) -> anyhow::Result<()> {
    if let Some(unknown) = wanted.iter().find(|wanted| !NAMES.contains(&wanted.as_str())) {
        bail!("unknown benchmark {unknown}; the benchmarks are {}", NAMES.join(", "));
    }
    // One thread drives all clients: the other processors are the server's.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let mut report = Report::default();
    for name in NAMES {
        if wanted.is_empty() || wanted.iter().any(|wanted| wanted == name) {
            eprintln!("measuring {name} …");
            let figures = runtime.block_on(measure(name)).with_context(|| format!("the benchmark {name}"))?;
            report.add(name, figures);
        }
    }
    print!("{}", report.table());
    println!("\nwritten to {}", report.write()?.display());
    Ok(())
}

/// Runs a benchmark that takes too long to be one of those that run together.
fn alone(name: &'static str, measured: impl Future<Output = anyhow::Result<Vec<Figure>>>) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let mut report = Report::default();
    report.add(name, runtime.block_on(measured).with_context(|| format!("the benchmark {name}"))?);
    print!("{}", report.table());
    println!("\nwritten to {}", report.write()?.display());
    Ok(())
}

async fn measure(name: &str) -> anyhow::Result<Vec<Figure>> {
    match name {
        "create" => create::measure().await,
        "bulk" => bulk::measure().await,
        "close" => close::measure().await,
        "certificate" => certificate::measure(),
        "seal" => seal::measure(),
        "plugin" => plugin::measure().await,
        "read" => read::measure().await,
        "rate" => rate::measure().await,
        "process" => process::measure().await,
        "upload" => process::measure_upload().await,
        "search" => search::measure().await,
        "zip" => zip::measure().await,
        "facts" => facts::measure(&server::program()).await,
        "strangers" => strangers::measure().await,
        "fairness" => fairness::measure().await,
        "consoles" => consoles::measure().await,
        _ => unreachable!("every name in NAMES has its benchmark here"),
    }
}

/// [`postgres`] calls this if PostgreSQL is not installed.
fn skip_loudly(reason: &str) {
    eprintln!("  not measured: {reason}");
}
