//! The tasks that mostly call cargo.

use std::{env, ffi::OsString, num::NonZeroUsize, process::Command, thread};

use anyhow::{Context as _, bail};
use lexopt::{Arg, Parser, ValueExt as _};

use crate::{
    citations, house, hygiene,
    machine::{self, Toolchain},
    plugins,
    workspace::{Workspace, build_programs, run},
};

/// The variable that names a Python with the judges of signatures and of the interface's description.
const PYTHON: &str = "SEALWRIGHT_TEST_PYTHON";

/// How many tests of one program run at once.
const TEST_THREADS: &str = "RUST_TEST_THREADS";

const TEST_HELP: &str = "\
Build the plugins and run all tests

Usage: cargo xtask test [ARGUMENTS FOR CARGO TEST]

Without arguments, the programs that tests use are installed first (Debian's packages, and Python packages in the target
folder; --no-install prevents it), and the plugins' own tests run too, compiled for this machine. With arguments, only
the server's workspace is tested:

  cargo xtask test -p sealwright media::       the tests of one module
  cargo xtask test -- --nocapture              with their output";

const BUILD_HELP: &str = "\
Build the plugins and the release program

Usage: cargo xtask build

The last line printed is the program's path:

  \"$(cargo xtask build | tail -n 1)\" --version";

const BENCH_HELP: &str = "\
Build the plugins and run the benchmarks, in less than four minutes after the build

Usage: cargo xtask bench [BENCHMARK]...

  cargo xtask bench                       all of them
  cargo xtask bench create certificate    some: create, bulk, close, certificate, seal, plugin, read, rate, process,
                                          upload, search, zip, facts, strangers, fairness

Certificates, seals and calls of plugins are compared with WeasyPrint, Typst as a program, pyHanko and Extism if
SEALWRIGHT_BENCH_PYTHON names a Python with tests/benches/requirements.txt; Typst is the program that
SEALWRIGHT_BENCH_TYPST names (crate typst-cli), or that Python's. Prints a table and writes <target>/bench/latest.json.
PostgreSQL is measured if initdb, pg_ctl and pgbench are installed.";

const SOAK_HELP: &str = "\
Make certificates of twelve photos in one process, two at a time, and fail if its memory grows or a seal proves
nothing; then kill a server repeatedly while it makes such certificates, and fail if one is missing or broken

Usage: cargo xtask soak [CERTIFICATES] [KILLS]

The defaults are 2000 and 100, which takes about half an hour after the build:

  cargo xtask soak 300 20";

const LAB_HELP: &str = "\
Evaluate the built-in analysis plugins on papers and photographs with known ground truth

Usage: cargo xtask lab [ARGUMENTS FOR THE JUDGE]

Prints the tables of docs/judging.md. Scans need Tesseract. `--wrong` explains each wrong judgement, `--seed 1` uses
papers for tuning instead of those for judging. `--facts FOLDER` keeps what was read in papers, and takes it from there in
the next round: enough as long as only plugins change. `--text` shows it, `--quality scan` leaves the others out:

  cargo xtask lab --papers 390 --photos 200
  cargo xtask lab --seed 1 --papers 300 --photos 0 --quality scan --facts target/facts --wrong --text";

const FUZZ_API_HELP: &str = "\
Test a server against its OpenAPI description with schemathesis, until this many requests were sent

Usage: cargo xtask fuzz-api [REQUESTS]

The default is 100000. No response may be a 5xx, or one that is not in the description. Needs Python with
tests/api/requirements.txt installed; SEALWRIGHT_TEST_PYTHON names its interpreter:

  python3 -m venv target/judges && target/judges/bin/pip install -r tests/api/requirements.txt
  SEALWRIGHT_TEST_PYTHON=target/judges/bin/python cargo xtask fuzz-api";

const CHAOS_HELP: &str = "\
Break whole installations by a seeded schedule of faults, under load, and fail if anything acknowledged is lost or doubled

Usage: cargo xtask chaos [SECONDS] [--seed N] [--kinds KIND,...]
       cargo xtask chaos --power CUTS [--seed N]

The default is 600 seconds. Four fifths of the time: two API nodes and two workers on PostgreSQL and an S3-compatible
store; then one node on SQLite and a disk that fills up (this needs root or user namespaces). The same seed makes the same
faults. With --power, one node on SQLite is started on disks as they may be found after so many cuts of the power, and its
writes and syncs fail 200 times. The nodes' logs and the certificates stay in <target>/chaos. Needs PostgreSQL (initdb, pg_ctl, createdb).

  cargo xtask chaos 120
  cargo xtask chaos --power 500
  cargo xtask chaos --seed 7 --kinds kill,stop,postgres-away

