//! Unpacks archives with independent programs: Python's zipfile, Info-ZIP's unzip and libarchive's bsdtar, the last one
//! also from a stream.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::ErrorKind,
    path::{Path, PathBuf},
    process::Command,
};

use super::server::files_below;

/// The files of an archive by their paths.
pub(crate) type Files = BTreeMap<String, Vec<u8>>;

/// Arguments are archives and folders in turn.
const TEST_AND_EXTRACT: &str = "import sys, zipfile
for path, into in zip(sys.argv[1::2], sys.argv[2::2]):
    archive = zipfile.ZipFile(path)
    assert archive.testzip() is None
    archive.extractall(into)";

/// Unpacks an archive with every installed reader. All must find the same files, and none outside its folder.
///
/// If readers differ or one reports an error, or if one is not installed and the environment variable `CI` is set.
pub(crate) fn unpack(archive: &[u8]) -> Option<Files> {
    unpack_all(&[archive])?.pop()
}

/// Like [`unpack`], for many archives.
pub(crate) fn unpack_all(archives: &[&[u8]]) -> Option<Vec<Files>> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let paths: Vec<PathBuf> = (0..archives.len()).map(|n| folder.path().join(format!("{n}.zip"))).collect();
    for (archive, path) in archives.iter().zip(&paths) {
        fs::write(path, archive).expect("write an archive");
    }
    let mut found: Option<(&str, Vec<Files>)> = None;
    for reader in ["python3", "unzip", "bsdtar", "bsdtar from a stream"] {
        let around = folder.path().join(reader.replace(' ', "-"));
        let intos: Vec<PathBuf> = (0..archives.len()).map(|n| around.join(format!("{n}/into"))).collect();
        for into in &intos {
            fs::create_dir_all(into).expect("a folder to unpack into");
        }
        if !run(reader, &paths, &intos) {
            continue;
        }
        let files: Vec<Files> = intos.iter().map(|into| unpacked(into)).collect();
        match &found {
            Some((other, expected)) => assert!(*expected == files, "{reader} and {other} unpack different files"),
            None => found = Some((reader, files)),
        }
    }
    found.map(|(_, files)| files)
}

/// The files in a folder, after checking that the folder around it has no others.
fn unpacked(into: &Path) -> Files {
    let around = into.parent().expect("a folder around");
    let files = files_below(around).into_iter().map(|file| {
        let inside = file.strip_prefix(into).expect("nothing lands outside the folder");
        (inside.to_str().expect("a name in UTF-8").to_owned(), fs::read(&file).expect("read an unpacked file"))
    });
    files.collect()
}

/// Prints a warning and returns false if the program is missing.
fn run(reader: &str, archives: &[PathBuf], intos: &[PathBuf]) -> bool {
    if reader == "python3" {
        let mut python = Command::new(reader);
        python.args(["-c", TEST_AND_EXTRACT]).args(archives.iter().zip(intos).flat_map(|(path, into)| [path, into]));
        return finish(reader, python);
    }
    archives.iter().zip(intos).all(|(archive, into)| {
        let mut command = Command::new(reader.split(' ').next().unwrap_or_default());
        match reader {
            "unzip" => command.arg("-q").arg(archive).arg("-d").arg(into),
            "bsdtar" => command.arg("-xf").arg(archive).arg("-C").arg(into),
            _ => command.args(["-xf", "-", "-C"]).arg(into).stdin(File::open(archive).expect("open the archive")),
        };
        finish(reader, command)
    })
}

fn finish(reader: &str, mut command: Command) -> bool {
    match command.output() {
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            // unzip has a special status for an empty archive, which is expected here.
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
