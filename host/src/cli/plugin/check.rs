//! `sealwright plugin check`: what a component exports and imports, and whether this host would load it.

use std::{fmt, fs::File, io::Read, path::Path, process::ExitCode};

use anyhow::Context;
use sealwright_child_process::this_program;
use serde::Serialize;

use super::{super::output::visible, Output};
use crate::{
    app::tools::trial,
    config::Config,
    plugins::{self, ExaminedComponent, Role},
};

/// The file's bytes, up to as many as are needed to reject one that is too large.
pub(super) fn read(file: &Path) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let opened = File::open(file).with_context(|| format!("opening {}", file.display()))?;
    opened.take(64 << 20).read_to_end(&mut bytes).with_context(|| format!("reading {}", file.display()))?;
    Ok(bytes)
}

pub(super) fn run(config: &Config, file: &Path, output: Output) -> anyhow::Result<ExitCode> {
    // An installation that is not there, or not readable, only means that the component is compiled again.
    let compiled = trial::compiled_folder(config).ok();
    let examined = plugins::examine(&read(file)?, Some(this_program()), compiled, &config.plugins.signatures)?;
    let loadable = examined.refusal.is_none();
    output.print(&CheckResult { file: file.display().to_string(), examined })?;
    Ok(if loadable { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// What `plugin check` prints.
#[derive(Debug, Serialize)]
struct CheckResult {
    file: String,
    #[serde(flatten)]
    examined: ExaminedComponent,
}

impl fmt::Display for CheckResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ExaminedComponent { size, digest, exports, imports, plugin, built_in, signature, refusal } = &self.examined;
        writeln!(f, "{}: {size} bytes", self.file)?;
        writeln!(f, "  sha256   {digest}")?;
        if !*built_in {
            writeln!(f, "  signed   {signature}")?;
        }
        for (heading, names) in [("exports", exports), ("imports", imports)] {
            for (index, name) in names.iter().enumerate() {
                writeln!(f, "  {:<8} {}", if index == 0 { heading } else { "" }, name.escape_debug())?;
            }
        }
        if let Some(plugin) = plugin {
            writeln!(f, "  name     {} {}", plugin.name, plugin.version)?;
            writeln!(f, "  summary  {}", plugin.summary)?;
            let roles: Vec<&str> = plugin.roles.iter().map(Role::into_str).collect();
            writeln!(f, "  roles    {}", roles.join(", "))?;
            writeln!(f, "  settings {}", if plugin.settings.is_some() { "declared by a schema" } else { "none" })?;
        }
        if refusal.is_none() && imports.iter().any(|import| import.starts_with("wasi:")) {
            writeln!(f, "  wasi     stubs only: no files, no network; printed output goes to the log")?;
        }
        match refusal {
            None if *built_in => write!(f, "this host has loaded it already: it is one of the built-in plugins"),
            None => write!(f, "this host would load it"),
            Some(reason) => write!(f, "this host would not load it: {}", visible(reason)),
        }
    }
}
