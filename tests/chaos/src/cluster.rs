//! The whole installation: nodes of the real program, and their dependencies.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Output,
    time::{Duration, Instant},
};

use anyhow::{Context as _, bail, ensure};
use rustix::process::Signal;

use crate::{
    disk::Disk,
    node::{Node, NodeSettings},
    postgres::Postgres,
    receiver::{Behaviour, Receivers},
    schedule::{Kind, Subject},
    store::Store,
};

/// The usual delay of supervisors.
const RESTART_PAUSE: Duration = Duration::from_secs(1);

pub(crate) struct Cluster {
    program: PathBuf,
    folder: PathBuf,
    pub(crate) nodes: Vec<Node>,
    /// Nodes that a fault keeps down.
    down: Vec<bool>,
    postgres: Option<Postgres>,
    store: Option<Store>,
    disk: Option<Disk>,
}

/// Runs commands of the program, like an operator.
#[derive(Clone)]
pub(crate) struct Operator {
    program: PathBuf,
    settings: NodeSettings,
}

impl Operator {
    pub(crate) fn new(program: &Path, settings: NodeSettings) -> Self {
        Self { program: program.to_owned(), settings }
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> std::io::Result<Output> {
        self.settings.command(&self.program, arguments).output()
    }
}

/// The places of the nodes that answer requests, and of those that run jobs.
pub(crate) struct Places {
    pub(crate) nodes: usize,
    pub(crate) apis: Vec<usize>,
    pub(crate) workers: Vec<usize>,
}

impl Cluster {
    /// Two nodes for requests and two for jobs, on PostgreSQL and an S3-compatible store. The nodes do not run yet.
    pub(crate) fn of_many(program: &Path, folder: &Path) -> anyhow::Result<Self> {
        let (postgres, store) = (Postgres::start(folder)?, Store::start(folder)?);
        let mut settings = store.settings();
        settings.push(("SEALWRIGHT_DATABASE_URL".into(), postgres.url()));
        let roles = [("api-0", "api"), ("api-1", "api"), ("worker-0", "worker"), ("worker-1", "worker")];
        let nodes = roles.map(|(name, role)| Node::new(folder.join(name), role, &settings));
        let nodes = nodes.into_iter().collect::<anyhow::Result<Vec<_>>>()?;
        Ok(Self::with(program, folder, nodes, Some(postgres), Some(store), None))
    }

    /// One node on SQLite and a local folder, both on a disk that can be filled.
    pub(crate) fn of_one(program: &Path, folder: &Path) -> anyhow::Result<Self> {
        let node = Node::new(folder.join("node-0"), "all", &[])?;
        // Its log stays outside, so that it can be read afterwards.
        let disk = Disk::mount(&node.data_dir())?;
        let nodes = vec![node];
        Ok(Self::with(program, folder, nodes, None, None, Some(disk)))
    }

    fn with(
        program: &Path,
        folder: &Path,
        mut nodes: Vec<Node>,
        postgres: Option<Postgres>,
        store: Option<Store>,
        disk: Option<Disk>,
    ) -> Self {
        let base_url = format!("http://{}", nodes[0].address);
        for node in &mut nodes {
            node.set("SEALWRIGHT_BASE_URL", &base_url);
        }
        let down = vec![false; nodes.len()];
        Self { program: program.to_owned(), folder: folder.to_owned(), nodes, down, postgres, store, disk }
    }

    pub(crate) fn places(&self) -> Places {
        let of = |role: &str| {
            let fits = |node: &Node| node.role == role || node.role == "all";
            (0..self.nodes.len()).filter(|place| fits(&self.nodes[*place])).collect()
        };
        Places { nodes: self.nodes.len(), apis: of("api"), workers: of("worker") }
    }

    /// Applies company manifests, gives every node the same keys, and starts all of them.
    pub(crate) fn start(&mut self, company_manifests: &[String]) -> anyhow::Result<()> {
        let mut files = Vec::new();
        for (place, text) in company_manifests.iter().enumerate() {
            let file = self.folder.join(format!("company-{place}.toml"));
            fs::write(&file, text)?;
            files.push(file.display().to_string());
        }
        let arguments: Vec<&str> = std::iter::once("apply").chain(files.iter().map(String::as_str)).collect();
        self.operate(&arguments)?;
        let first = self.nodes[0].data_dir();
        if !first.join("development-authority").is_dir() {
            self.operate(&["seal", "init"])?;
        }
        for node in &self.nodes[1..] {
            let authority = node.data_dir().join("development-authority");
            fs::create_dir_all(&authority)?;
            fs::copy(first.join("secret.key"), node.data_dir().join("secret.key")).context("copy the secret key")?;
            for file in fs::read_dir(first.join("development-authority"))?.flatten() {
                fs::copy(file.path(), authority.join(file.file_name()))?;
            }
        }
        for node in &mut self.nodes {
            node.start(&self.program)?;
        }
        Ok(())
    }

