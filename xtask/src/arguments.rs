//! The command line of the tasks. The examples of `cargo xtask <TASK> --help` are here too.

use std::ffi::OsString;

use clap::{Args, Parser, Subcommand};

use crate::{
    clients, demo, dist, fuzz,
    machine::{Install, NO_INSTALL},
};

/// The project's own tasks
#[derive(Debug, Parser)]
#[command(
    bin_name = "cargo xtask",
    disable_help_subcommand = true,
    subcommand_value_name = "TASK",
    subcommand_help_heading = "Tasks",
    after_help = AFTER_HELP
)]
pub(crate) struct Arguments {
    /// Install nothing; if something is missing, the task fails or does without it
    #[arg(long, global = true)]
    no_install: bool,
    #[command(subcommand)]
    pub(crate) task: Option<Task>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Task {
    /// Build everything, run the whole journey of a case against a server, and keep it serving until Ctrl-C
    #[command(after_long_help = "Example: cargo xtask demo --photo ~/Pictures/leak.jpg")]
    Demo(demo::Options),
    /// Build the plugins and run all tests
    #[command(override_usage = "cargo xtask test [ARGUMENTS FOR CARGO TEST]", after_long_help = TEST)]
    Test(PassedThrough),
    /// Build the plugins and the release program; the last line printed is the program's path
    #[command(after_long_help = "Example: \"$(cargo xtask build | tail -n 1)\" --version")]
    Build,
    /// Make the files of a release: tarball, Debian package, container images, bill of materials, checksums
    #[command(after_long_help = DIST)]
    Dist(dist::Options),
    /// Build the plugins and run the benchmarks, in less than four minutes after the build
    #[command(override_usage = "cargo xtask bench [BENCHMARK]...", after_long_help = BENCH)]
    Bench(PassedThrough),
    /// Make thousands of certificates in one process, and fail if its memory grows
    #[command(after_long_help = SOAK)]
    Soak {
        /// How many certificates to make
        #[arg(default_value_t = 2000)]
        certificates: usize,
        /// How many times to kill a server
        #[arg(default_value_t = 100)]
        kills: usize,
    },
    /// Evaluate the built-in analysis plugins on documents (papers) and photographs with known ground truth
    #[command(override_usage = "cargo xtask lab [ARGUMENTS FOR THE JUDGE]", after_long_help = LAB)]
    Lab(PassedThrough),
    /// Break whole installations with seeded faults, and check that nothing acknowledged is lost or duplicated
    #[command(override_usage = CHAOS_USAGE, after_long_help = CHAOS)]
    Chaos(PassedThrough),
    /// Let one installation live through a year of work, failures and rotations, and verify all its certificates
    #[command(override_usage = YEAR_USAGE, after_long_help = YEAR)]
    Year(PassedThrough),
    /// Fuzz each parser of untrusted input for a while, four at a time, and fail if one panics or hangs
    #[command(override_usage = "cargo xtask fuzz [SECONDS] [TARGET]...", after_long_help = FUZZ)]
    Fuzz(fuzz::Options),
    /// Test a server against its OpenAPI description with schemathesis
    #[command(after_long_help = FUZZ_API)]
    FuzzApi {
        /// How many requests to send
        #[arg(default_value_t = 100_000)]
        requests: u64,
    },
    /// Build the built-in plugins as WebAssembly components; the last line printed is their folder
    Plugins,
    /// Make the typed clients of `web/clients` again, and fail if the interface breaks those of the last release
    #[command(after_long_help = CLIENTS)]
    Clients(clients::Options),
    /// Check formatting, clippy's lints (warnings are errors) and what must not be in the repository
    #[command(after_long_help = LINT)]
    Lint,
}

/// What another program reads. Only a help flag that comes first is ours.
#[derive(Debug, Args)]
pub(crate) struct PassedThrough {
    #[arg(allow_hyphen_values = true, hide = true)]
    before: Vec<OsString>,
    /// If `--` is the first argument, clap takes it; after another one it is in `before`.
    #[arg(last = true, hide = true)]
    after: Vec<OsString>,
}

impl PassedThrough {
    /// The arguments as they were written.
    pub(crate) fn all(self) -> Vec<OsString> {
        let separator = (!self.after.is_empty()).then(|| "--".into());
        self.before.into_iter().chain(separator).chain(self.after).collect()
    }
}

impl Arguments {
    /// Reads the command line; the first word is the program's name.
    ///
    /// # Errors
    /// If it is wrong, or requests help.
    pub(crate) fn read(words: impl IntoIterator<Item = OsString>) -> Result<Self, clap::Error> {
        Self::try_parse_from(with_our_flag_first(words.into_iter().collect()))
    }

