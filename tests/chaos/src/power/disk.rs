//! A possible state of a disk after a power cut: everything synced is there. Of the rest, each write is there, or not,
//! or in part; and of the changes of names, the first few.
//!
//! A file's bytes are on the disk when the file was synced, its name when its folder was. New folders are there at
//! once.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    fs,
    os::unix::fs::MetadataExt as _,
    path::Path,
};

use anyhow::Context as _;

use super::trace::{Operation, Record};
use crate::random::Random;

/// The unit that a disk writes atomically.
const SECTOR: usize = 512;

#[derive(Clone, Default)]
pub(crate) struct Disk {
    files: Vec<File>,
    by_inode: HashMap<u64, usize>,
    folders: BTreeSet<String>,
    names: BTreeMap<String, usize>,
    synced_names: BTreeMap<String, usize>,
    pending_names: Vec<NameChange>,
    /// Syncs do nothing: the negative control.
    pub(crate) ignores_syncs: bool,
}

#[derive(Clone, Default)]
struct File {
    synced: Vec<u8>,
    pending: Vec<Change>,
}

#[derive(Clone)]
enum Change {
    Write(usize, Vec<u8>),
    Truncate(usize),
}

#[derive(Clone)]
enum NameChange {
    Set(String, usize),
    Remove(String),
}

impl NameChange {
    fn folder(&self) -> &str {
        let (Self::Set(name, _) | Self::Remove(name)) = self;
        name.rsplit_once('/').map_or("", |(folder, _)| folder)
    }

    fn apply(&self, names: &mut BTreeMap<String, usize>) {
        match self {
            Self::Set(name, file) => drop(names.insert(name.clone(), *file)),
            Self::Remove(name) => drop(names.remove(name)),
        }
    }
}

impl Disk {
    /// The current state of a folder, all of it synced.
    pub(crate) fn of(folder: &Path) -> anyhow::Result<Self> {
        let mut disk = Self::default();
        disk.add(folder)?;
        Ok(disk)
    }

