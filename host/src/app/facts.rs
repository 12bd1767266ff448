//! The facts of a file: for analyses, and for anyone who wants to know what an analysis is based on.

use std::path::Path;

use bytes::Bytes;
use sealwright_child_process::this_program;
use sealwright_facts::{Facts, child::FactsScope, signed_code::trust::TrustList};

use super::{App, run_within};
pub use crate::facts::PICTURES_ONLY;
use crate::{error::Result, facts::prepare};

impl App {
    /// The facts of a file, prepared in a separate process, a few at once. Always returns facts, even for a hostile
    /// file; they say what could not be read.
    pub async fn facts_of(&self, file: Bytes, wanted: FactsScope) -> Result<Facts> {
        let certificates = self.config.analysis.codes_trust.clone();
        let prepared = run_within(&self.reading, move || {
            let facts = prepare(&this_program(), &file, wanted)?;
            anyhow::Ok(match certificates {
                Some(certificates) => with_checked_codes(facts, &certificates),
                None => facts,
            })
        });
        Ok(prepared.await??)
    }
}

/// The facts with the signatures of their codes checked. The certificates are read when there is a code, which is rare:
/// so an update takes effect at once. If they cannot be read, the signatures stay unchecked.
fn with_checked_codes(mut facts: Facts, certificates: &Path) -> Facts {
    if facts.signed_codes.is_empty() {
        return facts;
    }
    match TrustList::read(certificates) {
        Ok(list) => facts.signed_codes.iter_mut().for_each(|code| code.state = list.check(code)),
        Err(error) => tracing::error!(%error, "cannot check a signed code: see analysis.codes_trust"),
    }
    facts
}

/// The facts of a file, without a server.
pub async fn of_file(path: &Path, wanted: FactsScope) -> anyhow::Result<Facts> {
    let file = std::fs::read(path)?;
    tokio::task::spawn_blocking(move || prepare(&this_program(), &file, wanted)).await?
}
