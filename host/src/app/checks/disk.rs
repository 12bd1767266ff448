//! The space on the file systems that this node writes to.

use std::{
    io,
    path::{Path, PathBuf},
};

use rustix::fs::statvfs;

use crate::config::Config;

/// Less than this part of a file system, in hundredths, is reported.
const LITTLE: u64 = 10;

/// The file system of a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disk {
    pub used_for: DiskUse,
    pub folder: PathBuf,
    /// Bytes that this process may still write, and all bytes; or why they are not known.
    pub space: Result<DiskSpace, String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiskUse {
    /// The setting `data_dir`.
    Data,
    /// The folder of `blob_url`.
    Blobs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiskSpace {
    pub free: u64,
    pub total: u64,
}

impl DiskSpace {
    pub(super) fn of(folder: &Path) -> io::Result<Self> {
        let found = statvfs(folder)?;
        Ok(Self {
            free: found.f_bavail.saturating_mul(found.f_frsize),
            total: found.f_blocks.saturating_mul(found.f_frsize),
        })
    }

    /// The free part, in whole hundredths.
    pub fn free_percent(self) -> u64 {
        // In 128 bits nothing overflows. A free part is not larger than the whole.
        let percent = u128::from(self.free) * 100 / u128::from(self.total.max(1));
        u64::try_from(percent.min(100)).unwrap_or(100)
    }

    /// Whether less than a tenth is free.
    pub fn is_little(self) -> bool {
        self.free_percent() < LITTLE
    }
}

/// The file system of the data directory, and that of the blobs if they are in a folder. Blocks while the system asks
/// the disk.
pub(super) fn all(config: &Config) -> Vec<Disk> {
    let mut folders = vec![(DiskUse::Data, config.data_dir.clone())];
    folders.extend(config.blob_url.to_file_path().ok().map(|folder| (DiskUse::Blobs, folder)));
    let measured = folders.into_iter().map(|(used_for, folder)| {
        let space = DiskSpace::of(&folder).map_err(|error| error.to_string());
        Disk { used_for, folder, space }
    });
    measured.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn less_than_a_tenth_is_little() {
        let space = |free, total| DiskSpace { free, total };
        assert_eq!((space(10, 100).free_percent(), space(10, 100).is_little()), (10, false));
        assert_eq!((space(99, 1000).free_percent(), space(99, 1000).is_little()), (9, true));
        assert_eq!(space(u64::MAX, u64::MAX).free_percent(), 100);
        assert!(space(0, 0).is_little());
    }

    #[test]
    fn the_file_system_of_a_folder_is_measured() {
        let folder = tempfile::tempdir().unwrap();
        let space = DiskSpace::of(folder.path()).unwrap();
        assert!(space.total > 0 && space.free <= space.total, "{space:?}");
        assert!(DiskSpace::of(&folder.path().join("missing")).is_err());
    }
}
