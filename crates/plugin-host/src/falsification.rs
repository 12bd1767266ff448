//! The role `falsification`: checks for signs that a document was made up or changed.

use std::{collections::BTreeSet, sync::Arc};

use serde::Serialize;
use wasmtime::{Store, component::Resource};

use super::{
    answers::{bounded, check_constant, check_findings, check_score},
    call::CallState,
    component::Plugin,
    error::Failure,
    facts::{Check, Document, State, Verdict, shared_one},
    question::{Call, Function, Question},
    resources::HeldDocument,
};

const MAX_CHECKS: usize = 64;
const MAX_FINDINGS: usize = 32;
const MAX_LABEL: usize = 100;
const MAX_WEIGHT: u16 = 1000;

/// Was the document forged or changed? The answer has 1 to 64 checks, each code once.
#[derive(Clone, Debug, Serialize)]
pub struct DocumentChecks {
    #[serde(serialize_with = "shared_one")]
    pub document: Arc<Document>,
    pub document_type: String,
}

impl Question for DocumentChecks {
    const FUNCTION: Function = Function::Inspect;
    type Answer = Vec<Check>;
}

impl Call<Vec<Check>> for DocumentChecks {
    fn call(
        &self,
        plugin: &Plugin,
        store: &mut Store<CallState>,
        settings: &str,
    ) -> wasmtime::Result<Result<Vec<Check>, Failure>> {
        let indices = plugin.falsification()?;
        let document = store.data_mut().resources.push(HeldDocument(Arc::clone(&self.document)))?;
        let instance = plugin.linked.instantiate(&mut *store)?;
        let guest = indices.load(&mut *store, &instance)?;
        let document = Resource::new_borrow(document.rep());
        let answer = guest.call_inspect(&mut *store, document, &self.document_type, settings)?;
        Ok(store.data().judged(answer, check))
    }
}

fn check(checks: Vec<Check>) -> Result<Vec<Check>, String> {
    bounded("checks", checks.len(), 1, MAX_CHECKS)?;
    let mut seen = BTreeSet::new();
    for (index, check) in checks.iter().enumerate() {
        let code = &check.code;
        check_constant(&format!("the code of check {}", index + 1), code)?;
        if !seen.insert(code) {
            return Err(format!("the check {code} occurs twice"));
        }
        bounded(&format!("characters in the label of {code}"), check.label.chars().count(), 1, MAX_LABEL)?;
        if check.label.contains(char::is_control) {
            return Err(format!("the label of {code} has control characters"));
        }
        check_score(code, check.evaluation)?;
        if check.weight > MAX_WEIGHT {
            return Err(format!("{code} weighs {}; at most {MAX_WEIGHT} is allowed", check.weight));
        }
        check_findings(code, &check.findings, MAX_FINDINGS)?;
        let accuses = matches!(check.verdict, Verdict::Warning | Verdict::Invalid);
        if accuses && !check.findings.iter().any(|finding| finding.state == State::Found) {
            return Err(format!("{code} reports that something is wrong but has no finding"));
        }
    }
    Ok(checks)
}