    pub(crate) fn install(&self) -> Install {
        if self.no_install { Install::Refused } else { Install::Allowed }
    }
}

/// Moves `--no-install` to the front from anywhere before a `--`: a task that passes its arguments through would pass
/// it, too.
fn with_our_flag_first(mut words: Vec<OsString>) -> Vec<OsString> {
    let ours = words.iter().position(|word| word == "--").unwrap_or(words.len());
    if let Some(place) = words[..ours].iter().position(|word| word == NO_INSTALL) {
        let flag = words.remove(place);
        words.insert(1, flag);
    }
    words
}

const AFTER_HELP: &str = "\
A task first installs what it needs and does not find: the target wasm32-unknown-unknown, by rustup or from Debian's
packages, and for `test` the programs that tests use. Each installation prints one line and never asks. `--no-install`
prevents it.

`cargo xtask <TASK> --help` has more. All tasks honour CARGO_TARGET_DIR.";

const TEST: &str = "\
Without arguments, the programs that tests use are installed first (Debian's packages, and Python packages in the target
folder; --no-install prevents it), and the plugins' own tests run too, compiled for this machine. With arguments, only
the server's workspace is tested:

  cargo xtask test -p sealwright media::       the tests of one module
  cargo xtask test -- --nocapture              with their output";

const CLIENTS: &str = "\
A test of the server writes web/clients/description.json, and the clients' types and operations are made from it. Each
change that breaks a client of the last release (web/clients/released.json) is reported, unless the version says that
there are such changes: a higher major version, or below 1.0 a higher minor one.

  cargo xtask clients --release                after a release, so that the next changes are compared with it";

const DIST: &str = "\
The same program, sources and time give the same bytes. SOURCE_DATE_EPOCH sets the time of all files, in seconds since
1970; without it, it is the time of the last commit. The images contain shared libraries, certificate authorities and
Tesseract of this machine, which should be a Debian. --sign-key names a private SSH key, or a public one whose private
key is in an agent (docs/release.md):

  cargo xtask dist --sign-key ~/.ssh/release
  cargo xtask dist --program target/release/sealwright --without-ocr --out /tmp/packages";

const BENCH: &str = "\
  cargo xtask bench                       all of them
  cargo xtask bench create certificate    some: create, bulk, close, certificate, seal, plugin, read, rate, process,
                                          upload, search, zip, facts, strangers, fairness
  cargo xtask bench phones 200            this many telephones fill a case each, at once
  cargo xtask bench cases                 the console's list among 1,000,000 cases, in some minutes
  cargo xtask bench evidence              an evidence round over 1,000,000 certificates, in some minutes

If SEALWRIGHT_BENCH_PYTHON names a Python with tests/benches/requirements.txt installed, certificates, seals and plugin
calls are compared with WeasyPrint, the Typst program, pyHanko and Extism. SEALWRIGHT_BENCH_TYPST names the Typst
program (crate typst-cli); without it, that Python's Typst is used. The task prints a table and writes
<target>/bench/latest.json. PostgreSQL is measured if initdb, pg_ctl and pgbench are installed.";

const SOAK: &str = "\
The certificates have twelve photos and are made two at a time. The task also fails if a seal is not valid or does not
prove its time. Then a server is killed repeatedly while it makes such certificates; the task fails if one is missing or
broken. The defaults take about half an hour after the build:

  cargo xtask soak 300 20";

const LAB: &str = "\
Prints the tables of docs/judging.md. Scans need Tesseract. `--wrong` explains each wrong judgement, `--seed 1` uses
papers for tuning instead of those for judging. `--facts FOLDER` stores what was read from papers, and later runs
reuse it. Give this option only while nothing but plugins changes. `--text` also prints the text that was read.
`--quality scan` judges only scanned papers:

  cargo xtask lab --papers 390 --photos 200
  cargo xtask lab --seed 1 --papers 300 --photos 0 --quality scan --facts target/facts --wrong --text";

const FUZZ_API: &str = "\
No response may be a 5xx, or one that is not in the description. Needs Python with tests/api/requirements.txt installed;
SEALWRIGHT_TEST_PYTHON names its interpreter:

  python3 -m venv target/judges && target/judges/bin/pip install -r tests/api/requirements.txt
  SEALWRIGHT_TEST_PYTHON=target/judges/bin/python cargo xtask fuzz-api";

const LINT: &str = "\
Licences, sources and advisories of dependencies are checked by cargo-deny if it is on PATH or in <target>/tools/bin:

  cargo install --locked cargo-deny --root target/tools";

const CHAOS_USAGE: &str = "\
cargo xtask chaos [SECONDS] [--seed N] [--kinds KIND,...]
       cargo xtask chaos --power CUTS [--seed N]";

