//! One request: a program is run to its end or killed. Bytes in, bytes out, within limits of time and size.

use std::{
    io::{self, Read, Write},
    os::unix::process::CommandExt,
    process::{Command, Stdio},
    sync::mpsc::{RecvTimeoutError, sync_channel},
    thread,
    time::{Duration, Instant},
};

use crate::{
    descendants::Descendants,
    failure::{Cause, End, Failure},
};

/// The limits of a program.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Wall-clock time.
    pub time: Duration,
    pub output_bytes: u64,
    /// Whether it gets a process group of its own, so that what it starts is killed with it.
    pub own_group: bool,
}

/// How much of its standard error is kept.
pub(crate) const ERROR_BYTES: u64 = 8 * 1024;
/// How long a program may take to end after it closed its output.
pub(crate) const GRACE: Duration = Duration::from_secs(5);

/// Runs a command with `input` on its standard input. Blocks; when it returns, the program and what it started are
/// gone.
///
/// # Errors
/// The system cannot start it, or its pipes fail: an error of the machine, not of the input. The inner result is that
/// of the program itself.
pub fn run(command: &mut Command, input: &[u8], bounds: Bounds) -> io::Result<Result<Vec<u8>, Failure>> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    if bounds.own_group {
        command.process_group(0);
    }
    let ends = Instant::now() + bounds.time;
    // Declared before the scope: if a thread cannot be started, it is dropped too late to free the others, hence
    // `kill`.
    let mut running = Descendants::of(command.spawn()?, bounds.own_group);
    let child = &mut running.child;
    let (Some(stdin), Some(stdout), Some(stderr)) = (child.stdin.take(), child.stdout.take(), child.stderr.take())
    else {
        return Err(io::Error::other("a pipe is missing"));
    };
    thread::scope(|scope| {
        let (sender, receiver) = sync_channel(1);
        let started = (|| {
            // A program that ends early does not read all input: that is not our error.
            thread::Builder::new().spawn_scoped(scope, move || {
                let mut stdin = stdin;
                let _ = stdin.write_all(input);
            })?;
            thread::Builder::new().spawn_scoped(scope, move || {
                let mut output = Vec::new();
                let read = stdout.take(bounds.output_bytes + 1).read_to_end(&mut output);
                let _ = sender.send(read.map(|_| output));
            })?;
            thread::Builder::new().spawn_scoped(scope, move || first_bytes(stderr))
        })();
        let errors = match started {
            Ok(errors) => errors,
            Err(error) => {
                let _ = running.kill();
                return Err(error);
            }
        };
        let output = match receiver.recv_timeout(bounds.time) {
            Ok(Ok(output)) if output.len() as u64 <= bounds.output_bytes => output,
            cut_off => {
                let _ = running.kill();
                let errors = errors.join().unwrap_or_default();
                return match cut_off {
                    Ok(Ok(_)) => Ok(Err(Failure { cause: Cause::TooMuchOutput, errors })),
                    Ok(Err(error)) => Err(error),
                    Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                        Ok(Err(Failure { cause: Cause::OutOfTime, errors }))
                    }
                };
            }
        };
        // Its output is closed: whatever else it does is useless.
        let left = ends.saturating_duration_since(Instant::now());
        let (status, stuck) = running.end(left.min(GRACE))?;
        let errors = errors.join().unwrap_or_default();
        if status.success() { Ok(Ok(output)) } else { Ok(Err(End { status, late: false, stuck, errors }.failure())) }
    })
}

/// The first bytes, which contain the reason; the rest of the pipe is drained.
pub(crate) fn first_bytes(mut stderr: impl Read) -> String {
    let mut errors = Vec::new();
    let _ = stderr.by_ref().take(ERROR_BYTES).read_to_end(&mut errors);
    let _ = io::copy(&mut stderr, &mut io::sink());
    String::from_utf8_lossy(&errors).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, input: &[u8], milliseconds: u64) -> Result<Vec<u8>, Failure> {
        let bounds = Bounds { time: Duration::from_millis(milliseconds), output_bytes: 1000, own_group: true };
        run(Command::new("sh").args(["-c", script]), input, bounds).unwrap()
    }

    #[test]
    fn a_program_gets_its_input_and_gives_its_output() {
        assert_eq!(shell("cat", b"text", 10_000).unwrap(), b"text");
        let failure = shell("cat; echo late >&2; exit 3", b"text", 10_000).unwrap_err();
        assert!(matches!(failure.cause, Cause::Ended(status) if status.code() == Some(3)));
        assert_eq!(failure.errors, "late\n");
        assert!(shell("exit 0", &vec![0; 1 << 20], 10_000).is_ok());
    }

    #[test]
    fn a_program_that_never_ends_is_killed_with_what_it_started() {
        let cause = |script, milliseconds| shell(script, b"", milliseconds).unwrap_err().cause;
        assert_eq!(cause("sleep 1000 & sleep 1000", 100), Cause::OutOfTime);
        assert_eq!(cause("yes", 10_000), Cause::TooMuchOutput);
        // It closes its output and goes on.
        assert!(matches!(cause("exec >&-; sleep 1000", 100), Cause::Ended(_)));
        // What it leaves behind keeps its pipes open.
        assert!(shell("(exec >&-; sleep 1000) & exit 0", b"", 10_000).is_ok());
    }

    #[test]
    fn the_cause_of_its_end_is_reported() {
        let cause = |script| shell(script, b"", 10_000).unwrap_err().cause;
        assert_eq!(cause("kill -KILL $$"), Cause::Killed(9));
        assert_eq!(cause("kill -TERM $$"), Cause::Killed(15));
        assert_eq!(cause("kill -XCPU $$"), Cause::OutOfTime);
        assert_eq!(cause("echo 'memory allocation of 9 bytes failed' >&2; kill -ABRT $$"), Cause::OutOfMemory);
        assert!(matches!(cause("kill -SEGV $$"), Cause::Ended(_)));
    }
}
