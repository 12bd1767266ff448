//! Judges a closed case: from the analyses of its items to the verdict.

use std::sync::Arc;

use super::{
    absent, components, ended,
    flow::{self, NewVerdict, VerdictOutcome},
    level, shadow, shown, signals,
};
use crate::{
    app::App,
    clock::Timestamp,
    domain::{
        analysis::{
            AnalysisProgress, ProgressStatusLevel,
            judgement::judge_case,
            progress::{Next, Standing},
        },
        id::CaseId,
    },
    error::Result,
    store::{
        self,
        analysis::{ItemAnalysis, ItemState},
        case::Case,
        company::Company,
        item::Item,
        job::{Job, JobKind, Work},
    },
};

/// Checks a closed case and judges it if it is time, as one run of a [`JobKind::ConcludeAnalysis`] job. A second run
/// finds the verdict and does nothing.
pub async fn conclude(app: &Arc<App>, job: &Job, id: CaseId) -> Result<()> {
    loop {
        let Some(state) = load(app, id).await? else { return flow::drop_job(app, job).await };
        if !state.company.document_analysis {
            return forget(app, &state.case, job).await;
        }
        let now = app.clock.now();
        match state.standing.next(now) {
            Next::Conclude(progress) => {
                absent::check(app, &state.company, id, &absent::OF_CASES).await?;
                if judge(app, job, state, progress).await? != VerdictOutcome::Outdated {
                    return Ok(());
                }
            }
            next => {
                let mut tx = app.db.begin().await?;
                let ended = flow::check_later(&mut tx, state.case.company, id, job, next, now).await?;
                if ended {
                    return Ok(tx.commit().await?);
                }
            }
        }
    }
}

/// A case and its analyses. The standing was read first: an analysis that ends later makes the verdict outdated.
struct CaseState {
    standing: Standing,
    case: Case,
    company: Company,
    items: Vec<Item>,
    analyses: Vec<ItemAnalysis>,
    /// The moment of this state.
    as_of: Timestamp,
}

async fn load(app: &App, id: CaseId) -> Result<Option<CaseState>> {
    let now = app.clock.now();
    let mut reader = app.db.read().await?;
    let Some(standing) = store::analysis::standing(&mut reader, id).await? else { return Ok(None) };
    let Some(case) = store::case::find(&mut reader, id).await? else { return Ok(None) };
    let Some(company) = store::company::find(&mut reader, case.company).await? else { return Ok(None) };
    let items = store::item::of_case(&mut reader, id).await?;
    let analyses = store::analysis::of_items(&mut reader, id).await?;
    // Another node's clock may be ahead: nothing in this state is later than `as_of`.
    let as_of = analyses.iter().filter_map(|analysis| analysis.ended_at).fold(now, Timestamp::max);
    Ok(Some(CaseState { standing, case, company, items, analyses, as_of }))
}

async fn judge(app: &Arc<App>, job: &Job, state: CaseState, progress: AnalysisProgress) -> Result<VerdictOutcome> {
    let CaseState { standing, case, company, items, analyses, as_of } = state;
    // The receiver sees no difference between a waiting document and a running one.
    let unended = |item_state| match item_state {
        ItemState::Pending => ProgressStatusLevel::AnalysisRunning,
        ended => level(ended),
    };
    let documents = analyses.iter().filter_map(|analysis| shown(analysis, unended)).collect();
    let assessed = signals::assess(app, &case, &company, &items, &analyses, as_of).await?;
    // The verdict matters more than its components: the next verdict tries to keep them again.
    if let Err(error) = components::keep(app, &assessed.runs).await {
        tracing::warn!(case = %case.reference(), %error, "the components of a verdict are not kept yet");
    }
    let weights = company.analysis.weights;
    let (analysis, account) =
        judge_case(case.id, ended(&analyses), documents, &assessed.answers, &weights, Some(progress));
    let verdict = NewVerdict { progress, analysis, account };

    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    let settled = flow::settle(&mut tx, case.company, case.id, job, &standing, &verdict, now).await?;
    if matches!(settled, VerdictOutcome::Notified | VerdictOutcome::Kept) {
        for run in &assessed.runs {
            store::plugin_run::insert(&mut tx, case.id, run).await?;
        }
        if shadow::assess_case(&company) {
            store::job::enqueue(&mut tx, Work::ShadowCase(case.id), now).await?;
        }
    }
    tx.commit().await?;
    let (reference, score) = (case.reference(), verdict.analysis.trust_score);
    match settled {
        VerdictOutcome::Notified | VerdictOutcome::Kept => {
            app.metrics.case_analysis(progress);
            tracing::info!(case = %reference, progress = progress.into_str(), score, "case judged");
        }
        VerdictOutcome::Outdated => {
            tracing::debug!(case = %reference, "an analysis ended meanwhile; the case is judged again");
        }
        VerdictOutcome::Gone => {}
    }
    app.wake.job(JobKind::DeliverAnalysis).notify_one();
    app.wake.job(JobKind::ShadowCase).notify_one();
    Ok(settled)
}

/// The option was switched off while the case was waiting: nothing runs, and nothing is sent (spec 6.2).
async fn forget(app: &App, case: &Case, job: &Job) -> Result<()> {
    let mut tx = app.db.begin().await?;
    if store::case::lock(&mut tx, case.company, case.id).await? {
        store::analysis::forget_case(&mut tx, case.id).await?;
    }
    store::job::complete(&mut tx, job).await?;
    Ok(tx.commit().await?)
}
