//! The built-in plugins, compiled for an installation. Compiling takes two seconds, and hundreds of tests start a
//! server: the first server that is ready shares its compiled plugins and its key with the others.

use std::{
    fs, io,
    path::{Path, PathBuf},
    time::UNIX_EPOCH,
};

use super::toolchains::cache_folder;

/// In a data directory: the key of the installation, which says whose code is trusted, and the compiled plugins.
const KEY: &str = "secret.key";
const COMPILED: &str = "plugin-cache";

/// Copies the shared files, if there are any, to a new installation.
pub(crate) fn restore(data_dir: &Path) {
    let shared = folder();
    if shared.is_dir() {
        copy(&shared, data_dir).unwrap_or_else(|error| panic!("{} cannot be filled: {error}", data_dir.display()));
    }
}

/// Shares the compiled plugins of an installation with later ones.
pub(crate) fn share(data_dir: &Path) {
    let shared = folder();
    if shared.is_dir() {
        return;
    }
    let making = tempfile::tempdir_in(cache_folder("compiled")).expect("a folder of the target folder");
    copy(data_dir, making.path()).unwrap_or_else(|error| panic!("{} cannot be copied: {error}", data_dir.display()));
    // Another test may have been faster.
    let _ = fs::rename(making.path(), shared);
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

/// The folder of this build of the program: another build may have other plugins.
fn folder() -> PathBuf {
    let program = fs::metadata(env!("CARGO_BIN_EXE_sealwright")).expect("the program is there");
    let built = program.modified().ok().and_then(|built| built.duration_since(UNIX_EPOCH).ok()).expect("a time");
    cache_folder("compiled").join(format!("{}-{}", program.len(), built.as_nanos()))
}
