//! Other programs that do parts of the same work, in Python (`peers.py`), if a Python with `requirements.txt` is named.

use std::{
    env,
    path::Path,
    process::{Command, Stdio},
};

use anyhow::{Context as _, ensure};

use crate::{
    ROUNDS,
    report::{Samples, Unit},
    skip_loudly,
};

/// Names that Python.
const PYTHON: &str = "SEALWRIGHT_BENCH_PYTHON";
const PROGRAM: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/benches/peers.py");

/// The time that a task of `peers.py` takes on the files in `folder`. `None`, with a message, if there is no Python for
/// it.
pub(crate) fn times(task: &str, folder: &Path) -> anyhow::Result<Option<Samples>> {
    let Some(python) = env::var_os(PYTHON) else {
        skip_loudly(&format!("{task}: set {PYTHON} to a Python with tests/benches/requirements.txt"));
        return Ok(None);
    };
    let mut command = Command::new(python);
    command.arg(PROGRAM).arg(task).arg(folder).arg(ROUNDS.to_string());
    let output = command.stderr(Stdio::inherit()).output().context("starting Python")?;
    ensure!(output.status.success(), "peers.py {task} ended with {}", output.status);
    let times: Vec<f64> = serde_json::from_slice(&output.stdout).context("peers.py printed no times")?;
    Ok(Some(Samples::of(Unit::Milliseconds, times)))
}
