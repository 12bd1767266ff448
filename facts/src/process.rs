//! Another program run to its end or killed: bytes in, bytes out, never longer or more than allowed.

use std::{
    io::{self, Read, Write},
    os::unix::process::CommandExt,
    process::{Child, Command, ExitStatus, Stdio},
    sync::mpsc::{RecvTimeoutError, sync_channel},
    thread,
    time::Duration,
};

use rustix::process::{Pid, Signal, kill_process_group};

/// What a program may do.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    pub time: Duration,
    pub output_bytes: u64,
    /// Whether it gets a process group of its own, so that what it starts is killed with it.
    pub own_group: bool,
}

/// How it ended.
#[derive(Debug)]
pub enum Outcome {
    Ended {
        status: ExitStatus,
        output: Vec<u8>,
        errors: String,
    },
    TimedOut,
    /// It wrote more than allowed.
    TooMuchOutput,
}

/// The end of what it writes to standard error is kept, so much of it.
const ERROR_BYTES: u64 = 8 * 1024;

/// Runs a command with `input` on its standard input. Blocks; the program is gone when it returns.
pub fn run(command: &mut Command, input: &[u8], bounds: Bounds) -> io::Result<Outcome> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    if bounds.own_group {
        command.process_group(0);
    }
    let mut child = Running { child: command.spawn()?, own_group: bounds.own_group };
    let (Some(mut stdin), Some(stdout), Some(stderr)) =
        (child.child.stdin.take(), child.child.stdout.take(), child.child.stderr.take())
    else {
        return Err(io::Error::other("a pipe is missing"));
    };
    thread::scope(|scope| {
        // A program that ends early does not read to the end: that is no error of ours.
        scope.spawn(move || {
            let _ = stdin.write_all(input);
        });
        let errors = scope.spawn(move || {
            let mut errors = Vec::new();
            let _ = stderr.take(ERROR_BYTES).read_to_end(&mut errors);
            String::from_utf8_lossy(&errors).into_owned()
        });
        let (sender, receiver) = sync_channel(1);
        scope.spawn(move || {
            let mut output = Vec::new();
            let read = stdout.take(bounds.output_bytes + 1).read_to_end(&mut output);
            let _ = sender.send(read.map(|_| output));
        });
        let output = match receiver.recv_timeout(bounds.time) {
            Ok(output) => output?,
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                child.kill();
                return Ok(Outcome::TimedOut);
            }
        };
        if output.len() as u64 > bounds.output_bytes {
            child.kill();
            return Ok(Outcome::TooMuchOutput);
        }
        // Its output is closed. What else it does is of no use.
        let status = child.end()?;
        let errors = errors.join().unwrap_or_default();
        Ok(Outcome::Ended { status, output, errors })
    })
}

/// Killed when dropped, so that no path leaves it running.
struct Running {
    child: Child,
    own_group: bool,
}

impl Running {
    fn kill(&mut self) {
        if self.own_group
            && let Some(group) = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw)
        {
            // It fails when all have ended already.
            let _ = kill_process_group(group, Signal::KILL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    fn end(&mut self) -> io::Result<ExitStatus> {
        self.child.wait()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if !matches!(self.child.try_wait(), Ok(Some(_))) {
            self.kill();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, input: &[u8], milliseconds: u64) -> Outcome {
        let bounds = Bounds { time: Duration::from_millis(milliseconds), output_bytes: 1000, own_group: true };
        run(Command::new("sh").args(["-c", script]), input, bounds).unwrap()
    }

    #[test]
    fn a_program_gets_its_input_and_gives_its_output() {
        let Outcome::Ended { status, output, errors } = shell("cat; echo late >&2; exit 3", b"text", 10_000) else {
            panic!()
        };
        assert_eq!((status.code(), output.as_slice(), errors.as_str()), (Some(3), &b"text"[..], "late\n"));
        assert!(matches!(shell("exit 0", &vec![0; 1 << 20], 10_000), Outcome::Ended { .. }));
    }

    #[test]
    fn a_program_without_end_is_killed_with_what_it_started() {
        assert!(matches!(shell("sleep 1000 & sleep 1000", b"", 100), Outcome::TimedOut));
        assert!(matches!(shell("yes", b"", 10_000), Outcome::TooMuchOutput));
    }
}
