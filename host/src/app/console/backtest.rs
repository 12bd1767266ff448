//! Backtests that an operator starts, stops and reads in the console. Their job is in [`backtest::job`].
//!
//! The candidate is a component that this node has loaded: a process that serves requests must not load another one, which
//! could be the highest version of its name and so count at once.

use std::{sync::Arc, time::Duration};

use sealwright_seal::digest::Sha256Digest;
use serde_json::{Map, Value};
use strum::VariantArray as _;

use super::ConsoleUser;
pub use crate::store::backtest::{BacktestState, StoredBacktest};
use crate::{
    app::{
        App,
        audit::{self, Event},
        backtest::{self, Backtest, BacktestRequest, Candidate, CaseChange, Judged},
    },
    domain::{
        analysis::TrustLevel,
        case::CaseReference,
        company_manifest::PluginRole,
        console::{Action, FormProblem},
        id::{BacktestId, CompanyId},
    },
    error::{Error, Result},
    plugins::{PluginInfo, Role},
    store::{
        self,
        backtest::{ChangedCase, NewBacktest},
        company::Company,
        job::{JobKind, ListedJob, Work},
    },
};

/// What to test, and on which cases.
#[derive(Clone, Debug)]
pub struct AskedBacktest {
    pub company: CompanyId,
    /// Of the component.
    pub digest: Sha256Digest,
    pub settings: Option<Map<String, Value>>,
    pub alongside: bool,
    /// How far back the cases go.
    pub time: Duration,
    /// The maximum number of cases.
    pub limit: u32,
}

/// The backtests so far, and what another one can be for.
pub struct BacktestList {
    /// The newest first.
    pub backtests: Vec<StoredBacktest>,
    pub components: Vec<PluginInfo>,
    pub companies: Vec<Company>,
}

/// A backtest with its report, if it has one.
pub struct ShownBacktest {
    pub stored: StoredBacktest,
    pub company_name: Option<String>,
    pub report: Option<Backtest>,
    /// While it has not ended.
    pub job: Option<ListedJob>,
}

pub async fn list(app: &App, user: &ConsoleUser) -> Result<BacktestList> {
    let companies = user.companies(app).await?;
    let mut reader = app.db.read().await?;
    let backtests = store::backtest::all(&mut reader).await?;
    let components = app.plugins.plugins().into_iter().filter(plays_in_the_analysis).collect();
    Ok(BacktestList { backtests, components, companies })
}

fn plays_in_the_analysis(plugin: &PluginInfo) -> bool {
    PluginRole::VARIANTS.iter().any(|role| plugin.roles.contains(&Role::from(*role)))
}

/// Starts a backtest, if the command would accept it.
///
/// # Errors
/// [`FormProblem::NoComponent`] if no loaded component has the digest, [`FormProblem::BacktestIsOpen`], and those of
/// [`backtest::prepare`].
pub async fn start(app: &Arc<App>, user: &ConsoleUser, asked: AskedBacktest) -> Result<BacktestId> {
    let AskedBacktest { company, digest, settings, alongside, time, limit } = asked;
    user.company(app, company).await?;
    let loaded = app.plugins.plugins().into_iter().find(|plugin| plugin.digest == digest);
    let PluginInfo { name, version, .. } = loaded.ok_or(FormProblem::NoComponent)?;
    let now = app.clock.now();
    let since = now.before(time);
    let candidate = Candidate::Loaded { name: name.clone(), digest };
    // One case is enough to see whether there are any.
    let request =
        BacktestRequest { company, candidate, settings: settings.clone(), alongside, since, limit: 1, at_once: 1 };
    backtest::prepare(app, request).await?;
    let about = format!("plugin {name} {version}, sha256 {digest}, at most {limit} cases closed since {since}");
    let new = NewBacktest {
        company,
        plugin: name,
        version,
        digest,
        settings: settings.map(|settings| Value::Object(settings).to_string()),
        alongside,
        since,
        most: i64::from(limit),
        started_by: user.username.clone(),
        started_at: now,
    };
    let mut tx = app.db.begin().await?;
    let started = async {
        let id = store::backtest::insert(&mut tx, &new).await?.ok_or(FormProblem::BacktestIsOpen)?;
        store::job::enqueue(&mut tx, Work::Backtest(id), now).await?;
        let event = Event::done(Action::StartBacktest.name(), Some(company), Some(format!("backtest {id}")));
        audit::record(&mut tx, now, &user.actor(), event.with_detail(about)).await?;
        Ok::<_, Error>(id)
    };
    let started = started.await;
    let id = tx.settle(started).await?;
    app.wake.job(JobKind::Backtest).notify_one();
    Ok(id)
}

/// A backtest with its results. Reading it is recorded in the audit log.
pub async fn show(app: &App, user: &ConsoleUser, id: BacktestId) -> Result<ShownBacktest> {
    let mut reader = app.db.read().await?;
    let stored = store::backtest::find(&mut reader, id).await?.ok_or_else(|| unknown(id))?;
    let company = store::company::find(&mut reader, stored.company).await?;
    // It may have ended since: a page shows the progress or the report.
    let report = match stored.state {
        BacktestState::Open => None,
        BacktestState::Done | BacktestState::Stopped | BacktestState::Failed => {
            store::backtest::report(&mut reader, id).await?
        }
    };
    let cases = store::backtest::cases(&mut reader, id).await?;
    let job = match stored.state {
        BacktestState::Open => store::job::of_work(&mut reader, Work::Backtest(id)).await?,
        BacktestState::Done | BacktestState::Stopped | BacktestState::Failed => None,
    };
    drop(reader);
    let mut report: Option<Backtest> =
        report.map(|report| serde_json::from_str(&report)).transpose().map_err(Error::internal)?;
    if let Some(report) = &mut report {
        report.levels_changed = cases.iter().map(|changed| case_change(changed, stored.company)).collect();
    }
    let event = Event::done(Action::ShowBacktest.name(), Some(stored.company), Some(format!("backtest {id}")));
    audit::record_alone(app, &user.actor(), event).await?;
    Ok(ShownBacktest { stored, company_name: company.map(|company| company.name), report, job })
}

/// Stops a backtest. One that runs ends with the results so far, one that waits has none.
pub async fn stop(app: &App, user: &ConsoleUser, id: BacktestId) -> Result<()> {
    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    let stopped = async {
        let found = store::backtest::find(&mut tx, id).await?.ok_or_else(|| unknown(id))?;
        if found.state != BacktestState::Open {
            return Ok(());
        }
        store::backtest::request_stop(&mut tx, id, now).await?;
        if !store::job::withdraw(&mut tx, Work::Backtest(id)).await? {
            store::backtest::end(&mut tx, id, BacktestState::Stopped, None, now).await?;
        }
        let event = Event::done(Action::StopBacktest.name(), Some(found.company), Some(format!("backtest {id}")));
        Ok::<_, Error>(audit::record(&mut tx, now, &user.actor(), event).await?)
    };
    let stopped = stopped.await;
    tx.settle(stopped).await
}

fn case_change(changed: &ChangedCase, company: CompanyId) -> CaseChange {
    let judged = |score: i64| {
        // A score is at most 100.
        let trust_score = u8::try_from(score).unwrap_or(u8::MAX);
        Judged { trust_score, trust_level: TrustLevel::of(trust_score) }
    };
    CaseChange {
        case_id: changed.case,
        cf_ref: CaseReference { case: changed.case, company }.to_string(),
        before: judged(changed.score_before),
        after: judged(changed.score_after),
    }
}

fn unknown(id: BacktestId) -> Error {
    Error::not_found(format!("backtest {id} does not exist"))
}
