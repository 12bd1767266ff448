//! `sealwright plugin load` and `unload`: publishing a component to every node, and withdrawing it.

use std::{fmt, path::Path, process::ExitCode};

use anyhow::{Context, anyhow, bail};
use sealwright_child_process::this_program;
use sealwright_seal::digest::Sha256Digest;
use serde::Serialize;

use super::{super::output::visible, Output, check};
use crate::{
    app::{App, audit::Actor, plugins::missing, published, registry, tools::trial},
    clock::Clock,
    config::Config,
    domain::registry_reference::RegistryReference,
    plugins::{self, PluginInfo},
};

/// What an argument begins with that names a component in a registry.
const REGISTRY: &str = "oci:";

pub(super) async fn load(config: Config, component: &str, output: Output) -> anyhow::Result<ExitCode> {
    let bytes = match component.strip_prefix(REGISTRY) {
        Some(reference) => {
            let reference: RegistryReference = reference.parse().with_context(|| component.to_owned())?;
            registry::pull(&config.plugins.registry, &reference).await?
        }
        None => check::read(Path::new(component))?.into(),
    };
    let refused = |reason: &str| anyhow!("{component}: no server would load it: {}", visible(reason));
    // What is not accepted is not compiled either.
    plugins::check_signature(&bytes, &config.plugins.signatures).map_err(|reason| refused(&format!("{reason:#}")))?;
    // The server of this installation finds it there, and does not compile it again.
    let compiled = trial::compiled_folder(&config).ok();
    let examined = plugins::examine(&bytes, Some(this_program()), compiled, &config.plugins.signatures)?;
    if let Some(refusal) = examined.refusal {
        return Err(refused(&refusal));
    }
    if examined.built_in {
        bail!("{component}: every server has it already: it is one of the built-in plugins");
    }
    let info = examined.plugin.context("a component that is not refused describes itself")?;
    let app = App::open_existing(config, Clock::system()).await?;
    let higher = published::load_plugin(&app, &Actor::command(), &info, bytes).await?;
    app.db.close().await;
    let PluginInfo { name, version, digest, .. } = info;
    output.warn(higher.iter().map(|higher| {
        format!("warning: {name} {higher} is also published and is still used, because its version is higher")
    }));
    output.print(&PublishedPlugin { name, version, digest })?;
    Ok(ExitCode::SUCCESS)
}

pub(super) async fn unload(
    config: Config,
    name: &str,
    sha256: Option<&str>,
    output: Output,
) -> anyhow::Result<ExitCode> {
    let app = App::open_existing(config, Clock::system()).await?;
    let withdrawn = published::unload_plugin(&app, &Actor::command(), name, sha256).await?;
    published::catch_up(&app).await?;
    let missing = missing(&app.db, &app.plugins).await?;
    app.db.close().await;
    let missing = missing.into_iter().filter(|missing| missing.name == name);
    output.warn(missing.map(|missing| format!("warning: {missing}; jobs that need it wait until one is loaded")));
    output.print(&WithdrawnPlugin { name: name.to_owned(), withdrawn })?;
    Ok(ExitCode::SUCCESS)
}

/// What `plugin load` prints.
#[derive(Serialize)]
struct PublishedPlugin {
    name: String,
    version: String,
    digest: Sha256Digest,
}

impl fmt::Display for PublishedPlugin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, version, digest } = self;
        write!(
            f,
            "{name} {version} is published; every running server loads it within a few seconds\n  sha256   {digest}"
        )
    }
}

/// What `plugin unload` prints.
#[derive(Serialize)]
struct WithdrawnPlugin {
    name: String,
    /// How many components.
    withdrawn: u64,
}

impl fmt::Display for WithdrawnPlugin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, withdrawn } = self;
        write!(f, "{name} is withdrawn ({withdrawn} components); every running server drops it within a few seconds")
    }
}
