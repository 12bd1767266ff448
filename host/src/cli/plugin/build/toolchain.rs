//! Finds a compiler for WebAssembly: rustup's with its target, or Debian's, which compiles the standard
//! library as well.

use std::{
    env,
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use anyhow::{Context, Result, ensure};

/// The target that plugins are compiled for.
pub(super) const TARGET: &str = "wasm32-unknown-unknown";

/// Where Debian puts the compiler, cargo and the standard library's source.
const DEBIAN_RUSTC: &str = "/usr/bin/rustc";
const DEBIAN_CARGO: &str = "/usr/bin/cargo";
const DEBIAN_STD_SOURCE: &str = "/usr/lib/rustlib/src/rust/library/std/Cargo.toml";

/// A way to compile for [`TARGET`].
pub(super) struct Toolchain {
    pub(super) cargo: OsString,
    pub(super) environment: Vec<(&'static str, OsString)>,
}

impl Toolchain {
    /// The toolchain on the path if it has the target, else Debian's.
    ///
    /// # Errors
    /// If neither is installed. The message says how to install one.
    pub(super) fn find() -> Result<Self> {
        let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let libraries = output(Command::new(&rustc).args(["--print", "target-libdir", "--target", TARGET]));
        if libraries.is_ok_and(|folder| Path::new(&folder).is_dir()) {
            let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
            return Ok(Self { cargo, environment: Vec::new() });
        }
        ensure!(
            [DEBIAN_RUSTC, DEBIAN_CARGO, DEBIAN_STD_SOURCE].iter().all(|path| Path::new(path).exists()),
            "no installed Rust compiler builds WebAssembly: run `rustup target add {TARGET}`, or on Debian \
             `apt-get install rustc-web cargo-web rust-web-src`"
        );
        let sysroots =
            [rustc, DEBIAN_RUSTC.into()].map(|rustc| output(Command::new(rustc).args(["--print", "sysroot"])));
        let linker = linker(sysroots.into_iter().flatten())?;
        let environment = vec![
            ("RUSTC", DEBIAN_RUSTC.into()),
            // The distribution's compiler is a stable one, and building the standard library is an unstable feature.
            ("RUSTC_BOOTSTRAP", "1".into()),
            ("CARGO_UNSTABLE_BUILD_STD", "std,panic_abort".into()),
            ("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker.into()),
        ];
        Ok(Self { cargo: DEBIAN_CARGO.into(), environment })
    }
}

/// The WebAssembly linker of a toolchain, or else of an installed LLVM.
fn linker(sysroots: impl Iterator<Item = String>) -> Result<PathBuf> {
    let folders = sysroots.filter_map(|sysroot| fs::read_dir(Path::new(&sysroot).join("lib/rustlib")).ok()).flatten();
    let shipped = folders.filter_map(|entry| Some(entry.ok()?.path().join("bin/rust-lld")));
    let path = env::var_os("PATH").unwrap_or_default();
    let installed = env::split_paths(&path).map(|folder| folder.join("wasm-ld")).collect::<Vec<_>>();
    let mut candidates = shipped.chain(installed);
    candidates
        .find(|path| path.is_file())
        .context("no linker for WebAssembly: install Rust with rustup, or `apt-get install lld`")
}

fn output(command: &mut Command) -> Result<String> {
    let output = command.stderr(Stdio::null()).output().with_context(|| format!("running {command:?}"))?;
    ensure!(output.status.success(), "{command:?} failed");
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
}
