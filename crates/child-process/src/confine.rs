//! How a child confines itself before it reads the first byte.

use std::{fs::File, io, os::unix::fs::FileExt, path::PathBuf};

use rustix::process::{Pid, Resource, Rlimit, Signal, getppid, set_parent_process_death_signal, setrlimit};
use serde::{Deserialize, Serialize};

use crate::{
    files,
    role::{Allowance, Role},
    system_calls,
};

/// From the signal for used-up processor time (SIGXCPU), which names the cause, to the kill, which does not.
const SECONDS_TO_END: u64 = 5;

/// How far one layer of the confinement is in force.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Layer {
    InForce,
    /// Only in part, and why.
    InPart(String),
    /// Missing, and why.
    Missing(String),
}

/// A confined child.
#[derive(Debug)]
pub struct Confinement {
    /// No file of the server can be opened (Landlock).
    pub files: Layer,
    /// No socket, no other process, no new privileges (seccomp).
    pub system_calls: Layer,
    /// The kernel's file with the used processor time. It is opened before confinement forbids that.
    usage: Option<File>,
}

/// Confines this process for its whole life; it must not have started a thread yet. `parent` is the process that
/// started it. What the kernel does not support is left out and reported in the result: a less confined child is better
/// than no certificate.
///
/// # Errors
/// The parent has died, or a limit that every kernel supports cannot be set.
pub fn confine(role: Role, parent: u32) -> io::Result<Confinement> {
    // No one would read its answer.
    set_parent_process_death_signal(Some(Signal::KILL))?;
    let parent = i32::try_from(parent).ok().and_then(Pid::from_raw);
    if parent.is_none() || getppid() != parent {
        return Err(io::Error::other("the parent process is gone"));
    }
    let Allowance { memory_bytes, cpu_seconds, descriptors, starts_programs } = role.allowance();
    if let Some(bytes) = memory_bytes {
        limit(Resource::Data, bytes, Some(bytes))?;
    }
    if let Some(seconds) = cpu_seconds {
        limit(Resource::Cpu, seconds, Some(seconds + SECONDS_TO_END))?;
    }
    limit(Resource::Nofile, descriptors, Some(descriptors))?;
    // No core dump, and no writes to files.
    limit(Resource::Core, 0, Some(0))?;
    limit(Resource::Fsize, 0, Some(0))?;
    let usage = File::open("/proc/self/stat").ok();
    let readable: Vec<PathBuf> = role.readable();
    Ok(Confinement { files: files::restrict(&readable), system_calls: system_calls::restrict(starts_programs), usage })
}

impl Confinement {
    /// Limits what the next request may use. The kernel counts a process's time from its start, so what was used is added.
    pub fn limit_request(&self, seconds: u64, memory_bytes: u64) -> io::Result<()> {
        limit(Resource::Data, memory_bytes, None)?;
        match self.used_seconds() {
            Some(used) => limit(Resource::Cpu, used + seconds + 1, None),
            // The wall-clock limit still applies.
            None => Ok(()),
        }
    }

    /// The processor time that this process has used.
    fn used_seconds(&self) -> Option<u64> {
        /// `sysconf(_SC_CLK_TCK)`, which is 100 on every Linux.
        const TICKS: u64 = 100;
        let mut stat = [0; 1024];
        let length = self.usage.as_ref()?.read_at(&mut stat, 0).ok()?;
        let stat = String::from_utf8_lossy(stat.get(..length)?);
        // The second field is the program's name in brackets, which may have spaces in it.
        let (_, fields) = stat.rsplit_once(')')?;
        let mut fields = fields.split_ascii_whitespace().skip(11);
        let (user, system) = (fields.next()?.parse::<u64>().ok()?, fields.next()?.parse::<u64>().ok()?);
        Some((user + system) / TICKS)
    }
}

fn limit(resource: Resource, soft: u64, hard: Option<u64>) -> io::Result<()> {
    // A lower outer limit stays: raising it needs privileges that no server should have.
    let outer = rustix::process::getrlimit(resource).maximum;
    let hard = hard.into_iter().chain(outer).min();
    let soft = hard.map_or(soft, |hard| soft.min(hard));
    Ok(setrlimit(resource, Rlimit { current: Some(soft), maximum: hard })?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_used_processor_time_is_read() {
        let usage = File::open("/proc/self/stat").ok();
        let confinement = Confinement { files: Layer::InForce, system_calls: Layer::InForce, usage };
        assert!(confinement.used_seconds().is_some_and(|seconds| seconds < 3600));
    }
}
