//! The role `cross-check`: fields of a document, and how they match what was entered.

use std::{collections::BTreeSet, sync::Arc};

use serde::Serialize;
use wasmtime::component::Resource;

use super::{
    PluginHost,
    answers::{check_score, check_text},
    component::Role,
    facts::{Comparison, Document, ExtractedField, Pair, shared_one},
    limits,
    resources::HeldDocument,
    run::{Chosen, Run},
};

/// The most fields that a document is asked for.
pub const MAX_FIELDS: usize = 64;
const MAX_VALUE_BYTES: usize = 1024;

#[derive(Serialize)]
pub(super) struct ExtractInput {
    #[serde(serialize_with = "shared_one")]
    pub(super) document: Arc<Document>,
    pub(super) document_type: String,
    pub(super) wanted: Vec<String>,
}

impl PluginHost {
    /// The fields of `wanted` that the document has, each at most once. Only the first [`MAX_FIELDS`] are requested.
    pub async fn extract_fields(
        &self,
        chosen: &Chosen,
        document: Arc<Document>,
        document_type: &str,
        mut wanted: Vec<String>,
    ) -> Run<Vec<ExtractedField>> {
        wanted.truncate(MAX_FIELDS);
        let input = ExtractInput { document, document_type: document_type.to_owned(), wanted };
        let input = Arc::new(input);
        let given = Arc::clone(&input);
        self.run(chosen, Role::CrossCheck, limits::DOCUMENT_DEADLINE, input, move |plugin, store, settings| {
            let ExtractInput { document, document_type, wanted } = &*given;
            let indices = plugin.cross_check()?;
            let document = store.data_mut().resources.push(HeldDocument(Arc::clone(document)))?;
            let instance = plugin.linked.instantiate(&mut *store)?;
            let guest = indices.load(&mut *store, &instance)?;
            let document = Resource::new_borrow(document.rep());
            let answer = guest.call_extract(&mut *store, document, document_type, wanted, settings)?;
            Ok(store.data().judged(answer, |fields| check_fields(fields, wanted)))
        })
        .await
    }

    /// How each pair matches: one comparison for each, in order. At most [`MAX_FIELDS`] pairs.
    pub async fn compare_fields(&self, chosen: &Chosen, pairs: Vec<Pair>) -> Run<Vec<Comparison>> {
        let input = Arc::new(pairs);
        let pairs = Arc::clone(&input);
        self.run(chosen, Role::CrossCheck, limits::COMPARE_DEADLINE, input, move |plugin, store, settings| {
            let indices = plugin.cross_check()?;
            let instance = plugin.linked.instantiate(&mut *store)?;
            let guest = indices.load(&mut *store, &instance)?;
            let answer = guest.call_compare(&mut *store, &pairs, settings)?;
            Ok(store.data().judged(answer, |comparisons| check_comparisons(comparisons, pairs.len())))
        })
        .await
    }
}

/// Values are personal data: no reason repeats one.
fn check_fields(fields: Vec<ExtractedField>, wanted: &[String]) -> Result<Vec<ExtractedField>, String> {
    let mut seen = BTreeSet::new();
    for (index, field) in fields.iter().enumerate() {
        let Some(code) = wanted.iter().find(|code| **code == field.code) else {
            return Err(format!("field {} was not requested", index + 1));
        };
        if !seen.insert(code) {
            return Err(format!("the field {code} occurs twice"));
        }
        check_score(code, field.score)?;
        if field.value.len() > MAX_VALUE_BYTES {
            return Err(format!(
                "a value of {} bytes for {code}; at most {MAX_VALUE_BYTES} are allowed",
                field.value.len()
            ));
        }
    }
    Ok(fields)
}

fn check_comparisons(comparisons: Vec<Comparison>, pairs: usize) -> Result<Vec<Comparison>, String> {
    if comparisons.len() != pairs {
        return Err(format!("{} comparisons for {pairs} pairs", comparisons.len()));
    }
    for (index, comparison) in comparisons.iter().enumerate() {
        let subject = format!("comparison {}", index + 1);
        check_score(&subject, comparison.score)?;
        check_text(&comparison.text).map_err(|reason| format!("{subject}: {reason}"))?;
    }
    Ok(comparisons)
}
