//! Unpacks archives with programs that nobody of this project wrote: Python's zipfile, Info-ZIP's unzip and libarchive's
//! bsdtar, the last one also from a stream.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::ErrorKind,
    path::Path,
    process::Command,
};

use super::server::files_below;

/// The files of an archive by their paths.
pub(crate) type Files = BTreeMap<String, Vec<u8>>;

const TEST_AND_EXTRACT: &str = "import sys, zipfile
archive = zipfile.ZipFile(sys.argv[1])
assert archive.testzip() is None
archive.extractall(sys.argv[2])";

/// Unpacks an archive with every reader that is installed. Each has to find the same, and nothing may land outside its
/// folder.
///
/// # Panics
/// When readers differ, or one finds fault; also when none is installed and the environment variable `CI` is set.
pub(crate) fn unpack(archive: &[u8]) -> Option<Files> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("archive.zip");
    fs::write(&path, archive).expect("write the archive");
    let mut found: Option<(&str, Files)> = None;
    for reader in ["python3", "unzip", "bsdtar", "bsdtar from a stream"] {
        let around = folder.path().join(reader.replace(' ', "-"));
        let into = around.join("into");
        fs::create_dir_all(&into).expect("a folder to unpack into");
        if !run(reader, &path, &into) {
            continue;
        }
        let files = files_below(&around).into_iter().map(|file| {
            let inside = file.strip_prefix(&into).expect("nothing lands outside the folder");
            (inside.to_str().expect("a name in UTF-8").to_owned(), fs::read(&file).expect("read an unpacked file"))
        });
        let files: Files = files.collect();
        match &found {
            Some((other, expected)) => assert!(*expected == files, "{reader} and {other} unpack different files"),
            None => found = Some((reader, files)),
        }
    }
    found.map(|(_, files)| files)
}

/// False where the program is missing, which is said loudly.
fn run(reader: &str, archive: &Path, into: &Path) -> bool {
    let mut command = Command::new(reader.split(' ').next().unwrap_or_default());
    match reader {
        "python3" => command.args(["-c", TEST_AND_EXTRACT]).arg(archive).arg(into),
        "unzip" => command.arg("-q").arg(archive).arg("-d").arg(into),
        "bsdtar" => command.arg("-xf").arg(archive).arg("-C").arg(into),
        _ => command.args(["-xf", "-", "-C"]).arg(into).stdin(File::open(archive).expect("open the archive")),
    };
    match command.output() {
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            // unzip has a status of its own for an archive without files, which is what was asked for.
            let is_empty = reader == "unzip" && output.status.code() == Some(1) && said.contains("zipfile is empty");
            assert!(output.status.success() || is_empty, "{command:?}: {said}");
            true
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {
            super::skip_loudly(&format!("{reader} is missing (Debian: python3, unzip, libarchive-tools)"));
            false
        }
        Err(error) => panic!("{command:?}: {error}"),
    }
}
