//! The driver of Firefox. Debian has no package of it; its authors publish it as a crate.

use std::{
    env, fs,
    path::Path,
    process::{Command, Stdio},
};

use anyhow::{Context as _, Result, ensure};

use super::{Install, announce, debian::program};

const NAME: &str = "geckodriver";
const VERSION: &str = "0.37.1";

/// Compiles the driver into `<target>/tools` if no other one is installed and if that is allowed. The tests look for it
/// there. Without it, the tests of Firefox are skipped.
pub(crate) fn prepare(target_dir: &Path, install: Install) -> Result<()> {
    let root = target_dir.join("tools");
    if program(NAME).is_some() || root.join("bin").join(NAME).is_file() {
        return Ok(());
    }
    if !install.is_allowed() {
        eprintln!("Not installed, so tests that need it are skipped: {NAME}");
        return Ok(());
    }
    announce(NAME, "cargo");
    let built = compile(&root);
    // Nothing uses these files again.
    let _ = fs::remove_dir_all(root.join("build"));
    match built {
        Err(error) if env::var_os("CI").is_some() => Err(error),
        Err(error) => {
            eprintln!("{error:#}\nTests that need {NAME} are skipped");
            Ok(())
        }
        Ok(()) => Ok(()),
    }
}

fn compile(root: &Path) -> Result<()> {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    // The driver passes messages on: compiling is most of what it costs.
    cargo.args(["install", "--locked", "--quiet", "--debug", NAME, "--version", VERSION, "--root"]).arg(root);
    cargo.arg("--target-dir").arg(root.join("build")).env("CARGO_PROFILE_DEV_DEBUG", "0");
    let status = cargo.stdin(Stdio::null()).status().context("cannot start cargo")?;
    ensure!(status.success(), "cargo cannot install {NAME} {VERSION}");
    Ok(())
}
