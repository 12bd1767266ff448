//! Runs a candidate plugin on a company's stored evidence: what would change if it replaced the plugins in service. The
//! command is `sealwright plugin backtest`; the console starts a [`job`]. No verdict is changed.
//!
//! Every case is judged twice by the same rules, once with the plugins in service and once with the candidate in its place.
//! A recorded answer for the same component, settings and input is reused.

pub mod job;
mod report;
mod retry;

use std::{collections::BTreeMap, future::Future, sync::Arc, time::Duration};

use sealwright_seal::digest::Sha256Digest;
use serde_json::{Map, Value};
use strum::VariantArray as _;
use tokio::task::JoinSet;
use tracing::Instrument as _;

pub use self::report::{Backtest, Calls, CandidateInfo, CaseChange, Judged, Subject};
use self::{report::CaseComparison, retry::retry};
use crate::{
    app::{
        App,
        analysis::{
            ask::{Asking, chosen},
            document, ended, level, reconstruct, shown, signals,
            trial::{self, AnswerCache, Exchange, Lineup, Side, Trial},
        },
        plugins,
    },
    clock::Timestamp,
    config::parse_duration,
    domain::{
        analysis::{AnalysisProgress, CaseAnalysis, DocumentAnalysis, judgement::judge_case},
        company_manifest::PluginRole,
        id::{CaseId, CompanyId, ItemId},
    },
    error::{Error, Result},
    plugins::{Chosen, Function, PluginInfo, Role},
    store::{
        self,
        analysis::{ItemAnalysis, ItemState},
        company::Company,
        plugin_run::PluginRun,
    },
};

/// The highest number of cases that can be asked for, and the usual one.
pub const MOST_CASES: u32 = 1_000_000;
pub const USUAL_CASES: u32 = 10_000;
/// How far back the cases usually go.
pub const USUAL_TIME: &str = "30d";

/// What to test, and on which cases.
#[derive(Clone, Debug)]
pub struct BacktestRequest {
    pub company: CompanyId,
    pub candidate: Candidate,
    /// None: those of the plugin with its name, if the company uses one, or else none.
    pub settings: Option<Map<String, Value>>,
    /// Whether it joins the plugins in service instead of replacing one.
    pub alongside: bool,
    /// Only cases closed since then.
    pub since: Timestamp,
    /// The maximum number of cases; the newest are used.
    pub limit: u32,
    /// How many cases at once.
    pub at_once: usize,
}

/// The component to test.
#[derive(Clone, Debug)]
pub enum Candidate {
    /// One that is not loaded, and what it is called until its name is known. It stays loaded until the process ends, and
    /// may be the highest version of its name: only a process that serves no one may try it.
    File { component: Vec<u8>, origin: String },
    /// One that is loaded here.
    Loaded { name: String, digest: Sha256Digest },
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    pub done: usize,
    pub of: usize,
}

/// How far back the cases go, as a person writes it.
///
/// # Errors
/// What was expected.
pub fn read_time(text: &str) -> Result<Duration, String> {
    parse_duration(text).ok_or_else(|| "expected a whole number and ms, s, m, h or d, for example 30d".to_owned())
}

/// The candidate's settings, as a person writes them.
///
/// # Errors
/// What was expected.
pub fn read_settings(text: &str) -> Result<Map<String, Value>, String> {
    serde_json::from_str(text).map_err(|error| format!("expected a JSON object: {error}"))
}

/// Tests the candidate until it has seen every case or `stop` ends, and returns the results so far.
pub async fn backtest(
    app: &Arc<App>,
    request: BacktestRequest,
    stop: impl Future<Output = ()>,
    on_progress: impl FnMut(Progress),
) -> Result<Backtest> {
    prepare(app, request).await?.run(app, stop, on_progress).await
}

