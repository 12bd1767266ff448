//! `cargo xtask fuzz`: builds the targets of `tests/fuzz` with coverage counters and runs each for a while, four at a
//! time. The stable compiler has everything that the counters need, so neither a nightly toolchain nor `cargo fuzz` is
//! used.

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use anyhow::{Context as _, bail, ensure};
use clap::Args;

use crate::workspace::{Workspace, build_programs};

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// A number is the seconds for each target, any other word a target.
    #[arg(hide = true)]
    words: Vec<String>,
}

/// What `cargo fuzz` passes, without a sanitizer: counters for each edge, and the operands of comparisons.
const COUNTERS: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares -Ccodegen-units=1 --cfg fuzzing";
/// Each target runs for the whole time, so more at once only means fewer inputs for each.
const AT_ONCE: usize = 4;
/// The program that writes the corpus; not a target.
const CORPUS_WRITER: &str = "corpus";

pub(crate) fn run(workspace: &Workspace, options: Options) -> anyhow::Result<()> {
    let (mut seconds, mut wanted) = (60_u64, Vec::new());
    for word in options.words {
        match word.parse() {
            Ok(number) => seconds = number,
            Err(_) => wanted.push(word),
        }
    }
    let package = workspace.root.join("tests/fuzz");
    let folder = workspace.target_dir.join("fuzz");
    let mut build = workspace.cargo("build");
    // With an explicit `--target`, build scripts and macros are compiled without counters.
    build.arg("--manifest-path").arg(package.join("Cargo.toml")).args(["--bins", "--target", &host()?]);
    build.arg("--target-dir").arg(&folder).env("RUSTFLAGS", COUNTERS);
    let mut programs = build_programs(&mut build)?;
    programs.remove(CORPUS_WRITER);
    if let Some(unknown) = wanted.iter().find(|name| !programs.contains_key(*name)) {
        let names: Vec<&str> = programs.keys().map(String::as_str).collect();
        bail!("unknown target {unknown}; the targets are {}", names.join(", "));
    }
    programs.retain(|name, _| wanted.is_empty() || wanted.contains(name));
    let programs: Vec<(String, PathBuf)> = programs.into_iter().collect();
    let mut failed = Vec::new();
    for group in programs.chunks(AT_ONCE) {
        let running = group.iter().map(|(name, program)| start(name, program, seconds, &package, &folder));
        let running = running.collect::<anyhow::Result<Vec<_>>>()?;
        for ((name, _), mut child) in group.iter().zip(running) {
            let status = child.wait()?;
            println!("{name:20} {}", summary_of(&folder.join(format!("{name}.log"))));
            if !status.success() {
                failed.push(name.as_str());
            }
        }
    }
    let kept = folder.join("artifacts");
    ensure!(failed.is_empty(), "failed: {}; the inputs are in {}", failed.join(", "), kept.display());
    Ok(())
}

fn start(name: &str, program: &Path, seconds: u64, package: &Path, folder: &Path) -> anyhow::Result<Child> {
    let (found, artifacts) = (folder.join("corpus").join(name), folder.join("artifacts").join(name));
    for made in [&found, &artifacts] {
        fs::create_dir_all(made)?;
    }
    let log = File::create(folder.join(format!("{name}.log")))?;
    let mut command = Command::new(program);
    // New inputs go into the first folder; the second one is only read.
    command.arg(found).arg(package.join("corpus").join(name));
    command.arg(format!("-max_total_time={seconds}")).args(["-timeout=10", "-rss_limit_mb=2048", "-max_len=65536"]);
    command.arg(format!("-artifact_prefix={}/", artifacts.display()));
    command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log);
    command.spawn().with_context(|| format!("cannot start {}", program.display()))
}

/// How often the target was called, or why it failed.
fn summary_of(log: &Path) -> String {
    let text = fs::read(log).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
    let is_summary = |line: &&str| line.starts_with("SUMMARY:") || line.starts_with("Done ");
    let summary = text.lines().rev().find(is_summary).unwrap_or("it printed no summary").to_owned();
    let panic = text.lines().find(|line| line.contains("panicked at")).map(|line| format!("; {line}"));
    summary + &panic.unwrap_or_default()
}

/// The machine's own target, as the compiler names it.
fn host() -> anyhow::Result<String> {
    let output = Command::new("rustc").arg("-vV").output().context("cannot start rustc")?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("rustc -vV does not name the host")?.to_owned())
}
