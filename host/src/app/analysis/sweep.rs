//! The sweep: finds closed cases and files whose signal was lost (spec 6.2, "lost closure signal").

use super::flow::{self, LostWork};
use crate::{app::App, error::Result, store::job::JobKind};

/// Enqueues lost work again; returns how many items and cases.
pub async fn sweep(app: &App) -> Result<(usize, usize)> {
    let now = app.clock.now();
    let mut reader = app.db.read().await?;
    let lost = flow::find_lost(&mut reader, now).await?;
    drop(reader);
    let LostWork { items, cases } = &lost;
    let found = (items.len(), cases.len());
    if found == (0, 0) {
        return Ok(found);
    }
    let mut tx = app.db.begin_maintenance().await?;
    flow::take_up(&mut tx, &lost, now).await?;
    tx.commit().await?;
    app.wake.job(JobKind::AnalyseItem).notify_one();
    app.wake.job(JobKind::ConcludeAnalysis).notify_one();
    Ok(found)
}
