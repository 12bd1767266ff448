//! The release program as a process, with a data folder of its own and the benchmarks' company.

use std::{
    env, fs,
    net::SocketAddr,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use anyhow::{Context as _, bail, ensure};
use hyper::StatusCode;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::load::{Call, Client};

/// Names another build of the program to measure, to compare two builds.
const PROGRAM: &str = "SEALWRIGHT_BENCH_PROGRAM";
const COMPANY_MANIFEST: &str = include_str!("company.toml");
/// The frame of that company, and its steps for photos and documents.
pub(crate) const FRAME: i64 = 10;
pub(crate) const PHOTO_STEP: i64 = 101;
pub(crate) const DOCUMENT_STEP: i64 = 105;
pub(crate) const COMPANY: i64 = 1;
pub(crate) const USER: &str = "usr-bench";

/// A data folder with a database that is set up, without a running server.
pub(crate) struct DataFolder {
    folder: TempDir,
    database_url: Option<String>,
}

/// A running server. Dropping it kills the process and then removes the folder.
pub(crate) struct Server {
    // Declared before `data`, so that it is dropped first.
    process: Process,
    data: DataFolder,
    pub(crate) address: SocketAddr,
    pub(crate) admin: SocketAddr,
    /// The time from the start of the process to its first answer that it is ready.
    pub(crate) ready_after: Duration,
}

struct Process(Child);

impl DataFolder {
    /// Sets up SQLite, or the PostgreSQL database of an URL.
    pub(crate) fn new(database_url: Option<String>) -> anyhow::Result<Self> {
        // In the target folder, because the system's temporary folder may be memory, where no write takes time.
        let folder = tempfile::Builder::new().prefix("bench-").tempdir_in(env!("CARGO_TARGET_TMPDIR"))?;
        let data = Self { folder, database_url };
        data.apply(COMPANY_MANIFEST)?;
        Ok(data)
    }

    /// Sets up a second company: the user `other`, and 2 instead of 1 in the identifiers of its frame and steps.
    pub(crate) fn apply_second_company(&self) -> anyhow::Result<()> {
        let names = COMPANY_MANIFEST.replace("\"bench\"", "\"other\"").replace("usr-bench", "usr-other");
        self.apply(&names.replace("id = 10", "id = 20").replace("id = 1\n", "id = 2\n"))
    }

    fn apply(&self, manifest: &str) -> anyhow::Result<()> {
        let file = self.folder().join("company.toml");
        fs::write(&file, manifest)?;
        let output = self.command("apply").arg(file).output().context("starting sealwright")?;
        ensure!(output.status.success(), "sealwright apply: {}", String::from_utf8_lossy(&output.stderr));
        Ok(())
    }

    /// Adds an operator of the console.
    pub(crate) fn add_console_user(&self, username: &str, password: &str) -> anyhow::Result<()> {
        let mut add = self.command("user");
        add.args(["add", username, "--role", "operator", "--password-env", "PASSWORD"]).env("PASSWORD", password);
        let output = add.output().context("starting sealwright")?;
        ensure!(output.status.success(), "sealwright user add: {}", String::from_utf8_lossy(&output.stderr));
        Ok(())
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The SQLite file.
    pub(crate) fn database(&self) -> PathBuf {
        self.folder().join("data/sealwright.db")
    }

    fn command(&self, task: &str) -> Command {
        let mut command = Command::new(program());
        command.env_clear().current_dir(self.folder()).arg(task);
        command.env("SEALWRIGHT_DATA_DIR", self.folder().join("data"));
        command.env("SEALWRIGHT_LISTEN", "127.0.0.1:0").env("SEALWRIGHT_ADMIN_LISTEN", "127.0.0.1:0");
        command.envs(self.database_url.as_ref().map(|url| ("SEALWRIGHT_DATABASE_URL", url)));
        command
    }
}

/// The program that is measured.
pub(crate) fn program() -> PathBuf {
    env::var_os(PROGRAM).map_or_else(|| env!("CARGO_BIN_EXE_sealwright").into(), PathBuf::from)
}

impl Server {
    /// Starts the server and waits until it is ready.
    pub(crate) async fn start(data: DataFolder) -> anyhow::Result<Self> {
        let addresses = ["listen.address", "admin.address"].map(|name| data.folder().join("data").join(name));
        for file in &addresses {
            // Left by an earlier start, with a port that the server no longer uses.
            let _ = fs::remove_file(file);
        }
        let mut command = data.command("serve");
        // Warnings and errors are for the person who runs the benchmarks.
        command.env("SEALWRIGHT_LOG_LEVEL", "warn").stdin(Stdio::null()).stdout(Stdio::null());
        let start = Instant::now();
        let mut process = Process(command.spawn().context("starting sealwright serve")?);
        let [address, admin] = process.await_addresses(addresses).await?;
        process.await_ready(address).await?;
        Ok(Self { process, data, address, admin, ready_after: start.elapsed() })
    }

    /// Ends the process and starts another on the same data.
    pub(crate) async fn restart(self) -> anyhow::Result<Self> {
        Self::start(self.stop()).await
    }

    /// Ends the process and returns its data folder.
    pub(crate) fn stop(self) -> DataFolder {
        drop(self.process);
        self.data
    }

    /// A token of the company's API user.
    pub(crate) async fn sign_in(&self) -> anyhow::Result<String> {
        self.sign_in_as("bench").await
    }

    /// A token of a company's API user.
    pub(crate) async fn sign_in_as(&self, username: &str) -> anyhow::Result<String> {
        let body = json!({ "username": username, "password": "bench password" }).to_string();
        let mut client = Client::connect(self.address, "none").await?;
        let answer = client.send(Call::post("/auth/token", body, StatusCode::OK)).await?;
        let answer: Value = serde_json::from_slice(&answer)?;
        Ok(answer["token"].as_str().context("no token in the answer")?.to_owned())
    }

    /// `count` clients that are signed in.
    pub(crate) async fn clients(&self, count: usize) -> anyhow::Result<Vec<Client>> {
        let token = self.sign_in().await?;
        Client::connect_many(count, self.address, &token).await
    }

    pub(crate) fn data(&self) -> &DataFolder {
        &self.data
    }

    pub(crate) fn process_id(&self) -> u32 {
        self.process.0.id()
    }
}

impl Process {
    async fn await_addresses(&mut self, files: [PathBuf; 2]) -> anyhow::Result<[SocketAddr; 2]> {
        // A file that is only half written does not end with a newline.
        let read = |file: &PathBuf| fs::read_to_string(file).ok()?.strip_suffix('\n')?.parse().ok();
        loop {
            if let [Some(address), Some(admin)] = [read(&files[0]), read(&files[1])] {
                return Ok([address, admin]);
            }
            self.check_alive()?;
            pause().await;
        }
    }

    async fn await_ready(&mut self, address: SocketAddr) -> anyhow::Result<()> {
        loop {
            // Connecting succeeds as soon as the port is bound; the answer comes when the server accepts.
            let mut client = Client::connect(address, "none").await?;
            if client.send(Call::get("/readyz")).await.is_ok() {
                return Ok(());
            }
            self.check_alive()?;
            pause().await;
        }
    }

    fn check_alive(&mut self) -> anyhow::Result<()> {
        if let Some(status) = self.0.try_wait()? {
            bail!("the server ended with {status} before it was ready");
        }
        Ok(())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended by itself; there is nothing left to do then.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The pause between two checks.
async fn pause() {
    tokio::time::sleep(Duration::from_millis(1)).await;
}
