//! Keeps the plugin components of verdicts in the blob store under their digest, so that a verdict can be repeated long
//! after the plugin was replaced (`docs/adr/0023-components-are-kept.md`).

use std::collections::BTreeSet;

use bytes::Bytes;
use parking_lot::Mutex;
use sealwright_seal::digest::Sha256Digest;

use crate::{
    app::App,
    blobs::BlobKey,
    error::{Error, Result},
    plugins::Role,
    store::plugin_run::PluginRun,
};

/// The digests of the components that this process knows are kept.
#[derive(Debug, Default)]
pub struct KeptComponents(Mutex<BTreeSet<Sha256Digest>>);

impl KeptComponents {
    fn has(&self, digest: Sha256Digest) -> bool {
        self.0.lock().contains(&digest)
    }

    fn add(&self, digest: Sha256Digest) {
        self.0.lock().insert(digest);
    }
}

/// Stores the component of each run in the blob store. One that this process can no longer find is logged: its verdict
/// is still valid.
pub(in crate::app) async fn keep(app: &App, runs: &[PluginRun]) -> Result<()> {
    for run in runs {
        if app.components.has(run.digest) {
            continue;
        }
        let key = BlobKey::component(run.digest.as_bytes());
        if app.blobs.size(&key).await?.is_none() {
            let (host, digest) = (app.plugins.clone(), run.digest);
            let Some(component) = app.run_heavy(move || host.component(digest)).await? else {
                tracing::warn!(plugin = %run.plugin, digest = %run.digest,
                               "the component of a plugin cannot be kept; its answers cannot be repeated later");
                continue;
            };
            app.blobs.put(&key, Bytes::from(component)).await?;
        }
        app.components.add(run.digest);
    }
    Ok(())
}

/// Makes exactly this component callable, from the loaded plugins or the kept components; or returns why it cannot.
pub(in crate::app) async fn load(
    app: &App,
    plugin: &str,
    digest: Sha256Digest,
    role: Role,
) -> Result<std::result::Result<(), String>> {
    if app.plugins.plays(plugin, Some(digest), role) {
        return Ok(Ok(()));
    }
    let Some(component) = app.blobs.get(&BlobKey::component(digest.as_bytes())).await? else {
        return Ok(Err("the plugin is gone: its component is neither loaded nor kept".to_owned()));
    };
    let host = app.plugins.clone();
    // Compiling happens in a child process, but takes a while.
    let admitted = tokio::task::spawn_blocking(move || {
        if Sha256Digest::of(&component) != digest {
            return Err("the plugin is gone: the component kept under its digest does not match the digest".to_owned());
        }
        host.admit("a kept component", &component).map_err(|error| format!("this program cannot load it: {error:#}"))
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
