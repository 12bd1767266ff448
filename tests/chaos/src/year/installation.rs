//! The installation that lives through the year: it begins as one of the last release, and moves to PostgreSQL.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    time::Duration,
};

use anyhow::{Context as _, ensure};
use serde_json::Value;

use super::{clock::Clock, ledger::Inherited, process};
use crate::{cluster::Operator, node::Node, postgres::Postgres};

/// An installation of the last release, with cases in every state.
const FIXTURE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../fixtures/upgrade/installation.tar.xz");
/// Files next to the data that a backup does not contain.
const KEYS: [&str; 3] = ["secret.key", "development-authority", "signing-certificates"];

pub(super) struct Installation {
    program: PathBuf,
    folder: PathBuf,
    node: Node,
    settings: Vec<(String, String)>,
    postgres: Option<Postgres>,
}

/// What the installation of the release leaves to the year.
pub(super) struct Heritage {
    pub(super) certificates: Vec<Inherited>,
    /// Cases that the release has given up, or whose certificates can never be complete.
    pub(super) hopeless: Vec<i64>,
}

impl Installation {
    /// Unpacks the installation of the release. It is not started.
    pub(super) fn inherit(program: &Path, folder: &Path, clock: &Clock) -> anyhow::Result<(Self, Heritage)> {
        let unpacked = folder.join("release");
        fs::create_dir_all(&unpacked)?;
        let mut tar = Command::new("tar");
        tar.args(["--no-same-owner", "-xJf", FIXTURE, "-C"]).arg(&unpacked);
        must("tar", &tar.output().context("tar cannot be started")?)?;
        let node = Node::new(folder.join("first"), "all", &[])?;
        fs::rename(unpacked.join("sqlite"), node.data_dir())?;
        let heritage = Heritage::read(&node.data_dir().join("expected.json"))?;
        let base_url = format!("http://{}", node.address);
        let (program, folder) = (program.to_owned(), folder.to_owned());
        let mut installation = Self { program, folder, node, settings: Vec::new(), postgres: None };
        for (name, value) in clock.variables() {
            installation.set(name, &value);
        }
        installation.set("SEALWRIGHT_BASE_URL", &base_url);
        Ok((installation, heritage))
    }

    /// Changes a setting for commands, and for the server from its next start.
    pub(super) fn set(&mut self, name: &str, value: &str) {
        self.settings.retain(|(set, _)| set != name);
        self.settings.push((name.to_owned(), value.to_owned()));
        self.node.set(name, value);
    }

    pub(super) fn base_url(&self) -> String {
        format!("http://{}", self.node.address)
    }

    pub(super) fn data_dir(&self) -> PathBuf {
        self.node.data_dir()
    }

    pub(super) fn store(&self) -> PathBuf {
        self.node.data_dir().join("blobs")
    }

    pub(super) const fn database(&self) -> &'static str {
        if self.postgres.is_some() { "PostgreSQL" } else { "SQLite" }
    }

    pub(super) async fn start(&mut self) -> anyhow::Result<()> {
        process::start(&mut self.node, &self.program).await
    }

    pub(super) async fn stop(&mut self) -> anyhow::Result<()> {
        process::stop(&mut self.node).await
    }

    pub(super) fn kill(&mut self) {
        self.node.kill();
    }

    /// Whether the server has ended by itself.
    pub(super) fn has_ended(&mut self) -> Option<String> {
        self.node.ended()
    }

    pub(super) fn run(&self, arguments: &[&str]) -> anyhow::Result<Output> {
        Operator::new(&self.program, self.node.settings()).run(arguments).context("the program cannot be started")
    }

    /// A command that must succeed, and the JSON that it prints.
    pub(super) fn json(&self, arguments: &[&str]) -> anyhow::Result<Value> {
        let output = self.must(arguments)?;
        serde_json::from_slice(&output.stdout).with_context(|| format!("{arguments:?} prints no JSON"))
    }

    pub(super) fn must(&self, arguments: &[&str]) -> anyhow::Result<Output> {
        let output = self.run(arguments)?;
        must(&arguments.join(" "), &output)?;
        Ok(output)
    }

    /// Starts a command next to the server.
    pub(super) fn spawn(&self, arguments: &[&str]) -> anyhow::Result<Child> {
        let mut command = self.node.settings().command(&self.program, arguments);
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().context("the program cannot be started")
    }

    /// Makes the files unusable, or usable again. Not by their mode: the server may run as root.
    pub(super) fn hide_store(&self, is_hidden: bool) -> anyhow::Result<()> {
        let (store, aside) = (self.store(), self.data_dir().join("blobs-aside"));
        if is_hidden {
            fs::rename(&store, &aside)?;
            fs::write(&store, "not a folder")?;
        } else {
            fs::remove_file(&store)?;
            fs::rename(&aside, &store)?;
        }
        Ok(())
    }

    /// Crashes the database, and starts it again after a while.
    pub(super) async fn crash_database(&self, pause: Duration) -> anyhow::Result<()> {
        let postgres = self.postgres.as_ref().context("SQLite has no process that can crash")?;
        postgres.stop("immediate")?;
        tokio::time::sleep(pause).await;
        postgres.resume()
    }

    /// Makes an installation on PostgreSQL from the newest backup, with the same keys and at the same address. The
    /// server must not run.
    pub(super) fn restore(&mut self, place: &str, checkpoint: &Path) -> anyhow::Result<()> {
        let postgres = Postgres::start(&self.folder)?;
        self.settings.push(("SEALWRIGHT_DATABASE_URL".to_owned(), postgres.url()));
        self.postgres = Some(postgres);
        let mut node = Node::new(self.folder.join("second"), "all", &self.settings)?;
        node.set("SEALWRIGHT_LISTEN", &self.node.address.to_string());
        node.address = self.node.address;
        let (from, to) = (self.node.data_dir(), node.data_dir());
        fs::create_dir_all(&to)?;
        for entry in fs::read_dir(&from)? {
            let entry = entry?;
            if KEYS.iter().any(|key| entry.file_name().to_string_lossy().starts_with(key)) {
                let mut copy = Command::new("cp");
                must("cp", &copy.arg("-a").arg(entry.path()).arg(&to).output()?)?;
            }
        }
        self.node = node;
        let checkpoint = checkpoint.display().to_string();
        let restored = self.json(&["restore", place, "--checkpoint", &checkpoint, "--json"])?;
        ensure!(restored["logStopped"] != true, "the restored log does not extend the last checkpoint: {restored}");
        Ok(())
    }
}

impl Heritage {
    fn read(file: &Path) -> anyhow::Result<Self> {
        let expected: Value = serde_json::from_slice(&fs::read(file)?)?;
        let mut certificates = Vec::new();
        let mut hopeless: Vec<i64> = expected["givenUp"]["case"].as_i64().into_iter().collect();
        for certificate in expected["certificates"].as_array().into_iter().flatten() {
            let is_from_outside = certificate["level"] == "B-T";
            if is_from_outside {
                hopeless.extend(certificate["case"].as_i64());
            }
            let path = certificate["path"].as_str().context("a certificate without a path")?.to_owned();
            certificates.push(Inherited { path, is_from_outside });
        }
        let sealing = expected["sealing"]["path"].as_str().context("the release was sealing a case")?.to_owned();
        certificates.push(Inherited { path: sealing, is_from_outside: false });
        Ok(Self { certificates, hopeless })
    }
}

fn must(what: &str, output: &Output) -> anyhow::Result<()> {
    let printed = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned()).concat();
    ensure!(output.status.success(), "{what}: {}: {printed}", output.status);
    Ok(())
}
