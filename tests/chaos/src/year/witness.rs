//! Another operator's installation, which cosigns the log of seals through the whole year. It would refuse a log that
//! forks, for example after the restore.

use std::path::{Path, PathBuf};

use super::{clock::Clock, process};
use crate::node::Node;

pub(super) struct Witness {
    program: PathBuf,
    node: Node,
}

impl Witness {
    pub(super) fn new(program: &Path, folder: &Path, clock: &Clock) -> anyhow::Result<Self> {
        let variables = clock.variables().map(|(name, value)| (name.to_owned(), value));
        let mut node = Node::new(folder.join("witness"), "all", &variables)?;
        let base_url = format!("http://{}", node.address);
        node.set("SEALWRIGHT_BASE_URL", &base_url);
        Ok(Self { program: program.to_owned(), node })
    }

    pub(super) fn base_url(&self) -> String {
        format!("http://{}", self.node.address)
    }

    /// From its next start it cosigns the log with this key.
    pub(super) fn watch(&mut self, log_key: &str) {
        self.node.set("SEALWRIGHT_WITNESS_LOGS", log_key);
    }

    pub(super) async fn start(&mut self) -> anyhow::Result<()> {
        process::start(&mut self.node, &self.program).await
    }

    pub(super) async fn stop(&mut self) -> anyhow::Result<()> {
        process::stop(&mut self.node).await
    }
}
