//! The built-in plugins as they are compiled for an installation. Compiling them takes two seconds, and hundreds of tests
//! start a server: the first one that is ready leaves them, and its key, to the others.

use std::{
    fs, io,
    path::{Path, PathBuf},
    time::UNIX_EPOCH,
};

use super::toolchains::kept;

/// Of a data directory: the key of the installation, which says whose code is trusted, and the compiled plugins.
const KEY: &str = "secret.key";
const COMPILED: &str = "plugin-cache";

/// Gives a new installation what was left, if anything was.
pub(crate) fn take(data_dir: &Path) {
    let left = folder();
    if left.is_dir() {
        copy(&left, data_dir).unwrap_or_else(|error| panic!("{} cannot be filled: {error}", data_dir.display()));
    }
}

/// Leaves what an installation has compiled to those that come after it.
pub(crate) fn leave(data_dir: &Path) {
    let left = folder();
    if left.is_dir() {
        return;
    }
    let making = tempfile::tempdir_in(kept("compiled")).expect("a folder of the target folder");
    copy(data_dir, making.path()).unwrap_or_else(|error| panic!("{} cannot be copied: {error}", data_dir.display()));
    // Another test may have been faster.
    let _ = fs::rename(making.path(), left);
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to.join(COMPILED))?;
    fs::copy(from.join(KEY), to.join(KEY))?;
    for entry in fs::read_dir(from.join(COMPILED))? {
        let entry = entry?;
        fs::copy(entry.path(), to.join(COMPILED).join(entry.file_name()))?;
    }
    Ok(())
}

/// Of this build of the program: another one may have other plugins.
fn folder() -> PathBuf {
    let program = fs::metadata(env!("CARGO_BIN_EXE_sealwright")).expect("the program is there");
    let built = program.modified().ok().and_then(|built| built.duration_since(UNIX_EPOCH).ok()).expect("a time");
    kept("compiled").join(format!("{}-{}", program.len(), built.as_nanos()))
}
