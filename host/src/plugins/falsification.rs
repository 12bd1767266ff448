//! The role `falsification`: checks for signs that a document was made up or changed.

use std::{collections::BTreeSet, sync::Arc};

use serde::Serialize;
use wasmtime::component::Resource;

use super::{
    PluginHost,
    answers::{bounded, check_constant, check_findings, check_score},
    component::Role,
    facts::{Check, Document, State, Verdict, shared_one},
    limits,
    resources::HeldDocument,
    run::{Chosen, Run},
};

const MAX_CHECKS: usize = 64;
const MAX_FINDINGS: usize = 32;
const MAX_LABEL: usize = 100;
const MAX_WEIGHT: u16 = 1000;

#[derive(Serialize)]
pub(super) struct InspectInput {
    #[serde(serialize_with = "shared_one")]
    pub(super) document: Arc<Document>,
    pub(super) document_type: String,
}

impl PluginHost {
    /// The checks' results for the document: 1 to 64, each code once.
    pub async fn inspect_document(
        &self,
        chosen: &Chosen,
        document: Arc<Document>,
        document_type: &str,
    ) -> Run<Vec<Check>> {
        let input = Arc::new(InspectInput { document, document_type: document_type.to_owned() });
        let given = Arc::clone(&input);
        self.run(chosen, Role::Falsification, limits::DOCUMENT_DEADLINE, input, move |plugin, store, settings| {
            let indices = plugin.falsification()?;
            let document = store.data_mut().resources.push(HeldDocument(Arc::clone(&given.document)))?;
            let instance = plugin.linked.instantiate(&mut *store)?;
            let guest = indices.load(&mut *store, &instance)?;
            let document = Resource::new_borrow(document.rep());
            let answer = guest.call_inspect(&mut *store, document, &given.document_type, settings)?;
            Ok(store.data().judged(answer, check))
        })
        .await
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
