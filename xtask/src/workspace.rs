//! Locates the workspace and calls cargo in it.

use std::{
    collections::BTreeMap,
    env,
    ffi::OsStr,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use anyhow::{Context as _, ensure};
use serde_json::Value;

use crate::{machine::Install, plugins};

/// The variable that names the folder of the components for the server's build.
const BUILTIN_PLUGINS: &str = "SEALWRIGHT_BUILTIN_PLUGINS";

#[derive(Debug)]
pub(crate) struct Workspace {
    pub(crate) root: PathBuf,
    pub(crate) target_dir: PathBuf,
    pub(crate) install: Install,
}

impl Workspace {
    /// Asks cargo, which knows every way to set the target folder.
    pub(crate) fn find(install: Install) -> anyhow::Result<Self> {
        // From cargo at run time: if checkouts share a target folder, this program may have been built in another one.
        let package =
            env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from);
        let output = Command::new(cargo_program())
            .args(["metadata", "--no-deps", "--format-version", "1", "--manifest-path"])
            .arg(package.with_file_name("Cargo.toml"))
            .stderr(Stdio::inherit())
            .output()
            .context("cannot start cargo")?;
        ensure!(output.status.success(), "cargo metadata failed");
        let metadata: Value = serde_json::from_slice(&output.stdout)?;
        let folder = |key: &str| metadata[key].as_str().map(PathBuf::from).with_context(|| format!("no {key}"));
        Ok(Self { root: folder("workspace_root")?, target_dir: folder("target_directory")?, install })
    }

    /// The workspace of the plugins, if this checkout has one.
    pub(crate) fn plugins_workspace(&self) -> Option<PathBuf> {
        Some(self.root.join("plugins/Cargo.toml")).filter(|path| path.is_file())
    }

    /// Where the plugins are built for this machine, to test them alone. The judge builds them too, and cargo names a
    /// `cdylib` without a hash: in one folder, the two would overwrite each other's.
    pub(crate) fn native_plugins(&self) -> PathBuf {
        self.target_dir.join("plugins-native")
    }

    /// A call of cargo in the workspace's root.
    pub(crate) fn cargo(&self, task: &str) -> Command {
        let mut command = Command::new(cargo_program());
        // `cargo run` describes this package to us in the environment. Build scripts that watch these variables would
        // run again, and rebuild much, whenever cargo is called through a task after a direct call.
        for name in env::vars_os().map(|(name, _)| name).filter(|name| describes_package(&name.to_string_lossy())) {
            command.env_remove(name);
        }
        command.current_dir(&self.root).arg(task);
        command
    }

    /// A call of cargo that may compile the server: builds the plugins first and passes their folder.
    pub(crate) fn cargo_with_plugins(&self, task: &str) -> anyhow::Result<Command> {
        let plugins = plugins::build(&self.root, &self.target_dir, self.install).context("cannot build the plugins")?;
        let mut command = self.cargo(task);
        command.env(BUILTIN_PLUGINS, plugins);
        Ok(command)
    }
}

fn describes_package(variable: &str) -> bool {
    let single =
        ["CARGO_MANIFEST_DIR", "CARGO_MANIFEST_PATH", "CARGO_BIN_NAME", "CARGO_CRATE_NAME", "CARGO_PRIMARY_PACKAGE"];
    variable.starts_with("CARGO_PKG_") || single.contains(&variable)
}

/// The cargo that runs this program, so that a toolchain chosen with `cargo +name` stays chosen.
fn cargo_program() -> PathBuf {
    env::var_os("CARGO").map_or_else(|| "cargo".into(), PathBuf::from)
}

/// Prints a command and runs it to its end; fails if it fails.
pub(crate) fn run(command: &mut Command) -> anyhow::Result<()> {
    eprintln!("$ {}", shown(command));
    let status = command.status().with_context(|| format!("cannot start {}", shown(command)))?;
    ensure!(status.success(), "{} failed ({status})", shown(command));
    Ok(())
}

/// Runs a `cargo build` and returns the programs that it built, by name.
pub(crate) fn build_programs(command: &mut Command) -> anyhow::Result<BTreeMap<String, PathBuf>> {
    eprintln!("$ {}", shown(command));
    let output = command
        .arg("--message-format=json-render-diagnostics")
        .stderr(Stdio::inherit())
        .output()
        .context("cannot start cargo")?;
    ensure!(output.status.success(), "the build failed");
    let messages = output.stdout.split(|&byte| byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok());
    Ok(messages.filter_map(|message: Value| program(&message)).collect())
}

/// The program that a message of cargo announces, if any.
fn program(message: &Value) -> Option<(String, PathBuf)> {
    let path = message["executable"].as_str()?;
    Some((message["target"]["name"].as_str()?.to_owned(), path.into()))
}

fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or(command.get_program());
    let words = std::iter::once(program).chain(command.get_args()).map(OsStr::to_string_lossy);
    words.collect::<Vec<_>>().join(" ")
}
