//! The run's own PostgreSQL cluster on loopback, which can be restarted, crashed, stopped and frozen.

use std::{
    env, fs,
    os::unix::{fs::chown, process::CommandExt as _},
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
};

use anyhow::{Context as _, ensure};
use rustix::process::{Pid, Signal, kill_process};

use crate::processes::{children_of, free_port};

const SUPERUSER: &str = "sealwright";

pub(crate) struct Postgres {
    programs: PathBuf,
    dir: PathBuf,
    /// The account that runs it if this program runs as root: PostgreSQL refuses to run as root.
    owner: Option<(u32, u32)>,
    port: u16,
    /// Holds the watchdog's standard input open as long as this process lives.
    watchdog: Option<Child>,
}

impl Postgres {
    /// # Errors
    /// If PostgreSQL is not installed, or does not start.
    pub(crate) fn start(folder: &Path) -> anyhow::Result<Self> {
        let programs = find_programs().context("PostgreSQL is missing (initdb, pg_ctl, createdb)")?;
        let owner = rustix::process::geteuid().is_root().then(postgres_account).transpose()?;
        // Not below the run's folder: the account of PostgreSQL may have no access to that.
        let dir = tempfile::Builder::new().prefix("sealwright-chaos-postgres-").tempdir()?.keep();
        if let Some((user, group)) = owner {
            chown(&dir, Some(user), Some(group)).context("give the folder to the account of PostgreSQL")?;
        }
        let mut postgres = Self { programs, dir, owner, port: free_port()?, watchdog: None };
        // Before there is anything to clean up: this process can be killed at any moment.
        postgres.watchdog = Some(postgres.start_watchdog()?);
        let init =
            ["--pgdata=data", "--encoding=UTF8", "--locale=C", "--auth=trust", "--no-sync", "--username", SUPERUSER];
        postgres.run("initdb", &init)?;
        postgres.resume()?;
        postgres.run("createdb", &["--template=template0", "sealwright"])?;
        fs::write(folder.join("postgres.folder"), postgres.dir.display().to_string())?;
        Ok(postgres)
    }

    pub(crate) fn url(&self) -> String {
        format!("postgres://{SUPERUSER}@127.0.0.1:{}/sealwright", self.port)
    }

    /// Starts it after [`Self::stop`].
    pub(crate) fn resume(&self) -> anyhow::Result<()> {
        // No file has to survive a crash of the machine, so fsync is not needed.
        let options = format!(
            "-c listen_addresses=127.0.0.1 -c port={} -c unix_socket_directories='{}' -c max_connections=200 -c fsync=off",
            self.port,
            self.dir.display()
        );
        self.run("pg_ctl", &["start", "--pgdata=data", "--log=log", "--wait", "--options", &options])
    }

    /// Ends its connections and stops it: cleanly (`fast`), or like a crash (`immediate`).
    pub(crate) fn stop(&self, mode: &str) -> anyhow::Result<()> {
        self.run("pg_ctl", &["stop", "--pgdata=data", "--wait", "--mode", mode])
    }

    /// Stops or continues every process of the cluster: a frozen one still accepts connections, and does not answer.
    pub(crate) fn freeze(&self, frozen: bool) -> anyhow::Result<()> {
        let text = fs::read_to_string(self.dir.join("data/postmaster.pid")).context("PostgreSQL does not run")?;
        let first = text.lines().next().and_then(|line| line.trim().parse().ok());
        let postmaster = first.and_then(Pid::from_raw).context("postmaster.pid has no number")?;
        let signal = if frozen { Signal::STOP } else { Signal::CONT };
        kill_process(postmaster, signal)?;
        for child in children_of(postmaster) {
            // One that has just ended needs no signal.
            let _ = kill_process(child, signal);
        }
        Ok(())
    }

    /// Starts a shell that waits for the end of this process, then stops the cluster and removes its folder.
    fn start_watchdog(&self) -> anyhow::Result<Child> {
        const SCRIPT: &str = r#"
            trap '' INT TERM HUP
            cat >/dev/null
            kill -CONT $(head -n 1 data/postmaster.pid)
            "$1/pg_ctl" stop --pgdata=data --mode=immediate --wait
            cd / && rm -rf "$2"
        "#;
        let mut shell = self.as_owner("sh");
        shell.args(["-c", SCRIPT, "watchdog"]).args([&self.programs, &self.dir]);
        shell.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
        shell.spawn().context("the watchdog of PostgreSQL cannot be started")
    }

    fn as_owner(&self, program: impl AsRef<Path>) -> Command {
        let mut command = Command::new(program.as_ref());
        if let Some((user, group)) = self.owner {
            command.uid(user).gid(group);
        }
        command.current_dir(&self.dir).env("LC_ALL", "C");
        command
    }

    fn run(&self, program: &str, arguments: &[&str]) -> anyhow::Result<()> {
        // A file, not a pipe: the server that pg_ctl leaves behind would hold a pipe open for ever.
        let output = self.dir.join(format!("{program}.output"));
        let file = fs::File::create(&output)?;
        let mut command = self.as_owner(self.programs.join(program));
        command.stdin(Stdio::null());
        command.env("PGHOST", "127.0.0.1").env("PGPORT", self.port.to_string()).env("PGUSER", SUPERUSER);
        let status = command.args(arguments).stdout(file.try_clone()?).stderr(file).status();
        let printed = fs::read_to_string(&output).unwrap_or_default();
        ensure!(status.as_ref().is_ok_and(ExitStatus::success), "{program}: {status:?}: {printed}");
        Ok(())
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        // It may be frozen, or stopped already.
        let _ = self.freeze(false);
        let _ = self.stop("immediate");
        if let Some(mut watchdog) = self.watchdog.take() {
            // Its standard input ends, and it removes the folder.
            drop(watchdog.stdin.take());
            let _ = watchdog.wait();
        }
    }
}

/// The newest installation under the folder where Debian keeps them, or the one on the `PATH`.
fn find_programs() -> Option<PathBuf> {
    let mut installed: Vec<(u32, PathBuf)> = fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| Some((entry.file_name().to_str()?.parse().ok()?, entry.path().join("bin"))))
        .collect();
    installed.sort();
    let on_path = env::var_os("PATH").map(|path| env::split_paths(&path).collect::<Vec<_>>()).unwrap_or_default();
    let newest_first = installed.into_iter().rev().map(|(_, bin)| bin);
    newest_first.chain(on_path).find(|bin| ["initdb", "pg_ctl", "createdb"].iter().all(|name| bin.join(name).is_file()))
}

fn postgres_account() -> anyhow::Result<(u32, u32)> {
    let id = |which: &str| {
        let output = Command::new("id").args([which, "postgres"]).output()?;
        let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        text.parse().context("PostgreSQL does not run as root, and there is no account named postgres")
    };
    Ok((id("-u")?, id("-g")?))
}
