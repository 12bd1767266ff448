//! `sealwright plugin pack`: makes a component from a core module.

use std::{
    fmt, fs,
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::Context;
use sealwright_child_process::this_program;
use serde::Serialize;

use super::{super::output::visible, Output};
use crate::plugins::{self, SignaturePolicy};

/// Writes the component of `module` to `out`, or into this folder under the plugin's usual name. Warns at once if no
/// server would load it.
pub(super) fn run(module: &Path, out: Option<&Path>, output: Output) -> anyhow::Result<ExitCode> {
    let bytes = fs::read(module).with_context(|| format!("reading {}", module.display()))?;
    let component = plugins::component_of_module(&bytes).with_context(|| module.display().to_string())?;
    let file = out.map_or_else(|| default_path(module), Path::to_path_buf);
    fs::write(&file, &component).with_context(|| format!("writing {}", file.display()))?;
    output.print(&PackedComponent { file: file.display().to_string(), size: component.len() })?;
    // Only the component itself knows its name, so it is examined.
    if let Some(refusal) =
        plugins::examine(&component, Some(this_program()), None, &SignaturePolicy::default())?.refusal
    {
        output.warn([format!("warning: this host would not load it: {}", visible(&refusal))]);
    }
    Ok(ExitCode::SUCCESS)
}

/// `club-cards.wasm` in this folder, for `…/release/club_cards.wasm`.
fn default_path(module: &Path) -> PathBuf {
    let name = module.file_stem().unwrap_or_default().to_string_lossy().replace('_', "-");
    PathBuf::from(name).with_extension("wasm")
}

/// What `plugin pack` prints.
#[derive(Debug, Serialize)]
struct PackedComponent {
    file: String,
    size: usize,
}

impl fmt::Display for PackedComponent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: a component of {} bytes", self.file, self.size)
    }
}
