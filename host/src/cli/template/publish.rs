//! `sealwright template load`, `unload` and `list`: publishing a template to every node, and withdrawing it.

use std::{fmt, path::Path, process::ExitCode};

use anyhow::Context;
use sealwright_seal::digest::Sha256Digest;
use serde::Serialize;

use super::{CheckResult, Output, check_folder};
use crate::{
    app::{
        App,
        audit::Actor,
        published::{self, Refusal},
    },
    clock::Clock,
    config::Config,
};

pub(super) async fn load(
    config: Config,
    folder: &Path,
    name: Option<&str>,
    output: Output,
) -> anyhow::Result<ExitCode> {
    check_folder(folder)?;
    let whole = folder.canonicalize().with_context(|| folder.display().to_string())?;
    let own = whole.file_name().and_then(|name| name.to_str());
    let name = name.or(own).with_context(|| format!("{} has no name: give it one with --name", folder.display()))?;
    let app = App::open_existing(config, Clock::system()).await?;
    let loaded = published::load_template(&app, &Actor::command(), name, folder).await;
    app.db.close().await;
    match loaded {
        Ok(digest) => {
            output.print(&PublishedTemplate { name: name.to_owned(), digest })?;
            Ok(ExitCode::SUCCESS)
        }
        Err(Refusal::Unusable(examination)) => {
            output.print(&CheckResult(&examination))?;
            Ok(ExitCode::FAILURE)
        }
        Err(refusal) => Err(refusal.into()),
    }
}

pub(super) async fn unload(config: Config, name: &str, output: Output) -> anyhow::Result<ExitCode> {
    let app = App::open_existing(config, Clock::system()).await?;
    published::unload_template(&app, &Actor::command(), name).await?;
    app.db.close().await;
    output.print(&WithdrawnTemplate { name: name.to_owned() })?;
    Ok(ExitCode::SUCCESS)
}

pub(super) async fn list(config: Config, output: Output) -> anyhow::Result<ExitCode> {
    let app = App::open_existing(config, Clock::system()).await?;
    let listed = published::list_templates(&app).await?;
    app.db.close().await;
    output.print_table(["NAME", "FROM", "SHA256"], &listed, |template| {
        [
            template.name.clone(),
            template.origin.into_str().to_owned(),
            template.digest.map_or_else(|| "-".to_owned(), |digest| digest.to_string()),
        ]
    })?;
    let hidden = listed.iter().filter(|template| template.hides_folder);
    output.warn(hidden.map(|template| {
        format!("the folder {} in template_dir is not used: a published template has the same name", template.name)
    }));
    Ok(ExitCode::SUCCESS)
}

/// What `template load` prints.
#[derive(Serialize)]
struct PublishedTemplate {
    name: String,
    digest: Sha256Digest,
}

impl fmt::Display for PublishedTemplate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, digest } = self;
        write!(f, "{name} is published; every running server uses it within a few seconds\n  sha256   {digest}")
    }
}

/// What `template unload` prints.
#[derive(Serialize)]
struct WithdrawnTemplate {
    name: String,
}

impl fmt::Display for WithdrawnTemplate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is withdrawn; every running server drops it within a few seconds", self.name)
    }
}
