//! The role `document-type`: the types that a document may be of.

use std::{collections::BTreeSet, sync::Arc};

use serde::Serialize;
use wasmtime::{Store, component::Resource};

use super::{
    answers::{bounded, check_constant, check_findings, check_score},
    call::CallState,
    component::Plugin,
    error::Failure,
    facts::{Candidate, Document, shared_one},
    question::{Call, Function, Question},
    resources::HeldDocument,
};

const MAX_CANDIDATES: usize = 64;
const MAX_FINDINGS: usize = 16;

/// Which types may the document have? The answer has 1 to 64, each once, the likeliest first.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct DocumentTypes {
    #[serde(serialize_with = "shared_one")]
    pub document: Arc<Document>,
}

impl Question for DocumentTypes {
    const FUNCTION: Function = Function::Detect;
    type Answer = Vec<Candidate>;
}

impl Call<Vec<Candidate>> for DocumentTypes {
    fn call(
        &self,
        plugin: &Plugin,
        store: &mut Store<CallState>,
        settings: &str,
    ) -> wasmtime::Result<Result<Vec<Candidate>, Failure>> {
        let indices = plugin.document_type()?;
        let document = store.data_mut().resources.push(HeldDocument(Arc::clone(&self.document)))?;
        let instance = plugin.linked.instantiate(&mut *store)?;
        let guest = indices.load(&mut *store, &instance)?;
        let answer = guest.call_detect(&mut *store, Resource::new_borrow(document.rep()), settings)?;
        Ok(store.data().judged(answer, check))
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
