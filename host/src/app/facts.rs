//! The facts of a file: for analyses, and for anyone who wants to know what an analysis is based on.

use std::{fs, path::Path, sync::Arc};

use anyhow::Context;

use bytes::Bytes;
use sealwright_child_process::this_program;
use sealwright_facts::{
    Facts,
    child::{FactsScope, MAX_TRUST_BYTES},
    signed_code::trust::TrustList as CodeTrustList,
};
use sealwright_provenance::TrustList;

use super::{App, run_within};
pub use crate::facts::{FIRST_PAGES, PICTURE_OF, PICTURES_ONLY, TRUST_BYTES};
use crate::{error::Result, facts::prepare};

impl App {
    /// The facts of a file, prepared in a separate process, a few at once. Always returns facts, even for a hostile
    /// file; they say what could not be read.
    pub async fn facts_of(&self, file: Bytes, wanted: FactsScope) -> Result<Facts> {
        let certificates = self.config.analysis.codes_trust.clone();
        let roots = Arc::clone(&self.provenance_roots);
        let prepared = run_within(&self.reading, move || {
            let facts = prepare(&this_program(), &file, wanted, &roots)?;
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
    match CodeTrustList::read(certificates) {
        Ok(list) => facts.signed_codes.iter_mut().for_each(|code| code.state = list.check(code)),
        Err(error) => tracing::error!(%error, "cannot check a signed code: see analysis.codes_trust"),
    }
    facts
}

/// The facts of a file, without a server. `roots` is what [`provenance_roots`] returns.
pub async fn of_file(path: &Path, wanted: FactsScope, roots: Arc<str>) -> anyhow::Result<Facts> {
    let file = fs::read(path)?;
    tokio::task::spawn_blocking(move || prepare(&this_program(), &file, wanted, &roots)).await?
}

/// The roots of trusted signers of content credentials, as PEM: the file's text, checked. Empty without a file.
pub fn provenance_roots(path: Option<&Path>) -> anyhow::Result<Arc<str>> {
    let Some(path) = path else { return Ok("".into()) };
    let named = || format!("{}, the roots of trusted content credentials", path.display());
    let text = fs::read_to_string(path).with_context(named)?;
    anyhow::ensure!(text.len() as u64 <= MAX_TRUST_BYTES, "{} has more than {MAX_TRUST_BYTES} bytes", named());
    TrustList::from_pem(&text).with_context(named)?;
    Ok(text.into())
}
