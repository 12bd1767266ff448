//! A temporary folder in memory for the tests. A test starts an installation, which waits for the disk at each commit and
//! each stored file; on a disk, the tests that run at once wait for each other's. What is lost if the machine loses its
//! power is tested by `cargo xtask chaos`, with a disk of its own.

use std::{env, fs, os::unix::fs::PermissionsExt as _, path::Path, process};

use anyhow::Context as _;
use rustix::fs::{StatVfsMountFlags, statvfs};
use tempfile::TempDir;

/// The variable that names the folder for temporary files.
pub(crate) const VARIABLE: &str = "TMPDIR";

/// The file system in memory that Linux mounts for shared memory.
const MEMORY: &str = "/dev/shm";
/// Room for the largest tests, which pack the program and unpack it several times.
const LEAST_ROOM: u64 = 6 << 30;
/// Available memory: the folder's share, and as much for servers, browsers and databases.
const LEAST_MEMORY: u64 = 2 * LEAST_ROOM;

/// What the folder's name begins with; the number of the process follows.
const PREFIX: &str = "sealwright-tests-";

/// A folder in memory, removed when it is dropped. `None` if [`VARIABLE`] is set, or if the machine has too little memory
/// or does not run programs from such a folder.
pub(crate) fn in_memory() -> anyhow::Result<Option<TempDir>> {
    remove_abandoned(Path::new(MEMORY));
    let limits = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"].map(read);
    let meminfo = read("/proc/meminfo");
    if env::var_os(VARIABLE).is_some() || !has_room(Path::new(MEMORY)) || available(&meminfo, &limits) < LEAST_MEMORY {
        return Ok(None);
    }
    let folder =
        TempDir::with_prefix_in(format!("{PREFIX}{}-", process::id()), MEMORY).context("a folder in memory")?;
    // PostgreSQL, which runs as another user if the tests run as root, has its folder in this one.
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o711)).context("a folder in memory")?;
    Ok(Some(folder))
}

/// Removes the folders of processes that were killed: they use memory until the machine restarts.
fn remove_abandoned(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let process = name.to_str().and_then(|name| name.strip_prefix(PREFIX)?.split('-').next()?.parse::<u32>().ok());
        if process.is_some_and(|process| !Path::new("/proc").join(process.to_string()).exists()) {
            // What cannot be removed belongs to another user.
            drop(fs::remove_dir_all(entry.path()));
        }
    }
}

/// Whether the file system exists, has enough room, and lets programs run.
fn has_room(folder: &Path) -> bool {
    statvfs(folder).is_ok_and(|system| {
        let can_run = !system.f_flag.contains(StatVfsMountFlags::NOEXEC);
        can_run && system.f_bavail.saturating_mul(system.f_frsize) >= LEAST_ROOM
    })
}

/// The bytes that are available: those of the machine, and no more than the control group has left. `group` is its limit
/// and what it uses; the limit is `max` if it has none.
fn available(meminfo: &str, group: &[String; 2]) -> u64 {
    let kilobytes = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:")?.trim().strip_suffix(" kB"));
    let machine = kilobytes.and_then(|kilobytes| kilobytes.parse::<u64>().ok()).map_or(0, |kilobytes| kilobytes << 10);
    let [limit, used] = group.each_ref().map(|text| text.trim().parse::<u64>().ok());
    limit.map_or(machine, |limit| machine.min(limit.saturating_sub(used.unwrap_or_default())))
}

/// The text of a file; empty if it cannot be read.
fn read(path: &str) -> String {
    fs::read_to_string(path).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MEMINFO: &str = "MemTotal:       24683656 kB\nMemFree:         1000000 kB\nMemAvailable:   20000000 kB\n";

    fn group(limit: &str, used: &str) -> [String; 2] {
        [limit, used].map(str::to_owned)
    }

    #[test]
    fn the_smaller_of_machine_and_control_group_counts() {
        assert_eq!(available(MEMINFO, &group("", "")), 20_000_000 << 10);
        assert_eq!(available(MEMINFO, &group("max\n", "5000\n")), 20_000_000 << 10);
        assert_eq!(available(MEMINFO, &group("8000000\n", "5000000\n")), 3_000_000);
        assert_eq!(available(MEMINFO, &group("5000000\n", "8000000\n")), 0);
        assert_eq!(available("", &group("max\n", "")), 0);
    }

    #[test]
    fn only_folders_of_ended_processes_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let own = format!("{PREFIX}{}-x", process::id());
        // Larger than any process number of Linux.
        let ended = format!("{PREFIX}4194305-x");
        for name in [own.as_str(), &ended, "another-4194305-x"] {
            fs::create_dir(folder.path().join(name)).unwrap();
        }
        remove_abandoned(folder.path());
        let is_left = |name: &str| folder.path().join(name).exists();
        assert!(is_left(&own) && is_left("another-4194305-x") && !is_left(&ended));
    }

    #[test]
    fn a_folder_that_does_not_exist_has_no_room() {
        assert!(!has_room(Path::new("/there/is/nothing/here")));
    }
}
