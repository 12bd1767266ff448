//! The published plugins of one host: components that every node of the installation has. Only the caller knows where
//! they are stored and who published them.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    sync::Arc,
};

use anyhow::{Result, ensure};
use parking_lot::MutexGuard;
use sealwright_seal::digest::Sha256Digest;
use serde::{Deserialize, Serialize};

use super::{
    PluginHost, RefusedPlugin,
    component::PluginInfo,
    host::Inner,
    name,
    registry::{Installed, Origin},
};

/// A component that every node must have.
#[derive(Clone, Debug)]
pub struct WantedPlugin {
    pub name: String,
    pub version: String,
    /// SHA-256 of the component.
    pub digest: Sha256Digest,
    /// Of two with the same version, the one with the higher revision is called.
    pub revision: i64,
}

impl WantedPlugin {
    fn origin(&self) -> String {
        format!("published {} {}", self.name, self.version)
    }
}

/// A file of the plugin folder that this host could load.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FolderPlugin {
    pub file: PathBuf,
    pub name: String,
    pub version: String,
    pub digest: Sha256Digest,
}

impl FolderPlugin {
    pub(super) fn new(file: &Path, info: &PluginInfo) -> Self {
        let PluginInfo { name, version, digest, .. } = info.clone();
        Self { file: file.to_owned(), name, version, digest }
    }
}

/// The published plugins of a host, and their state.
#[derive(Default)]
pub(super) struct PublishedPlugins {
    /// By digest.
    installed: BTreeMap<Sha256Digest, Installed>,
    /// By digest: this host cannot use them, and trying again would not help.
    refused: BTreeMap<Sha256Digest, RefusedPlugin>,
    /// By digest: they are not available yet.
    absent: BTreeMap<Sha256Digest, RefusedPlugin>,
    /// Digests of the plugin folder's files that are not in service because they were unloaded on every node.
    withdrawn: BTreeSet<Sha256Digest>,
}

impl PublishedPlugins {
    pub(super) fn installed(&self) -> impl Iterator<Item = Installed> {
        self.installed.values().cloned()
    }

    pub(super) fn refused(&self) -> impl Iterator<Item = RefusedPlugin> {
        self.refused.values().chain(self.absent.values()).cloned()
    }

    pub(super) fn is_withdrawn(&self, digest: Sha256Digest) -> bool {
        self.withdrawn.contains(&digest)
    }
}

impl PluginHost {
    /// Whether there is nothing to do for the component: it is loaded as a published one, or was refused for good.
    pub fn knows_published(&self, digest: Sha256Digest) -> bool {
        let published = self.inner.published();
        published.installed.contains_key(&digest) || published.refused.contains_key(&digest)
    }

    /// Accepts a published component, which takes effect with [`keep_published`](Self::keep_published). One that cannot be
    /// used is listed in [`refused`](Self::refused). Compiling takes seconds: call it where blocking is allowed.
    pub fn accept_published(&self, wanted: &WantedPlugin, bytes: &[u8]) {
        let accepted = self.inner.accept_published(wanted, bytes);
        let mut published = self.inner.published();
        match accepted {
            Ok(installed) => {
                let PluginInfo { name, version, digest, .. } = &installed.plugin.info;
                tracing::info!(plugin = %name, %version, %digest, "a published plugin is loaded");
                published.installed.insert(wanted.digest, installed);
            }
            Err(error) => {
                let (plugin, digest, reason) = (&wanted.name, wanted.digest, format!("{error:#}"));
                tracing::error!(%plugin, %digest, "a published plugin was not loaded: {reason}");
                let refused = RefusedPlugin { file: wanted.origin().into(), reason };
                published.refused.insert(wanted.digest, refused);
            }
        }
    }

    /// Puts the accepted components in `wanted` into service, and takes the others out, unless a wanted component of
    /// the same name is in `absent`: it is not available yet, so what it replaces stays. Files of the plugin folder
    /// with one of the `withdrawn` digests are taken out of service too.
    pub fn keep_published(
        &self,
        wanted: &[WantedPlugin],
        absent: Vec<(WantedPlugin, String)>,
        mut withdrawn: BTreeSet<Sha256Digest>,
    ) {
        {
            let mut published = self.inner.published();
            let revisions: BTreeMap<Sha256Digest, i64> = wanted.iter().map(|one| (one.digest, one.revision)).collect();
            let stays = |name: &str| absent.iter().any(|(one, _)| one.name == name);
            published.installed.retain(|digest, one| revisions.contains_key(digest) || stays(&one.plugin.info.name));
            for (digest, one) in &mut published.installed {
                one.revision = revisions.get(digest).copied().or(one.revision);
                withdrawn.remove(digest);
            }
            published.refused.retain(|digest, _| revisions.contains_key(digest));
            published.absent = absent
                .into_iter()
                .map(|(one, reason)| {
                    let refused = RefusedPlugin { file: one.origin().into(), reason };
                    (one.digest, refused)
                })
                .collect();
            published.withdrawn = withdrawn;
        }
        self.inner.install();
    }

    /// Every loaded plugin by name with its origin, the version first that is used by default.
    pub fn with_origins(&self) -> Vec<(PluginInfo, Origin)> {
        self.inner.registry().all().map(|one| (one.plugin.info.clone(), one.origin)).collect()
    }

    /// The files of the plugin folder that this host could load, including those that were unloaded.
    pub fn folder_plugins(&self) -> Vec<FolderPlugin> {
        self.inner.in_folder.read().clone()
    }

    /// Waits until the plugin folder changes. After a change between two calls, the second one returns at once.
    pub async fn folder_changed(&self) {
        self.inner.folder_changed.notified().await;
    }
}

impl Inner {
    pub(super) fn published(&self) -> MutexGuard<'_, PublishedPlugins> {
        self.published.lock()
    }

    fn accept_published(&self, wanted: &WantedPlugin, bytes: &[u8]) -> Result<Installed> {
        ensure!(Sha256Digest::of(bytes) == wanted.digest, "the stored bytes do not match their digest");
        let plugin = self.acceptance().accept(&wanted.origin(), bytes, false)?;
        let name = &plugin.info.name;
        ensure!(!name::is_built_in_name(name), "{}", name::taken(name));
        ensure!(*name == wanted.name, "the name in its description is {name}");
        let revision = Some(wanted.revision);
        Ok(Installed { plugin: Arc::new(plugin), origin: Origin::Published, revision, written: None })
    }
}
