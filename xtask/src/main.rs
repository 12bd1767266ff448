//! The project's own tasks, so that a machine needs nothing but a Rust toolchain and a C compiler to work on it:
//! `cargo xtask demo`, `cargo xtask test` and the rest. Each task is a module; this file only chooses.

mod demo;
mod hygiene;
mod plugins;
mod tasks;
mod workspace;

use std::process::ExitCode;

use anyhow::{Context as _, bail};
use lexopt::{Arg, Parser};

use crate::workspace::Workspace;

const HELP: &str = "\
The project's own tasks

Usage: cargo xtask <TASK> [ARGUMENTS]

Tasks:
  demo     Build everything, run the whole journey of a case against a server, and keep it serving
  test     Build the plugins and run every test there is
  build    Build the plugins and the release program; the last line printed is the program's path
  bench    Build the plugins and run the benchmarks
  soak     Make thousands of certificates in one process, and fail where its memory grows
  lab      Judge the built-in analysis plugins by labelled papers and photographs
  fuzz-api Have schemathesis ask a server about everything its description says
  plugins  Build the built-in plugins; the last line printed is their folder
  lint     Check formatting, clippy's lints and what must not be in the repository

`cargo xtask <TASK> --help` tells more. All tasks honour CARGO_TARGET_DIR.";

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> anyhow::Result<()> {
    let mut parser = Parser::from_env();
    let Some(Arg::Value(task)) = parser.next()? else {
        println!("{HELP}");
        return Ok(());
    };
    let workspace = Workspace::find().context("the workspace cannot be read")?;
    match task.to_str() {
        Some("demo") => demo::run(&workspace, parser),
        Some("test") => tasks::test(&workspace, parser),
        Some("build") => tasks::build(&workspace, parser),
        Some("bench") => tasks::bench(&workspace, parser),
        Some("soak") => tasks::soak(&workspace, parser),
        Some("lab") => tasks::lab(&workspace, parser),
        Some("fuzz-api") => tasks::fuzz_api(&workspace, parser),
        Some("plugins") => tasks::plugins(&workspace, parser),
        Some("lint") => tasks::lint(&workspace, parser),
        _ => bail!("there is no task {}\n\n{HELP}", task.display()),
    }
}
