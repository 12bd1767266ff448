//! Publishes a node's plugin folder to the other nodes. Only for an installation of several nodes: a single node uses
//! its folder directly.
//!
//! - A component that is new to the installation is published.
//! - A file that is replaced publishes the new component, and withdraws the old one if a folder had published it. Each
//!   node keeps a record of its folder, so this includes a file that is replaced while the node is stopped.
//! - A file that is removed withdraws nothing: a node that loses its disk must not disarm the others. `sealwright
//!   plugin unload` does.
//! - A component that was withdrawn is published again when its file is added again, not because a node with an old
//!   file starts.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
};

use bytes::Bytes;
use sealwright_seal::digest::Sha256Digest;

use super::{keep_component, node};
use crate::{
    app::App,
    error::{Error, Result},
    plugins::FolderPlugin,
    store::{
        self,
        published::{NewPublished, Published, PublishedBy, PublishedKind},
    },
};

/// In `data_dir`: the content of the folder at the last check, which may be of an earlier run of this node.
const RECORD: &str = "plugin-folder.json";

/// The content of one node's folder at the last check.
#[derive(Debug)]
pub(super) struct FolderPublisher {
    record: PathBuf,
    /// The plugin in each file. None before the node's first check.
    seen: Option<BTreeMap<PathBuf, FolderPlugin>>,
    /// Whether this process has checked: until then the database may lack what the record names.
    has_checked: bool,
}

impl FolderPublisher {
    pub(super) fn new(data_dir: &Path) -> Self {
        let record = data_dir.join(RECORD);
        let seen = match read_record(&record) {
            Ok(seen) => seen,
            // Without it only a file that was replaced while the node was stopped goes unnoticed.
            Err(error) => {
                tracing::warn!(file = %record.display(), %error, "the record of the plugin folder cannot be read");
                None
            }
        };
        Self { record, seen, has_checked: false }
    }

    /// Publishes what is new in the folder. A check that fails is repeated.
    pub(super) async fn publish(&mut self, app: &Arc<App>) -> Result<()> {
        let plugins = app.plugins.folder_plugins();
        let now: BTreeMap<PathBuf, FolderPlugin> =
            plugins.into_iter().map(|plugin| (plugin.file.clone(), plugin)).collect();
        if self.has_checked && self.seen.as_ref() == Some(&now) {
            return Ok(());
        }
        let mut reader = app.db.read().await?;
        let rows = store::published::all(&mut reader).await?;
        drop(reader);
        let changes = changes(self.seen.as_ref(), &now, &rows);
        for plugin in &changes.published {
            publish(app, plugin, &changes.withdrawn).await?;
        }
        let left = changes.withdrawn.iter().filter(|old| !changes.published.iter().any(|new| new.file == old.file));
        for old in left {
            withdraw(app, old).await?;
        }
        for known in &changes.already_published {
            let (file, plugin) = (known.file.display(), &known.name);
            tracing::info!(%file, %plugin, "a plugin of the folder is already published");
        }
        for gone in &changes.gone {
            let (file, plugin) = (gone.file.display(), &gone.name);
            tracing::warn!(%file, %plugin, "a file of the plugin folder is gone; its component stays published. \
                                            `sealwright plugin unload` withdraws it from every node");
        }
        if let Err(error) = write_record(&self.record, &now) {
            let file = self.record.display();
            tracing::warn!(%file, %error, "the record of the plugin folder cannot be written");
        }
        (self.seen, self.has_checked) = (Some(now), true);
        Ok(())
    }
}

