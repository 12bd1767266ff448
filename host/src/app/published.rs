//! Plugins and certificate templates that every node of an installation has (`docs/adr/0030-published-plugins.md`).
//!
//! Their bytes are in the blob store under their digest; a row says that they are in service. The bytes are written before
//! the row, so a crash in between leaves bytes that no node asks for, and never a row without bytes. Each node reads one
//! small number every two seconds, and when it is another one loads what is new and takes out what was withdrawn.

mod folder;
mod template;

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use anyhow::{Context, ensure};
use bytes::Bytes;
use sha2::{Digest, Sha256};
use tokio::sync::Mutex;
use tokio_util::sync::CancellationToken;

use self::folder::FolderPublisher;
pub use self::template::{
    ListedTemplate, Refusal, TemplateOrigin, have_template, list_templates, load_template, unload_template,
};
use super::{App, plugins};
use crate::{
    blobs::{BlobKey, Blobs},
    db::Db,
    error::{Error, Result},
    plugins::{PluginHost, PluginInfo, WantedPlugin},
    store::{
        self,
        published::{BY_COMMAND, NewPublished, Published, PublishedKind},
    },
};

/// How often the number is read.
const LOOK_EVERY: Duration = Duration::from_secs(2);
/// How long the blob store may take to give the bytes of one plugin or template.
const FETCH_PATIENCE: Duration = Duration::from_secs(10);

/// Below `data_dir`: the folders that were made of the published templates.
pub(super) const TEMPLATES_FOLDER: &str = "published-templates";

/// Up to which change this process has followed.
#[derive(Debug, Default)]
pub struct Following(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    revision: Option<i64>,
    /// Something could not be had yet, and is asked for again.
    incomplete: bool,
}

impl Following {
    /// Whether something that is published is not here, or that is not known.
    async fn is_behind(&self) -> bool {
        let state = self.0.lock().await;
        state.revision.is_none() || state.incomplete
    }
}

/// Has this process use what is published now. Says whether anything is different.
pub async fn catch_up(app: &App) -> Result<bool> {
    let mut state = app.published.0.lock().await;
    let mut tx = app.db.read().await?;
    let revision = store::published::revision(&mut tx).await?;
    drop(tx);
    if state.revision == Some(revision) && !state.incomplete {
        return Ok(false);
    }
    let parts = Parts {
        db: &app.db,
        blobs: &app.blobs,
        plugins: &app.plugins,
        templates: &app.config.data_dir.join(TEMPLATES_FOLDER),
        is_repeated: state.incomplete,
    };
    let followed = parts.follow().await?;
    app.templates.set_published(followed.templates);
    *state = State { revision: Some(followed.revision), incomplete: followed.incomplete };
    Ok(true)
}

/// Goes on following until `stop` is cancelled. On an installation of several nodes this also publishes what is in this
/// node's plugin folder.
pub async fn watch(app: Arc<App>, stop: CancellationToken) {
    let following = async {
        template::remove_unused(&app).await;
        let mut folder = FolderPublisher::new(&app.config.data_dir);
        let mut complained = false;
        loop {
            match step(&app, &mut folder).await {
                Ok(()) => complained = false,
                // Once, not every two seconds.
                Err(error) if !complained => {
                    tracing::error!(%error, "what is published cannot be followed");
                    complained = true;
                }
                Err(_) => {}
            }
            tokio::select! {
                () = tokio::time::sleep(LOOK_EVERY) => {}
                () = app.plugins.folder_changed() => wake_waiting_jobs(&app).await,
            }
        }
    };
    tokio::select! {
        () = stop.cancelled() => {}
        () = following => {}
    }
}

async fn step(app: &Arc<App>, folder: &mut FolderPublisher) -> Result<()> {
    let published = if app.db.is_shared() { folder.publish(app).await } else { Ok(()) };
    // What others publish must not wait for what this node cannot publish.
    if catch_up(app).await? {
        wake_waiting_jobs(app).await;
    }
    published
}

