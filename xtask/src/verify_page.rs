//! Builds the module of the page that checks a certificate in a browser: `crates/verify-page` becomes a packed WebAssembly
//! module next to the plugins, where the server's build script finds it.

use std::{
    fs,
    io::Write as _,
    path::{Path, PathBuf},
    process::Stdio,
};

use anyhow::{Context, Result, ensure};
use lzma_rust2::{LzmaOptions, LzmaWriter};

use crate::{
    artefact::{fingerprint, is_built, is_module, made_by_cargo, note_built, replace, without_paths},
    machine::Toolchain,
};

/// The module's name in the folder of the components. It is not a plugin, so its name does not end like theirs.
pub(crate) const MODULE: &str = "verify-page.module";

const PACKAGE: &str = "sealwright-verify-page";

/// What the module is made of.
const SOURCES: [&str; 12] = [
    "Cargo.toml",
    "Cargo.lock",
    "crates/facts/Cargo.toml",
    "crates/facts/src",
    "crates/provenance/Cargo.toml",
    "crates/provenance/src",
    "crates/seal/Cargo.toml",
    "crates/seal/src",
    "crates/verification/Cargo.toml",
    "crates/verification/src",
    "crates/verify-page/Cargo.toml",
    "crates/verify-page/src",
];

/// Structures of a file may nest; and a hostile file must not take all memory of the browser. In bytes.
const MEMORY: [&str; 2] = ["-Clink-arg=-zstack-size=8388608", "-Clink-arg=--max-memory=1610612736"];

/// Builds the module into `folder`, unless nothing has changed since the last build.
pub(crate) fn build(root: &Path, target_dir: &Path, folder: &Path, toolchain: &Toolchain) -> Result<()> {
    let build_dir = target_dir.join("verify-page-build");
    let record = build_dir.join("record");
    let fingerprint = fingerprint(root, &SOURCES, toolchain, include_str!("verify_page.rs"))?;
    if is_built(&record, &fingerprint) {
        return Ok(());
    }
    eprintln!("Building the module of the page for checks ({})", toolchain.summary);
    let module = compile(root, &build_dir, toolchain)?;
    let bytes = fs::read(&module).with_context(|| format!("reading {}", module.display()))?;
    let path = folder.join(MODULE);
    replace(&path, &packed(&bytes)?)?;
    note_built(&record, &fingerprint, &[path])
}

/// Compiles the package and returns its module.
fn compile(root: &Path, build_dir: &Path, toolchain: &Toolchain) -> Result<PathBuf> {
    let mut rustflags = without_paths(root)?;
    rustflags.extend(MEMORY.map(str::to_owned));
    let built = toolchain
        .cargo("rustc", &rustflags)
        .current_dir(root)
        .args(["--package", PACKAGE, "--lib", "--crate-type", "cdylib", "--release", "--locked"])
        .arg("--message-format=json-render-diagnostics")
        // The page is one file that people keep: it must be small.
        .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "z")
        .env("CARGO_TARGET_DIR", build_dir)
        .stderr(Stdio::inherit())
        .output()
        .context("cannot start cargo")?;
    ensure!(built.status.success(), "the module of the page for checks does not compile");
    let mut made = made_by_cargo(built.stdout)?.into_iter().map(|(file, _)| file);
    made.find(|file| is_module(file)).context("cargo built no module")
}

/// The module in the format .lzma, as `web/verify/unpack.js` reads it.
fn packed(module: &[u8]) -> Result<Vec<u8>> {
    let mut options = LzmaOptions::with_preset(9);
    // As large as any module; the page keeps all of it anyway.
    options.dict_size = 8 << 20;
    let mut packer = LzmaWriter::new_use_header(Vec::new(), &options, Some(u64::try_from(module.len())?))?;
    packer.write_all(module).context("packing the module")?;
    packer.finish().context("packing the module")
}
