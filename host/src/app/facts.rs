//! The facts of a file: for analyses, and for anyone who wants to know what an analysis is based on.

use std::path::Path;

use bytes::Bytes;
use sealwright_child_process::this_program;
use sealwright_facts::{Facts, child::FactsScope};

use super::{App, run_within};
pub use crate::facts::PICTURES_ONLY;
use crate::{error::Result, facts::prepare};

impl App {
    /// The facts of a file, prepared in a separate process, a few at once. Always returns facts, even for a hostile
    /// file; they say what could not be read.
    pub async fn facts_of(&self, file: Bytes, wanted: FactsScope) -> Result<Facts> {
        let prepared = run_within(&self.reading, move || prepare(&this_program(), &file, wanted)).await?;
        Ok(prepared?)
    }
}

/// The facts of a file, without a server.
pub async fn of_file(path: &Path, wanted: FactsScope) -> anyhow::Result<Facts> {
    let file = std::fs::read(path)?;
    tokio::task::spawn_blocking(move || prepare(&this_program(), &file, wanted)).await?
}
