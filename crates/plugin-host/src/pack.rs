//! From a core module, as compilers for `wasm32-unknown-unknown` produce it, to a component.

use anyhow::{Context, Result, ensure};

use super::limits;

/// How a component starts (Component Model, `Binary.md`): the version and the layer.
const COMPONENT: &[u8] = b"\0asm\x0d\0\x01\0";

/// The component of a core module that carries its type, as those built with the SDK do.
///
/// # Errors
/// If it is not such a module, with what is missing.
pub fn component_of_module(module: &[u8]) -> Result<Vec<u8>> {
    ensure!(module.len() <= limits::COMPONENT_BYTES, "it has more than {} bytes", limits::COMPONENT_BYTES);
    ensure!(module.starts_with(b"\0asm"), "it is not a WebAssembly file: expected a core module");
    ensure!(!module.starts_with(COMPONENT), "it is a component already and needs no packing");
    wit_component::ComponentEncoder::default()
        .module(module)
        .and_then(|encoder| encoder.validate(true).encode())
        .context("it cannot be made a component: expected a core module that was built with a binding generator")
}