fn read_record(path: &Path) -> io::Result<Option<BTreeMap<PathBuf, FolderPlugin>>> {
    match fs::read(path) {
        Ok(record) => {
            let plugins: Vec<FolderPlugin> = serde_json::from_slice(&record)?;
            Ok(Some(plugins.into_iter().map(|plugin| (plugin.file.clone(), plugin)).collect()))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Replaces the record in one step.
fn write_record(path: &Path, plugins: &BTreeMap<PathBuf, FolderPlugin>) -> io::Result<()> {
    let record = serde_json::to_vec_pretty(&plugins.values().collect::<Vec<_>>())?;
    let draft = path.with_extension("json.part");
    fs::write(&draft, record)?;
    fs::File::open(&draft)?.sync_all()?;
    fs::rename(draft, path)
}

/// The changes since the last check of the folder.
#[derive(Debug, Default, PartialEq, Eq)]
struct Changes {
    published: Vec<FolderPlugin>,
    /// The former components of files that were replaced.
    withdrawn: Vec<FolderPlugin>,
    gone: Vec<FolderPlugin>,
    /// Components that were added to the folder and are already in service.
    already_published: Vec<FolderPlugin>,
}

fn changes(
    seen: Option<&BTreeMap<PathBuf, FolderPlugin>>,
    now: &BTreeMap<PathBuf, FolderPlugin>,
    rows: &[Published],
) -> Changes {
    let row_of = |digest: Sha256Digest| rows.iter().find(|row| row.is(PublishedKind::Plugin) && row.digest == digest);
    let is_there = |digest: Sha256Digest| now.values().any(|plugin| plugin.digest == digest);
    let mut changes = Changes::default();
    for (file, plugin) in now {
        let former = seen.and_then(|seen| seen.get(file)).filter(|former| former.digest != plugin.digest);
        let was_put_there = seen.is_some_and(|seen| !seen.contains_key(file)) || former.is_some();
        match row_of(plugin.digest) {
            Some(_) if !was_put_there => {}
            Some(row) if row.is_in_service() => changes.already_published.push(plugin.clone()),
            None | Some(_) => changes.published.push(plugin.clone()),
        }
        let by_folder = |former: &FolderPlugin| {
            row_of(former.digest).is_some_and(|row| row.is_in_service() && row.source == PublishedBy::Folder)
        };
        changes.withdrawn.extend(former.filter(|former| by_folder(former) && !is_there(former.digest)).cloned());
    }
    let gone = seen.into_iter().flatten().filter(|(file, _)| !now.contains_key(*file));
    changes.gone = gone.map(|(_, plugin)| plugin.clone()).collect();
    changes
}

/// Publishes one file's component, and withdraws what the file held before in the same transaction.
async fn publish(app: &Arc<App>, plugin: &FolderPlugin, withdrawn: &[FolderPlugin]) -> Result<()> {
    let FolderPlugin { file, name, version, digest } = plugin;
    let (host, digest) = (app.plugins.clone(), *digest);
    let component = tokio::task::spawn_blocking(move || host.component(digest)).await.map_err(Error::internal)?;
    let Some(component) = component else {
        // The copy is written when the component is accepted; without it the file is read again at the next start.
        let file = file.display();
        tracing::error!(%file, plugin = %name, "a component of the plugin folder has no copy and is not published");
        return Ok(());
    };
    let size = i64::try_from(component.len()).unwrap_or(i64::MAX);
    let key = keep_component(app, digest, Bytes::from(component)).await?;
    let node = node();
    let new = NewPublished {
        kind: PublishedKind::Plugin,
        name,
        digest,
        version,
        size,
        blob_key: &key,
        source: PublishedBy::Folder,
        node: &node,
    };
    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    if let Some(old) = withdrawn.iter().find(|old| old.file == *file) {
        store::published::withdraw(&mut tx, PublishedKind::Plugin, &old.name, Some(old.digest), now).await?;
    }
    store::published::publish(&mut tx, &new, now).await?;
    tx.commit().await?;
    tracing::info!(file = %file.display(), plugin = %name, %version, %digest, "a plugin of the folder is published");
    Ok(())
}

async fn withdraw(app: &App, old: &FolderPlugin) -> Result<()> {
    let mut tx = app.db.begin().await?;
    let (name, digest) = (&old.name, Some(old.digest));
    store::published::withdraw(&mut tx, PublishedKind::Plugin, name, digest, app.clock.now()).await?;
    Ok(tx.commit().await?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        blobs::{BlobArea, BlobKey},
        clock::Timestamp,
    };

    fn plugin(file: &str, digest: &str) -> FolderPlugin {
        FolderPlugin {
            file: file.into(),
            name: "mode".into(),
            version: "1.0.0".into(),
            digest: Sha256Digest::of(digest),
        }
    }

    fn folder(plugins: &[FolderPlugin]) -> BTreeMap<PathBuf, FolderPlugin> {
        plugins.iter().map(|plugin| (plugin.file.clone(), plugin.clone())).collect()
    }

    fn row(digest: &str, source: PublishedBy, in_service: bool) -> Published {
        Published {
            kind: PublishedKind::Plugin,
            name: "mode".into(),
            digest: Sha256Digest::of(digest),
            version: "1.0.0".into(),
            size: 1,
            blob_key: BlobKey::random(BlobArea::Components),
            source,
            node: "node".into(),
            published_at: Timestamp::from_millis(1),
            withdrawn_at: (!in_service).then_some(Timestamp::from_millis(2)),
            revision: 1,
        }
    }

    #[test]
    fn a_record_survives_a_restart_and_a_torn_record_is_ignored() {
        let data = tempfile::tempdir().unwrap();
        let held = folder(&[plugin("a.wasm", "a"), plugin("b.wasm", "b")]);
        assert_eq!(FolderPublisher::new(data.path()).seen, None);
        write_record(&data.path().join(RECORD), &held).unwrap();
        assert_eq!(FolderPublisher::new(data.path()).seen, Some(held));
        fs::write(data.path().join(RECORD), "[{\"file\":").unwrap();
        assert_eq!(FolderPublisher::new(data.path()).seen, None);
    }

    #[test]
    fn a_new_component_is_published_at_the_start_and_later() {
        let there = folder(&[plugin("a.wasm", "a"), plugin("b.wasm", "b")]);
        let at_start = changes(None, &there, &[row("a", PublishedBy::Folder, true)]);
        assert_eq!(at_start, Changes { published: vec![plugin("b.wasm", "b")], ..Changes::default() });
        let later = changes(Some(&folder(&[plugin("a.wasm", "a")])), &there, &[row("a", PublishedBy::Folder, true)]);
        assert_eq!(later, at_start);
    }

    #[test]
    fn a_withdrawn_component_is_published_again_when_its_file_is_added_but_not_at_a_start() {
        let (there, rows) = (folder(&[plugin("a.wasm", "a")]), [row("a", PublishedBy::Command, false)]);
        assert_eq!(changes(None, &there, &rows), Changes::default());
        assert_eq!(changes(Some(&there), &there, &rows), Changes::default());
        assert_eq!(changes(Some(&folder(&[])), &there, &rows).published, [plugin("a.wasm", "a")]);
        assert_eq!(changes(Some(&folder(&[plugin("a.wasm", "x")])), &there, &rows).published, [plugin("a.wasm", "a")]);
    }

    #[test]
    fn a_replaced_file_withdraws_its_old_component_and_a_removed_file_nothing() {
        let (old, new) = (folder(&[plugin("a.wasm", "a")]), folder(&[plugin("a.wasm", "b")]));
        let replaced = changes(Some(&old), &new, &[row("a", PublishedBy::Folder, true)]);
        assert_eq!(
            (replaced.published, replaced.withdrawn),
            (vec![plugin("a.wasm", "b")], vec![plugin("a.wasm", "a")])
        );
        assert_eq!(changes(Some(&old), &new, &[row("a", PublishedBy::Command, true)]).withdrawn, []);
        // The same component is in another file too.
        let elsewhere = folder(&[plugin("a.wasm", "b"), plugin("c.wasm", "a")]);
        let moved = changes(Some(&old), &elsewhere, &[row("a", PublishedBy::Folder, true)]);
        assert_eq!((moved.withdrawn, moved.already_published), (vec![], vec![plugin("c.wasm", "a")]));
        let removed = changes(Some(&old), &folder(&[]), &[row("a", PublishedBy::Folder, true)]);
        assert_eq!(removed, Changes { gone: vec![plugin("a.wasm", "a")], ..Changes::default() });
    }
}
