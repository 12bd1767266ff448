//! Components from a registry: pulled, when a command or a company manifest names one.

use anyhow::Context as _;
use bytes::Bytes;

use crate::{config::RegistrySettings, domain::registry_reference::RegistryReference, registry::Registries};

/// Pulls the component from its registry. It is not known yet whether a host of plugins would load it.
pub async fn pull(settings: &RegistrySettings, reference: &RegistryReference) -> anyhow::Result<Bytes> {
    let registries = Registries::new(settings)?;
    registries.pull(reference).await.with_context(|| format!("pulling {reference}"))
}
