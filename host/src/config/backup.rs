//! Backups on a schedule, and the key of all backups.

use std::{path::PathBuf, time::Duration};

use super::{Setting, Values, value};

/// Backups on a schedule, and the key of all backups.
#[derive(Clone, Debug)]
pub struct BackupSettings {
    /// A folder or `s3://bucket/prefix`. `None`: no schedule.
    pub to: Option<String>,
    pub interval: Duration,
    /// How many complete backups of the schedule are kept. `None`: all.
    pub keep: Option<usize>,
    /// 64 hexadecimal characters. `None`: backups are not encrypted.
    pub key_file: Option<PathBuf>,
}

impl Values {
    pub(super) fn backup(&mut self, path: impl Fn(&str) -> Option<PathBuf>) -> Option<BackupSettings> {
        let place = |text: &str| {
            if text.starts_with("s3://") || text.starts_with("file://") {
                return value::blob_url(text).map(String::from);
            }
            path(text).map(|path| path.display().to_string())
        };
        let to = self.read_optional(Setting::BackupTo, "none", place);
        let interval = self.read(Setting::BackupInterval, "1d", value::duration);
        let keep = self.read_optional(Setting::BackupKeep, "all", value::count);
        let key_file = self.read_optional(Setting::BackupKeyFile, "none", path);
        Some(BackupSettings { to, interval: interval?, keep, key_file })
    }
}
