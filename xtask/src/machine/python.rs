//! The Python programs that judge the interface's description, signatures, time stamps and pages, and a witness of logs by
//! another author; each in a separate environment.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context as _, Result};

use super::{Install, announce, debian::succeeds};

/// The requirements files of the judges, relative to the workspace's root.
const REQUIREMENTS: [&str; 3] =
    ["tests/api/requirements.txt", "crates/seal/tests/judges/requirements.txt", "tests/black_box/judges.txt"];
/// That of the witness.
const WITNESS: [&str; 1] = ["tests/black_box/witnesses/requirements.txt"];
/// Succeeds in a Python that the witness runs on.
const IS_NEW_ENOUGH: &str = "import sys; sys.exit(sys.version_info < (3, 12))";

/// The interpreter of an environment in `target_dir` that has everything of [`REQUIREMENTS`], installing it first if
/// that is allowed; `None` if it is not available.
pub(crate) fn judges(root: &Path, target_dir: &Path, install: Install) -> Result<Option<PathBuf>> {
    let environment = target_dir.join("judges");
    let what = "the judges of signatures, pages and the interface's description";
    let python = || Some(PathBuf::from("python3"));
    let is_there = prepare(root, &environment, &REQUIREMENTS, install, what, python)?;
    Ok(is_there.then(|| environment.join("bin/python")))
}

/// The witness of logs, as [`judges`]. It needs a newer Python than they do.
pub(crate) fn foreign_witness(root: &Path, target_dir: &Path, install: Install) -> Result<Option<PathBuf>> {
    let environment = target_dir.join("foreign-witness");
    let is_there = prepare(root, &environment, &WITNESS, install, "a witness of logs by another author", newer_python)?;
    Ok(is_there.then(|| environment.join("bin/aics-witness")))
}

/// Whether the environment has everything that the files require, after installing it if that is allowed.
fn prepare(
    root: &Path,
    environment: &Path,
    requirements: &[&str],
    install: Install,
    what: &str,
    python: impl FnOnce() -> Option<PathBuf>,
) -> Result<bool> {
    let record = environment.join("requirements");
    let wanted =
        requirements.iter().map(|file| fs::read_to_string(root.join(file)).with_context(|| format!("reading {file}")));
    let wanted = wanted.collect::<Result<String>>()?;
    if fs::read_to_string(&record).is_ok_and(|present| present == wanted) {
        return Ok(true);
    }
    if !install.is_allowed() {
        return Ok(false);
    }
    announce(what, "pip");
    let made = environment.join("bin/python").is_file()
        || python().is_some_and(|python| succeeds(Command::new(python).args(["-m", "venv"]).arg(environment)));
    let files = requirements.iter().flat_map(|file| ["-r".into(), root.join(file)]);
    let mut pip = Command::new(environment.join("bin/pip"));
    pip.args(["install", "--quiet", "--disable-pip-version-check"]).args(files);
    if !made || !succeeds(&mut pip) {
        eprintln!("pip cannot install these packages");
        return Ok(false);
    }
    fs::write(&record, wanted).with_context(|| format!("writing {}", record.display()))?;
    Ok(true)
}

/// A Python of at least version 3.12: by its name, or one that pyenv has installed.
fn newer_python() -> Option<PathBuf> {
    let named = ["python3", "python3.13", "python3.12"].map(PathBuf::from);
    let pyenv = env::var_os("PYENV_ROOT").map(PathBuf::from);
    let pyenv = pyenv.or_else(|| Some(Path::new(&env::var_os("HOME")?).join(".pyenv")));
    let versions = pyenv.and_then(|folder| fs::read_dir(folder.join("versions")).ok()).into_iter().flatten().flatten();
    let installed = versions.map(|version| version.path().join("bin/python3"));
    named.into_iter().chain(installed).find(|python| {
        let asked = Command::new(python).args(["-c", IS_NEW_ENOUGH]).output();
        asked.is_ok_and(|asked| asked.status.success())
    })
}
