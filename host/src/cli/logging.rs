//! Logging to standard error, so that standard output holds only a command's answer.

use std::io;

use tracing_subscriber::EnvFilter;

use crate::config::{LogFormat, LogSettings};

/// Starts logging for the whole process. A second call changes nothing.
pub(super) fn start(settings: &LogSettings, colours: bool) {
    let filter = EnvFilter::new(&settings.level);
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr).with_ansi(colours);
    // The only possible error is that a subscriber is already set; its log serves as well.
    let _already_started = match settings.format {
        LogFormat::Text => log.try_init(),
        LogFormat::Json => log.json().flatten_event(true).try_init(),
    };
}
