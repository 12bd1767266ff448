//! Examines the file of one item: from its bytes to its facts, and for a document to the plugins' answers.

use std::sync::Arc;

use sealwright_facts::{Facts, child::FactsScope};

use super::{
    absent,
    ask::Asking,
    components,
    document::{self, EnteredValue},
    flow, reconstruct, shadow,
    stored::{document_of, perceptual_hash, with_stated},
};
use crate::{
    app::{App, queue},
    blobs::{BlobArea, BlobKey},
    clock::Timestamp,
    db::Tx,
    domain::{analysis::ProgressStatusLevel, id::ItemId},
    error::Result,
    plugins::facts::StatedValue,
    store::{
        self,
        analysis::{Completed, Ending, ItemAnalysis, ItemState},
        company::Company,
        item::{Item, ItemFile},
        job::{Job, JobKind, Work},
        plugin_run::PluginRun,
    },
};

/// Examines the file of an item, as one run of a [`JobKind::AnalyseItem`] job. A second run, or a case deleted meanwhile,
/// changes nothing. Failures caused by a file or a plugin are in the result; an error is the server's own.
pub async fn analyse(app: &Arc<App>, job: &Job, id: ItemId) -> Result<()> {
    let Some(found) = load(app, id).await? else { return flow::drop_job(app, job).await };
    if !found.company.document_analysis {
        let ending = Ending::Failed("the company's analysis option was switched off".to_owned());
        return finish(app, job, &found.analysis, ending, Examination::default()).await;
    }
    if found.analysis.plan.is_some() {
        absent::check(app, &found.company, found.analysis.case, &absent::OF_DOCUMENTS).await?;
    }
    let mut examined = examine(app, &found).await?;
    let kept = std::mem::take(&mut examined.kept);
    // A document that no plugin has judged must not pass as judged: it is not deleted, and its case is not complete.
    let is_unjudged =
        kept.result.as_ref().is_some_and(|result| result.progress_status_level == ProgressStatusLevel::AnalysisFailed);
    let ending = if is_unjudged {
        Ending::Failed("no plugin gave an answer".to_owned())
    } else {
        Ending::Completed(Box::new(kept))
    };
    finish(app, job, &found.analysis, ending, examined).await
}

/// Gives up on a file that cannot be examined: its case is judged without it. The job stays for the operator.
pub async fn give_up(app: &Arc<App>, job: &Job, id: ItemId, error: &str) -> Result<()> {
    let Some(found) = load(app, id).await? else { return flow::drop_job(app, job).await };
    let ItemAnalysis { company, case, item, .. } = found.analysis;
    let ending = Ending::Failed(error.to_owned());
    let mut tx = app.db.begin().await?;
    let ended = flow::end_item(&mut tx, company, case, item, &ending, app.clock.now()).await?;
    store::job::give_up(&mut tx, job, error).await?;
    tx.commit().await?;
    if ended {
        app.metrics.file_analysis(&ending);
    }
    app.wake.job(JobKind::ConcludeAnalysis).notify_one();
    Ok(())
}

/// Reopens the analysis of a file that was given up, in the transaction that makes its job ready.
pub async fn reopen(tx: &mut Tx, item: ItemId) -> Result<()> {
    if store::case::lock_of_item(tx, item).await? {
        store::analysis::reopen_item(tx, item).await?;
    }
    Ok(())
}

/// An item whose analysis has not ended.
struct PendingItem {
    analysis: ItemAnalysis,
    item: Item,
    file: ItemFile,
    company: Company,
    entered: Vec<EnteredValue>,
    /// The moment of this state.
    as_of: Timestamp,
}

/// None when there is nothing left to do.
async fn load(app: &App, id: ItemId) -> Result<Option<PendingItem>> {
    let now = app.clock.now();
    let mut reader = app.db.read().await?;
    let analysis = store::analysis::find_item(&mut reader, id).await?;
    let analysis = analysis.filter(|analysis| matches!(analysis.state, ItemState::Pending | ItemState::Running));
    let Some(analysis) = analysis else { return Ok(None) };
    let Some(company) = store::company::find(&mut reader, analysis.company).await? else { return Ok(None) };
    let items = store::item::of_case(&mut reader, analysis.case).await?;
    // Another node's clock may be ahead: nothing in this state is later than `as_of`.
    let as_of = items.iter().map(|item| item.created_at).fold(now, Timestamp::max);
    let entered = reconstruct::entered(&items, as_of);
    let Some(item) = items.into_iter().find(|item| item.id == id) else { return Ok(None) };
    let Some(file) = item.content.file.clone() else { return Ok(None) };
    Ok(Some(PendingItem { analysis, item, file, company, entered, as_of }))
}

