//! Why a child did not answer. Its input is tried again only if it was not the cause.

use std::{fmt, io, os::unix::process::ExitStatusExt, process::ExitStatus};

use rustix::process::Signal;

/// What ended a child before it answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// It exceeded its time or its processor time.
    OutOfTime,
    OutOfMemory,
    /// It wrote more than the limit.
    TooMuchOutput,
    /// A signal that neither it nor this process caused: the system is short of memory, or an operator ended it. Says
    /// nothing about its input.
    Killed(i32),
    /// It ended by itself.
    Ended(ExitStatus),
}

/// A child that did not answer.
#[derive(Clone, Debug)]
pub struct Failure {
    pub cause: Cause,
    /// The start of its standard error.
    pub errors: String,
}

/// How a child ended, seen from outside.
pub(crate) struct End {
    pub(crate) status: ExitStatus,
    /// This process killed it because it timed out.
    pub(crate) late: bool,
    /// This process killed it because it closed its output but did not end.
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
            // Rust prints the first text and aborts; other programs print the second and end.
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
    /// Whether the same input may succeed in another child. Not while this process is being ended itself, with its
    /// whole service.
    pub fn is_worth_another_child(self) -> bool {
        self == Self::Killed(Signal::KILL.as_raw())
    }
}

impl Failure {
    /// An error of the machine (`EAGAIN`), which makes the job queue retry. For a child that was ended from outside.
    pub fn into_retry(self) -> Retry {
        Retry { failure: self, source: io::Error::from_raw_os_error(libc::EAGAIN) }
    }
}

/// A child that was ended from outside: to be retried.
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
            Cause::OutOfTime => f.write_str("it ran out of time"),
            Cause::OutOfMemory => f.write_str("it ran out of memory"),
            Cause::TooMuchOutput => f.write_str("it wrote too much output"),
            Cause::Killed(signal) => write!(f, "it was ended from outside by signal {signal}"),
            Cause::Ended(status) => write!(f, "it ended with {status}"),
        }
    }
}

impl std::error::Error for Failure {}
