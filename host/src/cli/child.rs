//! `sealwright child`: the server starts itself this way to read untrusted files. Not a command for users.
//!
//! A child is confined first, so nothing here starts a thread or opens a file before that.

use std::{num::ParseIntError, process::ExitCode, str::FromStr, thread};

use anyhow::{Context, anyhow, bail};
use sealwright_child_process::{Confinement, Role, confine, probe::Report};
use sealwright_facts::child;

use super::facts::wanted;
use crate::{
    app::{
        facts::{FIRST_PAGES, PICTURE_OF, PICTURES_ONLY, TRUST_BYTES},
        tools::preview::worker,
    },
    plugins::compile_standard_input,
};

/// The same everywhere, independent of the main thread. For the main thread's stack, a C library reads `/proc`, which a
/// child cannot open.
const STACK_BYTES: usize = 16 << 20;

/// The arguments are the role, the process id of the parent, and the role's own arguments.
pub(super) fn run(arguments: impl Iterator<Item = String>) -> ExitCode {
    run_role(arguments).unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::FAILURE
    })
}

fn run_role(mut arguments: impl Iterator<Item = String>) -> anyhow::Result<ExitCode> {
    let role = arguments.next().and_then(|name| Role::of_name(&name)).context("unknown role")?;
    let parent = arguments.next().and_then(|parent| parent.parse().ok()).context("no parent process id")?;
    let confinement = confine(role, parent).context("confining this process")?;
    let flags: Vec<String> = arguments.collect();
    let has = |flag| flags.iter().any(|given| given == flag);
    let work = || match role {
        Role::ReadFile => Ok(child::main(wanted(has(PICTURES_ONLY)), number(&flags, TRUST_BYTES)?.unwrap_or(0))),
        Role::ReadPages => Ok(match (number(&flags, PICTURE_OF)?, number(&flags, FIRST_PAGES)?) {
            (Some(page), _) => child::main_of_picture(page),
            (None, Some(most)) => child::main_of_first_pages(most),
            (None, None) => child::main_of_pages(),
        }),
        Role::Render => worker::run(&confinement).map(|()| ExitCode::SUCCESS),
        Role::CompilePlugin => compile_standard_input(&flags).map(|()| ExitCode::SUCCESS),
        Role::Probe => report(&confinement, &flags),
    };
    thread::scope(|scope| {
        let worker = thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work)?;
        worker.join().map_err(|_| anyhow!("a panic, which was reported"))?
    })
}

/// The number after a flag that ends in `=`, if it is given.
fn number<N: FromStr<Err = ParseIntError>>(flags: &[String], flag: &str) -> anyhow::Result<Option<N>> {
    let given = flags.iter().find_map(|given| given.strip_prefix(flag));
    given.map(|number| number.parse().with_context(|| format!("the number after {flag}"))).transpose()
}

/// Tries the paths that follow, and prints what happened.
fn report(confinement: &Confinement, paths: &[String]) -> anyhow::Result<ExitCode> {
    if paths.is_empty() {
        bail!("no path to try");
    }
    let report = Report::of(confinement, paths.iter().map(Into::into));
    serde_json::to_writer(std::io::stdout(), &report)?;
    Ok(ExitCode::SUCCESS)
}
