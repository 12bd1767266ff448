//! The components that company manifests name by a registry's address. Each is pulled once: from then on its bytes are in
//! the blob store, it is published to every node, and the company's row says which address has which component.

use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
};

use bytes::Bytes;
use sealwright_seal::digest::Sha256Digest;

use super::{ApplyError, ManifestSource};
use crate::{
    app::{App, published, registry},
    blobs::BlobKey,
    domain::{
        company_manifest::{AnalysisPlugin, CompanyManifest},
        registry_reference::RegistryReference,
    },
    error::{Error, Result},
    plugins::{PluginInfo, Role, is_built_in_name},
    store,
    toml_reader::{Problem, Severity},
};

/// The components of the manifests' addresses.
#[derive(Default)]
pub(super) struct PulledComponents {
    digests: HashMap<RegistryReference, Sha256Digest>,
    /// Those that are not published yet, with the keys of their bytes.
    pub(super) new: Vec<(PluginInfo, BlobKey)>,
}

/// Pulls what is not known yet, and makes it callable in this process. Without `keep` nothing is stored. A form of the
/// console names no addresses, and what it leaves as it is was pulled for the file that did: a server pulls nothing.
pub(super) async fn pull_all(
    app: &App,
    manifests: &[CompanyManifest],
    source: ManifestSource,
    keep: bool,
) -> std::result::Result<PulledComponents, ApplyError> {
    let mut pulled = PulledComponents::default();
    if matches!(source, ManifestSource::Console { .. }) {
        return Ok(pulled);
    }
    if manifests.iter().all(|manifest| manifest.plugins.iter().all(|plugin| plugin.oci.is_none())) {
        return Ok(pulled);
    }
    let mut reader = app.db.read().await?;
    let known: HashMap<_, _> = store::company::pulled_components(&mut reader).await?.into_iter().collect();
    drop(reader);
    let (mut problems, mut failed) = (Vec::new(), HashSet::new());
    for manifest in manifests {
        for (index, plugin) in manifest.plugins.iter().enumerate() {
            let Some(reference) = plugin.oci.as_ref().filter(|reference| !failed.contains(*reference)) else {
                continue;
            };
            if let Some(problem) = pulled.add(app, plugin, reference, known.get(reference).copied(), keep).await? {
                let (field, message) = problem;
                if field == PULLED {
                    // One attempt and one problem are enough.
                    failed.insert(reference.clone());
                }
                let path = format!("analysis.plugin[{index}].{field}");
                let (file, line) = (manifest.file.clone(), plugin.line);
                problems.push(Problem { file, line, path, message, severity: Severity::Error });
            }
        }
    }
    if problems.is_empty() { Ok(pulled) } else { Err(ApplyError::Refused(problems)) }
}

/// The field that names where a component is pulled from.
const PULLED: &str = "oci";

/// A field of the plugin, and what is wrong with it.
type FieldProblem = (&'static str, String);

impl PulledComponents {
    /// The manifests with the digests of the pulled components.
    pub(super) fn pin<'m>(&self, manifests: &'m [CompanyManifest]) -> Cow<'m, [CompanyManifest]> {
        if self.digests.is_empty() {
            return Cow::Borrowed(manifests);
        }
        let mut pinned = manifests.to_vec();
        for plugin in pinned.iter_mut().flat_map(|manifest| manifest.plugins.iter_mut()) {
            let digest = plugin.oci.as_ref().and_then(|reference| self.digests.get(reference));
            plugin.sha256 = digest.copied().or(plugin.sha256);
        }
        Cow::Owned(pinned)
    }

    /// Makes sure that the plugin's component can be called here.
    async fn add(
        &mut self,
        app: &App,
        plugin: &AnalysisPlugin,
        reference: &RegistryReference,
        known: Option<Sha256Digest>,
        keep: bool,
    ) -> Result<Option<FieldProblem>> {
        let known = self.digests.get(reference).copied().or(known);
        let digest =
            match known.filter(|digest| app.plugins.plays(&plugin.name, Some(*digest), Role::from(plugin.role))) {
                Some(digest) => digest,
                None => match self.pull(app, plugin, reference, known, keep).await? {
                    Ok(digest) => digest,
                    Err(problem) => return Ok(Some(problem)),
                },
            };
        self.digests.insert(reference.clone(), digest);
        let differs = plugin.sha256.is_some_and(|pinned| pinned != digest);
        Ok(differs.then(|| ("sha256", format!("the component in the registry has another SHA-256: {digest}"))))
    }

    async fn pull(
        &mut self,
        app: &App,
        plugin: &AnalysisPlugin,
        reference: &RegistryReference,
        known: Option<Sha256Digest>,
        keep: bool,
    ) -> Result<std::result::Result<Sha256Digest, FieldProblem>> {
        let component = match stored(app, known).await? {
            Some(component) => component,
            None => match registry::pull(&app.config.plugins.registry, reference).await {
                Ok(component) => component,
                Err(error) => return Ok(Err((PULLED, format!("{error:#}")))),
            },
        };
        let (host, origin, bytes) = (app.plugins.clone(), reference.to_string(), component.clone());
        // Compiling happens in a child process, but takes a while.
        let admitted = tokio::task::spawn_blocking(move || host.admit(&origin, &bytes)).await;
        let info = match admitted.map_err(Error::internal)? {
            Ok(info) => info,
            Err(error) => return Ok(Err((PULLED, format!("no server would load {reference}: {error:#}")))),
        };
        if info.name != plugin.name || is_built_in_name(&info.name) {
            return Ok(Err(("name", format!("the component in the registry is called {:?}", info.name))));
        }
        let digest = info.digest;
        if keep {
            let key = published::keep_component(app, digest, component).await?;
            self.new.push((info, key));
        }
        Ok(Ok(digest))
    }
}

/// The bytes of a component that was pulled before.
async fn stored(app: &App, digest: Option<Sha256Digest>) -> Result<Option<Bytes>> {
    let Some(digest) = digest else { return Ok(None) };
    let stored = app.blobs.get(&BlobKey::component(digest.as_bytes())).await?;
    Ok(stored.filter(|component| Sha256Digest::of(component) == digest))
}
