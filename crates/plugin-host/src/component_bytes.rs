//! Quick checks of a file that should be a component, before anything reads it in full.

use anyhow::{Result, ensure};

use super::limits;

/// How a core module starts. Compilers produce it, and `plugin pack` makes a component of it (WebAssembly Core
/// Specification, section 5.5.16).
const CORE_MODULE: &[u8] = b"\0asm\x01\0\0\0";
/// How every WebAssembly file starts.
const MAGIC: &[u8] = b"\0asm";

/// Checks a file's size and first bytes: rejects what cannot be a component, and core modules.
pub fn check(bytes: &[u8]) -> Result<()> {
    let most = limits::COMPONENT_BYTES;
    ensure!(bytes.len() <= most, "it has {} bytes; at most {most} are allowed", bytes.len());
    ensure!(bytes.starts_with(MAGIC), "it is not a WebAssembly component, and not a WebAssembly file at all");
    ensure!(
        !bytes.starts_with(CORE_MODULE),
        "it is not a WebAssembly component but a core module: `sealwright plugin pack FILE.wasm` makes a component of \
         one that was built with the SDK for wasm32-unknown-unknown"
    );
    Ok(())
}
