//! A small file system that can be filled to its last byte: a tmpfs in a mount namespace of this process. The kernel
//! removes it when the process ends, even if it is killed.

use std::{
    fs::{self, File},
    io::Write as _,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context as _, ensure};

/// Enough for the database, the compiled plugins and the files of a run.
const SIZE: &str = "mode=700,size=700m";

pub(crate) struct Disk {
    filler: PathBuf,
}

impl Disk {
    pub(crate) fn mount(folder: &Path) -> anyhow::Result<Self> {
        fs::create_dir_all(folder)?;
        let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", SIZE, "chaos"]).arg(folder).output()?;
        ensure!(mounted.status.success(), "mount: {}", String::from_utf8_lossy(&mounted.stderr));
        Ok(Self { filler: folder.join("filler") })
    }

    pub(crate) fn fill(&self) -> anyhow::Result<()> {
        let mut file = File::create(&self.filler).context("the filler")?;
        // The last bytes one page at a time: nothing may be left.
        for length in [1 << 20, 4096] {
            let block = vec![0; length];
            while file.write_all(&block).is_ok() {}
        }
        Ok(())
    }

    pub(crate) fn empty(&self) -> anyhow::Result<()> {
        fs::remove_file(&self.filler).context("the filler")
    }
}

/// The command that runs a program in a mount namespace of its own: directly as root, else as root of a user namespace.
pub(crate) fn in_namespace(program: &Path) -> Command {
    let mut command = Command::new("unshare");
    command.arg("--mount").arg("--propagation").arg("private");
    if !rustix::process::geteuid().is_root() {
        command.args(["--user", "--map-root-user"]);
    }
    command.arg(program);
    command
}

/// Whether such a namespace is available.
pub(crate) fn is_possible() -> bool {
    in_namespace(Path::new("true")).output().is_ok_and(|output| output.status.success())
}
