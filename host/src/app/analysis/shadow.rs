//! Shadows: plugins that run in addition to those that count, to see how they would answer (`shadow = true` in a
//! company manifest).
//!
//! Separate jobs ask them, after the result is stored and with the input of the plugins that count. So they can neither
//! delay a verdict nor fail it, and nothing that counts reads their answers.

use std::{collections::BTreeMap, sync::Arc};

use super::{
    ask::{self, Asking},
    components, document,
    evidence::{self, Unanswered},
    reconstruct::{self, DocumentInput},
    statements::{Difference, differences, statements},
};
use crate::{
    app::App,
    clock::Timestamp,
    db::{Reader, Tx},
    domain::{
        company_manifest::PluginRole,
        id::{CaseId, CompanyId, ItemId},
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
        shadow_day::{ShadowSubject, ShadowTally},
    },
};

/// For how many days the counts of agreements are kept, today included.
const KEPT_DAYS: i64 = 30;

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
    // An erasure may have been faster.
    let standing = async |tx: &mut Tx| {
        let is_there = store::analysis::find_item(tx, item).await?.is_some();
        Ok(Standing { is_there, is_outdated: false })
    };
    finish(app, job, &company, case, &runs, asking.runs, about, standing).await
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
    let standing = async |tx: &mut Tx| {
        let runs = assessments(tx, id).await?;
        let is_there = runs.iter().any(|run| !run.shadow && run.moment() == as_of);
        Ok(Standing { is_there, is_outdated: newest(&runs).is_some_and(|newest| newest != as_of) })
    };
    finish(app, job, &company, id, &runs, asking.runs, None, standing).await
}

async fn assessments(reader: &mut Reader, case: CaseId) -> sqlx::Result<Vec<PluginRun>> {
    let mut runs = store::plugin_run::of_case(reader, case).await?;
    runs.retain(|run| run.role == Function::Assess.as_str());
    Ok(runs)
}

fn newest(runs: &[PluginRun]) -> Option<Timestamp> {
    runs.iter().filter(|run| !run.shadow).map(PluginRun::moment).max()
}

/// The state of the analysis that the shadows repeated, once they have answered.
#[derive(Clone, Copy, Debug, Default)]
struct Standing {
    /// Whether it is still there: a verdict is withdrawn, and an analysis deleted, when items are erased.
    is_there: bool,
    /// Whether there is a newer verdict. It found this job running: the job runs again for it.
    is_outdated: bool,
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
    standing: impl AsyncFnOnce(&mut Tx) -> sqlx::Result<Standing>,
) -> Result<()> {
    components::keep(app, &shadows).await?;
    let subject = if about.is_some() { ShadowSubject::Document } else { ShadowSubject::Case };
    let judged: Vec<(&PluginRun, Option<bool>)> = shadows
        .iter()
        .map(|run| {
            let fields = about.map(|(plan, items)| reconstruct::subjects(run, plan, items)).unwrap_or_default();
            (run, compared(counted, run, &fields).map(|differences| !differences.is_empty()))
        })
        .collect();
    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    // The lock keeps out a deletion and an erasure.
    let Standing { is_there, is_outdated } = if store::case::lock(&mut tx, company.id, case).await? {
        standing(&mut tx).await?
    } else {
        Standing::default()
    };
    if is_there {
        for run in &shadows {
            store::plugin_run::insert(&mut tx, case, run).await?;
        }
    }
    if is_outdated {
        store::job::reschedule(&mut tx, job, now).await?;
    } else if !store::job::complete(&mut tx, job).await? {
        // Another run was faster, and has kept its records.
        return Ok(());
    }
    if is_there {
        // Last, because the shadows of other cases wait for these rows.
        for tally in tallies(company.id, subject, &judged) {
            store::shadow_day::add(&mut tx, day_of(now), &tally).await?;
        }
    }
    tx.commit().await?;
    if is_outdated {
        app.wake.job(JobKind::ShadowCase).notify_one();
    }
    for (run, differs) in judged {
        if is_there && differs == Some(true) {
            app.plugins.note_difference(&run.plugin, company.id, run.digest);
        }
    }
    Ok(())
}

