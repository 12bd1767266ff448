//! The operator's plugin folder: which components it contains, and the state of each.
//!
//! A file is loaded once it is unchanged from one scan to the next, so one that is being written is left alone. If a
//! file cannot be used, what it replaced stays in service, and the log says so.

use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::OsStr,
    fs::{self, File, Metadata},
    io::Read,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    sync::Arc,
    time::SystemTime,
};

use anyhow::{Context, Result, ensure};

use super::{
    component::{Acceptance, Plugin},
    limits, name,
    registry::{Installed, Origin},
};

/// A file of the plugin folder, or a published plugin, that is not in service as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedPlugin {
    /// Of a published plugin: its name and version.
    pub file: PathBuf,
    pub reason: String,
}

impl RefusedPlugin {
    /// A file of the folder whose component was unloaded on every node.
    pub(super) fn withdrawn(file: PathBuf) -> Self {
        let reason =
            "it was withdrawn with `sealwright plugin unload`; `sealwright plugin load FILE` publishes it again";
        Self { file, reason: reason.to_owned() }
    }
}

/// The folder, and the state of its files.
pub(super) struct Folder {
    path: PathBuf,
    files: BTreeMap<PathBuf, FileState>,
    /// The names of built-in plugins.
    reserved: BTreeSet<String>,
}

/// One file, as it was at the last scan.
struct FileState {
    stamp: Stamp,
    /// Whether this content was loaded or refused. If not, the next scan does it, unless the file changes again.
    processed: bool,
    /// The plugin in service from this path: the earlier content if the present one was refused.
    installed: Option<Installed>,
    refused: Option<String>,
}

/// What changes when a file is written or replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    inode: u64,
    size: u64,
    written: Option<SystemTime>,
    /// Seconds and nanoseconds. Every write changes it, also a copy that preserves the modification time.
    changed: (i64, i64),
}

impl Stamp {
    fn of(metadata: &Metadata) -> Self {
        Self {
            inode: metadata.ino(),
            size: metadata.size(),
            written: metadata.modified().ok(),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
        }
    }
}

/// What a scan of the folder does with files that it has not seen before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NewFiles {
    /// Loads them: at the start there is no earlier scan.
    Load,
    /// Waits until they are unchanged for one scan.
    WaitUntilStable,
}

impl Folder {
    pub(super) fn new(path: PathBuf, reserved: BTreeSet<String>) -> Self {
        Self { path, files: BTreeMap::new(), reserved }
    }

    /// Scans every file, loads what is new, and returns whether anything changed.
    pub(super) fn look(&mut self, acceptance: &Acceptance<'_>, new_files: NewFiles) -> Result<bool> {
        let found = component_files(&self.path)?;
        let before = self.files.len();
        self.files.retain(|file, known| {
            let stays = found.contains_key(file);
            if let Some(installed) = known.installed.as_ref().filter(|_| !stays) {
                tracing::info!(file = %file.display(), plugin = %installed.plugin.info.name, "a plugin was removed");
            }
            stays
        });
        let mut changed = self.files.len() != before;
        for (file, stamp) in found {
            if self.is_due(&file, stamp, new_files) {
                self.reload(&file, acceptance);
                changed = true;
            }
        }
        Ok(changed)
    }

    /// Whether the file must be loaded now.
    fn is_due(&mut self, file: &Path, stamp: Stamp, new_files: NewFiles) -> bool {
        let is_stable = self.files.get(file).is_some_and(|known| known.stamp == stamp);
        let known = self.files.entry(file.to_owned()).or_insert_with(|| FileState::new(stamp));
        if is_stable && known.processed {
            return false;
        }
        known.stamp = stamp;
        known.processed = is_stable || new_files == NewFiles::Load;
        known.processed
    }

    /// Loads the file as it is now.
    fn reload(&mut self, file: &Path, acceptance: &Acceptance<'_>) {
        let Some(known) = self.files.get_mut(file) else { return };
        match load(acceptance, file, &self.reserved) {
            Ok(plugin) => {
                let info = &plugin.info;
                tracing::info!(file = %file.display(), plugin = %info.name, version = %info.version,
                               digest = %info.digest, "a plugin is loaded");
                let installed = Installed::new(Arc::new(plugin), Origin::Folder);
                known.installed = Some(Installed { written: known.stamp.written, ..installed });
                known.refused = None;
            }
            Err(reason) => {
                let earlier = if known.installed.is_some() { "; the earlier component stays in service" } else { "" };
                let reason = format!("{reason:#}{earlier}");
                tracing::error!(file = %file.display(), "a plugin was not loaded: {reason}");
                known.refused = Some(reason);
            }
        }
    }

    /// The files of this folder that were loaded.
    pub(super) fn installed(&self) -> impl Iterator<Item = (PathBuf, Installed)> {
        self.files.iter().filter_map(|(file, known)| Some((file.clone(), known.installed.clone()?)))
    }

    /// The files that are not in service as they are, with the reason.
    pub(super) fn refused(&self) -> Vec<RefusedPlugin> {
        let refused = self.files.iter().filter_map(|(file, known)| Some((file, known.refused.as_ref()?)));
        refused.map(|(file, reason)| RefusedPlugin { file: file.clone(), reason: reason.clone() }).collect()
    }
}

impl FileState {
    fn new(stamp: Stamp) -> Self {
        Self { stamp, processed: false, installed: None, refused: None }
    }
}

/// Accepts a file of the plugin folder under the name in its description.
fn load(acceptance: &Acceptance<'_>, file: &Path, reserved: &BTreeSet<String>) -> Result<Plugin> {
    let origin = file.file_name().unwrap_or_default().to_string_lossy();
    let plugin = acceptance.accept(&origin, &read_bounded(file)?, false)?;
    let name = &plugin.info.name;
    ensure!(!reserved.contains(name), "{}", name::taken(name));
    Ok(plugin)
}

/// The `*.wasm` files in `folder`; none if it does not exist.
fn component_files(folder: &Path) -> Result<BTreeMap<PathBuf, Stamp>> {
    let reading = || format!("reading the plugin folder {}", folder.display());
    if !folder.try_exists().with_context(reading)? {
        return Ok(BTreeMap::new());
    }
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder).with_context(reading)? {
        let path = entry.with_context(reading)?.path();
        if path.extension() != Some(OsStr::new("wasm")) {
            continue;
        }
        // A file that was removed in the meantime is skipped.
        if let Ok(metadata) = fs::metadata(&path) {
            files.insert(path, Stamp::of(&metadata));
        }
    }
    Ok(files)
}

/// The file's bytes, unless there are more than a component may have.
fn read_bounded(file: &Path) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(file)?.take(limits::COMPONENT_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    ensure!(bytes.len() <= limits::COMPONENT_BYTES, "it has more than {} bytes", limits::COMPONENT_BYTES);
    Ok(bytes)
}
