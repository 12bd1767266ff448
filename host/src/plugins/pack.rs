//! From a core module, which compilers for `wasm32-unknown-unknown` make, to a component.

use anyhow::{Context, Result, ensure};

use super::limits;

/// How a component begins (Component Model, `Binary.md`): the version and the layer.
const COMPONENT: &[u8] = b"\0asm\x0d\0\x01\0";

/// The component of a core module that carries its type, as those built with the SDK do.
///
/// # Errors
/// When it is no such module, with what is missing.
pub fn component_of_module(module: &[u8]) -> Result<Vec<u8>> {
    ensure!(module.len() <= limits::COMPONENT_BYTES, "it has more than {} bytes", limits::COMPONENT_BYTES);
    ensure!(module.starts_with(b"\0asm"), "it is no WebAssembly file: expected a core module");
    ensure!(!module.starts_with(COMPONENT), "it is a component already, which needs no packing");
    wit_component::ComponentEncoder::default()
        .module(module)
        .and_then(|encoder| encoder.validate(true).encode())
        .context("no component can be made of it: expected a core module that was built with a binding generator")
}
