//! Debian's packages, installed as root or by `sudo -n`, which never asks for a password.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use anyhow::{Context as _, Result, ensure};

use super::announce;

/// A package, and how to detect that its content is installed already.
#[derive(Debug)]
pub(super) struct Package {
    pub(super) name: &'static str,
    pub(super) sign: Sign,
}

#[derive(Debug)]
pub(super) enum Sign {
    /// A program in `PATH`.
    Program(&'static str),
    /// A file. One `*` matches one folder's name.
    File(&'static str),
    /// A module that `python3` can import.
    PythonModule(&'static str),
}

impl Package {
    pub(super) fn is_missing(&self) -> bool {
        !match self.sign {
            Sign::Program(name) => program(name).is_some(),
            Sign::File(pattern) => exists(pattern),
            Sign::PythonModule(module) => succeeds(Command::new("python3").args(["-c", &format!("import {module}")])),
        }
    }
}

/// Installs packages by name.
///
/// # Errors
/// This is not Debian, the user may not install packages, or apt-get fails; the error says how to install by hand.
pub(super) fn install(names: &[&str]) -> Result<()> {
    let words = names.join(" ");
    let by_hand = || format!("install by hand: apt-get install {words}");
    ensure!(program("apt-get").is_some(), "this machine has no apt-get; install its own packages for {words}");
    let prefix: &[&str] = if rustix::process::geteuid().is_root() {
        &[]
    } else if succeeds(Command::new("sudo").args(["-n", "true"])) {
        &["sudo", "-n"]
    } else {
        anyhow::bail!("installing {words} needs root, or `sudo` without a password; {}", by_hand());
    };
    announce(&words, "apt-get");
    let wait_for_others = ["-o", "DPkg::Lock::Timeout=300"];
    let apt = |arguments: &[&str]| {
        let words = prefix.iter().chain(&["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq"]);
        let mut words = words.chain(&wait_for_others).chain(arguments);
        let mut command = Command::new(words.next().unwrap_or(&"apt-get"));
        command.args(words).stdin(Stdio::null());
        let output = command.output().context("cannot start apt-get")?;
        let errors = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "apt-get {} failed: {}", arguments[0], errors.trim());
        Ok(())
    };
    apt(&["update"]).with_context(by_hand)?;
    apt(&[&["install", "--yes", "--no-install-recommends"], names].concat()).with_context(by_hand)
}

/// Where a program of `PATH` is.
pub(super) fn program(name: &str) -> Option<PathBuf> {
    env::split_paths(&env::var_os("PATH")?).map(|folder| folder.join(name)).find(|path| path.is_file())
}

/// Whether a command can be started and succeeds; its output is discarded.
pub(super) fn succeeds(command: &mut Command) -> bool {
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}

fn exists(pattern: &str) -> bool {
    let Some((before, after)) = pattern.split_once('*') else { return Path::new(pattern).exists() };
    let entries = fs::read_dir(before).into_iter().flatten();
    entries.filter_map(Result::ok).any(|entry| entry.path().join(after.trim_start_matches('/')).exists())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_is_missing_until_its_sign_exists() {
        let is_missing = |sign| Package { name: "some-package", sign }.is_missing();
        assert!(!is_missing(Sign::Program("sh")));
        assert!(is_missing(Sign::Program("there-is-no-such-program")));
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("15/bin")).unwrap();
        let pattern = |name: &str| -> &'static str { format!("{}/*/bin/{name}", folder.path().display()).leak() };
        assert!(is_missing(Sign::File(pattern("initdb"))));
        fs::write(folder.path().join("15/bin/initdb"), "").unwrap();
        assert!(!is_missing(Sign::File(pattern("initdb"))));
    }
}
