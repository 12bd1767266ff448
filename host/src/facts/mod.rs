//! Facts about files, read by `sealwright-facts` in a child process: this same program, started for one file and
//! confined (`sealwright-child-process`). A file that makes a library loop, crash or exhaust memory only ends that
//! process; the result is always [`Facts`], which otherwise say why the file could not be read.

use std::{borrow::Cow, path::Path, time::Duration};

use anyhow::Context;
use sealwright_child_process::{Bounds, Cause, Failure, Role, run};
use sealwright_facts::{
    Facts, UnreadableReason,
    child::{FactsScope, MAX_ANSWER_BYTES},
    page_picture::{FirstPages, PagePicture},
    pages::PageTexts,
};
use serde::de::DeserializeOwned;

/// The flag of [`Role::ReadFile`] for a photo of places and things.
pub const PICTURES_ONLY: &str = "--pictures-only";
/// The flag of [`Role::ReadFile`] for a list of trusted roots in front of the file: `--trust-bytes=N` says its length.
pub const TRUST_BYTES: &str = "--trust-bytes=";

/// The flag of [`Role::ReadPages`] to draw one page: `--picture-of=N`.
pub const PICTURE_OF: &str = "--picture-of=";
/// The flag of [`Role::ReadPages`] to draw the first pages: `--first-pages=N`.
pub const FIRST_PAGES: &str = "--first-pages=";

/// Wall-clock time, of which text recognition has 2 minutes (`sealwright_facts::ocr`). The process's own limits bound
/// its processor time.
const TIME: Duration = Duration::from_mins(4);
/// For the pages' text only, and for drawn pages.
const TIME_OF_PAGES: Duration = Duration::from_secs(30);
/// How often reading is tried if the system kills the process. If it is killed each time, the file itself exhausts the
/// memory.
const MAX_TRIES: usize = 3;

/// The facts of `file`. Blocks for at most four minutes: call it on a blocking thread. An error is a failure of the
/// machine: the same file may be readable later.
///
/// `roots` are the trusted roots of content credentials' signers in PEM; without any, no signer is trusted.
pub fn prepare(program: &Path, file: &[u8], wanted: FactsScope, roots: &str) -> anyhow::Result<Facts> {
    let trust_bytes = format!("{TRUST_BYTES}{}", roots.len());
    let mut flags = Vec::new();
    if wanted == FactsScope::PicturesOnly {
        flags.push(PICTURES_ONLY);
    }
    let mut input = Cow::Borrowed(file);
    if !roots.is_empty() {
        flags.push(&trust_bytes);
        input = Cow::Owned([roots.as_bytes(), file].concat());
    }
    let read = read(program, Role::ReadFile, &flags, &input, TIME)?;
    Ok(read.unwrap_or_else(|reason| Facts::of_file_alone(file, reason)))
}

/// The visible text of a PDF file's pages. Blocks for at most half a minute; errors as for [`prepare`].
pub fn page_texts(program: &Path, file: &[u8]) -> anyhow::Result<PageTexts> {
    Ok(read(program, Role::ReadPages, &[], file, TIME_OF_PAGES)?.unwrap_or_else(PageTexts::unreadable))
}

/// Page `number` of a document, drawn. Blocks for at most half a minute; errors as for [`prepare`].
pub fn page_picture(program: &Path, file: &[u8], number: u32) -> anyhow::Result<Result<PagePicture, UnreadableReason>> {
    let flag = format!("{PICTURE_OF}{number}");
    let read = read(program, Role::ReadPages, &[&flag], file, TIME_OF_PAGES)?;
    Ok(read.and_then(|drawn: Result<PagePicture, UnreadableReason>| drawn))
}

/// The first `most` pages of a document, drawn. Blocks for at most half a minute; errors as for [`prepare`].
pub fn first_pages(program: &Path, file: &[u8], most: u32) -> anyhow::Result<Result<FirstPages, UnreadableReason>> {
    let flag = format!("{FIRST_PAGES}{most}");
    let read = read(program, Role::ReadPages, &[&flag], file, TIME_OF_PAGES)?;
    Ok(read.and_then(|drawn: Result<FirstPages, UnreadableReason>| drawn))
}

