//! The properties of each kind of job: how many run at once, what runs, and what giving up does.

use std::sync::Arc;

use crate::{
    app::{
        App, analysis, case,
        queue::{self, Job, JobKind},
        seal, seal_log, time_stamp, webhook,
    },
    error::Result,
};

/// How many jobs of a kind run at once. One company has at most half of them, see [`Shares`](super::Shares).
pub(super) const fn slots(kind: JobKind) -> usize {
    match kind {
        // Authorities may not accept many concurrent requests.
        JobKind::StampItem | JobKind::ConcludeAnalysis => 8,
        // One renders while the others read and scale their pictures, or wait for time stamps. No one waits for a
        // deletion, which mostly waits for the disk or the bucket. An item is read in its own process while others wait
        // for plugins.
        JobKind::Seal | JobKind::DeleteBlobs | JobKind::AnalyseItem | JobKind::DeleteFile => 4,
        // Each keeps a whole certificate in memory, and no one waits for it.
        JobKind::RenewSeal => 2,
        // A delivery mostly waits for its receiver: a few that hang must not block the others.
        JobKind::DeliverCase | JobKind::DeliverAnalysis => 64,
        // Entries are appended one after the other anyway; no one waits for a shadow, and all shadows share one turn.
        JobKind::LogDeletion | JobKind::ShadowItem | JobKind::ShadowCase => 1,
    }
}

/// How many times a job may fail before it is given up. Failures of an unavailable part are not counted.
pub(super) const fn max_failures(kind: JobKind) -> i64 {
    match kind {
        JobKind::Seal
        | JobKind::DeliverCase
        | JobKind::DeliverAnalysis
        | JobKind::ConcludeAnalysis
        | JobKind::ShadowItem
        | JobKind::ShadowCase => 5,
        // More than an hour in total: a late result is better than none (spec 3.3).
        JobKind::AnalyseItem => 12,
        // Time stamps are retried without a limit. A deletion and its log entry were promised.
        JobKind::StampItem | JobKind::RenewSeal | JobKind::DeleteBlobs | JobKind::DeleteFile | JobKind::LogDeletion => {
            i64::MAX
        }
    }
}

pub(super) async fn run(app: &Arc<App>, job: &Job) -> Result<()> {
    match job.kind {
        JobKind::StampItem => time_stamp::stamp_item(app, job).await,
        JobKind::Seal => seal::seal(app, job).await,
        JobKind::RenewSeal => seal::renew(app, job).await,
        JobKind::DeliverCase => webhook::deliver_case(app, job).await,
        JobKind::DeleteBlobs => case::delete_blobs(app, job).await,
        JobKind::LogDeletion => seal_log::append_deletion(app, job).await,
        JobKind::AnalyseItem => analysis::analyse(app, job).await,
        JobKind::ConcludeAnalysis => analysis::conclude(app, job).await,
        JobKind::DeliverAnalysis => webhook::deliver_analysis(app, job).await,
        JobKind::DeleteFile => analysis::delete_file(app, job).await,
        JobKind::ShadowItem => analysis::shadow_item(app, job).await,
        JobKind::ShadowCase => analysis::shadow_case(app, job).await,
    }
}

/// Ends a job that fails because of its input, with the consequences.
pub(super) async fn give_up(app: &Arc<App>, job: &Job, error: &str) -> Result<()> {
    match job.kind {
        JobKind::Seal => seal::give_up(app, job, error).await,
        JobKind::AnalyseItem => analysis::give_up(app, job, error).await,
        JobKind::StampItem
        | JobKind::RenewSeal
        | JobKind::DeliverCase
        | JobKind::DeleteBlobs
        | JobKind::LogDeletion
        | JobKind::ConcludeAnalysis
        | JobKind::DeliverAnalysis
        | JobKind::DeleteFile
        | JobKind::ShadowItem
        | JobKind::ShadowCase => queue::give_up(app, job, error).await,
    }
}
