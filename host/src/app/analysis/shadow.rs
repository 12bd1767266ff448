//! Shadows: plugins that run in addition to those that count, to see how they would answer (`shadow = true` in a
//! company manifest).
//!
//! Separate jobs ask them, after the result is stored and with the input of the plugins that count. So they can neither
//! delay a verdict nor fail it, and nothing that counts reads their answers.

use std::sync::Arc;

use super::{
    ask::{self, Asking},
    components, document,
    evidence::{self, Unanswered},
    reconstruct::{self, DocumentInput},
    statements::{Difference, differences, statements},
};
use crate::{
    app::App,
    db::{Reader, Tx},
    domain::{
        company_manifest::PluginRole,
        id::{CaseId, ItemId},
        step::StepAnalysis,
    },
    error::Result,
    plugins::{CaseSignals, DocumentChecks, DocumentTypes, Function, Reply},
    store::{
        self,
        analysis::{ItemAnalysis, ItemState},
        company::Company,
        item::Item,
        job::{Job, JobKind},
        plugin_run::PluginRun,
    },
};

const DOCUMENT_ROLES: [PluginRole; 3] = [PluginRole::DocumentType, PluginRole::CrossCheck, PluginRole::Falsification];

/// Whether shadows examine a document of the company. They do not examine one that is deleted after its analysis: it
/// would have to be kept for them.
pub(in crate::app) fn examine_document(company: &Company, plan: &StepAnalysis) -> bool {
    !plan.delete_after_analysis && DOCUMENT_ROLES.iter().any(|role| !ask::shadows(company, *role).is_empty())
}

/// Whether shadows assess a judged case of the company.
pub(in crate::app) fn assess_case(company: &Company) -> bool {
    !ask::shadows(company, PluginRole::Signal).is_empty()
}

/// Asks the company's shadows about a document, as one run of a [`JobKind::ShadowItem`] job. A second run finds the records
/// of the first.
pub async fn shadow_item(app: &Arc<App>, job: &Job, item: ItemId) -> Result<()> {
    let mut reader = app.db.read().await?;
    let analysis = store::analysis::find_item(&mut reader, item).await?;
    let analysis = analysis.filter(|analysis| analysis.state == ItemState::Completed);
    let Some(analysis) = analysis else { return super::flow::drop_job(app, job).await };
    let company = store::company::find(&mut reader, analysis.company).await?;
    let items = store::item::of_case(&mut reader, analysis.case).await?;
    let mut runs = store::plugin_run::of_case(&mut reader, analysis.case).await?;
    drop(reader);
    runs.retain(|run| run.item_id == Some(item));
    let as_of = runs.iter().find(|run| !run.shadow).map(PluginRun::moment);
    let (Some(company), Some(as_of)) = (company, as_of) else { return super::flow::drop_job(app, job).await };
    if runs.iter().any(|run| run.shadow) {
        return super::flow::drop_job(app, job).await;
    }
    let given = match reconstruct::document(app, &items, &analysis, as_of).await? {
        Ok(given) => given,
        Err(reason) => {
            tracing::info!(%item, "shadows cannot examine a document: {reason}");
            return super::flow::drop_job(app, job).await;
        }
    };
    let mut asking = Asking::shadows(app, &company, Some(item), as_of);
    ask_of_document(&mut asking, &given, &reconstruct::detected(runs.iter())).await;
    let (case, about) = (analysis.case, Some((&given.plan, items.as_slice())));
    finish(app, job, &company, case, &runs, asking.runs, about, async |_: &mut Tx| Ok(false)).await
}

async fn ask_of_document(asking: &mut Asking<'_>, given: &DocumentInput, detected: &str) {
    let DocumentInput { document, plan, entered } = given;
    for chosen in asking.chosen(PluginRole::DocumentType) {
        asking.ask(&chosen, DocumentTypes { document: Arc::clone(document) }).await;
    }
    for chosen in asking.chosen(PluginRole::CrossCheck) {
        document::cross_check(asking, &chosen, plan, document, detected, entered).await;
    }
    for chosen in asking.chosen(PluginRole::Falsification) {
        let question = DocumentChecks { document: Arc::clone(document), document_type: detected.to_owned() };
        asking.ask(&chosen, question).await;
    }
}