/// A backtest that can run.
pub struct PreparedBacktest {
    company: Arc<Company>,
    lineups: Arc<Lineups>,
    candidate: CandidateInfo,
    cases: Vec<CaseId>,
    /// Whether there are more cases than the limit.
    is_limited: bool,
    since: Timestamp,
    at_once: usize,
}

/// Checks the request, and looks for the cases.
///
/// # Errors
/// [`Error::NotFound`] if the company or its cases do not exist; [`Error::Invalid`] if the component or its settings cannot
/// be tried; a temporary one if a component that should be loaded is not.
pub async fn prepare(app: &Arc<App>, request: BacktestRequest) -> Result<PreparedBacktest> {
    let mut reader = app.db.read().await?;
    let company = store::company::find(&mut reader, request.company).await?;
    let company = company.ok_or_else(|| Error::not_found(format!("company {} does not exist", request.company)))?;
    let mut cases =
        store::analysis::judged_since(&mut reader, company.id, request.since, i64::from(request.limit) + 1).await?;
    drop(reader);
    if cases.is_empty() {
        let message = format!("company {} has no judged case that was closed since {}", company.id, request.since);
        return Err(Error::not_found(message));
    }
    let most = usize::try_from(request.limit).unwrap_or(usize::MAX);
    let is_limited = cases.len() > most;
    cases.truncate(most);
    let (since, at_once) = (request.since, request.at_once.max(1));
    let (lineups, candidate) = line_up(app, &company, request).await?;
    let (company, lineups) = (Arc::new(company), Arc::new(lineups));
    Ok(PreparedBacktest { company, lineups, candidate, cases, is_limited, since, at_once })
}

impl PreparedBacktest {
    /// Judges the cases until all are seen or `stop` ends.
    ///
    /// # Errors
    /// A case could not be judged: a part of the machine is unavailable.
    pub async fn run(
        self,
        app: &Arc<App>,
        stop: impl Future<Output = ()>,
        mut on_progress: impl FnMut(Progress),
    ) -> Result<Backtest> {
        let Self { company, lineups, candidate, cases, is_limited, since, at_once } = self;
        let mut result = Backtest::new(company.id, candidate, since);
        let mut progress = Progress { done: 0, of: cases.len() };
        let mut waiting = cases.into_iter();
        // Dropped with the tasks that still run.
        let mut running = JoinSet::new();
        let mut stop = std::pin::pin!(stop);
        on_progress(progress);
        result.interrupted = loop {
            while running.len() < at_once {
                let Some(case) = waiting.next() else { break };
                let (app, company, lineups) = (Arc::clone(app), Arc::clone(&company), Arc::clone(&lineups));
                let one =
                    async move { retry(&format!("case {case}"), || try_case(&app, &company, &lineups, case)).await };
                running.spawn(one.in_current_span());
            }
            tokio::select! {
                () = &mut stop => break true,
                next = running.join_next() => match next {
                    Some(compared) => {
                        if let Some(compared) = compared.map_err(Error::internal)?? {
                            result.add(compared);
                        }
                        progress.done += 1;
                        on_progress(progress);
                    }
                    None => break false,
                }
            }
        };
        result.limited = is_limited;
        result.finish();
        Ok(result)
    }
}

