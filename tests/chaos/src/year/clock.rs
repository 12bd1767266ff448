//! The clock of the simulated year. A library that is preloaded into the program and OpenSSL adds an offset to the
//! system's clock; time passes at its usual speed, and jumps when the year goes on.

use std::{
    fs::{self, File},
    os::unix::fs::FileExt as _,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use anyhow::{Context as _, ensure};

const SHIM: &str = include_str!("clock.c");
const DAY: u64 = 24 * 3600;

pub(super) struct Clock {
    library: PathBuf,
    offset: PathBuf,
    days: u64,
}

impl Clock {
    /// Compiles the library. The clock starts at the machine's time.
    pub(super) fn start(folder: &Path) -> anyhow::Result<Self> {
        let (source, library) = (folder.join("clock.c"), folder.join("clock.so"));
        fs::write(&source, SHIM)?;
        let mut compiler = Command::new("cc");
        compiler.args(["-O2", "-shared", "-fPIC", "-o"]).arg(&library).arg(&source).arg("-ldl");
        let compiled = compiler.output().context("cc cannot be started")?;
        ensure!(compiled.status.success(), "cc: {}", String::from_utf8_lossy(&compiled.stderr));
        let offset = folder.join("clock.offset");
        fs::write(&offset, 0_i64.to_ne_bytes())?;
        let mut clock = Self { library, offset, days: 0 };
        clock.must_move()?;
        Ok(clock)
    }

    /// The variables of a process that has this clock.
    pub(super) fn variables(&self) -> [(&'static str, String); 2] {
        [("LD_PRELOAD", self.library.display().to_string()), ("YEAR_OFFSET", self.offset.display().to_string())]
    }

    /// How many days have passed in jumps.
    pub(super) const fn day(&self) -> u64 {
        self.days
    }

    /// The time after a pause, as the program prints times.
    pub(super) fn after(&self, pause: Duration) -> anyhow::Result<String> {
        let mut date = Command::new("date");
        date.args(["--utc", "+%Y-%m-%dT%H:%M:%S.%3NZ", "--date"]).arg(format!("+{} seconds", pause.as_secs()));
        let printed = date.envs(self.variables()).output().context("date cannot be started")?;
        ensure!(printed.status.success(), "date: {}", String::from_utf8_lossy(&printed.stderr));
        Ok(String::from_utf8(printed.stdout)?.trim().to_owned())
    }

    /// Jumps, while no process runs that has this clock. The files of the blob store grow older by as much.
    pub(super) fn jump(&mut self, days: u64, store: &Path) -> anyhow::Result<()> {
        let jump = Duration::from_secs(days * DAY);
        for path in files_below(store)? {
            let file = File::open(&path)?;
            let older = file.metadata()?.modified()?.checked_sub(jump).context("a file from before 1970")?;
            file.set_modified(older).with_context(|| format!("the time of {}", path.display()))?;
        }
        self.set(self.days + days)
    }

    fn set(&mut self, days: u64) -> anyhow::Result<()> {
        let seconds = i64::try_from(days * DAY)?;
        // The file is mapped, so its bytes are changed in place.
        File::options().write(true).open(&self.offset)?.write_all_at(&seconds.to_ne_bytes(), 0)?;
        self.days = days;
        Ok(())
    }

    /// Without an effect of the library, a year would pass in which nothing becomes old.
    fn must_move(&mut self) -> anyhow::Result<()> {
        let before = self.after(Duration::ZERO)?;
        self.set(400)?;
        let after = self.after(Duration::ZERO)?;
        self.set(0)?;
        ensure!(before.get(..4) < after.get(..4), "the library does not move the clock: {before}, {after}");
        Ok(())
    }
}

fn files_below(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let (mut files, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).with_context(|| format!("the folder {}", folder.display()))? {
            let entry = entry?;
            let kind = if entry.file_type()?.is_dir() { &mut folders } else { &mut files };
            kind.push(entry.path());
        }
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_jumps_and_files_grow_older() {
        if Command::new("cc").arg("--version").output().is_err() {
            return eprintln!("SKIPPED, NOT TESTED: the clock needs a C compiler");
        }
        let folder = tempfile::tempdir().unwrap();
        let mut clock = Clock::start(folder.path()).unwrap();
        let store = folder.path().join("store/items");
        fs::create_dir_all(&store).unwrap();
        fs::write(store.join("a"), "").unwrap();
        let modified = || fs::metadata(store.join("a")).unwrap().modified().unwrap();
        let (before, written) = (clock.after(Duration::ZERO).unwrap(), modified());
        clock.jump(30, &folder.path().join("store")).unwrap();
        assert_eq!(clock.day(), 30);
        assert!(clock.after(Duration::ZERO).unwrap() > before);
        assert_eq!(written.duration_since(modified()).unwrap(), Duration::from_secs(30 * DAY));
    }
}
