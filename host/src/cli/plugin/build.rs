//! `sealwright plugin build`: builds a component from a Rust project, with the installed toolchain.

mod toolchain;

use std::{
    path::{Path, PathBuf},
    process::{Command, ExitCode, Stdio},
};

use anyhow::{Context, ensure};
use clap::Args;
use serde_json::Value;

use self::toolchain::{TARGET, Toolchain};
use super::{Output, pack};

/// Build a component from a Rust project
///
/// Compiles it for wasm32-unknown-unknown, with the toolchain of rustup if it has that target, else with Debian's
/// (`rustc-web`, `cargo-web` and `rust-web-src`), and makes a component from the result as `pack` does.
#[derive(Clone, Debug, Args)]
#[command(
    after_help = "Examples:\n  sealwright plugin build\n  sealwright plugin build club-cards --out club-cards.wasm"
)]
pub struct BuildArguments {
    /// The project's folder, with its `Cargo.toml`
    #[arg(value_name = "DIR", default_value = ".")]
    folder: PathBuf,

    /// The component to write [default: in the project's folder, with the package's name]
    #[arg(long, value_name = "FILE.wasm")]
    out: Option<PathBuf>,
}

pub(super) fn run(arguments: &BuildArguments, output: Output) -> anyhow::Result<ExitCode> {
    let folder = &arguments.folder;
    let manifest = folder.join("Cargo.toml");
    ensure!(manifest.is_file(), "{} does not exist: expected the folder of a Rust project", manifest.display());
    let folder = folder.canonicalize().with_context(|| folder.display().to_string())?;
    let module = compile(&folder, &Toolchain::find()?)?;
    let name = module.file_stem().context("a module has a name")?.to_string_lossy().replace('_', "-");
    let out = arguments.out.clone().unwrap_or_else(|| folder.join(name).with_extension("wasm"));
    pack::run(&module, Some(&out), output)
}

/// Compiles the project and returns its core module.
fn compile(folder: &Path, toolchain: &Toolchain) -> anyhow::Result<PathBuf> {
    let built = Command::new(&toolchain.cargo)
        .current_dir(folder)
        .args(["build", "--release", "--target", TARGET, "--message-format=json-render-diagnostics"])
        .envs(toolchain.environment.iter().map(|(name, value)| (name, value)))
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("running {}", toolchain.cargo.display()))?;
    ensure!(built.status.success(), "the project does not compile");
    let messages = String::from_utf8(built.stdout).context("cargo's messages are not UTF-8")?;
    let mut modules = modules(&messages, &folder.join("Cargo.toml"));
    let module = modules.pop().context(
        "cargo built no WebAssembly module: the project needs a library with `crate-type = [\"cdylib\"]` in Cargo.toml",
    )?;
    ensure!(modules.is_empty(), "cargo built several WebAssembly modules: expected one library");
    Ok(module)
}

/// The WebAssembly modules that cargo built from the package with this manifest.
fn modules(messages: &str, manifest: &Path) -> Vec<PathBuf> {
    let artifacts = messages
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter(|message| message["reason"] == "compiler-artifact")
        .filter(|message| message["manifest_path"].as_str().is_some_and(|path| Path::new(path) == manifest));
    let files = artifacts.flat_map(|message| message["filenames"].as_array().cloned().unwrap_or_default());
    let files = files.filter_map(|file| file.as_str().map(PathBuf::from));
    files.filter(|file| file.extension().is_some_and(|extension| extension == "wasm")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_module_is_the_project_s_and_not_a_dependency_s() {
        let messages = r#"
{"reason":"compiler-artifact","manifest_path":"/p/vendor/sdk/Cargo.toml","filenames":["/p/target/sdk.wasm"]}
{"reason":"compiler-artifact","manifest_path":"/p/Cargo.toml","filenames":["/p/target/lib.rlib","/p/target/club_cards.wasm"]}
{"reason":"build-finished","success":true}
warning: not JSON"#;
        assert_eq!(modules(messages, Path::new("/p/Cargo.toml")), [PathBuf::from("/p/target/club_cards.wasm")]);
        assert_eq!(modules("", Path::new("/p/Cargo.toml")), Vec::<PathBuf>::new());
    }
}