Kinds: kill, stop, postgres-restart, postgres-crash, postgres-away, postgres-freeze, store-away, store-freeze,
receiver-silent, receiver-away, disk-full";

const PLUGINS_HELP: &str = "\
Build the built-in plugins as WebAssembly components

Usage: cargo xtask plugins

The last line printed is the folder of the components.";

const LINT_HELP: &str = "\
Check formatting, clippy's lints (warnings are errors) and what must not be in the repository

Usage: cargo xtask lint";

pub(crate) fn test(workspace: &Workspace, parser: Parser) -> anyhow::Result<()> {
    let Some(arguments) = passed_through(parser, TEST_HELP)? else { return Ok(()) };
    if arguments.is_empty() {
        machine::prepare_tests(workspace.install)?;
    }
    let mut tests = workspace.cargo_with_plugins("test")?;
    if arguments.is_empty()
        && env::var_os(PYTHON).is_none()
        && let Some(judges) = machine::judges(&workspace.root, &workspace.target_dir, workspace.install)?
    {
        tests.env(PYTHON, judges);
    }
    if let (true, Some(plugins)) = (arguments.is_empty(), workspace.plugins_workspace()) {
        let mut native = workspace.cargo("test");
        native.arg("--workspace").arg("--manifest-path").arg(plugins);
        run(native.arg("--no-fail-fast").arg("--target-dir").arg(workspace.native_plugins()))?;
    }
    if env::var_os(TEST_THREADS).is_none() {
        // Most tests wait for servers that they have started.
        let cores = thread::available_parallelism().map_or(2, NonZeroUsize::get);
        tests.env(TEST_THREADS, (2 * cores).to_string());
    }
    // A long run should report every failure, not only the first one.
    let is_said = arguments.iter().any(|argument| argument == "--no-fail-fast");
    tests.args((!is_said).then_some("--no-fail-fast"));
    let everything = !arguments.iter().any(|argument| argument == "-p" || argument == "--package");
    tests.args(everything.then_some("--workspace")).args(arguments);
    run(&mut tests)
}

pub(crate) fn build(workspace: &Workspace, parser: Parser) -> anyhow::Result<()> {
    if !without_arguments(parser, BUILD_HELP)? {
        return Ok(());
    }
    let mut build = workspace.cargo_with_plugins("build")?;
    let programs = build_programs(build.args(["--release", "-p", "sealwright"]))?;
    let path = programs.get("sealwright").context("cargo built no program named sealwright")?;
    println!("{}", path.display());
    Ok(())
}

pub(crate) fn bench(workspace: &Workspace, parser: Parser) -> anyhow::Result<()> {
    let Some(benchmarks) = passed_through(parser, BENCH_HELP)? else { return Ok(()) };
    let mut bench = workspace.cargo_with_plugins("bench")?;
    // The benchmarks measure durable writes: PostgreSQL has to wait for its disk too.
    bench.env("SEALWRIGHT_TEST_POSTGRES_FSYNC", "on");
    run(bench.args(["-p", "sealwright", "--bench", "bench", "--"]).args(benchmarks))
}

pub(crate) fn soak(workspace: &Workspace, mut parser: Parser) -> anyhow::Result<()> {
    const USUAL_CERTIFICATES: usize = 2000;
    const USUAL_KILLS: usize = 100;
    let mut numbers: Vec<usize> = Vec::new();
    while let Some(argument) = parser.next()? {
        match argument {
            Arg::Value(number) if numbers.len() < 2 => numbers.push(number.parse()?),
            Arg::Long("help") | Arg::Short('h') => {
                println!("{SOAK_HELP}");
                return Ok(());
            }
            other => bail!("{}\n\n{SOAK_HELP}", other.unexpected()),
        }
    }
    let certificates = numbers.first().copied().unwrap_or(USUAL_CERTIFICATES);
    let kills = numbers.get(1).copied().unwrap_or(USUAL_KILLS);
    for (part, count) in [("soak", certificates), ("kills", kills)] {
        let mut bench = workspace.cargo_with_plugins("bench")?;
        run(bench.args(["-p", "sealwright", "--bench", "bench", "--", part]).arg(count.to_string()))?;
    }
    Ok(())
}

/// The program that `cargo xtask lab` runs.
const JUDGE: &str = "sealwright-judge";

pub(crate) fn lab(workspace: &Workspace, parser: Parser) -> anyhow::Result<()> {
    let Some(arguments) = passed_through(parser, LAB_HELP)? else { return Ok(()) };
    // Of the whole workspace: `-p` would turn features of dependencies off and build them all again.
    let programs = build_programs(workspace.cargo("build").args(["--workspace", "--bin", JUDGE]))?;
    run(Command::new(programs.get(JUDGE).context("cargo built no judge")?).args(arguments))
}

