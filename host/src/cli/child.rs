//! `sealwright child`: what the server starts itself as, to read what strangers sent. Not a command for people.
//!
//! A child is confined before anything else is done, so nothing here starts a thread or opens a file first.

use std::{process::ExitCode, thread};

use anyhow::{Context, anyhow, bail};
use sealwright_child_process::{Confinement, Role, confine, probe::Report};
use sealwright_facts::child;

use super::facts::wanted;
use crate::{
    app::{facts::PICTURES_ONLY, template::worker},
    plugins::{COMPACT_FLAG, compile_standard_input},
};

/// The same everywhere, whatever the main thread has. And of the main thread's stack a C library reads in `/proc`, which no
/// child can open.
const STACK_BYTES: usize = 16 << 20;

/// The arguments are the role, the process id of the parent, and the role's own.
pub(super) fn run(arguments: impl Iterator<Item = String>) -> ExitCode {
    play(arguments).unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::FAILURE
    })
}

fn play(mut arguments: impl Iterator<Item = String>) -> anyhow::Result<ExitCode> {
    let role = arguments.next().and_then(|name| Role::of_name(&name)).context("there is no such role")?;
    let parent = arguments.next().and_then(|parent| parent.parse().ok()).context("the parent is not named")?;
    let confinement = confine(role, parent).context("confining this process")?;
    let flags: Vec<String> = arguments.collect();
    let has = |flag| flags.iter().any(|given| given == flag);
    let work = || match role {
        Role::ReadFile => Ok(child::main(wanted(has(PICTURES_ONLY)))),
        Role::ReadPages => Ok(child::main_of_pages()),
        Role::Render => worker::run(&confinement).map(|()| ExitCode::SUCCESS),
        Role::CompilePlugin => compile_standard_input(has(COMPACT_FLAG)).map(|()| ExitCode::SUCCESS),
        Role::Probe => report(&confinement, &flags),
    };
    thread::scope(|scope| {
        let worker = thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work)?;
        worker.join().map_err(|_| anyhow!("a panic, which was reported"))?
    })
}

/// Tries the paths that follow, and prints what happened.
fn report(confinement: &Confinement, paths: &[String]) -> anyhow::Result<ExitCode> {
    if paths.is_empty() {
        bail!("there is no path to try");
    }
    let report = Report::of(confinement, paths.iter().map(Into::into));
    serde_json::to_writer(std::io::stdout(), &report)?;
    Ok(ExitCode::SUCCESS)
}
