//! A PostgreSQL cluster for a single test, which may stop and freeze it. The shared cluster is in [`postgres`].

use std::fs;

use rustix::process::{Pid, Signal, kill_process};

use super::postgres::{self, Cluster, SUPERUSER, find_programs};

/// Removed when it is dropped.
pub(crate) struct OwnCluster(Cluster);

impl OwnCluster {
    /// `None` if PostgreSQL is missing (see [`postgres::is_there`]).
    pub(crate) fn start() -> Option<Self> {
        postgres::is_there().then(|| Self(Cluster::start(find_programs().expect("PostgreSQL is installed"))))
    }

    /// The address of an empty database.
    pub(crate) fn url(&self) -> String {
        format!("postgres://{SUPERUSER}@127.0.0.1:{}/postgres", self.0.port)
    }

    /// What the cluster has logged so far.
    pub(crate) fn log(&self) -> String {
        String::from_utf8_lossy(&fs::read(self.0.dir.join("log")).expect("read the log of PostgreSQL")).into_owned()
    }

    /// Pauses every process of the cluster: connections stay open and nothing is answered.
    pub(crate) fn freeze(&self) {
        // The main process first, so that it starts no other.
        self.signal_all(Signal::STOP);
    }

    pub(crate) fn thaw(&self) {
        self.signal_all(Signal::CONT);
    }

    /// Shuts the cluster down.
    pub(crate) fn stop(&self) {
        self.0.run("pg_ctl", &["stop", "--pgdata=data", "--mode=fast", "--wait"]);
    }

    pub(crate) fn start_again(&self) {
        self.0.start_server();
    }

    fn signal_all(&self, signal: Signal) {
        let text = fs::read_to_string(self.0.dir.join("data/postmaster.pid")).expect("the cluster runs");
        let first: i32 = text.lines().next().and_then(|line| line.parse().ok()).expect("a process's number");
        let first = Pid::from_raw(first).expect("a process's number");
        kill_process(first, signal).expect("send a signal to PostgreSQL");
        let tasks = format!("/proc/{}/task/{}/children", first.as_raw_nonzero(), first.as_raw_nonzero());
        let children = fs::read_to_string(tasks).expect("the processes of PostgreSQL");
        for child in children.split_whitespace().filter_map(|child| Pid::from_raw(child.parse().ok()?)) {
            // A process that has just ended does not matter.
            let _ = kill_process(child, signal);
        }
    }
}

impl Drop for OwnCluster {
    fn drop(&mut self) {
        // The watchdog cannot stop frozen processes. If the file is missing, the cluster is already shut down.
        if self.0.dir.join("data/postmaster.pid").exists() {
            self.thaw();
        }
    }
}
