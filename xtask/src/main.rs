//! The project's own tasks, so that a machine only needs a Rust toolchain and a C compiler to work on it: `cargo xtask
//! demo`, `cargo xtask test` and the rest. Each task is a module; this file only dispatches.

mod arguments;
mod artefact;
mod circles;
mod citations;
mod clients;
mod demo;
mod deny;
mod dist;
mod fuzz;
mod house;
mod hygiene;
mod machine;
mod plugins;
mod tasks;
mod verify_page;
mod workspace;

use std::{env, process::ExitCode};

use anyhow::Context as _;
use clap::CommandFactory as _;

use crate::{
    arguments::{Arguments, Task},
    workspace::Workspace,
};

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
    let arguments = Arguments::read(env::args_os()).unwrap_or_else(|error| error.exit());
    let install = arguments.install();
    let Some(task) = arguments.task else {
        return Ok(Arguments::command().print_long_help()?);
    };
    let workspace = Workspace::find(install).context("cannot read the workspace")?;
    match task {
        Task::Demo(options) => demo::run(&workspace, options),
        Task::Test(arguments) => tasks::test(&workspace, &arguments.all()),
        Task::Build => tasks::build(&workspace),
        Task::Dist(options) => dist::run(&workspace, &options),
        Task::Bench(benchmarks) => tasks::bench(&workspace, &benchmarks.all()),
        Task::Soak { certificates, kills } => tasks::soak(&workspace, certificates, kills),
        Task::Lab(arguments) => tasks::lab(&workspace, &arguments.all()),
        Task::Chaos(arguments) => tasks::chaos(&workspace, &arguments.all()),
        Task::Year(arguments) => tasks::year(&workspace, &arguments.all()),
        Task::Fuzz(options) => fuzz::run(&workspace, options),
        Task::FuzzApi { requests } => tasks::fuzz_api(&workspace, requests),
        Task::Plugins => tasks::plugins(&workspace),
        Task::Clients(options) => clients::run(&workspace, &options),
        Task::Lint => tasks::lint(&workspace),
    }
}
