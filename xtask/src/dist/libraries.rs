//! The files of this machine that an image needs in addition to the program: shared libraries, certificate authorities,
//! text recognition.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use anyhow::{Context as _, Result, ensure};

/// The certificate authorities of Debian's package `ca-certificates`.
pub(super) const AUTHORITIES: &str = "/etc/ssl/certs/ca-certificates.crt";

const TESSERACT: &str = "/usr/bin/tesseract";
const TESSERACT_DATA: &str = "/usr/share/tesseract-ocr";
/// The languages that the server reads, and what Tesseract needs to find the orientation of a page.
const LANGUAGES: [&str; 8] = ["deu", "eng", "fra", "ita", "nld", "osd", "por", "spa"];

/// The shared libraries that the dynamic loader opens for a program, and the loader, by the paths at which it looks for
/// them.
pub(super) fn of_program(program: &Path) -> Result<Vec<PathBuf>> {
    let output = Command::new("ldd").arg(program).stderr(Stdio::inherit()).output().context("cannot start ldd")?;
    ensure!(output.status.success(), "ldd {} failed", program.display());
    let listed = String::from_utf8(output.stdout)?;
    let missing: Vec<&str> = listed.lines().filter(|line| line.contains("not found")).map(str::trim).collect();
    ensure!(missing.is_empty(), "{} lacks libraries: {}", program.display(), missing.join(", "));
    let path = |line: &str| line.split_whitespace().find(|word| word.starts_with('/')).map(PathBuf::from);
    Ok(listed.lines().filter_map(path).collect())
}

/// The newest version of glibc whose symbols the program itself needs: `2.34`.
pub(super) fn needed_libc(program: &Path) -> Result<String> {
    let output = Command::new("ldd").arg("-v").arg(program).output().context("cannot start ldd")?;
    newest_libc(&String::from_utf8_lossy(&output.stdout))
        .with_context(|| format!("ldd does not say which C library {} needs", program.display()))
}

/// From the output of `ldd -v`, whose section of versions has a heading for each file, the program's first.
fn newest_libc(listed: &str) -> Option<String> {
    let (_, versions) = listed.split_once("Version information:")?;
    let of_program = versions.lines().skip(2).take_while(|line| !line.ends_with(':'));
    let minor = of_program.filter_map(|line| {
        let (_, symbol) = line.split_once("(GLIBC_2.")?;
        symbol.split(['.', ')']).next()?.parse::<u32>().ok()
    });
    minor.max().map(|minor| format!("2.{minor}"))
}

/// Tesseract with its libraries and languages.
pub(super) fn text_recognition() -> Result<Vec<PathBuf>> {
    let program = PathBuf::from(TESSERACT);
    ensure!(program.is_file(), "{TESSERACT} is missing: `apt-get install tesseract-ocr`, or --without-ocr");
    let mut files = of_program(&program)?;
    files.push(program);
    let before = files.len();
    collect(Path::new(TESSERACT_DATA), &mut files)?;
    files.retain(|file| is_wanted(file));
    ensure!(files.len() > before, "{TESSERACT_DATA} has no languages");
    Ok(files)
}

/// Languages that the server does not read would only make the image larger.
fn is_wanted(file: &Path) -> bool {
    let is_language = file.extension().is_some_and(|extension| extension == "traineddata");
    !is_language || file.file_stem().is_some_and(|name| LANGUAGES.iter().any(|language| name == *language))
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_loader_is_one_of_the_libraries() {
        let libraries = of_program(&std::env::current_exe().unwrap()).unwrap();
        let has = |text: &str| libraries.iter().any(|path| path.to_string_lossy().contains(text));
        assert!(has("/libc.so.6") && has("/ld-linux"), "{libraries:?}");
        assert!(libraries.iter().all(|path| path.is_file()), "{libraries:?}");
    }

    #[test]
    fn the_newest_symbol_of_the_c_library_counts() {
        let listed = "\tlibc.so.6 => /lib/libc.so.6 (0x1)\n\n\tVersion information:\n\t./program:\n\
                      \t\tlibm.so.6 (GLIBC_2.29) => /lib/libm.so.6\n\t\tlibc.so.6 (GLIBC_2.4) => /lib/libc.so.6\n\
                      \t\tlibc.so.6 (GLIBC_2.34) => /lib/libc.so.6\n\t\tlibc.so.6 (GLIBC_2.2.5) => /lib/libc.so.6\n\
                      \t/lib/libm.so.6:\n\t\tlibc.so.6 (GLIBC_2.36) => /lib/libc.so.6\n";
        assert_eq!(newest_libc(listed).as_deref(), Some("2.34"));
        assert_eq!(newest_libc("\tstatically linked\n"), None);
    }

    #[test]
    fn only_languages_that_the_server_reads_are_packed() {
        assert!(is_wanted(Path::new("/t/fra.traineddata")) && is_wanted(Path::new("/t/configs/tsv")));
        assert!(!is_wanted(Path::new("/t/pol.traineddata")));
    }
}
