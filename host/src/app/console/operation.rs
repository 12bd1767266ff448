//! The installation as its operator sees it in the console.

use std::sync::Arc;

use crate::{
    app::{
        App, health, plugins,
        queue::{self, QueueState},
    },
    error::Result,
    plugins::CallStatistics,
    store::{self, job::ListedJob, webhook::Attempt},
};

/// The most rows of each list.
const MOST: u32 = 50;

pub struct OperationView {
    /// The parts that do not answer; none if all do.
    pub problem: Option<String>,
    pub queue: QueueState,
    /// First those that were given up, then the oldest.
    pub jobs: Vec<ListedJob>,
    pub failed_attempts: Vec<Attempt>,
    pub plugins: Vec<ShownPlugin>,
}

/// A plugin in service.
pub struct ShownPlugin {
    pub name: String,
    pub version: String,
    /// Of companies for which it is out of service or fails.
    pub problems: Vec<String>,
}

pub async fn view(app: &Arc<App>) -> Result<OperationView> {
    let unusable = health::unusable_parts(app).await;
    let problem = (!unusable.is_empty()).then(|| format!("does not answer: {}", unusable.join(", ")));
    let now = app.clock.now();
    let queue = queue::queue_state(&app.db, now).await?;
    let jobs = queue::list(&app.db, MOST).await?;
    let mut reader = app.db.read().await?;
    let attempts = store::webhook::latest_attempts(&mut reader, i64::from(MOST) * 10).await?;
    drop(reader);
    let has_failed = |attempt: &Attempt| !attempt.status.is_some_and(|status| (200..300).contains(&status));
    let failed_attempts = attempts.into_iter().filter(has_failed).take(MOST as usize).collect();
    let listed = plugins::list(app).await?;
    let plugins = listed.plugins.into_iter().map(|plugin| ShownPlugin {
        problems: plugin.calls.iter().filter_map(problem_of).collect(),
        name: plugin.name,
        version: plugin.version,
    });
    Ok(OperationView { problem, queue, jobs, failed_attempts, plugins: plugins.collect() })
}

/// What is wrong with a plugin's calls for a company; none if nothing is.
fn problem_of(calls: &CallStatistics) -> Option<String> {
    let failed: u64 = calls.failures.values().sum();
    if failed == 0 && !calls.out_of_service {
        return None;
    }
    let state = if calls.out_of_service { "out of service: " } else { "" };
    let last = calls.last_failure.as_deref().unwrap_or("no message");
    Some(format!("company {}: {state}{failed} of {} calls failed, the last with: {last}", calls.company, calls.calls))
}
