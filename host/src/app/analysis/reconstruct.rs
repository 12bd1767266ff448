//! Reconstructs the inputs of plugins from what is stored: a document as it was examined, a case as it was judged.

use std::sync::Arc;

use super::{
    document::{self, EnteredValue},
    stored::{document_of, stored_facts},
};
use crate::{
    app::App,
    clock::Timestamp,
    domain::{
        analysis::judgement::Answer, analysis::judgement::Asked, analysis::judgement::detected_type, step::StepAnalysis,
    },
    error::Result,
    plugins::{DocumentTypes, Function, Question as _, facts::Document},
    store::{
        analysis::{ItemAnalysis, ItemState},
        item::Item,
        plugin_run::PluginRun,
    },
};

/// A document with everything that its examination uses.
#[derive(Clone)]
pub(in crate::app) struct DocumentInput {
    pub(in crate::app) document: Arc<Document>,
    pub(in crate::app) plan: StepAnalysis,
    pub(in crate::app) entered: Vec<EnteredValue>,
}

/// Why a document cannot be given to a plugin again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(in crate::app) enum MissingReason {
    #[error("its file was deleted after the analysis")]
    Deleted,
    #[error("its file is not in the blob store")]
    FileGone,
    #[error("the facts read from its file are not kept")]
    FactsGone,
    #[error("it is not a document that was examined")]
    NoDocument,
}

/// The document of an item as it was at a moment.
pub(in crate::app) async fn document(
    app: &App,
    items: &[Item],
    analysis: &ItemAnalysis,
    as_of: Timestamp,
) -> Result<std::result::Result<DocumentInput, MissingReason>> {
    let item = items.iter().find(|item| item.id == analysis.item);
    let (Some(item), Some(plan)) = (item, &analysis.plan) else { return Ok(Err(MissingReason::NoDocument)) };
    let Some(file) = &item.content.file else { return Ok(Err(MissingReason::NoDocument)) };
    if file.deleted_at.is_some() {
        return Ok(Err(MissingReason::Deleted));
    }
    let Some(facts) = stored_facts(app, analysis).await? else { return Ok(Err(MissingReason::FactsGone)) };
    let key = file.blob_key.clone();
    let Some(content) = app.blobs.get(&key).await? else { return Ok(Err(MissingReason::FileGone)) };
    let document = document_of(item, file, content, &facts);
    Ok(Ok(DocumentInput { document: Arc::new(document), plan: plan.clone(), entered: entered(items, as_of) }))
}

/// The values entered up to a moment.
pub(in crate::app) fn entered(items: &[Item], as_of: Timestamp) -> Vec<EnteredValue> {
    let entries = items.iter().filter(|item| !item.content.action.carries_file() && item.created_at <= as_of);
    entries.map(|item| (item.content.step, item.content.data.clone())).collect()
}

/// The fields that the answer of a run about a document is about, in its order. Empty if the answer names them itself.
/// `plan` is what the document's step requires; `items` are those of its case.
pub(in crate::app) fn subjects(run: &PluginRun, plan: &StepAnalysis, items: &[Item]) -> Vec<String> {
    let function = Function::named(&run.role);
    function.map(|function| document::subjects(function, plan, &entered(items, run.moment()))).unwrap_or_default()
}

/// The analyses of a case as they were at a moment: one that ended later is pending.
pub(in crate::app) fn analyses(analyses: &[ItemAnalysis], as_of: Timestamp) -> Vec<ItemAnalysis> {
    let mut then = analyses.to_vec();
    for analysis in then.iter_mut().filter(|analysis| analysis.ended_at.is_some_and(|ended| ended > as_of)) {
        analysis.state = ItemState::Pending;
        analysis.result = None;
        analysis.account = None;
        analysis.facts_key = None;
        analysis.ended_at = None;
    }
    then
}

/// The detected type of a document, from the records of the plugins that were asked for it and counted.
pub(in crate::app) fn detected<'a>(runs: impl Iterator<Item = &'a PluginRun>) -> String {
    let answers = runs.filter(|run| run.role == DocumentTypes::FUNCTION.as_str() && !run.shadow).filter_map(|run| {
        let candidates = DocumentTypes::recorded(run.answer.as_deref()?).ok()?;
        let candidates = candidates.into_iter().map(document::candidate).collect();
        Some(Asked { plugin: run.plugin.clone(), answer: Answer::Given(candidates) })
    });
    detected_type(&answers.collect::<Vec<_>>()).to_owned()
}
