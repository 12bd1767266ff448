//! What plugins were given, made again from what is stored: a document as it was examined, a case as it was judged.

use std::sync::Arc;

use super::{document::Entered, item};
use crate::{
    app::App,
    blobs::BlobKey,
    clock::Timestamp,
    domain::{
        analysis::judgement::Answer, analysis::judgement::Asked, analysis::judgement::detected_type, step::StepAnalysis,
    },
    error::{Error, Result},
    plugins::facts::{Candidate, Document},
    store::{
        analysis::{ItemAnalysis, ItemState},
        item::Item,
        plugin_run::PluginRun,
    },
};

/// A document with what its examination goes by.
#[derive(Clone)]
pub(super) struct Given {
    pub(super) document: Arc<Document>,
    pub(super) plan: StepAnalysis,
    pub(super) entered: Vec<Entered>,
}

/// Why a document cannot be given to a plugin again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Lost {
    #[error("its file was deleted after the analysis")]
    Deleted,
    #[error("its file is not in the blob store")]
    FileGone,
    #[error("what was seen in its file is not kept")]
    FactsGone,
    #[error("it is no document that was examined")]
    NoDocument,
}

/// The document of an item as it was at a moment.
pub(super) async fn document(
    app: &App,
    items: &[Item],
    analysis: &ItemAnalysis,
    as_of: Timestamp,
) -> Result<std::result::Result<Given, Lost>> {
    let item = items.iter().find(|item| item.id == analysis.item);
    let (Some(item), Some(plan)) = (item, &analysis.plan) else { return Ok(Err(Lost::NoDocument)) };
    let Some(file) = &item.content.file else { return Ok(Err(Lost::NoDocument)) };
    if file.deleted_at.is_some() {
        return Ok(Err(Lost::Deleted));
    }
    let Some(facts) = item::stored_facts(app, analysis).await? else { return Ok(Err(Lost::FactsGone)) };
    let key: BlobKey = file.blob_key.parse().map_err(Error::internal)?;
    let Some(content) = app.blobs.get(&key).await? else { return Ok(Err(Lost::FileGone)) };
    let document = item::document_of(item, file, content, &facts)?;
    Ok(Ok(Given { document: Arc::new(document), plan: plan.clone(), entered: entered(items, as_of) }))
}

/// What had been entered by a moment.
pub(super) fn entered(items: &[Item], as_of: Timestamp) -> Vec<Entered> {
    let entries = items.iter().filter(|item| !item.content.action.carries_file() && item.created_at <= as_of);
    entries.map(|item| (item.content.step, item.content.data.clone())).collect()
}

/// The analyses of a case as they were at a moment: what ended later had not.
pub(super) fn analyses(analyses: &[ItemAnalysis], as_of: Timestamp) -> Vec<ItemAnalysis> {
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

/// The type that was found in a document, from the records of those who were asked for it and counted.
pub(super) fn detected<'a>(runs: impl Iterator<Item = &'a PluginRun>) -> String {
    let answers = runs.filter(|run| run.role == super::ask::DETECT && !run.shadow).filter_map(|run| {
        let candidates: Vec<Candidate> = serde_json::from_str(run.answer.as_deref()?).ok()?;
        let candidates = candidates.into_iter().map(super::document::candidate).collect();
        Some(Asked { plugin: run.plugin.clone(), answer: Answer::Given(candidates) })
    });
    detected_type(&answers.collect::<Vec<_>>()).to_owned()
}