async fn wake_waiting_jobs(app: &App) {
    // They look again by themselves, only later.
    if let Err(error) = plugins::resume_waiting_jobs(app).await {
        tracing::debug!(%error, "jobs that wait for a plugin were not hastened");
    }
}

/// What following takes.
pub(super) struct Parts<'a> {
    pub(super) db: &'a Db,
    pub(super) blobs: &'a Blobs,
    pub(super) plugins: &'a PluginHost,
    /// Where folders are made of templates.
    pub(super) templates: &'a Path,
    /// What could not be had was reported the last time.
    pub(super) is_repeated: bool,
}

/// What was published at one moment.
pub(super) struct Followed {
    pub(super) revision: i64,
    pub(super) rows: Vec<Published>,
    /// The folders that were made of templates, by name.
    pub(super) templates: BTreeMap<String, PathBuf>,
    /// Something could not be had.
    pub(super) incomplete: bool,
}

impl Parts<'_> {
    pub(super) async fn follow(&self) -> Result<Followed> {
        let mut tx = self.db.read().await?;
        // The number first: what changes afterwards makes it another one, and is looked at again.
        let revision = store::published::revision(&mut tx).await?;
        let rows = store::published::all(&mut tx).await?;
        drop(tx);
        let missed_plugins = self.follow_plugins(&rows).await?;
        let (templates, missed_templates) = self.follow_templates(&rows).await?;
        Ok(Followed { revision, rows, templates, incomplete: missed_plugins || missed_templates })
    }

    /// Says whether a plugin could not be had.
    async fn follow_plugins(&self, rows: &[Published]) -> Result<bool> {
        let of_plugins = || rows.iter().filter(|row| row.is(PublishedKind::Plugin));
        let (mut wanted, mut absent) = (Vec::new(), Vec::new());
        for row in of_plugins().filter(|row| row.is_in_service()) {
            let one = WantedPlugin {
                name: row.name.clone(),
                version: row.version.clone(),
                digest: row.digest.clone(),
                revision: row.revision,
            };
            if !self.plugins.knows_published(&one.digest)
                && let Err(error) = self.load_plugin(row, &one).await?
            {
                self.complain("plugin", &one.name, &error);
                absent.push((one.clone(), format!("{error:#}")));
            }
            wanted.push(one);
        }
        let missed = !absent.is_empty();
        let withdrawn = of_plugins().filter(|row| !row.is_in_service() && self.db.is_shared());
        let withdrawn: BTreeSet<String> = withdrawn.map(|row| row.digest.clone()).collect();
        let host = self.plugins.clone();
        // A component of the folder may be in the middle of being compiled, which is waited for.
        let kept = tokio::task::spawn_blocking(move || host.keep_published(&wanted, absent, withdrawn));
        kept.await.map_err(Error::internal)?;
        Ok(missed)
    }

    /// Once, not every two seconds.
    fn complain(&self, kind: &str, name: &str, error: &anyhow::Error) {
        if !self.is_repeated {
            tracing::warn!(kind, name, "something published cannot be had yet: {error:#}");
        }
    }

    async fn load_plugin(&self, row: &Published, wanted: &WantedPlugin) -> Result<anyhow::Result<()>> {
        let (host, digest) = (self.plugins.clone(), row.digest.clone());
        // A copy of every component that was loaded here before is on this machine.
        let own = tokio::task::spawn_blocking(move || host.component(&digest)).await.map_err(Error::internal)?;
        let bytes = match own {
            Some(bytes) => Bytes::from(bytes),
            None => match self.fetch(row).await {
                Ok(bytes) => bytes,
                Err(error) => return Ok(Err(error)),
            },
        };
        let (host, wanted) = (self.plugins.clone(), wanted.clone());
        let accepted = tokio::task::spawn_blocking(move || host.accept_published(&wanted, &bytes));
        accepted.await.map_err(Error::internal)?;
        Ok(Ok(()))
    }

    /// The bytes of what is published, as its digest says.
    async fn fetch(&self, row: &Published) -> anyhow::Result<Bytes> {
        let key: BlobKey = row.blob_key.parse()?;
        let read = tokio::time::timeout(FETCH_PATIENCE, self.blobs.get(&key)).await;
        let bytes = read.with_context(|| format!("the blob store did not answer within {FETCH_PATIENCE:?}"))??;
        let bytes = bytes.with_context(|| format!("the blob store does not have {key}"))?;
        ensure!(hex::encode(Sha256::digest(&bytes)) == row.digest, "blob {key} is not what was published");
        Ok(bytes)
    }
}

