//! Plugins and certificate templates that every node of an installation has (`docs/adr/0030-published-plugins.md`).
//!
//! Their bytes are in the blob store under their digest; a row says that they are in service. The bytes are written before
//! the row, so a crash in between leaves bytes that no node requests, and never a row without bytes. Each node reads a
//! revision number every two seconds, and if it has changed loads what is new and removes what was withdrawn.

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
use sealwright_seal::digest::Sha256Digest;
use tokio::sync::Mutex;
use tokio_util::sync::CancellationToken;

use self::folder::FolderPublisher;
pub use self::template::{
    ListedTemplate, Refusal, TemplateOrigin, have_template, list_templates, load_template, unload_template,
};
use super::{
    App,
    audit::{self, Actor, Event},
    plugins,
};
use crate::{
    blobs::{BlobKey, Blobs},
    db::{Db, Tx},
    error::{Error, Result},
    plugins::{PluginHost, PluginInfo, WantedPlugin},
    store::{
        self,
        published::{NewPublished, Published, PublishedBy, PublishedKind},
    },
};

/// How often the revision is read.
const POLL_INTERVAL: Duration = Duration::from_secs(2);
/// How long the blob store may take to return the bytes of one plugin or template.
const FETCH_TIMEOUT: Duration = Duration::from_secs(10);

/// Below `data_dir`: the folders of the published templates.
pub(super) const TEMPLATES_FOLDER: &str = "published-templates";

/// The revision that this process has loaded.
#[derive(Debug, Default)]
pub struct PublishedTracker(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    revision: Option<i64>,
    /// Something is not available yet, and is requested again.
    incomplete: bool,
}

impl PublishedTracker {
    /// Whether something published is missing here, or might be.
    async fn is_behind(&self) -> bool {
        let state = self.0.lock().await;
        state.revision.is_none() || state.incomplete
    }
}

