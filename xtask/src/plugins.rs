//! Builds the built-in plugins: the crates of `plugins/` become WebAssembly components in `<target dir>/plugins/`, where
//! the server's build script finds them. Those of `plugins/examples/` are not built in, and go to `<target
//! dir>/plugin-examples/`, where the tests find them.
//! [`Toolchain`] knows how.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Stdio,
};

use anyhow::{Context, Result, ensure};

use crate::{
    artefact::{fingerprint, is_built, is_module, made_by_cargo, note_built, replace, without_paths},
    machine::{Install, Toolchain},
    verify_page,
};

/// Builds every plugin of the repository at `root` and returns the folder of the components, named `<plugin>.wasm`. The
/// [module of the page for checks](verify_page) is built into the same folder.
///
/// Does nothing if neither sources nor toolchain changed since the last build, and does not touch components whose
/// bytes did not change, so that the server is not recompiled needlessly.
pub(crate) fn build(root: &Path, target_dir: &Path, install: Install) -> Result<PathBuf> {
    let components_dir = target_dir.join("plugins");
    let toolchain = Toolchain::find(install)?;
    build_plugins(root, target_dir, &components_dir, &toolchain)?;
    verify_page::build(root, target_dir, &components_dir, &toolchain)?;
    Ok(components_dir)
}

fn build_plugins(root: &Path, target_dir: &Path, components_dir: &Path, toolchain: &Toolchain) -> Result<()> {
    let examples_dir = target_dir.join("plugin-examples");
    let build_dir = target_dir.join("plugins-build");
    let record = build_dir.join("record");
    let fingerprint = fingerprint(root, &["wit", "plugins"], toolchain, include_str!("plugins.rs"))?;
    if is_built(&record, &fingerprint) {
        return Ok(());
    }

    eprintln!("Building the plugins ({})", toolchain.summary);
    let modules = compile(root, &build_dir, toolchain)?;
    for folder in [components_dir, &examples_dir] {
        fs::create_dir_all(folder).with_context(|| format!("creating {}", folder.display()))?;
    }
    let mut written = Vec::new();
    for Module { file, is_example } in &modules {
        let component = component_of(file)?;
        let name = file.file_stem().context("a module has a name")?.to_string_lossy().replace('_', "-");
        let folder: &Path = if *is_example { &examples_dir } else { components_dir };
        let path = folder.join(name).with_extension("wasm");
        replace(&path, &component)?;
        written.push(path);
    }
    let module = components_dir.join(verify_page::MODULE);
    remove_others(components_dir, &[&written[..], &[module]].concat())?;
    remove_others(&examples_dir, &written)?;
    note_built(&record, &fingerprint, &written)
}

/// The result of compiling a crate.
struct Module {
    file: PathBuf,
    is_example: bool,
}

/// Compiles the workspace and returns its core modules.
fn compile(root: &Path, build_dir: &Path, toolchain: &Toolchain) -> Result<Vec<Module>> {
    let rustflags = without_paths(root)?;
    let built = toolchain
        .cargo("build", &rustflags)
        .current_dir(root.join("plugins"))
        .args(["--release", "--locked", "--message-format=json-render-diagnostics"])
        .env("CARGO_TARGET_DIR", build_dir)
        .stderr(Stdio::inherit())
        .output()
        .context("cannot start cargo")?;
    ensure!(built.status.success(), "the plugins do not compile");

    let examples = root.join("plugins/examples");
    let made = made_by_cargo(built.stdout)?.into_iter().filter(|(file, _)| is_module(file));
    let modules: Vec<Module> =
        made.map(|(file, manifest)| Module { file, is_example: manifest.starts_with(&examples) }).collect();
    ensure!(!modules.is_empty(), "cargo built no plugin");
    Ok(modules)
}

/// Makes a component of a core module that carries its type, as the plugin SDK's modules do.
fn component_of(module: &Path) -> Result<Vec<u8>> {
    let bytes = fs::read(module).with_context(|| format!("reading {}", module.display()))?;
    wit_component::ComponentEncoder::default()
        .module(&bytes)
        .and_then(|encoder| encoder.validate(true).encode())
        .with_context(|| format!("making a component of {}", module.display()))
}

/// Removes leftovers of earlier builds, so that a renamed plugin is not built in twice.
fn remove_others(folder: &Path, keep: &[PathBuf]) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if !keep.contains(&path) {
            fs::remove_file(&path).with_context(|| format!("removing {}", path.display()))?;
        }
    }
    Ok(())
}
