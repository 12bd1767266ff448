//! Work in a process of its own, so that its peak memory or its processor time can be measured separately.

use std::{
    env, fs,
    path::Path,
    process::{Command, Stdio},
};

use anyhow::{Context as _, bail, ensure};
use serde_json::Value;

use crate::{certificate, read, seal};

/// Makes this program run as a child.
pub(crate) const FLAG: &str = "--child";

/// Runs the child task that the arguments name.
pub(crate) fn run(arguments: &[String]) -> anyhow::Result<()> {
    match arguments {
        [task, file] if task == "serve-file" => read::serve_file(Path::new(file)),
        [task, folder] if task == "scale" => certificate::scale(Path::new(folder)),
        [task, folder, photos] if task == "render" => certificate::render(Path::new(folder), photos.parse()?),
        [task, folder] if task == "bare-typst" => certificate::render_bare(Path::new(folder)),
        [task, folder] if task == "seal" => seal::seal(Path::new(folder)),
        _ => bail!("unknown child task {arguments:?}"),
    }
}

/// This program as a child.
pub(crate) fn command(arguments: &[&str]) -> anyhow::Result<Command> {
    let mut command = Command::new(env::current_exe()?);
    command.arg(FLAG).args(arguments);
    Ok(command)
}

/// Runs a child to its end, and returns the JSON that it printed.
pub(crate) fn answer(arguments: &[&str]) -> anyhow::Result<Value> {
    let output = command(arguments)?.stderr(Stdio::inherit()).output().context("starting a child")?;
    ensure!(output.status.success(), "the child {arguments:?} ended with {}", output.status);
    serde_json::from_slice(&output.stdout).context("the child printed no JSON")
}

/// `VmRSS` (memory in use), `VmHWM` (its peak) and the like of a process, in MiB (`proc_pid_status(5)`).
pub(crate) fn memory_mib(process: &str, field: &str) -> anyhow::Result<f64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).context("only Linux reports memory")?;
    let line = status.lines().find_map(|line| line.strip_prefix(field)?.strip_prefix(':'));
    let kibibytes = line.and_then(|line| line.trim().strip_suffix(" kB")).context("expected memory in kB")?;
    Ok(kibibytes.trim().parse::<f64>()? / 1024.0)
}

/// Resets the peak memory (`proc_pid_clear_refs(5)`).
pub(crate) fn forget_peak(process: &str) -> anyhow::Result<()> {
    fs::write(format!("/proc/{process}/clear_refs"), "5").context("resetting the peak memory")
}
