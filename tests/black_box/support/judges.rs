//! Independent programs and their verdicts on signatures and time stamps: OpenSSL, pyHanko, pdfsig.

use std::{
    env,
    ffi::OsStr,
    path::{Path, PathBuf},
    process::Command,
};

use super::skip_loudly;

/// The output and success of a judge.
#[derive(Debug)]
pub(crate) struct Verdict {
    pub(crate) success: bool,
    pub(crate) text: String,
}

/// Runs a program in `folder`. Prints a warning and returns `None` if it is not installed; with `CI` set, that is a
/// failure.
pub(crate) fn judge<A: AsRef<OsStr>>(program: &str, arguments: &[A], folder: &Path) -> Option<Verdict> {
    let Some(path) = find(program) else {
        skip_loudly(&format!("{program} is not installed"));
        return None;
    };
    let output = Command::new(path).args(arguments).current_dir(folder).env("LC_ALL", "C").output().expect("run it");
    let text = [output.stdout, output.stderr].concat();
    Some(Verdict { success: output.status.success(), text: String::from_utf8_lossy(&text).into_owned() })
}

/// Runs a program that must succeed; the arguments are separated by spaces.
///
/// If it fails.
pub(crate) fn must(program: &str, arguments: &str, folder: &Path) -> Option<String> {
    let verdict = judge(program, &arguments.split(' ').collect::<Vec<_>>(), folder)?;
    assert!(verdict.success, "{program} {arguments}: {}", verdict.text);
    Some(verdict.text)
}

/// Looks in the folder of the Python that `SEALWRIGHT_TEST_PYTHON` names (a virtual environment), then on the path.
fn find(program: &str) -> Option<PathBuf> {
    let python = env::var_os("SEALWRIGHT_TEST_PYTHON");
    let python = python.and_then(|python| PathBuf::from(python).parent().map(Path::to_path_buf));
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = python.into_iter().chain(env::split_paths(&path).collect::<Vec<_>>());
    folders.map(|folder: PathBuf| folder.join(program)).find(|candidate: &PathBuf| candidate.is_file())
}
