//! What runs for each kind of job, and what giving up does. How they are queued is in [`JobKind::traits`](queue::JobKind::traits).

use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use crate::{
    app::{
        App, analysis, backtest, case,
        queue::{self, Job, Work},
        seal, seal_log, time_stamp, webhook,
    },
    error::Result,
};

/// `stopping`: this process stops. Only work that takes longer than it may then last has to know.
pub(super) async fn run(app: &Arc<App>, job: &Job, stopping: &CancellationToken) -> Result<()> {
    match job.work {
        Work::StampItem(item) => time_stamp::stamp_item(app, job, item).await,
        Work::Seal(case) => seal::seal(app, job, case).await,
        Work::RenewSeal(case) => seal::renew(app, job, case).await,
        Work::DeliverCase(case) => webhook::deliver_case(app, job, case).await,
        Work::DeleteBlobs(case) => case::delete_blobs(app, job, case).await,
        Work::LogDeletion(case) => seal_log::append_deletion(app, job, case).await,
        Work::AnalyseItem(item) => Box::pin(analysis::analyse(app, job, item)).await,
        Work::ConcludeAnalysis(case) => analysis::conclude(app, job, case).await,
        Work::DeliverAnalysis(case) => webhook::deliver_analysis(app, job, case).await,
        Work::DeliverDecision(case) => webhook::deliver_decision(app, job, case).await,
        Work::DeleteFile(item) => analysis::delete_file(app, job, item).await,
        Work::ShadowItem(item) => analysis::shadow_item(app, job, item).await,
        Work::ShadowCase(case) => analysis::shadow_case(app, job, case).await,
        Work::Backtest(id) => Box::pin(backtest::job::run(app, job, id, stopping.cancelled())).await,
    }
}

/// Ends a job that fails because of its input, with the consequences.
pub(super) async fn give_up(app: &Arc<App>, job: &Job, error: &str) -> Result<()> {
    match job.work {
        Work::Seal(case) => seal::give_up(app, job, case, error).await,
        Work::AnalyseItem(item) => analysis::give_up(app, job, item, error).await,
        Work::Backtest(id) => backtest::job::give_up(app, job, id, error).await,
        Work::DeliverCase(_) | Work::DeliverAnalysis(_) | Work::DeliverDecision(_) => {
            webhook::give_up(app, job, error).await
        }
        _ => queue::give_up(app, job, error).await,
    }
}