/// Loads what is published now. Returns whether anything changed.
pub async fn catch_up(app: &App) -> Result<bool> {
    let mut state = app.published.0.lock().await;
    let mut reader = app.db.read().await?;
    let revision = store::published::revision(&mut reader).await?;
    drop(reader);
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

/// Keeps up with what is published until `stop` is cancelled. On an installation of several nodes this also publishes
/// the plugins in this node's plugin folder.
pub async fn watch(app: Arc<App>, stop: CancellationToken) {
    let following = async {
        template::remove_unused(&app).await;
        let mut folder = FolderPublisher::new(&app.config.data_dir);
        let mut reported = false;
        loop {
            match step(&app, &mut folder).await {
                Ok(()) => reported = false,
                // Report it once, not every two seconds.
                Err(error) if !reported => {
                    tracing::error!(%error, "the published plugins and templates cannot be read");
                    reported = true;
                }
                Err(_) => {}
            }
            tokio::select! {
                () = tokio::time::sleep(POLL_INTERVAL) => {}
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
    // A failure to publish must not delay what others have published.
    if catch_up(app).await? {
        wake_waiting_jobs(app).await;
    }
    published
}

async fn wake_waiting_jobs(app: &App) {
    // They retry by themselves, only later.
    if let Err(error) = plugins::resume_waiting_jobs(app).await {
        tracing::debug!(%error, "jobs that wait for a plugin were not rescheduled");
    }
}

/// The parts that loading needs.
pub(super) struct Parts<'a> {
    pub(super) db: &'a Db,
    pub(super) blobs: &'a Blobs,
    pub(super) plugins: &'a PluginHost,
    /// The parent of the templates' folders.
    pub(super) templates: &'a Path,
    /// The missing parts were already reported.
    pub(super) is_repeated: bool,
}

/// What was published at one moment.
pub(super) struct PublishedSnapshot {
    pub(super) revision: i64,
    pub(super) rows: Vec<Published>,
    /// The folders of the templates, by name.
    pub(super) templates: BTreeMap<String, PathBuf>,
    /// Something was not available.
    pub(super) incomplete: bool,
}

impl Parts<'_> {
    pub(super) async fn follow(&self) -> Result<PublishedSnapshot> {
        let mut reader = self.db.read().await?;
        // The revision first: a later change increases it, and is read the next time.
        let revision = store::published::revision(&mut reader).await?;
        let rows = store::published::all(&mut reader).await?;
        drop(reader);
        let missed_plugins = self.follow_plugins(&rows).await?;
        let (templates, missed_templates) = self.follow_templates(&rows).await?;
        Ok(PublishedSnapshot { revision, rows, templates, incomplete: missed_plugins || missed_templates })
    }

    /// Returns whether a plugin was not available.
    async fn follow_plugins(&self, rows: &[Published]) -> Result<bool> {
        let of_plugins = || rows.iter().filter(|row| row.is(PublishedKind::Plugin));
        let (mut wanted, mut absent) = (Vec::new(), Vec::new());
        for row in of_plugins().filter(|row| row.is_in_service()) {
            let one = WantedPlugin {
                name: row.name.clone(),
                version: row.version.clone(),
                digest: row.digest,
                revision: row.revision,
            };
            if !self.plugins.knows_published(one.digest)
                && let Err(error) = self.load_plugin(row, &one).await?
            {
                self.report_missing("plugin", &one.name, &error);
                absent.push((one.clone(), format!("{error:#}")));
            }
            wanted.push(one);
        }
        let missed = !absent.is_empty();
        let withdrawn = of_plugins().filter(|row| !row.is_in_service() && self.db.is_shared());
        let withdrawn: BTreeSet<Sha256Digest> = withdrawn.map(|row| row.digest).collect();
        let host = self.plugins.clone();
        // This waits for a component of the folder that is being compiled.
        let kept = tokio::task::spawn_blocking(move || host.keep_published(&wanted, absent, withdrawn));
        kept.await.map_err(Error::internal)?;
        Ok(missed)
    }

    /// Reports it once, not every two seconds.
    fn report_missing(&self, kind: &str, name: &str, error: &anyhow::Error) {
        if !self.is_repeated {
            tracing::warn!(kind, name, "something published is not available yet: {error:#}");
        }
    }

    async fn load_plugin(&self, row: &Published, wanted: &WantedPlugin) -> Result<anyhow::Result<()>> {
        let (host, digest) = (self.plugins.clone(), row.digest);
        // This machine has a copy of every component that was loaded here before.
        let own = tokio::task::spawn_blocking(move || host.component(digest)).await.map_err(Error::internal)?;
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

    /// The published bytes, checked against their digest.
    async fn fetch(&self, row: &Published) -> anyhow::Result<Bytes> {
        let key = &row.blob_key;
        let read = tokio::time::timeout(FETCH_TIMEOUT, self.blobs.get(key)).await;
        let bytes = read.with_context(|| format!("the blob store did not answer within {FETCH_TIMEOUT:?}"))??;
        let bytes = bytes.with_context(|| format!("the blob store does not have {key}"))?;
        ensure!(Sha256Digest::of(&bytes) == row.digest, "blob {key} does not match the published digest");
        Ok(bytes)
    }
}

/// Publishes a component that this host accepts as `info`. Returns the higher versions published under its name, which
/// stay the ones that are called.
pub async fn load_plugin(app: &App, actor: &Actor, info: &PluginInfo, component: Bytes) -> Result<Vec<String>> {
    let key = keep_component(app, info.digest, component).await?;
    let mut tx = app.db.begin().await?;
    publish(&mut tx, app, actor, info, &key).await?;
    let rows = store::published::all(&mut tx).await?;
    tx.commit().await?;
    let version = |text: &str| semver::Version::parse(text).ok();
    let higher = rows.iter().filter(|row| {
        let is_higher = version(&row.version) > version(&info.version);
        row.is(PublishedKind::Plugin) && row.is_in_service() && row.name == info.name && is_higher
    });
    Ok(higher.map(|row| row.version.clone()).collect())
}

/// Publishes a component whose bytes are stored under `key`, in the transaction of what needs it.
pub(super) async fn publish(tx: &mut Tx, app: &App, actor: &Actor, info: &PluginInfo, key: &BlobKey) -> Result<()> {
    let node = node();
    let new = new_plugin(info, key, PublishedBy::Command, &node);
    let now = app.clock.now();
    store::published::publish(tx, &new, now).await?;
    let event = Event::done("loadPlugin", None, Some(format!("plugin {}", info.name)));
    let about = format!("version {}, sha256 {}", info.version, info.digest);
    audit::record(tx, now, actor, event.with_detail(about)).await?;
    Ok(())
}

/// Withdraws a published plugin from every node: all components of the name, or the one with the digest.
pub async fn unload_plugin(app: &App, actor: &Actor, name: &str, digest: Option<&str>) -> Result<u64> {
    // A text that is not a digest matches no component.
    if let Ok(digest) = digest.map(str::parse::<Sha256Digest>).transpose() {
        let mut tx = app.db.begin().await?;
        let now = app.clock.now();
        let withdrawn = store::published::withdraw(&mut tx, PublishedKind::Plugin, name, digest, now).await?;
        if withdrawn > 0 {
            let event = Event::done("unloadPlugin", None, Some(format!("plugin {name}")));
            audit::record(&mut tx, now, actor, event.with_detail(format!("{withdrawn} components"))).await?;
            tx.commit().await?;
            return Ok(withdrawn);
        }
    }
    let of_folder = app.plugins.folder_plugins().into_iter().find(|one| one.name == name);
    Err(Error::not_found(match of_folder {
        Some(one) => format!("{name} is a file of plugin_dir and was not published: remove {}", one.file.display()),
        None => format!("no published plugin is called {name:?}, or none of that name has this digest"),
    }))
}

/// Stores a component durably in the blob store, before its row is written.
pub(super) async fn keep_component(app: &App, digest: Sha256Digest, component: Bytes) -> Result<BlobKey> {
    let key = BlobKey::component(digest.as_bytes());
    app.blobs.put(&key, component).await?;
    Ok(key)
}

fn new_plugin<'a>(info: &'a PluginInfo, blob_key: &'a BlobKey, source: PublishedBy, node: &'a str) -> NewPublished<'a> {
    NewPublished {
        kind: PublishedKind::Plugin,
        name: &info.name,
        digest: info.digest,
        version: &info.version,
        size: i64::try_from(info.size).unwrap_or(i64::MAX),
        blob_key,
        source,
        node,
    }
}

/// The name of this machine, for people.
fn node() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let name = name.trim();
    if name.is_empty() { "unknown".to_owned() } else { name.to_owned() }
}

/// Published components that share a name and a version: the one published last is called.
pub(super) fn ambiguous(rows: &[Published]) -> Vec<String> {
    let mut by_version: BTreeMap<(&str, &str), Vec<&Published>> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.is(PublishedKind::Plugin) && row.is_in_service()) {
        by_version.entry((&row.name, &row.version)).or_default().push(row);
    }
    let several = by_version.into_iter().filter(|(_, rows)| rows.len() > 1);
    let messages = several.map(|((name, version), rows)| {
        let newest = rows.iter().max_by_key(|row| row.revision).map(|row| row.digest.to_string()).unwrap_or_default();
        format!("{name} {version} is published as {} components; the last one, {newest}, is used", rows.len())
    });
    messages.collect()
}
