//! Starts and stops a server like an operator.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use anyhow::{bail, ensure};
use rustix::process::Signal;

use crate::node::Node;

const START: Duration = Duration::from_mins(2);
/// Longer than the server needs to finish its work.
const STOP: Duration = Duration::from_mins(1);

/// Starts the server, and waits until it is ready.
pub(super) async fn start(node: &mut Node, program: &Path) -> anyhow::Result<()> {
    node.start(program)?;
    let started = Instant::now();
    while !node.is_ready() {
        if let Some(how) = node.ended() {
            bail!("{} ended at its start: {how}; see its log", node.name);
        }
        ensure!(started.elapsed() < START, "{} is not ready after {START:?}", node.name);
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    Ok(())
}

/// Lets the server finish its work, and waits for its end.
pub(super) async fn stop(node: &mut Node) -> anyhow::Result<()> {
    node.signal(Signal::TERM)?;
    let started = Instant::now();
    while node.ended().is_none() {
        ensure!(started.elapsed() < STOP, "{} does not stop within {STOP:?}", node.name);
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    Ok(())
}
