//! Facts about files, prepared by `sealwright-facts` in a process of their own: this same program, started for one file,
//! which limits its own memory and time. A file that makes a library loop, crash or eat memory costs that process; what
//! comes back is always [`Facts`], at the worst ones that say why there are none.

use std::{
    os::unix::process::ExitStatusExt,
    path::Path,
    process::{Command, ExitStatus},
    time::Duration,
};

use anyhow::Context;
use sealwright_facts::{
    Facts, UnreadableReason,
    child::{MAX_ANSWER_BYTES, Wanted},
    pages::PageTexts,
    process::{Bounds, Outcome, run},
};
use serde::de::DeserializeOwned;

/// The hidden command that the process runs, and how it is told what is wanted.
pub const COMMAND: &str = "prepare-facts";
pub const PICTURES_ONLY: &str = "--pictures-only";
pub const PAGES_ONLY: &str = "--pages-only";

/// This program, also when its file was replaced meanwhile.
pub const THIS_PROGRAM: &str = "/proc/self/exe";

/// By the clock. Text recognition has 2 minutes of them (`sealwright_facts::ocr`); CPU time is bounded by the process
/// itself.
const TIME: Duration = Duration::from_mins(4);
/// Of the pages' text alone.
const TIME_OF_PAGES: Duration = Duration::from_secs(30);

/// The facts of `file`. Blocks for as long as it takes, four minutes at most: ask for it on a thread that may be kept
/// busy. An error means that the process could not be started at all.
pub fn prepare(program: &Path, file: &[u8], wanted: Wanted) -> anyhow::Result<Facts> {
    let flags = if wanted == Wanted::PicturesOnly { &[PICTURES_ONLY][..] } else { &[] };
    let read = read(program, flags, file, TIME)?;
    Ok(read.unwrap_or_else(|reason| Facts::of_file_alone(file, reason)))
}

/// The text that the pages of a PDF file show. Blocks, half a minute at most; an error as for [`prepare`].
pub fn page_texts(program: &Path, file: &[u8]) -> anyhow::Result<PageTexts> {
    Ok(read(program, &[PAGES_ONLY], file, TIME_OF_PAGES)?.unwrap_or_else(PageTexts::unreadable))
}

/// What the process answers, or why it did not.
fn read<T: DeserializeOwned>(
    program: &Path,
    flags: &[&str],
    file: &[u8],
    time: Duration,
) -> anyhow::Result<Result<T, UnreadableReason>> {
    let mut command = Command::new(program);
    command.arg(COMMAND).args(flags);
    // Settings and secrets of the server are nothing to a process that reads foreign files.
    command.env_clear();
    for name in ["PATH", "TESSDATA_PREFIX"] {
        if let Some(value) = std::env::var_os(name) {
            command.env(name, value);
        }
    }
    let bounds = Bounds { time, output_bytes: MAX_ANSWER_BYTES, own_group: true };
    let outcome = run(&mut command, file, bounds).context("starting the process that reads a file")?;
    Ok(match outcome {
        Outcome::Ended { status, output, errors } if status.success() => {
            serde_json::from_slice(&output).map_err(|error| {
                tracing::error!(%error, errors, "what was read in a file cannot be read");
                UnreadableReason::ReaderFailed
            })
        }
        Outcome::Ended { status, errors, .. } => {
            let reason = why(status, &errors);
            tracing::warn!(%status, ?reason, errors, "the process that reads a file failed");
            Err(reason)
        }
        Outcome::TimedOut => Err(UnreadableReason::OutOfTime),
        Outcome::TooMuchOutput => Err(UnreadableReason::OutOfMemory),
    })
}

/// Rust aborts when memory is refused, and says so; the kernel sends `SIGXCPU`, and `SIGKILL` a second later, when CPU
/// time is used up.
fn why(status: ExitStatus, errors: &str) -> UnreadableReason {
    const SIGKILL: i32 = 9;
    const SIGXCPU: i32 = 24;
    match status.signal() {
        Some(SIGKILL | SIGXCPU) => UnreadableReason::OutOfTime,
        Some(_) if errors.contains("memory allocation") => UnreadableReason::OutOfMemory,
        _ => UnreadableReason::ReaderFailed,
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::PermissionsExt};

    use sealwright_facts::Reading;

    use super::*;

    /// What comes of a process that does as the script says.
    fn reason(script: &str) -> UnreadableReason {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("reader");
        fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o700)).unwrap();
        match prepare(&program, b"%PDF-1.4", Wanted::Text).unwrap().reading {
            Reading::Unreadable { reason } => reason,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn however_the_process_ends_there_is_an_answer() {
        assert_eq!(reason("kill -KILL $$"), UnreadableReason::OutOfTime);
        assert_eq!(reason("kill -XCPU $$"), UnreadableReason::OutOfTime);
        assert_eq!(
            reason("echo 'memory allocation of 9 bytes failed' >&2; kill -ABRT $$"),
            UnreadableReason::OutOfMemory
        );
        assert_eq!(reason("kill -SEGV $$"), UnreadableReason::ReaderFailed);
        assert_eq!(reason("exit 1"), UnreadableReason::ReaderFailed);
        assert_eq!(reason("echo '{}'"), UnreadableReason::ReaderFailed);
    }

    #[test]
    fn a_process_that_cannot_be_started_is_an_error() {
        assert!(prepare(Path::new("/nowhere/at/all"), b"", Wanted::Text).is_err());
    }

    #[test]
    fn secrets_of_the_server_do_not_reach_the_process() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("reader");
        let seen = folder.path().join("seen");
        fs::write(&program, format!("#!/bin/sh\nenv > {}\n", seen.display())).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o700)).unwrap();
        prepare(&program, b"", Wanted::PicturesOnly).unwrap();
        let seen = fs::read_to_string(seen).unwrap();
        let names: Vec<&str> = seen.lines().filter_map(|line| Some(line.split_once('=')?.0)).collect();
        let allowed = ["PATH", "TESSDATA_PREFIX", "PWD", "OLDPWD", "SHLVL", "_"];
        assert!(names.iter().all(|name| allowed.contains(name)), "{names:?}");
    }
}