/// The result of examining a file.
#[derive(Default)]
struct Examination {
    kept: Completed,
    facts: Option<Facts>,
    /// What the document states; none if no plugin read it, or if it must not be kept.
    stated: Option<Vec<StatedValue>>,
    runs: Vec<PluginRun>,
    /// Whether shadows examine it afterwards.
    has_shadows: bool,
}

async fn examine(app: &Arc<App>, found: &PendingItem) -> Result<Examination> {
    let PendingItem { analysis, item, file, company, entered, as_of } = found;
    let key = file.blob_key.clone();
    let Some(content) = app.blobs.get(&key).await? else {
        return Err(queue::missing_blob(format_args!("the file of {}", item.reference())));
    };
    let wanted = if analysis.plan.is_some() { FactsScope::Text } else { FactsScope::PicturesOnly };
    let facts = app.facts_of(content.clone(), wanted).await?;
    let Some(plan) = &analysis.plan else {
        return Ok(Examination { facts: Some(facts), ..Examination::default() });
    };
    let document = document_of(item, file, content, &facts);
    let mut asking = Asking::new(app, company, Some(item.id), *as_of);
    let document = Arc::new(document);
    let kept = document::examine(&mut asking, item.id, plan, Arc::clone(&document), entered).await;
    // Only the result is kept of a document that is to be deleted (spec 2.1): its facts are its contents.
    let facts = (!plan.delete_after_analysis).then_some(facts);
    let stated = match (&facts, &kept.result) {
        (Some(_), Some(result)) => document::stated(&mut asking, document, &result.detected_document_type).await,
        _ => None,
    };
    let has_shadows = shadow::examine_document(company, plan);
    Ok(Examination { kept, facts, stated, runs: asking.runs, has_shadows })
}

/// Stores the result, enqueues the deletion of the file if its step requires it, and ends the job.
async fn finish(
    app: &App,
    job: &Job,
    analysis: &ItemAnalysis,
    mut ending: Ending,
    examined: Examination,
) -> Result<()> {
    components::keep(app, &examined.runs).await?;
    let mut stored = None;
    if let (Ending::Completed(kept), Some(facts)) = (&mut ending, &examined.facts) {
        let key = BlobKey::random(BlobArea::Facts);
        app.blobs.put(&key, with_stated(facts, examined.stated.as_deref())?).await?;
        kept.facts_key = Some(key.clone());
        stored = Some(key);
    }
    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    let ItemAnalysis { company, case, item, plan, .. } = analysis;
    let ended = flow::end_item(&mut tx, *company, *case, *item, &ending, now).await?;
    if ended {
        for run in &examined.runs {
            store::plugin_run::insert(&mut tx, *case, run).await?;
        }
        if let Some(hash) = examined.facts.as_ref().filter(|_| plan.is_none()).and_then(perceptual_hash) {
            store::near_duplicate::insert(&mut tx, *company, *item, hash).await?;
        }
        if examined.has_shadows && matches!(ending, Ending::Completed(_)) {
            store::job::enqueue(&mut tx, Work::ShadowItem(*item), now).await?;
        }
        let is_deleted = plan.as_ref().is_some_and(|plan| plan.delete_after_analysis);
        if is_deleted && matches!(ending, Ending::Completed(_)) {
            store::item::set_file_deleted(&mut tx, *item, now).await?;
            store::job::enqueue(&mut tx, Work::DeleteFile(*item), now).await?;
        }
    }
    store::job::complete(&mut tx, job).await?;
    tx.commit().await?;
    app.wake.job(JobKind::ConcludeAnalysis).notify_one();
    app.wake.job(JobKind::DeleteFile).notify_one();
    app.wake.job(JobKind::ShadowItem).notify_one();
    if ended {
        app.metrics.file_analysis(&ending);
    }
    if let Some(key) = stored.filter(|_| !ended) {
        app.blobs.delete(&key).await?;
    }
    match &ending {
        Ending::Completed(kept) => {
            let detected = kept.result.as_ref().map(|result| result.detected_document_type.as_str());
            tracing::info!(item = %item, detected, "an item's file was examined");
        }
        Ending::Failed(why) => tracing::warn!(item = %item, why, "an item's file was not examined"),
    }
    Ok(())
}
