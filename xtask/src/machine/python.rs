//! The Python programs that judge the interface's description, signatures and time stamps, in a separate environment.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context as _, Result};

use super::{Install, announce, debian::succeeds};

/// The requirements files, relative to the workspace's root.
const REQUIREMENTS: [&str; 2] = ["tests/api/requirements.txt", "crates/seal/tests/judges/requirements.txt"];

/// The interpreter of an environment in `target_dir` that has everything of [`REQUIREMENTS`], installing it first if
/// that is allowed; `None` if it is not available.
pub(crate) fn judges(root: &Path, target_dir: &Path, install: Install) -> Result<Option<PathBuf>> {
    let environment = target_dir.join("judges");
    let interpreter = environment.join("bin/python");
    let record = environment.join("requirements");
    let wanted =
        REQUIREMENTS.map(|file| fs::read_to_string(root.join(file)).with_context(|| format!("reading {file}")));
    let wanted = wanted.into_iter().collect::<Result<String>>()?;
    if fs::read_to_string(&record).is_ok_and(|present| present == wanted) {
        return Ok(Some(interpreter));
    }
    if !install.is_allowed() {
        return Ok(None);
    }
    announce("the judges of signatures and of the interface's description", "pip");
    let made = interpreter.is_file() || succeeds(Command::new("python3").args(["-m", "venv"]).arg(&environment));
    let files = REQUIREMENTS.iter().flat_map(|file| ["-r".into(), root.join(file)]);
    let mut pip = Command::new(environment.join("bin/pip"));
    pip.args(["install", "--quiet", "--disable-pip-version-check"]).args(files);
    if !made || !succeeds(&mut pip) {
        eprintln!("pip cannot install these packages");
        return Ok(None);
    }
    fs::write(&record, wanted).with_context(|| format!("writing {}", record.display()))?;
    Ok(Some(interpreter))
}
