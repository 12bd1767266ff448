//! A way to compile for [`TARGET`]: rustup's target for the running toolchain, or else Debian's own toolchain (packages
//! `rustc-web`, `cargo-web`, `rust-web-src`), which also compiles the standard library.

use std::{
    env,
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use anyhow::{Context as _, Result, bail, ensure};

use super::{
    Install, announce,
    debian::{self, Package, Sign, program, succeeds},
};

pub(crate) const TARGET: &str = "wasm32-unknown-unknown";

const DEBIAN_RUSTC: &str = "/usr/bin/rustc";
const DEBIAN_CARGO: &str = "/usr/bin/cargo";
/// Debian's packages, by a file that only they contain: another `rustc` may be in `/usr/bin`.
const DEBIAN: [Package; 3] = [
    Package { name: "rustc-web", sign: Sign::File(DEBIAN_RUSTC) },
    Package { name: "cargo-web", sign: Sign::File(DEBIAN_CARGO) },
    Package { name: "rust-web-src", sign: Sign::File("/usr/lib/rustlib/src/rust/library/std/Cargo.toml") },
];
/// The linker, if the running toolchain has none.
const LINKER: Package = Package { name: "lld", sign: Sign::Program("wasm-ld") };

/// A cargo that compiles for [`TARGET`].
pub(crate) struct Toolchain {
    /// For display, and as a part of fingerprints.
    pub(crate) summary: String,
    cargo: OsString,
    arguments: Vec<&'static str>,
    environment: Vec<(&'static str, OsString)>,
    rustflags: Vec<String>,
}

impl Toolchain {
    /// The toolchain that runs this program if it has the target, else Debian's. If neither is there, one is installed.
    pub(crate) fn find(install: Install) -> Result<Self> {
        if has_target()? {
            return Self::running();
        }
        let mut missing: Vec<&str> = DEBIAN.iter().filter(|package| package.is_missing()).map(|it| it.name).collect();
        if !missing.is_empty() && install.is_allowed() && add_target()? {
            return Self::running();
        }
        if shipped_linker()?.is_none() && LINKER.is_missing() {
            missing.push(LINKER.name);
        }
        if !missing.is_empty() {
            let ways = format!(
                "the target {TARGET} is not installed. Either `rustup target add {TARGET}`, or on Debian \
                 `apt-get install {}`",
                missing.join(" ")
            );
            ensure!(install.is_allowed(), ways);
            debian::install(&missing).context(ways)?;
        }
        Self::debian()
    }

    fn running() -> Result<Self> {
        Ok(Self {
            summary: output(Command::new(rustc()).arg("--version"))?,
            cargo: env::var_os("CARGO").unwrap_or_else(|| "cargo".into()),
            arguments: Vec::new(),
            environment: Vec::new(),
            rustflags: Vec::new(),
        })
    }

    fn debian() -> Result<Self> {
        let linker = shipped_linker()?.or_else(|| program("wasm-ld"));
        let linker = linker.context("there is no linker for WebAssembly: `apt-get install lld`")?;
        Ok(Self {
            summary: format!("{}, with its own standard library", output(Command::new(DEBIAN_RUSTC).arg("--version"))?),
            cargo: DEBIAN_CARGO.into(),
            arguments: vec!["-Zbuild-std=std,panic_abort"],
            // The distribution's compiler is stable, but building the standard library is an unstable feature.
            environment: vec![("RUSTC", DEBIAN_RUSTC.into()), ("RUSTC_BOOTSTRAP", "1".into())],
            rustflags: vec![format!("-Clinker={}", linker.display())],
        })
    }

    /// A call of `cargo TASK --target TARGET`, with `rustflags` in addition to the toolchain's own.
    pub(crate) fn cargo(&self, task: &str, rustflags: &[String]) -> Command {
        let rustflags = [&self.rustflags[..], rustflags].concat();
        let mut command = Command::new(&self.cargo);
        command.args([task, "--target", TARGET]).args(&self.arguments);
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        if !rustflags.is_empty() {
            command.env("CARGO_ENCODED_RUSTFLAGS", rustflags.join("\u{1f}"));
        }
        command
    }
}

fn rustc() -> OsString {
    env::var_os("RUSTC").unwrap_or_else(|| "rustc".into())
}

fn has_target() -> Result<bool> {
    let libraries = output(Command::new(rustc()).args(["--print", "target-libdir", "--target", TARGET]))?;
    Ok(Path::new(&libraries).is_dir())
}

/// Adds the target to the running toolchain with rustup; false if there is no rustup, or if it fails.
fn add_target() -> Result<bool> {
    let Some(rustup) = program("rustup") else { return Ok(false) };
    announce(&format!("the target {TARGET}"), "rustup");
    // Unreachable servers are tried only once.
    let mut add = Command::new(rustup);
    let added = succeeds(add.args(["target", "add", TARGET]).env("RUSTUP_MAX_RETRIES", "0"));
    if !added {
        eprintln!("rustup cannot add the target");
    }
    Ok(added && has_target()?)
}

/// The linker for WebAssembly that comes with the running toolchain.
fn shipped_linker() -> Result<Option<PathBuf>> {
    let rustlib = Path::new(&output(Command::new(rustc()).args(["--print", "sysroot"]))?).join("lib/rustlib");
    let entries = fs::read_dir(&rustlib).with_context(|| format!("reading {}", rustlib.display()))?;
    let linkers = entries.filter_map(|entry| Some(entry.ok()?.path().join("bin/rust-lld")));
    Ok(linkers.into_iter().find(|path| path.is_file()))
}

fn output(command: &mut Command) -> Result<String> {
    let output = command.stderr(Stdio::inherit()).output().with_context(|| format!("running {command:?}"))?;
    if !output.status.success() {
        bail!("{command:?} failed");
    }
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
}
