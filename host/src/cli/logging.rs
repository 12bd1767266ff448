//! Logging to standard error, so that standard output holds only a command's answer.

use std::io;

use tracing_subscriber::{EnvFilter, Layer as _, layer::SubscriberExt as _, util::SubscriberInitExt as _};

use crate::{
    config::{LogFormat, LogSettings},
    otlp::TraceLayer,
};

/// Starts logging for the whole process, and the export of traces if there is a layer for it. The log's level does not
/// limit what is exported. A second call changes nothing.
pub(super) fn start(settings: &LogSettings, colours: bool, traces: Option<TraceLayer>) {
    let filter = EnvFilter::new(&settings.level);
    let log = tracing_subscriber::fmt::layer().with_writer(io::stderr).with_ansi(colours);
    let log = match settings.format {
        LogFormat::Text => log.boxed(),
        LogFormat::Json => log.json().flatten_event(true).boxed(),
    };
    // The only possible error is that a subscriber is already set; its log serves as well.
    let _already_started = tracing_subscriber::registry().with(traces).with(log.with_filter(filter)).try_init();
}
