//! The components that verdicts rest on: kept in the blob store under their digest when one first does, so that a verdict can
//! be repeated when the plugin has long been replaced (`docs/adr/0023-components-are-kept.md`).

use std::{
    collections::BTreeSet,
    sync::{Mutex, PoisonError},
};

use bytes::Bytes;
use sha2::{Digest, Sha256};

use crate::{
    app::App,
    blobs::BlobKey,
    error::{Error, Result},
    plugins::Role,
    store::plugin_run::PluginRun,
};

/// The digests of components that this process knows to be kept.
#[derive(Debug, Default)]
pub struct KeptComponents(Mutex<BTreeSet<String>>);

impl KeptComponents {
    fn has(&self, digest: &str) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).contains(digest)
    }

    fn add(&self, digest: &str) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(digest.to_owned());
    }
}

/// Has the component of each run in the blob store. One that this process cannot find any more is told in the log: its
/// verdict holds all the same.
pub(super) async fn keep(app: &App, runs: &[PluginRun]) -> Result<()> {
    for run in runs {
        if app.components.has(&run.digest) {
            continue;
        }
        let Some(key) = BlobKey::component(&run.digest) else { continue };
        if app.blobs.size(&key).await?.is_none() {
            let (host, digest) = (app.plugins.clone(), run.digest.clone());
            let Some(component) = app.run_heavy(move || host.component(&digest)).await? else {
                tracing::warn!(plugin = %run.plugin, digest = %run.digest,
                               "the component of a plugin cannot be kept; what it said cannot be repeated later");
                continue;
            };
            app.blobs.put(&key, Bytes::from(component)).await?;
        }
        app.components.add(&run.digest);
    }
    Ok(())
}

/// Has this process able to call the very component, from its plugins or from those that are kept; or says why it cannot.
pub(super) async fn load(app: &App, plugin: &str, digest: &str, role: Role) -> Result<std::result::Result<(), String>> {
    if app.plugins.plays(plugin, Some(digest), role) {
        return Ok(Ok(()));
    }
    let Some(key) = BlobKey::component(digest) else { return Ok(Err("its record names no component".to_owned())) };
    let Some(component) = app.blobs.get(&key).await? else {
        return Ok(Err("the plugin is gone: its component is neither loaded nor kept".to_owned()));
    };
    let (host, wanted) = (app.plugins.clone(), digest.to_owned());
    // Compiling happens in a child, but takes its time.
    let admitted = tokio::task::spawn_blocking(move || {
        if hex::encode(Sha256::digest(&component)) != wanted {
            return Err("the plugin is gone: what is kept under its digest is something else".to_owned());
        }
        host.admit("a kept component", &component).map_err(|error| format!("this program does not load it: {error:#}"))
    });
    let admitted = admitted.await.map_err(Error::internal)?;
    Ok(admitted.and_then(|info| {
        if info.name == plugin && info.roles.contains(&role) {
            Ok(())
        } else {
            Err(format!("its component is {} and does not play the role {role}", info.name))
        }
    }))
}
