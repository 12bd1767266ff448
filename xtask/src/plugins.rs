//! Builds the built-in plugins: the crates of `plugins/` become WebAssembly components in `<target dir>/plugins/`, where
//! the server's build script finds them. Those of `plugins/examples/` are not built in, and go to `<target
//! dir>/plugin-examples/`, where the tests find them.
//! [`Toolchain`] knows how.

use std::{
    env, fs,
    hash::{DefaultHasher, Hash, Hasher},
    path::{Path, PathBuf},
    process::Stdio,
};

use anyhow::{Context, Result, bail, ensure};

use crate::machine::{Install, Toolchain};

/// Builds every plugin of the repository at `root` and returns the folder of the components, named `<plugin>.wasm`.
///
/// Does nothing if neither sources nor toolchain changed since the last build, and does not touch components whose
/// bytes did not change, so that the server is not recompiled needlessly.
pub(crate) fn build(root: &Path, target_dir: &Path, install: Install) -> Result<PathBuf> {
    let components_dir = target_dir.join("plugins");
    let examples_dir = target_dir.join("plugin-examples");
    let build_dir = target_dir.join("plugins-build");
    let toolchain = Toolchain::find(install)?;
    let record = build_dir.join("record");
    let fingerprint = fingerprint(root, &toolchain)?;
    if is_built(&record, &fingerprint) {
        return Ok(components_dir);
    }

    eprintln!("Building the plugins ({})", toolchain.summary);
    let modules = compile(root, &build_dir, &toolchain)?;
    for folder in [&components_dir, &examples_dir] {
        fs::create_dir_all(folder).with_context(|| format!("creating {}", folder.display()))?;
    }
    let mut written = Vec::new();
    for Module { file, is_example } in &modules {
        let component = component_of(file)?;
        let name = file.file_stem().context("a module has a name")?.to_string_lossy().replace('_', "-");
        let folder = if *is_example { &examples_dir } else { &components_dir };
        let path = folder.join(name).with_extension("wasm");
        replace(&path, &component)?;
        written.push(path);
    }
    remove_others(&components_dir, &written)?;
    remove_others(&examples_dir, &written)?;
    note_built(&record, &fingerprint, &written)?;
    Ok(components_dir)
}

/// Whether the record says that this was built, and the files that it lists exist.
fn is_built(record: &Path, fingerprint: &str) -> bool {
    let record = fs::read_to_string(record).unwrap_or_default();
    let mut lines = record.lines();
    lines.next() == Some(fingerprint) && lines.all(|component| Path::new(component).is_file())
}

fn note_built(record: &Path, fingerprint: &str, components: &[PathBuf]) -> Result<()> {
    let components = components.iter().map(|component| component.display().to_string());
    let lines: Vec<_> = std::iter::once(fingerprint.to_owned()).chain(components).collect();
    fs::write(record, lines.join("\n")).context("recording what was built")
}

/// The result of compiling a crate.
struct Module {
    file: PathBuf,
    is_example: bool,
}

/// Compiles the workspace and returns its core modules.
fn compile(root: &Path, build_dir: &Path, toolchain: &Toolchain) -> Result<Vec<Module>> {
    // Paths of this machine stay out of the components, so that the same source gives the same digest elsewhere.
    let rustflags = [
        format!("--remap-path-prefix={}=.", root.display()),
        format!("--remap-path-prefix={}=cargo", cargo_home()?.display()),
    ];
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
    let modules: Vec<Module> = String::from_utf8(built.stdout)
        .context("cargo's messages are UTF-8")?
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .filter(|message| message["reason"] == "compiler-artifact")
        .flat_map(|message| {
            let is_example =
                message["manifest_path"].as_str().is_some_and(|path| Path::new(path).starts_with(&examples));
            let files = message["filenames"].as_array().cloned().unwrap_or_default();
            let files = files.into_iter().filter_map(|file| file.as_str().map(PathBuf::from));
            files.map(|file| Module { file, is_example }).collect::<Vec<_>>()
        })
        .filter(|module| module.file.extension().is_some_and(|extension| extension == "wasm"))
        .collect();
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

/// Writes `bytes` to `path` atomically, unless they are there already.
fn replace(path: &Path, bytes: &[u8]) -> Result<()> {
    if fs::read(path).is_ok_and(|present| present == bytes) {
        return Ok(());
    }
    let temporary = path.with_extension(format!("tmp-{}", std::process::id()));
    fs::write(&temporary, bytes)
        .and_then(|()| fs::rename(&temporary, path))
        .with_context(|| format!("writing {}", path.display()))
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

/// Changes with anything that the components depend on: contract, sources, toolchain, and this file.
fn fingerprint(root: &Path, toolchain: &Toolchain) -> Result<String> {
    let mut files = Vec::new();
    collect_files(&root.join("wit"), &mut files)?;
    collect_files(&root.join("plugins"), &mut files)?;
    files.sort();

    let mut hasher = DefaultHasher::new();
    include_str!("plugins.rs").hash(&mut hasher);
    toolchain.summary.hash(&mut hasher);
    for file in files {
        file.strip_prefix(root)?.hash(&mut hasher);
        fs::read(&file).with_context(|| format!("reading {}", file.display()))?.hash(&mut hasher);
    }
    Ok(format!("{:016x}", hasher.finish()))
}

fn collect_files(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))? {
        let path = entry?.path();
        if !path.is_dir() {
            files.push(path);
        } else if !path.ends_with("target") {
            collect_files(&path, files)?;
        }
    }
    Ok(())
}

fn cargo_home() -> Result<PathBuf> {
    match (env::var_os("CARGO_HOME"), env::home_dir()) {
        (Some(folder), _) => Ok(folder.into()),
        (None, Some(home)) => Ok(home.join(".cargo")),
        (None, None) => bail!("neither CARGO_HOME nor a home directory is known"),
    }
}
