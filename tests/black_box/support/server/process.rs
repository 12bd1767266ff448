//! The server's process: started, signalled, limited, killed and started again.

use std::{
    fs::{self, File},
    net::{SocketAddr, TcpListener},
    process::{ExitStatus, Stdio},
    time::Duration,
};

use hyper::Method;
use rustix::process::{Pid, Resource, Rlimit, Signal, getrlimit, kill_process, prlimit};

use super::{Addresses, TestServer};
use crate::support::{AMPLE, client::Api, eventually, ports};

/// The settings of the addresses.
const LISTEN: &str = "SEALWRIGHT_LISTEN";
const ADMIN_LISTEN: &str = "SEALWRIGHT_ADMIN_LISTEN";
/// The server writes these files to its data folder when it listens.
const PUBLIC_ADDRESS_FILE: &str = "listen.address";
const ADMIN_ADDRESS_FILE: &str = "admin.address";

impl TestServer {
    /// The identifier of the server's process.
    pub(crate) fn pid(&self) -> u32 {
        self.process.as_ref().expect("the server runs").id()
    }

    /// Kills the process like a crash (SIGKILL).
    pub(crate) fn kill(&mut self) {
        if let Some(mut process) = self.process.take() {
            process.kill().expect("kill the server");
            process.wait().expect("wait for the server");
        }
    }

    /// Limits the descriptors that the server can open to numbers below `limit`, and returns the previous limit.
    pub(crate) fn allow_descriptors(&self, limit: u64) -> u64 {
        let process = Pid::from_child(self.process.as_ref().expect("the server runs"));
        let maximum = getrlimit(Resource::Nofile).maximum;
        let before = prlimit(Some(process), Resource::Nofile, Rlimit { current: Some(limit), maximum });
        before.expect("limit the server").current.unwrap_or(u64::MAX)
    }

    /// Stops the server like an operator (SIGTERM), and requires that it drains and exits with success.
    pub(crate) async fn terminate(&mut self) {
        self.signal_to_drain();
        let status = self.wait_for_exit().await;
        assert!(status.success(), "after SIGTERM the server ended with {status}");
    }

    /// Pauses the process like an overloaded machine (SIGSTOP), until [`Self::thaw`].
    pub(crate) fn freeze(&self) {
        let process = self.process.as_ref().expect("the server runs");
        kill_process(Pid::from_child(process), Signal::STOP).expect("send SIGSTOP to the server");
    }

    pub(crate) fn thaw(&self) {
        let process = self.process.as_ref().expect("the server runs");
        kill_process(Pid::from_child(process), Signal::CONT).expect("send SIGCONT to the server");
    }

    /// Sends SIGTERM and does not wait.
    pub(crate) fn signal_to_drain(&self) {
        let process = self.process.as_ref().expect("the server runs");
        kill_process(Pid::from_child(process), Signal::TERM).expect("send SIGTERM to the server");
    }

    /// Waits until the server has ended by itself, at most the 30 s that it may drain and some more.
    pub(crate) async fn wait_for_exit(&mut self) -> ExitStatus {
        let mut process = self.process.take().expect("the server runs");
        eventually("the server ends", Duration::from_secs(30) + AMPLE, async || {
            process.try_wait().expect("ask for the server's state")
        })
        .await
    }

    /// Restarts the server with the same data and addresses; kills it first if it runs.
    pub(crate) async fn restart(&mut self) {
        self.kill();
        let addresses = self.addresses();
        self.set(LISTEN, &addresses.public.to_string());
        self.set(ADMIN_LISTEN, &addresses.admin.to_string());
        // The last process may still be there for a moment.
        let is_free = |address| TcpListener::bind(address).is_ok();
        eventually("the server's addresses are free", AMPLE, async || {
            (is_free(addresses.public) && is_free(addresses.admin)).then_some(())
        })
        .await;
        self.launch().await;
    }

    /// Restarts the server with half of its work, or all of it: `api` leaves every job in the queue.
    pub(crate) async fn restart_as(&mut self, role: &'static str) {
        self.restart_with(&["serve", "--role", role]).await;
    }

    /// Restarts the server by another command.
    pub(crate) async fn restart_with(&mut self, words: &[&'static str]) {
        self.words = words.to_vec();
        self.restart().await;
    }

    /// The log of the server since its first start.
    pub(crate) fn log(&self) -> String {
        fs::read_to_string(self.log_path()).unwrap_or_default()
    }

    /// Starts the process and waits until it is ready and has written its addresses.
    pub(super) async fn launch(&mut self) {
        for name in [PUBLIC_ADDRESS_FILE, ADMIN_ADDRESS_FILE] {
            // Absent at the first start; a stale one would name the port of an ended process.
            let _ = fs::remove_file(self.data_dir().join(name));
        }
        let log = File::options().create(true).append(true).open(self.log_path()).expect("open the log");
        let mut serve = self.command(&self.words);
        if self.addresses.is_none() {
            for name in [LISTEN, ADMIN_LISTEN] {
                serve.env(name, ports::next_address().to_string());
            }
        }
        serve.stdin(Stdio::null()).stdout(log.try_clone().expect("share the log")).stderr(log);
        self.process = Some(serve.spawn().expect("start sealwright serve"));
        if self.words.contains(&"worker") {
            // A worker answers operators only.
            let admin = self.await_address(ADMIN_ADDRESS_FILE).await;
            self.addresses = Some(Addresses { public: admin, admin });
            let operator = Api::new(&self.admin_url(), None);
            eventually("the worker is ready", AMPLE, async || {
                (operator.get("/metrics").await.status == 200).then_some(())
            })
            .await;
            return;
        }
        let public = self.await_address(PUBLIC_ADDRESS_FILE).await;
        let admin = self.await_address(ADMIN_ADDRESS_FILE).await;
        self.addresses = Some(Addresses { public, admin });
        let anonymous = self.anonymous();
        eventually("the server is ready", AMPLE, async || {
            // A connection is cut off if it is accepted just before the server that answers during startup ends.
            let answer = anonymous.request(Method::GET, "/readyz").send().await.ok()?;
            (answer.status() == 200).then_some(())
        })
        .await;
    }

    async fn await_address(&mut self, name: &str) -> SocketAddr {
        let path = self.data_dir().join(name);
        eventually(&format!("the server writes {name}"), AMPLE, async || {
            self.check_alive();
            // A half-written file has no line end, and is read again.
            fs::read_to_string(&path).ok()?.strip_suffix('\n')?.parse().ok()
        })
        .await
    }

    fn check_alive(&mut self) {
        let process = self.process.as_mut().expect("the server was started");
        if let Some(status) = process.try_wait().expect("ask for the server's state") {
            self.process = None;
            panic!("the server ended with {status} before it was ready");
        }
    }
}
