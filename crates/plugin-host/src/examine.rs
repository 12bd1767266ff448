//! Examining a component without putting it into service (`sealwright plugin check`).

use std::path::PathBuf;

use anyhow::Result;
use sealwright_seal::digest::Sha256Digest;
use serde::Serialize;

use super::{
    built_in,
    compiler::Compiler,
    component::{Acceptance, PluginInfo},
    component_bytes, limits,
    name::{self, is_built_in_name},
    runtime::Runtimes,
    signature::{SignaturePolicy, SignatureState},
    trial::CompiledFolder,
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
    /// What its own signatures prove.
    pub signature: SignatureState,
    /// Why it would not be loaded.
    pub refusal: Option<String>,
}

/// Refuses a component that `policy` does not accept, without compiling it. The built-in ones need no signature.
///
/// # Errors
/// The reason, for people.
pub fn check_signature(bytes: &[u8], policy: &SignaturePolicy) -> Result<()> {
    if is_built_in(bytes) { Ok(()) } else { policy.admit(&policy.judge(bytes)) }
}

fn is_built_in(bytes: &[u8]) -> bool {
    built_in::COMPONENTS.iter().any(|(_, own)| *own == bytes)
}

/// Examines a component as this host does for its plugin folder. `program` is this program, which compiles it in a
/// child; without it the component is compiled here. Its compiled form is stored in `compiled`, if given, where the server
/// of that installation finds it. One that `policy` does not accept is examined all the same.
pub fn examine(
    bytes: &[u8],
    program: Option<PathBuf>,
    compiled: Option<CompiledFolder>,
    policy: &SignaturePolicy,
) -> Result<ExaminedComponent> {
    let runtimes = Runtimes::new(Some(limits::USUAL_FUEL_PER_SECOND))?;
    let compiler = Compiler::new(program);
    let cache = compiled.map(CompiledFolder::open).transpose()?;
    let acceptance = Acceptance { runtimes: &runtimes, cache: cache.as_ref(), compiler: &compiler, signatures: policy };
    let mut examined = ExaminedComponent {
        size: bytes.len(),
        digest: Sha256Digest::of(bytes),
        exports: Vec::new(),
        imports: Vec::new(),
        plugin: None,
        built_in: is_built_in(bytes),
        signature: policy.judge(bytes),
        refusal: None,
    };
    let accepted = component_bytes::check(bytes).and_then(|()| {
        let runtime = runtimes.for_component(bytes)?;
        let component = acceptance.compiled("the component", bytes, &runtime, false)?;
        let kind = component.component_type();
        examined.exports = kind.exports(&runtime.engine).map(|(name, _)| name.to_owned()).collect();
        examined.imports = kind.imports(&runtime.engine).map(|(name, _)| name.to_owned()).collect();
        acceptance.admit("the component", bytes, &runtime, &component, false)
    });
    match accepted {
        Ok(plugin) => {
            // As for the plugin folder. A copy of the built-in one is in service already.
            let taken = is_built_in_name(&plugin.info.name) && !examined.built_in;
            let unaccepted = if examined.built_in { None } else { policy.admit(&examined.signature).err() };
            examined.refusal =
                if taken { Some(name::taken(&plugin.info.name)) } else { unaccepted.map(|error| format!("{error:#}")) };
            examined.plugin = Some(plugin.info);
        }
        Err(error) => examined.refusal = Some(format!("{error:#}")),
    }
    Ok(examined)
}