/// Asks the company's shadows about a judged case, as one run of a [`JobKind::ShadowCase`] job: about its newest verdict.
pub async fn shadow_case(app: &Arc<App>, job: &Job, id: CaseId) -> Result<()> {
    let mut reader = app.db.read().await?;
    let Some(case) = store::case::find(&mut reader, id).await? else { return super::flow::drop_job(app, job).await };
    let company = store::company::find(&mut reader, case.company).await?;
    let items = store::item::of_case(&mut reader, id).await?;
    let analyses = store::analysis::of_items(&mut reader, id).await?;
    let runs = assessments(&mut reader, id).await?;
    drop(reader);
    let (Some(company), Some(as_of)) = (company, newest(&runs)) else { return super::flow::drop_job(app, job).await };
    let mut asking = Asking::shadows(app, &company, None, as_of);
    let is_seen = runs.iter().any(|run| run.shadow && run.moment() == as_of);
    if !is_seen {
        let analyses: Vec<ItemAnalysis> = reconstruct::analyses(&analyses, as_of);
        let evidence = Arc::new(evidence::of_case(app, &case, &items, &analyses, Unanswered::LeftOut).await?);
        for chosen in asking.chosen(PluginRole::Signal) {
            asking.ask(&chosen, CaseSignals { evidence: Arc::clone(&evidence) }).await;
        }
    }
    // A verdict stored meanwhile found this job running: the job runs again for it.
    let is_outdated = async |tx: &mut Tx| Ok(newest(&assessments(tx, id).await?) != Some(as_of));
    finish(app, job, &company, id, &runs, asking.runs, None, is_outdated).await
}

async fn assessments(reader: &mut Reader, case: CaseId) -> sqlx::Result<Vec<PluginRun>> {
    let mut runs = store::plugin_run::of_case(reader, case).await?;
    runs.retain(|run| run.role == Function::Assess.as_str());
    Ok(runs)
}

fn newest(runs: &[PluginRun]) -> Option<crate::clock::Timestamp> {
    runs.iter().filter(|run| !run.shadow).map(PluginRun::moment).max()
}

/// Stores the records, counts the differences, and ends the job or reschedules it. `about` is what the step of a
/// document requires, with the items of its case.
#[expect(clippy::too_many_arguments, reason = "the shared end of both jobs")]
async fn finish(
    app: &App,
    job: &Job,
    company: &Company,
    case: CaseId,
    counted: &[PluginRun],
    shadows: Vec<PluginRun>,
    about: Option<(&StepAnalysis, &[Item])>,
    runs_again: impl AsyncFnOnce(&mut Tx) -> sqlx::Result<bool>,
) -> Result<()> {
    components::keep(app, &shadows).await?;
    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    let is_there = store::case::lock(&mut tx, company.id, case).await?;
    let again = is_there && runs_again(&mut tx).await?;
    if is_there {
        for run in &shadows {
            store::plugin_run::insert(&mut tx, case, run).await?;
        }
    }
    if again {
        store::job::reschedule(&mut tx, job, now).await?;
    } else if !store::job::complete(&mut tx, job).await? {
        // Another run was faster, and has kept its records.
        return Ok(());
    }
    tx.commit().await?;
    if again {
        app.wake.job(JobKind::ShadowCase).notify_one();
    }
    for run in &shadows {
        let fields = about.map(|(plan, items)| reconstruct::subjects(run, plan, items)).unwrap_or_default();
        if compared(counted, run, &fields).is_some_and(|differences| !differences.is_empty()) {
            app.plugins.note_difference(&run.plugin, company.id, run.digest);
        }
    }
    Ok(())
}

/// The differences between a shadow's answer and that of the plugin that counts: the one with its name, or else the
/// first that was asked the same. None if either gave no answer. `fields` are their
/// [subjects](reconstruct::subjects).
pub(in crate::app) fn compared(runs: &[PluginRun], shadow: &PluginRun, fields: &[String]) -> Option<Vec<Difference>> {
    let same = |run: &&PluginRun| {
        !run.shadow && run.role == shadow.role && run.item_id == shadow.item_id && run.moment() == shadow.moment()
    };
    let others: Vec<&PluginRun> = runs.iter().filter(same).collect();
    let other = others.iter().find(|run| run.plugin == shadow.plugin).or_else(|| others.first())?;
    let function = Function::named(&shadow.role)?;
    let read = |run: &PluginRun| Reply::recorded(function, run.answer.as_deref()?).ok();
    Some(differences(&statements(&read(other)?, fields), &statements(&read(shadow)?, fields)))
}
