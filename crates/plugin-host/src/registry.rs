//! The plugins at one moment. A registry is never changed: a new one replaces it, and running calls continue with the
//! plugin from the old one.

use std::{cmp::Reverse, collections::BTreeMap, sync::Arc, time::SystemTime};

use sealwright_seal::digest::Sha256Digest;
use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

use super::component::{Plugin, PluginInfo, Role};

/// Where a plugin comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case", const_into_str)]
pub enum Origin {
    /// It is part of the program.
    BuiltIn,
    /// Every node of the installation has it.
    Published,
    /// It is a file of this node's plugin folder.
    Folder,
    /// It was added on trial, or to run a verdict again.
    Candidate,
}

/// A plugin, and what decides between two with the same version: a published one wins over one that is not, the one
/// published last over the others, and then the newer file.
#[derive(Clone)]
pub(super) struct Installed {
    pub(super) plugin: Arc<Plugin>,
    pub(super) origin: Origin,
    /// For a published plugin.
    pub(super) revision: Option<i64>,
    /// For a file.
    pub(super) written: Option<SystemTime>,
}

impl Installed {
    /// One that is neither published nor a file.
    pub(super) fn new(plugin: Arc<Plugin>, origin: Origin) -> Self {
        Self { plugin, origin, revision: None, written: None }
    }
}

#[derive(Clone, Default)]
pub(super) struct Registry {
    /// By name, the one first that is used by default.
    plugins: BTreeMap<String, Vec<Installed>>,
}

impl Registry {
    /// The program's and the operator's plugins. Several versions of one name may coexist; of a component that occurs
    /// twice, only the first counts.
    pub(super) fn new(installed: impl IntoIterator<Item = Installed>) -> Self {
        let mut plugins: BTreeMap<String, Vec<Installed>> = BTreeMap::new();
        for one in installed {
            let same_name = plugins.entry(one.plugin.info.name.clone()).or_default();
            if !same_name.iter().any(|other| other.plugin.info.digest == one.plugin.info.digest) {
                same_name.push(one);
            }
        }
        for same_name in plugins.values_mut() {
            same_name.sort_by_key(|one| {
                Reverse((one.plugin.version.clone(), one.revision, one.written, one.plugin.info.digest))
            });
        }
        Self { plugins }
    }

    /// The plugin of this name if it plays the role; with a SHA-256, exactly that component.
    pub(super) fn find(&self, name: &str, sha256: Option<Sha256Digest>, role: Role) -> Option<&Arc<Plugin>> {
        let mut same_name = self.plugins.get(name)?.iter().map(|one| &one.plugin);
        let found = match sha256 {
            Some(digest) => same_name.find(|plugin| plugin.info.digest == digest),
            None => same_name.next(),
        };
        found.filter(|plugin| plugin.plays(role))
    }

    /// Every plugin, by name, the preferred version first.
    pub(super) fn all(&self) -> impl Iterator<Item = &Installed> {
        self.plugins.values().flatten()
    }

    /// Every plugin as it describes itself, in the same order.
    pub(super) fn infos(&self) -> Vec<PluginInfo> {
        self.all().map(|one| one.plugin.info.clone()).collect()
    }

    /// The names of the plugins that play the role, in order.
    pub(super) fn names(&self, role: Role) -> Vec<String> {
        let preferred = self.plugins.iter().filter_map(|(name, same_name)| Some((name, same_name.first()?)));
        preferred.filter(|(_, first)| first.plugin.plays(role)).map(|(name, _)| name.clone()).collect()
    }
}
