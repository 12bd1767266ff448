//! The server as a child process: started on free ports, awaited, stopped with SIGTERM and never left behind.

use std::{
    env,
    fs::{self, File},
    net::{Ipv4Addr, SocketAddr, TcpListener},
    os::unix::process::CommandExt as _,
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus},
    thread,
    time::Duration,
};

use anyhow::{Context as _, bail, ensure};
use rustix::process::{Pid, Signal, kill_process};
use ureq::http::StatusCode;

use super::{
    api::Api,
    company::Company,
    poll::{Interrupted, poll},
};

/// The first start of a development build compiles the plugins and creates the database.
const START_LIMIT: Duration = Duration::from_mins(2);
/// The server drains for 30 s at most.
const STOP_LIMIT: Duration = Duration::from_secs(40);
const PAUSE: Duration = Duration::from_millis(50);
const TAIL_LINES: usize = 40;
/// The settings of the server come as environment variables with this prefix.
const PREFIX: &str = "SEALWRIGHT_";

pub(super) struct Server {
    program: PathBuf,
    settings: Vec<(&'static str, String)>,
    listen: SocketAddr,
    /// Where the program runs: not in a folder that may contain a developer's `sealwright.toml`.
    work_dir: PathBuf,
    log: PathBuf,
    child: Child,
}

impl Server {
    /// Starts `program` with its data in `data_dir`; the log and the company manifest go to `work_dir`.
    pub(super) fn start(program: &Path, data_dir: &Path, work_dir: &Path) -> anyhow::Result<Self> {
        fs::create_dir_all(data_dir).with_context(|| format!("cannot create {}", data_dir.display()))?;
        let data_dir = data_dir.canonicalize()?;
        let listen = free_address(8080)?;
        let admin_listen = free_address(8081)?;
        let settings = vec![
            ("SEALWRIGHT_LISTEN", listen.to_string()),
            ("SEALWRIGHT_ADMIN_LISTEN", admin_listen.to_string()),
            ("SEALWRIGHT_BASE_URL", format!("http://{listen}")),
            ("SEALWRIGHT_DATA_DIR", data_dir.to_str().context("the data folder's name is not UTF-8")?.to_owned()),
            ("SEALWRIGHT_WEBHOOK_ALLOW_PRIVATE_ADDRESSES", "true".to_owned()),
            ("SEALWRIGHT_LOG_FORMAT", "text".to_owned()),
        ];
        let log = work_dir.join("server.log");
        let output = File::create(&log).with_context(|| format!("cannot write {}", log.display()))?;
        let mut command = configured(program, &settings, work_dir);
        command.arg("serve").stdout(output.try_clone()?).stderr(output);
        // Ctrl-C reaches the whole foreground group; the server gets its SIGTERM from `stop`, after the last answer.
        let child = command.process_group(0).spawn().with_context(|| format!("cannot start {}", program.display()))?;
        Ok(Self { program: program.into(), settings, listen, work_dir: work_dir.into(), log, child })
    }

    pub(super) fn base_url(&self) -> String {
        format!("http://{}", self.listen)
    }

    pub(super) fn wait_until_ready(&mut self, api: &Api, interrupted: &Interrupted) -> anyhow::Result<()> {
        let ready = poll(START_LIMIT, interrupted, || {
            if let Some(status) = self.ended()? {
                bail!("the server ended before it was ready ({status})");
            }
            Ok(api.status("/readyz").filter(StatusCode::is_success))
        })?;
        ready.with_context(|| format!("the server was not ready within {} s", START_LIMIT.as_secs())).map(drop)
    }

    /// Applies the company manifest with the program's own command, as an operator does on a live server.
    pub(super) fn apply(&self, company: &Company) -> anyhow::Result<()> {
        let path = self.work_dir.join("company.toml");
        fs::write(&path, company.to_toml())?;
        let output = configured(&self.program, &self.settings, &self.work_dir).arg("apply").arg(&path).output()?;
        let printed = String::from_utf8_lossy(&output.stdout);
        ensure!(
            output.status.success(),
            "sealwright apply failed ({}): {printed}{}",
            output.status,
            String::from_utf8_lossy(&output.stderr)
        );
        print!("{printed}");
        Ok(())
    }

    /// How the server ended, if it did.
    pub(super) fn ended(&mut self) -> anyhow::Result<Option<ExitStatus>> {
        Ok(self.child.try_wait()?)
    }

    /// The last lines of the log.
    pub(super) fn log_tail(&self) -> String {
        let log = fs::read(&self.log).unwrap_or_default();
        let log = String::from_utf8_lossy(&log);
        let lines: Vec<_> = log.lines().collect();
        lines[lines.len().saturating_sub(TAIL_LINES)..].join("\n")
    }

    /// Asks the server to drain and waits for it; one that does not end in time is killed.
    pub(super) fn stop(&mut self) {
        let still_running = |child: &mut Child| matches!(child.try_wait(), Ok(None));
        if !still_running(&mut self.child) {
            return;
        }
        // The process has not been waited for, so its identifier is still its own.
        let signalled =
            Pid::from_raw(self.child.id().cast_signed()).is_some_and(|pid| kill_process(pid, Signal::TERM).is_ok());
        let mut waited = Duration::ZERO;
        while signalled && waited < STOP_LIMIT {
            if !still_running(&mut self.child) {
                return;
            }
            thread::sleep(PAUSE);
            waited += PAUSE;
        }
        // Killing fails only if it has just ended, which is fine.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
    }
}

/// A call of the program with these settings and without the developer's own.
fn configured(program: &Path, settings: &[(&str, String)], work_dir: &Path) -> Command {
    let mut command = Command::new(program);
    let inherited = env::vars_os().map(|(name, _)| name);
    for name in inherited.filter(|name| name.to_string_lossy().starts_with(PREFIX)) {
        command.env_remove(name);
    }
    command.current_dir(work_dir).envs(settings.iter().map(|(name, value)| (name, value)));
    command
}

/// The preferred port of the loopback address, or another one if it is in use.
fn free_address(wanted: u16) -> anyhow::Result<SocketAddr> {
    let listener =
        TcpListener::bind((Ipv4Addr::LOCALHOST, wanted)).or_else(|_| TcpListener::bind((Ipv4Addr::LOCALHOST, 0)));
    Ok(listener.context("no free port")?.local_addr()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_in_use_is_left_alone() {
        let taken = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let wanted = taken.local_addr().unwrap().port();
        assert_ne!(free_address(wanted).unwrap().port(), wanted);
    }
}
