//! The project's own tasks, so that a machine only needs a Rust toolchain and a C compiler to work on it: `cargo xtask
//! demo`, `cargo xtask test` and the rest. Each task is a module; this file only dispatches.

mod citations;
mod demo;
mod fuzz;
mod house;
mod hygiene;
mod machine;
mod plugins;
mod tasks;
mod workspace;

use std::{env, ffi::OsString, process::ExitCode};

use anyhow::{Context as _, bail};
use lexopt::{Arg, Parser};

use crate::{
    machine::{Install, NO_INSTALL},
    workspace::Workspace,
};

const HELP: &str = "\
The project's own tasks

Usage: cargo xtask <TASK> [--no-install] [ARGUMENTS]

Tasks:
  demo     Build everything, run the whole journey of a case against a server, and keep it serving
  test     Build the plugins and run all tests
  build    Build the plugins and the release program; the last line printed is the program's path
  bench    Build the plugins and run the benchmarks
  soak     Make thousands of certificates in one process, and fail if its memory grows
  lab      Evaluate the built-in analysis plugins on labelled papers and photographs
  chaos    Break whole installations by seeded faults, and check that nothing acknowledged is lost
  fuzz     Fuzz each parser of untrusted input for a while
  fuzz-api Test a server against its OpenAPI description with schemathesis
  plugins  Build the built-in plugins; the last line printed is their folder
  lint     Check formatting, clippy's lints and what must not be in the repository

What a task needs and this machine lacks is installed first: the target wasm32-unknown-unknown by rustup or from Debian's
packages, and for `test` the programs that tests use. It prints one line and never asks. `--no-install` prevents it.

`cargo xtask <TASK> --help` has more. All tasks honour CARGO_TARGET_DIR.";

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
    let (arguments, install) = read_install(env::args_os().skip(1));
    let mut parser = Parser::from_args(arguments);
    let Some(Arg::Value(task)) = parser.next()? else {
        println!("{HELP}");
        return Ok(());
    };
    let workspace = Workspace::find(install).context("cannot read the workspace")?;
    match task.to_str() {
        Some("demo") => demo::run(&workspace, parser),
        Some("test") => tasks::test(&workspace, parser),
        Some("build") => tasks::build(&workspace, parser),
        Some("bench") => tasks::bench(&workspace, parser),
        Some("soak") => tasks::soak(&workspace, parser),
        Some("lab") => tasks::lab(&workspace, parser),
        Some("chaos") => tasks::chaos(&workspace, parser),
        Some("fuzz") => fuzz::run(&workspace, parser),
        Some("fuzz-api") => tasks::fuzz_api(&workspace, parser),
        Some("plugins") => tasks::plugins(&workspace, parser),
        Some("lint") => tasks::lint(&workspace, parser),
        _ => bail!("unknown task {}\n\n{HELP}", task.display()),
    }
}

/// Removes `--no-install` from the command line, anywhere before a `--`.
fn read_install(arguments: impl Iterator<Item = OsString>) -> (Vec<OsString>, Install) {
    let mut install = Install::Allowed;
    let mut is_ours = true;
    let kept = arguments.filter(|argument| {
        is_ours &= argument != "--";
        let refuses = is_ours && argument == NO_INSTALL;
        if refuses {
            install = Install::Refused;
        }
        !refuses
    });
    (kept.collect(), install)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_install_is_a_flag_of_every_task_but_not_of_the_programs_it_runs() {
        let read = |words: &str| {
            let (kept, install) = read_install(words.split(' ').map(OsString::from));
            (kept.join(" ".as_ref()).into_string().unwrap(), install)
        };
        assert_eq!(read("demo --once"), ("demo --once".to_owned(), Install::Allowed));
        assert_eq!(read("demo --no-install --once"), ("demo --once".to_owned(), Install::Refused));
        assert_eq!(read("test -- --no-install"), ("test -- --no-install".to_owned(), Install::Allowed));
    }
}
