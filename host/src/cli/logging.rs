//! The log: to standard error, so that standard output holds a command's answer alone.

use std::io;

use tracing_subscriber::EnvFilter;

use crate::config::{LogFormat, LogSettings};

/// Starts logging for the whole process. A second call changes nothing.
pub(super) fn start(settings: &LogSettings, colours: bool) {
    let filter = EnvFilter::new(&settings.level);
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr).with_ansi(colours);
    // The only error is that a subscriber is there already; its log is as good.
    let _already_started = match settings.format {
        LogFormat::Text => log.try_init(),
        LogFormat::Json => log.json().flatten_event(true).try_init(),
    };
}