/// The answer of the process, or why there is none.
fn read<T: DeserializeOwned>(
    program: &Path,
    role: Role,
    flags: &[&str],
    file: &[u8],
    time: Duration,
) -> anyhow::Result<Result<T, UnreadableReason>> {
    let bounds = Bounds { time, output_bytes: MAX_ANSWER_BYTES, own_group: true };
    let mut tries = 1;
    loop {
        let mut command = role.command(program);
        command.args(flags);
        let failure = match run(&mut command, file, bounds).context("starting the process that reads a file")? {
            Ok(output) => {
                return Ok(serde_json::from_slice(&output).map_err(|error| {
                    tracing::error!(%error, "the answer of the process that reads a file is invalid");
                    UnreadableReason::ReaderFailed
                }));
            }
            Err(failure) => failure,
        };
        tracing::warn!(%failure, errors = failure.errors, "the process that reads a file failed");
        if failure.cause.is_worth_another_child() && tries < MAX_TRIES {
            tries += 1;
            continue;
        }
        return reason(failure).map(Err);
    }
}

/// Why a file is not readable; an error if the file is not the cause.
fn reason(failure: Failure) -> anyhow::Result<UnreadableReason> {
    match failure.cause {
        Cause::OutOfTime => Ok(UnreadableReason::OutOfTime),
        Cause::OutOfMemory | Cause::TooMuchOutput => Ok(UnreadableReason::OutOfMemory),
        Cause::Ended(_) => Ok(UnreadableReason::ReaderFailed),
        Cause::Killed(_) if failure.cause.is_worth_another_child() => Ok(UnreadableReason::OutOfMemory),
        Cause::Killed(_) => Err(failure.into_retry()).context("reading a file"),
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::PermissionsExt, path::PathBuf};

    use sealwright_facts::Reading;
    use tempfile::TempDir;

    use super::*;

    fn reader(script: &str) -> (TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("reader");
        fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o700)).unwrap();
        (folder, program)
    }

    /// The reason that results from a process that runs this script.
    fn reason(script: &str) -> UnreadableReason {
        let (_folder, program) = reader(script);
        match prepare(&program, b"%PDF-1.4", FactsScope::Text, "").unwrap().reading {
            Reading::Unreadable { reason } => reason,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn there_is_an_answer_however_the_process_ends() {
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
    fn reading_is_retried_a_few_times_if_the_system_kills_the_reader() {
        let folder = tempfile::tempdir().unwrap();
        let tries = folder.path().join("tries");
        let script = format!("echo try >> {}; kill -KILL $$", tries.display());
        assert_eq!(reason(&script), UnreadableReason::OutOfMemory);
        assert_eq!(fs::read_to_string(&tries).unwrap().lines().count(), MAX_TRIES);
    }

    #[test]
    fn a_process_that_cannot_be_started_or_is_stopped_with_the_server_is_an_error() {
        assert!(prepare(Path::new("/nowhere/at/all"), b"", FactsScope::Text, "").is_err());
        let (_folder, program) = reader("kill -TERM $$");
        let stopped = prepare(&program, b"", FactsScope::Text, "").unwrap_err();
        let cause = stopped.chain().find_map(|cause| cause.downcast_ref::<std::io::Error>());
        assert_eq!(cause.unwrap().raw_os_error(), Some(libc::EAGAIN), "a job is retried");
    }

    #[test]
    fn secrets_of_the_server_do_not_reach_the_process() {
        let folder = tempfile::tempdir().unwrap();
        let seen = folder.path().join("seen");
        let (_folder, program) = reader(&format!("env > {}", seen.display()));
        prepare(&program, b"", FactsScope::PicturesOnly, "").unwrap();
        let seen = fs::read_to_string(seen).unwrap();
        let names: Vec<&str> = seen.lines().filter_map(|line| Some(line.split_once('=')?.0)).collect();
        let allowed = ["PATH", "TESSDATA_PREFIX", "PWD", "OLDPWD", "SHLVL", "_"];
        assert!(names.iter().all(|name| allowed.contains(name)), "{names:?}");
    }
}