const CHAOS: &str = "\
The default is 600 seconds. For four fifths of the time, two API nodes and two workers run on PostgreSQL and an
S3-compatible store; then one node runs on SQLite and a disk that fills up (this needs root or user namespaces). The
same seed makes the same faults. With --power, only one node on SQLite runs: its power is cut CUTS times, it is started
on a disk state that each cut may leave, and 200 of its writes and syncs fail. The nodes' logs and the certificates stay
in <target>/chaos. Needs PostgreSQL (initdb, pg_ctl, createdb).

  cargo xtask chaos 120
  cargo xtask chaos --power 500
  cargo xtask chaos --seed 7 --kinds kill,stop,postgres-away

Kinds: kill, stop, postgres-restart, postgres-crash, postgres-away, postgres-freeze, store-away, store-freeze,
receiver-silent, receiver-away, disk-full";

const YEAR_USAGE: &str = "cargo xtask year [--cases N] [--months N] [--seed N]";

const YEAR: &str = "\
Starts with the installation of the last release (tests/fixtures/upgrade) on SQLite. Each month has 20 cases by default,
a failure, a backup that is checked, and jumps of the clock. Keys and secrets are rotated, certificates are renewed, and
cases are deleted, erased, held, or kept as long as their company says. After the seventh month the installation is
restored from its backup on PostgreSQL. Another installation witnesses its log. At the end every certificate must be
valid, or gone, as the answers said. The same seed makes the same year. The installation stays in <target>/chaos/year.
Needs PostgreSQL, OpenSSL and a C compiler. A whole year takes less than an hour after the build, the last example about
three minutes:

  cargo xtask year
  cargo xtask year --seed 7 --cases 50
  cargo xtask year --cases 3 --months 6";

const FUZZ: &str = "\
The default is 60 seconds for each target. The first inputs are in tests/fuzz/corpus, those found later in
<target>/fuzz/corpus; an input that a target fails on is kept in <target>/fuzz/artifacts. Needs a C++ compiler.

  cargo xtask fuzz 20
  cargo xtask fuzz 600 certificate der";

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Arguments {
        Arguments::read(format!("xtask {line}").split(' ').map(OsString::from)).unwrap()
    }

    fn passed(line: &str) -> String {
        match read(line).task {
            Some(Task::Test(rest) | Task::Bench(rest) | Task::Lab(rest) | Task::Chaos(rest) | Task::Year(rest)) => {
                rest.all().join(" ".as_ref()).into_string().unwrap()
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn no_install_is_a_flag_of_every_task_but_not_of_the_programs_it_runs() {
        for line in ["demo --no-install --once", "--no-install demo --once", "demo --once --no-install"] {
            let arguments = read(line);
            assert_eq!(arguments.install(), Install::Refused, "{line}");
            assert!(matches!(arguments.task, Some(Task::Demo(options)) if options.once), "{line}");
        }
        assert_eq!(read("demo --once").install(), Install::Allowed);
        assert_eq!(read("test -p x --no-install media::").install(), Install::Refused);
        assert_eq!(passed("test -p x --no-install media::"), "-p x media::");
        for line in ["test -- --no-install", "test -p x -- --no-install"] {
            assert_eq!(read(line).install(), Install::Allowed, "{line}");
            assert_eq!(passed(line), line.strip_prefix("test ").unwrap());
        }
    }

    #[test]
    fn arguments_reach_other_programs_as_they_were_written() {
        for line in [
            "test -p sealwright --test black_box frames",
            "test -p x foo:: -- --nocapture --exact",
            "test --no-fail-fast --help",
            "test -- --nocapture",
            "bench create certificate",
            "lab --papers 390 --photos 200 --wrong",
            "chaos 120 --seed 1",
            "chaos --seed 7 --kinds kill,stop",
            "year --cases 3 --months 6",
        ] {
            let (_, rest) = line.split_once(' ').unwrap();
            assert_eq!(passed(line), rest);
        }
    }

    #[test]
    fn each_task_has_help_with_its_examples() {
        let help = |line: &str| {
            let words = format!("xtask {line}").split(' ').map(OsString::from).collect::<Vec<_>>();
            Arguments::read(words).unwrap_err().to_string()
        };
        assert!(help("test --help").contains("cargo xtask test -- --nocapture"));
        assert!(help("chaos --help").contains("cargo xtask chaos --power CUTS [--seed N]"));
        assert!(help("year --help").contains("cargo xtask year --cases 3 --months 6"));
        assert!(help("fuzz --no-install --help").contains("cargo xtask fuzz 600 certificate der"));
    }
}
