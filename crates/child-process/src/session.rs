//! Many requests: a child that is kept for the next one.
//!
//! A dedicated thread starts the child, watches its time, and ends it when it is idle for a while. It has to be one
//! thread for as long as the child lives: the kernel's signal for "the parent has died" comes when the *thread* that
//! started a child ends, and a runtime's threads for blocking work end whenever they are not needed.

use std::{
    io::{self, BufReader, BufWriter},
    process::{ChildStderr, ChildStdin, ChildStdout, Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel},
    },
    thread,
    time::Duration,
};

use crate::{
    descendants::Descendants,
    failure::{Cause, End, Failure},
    run::{GRACE, first_bytes},
};

/// With pipes of this size, a picture needs only a few context switches.
const PIPE_BYTES: usize = 1 << 20;

/// A child that waits for the next request. Dropping it ends the child.
pub struct Session {
    keeper: Sender<Event>,
    requests: BufWriter<ChildStdin>,
    answers: BufReader<ChildStdout>,
    has_ended: Arc<AtomicBool>,
}

/// What the keeper thread receives.
enum Event {
    /// A request was sent, with this timeout.
    Requested(Duration),
    Answered,
    /// There was no answer; the keeper sends the reason.
    Failed(SyncSender<Failure>),
}

type Pipes = (ChildStdin, ChildStdout);

impl Session {
    /// Starts the command. The child is ended after `idle` without a request.
    ///
    /// # Errors
    /// The system cannot start it.
    pub fn start(command: Command, idle: Duration) -> io::Result<Self> {
        let (keeper, events) = channel();
        let (started, starts) = sync_channel(1);
        let has_ended = Arc::new(AtomicBool::new(false));
        let ends = Arc::clone(&has_ended);
        thread::Builder::new().name("child-keeper".to_owned()).spawn(move || {
            keep(command, idle, &started, &events);
            ends.store(true, Ordering::Release);
        })?;
        let (stdin, stdout) = starts.recv().map_err(|_| io::Error::other("the thread of a child has ended"))??;
        Ok(Self { keeper, requests: BufWriter::new(stdin), answers: BufReader::new(stdout), has_ended })
    }

    /// Whether it was ended because it was idle, or failed. A child that died by itself is not detected yet.
    pub fn has_ended(&self) -> bool {
        self.has_ended.load(Ordering::Acquire)
    }

    /// One request and its answer, which may take `time` together. After a failure the session cannot be used any more.
    pub fn ask<T>(
        &mut self,
        time: Duration,
        converse: impl FnOnce(&mut BufWriter<ChildStdin>, &mut BufReader<ChildStdout>) -> io::Result<Option<T>>,
    ) -> Result<T, SessionError> {
        self.keeper.send(Event::Requested(time)).map_err(|_| SessionError::Ended)?;
        if let Ok(Some(answer)) = converse(&mut self.requests, &mut self.answers) {
            // If the keeper is gone, it ended the child just after this answer, which is valid.
            let _ = self.keeper.send(Event::Answered);
            return Ok(answer);
        }
        let (reply, failure) = sync_channel(1);
        self.keeper.send(Event::Failed(reply)).map_err(|_| SessionError::Ended)?;
        Err(failure.recv().map_or(SessionError::Ended, SessionError::Failed))
    }
}

/// Why there is no answer.
#[derive(Debug)]
pub enum SessionError {
    /// The child was ended before the request: use another one.
    Ended,
    Failed(Failure),
}

/// Starts the child, and watches it to its end.
fn keep(mut command: Command, idle: Duration, started: &SyncSender<io::Result<Pipes>>, events: &Receiver<Event>) {
    let (mut child, errors) = match start(&mut command) {
        Ok((child, pipes, stderr)) => {
            let reader = thread::Builder::new().name("child-errors".to_owned()).spawn(move || first_bytes(stderr));
            match reader {
                Ok(reader) => {
                    let _ = started.send(Ok(pipes));
                    (child, reader)
                }
                Err(error) => return drop(started.send(Err(error))),
            }
        }
        Err(error) => return drop(started.send(Err(error))),
    };
    let Some((reply, late)) = watch(&mut child, idle, events) else { return };
    let ended = child.end(if late { Duration::ZERO } else { GRACE });
    let errors = errors.join().unwrap_or_default();
    let failure = match ended {
        Ok((status, stuck)) => End { status, late, stuck, errors }.failure(),
        Err(error) => Failure { cause: Cause::Killed(0), errors: error.to_string() },
    };
    let _ = reply.send(failure);
}

