//! The role `document-type`: the types that a document may be of.

use std::{collections::BTreeSet, sync::Arc};

use wasmtime::component::Resource;

use super::{
    PluginHost,
    answers::{bounded, check_constant, check_findings, check_score},
    component::Role,
    facts::{Candidate, Document},
    limits,
    resources::HeldDocument,
    run::{Chosen, Run},
};

const MAX_CANDIDATES: usize = 64;
const MAX_FINDINGS: usize = 16;

impl PluginHost {
    /// The types that the document may be of, the likeliest first: 1 to 64, each once.
    pub async fn detect_document_type(&self, chosen: &Chosen, document: Arc<Document>) -> Run<Vec<Candidate>> {
        let input = Arc::clone(&document);
        self.run(chosen, Role::DocumentType, limits::DOCUMENT_DEADLINE, input, move |plugin, store, settings| {
            let indices = plugin.document_type()?;
            let document = store.data_mut().resources.push(HeldDocument(document))?;
            let instance = plugin.linked.instantiate(&mut *store)?;
            let guest = indices.load(&mut *store, &instance)?;
            let answer = guest.call_detect(&mut *store, Resource::new_borrow(document.rep()), settings)?;
            Ok(store.data().judged(answer, check))
        })
        .await
    }
}

/// Checks an answer against the contract's rules, and puts the likeliest first.
fn check(mut candidates: Vec<Candidate>) -> Result<Vec<Candidate>, String> {
    bounded("candidates", candidates.len(), 1, MAX_CANDIDATES)?;
    let mut seen = BTreeSet::new();
    for (index, candidate) in candidates.iter().enumerate() {
        let name = &candidate.document_type;
        check_constant(&format!("the type of candidate {}", index + 1), name)?;
        if !seen.insert(name) {
            return Err(format!("the type {name} occurs twice"));
        }
        check_score(name, candidate.score)?;
        check_findings(name, &candidate.findings, MAX_FINDINGS)?;
    }
    // Stable: of equal scores, the plugin's first stays first.
    candidates.sort_by_key(|candidate| std::cmp::Reverse(candidate.score));
    Ok(candidates)
}
