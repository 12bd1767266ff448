//! A child and all processes that it started: they are ended together.

use std::{
    io,
    process::{Child, ExitStatus},
    thread,
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

/// A child, killed when dropped, so that no path leaves it running.
pub(crate) struct Descendants {
    pub(crate) child: Child,
    /// Whether it leads a process group, which contains what it started.
    heads_group: bool,
    is_reaped: bool,
}

impl Descendants {
    pub(crate) fn of(child: Child, heads_group: bool) -> Self {
        Self { child, heads_group, is_reaped: false }
    }

    /// Kills all of them, and returns the status of the child.
    pub(crate) fn kill(&mut self) -> io::Result<ExitStatus> {
        if !self.is_reaped {
            // Its process id, which is the group's, is not reused before it is waited for.
            self.kill_group();
            let _ = self.child.kill();
        }
        self.is_reaped = true;
        self.child.wait()
    }

    /// The status of a child that is about to end, and whether it had to be killed because it did not end within
    /// `grace`. What it started and left behind is killed.
    pub(crate) fn end(&mut self, grace: Duration) -> io::Result<(ExitStatus, bool)> {
        if self.is_reaped {
            return Ok((self.child.wait()?, false));
        }
        let until = Instant::now() + grace;
        let mut pause = Duration::from_micros(200);
        while !self.has_ended()? {
            if Instant::now() >= until {
                return Ok((self.kill()?, true));
            }
            thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(20));
        }
        self.kill_group();
        self.is_reaped = true;
        Ok((self.child.wait()?, false))
    }

    fn has_ended(&self) -> io::Result<bool> {
        let Some(pid) = self.pid() else { return Ok(true) };
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        Ok(waitid(WaitId::Pid(pid), options)?.is_some())
    }

    fn kill_group(&self) {
        if let Some(group) = self.pid().filter(|_| self.heads_group) {
            // It fails when all have ended already.
            let _ = kill_process_group(group, Signal::KILL);
        }
    }

    fn pid(&self) -> Option<Pid> {
        i32::try_from(self.child.id()).ok().and_then(Pid::from_raw)
    }
}

impl Drop for Descendants {
    fn drop(&mut self) {
        if !self.is_reaped {
            let _ = self.kill();
        }
    }
}