/// Counts one document or case for each shadow that was asked about it, in the order of their components: so two
/// transactions never wait for each other's rows. The flag of a call says whether its answer differs; it is absent if
/// there was nothing to compare.
fn tallies(company: CompanyId, subject: ShadowSubject, judged: &[(&PluginRun, Option<bool>)]) -> Vec<ShadowTally> {
    let mut by_component = BTreeMap::new();
    for (run, differs) in judged {
        let (_, worst) = by_component.entry((&run.plugin, run.digest)).or_insert((run, *differs));
        *worst = (*worst).max(*differs);
    }
    let tallies = by_component.into_values().map(|(run, differs)| ShadowTally {
        company,
        plugin: run.plugin.clone(),
        version: run.version.clone(),
        digest: run.digest,
        subject,
        agreed: i64::from(differs == Some(false)),
        differed: i64::from(differs == Some(true)),
        unanswered: i64::from(differs.is_none()),
    });
    tallies.collect()
}

/// In days since the epoch.
const fn day_of(moment: Timestamp) -> i64 {
    const DAY: i64 = 24 * 60 * 60 * 1000;
    moment.as_millis().div_euclid(DAY)
}

/// How often the shadows of each company agreed with the plugins that count in the last 30 days.
pub(in crate::app) async fn agreements(app: &App) -> Result<Vec<ShadowTally>> {
    let mut reader = app.db.read().await?;
    Ok(store::shadow_day::since(&mut reader, first_day(app.clock.now())).await?)
}

/// Deletes the counts that are older; returns how many.
pub async fn forget_old_agreements(app: &App) -> Result<u64> {
    let mut tx = app.db.begin_maintenance().await?;
    let forgotten = store::shadow_day::delete_before(&mut tx, first_day(app.clock.now())).await?;
    tx.commit().await?;
    Ok(forgotten)
}

const fn first_day(now: Timestamp) -> i64 {
    day_of(now) - (KEPT_DAYS - 1)
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

#[cfg(test)]
mod tests {
    use sealwright_seal::Sha256Digest;

    use super::*;

    fn run(plugin: &str, component: &str) -> PluginRun {
        let digest = Sha256Digest::of(component);
        PluginRun {
            item_id: None,
            role: "signal".to_owned(),
            plugin: plugin.to_owned(),
            version: "1.0.0".to_owned(),
            digest,
            contract: "0.1.3".to_owned(),
            settings_sha256: digest,
            input_sha256: digest,
            answer: None,
            failure: None,
            duration_us: 1,
            fuel: Some(1),
            ran_at: Timestamp::from_millis(0),
            as_of: None,
            shadow: true,
            settings: "{}".to_owned(),
        }
    }

    #[test]
    fn a_document_counts_once_for_each_shadow() {
        let (one, other, silent) = (run("analyst", "one"), run("analyst", "other"), run("silent", "silent"));
        let judged = [
            (&one, Some(false)),
            (&one, None),
            (&one, Some(true)),
            (&other, None),
            (&other, Some(false)),
            (&silent, None),
        ];
        let mut counted: Vec<(Sha256Digest, i64, i64, i64)> =
            tallies(CompanyId::new(7).unwrap(), ShadowSubject::Document, &judged)
                .into_iter()
                .map(|tally| (tally.digest, tally.agreed, tally.differed, tally.unanswered))
                .collect();
        let mut expected = [(one.digest, 0, 1, 0), (other.digest, 1, 0, 0), (silent.digest, 0, 0, 1)];
        counted.sort_unstable();
        expected.sort_unstable();
        assert_eq!(counted, expected);
    }

    #[test]
    fn days_are_those_of_utc() {
        let midnight = 20_000 * 24 * 60 * 60 * 1000;
        let day = |millis| day_of(Timestamp::from_millis(millis));
        assert_eq!((day(midnight - 1), day(midnight), day(-1)), (19_999, 20_000, -1));
        assert_eq!(first_day(Timestamp::from_millis(midnight)), 19_971);
    }
}