/// The plugins of both sides: those in service, and those with the candidate in its place.
async fn line_up(app: &Arc<App>, company: &Company, request: BacktestRequest) -> Result<(Lineups, CandidateInfo)> {
    let BacktestRequest { candidate, settings, alongside, .. } = request;
    // Before the candidate is loaded: it may be the highest version of its name.
    let mut in_service = BTreeMap::new();
    for &role in PluginRole::VARIANTS {
        let pinned = chosen(app, company, role).into_iter().map(|one| {
            let digest = app.plugins.digest_in_service(&one.plugin, one.sha256, role.into());
            // No component has a digest of zeros: a plugin that is not loaded stays absent.
            Chosen { sha256: Some(digest.unwrap_or(Sha256Digest([0; 32]))), ..one }
        });
        in_service.insert(role, pinned.collect::<Vec<_>>());
    }
    let info = describe(app, candidate).await?;
    let roles: Vec<PluginRole> =
        PluginRole::VARIANTS.iter().copied().filter(|role| info.roles.contains(&Role::from(*role))).collect();
    if roles.is_empty() {
        let message = format!("{} plays no role in the analysis, so there is nothing to try it on", info.name);
        return Err(Error::invalid(message));
    }
    let mut with_candidate = in_service.clone();
    let mut replaced = Vec::new();
    for role in &roles {
        let active = with_candidate.entry(*role).or_default();
        let of_its_name = active.iter().find(|one| one.plugin == info.name).cloned();
        if alongside && of_its_name.is_some() {
            let message =
                format!("{} is already in service as {}; it cannot run alongside itself", info.name, role.into_str());
            return Err(Error::invalid(message));
        }
        let usual = || of_its_name.as_ref().map(|one| one.settings.clone()).unwrap_or_default();
        let settings = settings.clone().unwrap_or_else(usual);
        check_settings(app, &info, *role, &settings)?;
        let candidate = Chosen { company: company.id, plugin: info.name.clone(), sha256: Some(info.digest), settings };
        let mut gone = Vec::new();
        active.retain(|one| {
            let goes = !alongside && (of_its_name.is_none() || one.plugin == info.name);
            if goes {
                gone.push(format!("{} ({role})", one.plugin, role = role.into_str()));
            }
            !goes
        });
        active.push(candidate);
        replaced.append(&mut gone);
    }
    let PluginInfo { name, version, digest, .. } = info;
    let candidate = CandidateInfo { name, version, digest, roles, replaced };
    let (in_service, with_candidate) = (Lineup::new(in_service), Lineup::new(with_candidate));
    Ok((Lineups { in_service, with_candidate, digest, alongside }, candidate))
}

/// What the candidate says of itself. A file is loaded for that.
async fn describe(app: &Arc<App>, candidate: Candidate) -> Result<PluginInfo> {
    match candidate {
        Candidate::File { component, origin } => {
            let host = app.plugins.clone();
            let admitted = tokio::task::spawn_blocking(move || host.admit(&origin, &component)).await;
            let admitted = admitted.map_err(Error::internal)?;
            admitted.map_err(|error| Error::invalid(format!("this host cannot load the file as a plugin: {error:#}")))
        }
        Candidate::Loaded { name, digest } => {
            let loaded = app.plugins.plugins().into_iter().find(|plugin| plugin.digest == digest);
            loaded.ok_or_else(|| plugins::not_loaded(&name))
        }
    }
}

/// Both sides, and the candidate's digest.
struct Lineups {
    in_service: Lineup,
    with_candidate: Lineup,
    digest: Sha256Digest,
    /// Whether the candidate is compared with no other plugin.
    alongside: bool,
}

fn check_settings(app: &App, info: &PluginInfo, role: PluginRole, settings: &Map<String, Value>) -> Result<()> {
    let problems = app.plugins.settings_problems(&info.name, Some(info.digest), role.into(), settings);
    let messages: Vec<String> =
        problems.into_iter().map(|problem| format!("settings{}: {}", problem.path, problem.message)).collect();
    if messages.is_empty() { Ok(()) } else { Err(Error::invalid(messages.join("; "))) }
}

/// A case as its verdict saw it.
struct Evidence {
    case: store::case::Case,
    items: Vec<store::item::Item>,
    analyses: Vec<ItemAnalysis>,
    /// Those that can be examined again.
    documents: BTreeMap<ItemId, reconstruct::DocumentInput>,
}