/// Gives every node a component that this host accepts as `info`. Says which published components of its name have a
/// higher version, and so stay the ones that are called.
pub async fn load_plugin(app: &App, info: &PluginInfo, component: Bytes) -> Result<Vec<String>> {
    let key = keep_component(app, &info.digest, component).await?;
    let mut tx = app.db.begin().await?;
    let node = node();
    let new = new_plugin(info, key.as_str(), BY_COMMAND, &node);
    store::published::publish(&mut tx, &new, app.clock.now()).await?;
    let rows = store::published::all(&mut tx).await?;
    tx.commit().await?;
    let version = |text: &str| semver::Version::parse(text).ok();
    let higher = rows.iter().filter(|row| {
        let is_higher = version(&row.version) > version(&info.version);
        row.is(PublishedKind::Plugin) && row.is_in_service() && row.name == info.name && is_higher
    });
    Ok(higher.map(|row| row.version.clone()).collect())
}

/// Takes a published plugin away from every node: all components of the name, or the one with the digest.
pub async fn unload_plugin(app: &App, name: &str, digest: Option<&str>) -> Result<u64> {
    let mut tx = app.db.begin().await?;
    let withdrawn = store::published::withdraw(&mut tx, PublishedKind::Plugin, name, digest, app.clock.now()).await?;
    if withdrawn > 0 {
        tx.commit().await?;
        return Ok(withdrawn);
    }
    drop(tx);
    let of_folder = app.plugins.folder_plugins().into_iter().find(|one| one.name == name);
    Err(Error::not_found(match of_folder {
        Some(one) => format!("{name} is a file of plugin_dir and was not published: remove {}", one.file.display()),
        None => format!("no published plugin is called {name:?}, or has this digest"),
    }))
}

/// Puts a component into the blob store, durably: before its row.
async fn keep_component(app: &App, digest: &str, component: Bytes) -> Result<BlobKey> {
    let key = BlobKey::component(digest).context("a digest has fewer than 32 digits")?;
    app.blobs.put(&key, component).await?;
    Ok(key)
}

fn new_plugin<'a>(info: &'a PluginInfo, blob_key: &'a str, source: &'a str, node: &'a str) -> NewPublished<'a> {
    NewPublished {
        kind: PublishedKind::Plugin,
        name: &info.name,
        digest: &info.digest,
        version: &info.version,
        size: i64::try_from(info.size).unwrap_or(i64::MAX),
        blob_key,
        source,
        node,
    }
}

/// What this machine calls itself, for people.
fn node() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let name = name.trim();
    if name.is_empty() { "unknown".to_owned() } else { name.to_owned() }
}

/// Published components that share a name and a version: which of them is called depends on which came last.
pub(super) fn ambiguous(rows: &[Published]) -> Vec<String> {
    let mut by_version: BTreeMap<(&str, &str), Vec<&Published>> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.is(PublishedKind::Plugin) && row.is_in_service()) {
        by_version.entry((&row.name, &row.version)).or_default().push(row);
    }
    let several = by_version.into_iter().filter(|(_, rows)| rows.len() > 1);
    let told = several.map(|((name, version), rows)| {
        let newest = rows.iter().max_by_key(|row| row.revision).map_or("", |row| row.digest.as_str());
        format!("{name} {version} is published as {} components; the last one, {newest}, is called", rows.len())
    });
    told.collect()
}
