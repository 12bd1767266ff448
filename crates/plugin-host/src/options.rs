//! What a host of plugins is made with.

use std::path::PathBuf;

use super::{limits, signature::SignaturePolicy};

/// What a host of plugins is made with.
pub struct PluginOptions {
    /// Where compiled components are stored. Created if it does not exist; no other user may write to it.
    pub cache_dir: PathBuf,
    /// This installation's own key: anyone who knows it can make this process run arbitrary machine code.
    pub cache_key: [u8; 32],
    /// The operator's components, `*.wasm`. May be absent.
    pub plugin_dir: Option<PathBuf>,
    /// This program, which compiles the operator's components in a confined child. None: they are compiled here.
    pub compiler: Option<PathBuf>,
    /// How much fuel a call may use for each second of its deadline. None: fuel is not counted.
    pub fuel_per_second: Option<u64>,
    /// Which components are accepted.
    pub signatures: SignaturePolicy,
}

impl PluginOptions {
    /// A host that has only the built-in plugins, with the usual limits.
    pub fn new(cache_dir: PathBuf, cache_key: [u8; 32]) -> Self {
        Self {
            cache_dir,
            cache_key,
            plugin_dir: None,
            compiler: None,
            fuel_per_second: Some(limits::USUAL_FUEL_PER_SECOND),
            signatures: SignaturePolicy::default(),
        }
    }
}
