//! Examining a component without putting it into service (`sealwright plugin check`).

use std::path::PathBuf;

use anyhow::Result;
use sealwright_seal::digest::Sha256Digest;
use serde::Serialize;

use super::{
    built_in,
    compiler::Compiler,
    component::{self, Acceptance, PluginInfo},
    engine,
    name::{self, is_built_in_name},
};

/// What a component exports and imports, and whether this host would load it.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ExaminedComponent {
    /// Of the component, in bytes.
    pub size: usize,
    /// SHA-256 of the component.
    pub digest: Sha256Digest,
    /// Interfaces with their versions, in the component's order. Empty if it is not a component.
    pub exports: Vec<String>,
    pub imports: Vec<String>,
    /// Its description, if it would be loaded.
    pub plugin: Option<PluginInfo>,
    /// Whether it is identical to a built-in one.
    pub built_in: bool,
    /// Why it would not be loaded.
    pub refusal: Option<String>,
}

/// Examines a component as this host does for its plugin folder. `program` is this program, which compiles it in a
/// child; without it the component is compiled here.
pub fn examine(bytes: &[u8], program: Option<PathBuf>) -> Result<ExaminedComponent> {
    let (engine, compact) = engine::new()?;
    let linker = component::linker(&engine)?;
    let compiler = Compiler::new(program, compact);
    let acceptance = Acceptance { engine: &engine, linker: &linker, cache: None, compiler: &compiler };
    let mut examined = ExaminedComponent {
        size: bytes.len(),
        digest: Sha256Digest::of(bytes),
        exports: Vec::new(),
        imports: Vec::new(),
        plugin: None,
        built_in: built_in::COMPONENTS.iter().any(|(_, own)| *own == bytes),
        refusal: None,
    };
    let accepted = component::check_bytes(bytes).and_then(|()| {
        let component = compiler.compile(&engine, "the component", bytes, false)?;
        let kind = component.component_type();
        examined.exports = kind.exports(&engine).map(|(name, _)| name.to_owned()).collect();
        examined.imports = kind.imports(&engine).map(|(name, _)| name.to_owned()).collect();
        acceptance.admit("the component", bytes, &component, false)
    });
    match accepted {
        Ok(plugin) => {
            // As for the plugin folder. A copy of the built-in one is in service already.
            let taken = is_built_in_name(&plugin.info.name) && !examined.built_in;
            examined.refusal = taken.then(|| name::taken(&plugin.info.name));
            examined.plugin = Some(plugin.info);
        }
        Err(error) => examined.refusal = Some(format!("{error:#}")),
    }
    Ok(examined)
}
