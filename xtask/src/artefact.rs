//! Files that a compiler makes for the server's build: made again only if something that they depend on has changed.

use std::{
    env, fs,
    hash::{DefaultHasher, Hash, Hasher},
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail};

use crate::machine::Toolchain;

/// Whether the record says that this was built, and the files that it lists exist.
pub(crate) fn is_built(record: &Path, fingerprint: &str) -> bool {
    let record = fs::read_to_string(record).unwrap_or_default();
    let mut lines = record.lines();
    lines.next() == Some(fingerprint) && lines.all(|file| Path::new(file).is_file())
}

pub(crate) fn note_built(record: &Path, fingerprint: &str, files: &[PathBuf]) -> Result<()> {
    let files = files.iter().map(|file| file.display().to_string());
    let lines: Vec<_> = std::iter::once(fingerprint.to_owned()).chain(files).collect();
    fs::write(record, lines.join("\n")).context("recording what was built")
}

/// Writes `bytes` to `path` atomically, unless they are there already: the server is not recompiled needlessly.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> Result<()> {
    if fs::read(path).is_ok_and(|present| present == bytes) {
        return Ok(());
    }
    let temporary = path.with_extension(format!("tmp-{}", std::process::id()));
    fs::write(&temporary, bytes)
        .and_then(|()| fs::rename(&temporary, path))
        .with_context(|| format!("writing {}", path.display()))
}

/// Changes with anything that the artefacts depend on: these files and folders below `root`, the toolchain, and the
/// source of the task itself.
pub(crate) fn fingerprint(root: &Path, sources: &[&str], toolchain: &Toolchain, task: &str) -> Result<String> {
    let mut files = Vec::new();
    for source in sources {
        collect_files(&root.join(source), &mut files)?;
    }
    files.sort();

    let mut hasher = DefaultHasher::new();
    task.hash(&mut hasher);
    toolchain.summary.hash(&mut hasher);
    for file in files {
        file.strip_prefix(root)?.hash(&mut hasher);
        fs::read(&file).with_context(|| format!("reading {}", file.display()))?.hash(&mut hasher);
    }
    Ok(format!("{:016x}", hasher.finish()))
}

fn collect_files(path: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    if !path.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    for entry in fs::read_dir(path).with_context(|| format!("reading {}", path.display()))? {
        let path = entry?.path();
        if !path.ends_with("target") {
            collect_files(&path, files)?;
        }
    }
    Ok(())
}

/// Flags that keep paths of this machine out of what is compiled, so that the same source gives the same digest
/// elsewhere.
pub(crate) fn without_paths(root: &Path) -> Result<Vec<String>> {
    Ok(vec![
        format!("--remap-path-prefix={}=.", root.display()),
        format!("--remap-path-prefix={}=cargo", cargo_home()?.display()),
    ])
}

/// The folder with the sources of dependencies.
pub(crate) fn cargo_home() -> Result<PathBuf> {
    match (env::var_os("CARGO_HOME"), env::home_dir()) {
        (Some(folder), _) => Ok(folder.into()),
        (None, Some(home)) => Ok(home.join(".cargo")),
        (None, None) => bail!("neither CARGO_HOME nor a home directory is known"),
    }
}

/// The files that a cargo with `--message-format=json-render-diagnostics` says it has made, each with the manifest of its
/// package.
pub(crate) fn made_by_cargo(output: Vec<u8>) -> Result<Vec<(PathBuf, PathBuf)>> {
    let messages = String::from_utf8(output).context("cargo's messages are UTF-8")?;
    let messages = messages.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let mut made = Vec::new();
    for message in messages.filter(|message| message["reason"] == "compiler-artifact") {
        let manifest = PathBuf::from(message["manifest_path"].as_str().unwrap_or_default());
        let files = message["filenames"].as_array().into_iter().flatten();
        made.extend(files.filter_map(|file| Some((PathBuf::from(file.as_str()?), manifest.clone()))));
    }
    Ok(made)
}

/// Whether it is a WebAssembly module.
pub(crate) fn is_module(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "wasm")
}
