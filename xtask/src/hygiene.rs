//! What must never be committed: paths of the machine it was written on, and dependencies from anywhere but crates.io.

use std::{env, fs, path::Path, process::Command};

use anyhow::{Context as _, ensure};

const CRATES_IO: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// Checks every tracked file of the repository at `root`.
pub(crate) fn check(root: &Path) -> anyhow::Result<()> {
    let machine = machine_paths(root);
    let mut complaints = Vec::new();
    for name in tracked_files(root)? {
        let content = fs::read(root.join(&name)).with_context(|| format!("{name} cannot be read"))?;
        complaints.extend(
            machine
                .iter()
                .filter(|path| contains(&content, path.as_bytes()))
                .map(|path| format!("{name} names {path}, a path of this machine")),
        );
        if Path::new(&name).file_name().is_some_and(|file| file == "Cargo.lock") {
            complaints
                .extend(foreign_sources(&String::from_utf8_lossy(&content)).map(|line| format!("{name}: {line}")));
        }
    }
    ensure!(complaints.is_empty(), "{}", complaints.join("\n"));
    Ok(())
}

/// The names of the tracked files, relative to `root`, without those that were deleted in the working tree.
pub(crate) fn tracked_files(root: &Path) -> anyhow::Result<Vec<String>> {
    let listed = Command::new("git").current_dir(root).args(["ls-files", "-z"]).output();
    let listed = listed.context("git cannot be started")?;
    ensure!(listed.status.success(), "git ls-files failed: {}", String::from_utf8_lossy(&listed.stderr).trim());
    let names = String::from_utf8(listed.stdout).context("a tracked file's name is not UTF-8")?;
    let names = names.split('\0').filter(|name| !name.is_empty() && root.join(name).is_file());
    Ok(names.map(str::to_owned).collect())
}

/// The checkout's own path and the user's home, written so that only what lies below them is found. A checkout right below
/// the root is passed over: `/src/` is a path of many machines.
fn machine_paths(root: &Path) -> Vec<String> {
    let home =
        env::var("HOME").ok().filter(|home| home.len() > 1).map(|home| format!("{}/", home.trim_end_matches('/')));
    let root = root.to_str().filter(|_| root.components().count() > 2).map(|root| format!("{root}/"));
    root.into_iter().chain(home).collect()
}

/// The sources in a lock file that are not crates.io.
fn foreign_sources(lock: &str) -> impl Iterator<Item = &str> {
    let is_crates_io =
        |line: &str| line.strip_prefix("source = ").is_some_and(|source| source.trim_matches('"') == CRATES_IO);
    lock.lines().filter(move |line| line.starts_with("source = ") && !is_crates_io(line))
}

fn contains(content: &[u8], wanted: &[u8]) -> bool {
    content.windows(wanted.len()).any(|window| window == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_crates_io_may_be_a_source() {
        let lock =
            format!("[[package]]\nsource = \"{CRATES_IO}\"\n\n[[package]]\nsource = \"git+https://example.org/x\"\n");
        assert_eq!(foreign_sources(&lock).collect::<Vec<_>>(), ["source = \"git+https://example.org/x\""]);
    }

    #[test]
    fn a_path_is_found_anywhere_in_a_file() {
        assert!(contains(b"\x00binary /home/somebody/x", b"/home/somebody/"));
        assert!(!contains(b"/home", b"/home/somebody/"));
    }
}