fn start(command: &mut Command) -> io::Result<(Descendants, Pipes, ChildStderr)> {
    let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let mut child = Descendants::of(child, true);
    let pipes = (child.child.stdin.take(), child.child.stdout.take(), child.child.stderr.take());
    let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
        return Err(io::Error::other("a pipe is missing"));
    };
    // If the system limits pipes to less, they keep their size.
    let _ = rustix::pipe::fcntl_setpipe_size(&stdin, PIPE_BYTES);
    let _ = rustix::pipe::fcntl_setpipe_size(&stdout, PIPE_BYTES);
    Ok((child, (stdin, stdout), stderr))
}

/// Watches the time of each request. Returns when one failed, with the channel for the reason, and whether it timed
/// out; `None` when the session is dropped. The child is killed if it timed out.
fn watch(child: &mut Descendants, idle: Duration, events: &Receiver<Event>) -> Option<(SyncSender<Failure>, bool)> {
    let mut time = idle;
    let mut is_busy = false;
    loop {
        match events.recv_timeout(time) {
            Ok(Event::Requested(limit)) => (time, is_busy) = (limit, true),
            Ok(Event::Answered) => (time, is_busy) = (idle, false),
            Ok(Event::Failed(reply)) => return Some((reply, false)),
            Err(RecvTimeoutError::Timeout) if is_busy => {
                let _ = child.kill();
                // The request fails now, unless its answer arrived at the same moment.
                return match events.recv() {
                    Ok(Event::Failed(reply)) => Some((reply, true)),
                    _ => None,
                };
            }
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead, Write};

    use super::*;

    const LONG: Duration = Duration::from_secs(10);

    fn shell(script: &str, idle: Duration) -> Session {
        let mut command = Command::new("sh");
        std::os::unix::process::CommandExt::process_group(command.args(["-c", script]), 0);
        Session::start(command, idle).unwrap()
    }

    /// Sends a line and waits for one.
    fn exchange(session: &mut Session, line: &str, time: Duration) -> Result<String, SessionError> {
        session.ask(time, |requests, answers| {
            writeln!(requests, "{line}")?;
            requests.flush()?;
            let mut answer = String::new();
            Ok((answers.read_line(&mut answer)? > 0).then_some(answer))
        })
    }

    fn cause(error: SessionError) -> Cause {
        match error {
            SessionError::Failed(failure) => failure.cause,
            SessionError::Ended => panic!("it was ended before the request"),
        }
    }

    #[test]
    fn a_child_answers_one_request_after_another() {
        let mut cat = shell("exec cat", LONG);
        for line in ["one\n", "two\n", "three\n"] {
            assert_eq!(exchange(&mut cat, line.trim(), LONG).unwrap(), line);
        }
        assert!(!cat.has_ended());
    }

    #[test]
    fn a_request_that_times_out_ends_the_child() {
        let mut slow = shell("read line; sleep 1000", LONG);
        let error = exchange(&mut slow, "x", Duration::from_millis(50)).unwrap_err();
        assert_eq!(cause(error), Cause::OutOfTime);
        assert!(matches!(exchange(&mut slow, "x", LONG), Err(SessionError::Ended)));
    }

    #[test]
    fn the_cause_of_a_child_s_death_is_reported() {
        let of = |script| cause(exchange(&mut shell(script, LONG), "x", LONG).unwrap_err());
        assert_eq!(of("read line; kill -KILL $$"), Cause::Killed(9));
        assert!(matches!(of("read line; exit 4"), Cause::Ended(status) if status.code() == Some(4)));
        let script = "read line; echo 'memory allocation of 7 bytes failed' >&2; kill -ABRT $$";
        assert_eq!(of(script), Cause::OutOfMemory);
    }

    #[test]
    fn an_idle_child_is_ended() {
        let mut idle = shell("exec cat", Duration::from_millis(20));
        while !idle.has_ended() {
            thread::yield_now();
        }
        assert!(matches!(exchange(&mut idle, "x", LONG), Err(SessionError::Ended)));
    }

    #[test]
    fn a_program_that_does_not_exist_is_an_error_of_the_system() {
        let missing = Session::start(Command::new("/nowhere/at/all"), LONG).err().unwrap();
        assert_eq!(missing.kind(), io::ErrorKind::NotFound);
    }
}
