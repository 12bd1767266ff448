//! Why a child did not answer. Whether that is the fault of what it read decides whether the same is tried again.

use std::{fmt, io, os::unix::process::ExitStatusExt, process::ExitStatus};

use rustix::process::Signal;

/// What ended a child before it answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// It took longer, or used the processor for longer, than it may.
    OutOfTime,
    OutOfMemory,
    /// It wrote more than anyone takes.
    TooMuchOutput,
    /// A signal of which neither it nor this process was the cause: the system is short of memory, or somebody ended it. Says
    /// nothing of what it read.
    Killed(i32),
    /// It ended by itself.
    Ended(ExitStatus),
}

/// A child that did not answer.
#[derive(Clone, Debug)]
pub struct Failure {
    pub cause: Cause,
    /// The beginning of what it wrote to its standard error.
    pub errors: String,
}

/// How a child ended, as seen from outside.
pub(crate) struct End {
    pub(crate) status: ExitStatus,
    /// This process killed it because its time was over.
    pub(crate) late: bool,
    /// This process killed it because it closed its output and lived on.
    pub(crate) stuck: bool,
    pub(crate) errors: String,
}

impl End {
    pub(crate) fn failure(self) -> Failure {
        let Self { status, late, stuck, errors } = self;
        let cause = match status.signal() {
            _ if late => Cause::OutOfTime,
            _ if stuck => Cause::Ended(status),
            Some(signal) if signal == Signal::XCPU.as_raw() => Cause::OutOfTime,
            Some(signal) if from_outside(signal) => Cause::Killed(signal),
            // Rust says so before it aborts; other programs say it in other words, and end.
            Some(_) if errors.contains("memory allocation of") || errors.contains("out of memory") => {
                Cause::OutOfMemory
            }
            _ => Cause::Ended(status),
        };
        Failure { cause, errors }
    }
}

fn from_outside(signal: i32) -> bool {
    [Signal::KILL, Signal::TERM, Signal::INT, Signal::HUP].iter().any(|outer| outer.as_raw() == signal)
}

impl Cause {
    /// Whether the same may succeed in another child. Not while this process is being ended itself, as all of a service are.
    pub fn is_worth_another_child(self) -> bool {
        self == Self::Killed(Signal::KILL.as_raw())
    }
}

impl Failure {
    /// As an error of the machine, which a queue of jobs tries again: `EAGAIN`. For a child that something outside ended.
    pub fn into_retry(self) -> Retry {
        Retry { failure: self, source: io::Error::from_raw_os_error(libc::EAGAIN) }
    }
}

/// A child that something outside ended: to be tried again.
#[derive(Debug)]
pub struct Retry {
    failure: Failure,
    source: io::Error,
}

impl Retry {
    pub fn cause(&self) -> Cause {
        self.failure.cause
    }
}

impl fmt::Display for Retry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.failure.fmt(f)
    }
}

impl std::error::Error for Retry {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.source)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.cause {
            Cause::OutOfTime => f.write_str("it used up its time"),
            Cause::OutOfMemory => f.write_str("it used up its memory"),
            Cause::TooMuchOutput => f.write_str("it wrote too much"),
            Cause::Killed(signal) => write!(f, "signal {signal} ended it from outside"),
            Cause::Ended(status) => write!(f, "it ended with {status}"),
        }
    }
}

impl std::error::Error for Failure {}
