//! The tasks that mostly call cargo.

use std::{env, ffi::OsString, num::NonZeroUsize, process::Command, thread};

use anyhow::Context as _;

use crate::{
    citations, deny, house, hygiene, machine, plugins,
    workspace::{Workspace, build_programs, run},
};

/// The variable that names a Python with the judges of signatures and of the interface's description.
const PYTHON: &str = "SEALWRIGHT_TEST_PYTHON";

/// The variable that names a witness of logs by another author.
const WITNESS: &str = "SEALWRIGHT_TEST_WITNESS";

/// How many tests of one program run at once.
const TEST_THREADS: &str = "RUST_TEST_THREADS";

pub(crate) fn test(workspace: &Workspace, arguments: &[OsString]) -> anyhow::Result<()> {
    if arguments.is_empty() {
        machine::prepare_tests(workspace.install)?;
        machine::prepare_geckodriver(&workspace.target_dir, workspace.install)?;
    }
    let mut tests = workspace.cargo_with_plugins("test")?;
    if arguments.is_empty()
        && env::var_os(PYTHON).is_none()
        && let Some(judges) = machine::judges(&workspace.root, &workspace.target_dir, workspace.install)?
    {
        tests.env(PYTHON, judges);
    }
    if arguments.is_empty()
        && env::var_os(WITNESS).is_none()
        && let Some(witness) = machine::foreign_witness(&workspace.root, &workspace.target_dir, workspace.install)?
    {
        tests.env(WITNESS, witness);
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

pub(crate) fn build(workspace: &Workspace) -> anyhow::Result<()> {
    let mut build = workspace.cargo_with_plugins("build")?;
    let programs = build_programs(build.args(["--release", "-p", "sealwright"]))?;
    let path = programs.get("sealwright").context("cargo built no program named sealwright")?;
    println!("{}", path.display());
    Ok(())
}

pub(crate) fn bench(workspace: &Workspace, benchmarks: &[OsString]) -> anyhow::Result<()> {
    let mut bench = workspace.cargo_with_plugins("bench")?;
    // The benchmarks measure durable writes: PostgreSQL has to wait for its disk too.
    bench.env("SEALWRIGHT_TEST_POSTGRES_FSYNC", "on");
    run(bench.args(["-p", "sealwright", "--bench", "bench", "--"]).args(benchmarks))
}

pub(crate) fn soak(workspace: &Workspace, certificates: usize, kills: usize) -> anyhow::Result<()> {
    for (part, count) in [("soak", certificates), ("kills", kills)] {
        let mut bench = workspace.cargo_with_plugins("bench")?;
        run(bench.args(["-p", "sealwright", "--bench", "bench", "--", part]).arg(count.to_string()))?;
    }
    Ok(())
}

/// The program that `cargo xtask lab` runs.
const JUDGE: &str = "sealwright-judge";

pub(crate) fn lab(workspace: &Workspace, arguments: &[OsString]) -> anyhow::Result<()> {
    // Of the whole workspace: `-p` would turn features of dependencies off and build them all again.
    let programs = build_programs(workspace.cargo("build").args(["--workspace", "--bin", JUDGE]))?;
    run(Command::new(programs.get(JUDGE).context("cargo built no judge")?).args(arguments))
}

/// The program that `cargo xtask chaos` and `cargo xtask year` run.
const CHAOS: &str = "sealwright-chaos";

pub(crate) fn chaos(workspace: &Workspace, arguments: &[OsString]) -> anyhow::Result<()> {
    run_chaos(workspace, &[], arguments)
}

/// Another mode of the same program.
pub(crate) fn year(workspace: &Workspace, arguments: &[OsString]) -> anyhow::Result<()> {
    run_chaos(workspace, &["--year"], arguments)
}

fn run_chaos(workspace: &Workspace, mode: &[&str], arguments: &[OsString]) -> anyhow::Result<()> {
    machine::prepare_tests(workspace.install)?;
    // Of the whole workspace: `-p` would turn features of dependencies off and build them all again.
    let programs = build_programs(workspace.cargo_with_plugins("build")?.args(["--workspace", "--bins"]))?;
    let path = |name: &str| programs.get(name).with_context(|| format!("cargo built no program named {name}"));
    let mut chaos = Command::new(path(CHAOS)?);
    chaos.arg("--program").arg(path("sealwright")?).arg("--folder").arg(workspace.target_dir.join("chaos"));
    run(chaos.args(mode).args(arguments))
}

pub(crate) fn fuzz_api(workspace: &Workspace, requests: u64) -> anyhow::Result<()> {
    let mut test = workspace.cargo_with_plugins("test")?;
    test.args(["-p", "sealwright", "--test", "black_box", "--", "--nocapture", "no_question_is_answered"]);
    // With CI set, a machine without the judges fails instead of skipping the test.
    test.env("CI", "true").env("SEALWRIGHT_TEST_FUZZ_REQUESTS", requests.to_string());
    // Each run of schemathesis starts with the same systematic requests; long runs leave time for random ones.
    run(test.env("SEALWRIGHT_TEST_FUZZ_SECONDS", "300"))
}

pub(crate) fn plugins(workspace: &Workspace) -> anyhow::Result<()> {
    println!("{}", plugins::build(&workspace.root, &workspace.target_dir, workspace.install)?.display());
    Ok(())
}

pub(crate) fn lint(workspace: &Workspace) -> anyhow::Result<()> {
    const STRICT: [&str; 3] = ["--", "-D", "warnings"];
    hygiene::check(&workspace.root)?;
    citations::check(&workspace.root)?;
    house::check(&workspace.root)?;
    deny::check(workspace)?;
    run(workspace.cargo("fmt").args(["--all", "--check"]))?;
    run(workspace.cargo_with_plugins("clippy")?.args(["--workspace", "--all-targets"]).args(STRICT))?;
    if let Some(plugins) = workspace.plugins_workspace() {
        run(workspace.cargo("fmt").args(["--all", "--check", "--manifest-path"]).arg(&plugins))?;
        let mut clippy = workspace.cargo("clippy");
        clippy.args(["--workspace", "--all-targets", "--manifest-path"]).arg(&plugins);
        run(clippy.arg("--target-dir").arg(workspace.native_plugins()).args(STRICT))?;
    }
    Ok(())
}