/// The program that `cargo xtask chaos` runs.
const CHAOS: &str = "sealwright-chaos";

pub(crate) fn chaos(workspace: &Workspace, parser: Parser) -> anyhow::Result<()> {
    let Some(arguments) = passed_through(parser, CHAOS_HELP)? else { return Ok(()) };
    machine::prepare_tests(workspace.install)?;
    // Of the whole workspace: `-p` would turn features of dependencies off and build them all again.
    let programs = build_programs(workspace.cargo_with_plugins("build")?.args(["--workspace", "--bins"]))?;
    let path = |name: &str| programs.get(name).with_context(|| format!("cargo built no program named {name}"));
    let mut chaos = Command::new(path(CHAOS)?);
    chaos.arg("--program").arg(path("sealwright")?).arg("--folder").arg(workspace.target_dir.join("chaos"));
    run(chaos.args(arguments))
}

pub(crate) fn fuzz_api(workspace: &Workspace, mut parser: Parser) -> anyhow::Result<()> {
    const USUAL_REQUESTS: u64 = 100_000;
    let requests: u64 = match parser.next()? {
        None => USUAL_REQUESTS,
        Some(Arg::Value(number)) => number.parse()?,
        Some(Arg::Long("help") | Arg::Short('h')) => {
            println!("{FUZZ_API_HELP}");
            return Ok(());
        }
        Some(other) => bail!("{}\n\n{FUZZ_API_HELP}", other.unexpected()),
    };
    let mut test = workspace.cargo_with_plugins("test")?;
    test.args(["-p", "sealwright", "--test", "black_box", "--", "--nocapture", "no_question_is_answered"]);
    // With CI set, a machine without the judges fails instead of skipping the test.
    test.env("CI", "true").env("SEALWRIGHT_TEST_FUZZ_REQUESTS", requests.to_string());
    // Each run of schemathesis starts with the same systematic requests; long runs leave time for random ones.
    run(test.env("SEALWRIGHT_TEST_FUZZ_SECONDS", "300"))
}

pub(crate) fn plugins(workspace: &Workspace, parser: Parser) -> anyhow::Result<()> {
    if without_arguments(parser, PLUGINS_HELP)? {
        println!("{}", plugins::build(&workspace.root, &workspace.target_dir, workspace.install)?.display());
    }
    Ok(())
}

pub(crate) fn lint(workspace: &Workspace, parser: Parser) -> anyhow::Result<()> {
    const STRICT: [&str; 3] = ["--", "-D", "warnings"];
    if !without_arguments(parser, LINT_HELP)? {
        return Ok(());
    }
    hygiene::check(&workspace.root)?;
    citations::check(&workspace.root)?;
    house::check(&workspace.root)?;
    run(workspace.cargo("fmt").args(["--all", "--check"]))?;
    run(workspace.cargo_with_plugins("clippy")?.args(["--workspace", "--all-targets"]).args(STRICT))?;
    // A page may check certificates in a browser one day: the seal library must keep compiling for it.
    let mut seal = Toolchain::find(workspace.install)?.cargo("check", &[]);
    seal.current_dir(&workspace.root).args(["--package", "sealwright-seal"]);
    run(seal.env("CARGO_TARGET_DIR", workspace.target_dir.join("seal-wasm")))?;
    if let Some(plugins) = workspace.plugins_workspace() {
        run(workspace.cargo("fmt").args(["--all", "--check", "--manifest-path"]).arg(&plugins))?;
        let mut clippy = workspace.cargo("clippy");
        clippy.args(["--workspace", "--all-targets", "--manifest-path"]).arg(&plugins);
        run(clippy.arg("--target-dir").arg(workspace.native_plugins()).args(STRICT))?;
    }
    Ok(())
}

/// The rest of the command line for another program, or `None` after printing the requested help.
fn passed_through(mut parser: Parser, help: &str) -> anyhow::Result<Option<Vec<OsString>>> {
    let arguments: Vec<_> = parser.raw_args()?.collect();
    if arguments.first().is_some_and(|first| first == "--help" || first == "-h") {
        println!("{help}");
        return Ok(None);
    }
    Ok(Some(arguments))
}

/// Whether to continue: false after printing the requested help. Any other argument is an error.
fn without_arguments(mut parser: Parser, help: &str) -> anyhow::Result<bool> {
    match parser.next()? {
        None => Ok(true),
        Some(Arg::Long("help") | Arg::Short('h')) => {
            println!("{help}");
            Ok(false)
        }
        Some(other) => bail!("{}\n\n{help}", other.unexpected()),
    }
}
