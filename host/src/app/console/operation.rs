//! The installation as its operator sees it in the console.

use std::{collections::BTreeMap, sync::Arc};

pub use crate::store::{
    job::Subject,
    shadow_day::{ShadowSubject, ShadowTally},
};
use crate::{
    app::{
        App,
        analysis::shadow,
        checks::{LiveChecks, live},
        health, plugins,
        queue::{self, QueueState},
    },
    clock::Timestamp,
    domain::id::CompanyId,
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
    /// How often shadows agreed in the last 30 days.
    pub shadows: Vec<ShownShadow>,
    /// What was checked at most a minute ago; none if the first checks are running.
    pub checks: Option<Arc<LiveChecks>>,
    /// When the page was made.
    pub now: Timestamp,
}

/// A plugin in service.
pub struct ShownPlugin {
    pub name: String,
    pub version: String,
    /// Since the server started.
    pub calls: u64,
    /// At least 95 % of them took no longer, in milliseconds.
    pub usual_millis: u64,
    /// Of companies for which it is out of service or fails.
    pub problems: Vec<PluginProblem>,
}

/// What is wrong with a plugin's calls for a company.
pub struct PluginProblem {
    pub company: i64,
    /// Whether its answers for the company do not count.
    pub is_shadow: bool,
    /// Whether its calls for the company are refused for a while.
    pub is_out_of_service: bool,
    /// Since the server started.
    pub calls: u64,
    pub failed: u64,
    /// The message of the call that failed last.
    pub last_failure: Option<String>,
    /// What it logged during the call that failed last, line by line.
    pub log: Vec<String>,
}

/// The agreements of a shadow.
pub struct ShownShadow {
    pub company_name: String,
    pub tally: ShadowTally,
}

pub async fn view(app: &Arc<App>) -> Result<OperationView> {
    let unusable = health::unusable_parts(app).await;
    let problem = (!unusable.is_empty()).then(|| format!("does not answer: {}", unusable.join(", ")));
    let now = app.clock.now();
    let queue = queue::queue_state(&app.db, now).await?;
    let jobs = queue::list(&app.db, MOST).await?;
    let mut reader = app.db.read().await?;
    let attempts = store::webhook::latest_attempts(&mut reader, i64::from(MOST) * 10).await?;
    let companies = store::company::all(&mut reader).await?;
    drop(reader);
    let names: BTreeMap<CompanyId, String> = companies.into_iter().map(|company| (company.id, company.name)).collect();
    let has_failed = |attempt: &Attempt| !attempt.status.is_some_and(|status| (200..300).contains(&status));
    let failed_attempts = attempts.into_iter().filter(has_failed).take(MOST as usize).collect();
    let listed = plugins::list(app).await?;
    let plugins = listed.plugins.into_iter().map(|plugin| ShownPlugin {
        calls: plugin.calls.iter().map(|calls| calls.calls).sum(),
        usual_millis: plugin.calls.iter().map(|calls| calls.p95.div_ceil(1000)).max().unwrap_or_default(),
        problems: plugin.calls.iter().filter_map(problem_of).collect(),
        name: plugin.name,
        version: plugin.version,
    });
    let plugins = plugins.collect();
    let shadows = shadow::agreements(app)
        .await?
        .into_iter()
        .map(|tally| ShownShadow { company_name: names.get(&tally.company).cloned().unwrap_or_default(), tally });
    let shadows = shadows.collect();
    let checks = live::latest(app).await;
    Ok(OperationView { problem, queue, jobs, failed_attempts, plugins, shadows, checks, now })
}

/// None if nothing is wrong.
fn problem_of(calls: &CallStatistics) -> Option<PluginProblem> {
    let failed: u64 = calls.failures.values().sum();
    if failed == 0 && !calls.out_of_service {
        return None;
    }
    Some(PluginProblem {
        company: calls.company,
        is_shadow: calls.shadow,
        is_out_of_service: calls.out_of_service,
        calls: calls.calls,
        failed,
        last_failure: calls.last_failure.clone(),
        log: calls.last_log.clone(),
    })
}
