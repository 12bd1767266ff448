//! What all packages of a release have in common: the program, its version and manual, the sources, and the time.

use std::{
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use anyhow::{Context as _, Result, bail, ensure};

/// How hard packages are compressed, from 0 to 9.
const COMPRESSION: u32 = 6;

#[derive(Debug)]
pub(super) struct Release {
    pub(super) version: String,
    pub(super) program: PathBuf,
    /// The man pages and the completions of shells, by the names of their files.
    pub(super) manual: BTreeMap<String, Vec<u8>>,
    /// The sources' folder, for licences and the files of `deploy/`.
    pub(super) root: PathBuf,
    /// The time of all files, in seconds since 1970.
    pub(super) time: u64,
    pub(super) compression: u32,
}

impl Release {
    /// Asks the program for its version and its manual. It must be for this machine.
    pub(super) fn of_program(program: &Path, root: &Path) -> Result<Self> {
        let program = std::path::absolute(program)?;
        let printed = run_program(&program, &["--version"], root)?;
        let version = printed.trim().strip_prefix("sealwright ").context("the program does not print its version")?;
        let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '.' || c == '-';
        ensure!(!version.is_empty() && version.chars().all(is_plain), "{version:?} is not a version");
        let folder = tempfile::tempdir()?;
        run_program(&program, &["manual", "manual"], folder.path())?;
        let mut manual = BTreeMap::new();
        for entry in fs::read_dir(folder.path().join("manual"))? {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            manual.insert(name, read(&path)?);
        }
        Ok(Self {
            version: version.to_owned(),
            program,
            manual,
            root: root.to_owned(),
            time: time(root)?,
            compression: COMPRESSION,
        })
    }

    /// A file of the sources.
    pub(super) fn source(&self, name: &str) -> Result<Vec<u8>> {
        read(&self.root.join(name))
    }
}

/// Reads a file; the error names it.
pub(super) fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("reading {}", path.display()))
}

/// What the program prints, without the settings of this process.
fn run_program(program: &Path, arguments: &[&str], folder: &Path) -> Result<String> {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder).stdin(Stdio::null()).stderr(Stdio::inherit());
    for (name, _) in env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("SEALWRIGHT_")) {
        command.env_remove(name);
    }
    let output = command.output().with_context(|| format!("cannot start {}", program.display()))?;
    ensure!(output.status.success(), "{} {} failed", program.display(), arguments.join(" "));
    Ok(String::from_utf8(output.stdout)?)
}

/// `SOURCE_DATE_EPOCH` if it is set, else the time of the last commit.
fn time(root: &Path) -> Result<u64> {
    if let Some(given) = env::var_os("SOURCE_DATE_EPOCH") {
        let given = given.to_string_lossy().into_owned();
        return given
            .parse::<u64>()
            .with_context(|| format!("SOURCE_DATE_EPOCH is {given:?}, expected seconds since 1970"));
    }
    let git = Command::new("git").current_dir(root).args(["log", "-1", "--format=%ct"]).output();
    match git {
        Ok(output) if output.status.success() => {
            String::from_utf8(output.stdout)?.trim().parse::<u64>().context("git prints no time")
        }
        _ => bail!("the time of the last commit is unknown; set SOURCE_DATE_EPOCH"),
    }
}