/// None for a case that was deleted meanwhile.
async fn try_case(app: &Arc<App>, company: &Company, lineups: &Lineups, id: CaseId) -> Result<Option<CaseComparison>> {
    let mut reader = app.db.read().await?;
    let case = store::case::find(&mut reader, id).await?;
    let verdict = store::analysis::verdict(&mut reader, id).await?;
    let (Some(case), Some(verdict)) = (case, verdict) else { return Ok(None) };
    let items = store::item::of_case(&mut reader, id).await?;
    let analyses = store::analysis::of_items(&mut reader, id).await?;
    let runs = store::plugin_run::of_case(&mut reader, id).await?;
    drop(reader);
    let as_of = runs.iter().filter(|run| run.item_id.is_none() && !run.shadow).map(PluginRun::moment).max();
    let analyses = reconstruct::analyses(&analyses, as_of.unwrap_or(verdict.concluded_at));

    let mut documents = BTreeMap::new();
    let mut missing = Vec::new();
    for analysis in &analyses {
        if analysis.plan.is_none() || analysis.state != ItemState::Completed {
            continue;
        }
        let moment = runs.iter().find(|run| run.item_id == Some(analysis.item)).map(PluginRun::moment);
        let moment = moment.or(analysis.ended_at).unwrap_or(verdict.concluded_at);
        match reconstruct::document(app, &items, analysis, moment).await? {
            Ok(given) => {
                documents.insert(analysis.item, given);
            }
            Err(reason) => missing.push(reason),
        }
    }
    let evidence = Evidence { case, items, analyses, documents };
    let cache = Arc::new(AnswerCache::of(&runs));
    let trial_of = |side, lineup: &Lineup| Trial::new(lineup.clone(), side, lineups.digest, Arc::clone(&cache));
    let in_service = trial_of(Side::InService, &lineups.in_service);
    let with_candidate = trial_of(Side::WithCandidate, &lineups.with_candidate);
    let before = judged(app, company, &evidence, &in_service).await?;
    let after = judged(app, company, &evidence, &with_candidate).await?;
    let field_codes = |function: Function, item: ItemId| -> Vec<String> {
        let given = evidence.documents.get(&item);
        given.map(|given| document::subjects(function, &given.plan, &given.entered)).unwrap_or_default()
    };
    let compared_with: Vec<Exchange> = if lineups.alongside { Vec::new() } else { in_service.exchanges() };
    let pairs = trial::pairs(&compared_with, with_candidate.exchanges(), lineups.digest, field_codes);
    Ok(Some(CaseComparison {
        case: id,
        reference: evidence.case.reference().to_string(),
        stored: verdict.analysis,
        before,
        after,
        pairs,
        calls: cache.calls(),
        from_records: cache.reused(),
        missing,
    }))
}

/// The analysis of the case by the plugins of the trial. A document that cannot be examined again keeps its result.
async fn judged(app: &Arc<App>, company: &Company, evidence: &Evidence, trial: &Trial) -> Result<CaseAnalysis> {
    let Evidence { case, items, analyses, documents } = evidence;
    let mut judged = analyses.clone();
    for analysis in &mut judged {
        let Some(given) = documents.get(&analysis.item) else { continue };
        let mut asking = Asking::on_trial(app, company, Some(analysis.item), trial);
        let document = Arc::clone(&given.document);
        let kept = document::examine(&mut asking, analysis.item, &given.plan, document, &given.entered).await;
        analysis.result = kept.result;
    }
    let mut asking = Asking::on_trial(app, company, None, trial);
    let answers = signals::ask(&mut asking, case, items, &judged).await?;
    let documents: Vec<_> = judged.iter().filter_map(|analysis| shown(analysis, level)).collect();
    // As in a verdict: a document without an answer is not completed.
    let is_complete = documents.iter().all(DocumentAnalysis::is_completed);
    let progress = if is_complete { AnalysisProgress::Completed } else { AnalysisProgress::Failed };
    let weights = &company.analysis.weights;
    Ok(judge_case(case.id, ended(&judged), documents, &answers, weights, Some(progress)).0)
}