    fn add(&mut self, folder: &Path) -> anyhow::Result<()> {
        self.folders.insert(folder.display().to_string());
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            let metadata = fs::symlink_metadata(&path)?;
            if metadata.is_dir() {
                self.add(&path)?;
            } else if metadata.is_file() && !path.display().to_string().ends_with("-shm") {
                let file = self.new_file(metadata.ino());
                self.files[file].synced = fs::read(&path)?;
                self.names.insert(path.display().to_string(), file);
                self.synced_names.insert(path.display().to_string(), file);
            }
        }
        Ok(())
    }

    fn new_file(&mut self, inode: u64) -> usize {
        self.files.push(File::default());
        self.by_inode.insert(inode, self.files.len() - 1);
        self.files.len() - 1
    }

    /// Applies one operation.
    pub(crate) fn replay(&mut self, record: &Record) {
        match &record.operation {
            Operation::Open { inode, path, emptied } => self.open(*inode, path, *emptied),
            Operation::Write { inode, at, bytes } => self.change(*inode, Change::Write(*at, bytes.clone())),
            Operation::Truncate { inode, length } => self.change(*inode, Change::Truncate(*length)),
            Operation::Sync { .. } if self.ignores_syncs => {}
            Operation::Sync { inode, path } => self.sync(*inode, path),
            Operation::Rename { from, to } => {
                if let Some(file) = self.names.get(from).copied() {
                    self.rename(NameChange::Set(to.clone(), file));
                    self.rename(NameChange::Remove(from.clone()));
                } else {
                    self.rename_folder(from, to);
                }
            }
            Operation::Link { from, to } => {
                if let Some(file) = self.names.get(from).copied() {
                    self.rename(NameChange::Set(to.clone(), file));
                }
            }
            Operation::Unlink(name) => {
                self.folders.remove(name);
                self.rename(NameChange::Remove(name.clone()));
            }
            Operation::MakeFolder(name) => drop(self.folders.insert(name.clone())),
        }
    }

    fn open(&mut self, inode: u64, path: &str, emptied: bool) {
        let known = self.by_inode.get(&inode).copied();
        if known.is_some() && self.names.get(path).copied() == known {
            if emptied {
                self.change(inode, Change::Truncate(0));
            }
            return;
        }
        let file = self.new_file(inode);
        self.rename(NameChange::Set(path.to_owned(), file));
    }

    fn change(&mut self, inode: u64, change: Change) {
        if let Some(file) = self.by_inode.get(&inode) {
            self.files[*file].pending.push(change);
        }
    }

    fn rename(&mut self, change: NameChange) {
        change.apply(&mut self.names);
        self.pending_names.push(change);
    }

    fn rename_folder(&mut self, from: &str, to: &str) {
        let below = format!("{from}/");
        let moved: Vec<(String, usize)> = self
            .names
            .iter()
            .filter(|(name, _)| name.starts_with(&below))
            .map(|(name, file)| (name.clone(), *file))
            .collect();
        for (name, file) in moved {
            self.rename(NameChange::Set(format!("{to}/{}", &name[below.len()..]), file));
            self.rename(NameChange::Remove(name));
        }
        let folders: Vec<String> =
            self.folders.iter().filter(|name| *name == from || name.starts_with(&below)).cloned().collect();
        for folder in folders {
            self.folders.remove(&folder);
            self.folders.insert(format!("{to}{}", &folder[from.len()..]));
        }
    }

    fn sync(&mut self, inode: u64, path: &str) {
        if self.folders.contains(path) {
            let synced = &mut self.synced_names;
            self.pending_names.retain(|change| {
                let is_here = change.folder() == path;
                if is_here {
                    change.apply(synced);
                }
                !is_here
            });
        } else if let Some(file) = self.by_inode.get(&inode) {
            let file = &mut self.files[*file];
            for change in std::mem::take(&mut file.pending) {
                change.apply(&mut file.synced);
            }
        }
    }

    /// Replaces `folder` with a possible state after a power cut at this moment.
    pub(crate) fn write_after_cut(&self, folder: &Path, random: &mut Random) -> anyhow::Result<()> {
        let mut names = self.synced_names.clone();
        let kept = usize::try_from(random.below(self.pending_names.len() as u64 + 1))?;
        for change in &self.pending_names[..kept] {
            change.apply(&mut names);
        }
        if folder.exists() {
            fs::remove_dir_all(folder).context("the folder before the cut")?;
        }
        for name in &self.folders {
            fs::create_dir_all(name)?;
        }
        for (name, file) in names {
            let path = Path::new(&name);
            fs::create_dir_all(path.parent().context("a file has a folder")?)?;
            fs::write(path, self.files[file].after_cut(random))?;
        }
        Ok(())
    }
}

impl File {
    fn after_cut(&self, random: &mut Random) -> Vec<u8> {
        let mut bytes = self.synced.clone();
        for change in &self.pending {
            match (random.below(3), change) {
                (0, _) => {}
                (1, Change::Write(at, written)) if written.len() > SECTOR => {
                    let sectors = random.below((written.len() / SECTOR) as u64 + 1);
                    let torn = usize::try_from(sectors).unwrap_or_default() * SECTOR;
                    Change::Write(*at, written[..torn].to_vec()).apply(&mut bytes);
                }
                (_, change) => change.apply(&mut bytes),
            }
        }
        bytes
    }
}

impl Change {
    fn apply(&self, bytes: &mut Vec<u8>) {
        match self {
            Self::Write(at, written) => {
                let end = at + written.len();
                if bytes.len() < end {
                    bytes.resize(end, 0);
                }
                bytes[*at..end].copy_from_slice(written);
            }
            Self::Truncate(length) => bytes.resize(*length, 0),
        }
    }
}
