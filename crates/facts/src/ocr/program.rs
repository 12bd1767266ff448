//! The program Tesseract: which languages it has, and how it is run on a picture.

use std::{
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use super::{Failure, LANGUAGES, Language};

/// The program installed on this machine.
#[derive(Clone, Debug)]
pub struct Tesseract {
    program: PathBuf,
    languages: Vec<&'static Language>,
    /// Whether it has the data that recognise a script.
    pub(super) has_scripts: bool,
    /// The time limits for one page, and for all pages of a file.
    pub(super) page_time: Duration,
    pub(super) file_time: Duration,
}

impl Tesseract {
    /// The program in `PATH`, if it is installed with at least one of the languages that are read.
    pub fn installed() -> Option<Self> {
        let program = std::env::split_paths(&std::env::var_os("PATH")?)
            .map(|folder| folder.join("tesseract"))
            .find(|program| program.is_file())?;
        let listed = run(Command::new(&program).arg("--list-langs"), b"", Duration::from_secs(10), 64 * 1024).ok()?;
        let listed = String::from_utf8_lossy(&listed).into_owned();
        let has = |code: &str| listed.lines().any(|line| line.trim() == code);
        let languages: Vec<&Language> =
            LANGUAGES.iter().filter(|language| language.is_read && has(language.code)).collect();
        let (page_time, file_time) = (Duration::from_secs(40), Duration::from_mins(2));
        let has_scripts = has("osd");
        (!languages.is_empty()).then_some(Self { program, languages, has_scripts, page_time, file_time })
    }

    pub fn program(&self) -> &Path {
        &self.program
    }

    /// The installed languages that are read, in the order in which they are tried.
    pub fn languages(&self) -> &[&'static Language] {
        &self.languages
    }

    pub(super) fn first_language(&self) -> &'static Language {
        self.languages.first().copied().unwrap_or(&LANGUAGES[0])
    }

    /// For a page that the first language does not suit, and that does not show its own.
    pub(super) fn second_language(&self) -> &'static Language {
        self.languages.get(1).copied().unwrap_or_else(|| self.first_language())
    }

    /// Whether it can read a language.
    pub(super) fn has(&self, language: &Language) -> bool {
        self.languages.contains(&language)
    }

    /// The command that reads pictures in a language. Threads would share the work of one picture, at twice its cost.
    pub(super) fn command(&self, dots_an_inch: &str, language: &str, mode: &str) -> Command {
        let mut command = Command::new(&self.program);
        command.env("OMP_THREAD_LIMIT", "1").args(["stdin", "stdout", "--dpi", dots_an_inch]);
        command.args(["-l", language, "--psm", mode]);
        command
    }
}

/// The output of a command that gets `file` as its input.
pub(super) fn output(command: &mut Command, file: &[u8], time: Duration) -> Result<String, Failure> {
    if time.is_zero() {
        return Err(Failure::TimedOut);
    }
    let output = run(command, file, time, 16 << 20)?;
    Ok(String::from_utf8_lossy(&output).into_owned())
}

/// At most `output_bytes` of the output of a command.
#[cfg(not(target_family = "wasm"))]
fn run(command: &mut Command, input: &[u8], time: Duration, output_bytes: u64) -> Result<Vec<u8>, Failure> {
    use sealwright_child_process::{Bounds, Cause, run};

    match run(command, input, Bounds { time, output_bytes, own_group: false }) {
        Ok(Ok(output)) => Ok(output),
        Ok(Err(failure)) if failure.cause == Cause::OutOfTime => Err(Failure::TimedOut),
        Ok(Err(_)) | Err(_) => Err(Failure::Failed),
    }
}

/// WebAssembly starts no program.
#[cfg(target_family = "wasm")]
fn run(_command: &mut Command, _input: &[u8], _time: Duration, _output_bytes: u64) -> Result<Vec<u8>, Failure> {
    Err(Failure::Failed)
}
