//! Judging a closed case: from what is known of its items to the verdict.

use std::sync::Arc;

use super::{
    absent, components, ended,
    flow::{self, NewVerdict, Settled},
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
    error::{Error, Result},
    store::{
        self,
        analysis::{ItemAnalysis, ItemState},
        case::Case,
        company::Company,
        item::Item,
        job::{Job, JobKind},
    },
};

/// Looks at a closed case and judges it if it is time, as one run of a [`JobKind::ConcludeAnalysis`] job. A second run
/// finds the verdict, and rests.
pub async fn conclude(app: &Arc<App>, job: &Job) -> Result<()> {
    let Some(id) = CaseId::new(job.subject) else {
        return Err(Error::internal(anyhow::anyhow!("job {:?} names no case", job.id)));
    };
    loop {
        let Some(found) = load(app, id).await? else { return flow::drop_job(app, job).await };
        if !found.company.document_analysis {
            return forget(app, &found.case, job).await;
        }
        let now = app.clock.now();
        match found.standing.next(now) {
            Next::Conclude(progress) => {
                absent::check(app, &found.company, id, &absent::OF_CASES).await?;
                if judge(app, job, found, progress).await? != Settled::Outdated {
                    return Ok(());
                }
            }
            next => {
                let mut tx = app.db.begin().await?;
                let ended = flow::look_later(&mut tx, found.case.company, id, job, next, now).await?;
                if ended {
                    return Ok(tx.commit().await?);
                }
            }
        }
    }
}

/// A case and what is known of it. Its standing was read first: what ends afterwards makes a verdict outdated.
struct Found {
    standing: Standing,
    case: Case,
    company: Company,
    items: Vec<Item>,
    analyses: Vec<ItemAnalysis>,
    /// The moment whose state this is.
    as_of: Timestamp,
}

async fn load(app: &App, id: CaseId) -> Result<Option<Found>> {
    let now = app.clock.now();
    let mut tx = app.db.read().await?;
    let Some(standing) = store::analysis::standing(&mut tx, id).await? else { return Ok(None) };
    let Some(case) = store::case::find(&mut tx, id).await? else { return Ok(None) };
    let Some(company) = store::company::find(&mut tx, case.company).await? else { return Ok(None) };
    let items = store::item::of_case(&mut tx, id).await?;
    let analyses = store::analysis::of_items(&mut tx, id).await?;
    // Another node's clock may be ahead: nothing that was found came later than that.
    let as_of = analyses.iter().filter_map(|analysis| analysis.ended_at).fold(now, Timestamp::max);
    Ok(Some(Found { standing, case, company, items, analyses, as_of }))
}

async fn judge(app: &Arc<App>, job: &Job, found: Found, progress: AnalysisProgress) -> Result<Settled> {
    let Found { standing, case, company, items, analyses, as_of } = found;
    // Whoever is told of it cannot tell a document that waits from one that is being looked at.
    let unended = |state| match state {
        ItemState::Pending => ProgressStatusLevel::AnalysisRunning,
        ended => level(ended),
    };
    let documents = analyses.iter().filter_map(|analysis| shown(analysis, unended)).collect();
    let assessed = signals::assess(app, &case, &company, &items, &analyses, as_of).await?;
    // A verdict is worth more than that it can be repeated: the next one tries again.
    if let Err(error) = components::keep(app, &assessed.runs).await {
        tracing::warn!(case = %case.reference(), %error, "the components that a verdict rests on are not kept yet");
    }
    let weights = company.analysis.weights;
    let (analysis, account) =
        judge_case(case.id, ended(&analyses), documents, &assessed.answers, &weights, Some(progress));
    let verdict = NewVerdict { progress, analysis, account };

    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    let settled = flow::settle(&mut tx, case.company, case.id, job, &standing, &verdict, now).await?;
    if matches!(settled, Settled::Told | Settled::Kept) {
        for run in &assessed.runs {
            store::plugin_run::insert(&mut tx, case.id, run).await?;
        }
        if shadow::look_at_case(&company) {
            store::job::enqueue(&mut tx, JobKind::ShadowCase, case.id.get(), now).await?;
        }
    }
    tx.commit().await?;
    let (reference, score) = (case.reference(), verdict.analysis.trust_score);
    match settled {
        Settled::Told | Settled::Kept => {
            tracing::info!(case = %reference, progress = progress.as_str(), score, "case judged");
        }
        Settled::Outdated => {
            tracing::debug!(case = %reference, "an analysis ended meanwhile; the case is judged again");
        }
        Settled::Gone => {}
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