    /// Runs a command of the program with the first node's settings.
    fn operate(&self, arguments: &[&str]) -> anyhow::Result<()> {
        let output = self.operator().run(arguments)?;
        let printed = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "sealwright {}: {}: {printed}", arguments.join(" "), output.status);
        Ok(())
    }

    /// Runs commands with the first node's settings, even while another thread owns the nodes.
    pub(crate) fn operator(&self) -> Operator {
        Operator { program: self.program.clone(), settings: self.nodes[0].settings() }
    }

    pub(crate) fn inject(&mut self, kind: Kind, subject: Subject, receivers: &Receivers) -> anyhow::Result<()> {
        match (kind, subject) {
            (Kind::Kill, Subject::Node(place)) => {
                self.nodes[place].kill();
                self.down[place] = true;
            }
            (Kind::Stop, Subject::Node(place)) => self.nodes[place].signal(Signal::STOP)?,
            (Kind::PostgresRestart | Kind::PostgresAway, _) => self.postgres()?.stop("fast")?,
            (Kind::PostgresCrash, _) => self.postgres()?.stop("immediate")?,
            (Kind::PostgresFreeze, _) => self.postgres()?.freeze(true)?,
            (Kind::StoreAway, _) => self.store()?.stop(),
            (Kind::StoreFreeze, _) => self.store()?.freeze(true)?,
            (Kind::ReceiverSilent, _) => receivers.behave(Behaviour::Silent),
            (Kind::ReceiverAway, _) => receivers.behave(Behaviour::Away),
            (Kind::DiskFull, _) => self.disk.as_ref().context("this installation has no disk to fill")?.fill()?,
            _ => bail!("{} cannot happen to {subject:?}", kind.name()),
        }
        Ok(())
    }

    pub(crate) fn heal(&mut self, kind: Kind, subject: Subject, receivers: &Receivers) -> anyhow::Result<()> {
        match (kind, subject) {
            (Kind::Kill, Subject::Node(place)) => {
                self.down[place] = false;
                self.nodes[place].start(&self.program)?;
            }
            (Kind::Stop, Subject::Node(place)) => self.nodes[place].signal(Signal::CONT)?,
            (Kind::PostgresRestart | Kind::PostgresAway | Kind::PostgresCrash, _) => self.postgres()?.resume()?,
            (Kind::PostgresFreeze, _) => self.postgres()?.freeze(false)?,
            (Kind::StoreAway, _) => self.store()?.resume()?,
            (Kind::StoreFreeze, _) => self.store()?.freeze(false)?,
            (Kind::ReceiverSilent | Kind::ReceiverAway, _) => receivers.behave(Behaviour::Usual),
            (Kind::DiskFull, _) => self.disk.as_ref().context("this installation has no disk to empty")?.empty()?,
            _ => bail!("{} cannot happen to {subject:?}", kind.name()),
        }
        Ok(())
    }

    /// Whether the subject of a healed fault can be used again.
    pub(crate) fn is_usable(&self, subject: Subject) -> bool {
        match subject {
            Subject::Node(place) => self.nodes[place].is_ready(),
            _ => true,
        }
    }

    /// Restarts nodes that have ended by themselves. Returns how each ended, with `true` if it had been ready.
    pub(crate) fn supervise(&mut self) -> anyhow::Result<Vec<(String, bool)>> {
        let mut ends = Vec::new();
        for (node, down) in self.nodes.iter_mut().zip(&self.down) {
            if *down {
                continue;
            }
            if let Some(how) = node.ended() {
                ends.push((format!("{} ended by itself: {how}", node.name), node.was_ready));
                node.starts_at = Some(Instant::now() + RESTART_PAUSE);
            } else if let Some(at) = node.starts_at {
                if at <= Instant::now() {
                    node.start(&self.program)?;
                }
            } else if !node.was_ready {
                node.was_ready = node.is_ready();
            }
        }
        Ok(ends)
    }

    fn postgres(&self) -> anyhow::Result<&Postgres> {
        self.postgres.as_ref().context("this installation has no PostgreSQL")
    }

    fn store(&mut self) -> anyhow::Result<&mut Store> {
        self.store.as_mut().context("this installation has no store")
    }
}
