//! Checks the licences, sources and advisories of all dependencies with `cargo-deny`, if it is installed.

use std::{path::PathBuf, process::Command};

use crate::workspace::{Workspace, run};

/// Where `cargo install --locked cargo-deny --root <target>/tools` puts it. It is not part of Debian, and compiling it
/// takes minutes, so no task installs it.
const INSTALLED: &str = "tools/bin/cargo-deny";

/// Runs every check if `cargo-deny` is on `PATH` or in the target folder. Advisories are skipped if their database cannot
/// be fetched.
pub(crate) fn check(workspace: &Workspace) -> anyhow::Result<()> {
    let Some(program) = find(workspace) else {
        let root = workspace.target_dir.join("tools");
        println!(
            "SKIPPED, NOT CHECKED: licences and sources of dependencies. cargo install --locked cargo-deny --root {} \
             installs the program for it",
            root.display()
        );
        return Ok(());
    };
    let deny = || {
        let mut deny = Command::new(&program);
        deny.current_dir(&workspace.root);
        deny
    };
    run(deny().args(["check", "bans", "licenses", "sources"]))?;
    if deny().args(["fetch", "db"]).status()?.success() {
        run(deny().args(["check", "--disable-fetch", "advisories"]))
    } else {
        println!("SKIPPED, NOT CHECKED: advisories, because their database cannot be fetched");
        Ok(())
    }
}

fn find(workspace: &Workspace) -> Option<PathBuf> {
    let candidates = ["cargo-deny".into(), workspace.target_dir.join(INSTALLED)];
    candidates.into_iter().find(|program| Command::new(program).arg("--version").output().is_ok())
}
