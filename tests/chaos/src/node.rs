//! One process of the real program: it is started, killed, stopped, and restarted as by a supervisor.

use std::{
    fs::{self, File},
    io::{Read as _, Write as _},
    net::{SocketAddr, TcpStream},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use anyhow::Context as _;
use rustix::process::{Pid, Signal, kill_process};

use crate::processes::free_port;

pub(crate) struct Node {
    pub(crate) name: String,
    pub(crate) role: &'static str,
    pub(crate) address: SocketAddr,
    admin: SocketAddr,
    settings: NodeSettings,
    process: Option<Child>,
    pub(crate) was_ready: bool,
    /// When a supervisor starts it again after it has ended by itself.
    pub(crate) starts_at: Option<Instant>,
}

/// The settings that a process of the node is started with.
#[derive(Clone)]
pub(crate) struct NodeSettings {
    folder: PathBuf,
    /// By the names of their environment variables.
    variables: Vec<(String, String)>,
}

impl NodeSettings {
    /// A command of the program with these settings.
    pub(crate) fn command(&self, program: &Path, arguments: &[&str]) -> Command {
        let mut command = Command::new(program);
        // Only the run's settings: no setting, proxy or credential of the user must take effect.
        command.env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default()).env("RUST_BACKTRACE", "1");
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        command.current_dir(&self.folder).args(arguments).stdin(Stdio::null());
        command
    }
}

impl Node {
    /// A node that does not run yet. All its files are below `folder`; `settings` are by their variables' names.
    pub(crate) fn new(folder: PathBuf, role: &'static str, settings: &[(String, String)]) -> anyhow::Result<Self> {
        fs::create_dir_all(&folder)?;
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let (address, admin) = (local(free_port()?), local(free_port()?));
        let settings_of_node = NodeSettings { folder, variables: Vec::new() };
        let mut node = Self {
            name,
            role,
            address,
            admin,
            settings: settings_of_node,
            process: None,
            was_ready: false,
            starts_at: None,
        };
        node.set("SEALWRIGHT_DATA_DIR", &node.data_dir().display().to_string());
        node.set("SEALWRIGHT_LISTEN", &address.to_string());
        node.set("SEALWRIGHT_ADMIN_LISTEN", &admin.to_string());
        node.set("SEALWRIGHT_WEBHOOK_ALLOW_PRIVATE_ADDRESSES", "true");
        node.set("SEALWRIGHT_LOG_FORMAT", "text");
        for (name, value) in settings {
            node.set(name, value);
        }
        Ok(node)
    }

    pub(crate) fn settings(&self) -> NodeSettings {
        self.settings.clone()
    }

    pub(crate) fn data_dir(&self) -> PathBuf {
        self.settings.folder.join("data")
    }

    pub(crate) fn set(&mut self, name: &str, value: &str) {
        self.settings.variables.retain(|(set, _)| set != name);
        self.settings.variables.push((name.to_owned(), value.to_owned()));
    }

    pub(crate) fn start(&mut self, program: &Path) -> anyhow::Result<()> {
        let log = File::options().create(true).append(true).open(self.settings.folder.join("log"))?;
        let mut serve = self.settings.command(program, &["serve", "--role", self.role]);
        serve.stdout(log.try_clone()?).stderr(log);
        self.process = Some(serve.spawn().with_context(|| format!("{} cannot be started", program.display()))?);
        self.was_ready = false;
        self.starts_at = None;
        Ok(())
    }

    pub(crate) fn kill(&mut self) {
        if let Some(mut process) = self.process.take() {
            let _ = process.kill();
            let _ = process.wait();
        }
    }

    pub(crate) fn signal(&self, signal: Signal) -> anyhow::Result<()> {
        let process = self.process.as_ref().context("the node does not run")?;
        kill_process(Pid::from_child(process), signal)?;
        Ok(())
    }

    /// How the process ended, if it did so by itself.
    pub(crate) fn ended(&mut self) -> Option<String> {
        let status = self.process.as_mut()?.try_wait().ok()??;
        self.process = None;
        Some(status.to_string())
    }

    /// Whether it answers at its admin address, which it serves only when everything is open.
    pub(crate) fn is_ready(&self) -> bool {
        const TIMEOUT: Duration = Duration::from_millis(500);
        let asked = || -> std::io::Result<String> {
            let mut stream = TcpStream::connect_timeout(&self.admin, TIMEOUT)?;
            stream.set_read_timeout(Some(TIMEOUT))?;
            stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: admin\r\nConnection: close\r\n\r\n")?;
            let mut answer = [0; 12];
            stream.read_exact(&mut answer)?;
            Ok(String::from_utf8_lossy(&answer).into_owned())
        };
        asked().is_ok_and(|answer| answer.starts_with("HTTP/1.1"))
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        self.kill();
    }
}

fn local(port: u16) -> SocketAddr {
    SocketAddr::from(([127, 0, 0, 1], port))
}
