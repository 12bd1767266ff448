//! How a plugin is called, so that calls that do not count cannot harm those that do.

use sealwright_domain::id::CompanyId;
use sealwright_seal::digest::Sha256Digest;

use super::{PluginHost, built_in, component::Role};

/// Whether a call counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CallMode {
    /// A verdict or a webhook depends on it.
    #[default]
    Active,
    /// It accompanies a call that counts: it has a turn of its own, and its failures put nothing out of service.
    Shadow,
    /// It only tries the plugin: nothing is counted, and nothing is ever put out of service.
    Trial,
}

impl PluginHost {
    /// The same host, for calls that do not count.
    #[must_use]
    pub fn as_shadow(&self) -> Self {
        Self { call_mode: CallMode::Shadow, ..self.clone() }
    }

    /// The same host, for calls that leave no trace.
    #[must_use]
    pub fn on_trial(&self) -> Self {
        Self { call_mode: CallMode::Trial, ..self.clone() }
    }

    /// The bytes of a built-in component, or of one that was accepted since the cache folder exists.
    pub fn component(&self, digest: Sha256Digest) -> Option<Vec<u8>> {
        let built_in = built_in::COMPONENTS.iter().map(|(_, bytes)| *bytes);
        let built_in = built_in.into_iter().find(|bytes| Sha256Digest::of(bytes) == digest);
        built_in.map(<[u8]>::to_vec).or_else(|| self.inner.cache.as_ref()?.source(digest))
    }

    /// The digest of the component that is in service under this name in this role.
    pub fn digest_in_service(&self, name: &str, sha256: Option<Sha256Digest>, role: Role) -> Option<Sha256Digest> {
        Some(self.find(name, sha256, role)?.info.digest)
    }

    /// Counts a shadow's answer that differs from the one that counts.
    pub fn note_difference(&self, plugin: &str, company: CompanyId, digest: Sha256Digest) {
        self.inner.statistics.note_difference(plugin, company, digest);
    }
}
