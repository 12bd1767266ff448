//! The role `cross-check`: fields of a document, and how they match what was entered; or, by a plugin that can, whether
//! the document states what was entered.

use std::{collections::BTreeSet, sync::Arc};

use serde::Serialize;
use wasmtime::{Store, component::Resource};

use super::{
    answers::{check_place, check_score, check_text},
    call::CallState,
    component::Plugin,
    error::Failure,
    facts::{
        Comparison, Document, Entry, ExtractedField, Outcome, Pair, Verification, VerificationOutcome, shared_one,
    },
    question::{Call, Function, Question},
    resources::HeldDocument,
};

/// The most fields that a plugin is asked for, or about, at a time.
pub const MAX_FIELDS: usize = 64;
const MAX_VALUE_BYTES: usize = 1024;

/// Which of the wanted fields does the document have? The answer has each at most once.
#[derive(Clone, Debug, Serialize)]
pub struct DocumentFields {
    #[serde(serialize_with = "shared_one")]
    document: Arc<Document>,
    document_type: String,
    wanted: Vec<String>,
}

impl DocumentFields {
    /// Only the first [`MAX_FIELDS`] of the wanted fields are requested.
    pub fn new(document: Arc<Document>, document_type: String, mut wanted: Vec<String>) -> Self {
        wanted.truncate(MAX_FIELDS);
        Self { document, document_type, wanted }
    }
}

impl Question for DocumentFields {
    const FUNCTION: Function = Function::Extract;
    type Answer = Vec<ExtractedField>;

    fn without_values(answer: Vec<ExtractedField>) -> Vec<ExtractedField> {
        answer.into_iter().map(|field| ExtractedField { value: String::new(), ..field }).collect()
    }
}

impl Call<Vec<ExtractedField>> for DocumentFields {
    fn call(
        &self,
        plugin: &Plugin,
        store: &mut Store<CallState>,
        settings: &str,
    ) -> wasmtime::Result<Result<Vec<ExtractedField>, Failure>> {
        let Self { document, document_type, wanted } = self;
        let indices = plugin.cross_check()?;
        let document = store.data_mut().resources.push(HeldDocument(Arc::clone(document)))?;
        let instance = plugin.linked.instantiate(&mut *store)?;
        let guest = indices.load(&mut *store, &instance)?;
        let document = Resource::new_borrow(document.rep());
        let answer = guest.call_extract(&mut *store, document, document_type, wanted, settings)?;
        Ok(store.data().judged(answer, |fields| check_fields(fields, wanted)))
    }
}

/// How does each pair match? The answer has one comparison for each, in order. At most [`MAX_FIELDS`] pairs.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct FieldComparisons {
    pub pairs: Vec<Pair>,
}

impl Question for FieldComparisons {
    const FUNCTION: Function = Function::Compare;
    type Answer = Vec<Comparison>;
}

impl Call<Vec<Comparison>> for FieldComparisons {
    fn call(
        &self,
        plugin: &Plugin,
        store: &mut Store<CallState>,
        settings: &str,
    ) -> wasmtime::Result<Result<Vec<Comparison>, Failure>> {
        let indices = plugin.cross_check()?;
        let instance = plugin.linked.instantiate(&mut *store)?;
        let guest = indices.load(&mut *store, &instance)?;
        let answer = guest.call_compare(&mut *store, &self.pairs, settings)?;
        Ok(store.data().judged(answer, |comparisons| check_comparisons(comparisons, self.pairs.len())))
    }
}

/// Does the document state each entered value? Only for a plugin that [verifies](super::PluginHost::verifies). The
/// answer has one verification for each entry, in order.
#[derive(Clone, Debug, Serialize)]
pub struct FieldVerifications {
    #[serde(serialize_with = "shared_one")]
    document: Arc<Document>,
    document_type: String,
    entries: Vec<Entry>,
}

impl FieldVerifications {
    /// Only the first [`MAX_FIELDS`] of the entries are verified.
    pub fn new(document: Arc<Document>, document_type: String, mut entries: Vec<Entry>) -> Self {
        entries.truncate(MAX_FIELDS);
        Self { document, document_type, entries }
    }
}

impl Question for FieldVerifications {
    const FUNCTION: Function = Function::Verify;
    type Answer = Vec<Verification>;
}

impl Call<Vec<Verification>> for FieldVerifications {
    fn call(
        &self,
        plugin: &Plugin,
        store: &mut Store<CallState>,
        settings: &str,
    ) -> wasmtime::Result<Result<Vec<Verification>, Failure>> {
        let Self { document, document_type, entries } = self;
        // A version that verifies may have been replaced by one that does not, since the caller checked.
        let Some(indices) = plugin.cross_verification() else { return Ok(Err(Failure::NotLoaded)) };
        let document = store.data_mut().resources.push(HeldDocument(Arc::clone(document)))?;
        let instance = plugin.linked.instantiate(&mut *store)?;
        let guest = indices.load(&mut *store, &instance)?;
        let document = Resource::new_borrow(document.rep());
        let answer = guest.call_verify(&mut *store, document, document_type, entries, settings)?;
        Ok(store.data().judged(answer, |verifications| check_verifications(verifications, entries.len())))
    }
}

impl From<VerificationOutcome> for Outcome {
    fn from(outcome: VerificationOutcome) -> Self {
        match outcome {
            VerificationOutcome::Same => Self::Same,
            VerificationOutcome::Different => Self::Different,
            VerificationOutcome::Missing => Self::Missing,
        }
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

fn check_verifications(verifications: Vec<Verification>, entries: usize) -> Result<Vec<Verification>, String> {
    if verifications.len() != entries {
        return Err(format!("{} verifications for {entries} entries", verifications.len()));
    }
    for (index, verification) in verifications.iter().enumerate() {
        let subject = format!("verification {}", index + 1);
        check_score(&subject, verification.score)?;
        let checked = check_place(verification.place.as_ref()).and_then(|()| check_text(&verification.text));
        checked.map_err(|reason| format!("{subject}: {reason}"))?;
    }
    Ok(verifications)
}
