//! An application for unit tests.

use std::path::Path;

use super::App;
use crate::{
    clock::Clock,
    config::{Config, Setting, Sources},
};

/// A new installation in this folder, with SQLite and the default settings.
pub(super) async fn open_in(folder: &Path, clock: Clock) -> App {
    let sources = Sources {
        flags: vec![(Setting::DataDir, folder.display().to_string())],
        working_dir: folder.to_owned(),
        ..Sources::default()
    };
    let config = Config::load(&sources).unwrap().config;
    Box::pin(App::open(config, clock)).await.unwrap()
}
